//! The keys of `[game]` on a real server: what it refuses is an error of the experiment before the
//! first turn, what it takes is played, and skills are cells of their own.

use std::fs;

use crate::desk::{Desk, Said, has_server, traces};

fn run(game: &str, more: &[&str]) -> (Desk, Said) {
    let desk = Desk::new();
    desk.write("x.toml", format!("planners = [\"direct\"]\n[game]\nturns_max = 3\n{game}"));
    let said = desk.saga(&[&["run", "x.toml"], more].concat());
    (desk, said)
}

#[test]
fn what_the_server_refuses_is_told_with_its_line_and_nothing_is_made() {
    if !has_server() {
        return;
    }
    let check = |game: &str, parts: &[&str]| {
        for more in [&[][..], &["--dry-run"]] {
            let (desk, said) = run(game, more);
            let said = said.expect(2);
            for part in parts.iter().chain(&["saga: x.toml:", "no game was begun"]) {
                assert!(said.err.contains(part), "lacks {part:?}: {}", said.err);
            }
            assert!(!desk.path("runs").exists(), "{game}");
        }
    };
    check(
        "[game.settings]\nhuts = 99999\n",
        &[
            "x.toml:5: game.settings.huts = 99999: the server would play with \"15\" \
             instead",
            "the server said: ",
            "99999",
        ],
    );
    check(
        "[game.settings]\nhutz = 3\n",
        &["game.settings.hutz = 3: the server has no such setting; the nearest \
              it has is \"huts\""],
    );
    check(
        "ruleset = \"nosuch\"\n",
        &["x.toml:4: game.ruleset = \"nosuch\"", "classic, ", "not found"],
    );
    let cannot = "x.toml:2: [game]: the server takes every setting, and cannot start a game";
    check(
        "[game.settings]\nstartunits = \"\"\n",
        &[cannot, "the server said: Neither 'startcity' nor 'startunits' setting gives"],
    );
    check(
        "[game.settings]\nalltemperate = true\ntemperature = 0\n",
        &[cannot, "Cannot create suitable map with given settings."],
    );
    // A folder of the server's data in which there are no rules: it would go on with its own.
    check("ruleset = \"themes\"\n", &["would play \"civ2civ3\" instead"]);
}

#[test]
fn a_dry_run_without_a_server_says_that_nobody_was_asked() {
    let (_, said) = run("", &["--dry-run", "--server", "/nowhere/server"]);
    let said = said.expect(0);
    assert!(said.err.contains("no server was asked about [game]"), "{}", said.err);
}

#[test]
fn a_wrapped_world_is_played_and_replayed() {
    if !has_server() {
        return;
    }
    let game = "topology = [\"WRAPX\", \"WRAPY\"]\nsize = [24, 20]\nvictories = []\n";
    let (desk, said) = run(game, &[]);
    said.expect(0);
    let said = desk.saga(&["replay", "runs/x"]).expect(0);
    assert!(said.out.contains("1 identical"), "{}", said.out);
}

#[test]
fn skills_are_cells_of_their_own_from_the_folders_to_the_tables() {
    if !has_server() {
        return;
    }
    let skills = "ai_skill = [\"novice\", \"hard\"]\n";
    let (desk, said) = run(skills, &["--dry-run"]);
    let said = said.expect(0);
    assert!(said.out.contains("x: 2 games, 2 to play"), "{}", said.out);
    for skill in ["novice", "hard"] {
        let folder = format!("direct/base/scripted/ai-skill-{skill}/map-seed-2025/run-01/game-1");
        assert!(said.out.contains(&folder), "{}", said.out);
    }
    desk.saga(&["run", "x.toml"]).expect(0);
    assert_eq!(traces(&desk.path("runs/x")).len(), 2);
    let table = desk.path("runs/x/report/scripted/tables/main.md");
    let text = fs::read_to_string(table).expect("a table");
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("lacks {words:?}: {text}"));
    assert!(place("## x · map seed 2025 · novice opp") < place("## x · map seed 2025 · hard opp"));
    let said = desk.saga(&["run", "x.toml", "--only", "ai_skill=hard"]).expect(0);
    assert!(said.err.contains("1 games, 1 finished before"), "{}", said.err);
}
