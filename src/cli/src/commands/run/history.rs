//! What a matrix's ledger says of the games that lie there: which analysis was declared last, and
//! which bytes each finished trace had when its game was over.

use std::path::Path;

use saga_core::trace::file_hash;
use saga_core::trace::ledger::{Event, LedgerLine, read_ledger};

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

    /// Of the last attempt at a game; `None` when the ledger did not hear of its end.
    fn trace_hash(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find_map(|line| match &line.event {
            Event::Start { stem, .. } if stem == name => Some(None),
            Event::End { stem, trace_hash, .. } if stem == name => Some(trace_hash.as_deref()),
            _ => None,
        })?
    }
}
