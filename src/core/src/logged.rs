//! Which measures the server counts as well, and whether both agree: in every turn, against the
//! score log it wrote itself.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::FinalRecord;
use crate::measures::Measures;

/// A measure and the figure of the score log that must equal it in each turn.
pub struct Counterpart {
    /// Name of the measure.
    pub measure: &'static str,
    /// Name of the figure in the log.
    pub tag: &'static str,
    /// What the log should say, given our measures.
    pub expected: fn(&Measures) -> i64,
    /// Why the two are the same thing.
    pub why: &'static str,
}

/// Every measure that the log has too.
pub const COUNTERPARTS: &[Counterpart] = &[
    same("score", "score", |m| m.score, "the server's score, which it computes when it logs it"),
    same(
        "technology",
        "techs",
        // The server counts each future advance as two and a half, rounded down in the sum.
        |m| m.technology.saturating_add(m.future_technology.saturating_mul(5) / 2),
        "known advances; the log adds 5/2 for each advance beyond the tree, and so does the check",
    ),
    same("military", "munits", |m| m.military, "units that the ruleset does not call civilians"),
    same("cities", "cities", |m| m.cities, "own cities"),
    same("citizens", "pop", |m| m.citizens, "sizes of own cities, summed"),
    same(
        "great_wonders",
        "wonders",
        |m| m.great_wonders,
        "great wonders that stand in own cities; the log leaves small ones and the Palace out",
    ),
    same("gold", "gold", |m| m.gold, "gold in the treasury"),
    same(
        "culture",
        "culture",
        |m| m.culture,
        "history and this turn's points of player and cities",
    ),
];

/// Measures that the log does not have, and why.
pub const UNLOGGED: &[(&str, &str)] = &[
    ("future_technology", "part of `techs`, and checked there"),
    ("military_strength_centi", "the log counts units, not their strength"),
    ("buildings", "the log counts great wonders and no other building"),
    ("wonders", "the log has the great ones alone: see great_wonders"),
    ("diplomacy", "the log knows no pacts"),
    ("embassies", "the log knows no embassies"),
    ("units", "the log counts military units (`munits`) and founders of cities (`settlers`) apart"),
    (
        "tiles_known",
        "`landarea` and `settledarea` are land that is owned, not tiles that are known",
    ),
];

const fn same(
    measure: &'static str,
    tag: &'static str,
    expected: fn(&Measures) -> i64,
    why: &'static str,
) -> Counterpart {
    Counterpart { measure, tag, expected, why }
}

/// What came of comparing one measure with its figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Name of the measure.
    pub measure: &'static str,
    /// Name of the figure.
    pub tag: &'static str,
    /// Turns in which both are there.
    pub turns: u32,
    /// Turns that were measured and of which the log has no such figure.
    pub missing: u32,
    /// Of the compared ones, turns in which they differ.
    pub differ: u32,
    /// The first of these.
    pub first: Option<Difference>,
}

/// What came of comparing all measures of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Values that are there on both sides.
    pub checked: u64,
    /// Values that the log should have and has not.
    pub missing: u64,
    /// Measures that differ, each with its first turn.
    pub differs: Vec<Difference>,
}

impl Summary {
    /// Sums up what was compared.
    pub fn of(compared: Vec<Compared>) -> Self {
        let mut all = Self::default();
        for one in compared {
            all.checked += u64::from(one.turns);
            all.missing += u64::from(one.missing);
            all.differs.extend(one.first);
        }
        all
    }
}

/// How much of a score log is not there, in words; `None` when all of it is.
pub fn missing_words(checked: u64, missing: u64) -> Option<String> {
    let all = checked.saturating_add(missing);
    (missing > 0)
        .then(|| format!("{missing} of {all} measured values are not in the server's score log"))
}

/// A turn in which a measure is not what the log says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Name of the measure.
    pub measure: String,
    /// Name of the figure in the log.
    pub tag: String,
    /// The turn.
    pub turn: u32,
    /// What we measured; future advances included where the log includes them.
    pub measured: i64,
    /// What the log says.
    pub logged: i64,
    /// In how many turns of the game the two differ.
    pub turns: u32,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measure, tag, turn, measured, logged, turns } = self;
        write!(
            f,
            "{measure} is {measured} in turn {turn}, and {tag} is {logged} in the server's score \
             log; they differ in {turns} turn{}",
            if *turns == 1 { "" } else { "s" }
        )
    }
}

/// Compares what our seat measured with what the server logged of it, in every turn, in the order
/// of [`COUNTERPARTS`].
pub fn compare(turns: &[(u32, Measures)], record: &FinalRecord, seat: u16) -> Vec<Compared> {
    COUNTERPARTS.iter().map(|counterpart| compare_one(counterpart, turns, record, seat)).collect()
}

fn compare_one(
    counterpart: &Counterpart,
    turns: &[(u32, Measures)],
    record: &FinalRecord,
    seat: u16,
) -> Compared {
    let Counterpart { measure, tag, .. } = *counterpart;
    // The first of our seat is us: whoever gets the seat of a dead player comes later.
    let own = record.players.iter().find(|p| p.seat == seat);
    let series = own.and_then(|p| p.series.get(tag)).map_or(&[][..], Vec::as_slice);
    let logged: std::collections::BTreeMap<u32, i64> = series.iter().copied().collect();
    let mut compared = Compared { measure, tag, turns: 0, missing: 0, differ: 0, first: None };
    for (turn, measures) in turns {
        let Some(logged) = logged.get(turn).copied() else {
            compared.missing += 1;
            continue;
        };
        compared.turns += 1;
        let measured = (counterpart.expected)(measures);
        if measured == logged {
            continue;
        }
        compared.differ += 1;
        compared.first.get_or_insert_with(|| Difference {
            measure: measure.to_owned(),
            tag: tag.to_owned(),
            turn: *turn,
            measured,
            logged,
            turns: 0,
        });
    }
    if let Some(first) = &mut compared.first {
        first.turns = compared.differ;
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PlayerRecord;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_measure_is_checked_or_says_why_not() {
        let all = Measures { future_technology: 1, great_wonders: 1, ..Measures::default() };
        let value = serde_json::to_value(all).unwrap();
        let fields: BTreeSet<&str> =
            value.as_object().unwrap().keys().map(String::as_str).collect();
        let checked = COUNTERPARTS.iter().map(|c| c.measure);
        let named: Vec<&str> = checked.chain(UNLOGGED.iter().map(|(m, _)| *m)).collect();
        assert_eq!(named.iter().copied().collect::<BTreeSet<_>>(), fields);
        assert_eq!(named.len(), fields.len(), "each once");
    }

    fn player(seat: u16, name: &str, series: &[(&str, &[(u32, i64)])]) -> PlayerRecord {
        let series = series.iter().map(|(tag, pairs)| ((*tag).to_owned(), pairs.to_vec()));
        PlayerRecord { seat, name: name.into(), barbarian: None, series: series.collect() }
    }

    #[test]
    fn a_turn_that_differs_is_named_and_a_turn_without_a_line_is_counted() {
        let ours =
            player(1, "Ann", &[("score", &[(1, 5), (2, 7), (3, 9)]), ("techs", &[(1, 2), (2, 7)])]);
        let heir = player(1, "Bob", &[("score", &[(3, 900)])]);
        let record = FinalRecord { players: vec![ours, heir], ..FinalRecord::default() };
        let at = |score, technology| Measures { score, technology, ..Measures::default() };
        let future = Measures { future_technology: 2, ..at(8, 2) };
        let compared = compare(&[(1, at(5, 2)), (2, future), (3, at(10, 2))], &record, 1);
        let by: BTreeMap<&str, &Compared> = compared.iter().map(|c| (c.measure, c)).collect();
        let score = by["score"];
        assert_eq!((score.turns, score.missing, score.differ), (3, 0, 2));
        let first = score.first.as_ref().unwrap();
        assert_eq!((first.turn, first.measured, first.logged, first.turns), (2, 8, 7, 2));
        assert_eq!(
            first.to_string(),
            "score is 8 in turn 2, and score is 7 in the server's score log; they differ in 2 turns"
        );
        let technology = by["technology"];
        assert_eq!((technology.turns, technology.missing, technology.differ), (2, 1, 0));
        assert_eq!((by["gold"].turns, by["gold"].missing), (0, 3));
        let all = Summary::of(compared);
        assert_eq!((all.checked, all.missing, all.differs.len()), (5, 6 * 3 + 1, 1));
        let words = missing_words(all.checked, all.missing);
        let expected = "19 of 24 measured values are not in the server's score log";
        assert_eq!(words.as_deref(), Some(expected));
        assert_eq!(missing_words(24, 0), None);
    }
}
