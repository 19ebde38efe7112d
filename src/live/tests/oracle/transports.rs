//! Boarding and leaving without a step: every pair of cargo and transport in every kind of place,
//! our menu against what the server does; and a landing on another island by our orders alone.

use saga_core::action::{Action, Actor, Outcome};
use saga_core::ids::UnitId;

use crate::arena::Arena;
use crate::desk::Desk;

const PLACES: [&str; 6] =
    ["~~~~~~~~~", "~...~...~", "~A.F~.r.~", "~...~...~", "~...~...~", "~~~~~~~~~"];

const PORT: (u16, u16) = (3, 3);
const INLAND: (u16, u16) = (2, 2);
const AIRBASE: (u16, u16) = (1, 2);
const FORTRESS: (u16, u16) = (3, 2);
const AT_SEA: (u16, u16) = (4, 2);

const CARRIERS: [&str; 5] = ["Trireme", "Transport", "Carrier", "Submarine", "Helicopter"];
const CARGO: [&str; 8] = [
    "Warriors",
    "Catapult",
    "Settlers",
    "Caravan",
    "Marines",
    "Fighter",
    "Helicopter",
    "Cruise Missile",
];

#[test]
fn board_and_leave_everywhere() {
    for ruleset in ["classic", "civ2civ3"] {
        let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
        let mut arena = Arena::draw(&mut desk, &PLACES);
        let us = desk.seat();
        arena.city(&mut desk, us, "Port", PORT);
        for place in [PORT, INLAND, AIRBASE, FORTRESS, AT_SEA] {
            for carrier in CARRIERS {
                let Some(ship) = arena.try_put(&mut desk, us, carrier, place) else { continue };
                for cargo in CARGO {
                    if let Some(unit) = arena.try_put(&mut desk, us, cargo, place) {
                        boards(&mut desk, &mut arena, (cargo, unit), (carrier, ship), place);
                        arena.remove(&mut desk, &[unit]);
                    }
                    if let Some(unit) = arena.load(&mut desk, us, cargo, place, ship) {
                        leaves(&mut desk, &mut arena, (cargo, unit), (carrier, ship), place);
                        arena.remove(&mut desk, &[unit]);
                    }
                }
                arena.remove(&mut desk, &[ship]);
            }
        }
        // From one ship to another, and onto one that is full.
        for place in [PORT, AT_SEA] {
            let first = arena.put(&mut desk, us, "Transport", place);
            let second = arena.put(&mut desk, us, "Trireme", place);
            let rider = arena.load(&mut desk, us, "Warriors", place, first).expect("room");
            boards(&mut desk, &mut arena, ("Rider", rider), ("Trireme", second), place);
            let more: Vec<UnitId> = (0..2)
                .filter_map(|_| arena.load(&mut desk, us, "Warriors", place, second))
                .collect();
            if let Some(late) = arena.try_put(&mut desk, us, "Warriors", place) {
                boards(&mut desk, &mut arena, ("Latecomer", late), ("full", second), place);
                arena.remove(&mut desk, &[late]);
            }
            arena.remove(&mut desk, &more);
            arena.remove(&mut desk, &[rider, first, second]);
        }
        arena.verdict(&format!("transports in {ruleset}"), 105);
    }
}

/// Tries to load a unit whatever our menu says.
fn boards(
    desk: &mut Desk,
    arena: &mut Arena,
    (cargo, unit): (&str, UnitId),
    (carrier, ship): (&str, UnitId),
    place: (u16, u16),
) {
    let before = desk.unit(unit).expect("cargo");
    let offered = before.actions.contains(&Action::Board { transport: ship });
    let tile = arena.index(desk, place);
    desk.send(
        "UNIT_LOAD",
        &[
            ("cargo_id", unit.0.into()),
            ("transporter_id", ship.0.into()),
            ("transporter_tile", tile.into()),
        ],
    );
    let did = desk.unit(unit).is_some_and(|u| u.aboard == Some(ship));
    arena.compare(offered, did, &format!("{cargo} boards {carrier} at {place:?}"));
}

/// Tries to unload a unit whatever our menu says.
fn leaves(
    desk: &mut Desk,
    arena: &mut Arena,
    (cargo, unit): (&str, UnitId),
    (carrier, ship): (&str, UnitId),
    place: (u16, u16),
) {
    let before = desk.unit(unit).expect("cargo");
    if before.aboard != Some(ship) {
        return;
    }
    let offered = before.actions.contains(&Action::Leave);
    desk.send("UNIT_UNLOAD", &[("cargo_id", unit.0.into()), ("transporter_id", ship.0.into())]);
    let did = desk.unit(unit).is_none_or(|u| u.aboard.is_none());
    arena.compare(offered, did, &format!("{cargo} leaves {carrier} at {place:?}"));
}

#[test]
fn board_and_leave_in_port() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let arena = Arena::draw(&mut desk, &PLACES);
    let us = desk.seat();
    arena.city(&mut desk, us, "Port", PORT);
    let ship = arena.put(&mut desk, us, "Trireme", PORT);
    let unit = arena.put(&mut desk, us, "Warriors", PORT);
    let board = Action::Board { transport: ship };
    assert_eq!(desk.order(Actor::Unit(unit), board), Outcome::Done);
    assert_eq!(desk.unit(unit).expect("it lives").aboard, Some(ship));
    assert_eq!(desk.order(Actor::Unit(unit), Action::Leave), Outcome::Done);
    assert_eq!(desk.unit(unit).expect("it lives").aboard, None);
}

/// Two islands with open water between them.
const ISLANDS: [&str; 5] =
    ["~~~~~~~~~~~~", "~..~~~~~~..~", "~..~~~~~~..~", "~..~~~~~~..~", "~~~~~~~~~~~~"];

#[test]
fn naval_transport() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let arena = Arena::draw(&mut desk, &ISLANDS);
    let us = desk.seat();
    arena.city(&mut desk, us, "Port", (2, 2));
    let ship = arena.put(&mut desk, us, "Transport", (2, 2));
    let scout = arena.put(&mut desk, us, "Explorer", (9, 2));
    let unit = arena.put(&mut desk, us, "Warriors", (2, 2));
    desk.end_turn();
    let done = |desk: &mut Desk, id: UnitId, action: Action| {
        assert_eq!(desk.order(Actor::Unit(id), action.clone()), Outcome::Done, "{action:?}");
        desk.unit(id).expect("it lives")
    };
    assert_eq!(done(&mut desk, unit, Action::Board { transport: ship }).aboard, Some(ship));
    let offshore = arena.at(8, 2);
    // What lies between was never seen: the ship feels its way.
    for x in 3..9 {
        if desk.unit(ship).expect("a ship").moves == 0 {
            desk.end_turn();
        }
        let east = Action::Move { dir: saga_core::ids::Dir::East, to: arena.at(x, 2) };
        assert_eq!(done(&mut desk, ship, east).at, arena.at(x, 2));
        let cargo = desk.unit(unit).expect("aboard");
        assert_eq!((cargo.at, cargo.aboard), (arena.at(x, 2), Some(ship)), "it sails along");
    }
    assert_eq!(desk.unit(ship).expect("a ship").at, offshore);
    arena.remove(&mut desk, &[scout]);
    if desk.unit(unit).expect("aboard").moves == 0 {
        desk.end_turn();
    }
    let ashore = Action::Move { dir: saga_core::ids::Dir::East, to: arena.at(9, 2) };
    let landed = done(&mut desk, unit, ashore);
    assert_eq!((landed.at, landed.aboard), (arena.at(9, 2), None));
}
