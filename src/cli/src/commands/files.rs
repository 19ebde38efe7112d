//! Finds traces under folders.

use std::path::{Path, PathBuf};

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
    for path in paths {
        if path.is_dir() {
            let mut below = Vec::new();
            walk(path, &mut below)?;
            below.sort();
            for file in below {
                let relative = file.strip_prefix(path).unwrap_or(&file).to_owned();
                if is_older_attempt(&file) {
                    all.older += 1;
                } else {
                    all.found.push(Found { path: file, relative });
                }
            }
        } else {
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
