//! `saga run`: plays a matrix, or what is still missing of it.

mod builds;
mod episode;
mod history;
mod host;
mod outlet;
mod plan;
mod progress;
mod survey;
pub(super) mod trials;
mod watch;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use saga_core::scripted::Embedded;
use saga_core::trace::ledger::{Event, Ledger};
use saga_live::interrupt;
use serde_json::json;

use crate::args::RunArgs;
use crate::clock;
use crate::commands::report::default_folder;
use crate::error::{CliError, Exit};
use crate::matrix::{Analysis, Job, Matrix};
use crate::tell::tell;
use builds::Recorded;
use episode::{Outcome, Stage};
use history::{History, LEDGER};
use host::{Freeciv, Host};
use outlet::Outlet;
use plan::Plan;
use progress::Progress;

/// How often a waiting main thread looks whether somebody asked to stop.
const LOOK: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &RunArgs, out: &mut dyn Write) -> Result<Exit, CliError> {
    let matrix = Matrix::read(&args.experiment).map_err(Box::new)?;
    let mut plan = Plan::make(&matrix, args)?;
    if args.dry_run {
        // A ledger that is not there or cannot be used is told by the run itself.
        if let Ok(history) = History::read(&plan.folder) {
            history.refuse_changed(&plan)?;
            history.refuse_moved(&plan)?;
            plan.playing = history.playing(&plan.folder);
        }
        // Before the plan: nobody looks for a refusal behind some hundred lines.
        match Freeciv::find(args.server.as_deref(), Arc::default()) {
            Ok(host) => trials::ask(&matrix, &plan.to_play(), &host)?,
            Err(e) => tell(format_args!("saga: warning: no server was asked about [game]: {e}")),
        }
        plan.print(args.json, out)?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    if let Some(server) = args.server.as_deref().filter(|path| path.is_dir()) {
        return Err(CliError::Usage(format!(
            "--server {} is not a program: it is a folder; name the server's own file, such as \
             /usr/games/freeciv-server",
            server.display()
        )));
    }
    let asked = interrupt::on_signals()
        .map_err(CliError::io("listen for signals in", Path::new("this process")))?;
    let host = Freeciv::find(args.server.as_deref(), Arc::clone(&asked))?;
    carry_out(&matrix, &plan, args, &host, &asked, out)
}

/// Counts of a whole run.
#[derive(Debug, Default)]
struct Tally {
    played: usize,
    failed: Vec<String>,
    /// Whether the server would not begin what the experiment describes.
    refused: bool,
    /// Calls and tokens of the games played now.
    calls: u64,
    tokens: u64,
}

fn carry_out(
    matrix: &Matrix,
    plan: &Plan,
    args: &RunArgs,
    host: &dyn Host,
    asked: &AtomicBool,
    out: &mut dyn Write,
) -> Result<Exit, CliError> {
    let began = Instant::now();
    let folder = plan.folder.clone();
    look_at_builds(plan, host)?;
    trials::ask(matrix, &plan.to_play(), host)?;
    std::fs::create_dir_all(&folder).map_err(CliError::io("make the folder", &folder))?;
    let mut ledger = open_ledger(plan)?;
    let history = History::read(&folder)?;
    history.refuse_changed(plan)?;
    history.refuse_moved(plan)?;
    declare(&matrix.analysis, &folder, &history, &mut ledger)?;
    for warning in plan.warnings() {
        tell(&warning);
    }
    let to_play = plan.to_play();
    let stage = Stage {
        folder: folder.clone(),
        prompts: &plan.prompts,
        host,
        backbone: &Embedded,
        ledger: Mutex::new(ledger),
        progress: Progress::new(to_play.len()),
        asked,
        refused: AtomicBool::new(false),
    };
    let mut tally = Tally { failed: plan.failed_for_good(), ..Tally::default() };
    let mut out = Outlet::new(out);
    play_all(&stage, &to_play, jobs(args, to_play.len()), |job, outcome| {
        tally.count(job, outcome);
        if args.json {
            writeln!(out, "{}", outcome.as_json(job))?;
            out.flush()?;
        }
        Ok(())
    })?;
    stage.progress.finish();
    let interrupted = asked.load(Ordering::Relaxed);
    let report = write_report(&folder, args.json, &mut out);
    let main_table = report.as_ref().ok().and_then(Option::as_deref);
    tell_end(plan, &tally, args, began, interrupted, main_table, &mut out)?;
    let exit = match (interrupted, tally.failed.is_empty()) {
        (true, _) => Exit::Failed,
        (false, true) => report.map(|_| Exit::Done)?,
        (false, false) => {
            if let Err(e) = report {
                tell(format_args!("saga: {e}"));
            }
            Exit::FailedRuns
        }
    };
    out.flush()?;
    Ok(out.exit(exit))
}

/// Games are only added to those of the same server build.
fn look_at_builds(plan: &Plan, host: &dyn Host) -> Result<(), CliError> {
    let open = plan.open_traces();
    if open.is_empty() {
        return Ok(());
    }
    let today = host.build();
    let recorded = Recorded::below(&plan.folder, &today, &open)?;
    recorded.refuse_mixture(&today, &plan.commands)?;
    for warning in recorded.warnings() {
        tell(warning);
    }
    Ok(())
}

/// Opens the ledger, or begins one; a matrix with games and without a ledger lost its history.
fn open_ledger(plan: &Plan) -> Result<Ledger, CliError> {
    let path = plan.folder.join(LEDGER);
    let finished = plan.finished();
    if finished > 0 && !path.exists() {
        tell(format_args!(
            "saga: warning: {} is gone while {finished} finished games lie beside it: what it told \
             of earlier attempts, of the declared analysis and of the traces as they were recorded \
             is lost; a new one is begun",
            path.display()
        ));
    }
    Ok(Ledger::open(&path)?)
}

/// Games side by side: at most one for each core, and no more than there are.
fn jobs(args: &RunArgs, games: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    args.jobs.map_or(cores, usize::from).min(games)
}

/// Worker threads take games in order; this thread hears of each when it is over.
fn play_all(
    stage: &Stage<'_>,
    jobs: &[&Job],
    workers: usize,
    mut over: impl FnMut(&Job, &Outcome) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let next = AtomicUsize::new(0);
    let (sender, outcomes) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !stage.is_to_stop() {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(i) else { return };
                    if sender.send((i, stage.play(job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut told = false;
        let mut kept = Ok(());
        loop {
            match outcomes.recv_timeout(LOOK) {
                Ok((i, outcome)) => kept = kept.and_then(|()| over(jobs[i], &outcome)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return kept,
            }
            if !told && stage.asked.load(Ordering::Relaxed) {
                told = true;
                stage.progress.line("saga: ending the running games; once more ends at once");
            }
        }
    })
}

impl Tally {
    fn count(&mut self, job: &Job, outcome: &Outcome) {
        self.played += 1;
        self.calls = self.calls.saturating_add(outcome.last.calls);
        self.tokens = self.tokens.saturating_add(outcome.last.tokens);
        self.refused |= outcome.is_refusal();
        if !outcome.is_result() {
            self.failed.push(format!("{}: {}", job.title(), outcome.brief()));
        }
    }
}

/// Puts the declared analysis on record before the first game, and again when it has changed.
fn declare(
    analysis: &Analysis,
    folder: &Path,
    history: &History,
    ledger: &mut Ledger,
) -> Result<(), CliError> {
    let hash = analysis.hash();
    if history.analysis() == Some(hash.as_str()) {
        return Ok(());
    }
    let path = folder.join(format!("analysis-{}.json", &hash[..16]));
    std::fs::write(&path, analysis.text()).map_err(CliError::io("write", &path))?;
    Ok(ledger.append(Event::Analysis { hash }, Some(clock::now()))?)
}

/// The tables of what is there. Returns the main table's path; `None` while there is no trace.
fn write_report(
    folder: &Path,
    json: bool,
    out: &mut dyn Write,
) -> Result<Option<PathBuf>, CliError> {
    let report = match saga_report::build(folder) {
        Err(saga_report::ReportError::NoTraces { .. }) => return Ok(None),
        report => report?,
    };
    let target = default_folder(folder);
    report.write_to(&target)?;
    if !json {
        writeln!(out, "{}\n", report.main_table_text()?.trim_end())?;
    }
    Ok(Some(target.join(report.folder()).join("tables").join("main.md")))
}

fn tell_end(
    plan: &Plan,
    tally: &Tally,
    args: &RunArgs,
    began: Instant,
    interrupted: bool,
    main_table: Option<&Path>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (finished, wall_s) = (plan.finished(), began.elapsed().as_secs_f64());
    let left = plan.games() - finished - tally.played;
    let table = main_table.map(|path| path.display().to_string());
    if args.json {
        let summary = json!({
            "matrix": plan.name, "games": plan.games(), "played": tally.played,
            "finished_before": finished, "not_started": left, "failed": tally.failed.len(),
            "interrupted": interrupted, "calls": tally.calls, "tokens": tally.tokens,
            "wall_s": (wall_s * 1000.0).round() / 1000.0, "main_table": table,
        });
        writeln!(out, "{}", json!({ "summary": summary }))?;
    } else if let Some(table) = table {
        writeln!(out, "{table}")?;
    }
    for failed in &tally.failed {
        tell(format_args!("saga: no result: {failed}"));
    }
    tell(format_args!(
        "{}: {} games, {finished} finished before, {} played in {wall_s:.1} s, {} without a \
         result, {left} not started",
        plan.name,
        plan.games(),
        tally.played,
        tally.failed.len(),
    ));
    if tally.refused {
        tell(format_args!(
            "the server refused the experiment's [game] table as told above, and would refuse it \
             in every game: change [game] in {}, then: {}",
            args.experiment.display(),
            plan.commands.go_on
        ));
    } else if interrupted || left > 0 || !tally.failed.is_empty() {
        tell(format_args!("go on with the same command: {}", plan.commands.go_on));
    }
    Ok(())
}
