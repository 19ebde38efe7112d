//! One reader for each ruleset packet.

use saga_core::ids::{AdvanceId, BuildingId, ExtraId, GovernmentId, TerrainId, UnitTypeId};
use saga_core::rules::{
    Advance, Base, Building, Effect, Enabler, Extra, Genus, Government, Requirement, Road,
    Specialist, Terrain, UnitClass, UnitType,
};

use super::fields::Fields;
use super::{
    Builder, Reader, TerrainChange, bits_of, extra_ids, flags, output, plain, some_advance,
};
use crate::tables::Protocol;
use crate::value::{Int, Packet, Requirements};

/// The readers by position of their packet in the table.
pub(super) fn readers(protocol: &Protocol, f: &Fields) -> Vec<Option<Reader>> {
    let list: [(_, Reader); 18] = [
        (f.control.packet, control),
        (f.game.packet, game),
        (f.terrain_control.packet, terrain_control),
        (f.terrain.packet, terrain),
        (f.resource.packet, resource),
        (f.extra.packet, extra),
        (f.base.packet, base),
        (f.road.packet, road),
        (f.class.packet, class),
        (f.unit.packet, unit),
        (f.building.packet, building),
        (f.tech.packet, tech),
        (f.government.packet, government),
        (f.nation.packet, nation),
        (f.specialist.packet, specialist),
        (f.effect.packet, effect),
        (f.enabler.packet, enabler),
        (f.ready.packet, |builder, _| builder.ready = true),
    ];
    let mut readers = vec![None; protocol.packets().len()];
    for (kind, reader) in list {
        if let Some(slot) = readers.get_mut(kind.index()) {
            *slot = Some(reader);
        }
    }
    readers
}

/// A new ruleset begins: what was told of another one is forgotten.
fn control(b: &mut Builder, p: &Packet) {
    let f = b.fields.control;
    p.str(f.name).clone_into(&mut b.name);
    p.str(f.version).clone_into(&mut b.version);
    b.counts = super::Counts {
        unit_types: p.int(f.num_unit_types),
        buildings: p.int(f.num_impr_types),
        governments: p.int(f.government_count),
        terrains: p.int(f.terrain_count),
    };
    b.terrains.clear();
    b.extras.clear();
    b.bases.clear();
    b.roads.clear();
    b.resources.clear();
    b.unit_classes.clear();
    b.unit_types.clear();
    b.buildings.clear();
    b.advances.clear();
    b.governments.clear();
    b.nation_groups.clear();
    b.specialists.clear();
    b.effects.clear();
    b.enablers.clear();
    b.ready = false;
}

fn game(b: &mut Builder, p: &Packet) {
    b.veteran_names = p.texts(b.fields.game.veteran_name).iter().map(|n| plain(n)).collect();
}

fn terrain_control(b: &mut Builder, p: &Packet) {
    let f = b.fields.terrain_control;
    b.move_fragments = natural(p, f.move_fragments).max(1);
    b.igter_cost = natural(p, f.igter_cost).max(1);
    b.terrain_change = TerrainChange {
        reclaim: p.int(f.ocean_reclaim_requirement_pct),
        channel: p.int(f.land_channel_requirement_pct),
        thaw: p.int(f.terrain_thaw_requirement_pct),
        freeze: p.int(f.terrain_freeze_requirement_pct),
    };
}

fn terrain(b: &mut Builder, p: &Packet) {
    let f = b.fields.terrain;
    let terrains = b.counts.terrains;
    let becomes = |field: Int| {
        let value = p.int(field);
        (0..terrains).contains(&value).then_some(TerrainId(value as u16))
    };
    let terrain = Terrain {
        name: plain(p.str(f.rule_name)),
        class: p.int(f.tclass) as u8,
        flags: flags(p.bits(f.flags)),
        native_to: flags(p.bits(f.native_to)),
        movement_cost: natural(p, f.movement_cost),
        defense_bonus: p.int(f.defense_bonus) as i32,
        output: output(p.ints(f.output)),
        resources: p.ints(f.resources).iter().map(|id| ExtraId(*id as u16)).collect(),
        base_time: natural(p, f.base_time),
        road_time: natural(p, f.road_time),
        irrigation_result: becomes(f.irrigation_result),
        irrigation_food: natural(p, f.irrigation_food_incr),
        irrigation_time: natural(p, f.irrigation_time),
        mining_result: becomes(f.mining_result),
        mining_shield: natural(p, f.mining_shield_incr),
        mining_time: natural(p, f.mining_time),
        transform_result: becomes(f.transform_result),
        transform_time: natural(p, f.transform_time),
        clean_pollution_time: natural(p, f.clean_pollution_time),
        clean_fallout_time: natural(p, f.clean_fallout_time),
        pillage_time: natural(p, f.pillage_time),
    };
    b.terrains.insert(id(p, f.id), terrain);
}

fn resource(b: &mut Builder, p: &Packet) {
    let f = b.fields.resource;
    b.resources.insert(id(p, f.id), output(p.ints(f.output)));
}

fn extra(b: &mut Builder, p: &Packet) {
    let f = b.fields.extra;
    let extra = Extra {
        name: plain(p.str(f.rule_name)),
        causes: bits_of(p.int(f.causes)),
        removal_causes: bits_of(p.int(f.rmcauses)),
        reqs: requirements(p, f.reqs),
        removal_reqs: requirements(p, f.rmreqs),
        buildable: p.bool(f.buildable),
        build_time: natural(p, f.build_time),
        defense_bonus: p.int(f.defense_bonus) as i32,
        native_to: flags(p.bits(f.native_to)),
        flags: flags(p.bits(f.flags)),
        hidden_by: extra_ids(p.bits(f.hidden_by)),
        conflicts: extra_ids(p.bits(f.conflicts)),
        resource_output: None,
        road: None,
        base: None,
    };
    b.extras.insert(id(p, f.id), extra);
}

fn base(b: &mut Builder, p: &Packet) {
    let f = b.fields.base;
    let base = Base {
        gui_type: p.int(f.gui_type) as u8,
        border_sq: p.int(f.border_sq) as i32,
        flags: flags(p.bits(f.flags)),
    };
    b.bases.insert(id(p, f.id), base);
}

fn road(b: &mut Builder, p: &Packet) {
    let f = b.fields.road;
    let road = Road {
        first_reqs: requirements(p, f.first_reqs),
        move_cost: p.int(f.move_cost) as i32,
        move_mode: p.int(f.move_mode) as u8,
        integrates: extra_ids(p.bits(f.integrates)),
        flags: flags(p.bits(f.flags)),
        output_const: output(p.ints(f.tile_incr_const)),
        output_increment_pct: output(p.ints(f.tile_incr)),
    };
    b.roads.insert(id(p, f.id), road);
}

fn class(b: &mut Builder, p: &Packet) {
    let f = b.fields.class;
    let class = UnitClass {
        name: plain(p.str(f.rule_name)),
        flags: flags(p.bits(f.flags)),
        speed_min: natural(p, f.min_speed),
        hp_loss_pct: natural(p, f.hp_loss_pct),
        hut_behavior: p.int(f.hut_behavior) as u8,
    };
    b.unit_classes.insert(id(p, f.id), class);
}

fn unit(b: &mut Builder, p: &Packet) {
    let f = b.fields.unit;
    let below = |field: Int, count: i64| {
        let value = p.int(field);
        (0..count).contains(&value).then_some(value as u16)
    };
    let counts = b.counts;
    let unit = UnitType {
        name: plain(p.str(f.rule_name)),
        class: p.int(f.unit_class_id) as u8,
        build_cost: natural(p, f.build_cost),
        pop_cost: natural(p, f.pop_cost),
        attack: natural(p, f.attack_strength),
        defense: natural(p, f.defense_strength),
        move_rate: natural(p, f.move_rate),
        hp: natural(p, f.hp),
        firepower: natural(p, f.firepower),
        advance: some_advance(p.int(f.tech_requirement)),
        building: below(f.impr_requirement, counts.buildings).map(BuildingId),
        government: below(f.gov_requirement, counts.governments).map(GovernmentId),
        obsoleted_by: below(f.obsoleted_by, counts.unit_types).map(UnitTypeId),
        converted_to: below(f.converted_to, counts.unit_types).map(UnitTypeId),
        vision_radius_sq: natural(p, f.vision_radius_sq),
        transport_capacity: natural(p, f.transport_capacity),
        cargo: flags(p.bits(f.cargo)),
        targets: flags(p.bits(f.targets)),
        embarks: flags(p.bits(f.embarks)),
        disembarks: flags(p.bits(f.disembarks)),
        fuel: natural(p, f.fuel),
        happy_cost: natural(p, f.happy_cost),
        upkeep: output(p.ints(f.upkeep)),
        paratroopers_range: natural(p, f.paratroopers_range),
        bombard_rate: natural(p, f.bombard_rate),
        city_size: natural(p, f.city_size),
        flags: flags(p.bits(f.flags)),
        roles: flags(p.bits(f.roles)),
        veteran_names: p.texts(f.veteran_name).iter().map(|name| plain(name)).collect(),
    };
    b.unit_types.insert(id(p, f.id), unit);
}

fn building(b: &mut Builder, p: &Packet) {
    let f = b.fields.building;
    let building = Building {
        name: plain(p.str(f.rule_name)),
        genus: match p.int(f.genus) {
            0 => Genus::GreatWonder,
            1 => Genus::SmallWonder,
            2 => Genus::Improvement,
            _ => Genus::Special,
        },
        build_cost: natural(p, f.build_cost),
        upkeep: natural(p, f.upkeep),
        reqs: requirements(p, f.reqs),
        obsolete_by: requirements(p, f.obs_reqs),
        flags: flags(p.bits(f.flags)),
    };
    b.sabotage_pct.insert(id(p, f.id), natural(p, f.sabotage));
    b.buildings.insert(id(p, f.id), building);
}

fn tech(b: &mut Builder, p: &Packet) {
    let f = b.fields.tech;
    let needed = |r: &&crate::value::Requirement| r.kind == 1 && r.present;
    let advance = Advance {
        name: plain(p.str(f.rule_name)),
        requires: p
            .requirements(f.research_reqs)
            .iter()
            .filter(needed)
            .filter_map(|r| some_advance(r.value.into()))
            .collect::<Vec<AdvanceId>>(),
        steps: natural(p, f.num_reqs),
        cost_centibulbs: natural(p, f.cost),
        removed: p.bool(f.removed),
        flags: flags(p.bits(f.flags)),
    };
    b.advances.insert(id(p, f.id), advance);
}

fn government(b: &mut Builder, p: &Packet) {
    let f = b.fields.government;
    let reqs = requirements(p, f.reqs);
    b.governments.insert(id(p, f.id), Government { name: plain(p.str(f.rule_name)), reqs });
}

fn nation(b: &mut Builder, p: &Packet) {
    let f = b.fields.nation;
    let groups = p.ints(f.groups).iter().map(|group| *group as u8).collect();
    b.nation_groups.insert(p.int(f.id), groups);
}

fn specialist(b: &mut Builder, p: &Packet) {
    let f = b.fields.specialist;
    let reqs = requirements(p, f.reqs);
    b.specialists.insert(id(p, f.id), Specialist { name: plain(p.str(f.rule_name)), reqs });
}

fn effect(b: &mut Builder, p: &Packet) {
    let f = b.fields.effect;
    b.effects.push(Effect {
        kind: p.int(f.effect_type) as u8,
        value: p.int(f.effect_value) as i32,
        reqs: requirements(p, f.reqs),
    });
}

fn enabler(b: &mut Builder, p: &Packet) {
    let f = b.fields.enabler;
    b.enablers.push(Enabler {
        action: p.int(f.enabled_action) as u8,
        actor_reqs: requirements(p, f.actor_reqs),
        target_reqs: requirements(p, f.target_reqs),
    });
}

fn id(p: &Packet, field: Int) -> u16 {
    p.int(field) as u16
}

/// A number that the protocol never sends below zero.
fn natural(p: &Packet, field: Int) -> u32 {
    u32::try_from(p.int(field)).unwrap_or(0)
}

fn requirements(p: &Packet, field: Requirements) -> Vec<Requirement> {
    p.requirements(field)
        .iter()
        .map(|r| Requirement {
            kind: r.kind,
            value: r.value,
            range: r.range,
            survives: r.survives,
            present: r.present,
        })
        .collect()
}
