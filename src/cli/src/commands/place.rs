//! Names the place of a trace line, so that every message about a line can say where in the game it
//! stands.

use saga_core::game::Request;
use saga_core::trace::{Entry, Kind, Text};

/// The turn in which a line stands: one more than the last turn closed before it.
pub(crate) fn turn_of(text: &Text, index: usize) -> u32 {
    let closed = (0..index.min(text.len())).rev().find(|i| text.kind(*i) == Some(Kind::Turn));
    match closed.map(|i| text.entry(i)) {
        Some(Ok(Entry::Turn(turn))) => turn.turn + 1,
        // Before the first turn is closed.
        _ => 1,
    }
}

/// What an entry is: `call 12/1/controller:city/city:104/1`, `game end_turn`, `note sketch`.
pub(crate) fn of(entry: &Entry) -> String {
    match entry {
        Entry::Header(_) => "header".to_owned(),
        Entry::Game(g) => format!("game {}", request(&g.request)),
        Entry::Call(c) => format!("call {}", c.id),
        Entry::Note(n) => format!("note {}", n.kind),
        Entry::Turn(t) => format!("turn {}", t.turn),
        Entry::End(_) => "end".to_owned(),
    }
}

fn request(request: &Request) -> &'static str {
    match request {
        Request::Begin { .. } => "begin",
        Request::Orders { .. } => "orders",
        Request::EndTurn { .. } => "end_turn",
        Request::Finish => "finish",
    }
}
