//! A report: the rows of every trace under a folder, and the files that are made from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::DataFrame;
use rayon::prelude::*;
use saga_core::logged::Difference;
use saga_core::measures::Measures;
use serde_json::{Value, json};

use crate::error::ReportError;
use crate::ledgers::{LEDGER, LedgerFacts};
use crate::load::{Loaded, load};
use crate::rows::{
    BackboneKind, EpisodeRow, Place, TurnRow, is_embedded, missing, rows_of, unreadable,
};
use crate::scan::{Found, Scan, scan};
use crate::tables::{MAIN, Rendered, TABLES};
use crate::{frames, provenance};

/// The file of the episodes' frame.
pub(crate) const EPISODES: &str = "episodes.csv";

/// Everything that was read from a runs folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    episodes: Vec<EpisodeRow>,
    turns: Vec<TurnRow>,
    hashes: BTreeMap<String, String>,
    not_counted: Vec<NotCounted>,
    ledgers: Vec<LedgerFacts>,
    without_ledger: Vec<String>,
}

/// A trace that was found and left out of every number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotCounted {
    /// The trace, below the runs folder.
    pub trace: String,
    /// BLAKE3 of the file, hexadecimal.
    pub hash: String,
    /// Why it is left out, in words.
    pub reason: String,
}

/// One trace, read.
pub(crate) struct Episode {
    pub(crate) row: EpisodeRow,
    pub(crate) turns: Vec<TurnRow>,
    pub(crate) hash: String,
    pub(crate) superseded_attempt: Option<u32>,
}

/// Reads every trace under a runs folder. A trace that cannot be read becomes a failed row.
///
/// # Errors
/// [`ReportError`] when the folder is missing, cannot be listed, or holds no trace.
pub fn build(runs: &Path) -> Result<Report, ReportError> {
    let Scan { traces, ledgers } = scan(runs)?;
    let root = std::path::absolute(runs).map_err(ReportError::io("read", runs))?;
    let mut episodes: Vec<Episode> = traces.par_iter().map(|f| read(&root, f)).collect();
    let hashes = episodes.iter().map(|e| (e.row.trace.clone(), e.hash.clone())).collect();
    let ledgers: Vec<LedgerFacts> =
        ledgers.iter().map(|l| LedgerFacts::read(&root, l, &hashes)).collect();
    episodes.extend(ledgers.iter().flat_map(|facts| missing_games(&root, facts)));
    let mut report = Report::assemble(episodes);
    report.without_ledger = without_ledger(&traces, &ledgers);
    report.ledgers = ledgers;
    Ok(report)
}

/// A row for every game that a ledger says was begun and that has no trace: it counts as started.
fn missing_games(root: &Path, facts: &LedgerFacts) -> Vec<Episode> {
    let Ok(told) = &facts.told else { return Vec::new() };
    let episode = |(trace, attempts): &(String, usize)| {
        let detail = format!(
            "{} tells of {attempts} attempts at it, and its trace is not there",
            facts.ledger
        );
        let row = missing(&Found::at(root, trace).place, trace, detail);
        Episode { row, turns: Vec::new(), hash: String::new(), superseded_attempt: None }
    };
    told.missing.iter().map(episode).collect()
}

/// The matrices with traces and without a ledger, as their folders below the runs folder.
fn without_ledger(traces: &[Found], ledgers: &[LedgerFacts]) -> Vec<String> {
    let counted = traces.iter().filter(|found| found.superseded_attempt.is_none());
    let folders: BTreeSet<String> = counted.filter_map(Found::matrix_folder).collect();
    let has = |folder: &String| ledgers.iter().any(|l| l.ledger == format!("{folder}{LEDGER}"));
    folders.into_iter().filter(|folder| !has(folder)).collect()
}

fn read(root: &Path, found: &Found) -> Episode {
    let Loaded { hash, content } = load(&found.path);
    let (row, turns) = match content {
        Ok(content) => rows_of(&found.place, &found.relative, &content),
        Err(error) => {
            let detail = below(root, &found.relative, &error.to_string());
            (unreadable(&found.place, &found.relative, detail), Vec::new())
        }
    };
    Episode { row, turns, hash, superseded_attempt: found.superseded_attempt }
}

/// The reason without the place of the runs folder, so that a report is the same on any machine.
fn below(root: &Path, relative: &str, detail: &str) -> String {
    let full = relative.split('/').fold(PathBuf::from(root), |path, part| path.join(part));
    detail.replace(&full.display().to_string(), relative)
}

/// What copies of one episode have in common: the place and the identity.
type CopyKey = (Arc<Place>, String);

/// `None` when the trace does not tell its identity: then nothing shows what it is a copy of.
fn copy_key(row: &EpisodeRow) -> Option<CopyKey> {
    let setup = row.setup.as_ref()?;
    Some((Arc::clone(&row.place), setup.identity_hash.clone()))
}

/// The copy of an episode that counts.
struct Best {
    trace: String,
    hash: String,
    ending: &'static str,
    /// A result beats a failed game with its last line, that one beats a cut one; the cut ones by
    /// their turns.
    worth: (bool, bool, u32),
}

/// Of each episode the copy that goes furthest; among equal ones the first by path.
fn best_copies(sorted: &[Episode]) -> BTreeMap<CopyKey, Best> {
    let mut best: BTreeMap<CopyKey, Best> = BTreeMap::new();
    for Episode { row, hash, .. } in sorted.iter().filter(|e| e.superseded_attempt.is_none()) {
        let Some(key) = copy_key(row) else { continue };
        let worth = (row.is_result(), row.last.is_some(), row.fate.turns_played);
        if best.get(&key).is_none_or(|first| first.worth < worth) {
            let (trace, hash) = (row.trace.clone(), hash.clone());
            best.insert(key, Best { trace, hash, ending: row.fate.ending.word(), worth });
        }
    }
    best
}

/// A trace that cannot be read, in a matrix of one skill, is a failed run of that skill.
fn fill_in_skills(read: &mut [Episode]) {
    let mut skills: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for place in read.iter().map(|e| &e.row.place).filter(|p| !p.ai_skill.is_empty()) {
        skills.entry(place.matrix.clone()).or_default().insert(place.ai_skill.clone());
    }
    for place in read.iter_mut().map(|e| &mut e.row.place).filter(|p| p.ai_skill.is_empty()) {
        let known = skills.get(&place.matrix).filter(|known| known.len() == 1);
        if let Some(only) = known.and_then(BTreeSet::first) {
            *place = Arc::new(Place { ai_skill: only.clone(), ..(**place).clone() });
        }
    }
}

impl Report {
    /// Sorts episodes by place and sets apart what does not count: older attempts, and of several
    /// copies of an episode all but the one that goes furthest.
    pub(crate) fn assemble(mut read: Vec<Episode>) -> Self {
        fill_in_skills(&mut read);
        read.sort_by_cached_key(|e| (Arc::clone(&e.row.place), e.row.trace.clone()));
        let best = best_copies(&read);
        let mut report = Self {
            episodes: Vec::new(),
            turns: Vec::new(),
            hashes: BTreeMap::new(),
            not_counted: Vec::new(),
            ledgers: Vec::new(),
            without_ledger: Vec::new(),
        };
        for Episode { row, turns, hash, superseded_attempt } in read {
            let ending = row.fate.ending.word();
            let reason = match (superseded_attempt, copy_key(&row).and_then(|key| best.get(&key))) {
                (Some(attempt), _) => format!("attempt {attempt}, ended as {ending}"),
                (None, Some(best)) if best.trace != row.trace && best.hash == hash => {
                    format!("same episode as {}", best.trace)
                }
                (None, Some(best)) if best.trace != row.trace => format!(
                    "same episode as {}, which is counted as {}; this one is another file, \
                     {ending}",
                    best.trace, best.ending
                ),
                _ => {
                    report.hashes.insert(row.trace.clone(), hash);
                    report.episodes.push(row);
                    report.turns.extend(turns);
                    continue;
                }
            };
            report.not_counted.push(NotCounted { trace: row.trace, hash, reason });
        }
        report.not_counted.sort();
        report
    }

    /// One row per episode, sorted by place.
    pub fn episodes(&self) -> &[EpisodeRow] {
        &self.episodes
    }

    /// One row per episode and turn, sorted by place and turn.
    pub fn turns(&self) -> &[TurnRow] {
        &self.turns
    }

    /// Traces that were found and left out of every number.
    pub fn not_counted(&self) -> &[NotCounted] {
        &self.not_counted
    }

    /// What the ledgers say about these traces.
    pub fn ledgers(&self) -> &[LedgerFacts] {
        &self.ledgers
    }

    /// What says that these are not the traces that were recorded: a ledger that is gone or whose
    /// chain is broken, a trace that was changed or removed after its attempt ended or that no
    /// attempt made. Stands under every table.
    pub fn faults(&self) -> Vec<String> {
        let is_counted = |trace: &str| self.hashes.contains_key(trace);
        let told = self.ledgers.iter().flat_map(|ledger| ledger.faults(is_counted));
        let gone = self.without_ledger.iter().map(|folder| {
            format!(
                "{folder}{LEDGER} is not there, so nothing tells whether games were removed, \
                 changed or played again"
            )
        });
        told.chain(gone).collect()
    }

    /// Games in which a measure is not what the server's score log says: the trace and what differs
    /// first.
    pub fn wrongly_measured(&self) -> Vec<(&str, &Difference)> {
        let wrong = |e| -> Option<(&str, &Difference)> {
            let EpisodeRow { trace, log, .. }: &EpisodeRow = e;
            Some((trace, log.as_ref()?.first()?))
        };
        self.episodes.iter().filter_map(wrong).collect()
    }

    /// Episodes without a result.
    pub fn failed(&self) -> impl Iterator<Item = &EpisodeRow> {
        self.episodes.iter().filter(|e| !e.is_result())
    }

    /// The first game of every run.
    pub fn first_games(&self) -> impl Iterator<Item = &EpisodeRow> {
        self.episodes.iter().filter(|e| e.is_first_game())
    }

    /// Number of episodes that are not the first of their run; `None` when there is none.
    pub(crate) fn later_games(&self) -> Option<usize> {
        Some(self.episodes.iter().filter(|e| !e.is_first_game()).count()).filter(|n| *n > 0)
    }

    /// BLAKE3 of an episode's trace file; empty when the file could not be read.
    pub(crate) fn hash(&self, trace: &str) -> &str {
        self.hashes.get(trace).map_or("", String::as_str)
    }

    /// Whether an embedded policy spoke in any episode. Everything made from such a report says
    /// so, and lies in a folder named so.
    pub fn is_scripted(&self) -> bool {
        let kinds: BTreeSet<BackboneKind> = self
            .episodes
            .iter()
            .filter_map(|e| e.setup.as_ref())
            .map(|s| s.backbone_kind)
            .collect();
        kinds.iter().any(|kind| *kind != BackboneKind::Model)
            || self.episodes.iter().any(|e| e.setup.is_none() && is_embedded(&e.place.backbone))
    }

    /// The episodes as a frame.
    ///
    /// # Errors
    /// [`ReportError::Frame`] when polars refuses the columns.
    pub fn episodes_frame(&self) -> Result<DataFrame, ReportError> {
        frames::episodes(&self.episodes)
    }

    /// The turns as a frame.
    ///
    /// # Errors
    /// [`ReportError::Frame`] when polars refuses the columns.
    pub fn turns_frame(&self) -> Result<DataFrame, ReportError> {
        frames::turns(&self.turns)
    }

    /// The folder of the report's files below the output folder: `scripted`, or nothing.
    pub fn folder(&self) -> &'static Path {
        Path::new(if self.is_scripted() { "scripted" } else { "" })
    }

    /// Every file of the report, by its path below the output folder.
    ///
    /// # Errors
    /// [`ReportError`] when a frame or a table cannot be made.
    pub fn files(&self) -> Result<BTreeMap<PathBuf, Vec<u8>>, ReportError> {
        let mut files = BTreeMap::new();
        let mut put = |name: &str, bytes| files.insert(self.folder().join(name), bytes);
        put(EPISODES, frames::csv("episodes", &self.episodes_frame()?)?);
        put("turns.csv", frames::csv("turns", &self.turns_frame()?)?);
        put("COLUMNS.md", provenance::columns_page().into_bytes());
        put("PROVENANCE.md", provenance::page(self).into_bytes());
        for table in TABLES {
            let Rendered { markdown, csv, .. } = (table.render)(table, self)?;
            put(&format!("tables/{}.md", table.name), markdown.into_bytes());
            put(&format!("tables/{}.csv", table.name), csv);
        }
        Ok(files)
    }

    /// The main table as text.
    ///
    /// # Errors
    /// [`ReportError`] when the table cannot be made.
    pub fn main_table_text(&self) -> Result<String, ReportError> {
        Ok((MAIN.render)(MAIN, self)?.markdown)
    }

    /// Tables, failed runs and what was left out, for programs.
    ///
    /// # Errors
    /// [`ReportError`] when a table cannot be made.
    pub fn to_json(&self) -> Result<Value, ReportError> {
        let mut tables = serde_json::Map::new();
        for table in TABLES {
            tables.insert(table.name.to_owned(), (table.render)(table, self)?.json);
        }
        let score = |m: Option<Measures>| m.map(|m| m.score);
        let failed: Vec<Value> = self
            .failed()
            .map(|e| {
                json!({ "trace": e.trace, "reason": e.fate.ending.word(),
                        "detail": e.fate.detail, "turns_played": e.fate.turns_played,
                        "score_last": score(e.last) })
            })
            .collect();
        let not_counted: Vec<Value> = self
            .not_counted
            .iter()
            .map(|n| json!({ "trace": n.trace, "reason": n.reason }))
            .collect();
        Ok(json!({
            "scripted": self.is_scripted(),
            "episodes": self.episodes.len(),
            "results": self.episodes.len() - failed.len(),
            "failed": failed,
            "not_counted": not_counted,
            "faults": self.faults(),
            "wrongly_measured": self.wrongly_measured().iter().map(|(trace, difference)| {
                json!({ "trace": trace, "first": difference.to_string() })
            }).collect::<Vec<_>>(),
            "tables": tables,
        }))
    }
}
