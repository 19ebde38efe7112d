//! The fixed priors of the scripted backbone: what a beginner knows about the game. They read the
//! words of prompt and option and nothing else, and no planner, role or ruleset name stands here.

use super::words::{after, before};

/// A number that scales a prior.
#[derive(Clone, Copy)]
enum Times {
    /// Taken as it is.
    One,
    /// Times the number after a phrase of the option.
    After(&'static str),
    /// Times the number before a phrase of the option.
    Before(&'static str),
    /// Times the number before a phrase of the facts.
    Fact(&'static str),
    /// Times the number after a phrase of the facts.
    FactAfter(&'static str),
}

/// `weight` is added when the facts hold `when` and the option holds `option`.
struct Prior(&'static str, &'static str, f64, Times);

use Times::{After, Before, Fact, FactAfter, One};

#[rustfmt::skip]
const PRIORS: &[Prior] = &[
    // Settlers: away from own cities, toward food, then settle.
    Prior("", "found a city here", 3.5, One),
    Prior("", "tiles shared with own cities", -0.35, Before(" tiles shared")),
    Prior("", "in reach", 0.06, Before(" food ")),
    Prior("", "in reach", 0.04, Before(" shields in")),
    Prior("", "no own city yet", 4.0, One),
    Prior("founds cities", "in reach", 20.0, One),
    Prior("", "foreign land", -5.0, One),
    // Workers and explorers.
    Prior("", "improve terrain automatically", 4.0, One),
    Prior("", "irrigate this tile", 2.0, One),
    Prior("", "mine this tile", 1.5, One),
    Prior("", "build a road", 1.8, One),
    Prior("", "build a base", -1.0, One),
    Prior("", "transform", -1.0, One),
    Prior("", "clean ", 3.0, One),
    Prior("", "pillage", -6.0, One),
    Prior("", "explore automatically", 3.0, One),
    Prior("", "unknown tiles around", 0.2, Before(" unknown tiles")),
    Prior("", ", hut", 2.5, One),
    // Soldiers.
    Prior("", "move ", 0.5, One),
    Prior("", "fortify here", 1.6, One),
    Prior("other defenders here: 0", "fortify here", 6.0, One),
    Prior("", "with 0 defenders", 4.0, One),
    Prior("", "attack ", -0.5, One),
    Prior("", "against our attack", 1.2, After("our attack ")),
    Prior("", "against our attack", -1.2, After("defence ")),
    Prior("barbarians", "against our attack", 1.5, One),
    Prior("", "conquer the undefended", 9.0, One),
    Prior("", "stand sentry", 0.2, One),
    Prior("", "join ", -2.0, One),
    Prior("", "disband", -9.0, One),
    Prior("", "embassy at", 4.0, One),
    Prior("", "wonder at", 3.0, One),
    Prior("", "trade route at", 3.0, One),
    Prior("", "marketplace at", 2.5, One),
    Prior("", "home city at", -1.0, One),
    Prior("", "upgrade", 0.5, One),
    // Cities: what is wanted is the same whether it is begun, kept or bought.
    Prior("", ": military unit", 2.0, One),
    Prior("", ": military unit", 0.5, After(" defence ")),
    Prior("", ": military unit", -1.3, FactAfter("; defenders ")),
    Prior("", ": military unit", 1.0, FactAfter("at war with ")),
    Prior("; defenders 0;", ": military unit", 6.0, One),
    Prior("(war)", ": military unit", 1.5, One),
    Prior("always hostile", ": military unit", 2.0, One),
    Prior("", ": settler unit", 5.0, One),
    Prior("", ": settler unit", -3.0, Fact(" settler units")),
    Prior("", ": settler unit", -0.4, Fact(" cities, ")),
    Prior(": size 1,", ": settler unit", -1.5, One),
    Prior("", ": worker unit", 2.4, One),
    Prior("", ": worker unit", -1.6, Fact(" worker units")),
    Prior("", ": worker unit", 0.8, Fact(" cities, ")),
    Prior("", ": improvement", 2.8, One),
    Prior("", ": improvement", -0.2, After("upkeep ")),
    Prior("", ": improvement", -0.008, Before(" shields")),
    Prior("in disorder", ": improvement", 1.0, One),
    Prior("", ": great wonder", 1.9, One),
    Prior("", ": small wonder", 0.5, One),
    Prior("", "wonder, ", -0.001, Before(" shields")),
    Prior("", "never at this rate", -3.0, One),
    Prior("", ": civilian unit", -0.5, One),
    Prior("", ": transport", -0.5, One),
    Prior("", "something else", -1.5, One),
    Prior("", "keep building", 0.6, One),
    Prior("still unfinished", "keep building", 3.0, One),
    Prior("", "buy ", -0.2, One),
    Prior("", "buy ", -0.03, After(" now for ")),
    Prior("", "buy ", 0.008, Before(" gold")),
    Prior("still unfinished", "buy ", 3.0, One),
    // Research.
    Prior("", "research ", 1.0, One),
    Prior("Research: nothing", "research ", 3.0, One),
    Prior("", "(opens ", 0.5, One),
    Prior("goal none", "set the goal", 2.0, One),
    Prior("", "advances away", -0.2, Before(" advances away")),
    // Government and rates.
    Prior("no rate above 60", "start a revolution", 2.5, One),
    Prior("", "tax ", 0.02, After("tax ")),
    Prior("", "science ", 0.03, After(" science ")),
    Prior("(-", "tax ", 0.05, After("tax ")),
    Prior("(0 in disorder)", "luxury ", -0.03, After("luxury ")),
    Prior("", "luxury ", 0.01, After("luxury ")),
    Prior("", "leave everything as it is", 0.4, One),
    // Other players.
    Prior("", "accept the treaty", 3.0, One),
    Prior("", "reject the treaty", -1.0, One),
    Prior("", "cancel the pact", -5.0, One),
    Prior("", "cease-fire", 1.0, One),
    Prior("", ": peace", 1.2, One),
    Prior("about to run out", ": peace", 16.0, One),
    Prior("", "embassy", 0.8, One),
    Prior("", "alliance", -0.5, One),
    Prior("", "us give the advance", -1.5, One),
    Prior("", "us give city", -9.0, One),
];

/// What the priors say about one option.
pub(super) fn score(facts: &str, option: &str) -> f64 {
    PRIORS
        .iter()
        .filter(|Prior(when, in_option, ..)| option.contains(in_option) && facts.contains(when))
        .map(|Prior(_, _, weight, times)| match times {
            One => *weight,
            After(phrase) => weight * after(option, phrase).unwrap_or(0.0),
            Before(phrase) => weight * before(option, phrase).unwrap_or(0.0),
            Fact(phrase) => weight * before(facts, phrase).unwrap_or(0.0),
            FactAfter(phrase) => weight * after(facts, phrase).unwrap_or(0.0),
        })
        .sum()
}
