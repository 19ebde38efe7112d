//! What a report does with files: traces of every state, a ledger, and its own files on disk.

use std::path::{Path, PathBuf};

use saga_core::spec::Durability;
use saga_core::trace::entry::EndReason;
use saga_core::trace::ledger::{Event, Ledger};
use saga_core::trace::{Entry, Output, TraceWriter};

use crate::load::{Content, load};
use crate::report::build;
use crate::testing::{cut, ended, mixed, played};
use crate::{Difference, ReportError};

/// A folder that is gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("saga-report-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_written_report_checks_and_a_changed_one_does_not() {
    let scratch = Scratch::new("check");
    let (report, out) = (mixed(), scratch.0.join("out"));
    let missing = report.check_against(&out).unwrap();
    assert_eq!(missing.len(), report.files().unwrap().len());
    assert!(!out.exists(), "a check writes nothing");
    report.write_to(&out).unwrap();
    assert_eq!(report.check_against(&out).unwrap(), []);
    let main = out.join("scripted/tables/main.md");
    let text = std::fs::read_to_string(&main).unwrap();
    std::fs::write(&main, text.replacen("± 2.1", "± 1.2", 1)).unwrap();
    std::fs::write(out.join("scripted/tables/old.md"), "").unwrap();
    std::fs::write(out.join("scripted/extra.csv"), "").unwrap();
    let found = report.check_against(&out).unwrap();
    assert_eq!(found.len(), 3);
    let shown = found[0].to_string();
    assert!(shown.starts_with("scripted/tables/main.md: differs from line 8"), "{shown}");
    assert!(matches!(&found[1], Difference::Extra { path } if path.ends_with("extra.csv")));
    assert!(matches!(&found[2], Difference::Extra { path } if path.ends_with("old.md")));
    assert_eq!(report.renamed(&out), None);
    let episodes = out.join("scripted/episodes.csv");
    let text = std::fs::read_to_string(&episodes).unwrap();
    std::fs::write(&episodes, text.replace("\nquick,", "\nslow,")).unwrap();
    assert_eq!(report.renamed(&out), Some(("slow".to_owned(), "quick".to_owned())));
}

#[test]
fn a_folder_without_traces_says_what_to_do() {
    let scratch = Scratch::new("empty");
    let missing = build(&scratch.0.join("none")).unwrap_err();
    assert!(matches!(missing, ReportError::NoFolder { .. }));
    let file = scratch.0.join("game-1.trace.jsonl.zst");
    std::fs::write(&file, "").unwrap();
    let told = build(&file).unwrap_err().to_string();
    assert!(told.ends_with(&format!("saga report {}", scratch.0.display())), "{told}");
    std::fs::remove_file(&file).unwrap();
    let empty = build(&scratch.0).unwrap_err().to_string();
    assert!(empty.contains("saga run experiments/quickstart.toml"), "{empty}");
}

#[test]
fn files_that_are_no_traces_become_failed_rows() {
    let scratch = Scratch::new("unreadable");
    let run = scratch.0.join("quick/direct/base/scripted/map-seed-2025/run-01");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("game-1.trace.jsonl.zst"), "").unwrap();
    std::fs::write(run.join("game-2.trace.jsonl.zst"), "not a trace").unwrap();
    let report = build(&scratch.0).unwrap();
    let here = "quick/direct/base/scripted/map-seed-2025/run-01/game-1.trace.jsonl.zst";
    let [empty, other] = report.episodes() else { panic!("two episodes") };
    assert!(empty.fate.detail.starts_with(&format!("{here} is empty")), "{}", empty.fate.detail);
    assert_eq!(empty.place.run, Some(1));
    assert_eq!(other.fate.ending.word(), "unreadable");
    assert!(report.main_table_text().unwrap().contains("1 (unreadable 1)"));
}

/// Writes a trace with the writer of the games. Without a game's first exchange, which needs a
/// whole ruleset.
fn record(folder: &Path, name: &str, content: &Content) -> PathBuf {
    let header = &content.header.spec.identity;
    let run = folder.join(format!(
        "quick/{}/base/scripted/map-seed-2025/run-{:02}",
        header.planner.name, header.run
    ));
    std::fs::create_dir_all(&run).unwrap();
    let path = run.join(format!("{name}.trace.jsonl.zst"));
    let mut writer = TraceWriter::create(&path, Durability::None).unwrap();
    writer.put(&Entry::Header(Box::new(content.header.clone()))).unwrap();
    for turn in &content.turns {
        writer.put(&Entry::Turn(Box::new(turn.clone()))).unwrap();
    }
    if let Some(end) = &content.end {
        writer.put(&Entry::End(Box::new(end.clone()))).unwrap();
    }
    path
}

#[test]
fn a_recorded_trace_reads_as_it_was_put() {
    let scratch = Scratch::new("recorded");
    for content in [played("direct", 1, 20), cut("mastaba", 1)] {
        let want = Content { game: None, ..content };
        let path = record(&scratch.0, "game-1", &want);
        let loaded = load(&path);
        assert_eq!(loaded.content.unwrap(), want);
        assert_eq!(loaded.hash.len(), 64);
    }
}

#[test]
fn traces_of_every_state_stand_in_one_report() {
    let scratch = Scratch::new("states");
    record(&scratch.0, "game-1", &played("direct", 1, 20));
    record(&scratch.0, "game-1", &cut("direct", 2));
    record(&scratch.0, "game-1.attempt-1", &ended("direct", 2, EndReason::ServerLost, 1));
    let flipped = record(&scratch.0, "game-1", &played("direct", 3, 20));
    let mut bytes = std::fs::read(&flipped).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&flipped, bytes).unwrap();
    let mut newer = played("direct", 4, 20);
    newer.header.version = "9.0".into();
    record(&scratch.0, "game-1", &newer);

    let report = build(&scratch.0).unwrap();
    let words: Vec<&str> = report.episodes().iter().map(|e| e.fate.ending.word()).collect();
    assert_eq!(words, ["turn_limit", "unfinished", "unreadable", "unreadable"]);
    assert!(report.episodes()[3].fate.detail.contains("format 9.0"));
    assert_eq!(report.not_counted().len(), 1);
    assert!(report.episodes().iter().all(|e| !e.fate.detail.contains("saga-report-states")));
    let main = report.main_table_text().unwrap();
    assert!(main.contains("| 1/4 | 20.0 ± — |"), "{main}");
    assert!(main.contains("3 (unfinished 1, unreadable 2)"), "{main}");
}

#[test]
fn the_same_traces_give_the_same_bytes_on_any_number_of_threads() {
    let scratch = Scratch::new("threads");
    for run in 1..=6 {
        record(&scratch.0, "game-1", &played("direct", run, i64::from(run * 7 % 5)));
        record(&scratch.0, "game-1", &played("mastaba", run, i64::from(run * 3 % 4)));
    }
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(&scratch.0).unwrap().files().unwrap())
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn a_ledger_vouches_for_traces_until_somebody_edits_it() {
    let scratch = Scratch::new("ledger");
    let trace = record(&scratch.0, "game-1", &played("direct", 1, 20));
    let stem = "direct/base/scripted/map-seed-2025/run-01/game-1".to_owned();
    let path = scratch.0.join("quick/ledger.jsonl");
    let mut ledger = Ledger::open(&path).unwrap();
    let (attempt, identity_hash) = (1, "i".to_owned());
    let start = Event::Start { stem: stem.clone(), attempt, identity_hash: identity_hash.clone() };
    let trace_hash = saga_core::trace::file_hash(&trace).ok();
    let reason = Some(EndReason::TurnLimit);
    let end = Event::End { stem, attempt, identity_hash, reason, trace_hash };
    for event in [Event::Analysis { hash: "plan".into() }, start.clone(), end, start] {
        ledger.append(event, None).unwrap();
    }
    let head = ledger.head().to_owned();
    drop(ledger);
    let page = |report: &crate::Report| {
        let files = report.files().unwrap();
        String::from_utf8(files[Path::new("scripted/PROVENANCE.md")].clone()).unwrap()
    };

    let report = build(&scratch.0).unwrap();
    assert_eq!(report.faults(), Vec::<String>::new());
    let text = page(&report);
    assert!(text.contains(&format!("quick/ledger.jsonl: BLAKE3 of its last line {head}")));
    assert!(text.contains("2 started, 1 ended"), "{text}");
    assert!(text.contains("attempts without a trace here: 1"), "{text}");

    let sound = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, sound.replace("\"plan\"", "\"plot\"")).unwrap();
    let report = build(&scratch.0).unwrap();
    let faults = report.faults();
    assert!(faults[0].starts_with("the ledger quick/ledger.jsonl is broken: "), "{faults:?}");
    assert!(faults[0].contains("quick/ledger.jsonl line 2: it follows"), "{faults:?}");
    assert!(page(&report).contains("**Warning**: quick/ledger.jsonl is broken"));
    assert!(report.main_table_text().unwrap().contains("**Warning**: the ledger"));
}

#[test]
fn a_removed_result_counts_as_started_and_a_removed_ledger_is_a_fault() {
    let scratch = Scratch::new("removed");
    let path = scratch.0.join("quick/ledger.jsonl");
    std::fs::create_dir_all(scratch.0.join("quick")).unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    let mut traces = Vec::new();
    for run in 1..=2 {
        let trace = record(&scratch.0, "game-1", &played("direct", run, 20));
        let stem = format!("direct/base/scripted/map-seed-2025/run-{run:02}/game-1");
        let (attempt, identity_hash) = (1, "i".to_owned());
        let (trace_hash, reason) =
            (saga_core::trace::file_hash(&trace).ok(), Some(EndReason::TurnLimit));
        let same = identity_hash.clone();
        let start = Event::Start { stem: stem.clone(), attempt, identity_hash: same };
        ledger.append(start, None).unwrap();
        let end = Event::End { stem, attempt, identity_hash, reason, trace_hash };
        ledger.append(end, None).unwrap();
        traces.push(trace);
    }
    drop(ledger);
    assert_eq!(build(&scratch.0).unwrap().faults(), Vec::<String>::new());

    std::fs::remove_file(&traces[1]).unwrap();
    let report = build(&scratch.0).unwrap();
    let main = report.main_table_text().unwrap();
    assert!(main.contains("| 1/2 | 20.0 ± — |"), "{main}");
    assert!(main.contains("1 (missing 1)"), "{main}");
    assert!(main.contains("**Warning**: 1 of 2 attempts recorded in quick/ledger.jsonl"), "{main}");
    let json = report.to_json().unwrap();
    assert_eq!(json["failed"][0]["reason"], "missing");
    assert_eq!(json["faults"].as_array().unwrap().len(), 1, "{json}");

    let whole = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for (kept, fault) in [(0, "no attempt in quick/ledger.jsonl made quick/direct"), (4, "")] {
        std::fs::write(&path, lines[..kept].concat()).unwrap();
        let faults = build(&scratch.0).unwrap().faults();
        assert!(faults[0].starts_with(fault), "{faults:?}");
    }
    std::fs::remove_file(&path).unwrap();
    for root in [scratch.0.clone(), scratch.0.join("quick")] {
        let faults = build(&root).unwrap().faults();
        assert!(faults[0].contains("ledger.jsonl is not there"), "{faults:?}");
    }
    let below = build(&scratch.0.join("quick/direct")).unwrap();
    assert_eq!(below.faults(), Vec::<String>::new(), "the ledger lies above");
}
