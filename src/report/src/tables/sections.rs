//! Which games stand in one row and which rows under one heading: the same for every table.

use std::collections::BTreeMap;

use saga_core::spec::AI_SKILLS;
use serde_json::{Map, Value, json};

use crate::rows::{EpisodeRow, NO_OPPONENTS};
use crate::tables::TableColumn;
use crate::tables::kind::kind;
use crate::text::inline;

/// What must be equal for two planners to be compared.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Section<'a> {
    matrix: &'a str,
    map_seed: Option<u32>,
    /// Position of the skill among the server's words, so that weak opponents come first.
    strength: usize,
    ai_skill: &'a str,
}

/// A cell of the experiment.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell<'a> {
    planner: &'a str,
    variant: &'a str,
    backbone: &'a str,
}

/// Cells by section. Different sections are never pooled.
pub(crate) type Sections<'a, T> = BTreeMap<Section<'a>, BTreeMap<Cell<'a>, T>>;

/// Makes something of the first games of all runs of each cell.
pub(crate) fn sections<'a, T>(
    episodes: &'a [EpisodeRow],
    make: impl Fn(Vec<&'a EpisodeRow>) -> T,
) -> Sections<'a, T> {
    let mut groups: Sections<'a, Vec<&EpisodeRow>> = BTreeMap::new();
    for episode in episodes.iter().filter(|e| e.is_first_game()) {
        let place = &episode.place;
        let cell =
            Cell { planner: &place.planner, variant: &place.variant, backbone: &place.backbone };
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
    let made =
        |cells: BTreeMap<Cell<'a>, _>| cells.into_iter().map(|(c, g)| (c, make(g))).collect();
    groups.into_iter().map(|(section, cells)| (section, made(cells))).collect()
}

/// Heads of the first columns of a row in Markdown.
pub(crate) const HEADS: [&str; 3] = ["Planner", "Variant", "Backbone"];

/// The first columns of every CSV file with a row for each cell.
pub(crate) const COLUMNS: &[TableColumn] = &[
    TableColumn::text("matrix", "name of the matrix, from the path"),
    TableColumn::int("map_seed", "", "the server's map seed"),
    TableColumn::text("ai_skill", "skill of the built-in opponents; none without any"),
    TableColumn::text("planner", "the method"),
    TableColumn::text("planner_kind", "method, re-implementation or control"),
    TableColumn::text("variant", "its variant; base when nothing is changed"),
    TableColumn::text("backbone", "label of the backbone or of the map from role to backbone"),
];

impl Section<'_> {
    /// The heading in Markdown.
    pub(crate) fn heading(&self) -> String {
        let seed = self.map_seed.map_or("unknown".to_owned(), |s| s.to_string());
        let skill = if self.ai_skill == NO_OPPONENTS { "no" } else { self.ai_skill };
        let (matrix, skill) = (inline(self.matrix), unknown(skill));
        format!("\n## {matrix} · map seed {seed} · {skill} opponents\n\n")
    }

    /// The fields under [`COLUMNS`].
    pub(crate) fn fields(&self, cell: &Cell<'_>) -> Vec<String> {
        vec![
            self.matrix.to_owned(),
            self.map_seed.map_or(String::new(), |s| s.to_string()),
            self.ai_skill.to_owned(),
            cell.planner.to_owned(),
            kind(cell.planner, cell.backbone).word().to_owned(),
            cell.variant.to_owned(),
            cell.backbone.to_owned(),
        ]
    }

    /// The same for programs.
    pub(crate) fn json(&self, cell: &Cell<'_>) -> Map<String, Value> {
        let pairs = [
            ("matrix", json!(self.matrix)),
            ("map_seed", json!(self.map_seed)),
            ("ai_skill", json!(self.ai_skill)),
            ("planner", json!(cell.planner)),
            ("planner_kind", json!(kind(cell.planner, cell.backbone).word())),
            ("variant", json!(cell.variant)),
            ("backbone", json!(cell.backbone)),
        ];
        pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

impl Cell<'_> {
    /// The Markdown cells under [`HEADS`].
    pub(crate) fn cells(&self) -> Vec<String> {
        let planner = unknown(self.planner);
        vec![
            format!("{planner}{}", kind(self.planner, self.backbone).suffix()),
            unknown(self.variant),
            unknown(self.backbone),
        ]
    }
}

fn unknown(text: &str) -> String {
    if text.is_empty() { "unknown".to_owned() } else { inline(text) }
}
