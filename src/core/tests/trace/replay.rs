//! A replay is the same episode, or says where it is not.

use std::path::{Path, PathBuf};

use saga_core::replay::{
    ChangedPrompt, CheckingOutput, Record, ReplayBackbone, ReplayGame, Verdict, changed_prompts,
};
use saga_core::spec::{Durability, EpisodeSpec};
use saga_core::trace::entry::EndReason;
use saga_core::trace::{FORMAT_VERSION, Trace, TraceWriter};

use crate::toy::{Toy, fresh, pack};

/// Replays a trace as the program stands in `toy`.
fn replay(toy: &Toy, path: &Path) -> Verdict {
    let record = Record::load(path).expect("a record");
    replay_as(toy, &record, &record.trace().header().spec)
}

fn replay_as(toy: &Toy, record: &Record, spec: &EpisodeSpec) -> Verdict {
    let mut output = CheckingOutput::new(record);
    let mut game = ReplayGame::new(record);
    let backbone = ReplayBackbone::new(record);
    let played = toy.play_as(spec, &mut game, &backbone, &mut output);
    output.finished(&played)
}

/// Records an episode, replays it and re-records the replay: the same bytes.
fn check_same(name: &str, toy: &Toy, reason: EndReason) -> PathBuf {
    let path = toy.record(name);
    let record = Record::load(&path).expect("a record");
    assert_eq!(record.trace().end().map(|e| e.reason), Some(reason));
    let again = fresh(&format!("{name}_again"));
    let mut writer = TraceWriter::create(&again, Durability::None).expect("a writer");
    let mut output = CheckingOutput::new(&record).tee(&mut writer);
    let mut game = ReplayGame::new(&record);
    let backbone = ReplayBackbone::new(&record);
    let spec = &record.trace().header().spec;
    let played = toy.play_as(spec, &mut game, &backbone, &mut output);
    assert_eq!(output.finished(&played), Verdict::Identical, "{name}");
    assert_eq!(output.checked().lines, record.trace().text().len() as u64);
    drop(output);
    assert!(std::fs::read(&path).expect("bytes") == std::fs::read(&again).expect("bytes"));
    path
}

#[test]
fn every_end_is_reproduced() {
    let toy = Toy { turns: 14, ..Toy::default() };
    check_same("whole", &toy, EndReason::TurnLimit);
    check_same("whole_lanes", &Toy { lanes: 4, ..toy.clone() }, EndReason::TurnLimit);
    let lost = Toy { game_lost: Some(5), ..toy.clone() };
    check_same("server_lost", &lost, EndReason::ServerLost);
    let never = Toy { game_lost: Some(0), ..toy.clone() };
    check_same("never_begun", &never, EndReason::ServerLost);
    let refused = Toy { refused: true, ..toy.clone() };
    check_same("refused", &refused, EndReason::Refused);
    let budget = Toy { budget_tokens: Some(2000), ..toy.clone() };
    check_same("budget", &budget, EndReason::Budget);
    let outage = Toy { outage: Some(3), batch: 9, ..toy };
    check_same("outage", &outage, EndReason::BackboneLost);
}

#[test]
fn babble_reads_back_as_it_was_answered() {
    let toy = Toy { turns: 30, babble: true, ..Toy::default() };
    let path = check_same("babble", &toy, EndReason::TurnLimit);
    let trace = Trace::load(&path).expect("a trace");
    assert!((0..trace.text().len()).all(|i| trace.entry(i).is_ok()));
    assert!(trace.text().as_str().contains("nested deeper than 100 levels"));
}

#[test]
fn an_outage_among_calls_in_flight_is_reproduced() {
    for lanes in [2, 3, 4, 6] {
        let toy = Toy { outage: Some(3), batch: 9, lanes, ..Toy::default() };
        let path = check_same(&format!("outage_{lanes}"), &toy, EndReason::BackboneLost);
        let text = Trace::load(&path).expect("a trace");
        let stops = text.text().lines().filter(|l| l.contains("\"reply\":{\"stop\"")).count();
        assert!(stops >= 1);
    }
}

#[test]
fn two_recordings_are_equal_whatever_arrives_first() {
    let one = Toy { lanes: 1, ..Toy::default() }.record("lanes_1");
    let four = Toy { lanes: 4, ..Toy::default() }.record("lanes_4");
    assert!(std::fs::read(one).expect("bytes") == std::fs::read(four).expect("bytes"));
}

#[test]
fn counts_are_told() {
    let path = Toy::default().record("counts");
    let record = Record::load(&path).expect("a record");
    let mut output = CheckingOutput::new(&record);
    let mut game = ReplayGame::new(&record);
    let backbone = ReplayBackbone::new(&record);
    Toy::default().play_with(&mut game, &backbone, &mut output).expect("an end");
    let checked = output.checked();
    assert_eq!((checked.turns, checked.calls, checked.orders), (8, 8 * 5, 8));
}

#[test]
fn a_changed_word_is_found_where_it_is_asked() {
    let path = Toy::default().record("word");
    let verdict = replay(&Toy { word: "town", ..Toy::default() }, &path);
    let Verdict::Diverged(divergence) = verdict else { panic!("{verdict:?}") };
    assert_eq!(
        divergence.to_string(),
        "diverged in turn 1 at call 1/0/planner/unit:1/1: first difference at byte 208\n  \
         recorded: … 1: where shall unit 1 found a city?\"}],\"answer\":\"text\"}…\n  \
         today:    … 1: where shall unit 1 found a town?\"}],\"answer\":\"text\"}…"
    );
}

#[test]
fn a_call_that_was_not_made_is_a_divergence() {
    let path = Toy::default().record("no_call");
    let verdict = replay(&Toy { batch: 5, ..Toy::default() }, &path);
    let Verdict::Diverged(divergence) = verdict else { panic!("{verdict:?}") };
    assert_eq!(divergence.place, "call 1/0/planner/unit:5/1");
    assert_eq!(divergence.recorded, "(no such call)");

    // One call less shows at the next line.
    let verdict = replay(&Toy { batch: 3, ..Toy::default() }, &path);
    let Verdict::Diverged(divergence) = verdict else { panic!("{verdict:?}") };
    assert_eq!((divergence.turn, divergence.place.as_str()), (1, "note sites"));
    assert!(divergence.recorded.starts_with("{\"call\":{\"id\":"));
}

#[test]
fn another_game_is_a_divergence() {
    let toy = Toy::default();
    let path = toy.record("other_game");
    let record = Record::load(&path).expect("a record");
    let mut spec = record.trace().header().spec.clone();
    spec.identity.game.map_seed = 9;
    let verdict = replay_as(&toy, &record, &spec);
    let Verdict::Diverged(divergence) = verdict else { panic!("{verdict:?}") };
    assert_eq!((divergence.turn, divergence.place.as_str()), (0, "header"));
}

#[test]
fn a_header_that_names_another_identity_than_it_carries_is_a_divergence() {
    let toy = Toy { turns: 3, ..Toy::default() };
    let path = toy.record("identity");
    let trace = Trace::load(&path).expect("a trace");
    let hash = &trace.header().identity_hash;
    let forged = "0123456789abcdef";
    let lines: Vec<String> =
        trace.text().lines().map(|line| line.replacen(hash.as_str(), forged, 1)).collect();
    pack(&path, &lines);
    let verdict = replay(&toy, &path);
    let Verdict::Diverged(divergence) = verdict else { panic!("{verdict:?}") };
    assert_eq!((divergence.turn, divergence.place.as_str()), (0, "header"));
    assert!(divergence.recorded.contains(forged) && divergence.today.contains(hash.as_str()));
}

#[test]
fn operation_and_prompts_are_no_divergence_by_themselves() {
    let toy = Toy::default();
    let path = toy.record("operation");
    let record = Record::load(&path).expect("a record");
    let mut spec = record.trace().header().spec.clone();
    spec.operation.server_timeout_s = 99;
    spec.identity.prompts.insert("toy".to_owned(), "xyz".to_owned());
    assert_eq!(replay_as(&toy, &record, &spec), Verdict::Identical);

    let recorded = &record.trace().header().spec.identity;
    let changed = changed_prompts(recorded, &spec.identity.prompts);
    let (abc, xyz) = (Some("abc".to_owned()), Some("xyz".to_owned()));
    assert_eq!(changed, [ChangedPrompt { name: "toy".to_owned(), recorded: abc, today: xyz }]);
    assert_eq!(changed[0].to_string(), "toy: recorded abc, today xyz");
    assert_eq!(changed_prompts(recorded, &recorded.prompts), []);
}

#[test]
fn a_cut_record_ends_where_it_was_cut() {
    let toy = Toy { turns: 14, ..Toy::default() };
    let path = toy.record("cut_record");
    let bytes = std::fs::read(&path).expect("bytes");
    let mut seen = std::collections::BTreeSet::new();
    for part in 4..20 {
        std::fs::write(&path, &bytes[..bytes.len() * part / 20]).expect("written");
        let Ok(trace) = Trace::load(&path) else { continue };
        let closed = trace.turns_closed();
        let verdict = replay(&toy, &path);
        assert_eq!(verdict, Verdict::RecordEnds { turn: closed.max(1) }, "after turn {closed}");
        seen.insert(closed);
    }
    assert!(seen.len() > 3, "{seen:?}");
}

#[test]
fn a_newer_minor_version_replays() {
    let toy = Toy { turns: 3, ..Toy::default() };
    let path = toy.record("minor");
    let trace = Trace::load(&path).expect("a trace");
    let present = format!("\"version\":\"{FORMAT_VERSION}\"");
    let lines: Vec<String> = trace
        .text()
        .lines()
        .map(|line| {
            line.replacen(&present, "\"version\":\"1.9\"", 1)
                .replacen("{\"call\":{", "{\"call\":{\"later\":[1,2],", 1)
                .replacen("{\"turn\":{", "{\"turn\":{\"later\":{\"x\":1},", 1)
                .replacen("\"prompt\":{", "\"prompt\":{\"later\":null,", 1)
                .replacen("{\"game\":{\"request\":", "{\"game\":{\"later\":1,\"request\":", 1)
        })
        .collect();
    let newer = fresh("minor_newer");
    pack(&newer, &lines);
    let read = Trace::load(&newer).expect("readable");
    assert_eq!(read.header().version, "1.9");
    assert_eq!(read.text().lines().collect::<Vec<_>>(), lines, "unknown fields are kept");
    assert_eq!(replay(&toy, &newer), Verdict::Identical);
    let verdict = replay(&Toy { word: "town", ..toy }, &newer);
    assert!(matches!(verdict, Verdict::Diverged(_)), "{verdict:?}");
}
