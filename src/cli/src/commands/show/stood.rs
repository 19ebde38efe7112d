//! Where units stood when they decided. A turn is told after all its moves, when the last
//! observation already shows where they went.

use std::collections::BTreeMap;

use saga_core::action::Actor;
use saga_core::ids::UnitId;
use saga_core::trace::entry::Decision;
use saga_core::words::Naming;

use super::names::Names;

/// The units before each exchange of orders of one turn.
#[derive(Default)]
pub(super) struct Stood {
    exchanges: Vec<Exchange>,
}

struct Exchange {
    orders: usize,
    units: BTreeMap<UnitId, String>,
}

impl Stood {
    /// Keeps where everyone stands before so many orders are carried out.
    pub(super) fn before(&mut self, orders: usize, names: &Names) {
        self.exchanges.push(Exchange { orders, units: names.units().clone() });
    }

    /// Each decision in words. Those that were sent stand in the order of the exchanges; one that
    /// was not is told by what was seen last in its round.
    pub(super) fn words(&self, decisions: &[Decision], names: &Names) -> Vec<String> {
        let mut exchanges = self.exchanges.iter();
        let (mut now, mut left, mut round) = (None, 0, 0);
        let mut all = Vec::with_capacity(decisions.len());
        for decision in decisions {
            if left == 0 && (decision.is_sent() || decision.round != round) {
                now = exchanges.next();
                left = now.map_or(0, |e| e.orders);
            }
            round = decision.round;
            left = left.saturating_sub(usize::from(decision.is_sent()));
            let stood = now.and_then(|e: &Exchange| match decision.actor {
                Actor::Unit(id) => e.units.get(&id).cloned(),
                _ => None,
            });
            let who = stood.unwrap_or_else(|| names.actor(decision.actor));
            all.push(names.decision(&who, decision));
        }
        all
    }

    /// A unit where it stood at the turn's first orders.
    pub(super) fn unit(&self, id: UnitId, names: &Names) -> String {
        let first = self.exchanges.first().and_then(|e| e.units.get(&id).cloned());
        first.unwrap_or_else(|| names.unit(id))
    }
}
