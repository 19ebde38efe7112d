//! Ends of a game that cannot be waited for: they are brought about on the console of a real
//! server, which only this crate can reach.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use saga_core::game::{Game, Over, Reply, Request};
use saga_core::spec::GameSpec;

use super::{FreecivGame, GameOptions, State};
use crate::LiveError;
use crate::server::find;

/// Ends every unit of every player but the first, on the server's own terms.
const KILL_ALL_OTHERS: &str = "lua cmd for p in players_iterate() do if p.id ~= 0 then \
    for u in p:units_iterate() do u:kill('disbanded') end end end";

/// A game that has begun, with its directory; `None` without a server.
fn begun(name: &str, turns_max: u32) -> Option<(FreecivGame, PathBuf)> {
    match find(None) {
        Ok(_) => {}
        Err(error @ LiveError::NoServer { .. }) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: {error}");
            return None;
        }
        Err(error) => panic!("no usable server, and that is not one to skip over: {error}"),
    }
    let run_dir = std::env::temp_dir().join(format!("saga-{name}-{}", std::process::id()));
    let timeout = Duration::from_secs(30);
    let interrupt = Arc::default();
    let options = GameOptions { server: None, run_dir: run_dir.clone(), timeout, interrupt };
    let settings = [
        ("topology", ""),
        ("mapsize", "XYSIZE"),
        ("xsize", "23"),
        ("ysize", "23"),
        ("minplayers", "1"),
        ("autotoggle", "disabled"),
        ("timeout", "0"),
        ("scorelog", "enabled"),
        ("scorefile", "score.log"),
        ("autosaves", ""),
    ];
    let spec = GameSpec {
        ruleset: "classic".to_owned(),
        opponents: 2,
        ai_skill: "easy".to_owned(),
        map_seed: 2025,
        game_seed: 2025,
        turns_max,
        settings: settings.map(|(n, v)| (n.to_owned(), v.to_owned())).to_vec(),
    };
    let mut game = FreecivGame::new(options);
    game.exchange(&Request::Begin { game: spec }).expect("begun");
    Some((game, run_dir))
}

#[test]
fn the_last_player_alive_is_the_winner() {
    let Some((mut game, run_dir)) = begun("victory", 20) else { return };
    let State::Playing(seat) = &mut game.state else { panic!("a game that began is played") };
    seat.session.server_mut().console(KILL_ALL_OTHERS).expect("a console");
    let mut turn = 1;
    let (how, seat) = loop {
        match game.exchange(&Request::EndTurn { turn }).expect("a turn") {
            Reply::TurnBegun { observation } => turn = observation.turn,
            Reply::Over { how, observation } => break (how, observation.seat),
            other => panic!("{other:?}"),
        }
    };
    assert!(how == Over::Victory && turn < 20, "{how:?} in turn {turn}");
    match game.exchange(&Request::Finish).expect("finished") {
        Reply::Finished { record } => assert_eq!(record.winners, [seat.0]),
        other => panic!("{other:?}"),
    }
    let _ = std::fs::remove_dir_all(run_dir);
}

#[test]
fn an_interrupt_after_the_end_leaves_the_game_decided() {
    let Some((mut game, run_dir)) = begun("decided", 1) else { return };
    let State::Playing(seat) = &mut game.state else { panic!("a game that began is played") };
    seat.pass(1).expect("the last turn");
    assert!(seat.session.world.ending().is_some());
    game.options.interrupt.store(true, Ordering::Relaxed);
    match seat.over(1).expect("decided") {
        Reply::Over { how: Over::TurnLimit, .. } => {}
        other => panic!("{other:?}"),
    }
    let finished = game.exchange(&Request::Finish).expect("finished");
    assert!(matches!(finished, Reply::Finished { .. }));
    let _ = std::fs::remove_dir_all(run_dir);
}
