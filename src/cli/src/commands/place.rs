//! The turn in which a trace line stands, so that every message about a line can say where in the
//! game it is.

use saga_core::trace::{Entry, Kind, Text};

/// The turn in which a line stands: one more than the last turn closed before it.
pub(crate) fn turn_of(text: &Text, index: usize) -> u32 {
    let closed = (0..index.min(text.len())).rev().find(|i| text.kind(*i) == Some(Kind::Turn));
    match closed.map(|i| text.entry(i)) {
        Some(Ok(Entry::Turn(turn))) => turn.turn.saturating_add(1),
        // Before the first turn is closed.
        _ => 1,
    }
}
