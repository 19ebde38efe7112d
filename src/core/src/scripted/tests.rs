//! The policy from outside: its pinned choices, and that words of a directive change them in every
//! domain.

use std::fmt::Write as _;

use super::*;
use crate::backbone::Sampling;

/// Questions that touch every group of priors.
const ASKED: &[(&str, &[&str])] = &[
    (
        "unit:1 Settlers\nType: settler unit that founds cities\nDirective: none\n\
         Recent actions: move east to (3,4); explore (had no effect)",
        &[
            "found a city here, 12 free tiles: 20 food 9 shields 4 trade",
            "move west to (3,4) Hills 1/0/0, 2 steps from the site (5,4): 18 free tiles: 24 \
             food 8 shields 9 trade",
            "move north to (4,3) Grassland 2/0/0, 3 unknown tiles around",
            "join Rome as citizens",
            "improve terrain automatically",
            "explore automatically",
            "do nothing now",
        ],
    ),
    (
        "Turn 60 of 150.\ncity:2 Rome: size 1, food +1, shields +4, trade +3, gold -1, \
         science +2; defenders 0; y\nCitizens: 0 happy, 0 content, 1 unhappy; grows to size \
         8\nNation: 2 cities, 1 settler units, 1 worker units, at war with 1 of 2, 90 gold (-2 \
         a turn)\nBest site for a new city: 3 turns away, 12 free tiles: 20 food\n\
         Directive: build an improvement\nBrief: quiet here",
        &[
            "build Warriors: military unit (Land), attack 1 defence 1, moves 1, 10 shields, 3 \
             turns",
            "build Settlers: settler unit that founds cities, costs 1 citizens, 40 shields, 10 \
             turns",
            "build Temple: improvement, upkeep 1 gold, +1 content, 30 shields, 9 turns",
            "build Library: improvement, upkeep 1 gold, +50% science, 60 shields, 15 turns",
            "buy Warriors: military unit (Land), attack 1 defence 1 now for 20 of 90 gold",
            "then Library: improvement",
            "sell Temple for 30 gold, saving 1 a turn: improvement, +1 content",
            "keep building Coinage: shields become gold",
        ],
    ),
    (
        "unit:3 Warriors at (1,1)\nType: military unit, attack 1 defence 1\nStands in own city \
         Rome; other defenders here: 1\nForeign nearby: Legion of Pirates (barbarians, always \
         hostile) 1 tiles away\nDirective: none",
        &[
            "fortify here",
            "attack Legion of Pirates at (1,2), defence 2 with 3 hp against our attack 1 with \
             10 hp, terrain +50%",
            "go to own city Ostia (3,3) with 0 defenders, 3 turns",
            "disband unit",
            "upgrade unit at own city Rome (1,1) for 30 gold",
        ],
    ),
    (
        "Nation: 5 gold (-2 a turn), (no rate above 60), 2 cities (0 in disorder)\nResearch: \
         nothing (3/9 bulbs, +4 a turn), goal none\nToward X: cease-fire, about to run out \
         into war in 3 turns\nDirective: none",
        &[
            "rates: tax 60 luxury 0 science 40, +2 gold +3 bulbs",
            "start a revolution to become a Monarchy: rates up to 70",
            "propose peace to X",
            "propose our embassy for their embassy to X",
            "research Alphabet now, opens building Library",
            "goal Monarchy, 3 advances away, opens government Monarchy",
            "leave everything as it is, tax 40 luxury 0 science 60, -2 gold +4 bulbs",
        ],
    ),
];

#[test]
fn a_changed_policy_is_a_new_revision() {
    let mut all = format!("revision {REVISION}\n");
    for (facts, options) in ASKED {
        let message = Message::user(format!("{facts}\nOptions:\n"));
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        let messages = vec![message];
        let asked = Asked::read(&messages);
        let worth = asked.worth(&options);
        for option in &options {
            writeln!(all, "{:.6} {option}", asked.score(option, &worth)).expect("a string");
        }
    }
    let sampling = Sampling { temperature: 0.0, tokens_max: 9, seed: 7 };
    let options: Vec<String> = (0..9).map(|i| format!("option {i}")).collect();
    for backbone in EMBEDDED {
        let prompt = Prompt {
            backbone: (*backbone).to_owned(),
            sampling: sampling.clone(),
            messages: Vec::new(),
            answer: AnswerShape::Choice { options: options.clone() },
        };
        let answer = Embedded.complete(&place(), &prompt).expect("no outage").expect("no fault");
        writeln!(all, "{backbone} {}", answer.text).expect("a string");
    }
    let hash = blake3::hash(all.as_bytes()).to_hex()[..16].to_owned();
    assert_eq!(
        hash, "bc3fa5863227a281",
        "another policy: raise REVISION, then pin this hash\n{all}"
    );
}

/// What is chosen under a directive.
fn chosen<'a>(facts: &str, options: &[&'a str], directive: &str) -> &'a str {
    let question = format!("{facts}\nDirective: {directive}\nOptions:\n");
    let prompt = Prompt {
        backbone: NAME.to_owned(),
        sampling: Sampling { temperature: 0.0, tokens_max: 9, seed: 7 },
        messages: vec![Message::user(question)],
        answer: AnswerShape::Choice { options: options.iter().map(ToString::to_string).collect() },
    };
    let answer = Scripted.complete(&place(), &prompt).expect("no outage").expect("no fault");
    options[answer.text.parse::<usize>().expect("a number") - 1]
}

/// A question, its options, and how the choice begins under each directive.
type Case = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// What every question to our player begins with.
const NATION: &str = "Nation: 50 gold (+2 a turn), (no rate above 60), 2 cities (0 in disorder)\n\
                      Research: Pottery (3/9 bulbs, +4 a turn), goal none\nToward X: peace";

/// One question or more of each domain.
const CASES: &[Case] = &[
    (
        "Turn 30 of 150.\ncity:2 Rome: size 3, food +2, shields +4, trade +3, science \
                +2; defenders 1; y\nNation: 2 cities, 1 settler units, 1 worker units, 90 gold \
                (+2 a turn)\nBest site for a new city: 3 turns away, 12 free tiles",
        &[
            "build Warriors: military unit (Land), attack 1 defence 1, 10 shields, 3 turns",
            "build Settlers: settler unit that founds cities, 40 shields, 10 turns",
            "build Temple: improvement, upkeep 1 gold, +1 content, 30 shields, 8 turns",
            "keep building Coinage: shields become gold, +4 gold a turn",
        ],
        &[
            ("none", "build Settlers"),
            ("build a Temple", "build Temple"),
            ("train Warriors to defend", "build Warriors"),
        ],
    ),
    (
        "unit:1 Settlers\nType: settler unit that founds cities",
        &[
            "found a city here, 9 free tiles: 10 food 5 shields 4 trade",
            "stand sentry here until an enemy comes",
            "explore automatically",
            "do nothing now",
        ],
        &[("none", "found"), ("wait as a sentry for the enemy", "stand sentry")],
    ),
    (
        "unit:3 Archers\nType: military unit, attack 3 defence 2\nStands in own city Rome; \
         other defenders here: 1",
        &[
            "fortify here",
            "explore automatically",
            "attack Phalanx of X at (1,2), defence 2 with 9 hp against our attack 3 with 10 hp",
            "go to own city Ostia (3,3) with 1 defenders, 3 turns",
        ],
        &[
            ("none", "fortify"),
            ("explore the map", "explore"),
            ("attack the enemy Phalanx", "attack"),
            ("hold the city of Ostia", "go to own city Ostia"),
        ],
    ),
    (
        NATION,
        &[
            "start a revolution to become a Monarchy: rates up to 70",
            "rates: tax 60 luxury 0 science 40, +3 gold +3 bulbs",
            "rates: tax 0 luxury 40 science 60, -4 gold +4 bulbs",
            "leave everything as it is, tax 40 luxury 0 science 60, +2 gold +4 bulbs",
        ],
        &[
            ("none", "leave"),
            ("become a Monarchy by revolution", "start"),
            ("other rates: raise tax", "rates: tax 60"),
        ],
    ),
    (
        NATION,
        &[
            "research Alphabet now, opens building Library",
            "research Bronze Working now, opens wonder Colossus",
            "goal Monarchy, 3 advances away, opens government Monarchy",
            "leave everything as it is",
        ],
        &[("none", "goal"), ("research Bronze Working", "research Bronze")],
    ),
    (
        NATION,
        &[
            "propose peace to X",
            "propose our embassy for their embassy to X",
            "cancel the pact with X",
            "leave everything as it is",
        ],
        &[
            ("none", "leave"),
            ("make peace", "propose peace"),
            ("exchange embassies", "propose our"),
        ],
    ),
];

#[test]
fn a_directive_changes_the_choice_in_every_domain() {
    for (facts, options, directives) in CASES {
        for (directive, begins) in *directives {
            let chosen = chosen(facts, options, directive);
            assert!(chosen.starts_with(begins), "{directive:?} chose {chosen:?}");
        }
    }
}

fn place() -> CallId {
    let (role, entity) = ("controller:city".to_owned(), String::new());
    CallId { turn: 1, round: 1, role, entity, attempt: 1 }
}
