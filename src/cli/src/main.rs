//! Exit codes, and nothing else.

mod args;
mod clock;
mod commands;
mod error;
mod matrix;
mod registry;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::read();
    let mut out = BufWriter::new(std::io::stdout());
    let done = commands::run(&cli.command, &mut out);
    let exit = match done.and_then(|exit| Ok(out.flush().map(|()| exit)?)) {
        Ok(exit) => exit,
        Err(e) => {
            if !e.is_silent() {
                eprintln!("saga: {e}");
            }
            e.exit()
        }
    };
    ExitCode::from(exit as u8)
}
