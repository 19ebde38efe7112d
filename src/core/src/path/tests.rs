//! Small maps drawn as text: `.` plains, `^` hills, `~` ocean, `=` deep ocean, `#` plains with a
//! road, `?` unknown, `C` a city of ours on plains.

use std::fmt::Write as _;

use serde_json::json;

use super::*;
use crate::ids::{Dir, PlayerId};
use crate::observation::Stance;

const WARRIORS: u16 = 0;
const EXPLORER: u16 = 1;
const TRIREME: u16 = 2;
const FIGHTER: u16 = 3;

fn rules() -> Rules {
    let terrain = |name: &str, class: u8, native_to: &[u8], cost: u32, flags: &[u8]| {
        json!({
            "name": name, "class": class, "flags": flags, "native_to": native_to,
            "movement_cost": cost, "defense_bonus": 0, "output": [0, 0, 0, 0, 0, 0],
            "resources": [], "base_time": 0, "road_time": 0, "irrigation_result": null,
            "irrigation_food": 0, "irrigation_time": 0, "mining_result": null,
            "mining_shield": 0, "mining_time": 0, "transform_result": null, "transform_time": 0,
            "clean_pollution_time": 0, "clean_fallout_time": 0, "pillage_time": 0
        })
    };
    let kind = |name: &str, class: u8, moves: u32, fuel: u32, flags: &[u8]| {
        json!({
            "name": name, "class": class, "build_cost": 10, "pop_cost": 0, "attack": 1,
            "defense": 1, "move_rate": moves * 3, "hp": 10, "firepower": 1, "advance": null,
            "building": null, "government": null, "obsoleted_by": null, "converted_to": null,
            "vision_radius_sq": 2, "transport_capacity": 0, "cargo": [], "targets": [],
            "embarks": [1], "disembarks": [], "fuel": fuel, "happy_cost": 0,
            "upkeep": [0, 0, 0, 0, 0, 0], "paratroopers_range": 0, "bombard_rate": 0,
            "city_size": 0, "flags": flags, "roles": [], "veteran_names": []
        })
    };
    let class = |name: &str, flags: &[u8]| json!({ "name": name, "flags": flags, "speed_min": 3, "hp_loss_pct": 0, "hut_behavior": 0 });
    serde_json::from_value(json!({
        "name": "drawn", "version": "", "move_fragments": 3, "igter_cost": 1,
        "city_distance_min": 2, "city_radius_sq": 5,
        "terrains": [
            terrain("Plains", 0, &[0, 2], 1, &[]), terrain("Hills", 0, &[0, 2], 2, &[]),
            terrain("Ocean", 1, &[1, 2], 1, &[4]), terrain("Deep Ocean", 1, &[1, 2], 1, &[4])
        ],
        "extras": [{
            "name": "Road", "causes": [2], "removal_causes": [], "reqs": [], "removal_reqs": [],
            "buildable": true, "build_time": 0, "defense_bonus": 0, "native_to": [0],
            "flags": [], "hidden_by": [], "conflicts": [], "resource_output": null, "base": null,
            "road": {
                "first_reqs": [], "move_cost": 1, "move_mode": 2, "integrates": [0], "flags": [],
                "output_const": [0, 0, 0, 0, 0, 0], "output_increment_pct": [0, 0, 0, 0, 0, 0]
            }
        }],
        "unit_classes": [class("Land", &[0, 8]), class("Sea", &[]), class("Air", &[5])],
        "unit_types": [
            kind("Warriors", 0, 1, 0, &[]), kind("Explorer", 0, 1, 0, &[2, 3, 4]),
            kind("Trireme", 1, 3, 0, &[11]), kind("Fighter", 2, 4, 1, &[])
        ],
        "buildings": [], "advances": [], "governments": [], "specialists": [], "effects": [],
        "enablers": []
    }))
    .unwrap()
}

/// What is seen of a drawn map by a seat that is at war with the only other one.
fn drawn(rows: &[&str], wrap_x: bool) -> Observation {
    let (mut tiles, mut cities) = (Vec::new(), Vec::new());
    for (y, row) in rows.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let terrain = match letter {
                '^' => 1,
                '~' => 2,
                '=' => 3,
                _ => 0,
            };
            let extras: &[u16] = if letter == '#' { &[0] } else { &[] };
            if letter != '?' {
                let tile = json!({ "at": [x, y], "seen": true, "terrain": terrain });
                let mut tile = tile.as_object().unwrap().clone();
                tile.insert("extras".to_owned(), json!(extras));
                tiles.push(tile);
            }
            if letter == 'C' {
                cities.push(json!({
                    "id": 10 + cities.len(), "name": "Rome", "at": [x, y], "size": 1,
                    "mood": [0, 1, 0, 0], "disorder": false, "specialists": [],
                    "surplus": [0, 0, 0, 0, 0, 0], "food_stock": 0, "granary": 10,
                    "shield_stock": 0, "production": { "unit": 0 }, "production_cost": 10,
                    "worklist": [], "buy_cost": 0, "did_buy": false, "buildings": [],
                    "turn_founded": 1, "turn_last_built": 1, "pollution": 0, "culture": 0,
                    "actions": []
                }));
            }
        }
    }
    serde_json::from_value(json!({
        "seat": 0, "turn": 1, "year": -4000,
        "me": {
            "name": "We", "alive": true, "score": 0, "gold": 0,
            "rates": { "tax": 0, "luxury": 0, "science": 100 }, "rate_max": 60, "government": 0,
            "revolution_ends": null, "culture": 0, "advances": [],
            "research": { "now": null, "bulbs": 0, "cost": 0, "goal": null, "bulbs_per_turn": 0 },
            "technology_actions": [], "government_actions": []
        },
        "players": [{
            "id": 1, "name": "They", "alive": true, "barbarian": null, "stance": "war",
            "stance_turns": 0, "contact": true, "embassy": false, "embassy_of_theirs": false,
            "score": null, "gold": null, "government": null, "advances": null, "actions": []
        }],
        "cities": cities, "foreign_cities": [], "units": [], "foreign_units": [],
        "map": {
            "width": rows[0].len(), "height": rows.len(), "wrap_x": wrap_x, "wrap_y": false,
            "tiles": tiles
        },
        "treaties": [], "events": []
    }))
    .unwrap()
}

fn enemy(o: &mut Observation, x: u16, y: u16) {
    let id = 90 + o.foreign_units.len();
    let unit =
        json!({ "id": id, "owner": 1, "kind": WARRIORS, "at": [x, y], "hp": 10, "veteran": 0 });
    o.foreign_units.push(serde_json::from_value(unit).unwrap());
}

fn traveller(kind: u16, x: u16, y: u16) -> Traveller {
    let fuel = u32::from(kind == FIGHTER);
    let moves = if kind == TRIREME { 9 } else { 3 };
    let moves = if kind == FIGHTER { 12 } else { moves };
    Traveller { kind: UnitTypeId(kind), at: Pos { x, y }, moves, fuel, aboard: None }
}

/// The path as the first letters of its directions, `nw` and so on parted by blanks.
fn path(o: &Observation, who: &Traveller, x: u16, y: u16) -> Option<String> {
    let rules = rules();
    let steps = Chart::of(o, &rules).path(who, Pos { x, y }, &rules)?;
    let mut words = String::new();
    for dir in steps {
        let word = match dir {
            Dir::Northwest => "nw",
            Dir::North => "n",
            Dir::Northeast => "ne",
            Dir::West => "w",
            Dir::East => "e",
            Dir::Southwest => "sw",
            Dir::South => "s",
            Dir::Southeast => "se",
        };
        let _ = write!(words, "{}{word}", if words.is_empty() { "" } else { " " });
    }
    Some(words)
}

#[test]
fn walkers_take_the_quick_way_over_known_native_ground() {
    let road = drawn(&[".^.", "#^.", "###"], false);
    let walker = traveller(WARRIORS, 0, 1);
    assert_eq!(path(&road, &walker, 2, 2).as_deref(), Some("se e"), "along the road");
    assert_eq!(path(&road, &walker, 2, 0).as_deref(), Some("ne e"), "hills cost one turn at most");
    let lake = drawn(&["...", "~~~", "..?"], false);
    assert_eq!(path(&lake, &traveller(WARRIORS, 0, 0), 0, 2), None);
    assert_eq!(path(&lake, &traveller(WARRIORS, 0, 2), 2, 2), None, "never into the unknown");
    assert_eq!(path(&lake, &traveller(WARRIORS, 0, 0), 0, 0), None, "it is there");
    let round = drawn(&["....~"], true);
    assert_eq!(path(&round, &traveller(WARRIORS, 3, 0), 0, 0).as_deref(), Some("w w w"));
    let world = drawn(&["..~.."], true);
    assert_eq!(path(&world, &traveller(WARRIORS, 0, 0), 3, 0).as_deref(), Some("w w"));
}

#[test]
fn a_step_costs_what_is_left_of_the_turn_at_most() {
    let rules = rules();
    let o = drawn(&[".^^."], false);
    let chart = Chart::of(&o, &rules);
    let reached = |who: &Traveller| -> Vec<(u32, u32)> {
        chart.search(who, &rules).unwrap().map(|r| (r.cost, r.turns)).collect()
    };
    assert_eq!(reached(&traveller(WARRIORS, 0, 0)), [(0, 0), (3, 0), (6, 1), (9, 2)]);
    let tired = Traveller { moves: 1, ..traveller(WARRIORS, 0, 0) };
    assert_eq!(reached(&tired), [(2, 0), (3, 0), (6, 1), (9, 2)]);
    assert_eq!(reached(&traveller(EXPLORER, 0, 0)), [(0, 0), (1, 0), (2, 0), (3, 0)]);
}

#[test]
fn equally_good_ways_are_told_apart_by_tile_number() {
    let rules = rules();
    let o = drawn(&["...", "...", "..."], false);
    let chart = Chart::of(&o, &rules);
    let who = traveller(WARRIORS, 1, 1);
    let order: Vec<Pos> = chart.search(&who, &rules).unwrap().map(|r| r.at).collect();
    let place = |i: usize| chart.place(i);
    let expected = [4, 0, 1, 2, 3, 5, 6, 7, 8].map(place);
    assert_eq!(order, expected);
}

#[test]
fn who_stands_there_and_zones_of_control_bar_the_way() {
    let mut o = drawn(&[".....", "....."], false);
    enemy(&mut o, 2, 0);
    let walker = traveller(WARRIORS, 0, 1);
    assert_eq!(path(&o, &walker, 2, 0), None);
    assert_eq!(path(&o, &walker, 1, 1).as_deref(), Some("e"), "up to the enemy");
    assert_eq!(path(&o, &walker, 4, 1), None, "not past it");
    let explorer = traveller(EXPLORER, 0, 1);
    assert_eq!(path(&o, &explorer, 4, 1).as_deref(), Some("ne se ne se"));
    o.players[0].stance = Stance::Alliance;
    assert_eq!(path(&o, &walker, 2, 0).as_deref(), Some("ne e"), "an ally makes room");
}

#[test]
fn closed_borders_stop_soldiers_and_not_civilians() {
    let mut o = drawn(&["....."], false);
    o.map.tiles[2].owner = Some(PlayerId(1));
    assert_eq!(path(&o, &traveller(WARRIORS, 0, 0), 4, 0).as_deref(), Some("e e e e"));
    o.players[0].stance = Stance::Peace;
    assert_eq!(path(&o, &traveller(WARRIORS, 0, 0), 4, 0), None);
    assert_eq!(path(&o, &traveller(EXPLORER, 0, 0), 4, 0).as_deref(), Some("e e e e"));
}

#[test]
fn ships_keep_to_water_and_ports_and_some_to_the_coast() {
    let o = drawn(&["~C~..~", "......", "~~~~~~", "======", "======", "~~~~~~"], false);
    let trireme = traveller(TRIREME, 0, 0);
    assert_eq!(path(&o, &trireme, 2, 0).as_deref(), Some("e e"), "through the port");
    assert_eq!(path(&o, &trireme, 5, 0), None);
    let coaster = traveller(TRIREME, 0, 2);
    assert_eq!(path(&o, &coaster, 5, 2).as_deref(), Some("e e e e e"));
    assert_eq!(path(&o, &coaster, 0, 5), None, "no coast is near half way");
}

#[test]
fn aircraft_end_their_way_where_they_get_fuel() {
    let o = drawn(&["C..C.....C"], false);
    let fighter = traveller(FIGHTER, 0, 0);
    assert_eq!(path(&o, &fighter, 3, 0).as_deref(), Some("e e e"));
    assert_eq!(path(&o, &fighter, 2, 0), None, "no fuel there");
    assert_eq!(path(&o, &fighter, 9, 0), None, "too far for its fuel");
}

#[test]
fn frontiers_are_known_tiles_beside_the_unknown() {
    let o = drawn(&["...?", "....", "...."], false);
    let chart = Chart::of(&o, &rules());
    let edge: Vec<usize> = (0..chart.len()).filter(|tile| chart.is_frontier(*tile)).collect();
    assert_eq!(edge, [2, 6, 7]);
}
