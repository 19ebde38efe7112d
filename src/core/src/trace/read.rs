//! Loads a trace whole, in one pass, and says how far it can be trusted: closed, cut at its last
//! flush, or damaged.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::entry::{End, Entry, Header, TurnEntry};
use super::error::TraceError;
use super::frames::{Frame, Frames, Step};
use super::limits::LINE_BYTES_MAX;
use super::text::{Kind, Text, turn_closed};
use super::{FORMAT, FORMAT_MAJOR, seek};

/// A loaded trace: its lines up to the last flush.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    text: Text,
    header: Header,
    end: Option<End>,
    state: State,
    frames: Vec<Frame>,
    table: Table,
}

/// How far a trace goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// To its last line; every checksum fits.
    Complete,
    /// To the last flush before its writer was stopped.
    Cut(Cut),
    /// To the last whole turn before damaged bytes, told in words. Only [`Trace::salvage`] returns
    /// such a trace.
    Damaged {
        /// Where the damaged frame begins, in bytes.
        offset: u64,
        /// What contradicts what.
        detail: String,
    },
}

/// Where a trace was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The last whole turn; 0 when none was closed.
    pub turn: u32,
    /// Length of the file in bytes.
    pub length: u64,
    /// Bytes of text after the last flush, which are not kept.
    pub dropped: u64,
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Cut { turn, length, dropped } = self;
        write!(f, "cut at byte {length}, after turn {turn}; {dropped} bytes of text after it")
    }
}

/// What the seek table is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Table {
    /// It says what the scan found.
    Good,
    /// There is none, as in every file that was not closed.
    Absent,
    /// It contradicts the scan, or something else stands in its place. The lines are good all the
    /// same.
    Bad(String),
}

impl Trace {
    /// Loads a trace that is complete or cut.
    ///
    /// # Errors
    /// [`TraceError`]: unreadable, empty, not a trace, newer, too large, damaged.
    pub fn load(path: &Path) -> Result<Self, TraceError> {
        let trace = Self::salvage(path)?;
        match &trace.state {
            State::Damaged { offset, detail } => Err(TraceError::Damaged {
                path: path.to_owned(),
                offset: *offset,
                turn: trace.turns_closed(),
                detail: detail.clone(),
            }),
            _ => Ok(trace),
        }
    }

    /// As [`Trace::load`], but returns what stands before damaged bytes.
    ///
    /// # Errors
    /// [`TraceError`] when not even the header is readable.
    pub fn salvage(path: &Path) -> Result<Self, TraceError> {
        let io = |source| TraceError::Io { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        if length == 0 {
            return Err(TraceError::Empty { path: path.to_owned() });
        }
        let closed = ends_in_table(&mut file, length).map_err(io)?;
        file.rewind().map_err(io)?;
        let scan = Scan::of(file, path, closed)?;
        Self::from_scan(scan, path, length)
    }

    fn from_scan(scan: Scan, path: &Path, length: u64) -> Result<Self, TraceError> {
        let Scan { bytes, verified, frames, rest, stopped } = scan;
        let (text, dropped) = whole_lines(bytes, verified, path)?;
        let mut text = Text::new(text);
        let Some(first) = text.line(0) else {
            return Err(match stopped {
                Some((offset, detail)) => damaged(path, offset, 0, detail),
                None => TraceError::NoHeader { path: path.to_owned(), length },
            });
        };
        let header = read_header(first, path)?;
        let turn = check_order(&text, path)?;
        let last = text.len() - 1;
        let end = match text.kind(last) {
            Some(Kind::End) => Some(parse_end(&text, last, path)?),
            _ => None,
        };
        let mut table = match &rest {
            None => Table::Absent,
            Some(bytes) => compare_table(bytes, &frames),
        };
        let closed = frames.last().map_or(0, |f| f.offset + f.compressed);
        let behind = length.saturating_sub(closed);
        let state = match (end.is_some(), stopped) {
            (true, _) if behind > seek::length_for(frames.len()) => {
                State::Damaged { offset: closed, detail: seek::goes_on(behind, frames.len()) }
            }
            (true, None) => State::Complete,
            (true, Some((_, detail))) => {
                table = Table::Bad(detail);
                State::Complete
            }
            (false, Some((offset, detail))) => State::Damaged { offset, detail },
            (false, None) if rest.is_some() => {
                let offset = frames.last().map_or(0, |f| f.offset);
                let detail = "the seek table is there, but no line tells the end".to_owned();
                State::Damaged { offset, detail }
            }
            (false, None) => State::Cut(Cut { turn, length, dropped }),
        };
        text.shrink();
        Ok(Self { path: path.to_owned(), text, header, end, state, frames, table })
    }

    /// Where it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its first line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Its last line, when it has one.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// How far it goes.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its lines.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The frames that were closed, in order.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// What its seek table is worth.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Why its seek table was not used, in words; `None` when it is good, or when the file was
    /// never closed and cannot have one.
    pub fn table_fault(&self) -> Option<String> {
        match &self.table {
            Table::Good => None,
            Table::Absent if self.end.is_none() => None,
            Table::Absent => Some("the seek table is missing".to_owned()),
            Table::Bad(detail) => Some(format!("the seek table disagrees, not used: {detail}")),
        }
    }

    /// The last turn that was closed; 0 when none was.
    pub fn turns_closed(&self) -> u32 {
        self.text
            .lines()
            .rev()
            .find(|l| Kind::of(l) == Some(Kind::Turn))
            .map_or(0, |line| turn_closed(line).unwrap_or(0))
    }

    /// One line as an entry.
    ///
    /// # Errors
    /// [`TraceError::BadLine`].
    pub fn entry(&self, index: usize) -> Result<Entry, TraceError> {
        self.text.entry(index).map_err(|e| bad_line(&self.path, index, &e))
    }

    /// The closed turns in order; nothing else is parsed.
    pub fn turns(&self) -> impl Iterator<Item = Result<TurnEntry, TraceError>> {
        let lines = self.text.lines().enumerate();
        lines.filter(|(_, l)| Kind::of(l) == Some(Kind::Turn)).map(|(i, line)| {
            serde_json::from_str(Kind::Turn.content(line)).map_err(|e| bad_line(&self.path, i, &e))
        })
    }
}

/// BLAKE3 of a whole file, hexadecimal: how a trace is named in the ledger and in forks.
///
/// # Errors
/// [`TraceError::Io`].
pub fn file_hash(path: &Path) -> Result<String, TraceError> {
    let io = |source| TraceError::Io { path: path.to_owned(), source };
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut File::open(path).map_err(io)?, &mut hasher).map_err(io)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Reads the header line and refuses what this program cannot read.
pub(crate) fn read_header(line: &str, path: &Path) -> Result<Header, TraceError> {
    #[derive(Deserialize)]
    struct Named {
        format: String,
        version: String,
        #[serde(default)]
        written_by: String,
    }
    let not_ours = |found: &str| TraceError::NotATrace {
        path: path.to_owned(),
        expected: "a line {\"header\":{\"format\":\"saga\"",
        found: format!("{:?}", found.chars().take(60).collect::<String>()),
    };
    if Kind::of(line) != Some(Kind::Header) {
        return Err(not_ours(line));
    }
    let content = Kind::Header.content(line);
    let named: Named = serde_json::from_str(content).map_err(|_| not_ours(line))?;
    if named.format != FORMAT {
        return Err(not_ours(line));
    }
    let major = named.version.split('.').next().and_then(|m| m.parse::<u32>().ok());
    match major {
        Some(FORMAT_MAJOR) => serde_json::from_str(content).map_err(|e| bad_line(path, 0, &e)),
        _ => Err(TraceError::Newer {
            path: path.to_owned(),
            found: named.version,
            ours: format!("{FORMAT_MAJOR}.x"),
            written_by: named.written_by,
        }),
    }
}

pub(crate) fn bad_line(path: &Path, index: usize, detail: &dyn std::fmt::Display) -> TraceError {
    TraceError::BadLine { path: path.to_owned(), line: index + 1, detail: detail.to_string() }
}

/// Everything decoded, and where decoding stopped.
struct Scan {
    bytes: Vec<u8>,
    /// How much of `bytes` stands in closed frames.
    verified: usize,
    frames: Vec<Frame>,
    rest: Option<Vec<u8>>,
    stopped: Option<(u64, String)>,
}

impl Scan {
    /// Decodes all it can. `closed`: the file ends in a seek table, so no frame may be open.
    fn of(file: File, path: &Path, closed: bool) -> Result<Self, TraceError> {
        let mut decoder = Frames::new(file, path, 0)?;
        let mut scan =
            Scan { bytes: Vec::new(), verified: 0, frames: Vec::new(), rest: None, stopped: None };
        let mut line = LineLimit::default();
        loop {
            match decoder.step(&mut scan.bytes) {
                Ok(Step::Text) => line.check(&scan.bytes, decoder.offset(), path)?,
                Ok(Step::Closed(frame)) => {
                    line.check(&scan.bytes, decoder.offset(), path)?;
                    if scan.bytes.last() != Some(&b'\n') {
                        scan.stop(frame.offset, "a frame ends within a line".to_owned());
                        return Ok(scan);
                    }
                    scan.frames.push(frame);
                    scan.verified = scan.bytes.len();
                }
                Ok(Step::Rest(rest)) => {
                    scan.rest = Some(rest);
                    return Ok(scan);
                }
                Ok(Step::End { inside }) => {
                    if inside && closed {
                        let offset = scan.frames.last().map_or(0, |f| f.offset + f.compressed);
                        scan.stop(offset, "a frame runs over the seek table".to_owned());
                    }
                    return Ok(scan);
                }
                Err(TraceError::Damaged { offset, detail, .. }) => {
                    scan.stop(offset, detail);
                    return Ok(scan);
                }
                Err(e) => return Err(e),
            }
        }
    }

    /// Ends the scan at a frame whose text is not to be trusted.
    fn stop(&mut self, offset: u64, detail: String) {
        self.bytes.truncate(self.verified);
        self.stopped = Some((offset, detail));
    }
}

/// Keeps the length of the line that is being decoded below its limit.
#[derive(Default)]
pub(crate) struct LineLimit {
    seen: usize,
    begins: usize,
}

impl LineLimit {
    pub(crate) fn check(
        &mut self,
        bytes: &[u8],
        offset: u64,
        path: &Path,
    ) -> Result<(), TraceError> {
        let fresh = bytes.get(self.seen..).unwrap_or_default();
        if let Some(last) = fresh.iter().rposition(|b| *b == b'\n') {
            self.begins = self.seen + last + 1;
        }
        self.seen = bytes.len();
        let length = self.seen - self.begins;
        if length <= LINE_BYTES_MAX {
            return Ok(());
        }
        Err(TraceError::Limit {
            path: path.to_owned(),
            offset,
            what: "a line",
            found: length as u64,
            most: LINE_BYTES_MAX as u64,
        })
    }
}

/// The text up to the last flush: whole frames, and of an open frame whole turns. Also how many
/// bytes stood behind it.
fn whole_lines(
    mut bytes: Vec<u8>,
    verified: usize,
    path: &Path,
) -> Result<(String, u64), TraceError> {
    let all = bytes.len();
    let open = bytes.get(verified..).unwrap_or_default();
    let kept = verified + whole_turns(open);
    bytes.truncate(kept);
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, (all - kept) as u64)),
        Err(e) => {
            let good = e.as_bytes().get(..e.utf8_error().valid_up_to()).unwrap_or_default();
            let line = good.split(|b| *b == b'\n').count() - 1;
            Err(bad_line(path, line, &e.utf8_error()))
        }
    }
}

/// Length of the leading lines of an open frame up to the last closed turn, every one of them JSON.
fn whole_turns(open: &[u8]) -> usize {
    let (mut at, mut kept) = (0, 0);
    for line in open.split_inclusive(|b| *b == b'\n') {
        let Some(line) = line.strip_suffix(b"\n").and_then(|l| std::str::from_utf8(l).ok()) else {
            break;
        };
        if Kind::of(line).is_none() || serde_json::from_str::<serde::de::IgnoredAny>(line).is_err()
        {
            break;
        }
        at += line.len() + 1;
        if Kind::of(line) == Some(Kind::Turn) {
            kept = at;
        }
    }
    kept
}

/// One header, first; turns counting up by one; the end, last. Returns the last closed turn.
fn check_order(text: &Text, path: &Path) -> Result<u32, TraceError> {
    let mut last: u32 = 0;
    for (i, line) in text.lines().enumerate() {
        let kind = Kind::of(line).ok_or_else(|| {
            let start: String = line.chars().take(40).collect();
            bad_line(path, i, &format!("no entry begins with {start:?}"))
        })?;
        match kind {
            Kind::Header if i > 0 => return Err(bad_line(path, i, &"a second header")),
            Kind::End if i + 1 < text.len() => {
                return Err(bad_line(path, i, &"an end with lines after it"));
            }
            Kind::Turn => {
                let turn = turn_closed(line)
                    .ok_or_else(|| bad_line(path, i, &"a turn without a number"))?;
                if last != 0 && last.checked_add(1) != Some(turn) {
                    let detail = format!("turn {turn} follows turn {last}");
                    return Err(bad_line(path, i, &detail));
                }
                last = turn;
            }
            _ => {}
        }
    }
    Ok(last)
}

fn parse_end(text: &Text, last: usize, path: &Path) -> Result<End, TraceError> {
    let line = text.line(last).unwrap_or_default();
    serde_json::from_str(Kind::End.content(line)).map_err(|e| bad_line(path, last, &e))
}

fn compare_table(bytes: &[u8], scanned: &[Frame]) -> Table {
    match seek::decode(bytes) {
        Ok(told) if told == scanned => Table::Good,
        Ok(told) => {
            let at = told.iter().zip(scanned).position(|(a, b)| a != b);
            let at = at.unwrap_or(told.len().min(scanned.len()));
            let (t, s) = (told.get(at), scanned.get(at));
            let (t, s) = (sizes(t), sizes(s));
            Table::Bad(format!("the seek table says {t} for frame {at}, the scan finds {s}"))
        }
        Err(detail) => Table::Bad(format!("the seek table is unreadable: {detail}")),
    }
}

fn sizes(frame: Option<&Frame>) -> String {
    frame.map_or_else(
        || "nothing".to_owned(),
        |f| format!("{} bytes at {}, {} decoded", f.compressed, f.offset, f.decoded),
    )
}

fn damaged(path: &Path, offset: u64, turn: u32, detail: String) -> TraceError {
    TraceError::Damaged { path: path.to_owned(), offset, turn, detail }
}

/// Whether the last bytes say that the file was closed.
fn ends_in_table(file: &mut File, length: u64) -> std::io::Result<bool> {
    let mut last = [0; seek::FOOTER];
    if length < seek::FOOTER as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-(seek::FOOTER as i64)))?;
    file.read_exact(&mut last)?;
    Ok(seek::length_told(&last).is_some())
}
