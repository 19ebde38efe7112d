//! The Freeciv server as a child process: found, started in a directory of its own without
//! privileges, watched, and ended whatever happens to us. Knows nothing of the protocol.

pub mod find;
pub mod launch;
pub mod probe;
pub mod process;
mod rundir;
pub mod scorelog;
pub mod script;
mod sys;

#[cfg(test)]
mod tests;

pub use find::{ServerBinary, find};
pub use launch::{Launch, Server, Stopped};
pub use process::{CpuTime, Exit, StoppedBy};
pub use scorelog::{ScoreLog, ScorePlayer};
pub use script::{Script, ScriptLine};
