//! Times a report of a 60-run matrix of 150 turns, read from trace files of the size real games
//! have. `cargo bench -p saga-report`; the bar is 5 s.

#[path = "../src/testing/header.rs"]
mod header;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use saga_core::action::{Action, Actor, Outcome};
use saga_core::backbone::{AnswerShape, CallId, Completion, Message, Prompt, Sampling, Usage};
use saga_core::ids::{Dir, Pos, UnitId};
use saga_core::measures::Measures;
use saga_core::plan::Plan;
use saga_core::spec::Durability;
use saga_core::tally::{Tally, tally};
use saga_core::trace::entry::{
    CallEntry, CallReply, Decision, Domain, End, EndReason, RoleUsage, TurnEntry,
};
use saga_core::trace::{Entry, Output, TraceWriter};

const RUNS: u32 = 60;
const TURNS: u32 = 150;
/// Text of prompts and observations in one turn, in bytes: late in a real game.
const TURN_BYTES: usize = 320 << 10;
const DECISIONS: u32 = 40;

fn main() {
    let folder = std::env::temp_dir().join(format!("saga-report-bench-{}", std::process::id()));
    let bytes = record(&folder);
    println!("{RUNS} traces of {TURNS} turns, {:.1} MB on disk", bytes as f64 / 1e6);
    let mut times: Vec<Duration> = (0..5).map(|_| time(&folder)).collect();
    times.sort();
    println!("median of five: {:.2} s (bar: 5 s)", times[2].as_secs_f64());
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

fn time(folder: &Path) -> Duration {
    let start = Instant::now();
    let report = saga_report::build(folder).expect("the traces are sound");
    let read = start.elapsed();
    let files = report.files().expect("the report can be made");
    let all = start.elapsed();
    let size: usize = files.values().map(Vec::len).sum();
    println!(
        "  read {:.2} s, all {:.2} s, {} rows, {:.1} MB of report",
        read.as_secs_f64(),
        all.as_secs_f64(),
        report.turns().len(),
        size as f64 / 1e6
    );
    all
}

/// Writes all traces and tells their size.
fn record(folder: &Path) -> u64 {
    let text = state();
    (1..=RUNS).map(|run| record_one(folder, run, &text)).sum()
}

fn record_one(folder: &Path, run: u32, text: &str) -> u64 {
    let planner = ["direct", "mastaba"][run as usize % 2];
    let run = run.div_ceil(2);
    let path: PathBuf = folder
        .join(format!("bench/{planner}/base/scripted/map-seed-2025/run-{run:02}"))
        .join("game-1.trace.jsonl.zst");
    std::fs::create_dir_all(path.parent().expect("it has one")).expect("temporary folder");
    let mut writer = TraceWriter::create(&path, Durability::None).expect("a new file");
    let mut put = |entry: Entry| writer.put(&entry).expect("room on disk");
    put(Entry::Header(Box::new(header::header(planner, run, TURNS))));
    for turn in 1..=TURNS {
        put(call(turn, &text.replacen("moves 3", &format!("moves {turn}"), 40)));
        put(closed(turn));
    }
    put(Entry::End(Box::new(End {
        reason: EndReason::TurnLimit,
        detail: String::new(),
        turn: TURNS,
        measures: measures(TURNS),
        usage: usage(),
        orders: Tally::new(),
        checked: 0,
        missing: 0,
        differs: Vec::new(),
        record: None,
    })));
    drop(writer);
    std::fs::metadata(&path).expect("just written").len()
}

/// Something as regular as a serialised state.
fn state() -> String {
    let mut out = String::new();
    let mut i: u64 = 0;
    while out.len() < TURN_BYTES {
        i = i.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (x, y, t) = (i >> 59, i >> 54 & 31, i >> 40 & 15);
        let _ = writeln!(out, "{{\"at\":[{x},{y}],\"seen\":true,\"terrain\":{t}}} moves 3");
    }
    out
}

fn call(turn: u32, text: &str) -> Entry {
    let id = CallId { turn, round: 0, role: "planner".into(), entity: String::new(), attempt: 1 };
    let prompt = Prompt {
        backbone: "scripted".into(),
        sampling: Sampling { temperature: 0.0, tokens_max: 1000, seed: 1 },
        messages: vec![Message::user(text)],
        answer: AnswerShape::Text,
    };
    let reply = CallReply::Completion(Completion {
        text: "go".into(),
        tool_calls: Vec::new(),
        usage: Usage::default(),
        model: "scripted".into(),
        probabilities: None,
        response: None,
    });
    Entry::Call(Box::new(CallEntry { id, prompt, reply }))
}

fn closed(turn: u32) -> Entry {
    let decision = |unit: u32| Decision {
        round: 1,
        domain: Domain::Military,
        actor: Actor::Unit(UnitId(unit)),
        action: Action::Move { dir: Dir::North, to: Pos { x: (unit % 23) as u16, y: 4 } },
        options: 9,
        attempts: 1,
        no_op: None,
        outcome: Some(Outcome::Done),
    };
    let decisions: Vec<Decision> = (100..100 + DECISIONS).map(decision).collect();
    let orders = tally(&decisions);
    Entry::Turn(Box::new(TurnEntry {
        turn,
        measures: measures(turn),
        plan: Plan::default(),
        decisions,
        orders,
        usage: usage(),
    }))
}

fn measures(turn: u32) -> Measures {
    Measures { score: i64::from(turn), cities: 5, ..Measures::default() }
}

fn usage() -> BTreeMap<String, RoleUsage> {
    let role = RoleUsage { calls: 12, input: 9000, output: 400, ..RoleUsage::default() };
    BTreeMap::from([("controller:city".to_owned(), role), ("planner".to_owned(), role)])
}
