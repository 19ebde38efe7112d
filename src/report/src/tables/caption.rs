//! What stands under a table: how its cells are to be read, who served the games, what failed.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::report::Report;
use crate::rows::NO_OPPONENTS;
use crate::tables::Table;
use crate::text::inline;

/// What every table made with the embedded policy must say.
const SCRIPTED: &str = "scripted backbone: not a language model; no significance marks";

/// The caption every such table needs.
pub(crate) fn notes(report: &Report) -> Vec<String> {
    let mut notes = vec![
        "Each cell is mean ± std over the runs with a result; std is the sample standard \
         deviation (n − 1), — where it or the mean does not exist. **n** is runs with a result \
         / runs started; `(k)` after a cell says that only k of them have this number."
            .to_owned(),
    ];
    if let Some(later) = report.later_games() {
        notes.push(format!(
            "The first game of each run. {later} later games of chains are in episodes.csv."
        ));
    }
    let turns = listed(report.first_games().filter_map(|e| e.setup.as_ref()).map(|s| s.turns_max));
    let servers = listed(report.first_games().filter_map(|e| e.game.as_ref()).map(|g| {
        let hash: String = g.server_hash.chars().take(12).collect();
        format!("{} (binary {hash})", inline(&g.server_version))
    }));
    let skills: BTreeSet<&str> = report.first_games().map(|e| e.place.ai_skill.as_str()).collect();
    let apart = if skills.len() > 1 { "; each in a section of its own, never pooled" } else { "" };
    let opponents = if skills.iter().all(|word| *word == NO_OPPONENTS) && !skills.is_empty() {
        "No built-in opponents".to_owned()
    } else {
        let skills = listed(skills.into_iter().filter(|word| !word.is_empty()).map(inline));
        format!("Built-in opponents play at: {skills}{apart}")
    };
    notes.push(format!("`turns_max`: {turns}. {opponents}. Freeciv server: {servers}."));
    notes
}

/// The first line of a table in Markdown.
pub(crate) fn title(table: &Table, report: &Report) -> String {
    format!("# {}{}\n", table.title, if report.is_scripted() { " (scripted)" } else { "" })
}

/// What stands under a table: its own notes and what every table must say. `failed` tells how the
/// table counts failed runs.
pub(crate) fn close(report: &Report, notes: &[String], failed: &str) -> String {
    let mut out = "\n".to_owned();
    for note in notes.iter().chain(&warnings(report)) {
        let _ = writeln!(out, "- {note}");
    }
    if report.is_scripted() {
        let _ = writeln!(out, "- **{SCRIPTED}**");
    }
    out + &failures(report, failed) + &left_out(report)
}

/// What makes the numbers doubtful; under every table.
fn warnings(report: &Report) -> Vec<String> {
    let mut all: Vec<String> =
        report.faults().iter().map(|fault| format!("**Warning**: {}.", inline(fault))).collect();
    let wrong = report.wrongly_measured().len();
    if wrong > 0 {
        all.push(format!(
            "**Warning**: in {wrong} of {} games a measure is not what the server's score log \
             says; which and when is in tables/score_log.md.",
            report.episodes().len()
        ));
    }
    all
}

/// Distinct values in order; `unknown` when there is none.
fn listed<T: Ord + std::fmt::Display>(values: impl Iterator<Item = T>) -> String {
    let values: Vec<String> = values.collect::<BTreeSet<T>>().iter().map(T::to_string).collect();
    if values.is_empty() { "unknown".to_owned() } else { values.join(", ") }
}

/// Every failed run by name: none is dropped in silence.
fn failures(report: &Report, how: &str) -> String {
    let failed: Vec<String> = report
        .failed()
        .map(|e| {
            let detail = match e.fate.detail.as_str() {
                "" => String::new(),
                detail => format!(": {}", inline(detail)),
            };
            format!("- {}: {}{detail}\n", inline(&e.trace), e.fate.ending.word())
        })
        .collect();
    if failed.is_empty() {
        return String::new();
    }
    format!("\nFailed runs, {how}:\n\n{}", failed.concat())
}

/// Every trace that was found and left out, by name: copies and older attempts.
fn left_out(report: &Report) -> String {
    let lines: Vec<String> = report
        .not_counted()
        .iter()
        .map(|n| format!("- {}: {}\n", inline(&n.trace), inline(&n.reason)))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\nFound and not counted; each is in PROVENANCE.md:\n\n{}", lines.concat())
}
