//! What the writer writes, every reader reads: this crate's, plain zstd, and the seek table.

use std::path::Path;

use saga_core::backbone::CallId;
use saga_core::plan::Plan;
use saga_core::spec::Durability;
use saga_core::stop::Stop;
use saga_core::trace::entry::{EndReason, Entry, Output};
use saga_core::trace::{
    Kind, Lines, State, TURNS_PER_FRAME, Table, Trace, TraceError, TraceWriter, open_turn,
};

use serde_json::json;

use crate::toy::{Toy, fresh};

/// Keeps the entries, as the writer got them.
#[derive(Default)]
struct Kept(Vec<Entry>);

impl Output for Kept {
    fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.0.push(entry.clone());
        Ok(())
    }
}

#[test]
fn every_reader_reads_what_was_written() {
    let toy = Toy { turns: 14, ..Toy::default() };
    let path = toy.record("every_reader");
    let mut kept = Kept::default();
    toy.play(&mut kept).expect("an end");

    let trace = Trace::load(&path).expect("a trace");
    assert_eq!((trace.state(), trace.table()), (&State::Complete, &Table::Good));
    assert_eq!(trace.end().map(|e| e.reason), Some(EndReason::TurnLimit));
    let entries: Vec<Entry> =
        (0..trace.text().len()).map(|i| trace.entry(i).expect("an entry")).collect();
    assert_eq!(entries, kept.0);
    assert_eq!(trace.turns().map(|t| t.expect("a turn").turn).collect::<Vec<_>>(), {
        (1..=14).collect::<Vec<u32>>()
    });
    assert_eq!(trace.turns_closed(), 14);

    let bytes = std::fs::read(&path).expect("bytes");
    let plain = zstd::stream::decode_all(&bytes[..]).expect("any zstd reads it");
    assert_eq!(String::from_utf8(plain).expect("text"), trace.text().as_str());

    let mut lines = Lines::open(&path).expect("lines");
    let mut streamed = String::new();
    while let Some(line) = lines.next_line().expect("a line") {
        streamed.push_str(line);
        streamed.push('\n');
    }
    assert_eq!(streamed, trace.text().as_str());
}

#[test]
fn the_kind_stands_first() {
    let path = Toy::default().record("kind_first");
    let trace = Trace::load(&path).expect("a trace");
    for (i, line) in trace.text().lines().enumerate() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("json");
        let key = entry.as_object().and_then(|o| o.keys().next().cloned()).expect("a kind");
        let kind = format!("{:?}", Kind::of(line).expect("a kind")).to_lowercase();
        assert_eq!(key, kind, "line {}", i + 1);
    }
}

/// Reads the seek table by the specification of the seekable format, not by this crate.
fn table_by_hand(bytes: &[u8]) -> Vec<(usize, usize)> {
    let n32 = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
    let end = bytes.len();
    assert_eq!(n32(end - 4), 0x8F92_EAB1);
    assert_eq!(bytes[end - 5], 0, "no checksums in the table");
    let count = n32(end - 9) as usize;
    let begin = end - 9 - 8 * count - 8;
    assert_eq!(n32(begin), 0x184D_2A5E);
    assert_eq!(n32(begin + 4) as usize, 8 * count + 9);
    let rows = (0..count).map(|i| begin + 8 + 8 * i);
    rows.map(|at| (n32(at) as usize, n32(at + 4) as usize)).collect()
}

#[test]
fn the_seek_table_finds_each_frame() {
    let path = Toy { turns: 14, ..Toy::default() }.record("seek_table");
    let bytes = std::fs::read(&path).expect("bytes");
    let (mut at, mut turns) = (0, Vec::new());
    for (compressed, decoded) in table_by_hand(&bytes) {
        let text = zstd::stream::decode_all(&bytes[at..at + compressed]).expect("a frame");
        assert_eq!(text.len(), decoded);
        let text = String::from_utf8(text).expect("text");
        turns.push(text.lines().filter(|l| Kind::of(l) == Some(Kind::Turn)).count());
        at += compressed;
    }
    // The header frame, two planning cycles, the rest, and what follows the last turn in it.
    assert_eq!(turns, [0, TURNS_PER_FRAME as usize, TURNS_PER_FRAME as usize, 2]);
}

#[test]
fn any_turn_opens_with_and_without_the_table() {
    let path = Toy { turns: 14, ..Toy::default() }.record("open_turn");
    let trace = Trace::load(&path).expect("a trace");
    let bytes = std::fs::read(&path).expect("bytes");
    let bare = path.with_file_name("bare.trace.jsonl.zst");
    std::fs::write(&bare, &bytes[..bytes.len() - 20]).expect("written");

    let mut at = 2;
    for turn in 1..=14 {
        let with = open_turn(&path, turn).expect("a turn");
        let without = open_turn(&bare, turn).expect("a turn");
        assert_eq!((with.sought, without.sought), (true, false));
        assert_eq!((&with.turn, &with.head), (&without.turn, &without.head));
        for line in with.turn.lines() {
            assert_eq!(Some(line), trace.text().line(at), "turn {turn}");
            at += 1;
        }
        assert_eq!(with.head.len(), 2);
        assert_eq!(with.header, *trace.header());
    }
    let error = open_turn(&path, 15).expect_err("no such turn");
    assert!(matches!(error, TraceError::NoTurn { turn: 15, first: 1, last: 14, .. }), "{error}");
}

#[test]
fn an_episode_that_never_began_is_a_trace() {
    let path = Toy { game_lost: Some(0), ..Toy::default() }.record("never_began");
    let trace = Trace::load(&path).expect("a trace");
    assert_eq!((trace.text().len(), trace.state()), (3, &State::Complete));
    assert_eq!(trace.end().map(|e| e.reason), Some(EndReason::ServerLost));
}

#[test]
fn nothing_is_overwritten() {
    let path = Toy::default().record("overwritten");
    let before = std::fs::read(&path).expect("bytes");
    let refused = TraceWriter::create(&path, Durability::Turn).err().expect("refused");
    let Stop::Unwritable { path: named, detail } = refused else { panic!("{refused}") };
    assert!(named.ends_with("game-1.trace.jsonl.zst") && detail.contains("exists"), "{detail}");
    assert_eq!(std::fs::read(&path).expect("bytes"), before);

    // Paid answers of an earlier attempt are not overwritten either.
    let other = fresh("overwritten_journal");
    std::fs::write(journal_of(&other), "paid").expect("written");
    assert!(TraceWriter::create(&other, Durability::Turn).is_err());
    assert!(!other.exists(), "no empty trace is left behind");
    assert_eq!(std::fs::read_to_string(journal_of(&other)).expect("text"), "paid");
}

#[test]
fn a_closed_trace_takes_no_more() {
    let path = fresh("closed");
    let mut writer = TraceWriter::create(&path, Durability::Call).expect("a writer");
    let toy = Toy { turns: 2, ..Toy::default() };
    toy.play(&mut writer).expect("an end");
    let trace = Trace::load(&path).expect("a trace");
    let again = writer.put(&trace.entry(0).expect("an entry")).expect_err("closed");
    assert!(again.to_string().contains("its end is already written"), "{again}");
    assert_eq!(writer.put(&trace.entry(1).expect("an entry")), Err(again));
    assert!(Trace::load(&path).is_ok());
}

#[test]
fn a_full_plan_reads_back() {
    let one = json!({ "104": { "text": "hold", "brief": "the \"pass\"" }, "9": { "text": "go" } });
    let plan = json!({
        "production": one, "garrison": one, "civilian": one, "military": one,
        "government": { "text": "monarchy" }, "technology": { "text": "bronze" },
        "diplomacy": { "text": "peace" }, "toward": one, "dropped": { "unknown_ids": 2 }
    });
    let plan: Plan = serde_json::from_value(plan).expect("a plan");
    let text = serde_json::to_string(&plan).expect("text");
    assert_eq!(serde_json::from_str::<Plan>(&text).expect("a plan"), plan);
    assert!(text.starts_with("{\"production\":{\"9\":{\"text\":\"go\"},\"104\":"), "{text}");
}

#[test]
fn places_sort_as_the_game_went() {
    let id = |turn, attempt| CallId {
        turn,
        round: 1,
        role: "r".to_owned(),
        entity: String::new(),
        attempt,
    };
    assert!(id(2, 1) > id(1, 9) && id(1, 2) > id(1, 1));
    assert_eq!(id(1, 2).to_string(), "1/1/r/-/2");
}

fn journal_of(trace: &Path) -> std::path::PathBuf {
    saga_core::trace::Stem::of_trace(trace).journal()
}
