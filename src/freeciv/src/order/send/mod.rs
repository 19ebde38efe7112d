//! The packets that put orders into effect.

mod city;
mod player;
mod unit;

use saga_core::action::{Actor, Order};
use saga_core::ids::UnitId;

use super::Request;
use crate::menu::{Board, Question};
pub(super) use player::{accept, clause, leave, meet};
pub(super) use unit::act;

/// The packets that ask these questions about a unit.
pub(super) fn questions(unit: UnitId, questions: Vec<Question>) -> Vec<Request> {
    let ask = |question| match question {
        Question::Actions(tile) => Request {
            packet: "UNIT_GET_ACTIONS",
            fields: vec![("actor_unit_id", unit.0.into()), ("target_tile_id", tile.into())],
        },
        Question::Details { action, target } => Request {
            packet: "UNIT_ACTION_QUERY",
            fields: vec![
                ("actor_id", unit.0.into()),
                ("target_id", target.into()),
                ("action_type", i64::from(action).into()),
            ],
        },
    };
    questions.into_iter().map(ask).collect()
}

/// Asks the server for a city name.
pub(super) fn suggest_name(unit: UnitId) -> Request {
    Request { packet: "CITY_NAME_SUGGESTION_REQ", fields: vec![("unit_id", unit.0.into())] }
}

/// What to send for an order other than founding and proposing; empty when actor and action do not
/// belong together.
pub(super) fn requests(order: &Order, board: &Board<'_>) -> Vec<Request> {
    let request = match order.actor {
        Actor::Unit(unit) => return unit::requests(unit, &order.action, board),
        Actor::City(city) => city::request(city, &order.action, board.world),
        Actor::Player => return player::requests(&order.action, board),
        Actor::Toward(_) => player::toward(&order.action),
    };
    request.into_iter().collect()
}
