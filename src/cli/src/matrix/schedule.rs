//! From an experiment to the list of its games, in the order in which they are played: blocks by
//! run index, cells shuffled within each, so that a stopped matrix is balanced and nothing that
//! drifts with time falls on one planner.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use saga_core::spec::{EpisodeSpec, GameSpec, INFRASTRUCTURE_REVISION, Identity, PlannerSpec};

use super::keys::nearest;
use super::{Matrix, Roles, label};

/// Number of the game in a run. Chains of games come with evolution.
pub(super) const GAME: u32 = 1;

/// Planner × variant × backbone × skill of the opponents × map seed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    /// Planner name.
    pub(crate) planner: String,
    /// Variant name.
    pub(crate) variant: String,
    /// Name of the map from role to backbone.
    pub(crate) backbone: String,
    /// Skill of the built-in players.
    pub(crate) ai_skill: String,
    /// The map.
    pub(crate) map_seed: u32,
}

/// One game to be played.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// Its cell.
    pub(crate) cell: Cell,
    /// Run number, from 1.
    pub(crate) run: u32,
    /// The episode.
    pub(crate) spec: EpisodeSpec,
    /// Folder of the run, under the matrix's own.
    pub(crate) folder: PathBuf,
    /// `game-1`: what the names of its files begin with.
    pub(crate) stem: String,
    /// Whether the matrix has a list of skills.
    names_skill: bool,
}

impl Job {
    /// `mastaba scripted map 2025 run 3`, the skill before the map where there are several: for
    /// progress and messages.
    pub(crate) fn title(&self) -> String {
        let Cell { backbone, ai_skill, map_seed, .. } = &self.cell;
        let skill = if self.names_skill { format!("{ai_skill} ") } else { String::new() };
        let planner = label(&self.spec.identity.planner);
        format!("{planner} {backbone} {skill}map {map_seed} run {}", self.run)
    }
}

impl Matrix {
    /// All games in playing order. `prompts` gives the hashes of the templates a planner uses.
    pub(crate) fn jobs(
        &self,
        prompts: impl Fn(&PlannerSpec) -> BTreeMap<String, String>,
    ) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (i, game_seed) in self.game_seeds.iter().enumerate() {
            let run = i as u32 + 1;
            let mut block = Vec::new();
            for planner in &self.planners {
                for backbone in &self.backbones {
                    for skill in &self.ai_skills.words {
                        for map_seed in &self.map_seeds {
                            let place = (skill.as_str(), *map_seed, *game_seed);
                            block.push(self.job(planner, backbone, run, place, prompts(planner)));
                        }
                    }
                }
            }
            shuffle(&mut block, self.schedule_seed.wrapping_add(u64::from(run)));
            jobs.append(&mut block);
        }
        jobs
    }

    fn job(
        &self,
        planner: &PlannerSpec,
        (backbone, roles): &(String, Roles),
        run: u32,
        (ai_skill, map_seed, game_seed): (&str, u32, u32),
        prompts: BTreeMap<String, String>,
    ) -> Job {
        let identity = Identity {
            planner: planner.clone(),
            backbones: roles.clone(),
            game: GameSpec {
                ai_skill: ai_skill.to_owned(),
                map_seed,
                game_seed,
                ..self.game.clone()
            },
            run,
            chain_game: GAME,
            sampling_seed: self.sampling_seed.wrapping_add(u64::from(game_seed)),
            limits: self.limits.clone(),
            infrastructure: INFRASTRUCTURE_REVISION,
            prompts,
        };
        let (name, variant) = (&planner.name, &planner.variant);
        let names_skill = self.ai_skills.is_axis;
        let mut folder: PathBuf = [name.as_str(), variant, backbone].iter().collect();
        if names_skill {
            folder.push(format!("ai-skill-{ai_skill}"));
        }
        folder.push(format!("map-seed-{map_seed}"));
        folder.push(format!("run-{run:02}"));
        Job {
            cell: Cell {
                planner: name.clone(),
                variant: variant.clone(),
                backbone: backbone.clone(),
                ai_skill: ai_skill.to_owned(),
                map_seed,
            },
            run,
            spec: EpisodeSpec { identity, operation: self.operation.clone() },
            folder,
            stem: format!("game-{GAME}"),
            names_skill,
        }
    }
}

/// Which of a matrix's games to play: of one key any value will do, of several keys each must fit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Only(BTreeMap<&'static str, Vec<String>>);

const KEYS: [&str; 6] = ["planner", "variant", "backbone", "ai_skill", "map_seed", "run"];

impl Only {
    /// Reads `planner=direct,run=1`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut wanted: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| format!("{part:?} is not KEY=VALUE, as in planner=direct,run=1"))?;
            let Some(known) = KEYS.iter().find(|k| **k == key) else {
                let near = nearest(key, KEYS)
                    .map_or_else(String::new, |near| format!("the nearest is {near:?}; "));
                let known = KEYS.join(", ");
                return Err(format!("unknown key {key:?}; {near}known: {known}"));
            };
            wanted.entry(known).or_default().push(value.to_owned());
        }
        Ok(Self(wanted))
    }

    /// Keeps the games that fit.
    ///
    /// # Errors
    /// Words for the user, when a value fits no game of the matrix at all.
    pub(crate) fn keep(&self, jobs: Vec<Job>) -> Result<Vec<Job>, String> {
        for (key, values) in &self.0 {
            for value in values {
                let mut known: Vec<String> = jobs.iter().map(|j| value_of(j, key)).collect();
                known.sort();
                known.dedup();
                if !known.contains(value) {
                    let near = nearest(value, known.iter().map(String::as_str))
                        .map_or_else(String::new, |near| format!("the nearest is {key}={near}; "));
                    let known = known.join(", ");
                    return Err(format!(
                        "--only {key}={value}: no such game in this matrix; {near}known: {known}"
                    ));
                }
            }
        }
        let fits = |job: &Job| self.0.iter().all(|(key, v)| v.contains(&value_of(job, key)));
        Ok(jobs.into_iter().filter(fits).collect())
    }
}

/// As it is written on the command line.
impl fmt::Display for Only {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.0.iter().flat_map(|(key, v)| v.iter().map(move |v| format!("{key}={v}")));
        f.write_str(&pairs.collect::<Vec<_>>().join(","))
    }
}

fn value_of(job: &Job, key: &str) -> String {
    match key {
        "planner" => job.cell.planner.clone(),
        "variant" => job.cell.variant.clone(),
        "backbone" => job.cell.backbone.clone(),
        "ai_skill" => job.cell.ai_skill.clone(),
        "map_seed" => job.cell.map_seed.to_string(),
        _ => job.run.to_string(),
    }
}

/// Fisher–Yates with a `SplitMix64` of our own: the order is part of the record, so it must not
/// depend on a library's next version.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        items.swap(last, (z % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_is_a_permutation_fixed_by_its_seed() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..8).collect();
            shuffle(&mut items, seed);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn a_filter_names_what_it_does_not_know() {
        let error = Only::parse("plannr=direct").expect_err("no such key");
        assert!(error.contains("the nearest is \"planner\""), "{error}");
        let error = Only::parse("direct").expect_err("no value");
        assert!(error.contains("not KEY=VALUE"), "{error}");
        assert_eq!(Only::parse("").expect("nothing asked"), Only::default());
    }
}
