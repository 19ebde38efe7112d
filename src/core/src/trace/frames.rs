//! Decodes a trace frame by frame from any byte source, in bounded memory. Each frame's header is
//! checked before the decoder sees it, so that nothing a file claims is allocated unchecked.

use std::io::Read;
use std::path::{Path, PathBuf};

use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::error::TraceError;
use super::limits::{FRAME_BYTES_MAX, FRAMES_MAX, TEXT_BYTES_MAX, WINDOW_BYTES_MAX};
use super::seek::{self, SKIPPABLE_MAGIC};

/// A whole zstd frame, its checksum verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Where it begins in the file, in bytes.
    pub offset: u64,
    /// Its length in the file, in bytes.
    pub compressed: u64,
    /// Its length as text, in bytes.
    pub decoded: u64,
}

/// What one step of the decoder came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Text may have been appended.
    Text,
    /// A frame ended and its checksum fits.
    Closed(Frame),
    /// What follows the frames: a seek table, told as raw bytes up to the end of the file.
    Rest(Vec<u8>),
    /// The file ends; within a frame or between two.
    End {
        /// The frame that was not closed.
        inside: bool,
    },
}

/// Decoder of one file.
pub(crate) struct Frames<R> {
    source: R,
    path: PathBuf,
    input: Box<[u8]>,
    from: usize,
    to: usize,
    /// Place in the file of `input[from]`.
    offset: u64,
    decoder: Decoder<'static>,
    open: Option<Frame>,
    count: usize,
    total: u64,
}

const ZSTD_MAGIC: u32 = 0xFD2F_B528;
const HEADER_MAX: usize = 18;
const INPUT: usize = 64 << 10;
/// Text decoded in one step, at most.
const CHUNK: usize = 256 << 10;

impl<R: Read> Frames<R> {
    /// Begins at a frame boundary, `offset` bytes into the file.
    pub(crate) fn new(source: R, path: &Path, offset: u64) -> Result<Self, TraceError> {
        let io = |source| TraceError::Io { path: path.to_owned(), source };
        let mut decoder = Decoder::new().map_err(io)?;
        let window_log = WINDOW_BYTES_MAX.ilog2();
        decoder.set_parameter(DParameter::WindowLogMax(window_log)).map_err(io)?;
        Ok(Self {
            source,
            path: path.to_owned(),
            input: vec![0; INPUT].into(),
            from: 0,
            to: 0,
            offset,
            decoder,
            open: None,
            count: 0,
            total: 0,
        })
    }

    /// Bytes of the file that were decoded so far.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Takes one step, appending to `text`.
    pub(crate) fn step(&mut self, text: &mut Vec<u8>) -> Result<Step, TraceError> {
        let Some(mut open) = self.open else { return self.begin() };
        if self.from == self.to {
            self.fill(1)?;
        }
        let before = text.len();
        text.reserve(CHUNK);
        let mut input = InBuffer::around(&self.input[self.from..self.to]);
        let mut output = OutBuffer::around_pos(text, before);
        let hint = self.decoder.run(&mut input, &mut output);
        let taken = input.pos();
        self.from += taken;
        self.offset += taken as u64;
        let made = (text.len() - before) as u64;
        let hint = hint.map_err(|e| self.damaged(open.offset, format!("zstd: {e}")))?;
        open.decoded += made;
        self.total += made;
        self.limit("a frame", open.offset, open.decoded, FRAME_BYTES_MAX)?;
        self.limit("a text", open.offset, self.total, TEXT_BYTES_MAX)?;
        self.open = Some(open);
        if hint == 0 {
            self.open = None;
            self.count += 1;
            open.compressed = self.offset - open.offset;
            return Ok(Step::Closed(open));
        }
        Ok(if taken == 0 && made == 0 { Step::End { inside: true } } else { Step::Text })
    }

    /// Looks at what stands at a frame boundary.
    fn begin(&mut self) -> Result<Step, TraceError> {
        self.fill(HEADER_MAX)?;
        let head = &self.input[self.from..self.to];
        if head.is_empty() {
            return Ok(Step::End { inside: false });
        }
        let Some((magic, header)) = head.split_first_chunk::<4>() else {
            return match head {
                _ if ZSTD_MAGIC.to_le_bytes().starts_with(head) => Ok(Step::End { inside: true }),
                _ if self.offset > 0 && SKIPPABLE_MAGIC.to_le_bytes().starts_with(head) => {
                    self.rest()
                }
                _ => Err(self.not_a_frame()),
            };
        };
        match u32::from_le_bytes(*magic) {
            ZSTD_MAGIC => {}
            SKIPPABLE_MAGIC if self.offset > 0 => return self.rest(),
            _ => return Err(self.not_a_frame()),
        }
        if self.count >= FRAMES_MAX {
            return Err(self.damaged(self.offset, format!("more than {FRAMES_MAX} frames")));
        }
        let Some(claims) = Claims::read(header) else { return Ok(Step::End { inside: true }) };
        if !claims.checksum {
            return Err(self.damaged(self.offset, "a frame without a checksum".to_owned()));
        }
        self.limit("a frame claim", self.offset, claims.content.unwrap_or(0), FRAME_BYTES_MAX)?;
        self.limit("a window claim", self.offset, claims.window, WINDOW_BYTES_MAX)?;
        self.open = Some(Frame { offset: self.offset, compressed: 0, decoded: 0 });
        Ok(Step::Text)
    }

    fn rest(&mut self) -> Result<Step, TraceError> {
        let mut bytes = self.input[self.from..self.to].to_vec();
        let most = (seek::TABLE_BYTES_MAX + 1) as u64;
        let io = |source| TraceError::Io { path: self.path.clone(), source };
        (&mut self.source).take(most).read_to_end(&mut bytes).map_err(io)?;
        self.from = self.to;
        Ok(Step::Rest(bytes))
    }

    /// Reads until at least `wanted` bytes are there or the file ends.
    fn fill(&mut self, wanted: usize) -> Result<(), TraceError> {
        if self.to - self.from >= wanted {
            return Ok(());
        }
        self.input.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        while self.to < wanted {
            match self.source.read(&mut self.input[self.to..]) {
                Ok(0) => break,
                Ok(n) => self.to += n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(source) => return Err(TraceError::Io { path: self.path.clone(), source }),
            }
        }
        Ok(())
    }

    fn not_a_frame(&self) -> TraceError {
        let found = &self.input[self.from..self.to.min(self.from + 16)];
        let shown = format!("{:?}", String::from_utf8_lossy(found));
        if self.offset == 0 {
            let expected = "the zstd magic 28 b5 2f fd";
            return TraceError::NotATrace { path: self.path.clone(), expected, found: shown };
        }
        self.damaged(self.offset, format!("a frame or the seek table should begin here: {shown}"))
    }

    fn damaged(&self, offset: u64, detail: String) -> TraceError {
        TraceError::Damaged { path: self.path.clone(), offset, turn: 0, detail }
    }

    fn limit(
        &self,
        what: &'static str,
        offset: u64,
        found: u64,
        most: u64,
    ) -> Result<(), TraceError> {
        if found <= most {
            return Ok(());
        }
        Err(TraceError::Limit { path: self.path.clone(), offset, what, found, most })
    }
}

/// What a frame's header claims.
struct Claims {
    checksum: bool,
    window: u64,
    content: Option<u64>,
}

impl Claims {
    /// Reads what follows the magic (RFC 8878, 3.1.1.1); `None` when it is cut.
    fn read(header: &[u8]) -> Option<Self> {
        let (&descriptor, mut rest) = header.split_first()?;
        let single = descriptor & 0b10_0000 != 0;
        let mut window = 0;
        if !single {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            let base = 1_u64 << (10 + (byte >> 3));
            window = base + base / 8 * u64::from(byte & 7);
        }
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 0b11)];
        let rest = rest.get(dictionary..)?;
        let content = match (descriptor >> 6, single) {
            (0, false) => None,
            (0, true) => Some(number(rest, 1)?),
            (1, _) => Some(number(rest, 2)? + 256),
            (2, _) => Some(number(rest, 4)?),
            _ => Some(number(rest, 8)?),
        };
        if single {
            window = content.unwrap_or(0);
        }
        Some(Self { checksum: descriptor & 0b100 != 0, window, content })
    }
}

fn number(bytes: &[u8], length: usize) -> Option<u64> {
    Some(bytes.get(..length)?.iter().rev().fold(0, |sum, b| sum << 8 | u64::from(*b)))
}
