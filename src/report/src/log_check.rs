//! The measures of a game held against the server's own score log, turn by turn.

use saga_core::game::FinalRecord;
use saga_core::logged::{Compared, Difference, compare};
use saga_core::trace::entry::TurnEntry;

/// What came of it for one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogCheck {
    /// One entry for each measure that the log has too.
    pub compared: Vec<Compared>,
}

impl LogCheck {
    pub(crate) fn of(turns: &[TurnEntry], record: &FinalRecord, seat: u16) -> Self {
        let measured: Vec<_> = turns.iter().map(|turn| (turn.turn, turn.measures)).collect();
        Self { compared: compare(&measured, record, seat) }
    }

    /// The first measure that differs, where it does so first.
    pub fn first(&self) -> Option<&Difference> {
        self.compared.iter().find_map(|c| c.first.as_ref())
    }

    /// Values of all turns that were compared.
    pub fn checked(&self) -> u32 {
        self.compared.iter().map(|c| c.turns).sum()
    }

    /// Of these, values that differ.
    pub fn differs(&self) -> u32 {
        self.compared.iter().map(|c| c.differ).sum()
    }

    /// Values that the log should have and has not.
    pub fn missing(&self) -> u32 {
        self.compared.iter().map(|c| c.missing).sum()
    }
}
