//! Rows as polars frames, and frames as CSV. Whatever a later statistic needs it takes from these
//! frames, so the CSV files hold everything a table was made of.

use polars::prelude::{Column, DataFrame, IntoColumn, NamedFrom, Series};
use polars_io::prelude::{CsvWriter, SerWriter};

use crate::columns::{
    ColumnSpec, DEEDS, EPISODE_SHARES, FATE, GAME, JUDGED, LAST, LOG, MEASURES, PLACE, SETUP,
    SOURCE, STANDING, TURN, USAGE, Value,
};
use crate::error::ReportError;
use crate::rows::{EpisodeRow, TurnRow};

/// One row per episode.
///
/// # Errors
/// [`ReportError::Frame`] when polars refuses the columns.
pub fn episodes(rows: &[EpisodeRow]) -> Result<DataFrame, ReportError> {
    let mut columns = Vec::new();
    add(&mut columns, rows, PLACE, |e| Some(&e.place));
    add(&mut columns, rows, SETUP, |e| e.setup.as_ref());
    add(&mut columns, rows, FATE, |e| Some(&e.fate));
    add(&mut columns, rows, MEASURES, |e| e.measures.as_ref());
    add(&mut columns, rows, LAST, |e| e.last.as_ref());
    add(&mut columns, rows, STANDING, |e| e.standing.as_ref());
    add(&mut columns, rows, LOG, |e| e.log.as_ref());
    add(&mut columns, rows, JUDGED, |e| e.unjudged.as_ref());
    add(&mut columns, rows, DEEDS, |e| e.deeds.as_ref());
    add(&mut columns, rows, EPISODE_SHARES, |e| e.deeds.as_ref());
    add(&mut columns, rows, USAGE, |e| e.usage.as_ref());
    add(&mut columns, rows, GAME, |e| e.game.as_ref());
    add(&mut columns, rows, SOURCE, whole);
    frame("episodes", rows.len(), columns)
}

/// One row per episode and turn.
///
/// # Errors
/// [`ReportError::Frame`] when polars refuses the columns.
pub fn turns(rows: &[TurnRow]) -> Result<DataFrame, ReportError> {
    let mut columns = Vec::new();
    add(&mut columns, rows, PLACE, |t| Some(&t.place));
    add(&mut columns, rows, TURN, whole);
    add(&mut columns, rows, MEASURES, |t| Some(&t.measures));
    add(&mut columns, rows, DEEDS, |t| Some(&t.deeds));
    add(&mut columns, rows, USAGE, |t| Some(&t.usage));
    frame("turns", rows.len(), columns)
}

/// A frame as CSV: six decimals, an empty field where nothing is known, fields quoted when they
/// hold a comma, a quote or a line break.
///
/// # Errors
/// [`ReportError::Frame`] when the writer fails.
pub fn csv(name: &'static str, frame: &DataFrame) -> Result<Vec<u8>, ReportError> {
    let mut out = Vec::new();
    CsvWriter::new(&mut out)
        .with_float_precision(Some(6))
        .finish(&mut frame.clone())
        .map_err(|source| ReportError::Frame { frame: name, source })?;
    Ok(out)
}

fn frame(
    name: &'static str,
    height: usize,
    columns: Vec<Column>,
) -> Result<DataFrame, ReportError> {
    DataFrame::new(height, columns).map_err(|source| ReportError::Frame { frame: name, source })
}

/// Reads the columns of one part off all rows; empty where a row lacks the part.
fn add<R, P>(
    out: &mut Vec<Column>,
    rows: &[R],
    specs: &[ColumnSpec<P>],
    part: fn(&R) -> Option<&P>,
) {
    for spec in specs {
        let name = spec.name.into();
        let series = match spec.value {
            Value::Text(get) => {
                Series::new(name, rows.iter().map(|r| part(r).and_then(get)).collect::<Vec<_>>())
            }
            Value::Int(get) => {
                Series::new(name, rows.iter().map(|r| part(r).and_then(get)).collect::<Vec<_>>())
            }
            Value::Real(get) => {
                Series::new(name, rows.iter().map(|r| part(r).and_then(get)).collect::<Vec<_>>())
            }
            Value::Flag(get) => {
                Series::new(name, rows.iter().map(|r| part(r).and_then(get)).collect::<Vec<_>>())
            }
        };
        out.push(series.into_column());
    }
}

#[allow(clippy::unnecessary_wraps)] // stands where a part is wanted
fn whole<R>(row: &R) -> Option<&R> {
    Some(row)
}
