//! The binary from outside: what it prints, what it leaves on disk, which code it ends with. The
//! games are real ones on a real server; without one they are skipped aloud, in CI they fail.

mod bad_input;
mod desk;
mod disk;
mod doctor;
mod games;
mod kills;
mod readers;
mod rulesets;
mod scenarios;
