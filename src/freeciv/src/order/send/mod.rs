//! The packets that put orders into effect.

mod city;
mod player;
mod unit;

use saga_core::action::{Actor, Order};
use saga_core::ids::UnitId;

use super::Request;
use crate::world::World;
use crate::world::model::TileIndex;
pub(super) use player::{accept, clause, leave, meet};
pub(super) use unit::act;

/// Asks what a unit may do toward these tiles.
pub(super) fn questions(unit: UnitId, tiles: Vec<TileIndex>) -> Vec<Request> {
    let ask = |tile: TileIndex| Request {
        packet: "UNIT_GET_ACTIONS",
        fields: vec![("actor_unit_id", unit.0.into()), ("target_tile_id", tile.into())],
    };
    tiles.into_iter().map(ask).collect()
}

/// Asks the server for a city name.
pub(super) fn suggest_name(unit: UnitId) -> Request {
    Request { packet: "CITY_NAME_SUGGESTION_REQ", fields: vec![("unit_id", unit.0.into())] }
}

/// What to send for an order other than founding and proposing; empty when actor and action do not
/// belong together.
pub(super) fn requests(order: &Order, world: &World) -> Vec<Request> {
    let request = match order.actor {
        Actor::Unit(unit) => return unit::requests(unit, &order.action, world),
        Actor::City(city) => city::request(city, &order.action),
        Actor::Player => player::request(&order.action),
        Actor::Toward(_) => player::toward(&order.action),
    };
    request.into_iter().collect()
}
