//! One seat at a real server whose world can be edited: situations are built by the server's own
//! scripting, and what the server accepts is seen after the barrier.
#![allow(dead_code, unreachable_pub, reason = "each file of situations uses a part of it")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use saga_core::action::{Action, Actor, Order, Outcome};
use saga_core::ids::{CityId, PlayerId, Pos, UnitId};
use saga_core::observation::{City, Event as Told, Observation, Unit};
use saga_core::rules::Rules;
use saga_freeciv::{Connection, Event, Limits, Packet, Request, Step, Value, World, v3_0};
use saga_live::server::{Launch, Script, Server, find};

/// How long the server may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// The chat, through which the first player may use the console of its own test server.
const CHAT: &str = "CHAT_MSG_REQ";

/// A seat in a running game of one ruleset against two idle-minded opponents.
pub struct Desk {
    // The connection is closed before the server ends.
    stream: TcpStream,
    connection: Connection,
    pub world: World,
    /// The last packet of each name since [`Desk::settle`] was called last, for facts that the
    /// world does not keep.
    pub packets: BTreeMap<String, Packet>,
    events: Vec<Told>,
    _server: Server,
}

impl Desk {
    /// `None`, said aloud, when there is no server and this is not CI.
    pub fn open(ruleset: &str, settings: &[(&str, &str)]) -> Option<Self> {
        let binary = match find(None) {
            Ok(binary) => binary,
            Err(error) if std::env::var_os("CI").is_none() => {
                eprintln!("SKIPPED: {error}");
                return None;
            }
            Err(error) => panic!("no usable server: {error}"),
        };
        let script = Script::new(&all_settings(settings), "novice").expect("sound settings");
        let server = Launch::new(binary, ruleset, script).start().expect("a server that starts");
        let stream = connect(&server);
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket option");
        stream.set_nodelay(true).expect("a socket option");
        let connection = Connection::new(v3_0(), Limits::default()).expect("a sound table");
        let world = World::new(v3_0()).expect("a sound table");
        let (packets, events) = (BTreeMap::new(), Vec::new());
        let mut desk = Self { stream, connection, world, packets, events, _server: server };
        desk.connection.join("oracle").expect("a fresh connection");
        desk.settle();
        let seat = i64::from(desk.seat().0);
        desk.send("PLAYER_READY", &[("player_no", seat.into()), ("is_ready", true.into())]);
        desk.until("the first turn", |desk| desk.world.turns_begun() > 0);
        desk.settle();
        Some(desk)
    }

    /// Our player.
    pub fn seat(&self) -> PlayerId {
        self.world.seat().expect("a seat since the join")
    }

    pub fn rules(&self) -> std::sync::Arc<Rules> {
        self.world.rules().expect("rules since the join")
    }

    /// Queues one packet, whatever it is, and waits until the server has dealt with it.
    pub fn send(&mut self, packet: &str, fields: &[(&str, Value)]) {
        self.connection.request(packet, fields).expect("a packet of the table");
        self.settle();
    }

    /// Sends requests in one piece and waits until the server has dealt with all of them.
    pub fn ask(&mut self, requests: Vec<Request>) {
        for request in requests {
            self.connection.request(request.packet, &request.fields).expect("a packet");
        }
        self.settle();
    }

    /// Waits until everything sent is dealt with.
    pub fn settle(&mut self) {
        self.packets.clear();
        if self.connection.outstanding() == 0 {
            self.connection.request("CLIENT_HEARTBEAT", &[]).expect("a packet of the table");
        }
        self.until("its answers", |desk| desk.connection.outstanding() == 0);
    }

    /// Runs a piece of Lua in the server; returns what was said meanwhile.
    ///
    /// # Panics
    /// When the server reports a Lua error, so that no situation is half built.
    pub fn lua(&mut self, code: &str) -> Vec<String> {
        self.observe();
        self.send(CHAT, &[("message", format!("/lua cmd {code}").as_str().into())]);
        let said: Vec<String> = self.observe().events.into_iter().map(|e| e.text).collect();
        let wrong = said.iter().find(|line| line.contains("error") || line.contains("Error"));
        assert!(wrong.is_none(), "lua failed: {wrong:?}\nin {code}");
        said
    }

    /// A command of the server's console.
    pub fn console(&mut self, command: &str) -> Vec<String> {
        self.observe();
        self.send(CHAT, &[("message", format!("/{command}").as_str().into())]);
        self.observe().events.into_iter().map(|e| e.text).collect()
    }

    /// Ends the turn and waits for the next.
    pub fn end_turn(&mut self) {
        let begun = self.world.turns_begun();
        let turn = i64::from(self.world.turn());
        self.connection.request("PLAYER_PHASE_DONE", &[("turn", turn.into())]).expect("a packet");
        self.until("the next turn", |desk| desk.world.turns_begun() > begun);
        self.settle();
    }

    /// Everything we see and may do, after all questions were answered.
    pub fn look(&mut self) -> Observation {
        let questions = self.world.questions();
        self.ask(questions);
        self.observe()
    }

    /// The observation without asking; its events are kept for [`Desk::told`].
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

    pub fn unit(&mut self, id: UnitId) -> Option<Unit> {
        self.look().units.into_iter().find(|u| u.id == id)
    }

    pub fn city(&mut self, id: CityId) -> Option<City> {
        self.look().cities.into_iter().find(|c| c.id == id)
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

    /// Creates a unit of ours and returns its number.
    pub fn make(&mut self, kind: &str, at: Pos) -> UnitId {
        let before: Vec<UnitId> = self.own_ids();
        let seat = self.seat().0;
        self.lua(&format!(
            "edit.create_unit(find.player({seat}), find.tile({}, {}), \
             find.unit_type('{kind}'), 0, nil, -1)",
            at.x, at.y
        ));
        let new: Vec<UnitId> =
            self.own_ids().into_iter().filter(|id| !before.contains(id)).collect();
        assert_eq!(new.len(), 1, "one {kind} was to be made at {at}");
        new[0]
    }

    fn own_ids(&mut self) -> Vec<UnitId> {
        self.observe().units.iter().map(|u| u.id).collect()
    }

    /// Reads and folds until `done`.
    fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let output = self.connection.output().to_vec();
            self.stream.write_all(&output).expect("a server that reads");
            self.connection.wrote(output.len());
            if done(self) {
                return;
            }
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

fn connect(server: &Server) -> TcpStream {
    for _ in 0..1000 {
        if let Ok(stream) = TcpStream::connect(server.address()) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the server does not listen");
}

/// A quiet square world with room for situations; `changes` win.
fn all_settings(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut settings: Vec<(String, String)> = [
        ("topology", ""),
        ("mapsize", "XYSIZE"),
        ("xsize", "40"),
        ("ysize", "40"),
        ("mapseed", "2025"),
        ("gameseed", "1001"),
        ("aifill", "3"),
        ("minplayers", "1"),
        ("autotoggle", "disabled"),
        ("barbarians", "DISABLED"),
        ("animals", "0"),
        ("huts", "0"),
        ("disasters", "0"),
        ("endturn", "500"),
        ("timeout", "0"),
        ("phasemode", "ALL"),
        ("turnblock", "enabled"),
        ("pingtime", "1800"),
        ("netwait", "0"),
        ("nettimeout", "0"),
        ("autosaves", ""),
        ("revolentype", "FIXED"),
        ("revolen", "1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    for (name, value) in changes {
        settings.retain(|(listed, _)| listed != name);
        settings.push(((*name).to_owned(), (*value).to_owned()));
    }
    settings
}
