//! The tables of a report. To add one, add a file beside this one and a line to [`TABLES`].

mod caption;
mod grid;
mod kind;
mod main;
mod orders;
mod play;
mod score_log;
mod sections;

pub use kind::RE_IMPLEMENTED;
use serde_json::Value;

use crate::error::ReportError;
use crate::report::Report;

/// One table.
pub struct Table {
    /// Name of its files, `tables/<name>.md` and `.csv`.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// The columns of its CSV file, in order.
    pub columns: &'static [&'static [TableColumn]],
    /// Makes it.
    pub render: fn(&Table, &Report) -> Result<Rendered, ReportError>,
}

/// One column of a table's CSV file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableColumn {
    /// Name in the header.
    pub name: &'static str,
    /// `text`, `int` or `real`.
    pub kind: &'static str,
    /// Unit, empty for plain words.
    pub unit: &'static str,
    /// What it means.
    pub doc: &'static str,
}

impl TableColumn {
    pub(crate) const fn text(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: "text", unit: "", doc }
    }

    pub(crate) const fn int(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, kind: "int", unit, doc }
    }

    pub(crate) const fn real(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, kind: "real", unit, doc }
    }
}

/// A table in all its forms, made from the same numbers.
pub struct Rendered {
    /// For people.
    pub markdown: String,
    /// For programs.
    pub csv: Vec<u8>,
    /// For `--json`.
    pub json: Value,
}

/// All tables, in the order in which they are listed.
pub const TABLES: &[&Table] = &[&main::TABLE, &play::TABLE, &orders::TABLE, &score_log::TABLE];

/// The main table.
pub const MAIN: &Table = &main::TABLE;

/// A CSV file.
///
/// # Errors
/// [`ReportError::Csv`] when the writer fails.
pub(crate) fn csv(
    table: &Table,
    head: &[String],
    records: &[Vec<String>],
) -> Result<Vec<u8>, ReportError> {
    let bad = |detail: String| ReportError::Csv { table: table.name, detail };
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(head).map_err(|e| bad(e.to_string()))?;
    for record in records {
        out.write_record(record).map_err(|e| bad(e.to_string()))?;
    }
    out.into_inner().map_err(|e| bad(e.to_string()))
}

/// The header of a table whose columns are all its own.
pub(crate) fn head(table: &Table) -> Vec<String> {
    table.columns.iter().copied().flatten().map(|c| c.name.to_owned()).collect()
}
