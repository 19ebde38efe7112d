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
mod tests;
