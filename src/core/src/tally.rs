//! How decisions went, counted by kind of action: what a turn and the end of a trace say about
//! refusals, so that no report has to look for them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::action::{Action, Outcome};
use crate::trace::entry::Decision;

/// Counts by [`Action::kind`]. Decisions to do nothing and decisions without a lawful answer stand
/// under `skip`.
pub type Tally = BTreeMap<String, OrderCounts>;

/// How the decisions of one kind went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OrderCounts {
    /// Orders whose effect the state showed.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub done: u64,
    /// Orders the server said no to.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub refused: u64,
    /// Orders that changed nothing, without a word.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub ignored: u64,
    /// Orders that were no longer lawful when their time came; not sent.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub stale: u64,
    /// Decisions to do nothing; no orders.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub skipped: u64,
    /// Decisions for which no attempt gave a lawful answer; no orders.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub no_op: u64,
}

impl OrderCounts {
    /// All orders, the stale ones among them.
    pub const fn orders(&self) -> u64 {
        self.done + self.not_done()
    }

    /// Orders that reached the server.
    pub const fn sent(&self) -> u64 {
        self.done + self.refused + self.ignored
    }

    /// Orders that were refused, ignored or stale.
    pub const fn not_done(&self) -> u64 {
        self.refused + self.ignored + self.stale
    }

    /// Counts one decision.
    pub fn count(&mut self, decision: &Decision) {
        let count = match &decision.outcome {
            _ if decision.no_op.is_some() => &mut self.no_op,
            Some(Outcome::Done) => &mut self.done,
            Some(Outcome::Refused { .. }) => &mut self.refused,
            Some(Outcome::Ignored) => &mut self.ignored,
            Some(Outcome::Stale) => &mut self.stale,
            None if decision.action == Action::Skip => &mut self.skipped,
            None => return,
        };
        *count += 1;
    }
}

impl std::ops::AddAssign for OrderCounts {
    fn add_assign(&mut self, o: Self) {
        self.done += o.done;
        self.refused += o.refused;
        self.ignored += o.ignored;
        self.stale += o.stale;
        self.skipped += o.skipped;
        self.no_op += o.no_op;
    }
}

/// Counts decisions by kind.
pub fn tally(decisions: &[Decision]) -> Tally {
    let mut counts = Tally::new();
    for decision in decisions {
        let kind = decision.action.kind();
        if !counts.contains_key(kind) {
            counts.insert(kind.to_owned(), OrderCounts::default());
        }
        if let Some(counts) = counts.get_mut(kind) {
            counts.count(decision);
        }
    }
    counts
}

/// Adds what one turn counted.
pub fn add(sum: &mut Tally, more: &Tally) {
    for (kind, counts) in more {
        *sum.entry(kind.clone()).or_default() += *counts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Actor, Work};
    use crate::ids::{Pos, UnitId};
    use crate::trace::entry::Domain;

    fn decision(action: Action, outcome: Option<Outcome>) -> Decision {
        Decision {
            round: 1,
            domain: Domain::Civilian,
            actor: Actor::Unit(UnitId(1)),
            action,
            options: 2,
            attempts: 1,
            no_op: None,
            outcome,
        }
    }

    #[test]
    fn every_decision_is_counted_once_under_its_kind() {
        let mine = Action::Work { work: Work::Mine, extra: None };
        let help = Action::Special {
            id: 8,
            name: "help_wonder".into(),
            target: 3,
            at: Pos { x: 1, y: 1 },
            part: None,
            cost: None,
        };
        let refused = Outcome::Refused { words: "no".into() };
        let lost = Decision { no_op: Some("malformed".into()), ..decision(Action::Skip, None) };
        let counted = tally(&[
            decision(mine.clone(), Some(Outcome::Done)),
            decision(mine, Some(Outcome::Stale)),
            decision(help.clone(), Some(refused)),
            decision(help, Some(Outcome::Ignored)),
            decision(Action::Skip, None),
            lost,
        ]);
        let want = Tally::from([
            ("help_wonder".into(), OrderCounts { refused: 1, ignored: 1, ..Default::default() }),
            ("mine".into(), OrderCounts { done: 1, stale: 1, ..Default::default() }),
            ("skip".into(), OrderCounts { skipped: 1, no_op: 1, ..Default::default() }),
        ]);
        assert_eq!(counted, want);
        assert_eq!((counted["mine"].orders(), counted["mine"].sent()), (2, 1));
        assert_eq!(serde_json::to_string(&counted["mine"]).unwrap(), r#"{"done":1,"stale":1}"#);
        let mut twice = counted.clone();
        add(&mut twice, &counted);
        assert_eq!(twice["skip"], OrderCounts { skipped: 2, no_op: 2, ..Default::default() });
    }
}
