//! Lines of a trace one by one, in memory bounded by one line and one decoder step: for readers
//! that need no second look.

use std::fs::File;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use super::error::TraceError;
use super::frames::{Frames, Step};
use super::read::{LineLimit, bad_line};
use super::seek;
use super::text::{Kind, turn_closed};

/// A trace read from front to back. Lines of the frame being decoded are handed out before its
/// checksum is reached: an error at the end of a frame takes back its lines.
pub struct Lines {
    frames: Frames<File>,
    path: PathBuf,
    pending: Vec<u8>,
    at: usize,
    given: usize,
    limit: LineLimit,
    /// Frames that were closed, and where the last of them ends.
    closed: usize,
    closed_at: u64,
    /// Whether the last line that was given is an `end`.
    ended: bool,
    /// The last turn whose line was given.
    turn: u32,
    over: bool,
}

impl Lines {
    /// Opens a trace.
    ///
    /// # Errors
    /// [`TraceError::Io`].
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let file =
            File::open(path).map_err(|source| TraceError::Io { path: path.to_owned(), source })?;
        Ok(Self {
            frames: Frames::new(file, path, 0)?,
            path: path.to_owned(),
            pending: Vec::new(),
            at: 0,
            given: 0,
            limit: LineLimit::default(),
            closed: 0,
            closed_at: 0,
            ended: false,
            turn: 0,
            over: false,
        })
    }

    /// The next whole line; `None` when there is no further one. The end of a cut file is not an
    /// error here; see whether the last line was an `end`.
    ///
    /// # Errors
    /// [`TraceError`] where the file is damaged or too large.
    pub fn next_line(&mut self) -> Result<Option<&str>, TraceError> {
        let length = loop {
            let fresh = self.pending.get(self.at..).unwrap_or_default();
            if let Some(length) = line_length(fresh) {
                break length;
            }
            if self.over {
                return Ok(None);
            }
            self.more()?;
        };
        let from = self.at;
        self.at += length + 1;
        self.given += 1;
        let line = self.pending.get(from..from + length).unwrap_or_default();
        match std::str::from_utf8(line) {
            Ok(line) => {
                let kind = Kind::of(line);
                self.ended = kind == Some(Kind::End);
                if kind == Some(Kind::Turn) {
                    self.turn = turn_closed(line).unwrap_or(self.turn);
                }
                Ok(Some(line))
            }
            Err(e) => Err(bad_line(&self.path, self.given - 1, &e)),
        }
    }

    fn more(&mut self) -> Result<(), TraceError> {
        self.pending.drain(..self.at);
        self.limit = LineLimit::default();
        self.at = 0;
        match self.frames.step(&mut self.pending)? {
            Step::Text => {}
            Step::Closed(frame) => {
                self.closed += 1;
                self.closed_at = frame.offset + frame.compressed;
            }
            Step::Rest(rest) => self.over = self.is_all(rest.len() as u64)?,
            Step::End { .. } => self.over = self.is_all(self.frames.offset() - self.closed_at)?,
        }
        self.limit.check(&self.pending, self.frames.offset(), &self.path)
    }

    /// That a file does not go on behind its last line and the place of its table.
    fn is_all(&self, behind: u64) -> Result<bool, TraceError> {
        if !self.ended || behind <= seek::length_for(self.closed) {
            return Ok(true);
        }
        let (path, offset) = (self.path.clone(), self.frames.offset());
        let detail = seek::goes_on(behind, self.closed);
        Err(TraceError::Damaged { path, offset, turn: self.turn, detail })
    }
}

/// Length of the first line, by the standard library's fast search.
fn line_length(mut bytes: &[u8]) -> Option<usize> {
    let all = bytes;
    let taken = bytes.skip_until(b'\n').ok()?;
    all.get(..taken)?.strip_suffix(b"\n").map(<[u8]>::len)
}
