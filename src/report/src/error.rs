//! What can keep a whole report from being made. A single bad trace is no error: it is a row.

use std::path::PathBuf;

use polars::error::PolarsError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder is not there.
    #[error(
        "no folder {}: nothing to report. Play some games first: \
         saga run experiments/quickstart.toml",
        .path.display()
    )]
    NoFolder {
        /// What was asked for.
        path: PathBuf,
    },
    /// A file stands where a folder was asked for.
    #[error(
        "{} is a file; a report is made from a folder of traces: saga report {}",
        .path.display(),
        .folder.display()
    )]
    NotAFolder {
        /// What was asked for.
        path: PathBuf,
        /// The folder in which it lies.
        folder: PathBuf,
    },
    /// The folder is there, but without a trace.
    #[error(
        "no trace (*{suffix}) under {}: nothing to report. Play some games first: \
         saga run experiments/quickstart.toml",
        .path.display()
    )]
    NoTraces {
        /// Where they were looked for.
        path: PathBuf,
        /// How their names end.
        suffix: &'static str,
    },
    /// A folder or a file of the report cannot be read or written.
    #[error("cannot {doing} {}: {source}", .path.display())]
    Io {
        /// `read`, `write` or `list`.
        doing: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A frame could not be built or written.
    #[error("cannot build the frame {frame}: {source}")]
    Frame {
        /// `episodes` or `turns`.
        frame: &'static str,
        /// What polars said.
        source: PolarsError,
    },
    /// A table could not be written as CSV.
    #[error("cannot write the table {table} as CSV: {detail}")]
    Csv {
        /// Name of the table.
        table: &'static str,
        /// What the writer said.
        detail: String,
    },
}

impl ReportError {
    /// For `map_err` on file operations.
    pub(crate) fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| ReportError::Io { doing, path, source }
    }
}
