//! The tables of a report. To add one, add a file beside this one and a line to [`TABLES`].

mod caption;
mod grid;
mod kind;
mod main;
mod play;

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
    /// Makes it.
    pub render: fn(&Table, &Report) -> Result<Rendered, ReportError>,
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
pub const TABLES: &[&Table] = &[&main::TABLE, &play::TABLE];

/// The main table.
pub const MAIN: &Table = &main::TABLE;
