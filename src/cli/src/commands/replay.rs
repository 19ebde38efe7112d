//! `saga replay`: plays recorded games again with the same `play`, the record answering for game
//! and backbones, and compares every line.

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use saga_core::play::play;
use saga_core::prompts::Prompts;
use saga_core::replay::{
    ChangedPrompt, Checked, CheckingOutput, Record, ReplayBackbone, ReplayGame, Verdict,
    changed_prompts,
};
use saga_core::spec::Durability;
use saga_core::trace::TraceWriter;
use serde_json::{Value, json};

use crate::args::ReplayArgs;
use crate::commands::files::{self, Found};
use crate::error::{CliError, Exit};
use crate::registry::{self, PLANNERS, Setting};
use crate::tell::tell;

/// What a trace can come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    Identical,
    Cut,
    Diverged,
    Failed,
}

impl Came {
    const fn word(self) -> &'static str {
        match self {
            Came::Identical => "identical",
            Came::Cut => "cut",
            Came::Diverged => "diverged",
            Came::Failed => "failed",
        }
    }
}

/// Said of a record made anew that has every line of the old one and is another file.
const OTHER_BYTES: &str = "every line is the same, but the record made anew has other bytes";

/// What can be done about a divergence when prompts have changed.
const OTHER_PROMPTS: &str = "played with prompts of its own? replay it with --prompts DIR, the \
    folder that the experiment's `prompts` key names";

/// What came of one trace.
struct Replayed {
    verdict: Verdict,
    checked: Checked,
    changed: Vec<ChangedPrompt>,
    /// The version of the program that recorded it.
    written_by: String,
    /// Where it was recorded again, and whether the bytes are the same.
    recorded: Option<(PathBuf, bool)>,
    /// What is wrong with its seek table, which no line depends on.
    table_fault: Option<String>,
}

impl Replayed {
    /// The record made anew is another one, though nothing it names has changed.
    fn lost_something(&self) -> bool {
        let same_names = self.changed.is_empty() && self.written_by == env!("CARGO_PKG_VERSION");
        // A record made anew has a good table, so its bytes are no evidence against a bad one.
        let same_names = same_names && self.table_fault.is_none();
        same_names && matches!(self.recorded, Some((_, false)))
    }

    /// What came of it, in the word that is printed and counted.
    fn came_to(&self) -> Came {
        match &self.verdict {
            Verdict::Identical if self.lost_something() => Came::Diverged,
            Verdict::Identical => Came::Identical,
            Verdict::RecordEnds { .. } => Came::Cut,
            Verdict::Diverged(_) => Came::Diverged,
            Verdict::Stopped(_) => Came::Failed,
        }
    }
}

pub(crate) fn replay(args: &ReplayArgs, out: &mut dyn Write) -> Result<Exit, CliError> {
    let mut prompts = registry::prompts()?;
    if let Some(dir) = &args.prompts {
        prompts = prompts.with_overrides(dir)?;
    }
    let traces = files::traces(&args.paths)?;
    let all: Vec<Result<Replayed, CliError>> =
        traces.found.par_iter().map(|found| one(found, args, &prompts)).collect();
    let mut tally = Tally::default();
    for (found, replayed) in traces.found.iter().zip(&all) {
        tally.count(replayed);
        match replayed {
            Ok(replayed) if args.json => writeln!(out, "{}", as_json(&found.path, replayed))?,
            Ok(replayed) => print(&found.path, replayed, out)?,
            Err(e) => {
                tell(format_args!("saga: {e}"));
                if args.json {
                    let path = found.path.display().to_string();
                    let line =
                        json!({ "trace": path, "verdict": "failed", "detail": e.to_string() });
                    writeln!(out, "{line}")?;
                }
            }
        }
    }
    if !args.json {
        writeln!(out, "{}", tally.line(traces.older))?;
    }
    Ok(tally.exit(args.strict))
}

fn one(found: &Found, args: &ReplayArgs, prompts: &Prompts) -> Result<Replayed, CliError> {
    let record = Record::load(&found.path).map_err(files::unfinished)?;
    let table_fault = record.trace().table_fault();
    let header = record.trace().header();
    let mut spec = header.spec.clone();
    let planner = &header.spec.identity.planner;
    let Some(info) = registry::planner(&planner.name) else {
        let known: Vec<&str> = PLANNERS.iter().map(|p| p.name).collect();
        return Err(CliError::Refused(format!(
            "{} was recorded with planner {:?}; this program has {}; saga {} recorded it",
            found.path.display(),
            planner.name,
            known.join(", "),
            header.written_by
        )));
    };
    // What is recorded again names the prompts it was made with, which are today's.
    spec.identity.prompts = registry::prompt_hashes(prompts, planner);
    let changed = changed_prompts(&header.spec.identity, &spec.identity.prompts);
    let turns_max = spec.identity.game.turns_max;
    let mut planner = (info.make)(&Setting { parameters: &planner.parameters, turns_max, prompts });
    let target = args.record.as_ref().map(|dir| dir.join(&found.relative));
    let mut writer = target.as_deref().map(create).transpose()?;
    let mut output = CheckingOutput::new(&record);
    if let Some(writer) = &mut writer {
        output = output.tee(writer);
    }
    let mut game = ReplayGame::new(&record);
    let backbone = ReplayBackbone::new(&record);
    let played = play(&spec, planner.as_mut(), &mut game, &backbone, prompts, &mut output);
    let (verdict, checked) = (output.finished(&played), output.checked());
    let recorded = match target {
        Some(path) => Some((path.clone(), same_bytes(&found.path, &path)?)),
        None => None,
    };
    let written_by = header.written_by.clone();
    Ok(Replayed { verdict, checked, changed, written_by, recorded, table_fault })
}

fn create(path: &Path) -> Result<TraceWriter, CliError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(CliError::io("make the folder", folder))?;
    }
    TraceWriter::create(path, Durability::None).map_err(|stop| {
        if path.exists() {
            CliError::Refused(format!(
                "{} exists already, and nothing is ever overwritten: name another folder with \
                 --record DIR",
                path.display()
            ))
        } else {
            stop.into()
        }
    })
}

fn same_bytes(a: &Path, b: &Path) -> Result<bool, CliError> {
    let read = |path: &Path| std::fs::read(path).map_err(CliError::io("read", path));
    Ok(read(a)? == read(b)?)
}

fn print(trace: &Path, replayed: &Replayed, out: &mut dyn Write) -> Result<(), CliError> {
    let Checked { turns, calls, orders, .. } = replayed.checked;
    let so_far = format!("{turns} turns, {calls} calls, {orders} orders");
    let (path, word) = (trace.display(), replayed.came_to().word());
    match &replayed.verdict {
        Verdict::Identical => {
            writeln!(out, "{word:<10} {path}  ({so_far})")?;
            if replayed.lost_something() {
                writeln!(out, "  {OTHER_BYTES}")?;
            }
        }
        Verdict::RecordEnds { turn } => {
            writeln!(
                out,
                "{word:<10} {path}  record ends here (turn {turn}); same so far: {so_far}"
            )?;
            if files::has_journal(trace) {
                writeln!(out, "           {}", files::BEING_PLAYED)?;
            }
        }
        Verdict::Diverged(divergence) => {
            writeln!(out, "{word:<10} {path}  (same so far: {so_far})")?;
            for changed in &replayed.changed {
                let by = &replayed.written_by;
                writeln!(out, "  recorded with other prompts by saga {by}: {changed}")?;
            }
            if !replayed.changed.is_empty() {
                writeln!(out, "  {OTHER_PROMPTS}")?;
            }
            writeln!(out, "  {divergence}")?;
        }
        Verdict::Stopped(stop) => writeln!(out, "{word:<10} {path}  {stop}")?,
    }
    if let Some(fault) = &replayed.table_fault {
        writeln!(out, "           {fault}")?;
    }
    match &replayed.recorded {
        Some((again, true)) => writeln!(out, "           {}: same bytes", again.display())?,
        Some((again, false)) => writeln!(out, "           {}: other bytes", again.display())?,
        None => {}
    }
    Ok(())
}

fn as_json(path: &Path, replayed: &Replayed) -> Value {
    let Checked { lines, turns, calls, orders } = replayed.checked;
    let mut value = json!({
        "trace": path.display().to_string(),
        "verdict": replayed.came_to().word(),
        "lines": lines, "turns": turns, "calls": calls, "orders": orders,
    });
    match &replayed.verdict {
        Verdict::Identical if replayed.lost_something() => value["detail"] = json!(OTHER_BYTES),
        Verdict::Identical => {}
        Verdict::RecordEnds { turn } => value["turn"] = json!(turn),
        Verdict::Diverged(d) => {
            let changed: Vec<String> = replayed.changed.iter().map(ToString::to_string).collect();
            value["turn"] = json!(d.turn);
            value["place"] = json!(d.place);
            value["recorded"] = json!(d.recorded);
            value["today"] = json!(d.today);
            value["changed_prompts"] = json!(changed);
            if !changed.is_empty() {
                value["advice"] = json!(OTHER_PROMPTS);
            }
        }
        Verdict::Stopped(stop) => value["detail"] = json!(stop.to_string()),
    }
    if let Some(fault) = &replayed.table_fault {
        value["table_fault"] = json!(fault);
    }
    if let Some((again, same)) = &replayed.recorded {
        value["recorded_again"] = json!(again.display().to_string());
        value["same_bytes"] = json!(same);
    }
    value
}

/// How many came to what.
#[derive(Default)]
struct Tally {
    identical: usize,
    cut: usize,
    diverged: usize,
    failed: usize,
}

impl Tally {
    fn count(&mut self, replayed: &Result<Replayed, CliError>) {
        let Ok(replayed) = replayed else {
            self.failed += 1;
            return;
        };
        match replayed.came_to() {
            Came::Identical => self.identical += 1,
            Came::Cut => self.cut += 1,
            Came::Diverged => self.diverged += 1,
            Came::Failed => self.failed += 1,
        }
    }

    fn line(&self, older: usize) -> String {
        let Tally { identical, cut, diverged, failed } = self;
        let mut line =
            format!("{identical} identical, {diverged} diverged, {cut} cut, {failed} failed");
        if older > 0 {
            use std::fmt::Write as _;
            let _ = write!(line, "; {older} older attempts left out");
        }
        line
    }

    fn exit(&self, strict: bool) -> Exit {
        if self.diverged > 0 {
            Exit::Differs
        } else if self.failed > 0 || (strict && self.cut > 0) {
            Exit::Failed
        } else {
            Exit::Done
        }
    }
}
