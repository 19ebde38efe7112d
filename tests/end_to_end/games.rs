//! Real games: recorded twice to the same bytes, replayed, re-recorded, reported, shown, compared.

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, Said, has_server, traces};

const EXPERIMENT: &str = "planners = [\"direct\", \"mastaba\"]\n\n[game]\nturns_max = 12\n";

fn play(desk: &Desk, out: &str) -> Said {
    desk.write("small.toml", EXPERIMENT);
    desk.saga(&["run", "small.toml", "--out", out, "--json"]).expect(0)
}

#[test]
fn a_matrix_is_recorded_replayed_and_reported() {
    if !has_server() {
        return;
    }
    let desk = Desk::new();
    let first = play(&desk, "a");
    finished_games_are_told(&first);
    same_bytes_twice(&desk);
    replays_and_records_again(&desk);
    a_changed_word_is_found(&desk);
    reports_and_checks(&desk);
    shows_and_compares(&desk);
    let again = play(&desk, "a");
    assert_eq!(summary(&again)["played"], 0, "finished games are left alone: {}", again.out);
    a_removed_result_is_told(&desk);
}

fn a_removed_result_is_told(desk: &Desk) {
    desk.saga(&["report", "b/small", "--strict"]).expect(0);
    fs::remove_file(&traces(&desk.path("b"))[0]).expect("removable");
    let said = desk.saga(&["report", "b/small", "--strict"]).expect(1);
    assert!(said.out.contains("0/1") && said.out.contains("1 (missing 1)"), "{}", said.out);
    assert!(said.out.contains("**Warning**: 1 of 2 attempts recorded"), "{}", said.out);
    assert!(said.err.contains("1 of 2 games have no result"), "{}", said.err);
    fs::remove_file(desk.path("b/small/ledger.jsonl")).expect("removable");
    let said = desk.saga(&["report", "b/small", "--strict"]).expect(1);
    assert!(said.err.contains("saga: ledger.jsonl is not there"), "{}", said.err);
}

fn lines(said: &Said) -> Vec<Value> {
    said.out.lines().map(|l| serde_json::from_str(l).expect("JSON Lines")).collect()
}

fn summary(said: &Said) -> Value {
    lines(said).pop().expect("a last line")["summary"].clone()
}

fn finished_games_are_told(said: &Said) {
    let all = lines(said);
    assert_eq!(all.len(), 3, "two games and a summary");
    for game in &all[..2] {
        assert_eq!(game["reason"], "turn_limit", "{game}");
        assert!(game["server_cpu_s"].as_f64().is_some_and(|s| s > 0.0), "{game}");
        assert!(game["calls"].as_u64().is_some_and(|n| n > 0), "{game}");
        assert!(game["score"].as_i64().is_some(), "{game}");
    }
    let end = summary(said);
    assert_eq!((&end["played"], &end["failed"]), (&Value::from(2), &Value::from(0)));
}

fn same_bytes_twice(desk: &Desk) {
    play(desk, "b");
    let (a, b) = (traces(&desk.path("a")), traces(&desk.path("b")));
    assert_eq!((a.len(), b.len()), (2, 2));
    for (a, b) in a.iter().zip(&b) {
        let same = fs::read(a).expect("a trace") == fs::read(b).expect("a trace");
        let (a, b) = (a.display().to_string(), b.display().to_string());
        assert!(same, "{}", desk.saga(&["diff", &a, &b]).out);
    }
}

fn replays_and_records_again(desk: &Desk) {
    let said = desk.saga(&["replay", "a/small", "--record", "c"]).expect(0);
    assert!(said.out.contains("2 identical, 0 diverged, 0 cut, 0 failed"), "{}", said.out);
    for (old, new) in traces(&desk.path("a/small")).iter().zip(traces(&desk.path("c"))) {
        assert!(
            fs::read(old).expect("a trace") == fs::read(new).expect("a trace"),
            "{}",
            old.display()
        );
    }
}

fn a_changed_word_is_found(desk: &Desk) {
    let prompts = saga_core_prompt("controller/user.txt");
    desk.write("words/controller/user.txt", prompts.replacen("Options", "Choices", 1));
    let said = desk.saga(&["replay", "a/small", "--prompts", "words"]).expect(3);
    for word in [
        "recorded with other prompts by saga",
        "controller/user: recorded ",
        "diverged in turn 1 at call 1/1/controller:",
        "Options",
        "Choices",
    ] {
        assert!(said.out.contains(word), "lacks {word:?}:\n{}", said.out);
    }
}

/// The embedded text of a template of core.
fn saga_core_prompt(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/prompts");
    fs::read_to_string(folder.join(name)).expect("a template")
}

fn reports_and_checks(desk: &Desk) {
    assert!(desk.path("a/small/report/scripted/tables/main.md").exists());
    let said = desk.saga(&["report", "a/small", "--out", "tables"]).expect(0);
    assert!(said.out.contains("mastaba"), "{}", said.out);
    desk.saga(&["report", "a/small", "--out", "tables", "--check", "--strict"]).expect(0);
    let main = desk.path("tables/scripted/tables/main.md");
    let text = fs::read_to_string(&main).expect("a table") + "a stray word\n";
    fs::write(&main, text).expect("writable");
    let said = desk.saga(&["report", "a/small", "--out", "tables", "--check"]).expect(1);
    assert!(said.out.contains("main.md: differs from line"), "{}", said.out);
    assert!(said.err.contains("write the report anew with"), "{}", said.err);
}

fn shows_and_compares(desk: &Desk) {
    let all = traces(&desk.path("a"));
    let (a, b) = (all[0].display().to_string(), all[1].display().to_string());
    let said = desk.saga(&["show", &a]).expect(0);
    for word in
        ["episode ", "server     3.0", "\nturn 12  score", "decisions:", "\nend  turn_limit"]
    {
        assert!(said.out.contains(word), "lacks {word:?}:\n{}", said.out);
    }
    let said = desk.saga(&["show", &a, "--turn", "7"]).expect(0);
    assert!(said.out.contains("\nturn 7 ") && !said.out.contains("\nturn 8 "), "{}", said.out);
    let said = desk.saga(&["show", &a, "--turn", "1", "--calls"]).expect(0);
    let call = said.out.lines().find_map(|l| l.trim().strip_prefix("call ")).expect("a call");
    let call = call.trim().split(' ').next().expect("a place");
    let said = desk.saga(&["show", &a, "--prompt", call]).expect(0);
    assert!(said.out.contains("--- system") && said.out.contains("--- reply"), "{}", said.out);
    let slip = format!("{call}7");
    let said = desk.saga(&["show", &a, "--prompt", &slip]).expect(2);
    let near = format!("has no call {slip}; the nearest is {call}; list them");
    assert!(said.err.contains(&near), "{}", said.err);
    let said = desk.saga(&["show", &a, "--prompt", "nobody"]).expect(2);
    assert!(said.err.contains("has no call nobody; list them"), "{}", said.err);
    let said = desk.saga(&["show", &a, "--turn", "99"]).expect(1);
    assert!(said.err.contains("has no turn 99; it has turns 1 to 12"), "{}", said.err);
    let said = desk.saga(&["show", &a, "--json"]).expect(0);
    assert_eq!(lines(&said).len(), 14, "a header, twelve turns and an end");
    desk.saga(&["diff", &a, &a]).expect(0);
    let said = desk.saga(&["diff", &a, &b]).expect(3);
    assert!(said.out.contains("\nfirst difference in play in turn 1 at "), "{}", said.out);
}
