//! How the orders of a game went, by kind of action, with the server's words for those it refused.

use std::collections::BTreeMap;

use saga_core::action::Outcome;
use saga_core::tally::OrderCounts;
use saga_core::trace::entry::TurnEntry;

/// The orders of some games, by the word of their kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OrderBook {
    /// One entry for each kind that was chosen at least once.
    pub kinds: BTreeMap<String, KindOrders>,
}

/// The orders of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KindOrders {
    /// How they went.
    pub counts: OrderCounts,
    /// How often the server refused one in these words.
    pub words: BTreeMap<String, u64>,
}

impl OrderBook {
    /// Reads the decisions of closed turns.
    pub(crate) fn of(turns: &[TurnEntry]) -> Self {
        let mut book = Self::default();
        for decision in turns.iter().flat_map(|turn| &turn.decisions) {
            let orders = book.kinds.entry(decision.action.kind().to_owned()).or_default();
            orders.counts.count(decision);
            if let Some(Outcome::Refused { words }) = &decision.outcome {
                *orders.words.entry(words.clone()).or_default() += 1;
            }
        }
        book
    }

    /// All kinds together.
    pub fn total(&self) -> KindOrders {
        self.kinds.values().fold(KindOrders::default(), |mut sum, orders| {
            sum += orders;
            sum
        })
    }
}

impl std::ops::AddAssign<&Self> for OrderBook {
    fn add_assign(&mut self, o: &Self) {
        for (kind, orders) in &o.kinds {
            *self.kinds.entry(kind.clone()).or_default() += orders;
        }
    }
}

impl std::ops::AddAssign<&Self> for KindOrders {
    fn add_assign(&mut self, o: &Self) {
        self.counts += o.counts;
        for (words, count) in &o.words {
            *self.words.entry(words.clone()).or_default() += count;
        }
    }
}

impl KindOrders {
    /// Share of orders that were refused, ignored or stale; `None` when there are no orders.
    pub fn not_done_share(&self) -> Option<f64> {
        let orders = self.counts.orders();
        (orders > 0).then(|| self.counts.not_done() as f64 / orders as f64)
    }

    /// The words of most refusals, with their counts; among equals in the order of the words.
    pub fn top_words(&self, most: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> = self.words.iter().map(|(w, n)| (w.as_str(), *n)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        all.truncate(most);
        all
    }
}
