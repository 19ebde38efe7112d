//! One connection to a test server with the world it is told of: what the seat under test and its
//! rival have in common.
#![allow(dead_code, unreachable_pub, reason = "each file of situations uses a part of it")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddrV4, TcpStream};
use std::time::Duration;

use saga_core::action::{Action, Actor, Order, Outcome};
use saga_core::ids::PlayerId;
use saga_core::observation::{Event as Told, Observation};
use saga_freeciv::{Connection, Event, Limits, Packet, Request, Step, Value, World, v3_0};

/// How long the server may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// The chat, through which a player may use the console of its own test server.
const CHAT: &str = "CHAT_MSG_REQ";

/// A joined connection.
pub struct Line {
    stream: TcpStream,
    connection: Connection,
    pub world: World,
    /// The last packet of each name since [`Line::settle`] was called last, for facts that the
    /// world does not keep.
    pub packets: BTreeMap<String, Packet>,
    events: Vec<Told>,
}

impl Line {
    /// Joins under this name and waits until all was told.
    pub fn join(server: SocketAddrV4, name: &str) -> Self {
        let stream = connect(server);
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket option");
        stream.set_nodelay(true).expect("a socket option");
        let connection = Connection::new(v3_0(), Limits::default()).expect("a sound table");
        let world = World::new(v3_0()).expect("a sound table");
        let (packets, events) = (BTreeMap::new(), Vec::new());
        let mut line = Self { stream, connection, world, packets, events };
        line.connection.join(name).expect("a fresh connection");
        line.settle();
        line
    }

    /// Our player.
    pub fn seat(&self) -> PlayerId {
        self.world.seat().expect("a seat since the join")
    }

    /// Queues one packet, whatever it is, and waits until the server has dealt with it.
    pub fn send(&mut self, packet: &str, fields: &[(&str, Value)]) {
        self.connection.request(packet, fields).expect("a packet of the table");
        self.settle();
    }

    /// Queues one packet and does not wait.
    pub fn post(&mut self, packet: &str, fields: &[(&str, Value)]) {
        self.connection.request(packet, fields).expect("a packet of the table");
    }

    /// Sends requests in one piece and waits until the server has dealt with all of them.
    pub fn ask(&mut self, requests: Vec<Request>) {
        for request in requests {
            self.post(request.packet, &request.fields);
        }
        self.settle();
    }

    /// Waits until everything sent is dealt with.
    pub fn settle(&mut self) {
        self.packets.clear();
        if self.connection.outstanding() == 0 {
            self.post("CLIENT_HEARTBEAT", &[]);
        }
        self.until("its answers", |line| line.connection.outstanding() == 0);
    }

    /// A command of the server's console.
    pub fn console(&mut self, command: &str) -> Vec<String> {
        self.observe();
        self.send(CHAT, &[("message", format!("/{command}").as_str().into())]);
        self.observe().events.into_iter().map(|e| e.text).collect()
    }

    /// Everything we see and may do, after all questions were answered.
    pub fn look(&mut self) -> Observation {
        let questions = self.world.questions();
        self.ask(questions);
        self.observe()
    }

    /// The observation without asking; its events are kept for [`Line::told`].
    pub fn observe(&mut self) -> Observation {
        let seen = self.world.observe().expect("a world since the join");
        self.events.extend(seen.events.iter().cloned());
        seen
    }

    /// Every event since this was called last.
    pub fn told(&mut self) -> Vec<Told> {
        self.observe();
        std::mem::take(&mut self.events)
    }

    /// Carries out an order as a game does.
    pub fn order(&mut self, actor: Actor, action: Action) -> Outcome {
        let mut script = self.world.start(&Order { actor, action });
        loop {
            match script.next(&self.world) {
                Step::Send(requests) => self.ask(requests),
                Step::Finished(outcome) => return outcome,
            }
        }
    }

    /// Says that we are done with this turn, without waiting for the next.
    pub fn post_done(&mut self) {
        let turn = i64::from(self.world.turn());
        self.post("PLAYER_PHASE_DONE", &[("turn", turn.into())]);
    }

    /// Reads and folds until `done`.
    pub fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let output = self.connection.output().to_vec();
            self.stream.write_all(&output).expect("a server that reads");
            self.connection.wrote(output.len());
            if done(self) {
                return;
            }
            hasten(&self.stream);
            let read = self.stream.read(&mut buffer);
            let count = read.unwrap_or_else(|e| panic!("waiting for {what}: {e}"));
            assert!(count > 0, "the server closed the connection while we waited for {what}");
            self.connection.receive(&buffer[..count]).expect("sound packets");
            while let Some(event) = self.connection.next_event().expect("sound packets") {
                match event {
                    Event::Packet(packet) => {
                        self.world.fold(&packet);
                        self.packets.insert(packet.name().to_owned(), packet);
                    }
                    Event::Joined(joined) => self.world.joined(&joined),
                    Event::Processed { .. } => {}
                    Event::Refused(refused) => panic!("join refused: {}", refused.message),
                }
            }
        }
    }
}

/// The server waits for acknowledgements before it sends on, and the system would delay them.
fn hasten(stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    std::os::linux::net::TcpStreamExt::set_quickack(stream, true).expect("a socket option");
    #[cfg(not(target_os = "linux"))]
    let _ = stream;
}

fn connect(server: SocketAddrV4) -> TcpStream {
    for _ in 0..1000 {
        if let Ok(stream) = TcpStream::connect(server) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the server does not listen");
}
