//! What units may do beside moving and working: told from the rules where it concerns only
//! ourselves, from answers otherwise, and never more often asked than needed.

mod common;

use common::*;
use saga_core::action::{Action, Outcome, Part};
use saga_core::ids::{BuildingId, UnitId};
use saga_freeciv::{Step, Value};

const PHALANX: i64 = 4;
const SPY: i64 = 45;
const CARAVAN: i64 = 46;
/// Events.
const MY_DIPLOMAT_FAILED: i64 = 32;
const BAD_COMMAND: i64 = 93;

fn gold(stage: &mut Stage, gold: i64) {
    let fields = [("playerno", US.into()), ("is_alive", true.into()), ("gold", gold.into())];
    stage.fold("PLAYER_INFO", &fields);
}

fn kinds(stage: &Stage, unit: UnitId) -> Vec<String> {
    let specials = stage.menu(unit).into_iter();
    let specials = specials.filter(|a| matches!(a, Action::Special { .. }));
    specials.map(|a| a.kind().to_owned()).collect()
}

fn asked(stage: &Stage) -> Vec<&'static str> {
    stage.world.questions().iter().map(|q| q.packet).collect()
}

#[test]
fn a_soldier_in_his_city_costs_no_question() {
    let mut stage = Stage::new();
    gold(&mut stage, 0);
    stage.city(50, 3, 3, &[("shield_stock", 4.into())]);
    let soldier = stage.unit(1, WARRIORS, 3, 3);
    assert!(asked(&stage).is_empty());
    assert_eq!(kinds(&stage, soldier), ["disband_unit_recover"], "his shields would serve");
    stage.city(50, 3, 3, &[("shield_stock", 10.into())]);
    assert_eq!(kinds(&stage, soldier), ["disband_unit"], "the city lacks nothing");
    let away = stage.unit(2, WARRIORS, 6, 6);
    assert_eq!(kinds(&stage, away), ["disband_unit"]);
    let housed = stage.unit_with(3, WARRIORS, 3, 3, &[("homecity", 51.into())]);
    assert_eq!(kinds(&stage, housed), ["home_city", "disband_unit"]);
    let at_home = stage.unit_with(4, WARRIORS, 3, 3, &[("homecity", 50.into())]);
    assert_eq!(kinds(&stage, at_home), ["disband_unit"]);
}

#[test]
fn upgrades_are_offered_with_their_price_when_it_can_be_paid() {
    let mut stage = Stage::new();
    let rules = stage.rules();
    let phalanx = rules.unit_types.iter().position(|t| t.name == "Phalanx");
    assert_eq!(phalanx, Some(PHALANX as usize));
    stage.city(50, 3, 3, &[("shield_stock", 10.into())]);
    let unit = stage.unit(1, PHALANX, 3, 3);
    gold(&mut stage, 1000);
    stage.know(&["Bronze Working"]);
    assert_eq!(kinds(&stage, unit), ["disband_unit"], "nothing better is known");
    stage.know(&["Bronze Working", "Feudalism"]);
    // Pikemen cost 20 shields, of which half a Phalanx is 10: 2 * 10 + 10 * 10 / 20.
    let menu = stage.menu(unit);
    let cost = menu.iter().find_map(|a| match a {
        Action::Special { name, cost, .. } if name == "upgrade_unit" => *cost,
        _ => None,
    });
    assert_eq!(cost, Some(25));
    gold(&mut stage, 24);
    assert_eq!(kinds(&stage, unit), ["disband_unit"]);
}

#[test]
fn what_costs_gold_waits_for_its_price() {
    let mut stage = Stage::new();
    gold(&mut stage, 100);
    stage.foreign_unit(9, WARRIORS, 3, 4);
    let diplomat = stage.unit(1, DIPLOMAT, 3, 3);
    assert_eq!(asked(&stage), ["UNIT_GET_ACTIONS", "UNIT_ACTION_QUERY"]);
    stage.answer_about_unit(diplomat, (3, 4), 9, &[21]);
    assert_eq!(kinds(&stage, diplomat), ["disband_unit"], "the price is not known");
    let mut price = |cost: i64| {
        let fields = [
            ("actor_id", diplomat.0.into()),
            ("target_id", 9.into()),
            ("action_type", 21.into()),
            ("cost", cost.into()),
        ];
        stage.fold("UNIT_ACTION_ANSWER", &fields);
        kinds(&stage, diplomat)
    };
    assert_eq!(price(101), ["disband_unit"], "too dear");
    assert_eq!(price(100), ["bribe_unit", "disband_unit"]);
    assert!(asked(&stage).is_empty(), "nothing is asked twice");
}

#[test]
fn spies_aim_at_what_they_see_inside() {
    let mut stage = Stage::new();
    let rules = stage.rules();
    let named = |name: &str| {
        let found = rules.buildings.iter().position(|b| b.name == name).expect("a building");
        BuildingId(found as u16)
    };
    stage.foreign_city(50, 3, 4, true);
    let spy = stage.unit(1, SPY, 3, 3);
    let packets = asked(&stage);
    assert_eq!(packets.iter().filter(|p| **p == "UNIT_ACTION_QUERY").count(), 2, "{packets:?}");
    stage.answer(spy, (3, 4), 50, &[11]);
    let mut inside = [0u8; 25];
    for name in ["Library", "Palace"] {
        let id = usize::from(named(name).0);
        inside[id / 8] |= 1 << (id % 8);
    }
    let fields = [("city_id", 50.into()), ("improvements", Value::Bits(inside.to_vec().into()))];
    stage.fold("CITY_SABOTAGE_LIST", &fields);
    let parts: Vec<_> = stage
        .menu(spy)
        .into_iter()
        .filter_map(|a| match a {
            Action::Special { part, .. } => part,
            _ => None,
        })
        .collect();
    let library = Part::Building(named("Library"));
    assert_eq!(parts, [Part::Production, library], "a palace cannot be sabotaged");
}

#[test]
fn only_those_are_asked_about_whom_the_rules_let_act() {
    let mut stage = Stage::new();
    stage.city(50, 3, 3, &[]);
    stage.unit(1, CARAVAN, 3, 4);
    assert_eq!(asked(&stage), ["UNIT_GET_ACTIONS"], "a caravan beside our city");
    stage.unit(2, WARRIORS, 3, 4);
    stage.unit(3, WORKERS, 3, 2);
    assert_eq!(asked(&stage).len(), 1, "the others have nothing to ask");
    stage.foreign_city(51, 3, 5, false);
    stage.pact(PEACE);
    assert_eq!(asked(&stage).len(), 2, "only the caravan cares for a city in peace");
    stage.pact(WAR);
    assert_eq!(asked(&stage).len(), 3, "a soldier does in war");
}

#[test]
fn an_attempt_counts_even_when_it_fails() {
    let outcome_after = |told: Option<(i64, &str)>| {
        let mut stage = Stage::new();
        stage.foreign_city(50, 3, 4, true);
        let spy = stage.unit(1, SPY, 3, 3);
        stage.answer(spy, (3, 4), 50, &[13]);
        let theft = stage.menu(spy).into_iter().find(|a| a.kind() == "steal_tech_escape");
        let mut script = stage.world.start(&order(spy, theft.expect("it was allowed")));
        let Step::Send(sent) = script.next(&stage.world) else { panic!("nothing is sent") };
        assert_eq!(sent[0].packet, "UNIT_DO_ACTION");
        if let Some((event, message)) = told {
            stage.fold("CHAT_MSG", &[("event", event.into()), ("message", message.into())]);
        }
        match script.next(&stage.world) {
            Step::Finished(outcome) => outcome,
            Step::Send(more) => panic!("more is sent: {more:?}"),
        }
    };
    assert_eq!(outcome_after(Some((MY_DIPLOMAT_FAILED, "Nothing found."))), Outcome::Done);
    let words = "Not now.".to_owned();
    assert_eq!(outcome_after(Some((BAD_COMMAND, "Not now."))), Outcome::Refused { words });
    assert_eq!(outcome_after(None), Outcome::Ignored);
}

#[test]
fn what_a_city_builds_and_our_embassies_make_answers_stale() {
    let mut stage = Stage::new();
    stage.city(50, 3, 3, &[]);
    let caravan = stage.unit(1, CARAVAN, 3, 4);
    stage.foreign_city(60, 2, 5, false);
    let tiles = |stage: &Stage| -> Vec<Value> {
        stage.world.questions().iter().map(|q| q.fields[1].1.clone()).collect()
    };
    let answer_all = |stage: &mut Stage| {
        stage.answer(caravan, (3, 3), 50, &[20]);
        stage.answer(caravan, (2, 5), 60, &[19]);
        assert!(tiles(stage).is_empty(), "{:?}", stage.world.questions());
    };
    assert!(!tiles(&stage).is_empty());
    answer_all(&mut stage);
    stage.city(50, 3, 3, &[]);
    assert!(tiles(&stage).is_empty(), "nothing has changed");
    let wonder = [("production_kind", 3.into()), ("production_value", 40.into())];
    stage.city(50, 3, 3, &wonder);
    assert_eq!(tiles(&stage), [index(3, 3)], "it builds something else");
    assert!(!kinds(&stage, caravan).contains(&"help_wonder".to_owned()));
    answer_all(&mut stage);
    let mut embassies = vec![0_i64; 100];
    embassies[1] = 1;
    let me = [("playerno", US.into()), ("is_alive", true.into())];
    stage.fold("PLAYER_INFO", &[&me[..], &[("real_embassy", embassies.into())]].concat());
    assert_eq!(tiles(&stage).len(), 2, "an embassy is gained");
}
