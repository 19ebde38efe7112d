//! Asks the server, before anything is made, whether it would play what is to be played: once for
//! each kind of game, since the seeds change nothing about that.

use std::time::Duration;

use saga_core::spec::GameSpec;

use super::host::Host;
use crate::error::CliError;
use crate::matrix::{Job, Matrix};

/// The different games among these jobs, each with the seeds it has first.
pub(crate) fn kinds<'j>(jobs: impl IntoIterator<Item = &'j Job>) -> Vec<&'j GameSpec> {
    let bare = |game: &GameSpec| GameSpec { map_seed: 0, game_seed: 0, ..game.clone() };
    let mut kinds: Vec<&GameSpec> = Vec::new();
    for job in jobs {
        let game = &job.spec.identity.game;
        if !kinds.iter().any(|known| bare(known) == bare(game)) {
            kinds.push(game);
        }
    }
    kinds
}

/// Tries each kind of game.
///
/// # Errors
/// [`CliError::Usage`] with file and line when the server refuses what the experiment says;
/// [`CliError::Refused`] when no game can be begun for another reason.
pub(super) fn ask(matrix: &Matrix, jobs: &[&Job], host: &dyn Host) -> Result<(), CliError> {
    let limit = Duration::from_secs(u64::from(matrix.operation.server_timeout_s));
    for game in kinds(jobs.iter().copied()) {
        host.trial(game, limit).map_err(|e| match matrix.refusal(&e) {
            Some(refusal) => CliError::Usage(format!("{refusal}\nno game was begun")),
            None => CliError::Refused(format!(
                "{e}\nno game was begun; `saga doctor` looks at one thing after the other"
            )),
        })?;
    }
    Ok(())
}
