//! Finds the traces and ledgers of a runs folder and reads from their paths what only the path
//! tells: the matrix, the backbone's label, and whether a later attempt took the game's place.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::error::ReportError;
use crate::ledgers::LEDGER;
use crate::rows::Place;

/// How the name of every trace ends.
pub const TRACE_SUFFIX: &str = ".trace.jsonl.zst";

/// How the folder begins that tells the skill of the built-in opponents.
const SKILL: &str = "ai-skill-";

/// Planner, variant, backbone, map and run: what stands between a matrix and its game.
const FOLDERS_OF_GAME: usize = 5;

/// A trace file that was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Below the runs folder, with forward slashes.
    pub relative: String,
    /// Where it lies.
    pub path: PathBuf,
    /// What the path tells about the episode. The header, where it can be read, overrules it.
    pub place: Place,
    /// Number of the attempt, when the file is an older attempt that was kept as evidence.
    pub superseded_attempt: Option<u32>,
}

impl Found {
    /// A file of this path below the runs folder, whether it is there or not.
    pub(crate) fn at(root: &Path, relative: &str) -> Self {
        let parts: Vec<String> = relative.split('/').map(str::to_owned).collect();
        found(root, &parts)
    }

    /// The folder of the matrix below the runs folder, with a `/` behind it unless it is the runs
    /// folder itself; `None` when the trace lies in no matrix or the matrix begins above.
    pub(crate) fn matrix_folder(&self) -> Option<String> {
        self.place.run?;
        let skill = usize::from(!self.place.ai_skill.is_empty());
        let parts: Vec<&str> = self.relative.split('/').collect();
        let above = parts.len().checked_sub(FOLDERS_OF_GAME + 1 + skill)?;
        Some(parts[..above].iter().flat_map(|part| [*part, "/"]).collect())
    }
}

/// What a runs folder holds.
pub(crate) struct Scan {
    /// All traces, sorted by path.
    pub(crate) traces: Vec<Found>,
    /// All ledgers, below the runs folder, sorted.
    pub(crate) ledgers: Vec<String>,
}

/// All traces and ledgers below a folder.
///
/// # Errors
/// [`ReportError`] when the folder is missing, cannot be listed, or holds no trace.
pub(crate) fn scan(runs: &Path) -> Result<Scan, ReportError> {
    if runs.is_file() {
        let folder = runs.parent().filter(|p| !p.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        return Err(ReportError::NotAFolder { path: runs.to_owned(), folder });
    }
    if !runs.is_dir() {
        return Err(ReportError::NoFolder { path: runs.to_owned() });
    }
    let root = std::path::absolute(runs).map_err(ReportError::io("read", runs))?;
    let mut relatives = BTreeSet::new();
    walk(&root, &mut Vec::new(), &mut relatives)?;
    let is_ledger = |parts: &Vec<String>| parts.last().is_some_and(|name| name == LEDGER);
    let (ledgers, traces): (Vec<_>, Vec<_>) = relatives.into_iter().partition(is_ledger);
    if traces.is_empty() {
        return Err(ReportError::NoTraces { path: runs.to_owned(), suffix: TRACE_SUFFIX });
    }
    Ok(Scan {
        traces: traces.iter().map(|parts| found(&root, parts)).collect(),
        ledgers: ledgers.iter().map(|parts| parts.join("/")).collect(),
    })
}

/// Collects the traces and ledgers of one folder and of those below it. Links to folders are not
/// followed, so a loop cannot hold the walk.
fn walk(
    folder: &Path,
    below: &mut Vec<String>,
    out: &mut BTreeSet<Vec<String>>,
) -> Result<(), ReportError> {
    for entry in std::fs::read_dir(folder).map_err(ReportError::io("list", folder))? {
        let entry = entry.map_err(ReportError::io("list", folder))?;
        let kind = entry.file_type().map_err(ReportError::io("list", entry.path()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if kind.is_dir() {
            below.push(name);
            walk(&entry.path(), below, out)?;
            below.pop();
        } else if name.ends_with(TRACE_SUFFIX) || name == LEDGER {
            let mut parts = below.clone();
            parts.push(name);
            out.insert(parts);
        }
    }
    Ok(())
}

fn found(root: &Path, parts: &[String]) -> Found {
    let mut all: Vec<String> = root
        .components()
        .filter_map(|c| match c {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    all.extend(parts.iter().cloned());
    let (place, superseded_attempt) = place(&all);
    Found {
        relative: parts.join("/"),
        path: parts.iter().fold(root.to_owned(), |path, part| path.join(part)),
        place,
        superseded_attempt,
    }
}

/// Reads `matrix/planner/variant/backbone[/ai-skill-WORD]/map-seed-N/run-N/game-N[.attempt-N]…`
/// from its end. A trace that lies elsewhere belongs to the matrix named as its folder.
fn place(parts: &[String]) -> (Place, Option<u32>) {
    let Some((file, folders)) = parts.split_last() else {
        return (Place::default(), None);
    };
    let stem = file.strip_suffix(TRACE_SUFFIX).unwrap_or(file);
    let (game, attempt) = match stem.split_once('.') {
        Some((game, rest)) => (game, number(rest, "attempt-")),
        None => (stem, None),
    };
    let game = number(game, "game-");
    if let [above @ .., seed, run] = folders
        && let (Some(map_seed), Some(run)) = (number(seed, "map-seed-"), number(run, "run-"))
        && let (above, ai_skill) = skill(above)
        && let [.., matrix, planner, variant, backbone] = above
    {
        let place = Place {
            matrix: matrix.clone(),
            map_seed: Some(map_seed),
            ai_skill,
            planner: planner.clone(),
            variant: variant.clone(),
            backbone: backbone.clone(),
            run: Some(run),
            game,
        };
        return (place, attempt);
    }
    let matrix = folders.last().cloned().unwrap_or_default();
    (Place { matrix, game, ..Place::default() }, attempt)
}

/// Folders without the one that names a skill, and the skill; only a matrix with several has it.
fn skill(folders: &[String]) -> (&[String], String) {
    match folders.split_last() {
        Some((last, above)) if last.starts_with(SKILL) => (above, last[SKILL.len()..].to_owned()),
        _ => (folders, String::new()),
    }
}

fn number(text: &str, prefix: &str) -> Option<u32> {
    text.strip_prefix(prefix)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str) -> Vec<String> {
        path.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn a_path_tells_its_place() {
        let path = "a/quick/mastaba/base/scripted/map-seed-2025/run-03/game-1.trace.jsonl.zst";
        let (place, attempt) = place(&parts(path));
        assert_eq!(attempt, None);
        assert_eq!(
            place,
            Place {
                matrix: "quick".into(),
                map_seed: Some(2025),
                ai_skill: String::new(),
                planner: "mastaba".into(),
                variant: "base".into(),
                backbone: "scripted".into(),
                run: Some(3),
                game: Some(1),
            }
        );
        let path = path.replace("map-seed", "ai-skill-hard/map-seed");
        let (skilled, _) = super::place(&parts(&path));
        assert_eq!(skilled, Place { ai_skill: "hard".into(), ..place });
    }

    #[test]
    fn an_older_attempt_is_known_by_its_name() {
        let path = "quick/d/base/s/map-seed-1/run-01/game-2.attempt-3.trace.jsonl.zst";
        let (place, attempt) = place(&parts(path));
        assert_eq!((place.game, attempt), (Some(2), Some(3)));
    }

    #[test]
    fn a_trace_elsewhere_belongs_to_its_folder() {
        let (place, attempt) = place(&parts("forks/cold.trace.jsonl.zst"));
        assert_eq!(place, Place { matrix: "forks".into(), ..Place::default() });
        assert_eq!(attempt, None);
    }
}
