//! One trace read into flat rows: what the frames, the tables and every later statistic are made
//! of. How a game that ended before its last turn is read (eliminated, early victory) is decided
//! here and nowhere else.

use std::collections::BTreeSet;
use std::sync::Arc;

use saga_core::measures::Measures;
use saga_core::scripted::EMBEDDED;
use saga_core::spec::{EpisodeSpec, Identity};
use saga_core::trace::entry::{End, EndReason, Header, TurnEntry};

use crate::deeds::{Deeds, RoleSplit};
use crate::load::{Content, GameFacts};
use crate::log_check::LogCheck;
use crate::orders::OrderBook;
use crate::standing::Standing;

/// Stands for the skill of opponents in a game that has none.
pub(crate) const NO_OPPONENTS: &str = "none";

/// Which episode this is. Sorted by it, rows stand in the order of every table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// Name of the matrix: the folder above the planners.
    pub matrix: String,
    /// Seed of the map.
    pub map_seed: Option<u32>,
    /// Skill of the built-in opponents; `none` in a game without, empty when neither path
    /// nor header tells it.
    pub ai_skill: String,
    /// The method.
    pub planner: String,
    /// Its variant, `base` when nothing is changed.
    pub variant: String,
    /// Label of the backbone, or of the map from role to backbone.
    pub backbone: String,
    /// The independent run, from 1.
    pub run: Option<u32>,
    /// The game in the run's chain, from 1.
    pub game: Option<u32>,
}

/// One episode.
#[derive(Debug, Clone, PartialEq)]
pub struct EpisodeRow {
    /// Which.
    pub place: Arc<Place>,
    /// What the header tells; `None` when it cannot be read.
    pub setup: Option<Setup>,
    /// The server that played it; `None` when the game never began.
    pub game: Option<GameFacts>,
    /// How it ended.
    pub fate: Fate,
    /// Measures at the start of turn `turns_max` by the reading rules; `None` without a result.
    pub measures: Option<Measures>,
    /// What was owned last, alive; `None` when the trace is cut or unreadable.
    pub last: Option<Measures>,
    /// The standing among all players; `None` without the server's score log.
    pub standing: Option<Standing>,
    /// Counts of decisions and orders; `None` when the trace is unreadable.
    pub deeds: Option<Deeds>,
    /// The orders by kind; `None` when the trace is unreadable.
    pub orders: Option<OrderBook>,
    /// What came of holding the measures against the server's score log; `None` without one.
    pub log: Option<LogCheck>,
    /// How often a requirement of the ruleset could not be judged; `None` without a final record.
    pub unjudged: Option<u64>,
    /// Calls and tokens; `None` when the trace is unreadable.
    pub usage: Option<RoleSplit>,
    /// The trace, below the runs folder.
    pub trace: String,
}

impl EpisodeRow {
    /// Whether it is the first game of its run, which is what tables over runs read.
    pub fn is_first_game(&self) -> bool {
        self.place.game.is_none_or(|game| game == 1)
    }

    /// Whether the game itself ended; if not, the run failed.
    pub fn is_result(&self) -> bool {
        self.fate.ending.is_result()
    }
}

/// One turn of one episode.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnRow {
    /// Which episode.
    pub place: Arc<Place>,
    /// Which turn.
    pub turn: u32,
    /// What we owned at its start.
    pub measures: Measures,
    /// Counts of decisions and orders.
    pub deeds: Deeds,
    /// Calls and tokens.
    pub usage: RoleSplit,
}

/// What the header tells of an episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Whether a language model spoke.
    pub backbone_kind: BackboneKind,
    /// The server's game seed.
    pub game_seed: u32,
    /// Seed of everything we drew ourselves.
    pub sampling_seed: String,
    /// Last turn that was to be played.
    pub turns_max: u32,
    /// Hash of the spec's identity.
    pub identity_hash: String,
    /// The program that wrote the trace.
    pub saga_version: String,
}

/// Whether a backbone of this name is a policy of ours and not a language model.
pub(crate) fn is_embedded(backbone: &str) -> bool {
    EMBEDDED.contains(&backbone)
}

/// Who answered the prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackboneKind {
    /// An embedded policy in every role.
    Scripted,
    /// An embedded policy in some roles.
    Mixed,
    /// Models in every role.
    Model,
}

impl BackboneKind {
    /// The word in the frames.
    pub const fn word(self) -> &'static str {
        match self {
            BackboneKind::Scripted => "scripted",
            BackboneKind::Mixed => "mixed",
            BackboneKind::Model => "model",
        }
    }

    fn of(identity: &Identity) -> Self {
        let embedded = identity.backbones.values().filter(|b| is_embedded(&b.name)).count();
        match embedded {
            0 => BackboneKind::Model,
            n if n == identity.backbones.len() => BackboneKind::Scripted,
            _ => BackboneKind::Mixed,
        }
    }
}

/// How an episode ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fate {
    /// The word.
    pub ending: Ending,
    /// In words, when it was not the game's own end.
    pub detail: String,
    /// Turns that were closed.
    pub turns_played: u32,
    /// The last turn our player lived through, when it died.
    pub turn_of_death: Option<u32>,
}

impl Fate {
    /// Alive at the end of a game with a result.
    pub fn survived(&self) -> Option<bool> {
        self.ending.is_result().then(|| self.turn_of_death.is_none())
    }
}

/// The end of an episode as a report sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// As the trace says.
    Recorded(EndReason),
    /// The trace is sound but has no end: still running, or killed and not yet resumed.
    Unfinished,
    /// The file is not a trace, is damaged, or is from a newer format.
    Unreadable,
    /// The ledger tells of the game, and no trace of it lies there.
    Missing,
}

impl Ending {
    /// The word in tables.
    pub const fn word(self) -> &'static str {
        match self {
            Ending::Recorded(reason) => reason.word(),
            Ending::Unfinished => "unfinished",
            Ending::Unreadable => "unreadable",
            Ending::Missing => "missing",
        }
    }

    /// Whether it is a result of the game; the others are failed runs.
    pub const fn is_result(self) -> bool {
        match self {
            Ending::Recorded(reason) => reason.is_result(),
            Ending::Unfinished | Ending::Unreadable | Ending::Missing => false,
        }
    }
}

/// Reads one trace into its rows. `found` is what the path told; the header overrules it.
pub fn rows_of(found: &Place, trace: &str, content: &Content) -> (EpisodeRow, Vec<TurnRow>) {
    let spec = &content.header.spec;
    let place = Arc::new(place(found, spec));
    let turns: Vec<TurnRow> = content.turns.iter().map(|t| turn_row(&place, t)).collect();
    let mut deeds = Deeds::default();
    let mut usage = RoleSplit::default();
    for turn in &turns {
        deeds += turn.deeds;
        usage += turn.usage;
    }
    let end = content.end.as_ref();
    let turns_max = spec.identity.game.turns_max;
    let fate = fate(content);
    let record = end.and_then(|end| end.record.as_ref());
    let seat = content.game.as_ref().map(|game| game.seat);
    let standing =
        record.zip(seat).and_then(|(record, seat)| Standing::of(record, seat, turns_max));
    let row = EpisodeRow {
        measures: end.and_then(|end| read_measures(end, &turns, turns_max)),
        last: end.map(|e| e.measures),
        standing,
        deeds: Some(deeds),
        orders: Some(OrderBook::of(&content.turns)),
        log: record.zip(seat).map(|(record, seat)| LogCheck::of(&content.turns, record, seat)),
        unjudged: record.map(|record| record.unjudged),
        usage: Some(end.map_or(usage, |e| RoleSplit::of(&e.usage))),
        setup: Some(setup(&content.header)),
        game: content.game.clone(),
        fate,
        trace: trace.to_owned(),
        place,
    };
    (row, turns)
}

/// The row of a trace that cannot be read: its place and the reason, nothing made up.
pub fn unreadable(found: &Place, trace: &str, detail: String) -> EpisodeRow {
    without_trace(found, trace, Ending::Unreadable, detail)
}

/// The row of a game that the ledger says was begun and whose trace is not there.
pub(crate) fn missing(found: &Place, trace: &str, detail: String) -> EpisodeRow {
    without_trace(found, trace, Ending::Missing, detail)
}

fn without_trace(found: &Place, trace: &str, ending: Ending, detail: String) -> EpisodeRow {
    EpisodeRow {
        place: Arc::new(found.clone()),
        setup: None,
        game: None,
        fate: Fate { ending, detail, turns_played: 0, turn_of_death: None },
        measures: None,
        last: None,
        standing: None,
        deeds: None,
        orders: None,
        log: None,
        unjudged: None,
        usage: None,
        trace: trace.to_owned(),
    }
}

/// Measures at the start of turn `turns_max`. Of a player that died before: the last living score,
/// and 0 for everything it owned. Of a game won before: the last values.
fn read_measures(end: &End, turns: &[TurnRow], turns_max: u32) -> Option<Measures> {
    if !end.reason.is_result() {
        return None;
    }
    if let Some(turn) = turns.iter().find(|t| t.turn == turns_max) {
        return Some(turn.measures);
    }
    match end.reason {
        EndReason::Eliminated => {
            Some(Measures { score: end.measures.score, ..Measures::default() })
        }
        _ => Some(end.measures),
    }
}

fn fate(content: &Content) -> Fate {
    let turns_played = content.turns.len() as u32;
    let last_turn = content.turns.iter().map(|t| t.turn).max();
    match &content.end {
        Some(end) => Fate {
            ending: Ending::Recorded(end.reason),
            detail: end.detail.clone(),
            turns_played,
            turn_of_death: (end.reason == EndReason::Eliminated)
                .then(|| last_turn.unwrap_or(end.turn)),
        },
        None => Fate {
            ending: Ending::Unfinished,
            detail: format!("the record ends after turn {}", last_turn.unwrap_or(0)),
            turns_played,
            turn_of_death: None,
        },
    }
}

fn place(found: &Place, spec: &EpisodeSpec) -> Place {
    let identity = &spec.identity;
    let label = || {
        let names: BTreeSet<&str> = identity.backbones.values().map(|b| b.name.as_str()).collect();
        names.into_iter().collect::<Vec<_>>().join("+")
    };
    Place {
        matrix: found.matrix.clone(),
        map_seed: Some(identity.game.map_seed),
        ai_skill: match identity.game.opponents {
            0 => NO_OPPONENTS.to_owned(),
            _ => identity.game.ai_skill.clone(),
        },
        planner: identity.planner.name.clone(),
        variant: identity.planner.variant.clone(),
        backbone: if found.backbone.is_empty() { label() } else { found.backbone.clone() },
        run: Some(identity.run),
        game: Some(identity.chain_game),
    }
}

fn setup(header: &Header) -> Setup {
    let identity = &header.spec.identity;
    Setup {
        backbone_kind: BackboneKind::of(identity),
        game_seed: identity.game.game_seed,
        sampling_seed: identity.sampling_seed.to_string(),
        turns_max: identity.game.turns_max,
        identity_hash: header.identity_hash.clone(),
        saga_version: header.written_by.clone(),
    }
}

fn turn_row(place: &Arc<Place>, entry: &TurnEntry) -> TurnRow {
    TurnRow {
        place: Arc::clone(place),
        turn: entry.turn,
        measures: entry.measures,
        deeds: Deeds::of(&entry.decisions),
        usage: RoleSplit::of(&entry.usage),
    }
}
