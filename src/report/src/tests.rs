//! The reading rules, the frames and the tables, on small traces in memory.

use std::path::Path;

use saga_core::trace::entry::EndReason;

use crate::metrics::METRICS;
use crate::report::Report;
use crate::rows::EpisodeRow;
use crate::testing::{
    broken, cut, decisions, ended, episode, measures, mixed, played, report, turn,
};
use crate::{columns, frames};

fn only(report: &Report) -> &EpisodeRow {
    assert_eq!(report.episodes().len(), 1);
    &report.episodes()[0]
}

#[test]
fn measures_are_read_at_the_start_of_the_last_turn() {
    let report = report(&[played("direct", 1, 20)]);
    let row = only(&report);
    // The end says 21: that is after the last turn.
    assert_eq!(row.measures, Some(measures(20)));
    assert_eq!(row.fate.turns_played, 3);
    assert_eq!(row.fate.survived(), Some(true));
}

#[test]
fn a_game_without_opponents_is_called_so() {
    let mut alone = played("direct", 1, 20);
    alone.header.spec.identity.game.opponents = 0;
    let text = report(&[alone]).main_table_text().unwrap();
    assert!(text.contains("map seed 2025 · no opponents\n"), "{text}");
    assert!(text.contains(". No built-in opponents. Freeciv server"), "{text}");
    assert!(!text.contains("easy"), "{text}");
}

#[test]
fn games_against_opponents_of_different_skill_are_never_pooled() {
    let against = |skill: &str, run: u32, score: i64| {
        let mut content = played("direct", run, score);
        skill.clone_into(&mut content.header.spec.identity.game.ai_skill);
        content
    };
    let all = [against("hard", 1, 10), against("easy", 1, 30), against("easy", 2, 30)];
    let report = report(&all);
    assert!(report.not_counted().is_empty(), "no copies of each other");
    let rows = report.to_json().unwrap()["tables"]["main"]["rows"].clone();
    let told: Vec<String> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{} n {} {}", row["ai_skill"], row["n"], row["values"]["score"]["mean"]))
        .collect();
    assert_eq!(told, ["\"easy\" n 2 30.0", "\"hard\" n 1 10.0"]);
    let text = report.main_table_text().unwrap();
    for words in ["map seed 2025 · hard opponents", "easy, hard; each in a section of its own"] {
        assert!(text.contains(words), "lacks {words:?}: {text}");
    }
}

#[test]
fn a_trace_that_cannot_be_read_fails_in_the_section_of_its_matrix() {
    let all = vec![episode(&played("direct", 1, 20), None), broken("direct", 2, "empty")];
    let text = Report::assemble(all).main_table_text().unwrap();
    assert!(text.contains("| 1/2 |") && !text.contains("unknown opponents"), "{text}");
}

#[test]
fn an_eliminated_player_keeps_its_score_and_nothing_else() {
    let report = report(&[ended("direct", 1, EndReason::Eliminated, 2)]);
    let row = only(&report);
    let read = row.measures.unwrap();
    assert_eq!((read.score, read.technology, read.cities, read.gold), (17, 0, 0, 0));
    assert_eq!((row.fate.turn_of_death, row.fate.survived()), (Some(2), Some(false)));
    assert_eq!(row.last, Some(measures(17)));
}

#[test]
fn a_player_that_dies_in_the_last_turn_was_alive_when_it_was_read() {
    let report = report(&[ended("direct", 1, EndReason::Eliminated, 3)]);
    assert_eq!(only(&report).measures, Some(measures(20)));
    assert_eq!(only(&report).fate.turn_of_death, Some(3));
}

#[test]
fn an_early_victory_gives_its_last_values() {
    let report = report(&[ended("direct", 1, EndReason::Victory, 2)]);
    assert_eq!(only(&report).measures, Some(measures(17)));
    assert_eq!(only(&report).fate.survived(), Some(true));
}

#[test]
fn a_failed_run_has_no_measures_but_its_cost() {
    let report = report(&[ended("direct", 1, EndReason::ServerLost, 2), cut("direct", 2)]);
    let [lost, cut] = report.episodes() else { panic!("two episodes") };
    assert_eq!((lost.measures, lost.last.map(|m| m.score)), (None, Some(17)));
    assert_eq!(lost.usage.unwrap().all.input, 2600);
    assert_eq!((cut.measures, cut.last, cut.fate.ending.word()), (None, None, "unfinished"));
    assert_eq!(cut.usage.unwrap().all.input, 3900);
    assert_eq!(report.failed().count(), 2);
    assert!(METRICS.iter().all(|m| (m.value)(lost).is_none()));
}

#[test]
fn orders_and_calls_are_counted() {
    let report = report(&[played("direct", 1, 20)]);
    let deeds = only(&report).deeds.unwrap();
    assert_eq!(deeds.decided(), 3 * 7 + 2);
    assert_eq!(deeds.decisions, [0, 3, 1, 3, 9, 7]);
    assert_eq!((deeds.done, deeds.refused, deeds.ignored, deeds.stale), (8, 3, 3, 3));
    assert_eq!((deeds.skips, deeds.no_ops), (3, 3));
    assert_eq!((deeds.cities_founded, deeds.research_chosen), (1, 1));
    assert_eq!(deeds.active_share(), Some(5.0 / 11.0));
    assert_eq!(deeds.active_share_sent(), Some(5.0 / 8.0));
    let usage = only(&report).usage.unwrap();
    assert_eq!((usage.all.calls, usage.all.reprompts, usage.all.output), (12, 3, 240));
    assert_eq!((usage.strategic.calls, usage.strategic.input), (3, 3000));
}

#[test]
fn the_standing_carries_a_dead_opponents_score_forward() {
    let report = report(&[played("direct", 1, 20)]);
    let standing = only(&report).standing.unwrap();
    assert_eq!((standing.players, standing.rank, standing.score), (3, 2, 20));
    assert_eq!(standing.best_opponent, Some(40));
    assert_eq!(standing.share, Some(20.0 / 70.0));
}

#[test]
fn the_tables_read_as_agreed() {
    let files = mixed().files().unwrap();
    for name in [
        "tables/main.md",
        "tables/main.csv",
        "tables/play.md",
        "tables/orders.md",
        "tables/orders.csv",
        "tables/score_log.md",
        "tables/score_log.csv",
        "PROVENANCE.md",
    ] {
        let got = String::from_utf8(files[&Path::new("scripted").join(name)].clone()).unwrap();
        golden(name, &got);
    }
}

/// Compares with the file of that name under `golden/`; `UPDATE_GOLDEN=1` writes it instead.
fn golden(name: &str, got: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/golden");
    let path = folder.join(name.replace('/', "-"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, got).unwrap();
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(want, got, "{name}: look at the difference, then UPDATE_GOLDEN=1 cargo test");
}

#[test]
fn older_attempts_and_copies_are_listed_and_not_counted() {
    let again = played("mastaba", 1, 20);
    let mut copy = episode(&again, None);
    copy.row.trace = "zz/copy.trace.jsonl.zst".into();
    let old = episode(&ended("mastaba", 1, EndReason::ServerLost, 2), Some(1));
    let report = Report::assemble(vec![copy, old, episode(&again, None)]);
    assert_eq!(report.episodes().len(), 1);
    let reasons: Vec<&str> = report.not_counted().iter().map(|n| n.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "attempt 1, ended as server_lost",
            "same episode as \
             quick/mastaba/base/scripted/map-seed-2025/run-01/game-1.trace.jsonl.zst",
        ]
    );
}

#[test]
fn of_two_copies_the_one_that_goes_further_counts() {
    for (first, second) in [("a", "b"), ("b", "a")] {
        let mut cut = episode(&cut("mastaba", 1), None);
        cut.row.trace = format!("{first}.trace.jsonl.zst");
        cut.hash = "11ff".into();
        let mut whole = episode(&played("mastaba", 1, 20), None);
        whole.row.trace = format!("{second}.trace.jsonl.zst");
        let report = Report::assemble(vec![cut, whole]);
        assert_eq!(only(&report).trace, format!("{second}.trace.jsonl.zst"));
        assert_eq!(report.turns().len(), 3);
        let main = report.main_table_text().unwrap();
        let told = format!(
            "- {first}.trace.jsonl.zst: same episode as {second}.trace.jsonl.zst, which is counted \
             as turn_limit; this one is another file, unfinished"
        );
        assert!(main.contains(&told), "{main}");
    }
}

#[test]
fn both_frames_have_the_documented_columns() {
    let report = mixed();
    for (name, frame) in
        [("episodes", report.episodes_frame().unwrap()), ("turns", report.turns_frame().unwrap())]
    {
        let documented: Vec<&str> =
            columns::columns().iter().filter(|c| c.frame == name).map(|c| c.name).collect();
        let there: Vec<&str> = frame.get_column_names().iter().map(|c| c.as_str()).collect();
        assert_eq!(there, documented);
    }
    assert_eq!(report.turns_frame().unwrap().height(), 3 + 3 + 2 + 2);
}

#[test]
fn csv_quotes_what_must_be_quoted() {
    let detail = "Ann, \"the Great\"\nof Ur";
    let report = Report::assemble(vec![broken("direct", 1, detail)]);
    let bytes = frames::csv("episodes", &report.episodes_frame().unwrap()).unwrap();
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let at = reader.headers().unwrap().iter().position(|h| h == "detail").unwrap();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), 1);
    assert_eq!(&records[0][at], detail);
    assert_eq!(records[0].iter().filter(|f| *f == "unreadable").count(), 1);
}

#[test]
fn no_result_at_all_still_makes_a_report() {
    let report = Report::assemble(vec![broken("direct", 1, "x")]);
    let main = report.main_table_text().unwrap();
    assert!(main.contains("| 0/1 | — |"), "{main}");
    assert!(report.is_scripted(), "the path says so");
    assert_eq!(report.to_json().unwrap()["failed"][0]["reason"], "unreadable");
}

#[test]
fn a_number_some_results_lack_shows_its_own_n() {
    let mut bare = played("direct", 2, 10);
    bare.end.as_mut().unwrap().record = None;
    let report = report(&[played("direct", 1, 20), bare]);
    let files = report.files().unwrap();
    let play = String::from_utf8(files[Path::new("scripted/tables/play.md")].clone()).unwrap();
    assert!(play.contains("| 2.00 ± — (1) |"), "{play}");
}

#[test]
fn a_model_in_every_role_needs_no_folder_of_its_own() {
    let mut content = played("direct", 1, 20);
    content.header.spec.identity.backbones.get_mut("default").unwrap().name = "gpt".into();
    let report = report(&[content]);
    assert!(report.files().unwrap().contains_key(Path::new("tables/main.md")));
    assert!(!report.main_table_text().unwrap().contains("not a language model"));
}

#[test]
fn turns_carry_their_own_measures() {
    let mut content = played("direct", 1, 20);
    content.turns = vec![turn(1, measures(4), decisions(1))];
    let report = report(&[content]);
    assert_eq!(report.turns()[0].measures.score, 4);
    assert_eq!(report.turns()[0].deeds.done, 4);
}
