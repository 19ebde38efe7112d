//! The only place that knows planners and backbones by name. To add a planner: one line in
//! [`PLANNERS`]. To add a backbone of a known wire format: nothing here.

use std::collections::BTreeMap;

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
        calls_per_turn: 12,
        tokens_per_turn: 6_000,
        parameters: &[],
    },
    PlannerInfo {
        name: "mastaba",
        about: "a rule-based sketch of the nation and its war state, one advisor call, a plan",
        re_implementation: true,
        calls_per_turn: 13,
        tokens_per_turn: 16_000,
        parameters: &[Parameter {
            name: "sketch_only",
            default: Plain::Bool(false),
            about: "the advisor reads the sketch alone, without the full serialised state",
        }],
    },
];

/// A backbone that an experiment can name.
pub(crate) struct BackboneInfo {
    /// The name in experiments, folders and tables.
    pub(crate) name: &'static str,
    /// What it is, in one line.
    pub(crate) about: &'static str,
    /// Sampling temperature.
    pub(crate) temperature: f64,
    /// Upper bound of output tokens of one call.
    pub(crate) tokens_max: u32,
}

/// All backbones.
pub(crate) const BACKBONES: &[BackboneInfo] = &[BackboneInfo {
    name: "scripted",
    about: "a deterministic policy that answers prompts by word matching: no key, no network; \
            not a language model",
    temperature: 0.0,
    tokens_max: 1024,
}];

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
