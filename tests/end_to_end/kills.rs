//! Signals at the worst moment: the server's death, a polite interrupt, and `kill -9` of the
//! program itself. Files stay whole, the other games go on, no server outlives us.

use std::fs;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use saga_core::trace::entry::EndReason;
use saga_core::trace::{State, Trace};

use crate::desk::{Desk, has_server, traces};

const PATIENCE: Duration = Duration::from_mins(1);

/// Long games, so that there is a middle.
const EXPERIMENT: &str = "planners = [\"direct\"]\nruns = 2\n\n[game]\nturns_max = 150\n";

/// Processes whose parent is `parent`, or whose name is the server's and group's leader they are.
fn servers_of(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("/proc").filter_map(Result::ok) {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some((name, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        if name.contains("freeciv-server")
            && fields.first() != Some(&"Z")
            && fields.get(1) == Some(&parent.to_string().as_str())
        {
            found.push(pid);
        }
    }
    found
}

fn signal(pid: u32, name: &str) {
    // The shell's own: a bare Debian has no program of that name.
    let status = std::process::Command::new("sh")
        .args(["-c", &format!("kill -{name} {pid}")])
        .status()
        .expect("a shell can be run");
    assert!(status.success(), "kill -{name} {pid}");
}

fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited {PATIENCE:?} for {what}");
        sleep(Duration::from_millis(20));
    }
}

/// Starts the long matrix, one game at a time, and waits until its first game is well under way.
fn under_way(desk: &Desk) -> (Child, u32) {
    desk.write("long.toml", EXPERIMENT);
    let child = desk.start(&["run", "long.toml", "--jobs", "1"]);
    let first = desk.path("runs/long/direct/base/scripted/map-seed-2025/run-01");
    wait_for("three turns", || {
        let timing = fs::read_to_string(first.join("game-1.timing.jsonl")).ok()?;
        timing.contains("{\"turn\":{\"turn\":3,").then_some(())
    });
    let pid = child.id();
    let server = wait_for("a server", || servers_of(pid).first().copied());
    (child, server)
}

fn code(mut child: Child) -> Option<i32> {
    wait_for("the program to end", || child.try_wait().expect("can be waited for")).code()
}

fn is_alive(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| stat.contains("freeciv-server") && !stat.contains(") Z "))
}

#[test]
fn a_server_killed_in_mid_game_ends_that_game_alone() {
    if !has_server() {
        return;
    }
    let desk = Desk::new();
    let (child, server) = under_way(&desk);
    signal(server, "KILL");
    assert_eq!(code(child), Some(4));
    let all = traces(&desk.path("runs"));
    let ends: Vec<EndReason> = all
        .iter()
        .map(|path| Trace::load(path).expect("whole").end().expect("an end").reason)
        .collect();
    assert_eq!(ends.len(), 2);
    assert_eq!(ends[0], EndReason::ServerLost);
    assert!(ends[1].is_result(), "{ends:?}");
    let said = desk.saga(&["replay", "runs/long"]).expect(0);
    assert!(said.out.contains("2 identical"), "{}", said.out);
}

#[test]
fn an_interrupt_ends_running_games_whole_and_starts_no_other() {
    if !has_server() {
        return;
    }
    let desk = Desk::new();
    let (child, server) = under_way(&desk);
    signal(child.id(), "INT");
    assert_eq!(code(child), Some(1));
    wait_for("the server's end", || (!is_alive(server)).then_some(()));
    let all = traces(&desk.path("runs"));
    assert_eq!(all.len(), 1, "{all:?}");
    let trace = Trace::load(&all[0]).expect("whole");
    assert_eq!(*trace.state(), State::Complete);
    assert_eq!(trace.end().map(|e| e.reason), Some(EndReason::Interrupted));
    desk.saga(&["replay", "runs/long"]).expect(0);
}

#[test]
fn killed_outright_it_leaves_no_server_and_the_same_command_goes_on() {
    if !has_server() {
        return;
    }
    let desk = Desk::new();
    let (child, server) = under_way(&desk);
    signal(child.id(), "KILL");
    assert_eq!(code(child), None);
    let began = Instant::now();
    while is_alive(server) {
        assert!(began.elapsed() < Duration::from_secs(5), "server {server} outlived us");
        sleep(Duration::from_millis(50));
    }
    let first = &traces(&desk.path("runs"))[0];
    let trace = Trace::load(first).expect("readable to its last flush");
    assert!(matches!(trace.state(), State::Cut(cut) if cut.turn >= 3), "{:?}", trace.state());
    let said = desk.saga(&["replay", "runs/long"]).expect(0);
    assert!(said.out.contains("record ends here (turn "), "{}", said.out);
    desk.saga(&["replay", "runs/long", "--strict"]).expect(1);
    let text = EXPERIMENT.replace("runs = 2", "runs = 1");
    desk.write("long.toml", text);
    desk.saga(&["run", "long.toml"]).expect(0);
    let aside = desk.path(
        "runs/long/direct/base/scripted/map-seed-2025/run-01/game-1.attempt-1.trace.jsonl.zst",
    );
    assert!(aside.exists(), "the cut attempt is kept");
}
