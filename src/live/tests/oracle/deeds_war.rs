//! Deeds of war: attacks, conquest, capture, bombardment, a drop and a bomb.

use crate::deeds::{Deed, Scene, foreign, foreign_city, own, own_city, play};

const FRONT: [&str; 7] = [
    "~~~~~~~~~~~~~~",
    "~............~",
    "~............~",
    "~............~",
    "~............~",
    "~............~",
    "~~~~~~~~~~~~~~",
];

const CAMP: (u16, u16) = (2, 3);
const FORTRESS: (u16, u16) = (6, 3);
const OPEN: (u16, u16) = (10, 3);

pub(crate) const DEEDS: [Deed; 5] = [
    ("attack", attack),
    ("attack", attack_in_the_open),
    ("conquer", conquer),
    ("paradrop_unit", paradrop_unit),
    ("explode_nuclear", explode_nuclear),
];

pub(crate) const DEEDS_OF_CIV2CIV3: [Deed; 2] =
    [("capture_units", capture_units), ("bombard", bombard)];

#[test]
fn deeds_of_war() {
    play("classic", &FRONT, deploy, &DEEDS);
    play("civ2civ3", &FRONT, deploy, &DEEDS_OF_CIV2CIV3);
}

fn deploy(scene: &mut Scene) {
    scene.city("Camp", CAMP);
    scene.their_city("Fortress", FORTRESS, 2);
    scene.their_city("Open", OPEN, 2);
    scene.theirs("Warriors", FORTRESS);
    scene.scout(&[(5, 2), (9, 2)]);
}

fn their_city_at(scene: &mut Scene, place: (u16, u16)) -> saga_core::ids::CityId {
    let at = scene.at(place);
    scene.observe().foreign_cities.iter().find(|c| c.at == at).expect("their city").id
}

/// A city with a defender inside, whom we do not see.
fn attack(scene: &mut Scene) {
    let city = their_city_at(scene, FORTRESS);
    let gun = scene.ours("Artillery", (5, 3));
    let seen = scene.does(gun, "attack", FORTRESS);
    assert!(own(&seen, gun).is_none_or(|u| u.moves == 0), "it fought");
    let told = scene.told();
    assert!(told.iter().any(|e| e.kind == "unit_win_att"), "{told:?}");
    assert!(!foreign_city(&seen, city).expect("it stands").occupied, "its defender fell");
    scene.theirs("Warriors", FORTRESS);
}

fn attack_in_the_open(scene: &mut Scene) {
    let victim = scene.theirs("Workers", (4, 1));
    let legion = scene.ours("Legion", (3, 1));
    let seen = scene.does(legion, "attack", (4, 1));
    assert!(foreign(&seen, victim).is_none(), "it fell");
    assert_ne!(own(&seen, legion).expect("the victor").moves, 3);
}

fn conquer(scene: &mut Scene) {
    let city = their_city_at(scene, OPEN);
    let legion = scene.ours("Legion", (9, 3));
    let seen = scene.does(legion, "conquer", OPEN);
    assert!(own_city(&seen, city).is_some(), "it is ours");
    assert_eq!(own(&seen, legion).expect("the victor").at, scene.at(OPEN));
}

fn paradrop_unit(scene: &mut Scene) {
    let unit = scene.ours("Paratroopers", CAMP);
    let seen = scene.does(unit, "paradrop_unit", OPEN);
    assert_eq!(own(&seen, unit).expect("it landed").at, scene.at(OPEN));
}

fn explode_nuclear(scene: &mut Scene) {
    let city = their_city_at(scene, FORTRESS);
    let size = foreign_city(&scene.observe(), city).expect("Fortress").size;
    let bomb = scene.ours("Nuclear", (7, 4));
    let seen = scene.does(bomb, "explode_nuclear", FORTRESS);
    assert!(own(&seen, bomb).is_none());
    assert!(foreign_city(&seen, city).is_none_or(|c| c.size < size), "it lost citizens");
    let told = scene.told();
    assert!(told.iter().any(|e| e.kind.contains("nuke")), "{told:?}");
}

fn capture_units(scene: &mut Scene) {
    let caravan = scene.theirs("Caravan", (4, 5));
    let legion = scene.ours("Legion", (3, 5));
    let before: Vec<_> = scene.observe().units.iter().map(|u| u.id).collect();
    let seen = scene.does(legion, "capture_units", (4, 5));
    assert!(foreign(&seen, caravan).is_none());
    let kind = scene.unit_type("Caravan");
    let taken = seen.units.iter().find(|u| u.kind == kind && !before.contains(&u.id));
    assert!(taken.is_some(), "its goods are ours now");
}

fn bombard(scene: &mut Scene) {
    let target = scene.theirs("Archers", (4, 2));
    let hp = foreign(&scene.look(), target).expect("in sight").hp;
    for _ in 0..5 {
        let bomber = scene.ours("Bomber", (3, 2));
        let seen = scene.does(bomber, "bombard", (4, 2));
        if foreign(&seen, target).is_none_or(|u| u.hp < hp) {
            return;
        }
    }
    panic!("no bomb of five bombers hit");
}
