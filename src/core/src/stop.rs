//! Why an episode cannot go on. A stop is an ordinary value: it is recorded where it happened and
//! reproduced in replay.

use serde::{Deserialize, Serialize};

use crate::backbone::CallId;

/// The episode ends here and not by the rules of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The server would not begin the game that was described; it would not the next time either.
    #[error("refused by the server: {0}")]
    Refused(String),
    /// The game server is gone or no longer answers.
    #[error("server lost: {0}")]
    ServerLost(String),
    /// A backbone did not answer after all retries.
    #[error("backbone lost at call {call}: {detail}")]
    BackboneLost {
        /// The first call, in place order, that got no answer.
        call: CallId,
        /// What the backbone said last.
        detail: String,
    },
    /// A budget of the spec is used up.
    #[error("budget used up: {0}")]
    Budget(String),
    /// Somebody asked the program to stop.
    #[error("interrupted")]
    Interrupted,
    /// What is asked today is not what was recorded.
    #[error("{0}")]
    Diverged(Box<Divergence>),
    /// The record was cut here; nothing is known of what came after.
    #[error("the record ends here, in turn {turn}")]
    RecordEnds {
        /// The turn that was being played.
        turn: u32,
    },
    /// A prompt template cannot be rendered; nothing more is written.
    #[error("prompt template {name:?}: {detail}")]
    Template {
        /// Which template.
        name: String,
        /// What the renderer said.
        detail: String,
    },
    /// The trace cannot be written: a game nobody can replay is not evidence.
    #[error("cannot write {path}: {detail}")]
    Unwritable {
        /// Which file.
        path: String,
        /// What the system said.
        detail: String,
    },
}

/// The first place where a replay differs from its record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("diverged in turn {turn} at {place}: {}", difference(.recorded, .today))]
pub struct Divergence {
    /// The turn being played; 0 before the first.
    pub turn: u32,
    /// Which entry: `call 12/1/controller/city:104/1`, `game end_turn`, `turn`, `note goals`.
    pub place: String,
    /// The recorded line.
    pub recorded: String,
    /// Today's line.
    pub today: String,
}

/// Tells where two lines part, with a little of both around the place.
pub fn difference(recorded: &str, today: &str) -> String {
    let same = recorded
        .char_indices()
        .zip(today.chars())
        .find(|((_, a), b)| a != b)
        .map_or_else(|| recorded.len().min(today.len()), |((i, _), _)| i);
    let around = |s: &str| {
        let from = s[..same.min(s.len())].char_indices().rev().nth(30).map_or(0, |(i, _)| i);
        let tail: String = s[from..].chars().take(110).collect();
        tail
    };
    format!(
        "first difference at byte {same}\n  recorded: …{}…\n  today:    …{}…",
        around(recorded),
        around(today)
    )
}
