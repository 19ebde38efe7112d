//! What the commands that read games say of traces as users have them: copied, appended to, half
//! written, named twice. The games are the recorded ones; none of this needs a server.

use std::fs;
use std::path::{Path, PathBuf};

use crate::desk::Desk;

fn recorded(planner: &str) -> PathBuf {
    let name = format!("../../tests/fixtures/playthroughs/{planner}.trace.jsonl.zst");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn one_turn_is_shown_with_its_own_events() {
    let (desk, trace) = (Desk::new(), text(&recorded("direct")));
    let whole = desk.saga(&["show", &trace]).expect(0).out;
    let turn = |number: u32| {
        let from = whole.find(&format!("\nturn {number} ")).expect("that turn");
        let to = whole[from + 1..].find("\n\n").map_or(whole.len(), |at| from + 1 + at);
        whole[from..to].trim().to_owned()
    };
    for number in [1, 2, 7, 12] {
        let said = desk.saga(&["show", &trace, "--turn", &number.to_string()]).expect(0);
        let (_, shown) = said.out.split_once("\nturn ").expect("a turn");
        assert_eq!(format!("turn {}", shown.trim()), turn(number));
    }
    assert!(whole.lines().all(|line| line.trim_end() == line), "no trailing blanks");
}

#[test]
fn a_unit_is_shown_where_it_stood_when_it_decided() {
    let (desk, trace) = (Desk::new(), text(&recorded("mastaba")));
    let whole = desk.saga(&["show", &trace]).expect(0).out;
    let steps: Vec<&str> =
        whole.lines().filter(|l| l.contains(": move ") && l.contains("done")).collect();
    assert!(!steps.is_empty(), "a game in which somebody moved");
    for line in &steps {
        let (who, what) = line.split_once(": move ").expect("a move");
        let from = who.rsplit(' ').next().expect("a place");
        assert!(!what.contains(&format!(" to {from} ")), "{line}");
    }
}

#[test]
fn two_games_are_told_apart_by_their_fields_and_by_their_play() {
    let desk = Desk::new();
    let (a, b) = (text(&recorded("direct")), text(&recorded("mastaba")));
    let said = desk.saga(&["diff", &a, &b]).expect(3);
    let wanted = "the headers differ in:\n  spec.identity.planner.name: \"direct\" | \"mastaba\"\n";
    assert!(said.out.starts_with(wanted), "{}", said.out);
    assert!(!said.out.contains("identity_hash"), "{}", said.out);
    assert!(said.out.contains("first difference in play in turn 1 at call 1/1/"), "{}", said.out);
    let said = desk.saga(&["diff", &a, &a]).expect(0);
    assert!(said.out.starts_with("same: "), "{}", said.out);
}

#[test]
fn a_replay_reads_a_file_to_its_last_byte() {
    let desk = Desk::new();
    let bytes = fs::read(recorded("direct")).expect("bytes");
    let twice = text(&desk.write("twice.trace.jsonl.zst", [&bytes[..], &bytes[..]].concat()));
    let said = desk.saga(&["replay", &twice]).expect(1);
    assert!(said.err.contains("bytes stand behind the last line's frame"), "{}", said.err);
    let mut flipped = bytes;
    let row = flipped.len() - 9 - 8;
    flipped[row] ^= 1;
    let flipped = text(&desk.write("flipped.trace.jsonl.zst", flipped));
    let said = desk.saga(&["replay", &flipped, &flipped, "--record", "rec"]).expect(0);
    assert!(said.out.contains("the seek table disagrees, not used"), "{}", said.out);
    assert!(said.out.contains("1 identical, 0 diverged"), "named twice, played once: {}", said.out);
    let said = desk.saga(&["show", &flipped]).expect(0);
    assert!(said.err.contains("the seek table disagrees, not used"), "{}", said.err);
    let said = desk.saga(&["replay", &flipped, "--record", "rec"]).expect(1);
    assert!(said.err.contains("exists already") && said.err.contains("--record DIR"));
}

#[test]
fn a_game_recorded_with_its_own_prompts_says_what_to_do() {
    let desk = Desk::new();
    desk.write("words/controller/system.txt", "Decide.");
    let trace = text(&recorded("direct"));
    let said = desk.saga(&["replay", &trace, "--prompts", "words"]).expect(3);
    assert!(said.out.contains("--prompts DIR") && said.out.contains("`prompts` key"));
}

#[test]
fn a_trace_whose_journal_lies_beside_it_may_be_played_now() {
    let desk = Desk::new();
    let begun = text(&desk.write("new.trace.jsonl.zst", ""));
    desk.write("new.journal", "");
    let bytes = fs::read(recorded("direct")).expect("bytes");
    let half = text(&desk.write("half.trace.jsonl.zst", &bytes[..bytes.len() / 2]));
    desk.write("half.journal", "");
    for (trace, code) in [(&begun, 1), (&half, 0)] {
        for command in ["show", "replay"] {
            let said = desk.saga(&[command, trace]).expect(code);
            let both = said.out + &said.err;
            assert!(both.contains("is being played, or was killed while it was"), "{both}");
        }
    }
}

#[test]
fn a_file_for_a_folder_and_a_folder_for_a_file_are_told_with_the_right_one() {
    let desk = Desk::new();
    let bytes = fs::read(recorded("direct")).expect("bytes");
    desk.write("games/a.trace.jsonl.zst", bytes);
    let (trace, folder) = ("games/a.trace.jsonl.zst", "games");
    let said = desk.saga(&["report", trace]).expect(1);
    assert!(said.err.trim_end().ends_with(&format!("saga report {folder}")), "{}", said.err);
    for command in [&["show", folder][..], &["diff", folder, trace]] {
        let said = desk.saga(command).expect(2);
        assert!(said.err.trim_end().ends_with(&format!("such as {trace}")), "{}", said.err);
    }
}
