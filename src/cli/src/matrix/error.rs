//! What can be wrong with an experiment file. Each message says where, what stands there, what was
//! wanted, and what to do; a file with any of these is refused before the first game.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use saga_core::prompts::PromptError;

use super::keys::{self, UnknownKey};

/// An experiment file is a page or two; more is some other file.
const FILE_BYTES_MAX: usize = 1 << 20;
/// Characters of a file that a message repeats at once.
const CHARS_MAX: usize = 120;

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
    /// Too large to be an experiment file.
    #[error(
        "{} has more than {FILE_BYTES_MAX} bytes, which no experiment file needs; the shipped ones \
         are in experiments/",
        path.display()
    )]
    TooLarge {
        /// Which file.
        path: PathBuf,
    },
    /// The prompt templates it names.
    #[error("{place}: prompts = {:?}: {source}", dir.display())]
    Prompts {
        /// File and line.
        place: String,
        /// The folder, from here.
        dir: PathBuf,
        /// What is wrong with them.
        source: PromptError,
    },
    /// Not TOML, or a value of the wrong type.
    #[error("{place}: {message}{}", shown(line))]
    Toml {
        /// File and line.
        place: String,
        /// The parser's words.
        message: String,
        /// The line itself; empty when there is none to show.
        line: String,
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
    /// The server would not play it.
    #[error("{}{}", lines.join("\n"), spoken(said))]
    Refused {
        /// For each value that is refused: where, the value, what the server would do.
        lines: Vec<String>,
        /// What the server said of them.
        said: Vec<String>,
    },
}

fn spoken(said: &[String]) -> String {
    if said.is_empty() { String::new() } else { format!("\nthe server said: {}", said.join(" ")) }
}

fn meant(nearest: &str, known: &str) -> String {
    if nearest.is_empty() {
        return format!("known: {known}");
    }
    format!("the nearest known one is {nearest:?} (known: {known})")
}

fn shown(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("; the line: {line}") }
}

/// The beginning of a text, when the whole would flood a terminal.
fn clip(text: &str) -> String {
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

/// The parser's words, with the types of this program told as what may be written.
fn plain_words(message: &str) -> String {
    let types = [
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected u64", "expected a whole number from 0 to 9223372036854775807"),
        ("expected f64", "expected a number"),
        ("expected a boolean", "expected true or false"),
        ("expected a string", "expected a text in quotes"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table"),
    ];
    let plain = types
        .iter()
        .find_map(|(word, plain)| message.strip_suffix(word).map(|before| (clip(before), *plain)));
    plain.map_or_else(|| clip(message), |(before, plain)| before + plain)
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
    /// Reads a file, and never more of it than an experiment can be.
    pub(crate) fn read(path: &Path) -> Result<Self, MatrixError> {
        let unread = |source| MatrixError::Read { path: path.to_owned(), source };
        let file = File::open(path).map_err(unread)?;
        let mut bytes = Vec::new();
        file.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(unread)?;
        if bytes.len() > FILE_BYTES_MAX {
            return Err(MatrixError::TooLarge { path: path.to_owned() });
        }
        let text = String::from_utf8(bytes)
            .map_err(|e| unread(io::Error::new(io::ErrorKind::InvalidData, e.utf8_error())))?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// What the parser refused.
    pub(crate) fn refused(&self, error: &toml::de::Error) -> MatrixError {
        let at = error.span().map(|span| keys::line_of(&self.text, span.start));
        let path = self.path.display();
        let line = at.and_then(|at| self.text.lines().nth(at - 1)).unwrap_or_default();
        MatrixError::Toml {
            place: at.map_or_else(|| path.to_string(), |at| format!("{path}:{at}")),
            message: plain_words(error.message()),
            line: clip(line.trim()),
        }
    }

    /// `file:line` of a dotted key; the file alone when the key is a default.
    pub(crate) fn place(&self, key: &str) -> String {
        match keys::line_at(&self.text, key) {
            Some(line) => format!("{}:{line}", self.path.display()),
            None => self.path.display().to_string(),
        }
    }

    /// A value as the file has it, cut when it is long; `None` when the key is a default.
    pub(crate) fn written(&self, key: &str) -> Option<String> {
        keys::written_at(&self.text, key).map(clip)
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
            key: clip(key),
            found: clip(&found.to_string()),
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
            key: clip(key),
            kind,
            found: clip(found),
            nearest: keys::nearest(found, known.iter().copied()).unwrap_or_default().into(),
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
                s => format!("[{}]", clip(s)),
            },
            key: clip(&key),
            nearest: nearest.into(),
            known: known.join(", ").into(),
        }
    }
}
