//! The command line, as clap reads it. Strings that can be wrong end here or in `matrix`.

use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::matrix::Only;
use crate::registry::{BACKBONES, PLANNERS};

/// Play LLM planners on the real Freeciv; record, replay, compare and tabulate the games
#[derive(Debug, Parser)]
#[command(name = "saga", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0 done, 1 failed, 2 usage, 3 replay diverged or traces differ,
  4 matrix finished with failed runs";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a matrix, or what is still missing of it
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Play recorded games again offline and check every byte
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Print a recorded game for a reader
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// Print the first difference of two traces
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Make all tables from traces
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportArgs),
    /// Check everything a game needs, and tell what mends what is wrong
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(DoctorArgs),
}

/// Arguments of `saga run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    pub(crate) experiment: PathBuf,
    /// Folder that takes the matrix's own folder
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub(crate) out: PathBuf,
    /// Games played at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Play only these games: planner, variant, backbone, ai_skill, map_seed, run
    #[arg(long, value_name = "K=V,…", value_parser = Only::parse)]
    pub(crate) only: Option<Only>,
    /// Print what would be played, and estimates, and play nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object for each finished game and one for the whole
    #[arg(long)]
    pub(crate) json: bool,
    /// The Freeciv server [default: SAGA_FREECIV_SERVER, else from PATH or the usual places]
    #[arg(long, value_name = "PATH")]
    pub(crate) server: Option<PathBuf>,
}

/// Arguments of `saga replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Traces, or folders that hold some
    #[arg(value_name = "TRACE|DIR", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Record the replay again into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Folder with prompt templates over the built-in ones
    #[arg(long, value_name = "DIR")]
    pub(crate) prompts: Option<PathBuf>,
    /// Fail on a trace that was cut
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print one JSON object for each trace
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `saga show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Only this turn
    #[arg(long, value_name = "T")]
    pub(crate) turn: Option<u32>,
    /// List calls to backbones as well
    #[arg(long)]
    pub(crate) calls: bool,
    /// Print one call whole: its messages, the answer wanted, the reply
    #[arg(long, value_name = "CALL", conflicts_with = "turn")]
    pub(crate) prompt: Option<String>,
    /// Print JSON Lines instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `saga diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// One trace
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// The other
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `saga report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// A folder of traces, such as runs/quickstart
    #[arg(value_name = "RUNS")]
    pub(crate) runs: PathBuf,
    /// Folder for the tables [default: RUNS/report]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write nothing; fail when a file there differs in any byte
    #[arg(long)]
    pub(crate) check: bool,
    /// Fail when a game has no result, a ledger or trace is not as it was recorded, or a measure is
    /// not what the server's score log says, instead of telling it in the tables
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `saga doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// An experiment to check as well: the file, and its `[game]` on a server that is not played on
    #[arg(value_name = "EXPERIMENT.toml")]
    pub(crate) experiment: Option<PathBuf>,
    /// Folder that would take the games
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub(crate) out: PathBuf,
    /// Print one JSON object for each check and one for the whole
    #[arg(long)]
    pub(crate) json: bool,
    /// The Freeciv server [default: SAGA_FREECIV_SERVER, else from PATH or the usual places]
    #[arg(long, value_name = "PATH")]
    pub(crate) server: Option<PathBuf>,
}

const RUN_EXAMPLES: &str = "\
Examples:
  saga run experiments/quickstart.toml                  play it; again: what is missing
  saga run experiments/table1.toml --dry-run            games, seeds and estimates, nothing played
  saga run experiments/table1.toml --only run=1 --jobs 2
  saga run experiments/quickstart.toml --json | jq -c 'select(.run) | [.planner,.run,.score]'";

const REPLAY_EXAMPLES: &str = "\
Examples:
  saga replay runs/quickstart                           every game; exit 0 identical, 3 diverged
  saga replay runs/quickstart --record again            write the same bytes once more
  saga replay game-1.trace.jsonl.zst --strict           a cut trace is a failure";

const SHOW_EXAMPLES: &str = "\
Examples:
  saga show game-1.trace.jsonl.zst                      the whole game
  saga show game-1.trace.jsonl.zst --turn 12 --calls    one turn with its calls
  saga show game-1.trace.jsonl.zst --prompt 12/1/controller:city/city:104/1
  saga show game-1.trace.jsonl.zst --json | jq 'select(.turn) | .measures.score'";

const DIFF_EXAMPLES: &str = "\
Examples:
  saga diff a/game-1.trace.jsonl.zst b/game-1.trace.jsonl.zst   exit 0 same, 3 different";

const REPORT_EXAMPLES: &str = "\
Examples:
  saga report runs/quickstart                           tables into runs/quickstart/report
  saga report runs/table1 --out reports/table1
  saga report runs/table1 --out reports/table1 --check  fail when a committed file is out of date";

const DOCTOR_EXAMPLES: &str = "\
Each line: ok, warn, FAIL or skip, what was checked, what was found; below it what mends it. Exit
code 0 when nothing failed, else 1.

Examples:
  saga doctor                                           can games be played here?
  saga doctor experiments/table1.toml --out /data/runs  can these, and is there room for them?
  saga doctor --json | jq -r 'select(.status == \"fail\") | .mend'";

impl Cli {
    /// Reads the command line of this process, or prints help or a usage error and ends it.
    pub(crate) fn read() -> Self {
        let mut command = Self::command();
        let help = format!("{}\n\n{RUN_EXAMPLES}", catalogue());
        command = command.mut_subcommand("run", |run| run.after_help(help));
        let matches = command.get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|e| e.exit())
    }
}

/// What an experiment can name.
fn catalogue() -> String {
    use std::fmt::Write as _;
    let mut text = "Planners an experiment can name:\n".to_owned();
    for planner in PLANNERS {
        let origin = if planner.re_implementation { "re-implementation: " } else { "" };
        let _ = writeln!(text, "  {:<10} {origin}{}", planner.name, planner.about);
        for p in planner.parameters {
            let value = p.default.value();
            let _ = writeln!(text, "  {:<10}   {} = {value}: {}", "", p.name, p.about);
        }
    }
    text.push_str("Backbones an experiment can name:\n");
    for backbone in BACKBONES {
        let _ = writeln!(text, "  {:<10} {}", backbone.name, backbone.about);
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_names_every_planner_and_parameter() {
        let text = catalogue();
        for planner in PLANNERS {
            assert!(text.contains(planner.name), "{text}");
            assert!(planner.parameters.iter().all(|p| text.contains(p.name)), "{text}");
        }
    }
}
