//! The second port: language models. A prompt says what answer it wants; a completion carries the
//! answer with everything needed to account for it; faults of content are data, not errors.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::stop::Stop;

/// One or more language models behind one door; the prompt names which one it is for.
pub trait Backbone: Sync {
    /// Answers one prompt.
    ///
    /// # Errors
    /// The outer error is an outage after all retries: the episode stops. The inner one is a fault
    /// of content that the strategies see.
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Result<Result<Completion, Fault>, Stop>;

    /// How many calls of one batch it likes to have in flight from one game. 1: call in sequence.
    fn lanes(&self) -> usize {
        1
    }

    /// Whether an answer to this call is already known. A batch that met an outage begins no
    /// further call, but the record of such a batch may hold answers that were in flight: those are
    /// asked for all the same.
    fn has_record_of(&self, id: &CallId) -> bool {
        let _ = id;
        false
    }
}

/// The place of a call: unique in an episode and independent of arrival order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId {
    /// Turn, from 1.
    pub turn: u32,
    /// Round within the turn, from 1; 0 for what runs before the first round.
    pub round: u32,
    /// Who asks: `planner`, `advisor`, `controller:city` …
    pub role: String,
    /// For whom, as `unit:104`; empty when it is about the whole.
    pub entity: String,
    /// Counts calls at the same place, from 1.
    pub attempt: u32,
}

impl std::fmt::Display for CallId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let entity = if self.entity.is_empty() { "-" } else { &self.entity };
        write!(f, "{}/{}/{}/{entity}/{}", self.turn, self.round, self.role, self.attempt)
    }
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// Name of the backbone it goes to.
    pub backbone: String,
    /// How to sample.
    pub sampling: Sampling,
    /// The conversation; stable text first, so that prefix caches hit.
    pub messages: Vec<Message>,
    /// The kind of answer wanted.
    pub answer: AnswerShape,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub speaker: Speaker,
    /// The words.
    pub text: String,
}

impl Message {
    /// A system message.
    pub fn system(text: impl Into<String>) -> Self {
        Self { speaker: Speaker::System, text: text.into() }
    }

    /// A user message.
    pub fn user(text: impl Into<String>) -> Self {
        Self { speaker: Speaker::User, text: text.into() }
    }

    /// What the model said before.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { speaker: Speaker::Assistant, text: text.into() }
    }
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Standing instructions.
    System,
    /// The asking side.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// Sampling parameters of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Temperature.
    pub temperature: f64,
    /// Upper bound of output tokens.
    pub tokens_max: u32,
    /// Seed, derived from `sampling_seed` and the call's place.
    pub seed: u64,
}

/// The answer a prompt wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerShape {
    /// Free text.
    Text,
    /// A JSON value that fits this schema.
    Json {
        /// JSON Schema.
        schema: Value,
    },
    /// A call of one of these tools, or the final JSON.
    Tools {
        /// What can be called.
        tools: Vec<Tool>,
        /// Schema of the final answer.
        schema: Value,
    },
    /// The number of one of these options, counted from 1.
    Choice {
        /// The options, as the text lists them.
        options: Vec<String>,
    },
}

/// A read-only tool a model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it tells.
    pub description: String,
    /// JSON Schema of its arguments.
    pub arguments: Value,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The words.
    pub text: String,
    /// Tool calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Tokens.
    pub usage: Usage,
    /// The model as it named itself.
    pub model: String,
    /// For a choice: the probability of each option, where the backbone can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probabilities: Option<Vec<f64>>,
    /// The whole response body, secrets removed, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Value>,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Which tool.
    pub name: String,
    /// With what.
    pub arguments: Value,
}

/// Tokens of one call. `None` means the backbone did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Prompt tokens.
    pub input: Option<u64>,
    /// Prompt tokens served from a cache.
    pub cached: Option<u64>,
    /// Completion tokens.
    pub output: Option<u64>,
    /// Completion tokens spent on hidden reasoning.
    pub reasoning: Option<u64>,
    /// True when the numbers are an estimate of ours, not the backbone's count.
    pub estimated: bool,
}

/// A fault of content: the backbone answered, but not what was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// The backbone's words.
    pub detail: String,
    /// Tokens it cost all the same.
    pub usage: Usage,
    /// The model as it named itself.
    pub model: String,
}

/// Kinds of content faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Not of the wanted form.
    Malformed,
    /// The model declined.
    Refusal,
    /// Cut at the output limit.
    Length,
    /// Withheld by a content filter.
    Filter,
    /// The prompt does not fit.
    Overflow,
}
