//! The columns of the frames, each with its unit and meaning: the one place that names them. A
//! column is one line here; frames, CSV files and `COLUMNS.md` follow by themselves.

use saga_core::measures::Measures;

use crate::deeds::{Deeds, RoleSplit};
use crate::load::GameFacts;
use crate::log_check::LogCheck;
use crate::rows::{EpisodeRow, Fate, Place, Setup, TurnRow};
use crate::standing::Standing;

/// One column, read off a part `P` of a row.
pub struct ColumnSpec<P: 'static> {
    /// Its name in the header of the CSV file.
    pub name: &'static str,
    /// Unit, empty for plain words and counts of what the name says.
    pub unit: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// How it is read. An empty field means "not known" or "does not apply".
    pub value: Value<P>,
}

/// How a value is read, by its type in the frame.
pub enum Value<P: 'static> {
    /// Text.
    Text(fn(&P) -> Option<&str>),
    /// 64-bit integer.
    Int(fn(&P) -> Option<i64>),
    /// 64-bit float, six decimals in CSV.
    Real(fn(&P) -> Option<f64>),
    /// `true` or `false`.
    Flag(fn(&P) -> Option<bool>),
}

/// The documentation of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct ColumnDoc {
    /// `episodes` or `turns`.
    pub frame: &'static str,
    /// Name in the header.
    pub name: &'static str,
    /// `text`, `int`, `real` or `flag`.
    pub kind: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// Every column of both frames, in the order in which they stand.
pub fn columns() -> Vec<ColumnDoc> {
    let mut out = Vec::new();
    let frame = "episodes";
    document(&mut out, frame, PLACE);
    document(&mut out, frame, SETUP);
    document(&mut out, frame, FATE);
    document(&mut out, frame, MEASURES);
    document(&mut out, frame, LAST);
    document(&mut out, frame, STANDING);
    document(&mut out, frame, LOG);
    document(&mut out, frame, JUDGED);
    document(&mut out, frame, DEEDS);
    document(&mut out, frame, EPISODE_SHARES);
    document(&mut out, frame, USAGE);
    document(&mut out, frame, GAME);
    document(&mut out, frame, SOURCE);
    let frame = "turns";
    document(&mut out, frame, PLACE);
    document(&mut out, frame, TURN);
    document(&mut out, frame, MEASURES);
    document(&mut out, frame, DEEDS);
    document(&mut out, frame, USAGE);
    out
}

fn document<P>(out: &mut Vec<ColumnDoc>, frame: &'static str, specs: &[ColumnSpec<P>]) {
    out.extend(specs.iter().map(|c| ColumnDoc {
        frame,
        name: c.name,
        kind: match c.value {
            Value::Text(_) => "text",
            Value::Int(_) => "int",
            Value::Real(_) => "real",
            Value::Flag(_) => "flag",
        },
        unit: c.unit,
        doc: c.doc,
    }));
}

const fn text<P>(
    name: &'static str,
    doc: &'static str,
    value: fn(&P) -> Option<&str>,
) -> ColumnSpec<P> {
    ColumnSpec { name, unit: "", doc, value: Value::Text(value) }
}

const fn int<P>(
    name: &'static str,
    unit: &'static str,
    doc: &'static str,
    value: fn(&P) -> Option<i64>,
) -> ColumnSpec<P> {
    ColumnSpec { name, unit, doc, value: Value::Int(value) }
}

const fn real<P>(
    name: &'static str,
    unit: &'static str,
    doc: &'static str,
    value: fn(&P) -> Option<f64>,
) -> ColumnSpec<P> {
    ColumnSpec { name, unit, doc, value: Value::Real(value) }
}

const fn flag<P>(
    name: &'static str,
    doc: &'static str,
    value: fn(&P) -> Option<bool>,
) -> ColumnSpec<P> {
    ColumnSpec { name, unit: "", doc, value: Value::Flag(value) }
}

/// Which episode; in both frames.
pub const PLACE: &[ColumnSpec<Place>] = &[
    text("matrix", "name of the matrix, from the path", |p| Some(&p.matrix)),
    text("planner", "the method", |p| Some(&p.planner)),
    text("variant", "its variant; base when nothing is changed", |p| Some(&p.variant)),
    text("backbone", "label of the backbone or of the map from role to backbone", |p| {
        Some(&p.backbone)
    }),
    int("map_seed", "", "the server's map seed", |p| p.map_seed.map(i64::from)),
    text("ai_skill", "skill of the built-in opponents; none without any", |p| {
        Some(p.ai_skill.as_str()).filter(|word| !word.is_empty())
    }),
    int("run", "", "independent run, from 1", |p| p.run.map(i64::from)),
    int("game", "", "game in the run's chain, from 1", |p| p.game.map(i64::from)),
];

/// What the header tells.
pub const SETUP: &[ColumnSpec<Setup>] = &[
    int("game_seed", "", "the server's game seed", |s| Some(i64::from(s.game_seed))),
    // As text: an unsigned 64-bit number does not fit a signed column.
    text("sampling_seed", "seed of everything saga drew itself", |s| Some(&s.sampling_seed)),
    text("backbone_kind", "scripted, mixed (scripted in some roles) or model", |s| {
        Some(s.backbone_kind.word())
    }),
    int("turns_max", "turns", "last turn that was to be played", |s| Some(i64::from(s.turns_max))),
    text("identity_hash", "hash of the episode's identity", |s| Some(&s.identity_hash)),
    text("saga_version", "version of saga that wrote the trace", |s| Some(&s.saga_version)),
];

/// How the episode ended.
pub const FATE: &[ColumnSpec<Fate>] = &[
    text("end", "turn_limit, victory, eliminated, or why there is no result", |f| {
        Some(f.ending.word())
    }),
    flag("is_result", "whether the game itself ended; false marks a failed run", |f| {
        Some(f.ending.is_result())
    }),
    text("detail", "the reason in words, when it was not the game's own end", |f| {
        Some(f.detail.as_str()).filter(|d| !d.is_empty())
    }),
    int("turns_played", "turns", "turns that were closed", |f| Some(i64::from(f.turns_played))),
    flag("survived", "alive at the end of a game with a result", Fate::survived),
    int("turn_of_death", "turn", "last turn our player lived through, when it died", |f| {
        f.turn_of_death.map(i64::from)
    }),
];

/// What is owned. In `episodes`: at the start of turn `turns_max`, by the reading rules (died
/// before: last living score, 0 for the rest; won before: last values; no result: empty). In
/// `turns`: at the start of that turn.
pub const MEASURES: &[ColumnSpec<Measures>] = &[
    int("score", "points", "the server's score", |m| Some(m.score)),
    int("technology", "advances", "known advances", |m| Some(m.technology)),
    int("technology_future", "advances", "advances beyond the last of the tree", |m| {
        Some(m.future_technology)
    }),
    int("military", "units", "living units that the ruleset does not call civilians", |m| {
        Some(m.military)
    }),
    real("military_strength", "points", "attack + defense of them, weighted by hit points", |m| {
        Some(m.military_strength_centi as f64 / 100.0)
    }),
    int("cities", "cities", "own cities", |m| Some(m.cities)),
    int("citizens", "citizens", "citizens in them", |m| Some(m.citizens)),
    int("buildings", "buildings", "completed improvements of genus improvement", |m| {
        Some(m.buildings)
    }),
    int("wonders", "buildings", "great and small wonders, the Palace among the small ones", |m| {
        Some(m.wonders)
    }),
    int("great_wonders", "buildings", "the great ones among them", |m| Some(m.great_wonders)),
    int(
        "diplomacy",
        "points",
        "over living players: cease-fire 1, armistice or peace 2, alliance 3; 1 per embassy",
        |m| Some(m.diplomacy),
    ),
    int("embassies", "embassies", "embassies we have", |m| Some(m.embassies)),
    int("units", "units", "units of any kind", |m| Some(m.units)),
    int("gold", "gold", "gold in the treasury", |m| Some(m.gold)),
    int("culture", "points", "culture", |m| Some(m.culture)),
    int("tiles_known", "tiles", "known tiles", |m| Some(m.tiles_known)),
];

/// What was owned last, alive, whatever the end.
pub const LAST: &[ColumnSpec<Measures>] = &[
    int("score_last", "points", "score when last alive, failed runs too", |m| Some(m.score)),
    int("cities_last", "cities", "cities when last alive, failed runs too", |m| Some(m.cities)),
    int("buildings_last", "buildings", "improvements when last alive, failed runs too", |m| {
        Some(m.buildings)
    }),
];

/// From the server's score log, at turn `turns_max`; of a series that ends before, its last value.
pub const STANDING: &[ColumnSpec<Standing>] = &[
    int("score_logged", "points", "own score in the server's score log at turns_max", |s| {
        Some(s.score)
    }),
    int("players", "players", "players in the score log, barbarians not among them", |s| {
        Some(i64::from(s.players))
    }),
    int("rank", "", "1 + players with a higher score at turns_max", |s| Some(i64::from(s.rank))),
    real("score_share", "", "own score over the sum of all", |s| s.share),
    int("best_opponent", "points", "highest score of another player", |s| s.best_opponent),
];

/// What came of holding the measures of all turns against that log.
pub const LOG: &[ColumnSpec<LogCheck>] = &[
    int("score_log_checked", "values", "values of all turns that were held against it", |l| {
        Some(i64::from(l.checked()))
    }),
    int("score_log_differs", "values", "of these, values that are not what it says", |l| {
        Some(i64::from(l.differs()))
    }),
    int("score_log_missing", "values", "values that it should have and has not", |l| {
        Some(i64::from(l.missing()))
    }),
];

/// What the client could not know.
pub const JUDGED: &[ColumnSpec<u64>] = &[int(
    "requirements_unjudged",
    "",
    "times a requirement of the ruleset could not be judged and so hid what needs it",
    |n| count(*n),
)];

/// Decisions and orders; in both frames.
pub const DEEDS: &[ColumnSpec<Deeds>] = &[
    int("decisions", "", "decisions of all controllers", |d| Some(d.decided())),
    int("decisions_diplomacy", "", "of the diplomacy controller", |d| Some(d.decisions[0])),
    int("decisions_government", "", "of the government controller", |d| Some(d.decisions[1])),
    int("decisions_technology", "", "of the technology controller", |d| Some(d.decisions[2])),
    int("decisions_city", "", "of the city controller", |d| Some(d.decisions[3])),
    int("decisions_military", "", "of the military controller", |d| Some(d.decisions[4])),
    int("decisions_civilian", "", "of the civilian controller", |d| Some(d.decisions[5])),
    int("orders_done", "orders", "orders whose effect was seen", |d| Some(d.done)),
    int("orders_refused", "orders", "orders the server said no to", |d| Some(d.refused)),
    int("orders_ignored", "orders", "orders that changed nothing, without a word", |d| {
        Some(d.ignored)
    }),
    int("orders_stale", "orders", "no longer lawful when their time came; not sent", |d| {
        Some(d.stale)
    }),
    int("orders_active", "orders", "orders done that are neither fortify nor sentry", |d| {
        Some(d.active)
    }),
    int("skips", "", "decisions to do nothing", |d| Some(d.skips)),
    int("no_ops", "", "decisions for which no attempt gave a lawful answer", |d| Some(d.no_ops)),
    int("cities_founded", "cities", "cities founded by our settlers", |d| Some(d.cities_founded)),
    int("research_chosen", "orders", "research subjects and goals that were set", |d| {
        Some(d.research_chosen)
    }),
];

/// Shares over the whole episode.
pub const EPISODE_SHARES: &[ColumnSpec<Deeds>] = &[
    real("active_share", "", "orders_active over (orders_done + skips)", Deeds::active_share),
    real("active_share_sent", "", "orders_active over orders_done", Deeds::active_share_sent),
];

/// Calls and tokens; in both frames. In `episodes` the unfinished last turn is included.
pub const USAGE: &[ColumnSpec<RoleSplit>] = &[
    int("calls", "calls", "calls of all roles, re-prompts included", |u| count(u.all.calls)),
    int("reprompts", "calls", "of these, re-prompts", |u| count(u.all.reprompts)),
    int("faults", "calls", "of these, faults of content", |u| count(u.all.faults)),
    int("tokens_in", "tokens", "prompt tokens, as far as known", |u| count(u.all.input)),
    int("tokens_cached", "tokens", "of these, from a cache", |u| count(u.all.cached)),
    int("tokens_out", "tokens", "completion tokens, as far as known", |u| count(u.all.output)),
    int("tokens_reasoning", "tokens", "of these, hidden reasoning", |u| count(u.all.reasoning)),
    int("calls_unknown", "calls", "calls whose backbone did not tell its tokens", |u| {
        count(u.all.unknown)
    }),
    int("calls_estimated", "calls", "calls whose tokens are an estimate", |u| {
        count(u.all.estimated)
    }),
    int("strategic_calls", "calls", "calls of all roles but the controllers", |u| {
        count(u.strategic.calls)
    }),
    int("strategic_tokens_in", "tokens", "their prompt tokens", |u| count(u.strategic.input)),
    int("strategic_tokens_out", "tokens", "their completion tokens", |u| count(u.strategic.output)),
];

/// Who served the game.
pub const GAME: &[ColumnSpec<GameFacts>] = &[
    text("server_version", "version of the game server", |g| Some(&g.server_version)),
    text("server_hash", "BLAKE3 of the server binary", |g| Some(&g.server_hash)),
];

/// Where the row comes from.
pub const SOURCE: &[ColumnSpec<EpisodeRow>] =
    &[text("trace", "the trace file, below the runs folder", |e| Some(&e.trace))];

/// Which turn.
pub const TURN: &[ColumnSpec<TurnRow>] =
    &[int("turn", "", "the turn, from 1", |t| Some(i64::from(t.turn)))];

/// Tokens and calls stay far below the bound of the frame's integers; beyond it, the bound.
#[allow(clippy::unnecessary_wraps)]
fn count(n: u64) -> Option<i64> {
    Some(i64::try_from(n).unwrap_or(i64::MAX))
}
