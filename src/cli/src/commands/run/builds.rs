//! One matrix is played on one server build: before a game is added to those that lie there, the
//! build they were played on is compared with the one that would play it.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use saga_core::game::{Reply, ServerRecord};
use saga_core::trace::entry::EndReason;
use saga_core::trace::{Entry, Lines, Trace, TraceError};

use super::plan::Commands;
use crate::commands::files;
use crate::error::CliError;

/// Traces named one by one.
const NAMED_MAX: usize = 5;

/// A server build.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Build {
    /// Such as `3.0.6`.
    pub(super) version: String,
    /// BLAKE3 of the binary, hexadecimal.
    pub(super) binary_hash: String,
}

impl From<&ServerRecord> for Build {
    fn from(server: &ServerRecord) -> Self {
        Self { version: server.version.clone(), binary_hash: server.binary_hash.clone() }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Freeciv {}, binary {}", self.version, self.binary_hash)
    }
}

/// Who recorded the games that lie below a folder.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    /// Games on another build than today's, by build.
    others: BTreeMap<Build, Vec<PathBuf>>,
    /// How many games each other version of this program recorded.
    versions: BTreeMap<String, usize>,
}

impl Recorded {
    /// Looks at every game with a result below `folder`, also at those this run does not ask for.
    /// `aside`: traces that are no longer there once the run has begun.
    pub(super) fn below(folder: &Path, today: &Build, aside: &[PathBuf]) -> Result<Self, CliError> {
        let mut found = Self::default();
        let traces = if folder.exists() { files::newest_below(folder)? } else { Vec::new() };
        for path in traces.into_iter().filter(|path| !aside.contains(path)) {
            // What cannot be read is told where it is used.
            let Ok((written_by, Some(build))) = first_words(&path) else { continue };
            let (same_build, same_version) =
                (build == *today, written_by == env!("CARGO_PKG_VERSION"));
            if (same_build && same_version) || !has_result(&path) {
                continue;
            }
            if !same_version {
                *found.versions.entry(written_by).or_default() += 1;
            }
            if !same_build {
                found.others.entry(build).or_default().push(path);
            }
        }
        Ok(found)
    }

    /// One line for each other version of this program that recorded games here.
    pub(super) fn warnings(&self) -> Vec<String> {
        let ours = env!("CARGO_PKG_VERSION");
        let line = |(version, games): (&String, &usize)| {
            format!(
                "saga: warning: {games} finished games here were recorded by saga {version}, this \
                 is saga {ours}; they stay as they are"
            )
        };
        self.versions.iter().map(line).collect()
    }

    /// Refuses to add games of today's build to those of another.
    ///
    /// # Errors
    /// [`CliError::Refused`] with both builds, the games and the commands that go on.
    pub(super) fn refuse_mixture(
        &self,
        today: &Build,
        commands: &Commands,
    ) -> Result<(), CliError> {
        if self.others.is_empty() {
            return Ok(());
        }
        let recorded: Vec<String> = self.others.iter().map(|(b, p)| group(b, p)).collect();
        Err(CliError::Refused(format!(
            "the server here is another build than the one that played the finished games, and \
             the same orders on another build are another game:\n{}\n  now: {today}\nnothing was \
             changed; play the whole experiment anew in a fresh folder: `{}`, or go on \
             with the old server: `{}`",
            recorded.join("\n"),
            commands.elsewhere,
            commands.other_server
        )))
    }
}

fn group(build: &Build, paths: &[PathBuf]) -> String {
    let mut text = format!("  recorded: {build}, in {} games", paths.len());
    for path in paths.iter().take(NAMED_MAX) {
        let _ = write!(text, "\n    {}", path.display());
    }
    if paths.len() > NAMED_MAX {
        let _ = write!(text, "\n    … and {} more", paths.len() - NAMED_MAX);
    }
    text
}

/// The version of the program that recorded a trace, and the build that played it; `None` when the
/// game never began.
fn first_words(path: &Path) -> Result<(String, Option<Build>), TraceError> {
    let mut lines = Lines::open(path)?;
    let mut written_by = String::new();
    while let Some(line) = lines.next_line()? {
        match serde_json::from_str(line) {
            Ok(Entry::Header(header)) => written_by = header.written_by,
            Ok(Entry::Game(game)) => {
                let build = match &game.reply {
                    Some(Reply::Begun { server, .. }) => Some(server.into()),
                    _ => None,
                };
                return Ok((written_by, build));
            }
            _ => break,
        }
    }
    Ok((written_by, None))
}

fn has_result(path: &Path) -> bool {
    let reason = |trace: Trace| trace.end().map(|end| end.reason);
    Trace::salvage(path).ok().and_then(reason).is_some_and(EndReason::is_result)
}
