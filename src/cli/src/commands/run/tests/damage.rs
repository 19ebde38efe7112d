//! What was done to a matrix's files behind its back, and what a server refuses to begin.

use super::*;

#[test]
fn a_damaged_trace_is_kept_and_its_game_played_again_and_no_other() {
    let desk = Desk::new("damaged");
    desk.run();
    let trace = |run| desk.stem("direct", run).trace();
    let bytes = fs::read(trace(1)).expect("a trace");
    let mut broken = bytes.clone();
    let middle = broken.len() / 2;
    broken[middle] ^= 0xff;
    fs::write(trace(1), &broken).expect("broken");
    fs::write(trace(2), "not a trace at all, not even compressed").expect("a stranger");

    let args = desk.args(&["--dry-run"]);
    let matrix = Matrix::read(&args.experiment).expect("good");
    let plan = Plan::make(&matrix, &args).expect("good");
    let mut out = Vec::new();
    plan.print(false, &mut out).expect("printed");
    let out = String::from_utf8(out).expect("text");
    let told = out.matches("the file is kept as an older attempt").count();
    assert_eq!(told, 2, "{out}");
    assert_eq!(plan.warnings().len(), 2);

    fs::remove_file(trace(2)).expect("gone");
    fs::create_dir(trace(2)).expect("a folder in its place");
    let again = desk.run();
    assert_eq!((again.exit, again.opened), (Exit::Done, 2));
    assert_eq!(fs::read(trace(1)).expect("a trace"), bytes);
    let aside = Stem::new(desk.stem("direct", 1).with(".attempt-1")).trace();
    assert_eq!(fs::read(aside).expect("set aside"), broken);
}

#[test]
fn a_trace_changed_after_its_game_is_refused_with_both_hashes() {
    let desk = Desk::new("altered");
    desk.run();
    let path = desk.stem("direct", 1).trace();
    let recorded = file_hash(&path).expect("a hash");
    let text: Vec<String> = {
        let trace = Trace::load(&path).expect("a trace");
        trace.text().lines().map(|line| format!("{line}\n")).collect()
    };
    let mut other = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    other.include_checksum(true).expect("a checksum");
    other.write_all(text.concat().as_bytes()).expect("packed anew");
    fs::write(&path, other.finish().expect("closed")).expect("altered");
    assert!(Trace::load(&path).expect("whole").end().is_some());
    let text = desk.run_with(Flaws::new(), &[], false).err().expect("refused").to_string();
    let today = file_hash(&path).expect("a hash");
    for part in [&recorded, &today, &path.display().to_string(), &"move it".to_owned()] {
        assert!(text.contains(part.as_str()), "lacks {part:?}: {text}");
    }
    fs::rename(&path, desk.folder.join("elsewhere")).expect("moved away");
    assert_eq!(desk.run().opened, 1);
    assert_eq!(file_hash(&path).expect("a hash"), recorded);
}

#[test]
fn a_ledger_that_is_gone_begins_anew_and_an_edited_one_says_what_to_do() {
    let desk = Desk::new("ledger");
    desk.run();
    let ledger = desk.folder.join("runs/toy/ledger.jsonl");
    let text = fs::read_to_string(&ledger).expect("a ledger");
    fs::write(&ledger, text.replacen("\"attempt\":1", "\"attempt\":2", 1)).expect("edited");
    let error = desk.run_with(Flaws::new(), &[], false).err().expect("refused").to_string();
    assert!(error.contains("restore this file from a copy, or move it away"), "{error}");
    fs::remove_file(&ledger).expect("gone");
    let again = desk.run();
    assert_eq!((again.exit, again.opened), (Exit::Done, 0));
    assert_eq!(desk.events().len(), 1);
}

#[test]
fn what_the_server_refuses_to_begin_is_tried_once_and_played_when_the_file_is_mended() {
    let mut desk = Desk::new("refused");
    let refused = (1..=4).map(|n| (n, Wrong::Refused)).collect();
    let ran = desk.run_with(refused, &["--jobs", "1"], false).expect("a run");
    assert_eq!((ran.exit, ran.opened), (Exit::FailedRuns, 1));
    assert!(ran.out.contains("\"not_started\":3"), "{}", ran.out);
    desk.text = desk.text.replace("turns_max = 5", "turns_max = 6");
    let again = desk.run();
    assert_eq!((again.exit, again.opened), (Exit::Done, 4));
}

#[test]
fn the_command_told_is_the_one_that_was_given() {
    let desk = Desk::new("it's told");
    let args = desk.args(&["--only", "run=1,planner=direct", "--jobs", "2", "--server", "/a b"]);
    let matrix = Matrix::read(&args.experiment).expect("good");
    let plan = Plan::make(&matrix, &args).expect("good");
    let told = &plan.commands.go_on;
    assert!(told.starts_with("saga run '") && told.contains("it'\\''s told"), "{told}");
    let end = " --only planner=direct,run=1 --jobs 2 --json --server '/a b'";
    assert!(told.ends_with(end), "{told}");
}
