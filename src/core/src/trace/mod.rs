//! The trace: what an episode writes, and how it is read back. FORMAT.md beside this file is the
//! specification.

pub mod entry;

pub use entry::{Entry, Output};
