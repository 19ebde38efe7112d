//! The one way to standard error. A closed pipe or a full disk there is nobody's failure: what is
//! told is lost, and the games, their records and the exit code stay what they are.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to standard error; does nothing when it cannot.
pub(crate) fn tell(text: impl Display) {
    // In one piece, so that lines of several games do not mix.
    drop(std::io::stderr().write_all(format!("{text}\n").as_bytes()));
}
