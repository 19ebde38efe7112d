//! The trace: what an episode writes, and how it is read back. FORMAT.md beside this file is the
//! specification.

pub mod entry;
mod error;
mod frames;
pub mod journal;
pub mod ledger;
mod limits;
mod lines;
mod open;
mod read;
mod seek;
pub(crate) mod text;
pub mod timing;
mod write;

use std::path::{Path, PathBuf};

pub use entry::{Entry, Output};
pub use error::TraceError;
pub use frames::Frame;
pub use limits::{FRAME_BYTES_MAX, LINE_BYTES_MAX, TEXT_BYTES_MAX, WINDOW_BYTES_MAX};
pub use lines::Lines;
pub use open::{OpenedTurn, open_turn};
pub use read::{Cut, State, Table, Trace, file_hash};
pub use text::{Kind, Text};
pub use write::{TURNS_PER_FRAME, TraceWriter};

/// The word every header carries.
pub const FORMAT: &str = "saga";

/// The format this program writes, `major.minor`. The rules of change are in FORMAT.md.
pub const FORMAT_VERSION: &str = "1.1";

/// The major version this program reads.
pub const FORMAT_MAJOR: u32 = 1;

const TRACE_SUFFIX: &str = ".trace.jsonl.zst";

/// The files of one game: its trace, and what stands beside it under the same stem.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stem(PathBuf);

impl Stem {
    /// A stem, for example `runs/quickstart/…/run-03/game-1`.
    pub fn new(stem: impl Into<PathBuf>) -> Self {
        Self(stem.into())
    }

    /// The stem of a trace file; a file named otherwise is its own stem.
    pub fn of_trace(trace: &Path) -> Self {
        let name = trace.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        match name.strip_suffix(TRACE_SUFFIX) {
            Some(stem) => Self(trace.with_file_name(stem)),
            None => Self(trace.to_owned()),
        }
    }

    /// The stem itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The record.
    pub fn trace(&self) -> PathBuf {
        self.with(TRACE_SUFFIX)
    }

    /// Answers of the turn that is being played; there only while it is.
    pub fn journal(&self) -> PathBuf {
        self.with(".journal")
    }

    /// Everything a clock said.
    pub fn timing(&self) -> PathBuf {
        self.with(".timing.jsonl")
    }

    /// The file of this stem that ends in `suffix`, for evidence such as `.server.log`.
    pub fn with(&self, suffix: &str) -> PathBuf {
        let mut name = self.0.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    }
}
