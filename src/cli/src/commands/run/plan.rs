//! What a run will do: every game of the matrix with what lies in its place. All refusals happen
//! here, before anything is played or moved.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use saga_core::prompts::Prompts;
use saga_core::trace::Stem;
use saga_core::trace::entry::End;
use serde_json::json;

use super::progress::thousands;
use super::survey::{self, Standing};
use crate::args::RunArgs;
use crate::commands::shell::quoted;
use crate::error::CliError;
use crate::matrix::{Job, Matrix};
use crate::registry;

/// Games with their standing, in playing order.
pub(super) struct Plan {
    /// Name of the matrix.
    pub(super) name: String,
    /// Its own folder.
    pub(super) folder: PathBuf,
    /// Templates of this experiment.
    pub(super) prompts: Prompts,
    /// What a user may type next.
    pub(super) commands: Commands,
    /// Names of the games that another run plays now; only a dry run can meet any.
    pub(super) playing: BTreeSet<String>,
    games: Vec<(Job, Standing)>,
}

/// Commands told to the user.
pub(super) struct Commands {
    /// Goes on with this run.
    pub(super) go_on: String,
    /// Plays the same experiment into another folder.
    pub(super) elsewhere: String,
    /// Goes on with this run on another server.
    pub(super) other_server: String,
}

impl Commands {
    fn new(args: &RunArgs) -> Self {
        let bare = format!("saga run {}", quoted(&args.experiment.to_string_lossy()));
        let mut command = bare.clone();
        let mut add = |name: &str, value: &str| {
            command = format!("{command} {name} {}", quoted(value));
        };
        if args.out.as_os_str() != "runs" {
            add("--out", &args.out.to_string_lossy());
        }
        if let Some(only) = &args.only {
            add("--only", &only.to_string());
        }
        if let Some(jobs) = args.jobs {
            add("--jobs", &jobs.to_string());
        }
        if args.json {
            command.push_str(" --json");
        }
        let go_on = match &args.server {
            Some(server) => format!("{command} --server {}", quoted(&server.to_string_lossy())),
            None => command.clone(),
        };
        Self {
            go_on,
            elsewhere: format!("{bare} --out DIR"),
            other_server: format!("{command} --server PATH"),
        }
    }
}

impl Plan {
    /// Lists the games and looks at the place of each.
    pub(super) fn make(matrix: &Matrix, args: &RunArgs) -> Result<Self, CliError> {
        let mut prompts = registry::prompts()?;
        if let Some(folder) = &matrix.prompts {
            prompts = folder.over(prompts).map_err(Box::new)?;
        }
        let mut jobs = matrix.jobs(|planner| registry::prompt_hashes(&prompts, planner));
        if let Some(only) = &args.only {
            jobs = only.keep(jobs).map_err(CliError::Usage)?;
        }
        if jobs.is_empty() {
            let only = "--only leaves no game: each value fits some, but none fits all of them";
            return Err(CliError::Usage(only.to_owned()));
        }
        let folder = args.out.join(&matrix.name);
        let mut games = Vec::with_capacity(jobs.len());
        for job in jobs {
            let stem = Stem::new(folder.join(&job.folder).join(&job.stem));
            let standing = survey::look(&stem, &job)?;
            games.push((job, standing));
        }
        let commands = Commands::new(args);
        Ok(Self {
            name: matrix.name.clone(),
            folder,
            prompts,
            commands,
            playing: BTreeSet::new(),
            games,
        })
    }

    /// How many games there are.
    pub(super) fn games(&self) -> usize {
        self.games.len()
    }

    /// Games that are to be played, in order.
    pub(super) fn to_play(&self) -> Vec<&Job> {
        let open = |standing: &Standing| !matches!(standing, Standing::Finished(_));
        self.games.iter().filter(|(_, s)| open(s)).map(|(job, _)| job).collect()
    }

    /// Where traces of these games are set aside first.
    pub(super) fn open_traces(&self) -> Vec<PathBuf> {
        let trace = |job: &Job| Stem::new(self.folder.join(&job.folder).join(&job.stem)).trace();
        self.to_play().into_iter().map(trace).collect()
    }

    /// Names and traces of the games that are finished.
    pub(super) fn finished_traces(&self) -> impl Iterator<Item = (String, PathBuf)> {
        self.ends().map(|(job, _)| {
            let name = job.folder.join(&job.stem);
            (name.display().to_string(), Stem::new(self.folder.join(&name)).trace())
        })
    }

    /// Names and identities of the games that are to be played.
    pub(super) fn open_games(&self) -> impl Iterator<Item = (String, String)> {
        self.to_play()
            .into_iter()
            .map(|job| (job.folder.join(&job.stem).display().to_string(), job.spec.identity.hash()))
    }

    /// A line for each trace that holds no game any more and will be set aside.
    pub(super) fn warnings(&self) -> Vec<String> {
        let line = |(job, standing): &(Job, Standing)| match standing {
            Standing::Unusable(why) => Some(format!(
                "saga: warning: {}: {why}; the file is kept as an older attempt and the game \
                 played again",
                job.title()
            )),
            _ => None,
        };
        self.games.iter().filter_map(line).collect()
    }

    /// How many are finished.
    pub(super) fn finished(&self) -> usize {
        self.ends().count()
    }

    /// Finished games without a result, in words: those that would use up their budget again.
    pub(super) fn failed_for_good(&self) -> Vec<String> {
        let failed = self.ends().filter(|(_, end)| !end.reason.is_result());
        failed
            .map(|(job, end)| {
                format!(
                    "{}: ended as {} in turn {} ({}); raise `operation.budget_tokens` to play it \
                     again",
                    job.title(),
                    end.reason.word(),
                    end.turn,
                    end.detail
                )
            })
            .collect()
    }

    fn ends(&self) -> impl Iterator<Item = (&Job, &End)> {
        self.games.iter().filter_map(|(job, standing)| match standing {
            Standing::Finished(end) => Some((job, end.as_ref())),
            _ => None,
        })
    }

    /// What would be played, and what it would cost.
    pub(super) fn print(&self, as_json: bool, out: &mut dyn Write) -> Result<(), CliError> {
        let (mut calls, mut tokens) = (0, 0);
        for (job, standing) in &self.games {
            let identity = &job.spec.identity;
            let estimate = estimate(job);
            let path = job.folder.join(&job.stem).display().to_string();
            let is_playing = self.playing.contains(&path);
            let (state, why) = if is_playing {
                ("playing", "being played now by another saga run")
            } else {
                words(standing)
            };
            let aside = match standing {
                Standing::Unusable(_) if !is_playing => "; the file is kept as an older attempt",
                _ => "",
            };
            let why = format!("{why}{aside}");
            if !matches!(standing, Standing::Finished(_)) {
                calls += estimate.0;
                tokens += estimate.1;
            }
            let hash = identity.hash();
            if as_json {
                let line = json!({
                    "planner": job.cell.planner, "variant": job.cell.variant,
                    "backbone": job.cell.backbone, "ai_skill": job.cell.ai_skill,
                    "map_seed": job.cell.map_seed,
                    "game_seed": identity.game.game_seed, "run": job.run, "identity": hash,
                    "state": state, "why": why, "calls_estimated": estimate.0,
                    "tokens_estimated": estimate.1,
                });
                writeln!(out, "{line}")?;
            } else {
                let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
                let game_seed = identity.game.game_seed;
                writeln!(out, "{state:<9} {hash}  game_seed {game_seed:<8} {path}{why}")?;
            }
        }
        let (games, open) = (self.games(), self.to_play().len());
        if as_json {
            let summary = json!({
                "matrix": self.name, "games": games, "to_play": open,
                "calls_estimated": calls, "tokens_estimated": tokens,
            });
            writeln!(out, "{}", json!({ "summary": summary }))?;
        } else {
            writeln!(out, "\n{}: {games} games, {open} to play, in this order", self.name)?;
            writeln!(
                out,
                "estimate: {} calls, {} tokens (calls and tokens a turn as measured in games \
                 played by the scripted backbone; a model's answers are longer)",
                thousands(calls),
                thousands(tokens)
            )?;
        }
        Ok(())
    }
}

fn words(standing: &Standing) -> (&'static str, &str) {
    match standing {
        Standing::Missing => ("play", ""),
        Standing::Finished(end) => ("finished", end.reason.word()),
        Standing::Leftover(why) | Standing::Unusable(why) => ("again", why),
    }
}

/// Calls and tokens a game is likely to take.
fn estimate(job: &Job) -> (u64, u64) {
    let turns = u64::from(job.spec.identity.game.turns_max);
    let info = registry::planner(&job.cell.planner);
    info.map_or((0, 0), |i| (i.calls_per_turn * turns, i.tokens_per_turn * turns))
}
