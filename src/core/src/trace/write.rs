//! Writes a trace while the game runs. What is flushed at the end of a turn survives the writer;
//! what cannot be written stops the episode.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use zstd::stream::raw::{CParameter, Encoder, InBuffer, Operation, OutBuffer};

use super::entry::{CallReply, Entry, Output};
use super::frames::Frame;
use super::journal::Journal;
use super::limits::{
    FRAME_BYTES_CLOSE, FRAME_BYTES_MAX, LINE_BYTES_MAX, TEXT_BYTES_MAX, WINDOW_BYTES_MAX,
};
use super::{Stem, seek};
use crate::backbone::{CallId, Prompt};
use crate::spec::Durability;
use crate::stop::Stop;

/// Turns in one compressed frame: one planning cycle. A frame a turn is twice as large on disk;
/// larger frames win little and make opening a turn slower.
pub const TURNS_PER_FRAME: u32 = 6;

const LEVEL: i32 = 3;

/// The trace of a running game, with its journal.
pub struct TraceWriter {
    path: PathBuf,
    file: File,
    durability: Durability,
    journal: Option<Journal>,
    encoder: Encoder<'static>,
    packed: Vec<u8>,
    line: Vec<u8>,
    frames: Vec<Frame>,
    /// The frame being written; of no length when none is.
    open: Frame,
    turns_in_frame: u32,
    text_bytes: u64,
    stage: Stage,
    failed: Option<Stop>,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The header and the begin of the game, which fill the first frame.
    Head,
    /// Turns.
    Turns,
    /// Nothing: the end is written.
    Ended,
}

impl TraceWriter {
    /// Creates a trace and its journal. An existing file is never overwritten.
    ///
    /// # Errors
    /// [`Stop::Unwritable`].
    pub fn create(path: &Path, durability: Durability) -> Result<Self, Stop> {
        let stop = |e: &dyn std::fmt::Display| unwritable(path, e);
        let mut encoder = Encoder::new(LEVEL).map_err(|e| stop(&e))?;
        let parameters =
            [CParameter::ChecksumFlag(true), CParameter::WindowLog(WINDOW_BYTES_MAX.ilog2())];
        for parameter in parameters {
            encoder.set_parameter(parameter).map_err(|e| stop(&e))?;
        }
        let file = create_new(path)?;
        let journal = Journal::create(&Stem::of_trace(path).journal()).inspect_err(|_| {
            // The trace was created by the line above and holds nothing.
            let _ = std::fs::remove_file(path);
        })?;
        let writer = Self {
            path: path.to_owned(),
            file,
            durability,
            journal: Some(journal),
            encoder,
            packed: Vec::with_capacity(64 << 10),
            line: Vec::with_capacity(64 << 10),
            frames: Vec::new(),
            open: Frame { offset: 0, compressed: 0, decoded: 0 },
            turns_in_frame: 0,
            text_bytes: 0,
            stage: Stage::Head,
            failed: None,
        };
        if durability != Durability::None {
            sync_folder(path).map_err(|e| stop(&e))?;
        }
        Ok(writer)
    }

    /// The trace being written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write_entry(&mut self, entry: &Entry) -> Result<(), Stop> {
        if self.stage == Stage::Ended {
            return Err(unwritable(&self.path, &"its end is already written"));
        }
        self.line.clear();
        serde_json::to_writer(&mut self.line, entry).map_err(|e| unwritable(&self.path, &e))?;
        self.line.push(b'\n');
        let length = self.line.len() as u64;
        self.check_limit("a line", length, LINE_BYTES_MAX as u64)?;
        self.check_limit("a frame", self.open.decoded + length, FRAME_BYTES_MAX)?;
        self.check_limit("a text", self.text_bytes + length, TEXT_BYTES_MAX)?;
        self.compress()?;
        match entry {
            Entry::Game(_) if self.stage == Stage::Head => {
                self.close_frame()?;
                self.stage = Stage::Turns;
                self.sync()
            }
            Entry::Turn(_) => self.end_turn(),
            Entry::End(_) => self.end(),
            _ => Ok(()),
        }
    }

    fn end_turn(&mut self) -> Result<(), Stop> {
        self.turns_in_frame += 1;
        if self.turns_in_frame >= TURNS_PER_FRAME || self.open.decoded >= FRAME_BYTES_CLOSE {
            self.close_frame()?;
        } else {
            self.flush()?;
        }
        self.sync()?;
        self.journal.as_mut().map_or(Ok(()), Journal::clear)
    }

    fn end(&mut self) -> Result<(), Stop> {
        self.close_frame()?;
        let table = seek::encode(&self.frames);
        self.file.write_all(&table).map_err(|e| unwritable(&self.path, &e))?;
        self.sync()?;
        self.stage = Stage::Ended;
        if let Some(journal) = self.journal.take() {
            journal.remove()?;
        }
        match self.durability {
            Durability::None => Ok(()),
            _ => sync_folder(&self.path).map_err(|e| unwritable(&self.path, &e)),
        }
    }

    fn sync(&self) -> Result<(), Stop> {
        match self.durability {
            Durability::None => Ok(()),
            Durability::Turn | Durability::Call => {
                self.file.sync_data().map_err(|e| unwritable(&self.path, &e))
            }
        }
    }

    /// Feeds `line` to the encoder and writes what comes out.
    fn compress(&mut self) -> Result<(), Stop> {
        let mut taken = 0;
        while taken < self.line.len() {
            self.packed.clear();
            let mut input = InBuffer::around(self.line.get(taken..).unwrap_or_default());
            let ran = self.encoder.run(&mut input, &mut OutBuffer::around(&mut self.packed));
            ran.map_err(|e| unwritable(&self.path, &e))?;
            taken += input.pos();
            self.emit()?;
        }
        self.open.decoded += self.line.len() as u64;
        self.text_bytes += self.line.len() as u64;
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Stop> {
        loop {
            self.packed.clear();
            let left = self.encoder.flush(&mut OutBuffer::around(&mut self.packed));
            let left = left.map_err(|e| unwritable(&self.path, &e))?;
            self.emit()?;
            if left == 0 {
                return Ok(());
            }
        }
    }

    fn close_frame(&mut self) -> Result<(), Stop> {
        if self.open.decoded == 0 {
            return Ok(());
        }
        loop {
            self.packed.clear();
            let left = self.encoder.finish(&mut OutBuffer::around(&mut self.packed), true);
            let left = left.map_err(|e| unwritable(&self.path, &e))?;
            self.emit()?;
            if left == 0 {
                break;
            }
        }
        self.frames.push(self.open);
        let offset = self.open.offset + self.open.compressed;
        self.open = Frame { offset, compressed: 0, decoded: 0 };
        self.turns_in_frame = 0;
        Ok(())
    }

    fn emit(&mut self) -> Result<(), Stop> {
        self.file.write_all(&self.packed).map_err(|e| unwritable(&self.path, &e))?;
        self.open.compressed += self.packed.len() as u64;
        Ok(())
    }

    fn check_limit(&self, what: &str, found: u64, most: u64) -> Result<(), Stop> {
        if found <= most {
            return Ok(());
        }
        Err(unwritable(&self.path, &format!("{what} of {found} bytes, at most {most} are allowed")))
    }

    /// Runs a step unless an earlier one failed; remembers a failure.
    fn guarded(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        if let Some(stop) = &self.failed {
            return Err(stop.clone());
        }
        step(self).inspect_err(|stop| self.failed = Some(stop.clone()))
    }
}

impl Output for TraceWriter {
    fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.guarded(|writer| writer.write_entry(entry))
    }

    fn arrived(&mut self, id: &CallId, prompt: &Prompt, reply: &CallReply) -> Result<(), Stop> {
        // A stop is no answer: nothing was paid for, and a resumed game asks again.
        if matches!(reply, CallReply::Stop(_)) {
            return Ok(());
        }
        self.guarded(|writer| {
            let sync = writer.durability == Durability::Call;
            match &mut writer.journal {
                Some(journal) => journal.append(id, prompt, reply, sync),
                None => Err(unwritable(&writer.path, &"its end is already written")),
            }
        })
    }
}

pub(crate) fn create_new(path: &Path) -> Result<File, Stop> {
    OpenOptions::new().write(true).create_new(true).open(path).map_err(|e| unwritable(path, &e))
}

pub(crate) fn unwritable(path: &Path, detail: &dyn std::fmt::Display) -> Stop {
    Stop::Unwritable { path: path.display().to_string(), detail: detail.to_string() }
}

/// Makes a created or removed name durable.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::entry::Note;

    /// A writer whose file lies on a full disk.
    #[expect(clippy::disallowed_methods, reason = "a scratch file of a test")]
    fn on_full_disk(name: &str) -> TraceWriter {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("saga-{name}-{}.trace.jsonl.zst", std::process::id()));
        let mut writer = TraceWriter::create(&path, Durability::None).expect("a writer");
        writer.file = OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
        std::fs::remove_file(&path).expect("removed");
        std::fs::remove_file(Stem::of_trace(&path).journal()).expect("removed");
        writer
    }

    #[test]
    fn a_full_disk_stops_the_episode_for_good() {
        let mut writer = on_full_disk("full");
        let body = serde_json::Value::String("x".repeat(10_000));
        let note = |turn| Entry::Note(Note { turn, kind: "n".to_owned(), body: body.clone() });
        let mut turns = (0..100_000).map(|turn| writer.put(&note(turn)));
        let Some(Err(stop)) = turns.find(Result::is_err) else { panic!("never written") };
        let words = stop.to_string();
        assert!(words.starts_with("cannot write /") && words.contains("No space left"), "{words}");
        // There is room again, but what was lost in between is lost.
        writer.file = OpenOptions::new().write(true).open("/dev/null").expect("room");
        assert_eq!(writer.put(&note(1)), Err(stop));
    }
}
