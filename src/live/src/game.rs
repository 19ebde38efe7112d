//! The live side of the `Game` port: each request becomes an exchange with a real server, and the
//! reply says nothing that a second run on the same server build would say differently.

mod begin;
mod opponents;
mod record;
mod session;
mod settings;
#[cfg(test)]
mod tests;
mod trial;
mod turn;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use saga_core::game::{Game, Reply, Request};
use saga_core::observation::Observation;
use saga_core::stop::Stop;

use self::session::{Halt, Session};
pub use self::trial::{Trial, trial};

/// How a live game is run. Nothing here shapes the game itself.
#[derive(Debug, Clone)]
pub struct GameOptions {
    /// The server binary; `None`: look for one, see [`crate::server::find()`].
    pub server: Option<PathBuf>,
    /// Directory for the server's own files: script, log, score log.
    pub run_dir: PathBuf,
    /// How long a server may take to start, or be silent while we wait for it.
    pub timeout: Duration,
    /// Raised to stop the game, see [`crate::interrupt`].
    pub interrupt: Arc<AtomicBool>,
}

/// A game on a server of its own. Dropping it ends the server.
#[derive(Debug)]
pub struct FreecivGame {
    options: GameOptions,
    state: State,
    spent: Spent,
    failure: Option<String>,
}

/// What the clocks said about a game so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// All time inside exchanges.
    pub exchanges: Duration,
    /// The part of it spent starting the server and waiting for its bytes.
    pub waiting: Duration,
    /// CPU seconds of the server, exact once it has ended; `None` where the system does not tell.
    pub server_cpu_s: Option<f64>,
}

#[derive(Debug)]
enum State {
    New,
    Playing(Box<Seat>),
    Closed,
}

/// A seat in a game that has begun.
#[derive(Debug)]
struct Seat {
    session: Session,
    turns_max: u32,
    /// What we saw last while we lived.
    last: Observation,
}

impl FreecivGame {
    /// A game that is yet to begin; nothing is started.
    pub fn new(options: GameOptions) -> Self {
        Self { options, state: State::New, spent: Spent::default(), failure: None }
    }

    /// What the clocks said so far.
    pub fn spent(&self) -> Spent {
        let mut spent = self.spent;
        if let State::Playing(seat) = &self.state {
            spent.waiting += seat.session.waited();
            spent.server_cpu_s = seat.session.server().cpu_seconds_so_far();
        }
        spent
    }

    /// Why the last exchange had no answer, for the user: with the paths, the server's last words
    /// and the next command, which the [`Stop`] that goes on record leaves out.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// A game that is over is finished all the same.
    fn check_interrupt(&self, request: &Request) -> Result<(), Halt> {
        let raised = self.options.interrupt.load(Ordering::Relaxed);
        if raised && *request != Request::Finish { Err(Halt::Interrupted) } else { Ok(()) }
    }

    /// # Panics
    /// When asked out of order: first `Begin`, then orders and turns, then `Finish`.
    fn answer(&mut self, request: &Request) -> Result<Reply, Halt> {
        match (request, &mut self.state) {
            (Request::Begin { game }, State::New) => {
                let (seat, reply) = begin::begin(&self.options, game, &mut self.spent.waiting)?;
                self.state = State::Playing(Box::new(seat));
                Ok(reply)
            }
            (Request::Orders { orders }, State::Playing(seat)) => seat.carry_out(orders),
            (Request::EndTurn { turn }, State::Playing(seat)) => seat.end_turn(*turn),
            (Request::Finish, State::Playing(_)) => match self.leave() {
                Some(seat) => self.finish(seat),
                None => unreachable!("a game that is played has a seat"),
            },
            _ => panic!("the turn loop begins a game, plays turns and finishes it, each once"),
        }
    }

    /// Leaves the game: takes the seat, keeping what its clocks said.
    fn leave(&mut self) -> Option<Seat> {
        self.spent = self.spent();
        match std::mem::replace(&mut self.state, State::Closed) {
            State::Playing(seat) => Some(*seat),
            State::New | State::Closed => None,
        }
    }
}

impl Game for FreecivGame {
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop> {
        let begun = Instant::now();
        let answer = self.check_interrupt(request).and_then(|()| self.answer(request));
        if let Err(halt) = &answer {
            self.failure = halt.words();
            // Ends the server: a game that stopped is never gone on with.
            drop(self.leave());
        }
        self.spent.exchanges += begun.elapsed();
        answer.map_err(Stop::from)
    }
}
