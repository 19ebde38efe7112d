//! Where every number comes from: the trace files with their hashes, what the ledger says about
//! them, and what each column means.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::columns::columns;
use crate::ledgers;
use crate::report::Report;
use crate::tables::TABLES;
use crate::text::{inline, row};

/// `PROVENANCE.md`: every trace file, counted or not.
pub(crate) fn page(report: &Report) -> String {
    let mark = if report.is_scripted() { " (scripted)" } else { "" };
    let mut out = format!(
        "# Provenance{mark}\n\nEvery number of this report is made from these files and from \
         nothing else. Paths are below the runs folder; the hash is BLAKE3 of the whole file.\n\n"
    );
    let distinct = |values: BTreeSet<String>| {
        let text = values.into_iter().collect::<Vec<_>>().join(", ");
        if text.is_empty() { "unknown".to_owned() } else { text }
    };
    let setups = || report.episodes().iter().filter_map(|e| e.setup.as_ref());
    let games = || report.episodes().iter().filter_map(|e| e.game.as_ref());
    let _ = writeln!(
        out,
        "- recorded by saga: {}",
        distinct(setups().map(|s| inline(&s.saga_version)).collect())
    );
    let _ = writeln!(
        out,
        "- game server: {}",
        distinct(
            games()
                .map(|g| format!("{}, binary {}", inline(&g.server_version), g.server_hash))
                .collect()
        )
    );
    let _ = writeln!(
        out,
        "- backbones: {}",
        distinct(setups().map(|s| s.backbone_kind.word().to_owned()).collect())
    );
    out += &unjudged(report);
    let head = ["Trace", "BLAKE3", "Identity", "End"].map(str::to_owned);
    out += &row(&head);
    out += &row(&head.clone().map(|_| "---".to_owned()));
    for episode in report.episodes() {
        out += &row(&[
            inline(&episode.trace),
            or_dash(report.hash(&episode.trace)),
            or_dash(episode.setup.as_ref().map_or("", |s| &s.identity_hash)),
            episode.fate.ending.word().to_owned(),
        ]);
    }
    if !report.not_counted().is_empty() {
        out += "\nFound, kept as evidence, and counted in no number:\n\n";
        let head = ["Trace", "BLAKE3", "Why"].map(str::to_owned);
        out += &row(&head);
        out += &row(&head.clone().map(|_| "---".to_owned()));
        for trace in report.not_counted() {
            out += &row(&[inline(&trace.trace), or_dash(&trace.hash), inline(&trace.reason)]);
        }
    }
    out += &ledgers::section(report.ledgers());
    out
}

/// What the client could not judge hid something from every planner alike.
fn unjudged(report: &Report) -> String {
    let told = || report.episodes().iter().filter_map(|e| e.unjudged);
    let games = told().filter(|n| *n > 0).count();
    format!(
        "- requirements this client could not judge: {} times in {games} of {} games that tell it; \
         what needs one of them was not in the menus then\n\n",
        told().fold(0, u64::saturating_add),
        told().count()
    )
}

/// `COLUMNS.md`: the columns of both frames and of the tables.
pub(crate) fn columns_page() -> String {
    let mut out = "# Columns\n\nAn empty field means: not known, or does not apply. In \
                   `episodes.csv` what is owned is read at the start of turn `turns_max`; of a \
                   player that died before, score is the last living one and the rest 0; of a game \
                   won before, the last values; without a result, empty. In `turns.csv` it is read \
                   at the start of that turn.\n"
        .to_owned();
    let mut frame = "";
    for column in columns() {
        if column.frame != frame {
            frame = column.frame;
            let _ = write!(out, "\n## {frame}.csv\n\n");
            out += COLUMN_HEAD;
        }
        out += &row(&[
            format!("`{}`", column.name),
            column.kind.to_owned(),
            column.unit.to_owned(),
            inline(column.doc),
        ]);
    }
    for table in TABLES {
        let _ = write!(out, "\n## tables/{}.csv\n\n", table.name);
        out += COLUMN_HEAD;
        for column in table.columns.iter().copied().flatten() {
            let name = format!("`{}`", column.name);
            let (kind, unit) = (column.kind.to_owned(), column.unit.to_owned());
            out += &row(&[name, kind, unit, inline(column.doc)]);
        }
    }
    out
}

const COLUMN_HEAD: &str = "| Column | Type | Unit | Meaning |\n| --- | --- | --- | --- |\n";

fn or_dash(text: &str) -> String {
    if text.is_empty() { "—".to_owned() } else { inline(text) }
}
