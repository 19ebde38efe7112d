//! Terrain work and stances: on each sampled tile a unit is told to do every activity with every
//! extra that fits it, and our menu must have offered exactly what the server began.

use std::collections::BTreeSet;

use saga_core::action::{Action, Work};
use saga_core::ids::{ExtraId, PlayerId, UnitId};
use saga_core::rules::Rules;

use crate::actions::{others, teach};
use crate::arena::Arena;
use crate::desk::Desk;

/// Activities as the server numbers them.
const IDLE: u8 = 0;
const CLEAN_POLLUTION: u8 = 1;
const MINE: u8 = 3;
const IRRIGATE: u8 = 4;
const SENTRY: u8 = 7;
const PILLAGE: u8 = 9;
const TRANSFORM: u8 = 12;
const FORTIFY: u8 = 15;
const CLEAN_FALLOUT: u8 = 16;
const BASE: u8 = 18;
const ROAD: u8 = 19;
const CONVERT: u8 = 20;

/// An activity and the extra it is about.
type Job = (u8, Option<ExtraId>);

/// Everything that may be asked of a unit anywhere. An extra that does not fit the activity would
/// end the server, so that none is asked about.
fn jobs(rules: &Rules) -> Vec<Job> {
    let plain = [IRRIGATE, MINE, TRANSFORM, FORTIFY, SENTRY, CONVERT].map(|job| (job, None));
    let mut all = plain.to_vec();
    for (id, extra) in (0u16..).zip(&rules.extras) {
        let id = Some(ExtraId(id));
        let built = [(0, IRRIGATE), (1, MINE), (2, ROAD), (3, BASE)];
        let removed = [(0, PILLAGE), (1, CLEAN_POLLUTION), (2, CLEAN_FALLOUT)];
        let built = built.iter().filter(|(cause, _)| extra.causes.contains(cause));
        let removed = removed.iter().filter(|(cause, _)| extra.removal_causes.contains(cause));
        all.extend(built.chain(removed).map(|(_, job)| (*job, id)));
    }
    all
}

fn job_of(action: &Action) -> Option<Job> {
    match action {
        Action::Fortify => Some((FORTIFY, None)),
        Action::Sentry => Some((SENTRY, None)),
        Action::Work { work, extra } => {
            let number = match work {
                Work::Irrigate => IRRIGATE,
                Work::Mine => MINE,
                Work::Road => ROAD,
                Work::Base => BASE,
                Work::Transform => TRANSFORM,
                Work::CleanPollution => CLEAN_POLLUTION,
                Work::CleanFallout => CLEAN_FALLOUT,
                Work::Pillage => PILLAGE,
            };
            Some((number, *extra))
        }
        _ => None,
    }
}

/// Files every job of one unit where it stands.
fn compare(desk: &mut Desk, arena: &mut Arena, what: &str, kind: &str, id: UnitId) {
    let rules = desk.rules();
    let seen = desk.observe();
    let unit = seen.units.iter().find(|u| u.id == id).expect("a unit just made");
    let offered: BTreeSet<Job> = unit.actions.iter().filter_map(job_of).collect();
    for job in jobs(&rules) {
        let begun = begins(desk, id, job);
        if begun || offered.contains(&job) {
            let extra = job.1.map_or("", |e| rules.extras[usize::from(e.0)].name.as_str());
            let step = format!("{what}: {kind} doing {} {extra}", job.0);
            arena.compare(offered.contains(&job), begun, &step);
        }
    }
    let auto = unit.actions.contains(&Action::AutoWork);
    desk.send("UNIT_AUTOSETTLERS", &[("unit_id", id.0.into())]);
    let now = desk.observe();
    let works = now.units.iter().find(|u| u.id == id).is_some_and(|u| u.auto);
    arena.compare(auto, works, &format!("{what}: {kind} improving by itself"));
}

/// Whether the server sets an idle unit to this; it is idle again afterwards.
fn begins(desk: &mut Desk, id: UnitId, (activity, extra): Job) -> bool {
    let target = extra.map_or(-1, |extra| i64::from(extra.0));
    let begun = tell(desk, id, activity, target);
    if begun {
        assert!(tell(desk, id, IDLE, -1), "whoever works can stop");
    }
    begun
}

/// Whether the server answers with a unit that is busy with this.
fn tell(desk: &mut Desk, id: UnitId, activity: u8, target: i64) -> bool {
    let fields = [
        ("unit_id", id.0.into()),
        ("activity", i64::from(activity).into()),
        ("target", target.into()),
    ];
    desk.send("UNIT_CHANGE_ACTIVITY", &fields);
    let Some(told) = desk.packets.get("UNIT_INFO") else { return false };
    let field = |name: &str| {
        let place = told.def().position(name).expect("a field of the table");
        match told.values().get(place) {
            Some(saga_freeciv::Value::Int(value)) => *value,
            other => panic!("{name} is {other:?}"),
        }
    };
    let about = target < 0 || field("activity_tgt") == target;
    field("id") == i64::from(id.0) && field("activity") == i64::from(activity) && about
}

/// Land with a lake and a bay, big enough for one tile of each sort.
const GROUND: [&str; 12] = [
    "~~~~~~~~~~~~~~~~",
    "~..............~",
    "~..............~",
    "~....o.........~",
    "~..............~",
    "~.........~....~",
    "~..............~",
    "~..............~",
    "~...o..........~",
    "~............~~~",
    "~..............~",
    "~~~~~~~~~~~~~~~~",
];

const TERRAINS: [&str; 10] = [
    "Grassland",
    "Plains",
    "Desert",
    "Forest",
    "Hills",
    "Jungle",
    "Mountains",
    "Swamp",
    "Tundra",
    "Glacier",
];

/// What lies on the tiles, row by row.
const CLASSIC: [&[&str]; 9] = [
    &[],
    &["Irrigation"],
    &["Mine", "Oil Well"],
    &["Irrigation", "Farmland", "Road"],
    &["Road", "Railroad"],
    &["Fortress", "Pollution"],
    &["Airbase", "Fallout", "Road"],
    &["River"],
    &["River", "Road"],
];
const CIV2CIV3: [&[&str]; 9] = [
    &[],
    &["Irrigation"],
    &["Mine"],
    &["Irrigation", "Farmland", "Road"],
    &["Road", "Railroad", "Mine", "Oil Well"],
    &["Fort", "Pollution"],
    &["Airstrip", "Fallout", "Road", "Railroad"],
    &["River"],
    &["River", "Road", "Fort"],
];

/// Makes the tile at a place of the drawing what it shall be.
fn shape(desk: &mut Desk, arena: &Arena, (x, y): (u16, u16), terrain: &str, extras: &[&str]) {
    let at = arena.at(x, y);
    let tile = format!("find.tile({}, {})", at.x, at.y);
    desk.lua(&format!("edit.change_terrain({tile}, find.terrain('{terrain}'))"));
    for extra in extras {
        desk.lua(&format!("edit.create_extra({tile}, '{extra}')"));
    }
}

fn samples(ruleset: &str, rows: &[&[&str]]) -> Vec<((u16, u16), String, Vec<String>)> {
    let mut all = Vec::new();
    for (y, extras) in (1..).zip(rows) {
        for (x, terrain) in (2..).zip(TERRAINS) {
            // Wells stand where there is oil; in classic no mine can be there.
            let oil = matches!(terrain, "Desert" | "Glacier");
            let may = |e: &&&str| match **e {
                "Oil Well" => oil,
                "Mine" => !(oil && ruleset == "classic"),
                _ => true,
            };
            let extras = extras.iter().filter(may).map(|e| (*e).to_owned()).collect();
            all.push(((x, y), terrain.to_owned(), extras));
        }
    }
    all
}

/// Every sort of tile with each of these units, every `step`th of them.
fn ground(ruleset: &str, rows: &[&[&str]], advances: &[&str], kinds: &[(&str, usize)]) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &GROUND);
    let us = desk.seat();
    teach(&mut desk, us, advances);
    let samples = samples(ruleset, rows);
    for (place, terrain, extras) in &samples {
        let extras: Vec<&str> = extras.iter().map(String::as_str).collect();
        shape(&mut desk, &arena, *place, terrain, &extras);
    }
    for (kind, step) in kinds {
        for (place, terrain, extras) in samples.iter().step_by(*step) {
            let Some(id) = arena.try_put(&mut desk, us, kind, *place) else { continue };
            let what = format!("{place:?} {terrain} {extras:?}");
            compare(&mut desk, &mut arena, &what, kind, id);
            arena.remove(&mut desk, &[id]);
        }
    }
    let at_least = if advances.is_empty() { 450 } else { 1450 };
    arena.verdict(&format!("work in {ruleset} with {advances:?}"), at_least);
}

const ALL: [&str; 5] =
    ["Refrigeration", "Superconductors", "Radio", "Environmentalism", "Miniaturization"];
const LAND: [(&str, usize); 4] = [("Workers", 1), ("Engineers", 1), ("Settlers", 3), ("Legion", 2)];

#[test]
fn work_on_all_ground_in_classic() {
    ground("classic", &CLASSIC, &[], &[("Workers", 1), ("Explorer", 5), ("Settlers", 4)]);
    ground("classic", &CLASSIC, &ALL, &LAND);
}

#[test]
fn work_on_all_ground_in_civ2civ3() {
    ground("civ2civ3", &CIV2CIV3, &[], &[("Workers", 1), ("Explorer", 5), ("Settlers", 4)]);
    ground("civ2civ3", &CIV2CIV3, &ALL, &LAND);
}

/// Work of others on the same tile, cities, foreign land, and at sea.
fn company(ruleset: &str) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &GROUND);
    let (us, them) = (desk.seat(), others(&mut desk)[0]);
    teach(&mut desk, us, &ALL);
    let base: &[&str] = if ruleset == "classic" { &["Airbase"] } else { &["Airstrip", "Airbase"] };
    shape(&mut desk, &arena, (8, 8), "Plains", base);
    arena.city(&mut desk, us, "Home", (3, 2));
    arena.city(&mut desk, them, "Theirs", (12, 8));
    beside_others(&mut desk, &mut arena, us);
    let places =
        [((3, 2), "own city"), ((3, 3), "own land"), ((12, 7), "their land"), ((10, 5), "bay")];
    let lake = [((5, 3), "lake"), ((0, 4), "sea"), ((14, 9), "sea"), ((8, 8), "base")];
    for (place, what) in places.into_iter().chain(lake) {
        for kind in
            ["Workers", "Engineers", "Warriors", "Transport", "Trireme", "Bomber", "Helicopter"]
        {
            let Some(id) = arena.try_put(&mut desk, us, kind, place) else { continue };
            compare(&mut desk, &mut arena, &format!("{ruleset} {what}"), kind, id);
            arena.remove(&mut desk, &[id]);
        }
        // Aboard a ship there is nothing to do.
        if let Some(ship) = arena.try_put(&mut desk, us, "Transport", place) {
            if let Some(id) = arena.load(&mut desk, us, "Engineers", place, ship) {
                compare(
                    &mut desk,
                    &mut arena,
                    &format!("{ruleset} {what} aboard"),
                    "Engineers",
                    id,
                );
                arena.remove(&mut desk, &[id]);
            }
            arena.remove(&mut desk, &[ship]);
        }
    }
    arena.verdict(&format!("work in company in {ruleset}"), 170);
}

/// Each sort of work that one can be at while another asks.
fn beside_others(desk: &mut Desk, arena: &mut Arena, us: PlayerId) {
    shape(desk, arena, (6, 4), "Hills", &["Road", "Irrigation"]);
    let rules = desk.rules();
    for job in jobs(&rules) {
        let first = arena.put(desk, us, "Engineers", (6, 4));
        if tell(desk, first, job.0, job.1.map_or(-1, |extra| i64::from(extra.0))) {
            for kind in ["Engineers", "Legion"] {
                let id = arena.put(desk, us, kind, (6, 4));
                compare(desk, arena, &format!("beside one at {job:?}"), kind, id);
                arena.remove(desk, &[id]);
            }
        }
        arena.remove(desk, &[first]);
    }
}

#[test]
fn work_in_company_in_classic() {
    company("classic");
}

#[test]
fn work_in_company_in_civ2civ3() {
    company("civ2civ3");
}
