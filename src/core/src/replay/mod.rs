//! Replay: a recorded trace answers for the game and the backbones. Each port checks that it is
//! asked what was asked before it answers, so a stale answer is never handed to a changed question.

mod check;
mod ports;
mod prompts;

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use check::{Checked, CheckingOutput, Verdict, place};
pub use ports::{ReplayBackbone, ReplayGame};
pub use prompts::{ChangedPrompt, changed_prompts};

use crate::backbone::CallId;
use crate::stop::{Divergence, Stop};
use crate::trace::entry::Header;
use crate::trace::text::turn_closed;
use crate::trace::{FORMAT_VERSION, Kind, State, Trace, TraceError};

/// A loaded trace with its calls by place and its exchanges in order.
#[derive(Debug)]
pub struct Record {
    trace: Trace,
    /// Line of each call.
    calls: BTreeMap<CallId, usize>,
    /// Line of each exchange with the game.
    games: Vec<usize>,
    /// Turn being played at each line; 0 before the first.
    turns: Vec<u32>,
    /// Written in this program's own format, so that equal means equal bytes.
    own_format: bool,
}

impl Record {
    /// Loads a trace and indexes it.
    ///
    /// # Errors
    /// As [`Trace::load`].
    pub fn load(path: &Path) -> Result<Self, TraceError> {
        Self::new(Trace::load(path)?)
    }

    /// Indexes a loaded trace.
    ///
    /// # Errors
    /// [`TraceError::BadLine`] for a call without a place or with the place of another.
    pub fn new(trace: Trace) -> Result<Self, TraceError> {
        let mut calls = BTreeMap::new();
        let mut games = Vec::new();
        let mut turns = Vec::with_capacity(trace.text().len());
        let mut turn = 0;
        let bad = |line: usize, detail: String| TraceError::BadLine {
            path: trace.path().to_owned(),
            line: line + 1,
            detail,
        };
        for (i, line) in trace.text().lines().enumerate() {
            turns.push(turn);
            match Kind::of(line) {
                Some(Kind::Game) => {
                    games.push(i);
                    turn = turn.max(1);
                }
                Some(Kind::Call) => {
                    let id = call_id(line).map_err(|e| bad(i, e.to_string()))?;
                    if let Some(other) = calls.insert(id, i) {
                        return Err(bad(i, format!("the call of line {} again", other + 1)));
                    }
                }
                Some(Kind::Turn) => turn = turn_closed(line).unwrap_or(turn).saturating_add(1),
                _ => {}
            }
        }
        let own_format = trace.header().version == FORMAT_VERSION;
        Ok(Self { trace, calls, games, turns, own_format })
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The turn being played at a line; behind the last line the one that was.
    fn turn_at(&self, line: usize) -> u32 {
        let begun = u32::from(!self.games.is_empty());
        let last = || self.turns.last().copied().unwrap_or(0).max(begun);
        self.turns.get(line).copied().unwrap_or_else(last)
    }

    /// The last turn that is on record from beginning to end.
    fn turns_closed(&self) -> u32 {
        self.trace.turns_closed()
    }

    /// Whether a header names the identity it carries. Of another minor version this cannot be
    /// told: its identity may have fields that are not known here.
    fn own_hash_fits(&self, header: &Header) -> bool {
        !self.own_format || header.identity_hash == header.spec.identity.hash()
    }

    fn is_complete(&self) -> bool {
        *self.trace.state() == State::Complete
    }

    /// Whether a text of today is the recorded one: by bytes, and for a trace of another minor
    /// version also by what this program reads in it.
    fn is_same<T: Serialize + DeserializeOwned>(&self, recorded: &str, today: &str) -> bool {
        recorded == today || (!self.own_format && reads_as::<T>(recorded, today))
    }
}

/// The recorded text, read and written again by this program, is today's.
fn reads_as<T: Serialize + DeserializeOwned>(recorded: &str, today: &str) -> bool {
    serde_json::from_str::<T>(recorded)
        .and_then(|value| serde_json::to_string(&value))
        .is_ok_and(|again| again == today)
}

/// The place of a call line. It stands first in the line, so the prompt need not be parsed.
fn call_id(line: &str) -> Result<CallId, serde_json::Error> {
    #[derive(Deserialize)]
    struct Placed {
        id: CallId,
    }
    let content = Kind::Call.content(line);
    match content.strip_prefix("{\"id\":") {
        Some(rest) => CallId::deserialize(&mut serde_json::Deserializer::from_str(rest)),
        None => serde_json::from_str(content).map(|placed: Placed| placed.id),
    }
}

fn diverged(turn: u32, place: String, recorded: &str, today: &str) -> Stop {
    let (recorded, today) = (recorded.to_owned(), today.to_owned());
    Stop::Diverged(Box::new(Divergence { turn, place, recorded, today }))
}
