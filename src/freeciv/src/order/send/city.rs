//! What is sent for an order of a city.

use saga_core::action::{Action, Item};
use saga_core::ids::{CityId, Pos};

use crate::order::Request;
use crate::value::Value;
use crate::world::World;
use crate::world::fold_items::{BUILD_BUILDING, BUILD_UNIT};

/// The packet; `None` when the action is no city's.
pub(super) fn request(id: CityId, action: &Action, world: &World) -> Option<Request> {
    let city = ("city_id", Value::from(i64::from(id.0)));
    let tile = |at: Pos| Some(("tile_id", Value::from(i64::from(world.map.index(at)?))));
    let (packet, fields) = match action {
        Action::Produce { item } => {
            let (kind, value) = coded(*item);
            let kind = ("production_kind", i64::from(kind).into());
            ("CITY_CHANGE", vec![city, kind, ("production_value", i64::from(value).into())])
        }
        Action::Buy => ("CITY_BUY", vec![city]),
        Action::Append { item } => {
            let planned = &world.cities.get(&id)?.inside.as_ref()?.worklist;
            let list: Vec<(u8, u8)> = planned.iter().chain([item]).map(|i| coded(*i)).collect();
            ("CITY_WORKLIST", vec![city, ("worklist", list.into())])
        }
        Action::ClearWorklist => ("CITY_WORKLIST", vec![city]),
        Action::Sell { building } => {
            ("CITY_SELL", vec![city, ("build_id", i64::from(building.0).into())])
        }
        Action::TakeOffTile { at } => ("CITY_MAKE_SPECIALIST", vec![city, tile(*at)?]),
        Action::PutOnTile { at } => ("CITY_MAKE_WORKER", vec![city, tile(*at)?]),
        Action::Retrain { from, to } => {
            let (from, to) = (i64::from(from.0).into(), i64::from(to.0).into());
            ("CITY_CHANGE_SPECIALIST", vec![city, ("from", from), ("to", to)])
        }
        _ => return None,
    };
    Some(Request { packet, fields })
}

/// Kind and number of what a city builds; the protocol numbers both in one byte.
fn coded(item: Item) -> (u8, u8) {
    match item {
        Item::Unit(id) => (BUILD_UNIT as u8, id.0 as u8),
        Item::Building(id) => (BUILD_BUILDING as u8, id.0 as u8),
    }
}
