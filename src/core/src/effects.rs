//! What buildings and governments do, in words a player would look up: the ruleset's effects with
//! the conditions that do not hold yet. One table maps the server's effect numbers to words.

use crate::action::{Item, Rates};
use crate::ids::{BuildingId, ExtraId, GovernmentId};
use crate::observation::{City, Observation};
use crate::rules::{Effect, GOLD, Requirement, Rules, SCIENCE, SHIELD, TRADE};
use crate::text;

/// Words of one effect: `{+}` is its signed number, `{n}` the bare one, `{o}` the outputs or unit
/// classes it is about, `{e}` how far it reaches beyond one city. Numbers are the server's; what is
/// left out here matters to nobody who plays.
#[rustfmt::skip]
const WORDS: &[(u8, &str)] = &[
    (0, "every advance that {n} nations in contact know"),
    (1, "airlifts"),
    (2, "any government"),
    (3, "the capital"),
    (4, "allows nuclear units"),
    (5, "allows spaceship parts"),
    (6, "{+} {o} of each specialist{e}"),
    (OUTPUT_BONUS, "{+}% {o}{e}"),
    (OUTPUT_BONUS_2, "{+}% {o}{e}"),
    (9, "{+} {o} a tile{e}"),
    (10, "{+} {o} a tile that has some{e}"),
    (11, "{+}% {o} a tile{e}"),
    (12, "{n}% less {o} wasted{e}"),
    (13, "{+} content{e}"),
    (14, "{n} advances at once"),
    (15, "{n}% of the food kept at growth{e}"),
    (16, "{n}% less plague{e}"),
    (17, "an embassy with everybody"),
    (18, "{+} content{e}"),
    (19, "{n} fewer upset by units abroad{e}"),
    (21, "{+} happy{e}"),
    (22, "revolutions without anarchy"),
    (23, "safe from nuclear attack"),
    (24, "{+}% pollution{e}"),
    (26, "{+}% pollution{e}"),
    (28, "reveals the map"),
    (29, "{+}% cost to incite{e}"),
    (SIZE_ADJ, "size limit {+}{e}"),
    (SIZE_UNLIMIT, "no size limit{e}"),
    (32, "a spaceship structural"),
    (33, "a spaceship component"),
    (34, "a spaceship module"),
    (35, "{+}% against diplomats{e}"),
    (36, "{+} moves of {o} units"),
    (38, "{+} hp recovered a turn"),
    (39, "upgrades {n} units a turn"),
    (40, "pays upkeeps of {n} gold"),
    (42, "nobody unhappy{e}"),
    (43, "new {o} units veteran{e}"),
    (45, "{o} units recover {n}% hp a turn{e}"),
    (48, "{+}% defence against {o} units{e}"),
    (MAX_RATES, "rates up to {n}"),
    (58, "{n} made content by each unit of martial law"),
    (60, "cities grow while celebrating"),
    (61, "anarchy after {n} turns of disorder"),
    (62, "a senate"),
    (67, "{+}% trade route income{e}"),
    (68, "{n} unhappy for each unit abroad"),
    (70, "{n} free {o} of unit upkeep a city"),
    (71, "{n}% {o} wasted"),
    (73, "-1 on tiles that give more than {n}"),
    (74, "{+} {o} a tile that has some while celebrating"),
    (85, "{+} trade routes{e}"),
    (86, "a center of government"),
    (112, "{+} history"),
];

const OUTPUT_BONUS: u8 = 7;
const OUTPUT_BONUS_2: u8 = 8;
const SIZE_ADJ: u8 = 30;
const SIZE_UNLIMIT: u8 = 31;
const MAX_RATES: u8 = 57;
/// Building flag: shields become gold.
const FLAG_GOLD: u8 = 2;

/// Requirement kinds that are read here, in the server's numbering.
const REQ_ADVANCE: u8 = 1;
const REQ_GOVERNMENT: u8 = 2;
const REQ_BUILDING: u8 = 3;
const REQ_UNIT_CLASS: u8 = 8;
const REQ_OUTPUT: u8 = 10;
const REQ_SIZE: u8 = 12;
const REQ_AI_LEVEL: u8 = 13;
const REQ_TERRAIN_CLASS: u8 = 14;
const REQ_CITY_TILE: u8 = 17;
const REQ_EXTRA: u8 = 23;

/// Ranges beyond one city.
const RANGE_CONTINENT: u8 = 5;
const RANGE_PLAYER: u8 = 6;

/// Most facts told of one thing.
const FACTS_MAX: usize = 8;

const OUTPUTS: [&str; 6] = ["food", "shields", "trade", "gold", "luxury", "science"];

/// Where conditions are looked at.
#[derive(Clone, Copy)]
struct Place<'a> {
    city: Option<&'a City>,
    o: &'a Observation,
    rules: &'a Rules,
}

/// What a building would do in this city (or in any, without one), as `+50% science; +1 content
/// with Mysticism`; empty when the table has no words for it.
pub fn of_building(id: BuildingId, city: Option<&City>, o: &Observation, rules: &Rules) -> String {
    let place = Place { city, o, rules };
    facts(place, |r| r.kind == REQ_BUILDING && r.present && r.value == i32::from(id.0))
}

/// What a government brings: rates, upkeep, waste, war weariness.
pub fn of_government(id: GovernmentId, o: &Observation, rules: &Rules) -> String {
    let place = Place { city: None, o, rules };
    facts(place, |r| r.kind == REQ_GOVERNMENT && r.present && r.value == i32::from(id.0))
}

/// Whether a special item turns shields into gold.
pub fn is_gold(id: BuildingId, rules: &Rules) -> bool {
    rules.building(id).is_some_and(|b| b.flags.contains(&FLAG_GOLD))
}

/// Whether a city turns its shields into gold.
pub fn mints(city: &City, rules: &Rules) -> bool {
    matches!(city.production, Item::Building(id) if is_gold(id, rules))
}

/// Gold a city makes in a turn, upkeep paid and shields turned into gold counted.
pub fn gold(city: &City, rules: &Rules) -> i64 {
    let minted = if mints(city, rules) { city.surplus[SHIELD].max(0) } else { 0 };
    i64::from(city.surplus[GOLD]) + i64::from(minted)
}

/// Largest size to which buildings let a city grow; `None` when there is no bound.
pub fn size_limit(city: &City, o: &Observation, rules: &Rules) -> Option<i64> {
    let place = Place { city: Some(city), o, rules };
    let sum = |kind: u8| -> i64 {
        let counts = |r: &Requirement| holds(*r, place) == Some(r.present);
        let here = |e: &&Effect| e.kind == kind && e.reqs.iter().all(counts);
        rules.effects.iter().filter(here).map(|e| i64::from(e.value)).sum()
    };
    let limit = sum(SIZE_ADJ);
    (sum(SIZE_UNLIMIT) <= 0 && limit > 0).then_some(limit)
}

/// Percent of an output that buildings, wonders and government let a city make of each point, as
/// far as they stand now.
fn output_pct(output: usize, city: &City, o: &Observation, rules: &Rules) -> i64 {
    let place = Place { city: Some(city), o, rules };
    let sum = |kind: u8| -> i64 {
        let about = |e: &&Effect| {
            e.kind == kind
                && !e.reqs.is_empty()
                && e.reqs.iter().all(|r| match r.kind {
                    REQ_OUTPUT => (usize::try_from(r.value) == Ok(output)) == r.present,
                    _ => holds(*r, place) == Some(r.present),
                })
        };
        rules.effects.iter().filter(about).map(|e| i64::from(e.value)).sum()
    };
    (100 + sum(OUTPUT_BONUS)).saturating_mul(100 + sum(OUTPUT_BONUS_2)) / 100
}

/// What tax rates do to the nation's gold and science, worked out once for all rates that are
/// looked at.
#[derive(Debug, Clone, Copy)]
pub struct Treasury {
    now: Rates,
    /// Gold and science of all cities in a turn.
    made: (i64, i64),
    /// What a point of the rate moves of each, in ten-thousandths.
    moved: (i64, i64),
}

impl Treasury {
    /// As the cities stand.
    pub fn of(o: &Observation, rules: &Rules) -> Self {
        let mut treasury = Self { now: o.me.rates, made: (0, 0), moved: (0, 0) };
        let add = |sum: &mut i64, more: i64| *sum = sum.saturating_add(more);
        for c in &o.cities {
            let trade = i64::from(c.surplus[TRADE].max(0));
            let moved = |output| trade.saturating_mul(output_pct(output, c, o, rules));
            add(&mut treasury.made.0, gold(c, rules));
            add(&mut treasury.made.1, i64::from(c.surplus[SCIENCE]));
            add(&mut treasury.moved.0, moved(GOLD));
            add(&mut treasury.moved.1, moved(SCIENCE));
        }
        treasury
    }

    /// Gold and science that these rates would give each turn: what the cities make now, moved by
    /// their trade. Disorder and rounding aside.
    pub fn at(&self, rates: Rates) -> (i64, i64) {
        let then = |made: i64, moved: i64, to: u8, from: u8| {
            let moved = moved.saturating_mul(i64::from(to) - i64::from(from));
            made.saturating_mul(10_000).saturating_add(moved).div_euclid(10_000)
        };
        (
            then(self.made.0, self.moved.0, rates.tax, self.now.tax),
            then(self.made.1, self.moved.1, rates.science, self.now.science),
        )
    }
}

/// One effect on its way to words.
#[derive(PartialEq, Eq)]
struct Told {
    kind: u8,
    /// Outputs or unit classes.
    noun: String,
    /// How far it reaches.
    reach: &'static str,
    conditions: String,
}

/// Facts of all effects that ask for the thing `own` knows, equal ones summed, joined by `; `.
fn facts(place: Place<'_>, own: impl Fn(&Requirement) -> bool) -> String {
    let mut sums: Vec<(Told, i32)> = Vec::new();
    for e in &place.rules.effects {
        if words_of(e.kind).is_none() || !e.reqs.iter().any(&own) {
            continue;
        }
        let Some(told) = told(e, place, &own) else { continue };
        match sums.iter_mut().find(|(t, _)| *t == told) {
            Some((_, sum)) => *sum = sum.saturating_add(e.value),
            None => sums.push((told, e.value)),
        }
    }
    // What waits for something else is left out beside what does not.
    if sums.iter().any(|(t, _)| t.conditions.is_empty()) {
        sums.retain(|(t, _)| t.conditions.is_empty());
    }
    // What differs only in its noun is told once: before and behind the nouns, and the nouns.
    let mut lines: Vec<(String, String, Vec<String>)> = Vec::new();
    for (told, value) in sums {
        let Some(words) = words_of(told.kind) else { continue };
        let words = words.replace("{+}", &format!("{value:+}"));
        let words =
            words.replace("{n}", &value.unsigned_abs().to_string()).replace("{e}", told.reach);
        let (before, after) = words.split_once("{o}").unwrap_or((&words, ""));
        let after = format!("{after}{}", told.conditions);
        let nouns = if words.contains("{o}") { vec![told.noun] } else { Vec::new() };
        match lines.iter_mut().find(|l| l.0 == before && l.1 == after) {
            Some(line) => line.2.extend(nouns),
            None => lines.push((before.to_owned(), after, nouns)),
        }
    }
    let line = |(before, after, nouns): &(String, String, Vec<String>)| {
        format!("{before}{}{after}", nouns.join("/"))
    };
    lines.iter().take(FACTS_MAX).map(line).collect::<Vec<_>>().join("; ")
}

fn words_of(kind: u8) -> Option<&'static str> {
    WORDS.iter().find(|(k, _)| *k == kind).map(|(_, words)| *words)
}

/// An effect with its conditions beyond the thing itself. `None` when it can do nothing here: it is
/// about computer players, or something we have already takes its place.
fn told(e: &Effect, place: Place<'_>, own: &impl Fn(&Requirement) -> bool) -> Option<Told> {
    let mut told =
        Told { kind: e.kind, noun: "all".to_owned(), reach: "", conditions: String::new() };
    for r in &e.reqs {
        if own(r) {
            told.reach = match (r.kind, r.range) {
                (REQ_BUILDING, RANGE_CONTINENT) => " on this continent",
                (REQ_BUILDING, RANGE_PLAYER..) => " everywhere",
                _ => "",
            };
            continue;
        }
        let there = holds(*r, place);
        match (r.kind, usize::try_from(r.value).ok()?) {
            (REQ_AI_LEVEL, _) => return None,
            (REQ_OUTPUT, n) => (*OUTPUTS.get(n)?).clone_into(&mut told.noun),
            (REQ_UNIT_CLASS, n) => told.noun.clone_from(&place.rules.unit_classes.get(n)?.name),
            _ if there == Some(r.present) => {}
            _ if r.present => told.conditions.push_str(&condition(*r, place.rules)?),
            _ if there.is_some() => return None,
            _ => {}
        }
    }
    Some(told)
}

/// Whether what a requirement names is there; `None` when that is not about city or nation.
fn holds(r: Requirement, place: Place<'_>) -> Option<bool> {
    let value = u16::try_from(r.value).ok()?;
    let me = &place.o.me;
    match r.kind {
        REQ_ADVANCE => Some(me.advances.iter().any(|a| a.0 == value)),
        REQ_GOVERNMENT => Some(me.government.0 == value),
        REQ_BUILDING => {
            let has = |c: &City| c.buildings.iter().any(|b| b.0 == value);
            Some(if r.range >= RANGE_CONTINENT {
                place.o.cities.iter().any(has)
            } else {
                place.city.is_some_and(has)
            })
        }
        _ => None,
    }
}

/// A condition in words, with a space before it; `None` when an effect under it is not worth
/// telling.
fn condition(r: Requirement, rules: &Rules) -> Option<String> {
    let value = u16::try_from(r.value).ok()?;
    match r.kind {
        REQ_ADVANCE => Some(format!(" with {}", text::advance(rules, value))),
        REQ_GOVERNMENT => Some(format!(" under {}", text::government(rules, value))),
        REQ_BUILDING => Some(format!(" with {}", text::building(rules, value))),
        REQ_SIZE => Some(format!(" from size {value}")),
        REQ_TERRAIN_CLASS => Some(if value == 1 { " on ocean" } else { " on land" }.to_owned()),
        REQ_CITY_TILE => Some(String::new()),
        REQ_EXTRA => Some(format!(" on {}", text::extra(rules, ExtraId(value)))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::sketch::{drawn, rules};

    #[test]
    fn numbers_that_no_ruleset_has_are_told_all_the_same() {
        let mut rules = rules();
        let req = |kind| Requirement { kind, value: 0, range: 3, survives: false, present: true };
        let most = |kind| Effect { kind, value: i32::MAX, reqs: vec![req(REQ_BUILDING)] };
        rules.effects = [OUTPUT_BONUS, OUTPUT_BONUS_2, SIZE_ADJ]
            .into_iter()
            .flat_map(|k| [most(k), most(k)])
            .collect();
        let mut o = drawn(&["C"], false);
        o.cities[0].buildings = vec![BuildingId(0)];
        o.cities[0].surplus = [i32::MAX; 6];
        assert_eq!(size_limit(&o.cities[0], &o, &rules), Some(2 * i64::from(i32::MAX)));
        let told = of_building(BuildingId(0), Some(&o.cities[0]), &o, &rules);
        assert!(told.starts_with("+2147483647% all/all; "), "{told}");
        let treasury = Treasury::of(&o, &rules);
        let (gold, science) = treasury.at(Rates { tax: 100, luxury: 0, science: 0 });
        assert!(gold > 0 && science < 0, "{gold} {science}");
    }
}
