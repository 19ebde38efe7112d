//! Readers of the packets about cities and units.

use saga_core::action::Item;
use saga_core::ids::{BuildingId, CityId, ExtraId, PlayerId, UnitId, UnitTypeId};
use saga_core::rules::Output;

use super::World;
use super::fold::{natural, some_tile};
use super::model::{CityState, Inside, UnitState};
use crate::text::one_line;
use crate::value::{Bits, Ints, Packet};

/// Kind numbers of what a city builds.
pub(crate) const BUILD_BUILDING: i64 = 3;
pub(crate) const BUILD_UNIT: i64 = 6;
/// Position of the mood after all effects in the lists of moods.
const MOOD_FINAL: usize = 5;
/// Use of a short unit packet that tells of a unit in sight; other uses list a city's units.
const USE_IN_SIGHT: i64 = 0;

pub(super) fn city(w: &mut World, p: &Packet) {
    let f = w.fields.city;
    let mood = |field| p.ints(field).get(MOOD_FINAL).map_or(0, |n| u32::try_from(*n).unwrap_or(0));
    let worklist = p.pairs(f.worklist).iter();
    let before = w.cities.get(&CityId(natural(p, f.id))).and_then(|c| c.inside.as_deref());
    let inside = Inside {
        mood: [mood(f.ppl_happy), mood(f.ppl_content), mood(f.ppl_unhappy), mood(f.ppl_angry)],
        specialists: p.ints(f.specialists).iter().map(|n| *n as u32).collect(),
        surplus: output(p, f.surplus),
        food_stock: p.int(f.food_stock) as i32,
        shield_stock: natural(p, f.shield_stock),
        production: item(p.int(f.production_kind), p.int(f.production_value)),
        worklist: worklist.map(|(kind, value)| item((*kind).into(), (*value).into())).collect(),
        buy_cost: natural(p, f.buy_cost),
        airlifts: natural(p, f.airlift),
        did_buy: p.bool(f.did_buy),
        did_sell: p.bool(f.did_sell),
        rioted: before.is_some_and(|b| b.rioted),
        radius_sq: natural(p, f.city_radius_sq),
        turn_founded: p.int(f.turn_founded) as i32,
        turn_last_built: p.int(f.turn_last_built) as i32,
        pollution: natural(p, f.pollution),
        culture: natural(p, f.culture32),
    };
    let Some(tile) = some_tile(p.int(f.tile)) else { return };
    let city = CityState {
        id: CityId(natural(p, f.id)),
        name: one_line(p.str(f.name)),
        tile,
        owner: PlayerId(p.int(f.owner) as u16),
        size: natural(p, f.size),
        occupied: false,
        walls: false,
        buildings: buildings(p, f.improvements),
        inside: Some(Box::new(inside)),
    };
    put_city(w, if w.is_ours(city.owner) { city } else { investigated(w, city) });
}

/// A city that a spy of ours looks into: all its buildings are told, but not what stands outside.
fn investigated(w: &World, city: CityState) -> CityState {
    let before = w.cities.get(&city.id);
    CityState {
        occupied: before.is_some_and(|c| c.occupied),
        walls: before.is_some_and(|c| c.walls),
        inside: None,
        ..city
    }
}

pub(super) fn city_short(w: &mut World, p: &Packet) {
    let f = w.fields.city_short;
    let Some(tile) = some_tile(p.int(f.tile)) else { return };
    let city = CityState {
        id: CityId(natural(p, f.id)),
        name: one_line(p.str(f.name)),
        tile,
        owner: PlayerId(p.int(f.owner) as u16),
        size: natural(p, f.size),
        occupied: p.bool(f.occupied),
        walls: p.bool(f.walls),
        buildings: buildings(p, f.improvements),
        inside: None,
    };
    put_city(w, city);
}

/// A city that is new or changed hands changes what may be done around it; one that changed in
/// what units can do in it changes that for those inside and those who would come.
fn put_city(w: &mut World, city: CityState) {
    let id = city.id;
    let old = w.cities.insert(id, city);
    let Some(new) = w.cities.get(&id) else { return };
    match old {
        Some(old) if old.owner == new.owner => {
            let tile = new.tile;
            if !serves_alike(&old, new) {
                w.forget_answers_at(tile);
                w.forget_answers_from(tile);
            }
        }
        _ => w.answers.clear(),
    }
}

/// Whether units can do the same in both: conquer, join, help with what is built, be airlifted.
fn serves_alike(old: &CityState, new: &CityState) -> bool {
    let of = |city: &CityState| {
        city.inside.as_deref().map(|i| (i.production, i.shield_stock, i.airlifts))
    };
    old.occupied == new.occupied
        && old.size == new.size
        && old.buildings == new.buildings
        && of(old) == of(new)
}

pub(super) fn city_remove(w: &mut World, p: &Packet) {
    w.cities.remove(&CityId(natural(p, w.fields.city_remove.city_id)));
    w.answers.clear();
}

pub(super) fn city_name(w: &mut World, p: &Packet) {
    let f = w.fields.city_name;
    w.suggested_names.insert(UnitId(natural(p, f.unit_id)), p.str(f.name).to_owned());
}

pub(super) fn unit(w: &mut World, p: &Packet) {
    let f = w.fields.unit;
    let Some(tile) = some_tile(p.int(f.tile)) else { return };
    let unit = UnitState {
        id: UnitId(natural(p, f.id)),
        owner: PlayerId(p.int(f.owner) as u16),
        kind: UnitTypeId(p.int(f.r#type) as u16),
        tile,
        home: some_city(p.int(f.homecity)),
        veteran: natural(p, f.veteran),
        hp: natural(p, f.hp),
        moves: natural(p, f.movesleft),
        fuel: natural(p, f.fuel),
        activity: p.int(f.activity) as u8,
        activity_extra: some_extra(p.int(f.activity_tgt)),
        auto: p.bool(f.ai),
        goto: some_tile(p.int(f.goto_tile)),
        orders: p.bool(f.has_orders),
        aboard: p.bool(f.transported).then(|| UnitId(natural(p, f.transported_by))),
    };
    put_unit(w, unit);
}

pub(super) fn unit_short(w: &mut World, p: &Packet) {
    let f = w.fields.unit_short;
    let Some(tile) = some_tile(p.int(f.tile)).filter(|_| p.int(f.packet_use) == USE_IN_SIGHT)
    else {
        return;
    };
    let unit = UnitState {
        id: UnitId(natural(p, f.id)),
        owner: PlayerId(p.int(f.owner) as u16),
        kind: UnitTypeId(p.int(f.r#type) as u16),
        tile,
        home: None,
        veteran: natural(p, f.veteran),
        hp: natural(p, f.hp),
        moves: 0,
        fuel: 0,
        activity: p.int(f.activity) as u8,
        activity_extra: some_extra(p.int(f.activity_tgt)),
        auto: false,
        goto: None,
        orders: false,
        aboard: p.bool(f.transported).then(|| UnitId(natural(p, f.transported_by))),
    };
    put_unit(w, unit);
}

/// A unit that changed must be asked about anew, and so must the tiles it left and entered.
fn put_unit(w: &mut World, unit: UnitState) {
    let (id, tile) = (unit.id, unit.tile);
    let before = w.units.insert(id, unit);
    if before.as_ref() == w.units.get(&id) {
        return;
    }
    w.forget_answers_of(id);
    w.forget_answers_at(tile);
    if let Some(before) = before.filter(|b| b.tile != tile) {
        w.forget_answers_at(before.tile);
    }
}

pub(super) fn unit_remove(w: &mut World, p: &Packet) {
    let id = UnitId(natural(p, w.fields.unit_remove.unit_id));
    if let Some(unit) = w.units.remove(&id) {
        w.forget_answers_of(id);
        w.forget_answers_at(unit.tile);
    }
}

pub(super) fn combat(w: &mut World, p: &Packet) {
    let f = w.fields.combat;
    for field in [f.attacker_unit_id, f.defender_unit_id] {
        *w.fights.entry(UnitId(natural(p, field))).or_default() += 1;
    }
}

fn item(kind: i64, value: i64) -> Item {
    let value = value as u16;
    if kind == BUILD_UNIT {
        Item::Unit(UnitTypeId(value))
    } else {
        Item::Building(BuildingId(value))
    }
}

fn output(p: &Packet, field: Ints) -> Output {
    let mut output = Output::default();
    for (slot, value) in output.iter_mut().zip(p.ints(field)) {
        *slot = *value as i32;
    }
    output
}

pub(super) fn buildings(p: &Packet, field: Bits) -> std::collections::BTreeSet<BuildingId> {
    let count = (p.bits(field).len() * 8) as u16;
    (0..count).filter(|n| p.bit(field, usize::from(*n))).map(BuildingId).collect()
}

pub(super) fn some_city(id: i64) -> Option<CityId> {
    u32::try_from(id).ok().filter(|id| *id != 0).map(CityId)
}

fn some_extra(id: i64) -> Option<ExtraId> {
    u16::try_from(id).ok().map(ExtraId)
}
