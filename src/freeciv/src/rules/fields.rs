//! Which fields of the ruleset packets the rules are read from.

crate::packet_fields! {
    pub(crate) struct ControlFields = "RULESET_CONTROL" {
        num_unit_types: Int, num_impr_types: Int, government_count: Int, terrain_count: Int,
        name: Text, version: Text
    }
}
crate::packet_fields! { pub(crate) struct GameFields = "RULESET_GAME" { veteran_name: Texts } }
crate::packet_fields! {
    pub(crate) struct TerrainControlFields = "RULESET_TERRAIN_CONTROL" {
        ocean_reclaim_requirement_pct: Int, land_channel_requirement_pct: Int,
        terrain_thaw_requirement_pct: Int, terrain_freeze_requirement_pct: Int,
        move_fragments: Int, igter_cost: Int
    }
}
crate::packet_fields! {
    pub(crate) struct TerrainFields = "RULESET_TERRAIN" {
        id: Int, tclass: Int, flags: Bits, native_to: Bits, rule_name: Text, movement_cost: Int,
        defense_bonus: Int, output: Ints, resources: Ints, base_time: Int, road_time: Int,
        irrigation_result: Int, irrigation_food_incr: Int, irrigation_time: Int,
        mining_result: Int, mining_shield_incr: Int, mining_time: Int, transform_result: Int,
        transform_time: Int, clean_pollution_time: Int, clean_fallout_time: Int,
        pillage_time: Int
    }
}
crate::packet_fields! {
    pub(crate) struct ResourceFields = "RULESET_RESOURCE" { id: Int, output: Ints }
}
crate::packet_fields! {
    pub(crate) struct ExtraFields = "RULESET_EXTRA" {
        id: Int, rule_name: Text, causes: Int, rmcauses: Int, reqs: Requirements,
        rmreqs: Requirements, buildable: Int, build_time: Int, defense_bonus: Int,
        native_to: Bits, flags: Bits, hidden_by: Bits, conflicts: Bits
    }
}
crate::packet_fields! {
    pub(crate) struct BaseFields = "RULESET_BASE" {
        id: Int, gui_type: Int, border_sq: Int, flags: Bits
    }
}
crate::packet_fields! {
    pub(crate) struct RoadFields = "RULESET_ROAD" {
        id: Int, first_reqs: Requirements, move_cost: Int, move_mode: Int, tile_incr_const: Ints,
        tile_incr: Ints, integrates: Bits, flags: Bits
    }
}
crate::packet_fields! {
    pub(crate) struct ClassFields = "RULESET_UNIT_CLASS" {
        id: Int, rule_name: Text, min_speed: Int, hp_loss_pct: Int, hut_behavior: Int, flags: Bits
    }
}
crate::packet_fields! {
    pub(crate) struct UnitTypeFields = "RULESET_UNIT" {
        id: Int, rule_name: Text, unit_class_id: Int, build_cost: Int, pop_cost: Int,
        attack_strength: Int, defense_strength: Int, move_rate: Int, tech_requirement: Int,
        impr_requirement: Int, gov_requirement: Int, vision_radius_sq: Int,
        transport_capacity: Int, hp: Int, firepower: Int, obsoleted_by: Int, converted_to: Int,
        fuel: Int, happy_cost: Int, upkeep: Ints, paratroopers_range: Int, veteran_name: Texts,
        bombard_rate: Int, city_size: Int, cargo: Bits, targets: Bits, embarks: Bits,
        disembarks: Bits, flags: Bits, roles: Bits
    }
}
crate::packet_fields! {
    pub(crate) struct BuildingFields = "RULESET_BUILDING" {
        id: Int, genus: Int, rule_name: Text, reqs: Requirements, obs_reqs: Requirements,
        build_cost: Int, upkeep: Int, sabotage: Int, flags: Bits
    }
}
crate::packet_fields! {
    pub(crate) struct TechFields = "RULESET_TECH" {
        id: Int, research_reqs: Requirements, removed: Int, flags: Bits, cost: Int, num_reqs: Int,
        rule_name: Text
    }
}
crate::packet_fields! {
    pub(crate) struct GovernmentFields = "RULESET_GOVERNMENT" {
        id: Int, reqs: Requirements, rule_name: Text
    }
}
crate::packet_fields! {
    pub(crate) struct NationFields = "RULESET_NATION" { id: Int, groups: Ints }
}
crate::packet_fields! {
    pub(crate) struct SpecialistFields = "RULESET_SPECIALIST" {
        id: Int, rule_name: Text, reqs: Requirements
    }
}
crate::packet_fields! {
    pub(crate) struct EffectFields = "RULESET_EFFECT" {
        effect_type: Int, effect_value: Int, reqs: Requirements
    }
}
crate::packet_fields! {
    pub(crate) struct EnablerFields = "RULESET_ACTION_ENABLER" {
        enabled_action: Int, actor_reqs: Requirements, target_reqs: Requirements
    }
}
crate::packet_fields! { pub(crate) struct ReadyFields = "RULESETS_READY" {} }

crate::value::field_sets! {
    control: ControlFields, game: GameFields, terrain_control: TerrainControlFields,
    terrain: TerrainFields, resource: ResourceFields, extra: ExtraFields, base: BaseFields,
    road: RoadFields, class: ClassFields, unit: UnitTypeFields, building: BuildingFields,
    tech: TechFields, government: GovernmentFields, nation: NationFields,
    specialist: SpecialistFields, effect: EffectFields, enabler: EnablerFields, ready: ReadyFields,
}
