//! The actions that the ruleset's enablers control: in each situation the server is asked about all
//! of them toward every tile near a unit, and our menu must say the same.

use std::collections::BTreeSet;

use saga_core::action::{Action, Actor, Item, Outcome};
use saga_core::ids::{BuildingId, CityId, PlayerId, Pos, UnitId};
use saga_core::observation::Stance;

use crate::arena::Arena;
use crate::desk::Desk;
use crate::inquiry::{AIRLIFT, PARADROP, compare, offered, possible};
use crate::rival::Rival;

/// Most tiles that a paratrooper's menu lists: the exception `LONG_LISTS`.
const DROPS_MAX: usize = 12;

/// A continent with a bay.
pub(crate) const LAND: [&str; 9] = [
    "~~~~~~~~~~~~~~~",
    "~............~~",
    "~.............~",
    "~.............~",
    "~......~~.....~",
    "~......~~.....~",
    "~..F.....A....~",
    "~.............~",
    "~~~~~~~~~~~~~~~",
];

const KINDS: [&str; 22] = [
    "Settlers",
    "Migrants",
    "Workers",
    "Engineers",
    "Explorer",
    "Warriors",
    "Legion",
    "Catapult",
    "Artillery",
    "Marines",
    "Paratroopers",
    "Diplomat",
    "Spy",
    "Caravan",
    "Freight",
    "Frigate",
    "Battleship",
    "Transport",
    "Bomber",
    "Helicopter",
    "Cruise Missile",
    "Nuclear",
];

/// Everybody we know of who is no barbarian.
pub(crate) fn others(desk: &mut Desk) -> Vec<PlayerId> {
    let players = desk.observe().players;
    players.iter().filter(|p| p.barbarian.is_none()).map(|p| p.id).collect()
}

/// Gives advances with all they need.
pub(crate) fn teach(desk: &mut Desk, player: PlayerId, advances: &[&str]) {
    let rules = desk.rules();
    let named = |name: &&str| rules.advances.iter().position(|a| a.name == **name);
    let mut wanted: Vec<usize> = advances.iter().filter_map(named).collect();
    assert_eq!(wanted.len(), advances.len(), "{advances:?} are advances");
    let mut all = Vec::new();
    while let Some(id) = wanted.pop() {
        if !all.contains(&id) {
            all.push(id);
            wanted.extend(rules.advances[id].requires.iter().map(|a| usize::from(a.0)));
        }
    }
    all.sort_by_key(|id| rules.advances[*id].steps);
    // A line of chat holds a few names.
    for some in all.chunks(8) {
        let names: Vec<String> =
            some.iter().map(|id| format!("{:?}", rules.advances[*id].name)).collect();
        desk.lua(&format!(
            "for _, name in ipairs({{{}}}) do \
             edit.give_tech(find.player({player}), find.tech_type(name), 0, false, 'theft') end",
            names.join(",")
        ));
    }
    if player == desk.seat() {
        let known = desk.observe().me.advances;
        all.retain(|id| *id != 0 && known.iter().all(|a| usize::from(a.0) != *id));
        let lacking: Vec<&str> = all.iter().map(|id| rules.advances[*id].name.as_str()).collect();
        assert!(lacking.is_empty(), "not learned: {lacking:?}");
    }
}

/// Makes a unit of ours that lives in a city of ours.
pub(crate) fn housed(desk: &mut Desk, kind: &str, at: Pos, home: CityId) -> Option<UnitId> {
    let before: BTreeSet<UnitId> = desk.observe().units.iter().map(|u| u.id).collect();
    let us = desk.seat();
    desk.lua(&format!(
        "edit.create_unit(find.player({us}), find.tile({}, {}), find.unit_type('{kind}'), 0, \
         find.city(nil, {home}), -1)",
        at.x, at.y
    ));
    let now = desk.observe();
    now.units.iter().map(|u| u.id).find(|id| !before.contains(id))
}

/// Where units of ours are put to be compared.
const PLACES: [(u16, u16); 12] = [
    (3, 3),
    (2, 4),
    (6, 4),
    (7, 5),
    (10, 4),
    (12, 4),
    (9, 6),
    (11, 7),
    (4, 7),
    (3, 6),
    (7, 1),
    (9, 0),
];

/// Two cities of ours, two of theirs, one of them defended, and units of theirs in the open.
fn meet(desk: &mut Desk, arena: &mut Arena, them: PlayerId) {
    let us = desk.seat();
    desk.lua(&format!("edit.change_gold(find.player({us}), 30000)"));
    teach(desk, us, &["Feudalism", "Gunpowder"]);
    arena.city(desk, us, "Home", (3, 3));
    arena.city(desk, us, "Port", (6, 4));
    arena.city(desk, them, "Open", (11, 3));
    arena.city(desk, them, "Closed", (9, 5));
    for (kind, place) in [
        ("Warriors", (9, 5)),
        ("Warriors", (12, 6)),
        ("Caravan", (5, 6)),
        ("Archers", (3, 7)),
        ("Archers", (3, 7)),
        ("Trireme", (8, 0)),
    ] {
        arena.put(desk, them, kind, place);
    }
    desk.settle();
}

fn compare_all(
    desk: &mut Desk,
    arena: &mut Arena,
    what: &str,
    kinds: &[&str],
    places: &[(u16, u16)],
) {
    let us = desk.seat();
    for kind in kinds {
        for place in places {
            let Some(id) = arena.try_put(desk, us, kind, *place) else { continue };
            compare(desk, arena, what, kind, id);
            arena.remove(desk, &[id]);
        }
    }
}

fn everywhere(ruleset: &str) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &LAND);
    let them = others(&mut desk)[0];
    meet(&mut desk, &mut arena, them);
    compare_all(&mut desk, &mut arena, "at war", &KINDS, &PLACES);
    let port = arena.at(6, 4);
    let home = desk.observe().cities.iter().find(|c| c.at != port).expect("Home").id;
    for kind in ["Settlers", "Legion", "Caravan", "Diplomat", "Spy", "Bomber", "Nuclear"] {
        for (x, y) in [(3, 3), (6, 4), (7, 5), (12, 4), (4, 7)] {
            let at = arena.at(x, y);
            let Some(id) = housed(&mut desk, kind, at, home) else { continue };
            compare(&mut desk, &mut arena, "at home in a city", kind, id);
            arena.remove(&mut desk, &[id]);
        }
    }
    // With no moves left and aboard a ship less is open.
    let us = desk.seat();
    for kind in ["Settlers", "Legion", "Marines", "Spy", "Caravan"] {
        let ship = arena.put(&mut desk, us, "Transport", (7, 5));
        if let Some(id) = arena.load(&mut desk, us, kind, (7, 5), ship) {
            compare(&mut desk, &mut arena, "aboard", kind, id);
            compare(&mut desk, &mut arena, "with cargo", "Transport", ship);
            arena.remove(&mut desk, &[id]);
        }
        arena.remove(&mut desk, &[ship]);
    }
    arena.verdict(&format!("{ruleset} enabled"), 450);
}

#[test]
fn enabled_actions_in_classic() {
    everywhere("classic");
}

#[test]
fn enabled_actions_in_civ2civ3() {
    everywhere("civ2civ3");
}

/// Whatever is offered is done: in one world after the other action of each menu, by fresh units.
fn done(ruleset: &str, kinds: &[&str], places: &[(u16, u16)]) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &LAND);
    let (us, them) = (desk.seat(), others(&mut desk)[0]);
    meet(&mut desk, &mut arena, them);
    for kind in kinds {
        for place in places {
            let mut next = 0;
            while let Some(id) = arena.try_put(&mut desk, us, kind, *place) {
                let seen = desk.look();
                let unit = seen.units.iter().find(|u| u.id == id).expect("a unit just made");
                let plain = |a: &&Action| !matches!(a, Action::Move { .. } | Action::Goto { .. });
                let Some(action) = unit.actions.iter().filter(plain).nth(next).cloned() else {
                    arena.remove(&mut desk, &[id]);
                    break;
                };
                desk.told();
                let outcome = desk.order(Actor::Unit(id), action.clone());
                let said: Vec<String> = desk.told().into_iter().map(|e| e.text).collect();
                let what = format!("{kind} at {place:?}: {action:?} {outcome:?} {said:?}");
                arena.compare(true, outcome == Outcome::Done, &what);
                arena.remove(&mut desk, &[id]);
                next += 1;
            }
        }
    }
    arena.verdict(&format!("{ruleset} done"), 380);
}

#[test]
fn enabled_actions_are_done() {
    done("classic", &KINDS, &[(3, 3), (2, 4), (10, 4), (4, 7), (8, 6)]);
    done("civ2civ3", &KINDS, &[(3, 3), (2, 4), (10, 4), (4, 7), (8, 6)]);
}

/// The same under every pact, with their city open to us as an ally's.
fn under_pacts(ruleset: &str) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let them = others(&mut desk)[0];
    let mut rival = Rival::sit(&mut desk, them);
    let mut arena = Arena::draw(&mut desk, &LAND);
    meet(&mut desk, &mut arena, them);
    rival.settle();
    let kinds =
        ["Settlers", "Workers", "Explorer", "Legion", "Diplomat", "Spy", "Caravan", "Nuclear"];
    let places = [(3, 3), (10, 4), (12, 4), (9, 6), (11, 7), (4, 7), (6, 6)];
    for stance in [Stance::CeaseFire, Stance::Armistice, Stance::Alliance] {
        rival.pact(&mut desk, stance);
        let what = format!("in {stance:?}");
        compare_all(&mut desk, &mut arena, &what, &kinds, &places);
    }
    let inside = [(11, 3), (9, 5)];
    compare_all(&mut desk, &mut arena, "in an ally's city", &kinds, &inside);
    arena.verdict(&format!("{ruleset} under pacts"), 280);
}

#[test]
fn enabled_actions_under_pacts() {
    under_pacts("classic");
    under_pacts("civ2civ3");
}

/// Airlifts and drops reach far. What is offered is lawful; what is lawful and not offered lies
/// beyond the bounds of the menu.
#[test]
fn enabled_actions_toward_far_tiles() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &LAND);
    let us = desk.seat();
    desk.lua(&format!("edit.change_gold(find.player({us}), 30000)"));
    teach(&mut desk, us, &["Radio"]);
    for (name, place) in [("A", (2, 2)), ("B", (7, 2)), ("C", (12, 2)), ("D", (12, 6))] {
        arena.city(&mut desk, us, name, place);
    }
    desk.end_turn();
    let airport = desk.rules().buildings.iter().position(|b| b.name == "Airport").expect("Airport");
    let item = Item::Building(BuildingId(airport as u16));
    for city in desk.observe().cities.iter().take(3) {
        if city.production != item {
            desk.order(Actor::City(city.id), Action::Produce { item });
        }
        desk.order(Actor::City(city.id), Action::Buy);
    }
    desk.end_turn();
    for kind in ["Legion", "Engineers", "Caravan", "Bomber", "Paratroopers", "Cruise Missile"] {
        for place in [(2, 2), (12, 6), (10, 6)] {
            let Some(id) = arena.try_put(&mut desk, us, kind, place) else { continue };
            far(&mut desk, &mut arena, kind, id);
            arena.remove(&mut desk, &[id]);
        }
    }
    arena.verdict("far tiles", 30);
}

fn far(desk: &mut Desk, arena: &mut Arena, kind: &str, id: UnitId) {
    let seen = desk.look();
    let unit = seen.units.iter().find(|u| u.id == id).expect("a unit just made");
    let ours = offered(&seen, unit);
    for city in &seen.cities {
        let theirs = possible(desk, id, city.at).contains(&AIRLIFT);
        let mine = ours.contains(&(AIRLIFT, city.at));
        if mine || theirs {
            let what = format!("{kind} at {} lifted to {}", unit.at, city.at);
            arena.compare(mine, theirs, &what);
        }
    }
    let drops: Vec<Pos> = ours.iter().filter(|(n, _)| *n == PARADROP).map(|(_, at)| *at).collect();
    for at in &drops {
        let theirs = possible(desk, id, *at).contains(&PARADROP);
        arena.compare(true, theirs, &format!("{kind} at {} dropped on {at}", unit.at));
    }
    assert!(drops.len() <= DROPS_MAX, "{} drops", drops.len());
    if drops.len() < DROPS_MAX {
        for tile in &seen.map.tiles {
            let theirs = possible(desk, id, tile.at).contains(&PARADROP);
            if theirs {
                let what = format!("{kind} at {} dropped on {}", unit.at, tile.at);
                arena.compare(drops.contains(&tile.at), theirs, &what);
            }
        }
    }
}
