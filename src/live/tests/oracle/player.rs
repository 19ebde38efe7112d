//! Research, goals, governments and tax rates: each one that the ruleset knows is tried on the
//! server, and what it accepts is what the menu offered.

use saga_core::action::{Action, Actor, Outcome, Rates};
use saga_core::ids::{AdvanceId, GovernmentId};

use crate::desk::Desk;
use crate::empire::{buy, empire};
use crate::exceptions::ANARCHY_AS_AIM;

/// Nobody else is needed, and turns are short without them.
const ALONE: &[(&str, &str)] = &[("aifill", "1")];

/// Four levels of knowledge, as shares of the tree in percent.
const LEVELS: [u32; 4] = [0, 25, 60, 90];

fn known_up_to(desk: &mut Desk, percent: u32) {
    let seat = desk.seat();
    // By steps, so that whatever comes before an advance is known before it.
    let rules = desk.rules();
    let mut all: Vec<(u32, usize)> = rules
        .advances
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, a)| !a.removed)
        .map(|(id, a)| (a.steps, id))
        .collect();
    all.sort_unstable();
    let count = all.len() * percent as usize / 100;
    let ids: Vec<String> = all.iter().take(count).map(|(_, id)| id.to_string()).collect();
    desk.lua(&format!(
        "for _, i in ipairs({{{}}}) do \
           edit.give_tech(find.player({seat}), find.tech_type(i), 0, false, 'researched') \
         end",
        ids.join(",")
    ));
}

/// Tries every advance as subject and as goal; returns how many questions were put.
fn research_both_ways(ruleset: &str) -> Option<usize> {
    let mut desk = Desk::open(ruleset, ALONE)?;
    let mut asked = 0;
    for percent in LEVELS {
        known_up_to(&mut desk, percent);
        for id in 1..desk.rules().advances.len() as u16 {
            let advance = AdvanceId(id);
            for action in [Action::Research { advance }, Action::ResearchGoal { advance }] {
                let offered = desk.world.lawful(Actor::Player).contains(&action);
                let before = desk.observe().me.research;
                let (packet, stands) = match action {
                    Action::Research { .. } => ("PLAYER_RESEARCH", before.now == Some(advance)),
                    _ => ("PLAYER_TECH_GOAL", before.goal == Some(advance)),
                };
                desk.send(packet, &[("tech", i64::from(id).into())]);
                let after = desk.observe().me.research;
                let accepted = match action {
                    Action::Research { .. } => after.now == Some(advance),
                    _ => after.goal == Some(advance),
                };
                assert_eq!(offered, accepted && !stands, "{action:?} at {percent} % in {ruleset}");
                asked += 1;
            }
        }
    }
    Some(asked)
}

#[test]
fn research_and_goals_are_what_the_server_accepts() {
    let asked = ["classic", "civ2civ3"].map(research_both_ways).into_iter().sum();
    let Some::<usize>(asked) = asked else { return };
    println!("research and goals: {asked} questions, no difference");
    assert!(asked >= 1350, "{asked}");
}

/// Sends every combination of rates in steps of ten and compares; returns how many.
fn rates_both_ways(desk: &mut Desk, government: &str) -> usize {
    let mut asked = 0;
    for tax in (0..=100).step_by(10) {
        for luxury in (0..=100 - tax).step_by(10) {
            let rates = Rates { tax, luxury, science: 100 - tax - luxury };
            let stands = desk.observe().me.rates == rates;
            let offered = desk.world.lawful(Actor::Player).contains(&Action::Rates(rates));
            let field = |n: u8| i64::from(n).into();
            let fields = [("tax", tax), ("luxury", luxury), ("science", rates.science)];
            desk.send("PLAYER_RATES", &fields.map(|(name, n)| (name, field(n))));
            let accepted = desk.observe().me.rates == rates;
            assert_eq!(offered, accepted && !stands, "{rates:?} under {government}");
            asked += 1;
        }
    }
    asked
}

/// When a government is asked for.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// Under a government, with no revolution.
    Steady,
    /// While a revolution runs.
    Running,
    /// In the turn in which one ended.
    Ended,
}

/// Brings us to this moment and returns the aim of the revolution that led there.
fn bring_about(desk: &mut Desk, moment: Moment) -> Option<GovernmentId> {
    let revolution = |action: &Action| match action {
        Action::Revolution { government } => Some(*government),
        _ => None,
    };
    let choose = |desk: &mut Desk| {
        let choice = desk.world.lawful(Actor::Player).iter().find_map(revolution);
        let government = choice.expect("some other government");
        let outcome = desk.order(Actor::Player, Action::Revolution { government });
        assert_eq!(outcome, Outcome::Done, "toward {government:?}");
        government
    };
    while desk.observe().me.revolution_ends.is_some() {
        desk.end_turn();
    }
    match moment {
        Moment::Steady => None,
        Moment::Running => Some(choose(desk)),
        Moment::Ended => {
            let aim = choose(desk);
            desk.end_turn();
            Some(aim)
        }
    }
}

/// Asks for every government but the interregnum at every moment; returns how many questions.
fn governments_both_ways(ruleset: &str, percent: u32) -> Option<usize> {
    let mut desk = Desk::open(ruleset, ALONE)?;
    known_up_to(&mut desk, percent);
    let mut asked = 0;
    for moment in [Moment::Steady, Moment::Running, Moment::Ended] {
        for id in 1..desk.rules().governments.len() as u16 {
            let government = GovernmentId(id);
            let aim = bring_about(&mut desk, moment);
            let stands = desk.observe().me.government == government || aim == Some(government);
            let offered =
                desk.world.lawful(Actor::Player).contains(&Action::Revolution { government });
            desk.told();
            desk.send("PLAYER_CHANGE_GOVERNMENT", &[("government", i64::from(id).into())]);
            let says =
                |kind: &str| matches!(kind, "revolt_start" | "revolt_done" | "new_government");
            let accepted = desk.told().iter().any(|e| says(&e.kind));
            let name = &desk.rules().governments[usize::from(id)].name;
            assert_eq!(offered, accepted && !stands, "{name}, {moment:?}, {percent} %, {ruleset}");
            asked += 1;
        }
    }
    Some(asked)
}

#[test]
fn governments_are_what_the_server_accepts() {
    let levels = [("classic", 35), ("classic", 60), ("civ2civ3", 50)];
    let asked = levels.map(|(set, level)| governments_both_ways(set, level)).into_iter().sum();
    let Some::<usize>(asked) = asked else { return };
    println!("governments: {asked} questions; exception {}", ANARCHY_AS_AIM.name);
    assert!(asked >= 50, "{asked}");
}

#[test]
fn rates_under_each_government_are_what_the_server_accepts() {
    let mut asked = 0;
    for ruleset in ["classic", "civ2civ3"] {
        let Some(mut desk) = Desk::open(ruleset, ALONE) else { return };
        known_up_to(&mut desk, 100);
        let names: Vec<String> = desk.rules().governments.iter().map(|g| g.name.clone()).collect();
        for (id, name) in (0u16..).zip(&names).skip(1) {
            if desk.observe().me.government != GovernmentId(id) {
                let action = Action::Revolution { government: GovernmentId(id) };
                assert_eq!(desk.order(Actor::Player, action), Outcome::Done, "to {name}");
                asked += rates_both_ways(&mut desk, "a revolution");
                for _ in 0..2 {
                    desk.end_turn();
                }
            }
            assert_eq!(desk.observe().me.government, GovernmentId(id), "{name}");
            asked += rates_both_ways(&mut desk, name);
        }
    }
    println!("rates: {asked} questions, no difference");
    assert!(asked >= 1600, "{asked}");
}

/// A wonder that frees the choice of governments, and caps that come with buildings.
#[test]
fn a_wonder_opens_every_government() {
    for ruleset in ["classic", "civ2civ3"] {
        let Some(mut desk) = Desk::open(ruleset, ALONE) else { return };
        empire(&mut desk, 4, "Democracy");
        desk.end_turn();
        assert_eq!(buy(&mut desk, "Statue of Liberty", 1), 1);
        let count = desk.rules().governments.len() as u16;
        let mut asked = 0;
        for id in 1..count {
            let government = GovernmentId(id);
            let stands = desk.observe().me.government == government;
            let offered =
                desk.world.lawful(Actor::Player).contains(&Action::Revolution { government });
            assert_eq!(offered, !stands, "{government:?} in {ruleset}");
            desk.order(Actor::Player, Action::Revolution { government });
            desk.end_turn();
            assert_eq!(desk.observe().me.government, government, "{ruleset}");
            asked += rates_both_ways(&mut desk, &format!("{government:?}"));
        }
        println!("{ruleset}: all {} governments had, {asked} rates", count - 1);
        assert!(asked >= 320, "{asked}");
    }
}

#[test]
fn research_and_research_goal() {
    let Some(mut desk) = Desk::open("classic", ALONE) else { return };
    let menu = desk.look().me.technology_actions;
    let research = menu.iter().find(|a| matches!(a, Action::Research { .. })).expect("a subject");
    assert_eq!(desk.order(Actor::Player, research.clone()), Outcome::Done);
    let Action::Research { advance } = research else { unreachable!() };
    assert_eq!(desk.look().me.research.now, Some(*advance));
    let goal = menu.iter().rfind(|a| matches!(a, Action::ResearchGoal { .. })).expect("a goal");
    assert_eq!(desk.order(Actor::Player, goal.clone()), Outcome::Done);
    let Action::ResearchGoal { advance } = goal else { unreachable!() };
    assert_eq!(desk.look().me.research.goal, Some(*advance));
}

#[test]
fn revolution_and_rates() {
    let Some(mut desk) = Desk::open("classic", ALONE) else { return };
    known_up_to(&mut desk, 60);
    let monarchy = desk.rules().governments.iter().position(|g| g.name == "Monarchy");
    let government = GovernmentId(monarchy.expect("a monarchy") as u16);
    assert_eq!(desk.order(Actor::Player, Action::Revolution { government }), Outcome::Done);
    assert_eq!(desk.look().me.revolution_ends, Some(2));
    desk.end_turn();
    let me = desk.look().me;
    assert_eq!((me.government, me.rate_max), (government, 70));
    let rates = Rates { tax: 30, luxury: 0, science: 70 };
    assert_eq!(desk.order(Actor::Player, Action::Rates(rates)), Outcome::Done);
    assert_eq!(desk.look().me.rates, rates);
}
