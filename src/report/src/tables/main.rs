//! The main results: the six metrics of the paper and what they cost, by planner.

use std::fmt::Write;

use crate::error::ReportError;
use crate::log_check::LogCheck;
use crate::metrics::{METRICS, TOKENS};
use crate::report::Report;
use crate::tables::caption::notes;
use crate::tables::grid::{self, Grid};
use crate::tables::{Rendered, Table};

/// The main table.
pub(crate) const TABLE: Table =
    Table { name: "main", title: "Main results", columns: grid::COLUMNS, render };

fn render(table: &Table, report: &Report) -> Result<Rendered, ReportError> {
    let grid = Grid::new(report.episodes(), METRICS.iter().chain(TOKENS).collect());
    let mut caption = notes(report);
    caption.push(ends(report));
    caption.push(checked(report));
    caption.push(tokens(report));
    grid.render(table, report, &caption)
}

fn ends(report: &Report) -> String {
    let mut text = "All metrics are read at the start of turn `turns_max`. A player eliminated \
                    before it keeps its last living Score and has 0 of everything else; a game won \
                    before it gives its last values."
        .to_owned();
    let count = |word: &str| report.first_games().filter(|e| e.fate.ending.word() == word).count();
    let _ = write!(
        text,
        " Here: {} eliminated, {} ended by an early victory.",
        count("eliminated"),
        count("victory")
    );
    text
}

/// How far the metrics were held against the server's own account of them.
fn checked(report: &Report) -> String {
    let logs = || report.first_games().filter_map(|e| e.log.as_ref());
    let sum = |of: fn(&LogCheck) -> u32| logs().map(|log| u64::from(of(log))).sum::<u64>();
    format!(
        "Score, Technology, Military and Cities were held against the server's own score log in \
         every turn of the {} of {} games that have one, with other measures {} values in all: {} \
         differ, {} are missing there (tables/score_log.md). Buildings and Diplomacy have no \
         figure in it.",
        logs().count(),
        report.first_games().count(),
        sum(LogCheck::checked),
        sum(LogCheck::differs),
        sum(LogCheck::missing)
    )
}

fn tokens(report: &Report) -> String {
    let mut text = "Tokens are totals over the game: *in* and *out* of all roles; *strategic* of \
                    all roles but the controllers."
        .to_owned();
    let usage =
        || report.first_games().filter(|e| e.is_result()).filter_map(|e| e.usage).map(|u| u.all);
    let calls: u64 = usage().map(|u| u.calls).sum();
    let estimated: u64 = usage().map(|u| u.estimated).sum();
    let unknown: u64 = usage().map(|u| u.unknown).sum();
    if estimated > 0 {
        let _ = write!(text, " For {estimated} of {calls} calls they are an estimate.");
    }
    if unknown > 0 {
        let _ = write!(
            text,
            " For {unknown} of {calls} calls the backbone did not tell them: the totals are lower \
             bounds."
        );
    }
    text
}
