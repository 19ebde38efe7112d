//! Deeds of diplomats and spies. Many fail by chance: each is tried with fresh ones until it has
//! worked.

use saga_core::action::{Action, Part};
use saga_core::ids::{CityId, UnitId};
use saga_core::observation::Observation;

use crate::deeds::{Deed, Scene, foreign, foreign_city, own, own_city, play};

const BORDER: [&str; 7] = [
    "~~~~~~~~~~~~~~~~~",
    "~...............~",
    "~...............~",
    "~...............~",
    "~...............~",
    "~...............~",
    "~~~~~~~~~~~~~~~~~",
];

const CAPITAL: (u16, u16) = (3, 3);
const TOWN: (u16, u16) = (8, 3);
const PORT: (u16, u16) = (13, 1);
const TRIES: usize = 20;

pub(crate) const DEEDS: [Deed; 15] = [
    ("investigate_city", investigate_city),
    ("investigate_city_spend_unit", investigate_city_spend_unit),
    ("steal_tech", steal_tech),
    ("steal_tech_escape", steal_tech_escape),
    ("establish_embassy", establish_embassy),
    ("targeted_steal_tech_escape", targeted_steal_tech_escape),
    ("sabotage_city", sabotage_city),
    ("sabotage_city_escape", sabotage_city_escape),
    ("targeted_sabotage_city_escape", targeted_sabotage_city_escape),
    ("poison_city_escape", poison_city_escape),
    ("bribe_unit", bribe_unit),
    ("sabotage_unit_escape", sabotage_unit_escape),
    ("incite_city", incite_city),
    ("incite_city_escape", incite_city_escape),
    ("establish_embassy_stay", establish_embassy_stay),
];

#[test]
fn deeds_of_spies() {
    play("classic", &BORDER, prepare, &DEEDS);
}

fn prepare(scene: &mut Scene) {
    scene.their_city("Capital", CAPITAL, 0);
    let town = scene.their_city("Town", TOWN, 5);
    let port = scene.their_city("Port", PORT, 1);
    let them = scene.them;
    crate::actions::teach(scene, them, &["Theology", "Sanitation", "Economics"]);
    scene.pass();
    for name in ["Marketplace", "Library", "Temple"] {
        scene.build(scene.them, town, name);
        scene.pass();
    }
    scene.build(scene.them, port, "Harbour");
    scene.pass();
    scene.scout(&[(4, 3), (9, 3), (14, 1)]);
}

fn city_at(scene: &mut Scene, place: (u16, u16)) -> CityId {
    let at = scene.at(place);
    scene.observe().foreign_cities.iter().find(|c| c.at == at).expect("their city").id
}

/// Sends fresh agents until the effect is seen; whether the last of them lived on.
fn until(
    scene: &mut Scene,
    agent: &str,
    kind: &str,
    target: (u16, u16),
    effect: impl Fn(&Scene, &Observation) -> bool,
) -> UnitId {
    for _ in 0..TRIES {
        let unit = scene.ours(agent, (target.0 + 1, target.1));
        let seen = scene.does(unit, kind, target);
        if effect(scene, &seen) {
            return unit;
        }
        scene.remove(&[unit]);
    }
    panic!("{kind} worked in none of {TRIES} attempts");
}

fn investigate_city(scene: &mut Scene) {
    let spy = scene.ours("Spy", (9, 3));
    let seen = scene.does(spy, "investigate_city", TOWN);
    assert!(own(&seen, spy).is_some(), "spies stay");
    inside(scene, &seen);
    scene.remove(&[spy]);
}

/// The temple, which is not seen from outside, is seen.
fn inside(scene: &mut Scene, seen: &Observation) {
    let (town, temple) = (city_at(scene, TOWN), scene.building("Temple"));
    let buildings = &foreign_city(seen, town).expect("Town").buildings;
    assert!(buildings.contains(&temple), "{buildings:?}");
}

fn investigate_city_spend_unit(scene: &mut Scene) {
    let diplomat = scene.ours("Diplomat", (9, 3));
    let seen = scene.does(diplomat, "investigate_city_spend_unit", TOWN);
    assert!(own(&seen, diplomat).is_none(), "diplomats are spent");
    inside(scene, &seen);
}

fn learns(scene: &mut Scene, agent: &str, kind: &str, target: (u16, u16)) {
    let known = scene.observe().me.advances.len();
    until(scene, agent, kind, target, |_, seen| seen.me.advances.len() > known);
}

fn steal_tech(scene: &mut Scene) {
    learns(scene, "Diplomat", "steal_tech", TOWN);
}

fn steal_tech_escape(scene: &mut Scene) {
    learns(scene, "Spy", "steal_tech_escape", PORT);
}

fn establish_embassy(scene: &mut Scene) {
    let embassy = |scene: &Scene, seen: &Observation| {
        seen.players.iter().any(|p| p.id == scene.them && p.embassy)
    };
    let spy = until(scene, "Spy", "establish_embassy", TOWN, embassy);
    assert!(own(&scene.observe(), spy).is_some(), "spies come back");
}

fn targeted_steal_tech_escape(scene: &mut Scene) {
    for _ in 0..TRIES {
        let spy = scene.ours("Spy", (4, 3));
        let menu = scene.menu(spy);
        let theft = |a: &&Action| a.kind() == "targeted_steal_tech_escape";
        let theft = menu.iter().rfind(theft).expect("an advance they know and we lack").clone();
        let Action::Special { part: Some(Part::Advance(wanted)), .. } = theft else {
            panic!("{theft:?}")
        };
        let seen = scene.carries_out(spy, &theft);
        if seen.me.advances.contains(&wanted) {
            return;
        }
        scene.remove(&[spy]);
    }
    panic!("nothing was stolen in {TRIES} attempts");
}

fn sabotaged(scene: &mut Scene, agent: &str, kind: &str) {
    for _ in 0..TRIES {
        let unit = scene.ours(agent, (9, 3));
        scene.does(unit, kind, TOWN);
        scene.remove(&[unit]);
        if scene.told().iter().any(|e| e.kind == "my_diplomat_sabotage") {
            return;
        }
    }
    panic!("{kind} worked in none of {TRIES} attempts");
}

fn sabotage_city(scene: &mut Scene) {
    sabotaged(scene, "Diplomat", "sabotage_city");
}

fn sabotage_city_escape(scene: &mut Scene) {
    sabotaged(scene, "Spy", "sabotage_city_escape");
}

fn targeted_sabotage_city_escape(scene: &mut Scene) {
    let harbour = Some(Part::Building(scene.building("Harbour")));
    for _ in 0..TRIES {
        let spy = scene.ours("Spy", (12, 1));
        let menu = scene.menu(spy);
        let aimed = menu.iter().find(|a| {
            matches!(a, Action::Special { name, part, .. }
            if name == "targeted_sabotage_city_escape" && *part == harbour)
        });
        // A next spy no longer finds what was destroyed.
        let Some(aimed) = aimed.cloned() else { return };
        scene.carries_out(spy, &aimed);
        scene.remove(&[spy]);
    }
    panic!("the harbour still stands after {TRIES} attempts");
}

fn poison_city_escape(scene: &mut Scene) {
    let town = city_at(scene, TOWN);
    let size = foreign_city(&scene.observe(), town).expect("Town").size;
    until(scene, "Spy", "poison_city_escape", TOWN, |_, seen| {
        foreign_city(seen, town).is_some_and(|c| c.size < size)
    });
}

fn bribe_unit(scene: &mut Scene) {
    let at = scene.at((10, 5));
    scene.theirs("Archers", (10, 5));
    let gold = scene.observe().me.gold;
    let diplomat = scene.ours("Diplomat", (11, 5));
    let seen = scene.does(diplomat, "bribe_unit", (10, 5));
    let kind = scene.unit_type("Archers");
    assert!(seen.units.iter().any(|u| u.at == at && u.kind == kind), "it is ours");
    assert!(seen.me.gold < gold);
}

fn sabotage_unit_escape(scene: &mut Scene) {
    let target = scene.theirs("Archers", (6, 1));
    let hp = foreign(&scene.look(), target).map_or(10, |u| u.hp);
    until(scene, "Spy", "sabotage_unit_escape", (6, 1), |_, seen| {
        foreign(seen, target).is_none_or(|u| u.hp < hp)
    });
}

fn incited(scene: &mut Scene, agent: &str, kind: &str, place: (u16, u16)) {
    let city = city_at(scene, place);
    let gold = scene.observe().me.gold;
    until(scene, agent, kind, place, |_, seen| own_city(seen, city).is_some());
    assert!(scene.observe().me.gold < gold);
}

fn incite_city(scene: &mut Scene) {
    incited(scene, "Diplomat", "incite_city", PORT);
}

fn incite_city_escape(scene: &mut Scene) {
    incited(scene, "Spy", "incite_city_escape", TOWN);
}

/// With the other opponent, for one embassy is enough.
fn establish_embassy_stay(scene: &mut Scene) {
    let other = crate::actions::others(scene)[1];
    let at = scene.at((6, 5));
    scene.lua(&format!(
        "edit.create_city(find.player({other}), find.tile({}, {}), 'Elsewhere')",
        at.x, at.y
    ));
    let diplomat = scene.ours("Diplomat", (7, 5));
    let seen = scene.does(diplomat, "establish_embassy_stay", (6, 5));
    assert!(own(&seen, diplomat).is_none(), "the ambassador stays");
    assert!(seen.players.iter().any(|p| p.id == other && p.embassy));
}
