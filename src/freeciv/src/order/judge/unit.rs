//! Whether a unit did what it was told.

use saga_core::action::Action;
use saga_core::ids::UnitId;

use super::{Before, embassies, fights};
use crate::menu::activity_of;
use crate::world::World;
use crate::world::codes;

impl Before {
    /// Done is what the server carried out, whether it came to anything or not: a unit that is
    /// gone did what it could (founded, joined, fell in its attack or in a hut, was caught as a
    /// spy), and so did one of whose attempt the server told, or that lost moves or hit points over
    /// it without a word of refusal.
    pub(super) fn unit_did(&self, id: UnitId, action: &Action, world: &World) -> bool {
        let own = world.units.get(&id).filter(|u| world.is_ours(u.owner));
        let (Some(now), Some(before)) = (own, &self.unit) else { return true };
        match action {
            Action::Move { .. } => now.tile != before.tile,
            // With no moves for its first step it waits for the next turn.
            Action::Goto { to } => {
                now.tile != before.tile || (now.orders && now.goto == world.map.index(*to))
            }
            Action::Board { transport } => now.aboard == Some(*transport),
            Action::Leave => now.aboard.is_none(),
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
                let changed = now.tile != before.tile
                    || now.moves != before.moves
                    || now.hp != before.hp
                    || now.home != before.home
                    || now.kind != before.kind
                    || embassies(world) != self.embassies;
                fights(world, id) != self.fights
                    || self.reported(world)
                    || (changed && !self.refused(world))
            }
        }
    }

    /// Whether the server said no since: a unit may lose moves over what it is refused.
    fn refused(&self, world: &World) -> bool {
        world.heard().since(self.mark).iter().any(|event| codes::refuses(&event.kind))
    }

    /// Whether the server told of an attempt since, successful or not: some leave no trace on the
    /// unit.
    fn reported(&self, world: &World) -> bool {
        world.heard().since(self.mark).iter().any(|event| codes::attempts(&event.kind))
    }
}
