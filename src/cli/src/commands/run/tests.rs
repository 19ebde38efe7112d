//! The runner on a toy game: what is played, what is left alone, what is set aside, and what the
//! ledger says of it.

#[path = "../../../../../tests/toy/mod.rs"]
#[allow(dead_code)]
mod toy;

mod damage;

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::AtomicU32;

use clap::Parser;
use saga_core::game::{Game, Reply, Request};
use saga_core::spec::{EpisodeSpec, GameSpec};
use saga_core::stop::Stop;
use saga_core::trace::ledger::read_ledger;
use saga_core::trace::{Stem, Trace, file_hash};
use saga_live::LiveError;
use toy::{Flaw, Flawed, Toy};

use super::*;
use crate::args::{Cli, Command};
use builds::Build;
use host::Seat;

/// A game that may go wrong.
struct ToySeat(Box<dyn Game>);

impl Game for ToySeat {
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop> {
        self.0.exchange(request)
    }
}

impl Seat for ToySeat {
    fn server_cpu_s(&self) -> Option<f64> {
        Some(0.5)
    }

    fn failure(&self) -> Option<String> {
        None
    }
}

/// What the n-th game opened does, from 1; the others are sound.
type Flaws = BTreeMap<u32, Wrong>;

#[derive(Clone, Copy)]
enum Wrong {
    Flaw(Flaw, usize),
    Panic,
    Refused,
}

#[derive(Default)]
struct ToyHost {
    opened: AtomicU32,
    flaws: Flaws,
    /// Says that it is another build than the one it plays on.
    replaced: bool,
    /// What it refuses to begin a game for.
    refuses: Option<fn() -> LiveError>,
    /// How often it was asked.
    asked: AtomicU32,
}

struct Panics;

impl Game for Panics {
    fn exchange(&mut self, _: &Request) -> Result<Reply, Stop> {
        panic!("the toy broke")
    }
}

struct Refuses;

impl Game for Refuses {
    fn exchange(&mut self, _: &Request) -> Result<Reply, Stop> {
        Err(Stop::Refused("x is 1, wanted 2".to_owned()))
    }
}

impl Host for ToyHost {
    fn build(&self) -> Build {
        let binary_hash = if self.replaced { "feed" } else { "" };
        Build { version: "toy 1".to_owned(), binary_hash: binary_hash.to_owned() }
    }

    fn trial(&self, _: &GameSpec, _: Duration) -> Result<(), LiveError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.refuses.map_or(Ok(()), |error| Err(error()))
    }

    fn open(&self, _: &EpisodeSpec, _: &Stem) -> Box<dyn Seat> {
        let n = self.opened.fetch_add(1, Ordering::Relaxed) + 1;
        let game: Box<dyn Game> = match self.flaws.get(&n) {
            None => Box::new(Toy::default()),
            Some(Wrong::Flaw(flaw, at)) => Box::new(Flawed::new(Toy::default(), *flaw, *at)),
            Some(Wrong::Refused) => Box::new(Refuses),
            Some(Wrong::Panic) => Box::new(Panics),
        };
        Box::new(ToySeat(game))
    }
}

/// A folder with one experiment, gone when the test is over.
struct Desk {
    folder: PathBuf,
    text: String,
}

/// What a run of it came to.
struct Ran {
    exit: Exit,
    out: String,
    opened: u32,
}

impl Desk {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("saga-run-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let text = "planners = [\"direct\", \"mastaba\"]\nruns = 2\n[game]\nturns_max = 5\n\
                    [operation]\ndurability = \"none\"\n";
        Self { folder, text: text.to_owned() }
    }

    fn args(&self, more: &[&str]) -> RunArgs {
        let file = self.folder.join("toy.toml");
        fs::write(&file, &self.text).expect("an experiment file");
        let out = self.folder.join("runs");
        let mut words = vec!["saga", "run"];
        let (file, out) = (file.display().to_string(), out.display().to_string());
        words.extend([file.as_str(), "--out", &out, "--json"]);
        words.extend(more);
        match Cli::parse_from(words).command {
            Command::Run(args) => args,
            other => panic!("not a run: {other:?}"),
        }
    }

    fn run_with(&self, flaws: Flaws, more: &[&str], asked: bool) -> Result<Ran, CliError> {
        self.run_on(ToyHost { flaws, ..ToyHost::default() }, more, asked)
    }

    fn run_on(&self, host: ToyHost, more: &[&str], asked: bool) -> Result<Ran, CliError> {
        let args = self.args(more);
        let matrix = Matrix::read(&args.experiment).map_err(Box::new)?;
        let plan = Plan::make(&matrix, &args)?;
        let asked = AtomicBool::new(asked);
        let mut out = Vec::new();
        let exit = carry_out(&matrix, &plan, &args, &host, &asked, &mut out)?;
        let out = String::from_utf8(out).expect("text");
        Ok(Ran { exit, out, opened: host.opened.into_inner() })
    }

    fn run(&self) -> Ran {
        self.run_with(Flaws::new(), &[], false).expect("a run")
    }

    fn stem(&self, planner: &str, run: u32) -> Stem {
        let cell = format!("runs/toy/{planner}/base/scripted/map-seed-2025/run-0{run}/game-1");
        Stem::new(self.folder.join(cell))
    }

    fn events(&self) -> Vec<Event> {
        let ledger = self.folder.join("runs/toy/ledger.jsonl");
        read_ledger(&ledger).expect("a good ledger").0.into_iter().map(|l| l.event).collect()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_matrix_is_played_once_and_then_left_alone() {
    let desk = Desk::new("once");
    let first = desk.run();
    assert_eq!((first.exit, first.opened), (Exit::Done, 4));
    assert_eq!(first.out.lines().count(), 5, "four games and a summary: {}", first.out);
    assert!(first.out.contains("\"reason\":\"turn_limit\""), "{}", first.out);
    assert!(first.out.contains("\"server_cpu_s\":0.5"), "{}", first.out);
    let bytes = fs::read(desk.stem("direct", 1).trace()).expect("a trace");
    assert!(!desk.stem("direct", 1).journal().exists());
    assert!(desk.folder.join("runs/toy/report/scripted/tables/main.md").exists());
    let again = desk.run();
    assert_eq!((again.exit, again.opened), (Exit::Done, 0));
    assert_eq!(fs::read(desk.stem("direct", 1).trace()).expect("a trace"), bytes);
    let events = desk.events();
    assert!(matches!(events[0], Event::Analysis { .. }));
    assert_eq!(events.len(), 9, "an analysis, four starts and four ends");
}

#[test]
fn two_runs_give_the_same_bytes() {
    let (a, b) = (Desk::new("same-a"), Desk::new("same-b"));
    a.run();
    b.run_with(Flaws::new(), &["--jobs", "1"], false).expect("a run");
    for planner in ["direct", "mastaba"] {
        for run in [1, 2] {
            let bytes = |desk: &Desk| fs::read(desk.stem(planner, run).trace()).expect("a trace");
            assert!(bytes(&a) == bytes(&b), "{planner} run {run}");
        }
    }
}

#[test]
fn one_failure_touches_no_other_game_and_is_played_again() {
    let desk = Desk::new("failure");
    let flaws = BTreeMap::from([(1, Wrong::Flaw(Flaw::Lost, 4)), (2, Wrong::Panic)]);
    let first = desk.run_with(flaws, &["--jobs", "1"], false).expect("a run");
    assert_eq!((first.exit, first.opened), (Exit::FailedRuns, 4));
    assert!(first.out.contains("\"reason\":\"server_lost\""), "{}", first.out);
    assert!(first.out.contains("the toy broke"), "{}", first.out);
    assert!(first.out.contains("\"failed\":2"), "{}", first.out);
    let again = desk.run();
    assert_eq!((again.exit, again.opened), (Exit::Done, 2));
    let set_aside: Vec<Stem> = [("direct", 1), ("mastaba", 1), ("direct", 2), ("mastaba", 2)]
        .iter()
        .map(|(planner, run)| Stem::new(desk.stem(planner, *run).with(".attempt-1")))
        .filter(|stem| stem.trace().exists())
        .collect();
    assert_eq!(set_aside.len(), 2);
    assert!(set_aside.iter().all(|stem| stem.timing().exists()));
    let attempts: Vec<u32> = desk
        .events()
        .iter()
        .filter_map(|e| match e {
            Event::Start { attempt, .. } => Some(*attempt),
            _ => None,
        })
        .collect();
    assert_eq!(attempts, [1, 1, 1, 1, 2, 2]);
}

#[test]
fn what_the_server_refuses_is_an_error_before_anything_is_made() {
    let mut desk = Desk::new("refused");
    desk.text = desk.text.replace("[game]", "[game]\nai_skill = [\"easy\", \"hard\"]");
    let refuses = || LiveError::NoRuleset {
        ruleset: "classic".to_owned(),
        found: None,
        said: "not found".to_owned(),
    };
    let host = ToyHost { refuses: Some(refuses), ..ToyHost::default() };
    let error = desk.run_on(host, &[], false).err().expect("refused");
    assert_eq!(error.exit(), Exit::Usage);
    assert!(error.to_string().contains("game.ruleset = \"classic\""), "{error}");
    assert!(!desk.folder.join("runs").exists());

    let host = ToyHost::default();
    let args = desk.args(&[]);
    let matrix = Matrix::read(&args.experiment).expect("good");
    let plan = Plan::make(&matrix, &args).expect("good");
    trials::ask(&matrix, &plan.to_play(), &host).expect("taken");
    let (games, asked) = (plan.games(), host.asked.into_inner());
    assert_eq!((games, asked), (8, 2), "once for each kind of game");
}

/// The server was asked before and took it; then it was another one, or had changed its mind.
#[test]
fn a_game_that_is_refused_all_the_same_is_no_lost_server_and_the_last_one_tried() {
    let desk = Desk::new("late");
    let flaws = (1..=4).map(|n| (n, Wrong::Refused)).collect();
    let ran = desk.run_with(flaws, &["--jobs", "1"], false).expect("a run");
    assert_eq!((ran.exit, ran.opened), (Exit::FailedRuns, 1));
    assert!(ran.out.contains("\"reason\":\"refused\""), "{}", ran.out);
    assert_eq!(desk.run().opened, 4);
}

#[test]
fn asked_to_stop_nothing_is_started_and_a_running_game_ends_whole() {
    let desk = Desk::new("asked");
    let ran = desk.run_with(Flaws::new(), &[], true).expect("a run");
    assert_eq!((ran.exit, ran.opened), (Exit::Failed, 0));
    assert!(ran.out.contains("\"not_started\":4"), "{}", ran.out);

    let flaws = BTreeMap::from([(1, Wrong::Flaw(Flaw::Interrupted, 5))]);
    desk.run_with(flaws, &["--only", "planner=direct,run=1"], false).expect("a run");
    let trace = Trace::load(&desk.stem("direct", 1).trace()).expect("a whole trace");
    let reason = trace.end().map(|end| end.reason.word());
    assert_eq!(reason, Some("interrupted"));
}

#[test]
fn a_changed_experiment_is_refused_field_by_field_and_nothing_is_lost() {
    let mut desk = Desk::new("changed");
    desk.run();
    let bytes = fs::read(desk.stem("direct", 1).trace()).expect("a trace");
    desk.text = desk.text.replace("turns_max = 5", "turns_max = 6\nopponents = 1");
    let error = desk.run_with(Flaws::new(), &[], false).err().expect("refused");
    assert_eq!(error.exit(), Exit::Failed);
    let text = error.to_string();
    assert!(text.contains("game.turns_max: recorded 5, now 6"), "{text}");
    assert!(text.contains("game.opponents: recorded 2, now 1"), "{text}");
    assert!(text.contains("--out DIR"), "{text}");
    assert_eq!(fs::read(desk.stem("direct", 1).trace()).expect("a trace"), bytes);
}

#[test]
fn a_result_at_another_place_of_the_matrix_is_never_played_again() {
    let mut desk = Desk::new("moved");
    desk.run();
    let text = desk.text.clone();
    desk.text = text.replace("turns_max = 5", "turns_max = 5\nai_skill = [\"easy\", \"hard\"]");
    let error = desk.run_with(Flaws::new(), &[], false).err().expect("refused").to_string();
    assert!(error.contains("4 of the games to play are finished already"), "{error}");
    assert!(error.contains("/ai-skill-easy/map-seed-2025/run-01/game-1 and its result"), "{error}");
    assert!(error.contains("/base/scripted/map-seed-2025/run-01/game-1; a finished"), "{error}");
    assert_eq!(desk.events().len(), 9, "nothing was begun");
    let hard = desk.run_with(Flaws::new(), &["--only", "ai_skill=hard"], false).expect("new games");
    assert_eq!((hard.exit, hard.opened), (Exit::Done, 4));
}

#[test]
fn a_plan_tells_what_another_run_plays_now() {
    let desk = Desk::new("now");
    desk.run();
    let stem = "direct/base/scripted/map-seed-2025/run-01/game-1";
    let bytes = fs::read(desk.stem("direct", 1).trace()).expect("a trace");
    fs::write(desk.stem("direct", 1).trace(), &bytes[..bytes.len() / 2]).expect("cut");
    let folder = desk.folder.join("runs/toy");
    let mut ledger = Ledger::open(&folder.join("ledger.jsonl")).expect("a ledger");
    let (attempt, identity_hash) = (1, "i".to_owned());
    let start = Event::Start { stem: stem.to_owned(), attempt, identity_hash };
    ledger.append(start, None).expect("a line");
    let told = || {
        let args = desk.args(&[]);
        let matrix = Matrix::read(&args.experiment).expect("good");
        let mut plan = Plan::make(&matrix, &args).expect("a plan");
        plan.playing = History::read(&folder).expect("a ledger").playing(&folder);
        let mut out = Vec::new();
        plan.print(false, &mut out).expect("written");
        String::from_utf8(out).expect("text")
    };
    let line = |text: &str| text.lines().find(|l| l.contains(stem)).expect("a line").to_owned();
    assert!(line(&told()).starts_with("playing "), "{}", told());
    drop(ledger);
    assert!(line(&told()).starts_with("again "), "{}", told());
}

#[test]
fn what_a_kill_left_is_set_aside() {
    let desk = Desk::new("left");
    desk.run();
    let trace = |run| desk.stem("direct", run).trace();
    let bytes = fs::read(trace(1)).expect("a trace");
    fs::write(trace(1), &bytes[..bytes.len() / 2]).expect("cut");
    fs::write(trace(2), "").expect("emptied");
    let again = desk.run();
    assert_eq!((again.exit, again.opened), (Exit::Done, 2));
    assert_eq!(fs::read(trace(1)).expect("a trace"), bytes);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_the_others_are_played() {
    let desk = Desk::new("full");
    // A file where the cell's folder should be: the nearest thing to a full disk that root meets.
    fs::create_dir_all(desk.folder.join("runs/toy")).expect("a folder");
    fs::write(desk.folder.join("runs/toy/direct"), "").expect("a file");
    let ran = desk.run_with(Flaws::new(), &[], false).expect("a run");
    assert_eq!((ran.exit, ran.opened), (Exit::FailedRuns, 2));
    assert!(ran.out.contains("cannot make the folder"), "{}", ran.out);
}

#[test]
fn another_server_build_adds_nothing_to_finished_games() {
    let desk = Desk::new("builds");
    let other = || ToyHost { replaced: true, ..ToyHost::default() };
    desk.run_with(Flaws::new(), &["--only", "planner=direct"], false).expect("a run");
    // Also when none of the games asked for is finished: the report has them all.
    let only = ["--only", "planner=mastaba"];
    let refused = desk.run_on(other(), &only, false).err().expect("refused");
    assert_eq!(refused.exit(), Exit::Failed);
    let text = refused.to_string();
    for part in [
        "recorded: Freeciv toy 1, binary , in 2 games",
        "run-01/game-1.trace.jsonl.zst",
        "now: Freeciv toy 1, binary feed",
        "toy.toml --out DIR`",
        "--server PATH`",
    ] {
        assert!(text.contains(part), "lacks {part:?}: {text}");
    }
    assert!(!desk.stem("mastaba", 1).trace().exists());
    assert_eq!(desk.run().opened, 2);
    let idle = desk.run_on(other(), &[], false).expect("nothing is left to be mixed");
    assert_eq!((idle.exit, idle.opened), (Exit::Done, 0));
}

/// Standard output whose reader is gone.
struct Closed(std::io::ErrorKind);

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Err(self.0.into())
    }
}

#[test]
fn a_reader_that_leaves_changes_neither_games_nor_report_nor_exit() {
    use std::io::ErrorKind::{BrokenPipe, StorageFull};
    let check = |name: &str, kind, flaws: Flaws, json: bool, want| {
        let desk = Desk::new(name);
        let mut args = desk.args(&[]);
        args.json = json;
        let matrix = Matrix::read(&args.experiment).expect("good");
        let plan = Plan::make(&matrix, &args).expect("good");
        let host = ToyHost { flaws, ..ToyHost::default() };
        let asked = AtomicBool::new(false);
        let exit = carry_out(&matrix, &plan, &args, &host, &asked, &mut Closed(kind));
        assert_eq!(exit.expect("a run"), want, "{name}");
        assert_eq!(host.opened.into_inner(), 4);
        assert!(desk.folder.join("runs/toy/report/scripted/tables/main.md").exists());
    };
    let lost = || BTreeMap::from([(1, Wrong::Flaw(Flaw::Lost, 4))]);
    check("gone", BrokenPipe, Flaws::new(), true, Exit::Done);
    check("gone-lost", BrokenPipe, lost(), true, Exit::FailedRuns);
    check("gone-text", BrokenPipe, lost(), false, Exit::FailedRuns);
    check("full-out", StorageFull, Flaws::new(), true, Exit::Failed);
}

#[test]
fn games_without_a_result_bind_to_no_build() {
    let desk = Desk::new("rests");
    let flaws = (1..=4).map(|n| (n, Wrong::Flaw(Flaw::Lost, 4))).collect();
    desk.run_with(flaws, &[], false).expect("a run");
    let host = ToyHost { replaced: true, ..ToyHost::default() };
    let ran = desk.run_on(host, &[], false).expect("a run");
    assert_eq!((ran.exit, ran.opened), (Exit::Done, 4));
}
