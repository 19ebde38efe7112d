//! The planner: the one part that differs between the methods under comparison.

use crate::action::{Order, Outcome};
use crate::calls::Calls;
use crate::observation::Observation;
use crate::plan::Plan;
use crate::rules::Rules;
use crate::stop::Stop;

/// A method: reads a turn, asks its backbones, returns a plan.
pub trait Planner {
    /// Plans one turn. Called once a turn, before the controllers.
    ///
    /// # Errors
    /// [`Stop`] as it came from `calls`; a planner makes none of its own.
    fn plan(&mut self, view: &TurnView<'_>, calls: &mut Calls<'_>) -> Result<Plan, Stop>;
}

/// All that a planner may know when it plans.
#[derive(Debug, Clone, Copy)]
pub struct TurnView<'a> {
    /// The moment.
    pub observation: &'a Observation,
    /// The ruleset.
    pub rules: &'a Rules,
    /// Last turn's orders and how they went, in the order sent.
    pub last_turn: &'a [(Order, Outcome)],
}
