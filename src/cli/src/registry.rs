//! The only place that knows planners and backbones by name. To add a planner: one line in
//! [`PLANNERS`]. To add a backbone of a known wire format: nothing here.

use std::collections::BTreeMap;

use saga_baselines::direct::Direct;
use saga_baselines::mastaba::Mastaba;
use saga_core::planner::Planner;
use saga_core::prompts::{PromptError, Prompts};
use saga_core::scripted::REVISION;
use saga_core::spec::PlannerSpec;
use serde_json::Value;

/// A planner that an experiment can name.
pub(crate) struct PlannerInfo {
    /// The name in experiments, folders and tables.
    pub(crate) name: &'static str,
    /// What it is, in one line.
    pub(crate) about: &'static str,
    /// Built by us from a publication's description, not the authors' code.
    pub(crate) re_implementation: bool,
    /// Calls one turn takes, measured over a 150-turn game: for the estimates of `--dry-run` only.
    pub(crate) calls_per_turn: u64,
    /// Tokens (input + output, estimated) one turn takes, measured likewise.
    pub(crate) tokens_per_turn: u64,
    /// What can be set.
    pub(crate) parameters: &'static [Parameter],
    /// Makes it for one episode.
    pub(crate) make: for<'a> fn(&Setting<'a>) -> Box<dyn Planner + 'a>,
}

/// What a planner is made with.
pub(crate) struct Setting<'a> {
    /// Every parameter with its value.
    pub(crate) parameters: &'a BTreeMap<String, Value>,
    /// Last turn of the game.
    pub(crate) turns_max: u32,
    /// The templates.
    pub(crate) prompts: &'a Prompts,
}

impl Setting<'_> {
    /// A parameter that is on or off. The matrix checked its type; a trace may lack it, and then
    /// the planner was recorded before the parameter existed.
    fn is_on(&self, name: &str) -> bool {
        self.parameters.get(name).and_then(Value::as_bool).unwrap_or(false)
    }
}

/// One thing that can be set about a planner.
pub(crate) struct Parameter {
    /// Key under `parameters`.
    pub(crate) name: &'static str,
    /// Value when nothing is said; its type is the parameter's type.
    pub(crate) default: Plain,
    /// What it changes.
    pub(crate) about: &'static str,
}

/// A value that can stand in a constant.
#[derive(Clone, Copy)]
pub(crate) enum Plain {
    /// Yes or no.
    Bool(bool),
}

impl Plain {
    /// As JSON, for the episode's identity.
    pub(crate) fn value(self) -> Value {
        match self {
            Plain::Bool(b) => Value::Bool(b),
        }
    }

    /// The type in words.
    pub(crate) const fn type_word(self) -> &'static str {
        match self {
            Plain::Bool(_) => "true or false",
        }
    }

    /// Whether a value is of the same type.
    pub(crate) fn fits(self, value: &Value) -> bool {
        match self {
            Plain::Bool(_) => value.is_boolean(),
        }
    }
}

/// All planners, in the order of tables.
pub(crate) const PLANNERS: &[PlannerInfo] = &[
    PlannerInfo {
        name: "direct",
        about: "no planner: every city, unit and office chooses alone from its own menu",
        re_implementation: false,
        calls_per_turn: 4,
        tokens_per_turn: 1_400,
        parameters: &[],
        make: |_| Box::new(Direct),
    },
    PlannerInfo {
        name: "mastaba",
        about: "a rule-based sketch of the nation, one advisor call a turn, a plan",
        re_implementation: true,
        calls_per_turn: 7,
        tokens_per_turn: 5_000,
        parameters: &[Parameter {
            name: "sketch_only",
            default: Plain::Bool(false),
            about: "the advisor reads the sketch alone, without the full state",
        }],
        make: |s| Box::new(Mastaba::new(s.prompts, s.turns_max, s.is_on("sketch_only"))),
    },
];

/// A backbone that an experiment can name.
pub(crate) struct BackboneInfo {
    /// The name in experiments, folders and tables.
    pub(crate) name: &'static str,
    /// What it is, in one line.
    pub(crate) about: &'static str,
    /// Revision of its policy.
    pub(crate) revision: u32,
    /// Sampling temperature.
    pub(crate) temperature: f64,
    /// Upper bound of output tokens of one call.
    pub(crate) tokens_max: u32,
}

/// All backbones: those that need neither key nor network.
pub(crate) const BACKBONES: &[BackboneInfo] = &[
    embedded("scripted", "a deterministic policy that answers by word matching; no language model"),
    embedded("uniform", "a control that picks evenly from the same menus"),
    embedded("idle", "a control that does nothing"),
];

const fn embedded(name: &'static str, about: &'static str) -> BackboneInfo {
    BackboneInfo { name, about, revision: REVISION, temperature: 0.0, tokens_max: 1024 }
}

/// Finds a planner.
pub(crate) fn planner(name: &str) -> Option<&'static PlannerInfo> {
    PLANNERS.iter().find(|p| p.name == name)
}

/// Finds a backbone.
pub(crate) fn backbone(name: &str) -> Option<&'static BackboneInfo> {
    BACKBONES.iter().find(|b| b.name == name)
}

/// Every parameter of a planner with its default.
pub(crate) fn defaults(info: &PlannerInfo) -> BTreeMap<String, Value> {
    info.parameters.iter().map(|p| (p.name.to_owned(), p.default.value())).collect()
}

/// All templates that ship with the program.
pub(crate) fn prompts() -> Result<Prompts, PromptError> {
    Prompts::new(saga_baselines::TEMPLATES)
}

/// Hashes of the templates that shape a planner's episodes: its own and the shared ones, but not
/// those of other planners.
pub(crate) fn prompt_hashes(prompts: &Prompts, planner: &PlannerSpec) -> BTreeMap<String, String> {
    let foreign = |name: &String| {
        let owner = name.split('/').next().unwrap_or_default();
        owner != planner.name && PLANNERS.iter().any(|p| p.name == owner)
    };
    prompts.hashes().into_iter().filter(|(name, _)| !foreign(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_backbone_can_be_named() {
        let names: Vec<&str> = BACKBONES.iter().map(|b| b.name).collect();
        assert_eq!(names, saga_core::scripted::EMBEDDED);
    }

    #[test]
    fn a_template_of_one_planner_is_no_part_of_another() {
        let prompts = prompts().expect("the embedded templates are valid");
        let hashes = |name: &str| {
            let planner = PlannerSpec {
                name: name.to_owned(),
                variant: "base".to_owned(),
                parameters: BTreeMap::new(),
            };
            prompt_hashes(&prompts, &planner)
        };
        assert!(hashes("mastaba").contains_key("mastaba/system"));
        assert!(!hashes("direct").contains_key("mastaba/system"));
        assert!(hashes("direct").contains_key("controller/system"));
    }
}
