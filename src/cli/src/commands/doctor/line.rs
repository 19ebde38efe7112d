//! One line of the doctor: what was checked, what was found, and what mends it. Told at once, so
//! that somebody who waits sees what is being waited for.

use std::io::Write;

use serde_json::json;

use crate::error::{CliError, Exit};

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// As it should be.
    Ok,
    /// Games can be played, but somebody should know.
    Warn,
    /// Games cannot be played.
    Fail,
    /// Could not be checked, because of what failed above.
    Skip,
}

impl Status {
    /// In a line for a person: what failed stands out.
    const fn mark(self) -> &'static str {
        match self {
            Status::Fail => "FAIL",
            _ => self.word(),
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Warn => "warn",
            Status::Fail => "fail",
            Status::Skip => "skip",
        }
    }
}

/// A check that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// One word for it.
    pub(super) check: String,
    /// What was asked.
    pub(super) asked: String,
    /// How it went.
    pub(super) status: Status,
    /// The facts.
    pub(super) found: String,
    /// The command, or the line to change; there is one whenever the check failed.
    pub(super) mend: Option<String>,
}

/// A check that is being made.
pub(super) struct Check {
    check: String,
    asked: String,
}

impl Check {
    /// `asked` reads on after the word: "server — in PATH and the usual places".
    pub(super) fn new(check: &str, asked: impl Into<String>) -> Self {
        Self { check: check.to_owned(), asked: asked.into() }
    }

    pub(super) fn ok(self, found: impl Into<String>) -> Line {
        self.line(Status::Ok, found.into(), None)
    }

    pub(super) fn warn(self, found: impl Into<String>, mend: impl Into<String>) -> Line {
        self.line(Status::Warn, found.into(), Some(mend.into()))
    }

    pub(super) fn fail(self, found: impl Into<String>, mend: impl Into<String>) -> Line {
        self.line(Status::Fail, found.into(), Some(mend.into()))
    }

    pub(super) fn skip(self, why: &str) -> Line {
        self.line(Status::Skip, format!("not checked: {why}"), None)
    }

    fn line(self, status: Status, found: String, mend: Option<String>) -> Line {
        let Self { check, asked } = self;
        Line { check, asked, status, found, mend }
    }
}

/// Where lines go, and how many of each kind went there.
pub(super) struct Told<'a> {
    out: &'a mut dyn Write,
    json: bool,
    counts: [usize; 4],
}

impl<'a> Told<'a> {
    /// Before the first check.
    pub(super) fn new(out: &'a mut dyn Write, json: bool) -> Self {
        Self { out, json, counts: [0; 4] }
    }

    /// Tells a line.
    pub(super) fn tell(&mut self, line: &Line) -> Result<(), CliError> {
        let Line { check, asked, status, found, mend } = line;
        self.counts[*status as usize] += 1;
        if self.json {
            let line = json!({
                "check": check, "asked": asked, "status": status.word(), "found": found,
                "mend": mend,
            });
            writeln!(self.out, "{line}")?;
        } else {
            let found = found.replace('\n', "\n      ");
            writeln!(self.out, "{:<5} {check} — {asked}: {found}", status.mark())?;
            if let Some(mend) = mend {
                writeln!(self.out, "      mend: {}", mend.replace('\n', "\n            "))?;
            }
        }
        Ok(self.out.flush()?)
    }

    /// Tells the counts; the exit code that goes with them.
    pub(super) fn end(self) -> Result<Exit, CliError> {
        let [ok, warnings, failed, skipped] = self.counts;
        let checks = ok + warnings + failed + skipped;
        if self.json {
            let summary = json!({
                "checks": checks, "ok": ok, "warnings": warnings, "failed": failed,
                "skipped": skipped,
            });
            writeln!(self.out, "{}", json!({ "summary": summary }))?;
        } else {
            writeln!(
                self.out,
                "{checks} checks: {ok} ok, {warnings} warnings, {failed} failed, {skipped} skipped"
            )?;
        }
        Ok(if failed == 0 { Exit::Done } else { Exit::Failed })
    }
}
