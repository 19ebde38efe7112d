//! Every way a user can be wrong, or a file can be: what is said, whole, and the exit code. None
//! of these needs a server.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use crate::desk::{Desk, Said};

fn run(experiment: &str) -> (Desk, Said) {
    let desk = Desk::new();
    desk.write("x.toml", experiment);
    let said = desk.saga(&["run", "x.toml"]);
    assert!(!desk.path("runs").exists(), "nothing is made before the file is good");
    (desk, said)
}

#[track_caller]
fn refused(experiment: &str, said: &str) {
    let (_, got) = run(experiment);
    assert_eq!(got.expect(2).err.trim_end(), said);
}

#[test]
fn a_bad_experiment_names_file_line_and_the_nearest_known_word() {
    refused(
        "planners = [\"direct\", \"mastba\"]\n",
        "saga: x.toml:1: planners.1 = \"mastba\": unknown planner; the nearest known one is \
         \"mastaba\" (known: direct, mastaba)",
    );
    refused(
        "planners = [\"direct\"]\n\n[game]\nturns = 40\n",
        "saga: x.toml:4: unknown key \"turns\" in [game]; the nearest known one is \"turns_max\" \
         (known: ruleset, size, topology, opponents, ai_skill, barbarians, victories, turns_max, \
         settings)",
    );
    refused(
        "planners = [\"direct\"]\ngame_seeds = [0]\n",
        "saga: x.toml:2: game_seeds.0 = 0: wanted 1 to 2147483647: with 0 the server draws a seed \
         of its own and the game cannot be repeated",
    );
}

#[test]
fn an_experiment_that_is_not_there_or_not_toml_is_told() {
    let desk = Desk::new();
    let said = desk.saga(&["run", "nowhere.toml"]).expect(2);
    assert_eq!(
        said.err.trim_end(),
        "saga: cannot read the experiment file nowhere.toml: No such file or directory (os error \
         2); the shipped ones are in experiments/"
    );
    let (_, said) = run("planners = [\n");
    assert!(said.expect(2).err.starts_with("saga: x.toml:1: unclosed array"));
}

#[test]
fn a_prompt_that_overrides_nothing_is_told() {
    let desk = Desk::new();
    desk.write("x.toml", "planners = [\"direct\"]\nprompts = \"words\"\n");
    desk.write("words/controller/sistem.txt", "Hello.");
    let said = desk.saga(&["run", "x.toml", "--dry-run"]).expect(2);
    assert!(said.err.starts_with("saga: x.toml:2: prompts = \"words\": "), "{}", said.err);
    assert!(said.err.contains("sistem.txt overrides no known prompt template"), "{}", said.err);
    assert!(said.err.contains("controller/system"), "{}", said.err);
}

/// `/dev/full` refuses every byte.
#[test]
fn a_standard_error_that_takes_nothing_changes_no_exit_code() {
    let desk = Desk::new();
    desk.write("x.toml", "planners = [\"direct\"]\n");
    for (words, code) in [("run x.toml --dry-run", 0), ("run nowhere.toml", 2), ("show no", 1)] {
        let full = File::options().write(true).open("/dev/full").expect("there on Linux");
        let words: Vec<&str> = words.split(' ').collect();
        let ended = desk.command(&words).stdout(Stdio::null()).stderr(full).status();
        assert_eq!(ended.expect("the binary can be run").code(), Some(code), "{words:?}");
    }
}

#[test]
fn no_server_or_another_program_is_told_before_anything_is_made() {
    let desk = Desk::new();
    desk.write("x.toml", "planners = [\"direct\"]\n");
    let said = desk.saga(&["run", "x.toml", "--server", "/nowhere/freeciv-server"]).expect(1);
    assert_eq!(
        said.err.trim_end(),
        "saga: no Freeciv server found; looked at: /nowhere/freeciv-server; install one with \
         `apt-get install freeciv-server`, or name it with --server PATH or SAGA_FREECIV_SERVER"
    );
    let other = desk.write("old-server", "#!/bin/sh\necho 'Freeciv version 2.6.2'\n");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&other, mode).expect("may be run");
    let said = desk.saga(&["run", "x.toml", "--server", "./old-server"]).expect(1);
    assert!(said.err.contains("is Freeciv 2.6.2, wanted 3.0.x"), "{}", said.err);
    assert!(!desk.path("runs").exists());
}

#[test]
fn a_filter_that_fits_nothing_is_told() {
    let desk = Desk::new();
    desk.write("x.toml", "planners = [\"direct\"]\n");
    let said = desk.saga(&["run", "x.toml", "--only", "planner=dirct"]).expect(2);
    assert_eq!(
        said.err.trim_end(),
        "saga: --only planner=dirct: no such game in this matrix; the nearest is planner=direct; \
         known: direct"
    );
}

/// A trace as the writer writes it, of a game that never began.
fn short_trace(version: &str) -> Vec<u8> {
    let header = serde_json::json!({ "format": "saga", "version": version, "written_by": "9.9.9" });
    let line = format!("{}\n", serde_json::json!({ "header": header }));
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
    encoder.include_checksum(true).expect("a parameter");
    encoder.write_all(line.as_bytes()).expect("compressible");
    encoder.finish().expect("compressible")
}

#[test]
fn a_file_that_is_no_good_trace_is_told_by_every_reader() {
    let desk = Desk::new();
    desk.write("empty.trace.jsonl.zst", "");
    desk.write("text.trace.jsonl.zst", "once upon a time, uncompressed");
    desk.write("newer.trace.jsonl.zst", short_trace("2.0"));
    let whole = short_trace("1.0");
    desk.write("cut.trace.jsonl.zst", &whole[..whole.len() / 2]);
    let check = |name: &str, words: &[&str]| {
        let file = format!("{name}.trace.jsonl.zst");
        for arguments in [&["show", &file][..], &["replay", &file], &["diff", &file, &file]] {
            let said = desk.saga(arguments).expect(1);
            for word in words {
                assert!(said.err.contains(word), "{arguments:?} lacks {word:?}: {}", said.err);
            }
        }
    };
    check("empty", &["empty.trace.jsonl.zst is empty (0 bytes)", "same `saga run` command"]);
    check("text", &["is not a saga trace", "lie under runs/"]);
    check("newer", &["has format 2.0; this program reads format 1.x", "saga 9.9.9 wrote it"]);
    check("cut", &["was cut at byte", "before its header was complete"]);
    check("absent", &["cannot read absent.trace.jsonl.zst", "No such file"]);
}

#[test]
fn a_folder_without_traces_names_the_command_that_makes_some() {
    let desk = Desk::new();
    desk.write("empty/readme.txt", "nothing here");
    for arguments in [["replay", "empty"], ["report", "empty"]] {
        let said = desk.saga(&arguments).expect(1);
        assert!(said.err.contains("saga run experiments/quickstart.toml"), "{}", said.err);
    }
    let said = desk.saga(&["report", "nowhere"]).expect(1);
    assert!(said.err.contains("no folder nowhere"), "{}", said.err);
}
