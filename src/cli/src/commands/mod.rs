//! One file for each command, and what they share: where results go.

mod diff;
mod doctor;
mod fields;
mod files;
mod place;
mod replay;
mod report;
mod run;
mod shell;
mod show;

use std::io::Write;

use crate::args::Command;
use crate::error::{CliError, Exit};

/// Runs a command. Results go to `out`; all else goes to standard error.
pub(crate) fn run(command: &Command, out: &mut dyn Write) -> Result<Exit, CliError> {
    match command {
        Command::Run(args) => run::run(args, out),
        Command::Replay(args) => replay::replay(args, out),
        Command::Show(args) => show::show(args, out),
        Command::Diff(args) => diff::diff(args, out),
        Command::Report(args) => report::report(args, out),
        Command::Doctor(args) => doctor::doctor(args, out),
    }
}
