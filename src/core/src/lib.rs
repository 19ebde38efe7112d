//! Nouns, ports, turn loop, controllers, calls, trace and replay of an episode.
//!
//! An episode is a pure function of its spec and of what two ports answered: the [`game::Game`]
//! and the [`backbone::Backbone`]. This crate has no socket, no clock, no process, no environment
//! and no unordered map; `clippy.toml` beside it says so to the compiler.

pub mod action;
pub mod backbone;
pub mod calls;
mod controllers;
pub mod effects;
pub mod game;
pub mod geometry;
pub mod ids;
pub mod logged;
pub mod measures;
pub mod observation;
pub mod path;
pub mod plan;
pub mod plan_form;
pub mod planner;
pub mod play;
pub mod prompts;
pub mod replay;
pub mod rules;
pub mod scripted;
pub mod spec;
pub mod stop;
pub mod tally;
pub mod text;
pub mod trace;
pub mod words;
mod zero;
