//! The files beside the trace: journal, ledger, timing.

use saga_core::action::Action;
use saga_core::backbone::{AnswerShape, CallId, Completion, Message, Prompt, Sampling, Usage};
use saga_core::spec::Durability;
use saga_core::stop::Stop;
use saga_core::tally::{OrderCounts, Tally, add, tally};
use saga_core::trace::entry::{CallReply, EndReason, Entry, Output};
use saga_core::trace::journal::{prompt_hash, read_journal};
use saga_core::trace::ledger::{Event, Ledger, read_ledger};
use saga_core::trace::timing::{TimingLine, read_timing};
use saga_core::trace::{Stem, TraceError, TraceWriter, file_hash};

use crate::toy::{Toy, fresh};

fn question(attempt: u32) -> (CallId, Prompt) {
    let (role, entity) = ("planner".to_owned(), String::new());
    let id = CallId { turn: 1, round: 0, role, entity, attempt };
    let prompt = Prompt {
        backbone: "toy".to_owned(),
        sampling: Sampling { temperature: 0.1, tokens_max: 5, seed: 1 },
        messages: vec![Message::user(format!("question {attempt}"))],
        answer: AnswerShape::Text,
    };
    (id, prompt)
}

fn answer(text: &str) -> CallReply {
    CallReply::Completion(Completion {
        text: text.to_owned(),
        tool_calls: Vec::new(),
        usage: Usage::default(),
        model: "toy".to_owned(),
        probabilities: None,
        response: None,
    })
}

#[test]
fn an_answer_is_on_disk_before_its_turn_is() {
    let path = fresh("journal");
    let journal = Stem::of_trace(&path).journal();
    let source = Toy::default().record("journal_source");
    let source = saga_core::trace::Trace::load(&source).expect("a trace");
    let mut writer = TraceWriter::create(&path, Durability::Call).expect("a writer");
    for i in 0..2 {
        writer.put(&source.entry(i).expect("an entry")).expect("written");
    }
    for attempt in [2, 1] {
        let (id, prompt) = question(attempt);
        let reply = answer(&format!("answer {attempt}"));
        writer.arrived(&id, &prompt, &reply).expect("kept");
    }
    let (id, prompt) = question(3);
    writer.arrived(&id, &prompt, &CallReply::Stop(Stop::Interrupted)).expect("not kept");

    let found = read_journal(&journal).expect("a journal");
    assert!(found.lost.is_empty());
    let attempts: Vec<u32> = found.arrivals.iter().map(|a| a.id.attempt).collect();
    assert_eq!(attempts, [2, 1], "in order of arrival, without the stop");
    assert_eq!(found.arrivals[0].prompt, prompt_hash(&question(2).1));
    assert_eq!(found.arrivals[0].reply, answer("answer 2"));

    let bytes = std::fs::read(&journal).expect("bytes");
    for length in 0..bytes.len() {
        std::fs::write(&journal, &bytes[..length]).expect("written");
        let cut = read_journal(&journal).expect("a journal");
        let whole = bytes[..length].split(|b| *b == b'\n').count() - 1;
        assert_eq!(cut.arrivals, found.arrivals[..whole]);
        assert_eq!(cut.lost.len(), usize::from(length > 0 && bytes[length - 1] != b'\n'));
    }
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        std::fs::write(&journal, &flipped).expect("written");
        let read = read_journal(&journal).expect("a journal");
        assert!(!read.lost.is_empty(), "flipped at {at}");
        assert!(read.arrivals.iter().all(|a| found.arrivals.contains(a)), "flipped at {at}");
    }

    let turn = (0..source.text().len())
        .map(|i| source.entry(i).expect("an entry"))
        .find(|e| matches!(e, Entry::Turn(_)))
        .expect("a turn");
    writer.put(&turn).expect("written");
    assert_eq!(std::fs::metadata(&journal).expect("there").len(), 0, "emptied with its turn");
    let (id, prompt) = question(9);
    writer.arrived(&id, &prompt, &answer("next")).expect("kept");
    assert_eq!(read_journal(&journal).expect("a journal").arrivals.len(), 1);
    let end = source.entry(source.text().len() - 1).expect("the end");
    writer.put(&end).expect("written");
    assert!(!journal.exists(), "removed with the end");
    assert_eq!(read_journal(&journal).expect("nothing").arrivals, []);
}

#[test]
fn a_ledger_shows_every_change() {
    let path = fresh("ledger").with_file_name("ledger.jsonl");
    let start = |attempt| Event::Start {
        stem: "direct/base/run-01/game-1".to_owned(),
        attempt,
        identity_hash: "abc".to_owned(),
    };
    let end = |attempt, reason| Event::End {
        stem: "direct/base/run-01/game-1".to_owned(),
        attempt,
        identity_hash: "abc".to_owned(),
        reason,
        trace_hash: None,
    };
    let head = {
        let mut ledger = Ledger::open(&path).expect("a ledger");
        let at = Some("2025-01-01T00:00:00Z".to_owned());
        ledger.append(Event::Analysis { hash: "plan".to_owned() }, at).expect("appended");
        ledger.append(start(1), None).expect("appended");
        ledger.append(end(1, Some(EndReason::ServerLost)), None).expect("appended");
        assert!(matches!(Ledger::open(&path), Err(TraceError::InUse { .. })));
        ledger.head().to_owned()
    };
    let mut ledger = Ledger::open(&path).expect("again");
    assert_eq!(ledger.head(), head);
    ledger.append(start(2), None).expect("appended");
    drop(ledger);
    let (lines, _) = read_ledger(&path).expect("a chain");
    assert_eq!(lines.iter().map(|l| l.seq).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(lines[2].event, end(1, Some(EndReason::ServerLost)));

    let text = std::fs::read_to_string(&path).expect("text");
    let check = |text: &str, expected: &str| {
        std::fs::write(&path, text).expect("written");
        let error = read_ledger(&path).expect_err("broken").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&text.replace("server_lost", "turn_limit"), "line 4: it follows a line with hash");
    let lines: Vec<&str> = text.lines().collect();
    check(&format!("{}\n{}\n", lines[0], lines[2]), "line 2: its number is 3");
    check(&format!("{}\n{}\n", lines[1], lines[2]), "line 1: its number is 2");
    check(&text[..text.len() - 3], "line 4: cut after");

    // A line that a kill cut short is taken off when the ledger is written again.
    let mut ledger = Ledger::open(&path).expect("again");
    ledger.append(start(2), None).expect("appended");
    drop(ledger);
    assert_eq!(std::fs::read_to_string(&path).expect("text"), text);
}

#[test]
fn a_timing_file_reads_back() {
    let path = Stem::of_trace(&fresh("timing")).timing();
    let lines = vec![
        TimingLine::Started { attempt: 1, at: "2025-01-01T00:00:00Z".to_owned() },
        TimingLine::Call { id: question(1).0, latency_ms: 12, retries: 1 },
        TimingLine::Turn { turn: 1, wall_ms: 40 },
        TimingLine::Ended {
            attempt: 1,
            at: "2025-01-01T00:00:01Z".to_owned(),
            reason: EndReason::TurnLimit.word().to_owned(),
            wall_ms: 1000,
            server_cpu_s: Some(0.25),
        },
    ];
    let mut text: String = lines.iter().map(TimingLine::line).collect();
    text.push_str("{\"turn\":{\"tu");
    std::fs::write(&path, text).expect("written");
    let timing = read_timing(&path).expect("timing");
    assert_eq!((timing.lines, timing.lost.len()), (lines, 1));
}

#[test]
fn a_file_is_named_by_its_hash() {
    let path = fresh("hash");
    std::fs::write(&path, b"abc").expect("written");
    let hash = file_hash(&path).expect("a hash");
    assert_eq!(hash, blake3::hash(b"abc").to_hex().to_string());
}

#[test]
fn the_toy_sends_orders() {
    let path = Toy::default().record("orders");
    let trace = saga_core::trace::Trace::load(&path).expect("a trace");
    let sent = trace.turns().flat_map(|t| t.expect("a turn").decisions);
    assert_eq!(sent.filter(|d| d.action != Action::Skip).count(), 8, "one a turn");
}

#[test]
fn a_turn_and_the_end_count_how_the_orders_went() {
    let path = Toy::default().record("tally");
    let trace = saga_core::trace::Trace::load(&path).expect("a trace");
    let mut sum = Tally::new();
    for turn in trace.turns().map(|t| t.expect("a turn")) {
        assert_eq!(turn.orders, tally(&turn.decisions), "turn {}", turn.turn);
        add(&mut sum, &turn.orders);
    }
    let end = trace.end().expect("an end");
    assert_eq!(end.orders, sum);
    assert_eq!(sum.values().map(OrderCounts::orders).sum::<u64>(), 8, "one a turn");
}
