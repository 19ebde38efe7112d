//! What an experiment file becomes, and the words for every way it can be wrong.

use std::path::PathBuf;

use saga_live::LiveError;
use saga_live::error::Difference;

use super::*;

fn read(text: &str) -> Result<Matrix, String> {
    let source = Source { path: PathBuf::from("x.toml"), text: text.to_owned() };
    let matrix = check_keys(&source)
        .and_then(|()| toml::from_str(text).map_err(|e| source.refused(&e)))
        .and_then(|file| Matrix::check(source, file));
    matrix.map_err(|e| e.to_string())
}

fn jobs(text: &str) -> Vec<Job> {
    read(text).expect("a good matrix").jobs(|_| BTreeMap::new())
}

#[test]
fn the_shortest_file_has_every_default_written_out() {
    let matrix = read("planners = [\"direct\"]").expect("a good matrix");
    assert_eq!(matrix.name, "x");
    assert_eq!(matrix.game_seeds, [1001]);
    assert_eq!(matrix.map_seeds, [2025]);
    assert_eq!(matrix.game.turns_max, 150);
    assert_eq!(matrix.game.settings[0], ("topology".to_owned(), String::new()));
    let setting = |name: &str| {
        let found = matrix.game.settings.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    assert_eq!(setting("aifill"), "3");
    assert_eq!(setting("endturn"), "150");
    assert_eq!(setting("victories"), "SPACERACE|ALLIED");
    assert_eq!(matrix.limits, Limits::default());
    assert_eq!(matrix.operation, Operation::default());
    assert_eq!(matrix.analysis.reference, "direct");
    assert_eq!(matrix.analysis.planned_n, 1);
    assert!(matrix.backbones[0].1.contains_key("default"));
}

#[test]
fn the_shipped_experiments_are_good() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let quickstart = Matrix::read(&folder.join("quickstart.toml")).expect("quickstart");
    let jobs = quickstart.jobs(|_| BTreeMap::new());
    assert_eq!(jobs.len(), 4);
    assert_eq!(quickstart.game.turns_max, 40);
    let table1 = Matrix::read(&folder.join("table1.toml")).expect("table1");
    assert_eq!((table1.game.turns_max, table1.game_seeds.len()), (150, 10));
}

#[test]
fn games_come_in_blocks_by_run_with_planners_shuffled() {
    let text = "planners = [\"direct\", \"mastaba\"]\nruns = 6\nmap_seeds = [1, 2]";
    let all = jobs(text);
    assert_eq!(all.len(), 24);
    let runs: Vec<u32> = all.iter().map(|j| j.run).collect();
    assert!(runs.is_sorted(), "{runs:?}");
    let firsts: Vec<&str> = all.chunks(4).map(|b| b[0].cell.planner.as_str()).collect();
    assert!(firsts.contains(&"direct") && firsts.contains(&"mastaba"), "{firsts:?}");
    let order = |jobs: &[Job]| jobs.iter().map(|j| j.folder.clone()).collect::<Vec<_>>();
    assert_eq!(order(&all), order(&jobs(text)));
    assert_ne!(order(&all), order(&jobs(&format!("schedule_seed = 7\n{text}"))));
}

#[test]
fn a_game_has_its_seeds_and_its_folder() {
    let job = &jobs("planners = [\"direct\"]\nruns = 3\nsampling_seed = 5")[2];
    assert_eq!(job.spec.identity.game.game_seed, 3001);
    assert_eq!(job.spec.identity.sampling_seed, 3006);
    assert_eq!(job.spec.identity.run, 3);
    assert_eq!(job.folder, PathBuf::from("direct/base/scripted/map-seed-2025/run-03"));
    assert_eq!(job.stem, "game-1");
}

#[test]
fn a_filter_keeps_what_fits_and_refuses_what_nothing_fits() {
    let all = jobs("planners = [\"direct\", \"mastaba\"]\nruns = 2");
    let keep = |text: &str| Only::parse(text).expect("a filter").keep(all.clone());
    assert_eq!(keep("planner=direct,run=1").expect("one game").len(), 1);
    assert_eq!(keep("run=1,run=2").expect("all games").len(), 4);
    let error = keep("planner=dirct").expect_err("no such planner");
    assert!(error.contains("nearest is planner=direct"), "{error}");
}

#[test]
fn variants_and_role_maps_are_cells_of_their_own() {
    let text = r#"
        planners = [
            "mastaba",
            { name = "mastaba", variant = "sketch-only", parameters = { sketch_only = true } },
        ]
        backbones = [
            "scripted",
            { name = "split", roles = { default = "scripted", "controller:city" = "scripted" } },
        ]
    "#;
    let all = jobs(text);
    assert_eq!(all.len(), 4);
    let hashes: std::collections::BTreeSet<String> =
        all.iter().map(|j| j.spec.identity.hash()).collect();
    assert_eq!(hashes.len(), 4);
}

#[test]
fn settings_replace_defaults_in_place_and_others_follow() {
    let text =
        "planners = [\"direct\"]\n[game.settings]\nonsetbarbs = 30\nhuts = 0\nkillstack = false";
    let matrix = read(text).expect("a good matrix");
    let settings = &matrix.game.settings;
    let onset = settings.iter().find(|(n, _)| n == "onsetbarbs").map(|(_, v)| v.as_str());
    assert_eq!(onset, Some("30"));
    let tail: Vec<_> =
        settings[settings.len() - 2..].iter().map(|(n, v)| format!("{n}={v}")).collect();
    assert_eq!(tail, ["huts=0", "killstack=disabled"]);
}

/// Each message says where, what stands there and what was wanted.
#[test]
fn a_bad_file_is_told_where_and_what_was_meant() {
    let check = |text: &str, said: &str| {
        let error = read(text).expect_err(said);
        assert_eq!(error, said);
    };
    let p = "planners = [\"direct\"]\n";
    check(
        "planners = [\"direct\",\n  \"masatba\"]",
        "x.toml:2: planners.1 = \"masatba\": unknown planner; the nearest known one is \
         \"mastaba\" (known: direct, mastaba)",
    );
    check(
        &format!("{p}[game]\nruleset = \"classic\"\nturn_max = 40"),
        "x.toml:4: unknown key \"turn_max\" in [game]; the nearest known one is \"turns_max\" \
         (known: ruleset, size, topology, opponents, ai_skill, barbarians, victories, turns_max, \
         settings)",
    );
    check(
        &format!("{p}runs = 1\ngame_seeds = [0]"),
        "x.toml:3: game_seeds.0 = 0: wanted 1 to 2147483647: with 0 the server draws a seed of \
         its own and the game cannot be repeated",
    );
    check(
        &format!("{p}map_seeds = [0]"),
        "x.toml:2: map_seeds.0 = 0: wanted 1 to 2147483647: with 0 the server draws a seed of \
         its own and the game cannot be repeated",
    );
    check(
        &format!("{p}[game.settings]\ngameseed = 0"),
        "x.toml:3: game.settings.gameseed = 0: wanted this to be set by `game_seeds`",
    );
    check(
        "planners = [{ name = \"mastaba\", variant = \"s\", parameters = { sketchonly = true } }]",
        "x.toml:1: planners.0.parameters.sketchonly = \"sketchonly\": unknown parameter of this \
         planner; the nearest known one is \"sketch_only\" (known: sketch_only)",
    );
    check(
        "planners = [{ name = \"mastaba\", variant = \"s\", parameters = { sketch_only = 1 } }]",
        "x.toml:1: planners.0.parameters.sketch_only = 1: wanted true or false (the advisor reads \
         the sketch alone, without the full state)",
    );
    check(
        &format!("{p}[game]\nai_skill = \"esay\""),
        "x.toml:3: game.ai_skill = \"esay\": unknown AI skill; the nearest known one is \
         \"easy\" (known: handicapped, novice, easy, normal, hard, cheating)",
    );
    check("", "x.toml: planners = []: wanted one or more of direct, mastaba");
    check(
        &format!("{p}backbones = [\"script\"]"),
        "x.toml:2: backbones.0 = \"script\": unknown backbone; the nearest known one is \
         \"scripted\" (known: scripted, uniform, idle)",
    );
    check(
        &format!("{p}[analysis]\nreference = \"saga\""),
        "x.toml:3: analysis.reference = \"saga\": unknown planner of this file; known: direct",
    );
}

#[test]
fn a_wrong_type_is_told_with_its_line() {
    let check = |text: &str, said: &str| {
        let error = read(&format!("planners = [\"direct\"]\n{text}")).expect_err(said);
        assert_eq!(error, said);
    };
    check(
        "runs = \"two\"",
        "x.toml:2: invalid type: string \"two\", expected a whole number from 0 to 4294967295; the \
         line: runs = \"two\"",
    );
    check(
        "runs = -1",
        "x.toml:2: invalid value: integer `-1`, expected a whole number from 0 to 4294967295; the \
         line: runs = -1",
    );
    check("runs = 0", "x.toml:2: runs = 0: wanted 1 to 100000 runs (they count from 1)");
}

#[test]
fn what_the_server_could_not_read_is_told_before_any_game() {
    let check = |text: &str, part: &str| {
        let error = read(&format!("planners = [\"direct\"]\n{text}")).expect_err(part);
        assert!(error.starts_with("x.toml:3: ") && error.contains(part), "{error}");
    };
    check("[game]\nruleset = \"../../etc\"", "game.ruleset = \"../../etc\": wanted the name");
    check("[game]\nruleset = \"my-rules\"", "letters, digits and _ only");
    check("[game.settings]\n\"a.b\" = 1", "game.settings.a.b = 1: wanted settings named");
    check("[game.settings]\nhuts = \"1\\nquit\"", "the character '\\n' is not allowed");
    check("[game.settings]\nsavename = \"a/x\"", "the character '/' is not allowed");
}

#[test]
fn a_role_that_nobody_has_is_refused() {
    let roles = |role: &str| {
        read(&format!(
            "planners = [\"direct\"]\nbackbones = [{{ name = \"b\", roles = {{ default = \
             \"scripted\", \"{role}\" = \"idle\" }} }}]"
        ))
    };
    for role in ["planner", "controller", "controller:city", "controller:military"] {
        assert!(roles(role).is_ok(), "{role}");
    }
    let error = roles("controller:citty").expect_err("a slip");
    assert!(
        error.contains("unknown role; the nearest known one is \"controller:city\""),
        "{error}"
    );
}

#[test]
fn no_file_is_read_without_bound_and_no_line_is_repeated_without_end() {
    let error = Source::read(std::path::Path::new("/dev/zero")).expect_err("endless").to_string();
    assert!(error.contains("has more than 1048576 bytes"), "{error}");
    let long = "x".repeat(100_000);
    for text in [
        format!("planners = [\"{long}\"]"),
        format!("planners = {long}"),
        format!("{long} = 1"),
        format!("runs = \"{long}\""),
        format!("planners = [\"direct\"]\n[game.settings]\n\"{long}-\" = \"{long}\""),
    ] {
        let error = read(&text).expect_err("wrong");
        assert!(error.len() < 1000, "{}", error.len());
    }
}

#[test]
fn templates_that_cannot_be_used_are_a_fault_of_the_file() {
    let matrix = read("planners = [\"direct\"]\nprompts = \"nope\"").expect("good so far");
    let folder = matrix.prompts.expect("a folder");
    let error = folder.over(registry::prompts().expect("built in")).err().expect("no such folder");
    assert!(error.to_string().starts_with("x.toml:2: prompts = \"nope\": cannot read"), "{error}");
}

#[test]
fn a_list_of_skills_is_an_axis_and_a_word_changes_no_path() {
    let text = |skill: &str| {
        format!("planners = [\"direct\", \"mastaba\"]\nruns = 2\n[game]\nai_skill = {skill}")
    };
    let one = jobs(&text("\"hard\""));
    assert_eq!((one.len(), one[0].cell.ai_skill.as_str()), (4, "hard"));
    assert!(one.iter().all(|job| !job.folder.display().to_string().contains("ai-skill")));
    let all = jobs(&text("[\"easy\", \"hard\"]"));
    assert_eq!(all.len(), 8);
    let folders: std::collections::BTreeSet<_> = all.iter().map(|job| &job.folder).collect();
    assert_eq!(folders.len(), 8);
    let hashes: std::collections::BTreeSet<String> =
        all.iter().map(|job| job.spec.identity.hash()).collect();
    assert_eq!(hashes.len(), 8);
    let hard = Only::parse("ai_skill=hard,planner=direct,run=1").expect("a filter");
    let hard = hard.keep(all).expect("one game");
    assert_eq!(hard.len(), 1);
    let folder = "direct/base/scripted/ai-skill-hard/map-seed-2025/run-01";
    assert_eq!(hard[0].folder, PathBuf::from(folder));
    assert_eq!(hard[0].title(), "direct scripted hard map 2025 run 1");
    assert_eq!(hard[0].spec.identity.game.ai_skill, "hard");
}

/// What the `[game]` table says shapes the game, so a game of another table is another game.
#[test]
fn every_key_of_the_game_is_part_of_its_identity() {
    let hash = |line: &str| {
        let all = jobs(&format!("planners = [\"direct\"]\n[game]\n{line}"));
        all[0].spec.identity.hash()
    };
    let lines = [
        "",
        "ruleset = \"civ2civ3\"",
        "size = [24, 23]",
        "size = [23, 24]",
        "topology = [\"WRAPX\"]",
        "topology = [\"WRAPX\", \"WRAPY\"]",
        "opponents = 3",
        "ai_skill = \"hard\"",
        "barbarians = \"DISABLED\"",
        "victories = [\"SPACERACE\"]",
        "turns_max = 100",
        "settings = { huts = 3 }",
        "settings = { killstack = false }",
    ];
    let hashes: std::collections::BTreeSet<String> = lines.iter().map(|l| hash(l)).collect();
    assert_eq!(hashes.len(), lines.len());
}

#[test]
fn a_scenario_that_cannot_be_is_told_with_its_line() {
    let check = |text: &str, part: &str| {
        let error = read(&format!("planners = [\"direct\"]\n[game]\n{text}")).expect_err(part);
        assert!(error.starts_with("x.toml:3: ") && error.contains(part), "{error}");
    };
    check("topology = [\"ISO\"]", "game.topology.0 = \"ISO\": wanted WRAPX, WRAPY or nothing");
    check("topology = [\"WRAPX\", \"HEX\"]", "saga plays on square tiles");
    check("topology = [\"WRAP\"]", "unknown topology; the nearest known one is \"WRAPX\"");
    check(
        "topology = [\"WRAPX\", \"WRAPX\"]",
        "game.topology.1 = \"WRAPX\": wanted each word once",
    );
    check("topology = \"WRAPX\"", "expected a list");
    check("settings = { topology = \"ISO\" }", "wanted this to be set by `game.topology`");
    check("ai_skill = []", "game.ai_skill = []: wanted one or more of handicapped");
    check("ai_skill = [\"easy\", \"hrad\"]", "game.ai_skill.1 = \"hrad\": unknown AI skill");
    check("ai_skill = [\"easy\", \"easy\"]", "wanted each word once");
    check("ai_skill = 3", "expected a word in quotes, or a list of them");
    check("victories = [\"ALLIED\", \"ALLIED\"]", "wanted each word once");
    check("size = [23, 23, 23]", "invalid length 3, expected columns and rows: two numbers");
    check("ai_skill = [\"easy\", \"hard\"]\nopponents = 0", "in a game with opponents = 0");
    check("barbarians = \"normal\"", "the nearest known one is \"NORMAL\"");
    check("barbarians = \"zebra\"", "unknown barbarians setting; known: DISABLED");
}

#[test]
fn what_goes_by_the_clock_or_has_no_end_is_refused_as_it_was_written() {
    let check = |line: &str, part: &str| {
        let text = format!("planners = [\"direct\"]\n[game.settings]\n{line}");
        let error = read(&text).expect_err(part);
        assert!(error.starts_with("x.toml:3: ") && error.contains(part), "{error}");
        assert!(error.len() < 600, "{}", error.len());
    };
    check("unitwaittime = 5", "game.settings.unitwaittime = 5: wanted the value every game");
    check("first_timeout = 1", "by it the server ends the first turn when some time has passed");
    for name in ["timeout", "timeaddenemymove", "netwait", "nettimeout", "pingtime", "kicktime"] {
        check(&format!("{name} = 30"), "depends on the clock");
    }
    let long = "x".repeat(5000);
    check(&format!("startunits = \"{long}\""), "… (5002 bytes): wanted at most 200 bytes");
    check("killstack = \"a/b\"", "game.settings.killstack = \"a/b\": wanted");

    let matrix = read("planners = [\"direct\"]\n[game.settings]\ngold = -30\nkillstack = true");
    let refused = |name: &str, wanted: &str| Difference {
        name: name.to_owned(),
        wanted: wanted.to_owned(),
        found: Some("x".to_owned()),
    };
    let refused = LiveError::SettingsDiffer {
        differences: vec![refused("gold", "-30"), refused("killstack", "enabled")],
        said: Vec::new(),
        known: Vec::new(),
    };
    let told = matrix.expect("good so far").refusal(&refused).expect("a refusal").to_string();
    assert!(told.contains("game.settings.gold = -30: the server would"), "{told}");
    assert!(told.contains("game.settings.killstack = true: the server would"), "{told}");
}

#[test]
fn a_refusal_of_the_server_names_line_key_and_both_values() {
    let text =
        "planners = [\"direct\"]\n[game]\nsize = [23, 23]\n[game.settings]\nhuts = 9\nhutz = 1";
    let matrix = read(text).expect("good as far as the file goes");
    let differs = |name: &str, wanted: &str, found: Option<&str>| Difference {
        name: name.to_owned(),
        wanted: wanted.to_owned(),
        found: found.map(str::to_owned),
    };
    let refused = LiveError::SettingsDiffer {
        differences: vec![
            differs("ysize", "23", Some("64")),
            differs("huts", "9", Some("15")),
            differs("hutz", "1", None),
        ],
        said: vec!["No.".to_owned()],
        known: vec!["huts".to_owned(), "ysize".to_owned()],
    };
    assert_eq!(
        matrix.refusal(&refused).expect("a refusal").to_string(),
        "x.toml:3: game.size (ysize) = \"23\": the server would play with \"64\" instead\n\
         x.toml:5: game.settings.huts = 9: the server would play with \"15\" instead\n\
         x.toml:6: game.settings.hutz = 1: the server has no such setting; the nearest it has \
         is \"huts\"\nthe server said: No."
    );
    let lost = LiveError::NoServer { looked: Vec::new() };
    assert!(matrix.refusal(&lost).is_none(), "nothing that another experiment would mend");
}
