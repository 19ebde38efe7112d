//! Rows of planners against columns of metrics, mean ± std with its n: the form most tables share.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::error::ReportError;
use crate::metrics::Metric;
use crate::report::Report;
use crate::rows::EpisodeRow;
use crate::summary::{Summary, summarise};
use crate::tables::caption::{close, title};
use crate::tables::sections::{self, Cell, HEADS, Sections};
use crate::tables::{Rendered, Table, TableColumn, csv};
use crate::text::{mean_std, row};

/// Runs of a cell, in the CSV file of every grid.
const RUNS: &[TableColumn] = &[
    TableColumn::int("runs", "runs", "runs that were started"),
    TableColumn::int("n", "runs", "runs with a result"),
    TableColumn::int("failed", "runs", "runs without one"),
    TableColumn::text("failed_reasons", "why, as reason=runs, separated by semicolons"),
];

/// Then, for each metric of the grid.
const EACH: &[TableColumn] = &[
    TableColumn::real("<metric>_mean", "", "mean of the metric over the runs that have it"),
    TableColumn::real("<metric>_std", "", "its sample standard deviation (n − 1)"),
    TableColumn::int("<metric>_n", "runs", "runs that have it"),
];

/// All columns of a grid's CSV file.
pub(crate) const COLUMNS: &[&[TableColumn]] = &[sections::COLUMNS, RUNS, EACH];

/// What each cell gave in each metric.
pub(crate) struct Grid<'a> {
    metrics: Vec<&'static Metric>,
    sections: Sections<'a, Line>,
}

/// What a cell of the experiment gave.
struct Line {
    runs: usize,
    results: usize,
    failed: BTreeMap<&'static str, usize>,
    summaries: Vec<Summary>,
}

impl<'a> Grid<'a> {
    /// Summarises the first game of every run.
    pub(crate) fn new(episodes: &'a [EpisodeRow], metrics: Vec<&'static Metric>) -> Self {
        let sections = sections::sections(episodes, |group| Line::new(&group, &metrics));
        Self { metrics, sections }
    }

    /// The table in all its forms.
    pub(crate) fn render(
        &self,
        table: &Table,
        report: &Report,
        notes: &[String],
    ) -> Result<Rendered, ReportError> {
        Ok(Rendered {
            markdown: self.markdown(table, report, notes),
            csv: self.csv(table)?,
            json: self.json(),
        })
    }

    fn markdown(&self, table: &Table, report: &Report, notes: &[String]) -> String {
        let mut out = title(table, report);
        for (section, lines) in &self.sections {
            out += &section.heading();
            let mut head = HEADS.map(str::to_owned).to_vec();
            head.push("n".to_owned());
            head.extend(self.metrics.iter().map(|m| m.label.to_owned()));
            head.push("Failed".to_owned());
            let mut rule = vec!["---".to_owned(); HEADS.len()];
            rule.extend(vec!["---:".to_owned(); self.metrics.len() + 1]);
            rule.push("---".to_owned());
            out += &row(&head);
            out += &row(&rule);
            for (cell, line) in lines {
                out += &row(&self.cells(cell, line));
            }
        }
        out + &close(report, notes, "counted in n's denominator and in nothing else")
    }

    fn cells(&self, cell: &Cell, line: &Line) -> Vec<String> {
        let mut cells = cell.cells();
        cells.push(format!("{}/{}", line.results, line.runs));
        for (metric, summary) in self.metrics.iter().zip(&line.summaries) {
            let mut text = mean_std(summary, metric.decimals);
            if summary.n < line.results {
                let _ = write!(text, " ({})", summary.n);
            }
            cells.push(text);
        }
        let reasons: Vec<String> =
            line.failed.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        cells.push(match line.failed.values().sum::<usize>() {
            0 => "0".to_owned(),
            n => format!("{n} ({})", reasons.join(", ")),
        });
        cells
    }

    fn csv(&self, table: &Table) -> Result<Vec<u8>, ReportError> {
        let fixed = sections::COLUMNS.iter().chain(RUNS);
        let mut head: Vec<String> = fixed.map(|c| c.name.to_owned()).collect();
        for metric in &self.metrics {
            head.extend(["mean", "std", "n"].map(|part| format!("{}_{part}", metric.name)));
        }
        let mut records = Vec::new();
        let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.6}"));
        for (section, lines) in &self.sections {
            for (cell, line) in lines {
                let reasons: Vec<String> =
                    line.failed.iter().map(|(reason, n)| format!("{reason}={n}")).collect();
                let mut record = section.fields(cell);
                record.extend([
                    line.runs.to_string(),
                    line.results.to_string(),
                    (line.runs - line.results).to_string(),
                    reasons.join(";"),
                ]);
                for s in &line.summaries {
                    record.extend([number(s.mean), number(s.std), s.n.to_string()]);
                }
                records.push(record);
            }
        }
        csv(table, &head, &records)
    }

    fn json(&self) -> Value {
        let metrics: Vec<Value> = self
            .metrics
            .iter()
            .map(|m| {
                json!({ "name": m.name, "label": m.label, "unit": m.unit,
                        "better": m.better.word() })
            })
            .collect();
        let mut rows = Vec::new();
        for (section, lines) in &self.sections {
            for (cell, line) in lines {
                let values: serde_json::Map<String, Value> = self
                    .metrics
                    .iter()
                    .zip(&line.summaries)
                    .map(|(m, s)| (m.name.to_owned(), json!(s)))
                    .collect();
                let mut row = section.json(cell);
                row.insert("runs".to_owned(), json!(line.runs));
                row.insert("n".to_owned(), json!(line.results));
                row.insert("failed".to_owned(), json!(line.failed));
                row.insert("values".to_owned(), json!(values));
                rows.push(row);
            }
        }
        json!({ "metrics": metrics, "rows": rows })
    }
}

impl Line {
    fn new(group: &[&EpisodeRow], metrics: &[&'static Metric]) -> Self {
        let results: Vec<&EpisodeRow> = group.iter().copied().filter(|e| e.is_result()).collect();
        let mut failed = BTreeMap::new();
        for episode in group.iter().filter(|e| !e.is_result()) {
            *failed.entry(episode.fate.ending.word()).or_insert(0) += 1;
        }
        let summaries = metrics
            .iter()
            .map(|m| summarise(&results.iter().filter_map(|e| (m.value)(e)).collect::<Vec<_>>()))
            .collect();
        Self { runs: group.len(), results: results.len(), failed, summaries }
    }
}
