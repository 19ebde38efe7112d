//! One short real game per planner, replayed with no server, no key and no environment, its
//! transcript beside it, so that a change of behaviour is read as a diff before it is believed.
//!
//! After a wanted change of prompts, planners, menus or the program's version, record anew on a
//! real server, then read the diff of the transcripts:
//! `SAGA_UPDATE=1 cargo test -p saga-cli --test playthroughs`

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

use saga_core::trace::{Entry, FORMAT_VERSION, Trace};

const SUFFIX: &str = ".trace.jsonl.zst";
/// A fixture stays small enough to be kept in every clone.
const TRACE_BYTES_MAX: usize = 60 << 10;
const UPDATE: &str = "SAGA_UPDATE=1 cargo test -p saga-cli --test playthroughs";

#[test]
fn every_planner_has_a_real_game_that_replays_offline_to_the_same_bytes() {
    let folder = fixtures().join("playthroughs");
    let planners = planners(&folder);
    record_anew_when_asked(&folder, &planners);
    let scratch = Scratch::new("replayed");
    assert_eq!(kept(&folder), planners, "recorded, and in baselines/src: {UPDATE}");
    for planner in &planners {
        let name = format!("{planner}{SUFFIX}");
        let trace = fs::read(folder.join(&name)).expect("a fixture");
        assert!(trace.len() <= TRACE_BYTES_MAX, "{name} has {} bytes", trace.len());
        let again = scratch.0.join(planner);
        let arguments = ["replay", &name, "--record", &again.display().to_string()];
        let said = offline(&folder, &arguments);
        assert!(said.contains("1 identical, 0 diverged, 0 cut, 0 failed"), "{said}");
        let again = fs::read(again.join(&name)).expect("it was recorded again");
        assert!(again == trace, "{name}: recorded again it has other bytes\n  {UPDATE}");
        let page = folder.join(format!("{planner}.txt"));
        let (kept, today) = (read(&page), offline(&folder, &["show", &name]));
        let line = kept.lines().zip(today.lines()).take_while(|(a, b)| a == b).count();
        assert!(
            kept == today,
            "{} differs from line {}:\n  kept:  {}\n  today: {}\n  {UPDATE}",
            page.display(),
            line + 1,
            kept.lines().nth(line).unwrap_or("(no such line)"),
            today.lines().nth(line).unwrap_or("(no such line)")
        );
    }
}

/// A trace of each version that ever was is kept as it was written, and never recorded again.
#[test]
fn a_trace_of_every_format_is_read_and_written_again_as_it_was() {
    let played = fixtures().join("playthroughs");
    record_anew_when_asked(&played, &planners(&played));
    let folder = fixtures().join("formats");
    let versions = kept(&folder);
    assert!(versions.contains(FORMAT_VERSION), "none of {FORMAT_VERSION} in {versions:?}");
    for version in versions {
        let name = format!("{version}{SUFFIX}");
        let trace = Trace::load(&folder.join(&name)).expect("a sound trace");
        assert_eq!(trace.header().version, version);
        assert!(trace.end().is_some() && trace.turns().count() > 1, "{name}");
        for (i, line) in trace.text().lines().enumerate() {
            let entry: Entry = serde_json::from_str(line).expect("an entry");
            let again = serde_json::to_string(&entry).expect("plain data");
            assert!(again == line, "{name} line {} is written otherwise today", i + 1);
        }
        assert!(offline(&folder, &["show", &name]).lines().count() > 20);
    }
}

/// Once for both tests.
fn record_anew_when_asked(folder: &Path, planners: &BTreeSet<String>) {
    static ONCE: Once = Once::new();
    if std::env::var_os("SAGA_UPDATE").is_some() {
        ONCE.call_once(|| record(folder, planners));
    }
}

/// Plays the games on a real server and puts traces and transcripts in place.
fn record(folder: &Path, planners: &BTreeSet<String>) {
    let scratch = Scratch::new("recorded");
    let runs = scratch.0.join("runs");
    let mut command = saga();
    command.arg("run").arg(folder.join("playthroughs.toml")).arg("--out").arg(&runs);
    told(&command.output().expect("the binary can be run"));
    for planner in planners {
        let game = format!("playthroughs/{planner}/base/scripted/map-seed-2025/run-01/game-1");
        let name = format!("{planner}{SUFFIX}");
        fs::copy(runs.join(format!("{game}{SUFFIX}")), folder.join(&name)).expect("a trace");
        let page = offline(folder, &["show", &name]);
        fs::write(folder.join(format!("{planner}.txt")), page).expect("writable");
    }
    let first = planners.first().expect("a planner");
    let golden = fixtures().join(format!("formats/{FORMAT_VERSION}{SUFFIX}"));
    if !golden.exists() {
        fs::copy(folder.join(format!("{first}{SUFFIX}")), golden).expect("writable");
    }
}

/// Planners, by the files they are; each must be named in the experiment.
fn planners(folder: &Path) -> BTreeSet<String> {
    let mut names = stems(&root().join("baselines/src"), ".rs");
    names.remove("lib");
    let experiment: toml::Table =
        read(&folder.join("playthroughs.toml")).parse().expect("an experiment");
    let listed = experiment["planners"].as_array().expect("a list of planners");
    let listed: BTreeSet<String> =
        listed.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
    assert_eq!(listed, names, "planners in playthroughs.toml, and files in baselines/src");
    names
}

fn kept(folder: &Path) -> BTreeSet<String> {
    stems(folder, SUFFIX)
}

fn stems(folder: &Path, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder of the workspace");
    let names = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn fixtures() -> PathBuf {
    root().join("tests/fixtures")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}\n  {UPDATE}", path.display()))
}

fn saga() -> Command {
    Command::new(env!("CARGO_BIN_EXE_saga"))
}

/// What the binary prints when it can find neither a server nor a key.
fn offline(folder: &Path, arguments: &[&str]) -> String {
    let mut command = saga();
    command.args(arguments).current_dir(folder).env_clear();
    told(&command.output().expect("the binary can be run"))
}

fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{}\n{out}\n{err}\n  {UPDATE}", output.status);
    out
}

/// A folder that goes when the test does.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("saga-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
