//! Puts a report on disk, or holds it against the one that is there.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::ReportError;
use crate::ledgers::LEDGER;
use crate::report::{EPISODES, Report};

/// A file that is not what the traces give today.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// It is not on disk.
    #[error("{}: missing on disk", .path.display())]
    Missing {
        /// Below the output folder.
        path: PathBuf,
    },
    /// It lies in the report's folders, and is no part of it.
    #[error("{}: on disk, but no part of this report", .path.display())]
    Extra {
        /// Below the output folder.
        path: PathBuf,
    },
    /// It differs.
    #[error(
        "{}: differs from line {line}\n  on disk:     {on_disk}\n  regenerated: {regenerated}",
        .path.display()
    )]
    Differs {
        /// Below the output folder.
        path: PathBuf,
        /// First line that differs, from 1.
        line: usize,
        /// That line on disk.
        on_disk: String,
        /// That line as the traces give it.
        regenerated: String,
    },
}

impl Report {
    /// Writes every file below `out`, each whole or not at all, and tells which.
    ///
    /// # Errors
    /// [`ReportError`] when a file cannot be made or written.
    pub fn write_to(&self, out: &Path) -> Result<Vec<PathBuf>, ReportError> {
        let files = self.files()?;
        for (relative, bytes) in &files {
            write_whole(&out.join(relative), bytes)?;
        }
        Ok(files.into_keys().collect())
    }

    /// Makes every file in memory and lists those that differ below `out`. Writes nothing.
    ///
    /// # Errors
    /// [`ReportError`] when a file cannot be made or read.
    pub fn check_against(&self, out: &Path) -> Result<Vec<Difference>, ReportError> {
        let files = self.files()?;
        let mut differences = Vec::new();
        for (relative, bytes) in &files {
            let path = out.join(relative);
            match std::fs::read(&path) {
                Ok(on_disk) if on_disk == *bytes => {}
                Ok(on_disk) => differences.push(first_difference(relative, &on_disk, bytes)),
                Err(e) if e.kind() == ErrorKind::NotFound => {
                    differences.push(Difference::Missing { path: relative.clone() });
                }
                Err(e) => return Err(ReportError::io("read", path)(e)),
            }
        }
        for folder in [self.folder().to_owned(), self.folder().join("tables")] {
            differences.extend(extra(out, &folder, &files)?);
        }
        Ok(differences)
    }

    /// The matrices of the report on disk and of these traces, when they are not the same. A matrix
    /// has the name of its folder, so a renamed folder changes every table.
    pub fn renamed(&self, out: &Path) -> Option<(String, String)> {
        let names = |all: BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join(", ");
        let mut reader = csv::Reader::from_path(out.join(self.folder()).join(EPISODES)).ok()?;
        let column = reader.headers().ok()?.iter().position(|name| name == "matrix")?;
        let on_disk =
            reader.records().flatten().filter_map(|r| r.get(column).map(str::to_owned)).collect();
        let today = self.episodes().iter().map(|e| e.place.matrix.clone()).collect();
        let (on_disk, today) = (names(on_disk), names(today));
        (on_disk != today).then_some((on_disk, today))
    }
}

/// Files of one folder that no part of the report makes: left behind when one was renamed, or put
/// there by somebody. A folder that holds a ledger is not the report's own: traces lie there.
fn extra(
    out: &Path,
    below: &Path,
    files: &BTreeMap<PathBuf, Vec<u8>>,
) -> Result<Vec<Difference>, ReportError> {
    let folder = out.join(below);
    if folder.join(LEDGER).exists() {
        return Ok(Vec::new());
    }
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(ReportError::io("list", folder)(e)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry.map_err(ReportError::io("list", &folder))?;
        if !entry.file_type().map_err(ReportError::io("list", &folder))?.is_dir() {
            paths.push(below.join(entry.file_name()));
        }
    }
    paths.sort();
    let unknown = paths.into_iter().filter(|path| !files.contains_key(path));
    Ok(unknown.map(|path| Difference::Extra { path }).collect())
}

fn first_difference(path: &Path, on_disk: &[u8], regenerated: &[u8]) -> Difference {
    let lines = |bytes: &[u8]| {
        bytes
            .split(|b| *b == b'\n')
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect::<Vec<_>>()
    };
    let (disk, today) = (lines(on_disk), lines(regenerated));
    let same = disk.iter().zip(&today).take_while(|(a, b)| a == b).count();
    let line = |lines: &[String]| lines.get(same).map_or("(no such line)", |l| l).to_owned();
    Difference::Differs {
        path: path.to_owned(),
        line: same + 1,
        on_disk: line(&disk),
        regenerated: line(&today),
    }
}

/// Writes beside the target and renames, so that no reader ever sees half a file.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(ReportError::io("write", folder))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.part"));
    let written = std::fs::File::create(&part)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&part, path));
    written.map_err(|e| {
        // The error that matters is the first one; a part that stays behind is harmless.
        let _ = std::fs::remove_file(&part);
        ReportError::io("write", path)(e)
    })
}
