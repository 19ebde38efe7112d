//! The whole description of one episode: what makes it the experiment it is (identity, hashed), and
//! how it is run (operation, may change on resume). Every default is written out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One episode, fully described.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpisodeSpec {
    /// What is being measured.
    pub identity: Identity,
    /// How it is run.
    pub operation: Operation,
}

/// Everything that shapes behaviour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The method.
    pub planner: PlannerSpec,
    /// Backbone by role. A role is looked up as itself, then up to its colon, then as `default`.
    pub backbones: BTreeMap<String, BackboneSpec>,
    /// The game.
    pub game: GameSpec,
    /// Number of the independent run, from 1.
    pub run: u32,
    /// Number of the game in the run's chain, from 1.
    pub chain_game: u32,
    /// Seed of everything we draw ourselves.
    pub sampling_seed: u64,
    /// Bounds that shape behaviour.
    pub limits: Limits,
    /// Revision of what every planner shares: attention rules, slices, labels, plan form
    /// ([`INFRASTRUCTURE_REVISION`]).
    #[serde(default)]
    pub infrastructure: u32,
    /// BLAKE3 of every prompt template in use, by name.
    pub prompts: BTreeMap<String, String>,
}

/// Raised whenever the same answers would lead to other prompts or orders: a change of attention
/// rules, slices, labels, plan form or state text. The playthroughs in `tests/` diverge then.
pub const INFRASTRUCTURE_REVISION: u32 = 2;

/// A planner with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannerSpec {
    /// Name in the registry.
    pub name: String,
    /// Name of the variant, `base` when nothing is changed.
    pub variant: String,
    /// Every parameter with its value, defaults included.
    pub parameters: BTreeMap<String, Value>,
}

/// A backbone with its sampling for one role.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BackboneSpec {
    /// Name in backbones.toml, or `scripted`.
    pub name: String,
    /// Revision of an embedded backbone's policy; 0 for a model, which names itself.
    #[serde(default)]
    pub revision: u32,
    /// Temperature.
    pub temperature: f64,
    /// Upper bound of output tokens.
    pub tokens_max: u32,
}

/// The server's words for the skill of its built-in players, from weak to strong.
pub const AI_SKILLS: [&str; 6] = ["handicapped", "novice", "easy", "normal", "hard", "cheating"];

/// The game as the server shall be set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSpec {
    /// Ruleset directory name, for example `classic`.
    pub ruleset: String,
    /// Built-in AI players.
    pub opponents: u32,
    /// Their skill, one of [`AI_SKILLS`].
    pub ai_skill: String,
    /// Server's map seed, not 0.
    pub map_seed: u32,
    /// Server's game seed, not 0.
    pub game_seed: u32,
    /// Last turn that is played.
    pub turns_max: u32,
    /// Server settings by name, in the order in which they are sent.
    pub settings: Vec<(String, String)>,
}

/// Bounds that shape behaviour, part of the identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Rounds of unit orders in one turn.
    pub rounds_max: u32,
    /// Attempts of one controller decision before a no-op (R in the paper).
    pub reprompts_max: u32,
    /// Recent actions shown to a controller (h in the paper).
    pub history_max: u32,
    /// Turns between two looks at what nothing calls attention to: the government, a neighbour, a
    /// unit that could pay for an upgrade. Cities that could buy, mint gold or cannot grow into
    /// what they build are looked at two to four times in so many turns.
    pub review_turns: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds_max: 3, reprompts_max: 5, history_max: 5, review_turns: 10 }
    }
}

/// How an episode is run. No part of its identity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Stop when this many tokens (input + output) are used. `None`: no bound.
    pub budget_tokens: Option<u64>,
    /// Seconds a server may take for one answer.
    pub server_timeout_s: u32,
    /// When files are forced to disk.
    pub durability: Durability,
}

impl Default for Operation {
    fn default() -> Self {
        Self { budget_tokens: None, server_timeout_s: 60, durability: Durability::Turn }
    }
}

/// When files are forced to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// Left to the system: a kill loses nothing written, a power cut may.
    None,
    /// At the end of each turn.
    Turn,
    /// At each paid answer as well.
    Call,
}

impl Identity {
    /// BLAKE3 of the canonical JSON text, the first 16 hexadecimal digits.
    pub fn hash(&self) -> String {
        let text = serde_json::to_string(self).expect("an identity is plain data");
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The backbone of a role.
    pub fn backbone(&self, role: &str) -> Option<&BackboneSpec> {
        let family = role.split(':').next().unwrap_or(role);
        self.backbones
            .get(role)
            .or_else(|| self.backbones.get(family))
            .or_else(|| self.backbones.get("default"))
    }
}
