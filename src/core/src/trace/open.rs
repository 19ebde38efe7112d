//! Opens one turn of a closed trace by decoding its header frame and one more.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::error::TraceError;
use super::frames::{Frame, Frames, Step};
use super::read::{LineLimit, Trace, bad_line, read_header};
use super::text::{Kind, Text, turn_closed};
use super::write::TURNS_PER_FRAME;
use super::{entry::Header, seek};

/// One turn with what is needed to understand it.
#[derive(Debug)]
pub struct OpenedTurn {
    /// The first line.
    pub header: Header,
    /// The lines of the header frame: the header and the begin of the game with its rules.
    pub head: Text,
    /// The lines of the turn, up to its `turn` line. They begin with the exchange that ended the
    /// turn before, whose reply is the first observation; for the first turn that is in `head`.
    pub turn: Text,
    /// Whether the seek table served; otherwise the whole file was read.
    pub sought: bool,
    /// Why the table did not serve, when the file has a fault there; see [`Trace::table_fault`].
    pub table_fault: Option<String>,
}

/// Opens one turn.
///
/// # Errors
/// [`TraceError::NoTurn`] when it is not there; otherwise as [`Trace::load`].
pub fn open_turn(path: &Path, turn: u32) -> Result<OpenedTurn, TraceError> {
    if let Some(opened) = seek_turn(path, turn)? {
        return Ok(opened);
    }
    let trace = Trace::load(path)?;
    let head_ends =
        1 + trace.text().lines().position(|l| Kind::of(l) == Some(Kind::Game)).unwrap_or(0);
    let lines: Vec<&str> = trace.text().lines().collect();
    let (head, rest) = lines.split_at(head_ends.min(lines.len()));
    if let Some(found) = cut_out(rest, turn) {
        let (head, turn) = (joined(head), joined(found));
        let (header, table_fault) = (trace.header().clone(), trace.table_fault());
        return Ok(OpenedTurn { header, head, turn, sought: false, table_fault });
    }
    let first = lines.iter().find(|l| Kind::of(l) == Some(Kind::Turn));
    let first = first.and_then(|l| turn_closed(l)).unwrap_or(0);
    let last = trace.turns_closed();
    Err(TraceError::NoTurn { path: path.to_owned(), turn, first, last })
}

/// Tries the seek table. `None` when there is none, when it is wrong, or when the turn is not where
/// it should be: a scan will tell.
fn seek_turn(path: &Path, turn: u32) -> Result<Option<OpenedTurn>, TraceError> {
    let io = |source| TraceError::Io { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(io)?;
    let Some(frames) = read_table(&mut file).map_err(io)? else { return Ok(None) };
    let index = 1 + (turn.saturating_sub(1) / TURNS_PER_FRAME) as usize;
    let (Some(first), Some(wanted)) = (frames.first(), frames.get(index)) else { return Ok(None) };
    let Some(head) = decode_frame(&mut file, path, first)? else { return Ok(None) };
    let Some(body) = decode_frame(&mut file, path, wanted)? else { return Ok(None) };
    let header = read_header(head.line(0).unwrap_or_default(), path)?;
    let lines: Vec<&str> = body.lines().collect();
    let turn = cut_out(&lines, turn).map(joined);
    let table_fault = None;
    Ok(turn.map(|turn| OpenedTurn { header, head, turn, sought: true, table_fault }))
}

/// The lines of one turn among lines that begin at a turn's beginning.
fn cut_out<'a, 'b>(lines: &'b [&'a str], wanted: u32) -> Option<&'b [&'a str]> {
    let mut from = 0;
    for (i, line) in lines.iter().enumerate() {
        if Kind::of(line) == Some(Kind::Turn) {
            if turn_closed(line) == Some(wanted) {
                return lines.get(from..=i);
            }
            from = i + 1;
        }
    }
    None
}

fn joined(lines: &[&str]) -> Text {
    let mut text = String::with_capacity(lines.iter().map(|l| l.len() + 1).sum());
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    Text::new(text)
}

fn read_table(file: &mut File) -> std::io::Result<Option<Vec<Frame>>> {
    let length = file.metadata()?.len();
    let mut last = [0; seek::FOOTER];
    if length < last.len() as u64 {
        return Ok(None);
    }
    file.seek(SeekFrom::End(-(last.len() as i64)))?;
    file.read_exact(&mut last)?;
    let Some(size) = seek::length_told(&last).filter(|size| *size as u64 <= length) else {
        return Ok(None);
    };
    let mut table = vec![0; size];
    file.seek(SeekFrom::End(-(size as i64)))?;
    file.read_exact(&mut table)?;
    let frames = seek::decode(&table).ok();
    let begins = length - size as u64;
    Ok(frames.filter(|f| f.last().is_some_and(|f| f.offset + f.compressed == begins)))
}

/// Decodes one frame; `None` when it is not as long as the table says.
fn decode_frame(file: &mut File, path: &Path, told: &Frame) -> Result<Option<Text>, TraceError> {
    let io = |source| TraceError::Io { path: path.to_owned(), source };
    file.seek(SeekFrom::Start(told.offset)).map_err(io)?;
    let mut frames = Frames::new(&mut *file, path, told.offset)?;
    let mut bytes = Vec::new();
    let mut line = LineLimit::default();
    loop {
        let step = frames.step(&mut bytes);
        line.check(&bytes, told.offset, path)?;
        match step {
            Ok(Step::Text) => {}
            Ok(Step::Closed(frame)) if frame == *told && bytes.ends_with(b"\n") => break,
            Ok(_) | Err(TraceError::Damaged { .. }) => return Ok(None),
            Err(e) => return Err(e),
        }
    }
    let text = String::from_utf8(bytes).map_err(|e| bad_line(path, 0, &e))?;
    Ok(Some(Text::new(text)))
}
