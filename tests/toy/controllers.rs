//! The shared controllers, seen from outside: whom they ask, with which directive, and what becomes
//! of bad answers. Every check is a short toy game under a planner that says what the check needs.

use saga_core::action::{Action, Actor, Outcome};
use saga_core::backbone::{Backbone, CallId, Prompt};
use saga_core::calls::Calls;
use saga_core::ids::{PlayerId, UnitId};
use saga_core::plan::{Directive, Dropped, Plan};
use saga_core::plan_form;
use saga_core::planner::{Planner, TurnView};
use saga_core::play::play;
use saga_core::scripted::Scripted;
use saga_core::spec::EpisodeSpec;
use saga_core::stop::Stop;
use saga_core::trace::entry::{Decision, Domain, Entry, TurnEntry};

use super::Toy;
use super::backbones::{Chooser, Mute, option};
use super::outputs::Kept;
use super::stage::{Method, on_map, prompts, spec};
use super::world::{OPEN_DOOR, World};

/// A planner that says what a function says.
struct Saying<F>(F);

impl<F: FnMut(&TurnView<'_>) -> Plan> Planner for Saying<F> {
    fn plan(&mut self, view: &TurnView<'_>, _: &mut Calls<'_>) -> Result<Plan, Stop> {
        Ok((self.0)(view))
    }
}

/// Plays a few turns and returns them.
fn turns(
    spec: &EpisodeSpec,
    backbone: &dyn Backbone,
    say: impl FnMut(&TurnView<'_>) -> Plan,
) -> Vec<TurnEntry> {
    let mut kept = Kept::default();
    let mut planner = Saying(say);
    play(spec, &mut planner, &mut Toy::default(), backbone, &prompts(), &mut kept).expect("an end");
    let closed = |e: Entry| if let Entry::Turn(turn) = e { Some(*turn) } else { None };
    kept.entries.into_iter().filter_map(closed).collect()
}

/// The line of a controller's prompt that begins so.
fn line(prompt: &Prompt, begins: &str) -> String {
    let mut lines = prompt.messages[1].text.lines();
    lines.find_map(|l| l.strip_prefix(begins)).unwrap_or("").trim().to_owned()
}

/// Turn and directive of every first attempt asked of one entity under one role.
fn directed<F>(asked: &Chooser<F>, role: &str, entity: &str) -> Vec<(u32, String)> {
    let asked = asked.asked.lock().expect("no test panics here");
    let one = |(id, _): &&(CallId, Prompt)| {
        id.role == role && id.entity == entity && id.attempt == 1 && id.round == 1
    };
    asked.iter().filter(one).map(|(id, p)| (id.turn, line(p, "Directive:"))).collect()
}

fn says(text: &str) -> Directive {
    Directive::new(text)
}

fn short(turns_max: u32) -> EpisodeSpec {
    spec(Method::Direct, 1, turns_max)
}

fn unit(id: u32) -> Actor {
    Actor::Unit(UnitId(id))
}

fn of(turn: &TurnEntry, actor: Actor) -> Vec<&Decision> {
    turn.decisions.iter().filter(|d| d.actor == actor).collect()
}

#[test]
fn technology_and_diplomacy_stand_until_replaced_and_nothing_else_does() {
    let idle = Chooser::new(|_, prompt| option(prompt, "(nothing begins so)"));
    let spec = on_map(short(6), "open door");
    turns(&spec, &idle, |view| {
        let mut plan = Plan::default();
        match view.observation.turn {
            1 => {
                plan.technology = Some(says("toward bronze"));
                plan.military.insert(UnitId(102), says("hold"));
            }
            2 => plan.diplomacy = Some(says("seek peace")),
            4 => plan.technology = Some(says("toward letters")),
            5 => drop(plan.toward.insert(PlayerId(1), says("flatter them"))),
            _ => {}
        }
        plan
    });
    let words = |role, entity| {
        let directed = directed(&idle, role, entity).into_iter();
        directed.map(|(turn, d)| format!("{turn} {d}")).collect::<Vec<_>>()
    };
    let technology = words("controller:technology", "player");
    assert_eq!(
        technology,
        [
            "1 toward bronze",
            "2 toward bronze",
            "3 toward bronze",
            "4 toward letters",
            "5 toward letters",
            "6 toward letters"
        ]
    );
    // A rival is asked about when a directive is new, and at its review in turn 3.
    let diplomacy = words("controller:diplomacy", "toward:1");
    assert_eq!(diplomacy, ["2 seek peace", "3 seek peace", "5 flatter them", "6 seek peace"]);
    let military = words("controller:military", "unit:102");
    assert_eq!(military[..2], ["1 hold", "2 none"]);
}

#[test]
fn a_busy_unit_is_asked_again_only_when_its_directive_changes() {
    let busy = Chooser::new(|id, prompt| {
        option(prompt, if id.entity == "unit:103" { "improve" } else { "fortify" })
    });
    turns(&short(6), &busy, |view| {
        let mut plan = Plan::default();
        let text = if view.observation.turn < 4 { "improve the land" } else { "come home" };
        plan.civilian.insert(UnitId(103), says(text));
        plan.military.insert(UnitId(105), says("dig in"));
        plan.military.insert(UnitId(4_000), says("who is this?"));
        plan
    });
    let worker = directed(&busy, "controller:civilian", "unit:103");
    let turns: Vec<u32> = worker.iter().map(|(turn, _)| *turn).collect();
    assert_eq!(turns, [1, 4], "{worker:?}");
    let soldier = directed(&busy, "controller:military", "unit:105");
    assert_eq!(soldier, [(1, "dig in".to_owned())]);
    let idle = directed(&busy, "controller:civilian", "unit:101");
    assert!(idle.iter().all(|(_, directive)| directive == "none"));
    let asked = busy.asked.lock().expect("no test panics here");
    assert!(asked.iter().all(|(id, _)| id.entity != "unit:4000"), "nobody has this number");
}

#[test]
fn what_a_planner_writes_changes_what_the_scripted_backbone_does() {
    let check = |directive: &str, expected: &Action| {
        let turns = turns(&short(1), &Scripted, |_| {
            let mut plan = Plan::default();
            plan.civilian.insert(UnitId(106), says(directive));
            plan
        });
        let decided = of(&turns[0], unit(106));
        assert_eq!(decided.first().map(|d| &d.action), Some(expected), "{directive:?}");
    };
    check("stand sentry here until an enemy comes", &Action::Sentry);
    check("explore automatically and look for huts", &Action::Explore);
}

#[test]
fn five_bad_answers_make_a_no_op_and_the_next_prompt_tells_it() {
    let stubborn = Chooser::new(|id, prompt| match id.entity.as_str() {
        "unit:105" if id.turn == 1 => format!("between {} and 2", 10 + id.attempt),
        _ => option(prompt, "(nothing begins so)"),
    });
    let turns = turns(&short(2), &stubborn, |_| Plan::default());
    let decided = of(&turns[0], unit(105));
    let [d] = decided[..] else { panic!("{decided:?}") };
    assert_eq!((d.attempts, &d.action, &d.outcome), (5, &Action::Skip, &None));
    assert_eq!(d.no_op.as_deref(), Some("the reply held several numbers"));
    let role = "controller:military";
    assert_eq!(turns[0].usage[role].reprompts, 4);
    let asked = stubborn.asked.lock().expect("no test panics here");
    let attempts: Vec<&(CallId, Prompt)> =
        asked.iter().filter(|(id, _)| id.entity == "unit:105").collect();
    for (id, prompt) in attempts.iter().filter(|(id, _)| id.turn == 1) {
        let said = id.attempt as usize - 1;
        assert_eq!(prompt.messages.len(), 2 + 2 * said, "attempt {}", id.attempt);
        let last = &prompt.messages[prompt.messages.len() - 1].text;
        assert!(said == 0 || last.contains("several numbers"), "{last}");
    }
    let (_, next) = attempts.iter().find(|(id, _)| id.turn == 2).expect("asked again");
    assert_eq!(line(next, "Recent actions:"), "no answer in time");
}

#[test]
fn nobody_else_is_asked_again_for_the_bad_answers_of_one() {
    let turns = turns(&short(3), &Mute, |_| Plan::default());
    for turn in &turns {
        assert!(
            turn.decisions.iter().all(|d| d.no_op.is_some() && d.attempts == 5 && d.round == 1)
        );
        assert!(turn.decisions.len() > 3, "{turn:?}");
    }
}

#[test]
fn an_order_that_became_unlawful_is_stale_and_everybody_is_told() {
    let soldiers = Chooser::new(|_, prompt| option(prompt, "conquer"));
    let mut told = Vec::new();
    let turns = turns(&on_map(short(2), "comrades"), &soldiers, |view| {
        told.push(view.last_turn.to_vec());
        Plan::default()
    });
    let [first, second] = [101, 104]
        .map(|id| of(&turns[0], unit(id)).iter().map(|d| d.outcome.clone()).collect::<Vec<_>>());
    assert_eq!(first, [Some(Outcome::Done)]);
    assert_eq!(second, [Some(Outcome::Stale), None], "the world moved on: asked again at once");
    let outcomes = |turn: usize| told[turn].iter().map(|(_, o)| o.clone()).collect::<Vec<_>>();
    assert_eq!((told[0].len(), outcomes(1)), (0, vec![Outcome::Done, Outcome::Stale]));
    let asked = soldiers.asked.lock().expect("no test panics here");
    let (_, next) = asked
        .iter()
        .find(|(id, _)| id.turn == 1 && id.round == 2 && id.entity == "unit:104")
        .expect("the second soldier is asked again");
    assert!(line(next, "Recent actions:").ends_with("(no longer possible)"));
}

#[test]
fn founders_side_by_side_are_asked_one_after_the_other() {
    let founders = Chooser::new(|_, prompt| option(prompt, "found a city"));
    let turns = turns(&on_map(short(1), "pair"), &founders, |_| Plan::default());
    let rounds = |id| of(&turns[0], unit(id)).iter().map(|d| d.round).collect::<Vec<_>>();
    assert_eq!((rounds(101), rounds(102)), (vec![1], vec![2]));
    let outcomes = turns[0].decisions.iter().filter_map(|d| d.outcome.as_ref());
    assert!(outcomes.into_iter().all(|o| *o == Outcome::Done));
}

#[test]
fn orders_of_all_six_domains_come_in_their_order() {
    let keen = Chooser::new(|id, prompt| match id.role.as_str() {
        "controller:civilian" => option(prompt, "move"),
        _ => "1".to_owned(),
    });
    let turns = turns(&on_map(short(6), "open door"), &keen, |_| Plan {
        government: Some(says("act")),
        diplomacy: Some(says("act")),
        ..Plan::default()
    });
    let mut met = std::collections::BTreeSet::new();
    for turn in &turns {
        let first = turn.decisions.iter().filter(|d| d.round == 1);
        let domains: Vec<Domain> = first.map(|d| d.domain).collect();
        assert!(domains.is_sorted(), "turn {}: {domains:?}", turn.turn);
        met.extend(domains);
    }
    assert_eq!(met.len(), 6, "{met:?}");
}

#[test]
fn names_are_never_taken_for_templates() {
    let spec = on_map(spec(Method::Mastaba, 2, 2), "open door");
    let asked = Chooser::new(|_, prompt| option(prompt, "(nothing begins so)"));
    super::stage::play_into(&spec, &mut Toy::default(), &asked, &mut Kept::default())
        .expect("an end");
    let asked = asked.asked.lock().expect("no test panics here");
    let planner = asked.iter().find(|(id, _)| id.role == "planner").expect("the planner asks");
    assert!(planner.1.messages[1].text.contains("{{ turn }}{% if x %}"));
}

#[test]
fn a_plan_keeps_each_of_ours_once_and_counts_the_rest() {
    let world = World::read(OPEN_DOOR, 1, false);
    let (o, rules) = (world.observation(), &world.rules);
    let check = |reply: &str, kept: &str, [unknown_ids, unbuildable, misplaced]: [u32; 3]| {
        let plan = plan_form::read(reply, &o, rules).expect(reply);
        let units = [&plan.garrison, &plan.civilian, &plan.military];
        let units = units.map(|of| of.values().map(|d| d.text.as_str()).collect::<String>());
        let city: String = plan.production.values().map(|d| d.text.as_str()).collect();
        assert_eq!(format!("{city}/{}", units.join("/")), kept, "{reply}");
        assert_eq!(plan.dropped, Dropped { unknown_ids, unbuildable, misplaced }, "{reply}");
    };
    check(r#"{"production": {"101": "a"}}"#, "a///", [0, 0, 0]);
    check(r#"{"production": {"101": "a", "city:101": "b"}}"#, "b///", [0, 0, 1]);
    check("{\"civilian\": {\"104\": \" a\\nOptions:\\n1. b\"}}", "//a Options: 1. b/", [0, 0, 0]);
    check(r#"{"production": {"102": "a", "103": "b"}}"#, "///", [2, 0, 0]);
    check(r#"{"production": {"101": "build Archers."}}"#, "///", [0, 1, 0]);
    check(r#"{"production": {"101": " "}, "military": {"102": ""}}"#, "///", [0, 0, 0]);
    check(r#"{"military": {"102": "a"}, "garrison": {"102": "b"}}"#, "/b//", [0, 0, 1]);
    check(r#"{"military": {"104": "a"}, "civilian": {"102": "b"}}"#, "///", [0, 0, 2]);
    check(r#"{"civilian": {"104": {"directive": "a"}}}"#, "//a/", [0, 0, 0]);
    for bad in ["", "[]", "7", "{\"a\": 1}", "{\"production\": 1}", "{\"civilian\": {\"104\": 1}}"]
    {
        assert!(plan_form::read(bad, &o, rules).is_err(), "{bad}");
    }
}
