//! What is sent for an order of a unit.

use saga_core::action::Action;
use saga_core::ids::{Dir, UnitId};

use crate::menu::{ATTACK, CONQUER, JOIN_CITY, activity_of};
use crate::order::Request;
use crate::value::Value;
use crate::world::World;
use crate::world::codes;
use crate::world::model::TileIndex;

/// Order code of a plain move, and the codes for "not used" beside it.
const ORDER_MOVE: i64 = 0;
const NO_ACTIVITY: i64 = 21;
const NO_TARGET: i64 = -1;
const NO_ACTION: i64 = 44;

/// The packets in the order in which they must arrive; empty when the action is no unit's.
pub(super) fn requests(unit: UnitId, action: &Action, world: &World) -> Vec<Request> {
    let request = of_unit(unit, action, world);
    let stop = request.is_some() && stops_first(unit, action, world);
    let idle = stop.then(|| busy(unit, codes::IDLE, NO_TARGET));
    idle.into_iter().chain(request).collect()
}

fn of_unit(unit: UnitId, action: &Action, world: &World) -> Option<Request> {
    let tile = |at| Some(i64::from(world.map.index(at)?));
    match action {
        Action::Move { dir, to } => {
            let from = world.units.get(&unit)?.tile;
            Some(step(unit, from, *dir, world.map.index(*to)?))
        }
        Action::JoinCity { city } => Some(act(unit, city.0.into(), JOIN_CITY, "")),
        Action::Attack { at } => Some(act(unit, tile(*at)?, ATTACK, "")),
        Action::Conquer { city, .. } => Some(act(unit, city.0.into(), CONQUER, "")),
        Action::Special { id, target, .. } => Some(act(unit, *target, *id, "")),
        Action::Fortify => Some(busy(unit, codes::FORTIFYING, NO_TARGET)),
        Action::Sentry => Some(busy(unit, codes::SENTRY, NO_TARGET)),
        Action::Explore => Some(busy(unit, codes::EXPLORE, NO_TARGET)),
        Action::Work { work, extra } => {
            let target = extra.map_or(NO_TARGET, |extra| extra.0.into());
            Some(busy(unit, activity_of(*work), target))
        }
        Action::AutoWork => {
            Some(Request { packet: "UNIT_AUTOSETTLERS", fields: vec![("unit_id", unit.0.into())] })
        }
        _ => None,
    }
}

/// The server counts a unit's own work among what new work must not conflict with.
fn stops_first(unit: UnitId, action: &Action, world: &World) -> bool {
    let now = world.units.get(&unit).map_or(codes::IDLE, |unit| unit.activity);
    matches!(action, Action::Work { .. })
        && matches!(now, codes::IRRIGATE | codes::MINE | codes::BASE | codes::ROAD)
}

/// One step as an order list of length one, so that the server itself walks.
fn step(unit: UnitId, from: TileIndex, dir: Dir, to: TileIndex) -> Request {
    let dir = Dir::ALL.iter().position(|d| *d == dir).map_or(0, |n| n as i64);
    let one = |value: i64| Value::from(vec![value]);
    Request {
        packet: "UNIT_ORDERS",
        fields: vec![
            ("unit_id", unit.0.into()),
            ("src_tile", from.into()),
            ("length", 1.into()),
            ("orders", one(ORDER_MOVE)),
            ("dir", one(dir)),
            ("activity", one(NO_ACTIVITY)),
            ("sub_target", one(NO_TARGET)),
            ("action", one(NO_ACTION)),
            ("dest_tile", to.into()),
        ],
    }
}

/// A unit action toward a target.
pub(in crate::order) fn act(unit: UnitId, target: i64, action: u8, name: &str) -> Request {
    Request {
        packet: "UNIT_DO_ACTION",
        fields: vec![
            ("actor_id", unit.0.into()),
            ("target_id", target.into()),
            ("name", name.into()),
            ("action_type", i64::from(action).into()),
        ],
    }
}

fn busy(unit: UnitId, activity: u8, target: i64) -> Request {
    Request {
        packet: "UNIT_CHANGE_ACTIVITY",
        fields: vec![
            ("unit_id", unit.0.into()),
            ("activity", i64::from(activity).into()),
            ("target", target.into()),
        ],
    }
}
