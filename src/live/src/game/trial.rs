//! A game that is not played: a server is started as for a real one, joined, asked what it took of
//! the description, and stopped. Tells in a fraction of a second what a game would end by.

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
    /// From our asking it to end to its end.
    pub stopping: Duration,
}

/// Starts `binary` with the description of `game` in a private directory, joins it, compares what
/// it reports with what was asked for, and stops it. Plays nothing and leaves nothing behind.
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
    let session = match joined {
        Ok(session) => session,
        Err(Halt::Lost(error)) => return Err(error),
        Err(Halt::Interrupted) => unreachable!("nobody else holds the flag"),
    };
    begin::check(game, &wanted, &session)?;
    let joined = Instant::now();
    let capability = session.capability.clone();
    let settings = session.world.settings().clone();
    session.close().stop(GRACE)?;
    Ok(Trial {
        capability,
        settings,
        starting: started - began,
        joining: joined - started,
        stopping: joined.elapsed(),
    })
}
