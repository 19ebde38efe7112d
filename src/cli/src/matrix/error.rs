//! What can be wrong with an experiment file. Each message says where, what stands there, what was
//! wanted, and what to do; a file with any of these is refused before the first game.

use std::io;
use std::path::{Path, PathBuf};

use super::keys::{self, UnknownKey};

/// A fault of an experiment file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MatrixError {
    /// The file cannot be read.
    #[error(
        "cannot read the experiment file {}: {source}; the shipped ones are in experiments/",
        path.display()
    )]
    Read {
        /// Which file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Not TOML, or a value of the wrong type.
    #[error("{}: {message}", path.display())]
    Toml {
        /// Which file.
        path: PathBuf,
        /// The parser's words, with the line.
        message: String,
    },
    /// A key that nothing reads.
    #[error("{place}: unknown key {key:?} in {section}; {}", meant(nearest, known))]
    UnknownKey {
        /// File and line.
        place: String,
        /// `[game]`, or the top of the file.
        section: String,
        /// The key as written.
        key: String,
        /// What was probably meant.
        nearest: Box<str>,
        /// All that may stand there.
        known: Box<str>,
    },
    /// A name that nothing answers to.
    #[error("{place}: {key} = {found:?}: unknown {kind}; {}", meant(nearest, known))]
    UnknownName {
        /// File and line.
        place: String,
        /// Where in the file, dotted.
        key: String,
        /// Planner, backbone, parameter, metric …
        kind: &'static str,
        /// The name as written.
        found: String,
        /// What was probably meant.
        nearest: Box<str>,
        /// All names.
        known: Box<str>,
    },
    /// A value out of bounds.
    #[error("{place}: {key} = {found}: wanted {wanted}")]
    Value {
        /// File and line.
        place: String,
        /// Where in the file, dotted.
        key: String,
        /// The value as written.
        found: String,
        /// The rule it breaks.
        wanted: String,
    },
}

fn meant(nearest: &str, known: &str) -> String {
    format!("the nearest known one is {nearest:?} (known: {known})")
}

/// An experiment file's name and text, for messages that name a line.
#[derive(Debug)]
pub(crate) struct Source {
    /// The path as the user gave it.
    pub(crate) path: PathBuf,
    /// What it says.
    pub(crate) text: String,
}

impl Source {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, MatrixError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| MatrixError::Read { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// `file:line` of a dotted key; the file alone when the key is a default.
    pub(crate) fn place(&self, key: &str) -> String {
        match keys::line_at(&self.text, key) {
            Some(line) => format!("{}:{line}", self.path.display()),
            None => self.path.display().to_string(),
        }
    }

    /// A value out of bounds.
    pub(crate) fn value(
        &self,
        key: &str,
        found: impl std::fmt::Display,
        wanted: impl Into<String>,
    ) -> MatrixError {
        MatrixError::Value {
            place: self.place(key),
            key: key.to_owned(),
            found: found.to_string(),
            wanted: wanted.into(),
        }
    }

    /// A name that is not among `known`.
    pub(crate) fn unknown(
        &self,
        kind: &'static str,
        key: &str,
        found: &str,
        known: &[&str],
    ) -> MatrixError {
        MatrixError::UnknownName {
            place: self.place(key),
            key: key.to_owned(),
            kind,
            found: found.to_owned(),
            nearest: keys::nearest(found, known.iter().copied()).unwrap_or("none").into(),
            known: if known.is_empty() { "none".into() } else { known.join(", ").into() },
        }
    }

    /// A key that nothing reads.
    pub(crate) fn strange_key(&self, unknown: UnknownKey) -> MatrixError {
        let UnknownKey { line, section, key, nearest, known } = unknown;
        MatrixError::UnknownKey {
            place: format!("{}:{line}", self.path.display()),
            section: match section.as_str() {
                "" => "the top of the file".to_owned(),
                s => format!("[{s}]"),
            },
            key,
            nearest: nearest.into(),
            known: known.join(", ").into(),
        }
    }
}
