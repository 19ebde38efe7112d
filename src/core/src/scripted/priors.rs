//! The fixed priors of the scripted backbone: what a beginner knows about the game. They read the
//! words of prompt and option and nothing else, and no planner, role or ruleset name stands here.

use super::words::{after, before};

/// A number by which a prior's weight is taken.
#[derive(Clone, Copy)]
enum Factor {
    /// The number after a phrase of the option.
    After(&'static str),
    /// The number before a phrase of the option.
    Before(&'static str),
    /// The number before a phrase of the facts.
    Fact(&'static str),
    /// The number after a phrase of the facts.
    FactAfter(&'static str),
}

use Factor::{After, Before, Fact, FactAfter};

/// `weight` times all factors is added when the facts hold the first words and the option the
/// second. Words joined by `&` must all be there, those behind a `!` must not.
struct Prior(&'static str, &'static str, f64, &'static [Factor]);

#[rustfmt::skip]
const PRIORS: &[Prior] = &[
    // Settlers: toward food nobody else has, then settle, and better soon than well.
    Prior("", "found a city here", 2.5, &[]),
    Prior("", "free tiles", 0.10, &[Before(" free tiles")]),
    Prior("", "free tiles", 0.08, &[Before(" food ")]),
    Prior("", "free tiles", 0.12, &[Before(" shields ")]),
    Prior("", "free tiles", 0.06, &[Before(" trade")]),
    Prior("", "steps from the site", -0.8, &[Before(" steps from")]),
    Prior("founds cities", "free tiles", 3.0, &[]),
    Prior("founds cities", "explore", -4.0, &[]),
    Prior("founds cities", "stand sentry", -1.0, &[]),
    Prior("founds cities", "improve terrain automatically", -2.5, &[]),
    // Workers and explorers.
    Prior("", "improve terrain automatically", 4.0, &[]),
    Prior("", "irrigate this tile", 1.0, &[]),
    Prior("", "irrigate this tile&food", 1.0, &[Before(" food")]),
    Prior("", "mine this tile", 0.5, &[]),
    Prior("", "mine this tile&shields", 0.8, &[Before(" shields")]),
    Prior("", "build a road", 1.8, &[]),
    Prior("", "build a base", -1.0, &[]),
    Prior("", "transform", -1.0, &[]),
    Prior("", "clean ", 3.0, &[]),
    Prior("", "pillage", -6.0, &[]),
    Prior("", "explore automatically", 3.0, &[]),
    Prior("", "unknown tiles around", 0.2, &[Before(" unknown tiles")]),
    Prior("", ", hut", 2.5, &[]),
    // Soldiers: first hold what is ours.
    Prior("", "move ", 0.5, &[]),
    Prior("", "go to ", 0.4, &[]),
    Prior("", "go to &turns", -0.15, &[Before(" turns")]),
    Prior("", "fortify here", 1.6, &[]),
    Prior("Stands on", "fortify here", -1.0, &[]),
    Prior("other defenders here: 0", "fortify here", 6.0, &[]),
    Prior("military unit", "own city&with 0 defenders", 4.0, &[]),
    Prior("Stands on&military unit", "go to &own city", 1.0, &[]),
    Prior("military unit", "explore automatically", -1.8, &[]),
    Prior("", "attack ", -0.5, &[]),
    Prior("", "against our attack", 1.2, &[After("our attack ")]),
    Prior("", "against our attack", -1.2, &[After("defence ")]),
    Prior("", "against our attack&terrain +", -0.01, &[After("terrain +")]),
    Prior("", "with walls", -3.0, &[]),
    Prior("barbarians", "against our attack", 1.5, &[]),
    Prior("", "conquer the undefended", 9.0, &[]),
    Prior("", "capture", 4.0, &[]),
    Prior("", "stand sentry", 0.2, &[]),
    Prior("", "get on the transport", -1.0, &[]),
    Prior("", "get off the transport", 0.3, &[]),
    Prior("", "join ", -2.0, &[]),
    Prior("founds cities", "join ", 2.5, &[]),
    Prior("founds cities", "join ", 0.5, &[Before(" food")]),
    Prior("", "disband", -9.0, &[]),
    Prior("", "establish embassy", 3.0, &[]),
    Prior("", "their embassy", 0.3, &[]),
    Prior("", "help wonder", 4.0, &[]),
    Prior("", "trade route at", 3.0, &[]),
    Prior("", "marketplace at", 2.5, &[]),
    Prior("", "steal tech", 2.0, &[]),
    Prior("", "poison", -4.0, &[]),
    Prior("", "sabotage", -2.0, &[]),
    Prior("", "incite", -1.0, &[]),
    Prior("", "bribe", -1.0, &[]),
    Prior("", "nuke", -6.0, &[]),
    Prior("", "nuclear", -6.0, &[]),
    Prior("", "destroy city", -6.0, &[]),
    Prior("", "home city", -1.0, &[]),
    Prior("", "airlift", -1.0, &[]),
    Prior("", "paradrop", -1.0, &[]),
    Prior("", "upgrade", 2.5, &[]),
    Prior("", "upgrade&gold", -0.02, &[Before(" gold")]),
    // Cities: what is wanted is the same whether it is begun, kept or bought.
    Prior("", "military unit (", 0.5, &[]),
    Prior("", "military unit (", 2.2, &[After(" defence ")]),
    Prior("", "military unit (", -2.2, &[FactAfter("best defence ")]),
    Prior("", "military unit (", -0.03, &[Before(" shields,")]),
    Prior("", "military unit (", -1.5, &[FactAfter("; defenders ")]),
    Prior("", "military unit (", 0.03, &[FactAfter("Turn ")]),
    Prior("", "military unit (&carries", -2.0, &[]),
    Prior("", "military unit (", 0.5, &[FactAfter("at war with ")]),
    Prior("; defenders 0;", "military unit (", 6.0, &[]),
    Prior("(war)", "military unit (", 1.5, &[]),
    Prior("always hostile", "military unit (", 2.5, &[]),
    Prior("Best site", ": settler unit", 5.0, &[]),
    Prior("Best site", ": settler unit", 0.1, &[Fact(" free tiles")]),
    Prior("Best site", ": settler unit", -0.2, &[Fact(" turns away")]),
    Prior("No site", ": settler unit", -6.0, &[]),
    Prior("", ": settler unit", -1.5, &[Fact(" settler units")]),
    Prior("", "waits for size", -2.5, &[]),
    Prior("", "waits for size", 0.5, &[FactAfter("food ")]),
    Prior(", food +0", "waits for size", -4.0, &[]),
    Prior(", food -", "waits for size", -4.0, &[]),
    Prior("", ": worker unit", 2.0, &[]),
    Prior("", ": worker unit", -1.6, &[Fact(" worker units")]),
    Prior("", ": worker unit", 0.8, &[Fact(" cities, ")]),
    Prior("", ": improvement", 1.5, &[]),
    Prior("", ": improvement", -0.5, &[After("upkeep ")]),
    Prior("gold (-", ": improvement", -1.5, &[After("upkeep ")]),
    Prior("gold (-", ": improvement", 0.006, &[After("upkeep "), Fact(" gold (")]),
    Prior("", "% science", 0.012, &[Before("% science"), FactAfter("science ")]),
    Prior("", "% gold", 0.004, &[Before("% gold"), FactAfter("trade ")]),
    Prior("", "% shields", 0.006, &[Before("% shields"), FactAfter("shields ")]),
    Prior("", " content", 1.0, &[Before(" content"), Fact(" unhappy")]),
    Prior("", " content", 0.08, &[Before(" content"), FactAfter("size ")]),
    Prior("; in disorder", " content", 2.0, &[]),
    Prior("(reached)", "size limit", 5.0, &[]),
    Prior("!(reached)", "size limit", -1.0, &[]),
    Prior("", "food kept at growth", 0.5, &[]),
    Prior("", "food kept at growth", 0.3, &[FactAfter("food ")]),
    Prior("", " food a tile", 1.5, &[]),
    Prior("", "% defence", 0.004, &[Before("% defence")]),
    Prior("", "% defence", 0.0001, &[Before("% defence"), FactAfter("Turn ")]),
    Prior("(war)", "% defence", 1.0, &[]),
    Prior("always hostile", "% defence", 2.0, &[]),
    Prior("", "units veteran", -0.5, &[]),
    Prior("", ": great wonder", 3.0, &[]),
    Prior("", ": great wonder&everywhere", 1.0, &[]),
    Prior("", "wonder&turns", -0.08, &[Before(" turns")]),
    Prior("", ": small wonder", 0.5, &[]),
    Prior("", "spaceship part", 3.0, &[]),
    Prior("", " turns", -0.05, &[Before(" turns")]),
    Prior("", "never at this rate", -3.0, &[]),
    Prior("", ": civilian unit", -0.5, &[]),
    Prior("", ": transport", -0.5, &[]),
    Prior("", "shields become", -1.0, &[]),
    Prior("gold (-", "shields become gold", 1.5, &[]),
    Prior("", "shields become gold", -0.005, &[Fact(" gold (")]),
    Prior("", "keep building", 0.6, &[]),
    Prior("still unfinished", "keep building", 3.0, &[]),
    Prior("", "buy ", 1.2, &[]),
    Prior("", "buy ", -0.015, &[FactAfter("Turn ")]),
    Prior("", "buy ", -0.025, &[After(" now for ")]),
    Prior("", "buy ", 0.015, &[Fact(" gold (")]),
    Prior("(war)", "buy &military unit", 1.5, &[]),
    Prior("always hostile", "buy &military unit", 2.0, &[]),
    Prior("still unfinished", "buy ", 3.0, &[]),
    Prior("", "then ", -2.5, &[]),
    Prior("", "forget what was planned", -3.0, &[]),
    Prior("", "sell ", -4.0, &[]),
    Prior("gold (-", "sell ", 5.0, &[]),
    Prior("", "sell ", -0.1, &[Fact(" gold (")]),
    Prior("", "make a specialist", -4.0, &[]),
    Prior("", "put a specialist", -0.5, &[]),
    Prior("", "turn one of the", -3.0, &[]),
    // Research.
    Prior("", "research ", 1.0, &[]),
    Prior("!goal none", "research &!toward the goal", -3.0, &[]),
    Prior("!goal none", "goal ", -3.0, &[]),
    Prior("Research: nothing", "research ", 3.0, &[]),
    Prior("", "toward the goal", 2.0, &[]),
    Prior("", "opens government", 1.5, &[]),
    Prior("no rate above 60", "opens government", 1.5, &[]),
    Prior("", "building ", 0.8, &[]),
    Prior("", "wonder ", 0.4, &[]),
    Prior("goal none", "goal ", 2.5, &[]),
    Prior("", "advances away", -0.45, &[Before(" advances away")]),
    // Government and rates.
    Prior("", "start a revolution", -0.8, &[]),
    Prior("", "start a revolution", 0.25, &[FactAfter("bulbs, ")]),
    Prior("", "start a revolution", 0.1, &[After("rates up to ")]),
    Prior("", "start a revolution", -0.1, &[FactAfter("no rate above ")]),
    Prior("", "start a revolution&!celebrating&a tile that has some", 1.0, &[]),
    Prior("", " bulbs", 0.25, &[Before(" bulbs")]),
    Prior("", " bulbs", 0.30, &[Before(" gold")]),
    Prior("", " bulbs", -0.0004, &[Before(" gold"), Fact(" gold (")]),
    Prior("", "luxury ", -0.01, &[After("luxury ")]),
    Prior("", "luxury ", 0.03, &[After("luxury "), Fact(" in disorder")]),
    Prior("", "leave everything as it is", 0.4, &[]),
    Prior("", "assemble the spaceship", 5.0, &[]),
    Prior("", "launch the spaceship", -4.0, &[]),
    Prior("", "launch the spaceship", 0.08, &[After("spaceship: ")]),
    // Other players.
    Prior("", "accept the treaty", 3.0, &[]),
    Prior("", "accept the treaty&us give", -2.0, &[]),
    Prior("", "reject the treaty", -1.0, &[]),
    Prior("", "cancel the pact", -6.0, &[]),
    Prior("", "stop sharing vision", -2.0, &[]),
    Prior("", "cease-fire", 1.0, &[]),
    Prior("", "propose peace", 0.2, &[]),
    Prior("about to run out", "propose peace", 2.0, &[]),
    Prior("", "alliance", -0.5, &[]),
    Prior("", "our advance", -1.5, &[]),
    Prior("", "their advance", 1.2, &[]),
    Prior("", "our shared vision", -1.0, &[]),
    Prior("", "our city", -9.0, &[]),
    Prior("", "gold for", -0.01, &[Before(" gold for")]),
    Prior("", "accept the treaty&give city", -9.0, &[]),
];

/// What the priors say about one option. What is sold is worth less the more it is wanted.
pub(super) fn score(facts: &str, option: &str) -> f64 {
    match option.strip_prefix("sell ") {
        Some(item) => sum(facts, "sell ") - sum(facts, item),
        None => sum(facts, option),
    }
}

fn sum(facts: &str, option: &str) -> f64 {
    let number = |factor: &Factor| {
        let found = match *factor {
            After(phrase) => after(option, phrase),
            Before(phrase) => before(option, phrase),
            Fact(phrase) => before(facts, phrase),
            FactAfter(phrase) => after(facts, phrase),
        };
        found.unwrap_or(0.0)
    };
    PRIORS
        .iter()
        .filter(|Prior(when, what, ..)| holds(option, what) && holds(facts, when))
        .map(|Prior(_, _, weight, factors)| weight * factors.iter().map(number).product::<f64>())
        .sum()
}

fn holds(text: &str, words: &str) -> bool {
    words.split('&').all(|w| match w.strip_prefix('!') {
        Some(absent) => !text.contains(absent),
        None => text.contains(w),
    })
}
