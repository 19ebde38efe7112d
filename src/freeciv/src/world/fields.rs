//! Which fields of which packets the model reads. Names are resolved once, when a world is made; a
//! table that lacks one is an error there and never later.

#![allow(non_snake_case, reason = "fields keep the names of the protocol")]

crate::packet_fields! {
    pub(crate) struct ServerFields = "SERVER_INFO" {
        major_version: Int, minor_version: Int, patch_version: Int
    }
}
crate::packet_fields! {
    pub(crate) struct ConnFields = "CONN_INFO" {
        id: Int, used: Int, observer: Int, player_num: Int
    }
}
crate::packet_fields! {
    pub(crate) struct ChatFields = "CHAT_MSG" { message: Text, tile: Int, event: Int }
}
crate::packet_fields! {
    pub(crate) struct EarlyChatFields = "EARLY_CHAT_MSG" { message: Text, tile: Int, event: Int }
}
crate::packet_fields! { pub(crate) struct StartPhaseFields = "START_PHASE" {} }
crate::packet_fields! { pub(crate) struct BeginTurnFields = "BEGIN_TURN" {} }
crate::packet_fields! {
    pub(crate) struct NewYearFields = "NEW_YEAR" { year32: Int, fragments: Int }
}
crate::packet_fields! {
    pub(crate) struct GameFields = "GAME_INFO" {
        turn: Int, year32: Int, fragment_count: Int, citymindist: Int, init_city_radius_sq: Int,
        foodbox: Int, shieldbox: Int, granary_food_inc: Int, granary_food_ini: Ints,
        granary_num_inis: Int, great_wonder_owners: Ints, global_advances: Ints,
        global_advance_count: Int, government_during_revolution_id: Int, changable_tax: Int,
        team_pooled_research: Int, airlifting_style: Int, tech_steal_allow_holes: Int,
        diplomacy: Int, trading_gold: Int, trading_tech: Int, tech_trade_allow_holes: Int
    }
}
crate::packet_fields! {
    pub(crate) struct MapFields = "MAP_INFO" { xsize: Int, ysize: Int, topology_id: Int }
}
crate::packet_fields! {
    pub(crate) struct TileFields = "TILE_INFO" {
        tile: Int, continent: Int, known: Int, owner: Int, worked: Int,
        terrain: Int, resource: Int, extras: Bits
    }
}
crate::packet_fields! {
    pub(crate) struct PlayerFields = "PLAYER_INFO" {
        playerno: Int, name: Text, score: Int, government: Int, target_government: Int,
        real_embassy: Ints, nation: Int, team: Int, turns_alive: Int, is_alive: Int, gold: Int,
        tax: Int, science: Int, luxury: Int, revolution_finishes: Int, barbarian_type: Int,
        culture32: Int, gives_shared_vision: Bits, flags: Bits
    }
}
crate::packet_fields! { pub(crate) struct PlayerRemoveFields = "PLAYER_REMOVE" { playerno: Int } }
crate::packet_fields! {
    pub(crate) struct DiplFields = "PLAYER_DIPLSTATE" {
        plr1: Int, plr2: Int, r#type: Int, turns_left: Int, has_reason_to_cancel: Int,
        contact_turns_left: Int
    }
}
crate::packet_fields! {
    pub(crate) struct ResearchFields = "RESEARCH_INFO" {
        id: Int, techs_researched: Int, future_tech: Int, researching: Int, researching_cost: Int,
        bulbs_researched: Int, tech_goal: Int, total_bulbs_prod: Int, inventions: Text
    }
}
crate::packet_fields! {
    pub(crate) struct SpaceshipFields = "SPACESHIP_INFO" {
        player_num: Int, sship_state: Int, structurals: Int, components: Int, modules: Int,
        fuel: Int, propulsion: Int, habitation: Int, life_support: Int, solar_panels: Int,
        structure: Bits, success_rate: Int, travel_time: Int
    }
}
crate::packet_fields! { pub(crate) struct UnknownResearchFields = "UNKNOWN_RESEARCH" { id: Int } }
crate::packet_fields! {
    pub(crate) struct CityFields = "CITY_INFO" {
        id: Int, tile: Int, owner: Int, size: Int, ppl_happy: Ints, ppl_content: Ints,
        ppl_unhappy: Ints, ppl_angry: Ints, specialists: Ints, culture32: Int, buy_cost: Int,
        surplus: Ints, food_stock: Int, shield_stock: Int, pollution: Int, production_kind: Int,
        production_value: Int, turn_founded: Int, turn_last_built: Int, airlift: Int, did_buy: Int,
        did_sell: Int, city_radius_sq: Int, worklist: Pairs, improvements: Bits, name: Text
    }
}
crate::packet_fields! {
    pub(crate) struct CityShortFields = "CITY_SHORT_INFO" {
        id: Int, tile: Int, owner: Int, size: Int, occupied: Int, walls: Int, improvements: Bits,
        name: Text
    }
}
crate::packet_fields! { pub(crate) struct CityRemoveFields = "CITY_REMOVE" { city_id: Int } }
crate::packet_fields! {
    pub(crate) struct CityNameFields = "CITY_NAME_SUGGESTION_INFO" { unit_id: Int, name: Text }
}
crate::packet_fields! {
    pub(crate) struct UnitFields = "UNIT_INFO" {
        id: Int, owner: Int, tile: Int, homecity: Int, veteran: Int, ai: Int, r#type: Int,
        transported: Int, transported_by: Int, movesleft: Int, hp: Int, fuel: Int,
        goto_tile: Int, activity: Int, activity_tgt: Int, has_orders: Int
    }
}
crate::packet_fields! {
    pub(crate) struct UnitShortFields = "UNIT_SHORT_INFO" {
        id: Int, owner: Int, tile: Int, r#type: Int, veteran: Int, transported: Int, hp: Int,
        activity: Int, activity_tgt: Int, transported_by: Int,
        packet_use: Int
    }
}
crate::packet_fields! { pub(crate) struct UnitRemoveFields = "UNIT_REMOVE" { unit_id: Int } }
crate::packet_fields! {
    pub(crate) struct CombatFields = "UNIT_COMBAT_INFO" {
        attacker_unit_id: Int, defender_unit_id: Int
    }
}
crate::packet_fields! {
    pub(crate) struct ActionsFields = "UNIT_ACTIONS" {
        actor_unit_id: Int, target_unit_id: Int, target_city_id: Int, target_tile_id: Int,
        action_probabilities: Pairs
    }
}
crate::packet_fields! {
    pub(crate) struct PriceFields = "UNIT_ACTION_ANSWER" {
        actor_id: Int, target_id: Int, cost: Int, action_type: Int
    }
}
crate::packet_fields! {
    pub(crate) struct SabotageFields = "CITY_SABOTAGE_LIST" { city_id: Int, improvements: Bits }
}
crate::packet_fields! {
    pub(crate) struct MeetingFields = "DIPLOMACY_INIT_MEETING" {
        counterpart: Int, initiated_from: Int
    }
}
crate::packet_fields! {
    pub(crate) struct MeetingEndFields = "DIPLOMACY_CANCEL_MEETING" { counterpart: Int }
}
crate::packet_fields! {
    pub(crate) struct ClauseFields = "DIPLOMACY_CREATE_CLAUSE" {
        counterpart: Int, giver: Int, r#type: Int, value: Int
    }
}
crate::packet_fields! {
    pub(crate) struct ClauseEndFields = "DIPLOMACY_REMOVE_CLAUSE" {
        counterpart: Int, giver: Int, r#type: Int, value: Int
    }
}
crate::packet_fields! {
    pub(crate) struct AcceptFields = "DIPLOMACY_ACCEPT_TREATY" {
        counterpart: Int, I_accepted: Int, other_accepted: Int
    }
}
crate::packet_fields! {
    pub(crate) struct SettingFields = "SERVER_SETTING_CONST" { id: Int, name: Text }
}
crate::packet_fields! {
    pub(crate) struct SettingBoolFields = "SERVER_SETTING_BOOL" { id: Int, val: Int }
}
crate::packet_fields! {
    pub(crate) struct SettingIntFields = "SERVER_SETTING_INT" { id: Int, val: Int }
}
crate::packet_fields! {
    pub(crate) struct SettingStrFields = "SERVER_SETTING_STR" { id: Int, val: Text }
}
crate::packet_fields! {
    pub(crate) struct SettingEnumFields = "SERVER_SETTING_ENUM" {
        id: Int, val: Int, support_names: Texts
    }
}
crate::packet_fields! {
    pub(crate) struct SettingBitsFields = "SERVER_SETTING_BITWISE" {
        id: Int, val: Int, support_names: Texts
    }
}
crate::packet_fields! {
    pub(crate) struct EndReportFields = "ENDGAME_REPORT" { category_name: Texts, player_num: Int }
}
crate::packet_fields! {
    pub(crate) struct EndPlayerFields = "ENDGAME_PLAYER" {
        player_id: Int, score: Int, category_score: Ints, winner: Int
    }
}

crate::value::field_sets! {
    server: ServerFields, conn: ConnFields, chat: ChatFields, early_chat: EarlyChatFields,
    start_phase: StartPhaseFields, begin_turn: BeginTurnFields, new_year: NewYearFields,
    game: GameFields, map: MapFields,
    tile: TileFields, player: PlayerFields, player_remove: PlayerRemoveFields, dipl: DiplFields,
    research: ResearchFields, spaceship: SpaceshipFields,
    unknown_research: UnknownResearchFields, city: CityFields,
    city_short: CityShortFields, city_remove: CityRemoveFields, city_name: CityNameFields,
    unit: UnitFields, unit_short: UnitShortFields, unit_remove: UnitRemoveFields,
    combat: CombatFields, actions: ActionsFields, price: PriceFields, sabotage: SabotageFields,
    meeting: MeetingFields, meeting_end: MeetingEndFields, clause: ClauseFields,
    clause_end: ClauseEndFields,
    accept: AcceptFields, setting: SettingFields, setting_bool: SettingBoolFields,
    setting_int: SettingIntFields, setting_str: SettingStrFields,
    setting_enum: SettingEnumFields, setting_bits: SettingBitsFields,
    end_report: EndReportFields, end_player: EndPlayerFields,
}
