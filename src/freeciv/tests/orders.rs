//! Orders carried out against a stage that answers as the server would: what is sent, in which
//! steps, and how the outcome is judged.

mod common;

use common::*;
use saga_core::action::{Action, Actor, Clause, ClauseKind, Item, Order, Outcome, Rates, Work};
use saga_core::ids::{AdvanceId, BuildingId, CityId, Dir, ExtraId, GovernmentId, PlayerId, UnitId};
use saga_freeciv::order::{OrderScript, Request, Step};
use saga_freeciv::{Value, encode, v3_0};

const THEM_ID: PlayerId = PlayerId(1);

fn start(stage: &Stage, actor: Actor, action: Action) -> OrderScript {
    stage.world.start(&Order { actor, action })
}

/// The requests of a step; each must fit the protocol table.
fn sent(script: &mut OrderScript, stage: &Stage) -> Vec<Request> {
    match script.next(&stage.world) {
        Step::Send(requests) => {
            for request in &requests {
                encode::request(v3_0(), request.packet, &request.fields).unwrap();
            }
            requests
        }
        Step::Finished(outcome) => panic!("finished with {outcome:?}"),
    }
}

fn names(requests: &[Request]) -> Vec<&str> {
    requests.iter().map(|request| request.packet).collect()
}

fn finished(script: &mut OrderScript, stage: &Stage) -> Outcome {
    match script.next(&stage.world) {
        Step::Finished(outcome) => outcome,
        Step::Send(requests) => panic!("sent {requests:?}"),
    }
}

fn field<'a>(request: &'a Request, name: &str) -> &'a Value {
    let (_, value) = request.fields.iter().find(|(field, _)| *field == name).unwrap();
    value
}

fn says(stage: &mut Stage, event: i64, words: &str) {
    stage.fold("CHAT_MSG", &[("event", event.into()), ("message", words.into())]);
}

fn refused(words: &str) -> Outcome {
    Outcome::Refused { words: words.to_owned() }
}

#[test]
fn skipping_sends_nothing_and_unlawful_orders_are_stale() {
    let mut stage = Stage::new();
    let walker = stage.unit(1, WARRIORS, 3, 3);
    let unit = Actor::Unit(walker);
    assert_eq!(finished(&mut start(&stage, unit, Action::Skip), &stage), Outcome::Done);
    let check = |stage: &Stage, actor, action| {
        assert_eq!(finished(&mut start(stage, actor, action), stage), Outcome::Stale);
    };
    check(&stage, unit, Action::FoundCity);
    check(&stage, unit, Action::Move { dir: Dir::North, to: at(0, 0) });
    check(&stage, unit, Action::Goto { to: at(3, 3) });
    check(&stage, unit, Action::Buy);
    check(&stage, Actor::Unit(UnitId(99)), Action::Sentry);
    check(&stage, Actor::City(CityId(99)), Action::Buy);
    check(&stage, Actor::Player, Action::Revolution { government: GovernmentId(5) });
    check(&stage, Actor::Toward(THEM_ID), Action::AcceptTreaty { with: THEM_ID });
    stage.foreign_unit(2, WARRIORS, 9, 9);
    check(&stage, Actor::Unit(UnitId(2)), Action::Sentry);
}

#[test]
fn a_step_is_one_order_judged_by_where_the_unit_stands() {
    let mut stage = Stage::new();
    let walker = stage.unit(1, WARRIORS, 3, 3);
    let step = Action::Move { dir: Dir::East, to: at(4, 3) };
    let begin = |stage: &Stage| {
        let mut script = start(stage, Actor::Unit(walker), step.clone());
        let requests = sent(&mut script, stage);
        (script, requests)
    };
    let (mut script, requests) = begin(&stage);
    assert_eq!(names(&requests), ["UNIT_ORDERS"]);
    assert_eq!(field(&requests[0], "src_tile"), &index(3, 3));
    assert_eq!(field(&requests[0], "dest_tile"), &index(4, 3));
    assert_eq!(field(&requests[0], "dir"), &Value::from(vec![4_i64]));
    assert_eq!(finished(&mut script, &stage), Outcome::Ignored);
    let (mut script, _) = begin(&stage);
    says(&mut stage, 93, "[c fg=\"#ff0000\"]Zone of control.[/c]");
    assert_eq!(finished(&mut script, &stage), refused("Zone of control."));
    let (mut script, _) = begin(&stage);
    assert_eq!(finished(&mut script, &stage), Outcome::Ignored, "old words do not count");
    let (mut script, _) = begin(&stage);
    says(&mut stage, 79, "Rome builds Warriors.");
    stage.unit(1, WARRIORS, 4, 3);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
    assert_eq!(finished(&mut script, &stage), Outcome::Done, "and stays so");
    stage.unit(1, WARRIORS, 3, 3);
    let (mut script, _) = begin(&stage);
    stage.fold("UNIT_REMOVE", &[("unit_id", 1.into())]);
    assert_eq!(finished(&mut script, &stage), Outcome::Done, "barbarians lived in that hut");
}

#[test]
fn going_far_sends_the_whole_path_at_once() {
    let mut stage = Stage::new();
    for y in 0..WIDTH - 1 {
        stage.tile(4, y, OCEAN, &[]);
    }
    let walker = stage.unit(1, WARRIORS, 3, 5);
    let goto = Action::Goto { to: at(5, 5) };
    let begin = |stage: &Stage| {
        let mut script = start(stage, Actor::Unit(walker), goto.clone());
        let requests = sent(&mut script, stage);
        (script, requests)
    };
    let (mut script, requests) = begin(&stage);
    assert_eq!(names(&requests), ["UNIT_ORDERS"]);
    assert_eq!(field(&requests[0], "length"), &Value::from(2));
    assert_eq!(field(&requests[0], "dir"), &Value::from(vec![7_i64, 2]), "round the bay");
    assert_eq!(field(&requests[0], "orders"), &Value::from(vec![0_i64, 0]));
    assert_eq!(field(&requests[0], "dest_tile"), &index(5, 5));
    assert_eq!(finished(&mut script, &stage), Outcome::Ignored);
    let (mut script, _) = begin(&stage);
    let under_way = [("has_orders", true.into()), ("goto_tile", index(5, 5))];
    stage.unit_with(1, WARRIORS, 3, 5, &under_way);
    assert_eq!(finished(&mut script, &stage), Outcome::Done, "it waits for its next moves");
    stage.unit(1, WARRIORS, 3, 5);
    let (mut script, _) = begin(&stage);
    stage.unit_with(1, WARRIORS, 4, 6, &under_way);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
    stage.tile(4, 6, OCEAN, &[]);
    stage.unit(1, WARRIORS, 3, 5);
    let mut cut_off = start(&stage, Actor::Unit(walker), goto.clone());
    assert_eq!(finished(&mut cut_off, &stage), Outcome::Stale, "no path is left");
}

#[test]
fn cargo_is_loaded_and_unloaded_where_it_lies() {
    let mut stage = Stage::new();
    stage.city(50, 3, 3, &[]);
    let walker = stage.unit(1, WARRIORS, 3, 3);
    let ship = stage.unit(10, TRIREME, 3, 3);
    let board = Action::Board { transport: ship };
    let mut script = start(&stage, Actor::Unit(walker), board.clone());
    let requests = sent(&mut script, &stage);
    assert_eq!(names(&requests), ["UNIT_LOAD"]);
    assert_eq!(field(&requests[0], "transporter_tile"), &index(3, 3));
    let aboard = [("transported", true.into()), ("transported_by", 10.into())];
    stage.unit_with(1, WARRIORS, 3, 3, &aboard);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
    let mut again = start(&stage, Actor::Unit(walker), board);
    assert_eq!(finished(&mut again, &stage), Outcome::Stale);
    let mut script = start(&stage, Actor::Unit(walker), Action::Leave);
    assert_eq!(names(&sent(&mut script, &stage)), ["UNIT_UNLOAD"]);
    stage.unit(1, WARRIORS, 3, 3);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
}

#[test]
fn an_attack_asks_first_and_is_done_whoever_wins() {
    let mut stage = Stage::new();
    let soldier = stage.unit(1, WARRIORS, 3, 3);
    stage.foreign_unit(9, WARRIORS, 4, 3);
    let attack = Action::Attack { at: at(4, 3) };
    let mut script = start(&stage, Actor::Unit(soldier), attack.clone());
    assert_eq!(names(&sent(&mut script, &stage)), ["UNIT_GET_ACTIONS"]);
    stage.answer(soldier, (4, 3), 0, &[]);
    assert_eq!(finished(&mut script, &stage), Outcome::Stale, "the server says no beforehand");
    stage.answer(soldier, (4, 3), 0, &[41]);
    let mut script = start(&stage, Actor::Unit(soldier), attack.clone());
    let requests = sent(&mut script, &stage);
    assert_eq!(names(&requests), ["UNIT_DO_ACTION"]);
    assert_eq!(field(&requests[0], "target_id"), &index(4, 3));
    assert_eq!(field(&requests[0], "action_type"), &41.into());
    let fight = [("attacker_unit_id", 1.into()), ("defender_unit_id", 9.into())];
    stage.fold("UNIT_COMBAT_INFO", &fight);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
    let mut script = start(&stage, Actor::Unit(soldier), attack);
    sent(&mut script, &stage);
    stage.fold("UNIT_REMOVE", &[("unit_id", 1.into())]);
    assert_eq!(finished(&mut script, &stage), Outcome::Done, "it fell, but it attacked");
}

#[test]
fn founding_asks_for_a_name_and_uses_it() {
    let mut stage = Stage::new();
    let founder = stage.unit(1, SETTLERS, 3, 3);
    let mut script = start(&stage, Actor::Unit(founder), Action::FoundCity);
    assert_eq!(names(&sent(&mut script, &stage)), ["UNIT_GET_ACTIONS"]);
    stage.answer(founder, (3, 3), 0, &[25]);
    assert_eq!(names(&sent(&mut script, &stage)), ["CITY_NAME_SUGGESTION_REQ"]);
    let suggestion = [("unit_id", 1.into()), ("name", "Carthage".into())];
    stage.fold("CITY_NAME_SUGGESTION_INFO", &suggestion);
    let requests = sent(&mut script, &stage);
    assert_eq!(names(&requests), ["UNIT_DO_ACTION"]);
    assert_eq!(field(&requests[0], "name"), &"Carthage".into());
    assert_eq!(field(&requests[0], "target_id"), &index(3, 3));
    says(&mut stage, 93, "Too near.");
    assert_eq!(finished(&mut script, &stage), refused("Too near."));
}

#[test]
fn work_stops_other_work_first() {
    let mut stage = Stage::new();
    stage.tile(3, 3, HILLS, &[]);
    let worker = stage.unit(1, WORKERS, 3, 3);
    let mine = Action::Work { work: Work::Mine, extra: Some(ExtraId(MINE)) };
    let mut script = start(&stage, Actor::Unit(worker), mine.clone());
    assert_eq!(names(&sent(&mut script, &stage)), ["UNIT_CHANGE_ACTIVITY"]);
    let roads = [("activity", 19.into()), ("activity_tgt", i64::from(ROAD).into())];
    stage.unit_with(1, WORKERS, 3, 3, &roads);
    let mut script = start(&stage, Actor::Unit(worker), mine);
    let requests = sent(&mut script, &stage);
    assert_eq!(names(&requests), ["UNIT_CHANGE_ACTIVITY", "UNIT_CHANGE_ACTIVITY"]);
    assert_eq!(field(&requests[0], "activity"), &0.into());
    assert_eq!(field(&requests[1], "activity"), &3.into());
    assert_eq!(field(&requests[1], "target"), &i64::from(MINE).into());
    let mines = [("activity", 3.into()), ("activity_tgt", i64::from(MINE).into())];
    stage.unit_with(1, WORKERS, 3, 3, &mines);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
}

#[test]
fn cities_and_our_player_are_judged_by_what_changed() {
    let mut stage = Stage::new();
    let city = stage.city(50, 3, 3, &[]);
    let barracks = Action::Produce { item: Item::Building(BuildingId(3)) };
    let mut script = start(&stage, Actor::City(city), barracks);
    let requests = sent(&mut script, &stage);
    assert_eq!(field(&requests[0], "production_kind"), &3.into());
    stage.city(50, 3, 3, &[("production_kind", 3.into()), ("production_value", 3.into())]);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);

    let mut script = start(&stage, Actor::City(city), Action::Buy);
    assert_eq!(names(&sent(&mut script, &stage)), ["CITY_BUY"]);
    says(&mut stage, 93, "Too dear.");
    assert_eq!(finished(&mut script, &stage), refused("Too dear."));

    let research = Action::Research { advance: AdvanceId(2) };
    let mut script = start(&stage, Actor::Player, research);
    assert_eq!(names(&sent(&mut script, &stage)), ["PLAYER_RESEARCH"]);
    assert_eq!(finished(&mut script, &stage), Outcome::Ignored);

    let rates = Rates { tax: 60, luxury: 0, science: 40 };
    let mut script = start(&stage, Actor::Player, Action::Rates(rates));
    assert_eq!(names(&sent(&mut script, &stage)), ["PLAYER_RATES"]);
    stage.fold(
        "PLAYER_INFO",
        &[
            ("playerno", US.into()),
            ("is_alive", true.into()),
            ("government", 1.into()),
            ("tax", 60.into()),
            ("science", 40.into()),
        ],
    );
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
}

/// A proposal of a cease-fire, and the meeting it opens.
fn propose(stage: &mut Stage) -> OrderScript {
    let clause = Clause { giver: PlayerId(0), kind: ClauseKind::CeaseFire, value: 0 };
    let action = Action::Propose { to: THEM_ID, clauses: vec![clause] };
    let mut script = start(stage, Actor::Toward(THEM_ID), action);
    assert_eq!(names(&sent(&mut script, stage)), ["DIPLOMACY_INIT_MEETING_REQ"]);
    script
}

fn meeting_opens(stage: &mut Stage, script: &mut OrderScript) {
    stage.fold("DIPLOMACY_INIT_MEETING", &[("counterpart", 1.into())]);
    let requests = sent(script, stage);
    assert_eq!(names(&requests), ["DIPLOMACY_CREATE_CLAUSE_REQ"]);
    assert_eq!(field(&requests[0], "type"), &5.into());
}

fn clause_lies(stage: &mut Stage, accepted: bool) {
    stage.fold("DIPLOMACY_CREATE_CLAUSE", &[("counterpart", 1.into()), ("type", 5.into())]);
    let answer = [("counterpart", 1.into()), ("other_accepted", accepted.into())];
    stage.fold("DIPLOMACY_ACCEPT_TREATY", &answer);
}

fn meeting_closes(stage: &mut Stage) {
    stage.fold("DIPLOMACY_CANCEL_MEETING", &[("counterpart", 1.into())]);
}

#[test]
fn a_proposal_that_pleases_is_accepted_by_both() {
    let mut stage = Stage::new();
    let mut script = propose(&mut stage);
    meeting_opens(&mut stage, &mut script);
    clause_lies(&mut stage, true);
    assert_eq!(names(&sent(&mut script, &stage)), ["DIPLOMACY_ACCEPT_TREATY_REQ"]);
    meeting_closes(&mut stage);
    assert_eq!(finished(&mut script, &stage), Outcome::Ignored, "no pact came of it");
    let mut script = propose(&mut stage);
    meeting_opens(&mut stage, &mut script);
    clause_lies(&mut stage, true);
    assert_eq!(names(&sent(&mut script, &stage)), ["DIPLOMACY_ACCEPT_TREATY_REQ"]);
    stage.pact(2);
    meeting_closes(&mut stage);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
}

#[test]
fn a_proposal_that_does_not_leaves_no_meeting_open() {
    let mut stage = Stage::new();
    for (words, outcome) in [
        (Some("*They* This deal was not very good."), "*They* This deal was not very good."),
        (None, "They did not accept."),
    ] {
        let mut script = propose(&mut stage);
        meeting_opens(&mut stage, &mut script);
        clause_lies(&mut stage, false);
        if let Some(words) = words {
            says(&mut stage, 91, words);
        }
        assert_eq!(names(&sent(&mut script, &stage)), ["DIPLOMACY_CANCEL_MEETING_REQ"]);
        meeting_closes(&mut stage);
        assert_eq!(finished(&mut script, &stage), refused(outcome));
    }
    let mut script = propose(&mut stage);
    meeting_opens(&mut stage, &mut script);
    says(&mut stage, 91, "That clause makes no sense.");
    assert_eq!(names(&sent(&mut script, &stage)), ["DIPLOMACY_CANCEL_MEETING_REQ"]);
    assert_eq!(finished(&mut script, &stage), refused("That clause makes no sense."));
    meeting_closes(&mut stage);
    let mut script = propose(&mut stage);
    assert_eq!(finished(&mut script, &stage), Outcome::Ignored, "no meeting came about");
}

#[test]
fn the_others_treaty_is_accepted_or_left() {
    let mut stage = Stage::new();
    stage
        .fold("DIPLOMACY_INIT_MEETING", &[("counterpart", 1.into()), ("initiated_from", 1.into())]);
    clause_lies(&mut stage, true);
    let accept = Action::AcceptTreaty { with: THEM_ID };
    let mut script = start(&stage, Actor::Toward(THEM_ID), accept);
    assert_eq!(names(&sent(&mut script, &stage)), ["DIPLOMACY_ACCEPT_TREATY_REQ"]);
    assert_eq!(finished(&mut script, &stage), Outcome::Ignored, "it is still on the table");
    let reject = Action::RejectTreaty { with: THEM_ID };
    let mut script = start(&stage, Actor::Toward(THEM_ID), reject);
    assert_eq!(names(&sent(&mut script, &stage)), ["DIPLOMACY_CANCEL_MEETING_REQ"]);
    meeting_closes(&mut stage);
    assert_eq!(finished(&mut script, &stage), Outcome::Done);
}
