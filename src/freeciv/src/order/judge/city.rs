//! Whether a city did what it was told.

use saga_core::action::Action;
use saga_core::ids::{CityId, Pos};

use crate::world::World;
use crate::world::model::Inside;

/// Whether the city is as the action would have it.
pub(super) fn did(id: CityId, before: Option<&Inside>, action: &Action, world: &World) -> bool {
    let Some(city) = world.cities.get(&id) else { return false };
    let Some((inside, before)) = city.inside.as_deref().zip(before) else { return false };
    let worked_by = |at: Pos| world.tile(world.map.index(at)?)?.worked_by;
    match action {
        Action::Produce { item } => inside.production == *item,
        Action::Buy => inside.did_buy,
        Action::Append { item } => {
            inside.worklist.len() > before.worklist.len() && inside.worklist.last() == Some(item)
        }
        Action::ClearWorklist => inside.worklist.is_empty(),
        Action::Sell { building } => inside.did_sell && !city.buildings.contains(building),
        Action::TakeOffTile { at } => worked_by(*at) != Some(id),
        Action::PutOnTile { at } => worked_by(*at) == Some(id),
        Action::Retrain { from, to } => {
            let count = |of: &Inside, kind: u16| of.specialists.get(usize::from(kind)).copied();
            count(inside, to.0) > count(before, to.0)
                && count(inside, from.0) < count(before, from.0)
        }
        _ => false,
    }
}
