//! What stands between an episode and the outside while it is recorded live: the stopwatch at the
//! backbone's door, and the tee that feeds trace, timing file and progress. The clock is here, so
//! that nothing it says reaches a trace.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use saga_core::backbone::{Backbone, CallId, Completion, Fault, Prompt};
use saga_core::stop::Stop;
use saga_core::trace::entry::{CallReply, Entry, TurnEntry};
use saga_core::trace::timing::TimingLine;
use saga_core::trace::{Output, TraceWriter};

use super::progress::{GameProgress, Running};

/// A backbone with a stopwatch.
pub(super) struct Timed<'a> {
    backbone: &'a dyn Backbone,
    calls: &'a Mutex<Vec<TimingLine>>,
}

impl<'a> Timed<'a> {
    /// Puts a line into `calls` for each call that took a millisecond or more.
    pub(super) fn new(backbone: &'a dyn Backbone, calls: &'a Mutex<Vec<TimingLine>>) -> Self {
        Self { backbone, calls }
    }
}

impl Backbone for Timed<'_> {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Result<Result<Completion, Fault>, Stop> {
        let began = Instant::now();
        let answer = self.backbone.complete(id, prompt);
        let latency_ms = began.elapsed().as_millis() as u64;
        if latency_ms > 0 {
            let line = TimingLine::Call { id: id.clone(), latency_ms, retries: 0 };
            self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
        answer
    }

    fn lanes(&self) -> usize {
        self.backbone.lanes()
    }

    fn has_record_of(&self, id: &CallId) -> bool {
        self.backbone.has_record_of(id)
    }
}

/// The timing file of a game.
pub(super) struct TimingFile {
    path: PathBuf,
    file: File,
}

impl TimingFile {
    /// Creates it. An existing file is never overwritten.
    pub(super) fn create(path: &Path) -> Result<Self, Stop> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|e| unwritable(path, &e))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Appends lines.
    pub(super) fn put(&mut self, lines: &[TimingLine]) -> Result<(), Stop> {
        let text: String = lines.iter().map(TimingLine::line).collect();
        self.file.write_all(text.as_bytes()).map_err(|e| unwritable(&self.path, &e))
    }
}

fn unwritable(path: &Path, e: &std::io::Error) -> Stop {
    Stop::Unwritable { path: path.display().to_string(), detail: e.to_string() }
}

/// Where the entries of a live episode go: the record, the timing file, and what a person sees.
pub(super) struct Tee<'a, 'p> {
    trace: TraceWriter,
    timing: &'a mut TimingFile,
    /// Lines of the backbone's stopwatch since the last turn.
    calls: &'a Mutex<Vec<TimingLine>>,
    progress: &'a mut GameProgress<'p>,
    running: Running,
    /// When the last turn was closed.
    turned: Instant,
}

impl<'a, 'p> Tee<'a, 'p> {
    /// Before the first entry.
    pub(super) fn new(
        trace: TraceWriter,
        timing: &'a mut TimingFile,
        calls: &'a Mutex<Vec<TimingLine>>,
        progress: &'a mut GameProgress<'p>,
    ) -> Self {
        let running = Running::default();
        Self { trace, timing, calls, progress, running, turned: Instant::now() }
    }

    /// What was seen so far.
    pub(super) fn running(&self) -> Running {
        self.running
    }

    fn turn(&mut self, turn: &TurnEntry) -> Result<(), Stop> {
        let mut lines =
            std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner));
        let wall_ms = self.turned.elapsed().as_millis() as u64;
        self.turned = Instant::now();
        lines.push(TimingLine::Turn { turn: turn.turn, wall_ms });
        self.timing.put(&lines)?;
        self.running.turn = turn.turn;
        self.running.score = turn.measures.score;
        for usage in turn.usage.values() {
            let tokens = usage.input.saturating_add(usage.output);
            self.running.calls = self.running.calls.saturating_add(usage.calls);
            self.running.tokens = self.running.tokens.saturating_add(tokens);
        }
        self.progress.turn(self.running);
        Ok(())
    }
}

impl Output for Tee<'_, '_> {
    fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.trace.put(entry)?;
        match entry {
            Entry::Turn(turn) => self.turn(turn),
            _ => Ok(()),
        }
    }

    fn arrived(&mut self, id: &CallId, prompt: &Prompt, reply: &CallReply) -> Result<(), Stop> {
        self.trace.arrived(id, prompt, reply)
    }
}
