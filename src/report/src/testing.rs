//! Builders of small traces in memory, for tests.

mod header;

use std::collections::BTreeMap;

use saga_core::action::{Action, Actor, Outcome};
use saga_core::game::{FinalRecord, PlayerRecord};
use saga_core::ids::{Dir, Pos, UnitId};
use saga_core::logged::{COUNTERPARTS, Counterpart};
use saga_core::measures::Measures;
use saga_core::plan::Plan;
use saga_core::tally::{Tally, add, tally};
use saga_core::trace::entry::{Decision, Domain, End, EndReason, RoleUsage, TurnEntry};

use crate::load::{Content, GameFacts};
use crate::report::{Episode, Report};
use crate::rows::{Place, rows_of, unreadable};

/// Turns of a game in these tests.
pub(crate) const TURNS_MAX: u32 = 3;

/// A trace of a game that reached its last turn, with the given score there.
pub(crate) fn played(planner: &str, run: u32, score: i64) -> Content {
    let turns: Vec<TurnEntry> = (1..=TURNS_MAX)
        .map(|t| turn(t, measures(score - i64::from(TURNS_MAX - t)), decisions(t)))
        .collect();
    let end = end(EndReason::TurnLimit, TURNS_MAX, measures(score + 1));
    Content {
        header: header::header(planner, run, TURNS_MAX),
        game: Some(game()),
        turns,
        end: Some(end),
    }
}

/// The same, ended otherwise after `turns` turns.
pub(crate) fn ended(planner: &str, run: u32, reason: EndReason, turns: u32) -> Content {
    let mut content = played(planner, run, 20);
    content.turns.truncate(turns as usize);
    let detail = if reason.is_result() { "" } else { "socket | closed\nby peer" };
    content.end =
        Some(End { detail: detail.into(), record: None, ..end(reason, turns, measures(17)) });
    content
}

/// Cut before its end.
pub(crate) fn cut(planner: &str, run: u32) -> Content {
    Content { end: None, ..played(planner, run, 20) }
}

pub(crate) fn game() -> GameFacts {
    GameFacts { seat: 0, server_version: "3.0.6".into(), server_hash: "abcdef0123456789".into() }
}

pub(crate) fn measures(score: i64) -> Measures {
    Measures {
        score,
        technology: 5,
        future_technology: 0,
        military: 4,
        military_strength_centi: 850,
        cities: 3,
        citizens: 9,
        buildings: 2,
        wonders: 1,
        great_wonders: 0,
        diplomacy: 2,
        embassies: 1,
        units: 8,
        gold: 50,
        culture: 7,
        tiles_known: 120,
    }
}

pub(crate) fn turn(turn: u32, measures: Measures, decisions: Vec<Decision>) -> TurnEntry {
    let orders = tally(&decisions);
    TurnEntry { turn, measures, plan: Plan::default(), decisions, orders, usage: usage() }
}

/// Two roles: the planner's is strategic, the controller's is not.
pub(crate) fn usage() -> BTreeMap<String, RoleUsage> {
    let role = |calls, input, output| RoleUsage {
        calls,
        input,
        output,
        estimated: calls,
        ..RoleUsage::default()
    };
    BTreeMap::from([
        ("controller:city".to_owned(), RoleUsage { reprompts: 1, ..role(3, 300, 30) }),
        ("planner".to_owned(), role(1, 1000, 50)),
    ])
}

/// One of each kind: done and active, done and idle, refused, ignored, stale, skip, no-op; in turn
/// 1 a city is founded and research chosen.
pub(crate) fn decisions(turn: u32) -> Vec<Decision> {
    let step = Action::Move { dir: Dir::North, to: Pos { x: 3, y: 2 } };
    let refused = Outcome::Refused { words: "no \"moves\", left".into() };
    let mut all = vec![
        decision(Domain::Military, step.clone(), Some(Outcome::Done)),
        decision(Domain::Military, Action::Fortify, Some(Outcome::Done)),
        decision(Domain::Military, step.clone(), Some(refused)),
        decision(Domain::Civilian, step.clone(), Some(Outcome::Ignored)),
        decision(Domain::Civilian, step, Some(Outcome::Stale)),
        decision(Domain::City, Action::Skip, None),
        Decision {
            no_op: Some("malformed".into()),
            ..decision(Domain::Government, Action::Skip, None)
        },
    ];
    if turn == 1 {
        let advance = saga_core::ids::AdvanceId(4);
        let research = Action::Research { advance };
        all.push(decision(Domain::Technology, research, Some(Outcome::Done)));
        all.push(decision(Domain::Civilian, Action::FoundCity, Some(Outcome::Done)));
    }
    all
}

fn decision(domain: Domain, action: Action, outcome: Option<Outcome>) -> Decision {
    Decision {
        round: 1,
        domain,
        actor: Actor::Unit(UnitId(104)),
        action,
        options: 4,
        attempts: 1,
        no_op: None,
        outcome,
    }
}

fn end(reason: EndReason, turn: u32, measures: Measures) -> End {
    let mut total: BTreeMap<String, RoleUsage> = BTreeMap::new();
    for _ in 0..turn {
        for (role, usage) in usage() {
            *total.entry(role).or_default() += usage;
        }
    }
    let mut orders = Tally::new();
    (1..=turn).for_each(|t| add(&mut orders, &tally(&decisions(t))));
    let record = FinalRecord {
        players: vec![
            PlayerRecord { series: logged(turn, measures), ..player(0, NAME, Vec::new()) },
            player(1, "Bob", vec![(1, 10), (2, 40)]),
            player(2, "Cy", vec![(1, 5), (2, 6), (3, 10)]),
        ],
        winners: Vec::new(),
        unjudged: 0,
    };
    End {
        reason,
        detail: String::new(),
        turn,
        measures,
        usage: total,
        orders,
        checked: 0,
        missing: 0,
        differs: Vec::new(),
        record: Some(record),
    }
}

const NAME: &str = "Ann, \"the Great\"\nof Ur";

/// What a server logs of us when [`Measures`] are right: its score went up by one a turn, and it is
/// the end's less one.
fn logged(turn: u32, end: Measures) -> BTreeMap<String, Vec<(u32, i64)>> {
    let at = |t| Measures { score: end.score - 1 - i64::from(turn - t), ..end };
    let series = |c: &Counterpart| (1..=turn).map(|t| (t, (c.expected)(&at(t)))).collect();
    COUNTERPARTS.iter().map(|c| (c.tag.to_owned(), series(c))).collect()
}

pub(crate) fn player(seat: u16, name: &str, score: Vec<(u32, i64)>) -> PlayerRecord {
    let series = BTreeMap::from([("score".into(), score)]);
    PlayerRecord { seat, name: name.into(), barbarian: None, series }
}

/// A report of traces in memory, each at the path its header asks for.
pub(crate) fn report(contents: &[Content]) -> Report {
    Report::assemble(contents.iter().map(|c| episode(c, None)).collect())
}

pub(crate) fn episode(content: &Content, superseded_attempt: Option<u32>) -> Episode {
    let identity = &content.header.spec.identity;
    let attempt = superseded_attempt.map_or(String::new(), |n| format!(".attempt-{n}"));
    let trace = format!(
        "quick/{}/base/scripted/map-seed-2025/run-{:02}/game-{}{attempt}.trace.jsonl.zst",
        identity.planner.name, identity.run, identity.chain_game
    );
    let (row, turns) = rows_of(&place(&identity.planner.name, identity.run), &trace, content);
    Episode { row, turns, hash: "00ff".into(), superseded_attempt }
}

/// A trace that cannot be read.
pub(crate) fn broken(planner: &str, run: u32, detail: &str) -> Episode {
    let trace = format!("quick/{planner}/base/scripted/map-seed-2025/run-{run:02}/game-1");
    let row = unreadable(&place(planner, run), &trace, detail.to_owned());
    Episode { row, turns: Vec::new(), hash: "00ff".into(), superseded_attempt: None }
}

fn place(planner: &str, run: u32) -> Place {
    Place {
        matrix: "quick".into(),
        map_seed: Some(2025),
        ai_skill: String::new(),
        planner: planner.into(),
        variant: "base".into(),
        backbone: "scripted".into(),
        run: Some(run),
        game: Some(1),
    }
}

/// Three runs of one planner (one of them lost), one of another, one unreadable.
pub(crate) fn mixed() -> Report {
    let mut all = vec![
        episode(&played("mastaba", 1, 20), None),
        episode(&played("mastaba", 2, 23), None),
        episode(&ended("mastaba", 3, EndReason::ServerLost, 2), None),
        episode(&ended("mastaba", 3, EndReason::BackboneLost, 1), Some(1)),
        episode(&ended("direct", 1, EndReason::Eliminated, 2), None),
        broken("direct", 2, "game-1 is empty (0 bytes): nothing was recorded"),
    ];
    all.reverse();
    Report::assemble(all)
}
