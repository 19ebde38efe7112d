//! The ledger of a matrix: every start and end of every attempt, each line naming the hash of the
//! one before, so that a discarded attempt or a result that was rolled again is visible.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::entry::EndReason;
use super::error::TraceError;
use super::journal::read_bounded;
use super::read::bad_line;

/// A ledger open for writing; one process at a time.
pub struct Ledger {
    path: PathBuf,
    file: File,
    next: u64,
    head: String,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    /// Counts from 1.
    pub seq: u64,
    /// BLAKE3 of the line before, hexadecimal; zeros in the first line.
    pub prev_hash: String,
    /// When, as RFC 3339 text, when the writer has a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What happened.
    pub event: Event,
}

/// What a ledger tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The plan of the analysis as it stood before the first game, or as it stands now.
    Analysis {
        /// BLAKE3 of the plan's text.
        hash: String,
    },
    /// An attempt at a game begins.
    Start {
        /// The game's files, relative to the matrix folder.
        stem: String,
        /// Counts from 1.
        attempt: u32,
        /// Hash of the episode's identity.
        identity_hash: String,
    },
    /// An attempt is over.
    End {
        /// The game's files, relative to the matrix folder.
        stem: String,
        /// Which attempt.
        attempt: u32,
        /// Hash of the episode's identity.
        identity_hash: String,
        /// How it ended; `None` when it left no last line.
        reason: Option<EndReason>,
        /// BLAKE3 of the trace file, where there is one.
        trace_hash: Option<String>,
    },
}

const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

impl Ledger {
    /// Opens or begins a ledger, checks it and keeps others from writing it. A last line that a
    /// kill cut short was never reported as written and is taken off.
    ///
    /// # Errors
    /// [`TraceError::InUse`], [`TraceError::BadLine`] naming the first broken line, and
    /// [`TraceError::Io`].
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let io = |source| TraceError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TraceError::InUse { path: path.to_owned() });
            }
            Err(TryLockError::Error(e)) => return Err(io(e)),
        }
        let bytes = read_bounded(path)?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(io)?;
        }
        let whole = bytes.get(..whole).unwrap_or_default();
        let (lines, head) = check_chain(whole, path)?;
        Ok(Self { path: path.to_owned(), file, next: lines.len() as u64 + 1, head })
    }

    /// Appends one event and forces it to disk.
    ///
    /// # Errors
    /// [`TraceError::Io`].
    pub fn append(&mut self, event: Event, at: Option<String>) -> Result<(), TraceError> {
        let io = |source| TraceError::Io { path: self.path.clone(), source };
        let line = LedgerLine { seq: self.next, prev_hash: self.head.clone(), at, event };
        let mut text = serde_json::to_string(&line).expect("a ledger line is plain data");
        let head = hash(text.as_bytes());
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(io)?;
        self.file.sync_data().map_err(io)?;
        self.head = head;
        self.next += 1;
        Ok(())
    }

    /// Hash of the last line: what a report prints so that a shortened ledger is visible too.
    pub fn head(&self) -> &str {
        &self.head
    }
}

/// Reads a ledger and checks its chain; also returns the hash of its last line.
///
/// # Errors
/// [`TraceError::BadLine`] naming the first line that does not follow from the one before, also
/// for a last line that is cut; [`TraceError::Io`].
pub fn read_ledger(path: &Path) -> Result<(Vec<LedgerLine>, String), TraceError> {
    check_chain(&read_bounded(path)?, path)
}

fn check_chain(bytes: &[u8], path: &Path) -> Result<(Vec<LedgerLine>, String), TraceError> {
    let mut lines: Vec<LedgerLine> = Vec::new();
    let mut head = NO_HASH.to_owned();
    for (i, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
        let Some(line) = line.strip_suffix(b"\n") else {
            return Err(bad_line(path, i, &format!("cut after {} bytes", line.len())));
        };
        let read: LedgerLine = serde_json::from_slice(line).map_err(|e| bad_line(path, i, &e))?;
        if read.seq != i as u64 + 1 {
            let detail = format!("its number is {}, in its place stands {}", read.seq, i + 1);
            return Err(bad_line(path, i, &detail));
        }
        if read.prev_hash != head {
            let detail = format!(
                "it follows a line with hash {}, but the line before it has {head}",
                read.prev_hash
            );
            return Err(bad_line(path, i, &detail));
        }
        head = hash(line);
        lines.push(read);
    }
    Ok((lines, head))
}

fn hash(line: &[u8]) -> String {
    blake3::hash(line).to_hex().to_string()
}
