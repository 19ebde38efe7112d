//! What a run prints, and a reader that leaves in the middle of it: games and report go on, and the
//! exit code tells what became of them.

use std::io::{self, ErrorKind, Write};

use crate::error::Exit;
use crate::tell::tell;

/// Takes everything; remembers the first error and prints nothing after it.
pub(super) struct Outlet<'a> {
    out: &'a mut dyn Write,
    error: Option<io::Error>,
}

impl<'a> Outlet<'a> {
    /// Before anything is printed.
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, error: None }
    }

    /// The exit code of a run that came to `exit`. A reader that has seen enough changes nothing;
    /// results that could not be printed for any other reason are a failure.
    pub(super) fn exit(self, exit: Exit) -> Exit {
        match self.error {
            Some(e) if e.kind() != ErrorKind::BrokenPipe => {
                tell(format_args!("saga: cannot write to standard output: {e}"));
                exit.max(Exit::Failed)
            }
            _ => exit,
        }
    }

    fn keep(&mut self, done: io::Result<()>) {
        if let Err(e) = done {
            self.error = Some(e);
        }
    }
}

impl Write for Outlet<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            let done = self.out.write_all(bytes);
            self.keep(done);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.error.is_none() {
            let done = self.out.flush();
            self.keep(done);
        }
        Ok(())
    }
}
