//! The ruleset of the toy game as a value: five unit types, three buildings, five advances. Small
//! enough to know by heart, and every kind of menu comes up.

use saga_core::ids::{AdvanceId, ExtraId, GovernmentId, TerrainId, UnitTypeId};
use saga_core::rules::{
    Advance, Building, Extra, Genus, Government, Output, Requirement, Road, Rules, Specialist,
    Terrain, UTYF_CIVILIAN, UTYF_SETTLERS, UnitClass, UnitType,
};

pub(crate) const SETTLERS: UnitTypeId = UnitTypeId(0);
pub(crate) const WORKERS: UnitTypeId = UnitTypeId(1);
pub(crate) const EXPLORER: UnitTypeId = UnitTypeId(2);
pub(crate) const WARRIORS: UnitTypeId = UnitTypeId(3);
pub(crate) const ARCHERS: UnitTypeId = UnitTypeId(4);

pub(crate) const GRASS: TerrainId = TerrainId(0);
pub(crate) const HILLS: TerrainId = TerrainId(1);
pub(crate) const OCEAN: TerrainId = TerrainId(2);

pub(crate) const ROAD: ExtraId = ExtraId(0);
pub(crate) const HUT: ExtraId = ExtraId(1);

pub(crate) const ALPHABET: AdvanceId = AdvanceId(1);
pub(crate) const BRONZE: AdvanceId = AdvanceId(2);
pub(crate) const BURIAL: AdvanceId = AdvanceId(3);
pub(crate) const MONARCHY: AdvanceId = AdvanceId(4);

pub(crate) const DESPOT: GovernmentId = GovernmentId(1);
pub(crate) const KING: GovernmentId = GovernmentId(2);

/// Fragments in a full move.
pub(crate) const MOVE: u32 = 3;

/// The whole ruleset.
pub(crate) fn rules() -> Rules {
    let names = ["Anarchy", "Despotism", "Monarchy"];
    let government = |name: &&str| Government { name: (*name).to_owned(), reqs: Vec::new() };
    Rules {
        name: "Toy ruleset".to_owned(),
        version: "1".to_owned(),
        move_fragments: MOVE,
        igter_cost: 1,
        city_distance_min: 2,
        city_radius_sq: 5,
        terrains: vec![
            terrain("Grassland", 0, [2, 1, 1, 0, 0, 0]),
            terrain("Hills", 0, [1, 2, 0, 0, 0, 0]),
            terrain("Ocean", 1, [1, 0, 2, 0, 0, 0]),
        ],
        extras: vec![extra("Road", 2), extra("Hut", 6)],
        unit_classes: vec![UnitClass {
            name: "Land".to_owned(),
            flags: Vec::new(),
            speed_min: MOVE,
            hp_loss_pct: 0,
            hut_behavior: 0,
        }],
        unit_types: vec![
            UnitType { pop_cost: 1, city_size: 1, ..kind("Settlers", 8, [0, 1], &[UTYF_SETTLERS]) },
            kind("Workers", 6, [0, 1], &[UTYF_SETTLERS]),
            kind("Explorer", 6, [0, 1], &[UTYF_CIVILIAN]),
            kind("Warriors", 4, [1, 1], &[]),
            UnitType { advance: Some(BRONZE), ..kind("Archers", 8, [3, 2], &[]) },
        ],
        buildings: vec![
            building("Temple", Genus::Improvement, 10, Some(BURIAL)),
            building("Pyramids", Genus::GreatWonder, 24, Some(BRONZE)),
            Building { flags: vec![2], ..building("Coinage", Genus::Special, 999, None) },
        ],
        advances: vec![
            advance("None", &[]),
            advance("Alphabet", &[]),
            advance("Bronze Working", &[]),
            advance("Ceremonial Burial", &[]),
            advance("Monarchy", &[ALPHABET, BURIAL]),
        ],
        governments: names.iter().map(government).collect(),
        specialists: vec![Specialist { name: "Entertainers".to_owned(), reqs: Vec::new() }],
        effects: Vec::new(),
        enablers: Vec::new(),
    }
}

fn kind(name: &str, build_cost: u32, strength: [u32; 2], flags: &[u8]) -> UnitType {
    UnitType {
        name: name.to_owned(),
        class: 0,
        build_cost,
        pop_cost: 0,
        attack: strength[0],
        defense: strength[1],
        move_rate: MOVE,
        hp: 10,
        firepower: 1,
        advance: None,
        building: None,
        government: None,
        obsoleted_by: None,
        converted_to: None,
        vision_radius_sq: 2,
        transport_capacity: 0,
        cargo: Vec::new(),
        targets: Vec::new(),
        embarks: Vec::new(),
        disembarks: Vec::new(),
        fuel: 0,
        happy_cost: 0,
        upkeep: [0; 6],
        paratroopers_range: 0,
        bombard_rate: 0,
        city_size: 0,
        flags: flags.to_vec(),
        roles: Vec::new(),
        veteran_names: vec!["green".to_owned()],
    }
}

fn terrain(name: &str, class: u8, output: Output) -> Terrain {
    Terrain {
        name: name.to_owned(),
        class,
        flags: Vec::new(),
        native_to: if class == 0 { vec![0] } else { Vec::new() },
        movement_cost: 1,
        defense_bonus: 0,
        output,
        resources: Vec::new(),
        base_time: 0,
        road_time: 1,
        irrigation_result: None,
        irrigation_food: 0,
        irrigation_time: 0,
        mining_result: None,
        mining_shield: 0,
        mining_time: 0,
        transform_result: None,
        transform_time: 0,
        clean_pollution_time: 0,
        clean_fallout_time: 0,
        pillage_time: 0,
    }
}

fn extra(name: &str, cause: u8) -> Extra {
    let road = (cause == 2).then(|| Road {
        first_reqs: Vec::new(),
        move_cost: 1,
        move_mode: 2,
        integrates: Vec::new(),
        flags: Vec::new(),
        output_const: [0; 6],
        output_increment_pct: [0; 6],
    });
    Extra {
        name: name.to_owned(),
        causes: vec![cause],
        removal_causes: Vec::new(),
        reqs: Vec::new(),
        removal_reqs: Vec::new(),
        buildable: cause == 2,
        build_time: 0,
        defense_bonus: 0,
        native_to: Vec::new(),
        flags: Vec::new(),
        hidden_by: Vec::new(),
        conflicts: Vec::new(),
        resource_output: None,
        road,
        base: None,
    }
}

fn building(name: &str, genus: Genus, build_cost: u32, needs: Option<AdvanceId>) -> Building {
    let req = |a: AdvanceId| Requirement {
        kind: 1,
        value: i32::from(a.0),
        range: 6,
        survives: false,
        present: true,
    };
    Building {
        name: name.to_owned(),
        genus,
        build_cost,
        upkeep: 1,
        reqs: needs.map(req).into_iter().collect(),
        obsolete_by: Vec::new(),
        flags: Vec::new(),
    }
}

fn advance(name: &str, requires: &[AdvanceId]) -> Advance {
    Advance {
        name: name.to_owned(),
        requires: requires.to_vec(),
        steps: 1 + requires.len() as u32,
        cost_centibulbs: 600,
        removed: false,
        flags: Vec::new(),
    }
}
