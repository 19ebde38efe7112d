//! One game of a matrix, from its first ledger line to its last. Whatever goes wrong in it stays in
//! it: every failure comes back as an [`Outcome`], a panic too.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use saga_core::backbone::Backbone;
use saga_core::logged::{Difference, missing_words};
use saga_core::play::play;
use saga_core::prompts::Prompts;
use saga_core::stop::Stop;
use saga_core::trace::entry::{End, EndReason, RoleUsage};
use saga_core::trace::ledger::{Event, Ledger};
use saga_core::trace::timing::TimingLine;
use saga_core::trace::{Stem, TraceWriter, file_hash};
use serde_json::{Value, json};

use super::host::{Host, Seat};
use super::progress::{GameProgress, Progress, Running};
use super::survey;
use super::watch::{Tee, Timed, TimingFile};
use crate::clock;
use crate::error::CliError;
use crate::matrix::Job;
use crate::registry::{self, Setting};

/// What all games of a matrix share.
pub(super) struct Stage<'a> {
    /// The matrix's own folder.
    pub(super) folder: PathBuf,
    pub(super) prompts: &'a Prompts,
    pub(super) host: &'a dyn Host,
    pub(super) backbone: &'a dyn Backbone,
    pub(super) ledger: Mutex<Ledger>,
    pub(super) progress: Progress,
    /// Set when somebody asked to stop.
    pub(super) asked: &'a AtomicBool,
    /// Set when the server would not begin what the experiment describes: it would not begin any
    /// other game of it either.
    pub(super) refused: AtomicBool,
}

/// Characters of a failure's detail in a list.
const BRIEF_MAX: usize = 140;

/// How a game went.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) trace: PathBuf,
    /// `None`: the trace has no last line.
    pub(super) reason: Option<EndReason>,
    /// In words, when it is not the game's own end.
    pub(super) detail: String,
    pub(super) last: Running,
    pub(super) tokens_in: u64,
    pub(super) tokens_out: u64,
    pub(super) wall_s: f64,
    pub(super) server_cpu_s: Option<f64>,
    /// Measured values that the server's score log has, and those it should have and has not.
    pub(super) logged: (u64, u64),
    /// Measures that are not what the server's score log says.
    pub(super) differs: Vec<Difference>,
}

impl Stage<'_> {
    /// Files of a game.
    pub(super) fn stem(&self, job: &Job) -> Stem {
        Stem::new(self.folder.join(&job.folder).join(&job.stem))
    }

    /// Whether no further game is to be started.
    pub(super) fn is_to_stop(&self) -> bool {
        self.asked.load(Ordering::Relaxed) || self.refused.load(Ordering::Relaxed)
    }

    /// Plays one game. What was left of an earlier attempt is set aside first.
    pub(super) fn play(&self, job: &Job) -> Outcome {
        let turns_max = job.spec.identity.game.turns_max;
        let mut progress = self.progress.begin(job.title(), turns_max);
        let mut outcome = Outcome::new(self.stem(job).trace());
        let began = Instant::now();
        let attempt = AssertUnwindSafe(|| self.attempt(job, &mut progress, &mut outcome));
        let failed = match catch_unwind(attempt) {
            Ok(done) => done.err().map(|e| e.to_string()),
            Err(panic) => Some(format!(
                "a broken assumption of this program (please report it): {}",
                panic_words(panic.as_ref())
            )),
        };
        if let Some(detail) = failed {
            outcome.reason = None;
            outcome.detail = detail;
        }
        if outcome.is_refusal() {
            self.refused.store(true, Ordering::Relaxed);
        }
        outcome.wall_s = began.elapsed().as_secs_f64();
        progress.end(&outcome.words());
        let (checked, missing) = outcome.logged;
        let missing = missing_words(checked, missing);
        for told in missing.into_iter().chain(outcome.differs.iter().map(ToString::to_string)) {
            self.progress.line(&format!("saga: {}: {told}", job.title()));
        }
        outcome
    }

    fn attempt(
        &self,
        job: &Job,
        progress: &mut GameProgress<'_>,
        outcome: &mut Outcome,
    ) -> Result<(), CliError> {
        let stem = self.stem(job);
        let folder = self.folder.join(&job.folder);
        std::fs::create_dir_all(&folder).map_err(CliError::io("make the folder", &folder))?;
        let attempt = survey::set_aside_rests(&stem)? + 1;
        let identity_hash = job.spec.identity.hash();
        let name = job.folder.join(&job.stem).display().to_string();
        self.tell(Event::Start {
            stem: name.clone(),
            attempt,
            identity_hash: identity_hash.clone(),
        })?;
        let played = self.record(job, &stem, attempt, progress, outcome);
        // A trace that never came to be has no hash.
        let trace_hash = file_hash(&stem.trace()).ok();
        let reason = outcome.reason;
        let end = Event::End { stem: name, attempt, identity_hash, reason, trace_hash };
        // Of two failures the first one is the cause.
        played.and(self.tell(end))
    }

    fn record(
        &self,
        job: &Job,
        stem: &Stem,
        attempt: u32,
        progress: &mut GameProgress<'_>,
        outcome: &mut Outcome,
    ) -> Result<(), CliError> {
        let began = Instant::now();
        let mut timing = TimingFile::create(&stem.timing())?;
        timing.put(&[TimingLine::Started { attempt, at: clock::now() }])?;
        let trace = TraceWriter::create(&stem.trace(), job.spec.operation.durability)?;
        let mut seat = self.host.open(&job.spec, stem);
        let calls = Mutex::default();
        let played = {
            let mut tee = Tee::new(trace, &mut timing, &calls, progress);
            let played = self.play_into(job, seat.as_mut(), &calls, &mut tee);
            outcome.last = tee.running();
            played
        };
        outcome.server_cpu_s = seat.server_cpu_s();
        let failure = seat.failure();
        drop(seat);
        let played = played.map(|end| outcome.take(end, failure));
        timing.put(&[TimingLine::Ended {
            attempt,
            at: clock::now(),
            reason: outcome.reason.map_or("none", EndReason::word).to_owned(),
            wall_ms: began.elapsed().as_millis() as u64,
            server_cpu_s: outcome.server_cpu_s,
        }])?;
        Ok(played?)
    }

    fn play_into(
        &self,
        job: &Job,
        game: &mut dyn Seat,
        calls: &Mutex<Vec<TimingLine>>,
        tee: &mut Tee<'_, '_>,
    ) -> Result<End, Stop> {
        let identity = &job.spec.identity;
        let setting = Setting {
            parameters: &identity.planner.parameters,
            turns_max: identity.game.turns_max,
            prompts: self.prompts,
        };
        let info = registry::planner(&identity.planner.name)
            .expect("the matrix checked every planner against the registry");
        let mut planner = (info.make)(&setting);
        let backbone = Timed::new(self.backbone, calls);
        play(&job.spec, planner.as_mut(), game, &backbone, self.prompts, tee)
    }

    fn tell(&self, event: Event) -> Result<(), CliError> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(ledger.append(event, Some(clock::now()))?)
    }
}

impl Outcome {
    fn new(trace: PathBuf) -> Self {
        Self {
            trace,
            reason: None,
            detail: String::new(),
            last: Running::default(),
            tokens_in: 0,
            tokens_out: 0,
            wall_s: 0.0,
            server_cpu_s: None,
            logged: (0, 0),
            differs: Vec::new(),
        }
    }

    /// `failure`: what the game told of it for the user, with more than a trace may keep.
    fn take(&mut self, end: End, failure: Option<String>) {
        self.reason = Some(end.reason);
        self.detail = match failure {
            Some(words) if end.reason.is_result() => format!("no final record: {words}"),
            Some(words) => words,
            None => end.detail,
        };
        self.logged = (end.checked, end.missing);
        self.differs = end.differs;
        self.last.turn = end.turn;
        self.last.score = end.measures.score;
        let sum =
            |of: fn(&RoleUsage) -> u64| end.usage.values().map(of).fold(0, u64::saturating_add);
        self.last.calls = sum(|u| u.calls);
        self.tokens_in = sum(|u| u.input);
        self.tokens_out = sum(|u| u.output);
        self.last.tokens = self.tokens_in.saturating_add(self.tokens_out);
    }

    /// Whether the game itself ended.
    pub(super) fn is_result(&self) -> bool {
        self.reason.is_some_and(EndReason::is_result)
    }

    /// Whether the server would not begin the game that the experiment describes.
    pub(super) fn is_refusal(&self) -> bool {
        self.reason == Some(EndReason::Refused)
    }

    /// Wall time over the server's own CPU time.
    fn ratio(&self) -> Option<f64> {
        self.server_cpu_s.filter(|cpu| *cpu > 0.0).map(|cpu| self.wall_s / cpu)
    }

    /// The beginning of [`Outcome::words`], for a list.
    pub(super) fn brief(&self) -> String {
        let reason = self.reason.map_or("failed", EndReason::word);
        // Of several lines the last are the server's own, and its very last word is the cause.
        let first = self.detail.lines().next().unwrap_or_default();
        let line = match self.detail.lines().last() {
            Some(last) if last != first => {
                format!("{}: {}", first.trim_end_matches("; its last lines:"), last.trim())
            }
            _ => first.to_owned(),
        };
        let short: String = line.chars().take(BRIEF_MAX).collect();
        let more = if short.len() < line.len() { "…" } else { "" };
        format!("{reason} in turn {} ({short}{more})", self.last.turn)
    }

    /// One line.
    pub(super) fn words(&self) -> String {
        let reason = self.reason.map_or("failed", EndReason::word);
        let detail =
            if self.detail.is_empty() { String::new() } else { format!(" ({})", self.detail) };
        let Running { turn, score, calls, .. } = self.last;
        format!(
            "{reason} in turn {turn}{detail}, score {score}, {calls} calls, {:.1} s",
            self.wall_s
        )
    }

    /// For `--json`.
    pub(super) fn as_json(&self, job: &Job) -> Value {
        let identity = &job.spec.identity;
        json!({
            "planner": job.cell.planner,
            "variant": job.cell.variant,
            "backbone": job.cell.backbone,
            "ai_skill": job.cell.ai_skill,
            "map_seed": job.cell.map_seed,
            "game_seed": identity.game.game_seed,
            "run": job.run,
            "identity": identity.hash(),
            "trace": self.trace.display().to_string(),
            "reason": self.reason.map(EndReason::word),
            "detail": self.detail,
            "turn": self.last.turn,
            "score": self.last.score,
            "score_log_checked": self.logged.0,
            "score_log_missing": self.logged.1,
            "score_log_differs": self.differs.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "calls": self.last.calls,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "wall_s": rounded(self.wall_s),
            "server_cpu_s": self.server_cpu_s.map(rounded),
            "ratio": self.ratio().map(rounded),
        })
    }
}

/// To a thousandth.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn panic_words(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_else(|| "no words".to_owned())
}
