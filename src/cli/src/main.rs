//! Exit codes, and nothing else.

#![deny(clippy::print_stderr, reason = "panics when standard error is closed or full: use `tell`")]

mod args;
mod clock;
mod commands;
mod error;
mod matrix;
mod registry;
mod tell;

use std::io::{BufWriter, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::read();
    let mut out = BufWriter::new(std::io::stdout());
    let done = commands::run(&cli.command, &mut out);
    let flushed = |exit| match out.flush() {
        // Nobody wants to read the rest; what was found out stays found out.
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(exit),
        flushed => Ok(flushed.map(|()| exit)?),
    };
    let exit = match done.and_then(flushed) {
        Ok(exit) => exit,
        Err(e) => {
            if !e.is_silent() {
                tell::tell(format_args!("saga: {e}"));
            }
            e.exit()
        }
    };
    ExitCode::from(exit as u8)
}
