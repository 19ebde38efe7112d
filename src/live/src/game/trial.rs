//! A game that is not played: a server is started as for a real one, joined, asked what it took of
//! the description, brought to its first turn, and stopped. Tells in about a second what a game
//! would end by.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use saga_core::spec::GameSpec;
use saga_freeciv::v3_0;

use super::begin::{self, USERNAME};
use super::session::{Halt, Session};
use super::settings;
use crate::LiveError;
use crate::server::ServerBinary;
use crate::server::process::Exit;

/// A server that works on its first turn uses the processor; one that uses less than [`AT_WORK`] in
/// this time waits for something that will not come.
const PATIENCE: Duration = Duration::from_secs(2);
/// Processor time, in seconds.
const AT_WORK: f64 = 0.1;

/// How long each step of ending the server may take.
const GRACE: Duration = Duration::from_secs(5);

/// What a server that took the description said and how long it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The server's capability string.
    pub capability: String,
    /// Every setting as the server reported it, by name.
    pub settings: BTreeMap<String, String>,
    /// From our fork to its accepting connections.
    pub starting: Duration,
    /// From there to our seat, with everything told.
    pub joining: Duration,
    /// From there to the first turn.
    pub beginning: Duration,
    /// From our asking it to end to its end.
    pub stopping: Duration,
}

/// Starts `binary` with the description of `game` in a private directory, joins it, compares what
/// it reports with what was asked for, has it begin the first turn, and stops it. Plays nothing and
/// leaves nothing behind.
/// `limit`: how long the start, and one answer, may take.
///
/// # Errors
/// Any [`LiveError`] with which a game would not begin; those of the description itself are told
/// by [`LiveError::is_refusal`].
pub fn trial(binary: &ServerBinary, game: &GameSpec, limit: Duration) -> Result<Trial, LiveError> {
    let wanted = settings::wanted(game)?;
    let launch = begin::launch(binary.clone(), game, &wanted, limit)?;
    let began = Instant::now();
    let server = launch.start()?;
    let started = Instant::now();
    // Bounded by the limit and short, so nobody can interrupt it.
    let joined = Session::connect(server, v3_0(), limit, Arc::default())
        .and_then(|mut session| session.join(USERNAME).map(|()| session));
    let mut session = joined.map_err(lost)?;
    begin::check(game, &wanted, &session)?;
    let joined = Instant::now();
    let capability = session.capability.clone();
    let settings = session.world.settings().clone();
    first_turn(&mut session, limit)?;
    let begun = Instant::now();
    session.close().stop(GRACE)?;
    Ok(Trial {
        capability,
        settings,
        starting: started - began,
        joining: joined - started,
        beginning: begun - joined,
        stopping: begun.elapsed(),
    })
}

/// Brings the game to its first turn.
///
/// # Errors
/// [`LiveError::CannotStart`] when the server ends itself over it or has nothing left to do.
fn first_turn(session: &mut Session, limit: Duration) -> Result<(), LiveError> {
    // What it said before we sat down is no reason.
    let cannot = |tail: Vec<String>| {
        let seated = tail.iter().rposition(|line| line.contains(" has connected from "));
        let said = tail.into_iter().skip(seated.map_or(0, |at| at + 1)).collect();
        LiveError::CannotStart { said }
    };
    let begun = Instant::now();
    begin::ready(session).map_err(lost)?;
    loop {
        let before = session.server().cpu_seconds_so_far();
        match begin::first_turn(session, PATIENCE.min(limit)).map_err(lost) {
            Ok(()) => return Ok(()),
            Err(LiveError::Silent { what, tail, .. }) => {
                let used = session.server().cpu_seconds_so_far().zip(before).map(|(a, b)| a - b);
                if used.is_some_and(|seconds| seconds < AT_WORK) {
                    return Err(cannot(tail));
                }
                if begun.elapsed() >= limit {
                    return Err(LiveError::Silent { what, limit, tail });
                }
            }
            Err(LiveError::ServerExited { exit: Exit::Code(_), tail, .. }) => {
                return Err(cannot(tail));
            }
            Err(error) => return Err(error),
        }
    }
}

fn lost(halt: Halt) -> LiveError {
    match halt {
        Halt::Lost(error) => error,
        Halt::Interrupted => unreachable!("nobody else holds the flag"),
    }
}
