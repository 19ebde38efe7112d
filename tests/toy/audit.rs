//! What must hold in every trace, however the episode went: checked line by line against what
//! `trace/entry.rs` and FORMAT.md promise.

use std::collections::{BTreeMap, BTreeSet};

use saga_core::action::{Action, Actor, Order, Outcome};
use saga_core::backbone::CallId;
use saga_core::game::{Reply, Request};
use saga_core::observation::Observation;
use saga_core::trace::entry::{
    CallEntry, CallReply, Decision, Domain, Entry, RoleUsage, TurnEntry,
};
use saga_core::trace::{State, Trace};

/// Checks everything; `what` names the episode in a failure.
pub(crate) fn audit(trace: &Trace, what: &str) {
    assert_eq!(*trace.state(), State::Complete, "{what}");
    let limits = trace.header().spec.identity.limits.clone();
    let mut book = Book::default();
    let mut total: BTreeMap<String, RoleUsage> = BTreeMap::new();
    for i in 0..trace.text().len() {
        match trace.entry(i).unwrap_or_else(|e| panic!("{what}: {e}")) {
            Entry::Header(_) => assert_eq!(i, 0, "{what}"),
            Entry::Game(game) => {
                assert!(game.reply.is_some() != game.stop.is_some(), "{what}: line {i}");
                if let Request::Orders { orders } = &game.request {
                    book.send(orders, what);
                }
                if let Some(
                    Reply::Begun { observation, .. }
                    | Reply::Settled { observation, .. }
                    | Reply::TurnBegun { observation },
                ) = game.reply
                {
                    book.seen = Some(observation);
                }
            }
            Entry::Call(call) => {
                let usage = counted(&call);
                *total.entry(call.id.role.clone()).or_default() += usage;
                *book.usage.entry(call.id.role.clone()).or_default() += usage;
                assert!(book.places.insert(call.id.clone()), "{what}: {} twice", call.id);
                book.calls.push(*call);
            }
            Entry::Note(_) => {}
            Entry::Turn(turn) => {
                book.close(&turn, what);
                decisions(&turn, &book.calls, limits.rounds_max, limits.reprompts_max, what);
                book.calls.clear();
                book.usage.clear();
            }
            Entry::End(end) => {
                assert_eq!(i + 1, trace.text().len(), "{what}");
                assert_eq!(end.usage, total, "{what}: usage of the episode");
                assert_eq!(end.record.is_some(), end.reason.is_result(), "{what}");
                assert_eq!(end.detail.is_empty(), end.reason.is_result(), "{what}");
            }
        }
    }
}

/// What happened since the last turn was closed.
#[derive(Default)]
struct Book {
    seen: Option<Box<Observation>>,
    sent: Vec<Order>,
    calls: Vec<CallEntry>,
    usage: BTreeMap<String, RoleUsage>,
    places: BTreeSet<CallId>,
    last_turn: u32,
}

impl Book {
    /// Nobody can order what was not on its menu.
    fn send(&mut self, orders: &[Order], what: &str) {
        let seen = self.seen.as_ref().expect("a game begins before orders");
        for order in orders {
            assert!(was_offered(seen, order), "{what}: {order:?} was never offered");
            assert_ne!(order.action, Action::Skip, "{what}: a skip was sent");
        }
        self.sent.extend_from_slice(orders);
    }

    fn close(&mut self, turn: &TurnEntry, what: &str) {
        assert_eq!(turn.turn, self.last_turn + 1, "{what}: turns count up");
        self.last_turn = turn.turn;
        assert_eq!(turn.usage, self.usage, "{what}: usage of turn {}", turn.turn);
        let decided: Vec<Order> =
            turn.decisions.iter().filter(|d| d.is_sent()).map(Decision::order).collect();
        assert_eq!(decided, self.sent, "{what}: orders of turn {}", turn.turn);
        self.sent.clear();
        assert!(
            self.calls.iter().all(|c| c.id.turn == turn.turn),
            "{what}: a call of another turn"
        );
        let rounds = self.calls.iter().map(|c| c.id.round);
        assert!(rounds.is_sorted(), "{what}: rounds of turn {} out of order", turn.turn);
    }
}

fn decisions(turn: &TurnEntry, calls: &[CallEntry], rounds: u32, attempts: u32, what: &str) {
    let what = format!("{what}, turn {}", turn.turn);
    let mut deciders = BTreeSet::new();
    let mut last: Option<&Decision> = None;
    for d in &turn.decisions {
        assert!(
            deciders.insert((d.round, d.domain, d.actor)),
            "{what}: {:?} decided twice",
            d.actor
        );
        assert!((1..=rounds).contains(&d.round), "{what}: round {} of {rounds}", d.round);
        assert!((1..=attempts).contains(&d.attempts), "{what}: {} attempts", d.attempts);
        assert!(d.options > 1, "{what}: a menu of {} options", d.options);
        assert_eq!(d.outcome.is_none(), d.action == Action::Skip, "{what}: {d:?}");
        if let Some(fault) = &d.no_op {
            assert_eq!((&d.action, d.attempts), (&Action::Skip, attempts), "{what}: {d:?}");
            assert!(!fault.is_empty(), "{what}: a no-op without a fault");
        }
        let order = |d: &Decision| (d.round, d.domain, d.actor);
        if let Some(last) = last {
            assert!(order(last) < order(d), "{what}: {last:?} before {d:?}");
        }
        last = Some(d);
        let role = format!("controller:{}", d.domain.word());
        let asked = calls.iter().filter(|c| {
            c.id.round == d.round && c.id.role == role && c.id.entity == d.actor.to_string()
        });
        let numbers: Vec<u32> = asked.map(|c| c.id.attempt).collect();
        assert_eq!(numbers, (1..=d.attempts).collect::<Vec<u32>>(), "{what}: {d:?}");
        let again = |before: &&Decision| {
            (before.round + 1, before.domain, before.actor) == (d.round, d.domain, d.actor)
        };
        let before = turn.decisions.iter().find(again);
        let acted = before.is_some_and(|b| b.outcome == Some(Outcome::Done));
        assert!(d.round == 1 || acted, "{what}: {d:?} after {before:?}");
        let fits = match d.actor {
            Actor::Unit(_) => matches!(d.domain, Domain::Military | Domain::Civilian),
            Actor::City(_) => d.domain == Domain::City,
            Actor::Player => matches!(d.domain, Domain::Government | Domain::Technology),
            Actor::Toward(_) => d.domain == Domain::Diplomacy,
        };
        assert!(fits, "{what}: {:?} decides for {:?}", d.domain, d.actor);
    }
}

fn was_offered(o: &Observation, order: &Order) -> bool {
    let lists: [&[Action]; 2] = match order.actor {
        Actor::Unit(id) => [o.units.iter().find(|u| u.id == id).map_or(&[], |u| &u.actions), &[]],
        Actor::City(id) => [o.cities.iter().find(|c| c.id == id).map_or(&[], |c| &c.actions), &[]],
        Actor::Toward(id) => {
            [o.players.iter().find(|p| p.id == id).map_or(&[], |p| &p.actions), &[]]
        }
        Actor::Player => [&o.me.technology_actions, &o.me.government_actions],
    };
    lists.concat().contains(&order.action)
}

/// What one call adds to the counts of its role.
fn counted(call: &CallEntry) -> RoleUsage {
    let usage = call.reply.usage();
    let told = usage.input.is_some() && usage.output.is_some();
    RoleUsage {
        calls: 1,
        reprompts: u64::from(call.id.role.starts_with("controller:") && call.id.attempt > 1),
        faults: u64::from(matches!(call.reply, CallReply::Fault(_))),
        input: usage.input.unwrap_or(0),
        cached: usage.cached.unwrap_or(0),
        output: usage.output.unwrap_or(0),
        reasoning: usage.reasoning.unwrap_or(0),
        unknown: u64::from(!told),
        estimated: u64::from(told && usage.estimated),
    }
}
