//! A whole experiment, read from one TOML file and checked before anything starts. After
//! [`Matrix::read`] there is no string that could be wrong and no default left unsaid.

mod analysis;
mod error;
mod file;
mod keys;
mod refusal;
mod schedule;
mod settings;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use saga_core::prompts::Prompts;
use saga_core::spec::{BackboneSpec, GameSpec, Limits, Operation, PlannerSpec};
use saga_core::trace::entry::Domain;
use serde_json::Value;
use toml::de::{DeTable, DeValue};

pub(crate) use analysis::Analysis;
pub(crate) use error::MatrixError;
pub(crate) use keys::nearest;
pub(crate) use schedule::{Job, Only};
pub(crate) use settings::{Skills, plain_game};

use crate::registry::{self, BACKBONES, PLANNERS};
use error::Source;
use file::{
    AnalysisTable, BackboneTable, GameTable, LimitsTable, MatrixFile, NameOr, OperationTable,
    PlannerTable,
};

/// Server seeds are signed 32-bit numbers above 0.
const SEED_MAX: u32 = i32::MAX as u32;
/// `game_seed = 1000 × run + game` must stay a server seed.
const RUNS_MAX: u32 = 100_000;
/// The variant of a planner nothing is changed about.
const BASE: &str = "base";

/// Each has a controller.
const DOMAINS: [Domain; 6] = [
    Domain::Diplomacy,
    Domain::Government,
    Domain::Technology,
    Domain::City,
    Domain::Military,
    Domain::Civilian,
];

/// Backbone by role.
pub(crate) type Roles = BTreeMap<String, BackboneSpec>;

/// An experiment.
#[derive(Debug)]
pub(crate) struct Matrix {
    /// Folder name under `runs/`.
    pub(crate) name: String,
    /// Methods under comparison.
    pub(crate) planners: Vec<PlannerSpec>,
    /// Named maps from role to backbone.
    pub(crate) backbones: Vec<(String, Roles)>,
    /// One map each.
    pub(crate) map_seeds: Vec<u32>,
    /// Game seed of each run, by run index.
    pub(crate) game_seeds: Vec<u32>,
    /// Added to the game seed to give each game's sampling seed.
    pub(crate) sampling_seed: u64,
    /// Seed of the order in which the games are played.
    pub(crate) schedule_seed: u64,
    /// Folder with prompt templates over the built-in ones.
    pub(crate) prompts: Option<PromptFolder>,
    /// The game; seeds still 0, and no skill yet.
    pub(crate) game: GameSpec,
    /// Skills of the built-in players.
    pub(crate) ai_skills: Skills,
    /// Bounds that shape behaviour.
    pub(crate) limits: Limits,
    /// How games are run.
    pub(crate) operation: Operation,
    /// What will be tested.
    pub(crate) analysis: Analysis,
    /// The file, for messages about it.
    source: Source,
}

impl Matrix {
    /// Reads and checks an experiment file.
    pub(crate) fn read(path: &Path) -> Result<Self, MatrixError> {
        let source = Source::read(path)?;
        check_keys(&source)?;
        let file: MatrixFile = toml::from_str(&source.text).map_err(|e| source.refused(&e))?;
        Self::check(source, file)
    }

    fn check(from: Source, file: MatrixFile) -> Result<Self, MatrixError> {
        let source = &from;
        let planners = planners(source, file.planners)?;
        let backbones = backbones(source, file.backbones)?;
        let game_seeds = game_seeds(source, file.runs, file.game_seeds)?;
        let analysis = Analysis::check(source, file.analysis, &planners, file.runs)?;
        Ok(Self {
            name: name(source, file.name)?,
            map_seeds: map_seeds(source, file.map_seeds)?,
            game_seeds,
            sampling_seed: file.sampling_seed,
            schedule_seed: file.schedule_seed,
            prompts: file.prompts.map(|dir| PromptFolder::new(source, &dir)),
            game: settings::game(source, &file.game)?,
            ai_skills: settings::skills(source, &file.game)?,
            limits: limits(source, &file.limits)?,
            operation: operation(source, &file.operation)?,
            planners,
            backbones,
            analysis,
            source: from,
        })
    }
}

/// A folder of prompt templates, and where the file names it.
#[derive(Debug)]
pub(crate) struct PromptFolder {
    dir: PathBuf,
    place: String,
}

impl PromptFolder {
    fn new(source: &Source, dir: &Path) -> Self {
        Self { dir: beside(&source.path, dir), place: source.place("prompts") }
    }

    /// Its templates over the built-in ones. One that is missing or broken is a fault of the
    /// experiment.
    pub(crate) fn over(&self, built_in: Prompts) -> Result<Prompts, MatrixError> {
        built_in.with_overrides(&self.dir).map_err(|source| MatrixError::Prompts {
            place: self.place.clone(),
            dir: self.dir.clone(),
            source,
        })
    }
}

/// The name a planner has in tables: with its variant, when something is changed about it.
pub(crate) fn label(planner: &PlannerSpec) -> String {
    if planner.variant == BASE {
        planner.name.clone()
    } else {
        format!("{}/{}", planner.name, planner.variant)
    }
}

/// Names that become folders: letters, digits, `-`, `_` and inner dots.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !name.is_empty() && name.len() <= 64 && !name.starts_with('.') && name.chars().all(plain)
}

fn check_keys(source: &Source) -> Result<(), MatrixError> {
    let text = source.text.as_str();
    // When this fails, serde's pass over the same text tells what is wrong and where.
    let Ok(table) = DeTable::parse(text) else { return Ok(()) };
    let root = table.get_ref();
    let strange = |unknown| source.strange_key(unknown);
    keys::check::<MatrixFile>(text, "", root).map_err(strange)?;
    let section = |name: &str| root.get(name).and_then(|v| v.get_ref().as_table());
    if let Some(t) = section("game") {
        keys::check::<GameTable>(text, "game", t).map_err(strange)?;
    }
    if let Some(t) = section("limits") {
        keys::check::<LimitsTable>(text, "limits", t).map_err(strange)?;
    }
    if let Some(t) = section("operation") {
        keys::check::<OperationTable>(text, "operation", t).map_err(strange)?;
    }
    if let Some(t) = section("analysis") {
        keys::check::<AnalysisTable>(text, "analysis", t).map_err(strange)?;
    }
    for (i, t) in tables(root, "planners") {
        keys::check::<PlannerTable>(text, &format!("planners.{i}"), t).map_err(strange)?;
    }
    for (i, t) in tables(root, "backbones") {
        keys::check::<BackboneTable>(text, &format!("backbones.{i}"), t).map_err(strange)?;
    }
    Ok(())
}

/// The tables in a list, with their places.
fn tables<'t, 'i>(
    root: &'t DeTable<'i>,
    list: &str,
) -> impl Iterator<Item = (usize, &'t DeTable<'i>)> {
    let items = root.get(list).and_then(|v| match v.get_ref() {
        DeValue::Array(items) => Some(items),
        _ => None,
    });
    let items = items.into_iter().flat_map(|items| items.iter().enumerate());
    items.filter_map(|(i, item)| item.get_ref().as_table().map(|t| (i, t)))
}

fn name(source: &Source, given: Option<String>) -> Result<String, MatrixError> {
    let stem = || source.path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let name = given.or_else(stem).unwrap_or_default();
    if is_plain_name(&name) {
        return Ok(name);
    }
    let wanted = "a folder name: letters, digits, - _ and inner dots, at most 64";
    Err(source.value("name", format!("{name:?}"), wanted))
}

fn planners(
    source: &Source,
    items: Vec<NameOr<PlannerTable>>,
) -> Result<Vec<PlannerSpec>, MatrixError> {
    let known: Vec<&str> = PLANNERS.iter().map(|p| p.name).collect();
    if items.is_empty() {
        return Err(source.value("planners", "[]", format!("one or more of {}", known.join(", "))));
    }
    let mut specs: Vec<PlannerSpec> = Vec::with_capacity(items.len());
    for (i, item) in items.into_iter().enumerate() {
        let (key, table) = match item {
            NameOr::Name(name) => (
                format!("planners.{i}"),
                PlannerTable { name, variant: None, parameters: BTreeMap::new() },
            ),
            NameOr::Table(table) => (format!("planners.{i}.name"), table),
        };
        let info = registry::planner(&table.name)
            .ok_or_else(|| source.unknown("planner", &key, &table.name, &known))?;
        let spec = planner(source, &format!("planners.{i}"), info, table)?;
        if specs.iter().any(|s| s.name == spec.name && s.variant == spec.variant) {
            let wanted = "each planner and variant once; give one of them a `variant` of its own";
            return Err(source.value(&key, format!("{:?}", label(&spec)), wanted));
        }
        specs.push(spec);
    }
    Ok(specs)
}

fn planner(
    source: &Source,
    at: &str,
    info: &registry::PlannerInfo,
    table: PlannerTable,
) -> Result<PlannerSpec, MatrixError> {
    let mut parameters = registry::defaults(info);
    for (name, value) in table.parameters {
        let key = format!("{at}.parameters.{name}");
        let known: Vec<&str> = info.parameters.iter().map(|p| p.name).collect();
        let parameter = info
            .parameters
            .iter()
            .find(|p| p.name == name)
            .ok_or_else(|| source.unknown("parameter of this planner", &key, &name, &known))?;
        let json = serde_json::to_value(&value).unwrap_or(Value::Null);
        if !parameter.default.fits(&json) {
            let word = parameter.default.type_word();
            return Err(source.value(&key, value, format!("{word} ({})", parameter.about)));
        }
        parameters.insert(name, json);
    }
    let variant = table.variant.unwrap_or_else(|| BASE.to_owned());
    if !is_plain_name(&variant) {
        let wanted = "a folder name: letters, digits, - _ and inner dots";
        return Err(source.value(&format!("{at}.variant"), format!("{variant:?}"), wanted));
    }
    if (variant == BASE) != (parameters == registry::defaults(info)) {
        let wanted = "`base` for a planner with its default parameters and only for that";
        return Err(source.value(&format!("{at}.variant"), format!("{variant:?}"), wanted));
    }
    Ok(PlannerSpec { name: table.name, variant, parameters })
}

fn backbones(
    source: &Source,
    items: Vec<NameOr<BackboneTable>>,
) -> Result<Vec<(String, Roles)>, MatrixError> {
    if items.is_empty() {
        let known: Vec<&str> = BACKBONES.iter().map(|b| b.name).collect();
        return Err(source.value(
            "backbones",
            "[]",
            format!("one or more of {}", known.join(", ")),
        ));
    }
    let mut all: Vec<(String, Roles)> = Vec::with_capacity(items.len());
    for (i, item) in items.into_iter().enumerate() {
        let at = format!("backbones.{i}");
        let (label, roles) = match item {
            NameOr::Name(name) => {
                let spec = backbone(source, &at, &name)?;
                (name, BTreeMap::from([("default".to_owned(), spec)]))
            }
            NameOr::Table(table) => backbone_roles(source, &at, table)?,
        };
        if all.iter().any(|(l, _)| *l == label) {
            return Err(source.value(&at, format!("{label:?}"), "each backbone name once"));
        }
        all.push((label, roles));
    }
    Ok(all)
}

fn backbone_roles(
    source: &Source,
    at: &str,
    table: BackboneTable,
) -> Result<(String, Roles), MatrixError> {
    if !is_plain_name(&table.name) {
        let wanted = "a folder name: letters, digits, - _ and inner dots";
        return Err(source.value(&format!("{at}.name"), format!("{:?}", table.name), wanted));
    }
    if !table.roles.contains_key("default") {
        let roles: Vec<&str> = table.roles.keys().map(String::as_str).collect();
        let wanted = "a `default` among the roles, for those that are not named";
        return Err(source.value(&format!("{at}.roles"), roles.join(", "), wanted));
    }
    let known = known_roles();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut roles = BTreeMap::new();
    for (role, name) in table.roles {
        let key = format!("{at}.roles.{role}");
        if !known.contains(&role.as_str()) {
            return Err(source.unknown("role", &key, &role, &known));
        }
        let spec = backbone(source, &key, &name)?;
        roles.insert(role, spec);
    }
    Ok((table.name, roles))
}

/// Who may ask: a role that nobody has would be set in vain.
fn known_roles() -> Vec<String> {
    let controllers = DOMAINS.iter().map(|domain| format!("controller:{}", domain.word()));
    let families = ["default", "planner", "controller"].map(str::to_owned);
    families.into_iter().chain(controllers).collect()
}

fn backbone(source: &Source, key: &str, name: &str) -> Result<BackboneSpec, MatrixError> {
    let known: Vec<&str> = BACKBONES.iter().map(|b| b.name).collect();
    let info =
        registry::backbone(name).ok_or_else(|| source.unknown("backbone", key, name, &known))?;
    Ok(BackboneSpec {
        name: info.name.to_owned(),
        revision: info.revision,
        temperature: info.temperature,
        tokens_max: info.tokens_max,
    })
}

fn map_seeds(source: &Source, seeds: Vec<u32>) -> Result<Vec<u32>, MatrixError> {
    if seeds.is_empty() {
        return Err(source.value("map_seeds", "[]", "one or more seeds, such as [2025]"));
    }
    for (i, seed) in seeds.iter().enumerate() {
        let key = format!("map_seeds.{i}");
        check_seed(source, &key, *seed)?;
        if seeds[..i].contains(seed) {
            return Err(source.value(&key, seed, "each map seed once"));
        }
    }
    Ok(seeds)
}

/// `1000 × run + game` for every run, unless the file lists its own.
fn game_seeds(
    source: &Source,
    runs: u32,
    given: Option<Vec<u32>>,
) -> Result<Vec<u32>, MatrixError> {
    if !(1..=RUNS_MAX).contains(&runs) {
        return Err(source.value(
            "runs",
            runs,
            format!("1 to {RUNS_MAX} runs (they count from 1)"),
        ));
    }
    let Some(seeds) = given else {
        return Ok((1..=runs).map(|run| 1000 * run + schedule::GAME).collect());
    };
    if seeds.len() != runs as usize {
        let wanted = format!("one seed for each of the {runs} runs");
        return Err(source.value("game_seeds", format!("{} seeds", seeds.len()), wanted));
    }
    for (i, seed) in seeds.iter().enumerate() {
        let key = format!("game_seeds.{i}");
        check_seed(source, &key, *seed)?;
        if seeds[..i].contains(seed) {
            return Err(source.value(&key, seed, "each game seed once: runs are independent"));
        }
    }
    Ok(seeds)
}

fn check_seed(source: &Source, key: &str, seed: u32) -> Result<(), MatrixError> {
    if (1..=SEED_MAX).contains(&seed) {
        return Ok(());
    }
    let wanted = format!(
        "1 to {SEED_MAX}: with 0 the server draws a seed of its own and the game cannot be repeated"
    );
    Err(source.value(key, seed, wanted))
}

fn limits(source: &Source, table: &LimitsTable) -> Result<Limits, MatrixError> {
    let LimitsTable { rounds_max, reprompts_max, history_max, review_turns } = *table;
    for (name, value, least) in [
        ("rounds_max", rounds_max, 1),
        ("reprompts_max", reprompts_max, 1),
        ("history_max", history_max, 0),
        ("review_turns", review_turns, 1),
    ] {
        if !(least..=1000).contains(&value) {
            let key = format!("limits.{name}");
            return Err(source.value(&key, value, format!("{least} to 1000")));
        }
    }
    Ok(Limits { rounds_max, reprompts_max, history_max, review_turns })
}

fn operation(source: &Source, table: &OperationTable) -> Result<Operation, MatrixError> {
    let OperationTable { budget_tokens, server_timeout_s, durability } = *table;
    if !(1..=86_400).contains(&server_timeout_s) {
        let wanted = "1 to 86400 seconds";
        return Err(source.value("operation.server_timeout_s", server_timeout_s, wanted));
    }
    if budget_tokens == Some(0) {
        let wanted = "1 or more tokens for each game; leave the key out for no bound";
        return Err(source.value("operation.budget_tokens", 0, wanted));
    }
    Ok(Operation { budget_tokens, server_timeout_s, durability })
}

/// A path in the file is meant from the file's own folder.
fn beside(file: &Path, path: &Path) -> PathBuf {
    file.parent().map_or_else(|| path.to_owned(), |dir| dir.join(path))
}
