//! Another ruleset: the shipped experiment on civ2civ3 is played whole, and its orders are as
//! lawful as those on classic.

use std::collections::BTreeMap;

use crate::desk::{Desk, has_server, traces};

/// Orders that came to nothing, in percent of all that were sent or were to be sent.
const IN_VAIN_PCT_MAX: f64 = 5.0;

#[test]
fn a_game_of_another_ruleset_is_played_replayed_and_lawful() {
    if !has_server() {
        return;
    }
    let desk = Desk::new();
    let experiment = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/civ2civ3.toml");
    desk.saga(&["run", experiment, "--out", "runs"]).expect(0);
    let games = traces(&desk.path("runs/civ2civ3"));
    assert_eq!(games.len(), 1, "one game");
    let said = desk.saga(&["replay", "runs/civ2civ3"]).expect(0);
    assert!(said.out.contains("1 identical, 0 diverged, 0 cut, 0 failed"), "{}", said.out);
    let report = desk.path("runs/civ2civ3/report/scripted/episodes.csv");
    let mut rows = csv::Reader::from_path(report).expect("a report after the run");
    let row: BTreeMap<String, String> =
        rows.deserialize().next().expect("one game").expect("a row of the report");
    let number = |key: &str| row[key].parse::<f64>().unwrap_or_else(|e| panic!("{key}: {e}"));
    assert_eq!((row["end"].as_str(), row["turns_played"].as_str()), ("turn_limit", "60"));
    assert!(number("cities") >= 2.0 && number("technology") >= 4.0, "{row:?}");
    assert_eq!(row["score"], row["score_logged"]);
    let in_vain = number("orders_refused") + number("orders_ignored") + number("orders_stale");
    let share = 100.0 * in_vain / (in_vain + number("orders_done"));
    assert!(share < IN_VAIN_PCT_MAX, "{share} % of the orders came to nothing: {row:?}");
}
