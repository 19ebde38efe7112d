//! Checks of one experiment: that the file is good, and that a server takes what it says about the
//! game. No game is played.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use saga_core::spec::GameSpec;
use saga_live::server::ServerBinary;

use super::line::{Check, Line};
use super::{machine, server};
use crate::commands::run::trials::kinds;
use crate::commands::shell::quoted;
use crate::matrix::{Job, Matrix, MatrixError};
use crate::registry;

/// An experiment whose file is good.
pub(super) struct Experiment {
    matrix: Matrix,
    jobs: Vec<Job>,
    /// What to type when it was mended.
    mend: String,
}

/// Reads the file and the prompt templates it names.
pub(super) fn read(path: &Path) -> (Line, Option<Experiment>) {
    let check = Check::new("experiment", path.display().to_string());
    let name = quoted(&path.display().to_string());
    let mend = format!("edit {name} as told, then: saga doctor {name}");
    match good(path) {
        Ok((matrix, jobs)) => {
            let found = format!("good; games: {}, kinds: {}", jobs.len(), kinds(&jobs).len());
            (check.ok(found), Some(Experiment { matrix, jobs, mend }))
        }
        Err(e @ MatrixError::Read { .. }) => {
            (check.fail(e.to_string(), "ls experiments; then: saga doctor EXPERIMENT.toml"), None)
        }
        Err(e) => (check.fail(e.to_string(), mend), None),
    }
}

fn good(path: &Path) -> Result<(Matrix, Vec<Job>), MatrixError> {
    let matrix = Matrix::read(path)?;
    // Those built in have a line of their own.
    if let (Some(folder), Ok(built_in)) = (&matrix.prompts, registry::prompts()) {
        folder.over(built_in)?;
    }
    let jobs = matrix.jobs(|_| BTreeMap::new());
    Ok((matrix, jobs))
}

impl Experiment {
    /// Its different games.
    pub(super) fn games(&self) -> Vec<&GameSpec> {
        kinds(&self.jobs)
    }

    /// How many games it has, and how many bytes they are likely to leave.
    pub(super) fn bytes(&self) -> (usize, u64) {
        let each = self.jobs.iter().map(|job| machine::estimate(&job.spec.identity.game));
        let bytes = each.fold(0, u64::saturating_add);
        (self.jobs.len(), bytes)
    }

    /// Whether a server would play a game of it.
    pub(super) fn accepted(&self, binary: Option<&ServerBinary>, game: &GameSpec) -> Line {
        let GameSpec { ruleset, opponents, ai_skill, .. } = game;
        let check = Check::new(
            "game",
            format!("{ruleset} with {opponents} {ai_skill} opponents, every value read back"),
        );
        let Some(binary) = binary else { return check.skip(server::NO_SERVER) };
        let limit = Duration::from_secs(u64::from(self.matrix.operation.server_timeout_s));
        match saga_live::trial(binary, game, limit) {
            Ok(trial) => check.ok(server::times(&trial)),
            Err(e) => match self.matrix.refusal(&e) {
                Some(refusal) => check.fail(refusal.to_string(), self.mend.clone()),
                None => check.fail(e.to_string(), server::mend(&e)),
            },
        }
    }
}
