//! What a matrix's ledger says of the games that lie there: which analysis was declared last, and
//! which bytes each finished trace had when its game was over.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::Path;

use saga_core::trace::ledger::{Event, LedgerLine, read_ledger};
use saga_core::trace::{Stem, file_hash};

use super::plan::Plan;
use crate::error::CliError;

/// The ledger's file in a matrix's own folder.
pub(super) const LEDGER: &str = "ledger.jsonl";

/// A ledger that was checked.
pub(super) struct History(Vec<LedgerLine>);

impl History {
    /// Reads the ledger of a matrix.
    pub(super) fn read(folder: &Path) -> Result<Self, CliError> {
        Ok(Self(read_ledger(&folder.join(LEDGER))?.0))
    }

    /// Games that another run of this matrix plays now; none when none is going on.
    pub(super) fn playing(&self, folder: &Path) -> BTreeSet<String> {
        let is_held = File::open(folder.join(LEDGER))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)));
        let mut playing = BTreeSet::new();
        for line in self.0.iter().filter(|_| is_held) {
            match &line.event {
                Event::Start { stem, .. } => drop(playing.insert(stem.clone())),
                Event::End { stem, .. } => drop(playing.remove(stem)),
                Event::Analysis { .. } => {}
            }
        }
        playing
    }

    /// Hash of the analysis that was declared last.
    pub(super) fn analysis(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|line| match &line.event {
            Event::Analysis { hash } => Some(hash.as_str()),
            _ => None,
        })
    }

    /// Refuses to build on finished games whose traces are not what was recorded.
    ///
    /// # Errors
    /// [`CliError::Refused`] with both hashes, the file and the choices.
    pub(super) fn refuse_changed(&self, plan: &Plan) -> Result<(), CliError> {
        for (name, trace) in plan.finished_traces() {
            let Some(recorded) = self.trace_hash(&name) else { continue };
            let today = file_hash(&trace)?;
            if today != recorded {
                return Err(CliError::Refused(format!(
                    "{} was changed after its game was over: {LEDGER} says it had BLAKE3 \
                     {recorded}, now it has {today}; nothing was changed by this run; restore the \
                     file from a copy, or move it to another folder to have the game played \
                     again: {}",
                    trace.display(),
                    plan.commands.go_on
                )));
            }
        }
        Ok(())
    }

    /// Refuses to play a game whose identity and run already have a result in another place of this
    /// matrix, as after `ai_skill` went from a word to a list.
    ///
    /// # Errors
    /// [`CliError::Refused`] with both places and the choices.
    pub(super) fn refuse_moved(&self, plan: &Plan) -> Result<(), CliError> {
        let moved: Vec<(String, &str)> = plan
            .open_games()
            .filter_map(|(name, identity)| {
                let place = self.result_elsewhere(&plan.folder, &name, &identity)?;
                Some((name, place))
            })
            .collect();
        let Some((name, place)) = moved.first() else { return Ok(()) };
        Err(CliError::Refused(format!(
            "{} of the games to play are finished already, at another place of {}: the first \
             would go to {name} and its result lies at {place}; a finished game is never played \
             twice; write the experiment as it was when that was played (`ai_skill` as a word has \
             no folder ai-skill-WORD, as a list it has one), or play into another folder: {}",
            moved.len(),
            plan.folder.display(),
            plan.commands.elsewhere
        )))
    }

    /// The place of a result with this identity that is not at `name` and still has its trace.
    fn result_elsewhere(&self, folder: &Path, name: &str, identity: &str) -> Option<&str> {
        self.0.iter().rev().find_map(|line| match &line.event {
            Event::End { stem, identity_hash, reason: Some(reason), .. }
                if identity_hash == identity
                    && stem != name
                    && reason.is_result()
                    && Stem::new(folder.join(stem)).trace().exists() =>
            {
                Some(stem.as_str())
            }
            _ => None,
        })
    }

    /// Of the last attempt at a game; `None` when the ledger did not hear of its end.
    fn trace_hash(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find_map(|line| match &line.event {
            Event::Start { stem, .. } if stem == name => Some(None),
            Event::End { stem, trace_hash, .. } if stem == name => Some(trace_hash.as_deref()),
            _ => None,
        })?
    }
}
