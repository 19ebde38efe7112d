//! The planners that SAGA is compared with, one file each. They see `saga-core` alone: no game, no
//! socket, no other planner. Each is a re-implementation; README.md tells what was kept and
//! adapted.

pub mod direct;
pub mod mastaba;

/// Prompt templates of these planners, by name.
pub const TEMPLATES: &[(&str, &str)] = &[
    ("mastaba/system", include_str!("../prompts/mastaba/system.txt")),
    ("mastaba/user", include_str!("../prompts/mastaba/user.txt")),
];
