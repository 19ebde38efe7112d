//! What can be wrong with a file of ours: which file, where in it, and both values.

use std::path::PathBuf;

/// A trace, journal, ledger or timing file that cannot be used as it is.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The system refused.
    #[error("cannot read {path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Zero bytes.
    #[error("{path} is empty (0 bytes): nothing was recorded")]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// Something else.
    #[error("{path} is not a saga trace: it should begin with {expected}, but begins with {found}")]
    NotATrace {
        /// Which file.
        path: PathBuf,
        /// What was looked for.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// Cut so early that it says nothing.
    #[error("{path} was cut at byte {length}, before its header was complete: nothing to recover")]
    NoHeader {
        /// Which file.
        path: PathBuf,
        /// Its length in bytes.
        length: u64,
    },
    /// The bytes contradict themselves.
    #[error("{path} is damaged at byte {offset}, after turn {turn}: {detail}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Where the damaged frame begins, in bytes.
        offset: u64,
        /// The last whole turn before it; 0 when there is none.
        turn: u32,
        /// What contradicts what.
        detail: String,
    },
    /// Written by a later program.
    #[error(
        "{path} has format {found}; this program reads format {ours}. \
         saga {written_by} wrote it and can read it"
    )]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: String,
        /// Ours, as `1.x`.
        ours: String,
        /// The version of the program that wrote it.
        written_by: String,
    },
    /// More than a reader may be asked to hold.
    #[error("{path} at byte {offset}: {what} of {found} bytes, at most {most} are allowed")]
    Limit {
        /// Which file.
        path: PathBuf,
        /// Where, in bytes.
        offset: u64,
        /// What is too large.
        what: &'static str,
        /// What the file claims or holds.
        found: u64,
        /// What is allowed.
        most: u64,
    },
    /// A line that is not what its place calls for.
    #[error("{path} line {line}: {detail}")]
    BadLine {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        detail: String,
    },
    /// A turn that the trace does not have.
    #[error("{path} has no turn {turn}; it has turns {first} to {last}")]
    NoTurn {
        /// Which file.
        path: PathBuf,
        /// Asked for.
        turn: u32,
        /// The first there is.
        first: u32,
        /// The last there is.
        last: u32,
    },
    /// Somebody else writes this file.
    #[error("{path} is in use by another saga process; wait for it or choose another folder")]
    InUse {
        /// Which file.
        path: PathBuf,
    },
}
