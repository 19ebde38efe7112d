//! What shows that the numbers are right: orders that came to nothing, measures held against the
//! server's score log, and our place among players that die and come.

use saga_core::action::Outcome;
use saga_core::game::PlayerRecord;
use saga_core::trace::entry::EndReason;

use crate::load::Content;
use crate::report::Report;
use crate::rows::EpisodeRow;
use crate::tables::TABLES;
use crate::testing::{broken, ended, episode, mixed, played, player, report};

fn file(report: &Report, name: &str) -> String {
    String::from_utf8(report.files().unwrap()[&report.folder().join(name)].clone()).unwrap()
}

fn record(content: &mut Content) -> &mut Vec<PlayerRecord> {
    &mut content.end.as_mut().unwrap().record.as_mut().unwrap().players
}

/// A game in which the log says one city more than we saw in turn 2, and nothing of gold in 3.
fn differing() -> Content {
    let mut content = played("direct", 2, 20);
    let series = &mut record(&mut content)[0].series;
    series.get_mut("cities").unwrap()[1].1 += 1;
    series.get_mut("gold").unwrap().pop();
    content
}

#[test]
fn every_turn_is_held_against_the_score_log() {
    let report = report(&[played("direct", 1, 20)]);
    let row: &EpisodeRow = &report.episodes()[0];
    let log = row.log.as_ref().unwrap();
    assert_eq!((log.checked(), log.differs(), log.missing()), (8 * 3, 0, 0));
    assert_eq!(report.wrongly_measured(), []);
    assert!(!file(&report, "tables/main.md").contains("Warning"));
}

#[test]
fn a_measure_the_server_logged_otherwise_is_told_everywhere() {
    let report = report(&[played("direct", 1, 20), differing()]);
    let log = report.episodes()[1].log.as_ref().unwrap();
    assert_eq!((log.checked(), log.differs(), log.missing()), (8 * 3 - 1, 1, 1));
    let wrong = report.wrongly_measured();
    assert_eq!(wrong.len(), 1);
    let trace = "quick/direct/base/scripted/map-seed-2025/run-02/game-1.trace.jsonl.zst";
    assert_eq!(wrong[0].0, trace);
    assert_eq!(
        wrong[0].1.to_string(),
        "cities is 3 in turn 2, and cities is 4 in the server's score log; they differ in 1 turn"
    );
    let csv = file(&report, "tables/score_log.csv");
    assert!(csv.contains(&format!("\ncities,cities,2,6,0,1,{trace},2,3,4\n")), "{csv}");
    assert!(csv.contains("\ngold,gold,2,5,1,0,,,,\n"), "{csv}");
    let table = file(&report, "tables/score_log.md");
    assert!(table.contains(&format!("| 1 | {trace}, turn 2: measured 3, logged 4 |")), "{table}");
    for name in ["tables/main.md", "tables/play.md", "tables/orders.md"] {
        let text = file(&report, name);
        assert!(text.contains("**Warning**: in 1 of 2 games a measure is not"), "{name}: {text}");
    }
    let episodes = file(&report, "episodes.csv");
    let column = |name: &str| -> Vec<String> {
        let mut reader = csv::Reader::from_reader(episodes.as_bytes());
        let at = reader.headers().unwrap().iter().position(|h| h == name).unwrap();
        reader.records().map(|r| r.unwrap()[at].to_owned()).collect()
    };
    assert_eq!(column("score_log_checked"), ["24", "23"]);
    assert_eq!(column("score_log_differs"), ["0", "1"]);
    assert_eq!(column("score_log_missing"), ["0", "1"]);
    assert_eq!(column("requirements_unjudged"), ["0", "0"]);
    assert_eq!(report.to_json().unwrap()["wrongly_measured"][0]["trace"], trace);
}

#[test]
fn a_game_without_a_log_is_checked_by_nothing() {
    let report = report(&[ended("direct", 1, EndReason::ServerLost, 2)]);
    assert_eq!(report.episodes()[0].log, None);
    assert!(file(&report, "tables/score_log.md").contains("0 of 1 games have a log"));
}

#[test]
fn what_could_not_be_judged_is_told() {
    let mut content = played("direct", 1, 20);
    content.end.as_mut().unwrap().record.as_mut().unwrap().unjudged = 7;
    let report = report(&[content, played("direct", 2, 20)]);
    let told = "requirements this client could not judge: 7 times in 1 of 2 games that tell it";
    assert!(file(&report, "PROVENANCE.md").contains(told));
}

#[test]
fn orders_are_counted_by_kind_with_the_servers_words() {
    let mut content = played("direct", 1, 20);
    let long = format!("<b>{}</b>", "x|".repeat(200));
    for (turn, words) in content.turns.iter_mut().zip([long.as_str(), "later", "later"]) {
        turn.decisions[1].outcome = Some(Outcome::Refused { words: words.into() });
    }
    let report = report(&[content]);
    let csv = file(&report, "tables/orders.csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<Vec<String>> =
        reader.records().map(|r| r.unwrap().iter().skip(7).map(str::to_owned).collect()).collect();
    let of = |kind: &str| rows.iter().find(|r| r[1] == kind).unwrap().join(",");
    assert!(of("fortify").starts_with("1,fortify,3,3,0,3,0,0,1.000000,0,0,later,2,<b>x|x|"));
    assert_eq!(of("move"), "1,move,12,9,3,3,3,3,0.750000,0,0,no \"moves\", left,3,,,,");
    assert_eq!(of("skip"), "1,skip,0,0,0,0,0,0,,3,3,,,,,,");
    assert!(of("all").starts_with("1,all,17,14,5,6,3,3,0.705882,3,3,"));
    let table = file(&report, "tables/orders.md");
    assert!(table.contains("| **all** | 17 | 14 | 5 | 6 | 3 | 3 | 70.6 % (12/17) | 3 | 3 |"));
    assert!(table.contains("| fortify | 2 | later |"), "{table}");
    assert!(table.contains("| fortify | 1 | \\<b\\>x\\|x\\|"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() < 500), "a saying is cut");
}

#[test]
fn orders_of_failed_games_count_and_an_unreadable_one_is_told() {
    let lost = ended("direct", 1, EndReason::ServerLost, 2);
    let all = vec![episode(&lost, None), broken("direct", 2, "damaged")];
    let table = file(&Report::assemble(all), "tables/orders.md");
    assert!(table.contains("| 1 | move | 8 | 6 | 2 | 2 | 2 | 2 | 75.0 % (6/8) |"), "{table}");
    assert!(table.contains("1 games without a readable trace are not in it"), "{table}");
}

#[test]
fn csv_files_of_tables_have_the_documented_columns() {
    let report = mixed();
    let page = file(&report, "COLUMNS.md");
    for table in TABLES {
        let csv = file(&report, &format!("tables/{}.csv", table.name));
        let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let documented = table.columns.iter().copied().flatten().map(|c| c.name);
        let fixed: Vec<&str> = documented.filter(|name| !name.starts_with('<')).collect();
        assert_eq!(&head[..fixed.len()], fixed, "{}", table.name);
        let per_metric = table.columns.iter().copied().flatten().count() > fixed.len();
        assert!(per_metric || head.len() == fixed.len(), "{}", table.name);
        assert!(page.contains(&format!("\n## tables/{}.csv\n", table.name)));
    }
}

#[test]
fn players_that_die_come_and_inherit_a_seat_are_told_apart() {
    let mut content = played("direct", 1, 20);
    let players = record(&mut content);
    // A civil war in turn 2 makes a player; barbarians have no series; in turn 3 somebody gets
    // the seat of a dead one.
    players.push(player(3, "Rebel", vec![(2, 4), (3, 30)]));
    players.push(PlayerRecord { barbarian: Some("sea".into()), ..player(4, "Teach", Vec::new()) });
    players.push(player(0, "Heir", vec![(3, 999)]));
    let report = report(&[content]);
    let standing = report.episodes()[0].standing.unwrap();
    assert_eq!((standing.players, standing.score), (5, 20));
    // Above us: Bob, dead with 40, the rebel and the heir.
    assert_eq!((standing.rank, standing.best_opponent), (4, Some(999)));
    assert_eq!(standing.share, Some(20.0 / f64::from(20 + 40 + 10 + 30 + 999)));
    assert_eq!(report.wrongly_measured(), []);
}

#[test]
fn a_player_that_died_is_read_at_its_last_line() {
    let mut content = ended("direct", 1, EndReason::Eliminated, 2);
    let whole = played("direct", 1, 20).end.unwrap().record;
    content.end.as_mut().unwrap().record = whole;
    let own = &mut record(&mut content)[0].series;
    for series in own.values_mut() {
        series.truncate(2);
    }
    let report = report(&[content]);
    let row = &report.episodes()[0];
    let standing = row.standing.unwrap();
    assert_eq!((standing.score, standing.rank), (19, 2), "its score of turn 2");
    assert_eq!((row.fate.turn_of_death, row.fate.survived()), (Some(2), Some(false)));
    assert_eq!(row.log.as_ref().unwrap().checked(), 8 * 2);
    assert_eq!(row.log.as_ref().unwrap().differs(), 0);
}
