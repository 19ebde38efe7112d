//! The first port: the game. A live server and a recorded trace both stand behind it, and nothing
//! above it can tell which.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::action::{Order, Outcome};
use crate::observation::Observation;
use crate::rules::Rules;
use crate::spec::GameSpec;
use crate::stop::Stop;

/// A running game of one seat.
pub trait Game {
    /// Sends one request and returns when the game has settled, judged by the protocol, never by a
    /// pause.
    ///
    /// # Errors
    /// [`Stop`] when the episode cannot go on.
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop>;
}

/// What the turn loop asks of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Start it. Answered by [`Reply::Begun`].
    Begin {
        /// Settings and seeds.
        game: GameSpec,
    },
    /// Carry these out in this order, each re-checked after the barrier of the one before it.
    /// Answered by [`Reply::Settled`].
    Orders {
        /// The orders.
        orders: Vec<Order>,
    },
    /// End this turn. Answered by [`Reply::TurnBegun`] or [`Reply::Over`].
    EndTurn {
        /// The turn that ends.
        turn: u32,
    },
    /// Read the final record and close. Answered by [`Reply::Finished`].
    Finish,
}

/// What the game answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The game stands at its first turn.
    Begun {
        /// The server that plays it, as it reported itself.
        server: ServerRecord,
        /// The ruleset.
        rules: Arc<Rules>,
        /// The first moment.
        observation: Box<Observation>,
    },
    /// The orders are through.
    Settled {
        /// One for each order, in the same sequence.
        outcomes: Vec<Outcome>,
        /// The moment after the last.
        observation: Box<Observation>,
    },
    /// A new turn began and we may act.
    TurnBegun {
        /// Its first moment.
        observation: Box<Observation>,
    },
    /// The game ended instead.
    Over {
        /// How.
        how: Over,
        /// What we see at the end; of a dead player, the last thing it saw.
        observation: Box<Observation>,
    },
    /// The final record.
    Finished {
        /// All players' scores, turn by turn.
        record: FinalRecord,
    },
}

/// How a game ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// The last turn was played.
    TurnLimit,
    /// Somebody won before that.
    Victory,
    /// Our player died; the rest was played out.
    Eliminated,
}

/// Who served the game. Nothing here differs between two runs on the same build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerRecord {
    /// For example `3.0.6`.
    pub version: String,
    /// The network capability string it announced.
    pub capability: String,
    /// BLAKE3 of the server binary, hexadecimal.
    pub binary_hash: String,
    /// Every setting as the server reported it after we joined, by name.
    pub settings: Vec<(String, String)>,
}

/// Evidence from the server's own score log.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FinalRecord {
    /// One series for each player that ever lived.
    pub players: Vec<PlayerRecord>,
    /// Seats the server called winners.
    pub winners: Vec<u16>,
    /// How often a requirement of the ruleset came up that the client could not judge. It counts as
    /// not fulfilled, so what needs it was missing from the menus.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub unjudged: u64,
}

/// One player's series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// Seat number.
    pub seat: u16,
    /// The leader's name.
    pub name: String,
    /// `land`, `sea`, `animal` or `land_and_sea` for barbarians; the log leaves them out, so their
    /// series are empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barbarian: Option<String>,
    /// Tag of the score log (`score`, `cities`, `researched_techs` …) to (turn, value) pairs.
    pub series: std::collections::BTreeMap<String, Vec<(u32, i64)>>,
}
