//! The server's life against real processes: the real server where one is found, and small shell
//! scripts where a server must misbehave. Nothing here knows the protocol.

use std::collections::VecDeque;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::*;
use crate::LiveError;

const GRACE: Duration = Duration::from_secs(3);

/// The real server, or `None` with a word about it.
fn real_server() -> Option<ServerBinary> {
    match find(None) {
        Ok(binary) => Some(binary),
        Err(error @ LiveError::NoServer { .. }) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: {error}");
            None
        }
        Err(error) => panic!("no usable server, and that is not one to skip over: {error}"),
    }
}

fn settings(extra: &[(&str, &str)]) -> Script {
    let base = [
        ("mapsize", "XYSIZE"),
        ("xsize", "23"),
        ("ysize", "23"),
        ("topology", ""),
        ("mapseed", "2025"),
        ("gameseed", "2025"),
        ("aifill", "3"),
        ("scorelog", "enabled"),
        ("scorefile", "score.log"),
    ];
    let all: Vec<_> =
        base.iter().chain(extra).map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    Script::new(&all, "easy").expect("a good script")
}

/// A folder of its own, open to everybody, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("saga-test-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder under the temporary directory");
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("our own folder");
        Self(path)
    }

    /// A program that poses as a server: says its version, then does `body`. Written by another
    /// process: while a forked child of this one still had it open, it could not be executed.
    fn program(&self, body: &str) -> ServerBinary {
        let path = self.0.join("fake-server");
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Freeciv version 3.0.99 '; exit; fi\n\
             while [ \"$1\" != -p ]; do shift; done\nport=$2\n{body}\n"
        );
        let mut tee = Command::new("tee")
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("tee");
        tee.stdin.take().expect("its input").write_all(text.as_bytes()).expect("written");
        assert!(tee.wait().expect("its end").success());
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("our own file");
        find(Some(&path)).expect("it says it is 3.0.99")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn alive(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
}

fn gone_within(pid: u32, limit: Duration) -> bool {
    let begun = Instant::now();
    while alive(pid) && begun.elapsed() < limit {
        std::thread::sleep(Duration::from_millis(2));
    }
    !alive(pid)
}

#[test]
fn starts_unprivileged_on_loopback_and_quits_at_once() {
    let Some(binary) = real_server() else { return };
    let folder = Folder::new("start");
    let mut launch = Launch::new(binary, "classic", settings(&[]));
    launch.run_dir = Some(folder.0.join("server"));
    let begun = Instant::now();
    let mut server = launch.start().expect("a started server");
    eprintln!("ready after {} ms", begun.elapsed().as_millis());
    assert_eq!(server.exited().expect("asked"), None);
    assert!(server.address().ip().is_loopback());
    assert!(server.cpu_seconds_so_far().is_none_or(|s| s > 0.0));
    if cfg!(target_os = "linux") {
        let owner = fs::metadata(format!("/proc/{}", server.pid())).expect("its entry").uid();
        assert_ne!(owner, 0, "the server must not be root");
    }
    let (pid, dir) = (server.pid(), server.run_dir().to_owned());
    assert_eq!(dir, fs::canonicalize(folder.0.join("server")).expect("the caller's"));
    let begun = Instant::now();
    let stopped = server.stop(GRACE).expect("stopped");
    eprintln!(
        "stopped after {} ms, {:.3} CPU s",
        begun.elapsed().as_millis(),
        stopped.cpu_seconds()
    );
    assert_eq!((stopped.by, stopped.exit), (StoppedBy::Quit, Exit::Code(0)));
    assert!(stopped.cpu_seconds() > 0.01);
    assert!(!alive(pid));
    assert!(dir.join("server.log").is_file() && dir.join("game.serv").is_file());
}

#[test]
fn plays_by_itself_and_leaves_a_score_log() {
    let Some(binary) = real_server() else { return };
    let extra =
        [("minplayers", "0"), ("timeout", "-1"), ("endturn", "5"), ("barbarians", "NORMAL")];
    let mut server =
        Launch::new(binary, "classic", settings(&extra)).start().expect("a started server");
    server.console("start").expect("a console");
    let exit = server.wait_for_exit(Duration::from_mins(1)).expect("waited");
    assert_eq!(exit, Some(Exit::Code(0)));
    let dir = server.run_dir().to_owned();
    let stopped = server.stop(GRACE).expect("stopped");
    assert_eq!(stopped.by, StoppedBy::Itself);
    assert!(!dir.exists(), "a private directory goes away");
    let log = ScoreLog::parse(&stopped.score_log.expect("a score log")).expect("its format");
    let turns: Vec<u32> = log.turns.iter().map(|t| t.turn).collect();
    assert_eq!(turns, [1, 2, 3, 4, 5, 6]);
    assert_eq!(log.players.len(), 3);
    assert!(log.players.iter().all(|p| p.last("gold").is_some_and(|(turn, _)| turn == 6)));
    assert!(log.players.iter().all(|p| p.series.len() == 30));
}

#[test]
fn takes_the_next_port_when_one_is_taken_and_gives_up_at_last() {
    let Some(binary) = real_server() else { return };
    let occupied = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let taken = occupied.local_addr().expect("its number").port();
    let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let free = other.local_addr().expect("its number").port();
    drop(other);
    let mut launch = Launch::new(binary, "classic", settings(&[]));
    let mut ports = VecDeque::from([taken, taken, free]);
    let server =
        launch.start_on(|| Ok(ports.pop_front().expect("three suffice"))).expect("started");
    assert_eq!(server.address().port(), free);
    server.stop(GRACE).expect("stopped");

    launch.port_tries = 2;
    match launch.start_on(|| Ok(taken)) {
        Err(LiveError::PortTaken { tries: 2, last }) => assert_eq!(last, taken),
        other => panic!("wanted PortTaken, got {other:?}"),
    }
}

#[test]
fn a_ruleset_that_cannot_be_read_is_told_with_the_servers_words() {
    let Some(binary) = real_server() else { return };
    let error =
        Launch::new(binary.clone(), "nosuch", settings(&[])).start().expect_err("no ruleset");
    assert!(matches!(&error, LiveError::NoRuleset { found: None, .. }), "{error:?}");
    assert!(error.to_string().contains("Ruleset directory \"nosuch\" not found"), "{error}");
    // On another port, in the same words: they stand in the trace.
    let again = Launch::new(binary.clone(), "nosuch", settings(&[])).start().expect_err("none");
    assert_eq!(again.to_string(), error.to_string());
    // A folder of its data that holds no ruleset: it goes on with its own default.
    let error = Launch::new(binary.clone(), "themes", settings(&[])).start().expect_err("another");
    let LiveError::NoRuleset { found: Some(found), .. } = &error else { panic!("{error:?}") };
    assert_eq!(found, "civ2civ3");
    let error = Launch::new(binary, "../x", settings(&[])).start().expect_err("not a name");
    assert!(matches!(error, LiveError::Setting { .. }), "{error:?}");
}

#[test]
fn a_directory_only_we_can_reach_still_gets_the_evidence() {
    let Some(binary) = real_server() else { return };
    let folder = Folder::new("closed");
    fs::set_permissions(&folder.0, Permissions::from_mode(0o700)).expect("our own folder");
    let wanted = folder.0.join("deep/server");
    let mut launch = Launch::new(binary, "classic", settings(&[]));
    launch.run_dir = Some(wanted.clone());
    let server = launch.start().expect("started");
    let work = server.run_dir().to_owned();
    let before = fs::metadata(&wanted).expect("made").uid();
    assert_eq!(before, fs::metadata(&folder.0).expect("ours").uid(), "given back");
    server.stop(GRACE).expect("stopped");
    let log = fs::read_to_string(wanted.join("server.log")).expect("evidence");
    assert!(log.contains("'gameseed' has been set to 2025"), "{log}");
    assert_eq!(work.exists(), work == fs::canonicalize(&wanted).expect("made"));
}

#[test]
fn a_server_deaf_to_quit_and_sigterm_is_killed_with_its_children() {
    let folder = Folder::new("deaf");
    let binary = folder.program(
        "trap '' TERM\nsleep 300 & echo $! > child\n\
         echo \"2: Now accepting new client connections on port $port.\"\n\
         while :; do sleep 1; done",
    );
    let mut launch = Launch::new(binary, "classic", settings(&[]));
    launch.run_dir = Some(folder.0.join("server"));
    let server = launch.start().expect("it says it is ready");
    let child: u32 = fs::read_to_string(server.run_dir().join("child"))
        .expect("its note")
        .trim()
        .parse()
        .expect("a number");
    let begun = Instant::now();
    let stopped = server.stop(Duration::from_millis(300)).expect("stopped");
    assert_eq!((stopped.by, stopped.exit), (StoppedBy::Kill, Exit::Signal(libc::SIGKILL)));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    // Killed with its group, but not ours to reap: it may take a moment to be gone.
    assert!(gone_within(child, GRACE), "the child of the server lives on");
}

#[test]
fn sigterm_is_enough_for_one_deaf_to_quit_only() {
    let folder = Folder::new("half-deaf");
    let binary = folder.program(
        "trap 'exit 7' TERM\necho \"2: Now accepting new client connections on port $port.\"\n\
         while :; do sleep 0.05; done",
    );
    let server = Launch::new(binary, "classic", settings(&[])).start().expect("ready");
    let stopped = server.stop(Duration::from_millis(500)).expect("stopped");
    assert_eq!((stopped.by, stopped.exit), (StoppedBy::Terminate, Exit::Code(7)));
}

#[test]
fn a_server_that_never_gets_ready_is_ended_and_named() {
    let folder = Folder::new("mute");
    let binary = folder.program("echo $$ > pid\necho 'still loading'\nexec sleep 300");
    let mut launch = Launch::new(binary, "classic", settings(&[]));
    launch.run_dir = Some(folder.0.join("server"));
    launch.start_limit = Duration::from_millis(500);
    let error = launch.start().expect_err("it never gets ready");
    assert!(matches!(error, LiveError::Silent { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("waited 0.5 s") && text.contains("still loading"), "{text}");
    let pid = fs::read_to_string(folder.0.join("server/pid")).expect("its note");
    assert!(!alive(pid.trim().parse().expect("a number")));
}

#[test]
fn an_early_exit_tells_code_and_last_five_lines() {
    let folder = Folder::new("dies");
    let binary = folder.program("for i in 1 2 3 4 5 6; do echo line $i; done\necho '> '\nexit 3");
    match Launch::new(binary, "classic", settings(&[])).start() {
        Err(LiveError::ServerExited { exit: Exit::Code(3), tail, .. }) => {
            assert_eq!(tail, ["line 2", "line 3", "line 4", "line 5", "line 6"]);
        }
        other => panic!("wanted ServerExited, got {other:?}"),
    }
}

#[test]
fn a_panic_leaves_no_server() {
    let Some(binary) = real_server() else { return };
    let (told, pid) = std::sync::mpsc::channel();
    let game = std::thread::spawn(move || {
        let server = Launch::new(binary, "classic", settings(&[])).start().expect("started");
        told.send(server.pid()).expect("a listener");
        panic!("on purpose, with server {} running", server.pid());
    });
    let pid = pid.recv().expect("a pid");
    assert!(game.join().is_err());
    assert!(!alive(pid));
}

#[test]
fn a_server_outlives_the_thread_that_started_it() {
    let Some(binary) = real_server() else { return };
    let starter = std::thread::spawn(move || Launch::new(binary, "classic", settings(&[])).start());
    let mut server = starter.join().expect("no panic").expect("started");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.exited().expect("asked"), None);
    let stopped = server.stop(GRACE).expect("stopped");
    assert_eq!(stopped.by, StoppedBy::Quit);
}

const HELPER: &str = "SAGA_TEST_ORPHAN_HELPER";

/// Not a test by itself: the process that is killed by the next one.
#[test]
fn orphan_helper() {
    if std::env::var_os(HELPER).is_none() {
        return;
    }
    let binary = find(None).expect("the test before found one");
    let server = Launch::new(binary, "classic", settings(&[])).start().expect("started");
    println!("\nSERVER {} {}", server.pid(), server.run_dir().display());
    std::thread::sleep(Duration::from_mins(1));
}

#[test]
#[cfg(target_os = "linux")]
fn kill_9_of_us_leaves_no_server() {
    if real_server().is_none() {
        return;
    }
    let mut helper = Command::new(std::env::current_exe().expect("this test binary"))
        .args(["--exact", "server::tests::orphan_helper", "--nocapture"])
        .env(HELPER, "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the helper");
    let output = BufReader::new(helper.stdout.take().expect("its output"));
    let line = output.lines().map_while(Result::ok).find_map(|l| {
        let rest = l.strip_prefix("SERVER ")?.to_owned();
        let (pid, dir) = rest.split_once(' ')?;
        Some((pid.parse::<u32>().ok()?, PathBuf::from(dir)))
    });
    let (pid, dir) = line.expect("the helper starts a server");
    assert!(alive(pid));
    helper.kill().expect("killed with SIGKILL");
    helper.wait().expect("reaped");
    let begun = Instant::now();
    let gone = gone_within(pid, Duration::from_secs(5));
    eprintln!("server gone {} ms after kill -9", begun.elapsed().as_millis());
    assert!(gone, "server {pid} is an orphan");
    // Its directory goes when the next server of anybody is started.
    assert!(dir.exists());
    let next = Launch::new(real_server().expect("found above"), "classic", settings(&[]));
    let next = next.start().expect("started");
    assert!(!dir.exists() && next.run_dir().exists());
    next.stop(GRACE).expect("stopped");
}

#[test]
fn what_is_not_a_server_or_not_ours_is_told_apart() {
    match find(Some(Path::new("/bin/ls"))) {
        Err(LiveError::NotAServer { said, .. }) => assert!(said.contains("ls"), "{said}"),
        other => panic!("wanted NotAServer, got {other:?}"),
    }
    let folder = Folder::new("old");
    let mut old = folder.program("");
    let text = fs::read_to_string(&old.path).expect("the script").replace("3.0.99", "2.6.2");
    old.path = folder.0.join("old-server");
    fs::write(&old.path, text).expect("written");
    fs::set_permissions(&old.path, Permissions::from_mode(0o755)).expect("ours");
    let begun = Instant::now();
    loop {
        match find(Some(&old.path)) {
            Err(LiveError::WrongVersion { found, .. }) => return assert_eq!(found, "2.6.2"),
            // A fork of another test may hold the file open for a moment.
            Err(LiveError::NotAServer { .. }) if begun.elapsed() < GRACE => {}
            other => panic!("wanted WrongVersion, got {other:?}"),
        }
    }
}

#[test]
fn a_wrapper_that_leaves_a_child_with_the_pipe_keeps_nobody_waiting() {
    let folder = Folder::new("wrapper");
    let mut wrapped = folder.program("");
    let text = fs::read_to_string(&wrapped.path).expect("the script");
    let text = text.replace("echo 'Freeciv version 3.0.99 '", "sleep 300 &");
    wrapped.path = folder.0.join("wrapper");
    fs::write(&wrapped.path, text).expect("written");
    fs::set_permissions(&wrapped.path, Permissions::from_mode(0o755)).expect("ours");
    let begun = Instant::now();
    assert!(matches!(find(Some(&wrapped.path)), Err(LiveError::NotAServer { .. })));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}
