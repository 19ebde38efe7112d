//! The entries of a trace: a closed enum, one JSON line each, the kind first in the line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::{Action, Actor, Order, Outcome};
use crate::backbone::{CallId, Completion, Fault, Prompt, Usage};
use crate::game::{FinalRecord, Over, Reply, Request};
use crate::logged::Difference;
use crate::measures::Measures;
use crate::plan::Plan;
use crate::spec::EpisodeSpec;
use crate::stop::Stop;
use crate::tally::Tally;

/// Where an episode's entries go: the trace file, a check against a record, a progress bar.
pub trait Output {
    /// Takes the next entry, in place order.
    ///
    /// # Errors
    /// [`Stop`] when the episode must not go on without this entry being kept.
    fn put(&mut self, entry: &Entry) -> Result<(), Stop>;

    /// Takes the answer to a call the moment it arrives, before anyone sees it and out of place
    /// order. Only a journal cares.
    ///
    /// # Errors
    /// [`Stop`] when the answer cannot be kept.
    fn arrived(&mut self, id: &CallId, prompt: &Prompt, reply: &CallReply) -> Result<(), Stop> {
        let _ = (id, prompt, reply);
        Ok(())
    }
}

/// One line of a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The first line.
    Header(Box<Header>),
    /// One exchange with the game.
    Game(Box<GameEntry>),
    /// One call of a backbone.
    Call(Box<CallEntry>),
    /// Anything a planner or controller wants told; recomputed and checked in replay.
    Note(Note),
    /// One whole turn, closed.
    Turn(Box<TurnEntry>),
    /// The last line.
    End(Box<End>),
}

/// What the file is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always `saga`.
    pub format: String,
    /// Format version, `major.minor`.
    pub version: String,
    /// Version of the program that wrote it.
    pub written_by: String,
    /// Hash of the spec's identity.
    pub identity_hash: String,
    /// The whole spec.
    pub spec: EpisodeSpec,
}

/// One exchange with the game. Exactly one of `reply` and `stop` is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameEntry {
    /// What was asked.
    pub request: Request,
    /// What the game answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
    /// Why there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
}

/// One call of a backbone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallEntry {
    /// Its place.
    pub id: CallId,
    /// What was asked.
    pub prompt: Prompt,
    /// What came back.
    pub reply: CallReply,
}

/// What came back from a backbone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallReply {
    /// An answer.
    Completion(Completion),
    /// A fault of content.
    Fault(Fault),
    /// No answer: the episode stops.
    Stop(Stop),
}

impl CallReply {
    /// Tokens it cost; unknown when there was no answer.
    pub fn usage(&self) -> Usage {
        match self {
            CallReply::Completion(c) => c.usage,
            CallReply::Fault(f) => f.usage,
            CallReply::Stop(_) => Usage::default(),
        }
    }
}

/// Something worth telling that is neither call nor order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The turn.
    pub turn: u32,
    /// What it is about: `sketch`, `goals`, `verdict`, `emergency`, `plan_rejected` …
    pub kind: String,
    /// The content.
    pub body: Value,
}

/// A closed turn. Reports read this and the end, never prompts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnEntry {
    /// Which turn.
    pub turn: u32,
    /// What we owned at its start.
    pub measures: Measures,
    /// What the planner said.
    pub plan: Plan,
    /// Every decision, in the order its order was sent; no-ops and skips included.
    pub decisions: Vec<Decision>,
    /// How these went, counted by kind of action.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub orders: Tally,
    /// Calls and tokens of this turn by role.
    pub usage: BTreeMap<String, RoleUsage>,
}

/// One controller's decision with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Round, from 1.
    pub round: u32,
    /// Which controller.
    pub domain: Domain,
    /// For whom.
    pub actor: Actor,
    /// What was chosen; `Skip` for a no-op.
    pub action: Action,
    /// How many options the menu had.
    pub options: u32,
    /// How many calls it took.
    pub attempts: u32,
    /// Set when no attempt gave a lawful answer and nothing was done: the last fault in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_op: Option<String>,
    /// How it went; `None` for skips and no-ops, which are not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

impl Decision {
    /// Whether it is sent to the game; skips and no-ops are not.
    pub fn is_sent(&self) -> bool {
        self.action != Action::Skip
    }

    /// The order it makes.
    pub fn order(&self) -> Order {
        Order { actor: self.actor, action: self.action.clone() }
    }
}

/// The six controller domains (SAGA, eq. 10), in the order their orders are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Domain {
    Diplomacy,
    Government,
    Technology,
    City,
    Military,
    Civilian,
}

impl Domain {
    /// The word used in roles, tables and text.
    pub const fn word(self) -> &'static str {
        match self {
            Domain::Diplomacy => "diplomacy",
            Domain::Government => "government",
            Domain::Technology => "technology",
            Domain::City => "city",
            Domain::Military => "military",
            Domain::Civilian => "civilian",
        }
    }
}

/// Calls and tokens of one role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RoleUsage {
    /// Calls made, re-prompts included.
    pub calls: u64,
    /// Calls that were re-prompts.
    pub reprompts: u64,
    /// Calls that came back as a fault of content.
    pub faults: u64,
    /// Prompt tokens, as far as known.
    pub input: u64,
    /// Of these, from a cache.
    pub cached: u64,
    /// Completion tokens, as far as known.
    pub output: u64,
    /// Of these, hidden reasoning.
    pub reasoning: u64,
    /// Calls whose backbone did not tell its tokens.
    pub unknown: u64,
    /// Calls whose tokens are an estimate of ours.
    pub estimated: u64,
}

impl std::ops::AddAssign for RoleUsage {
    /// Saturates: an endpoint may claim any number of tokens.
    fn add_assign(&mut self, o: Self) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.calls, o.calls);
        add(&mut self.reprompts, o.reprompts);
        add(&mut self.faults, o.faults);
        add(&mut self.input, o.input);
        add(&mut self.cached, o.cached);
        add(&mut self.output, o.output);
        add(&mut self.reasoning, o.reasoning);
        add(&mut self.unknown, o.unknown);
        add(&mut self.estimated, o.estimated);
    }
}

/// How the episode ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Why.
    pub reason: EndReason,
    /// In words, when it was not the game's own end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The last turn that was begun.
    pub turn: u32,
    /// What we owned last, alive.
    pub measures: Measures,
    /// Calls and tokens of the whole episode by role.
    pub usage: BTreeMap<String, RoleUsage>,
    /// How the decisions of all closed turns went, counted by kind of action.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub orders: Tally,
    /// Values of all closed turns that were compared with the server's score log.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub checked: u64,
    /// Values of all closed turns that the log should have and has not.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub missing: u64,
    /// Measures that are not what the server's score log says, each with its first turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Difference>,
    /// The server's own series, when the game was closed properly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<FinalRecord>,
}

/// Named ends of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The last turn was played.
    TurnLimit,
    /// Somebody won.
    Victory,
    /// Our player died.
    Eliminated,
    /// The server would not begin the game that was described.
    Refused,
    /// The server went away.
    ServerLost,
    /// A backbone went away.
    BackboneLost,
    /// A budget was used up.
    Budget,
    /// Somebody stopped the program.
    Interrupted,
    /// A re-driven game differed from its record.
    Diverged,
}

impl EndReason {
    /// The word in tables, equal to the one in the trace.
    pub const fn word(self) -> &'static str {
        match self {
            EndReason::TurnLimit => "turn_limit",
            EndReason::Victory => "victory",
            EndReason::Eliminated => "eliminated",
            EndReason::Refused => "refused",
            EndReason::ServerLost => "server_lost",
            EndReason::BackboneLost => "backbone_lost",
            EndReason::Budget => "budget",
            EndReason::Interrupted => "interrupted",
            EndReason::Diverged => "diverged",
        }
    }

    /// Whether it is a result of the game; the others are failures of infrastructure.
    pub const fn is_result(self) -> bool {
        matches!(self, EndReason::TurnLimit | EndReason::Victory | EndReason::Eliminated)
    }
}

impl From<Over> for EndReason {
    fn from(over: Over) -> Self {
        match over {
            Over::TurnLimit => EndReason::TurnLimit,
            Over::Victory => EndReason::Victory,
            Over::Eliminated => EndReason::Eliminated,
        }
    }
}
