//! The `[analysis]` section, checked against the planners of the same file: what will be compared
//! with what, said and hashed before the first game.

use std::collections::BTreeMap;

use saga_core::spec::PlannerSpec;
use saga_report::metrics::METRICS;
use serde::Serialize;

use super::error::{MatrixError, Source};
use super::file::AnalysisTable;
use super::label;

const ALTERNATIVES: [&str; 3] = ["two-sided", "greater", "less"];
const ELIMINATED: [&str; 1] = ["last-score-no-stocks"];
const EARLY_VICTORY: [&str; 1] = ["last-values"];

/// A declared analysis, every default written out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Analysis {
    /// The planner everything is compared with, by its name in tables.
    pub(crate) reference: String,
    /// Those compared with it.
    pub(crate) comparisons: Vec<String>,
    /// Those shown but not tested.
    pub(crate) controls: Vec<String>,
    /// The metric the main claim is about.
    pub(crate) primary_metric: String,
    /// `two-sided`, or the side the reference is expected on.
    pub(crate) alternative: String,
    /// Level of significance.
    pub(crate) alpha: f64,
    /// Families of metrics whose p-values are corrected together.
    pub(crate) families: BTreeMap<String, Vec<String>>,
    /// What is left out, in words.
    pub(crate) exclusions: Vec<String>,
    /// Runs of each cell this was planned for.
    pub(crate) planned_n: u32,
    /// How a game that ended by our player's death enters the tables.
    pub(crate) eliminated: String,
    /// How a game that somebody won early enters the tables.
    pub(crate) early_victory: String,
}

impl Analysis {
    /// Fills in defaults and checks every name.
    pub(crate) fn check(
        source: &Source,
        table: AnalysisTable,
        planners: &[PlannerSpec],
        runs: u32,
    ) -> Result<Self, MatrixError> {
        let labels: Vec<String> = planners.iter().map(label).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let metrics: Vec<&str> = METRICS.iter().map(|m| m.name).collect();
        let reference = table.reference.unwrap_or_else(|| labels[0].to_owned());
        one_of(source, "planner of this file", "reference", &reference, &labels)?;
        all_of(source, "planner of this file", "controls", &table.controls, &labels)?;
        let rest = || {
            let tested = |l: &&&str| **l != reference && !table.controls.iter().any(|c| c == **l);
            labels.iter().filter(tested).map(|l| (*l).to_owned()).collect()
        };
        let comparisons = table.comparisons.clone().unwrap_or_else(rest);
        all_of(source, "planner of this file", "comparisons", &comparisons, &labels)?;
        one_of(source, "metric", "primary_metric", &table.primary_metric, &metrics)?;
        one_of(source, "alternative", "alternative", &table.alternative, &ALTERNATIVES)?;
        one_of(source, "rule", "eliminated", &table.eliminated, &ELIMINATED)?;
        one_of(source, "rule", "early_victory", &table.early_victory, &EARLY_VICTORY)?;
        for (family, members) in &table.families {
            all_of(source, "metric", &format!("families.{family}"), members, &metrics)?;
        }
        if !(table.alpha > 0.0 && table.alpha < 1.0) {
            return Err(source.value("analysis.alpha", table.alpha, "a level between 0 and 1"));
        }
        let planned_n = table.planned_n.unwrap_or(runs);
        if planned_n == 0 {
            return Err(source.value("analysis.planned_n", 0, "1 or more runs of each cell"));
        }
        Ok(Self {
            reference,
            comparisons,
            controls: table.controls,
            primary_metric: table.primary_metric,
            alternative: table.alternative,
            alpha: table.alpha,
            families: table.families,
            exclusions: table.exclusions,
            planned_n,
            eliminated: table.eliminated,
            early_victory: table.early_victory,
        })
    }

    /// As it goes on record.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("an analysis is plain data") + "\n"
    }

    /// BLAKE3 of that text, hexadecimal.
    pub(crate) fn hash(&self) -> String {
        blake3::hash(self.text().as_bytes()).to_hex().to_string()
    }
}

fn one_of(
    source: &Source,
    kind: &'static str,
    key: &str,
    word: &str,
    known: &[&str],
) -> Result<(), MatrixError> {
    if known.contains(&word) {
        return Ok(());
    }
    Err(source.unknown(kind, &format!("analysis.{key}"), word, known))
}

fn all_of(
    source: &Source,
    kind: &'static str,
    key: &str,
    words: &[String],
    known: &[&str],
) -> Result<(), MatrixError> {
    words
        .iter()
        .enumerate()
        .try_for_each(|(i, word)| one_of(source, kind, &format!("{key}.{i}"), word, known))
}
