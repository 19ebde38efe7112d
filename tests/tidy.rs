//! House rules that no compiler checks: lengths, first lines, edges between crates, words that are
//! banned, lists that must match folders, and generated text that must match its generator.
//! `SAGA_UPDATE=1` writes the generated text anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LINE_COLUMNS_MAX: usize = 100;
const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;

/// What each crate may use of the others. Whatever is not listed is an edge nobody agreed to.
const EDGES: &[(&str, &[&str])] = &[
    ("src/core", &[]),
    ("baselines", &["saga-core"]),
    ("src/freeciv", &["saga-core"]),
    ("src/live", &["saga-core", "saga-freeciv"]),
    ("src/report", &["saga-core"]),
    ("src/cli", &["saga-baselines", "saga-core", "saga-freeciv", "saga-live", "saga-report"]),
];

/// Words that may not stand in the code of a folder, and what to do instead.
const BANNED: &[(&str, &[&str], &str)] = &[
    (
        "src/core/src",
        &["std::net", "std::process::Command", "Instant::now", "SystemTime", "HashMap", "HashSet"],
        "core has no socket, process, clock or unordered map: the ports bring what they answer",
    ),
    (
        "baselines/src",
        &["std::net", "std::process", "std::time", "std::fs", "std::env", "HashMap", "HashSet"],
        "a planner sees a TurnView and Calls, nothing else",
    ),
    (
        "src/freeciv/src",
        &["std::net", "std::process", "std::fs", "std::time", "std::thread", "HashMap", "HashSet"],
        "the protocol is bytes in, values out",
    ),
    (
        "src/report/src",
        &["Instant::now", "SystemTime", "HashMap", "HashSet", "std::process"],
        "a report gives the same bytes every time",
    ),
];

/// Words that may stand nowhere, comments included. The last is a call whose p-values are wrong for
/// small samples with ties.
const BANNED_EVERYWHERE: &[&str] =
    &["todo!(", "unimplemented!(", "dbg!(", "#[ignore", "FIXME", "mannwhitneyu("];

/// Papers of ours that do not go with this repository: a reader cannot follow a pointer to them.
const NOT_IN_THE_REPOSITORY: &[&str] =
    &["PAPERS", "DESIGN", "FREECIV_FACTS", "CRATES.md", "STYLE.md"];

/// At our level of access chat is a shell into the server. The request, and the only code that may
/// name it.
const CHAT: &str = "CHAT_MSG_REQ";
const CHATS: &[&str] = &["src/live/src/game/turn.rs"];

/// Beginnings of paths that exist on one machine only.
const PRIVATE_PATHS: &[&str] = &["/home/", "/root/", "/Users/"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// Every Rust file of ours, by its path below the workspace.
fn sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for folder in ["src", "baselines", "tests"] {
        walk(&root().join(folder), &mut found);
    }
    assert!(found.len() > 50, "found only {} files", found.len());
    found
}

fn walk(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.strip_prefix(root()).expect("below the workspace");
            let text = fs::read_to_string(&path).expect("readable");
            found.insert(name.display().to_string(), text);
        }
    }
}

fn assert_none(faults: &[String], rule: &str) {
    assert!(faults.is_empty(), "{rule}:\n  {}", faults.join("\n  "));
}

#[test]
fn files_open_with_their_reason_and_keep_their_lengths() {
    let mut faults = Vec::new();
    for (name, text) in sources() {
        if !text.starts_with("//!") {
            faults.push(format!("{name}:1: begin with //! and why the file exists"));
        }
        let lines = text.lines().count();
        if lines > FILE_LINES_MAX {
            faults.push(format!("{name}: {lines} lines, at most {FILE_LINES_MAX}: find the seam"));
        }
        let tables = tables(&text);
        for (i, line) in text.lines().enumerate() {
            let columns = line.chars().count();
            let exempt = line.contains("https://") || tables.contains(&i);
            if columns > LINE_COLUMNS_MAX && !exempt {
                let line = i + 1;
                faults
                    .push(format!("{name}:{line}: {columns} columns, at most {LINE_COLUMNS_MAX}"));
            }
        }
        for (function, line, lines) in functions(&text) {
            if lines > FUNCTION_LINES_MAX {
                faults.push(format!(
                    "{name}:{line}: fn {function} has {lines} lines, at most {FUNCTION_LINES_MAX}"
                ));
            }
        }
    }
    assert_none(&faults, "style");
}

/// Name, first line and length of each function. The code is formatted, so a function ends at the
/// first closing brace that stands under its `fn`.
fn functions(text: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let words: Vec<&str> = code.split_whitespace().collect();
        let Some(at) = words.iter().position(|w| *w == "fn") else { continue };
        let lead = ["pub", "pub(crate)", "pub(super)", "const", "unsafe", "async", "extern"];
        if !words.iter().take(at).all(|w| lead.contains(w)) {
            continue;
        }
        let name = words.get(at + 1).map_or("", |w| w.split(['(', '<']).next().unwrap_or(""));
        let close = format!("{}}}", &line[..line.len() - code.len()]);
        let length = lines[i..].iter().position(|l| *l == close);
        // A trait method without a body, or one on a single line, has no such brace of its own.
        let has_body = !code.ends_with(';') && !code.ends_with('}');
        if let (Some(length), true) = (length, has_body) {
            found.push((name.to_owned(), i + 1, length + 1));
        }
    }
    found
}

/// Lines of the items that are laid out by hand, as tables are.
fn tables(text: &str) -> BTreeSet<usize> {
    let mut inside = None;
    let mut found = BTreeSet::new();
    for (i, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        if line.trim() == "#[rustfmt::skip]" {
            inside = Some(indent);
        }
        if inside.is_some() {
            found.insert(i);
        }
        let closes = line.trim_start().starts_with(['}', ']', ')']);
        if closes && inside == Some(indent) {
            inside = None;
        }
    }
    found
}

#[test]
fn banned_words_stand_nowhere() {
    let mut faults = Vec::new();
    for (name, text) in sources() {
        if name == "tests/tidy.rs" {
            continue;
        }
        for (i, line) in text.lines().enumerate() {
            for word in BANNED_EVERYWHERE.iter().filter(|word| line.contains(**word)) {
                faults.push(format!("{name}:{}: {word}", i + 1));
            }
            let is_comment = line.trim_start().starts_with("//");
            for (folder, words, instead) in BANNED {
                if !name.starts_with(folder) || is_test(&name) || is_comment {
                    continue;
                }
                for word in words.iter().filter(|word| line.contains(**word)) {
                    faults.push(format!("{name}:{}: {word}: {instead}", i + 1));
                }
            }
        }
    }
    assert_none(&faults, "banned");
}

fn is_test(name: &str) -> bool {
    name.contains("tests") || name.ends_with("testing.rs")
}

#[test]
fn nothing_but_the_playing_out_of_a_lost_game_can_chat() {
    let naming = |(name, text): (String, String)| {
        let tested = name.starts_with("tests/") || name.contains("/tests/");
        (!tested && text.contains(CHAT)).then_some(name)
    };
    let found: Vec<String> = sources().into_iter().filter_map(naming).collect();
    assert_eq!(found, CHATS, "files that name {CHAT}");
    assert!(saga_freeciv::v3_0().packet(CHAT).is_ok(), "requests go by the names of the table");
}

#[test]
fn no_file_names_what_stands_outside_the_repository() {
    let mut faults = Vec::new();
    let here = root().display().to_string();
    let mut files = Vec::new();
    walk_all(&root(), &mut files);
    for path in files {
        // What is no text names nothing.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(root()).expect("below the workspace").display().to_string();
        if name == "tests/tidy.rs" {
            continue;
        }
        for (i, line) in text.lines().enumerate() {
            let private = PRIVATE_PATHS.iter().copied().chain([here.as_str()]);
            let absent = NOT_IN_THE_REPOSITORY.iter().copied();
            for place in private.chain(absent).filter(|place| line.contains(place)) {
                faults.push(format!("{name}:{}: {place}", i + 1));
            }
        }
    }
    assert_none(&faults, "places and papers that a reader of this repository does not have");
}

/// Every file but those that git ignores.
fn walk_all(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if [".git", "target", "runs", "work"].contains(&&*name) {
            continue;
        }
        if path.is_dir() {
            walk_all(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn crates_use_only_what_stands_above_them() {
    let mut faults = Vec::new();
    for (folder, allowed) in EDGES {
        let file = root().join(folder).join("Cargo.toml");
        let text = fs::read_to_string(&file).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("a manifest");
        assert!(!manifest.contains_key("target"), "{folder}: no rule here reads [target]");
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let table = manifest.get(kind).and_then(toml::Value::as_table);
            let names = table.into_iter().flat_map(toml::Table::keys);
            for name in names.filter(|n| n.starts_with("saga-") && !allowed.contains(&n.as_str())) {
                faults.push(format!("{folder} uses {name} in {kind}: not among {allowed:?}"));
            }
        }
    }
    assert_none(&faults, "edges");
}

#[test]
fn only_the_registry_knows_planners_by_name() {
    let mut faults = Vec::new();
    let sources = sources();
    for planner in planners() {
        let word = format!("\"{planner}\"");
        for (name, text) in &sources {
            let own = *name == format!("baselines/src/{planner}.rs");
            let apart = ["src/cli/", "src/report/", "tests/"].iter().any(|f| name.starts_with(f));
            if own || apart || is_test(name) {
                continue;
            }
            // Tests beside the code stand last in their file.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (i, _) in code.lines().enumerate().filter(|(_, line)| line.contains(&word)) {
                faults.push(format!("{name}:{}: {word}", i + 1));
            }
        }
    }
    assert_none(&faults, "a planner's name outside src/cli");
}

#[test]
fn every_experiment_can_be_run() {
    let mut names = stems("experiments", ".toml");
    for other in ["backbones", "prices"] {
        names.remove(other);
    }
    assert!(names.len() > 1, "{names:?}");
    for name in names {
        let path = format!("experiments/{name}.toml");
        let output = Command::new(env!("CARGO_BIN_EXE_saga"))
            .args(["run", &path, "--dry-run"])
            .current_dir(root())
            .output()
            .expect("the binary can be run");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{path}: {}\n{words}", output.status);
        assert!(!output.stdout.is_empty(), "{path} prints no games");
    }
}

/// Planners, by the files they are.
fn planners() -> BTreeSet<String> {
    let mut names = stems("baselines/src", ".rs");
    names.remove("lib");
    names
}

/// Names of the files of a folder, by how they end.
fn stems(folder: &str, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder of the workspace");
    let names = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn saga(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_saga"))
        .args(arguments)
        .output()
        .expect("the binary can be run");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_planner_and_every_template_in_the_folder_is_in_its_list() {
    let help = saga(&["run", "--help"]);
    let page = fs::read_to_string(root().join("baselines/README.md")).expect("a page");
    for planner in planners() {
        assert!(help.contains(&format!("  {planner}")), "`saga run --help` lacks {planner}");
        assert!(page.contains(&format!("`{planner}`")), "baselines/README.md lacks {planner}");
        let line = help.lines().find(|line| line.starts_with(&format!("  {planner} ")));
        let said = line.is_some_and(|line| line.contains(" re-implementation: "));
        let marked = saga_report::tables::RE_IMPLEMENTED.contains(&planner.as_str());
        assert_eq!(said, marked, "{planner}: a re-implementation in the registry, and in tables");
    }
    let mut on_disk = BTreeSet::new();
    for base in ["src/core/prompts", "baselines/prompts"] {
        for folder in stems(base, "") {
            let names = stems(&format!("{base}/{folder}"), ".txt");
            on_disk.extend(names.iter().map(|name| format!("{folder}/{name}")));
        }
    }
    let prompts = saga_core::prompts::Prompts::new(saga_baselines::TEMPLATES).expect("valid");
    let embedded: BTreeSet<String> = prompts.hashes().into_keys().collect();
    assert_eq!(embedded, on_disk, "templates embedded, and files on disk");
}

#[test]
fn every_test_file_is_a_target_and_every_table_is_listed() {
    let manifest = fs::read_to_string(root().join("src/cli/Cargo.toml")).expect("a manifest");
    let alone = stems("tests", ".rs").into_iter().map(|name| format!("{name}.rs"));
    let folders = stems("tests", "").into_iter().map(|name| format!("{name}/main.rs"));
    for file in alone.chain(folders.filter(|file| root().join("tests").join(file).exists())) {
        let path = format!("path = \"../../tests/{file}\"");
        assert!(manifest.contains(&path), "src/cli/Cargo.toml lacks a [[test]] with {path}");
    }
    let listed: BTreeSet<String> =
        saga_report::tables::TABLES.iter().map(|t| t.name.to_owned()).collect();
    let folder = "src/report/src/tables";
    let makes_one = |name: &String| {
        let text = fs::read_to_string(root().join(folder).join(format!("{name}.rs")));
        text.expect("readable").contains("const TABLE: Table")
    };
    let files: BTreeSet<String> = stems(folder, ".rs").into_iter().filter(makes_one).collect();
    assert_eq!(files, listed, "files in src/report/src/tables, and TABLES");
}

#[test]
fn every_command_is_a_file() {
    let help = saga(&["--help"]);
    let commands = help.split("Commands:").nth(1).unwrap_or_default();
    let commands = commands.split("\n\n").next().unwrap_or_default();
    let names: BTreeSet<String> = commands
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect();
    assert_eq!(names, set(&["diff", "doctor", "replay", "report", "run", "show"]));
    let folder = root().join("src/cli/src/commands");
    for name in names {
        let is_there = folder.join(format!("{name}.rs")).exists() || folder.join(&name).is_dir();
        assert!(is_there, "{name} has neither a file nor a folder in {}", folder.display());
    }
}

/// The block of README that is the binary's own help.
fn help_block() -> String {
    let mut block = String::from("```text\n");
    for command in [&["--help"][..], &["run", "--help"], &["replay", "--help"], &["show", "--help"]]
        .into_iter()
        .chain([&["diff", "--help"][..], &["report", "--help"], &["doctor", "--help"]])
    {
        for part in ["$ saga ", &command.join(" "), "\n", saga(command).trim_end(), "\n\n"] {
            block.push_str(part);
        }
    }
    block.truncate(block.trim_end().len());
    block.push_str("\n```");
    block
}

#[test]
fn readme_shows_the_help_of_this_binary() {
    let (open, close) = ("<!-- help -->\n", "\n<!-- /help -->");
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).expect("a README");
    let (before, rest) = text.split_once(open).expect("README has a help block");
    let (shown, after) = rest.split_once(close).expect("README's help block ends");
    let block = help_block();
    if shown == block {
        return;
    }
    assert!(
        std::env::var_os("SAGA_UPDATE").is_some(),
        "README's help block is not what the binary says; write it anew with\n  \
         SAGA_UPDATE=1 cargo test -p saga-cli --test tidy"
    );
    fs::write(&path, format!("{before}{open}{block}{close}{after}")).expect("writable");
}

#[test]
fn functions_are_measured_from_fn_to_brace() {
    let text = "impl X {\n    pub(crate) const fn a() -> u8 {\n        1\n    }\n\n\
                \x20   fn b(\n        x: u8,\n    ) {\n        if x > 0 {\n        }\n    }\n\
                \x20   fn c();\n}\n";
    let found = functions(text);
    assert_eq!(found, [("a".to_owned(), 2, 3), ("b".to_owned(), 6, 6)]);
}
