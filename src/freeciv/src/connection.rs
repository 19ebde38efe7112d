//! One client connection as a pure state machine: received bytes go in, events and bytes to send
//! come out. It joins, answers pings, counts requests, and follows our seat.

use crate::decode::{DecodeError, Decoder};
use crate::encode::{self, EncodeError};
use crate::frame::{FrameError, Framer, Limits};
use crate::tables::{Protocol, Skipped, TableError};
use crate::value::{Packet, PacketKind, Value};

/// Why a connection cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The stream cannot be cut into packets.
    #[error("broken stream from the server: {0}")]
    Frame(#[from] FrameError),
    /// A packet cannot be read.
    #[error("broken packet from the server: {0}")]
    Decode(#[from] DecodeError),
    /// The server reports a request as processed that we never sent.
    #[error("the server reports {processed} requests as processed, only {sent} were sent")]
    NeverSent {
        /// Requests reported as processed.
        processed: u64,
        /// Requests sent.
        sent: u64,
    },
    /// The table lacks what every connection needs.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A packet of our own cannot be sent.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// What the server told us.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// It lets us in.
    Joined(Joined),
    /// It does not let us in, and will close.
    Refused(Refused),
    /// Everything that request number `request` (from 1) caused has been told.
    Processed {
        /// Number of the request, as [`Connection::send`] gave it.
        request: u64,
    },
    /// Any other packet that is read.
    Packet(Packet),
}

/// An accepted join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// Number of our connection.
    pub connection: i64,
    /// The server's welcome.
    pub message: String,
    /// The server's capability string.
    pub capability: String,
}

/// A refused join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The server's reason.
    pub message: String,
    /// The server's capability string; from it the version can be told.
    pub capability: String,
}

/// Our seat as the server last told it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seat {
    player: i64,
    observer: bool,
}

/// A client's end of a connection.
#[derive(Debug)]
pub struct Connection {
    protocol: &'static Protocol,
    known: Known,
    framer: Framer,
    decoder: Decoder,
    number_bytes: usize,
    own_id: Option<i64>,
    seat: Seat,
    out: Vec<u8>,
    sent: u64,
    processed: u64,
    skipped: u64,
    reads_all: bool,
    failed: Option<ProtocolError>,
}

impl Connection {
    /// A connection on which nothing has been sent or received.
    pub fn new(protocol: &'static Protocol, limits: Limits) -> Result<Self, ProtocolError> {
        let known = Known::resolve(protocol)?;
        Ok(Self {
            protocol,
            seat: Seat { player: known.player_none, observer: false },
            known,
            framer: Framer::new(protocol.header_before, limits),
            decoder: Decoder::new(protocol, limits),
            number_bytes: protocol.header_before,
            own_id: None,
            out: Vec::new(),
            sent: 0,
            processed: 0,
            skipped: 0,
            reads_all: false,
            failed: None,
        })
    }

    /// Decodes also the packets the table marks as unread.
    pub fn read_all(&mut self) {
        self.reads_all = true;
    }

    /// The protocol spoken.
    pub fn protocol(&self) -> &'static Protocol {
        self.protocol
    }

    /// Asks to be let in under this name; the first request on a connection.
    pub fn join(&mut self, username: &str) -> Result<u64, ProtocolError> {
        let [major, minor, patch] = self.protocol.version;
        self.request(
            "SERVER_JOIN_REQ",
            &[
                ("username", username.into()),
                ("capability", (&*self.protocol.capability).into()),
                ("major_version", major.into()),
                ("minor_version", minor.into()),
                ("patch_version", patch.into()),
            ],
        )
    }

    /// Builds a packet from named fields and queues it; see [`encode::request`].
    pub fn request(&mut self, name: &str, fields: &[(&str, Value)]) -> Result<u64, ProtocolError> {
        let packet = encode::request(self.protocol, name, fields)?;
        self.send(&packet)
    }

    /// Queues a packet for sending and gives its number, counted from 1. A packet that cannot be
    /// encoded leaves the connection as it was.
    pub fn send(&mut self, packet: &Packet) -> Result<u64, ProtocolError> {
        encode::encode(packet, self.number_bytes, &mut self.out)?;
        self.sent += 1;
        Ok(self.sent)
    }

    /// Bytes that wait to be written to the server.
    pub fn output(&self) -> &[u8] {
        &self.out
    }

    /// Tells that the first `bytes` of [`Connection::output`] were written.
    pub fn wrote(&mut self, bytes: usize) {
        self.out.drain(..bytes.min(self.out.len()));
    }

    /// Takes in received bytes; [`Connection::next_event`] tells what they mean.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), ProtocolError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.framer.push(bytes).map_err(|error| self.fail(error.into()))
    }

    /// The next event in what was received, or none if more bytes are needed. It may queue output
    /// (the answer to a ping). After an error the connection gives that error for ever.
    pub fn next_event(&mut self) -> Result<Option<Event>, ProtocolError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let event = self.advance();
        event.map_err(|error| self.fail(error))
    }

    /// Requests sent, pongs included.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Requests the server has processed.
    pub fn processed(&self) -> u64 {
        self.processed
    }

    /// Requests whose effects may still be on their way; at 0 the picture is complete.
    pub fn outstanding(&self) -> u64 {
        self.sent.saturating_sub(self.processed)
    }

    /// Packets passed over by length.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Received bytes that make no whole packet yet.
    pub fn waiting_bytes(&self) -> usize {
        self.framer.waiting_bytes()
    }

    /// Number of our player, if we sit at one and do not merely observe it.
    pub fn player(&self) -> Option<i64> {
        let seated = self.seat.player != self.known.player_none && !self.seat.observer;
        seated.then_some(self.seat.player)
    }

    fn fail(&mut self, error: ProtocolError) -> ProtocolError {
        self.failed = Some(error.clone());
        error
    }

    fn advance(&mut self) -> Result<Option<Event>, ProtocolError> {
        while let Some(frame) = self.framer.next_frame()? {
            let def = match self.protocol.by_number(frame.number) {
                Some(def) if def.skipped == Skipped::No => def,
                Some(def) if def.skipped == Skipped::Unread && self.reads_all => def,
                _ => {
                    self.skipped += 1;
                    continue;
                }
            };
            let packet = self.decoder.decode(def, frame.body)?;
            if let Some(event) = self.understand(packet)? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Acts on what concerns the connection itself, and tells the rest.
    fn understand(&mut self, packet: Packet) -> Result<Option<Event>, ProtocolError> {
        let kind = packet.kind();
        if kind == self.known.started {
            return Ok(None);
        }
        if kind == self.known.finished {
            self.processed += 1;
            if self.processed > self.sent {
                let (processed, sent) = (self.processed, self.sent);
                return Err(ProtocolError::NeverSent { processed, sent });
            }
            return Ok(Some(Event::Processed { request: self.processed }));
        }
        if kind == self.known.ping {
            self.request("CONN_PONG", &[])?;
            return Ok(None);
        }
        if kind == self.known.reply.packet {
            return Ok(Some(self.join_reply(&packet)));
        }
        if kind == self.known.conn.packet {
            self.follow_seat(&packet);
        }
        Ok(Some(Event::Packet(packet)))
    }

    fn join_reply(&mut self, packet: &Packet) -> Event {
        let reply = self.known.reply;
        let message = packet.str(reply.message).to_owned();
        let capability = packet.str(reply.capability).to_owned();
        if !packet.bool(reply.you_can_join) {
            return Event::Refused(Refused { message, capability });
        }
        self.number_bytes = self.protocol.header_after;
        self.framer.set_number_bytes(self.number_bytes);
        let connection = packet.int(reply.conn_id);
        self.own_id = Some(connection);
        Event::Joined(Joined { connection, message, capability })
    }

    /// The server forgets what it told about the game when our seat changes, and so must we.
    fn follow_seat(&mut self, packet: &Packet) {
        let conn = self.known.conn;
        if self.own_id != Some(packet.int(conn.id)) || !packet.bool(conn.used) {
            return;
        }
        let seat =
            Seat { player: packet.int(conn.player_num), observer: packet.bool(conn.observer) };
        if seat != self.seat {
            self.seat = seat;
            self.decoder.forget_game_info();
        }
    }
}

crate::packet_fields! {
    struct Reply = "SERVER_JOIN_REPLY" {
        you_can_join: Int, message: Text, capability: Text, conn_id: Int
    }
}
crate::packet_fields! {
    struct Conn = "CONN_INFO" { id: Int, used: Int, observer: Int, player_num: Int }
}

/// The packets a connection acts on by itself.
#[derive(Debug)]
struct Known {
    started: PacketKind,
    finished: PacketKind,
    ping: PacketKind,
    reply: Reply,
    conn: Conn,
    player_none: i64,
}

impl Known {
    fn resolve(protocol: &Protocol) -> Result<Self, TableError> {
        Ok(Self {
            started: PacketKind::named(protocol, "PROCESSING_STARTED")?,
            finished: PacketKind::named(protocol, "PROCESSING_FINISHED")?,
            ping: PacketKind::named(protocol, "CONN_PING")?,
            reply: Reply::resolve(protocol)?,
            conn: Conn::resolve(protocol)?,
            player_none: protocol.constant("PLAYER_NONE")?,
        })
    }
}
