//! One seat at a running server: process, socket, protocol and world model held together, and the
//! one loop that waits for anything. It ends on an answer, a dead server, a limit or an interrupt.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use saga_core::observation::Observation;
use saga_core::stop::Stop;
use saga_freeciv::{
    Connection, Event, Limits, Packet, Protocol, ProtocolError, Request, Value, World,
};

use super::opponents::Opponents;
use crate::LiveError;
use crate::server::Server;
use crate::socket::{Got, Socket};

/// What a server gets to die of whatever broke the connection, so that its end can be told.
const LAST_BREATH: Duration = Duration::from_secs(2);

/// Why an exchange has no answer.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Somebody asked us to stop.
    Interrupted,
    /// The game is lost, or never began.
    Lost(LiveError),
}

impl Halt {
    /// All that can be told of a lost game.
    pub(super) fn words(&self) -> Option<String> {
        match self {
            Self::Interrupted => None,
            Self::Lost(error) => Some(error.to_string()),
        }
    }
}

impl From<LiveError> for Halt {
    fn from(error: LiveError) -> Self {
        Self::Lost(error)
    }
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Interrupted => Self::Interrupted,
            Halt::Lost(error) if error.is_refusal() => Self::Refused(error.for_trace()),
            Halt::Lost(error) => Self::ServerLost(error.for_trace()),
        }
    }
}

/// What the server is waited for to do, in which turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// To let us join and tell everything about itself.
    Join,
    /// To carry out what we asked.
    Effects(u32),
    /// To begin this turn, or to end the game.
    Turn(u32),
    /// To play the game out after our death in this turn.
    End(u32),
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Join => f.write_str("to let us join"),
            Self::Effects(turn) => write!(f, "to carry out our requests of turn {turn}"),
            Self::Turn(turn) => write!(f, "to begin turn {turn}"),
            Self::End(turn) => write!(f, "to play on to the end after our death in turn {turn}"),
        }
    }
}

/// A connected seat.
#[derive(Debug)]
pub(crate) struct Session {
    server: Server,
    socket: Socket,
    connection: Connection,
    limit: Duration,
    interrupt: Arc<AtomicBool>,
    /// What the server told us.
    pub(crate) world: World,
    /// Who else plays, as told.
    pub(crate) opponents: Opponents,
    /// The server's capability string.
    pub(crate) capability: String,
}

impl Session {
    /// Connects to a started server; nothing is sent yet.
    pub(crate) fn connect(
        server: Server,
        protocol: &'static Protocol,
        limit: Duration,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, Halt> {
        let no_tail = |source| LiveError::Protocol { source, tail: Vec::new() };
        let connection = Connection::new(protocol, Limits::default()).map_err(no_tail)?;
        let world = World::new(protocol).map_err(|e| no_tail(e.into()))?;
        let opponents = Opponents::new(protocol).map_err(|e| no_tail(e.into()))?;
        let address = SocketAddr::V4(server.address());
        let name = PathBuf::from("the Freeciv server on 127.0.0.1");
        let socket = Socket::connect(address, limit).map_err(LiveError::io("connect to", &name))?;
        let capability = String::new();
        Ok(Self { server, socket, connection, limit, interrupt, world, opponents, capability })
    }

    /// Joins under `username`; returns when the server has told all it has to say about that.
    pub(crate) fn join(&mut self, username: &str) -> Result<(), Halt> {
        self.connection.join(username).map_err(|e| self.broken(e))?;
        self.wait(Awaited::Join, self.limit, |session| session.connection.outstanding() == 0)
    }

    /// Sends these requests in one piece and waits until their effects are told.
    pub(crate) fn ask(&mut self, requests: Vec<Request>) -> Result<(), Halt> {
        for request in requests {
            self.queue(request.packet, &request.fields)?;
        }
        self.settle()
    }

    /// Asks what the world needs to know before it can be looked at, then looks at it.
    pub(crate) fn look(&mut self) -> Result<Observation, Halt> {
        let questions = self.world.questions();
        self.ask(questions)?;
        self.observe()
    }

    /// The world as it was told so far.
    pub(crate) fn observe(&mut self) -> Result<Observation, Halt> {
        let seen = self.world.observe();
        seen.ok_or_else(|| self.unexpected("told no whole first turn", "rules, map and our player"))
    }

    /// Queues one request; the next wait sends it.
    pub(crate) fn queue(&mut self, name: &str, fields: &[(&str, Value)]) -> Result<(), Halt> {
        let queued = self.connection.request(name, fields);
        queued.map(|_| ()).map_err(|e| self.broken(e))
    }

    /// Waits until the effects of everything queued are told. Asks for a sign of life if nothing
    /// is queued, so that whatever the server had to say before has arrived as well.
    pub(crate) fn settle(&mut self) -> Result<(), Halt> {
        if self.connection.outstanding() == 0 {
            self.queue("CLIENT_HEARTBEAT", &[])?;
        }
        let awaited = Awaited::Effects(self.world.turn());
        self.wait(awaited, self.limit, |session| session.connection.outstanding() == 0)
    }

    /// Waits until `done`: at most `whole` in all, and never longer than our limit without a byte
    /// from the server.
    pub(crate) fn wait(
        &mut self,
        awaited: Awaited,
        whole: Duration,
        done: impl Fn(&Self) -> bool,
    ) -> Result<(), Halt> {
        let begun = Instant::now();
        let mut heard = begun;
        loop {
            self.write(awaited)?;
            if done(self) {
                return Ok(());
            }
            // A game that is decided is no longer given up for anybody.
            if self.world.ending().is_none() {
                self.check_interrupt()?;
            }
            match self.socket.read() {
                Ok(Got::Bytes(bytes)) => {
                    let received = self.connection.receive(bytes);
                    received.map_err(|e| self.broken(e))?;
                    self.take_in()?;
                    heard = Instant::now();
                }
                Ok(Got::Nothing) if heard.elapsed() >= self.limit => {
                    return Err(self.silent(awaited, self.limit));
                }
                Ok(Got::Nothing) => {}
                Ok(Got::Closed) => return Err(self.gone(awaited)),
                Err(error) => return Err(Self::failed("read from", error)),
            }
            if begun.elapsed() >= whole && !done(self) {
                return Err(self.silent(awaited, whole));
            }
        }
    }

    /// [`Halt::Interrupted`] if somebody asked us to stop.
    pub(crate) fn check_interrupt(&self) -> Result<(), Halt> {
        if self.interrupt.load(Ordering::Relaxed) { Err(Halt::Interrupted) } else { Ok(()) }
    }

    /// The server did something it never does.
    pub(crate) fn unexpected(&self, did: &str, wanted: &str) -> Halt {
        let (did, wanted, tail) = (did.to_owned(), wanted.to_owned(), self.server.log_tail());
        Halt::Lost(LiveError::Unexpected { did, wanted, tail })
    }

    /// Time spent waiting for the server's bytes so far.
    pub(crate) fn waited(&self) -> Duration {
        self.socket.waited()
    }

    /// How long one answer may take.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    /// The server process.
    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// The server process, to be spoken to on its console.
    #[cfg(test)]
    pub(crate) fn server_mut(&mut self) -> &mut Server {
        &mut self.server
    }

    /// Closes the connection and hands back the server.
    pub(crate) fn close(self) -> Server {
        self.server
    }

    /// Writes all that waits to be written, or as much as the server takes for now.
    fn write(&mut self, awaited: Awaited) -> Result<(), Halt> {
        while !self.connection.output().is_empty() {
            match self.socket.write(self.connection.output()) {
                Ok(Some(0)) => break,
                Ok(Some(count)) => self.connection.wrote(count),
                Ok(None) => return Err(self.gone(awaited)),
                Err(error) => return Err(Self::failed("write to", error)),
            }
        }
        Ok(())
    }

    /// Folds everything received into the world.
    fn take_in(&mut self) -> Result<(), Halt> {
        loop {
            match self.connection.next_event() {
                Ok(None) => return Ok(()),
                Ok(Some(Event::Packet(packet))) => self.fold(&packet),
                Ok(Some(Event::Processed { .. })) => {}
                Ok(Some(Event::Joined(joined))) => {
                    self.world.joined(&joined);
                    self.capability = joined.capability;
                }
                Ok(Some(Event::Refused(refused))) => {
                    return Err(Halt::Lost(LiveError::JoinRefused {
                        said: refused.message,
                        found: refused.capability,
                        wanted: self.connection.protocol().capability.clone(),
                    }));
                }
                Err(error) => return Err(self.broken(error)),
            }
        }
    }

    fn fold(&mut self, packet: &Packet) {
        self.opponents.fold(packet);
        self.world.fold(packet);
    }

    /// The server closed the connection: because it ended, or because it threw us out.
    fn gone(&mut self, awaited: Awaited) -> Halt {
        let doing = format!("saga waited for it {awaited}");
        let exited = self.server.exit_error(&doing, LAST_BREATH);
        let tail = self.server.log_tail();
        Halt::Lost(exited.unwrap_or(LiveError::Disconnected { doing, tail }))
    }

    fn silent(&self, awaited: Awaited, limit: Duration) -> Halt {
        let (what, tail) = (awaited.to_string(), self.server.log_tail());
        Halt::Lost(LiveError::Silent { what, limit, tail })
    }

    fn broken(&self, source: ProtocolError) -> Halt {
        Halt::Lost(LiveError::Protocol { source, tail: self.server.log_tail() })
    }

    fn failed(doing: &'static str, error: io::Error) -> Halt {
        Halt::Lost(LiveError::io(doing, &PathBuf::from("the Freeciv server"))(error))
    }
}
