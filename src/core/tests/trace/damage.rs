//! Traces cut at every byte and with every byte flipped: a prefix of the truth or a typed error.

use std::path::Path;

use saga_core::spec::Durability;
use saga_core::stop::Stop;
use saga_core::trace::entry::{Entry, Output};
use saga_core::trace::{Kind, State, Table, Trace, TraceError, TraceWriter};

use crate::toy::{Toy, fresh};

/// Notes how long the file is after each flush.
struct Flushes<'a> {
    writer: TraceWriter,
    path: &'a Path,
    lengths: Vec<u64>,
}

impl Output for Flushes<'_> {
    fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.writer.put(entry)?;
        if matches!(entry, Entry::Turn(_)) {
            self.lengths.push(std::fs::metadata(self.path).expect("a file").len());
        }
        Ok(())
    }
}

#[test]
fn a_cut_at_any_byte_keeps_every_flushed_turn() {
    let path = fresh("cut");
    let writer = TraceWriter::create(&path, Durability::None).expect("a writer");
    let mut output = Flushes { writer, path: &path, lengths: Vec::new() };
    Toy { turns: 8, batch: 2, ..Toy::default() }.play(&mut output).expect("an end");
    let whole = Trace::load(&path).expect("a trace");
    let bytes = std::fs::read(&path).expect("bytes");
    let cut_path = path.with_file_name("cut.trace.jsonl.zst");
    let (mut cuts, mut complete) = (0, 0);
    for length in 0..bytes.len() {
        std::fs::write(&cut_path, &bytes[..length]).expect("written");
        let flushed = output.lengths.iter().filter(|l| **l <= length as u64).count() as u32;
        match Trace::load(&cut_path) {
            Err(TraceError::Empty { .. }) => assert_eq!(length, 0),
            Err(TraceError::NoHeader { .. }) => assert_eq!(flushed, 0),
            Err(e) => panic!("cut at {length}: {e}"),
            Ok(trace) => {
                assert!(trace.turns_closed() >= flushed, "cut at {length}");
                assert!(whole.text().as_str().starts_with(trace.text().as_str()));
                match trace.state() {
                    State::Complete => {
                        assert_eq!(trace.text(), whole.text());
                        assert_ne!(trace.table(), &Table::Good);
                        complete += 1;
                    }
                    State::Cut(cut) => {
                        assert_eq!((cut.length, cut.turn), (length as u64, trace.turns_closed()));
                        let last = trace.text().lines().last().and_then(Kind::of);
                        assert!(matches!(last, Some(Kind::Turn | Kind::Game)), "{last:?}");
                        cuts += 1;
                    }
                    State::Damaged { detail, .. } => panic!("cut at {length}: {detail}"),
                }
            }
        }
    }
    assert!(cuts > 1000 && complete > 20, "{cuts} cuts, {complete} without table");
}

#[test]
fn a_flipped_bit_is_found_or_harmless() {
    let path = Toy { turns: 8, batch: 2, ..Toy::default() }.record("flip");
    let whole = Trace::load(&path).expect("a trace");
    let bytes = std::fs::read(&path).expect("bytes");
    let flipped_path = path.with_file_name("flipped.trace.jsonl.zst");
    let (mut found, mut harmless, mut table) = (0, 0, 0);
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        std::fs::write(&flipped_path, &flipped).expect("written");
        match Trace::load(&flipped_path) {
            Err(
                TraceError::Damaged { .. }
                | TraceError::NotATrace { .. }
                | TraceError::Limit { .. },
            ) => found += 1,
            Err(e) => panic!("flipped at {at}: {e}"),
            Ok(trace) => {
                assert_eq!(trace.state(), &State::Complete, "flipped at {at}");
                assert_eq!(trace.text(), whole.text(), "flipped at {at}");
                match trace.table() {
                    Table::Bad(_) => table += 1,
                    _ => harmless += 1,
                }
            }
        }
        if let Ok(trace) = Trace::salvage(&flipped_path) {
            assert!(whole.text().as_str().starts_with(trace.text().as_str()));
        }
    }
    // Unused bits of frame headers and of bit streams: the text and its checksum are the same.
    assert!(harmless <= bytes.len() / 100, "{harmless} of {} harmless", bytes.len());
    assert!(found > bytes.len() * 9 / 10, "{found} of {}", bytes.len());
    assert!(table > 30, "{table} in the seek table");
}

#[test]
fn a_wrong_table_does_not_mislead() {
    let path = Toy { turns: 14, ..Toy::default() }.record("wrong_table");
    let mut bytes = std::fs::read(&path).expect("bytes");
    let row = bytes.len() - 9 - 8; // the last frame's compressed size
    bytes[row] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    let trace = Trace::load(&path).expect("the lines are good");
    let Table::Bad(detail) = trace.table() else { panic!("{:?}", trace.table()) };
    assert!(detail.contains("the seek table says") && detail.contains("the scan finds"));
    let opened = saga_core::trace::open_turn(&path, 3).expect("a turn");
    assert!(!opened.sought);
}

#[test]
fn other_files_are_told_apart() {
    let path = fresh("others");
    let check = |bytes: &[u8], expected: &str| {
        std::fs::write(&path, bytes).expect("written");
        let error = Trace::load(&path).expect_err("not a trace").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(b"", "is empty (0 bytes)");
    check(b"turn,score\n1,2\n", "is not a saga trace: it should begin with the zstd magic");
    check(b"\x5e\x2a", "is not a saga trace");
    check(b"\x28\xb5", "was cut at byte 2, before its header was complete");
    check(&crate::toy::zip(b"{\"a\":1}\n"), "it should begin with a line {\"header\"");
    check(&crate::toy::zip(b"{\"header\":{\"format\":\"x\",\"version\":\"1.0\"}}\n"), "not a saga");
    let newer = b"{\"header\":{\"format\":\"saga\",\"version\":\"2.3\",\"written_by\":\"0.9\"}}\n";
    check(
        &crate::toy::zip(newer),
        "has format 2.3; this program reads format 1.x. saga 0.9 wrote it and can read it",
    );
    let missing = Trace::load(Path::new("/nonexistent/x")).expect_err("nothing there");
    assert!(missing.to_string().starts_with("cannot read /nonexistent/x: "), "{missing}");
}

#[test]
fn what_stands_behind_the_end_is_a_fault() {
    let path = Toy { turns: 8, ..Toy::default() }.record("behind");
    let bytes = std::fs::read(&path).expect("bytes");
    let whole = Trace::load(&path).expect("a trace");
    let frames = whole.frames().len();
    let without_table = bytes.len() - (17 + 8 * frames);
    let behind_path = path.with_file_name("behind_it.trace.jsonl.zst");
    let open_frame = &bytes[..bytes.len() / 3];
    let check = |head: &[u8], tail: &[u8]| {
        std::fs::write(&behind_path, [head, tail].concat()).expect("written");
        let error = Trace::load(&behind_path).expect_err("it goes on").to_string();
        assert!(
            error.contains("behind the last line") && error.contains("after turn 8"),
            "{error}"
        );
        let State::Damaged { .. } = Trace::salvage(&behind_path).expect("a header").state() else {
            panic!("{tail:?} behind it is damage")
        };
        assert!(saga_core::trace::open_turn(&behind_path, 2).is_err());
        let mut lines = saga_core::trace::Lines::open(&behind_path).expect("lines");
        let last = loop {
            match lines.next_line() {
                Ok(Some(_)) => {}
                Ok(None) => break Ok(()),
                Err(e) => break Err(e),
            }
        };
        assert!(matches!(last, Err(TraceError::Damaged { .. })), "{last:?}");
    };
    check(&bytes, &bytes);
    check(&bytes, b"x");
    check(&bytes, &bytes[without_table..]);
    check(&bytes[..without_table], &[b"x".repeat(1000), open_frame.to_vec()].concat());
    assert!(Trace::load(&path).expect("the file itself is sound").table_fault().is_none());
}

#[test]
fn a_table_that_does_not_serve_is_told() {
    let path = Toy { turns: 8, ..Toy::default() }.record("table_fault");
    let mut bytes = std::fs::read(&path).expect("bytes");
    let row = bytes.len() - 9 - 8;
    bytes[row] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    let told = Trace::load(&path).expect("good lines").table_fault().expect("a fault");
    assert!(told.starts_with("the seek table disagrees, not used: "), "{told}");
    assert_eq!(saga_core::trace::open_turn(&path, 2).expect("a turn").table_fault, Some(told));
    std::fs::write(&path, &bytes[..bytes.len() - 30]).expect("written");
    assert!(Trace::load(&path).expect("good lines").table_fault().is_some());
}
