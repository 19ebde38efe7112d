//! How an order went: what of the world it was about is compared before and after the barrier, and
//! the server's words are taken where it refused.

mod city;
mod player;
mod treaty;
mod unit;

use saga_core::action::{Actor, Order, Outcome};
use saga_core::ids::UnitId;

use crate::world::World;
use crate::world::codes;
use crate::world::heard::Mark;
use crate::world::model::{Inside, UnitState};
pub(super) use treaty::Pledge;

/// What the order is about, as it was when it was sent.
#[derive(Debug)]
pub(super) struct Before {
    mark: Mark,
    unit: Option<UnitState>,
    fights: u32,
    embassies: usize,
    pact: u8,
    treaty: Option<Pledge>,
    city: Option<Box<Inside>>,
}

impl Before {
    pub(super) fn of(order: &Order, world: &World) -> Self {
        let unit = match order.actor {
            Actor::Unit(id) => world.units.get(&id).cloned(),
            _ => None,
        };
        Self {
            mark: world.heard().mark(),
            fights: unit.as_ref().map_or(0, |u| fights(world, u.id)),
            embassies: embassies(world),
            pact: match order.actor {
                Actor::Toward(other) => world.pact(other).kind,
                _ => 0,
            },
            treaty: match order.actor {
                Actor::Toward(other) => world
                    .meetings
                    .get(&other)
                    .map(|meeting| Pledge::of(other, &meeting.clauses, world)),
                _ => None,
            },
            city: match order.actor {
                Actor::City(id) => world.cities.get(&id).and_then(|city| city.inside.clone()),
                _ => None,
            },
            unit,
        }
    }

    /// The outcome, after the barrier.
    pub(super) fn judge(&self, order: &Order, world: &World) -> Outcome {
        let done = match order.actor {
            Actor::Unit(id) => self.unit_did(id, &order.action, world),
            Actor::City(id) => city::did(id, self.city.as_deref(), &order.action, world),
            Actor::Player => player::did(&order.action, world),
            Actor::Toward(other) => self.did_toward(other, &order.action, world),
        };
        if done { Outcome::Done } else { refusal(world, self.mark) }
    }
}

/// Refused in the server's words if it said any, ignored otherwise.
pub(super) fn refusal(world: &World, since: Mark) -> Outcome {
    let told = world.heard().since(since);
    match told.iter().find(|event| codes::refuses(&event.kind)) {
        Some(event) => Outcome::Refused { words: event.text.clone() },
        None => Outcome::Ignored,
    }
}

fn fights(world: &World, unit: UnitId) -> u32 {
    world.fights.get(&unit).copied().unwrap_or(0)
}

fn embassies(world: &World) -> usize {
    world.me().map_or(0, |me| me.embassies.len())
}
