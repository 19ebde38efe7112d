//! Whether a city did what it was told.

use saga_core::action::Action;
use saga_core::ids::CityId;

use crate::world::World;

/// Whether the city is as the action would have it.
pub(super) fn did(id: CityId, action: &Action, world: &World) -> bool {
    let inside = world.cities.get(&id).and_then(|c| c.inside.as_deref());
    inside.is_some_and(|inside| match action {
        Action::Produce { item } => inside.production == *item,
        Action::Buy => inside.did_buy,
        _ => false,
    })
}
