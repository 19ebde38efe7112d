//! The numbers the project holds itself to, measured on whole processes and real games, as ratios
//! within one run wherever two things are compared. `cargo bench -p saga-cli` prints the README's
//! table.
//! Wants an idle machine of two cores: anything else running slows the server and its client apart.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Each figure is the median of so many.
const TIMES: usize = 5;

const EXPERIMENT: &str = r#"
planners = [
    "direct",
    "mastaba",
    { name = "mastaba", variant = "sketch-only", parameters = { sketch_only = true } },
]
backbones = ["scripted"]
runs = 5
[game]
turns_max = 150
[analysis]
controls = ["direct"]
"#;

fn main() {
    // `cargo test --benches` and the like only want to know that it starts.
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let desk = std::env::temp_dir().join(format!("saga-bars-{}", std::process::id()));
    std::fs::create_dir_all(&desk).expect("a temporary folder can be made");
    std::fs::write(desk.join("bars.toml"), EXPERIMENT).expect("a file can be written");
    println!("| what | bar | measured |\n| --- | --- | --- |");
    let direct = ratio(&desk, "planner=direct");
    row("150-turn game, `direct`, wall ÷ server CPU", "≤ 1.25", &direct);
    let sketch = ratio(&desk, "planner=mastaba,variant=sketch-only");
    row("the same, `mastaba` with `sketch_only`", "≤ 1.25", &sketch);
    let mastaba = ratio(&desk, "planner=mastaba,variant=base");
    row("the same, `mastaba`", "≤ 2", &mastaba);
    let side = side_by_side(&desk);
    row("two games side by side, throughput ÷ one", "≥ 1.8", &format!("{side:.2}"));
    let trace = desk.join("mastaba-1/bars/mastaba/base/scripted/map-seed-2025/run-01");
    let trace = trace.join("game-1.trace.jsonl.zst");
    let replay = median((0..TIMES).map(|_| timed(saga(&desk).arg("replay").arg(&trace))));
    row("offline replay of a 150-turn `mastaba` game", "≤ 1 s", &seconds(replay));
    let size = std::fs::metadata(&trace).expect("the trace is there").len();
    let size = format!("{:.2} MiB", size as f64 / f64::from(1 << 20));
    row("its trace, all prompts in full", "≤ 1 MiB", &size);
    let open = |turn: &str| timed(saga(&desk).args(["show", "--turn", turn]).arg(&trace));
    let open = median((0..TIMES).map(|_| open("140")));
    row("`saga show --turn 140` of it, whole process", "≤ 50 ms", &seconds(open));
    std::fs::remove_dir_all(&desk).expect("the folder is ours");
}

fn row(what: &str, bar: &str, measured: &str) {
    println!("| {what} | {bar} | {measured} |");
}

fn seconds(d: Duration) -> String {
    format!("{:.0} ms", d.as_secs_f64() * 1e3)
}

fn saga(desk: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saga"));
    command.current_dir(desk).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Median of wall ÷ server CPU over five games, one at a time, as `saga run --json` tells it.
fn ratio(desk: &Path, only: &str) -> String {
    let planner = only.trim_start_matches("planner=").replace([',', '='], "-");
    let mut games: Vec<(f64, f64, f64)> = (1..=TIMES)
        .map(|run| {
            let out = desk.join(match planner.as_str() {
                "mastaba-variant-base" => format!("mastaba-{run}"),
                _ => format!("{planner}-{run}"),
            });
            let said = saga(desk)
                .args(["run", "bars.toml", "--json", "--jobs", "1", "--only"])
                .arg(format!("{only},run={run}"))
                .arg("--out")
                .arg(out)
                .stdout(Stdio::piped())
                .output()
                .expect("the binary can be run");
            assert!(said.status.success(), "a game of {only} failed");
            let text = String::from_utf8(said.stdout).expect("JSON is text");
            let game: Value =
                serde_json::from_str(text.lines().next().unwrap_or("")).expect("a line of JSON");
            let number = |key: &str| game[key].as_f64().expect("a number");
            (number("ratio"), number("wall_s"), number("server_cpu_s"))
        })
        .collect();
    games.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, wall, cpu) = games[TIMES / 2];
    format!("{ratio:.2} ({wall:.2} s ÷ {cpu:.2} s)")
}

/// One game alone against two equal ones at once.
fn side_by_side(desk: &Path) -> f64 {
    let start = |name: String| -> Child {
        let out: PathBuf = desk.join(name);
        saga(desk)
            .args(["run", "bars.toml", "--jobs", "1", "--only", "planner=direct,run=3", "--out"])
            .arg(out)
            .spawn()
            .expect("the binary can be run")
    };
    let mut ratios: Vec<f64> = (0..TIMES)
        .map(|i| {
            let one = Instant::now();
            ended(start(format!("one-{i}")));
            let one = one.elapsed();
            let two = Instant::now();
            let pair = [start(format!("left-{i}")), start(format!("right-{i}"))];
            pair.into_iter().for_each(ended);
            2.0 * one.as_secs_f64() / two.elapsed().as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[TIMES / 2]
}

fn ended(mut child: Child) {
    assert!(child.wait().expect("it can be waited for").success(), "a game failed");
}

fn timed(command: &mut Command) -> Duration {
    let begun = Instant::now();
    assert!(command.status().expect("the binary can be run").success(), "{command:?}");
    begun.elapsed()
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times[times.len() / 2]
}
