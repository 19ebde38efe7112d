//! How an order went: what of the world it was about is compared before and after the barrier, and
//! the server's words are taken where it refused.

use saga_core::action::{Action, Actor, Order, Outcome};
use saga_core::ids::UnitId;

use crate::menu::activity_of;
use crate::world::World;
use crate::world::codes;
use crate::world::heard::Mark;
use crate::world::model::UnitState;

/// What the order is about, as it was when it was sent.
#[derive(Debug)]
pub(super) struct Before {
    mark: Mark,
    unit: Option<UnitState>,
    fights: u32,
    embassies: usize,
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
            unit,
        }
    }

    /// The outcome, after the barrier.
    pub(super) fn judge(&self, order: &Order, world: &World) -> Outcome {
        let done = match order.actor {
            Actor::Unit(id) => self.unit_did(id, &order.action, world),
            Actor::City(id) => {
                let inside = world.cities.get(&id).and_then(|c| c.inside.as_deref());
                inside.is_some_and(|inside| match &order.action {
                    Action::Produce { item } => inside.production == *item,
                    _ => inside.did_buy,
                })
            }
            Actor::Player => player_did(&order.action, world),
            Actor::Toward(other) => !world.meetings.contains_key(&other),
        };
        if done { Outcome::Done } else { refusal(world, self.mark) }
    }

    /// A unit that is gone did what it could: founded, joined, fell in its attack or in a hut.
    fn unit_did(&self, id: UnitId, action: &Action, world: &World) -> bool {
        let own = world.units.get(&id).filter(|u| world.is_ours(u.owner));
        let (Some(now), Some(before)) = (own, &self.unit) else { return true };
        match action {
            Action::Move { .. } => now.tile != before.tile,
            Action::Fortify => matches!(now.activity, codes::FORTIFYING | codes::FORTIFIED),
            Action::Sentry => now.activity == codes::SENTRY,
            // It walks at once, and may be done with exploring at once.
            Action::Explore => now.activity == codes::EXPLORE || now.tile != before.tile,
            Action::AutoWork => now.auto,
            Action::Work { work, extra } => {
                now.activity == activity_of(*work)
                    && (now.activity_extra == *extra || extra.is_none())
            }
            Action::Conquer { city, .. } => {
                now.tile != before.tile
                    || world.cities.get(city).is_none_or(|c| world.is_ours(c.owner))
            }
            _ => {
                now.tile != before.tile
                    || now.moves != before.moves
                    || now.hp != before.hp
                    || fights(world, id) != self.fights
                    || embassies(world) != self.embassies
            }
        }
    }
}

fn player_did(action: &Action, world: &World) -> bool {
    let Some(me) = world.me() else { return false };
    let research = world.my_research();
    match action {
        Action::Research { advance } => research.is_some_and(|r| {
            let letter = r.inventions.as_bytes().get(usize::from(advance.0));
            r.now == i64::from(advance.0) || letter == Some(&b'2')
        }),
        Action::ResearchGoal { advance } => {
            research.is_some_and(|r| r.goal == i64::from(advance.0))
        }
        Action::Revolution { government } => {
            let wanted = i64::from(government.0);
            me.target_government == wanted || me.government == wanted
        }
        Action::Rates(rates) => me.rates == *rates,
        _ => false,
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
