//! Finds traces under folders, and says of one that is named what else it may be: a folder, or a
//! game that is being played.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use saga_core::trace::{Stem, TraceError};
use saga_report::TRACE_SUFFIX;

use crate::error::CliError;

/// A trace with the name it has below the folder it was found in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// Below the folder that was asked for; its own name when it was asked for itself.
    pub(crate) relative: PathBuf,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    /// Sorted by path within each folder.
    pub(crate) found: Vec<Found>,
    /// Older attempts at games, which were set aside; left out of folders, not when named.
    pub(crate) older: usize,
}

/// All traces among files and under folders.
pub(crate) fn traces(paths: &[PathBuf]) -> Result<Traces, CliError> {
    let mut all = Traces::default();
    let mut seen = BTreeSet::new();
    // A trace that is named twice, or by itself and by its folder, is still one.
    let mut is_new = |path: &Path| match path.canonicalize() {
        Ok(real) => seen.insert(real),
        Err(_) => true,
    };
    for path in paths {
        if path.is_dir() {
            let mut below = Vec::new();
            walk(path, &mut below)?;
            below.sort();
            for file in below {
                let relative = file.strip_prefix(path).unwrap_or(&file).to_owned();
                if !is_new(&file) {
                    continue;
                }
                if is_older_attempt(&file) {
                    all.older += 1;
                } else {
                    all.found.push(Found { path: file, relative });
                }
            }
        } else if is_new(path) {
            let relative = path.file_name().map(PathBuf::from).unwrap_or_default();
            all.found.push(Found { path: path.clone(), relative });
        }
    }
    if all.found.is_empty() {
        let named: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        return Err(CliError::Refused(format!(
            "no trace (*{TRACE_SUFFIX}) under {}; play some games first: saga run \
             experiments/quickstart.toml",
            named.join(", ")
        )));
    }
    Ok(all)
}

/// Said of a trace beside which the journal of its open turn lies.
pub(crate) const BEING_PLAYED: &str = "its journal lies beside it: it is being played, or was \
     killed while it was; if nothing plays it, the same `saga run` command does so again";

/// Whether the journal of a turn that is not closed lies beside a trace.
pub(crate) fn has_journal(trace: &Path) -> bool {
    Stem::of_trace(trace).journal().exists()
}

/// What an error says of a trace that a game may be writing at this moment.
pub(crate) fn unfinished(error: TraceError) -> CliError {
    match &error {
        TraceError::Empty { path } | TraceError::NoHeader { path, .. } if has_journal(path) => {
            CliError::Refused(format!(
                "{} does not hold its first exchange yet; {BEING_PLAYED}",
                path.display()
            ))
        }
        _ => error.into(),
    }
}

/// Refuses a folder where one trace is wanted, naming one inside.
pub(crate) fn must_be_file(path: &Path) -> Result<(), CliError> {
    if !path.is_dir() {
        return Ok(());
    }
    let within = match newest_below(path)?.first() {
        Some(first) => format!("such as {}", first.display()),
        None => format!("but it holds none (*{TRACE_SUFFIX})"),
    };
    let path = path.display();
    Err(CliError::Usage(format!("{path} is a folder; one trace inside it is wanted, {within}")))
}

/// The newest attempt at each game below a folder, sorted.
pub(crate) fn newest_below(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut below = Vec::new();
    walk(folder, &mut below)?;
    below.retain(|path| !is_older_attempt(path));
    below.sort();
    Ok(below)
}

/// `game-1.attempt-2.trace.jsonl.zst`.
fn is_older_attempt(path: &Path) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
    name.split('.').nth(1).is_some_and(|part| part.starts_with("attempt-"))
}

/// Links to folders are not followed, so a loop cannot hold the walk.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CliError> {
    for entry in std::fs::read_dir(folder).map_err(CliError::io("list", folder))? {
        let entry = entry.map_err(CliError::io("list", folder))?;
        let kind = entry.file_type().map_err(CliError::io("list", folder))?;
        if kind.is_dir() {
            walk(&entry.path(), found)?;
        } else if entry.file_name().to_string_lossy().ends_with(TRACE_SUFFIX) {
            found.push(entry.path());
        }
    }
    Ok(())
}
