//! The live game port on real servers: what it answers, that it answers the same twice, and how it
//! ends when the server, the settings or the user will not have it go on.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use saga_core::action::{Action, Actor, Order, Outcome};
use saga_core::game::{FinalRecord, Game, Over, Reply, Request};
use saga_core::observation::Observation;
use saga_core::spec::GameSpec;
use saga_core::stop::Stop;
use saga_live::server::find;
use saga_live::{FreecivGame, GameOptions, LiveError};

const TIMEOUT: Duration = Duration::from_secs(30);

/// Whether there is a server to play on; says so if not. In CI there must be one.
fn server_found() -> bool {
    match find(None) {
        Ok(_) => true,
        Err(error @ LiveError::NoServer { .. }) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: {error}");
            false
        }
        Err(error) => panic!("no usable server, and that is not one to skip over: {error}"),
    }
}

/// A folder of a test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("saga-games-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder under the temporary directory");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our own folder");
        Self(path)
    }

    fn options(&self) -> GameOptions {
        GameOptions {
            server: None,
            run_dir: self.0.join("server"),
            timeout: TIMEOUT,
            interrupt: Arc::new(AtomicBool::new(false)),
        }
    }

    fn game(&self) -> FreecivGame {
        FreecivGame::new(self.options())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn spec(turns_max: u32, ai_skill: &str, changes: &[(&str, &str)]) -> GameSpec {
    let settings = [
        ("topology", ""),
        ("mapsize", "XYSIZE"),
        ("xsize", "23"),
        ("ysize", "23"),
        ("minplayers", "1"),
        ("autotoggle", "disabled"),
        ("barbarians", "NORMAL"),
        ("onsetbarbs", "60"),
        ("victories", "SPACERACE|ALLIED"),
        ("timeout", "0"),
        ("phasemode", "ALL"),
        ("turnblock", "enabled"),
        ("pingtime", "1800"),
        ("netwait", "0"),
        ("nettimeout", "0"),
        ("scorelog", "enabled"),
        ("scorefile", "score.log"),
        ("scoreloglevel", "ALL"),
        ("autosaves", ""),
        ("compresstype", "LIBZ"),
        ("threaded_save", "disabled"),
    ];
    let changed = |name: &str| changes.iter().any(|(n, _)| *n == name);
    let kept = settings.into_iter().filter(|(name, _)| !changed(name));
    GameSpec {
        ruleset: "classic".to_owned(),
        opponents: 2,
        ai_skill: ai_skill.to_owned(),
        map_seed: 2025,
        game_seed: 2025,
        turns_max,
        settings: kept
            .chain(changes.iter().copied())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
    }
}

fn begin(game: &mut FreecivGame, spec: GameSpec) -> Reply {
    game.exchange(&Request::Begin { game: spec }).expect("a game that begins")
}

fn end_turn(game: &mut FreecivGame, turn: u32) -> Result<Reply, Stop> {
    game.exchange(&Request::EndTurn { turn })
}

fn finish(game: &mut FreecivGame) -> FinalRecord {
    match game.exchange(&Request::Finish).expect("a finished game") {
        Reply::Finished { record } => record,
        other => panic!("{other:?}"),
    }
}

/// Ends turns until the game is over, handing each reply to `see`.
fn idle(game: &mut FreecivGame, mut see: impl FnMut(&Reply)) -> (Over, Observation) {
    for turn in 1.. {
        let reply = end_turn(game, turn).expect("a game that goes on");
        see(&reply);
        match reply {
            Reply::TurnBegun { observation } => assert_eq!(observation.turn, turn + 1),
            Reply::Over { how, observation } => return (how, *observation),
            other => panic!("{other:?}"),
        }
    }
    unreachable!("turns do not run out")
}

fn lost(reply: Result<Reply, Stop>) -> String {
    match reply {
        Err(Stop::ServerLost(text)) => text,
        other => panic!("wanted a lost server, got {other:?}"),
    }
}

/// The process id of the only server that works in this directory.
fn server_in(dir: &Path) -> u32 {
    let wanted = fs::canonicalize(dir).expect("a run directory");
    let processes = fs::read_dir("/proc").expect("a proc file system");
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .find(|pid| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == wanted))
        .expect("a server that works there")
}

/// As [`server_in`], also when it works in a private directory of ours. No other test has one.
fn server_of(dir: &Path) -> u32 {
    let private = std::env::temp_dir().join(format!("saga-server-{}-", std::process::id()));
    let private = private.display().to_string();
    let entries = fs::read_dir("/proc").expect("a proc file system");
    let works_there = |pid: &u32| {
        fs::read_link(format!("/proc/{pid}/cwd"))
            .is_ok_and(|cwd| cwd == dir || cwd.display().to_string().starts_with(&private))
    };
    let mut pids =
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    pids.find(works_there).expect("a server that works there")
}

fn signal(name: &str, pid: u32) {
    // The shell's own: a bare Debian has no program of that name.
    let kill = Command::new("sh").args(["-c", &format!("kill {name} {pid}")]).status();
    let kill = kill.expect("a shell");
    assert!(kill.success());
}

#[test]
fn two_idle_games_with_equal_seeds_give_equal_replies() {
    if !server_found() {
        return;
    }
    let play = |name: &str, seed: u32| {
        let folder = Folder::new(name);
        let mut game = folder.game();
        let mut spec = spec(20, "easy", &[]);
        spec.game_seed = seed;
        let text = |reply: &Reply| serde_json::to_string(reply).expect("plain data");
        let mut replies = vec![text(&begin(&mut game, spec))];
        let (how, _) = idle(&mut game, |reply| replies.push(text(reply)));
        assert_eq!(how, Over::TurnLimit);
        replies.push(text(&game.exchange(&Request::Finish).expect("finished")));
        replies
    };
    let [first, second, other] = thread::scope(|scope| {
        [("equal-1", 7), ("equal-2", 7), ("other", 8)]
            .map(|(name, seed)| scope.spawn(move || play(name, seed)))
            .map(|game| game.join().expect("a game played to its end"))
    });
    assert_eq!(first.len(), 22);
    for (turn, (a, b)) in first.iter().zip(&second).enumerate() {
        assert_eq!(a, b, "reply {turn}");
    }
    assert_ne!(first[1], other[1]);
}

/// For everybody who can do something the choice that `turn` and position make; who can found a
/// city does.
fn orders(observation: &Observation) -> Vec<Order> {
    let choose = |actor: Actor, actions: &[Action]| {
        let place =
            (observation.turn as usize * 7 + observation.events.len()) % actions.len().max(1);
        let found = actions.iter().find(|action| **action == Action::FoundCity);
        let action = found.or_else(|| actions.get(place))?.clone();
        Some(Order { actor, action })
    };
    let units = observation.units.iter().filter(|unit| unit.moves > 0);
    let mut orders = vec![choose(Actor::Player, &observation.me.technology_actions)];
    orders.extend(observation.cities.iter().map(|c| choose(Actor::City(c.id), &c.actions)));
    orders.extend(units.map(|unit| choose(Actor::Unit(unit.id), &unit.actions)));
    orders.into_iter().flatten().collect()
}

#[test]
fn two_games_with_equal_orders_give_equal_replies() {
    if !server_found() {
        return;
    }
    let play = |name: &str| {
        let folder = Folder::new(name);
        let mut game = folder.game();
        let Reply::Begun { mut observation, .. } = begin(&mut game, spec(15, "hard", &[])) else {
            panic!("wanted Begun");
        };
        let (mut replies, mut done, mut cities) = (Vec::new(), 0, 0);
        while observation.turn < 15 {
            let orders = Request::Orders { orders: orders(&observation) };
            let settled = game.exchange(&orders).expect("settled");
            let Reply::Settled { outcomes, observation: after } = &settled else {
                panic!("{settled:?}");
            };
            done += outcomes.iter().filter(|outcome| **outcome == Outcome::Done).count();
            cities = cities.max(after.cities.len());
            replies.push(serde_json::to_string(&settled).expect("plain data"));
            match end_turn(&mut game, observation.turn).expect("a turn") {
                Reply::TurnBegun { observation: next } => observation = next,
                other => panic!("{other:?}"),
            }
        }
        assert!(done > 30 && cities > 1, "{done} orders done, {cities} cities");
        replies
    };
    let [first, second] = thread::scope(|scope| {
        ["busy-1", "busy-2"]
            .map(|name| scope.spawn(move || play(name)))
            .map(|game| game.join().expect("a game played"))
    });
    for (i, (a, b)) in first.iter().zip(&second).enumerate() {
        assert_eq!(a, b, "orders of turn {}", i + 1);
    }
}

#[test]
fn a_game_tells_who_serves_it_and_leaves_every_score() {
    if !server_found() {
        return;
    }
    let folder = Folder::new("record");
    let mut game = folder.game();
    let Reply::Begun { server, rules, observation } = begin(&mut game, spec(5, "hard", &[])) else {
        panic!("wanted Begun");
    };
    assert!(server.version.starts_with("3.0."), "{}", server.version);
    assert!(server.capability.contains("+Freeciv-3.0-network"), "{}", server.capability);
    assert_eq!(server.binary_hash.len(), 64);
    let setting = |name: &str| server.settings.iter().find(|(n, _)| n == name).map(|(_, v)| &**v);
    assert_eq!((setting("gameseed"), setting("aifill")), (Some("2025"), Some("3")));
    assert!(server.settings.len() > 100 && server.settings.is_sorted());
    assert_eq!(rules.name, "Classic ruleset");
    assert_eq!((observation.turn, observation.units.len()), (1, 5));

    let seat = observation.seat;
    let orders = vec![Order { actor: Actor::Unit(observation.units[0].id), action: Action::Skip }];
    match game.exchange(&Request::Orders { orders }).expect("settled") {
        Reply::Settled { outcomes, observation } => {
            assert_eq!((outcomes, observation.turn), (vec![Outcome::Done], 1));
        }
        other => panic!("{other:?}"),
    }
    let (how, last) = idle(&mut game, |_| ());
    assert_eq!((how, last.seat), (Over::TurnLimit, seat));
    let record = finish(&mut game);
    assert_eq!(record.winners, Vec::<u16>::new());
    assert_eq!(record.players.iter().map(|p| p.seat).collect::<Vec<_>>(), [0, 1, 2]);
    for player in &record.players {
        let turns: Vec<u32> = player.series["score"].iter().map(|(turn, _)| *turn).collect();
        assert_eq!(turns, [1, 2, 3, 4, 5, 6]);
    }
    let spent = game.spent();
    assert!(spent.server_cpu_s.is_some_and(|s| s > 0.1), "{spent:?}");
    assert!(spent.waiting < spent.exchanges, "{spent:?}");
}

#[test]
fn a_game_with_a_refused_setting_is_not_played() {
    if !server_found() {
        return;
    }
    let check = |name: &str, spec: GameSpec, parts: &[&str]| {
        let folder = Folder::new(name);
        let text = match folder.game().exchange(&Request::Begin { game: spec }) {
            Err(Stop::Refused(text)) => text,
            other => panic!("wanted a refusal, got {other:?}"),
        };
        for part in parts {
            assert!(text.contains(part), "{text:?} lacks {part:?}");
        }
    };
    check(
        "small",
        spec(5, "easy", &[("xsize", "5")]),
        &["xsize is \"64\", wanted \"5\"", "Value out of range: 5 (min: 16", "[game] table"],
    );
    let odd = [("topology", "ISO"), ("ysize", "23")];
    check("odd", spec(5, "easy", &odd), &["ysize is \"64\", wanted \"23\"", "must be even"]);
    check("unknown", spec(5, "easy", &[("nosuch", "1")]), &["nosuch is unknown", "wanted \"1\""]);
    check("twice", spec(5, "easy", &[("endturn", "9")]), &["endturn = \"9\"", "\"5\""]);
    let mut ruleset = spec(5, "easy", &[]);
    ruleset.ruleset = "nosuch".to_owned();
    check("ruleset", ruleset.clone(), &["(it said: Ruleset directory \"nosuch\" not found)"]);
    // A folder of the server's data that holds none: it would play its own default.
    ruleset.ruleset = "themes".to_owned();
    check("fallback", ruleset, &["no ruleset \"themes\"", "would play \"civ2civ3\""]);
    let mut seed = spec(5, "easy", &[]);
    seed.game_seed = 0;
    check("seed", seed, &["gameseed = \"0\" refused"]);
}

#[test]
fn no_server_is_told_with_the_next_command() {
    let folder = Folder::new("none");
    let mut options = folder.options();
    options.server = Some(PathBuf::from("/nonexistent/freeciv-server"));
    let begin = Request::Begin { game: spec(5, "easy", &[]) };
    let mut game = FreecivGame::new(options);
    assert_eq!(lost(game.exchange(&begin)), "no Freeciv server found");
    let text = game.failure().expect("words for the user");
    assert!(text.contains("/nonexistent/freeciv-server") && text.contains("--server"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_server_is_noticed_at_once_and_named() {
    if !server_found() {
        return;
    }
    let folder = Folder::new("killed");
    let mut game = folder.game();
    begin(&mut game, spec(20, "easy", &[]));
    end_turn(&mut game, 1).expect("a turn");
    signal("-KILL", server_in(&folder.0.join("server")));
    let begun = Instant::now();
    let text = lost(end_turn(&mut game, 2));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(text.contains("ended (signal 9)") && text.contains("to begin turn 3"), "{text}");
    let told = game.failure().expect("words for the user");
    assert!(told.starts_with(&text) && told.contains("last lines"), "{told}");
}

/// What a trace would keep of failures must not tell where they happened.
#[test]
#[cfg(target_os = "linux")]
fn games_that_fail_in_other_folders_stop_with_the_same_words() {
    if !server_found() {
        return;
    }
    let fail = |name: &str, mode: u32| {
        let folder = Folder::new(name);
        // A folder of mode 700 makes root's server work in a private one.
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(mode)).expect("our own");
        let begin = |changes: &[(&str, &str)]| Request::Begin { game: spec(5, "easy", changes) };
        let refused = folder.game().exchange(&begin(&[("xsize", "5")])).expect_err("refused");
        let mut unknown = spec(5, "easy", &[]);
        unknown.ruleset = "nosuch".to_owned();
        let unknown = folder.game().exchange(&Request::Begin { game: unknown }).expect_err("none");
        let mut game = folder.game();
        game.exchange(&begin(&[])).expect("begun");
        signal("-KILL", server_of(&folder.0.join("server")));
        let killed = end_turn(&mut game, 1).expect_err("killed");
        let all = format!("{refused}\n{unknown}\n{killed}");
        assert!(!all.contains(name) && !all.contains("/tmp"), "{all}");
        all
    };
    assert_eq!(fail("fails-here", 0o755), fail("fails-elsewhere", 0o700));
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_stops_answering_is_ended_after_the_limit() {
    if !server_found() {
        return;
    }
    let folder = Folder::new("stopped");
    let mut options = folder.options();
    options.timeout = Duration::from_secs(2);
    let mut game = FreecivGame::new(options);
    begin(&mut game, spec(20, "easy", &[]));
    let pid = server_in(&folder.0.join("server"));
    signal("-STOP", pid);
    let begun = Instant::now();
    let text = lost(end_turn(&mut game, 1));
    let took = begun.elapsed();
    assert!(took >= Duration::from_secs(2) && took < Duration::from_secs(4), "{took:?}");
    assert!(text.contains("waited 2 s for the Freeciv server to begin turn 2"), "{text}");
    assert!(!Path::new(&format!("/proc/{pid}/cwd")).exists(), "server {pid} lives on");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_ends_a_wait_and_the_next_exchange() {
    if !server_found() {
        return;
    }
    let folder = Folder::new("interrupt");
    let options = folder.options();
    let interrupt = Arc::clone(&options.interrupt);
    let mut game = FreecivGame::new(options.clone());
    begin(&mut game, spec(20, "easy", &[]));
    signal("-STOP", server_in(&folder.0.join("server")));
    let raiser = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        interrupt.store(true, Ordering::Relaxed);
    });
    let begun = Instant::now();
    assert_eq!(end_turn(&mut game, 1), Err(Stop::Interrupted));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    raiser.join().expect("raised");
    let begin = Request::Begin { game: spec(20, "easy", &[]) };
    assert_eq!(FreecivGame::new(options).exchange(&begin), Err(Stop::Interrupted));
}

#[test]
fn a_dead_player_sees_nothing_more_and_the_rest_is_played_out() {
    if !server_found() {
        return;
    }
    let folder = Folder::new("dead");
    let mut game = folder.game();
    begin(&mut game, spec(120, "hard", &[]));
    let mut lived_in = 1;
    let (how, last) = idle(&mut game, |reply| {
        if let Reply::TurnBegun { observation } = reply {
            assert!(observation.me.alive);
            lived_in = observation.turn;
        }
    });
    assert_eq!(how, Over::Eliminated);
    assert!(last.me.alive && last.turn == lived_in && lived_in < 120, "{lived_in}");
    let record = finish(&mut game);
    let (barbarians, players): (Vec<_>, Vec<_>) =
        record.players.iter().partition(|player| player.barbarian.is_some());
    assert!(barbarians.iter().all(|player| player.series.is_empty()), "the log has none");
    assert_eq!(players.len(), 3);
    for player in players {
        // The score log drops a player when it dies.
        let end = if player.seat == last.seat.0 { lived_in + 1 } else { 121 };
        let scores = &player.series["score"];
        assert_eq!(scores.last().map(|(turn, _)| *turn), Some(end), "{}", player.name);
    }
}
