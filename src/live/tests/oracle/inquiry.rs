//! The server asked about every action of a unit toward a tile, whatever our menus think of it, and
//! our menu read in the same numbers.
#![allow(dead_code, unreachable_pub, reason = "each file of situations uses a part of it")]

use std::collections::BTreeSet;

use saga_core::action::Action;
use saga_core::ids::{CityId, PlayerId, Pos, UnitId};
use saga_core::observation::{Observation, Unit};
use saga_freeciv::Value;

use crate::arena::Arena;
use crate::desk::Desk;

/// Numbers of actions that a test must name.
pub const FOUND_CITY: u8 = 25;
pub const JOIN_CITY: u8 = 26;
pub const NUKE: u8 = 32;
pub const PARADROP: u8 = 39;
pub const AIRLIFT: u8 = 40;
pub const ATTACK: u8 = 41;
pub const CONQUER: u8 = 42;

/// What the server says a unit may do toward a tile.
pub fn possible(desk: &mut Desk, unit: UnitId, at: Pos) -> BTreeSet<u8> {
    let width = desk.observe().map.width;
    let tile = i64::from(at.y) * i64::from(width) + i64::from(at.x);
    let fields = [("actor_unit_id", unit.0.into()), ("target_tile_id", tile.into())];
    desk.send("UNIT_GET_ACTIONS", &fields);
    let answer = desk.packets.get("UNIT_ACTIONS").expect("an answer").clone();
    let chances = answer.def().position("action_probabilities").expect("a field of the table");
    let Some(Value::Pairs(chances)) = answer.values().get(chances) else { panic!("no chances") };
    let may = |(least, most): (u8, u8)| match (least, most) {
        (253, _) => false,
        (254, _) => true,
        (_, most) => most > 0,
    };
    (0u8..).zip(chances.iter()).filter(|(_, chance)| may(**chance)).map(|(id, _)| id).collect()
}

/// The same of our menu; one number for all parts of a target.
pub fn offered(seen: &Observation, unit: &Unit) -> BTreeSet<(u8, Pos)> {
    let of_city = |id: CityId| {
        let own = seen.cities.iter().find(|c| c.id == id).map(|c| c.at);
        own.or_else(|| seen.foreign_cities.iter().find(|c| c.id == id).map(|c| c.at))
    };
    let number = |action: &Action| match action {
        Action::FoundCity => Some((FOUND_CITY, unit.at)),
        Action::JoinCity { city } => Some((JOIN_CITY, of_city(*city)?)),
        Action::Attack { at } => Some((ATTACK, *at)),
        Action::Conquer { at, .. } => Some((CONQUER, *at)),
        Action::Special { id, at, .. } => Some((*id, *at)),
        _ => None,
    };
    unit.actions.iter().filter_map(number).collect()
}

/// Files what the menu of a unit and the server say of its own tile and its neighbours.
pub fn compare(desk: &mut Desk, arena: &mut Arena, what: &str, kind: &str, id: UnitId) {
    let seen = desk.look();
    let unit = seen.units.iter().find(|u| u.id == id).unwrap_or_else(|| panic!("no {kind}"));
    let ours = offered(&seen, unit);
    let around = saga_core::ids::Dir::ALL.into_iter();
    let around = around.filter_map(|dir| saga_core::geometry::step(&seen.map, unit.at, dir));
    for at in around.chain([unit.at]) {
        let mut theirs = possible(desk, id, at);
        if at != unit.at && !enemies(&seen, at) {
            // The exception `BOMB_ON_NOBODY`.
            theirs.remove(&NUKE);
        }
        let mine: BTreeSet<u8> = ours.iter().filter(|(_, p)| *p == at).map(|(n, _)| *n).collect();
        if theirs.contains(&FOUND_CITY) && !mine.contains(&FOUND_CITY) && !founds(desk, id, at) {
            // Near another city the server first says yes and then no: the deed decides.
            theirs.remove(&FOUND_CITY);
        }
        for number in theirs.union(&mine) {
            let step = format!("{what}: action {number} of {kind} at {} toward {at}", unit.at);
            arena.compare(mine.contains(number), theirs.contains(number), &step);
        }
    }
}

/// Whether a settler founds a city where it stands.
fn founds(desk: &mut Desk, id: UnitId, at: Pos) -> bool {
    let width = desk.observe().map.width;
    let tile = i64::from(at.y) * i64::from(width) + i64::from(at.x);
    let fields = [
        ("actor_id", id.0.into()),
        ("target_id", tile.into()),
        ("name", "Nowhere".into()),
        ("action_type", i64::from(FOUND_CITY).into()),
    ];
    desk.send("UNIT_DO_ACTION", &fields);
    desk.observe().units.iter().all(|u| u.id != id)
}

/// Somebody with whom we are neither allied nor at peace is there.
fn enemies(seen: &Observation, at: Pos) -> bool {
    use saga_core::observation::Stance::{Alliance, Armistice, Peace, Team};
    let foe = |owner: PlayerId| {
        let stance = seen.players.iter().find(|p| p.id == owner).map(|p| p.stance);
        !stance.is_some_and(|s| matches!(s, Alliance | Armistice | Peace | Team))
    };
    seen.foreign_cities.iter().any(|c| c.at == at && foe(c.owner))
        || seen.foreign_units.iter().any(|u| u.at == at && foe(u.owner))
}
