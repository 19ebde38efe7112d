//! Exit codes, and nothing else.

mod args;
mod matrix;
mod registry;

fn main() {}
