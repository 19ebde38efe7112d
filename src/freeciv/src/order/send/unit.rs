//! What is sent for an order of a unit.

use saga_core::action::{Action, Part};
use saga_core::ids::{Dir, UnitId};

use crate::menu::{ATTACK, Board, CONQUER, JOIN_CITY, activity_of};
use crate::order::Request;
use crate::value::Value;
use crate::world::World;
use crate::world::codes;
use crate::world::model::TileIndex;

/// The longest list of orders that the server takes.
const STEPS_MAX: usize = 2000;
/// Order code of a plain move, and the codes for "not used" beside it.
const ORDER_MOVE: i64 = 0;
const NO_ACTIVITY: i64 = 21;
const NO_TARGET: i64 = -1;
const NO_ACTION: i64 = 44;

/// The packets in the order in which they must arrive; empty when the action is no unit's.
pub(super) fn requests(unit: UnitId, action: &Action, board: &Board<'_>) -> Vec<Request> {
    let request = of_unit(unit, action, board);
    let stop = request.is_some() && stops_first(unit, action, board.world);
    let idle = stop.then(|| busy(unit, codes::IDLE, NO_TARGET));
    idle.into_iter().chain(request).collect()
}

fn of_unit(unit: UnitId, action: &Action, board: &Board<'_>) -> Option<Request> {
    let world = board.world;
    let tile = |at| Some(i64::from(world.map.index(at)?));
    match action {
        Action::Move { dir, to } => {
            let from = world.units.get(&unit)?.tile;
            Some(walk(unit, from, &[*dir], world.map.index(*to)?))
        }
        Action::Goto { to } => {
            let state = world.units.get(&unit)?;
            let steps = board.path(state, *to)?;
            if steps.len() > STEPS_MAX {
                return None;
            }
            Some(walk(unit, state.tile, &steps, world.map.index(*to)?))
        }
        Action::Board { transport } => {
            let tile = world.units.get(&unit)?.tile;
            Some(Request {
                packet: "UNIT_LOAD",
                fields: vec![
                    ("cargo_id", unit.0.into()),
                    ("transporter_id", transport.0.into()),
                    ("transporter_tile", tile.into()),
                ],
            })
        }
        Action::Leave => {
            let ship = world.units.get(&unit)?.aboard?;
            let fields = vec![("cargo_id", unit.0.into()), ("transporter_id", ship.0.into())];
            Some(Request { packet: "UNIT_UNLOAD", fields })
        }
        Action::JoinCity { city } => Some(act(unit, city.0.into(), JOIN_CITY, "")),
        Action::Attack { at } => Some(act(unit, tile(*at)?, ATTACK, "")),
        Action::Conquer { city, .. } => Some(act(unit, city.0.into(), CONQUER, "")),
        Action::Special { id, target, part, .. } => {
            let mut request = act(unit, *target, *id, "");
            request.fields.extend(part.map(|part| ("sub_tgt_id", number_of(part).into())));
            Some(request)
        }
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

/// Buildings count from one, since zero is the production.
fn number_of(part: Part) -> i64 {
    match part {
        Part::Production => 0,
        Part::Building(id) => i64::from(id.0) + 1,
        Part::Advance(id) => i64::from(id.0),
    }
}

/// The server counts a unit's own work among what new work must not conflict with.
fn stops_first(unit: UnitId, action: &Action, world: &World) -> bool {
    let now = world.units.get(&unit).map_or(codes::IDLE, |unit| unit.activity);
    matches!(action, Action::Work { .. })
        && matches!(now, codes::IRRIGATE | codes::MINE | codes::BASE | codes::ROAD)
}

/// Steps as a list of plain moves, so that the server itself walks, as far as it gets in this turn,
/// and goes on at the start of the next ones.
fn walk(unit: UnitId, from: TileIndex, steps: &[Dir], to: TileIndex) -> Request {
    let all = |value: i64| Value::from(vec![value; steps.len()]);
    let dirs: Vec<i64> = steps.iter().map(|dir| *dir as i64).collect();
    Request {
        packet: "UNIT_ORDERS",
        fields: vec![
            ("unit_id", unit.0.into()),
            ("src_tile", from.into()),
            ("length", (steps.len() as i64).into()),
            ("orders", all(ORDER_MOVE)),
            ("dir", dirs.into()),
            ("activity", all(NO_ACTIVITY)),
            ("sub_target", all(NO_TARGET)),
            ("action", all(NO_ACTION)),
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
