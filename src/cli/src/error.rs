//! What a command can fail with, and the exit code that goes with it. Every text is meant for the
//! user as it is: what, where, both values, the next command.

use std::io;
use std::path::{Path, PathBuf};

use saga_core::prompts::PromptError;
use saga_core::stop::Stop;
use saga_core::trace::TraceError;
use saga_live::LiveError;
use saga_report::ReportError;

use crate::matrix::MatrixError;

/// The exit codes, one for each thing a script may want to tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Done = 0,
    /// It was not.
    Failed = 1,
    /// It was not understood.
    Usage = 2,
    /// A replay or a comparison found a difference.
    Differs = 3,
    /// The matrix went through, with failed runs.
    FailedRuns = 4,
}

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The experiment file.
    #[error(transparent)]
    Matrix(#[from] Box<MatrixError>),
    /// A trace, ledger or side file.
    #[error("{}{}", .0, next_step(.0))]
    Trace(#[from] TraceError),
    /// A report.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A prompt template.
    #[error(transparent)]
    Prompts(#[from] PromptError),
    /// The live side.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// An episode that could not be written.
    #[error("{}{}", .0, after_stop(.0))]
    Stop(#[from] Stop),
    /// Words that ask for something that is not there.
    #[error("{0}")]
    Usage(String),
    /// Traces that belong to another experiment lie where this one's would.
    #[error("{0}")]
    Refused(String),
    /// A file or folder of ours.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// `read`, `write`, `list`, `rename`.
        doing: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Results could not be printed.
    #[error("cannot write to standard output: {0}")]
    Stdout(#[from] io::Error),
}

impl CliError {
    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            CliError::Matrix(_) | CliError::Usage(_) => Exit::Usage,
            // A reader that has seen enough, as `head` does, is no failure.
            CliError::Stdout(e) if e.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            _ => Exit::Failed,
        }
    }

    /// Whether there is nobody to tell, or nothing.
    pub(crate) fn is_silent(&self) -> bool {
        self.exit() == Exit::Done
    }

    /// For `map_err` on file operations.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| CliError::Io { doing, path, source }
    }
}

/// What can be done about a file that cannot be used.
fn next_step(error: &TraceError) -> String {
    match error {
        TraceError::Empty { path }
        | TraceError::NoHeader { path, .. }
        | TraceError::Damaged { path, .. } => format!(
            "; the run that wrote it plays it again with the same `saga run` command (the file is \
             kept as an older attempt){}",
            evidence(path)
        ),
        TraceError::NotATrace { .. } => {
            "; traces are named *.trace.jsonl.zst and lie under runs/".to_owned()
        }
        TraceError::BadLine { path, .. } if path.ends_with("ledger.jsonl") => {
            "; restore this file from a copy, or move it away to begin a new one: the games stay, \
             but what it told of earlier attempts, of the declared analysis and of the traces as \
             they were recorded is lost"
                .to_owned()
        }
        TraceError::Newer { .. } => "; see `saga --version` for what this one is".to_owned(),
        _ => String::new(),
    }
}

/// What can be done about an episode that left no last line.
fn after_stop(stop: &Stop) -> &'static str {
    match stop {
        Stop::Unwritable { .. } => {
            "; make room there (see `df -h`) or make it writable, then go on with the same command"
        }
        _ => "",
    }
}

/// Where the server's own words lie, when they do.
fn evidence(trace: &Path) -> String {
    let log = saga_core::trace::Stem::of_trace(trace).with(".server").join("server.log");
    if log.exists() { format!("; see also {}", log.display()) } else { String::new() }
}
