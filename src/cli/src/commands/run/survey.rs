//! What lies where a game's trace would go: nothing, the finished game, a leftover of an attempt
//! that came to nothing, or a game of another experiment. Nothing is ever deleted or overwritten.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use saga_core::spec::{EpisodeSpec, Identity};
use saga_core::trace::entry::{End, EndReason};
use saga_core::trace::{State, Stem, Trace, TraceError};

use crate::commands::fields::{self, Field};
use crate::error::CliError;
use crate::matrix::Job;

/// Stands between a game's name and the number of an attempt that was set aside.
const ATTEMPT: &str = ".attempt-";

/// What is there.
#[derive(Debug)]
pub(super) enum Standing {
    /// Nothing: to be played.
    Missing,
    /// The game with its last line: never touched.
    Finished(Box<End>),
    /// An attempt without a result: set aside and played anew. Why, in words.
    Leftover(String),
    /// A file that holds no whole game: set aside and played anew. Why, in words.
    Unusable(String),
}

/// Looks at one game's place.
///
/// # Errors
/// [`CliError::Refused`] naming every differing field when another game lies there;
/// [`CliError::Trace`] when it is something this program cannot judge.
pub(super) fn look(stem: &Stem, job: &Job) -> Result<Standing, CliError> {
    let path = stem.trace();
    if !path.exists() {
        let rests = files_of(stem)?;
        return Ok(match rests.first() {
            None => Standing::Missing,
            Some(rest) => Standing::Leftover(format!("{} without a trace", rest.display())),
        });
    }
    if path.is_dir() {
        return Ok(Standing::Unusable(format!("{} is a folder", path.display())));
    }
    match Trace::salvage(&path) {
        Ok(trace) => judge(&trace, &job.spec),
        Err(e @ (TraceError::Empty { .. } | TraceError::NoHeader { .. })) => {
            Ok(Standing::Leftover(e.to_string()))
        }
        // What another version wrote, or the system would not read, may be a good game.
        Err(e @ (TraceError::Newer { .. } | TraceError::Io { .. })) => Err(e.into()),
        Err(e) => Ok(Standing::Unusable(e.to_string())),
    }
}

fn judge(trace: &Trace, spec: &EpisodeSpec) -> Result<Standing, CliError> {
    let recorded = &trace.header().spec;
    let differs = recorded.identity != spec.identity;
    if differs && never_began(trace) {
        return Ok(Standing::Leftover("another game that never began".to_owned()));
    }
    if differs {
        return Err(refusal(trace.path(), &recorded.identity, &spec.identity));
    }
    Ok(match (trace.state(), trace.end()) {
        (State::Complete, Some(end)) if is_final(end, recorded, spec) => {
            Standing::Finished(Box::new(end.clone()))
        }
        (State::Complete, Some(end)) => {
            Standing::Leftover(format!("ended as {} in turn {}", end.reason.word(), end.turn))
        }
        (State::Damaged { offset, detail }, _) => {
            let path = trace.path().display();
            Standing::Unusable(format!("{path} is damaged at byte {offset}: {detail}"))
        }
        (State::Cut(cut), _) => Standing::Leftover(cut.to_string()),
        (State::Complete, None) => Standing::Leftover("without a last line".to_owned()),
    })
}

/// An attempt that the server refused before the first turn says nothing about its game: the
/// experiment is mended and the game played.
fn never_began(trace: &Trace) -> bool {
    trace.end().is_some_and(|end| !end.reason.is_result()) && trace.turns_closed() == 0
}

/// A result of the game is never rolled again. A game that used up its budget would use it up
/// again, unless there is more of it now.
fn is_final(end: &End, recorded: &EpisodeSpec, today: &EpisodeSpec) -> bool {
    let bound = |spec: &EpisodeSpec| spec.operation.budget_tokens.unwrap_or(u64::MAX);
    end.reason.is_result() || (end.reason == EndReason::Budget && bound(today) <= bound(recorded))
}

fn refusal(path: &Path, recorded: &Identity, today: &Identity) -> CliError {
    let json = |identity| serde_json::to_value(identity).expect("an identity is plain data");
    let lines: Vec<String> = fields::differing(&json(recorded), &json(today))
        .iter()
        .map(|Field { at, a, b }| match (a, b) {
            (Some(a), Some(b)) => format!("{at}: recorded {a}, now {b}"),
            (Some(a), None) => format!("{at}: recorded {a}, now nothing"),
            (None, b) => format!("{at}: not recorded, now {}", b.clone().unwrap_or_default()),
        })
        .collect();
    CliError::Refused(format!(
        "{} holds a game of another experiment (identity {}, this one is {}); it differs in:\n  \
         {}\nnothing was changed; play into another folder with --out DIR, or give the experiment \
         another name",
        path.display(),
        recorded.hash(),
        today.hash(),
        lines.join("\n  ")
    ))
}

/// Renames every file of an attempt to `game-1.attempt-N.…`; the trace last, so that an
/// interruption leaves something that is still seen as a leftover. Returns N.
fn set_aside(stem: &Stem) -> Result<u32, CliError> {
    let attempt = attempts(stem)?.saturating_add(1);
    let aside = stem.with(&format!("{ATTEMPT}{attempt}"));
    let mut files = files_of(stem)?;
    files.sort_by_key(|file| *file == stem.trace());
    for file in files {
        let name = file.file_name().unwrap_or_default().as_bytes();
        let rest = name.strip_prefix(name_of(stem).as_bytes()).unwrap_or(name);
        let mut target = aside.clone().into_os_string();
        target.push(OsStr::from_bytes(rest));
        fs::rename(&file, &target).map_err(CliError::io("set aside", &file))?;
    }
    Ok(attempt)
}

/// Sets aside what is left of an attempt, if anything is. Returns how many attempts there were.
pub(super) fn set_aside_rests(stem: &Stem) -> Result<u32, CliError> {
    if files_of(stem)?.is_empty() { attempts(stem) } else { set_aside(stem) }
}

/// How many attempts were set aside: the highest number there is.
fn attempts(stem: &Stem) -> Result<u32, CliError> {
    let number = |name: &OsString| {
        let rest = name.as_bytes().strip_prefix(name_of(stem).as_bytes())?;
        let rest = std::str::from_utf8(rest.strip_prefix(ATTEMPT.as_bytes())?).ok()?;
        rest.split('.').next()?.parse::<u32>().ok()
    };
    Ok(names_beside(stem)?.iter().filter_map(number).max().unwrap_or(0))
}

/// Files of the attempt that has no number.
fn files_of(stem: &Stem) -> Result<Vec<PathBuf>, CliError> {
    let ours = |name: &&OsString| {
        let rest = name.as_bytes().strip_prefix(name_of(stem).as_bytes());
        rest.is_some_and(|r| r.starts_with(b".") && !r.starts_with(ATTEMPT.as_bytes()))
    };
    let names = names_beside(stem)?;
    Ok(names.iter().filter(ours).map(|name| stem.path().with_file_name(name)).collect())
}

fn name_of(stem: &Stem) -> &OsStr {
    stem.path().file_name().unwrap_or_default()
}

/// Names in the stem's folder, sorted; none when there is no folder yet. Whether there can be one
/// shows when the game is played, so that one bad place keeps no other game from its own.
fn names_beside(stem: &Stem) -> Result<Vec<OsString>, CliError> {
    let folder = stem.path().parent().unwrap_or(Path::new("."));
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(e) => return Err(CliError::io("list", folder)(e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(CliError::io("list", folder))?;
        names.push(entry.file_name());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_set_aside_whole_and_numbered() {
        // A folder's name need not be text: one that grows when it is shown, in this case.
        let name = format!("saga-aside-{}-", std::process::id());
        let mut name = OsString::from(name);
        name.push(OsStr::from_bytes(b"\xff\xfe"));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let stem = Stem::new(folder.join("game-1"));
        for attempt in 1..=2 {
            fs::write(stem.trace(), "x").expect("a trace");
            fs::write(stem.journal(), "y").expect("a journal");
            assert_eq!(set_aside(&stem).expect("set aside"), attempt);
        }
        assert_eq!(attempts(&stem).expect("a count"), 2);
        let names = names_beside(&stem).expect("names");
        assert_eq!(
            names,
            [
                "game-1.attempt-1.journal",
                "game-1.attempt-1.trace.jsonl.zst",
                "game-1.attempt-2.journal",
                "game-1.attempt-2.trace.jsonl.zst",
            ]
        );
        fs::remove_dir_all(&folder).expect("removable");
    }
}
