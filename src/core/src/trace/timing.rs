//! The timing side file: everything a clock said about a game, so that the trace itself can be
//! compared byte for byte. Written by whoever has a clock; core has none and only reads it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::TraceError;
use super::journal::read_bounded;
use crate::backbone::CallId;

/// One line of a timing file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimingLine {
    /// An attempt at the game was begun; a resumed game has several.
    Started {
        /// Counts from 1.
        attempt: u32,
        /// When, as RFC 3339 text.
        at: String,
    },
    /// The attempt is over. A killed one has no such line.
    Ended {
        /// Which.
        attempt: u32,
        /// When, as RFC 3339 text.
        at: String,
        /// Word of the end's reason.
        reason: String,
        /// From begin to end, in milliseconds.
        wall_ms: u64,
        /// User and system time of the server process, in seconds, as far as known.
        server_cpu_s: Option<f64>,
    },
    /// A turn was closed.
    Turn {
        /// Which.
        turn: u32,
        /// Since the turn before was closed, in milliseconds.
        wall_ms: u64,
    },
    /// A call was answered or given up.
    Call {
        /// Its place.
        id: CallId,
        /// From the first try to the answer, in milliseconds.
        latency_ms: u64,
        /// Tries after the first.
        retries: u32,
    },
}

impl TimingLine {
    /// The line as it stands in the file, newline included.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a timing line is plain data") + "\n"
    }
}

/// A timing file as read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timing {
    /// Its good lines.
    pub lines: Vec<TimingLine>,
    /// Lines that are cut or damaged, in words.
    pub lost: Vec<String>,
}

/// Reads a timing file. Nothing depends on it, so a line that cannot be read is told and left out.
///
/// # Errors
/// [`TraceError::Io`] and [`TraceError::Limit`].
pub fn read_timing(path: &Path) -> Result<Timing, TraceError> {
    let bytes = read_bounded(path)?;
    let mut timing = Timing::default();
    for (i, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
        match serde_json::from_slice(line) {
            Ok(line) => timing.lines.push(line),
            Err(e) => timing.lost.push(format!("line {}: {e}", i + 1)),
        }
    }
    Ok(timing)
}
