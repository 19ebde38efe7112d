//! Numbers of the 3.0 protocol that have a meaning of their own: events, activities, pacts.

use saga_core::action::ClauseKind;
use saga_core::observation::{Activity, Stance};

/// Names of the events, by number.
const EVENTS: [&str; 131] = [
    "city_cantbuild",
    "city_lost",
    "city_love",
    "city_disorder",
    "city_famine",
    "city_famine_feared",
    "city_growth",
    "city_may_soon_grow",
    "city_aqueduct",
    "city_aq_building",
    "city_normal",
    "city_nuked",
    "city_cma_release",
    "city_gran_throttle",
    "city_transfer",
    "city_build",
    "city_production_changed",
    "worklist",
    "uprising",
    "civil_war",
    "anarchy",
    "first_contact",
    "new_government",
    "low_on_funds",
    "pollution",
    "revolt_done",
    "revolt_start",
    "spaceship",
    "my_diplomat_bribe",
    "diplomatic_incident",
    "my_diplomat_escape",
    "my_diplomat_embassy",
    "my_diplomat_failed",
    "my_diplomat_incite",
    "my_diplomat_poison",
    "my_diplomat_sabotage",
    "my_diplomat_theft",
    "enemy_diplomat_bribe",
    "enemy_diplomat_embassy",
    "enemy_diplomat_failed",
    "enemy_diplomat_incite",
    "enemy_diplomat_poison",
    "enemy_diplomat_sabotage",
    "enemy_diplomat_theft",
    "caravan_action",
    "script",
    "broadcast_report",
    "game_end",
    "game_start",
    "nation_selected",
    "destroyed",
    "report",
    "turn_bell",
    "next_year",
    "global_eco",
    "nuke",
    "hut_barb",
    "hut_city",
    "hut_gold",
    "hut_barb_killed",
    "hut_merc",
    "hut_settler",
    "hut_tech",
    "hut_barb_city_near",
    "imp_buy",
    "imp_build",
    "imp_auctioned",
    "imp_auto",
    "imp_sold",
    "tech_gain",
    "tech_learned",
    "treaty_alliance",
    "treaty_broken",
    "treaty_ceasefire",
    "treaty_peace",
    "treaty_shared_vision",
    "unit_lost_att",
    "unit_win_att",
    "unit_buy",
    "unit_built",
    "unit_lost_def",
    "unit_win_def",
    "unit_became_vet",
    "unit_upgraded",
    "unit_relocated",
    "unit_orders",
    "wonder_build",
    "wonder_obsolete",
    "wonder_started",
    "wonder_stopped",
    "wonder_will_be_built",
    "diplomacy",
    "treaty_embassy",
    "bad_command",
    "setting",
    "chat_msg",
    "message_wall",
    "chat_error",
    "connection",
    "ai_debug",
    "log_error",
    "log_fatal",
    "tech_goal",
    "unit_lost_misc",
    "city_plague",
    "vote_new",
    "vote_resolved",
    "vote_aborted",
    "city_radius_sq",
    "unit_built_pop_cost",
    "disaster",
    "achievement",
    "tech_lost",
    "tech_embassy",
    "my_spy_steal_gold",
    "enemy_spy_steal_gold",
    "spontaneous_extra",
    "unit_illegal_action",
    "my_spy_steal_map",
    "enemy_spy_steal_map",
    "my_spy_nuke",
    "enemy_spy_nuke",
    "unit_was_expelled",
    "unit_did_expel",
    "unit_action_failed",
    "unit_escaped",
    "deprecation_warning",
    "beginner_help",
    "my_unit_did_heal",
    "my_unit_was_healed",
    "multiplier",
];

/// Events about the server, the connection or the program, not about the game.
const NOISE: [&str; 15] = [
    "report",
    "turn_bell",
    "next_year",
    "setting",
    "message_wall",
    "chat_error",
    "connection",
    "ai_debug",
    "log_error",
    "log_fatal",
    "vote_new",
    "vote_resolved",
    "vote_aborted",
    "deprecation_warning",
    "beginner_help",
];

/// Events by which the server says no.
const REFUSALS: [&str; 5] =
    ["bad_command", "unit_orders", "unit_illegal_action", "unit_action_failed", "city_cantbuild"];

/// Events by which the server tells how an attempt of ours went.
const ATTEMPTS: [&str; 17] = [
    "my_diplomat_bribe",
    "my_diplomat_escape",
    "my_diplomat_embassy",
    "my_diplomat_failed",
    "my_diplomat_incite",
    "my_diplomat_poison",
    "my_diplomat_sabotage",
    "my_diplomat_theft",
    "my_spy_steal_gold",
    "my_spy_steal_map",
    "my_spy_nuke",
    "caravan_action",
    "nuke",
    "unit_did_expel",
    "unit_upgraded",
    "unit_relocated",
    "my_unit_did_heal",
];

/// The event's name in snake case; `None` for what is not about the game.
pub(crate) fn event(number: i64) -> Option<&'static str> {
    let name = usize::try_from(number).ok().and_then(|n| EVENTS.get(n))?;
    (!NOISE.contains(name)).then_some(*name)
}

/// Whether events of this name tell why a request was refused.
pub(crate) fn refuses(name: &str) -> bool {
    REFUSALS.contains(&name)
}

/// Whether events of this name tell how an attempt of ours went.
pub(crate) fn attempts(name: &str) -> bool {
    ATTEMPTS.contains(&name)
}

/// Activity numbers as sent.
pub(crate) const IDLE: u8 = 0;
pub(crate) const CLEAN_POLLUTION: u8 = 1;
pub(crate) const MINE: u8 = 3;
pub(crate) const IRRIGATE: u8 = 4;
pub(crate) const FORTIFIED: u8 = 5;
pub(crate) const SENTRY: u8 = 7;
pub(crate) const PILLAGE: u8 = 9;
pub(crate) const EXPLORE: u8 = 11;
pub(crate) const TRANSFORM: u8 = 12;
pub(crate) const FORTIFYING: u8 = 15;
pub(crate) const CLEAN_FALLOUT: u8 = 16;
pub(crate) const BASE: u8 = 18;
pub(crate) const ROAD: u8 = 19;
const CONVERT: u8 = 20;

/// What a unit with this activity number is busy with.
pub(crate) fn activity(number: u8) -> Activity {
    match number {
        IDLE => Activity::Idle,
        CLEAN_POLLUTION => Activity::CleanPollution,
        MINE => Activity::Mine,
        IRRIGATE => Activity::Irrigate,
        FORTIFIED => Activity::Fortified,
        SENTRY => Activity::Sentry,
        PILLAGE => Activity::Pillage,
        EXPLORE => Activity::Explore,
        TRANSFORM => Activity::Transform,
        FORTIFYING => Activity::Fortifying,
        CLEAN_FALLOUT => Activity::CleanFallout,
        BASE => Activity::Base,
        ROAD => Activity::Road,
        CONVERT => Activity::Convert,
        _ => Activity::Other,
    }
}

/// The pact with this number.
pub(crate) fn stance(number: u8) -> Stance {
    match number {
        0 => Stance::Armistice,
        1 => Stance::War,
        2 => Stance::CeaseFire,
        3 => Stance::Peace,
        4 => Stance::Alliance,
        6 => Stance::Team,
        _ => Stance::NoContact,
    }
}

const CLAUSES: [ClauseKind; 10] = [
    ClauseKind::Advance,
    ClauseKind::Gold,
    ClauseKind::WorldMap,
    ClauseKind::SeaMap,
    ClauseKind::City,
    ClauseKind::CeaseFire,
    ClauseKind::Peace,
    ClauseKind::Alliance,
    ClauseKind::SharedVision,
    ClauseKind::Embassy,
];

/// The clause kind with this number.
pub(crate) fn clause(number: i64) -> Option<ClauseKind> {
    usize::try_from(number).ok().and_then(|n| CLAUSES.get(n)).copied()
}

/// The number of a clause kind.
pub(crate) fn clause_number(kind: ClauseKind) -> i64 {
    CLAUSES.iter().position(|k| *k == kind).map_or(0, |n| n as i64)
}

/// What sort of barbarians, if any.
pub(crate) fn barbarian(number: u8) -> Option<&'static str> {
    match number {
        1 => Some("land"),
        2 => Some("sea"),
        3 => Some("animal"),
        4 => Some("land_and_sea"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_named_by_number_and_noise_is_dropped() {
        let check = |number, name| assert_eq!(event(number), name, "{number}");
        check(0, Some("city_cantbuild"));
        check(50, Some("destroyed"));
        check(76, Some("unit_lost_att"));
        check(93, Some("bad_command"));
        check(94, None);
        check(117, Some("unit_illegal_action"));
        check(130, Some("multiplier"));
        check(131, None);
        check(-1, None);
        assert!(refuses("bad_command") && !refuses("unit_built"));
    }

    #[test]
    fn clause_kinds_and_numbers_agree() {
        for (number, kind) in (0..).zip(CLAUSES) {
            assert_eq!((clause(number), clause_number(kind)), (Some(kind), number));
        }
        assert_eq!(clause(10), None);
    }
}
