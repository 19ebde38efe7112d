//! The `scripted` backbone: a deterministic, seedable policy that answers the same prompts a model
//! gets, so that everything runs, replays and is tested for nothing. It is not a language model.
//!
//! It reads what the prompt carries and nothing else: never who asks, never hidden state. Options
//! are scored by how well their words match the directive and brief, with small fixed priors and a
//! seeded tie-break; JSON is filled by the same scores. So what a planner writes changes what
//! happens.

mod controls;
mod fill;
mod priors;
mod words;

use crate::backbone::{
    AnswerShape, Backbone, CallId, Completion, Fault, Message, Prompt, Speaker, Usage,
};
use crate::stop::Stop;

pub use controls::{EMBEDDED, Embedded};

/// Name of the backbone in specs and results; the word every table made with it carries.
pub const NAME: &str = "scripted";

/// Raised whenever one of the embedded backbones would answer some prompt otherwise.
pub const REVISION: u32 = 2;

/// The policy. It has no state.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scripted;

impl Backbone for Scripted {
    fn complete(&self, _: &CallId, prompt: &Prompt) -> Result<Result<Completion, Fault>, Stop> {
        let seed = prompt.sampling.seed;
        let text = match &prompt.answer {
            AnswerShape::Choice { options } => {
                let asked = Asked::read(&prompt.messages);
                let worth = asked.worth(options);
                (best(options, |o| asked.score(o, &worth), seed) + 1).to_string()
            }
            AnswerShape::Json { schema } | AnswerShape::Tools { schema, .. } => {
                fill::fill(schema, fill::Wish::Fitting(situation(&prompt.messages)), seed)
                    .to_string()
            }
            AnswerShape::Text => summary(situation(&prompt.messages)),
        };
        Ok(Ok(completed(prompt, NAME, text)))
    }
}

/// A completion with estimated tokens.
fn completed(prompt: &Prompt, model: &str, text: String) -> Completion {
    let input: usize = prompt.messages.iter().map(|m| m.text.len()).sum();
    let usage = Usage {
        input: Some(tokens(input)),
        output: Some(tokens(text.len())),
        cached: None,
        reasoning: None,
        estimated: true,
    };
    Completion {
        text,
        tool_calls: Vec::new(),
        usage,
        model: model.to_owned(),
        probabilities: None,
        response: None,
    }
}

/// A controller's question, taken apart.
struct Asked<'a> {
    /// Everything before the list of options.
    facts: &'a str,
    /// Words of directive and brief.
    wanted: Vec<String>,
    /// Recent actions that came to nothing.
    failed: Vec<&'a str>,
    /// Places gone to recently, as `to (3,4)`.
    trail: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    fn read(messages: &'a [Message]) -> Self {
        let users = messages.iter().filter(|m| m.speaker == Speaker::User);
        let text = users.map(|m| m.text.as_str()).find(|t| t.contains("Options:")).unwrap_or("");
        let facts = text.split("\nOptions:").next().unwrap_or("");
        let line =
            |name: &str| facts.lines().find_map(|l| l.strip_prefix(name)).map_or("", str::trim);
        let directive = line("Directive:");
        let mut wanted = Vec::new();
        if directive != "none" {
            wanted = words::of(directive);
        }
        wanted.extend(words::of(line("Brief:")));
        let came_to_nothing = |a: &&str| {
            ["(had no effect)", "(refused", "(no longer possible)"].iter().any(|w| a.contains(w))
        };
        let recent = || line("Recent actions:").split("; ");
        let failed = recent().filter(came_to_nothing).collect();
        let trail = recent().filter_map(|a| a.find("to (").map(|i| &a[i..])).collect();
        Self { facts, wanted, failed, trail }
    }

    /// How much each wanted word tells options apart: nearly 1 when one of many has it, a quarter
    /// when all have. Plain arithmetic, the same everywhere.
    fn worth(&self, options: &[String]) -> Vec<f64> {
        let worth = |word: &String| {
            let sharing = options.iter().filter(|o| words::holds(o, word)).count().max(1);
            options.len() as f64 / (options.len() + 3 * sharing) as f64
        };
        self.wanted.iter().map(worth).collect()
    }

    fn score(&self, option: &str, worth: &[f64]) -> f64 {
        let option_words = words::of(option);
        let named = words::of(words::head(option));
        let mut score = priors::score(self.facts, option);
        for (word, worth) in self.wanted.iter().zip(worth) {
            if option_words.contains(word) {
                score += if named.contains(word) { NAMED } else { DIRECTED } * worth;
            }
        }
        let repeats = |a: &&&str| {
            let what = a.split(" (").next().unwrap_or("");
            words::of_same_kind(what, option)
        };
        let retraced = self.trail.iter().filter(|t| option.contains(**t)).count() as f64;
        score - RETRACED * retraced - FAILED * self.failed.iter().filter(repeats).count() as f64
    }
}

/// What a word of a directive is worth against the priors when it names the thing to do.
const NAMED: f64 = 9.0;
/// What it is worth among the facts about that thing.
const DIRECTED: f64 = 3.0;
/// What one recent failure of the same kind of action costs.
const FAILED: f64 = 6.0;
/// What going again where one just was costs.
const RETRACED: f64 = 1.5;

/// Position of the best item; equal scores are drawn by the seed.
fn best(items: &[String], score: impl Fn(&String) -> f64, seed: u64) -> usize {
    let mut winner = (f64::NEG_INFINITY, 0, 0);
    for (i, item) in items.iter().enumerate() {
        let lot = words::lot(seed, item);
        let s = score(item);
        if s > winner.0 || (s >= winner.0 && lot > winner.1) {
            winner = (s, lot, i);
        }
    }
    winner.2
}

/// The end of the last user message: stable text comes first in every prompt, what is new last.
fn situation(messages: &[Message]) -> &str {
    let last = messages.iter().rev().find(|m| m.speaker == Speaker::User);
    let text = last.map_or("", |m| m.text.as_str());
    let from = text.len().saturating_sub(SITUATION_BYTES);
    let from = (from..text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len());
    &text[from..]
}

const SITUATION_BYTES: usize = 1500;

/// A summary: the last lines, cut to a few hundred characters.
fn summary(situation: &str) -> String {
    let lines: Vec<&str> = situation.lines().filter(|l| !l.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(6);
    lines[from..].join(" ").chars().take(400).collect()
}

/// A cheap estimate, labelled as one wherever it is shown: four bytes to a token.
const fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}

#[cfg(test)]
mod tests {
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
                "rates tax 60 luxury 0 science 40: +2 gold +3 bulbs",
                "start a revolution to become a Monarchy: rates up to 70",
                "propose peace to X",
                "propose our embassy for their embassy to X",
                "research Alphabet now, opens building Library",
                "goal Monarchy, 3 advances away, opens government Monarchy",
                "leave everything as it is, tax 40 luxury 0 science 60: -2 gold +4 bulbs",
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
            let answer =
                Embedded.complete(&place(), &prompt).expect("no outage").expect("no fault");
            writeln!(all, "{backbone} {}", answer.text).expect("a string");
        }
        let hash = blake3::hash(all.as_bytes()).to_hex()[..16].to_owned();
        assert_eq!(
            hash, "838c4bb6e65715ad",
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
            answer: AnswerShape::Choice {
                options: options.iter().map(ToString::to_string).collect(),
            },
        };
        let answer = Scripted.complete(&place(), &prompt).expect("no outage").expect("no fault");
        options[answer.text.parse::<usize>().expect("a number") - 1]
    }

    #[test]
    fn a_directive_changes_the_choice_in_every_domain() {
        let check = |facts: &str, options: &[&str], directives: &[(&str, &str)]| {
            for (directive, begins) in directives {
                let chosen = chosen(facts, options, directive);
                assert!(chosen.starts_with(begins), "{directive:?} chose {chosen:?}");
            }
        };
        let city = "Turn 30 of 150.\ncity:2 Rome: size 3, food +2, shields +4, trade +3, science +2; \
                    defenders 1; y\nNation: 2 cities, 1 settler units, 1 worker units, 90 gold (+2 a \
                    turn)\nBest site for a new city: 3 turns away, 12 free tiles";
        check(
            city,
            &[
                "build Warriors: military unit (Land), attack 1 defence 1, 10 shields, 3 turns",
                "build Settlers: settler unit that founds cities, 40 shields, 10 turns",
                "build Temple: improvement, upkeep 1 gold, +1 content, 30 shields, 8 turns",
                "keep building Coinage: shields become gold, +4 gold a turn",
            ],
            &[
                ("none", "build Settlers"),
                ("build a Temple", "build Temple"),
                ("train a military unit", "build Warriors"),
            ],
        );
        check(
            "unit:1 Settlers\nType: settler unit that founds cities",
            &[
                "found a city here, 9 free tiles: 10 food 5 shields 4 trade",
                "stand sentry here until an enemy comes",
                "explore automatically",
                "do nothing now",
            ],
            &[("none", "found"), ("wait as a sentry for the enemy", "stand sentry")],
        );
        check(
            "unit:3 Archers\nType: military unit, attack 3 defence 2\nStands in own city Rome; \
             other defenders here: 1",
            &[
                "fortify here",
                "explore automatically",
                "attack Phalanx of X at (1,2), defence 2 with 10 hp against our attack 3 with 10 hp",
                "go to own city Ostia (3,3) with 1 defenders, 3 turns",
            ],
            &[
                ("none", "fortify"),
                ("explore the map", "explore"),
                ("attack the enemy Phalanx", "attack"),
                ("hold the city of Ostia", "go to own city Ostia"),
            ],
        );
        let nation = "Nation: 50 gold (+2 a turn), (no rate above 60), 2 cities (0 in disorder)\n\
                      Research: Pottery (3/9 bulbs, +4 a turn), goal none\nToward X: peace";
        check(
            nation,
            &[
                "start a revolution to become a Monarchy: rates up to 70",
                "rates tax 60 luxury 0 science 40: +3 gold +3 bulbs",
                "rates tax 0 luxury 40 science 60: -4 gold +4 bulbs",
                "leave everything as it is, tax 40 luxury 0 science 60: +2 gold +4 bulbs",
            ],
            &[
                ("none", "leave"),
                ("become a Monarchy by revolution", "start"),
                ("set tax to 60 and science to 40", "rates tax 60"),
            ],
        );
        check(
            nation,
            &[
                "research Alphabet now, opens building Library",
                "research Bronze Working now, opens wonder Colossus",
                "goal Monarchy, 3 advances away, opens government Monarchy",
                "leave everything as it is",
            ],
            &[("none", "goal"), ("research Bronze Working", "research Bronze")],
        );
        check(
            nation,
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
        );
    }

    fn place() -> CallId {
        let (role, entity) = ("controller:city".to_owned(), String::new());
        CallId { turn: 1, round: 1, role, entity, attempt: 1 }
    }
}
