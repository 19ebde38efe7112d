//! Deeds on the land: stances, and terrain work done to its end.

use saga_core::action::{Action, Work};
use saga_core::ids::{ExtraId, UnitId};
use saga_core::observation::{Activity, Observation, Tile};

use crate::deeds::{Deed, Scene, own, play};

const LAND: [&str; 7] = [
    "~~~~~~~~~~~~~~~~~",
    "~...............~",
    "~.#.............~",
    "~...............~",
    "~...............~",
    "~...............~",
    "~~~~~~~~~~~~~~~~~",
];

/// Turns within which twelve engineers finish anything.
const TURNS: usize = 12;
const ENGINEERS: usize = 12;

pub(crate) const DEEDS: [Deed; 16] = [
    ("fortify", fortify),
    ("sentry", sentry),
    ("explore", explore),
    ("auto_work", auto_work),
    ("irrigate", irrigate),
    ("irrigate", cultivate),
    ("mine", mine),
    ("mine", plant),
    ("road", road),
    ("road", railroad),
    ("transform", transform),
    ("clean_pollution", clean_pollution),
    ("clean_fallout", clean_fallout),
    ("pillage", pillage),
    ("base", fortress),
    ("base", airbase),
];

#[test]
fn deeds_on_the_land() {
    play("classic", &LAND, |_| {}, &DEEDS);
}

fn fortify(scene: &mut Scene) {
    let unit = scene.ours("Legion", (1, 1));
    let seen = scene.does(unit, "fortify", (1, 1));
    assert_eq!(own(&seen, unit).expect("it lives").activity, Activity::Fortifying);
    scene.pass();
    assert_eq!(own(&scene.look(), unit).expect("it lives").activity, Activity::Fortified);
}

fn sentry(scene: &mut Scene) {
    let unit = scene.ours("Legion", (1, 2));
    let seen = scene.does(unit, "sentry", (1, 2));
    assert_eq!(own(&seen, unit).expect("it lives").activity, Activity::Sentry);
}

fn explore(scene: &mut Scene) {
    let unit = scene.ours("Explorer", (2, 4));
    let before = scene.observe().map.tiles.len();
    let seen = scene.does(unit, "explore", (2, 4));
    assert_ne!(own(&seen, unit).expect("it lives").at, scene.at((2, 4)));
    println!("{before} tiles known, then {}", seen.map.tiles.len());
    scene.remove(&[unit]);
}

fn auto_work(scene: &mut Scene) {
    let unit = scene.ours("Workers", (3, 4));
    let seen = scene.does(unit, "auto_work", (3, 4));
    assert!(own(&seen, unit).expect("it lives").auto);
    scene.remove(&[unit]);
}

fn tile<'a>(scene: &Scene, seen: &'a Observation, place: (u16, u16)) -> &'a Tile {
    let at = scene.at(place);
    seen.map.tiles.iter().find(|t| t.at == at).expect("a tile we know")
}

fn extra(scene: &Scene, name: &str) -> ExtraId {
    let found = scene.rules().extras.iter().position(|e| e.name == name);
    ExtraId(found.unwrap_or_else(|| panic!("no {name}")) as u16)
}

/// Sets engineers to one work and ends turns until the tile shows it.
fn finish(
    scene: &mut Scene,
    place: (u16, u16),
    work: Work,
    about: Option<&str>,
    effect: impl Fn(&Scene, &Tile) -> bool,
) {
    let extra = about.map(|name| extra(scene, name));
    let units: Vec<UnitId> = (0..ENGINEERS).map(|_| scene.ours("Engineers", place)).collect();
    for unit in &units {
        let seen = scene.carries_out(*unit, &Action::Work { work, extra });
        assert_ne!(own(&seen, *unit).expect("at work").activity, Activity::Idle);
    }
    for _ in 0..TURNS {
        scene.pass();
        let seen = scene.observe();
        if effect(scene, tile(scene, &seen, place)) {
            scene.remove(&units);
            return;
        }
    }
    panic!("{work:?} of {about:?} is not done after {TURNS} turns");
}

fn shows(name: &'static str) -> impl Fn(&Scene, &Tile) -> bool {
    move |scene, tile| tile.extras.contains(&extra(scene, name))
}

fn lacks(name: &'static str) -> impl Fn(&Scene, &Tile) -> bool {
    move |scene, tile| !tile.extras.contains(&extra(scene, name))
}

fn becomes(name: &'static str) -> impl Fn(&Scene, &Tile) -> bool {
    move |scene, tile| {
        let rules = scene.rules();
        rules.terrain(tile.terrain).is_some_and(|t| t.name == name)
    }
}

fn lay(scene: &mut Scene, (x, y): (u16, u16), terrain: &str, extras: &[&str]) {
    let at = scene.at((x, y));
    let tile = format!("find.tile({}, {})", at.x, at.y);
    scene.lua(&format!("edit.change_terrain({tile}, find.terrain('{terrain}'))"));
    for extra in extras {
        scene.lua(&format!("edit.create_extra({tile}, '{extra}')"));
    }
}

fn irrigate(scene: &mut Scene) {
    finish(scene, (5, 1), Work::Irrigate, Some("Irrigation"), shows("Irrigation"));
}

fn cultivate(scene: &mut Scene) {
    lay(scene, (6, 3), "Swamp", &[]);
    finish(scene, (6, 3), Work::Irrigate, None, becomes("Grassland"));
}

fn mine(scene: &mut Scene) {
    lay(scene, (6, 1), "Hills", &[]);
    finish(scene, (6, 1), Work::Mine, Some("Mine"), shows("Mine"));
}

fn plant(scene: &mut Scene) {
    finish(scene, (7, 3), Work::Mine, None, becomes("Forest"));
}

fn road(scene: &mut Scene) {
    finish(scene, (7, 1), Work::Road, Some("Road"), shows("Road"));
}

fn railroad(scene: &mut Scene) {
    finish(scene, (2, 2), Work::Road, Some("Railroad"), shows("Railroad"));
}

fn transform(scene: &mut Scene) {
    lay(scene, (8, 3), "Plains", &[]);
    finish(scene, (8, 3), Work::Transform, None, becomes("Grassland"));
}

fn clean_pollution(scene: &mut Scene) {
    lay(scene, (8, 1), "Plains", &["Pollution"]);
    finish(scene, (8, 1), Work::CleanPollution, Some("Pollution"), lacks("Pollution"));
}

fn clean_fallout(scene: &mut Scene) {
    lay(scene, (9, 1), "Plains", &["Fallout"]);
    finish(scene, (9, 1), Work::CleanFallout, Some("Fallout"), lacks("Fallout"));
}

fn pillage(scene: &mut Scene) {
    lay(scene, (10, 1), "Plains", &["Road", "Irrigation"]);
    let unit = scene.ours("Legion", (10, 1));
    let road = Some(extra(scene, "Road"));
    scene.carries_out(unit, &Action::Work { work: Work::Pillage, extra: road });
    scene.pass();
    let seen = scene.observe();
    assert!(lacks("Road")(scene, tile(scene, &seen, (10, 1))), "nothing of the road is left");
    assert!(shows("Irrigation")(scene, tile(scene, &seen, (10, 1))));
}

fn fortress(scene: &mut Scene) {
    finish(scene, (11, 1), Work::Base, Some("Fortress"), shows("Fortress"));
}

fn airbase(scene: &mut Scene) {
    finish(scene, (12, 1), Work::Base, Some("Airbase"), shows("Airbase"));
}
