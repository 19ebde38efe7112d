//! Where games are played. The runner knows this much of it, so that tests can put a toy game in
//! its place; an experiment file cannot.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use saga_core::game::{Game, Reply, Request};
use saga_core::spec::{EpisodeSpec, GameSpec};
use saga_core::stop::Stop;
use saga_core::trace::Stem;
use saga_live::server::{self, ServerBinary};
use saga_live::{FreecivGame, GameOptions, LiveError};

use super::builds::Build;

/// A place where games are played.
pub(super) trait Host: Sync {
    /// The build that plays every game opened here.
    fn build(&self) -> Build;

    /// Whether a game like this would begin.
    ///
    /// # Errors
    /// Why not.
    fn trial(&self, game: &GameSpec, limit: Duration) -> Result<(), LiveError>;

    /// A game of its own, not begun yet. Evidence is kept beside the trace, under its stem.
    fn open(&self, spec: &EpisodeSpec, stem: &Stem) -> Box<dyn Seat>;
}

/// A game that can tell what it cost.
pub(super) trait Seat: Game {
    /// User and system seconds of the server so far, where known.
    fn server_cpu_s(&self) -> Option<f64>;

    /// Why it stopped, for the user; `None` when its [`Stop`] says all there is to say.
    fn failure(&self) -> Option<String>;
}

/// A real server for each game.
pub(super) struct Freeciv {
    binary: ServerBinary,
    asked: Arc<AtomicBool>,
}

impl Freeciv {
    /// Finds the server once, before anything is made; every game of the matrix is played on it.
    /// Games look at `asked` while they wait.
    pub(super) fn find(named: Option<&Path>, asked: Arc<AtomicBool>) -> Result<Self, LiveError> {
        Ok(Self { binary: server::find(named)?, asked })
    }
}

impl Host for Freeciv {
    fn build(&self) -> Build {
        Build { version: self.binary.version.clone(), binary_hash: self.binary.blake3.clone() }
    }

    fn trial(&self, game: &GameSpec, limit: Duration) -> Result<(), LiveError> {
        saga_live::trial(&self.binary, game, limit).map(drop)
    }

    fn open(&self, spec: &EpisodeSpec, stem: &Stem) -> Box<dyn Seat> {
        let game = FreecivGame::new(GameOptions {
            server: Some(self.binary.path.clone()),
            run_dir: stem.with(SERVER_FILES),
            timeout: Duration::from_secs(u64::from(spec.operation.server_timeout_s)),
            interrupt: Arc::clone(&self.asked),
        });
        Box::new(FreecivSeat { game, build: self.build() })
    }
}

/// Folder of the server's own files, beside the trace.
const SERVER_FILES: &str = ".server";

struct FreecivSeat {
    game: FreecivGame,
    /// The build of the whole matrix: a package may be upgraded while it is played.
    build: Build,
}

impl Game for FreecivSeat {
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop> {
        let reply = self.game.exchange(request)?;
        match &reply {
            Reply::Begun { server, .. } if Build::from(server) != self.build => {
                Err(Stop::ServerLost(format!(
                    "the server was replaced while the matrix was played: it was {}, now it is {}",
                    self.build,
                    Build::from(server)
                )))
            }
            _ => Ok(reply),
        }
    }
}

impl Seat for FreecivSeat {
    fn server_cpu_s(&self) -> Option<f64> {
        self.game.spent().server_cpu_s
    }

    fn failure(&self) -> Option<String> {
        self.game.failure().map(|words| format!("server lost: {words}"))
    }
}
