//! The only sockets, processes, clocks and environment of `saga`: the Freeciv server's process
//! and, on top of it, whatever talks to the world while a game is live. Nothing here decides
//! anything about play; replay never links a call into this crate.

pub mod error;
mod game;
pub mod interrupt;
pub mod server;
mod socket;

pub use error::LiveError;
pub use game::{FreecivGame, GameOptions, Spent, Trial, trial};
