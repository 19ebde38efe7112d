//! Rows of planners against columns of metrics, mean ± std with its n: the form most tables share.

use std::collections::BTreeMap;
use std::fmt::Write;

use saga_core::spec::AI_SKILLS;
use serde_json::{Value, json};

use crate::error::ReportError;
use crate::metrics::Metric;
use crate::report::Report;
use crate::rows::EpisodeRow;
use crate::summary::{Summary, summarise};
use crate::tables::caption::{SCRIPTED, failures, left_out};
use crate::tables::kind::kind;
use crate::tables::{Rendered, Table};
use crate::text::{inline, mean_std, row};

/// Cells by section, then by planner, variant and backbone. Different sections are never pooled.
pub(crate) struct Grid<'a> {
    metrics: Vec<&'static Metric>,
    sections: BTreeMap<Section<'a>, BTreeMap<Cell<'a>, Line>>,
}

/// What must be equal for two planners to be compared.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Section<'a> {
    matrix: &'a str,
    map_seed: Option<u32>,
    /// Position of the skill among the server's words, so that weak opponents come first.
    strength: usize,
    ai_skill: &'a str,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cell<'a> {
    planner: &'a str,
    variant: &'a str,
    backbone: &'a str,
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
        let mut groups: BTreeMap<_, BTreeMap<_, Vec<&EpisodeRow>>> = BTreeMap::new();
        for episode in episodes.iter().filter(|e| e.is_first_game()) {
            let place = &episode.place;
            let cell = Cell {
                planner: &place.planner,
                variant: &place.variant,
                backbone: &place.backbone,
            };
            let ai_skill = place.ai_skill.as_str();
            let strength = AI_SKILLS.iter().position(|word| *word == ai_skill);
            let section = Section {
                matrix: &place.matrix,
                map_seed: place.map_seed,
                strength: strength.unwrap_or(AI_SKILLS.len()),
                ai_skill,
            };
            groups.entry(section).or_default().entry(cell).or_default().push(episode);
        }
        let line = |group: Vec<&EpisodeRow>| Line::new(&group, &metrics);
        let sections = groups
            .into_iter()
            .map(|(at, cells)| (at, cells.into_iter().map(|(c, g)| (c, line(g))).collect()))
            .collect();
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
        let mark = if report.is_scripted() { " (scripted)" } else { "" };
        let mut out = format!("# {}{mark}\n", table.title);
        for (section, lines) in &self.sections {
            let Section { matrix, map_seed, ai_skill, .. } = section;
            let seed = map_seed.map_or("unknown".to_owned(), |s| s.to_string());
            let (matrix, skill) = (inline(matrix), unknown(ai_skill));
            let _ = write!(out, "\n## {matrix} · map seed {seed} · {skill} opponents\n\n");
            let mut head: Vec<String> =
                ["Planner", "Variant", "Backbone", "n"].map(str::to_owned).into();
            head.extend(self.metrics.iter().map(|m| m.label.to_owned()));
            head.push("Failed".to_owned());
            let mut rule = vec!["---".to_owned(); 3];
            rule.extend(vec!["---:".to_owned(); self.metrics.len() + 1]);
            rule.push("---".to_owned());
            out += &row(&head);
            out += &row(&rule);
            for (cell, line) in lines {
                out += &row(&self.cells(cell, line));
            }
        }
        out.push('\n');
        for note in notes {
            let _ = writeln!(out, "- {note}");
        }
        if report.is_scripted() {
            let _ = writeln!(out, "- **{SCRIPTED}**");
        }
        out += &failures(report);
        out += &left_out(report);
        out
    }

    fn cells(&self, cell: &Cell, line: &Line) -> Vec<String> {
        let mut cells = vec![
            format!("{}{}", unknown(cell.planner), kind(cell.planner, cell.backbone).suffix()),
            unknown(cell.variant),
            unknown(cell.backbone),
            format!("{}/{}", line.results, line.runs),
        ];
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
        let bad = |detail: String| ReportError::Csv { table: table.name, detail };
        let mut out = csv::Writer::from_writer(Vec::new());
        let mut head: Vec<String> =
            ["matrix", "map_seed", "ai_skill", "planner", "planner_kind", "variant", "backbone"]
                .map(str::to_owned)
                .into();
        head.extend(["runs", "n", "failed", "failed_reasons"].map(str::to_owned));
        for metric in &self.metrics {
            head.extend(["mean", "std", "n"].map(|part| format!("{}_{part}", metric.name)));
        }
        out.write_record(&head).map_err(|e| bad(e.to_string()))?;
        let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.6}"));
        for (Section { matrix, map_seed, ai_skill, .. }, lines) in &self.sections {
            for (cell, line) in lines {
                let reasons: Vec<String> =
                    line.failed.iter().map(|(reason, n)| format!("{reason}={n}")).collect();
                let mut record = vec![
                    (*matrix).to_owned(),
                    map_seed.map_or(String::new(), |s| s.to_string()),
                    (*ai_skill).to_owned(),
                    cell.planner.to_owned(),
                    kind(cell.planner, cell.backbone).word().to_owned(),
                    cell.variant.to_owned(),
                    cell.backbone.to_owned(),
                    line.runs.to_string(),
                    line.results.to_string(),
                    (line.runs - line.results).to_string(),
                    reasons.join(";"),
                ];
                for s in &line.summaries {
                    record.extend([number(s.mean), number(s.std), s.n.to_string()]);
                }
                out.write_record(&record).map_err(|e| bad(e.to_string()))?;
            }
        }
        out.into_inner().map_err(|e| bad(e.to_string()))
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
        for (Section { matrix, map_seed, ai_skill, .. }, lines) in &self.sections {
            for (cell, line) in lines {
                let values: serde_json::Map<String, Value> = self
                    .metrics
                    .iter()
                    .zip(&line.summaries)
                    .map(|(m, s)| (m.name.to_owned(), json!(s)))
                    .collect();
                rows.push(json!({
                    "matrix": matrix, "map_seed": map_seed, "ai_skill": ai_skill,
                    "planner": cell.planner,
                    "planner_kind": kind(cell.planner, cell.backbone).word(),
                    "variant": cell.variant, "backbone": cell.backbone, "runs": line.runs,
                    "n": line.results,
                    "failed": line.failed, "values": values,
                }));
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

fn unknown(text: &str) -> String {
    if text.is_empty() { "unknown".to_owned() } else { inline(text) }
}
