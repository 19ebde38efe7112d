//! Small maps drawn as text, with rules to match, for tests: `.` plains, `^` hills, `~` ocean, `=`
//! deep ocean, `#` plains with a road, `?` unknown, `C` a city of ours on plains.

use serde_json::json;

use crate::observation::Observation;
use crate::rules::Rules;

/// Unit types of the rules.
pub(crate) const WARRIORS: u16 = 0;
pub(crate) const EXPLORER: u16 = 1;
pub(crate) const TRIREME: u16 = 2;
pub(crate) const FIGHTER: u16 = 3;

pub(crate) fn rules() -> Rules {
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
    let class = |name: &str, flags: &[u8]| {
        json!({
            "name": name, "flags": flags, "speed_min": 3, "hp_loss_pct": 0, "hut_behavior": 0
        })
    };
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
pub(crate) fn drawn(rows: &[&str], wrap_x: bool) -> Observation {
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

pub(crate) fn enemy(o: &mut Observation, x: u16, y: u16) {
    let id = 90 + o.foreign_units.len();
    let unit =
        json!({ "id": id, "owner": 1, "kind": WARRIORS, "at": [x, y], "hp": 10, "veteran": 0 });
    o.foreign_units.push(serde_json::from_value(unit).unwrap());
}
