//! From a description to the first turn: a server with exactly these settings, our seat at it, and
//! proof that it plays what was asked for.

use std::time::{Duration, Instant};

use saga_core::game::{Reply, ServerRecord};
use saga_core::spec::GameSpec;
use saga_freeciv::v3_0;

use super::session::{Awaited, Halt, Session};
use super::{GameOptions, Seat, settings};
use crate::LiveError;
use crate::server::{Launch, Script, ServerBinary, find};

/// The name we join under. The server repeats it, so it is the same in every game.
pub(super) const USERNAME: &str = "saga";

/// Starts a server and plays it up to its first turn. Adds the time the start took to `starting`.
pub(super) fn begin(
    options: &GameOptions,
    game: &GameSpec,
    starting: &mut Duration,
) -> Result<(Seat, Reply), Halt> {
    let wanted = settings::wanted(game)?;
    let binary = find(options.server.as_deref())?;
    let (version, binary_hash) = (binary.version.clone(), binary.blake3.clone());
    let mut launch = launch(binary, game, &wanted, options.timeout)?;
    launch.run_dir = Some(options.run_dir.clone());
    let begun = Instant::now();
    let server = launch.start()?;
    *starting += begun.elapsed();

    let interrupt = options.interrupt.clone();
    let mut session = Session::connect(server, v3_0(), options.timeout, interrupt)?;
    session.join(USERNAME)?;
    check(game, &wanted, &session)?;
    // As the server reported them when we checked them, not as turns may change them.
    let settings = session.world.settings().clone().into_iter().collect();
    start_game(&mut session)?;

    let Some(rules) = session.world.rules() else {
        return Err(session.unexpected("began the game", "to be told its ruleset before that"));
    };
    let capability = session.capability.clone();
    let server = ServerRecord { version, capability, binary_hash, settings };
    let seat = Seat { last: session.look()?, session, turns_max: game.turns_max };
    let observation = Box::new(seat.last.clone());
    Ok((seat, Reply::Begun { server, rules, observation }))
}

/// What to start for a game; its directory is the caller's to say.
pub(super) fn launch(
    binary: ServerBinary,
    game: &GameSpec,
    wanted: &[(String, String)],
    limit: Duration,
) -> Result<Launch, LiveError> {
    let mut launch = Launch::new(binary, &game.ruleset, Script::new(wanted, &game.ai_skill)?);
    launch.start_limit = limit;
    Ok(launch)
}

/// Refuses to play anything but what was asked for.
pub(super) fn check(
    game: &GameSpec,
    wanted: &[(String, String)],
    session: &Session,
) -> Result<(), LiveError> {
    let mut differences = settings::differences(wanted, session.world.settings());
    differences.append(&mut session.opponents.differences(game));
    if differences.is_empty() {
        return Ok(());
    }
    let said = session.server().script_complaints();
    let known = session.world.settings().keys().cloned().collect();
    Err(LiveError::SettingsDiffer { differences, said, known })
}

/// Says that we are ready, which starts the game since nobody else is waited for.
fn start_game(session: &mut Session) -> Result<(), Halt> {
    ready(session)?;
    let limit = session.limit();
    first_turn(session, limit)
}

/// Queues that we are ready; the next wait sends it.
pub(super) fn ready(session: &mut Session) -> Result<(), Halt> {
    let Some(seat) = session.world.seat() else {
        return Err(session.unexpected("gave us no player", "a player of our own"));
    };
    let seat = i64::from(seat.0);
    session.queue("PLAYER_READY", &[("player_no", seat.into()), ("is_ready", true.into())])
}

/// Waits for the first turn, at most `limit`.
pub(super) fn first_turn(session: &mut Session, limit: Duration) -> Result<(), Halt> {
    session.wait(Awaited::Turn(1), limit, |session| session.world.turns_begun() > 0)
}
