//! Ten whole games of every planner on the real server, against a player who does nothing and one
//! who picks uniformly from the same menus: the evidence that there is something to choose, and
//! that planners and scripted backbone do choose.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Games of each planner, and how many of them must beat each floor.
const GAMES: usize = 10;
const BEATEN: usize = 8;
/// In how many games of each planner a building must be built.
const BUILT: usize = 9;
/// Share of executed orders that is neither fortify nor sentry; a skip is never sent.
const ACTIVE: f64 = 0.6;
/// Share of the orders of all `direct` games that came to nothing: refused, ignored or stale. A
/// treaty that the other side declines is among the refused.
const IN_VAIN: f64 = 0.03;
/// Cities at the end of a `direct` game, and in how many games at least.
const CITIES: (f64, usize) = (3.0, 6);

type Row = BTreeMap<String, String>;

#[test]
fn every_planner_plays_ten_whole_games_above_both_floors() {
    match saga_live::server::find(None) {
        Ok(_) => {}
        Err(e) if std::env::var_os("CI").is_some() => panic!("no game can be played in CI: {e}"),
        Err(e) => return eprintln!("SKIPPED: {e}"),
    }
    let desk = std::env::temp_dir().join(format!("saga-floor-{}", std::process::id()));
    let floor = play(&desk, "floor", None);
    let table = play(&desk, "table1", None);
    let scores = |rows: &[Row], planner: &str, backbone: &str| -> Vec<f64> {
        let of = |r: &&Row| r["planner"] == planner && r["backbone"] == backbone;
        let mut games: Vec<&Row> = rows.iter().filter(of).collect();
        games.sort_by_key(|r| number(r, "run") as u32);
        games.iter().map(|r| number(r, "score")).collect()
    };
    for planner in ["direct", "mastaba"] {
        let games: Vec<&Row> = table.iter().filter(|r| r["planner"] == planner).collect();
        assert_eq!(games.len(), GAMES, "{planner}");
        for game in &games {
            check_game(planner, game);
        }
        let built = games.iter().filter(|g| number(g, "buildings_best") >= 1.0).count();
        assert!(built >= BUILT, "{planner}: a building in {built} games, at least {BUILT}");
        let sum = |key: &str| games.iter().map(|g| number(g, key)).sum::<f64>();
        let active = sum("orders_active") / sum("orders_done");
        assert!(active >= ACTIVE, "{planner}: active share {active}, at least {ACTIVE}");
        if planner == "direct" {
            let in_vain = sum("orders_refused") + sum("orders_ignored") + sum("orders_stale");
            let share = in_vain / (in_vain + sum("orders_done"));
            assert!(share < IN_VAIN, "{share} of the orders came to nothing, under {IN_VAIN}");
            let grown = games.iter().filter(|g| number(g, "cities") >= CITIES.0).count();
            assert!(grown >= CITIES.1, "{grown} games with {} cities or more", CITIES.0);
        }
        let own = scores(&table, planner, "scripted");
        for below in ["idle", "uniform"] {
            let under = scores(&floor, "direct", below);
            assert_eq!(under.len(), GAMES, "{below}");
            let beaten = own.iter().zip(&under).filter(|(a, b)| a > b).count();
            assert!(beaten >= BEATEN, "{planner} beats {below} in {beaten}: {own:?} {under:?}");
            assert!(own.iter().sum::<f64>() > under.iter().sum::<f64>(), "{planner}, {below}");
        }
    }
    std::fs::remove_dir_all(&desk).expect("the folder is ours");
}

/// A named end by the game itself, cities, research and buildings; hardly an order in vain.
fn check_game(planner: &str, game: &Row) {
    let what = format!("{planner} run {}: {game:?}", game["run"]);
    assert!(["turn_limit", "victory", "eliminated"].contains(&game["end"].as_str()), "{what}");
    assert!(number(game, "cities_founded") >= 1.0, "{what}");
    assert!(number(game, "research_chosen") >= 1.0, "{what}");
    // Who is overrun early may have had time for soldiers only.
    assert!(number(game, "buildings_best") >= 1.0 || game["survived"] == "false", "{what}");
    assert!(game["score_logged"] == game["score"] || game["survived"] == "false", "{what}");
    let figures = number(game, "score_log_checked");
    assert!(figures > 0.0 && game["score_log_differs"] == "0", "{what}");
    assert_eq!(game["score_log_missing"], "0", "{what}");
    assert_eq!(game["requirements_unjudged"], "0", "{what}");
}

/// Plays a shipped experiment and reads its `episodes.csv`, with the most buildings of any turn.
fn play(desk: &Path, name: &str, only: Option<&str>) -> Vec<Row> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_saga"));
    command.arg("run").arg(root.join(format!("experiments/{name}.toml")));
    command.arg("--out").arg(desk).stdin(Stdio::null()).stdout(Stdio::null());
    if let Some(only) = only {
        command.args(["--only", only]);
    }
    assert!(command.status().expect("the binary can be run").success(), "{name}");
    let report: PathBuf = desk.join(name).join("report/scripted");
    let mut rows = read(&report.join("episodes.csv"));
    let mut best: BTreeMap<String, f64> = BTreeMap::new();
    for turn in read(&report.join("turns.csv")) {
        let most = best.entry(place(&turn)).or_default();
        *most = most.max(number(&turn, "buildings"));
    }
    for row in &mut rows {
        let most = best.get(&place(row)).copied().unwrap_or(0.0);
        row.insert("buildings_best".to_owned(), most.to_string());
    }
    rows
}

fn place(row: &Row) -> String {
    format!("{}/{}/{}", row["planner"], row["backbone"], row["run"])
}

fn read(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).expect("the report is there");
    reader.deserialize().map(|row| row.expect("a row of the report")).collect()
}

fn number(row: &Row, key: &str) -> f64 {
    row[key].parse().unwrap_or_else(|_| panic!("{key} is {:?}, no number", row[key]))
}
