//! Decoded lines in one buffer. Most readers look at few lines of many, so an entry is parsed only
//! when it is asked for, and its kind is told from its first bytes.

use serde::Deserialize;

use super::entry::Entry;

/// The kinds of entries, told from the beginning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Kind {
    Header,
    Game,
    Call,
    Note,
    Turn,
    End,
}

impl Kind {
    /// All six, with the beginning of their lines.
    const ALL: [(Kind, &'static str); 6] = [
        (Kind::Call, "{\"call\":"),
        (Kind::Game, "{\"game\":"),
        (Kind::Note, "{\"note\":"),
        (Kind::Turn, "{\"turn\":"),
        (Kind::Header, "{\"header\":"),
        (Kind::End, "{\"end\":"),
    ];

    /// The kind of a line; `None` when it begins like no entry.
    pub fn of(line: &str) -> Option<Kind> {
        Self::ALL.iter().find(|(_, start)| line.starts_with(start)).map(|(kind, _)| *kind)
    }

    /// The content of a line of this kind: what stands between the kind and the last brace.
    pub(crate) fn content(self, line: &str) -> &str {
        let start = Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, s)| s);
        line.strip_prefix(start).and_then(|l| l.strip_suffix('}')).unwrap_or(line)
    }
}

/// Lines of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    /// Where each line begins, and where the last one ended.
    starts: Vec<usize>,
}

impl Text {
    /// Splits a text whose every line ends in a newline.
    pub(crate) fn new(text: String) -> Self {
        debug_assert!(text.is_empty() || text.ends_with('\n'), "only whole lines are kept");
        let mut starts = vec![0];
        let mut from = 0;
        while let Some(length) = text[from..].find('\n') {
            from += length + 1;
            starts.push(from);
        }
        Self { text, starts }
    }

    /// Gives back memory that decoding took ahead.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    /// How many lines.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of it, as `zstdcat` prints it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// One line, from 0, without its newline.
    pub fn line(&self, index: usize) -> Option<&str> {
        let (from, to) = (*self.starts.get(index)?, *self.starts.get(index + 1)?);
        self.text.get(from..to - 1)
    }

    /// All lines in order, without their newlines.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.starts.windows(2).map(|w| &self.text[w[0]..w[1] - 1])
    }

    /// The kind of one line.
    pub fn kind(&self, index: usize) -> Option<Kind> {
        self.line(index).and_then(Kind::of)
    }

    /// One line as an entry.
    ///
    /// # Errors
    /// What the parser says; also for a line that is not there.
    pub fn entry(&self, index: usize) -> Result<Entry, serde_json::Error> {
        serde_json::from_str(self.line(index).unwrap_or_default())
    }
}

/// Number of the turn that a `turn` line closes, without parsing the rest of it.
pub(crate) fn turn_closed(line: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Whole {
        turn: u32,
    }
    let content = Kind::Turn.content(line);
    let digits = content
        .strip_prefix("{\"turn\":")
        .and_then(|rest| rest.split(',').next().filter(|d| d.bytes().all(|b| b.is_ascii_digit())));
    match digits {
        Some(digits) => digits.parse().ok(),
        None => serde_json::from_str::<Whole>(content).ok().map(|w| w.turn),
    }
}
