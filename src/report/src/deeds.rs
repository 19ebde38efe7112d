//! What was decided, how the orders went, and what it cost in calls and tokens: the counts that a
//! turn and an episode share.

use std::collections::BTreeMap;

use saga_core::action::{Action, Outcome};
use saga_core::trace::entry::{Decision, Domain, RoleUsage};

/// Counts of what was decided and how the orders went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deeds {
    /// Decisions by [`Domain`], in the order in which orders are carried out.
    pub decisions: [i64; DOMAINS.len()],
    /// Orders whose effect the state showed.
    pub done: i64,
    /// Orders the server said no to.
    pub refused: i64,
    /// Orders that changed nothing, without a word.
    pub ignored: i64,
    /// Orders that were no longer lawful when their time came; not sent.
    pub stale: i64,
    /// Decisions to do nothing.
    pub skips: i64,
    /// Decisions for which no attempt gave a lawful answer.
    pub no_ops: i64,
    /// Orders done that are neither fortify nor sentry.
    pub active: i64,
    /// Cities founded.
    pub cities_founded: i64,
    /// Choices of research or of a research goal that were carried out.
    pub research_chosen: i64,
}

/// The domains in the order of [`Deeds::decisions`].
pub const DOMAINS: [Domain; 6] = [
    Domain::Diplomacy,
    Domain::Government,
    Domain::Technology,
    Domain::City,
    Domain::Military,
    Domain::Civilian,
];

impl Deeds {
    pub(crate) fn of(decisions: &[Decision]) -> Self {
        let mut deeds = Self::default();
        for decision in decisions {
            deeds.count(decision);
        }
        deeds
    }

    /// All decisions.
    pub fn decided(&self) -> i64 {
        self.decisions.iter().sum()
    }

    /// Share of executed orders that are not skip, fortify or sentry; a decision to skip counts as
    /// executed. The strict reading.
    pub fn active_share(&self) -> Option<f64> {
        share(self.active, self.done + self.skips)
    }

    /// The same with skips left out, since they are never sent.
    pub fn active_share_sent(&self) -> Option<f64> {
        share(self.active, self.done)
    }

    fn count(&mut self, decision: &Decision) {
        let domain = DOMAINS.iter().position(|d| *d == decision.domain);
        if let Some(count) = domain.and_then(|i| self.decisions.get_mut(i)) {
            *count += 1;
        }
        if decision.no_op.is_some() {
            self.no_ops += 1;
            return;
        }
        match &decision.outcome {
            None => self.skips += i64::from(decision.action == Action::Skip),
            Some(Outcome::Refused { .. }) => self.refused += 1,
            Some(Outcome::Ignored) => self.ignored += 1,
            Some(Outcome::Stale) => self.stale += 1,
            Some(Outcome::Done) => self.count_done(&decision.action),
        }
    }

    fn count_done(&mut self, action: &Action) {
        self.done += 1;
        self.active += i64::from(!matches!(action, Action::Fortify | Action::Sentry));
        self.cities_founded += i64::from(*action == Action::FoundCity);
        self.research_chosen +=
            i64::from(matches!(action, Action::Research { .. } | Action::ResearchGoal { .. }));
    }
}

impl std::ops::AddAssign for Deeds {
    fn add_assign(&mut self, o: Self) {
        for (mine, more) in self.decisions.iter_mut().zip(o.decisions) {
            *mine += more;
        }
        self.done += o.done;
        self.refused += o.refused;
        self.ignored += o.ignored;
        self.stale += o.stale;
        self.skips += o.skips;
        self.no_ops += o.no_ops;
        self.active += o.active;
        self.cities_founded += o.cities_founded;
        self.research_chosen += o.research_chosen;
    }
}

/// Calls and tokens of all roles, and of the strategic layer alone: every role that is not a
/// controller's (what the SAGA paper's token figures most likely count; it does not say; chosen).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoleSplit {
    /// All roles.
    pub all: RoleUsage,
    /// Roles that do not start with `controller:`.
    pub strategic: RoleUsage,
}

impl RoleSplit {
    pub(crate) fn of(usage: &BTreeMap<String, RoleUsage>) -> Self {
        let mut split = Self::default();
        for (role, usage) in usage {
            split.all += *usage;
            if !role.starts_with("controller:") {
                split.strategic += *usage;
            }
        }
        split
    }
}

impl std::ops::AddAssign for RoleSplit {
    fn add_assign(&mut self, o: Self) {
        self.all += o.all;
        self.strategic += o.strategic;
    }
}

fn share(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
