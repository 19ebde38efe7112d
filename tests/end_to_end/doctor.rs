//! `saga doctor` on the machine at hand, and on one with a wrong server, a wrong folder or a wrong
//! experiment: what each line says, what mends it, and the exit code.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::desk::{Desk, Said, has_server};

/// The lines by their check, and the summary last.
fn lines(said: &Said) -> Vec<Value> {
    said.out.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect()
}

fn line(lines: &[Value], check: &str) -> Value {
    let found = lines.iter().find(|line| line["check"] == check);
    found.unwrap_or_else(|| panic!("no {check} in {lines:?}")).clone()
}

#[test]
fn a_machine_that_can_play_is_told_so_line_by_line() {
    if !has_server() {
        return;
    }
    let desk = Desk::new();
    desk.write("x.toml", "planners = [\"direct\"]\n[game]\nai_skill = [\"easy\", \"hard\"]\n");
    let said = desk.saga(&["doctor", "x.toml"]).expect(0);
    for words in [
        "ok    server — ",
        "ok    version — one whose packets saga has a table of, 3.0.x: 3.0.",
        "ok    user — ",
        "ok    scratch — ",
        "ok    ports — ",
        "ok    cores — ",
        "ok    backbones — who answers the prompts: scripted, uniform, idle are built in",
        "ok    classic — a server with this ruleset started, joined and stopped: ",
        "ok    civ2civ3 — ",
        "ok    experiment — x.toml: good; games: 2, kinds: 2",
        "ok    game — classic with 2 hard opponents, every value read back: ",
        "ok    out — runs takes games: it can be made",
        "ok    room — for 2 games, about 5.9 MiB in all: ",
        "14 checks: 14 ok, 0 warnings, 0 failed, 0 skipped",
    ] {
        assert!(said.out.contains(words), "lacks {words:?}:\n{}", said.out);
    }
    assert!(said.err.is_empty(), "{}", said.err);
    let left: Vec<_> = fs::read_dir(desk.path("")).expect("a folder").collect();
    assert_eq!(left.len(), 1, "nothing is left behind");
}

#[test]
fn a_server_that_is_not_there_or_another_comes_with_what_mends_it() {
    let desk = Desk::new();
    let said = desk.saga(&["doctor", "--server", "/nowhere/server", "--json"]).expect(1);
    let all = lines(&said);
    let server = line(&all, "server");
    assert_eq!(
        (&server["status"], &server["found"]),
        (&Value::from("fail"), &Value::from("no program at /nowhere/server"),)
    );
    let mend = server["mend"].as_str().expect("a command");
    assert!(mend.contains("saga doctor --server ") || mend.contains("apt-get install"), "{mend}");
    assert_eq!(line(&all, "classic")["status"], "skip");
    assert_eq!(line(&all, "ports")["status"], "ok", "what needs no server is checked");
    assert_eq!(all.last().expect("a summary")["summary"]["failed"], 1);

    let said = desk.saga(&["doctor", "--server", "/tmp"]).expect(1);
    assert!(said.out.contains("no program at /tmp (a folder)"), "{}", said.out);
    desk.write("text", "x");
    let said = desk.saga(&["doctor", "--server", "./text"]).expect(1);
    assert!(said.out.contains("no program at ./text (not executable)"), "{}", said.out);

    let other = desk.write("old-server", "#!/bin/sh\necho 'Freeciv version 2.6.2'\n");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).expect("may be run");
    let said = desk.saga(&["doctor", "--server", "./old-server"]).expect(1);
    assert!(said.out.contains("FAIL  version — one whose packets"), "{}", said.out);
    assert!(said.out.contains(", 3.0.x: 2.6.2\n      mend: "), "{}", said.out);

    let mut command = desk.command(&["doctor"]);
    command.env("SAGA_FREECIV_SERVER", "/nowhere/server").env("PATH", "/nowhere");
    let output = command.output().expect("the binary can be run");
    let out = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1));
    assert!(out.contains("the one named by SAGA_FREECIV_SERVER: no program at"), "{out}");
}

#[test]
fn an_experiment_that_is_wrong_or_refused_is_told_with_its_line() {
    let desk = Desk::new();
    desk.write("slip.toml", "planners = [\"dirct\"]\n");
    let said = desk.saga(&["doctor", "slip.toml", "--json"]).expect(1);
    let experiment = line(&lines(&said), "experiment");
    assert!(experiment["found"].as_str().is_some_and(|f| f.starts_with("slip.toml:1: planners.0")));
    assert_eq!(experiment["mend"], "edit slip.toml as told, then: saga doctor slip.toml");
    if !has_server() {
        return;
    }
    desk.write("huts.toml", "planners = [\"direct\"]\n[game.settings]\nhuts = 99999\n");
    let said = desk.saga(&["doctor", "huts.toml", "--out", "/dev/null/runs", "--json"]).expect(1);
    let all = lines(&said);
    let found = line(&all, "game")["found"].as_str().expect("words").to_owned();
    assert!(found.starts_with("huts.toml:3: game.settings.huts = 99999: the server would play"));
    assert!(found.contains("the server said: "), "{found}");
    assert_eq!(line(&all, "experiment")["status"], "ok");
    assert_eq!(line(&all, "out")["status"], "fail");
}
