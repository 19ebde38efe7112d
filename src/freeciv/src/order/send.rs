//! The packets that put orders into effect.

use saga_core::action::{Action, Actor, Clause, Item, Order};
use saga_core::ids::{Dir, PlayerId, UnitId};

use super::Request;
use crate::menu::{ATTACK, CONQUER, JOIN_CITY, activity_of};
use crate::value::Value;
use crate::world::World;
use crate::world::codes;
use crate::world::fold_items::{BUILD_BUILDING, BUILD_UNIT};
use crate::world::model::TileIndex;

/// Order code of a plain move, and the codes for "not used" beside it.
const ORDER_MOVE: i64 = 0;
const NO_ACTIVITY: i64 = 21;
const NO_TARGET: i64 = -1;
const NO_ACTION: i64 = 44;

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
        Actor::Unit(unit) => {
            let request = of_unit(unit, &order.action, world);
            let stop = request.is_some() && stops_first(unit, &order.action, world);
            let idle = stop.then(|| busy(unit, codes::IDLE, NO_TARGET));
            return idle.into_iter().chain(request).collect();
        }
        Actor::City(city) => of_city(i64::from(city.0), &order.action),
        Actor::Player => of_player(&order.action),
        Actor::Toward(_) => toward(&order.action),
    };
    request.into_iter().collect()
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
pub(super) fn act(unit: UnitId, target: i64, action: u8, name: &str) -> Request {
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

fn of_city(city: i64, action: &Action) -> Option<Request> {
    let city = ("city_id", Value::from(city));
    match action {
        Action::Produce { item } => {
            let (kind, value) = match item {
                Item::Unit(id) => (BUILD_UNIT, id.0),
                Item::Building(id) => (BUILD_BUILDING, id.0),
            };
            let value = i64::from(value).into();
            let fields = vec![city, ("production_kind", kind.into()), ("production_value", value)];
            Some(Request { packet: "CITY_CHANGE", fields })
        }
        Action::Buy => Some(Request { packet: "CITY_BUY", fields: vec![city] }),
        _ => None,
    }
}

fn of_player(action: &Action) -> Option<Request> {
    let one = |packet, field, value: u16| {
        Some(Request { packet, fields: vec![(field, i64::from(value).into())] })
    };
    match action {
        Action::Research { advance } => one("PLAYER_RESEARCH", "tech", advance.0),
        Action::ResearchGoal { advance } => one("PLAYER_TECH_GOAL", "tech", advance.0),
        Action::Revolution { government } => {
            one("PLAYER_CHANGE_GOVERNMENT", "government", government.0)
        }
        Action::Rates(rates) => {
            let field = |name, value: u8| (name, i64::from(value).into());
            let fields = vec![
                field("tax", rates.tax),
                field("luxury", rates.luxury),
                field("science", rates.science),
            ];
            Some(Request { packet: "PLAYER_RATES", fields })
        }
        _ => None,
    }
}

fn toward(action: &Action) -> Option<Request> {
    match action {
        Action::AcceptTreaty { with } => Some(accept(*with)),
        Action::RejectTreaty { with } => Some(leave(*with)),
        _ => None,
    }
}

/// Opens a meeting.
pub(super) fn meet(with: PlayerId) -> Request {
    meeting("DIPLOMACY_INIT_MEETING_REQ", with)
}

/// Leaves a meeting.
pub(super) fn leave(with: PlayerId) -> Request {
    meeting("DIPLOMACY_CANCEL_MEETING_REQ", with)
}

/// Accepts the treaty as it stands; sent twice it takes the acceptance back.
pub(super) fn accept(with: PlayerId) -> Request {
    meeting("DIPLOMACY_ACCEPT_TREATY_REQ", with)
}

fn meeting(packet: &'static str, with: PlayerId) -> Request {
    Request { packet, fields: vec![("counterpart", i64::from(with.0).into())] }
}

/// Puts a clause on the table.
pub(super) fn clause(with: PlayerId, clause: Clause) -> Request {
    Request {
        packet: "DIPLOMACY_CREATE_CLAUSE_REQ",
        fields: vec![
            ("counterpart", i64::from(with.0).into()),
            ("giver", i64::from(clause.giver.0).into()),
            ("type", codes::clause_number(clause.kind).into()),
            ("value", clause.value.into()),
        ],
    }
}
