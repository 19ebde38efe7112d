//! Everything that can go wrong on the live side, one variant per thing a person has to do
//! something about; each message says what, where, both values and the next step. A trace keeps the
//! part of it that every machine would say the same.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use saga_freeciv::ProtocolError;

use crate::server::process::Exit;

/// An error of the live side. The `Display` text is meant for the user as it is.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// No server binary in any of the places looked at.
    #[error(
        "no Freeciv server found; looked at: {}; install one with `apt-get install \
         freeciv-server`, or name it with --server PATH or SAGA_FREECIV_SERVER",
        list(looked)
    )]
    NoServer {
        /// Every place looked at, in order.
        looked: Vec<PathBuf>,
    },

    /// The binary did not introduce itself as a Freeciv server.
    #[error(
        "{} is not a Freeciv server: `--version` said {said:?}, wanted \"Freeciv \
         version {wanted}\"",
        path.display()
    )]
    NotAServer {
        /// The binary asked.
        path: PathBuf,
        /// First line of its answer, or why there was none.
        said: String,
        /// The versions accepted.
        wanted: &'static str,
    },

    /// A Freeciv server, but one whose protocol is not spoken here.
    #[error(
        "{} is Freeciv {found}, wanted {wanted}; name another server with --server PATH or \
         SAGA_FREECIV_SERVER",
        path.display()
    )]
    WrongVersion {
        /// The binary asked.
        path: PathBuf,
        /// The version it gave.
        found: String,
        /// The versions accepted.
        wanted: &'static str,
    },

    /// Running as root (which the server refuses) and the step down to `user` failed.
    #[error(
        "could not drop privileges to user {user} ({doing} {}): {source}; run saga as an \
         ordinary user, or make that path usable by {user}",
        path.display()
    )]
    DropPrivileges {
        /// The unprivileged user.
        user: String,
        /// The step that failed.
        doing: &'static str,
        /// What it failed on.
        path: PathBuf,
        /// The operating system's word.
        source: io::Error,
    },

    /// Every port tried was taken between our look and the server's bind.
    #[error(
        "no free port on 127.0.0.1 after {tries} tries (the last was {last}): each was taken \
         before the server could bind it; see `ss -ltn` for who listens"
    )]
    PortTaken {
        /// How many ports were tried.
        tries: u32,
        /// The last of them.
        last: u16,
    },

    /// The server ended when it should have gone on.
    #[error(
        "the Freeciv server ended ({exit}) while {doing}; its last lines:\n  {}",
        tail.join("\n  ")
    )]
    ServerExited {
        /// Return code or signal.
        exit: Exit,
        /// What it should have been doing.
        doing: String,
        /// The last lines of its log, at most five.
        tail: Vec<String>,
    },

    /// The server closed the connection and runs on.
    #[error(
        "the Freeciv server closed the connection while {doing}; its last lines:\n  {}",
        tail.join("\n  ")
    )]
    Disconnected {
        /// What it should have been doing.
        doing: String,
        /// The last lines of its log, at most five.
        tail: Vec<String>,
    },

    /// A running server said nothing for too long; it has been ended.
    #[error(
        "saga waited {} s for the Freeciv server {what}, got no answer, and ended it; its last \
         lines:\n  {}",
        limit.as_secs_f64(),
        tail.join("\n  ")
    )]
    Silent {
        /// What it should have done, as an infinitive.
        what: String,
        /// How long.
        limit: Duration,
        /// The last lines of its log, at most five.
        tail: Vec<String>,
    },

    /// The server sent something that cannot be read, or would not take what we send.
    #[error("{source}; the Freeciv server's last lines:\n  {}", tail.join("\n  "))]
    Protocol {
        /// What is wrong.
        source: ProtocolError,
        /// The last lines of its log, at most five.
        tail: Vec<String>,
    },

    /// The server did not let us join.
    #[error(
        "the Freeciv server did not let us join: {said:?}; it speaks {found:?}, wanted {wanted:?}; \
         name another server with --server PATH or SAGA_FREECIV_SERVER"
    )]
    JoinRefused {
        /// Its reason.
        said: String,
        /// Its capabilities.
        found: String,
        /// Ours.
        wanted: String,
    },

    /// The server has no such ruleset, or none that it can read. Nothing is played then.
    #[error(
        "the Freeciv server has no ruleset {ruleset:?}{} (it said: {said}); name another in the \
         experiment's [game] table, such as \"classic\" or \"civ2civ3\"",
        instead(found.as_deref())
    )]
    NoRuleset {
        /// The one asked for.
        ruleset: String,
        /// The one it would play instead, if it went on at all.
        found: Option<String>,
        /// The line in which it said so.
        said: String,
    },

    /// The server did not take settings as they were asked for. Nothing is played then.
    #[error(
        "the Freeciv server would play another game than the one described: {}{}; change the \
         experiment's [game] table to what this server and ruleset allow",
        phrases(differences),
        words(said)
    )]
    SettingsDiffer {
        /// All that differ, in the order asked for.
        differences: Vec<Difference>,
        /// What the server said while it read them.
        said: Vec<String>,
        /// Names of all settings it has.
        known: Vec<String>,
    },

    /// The server took every setting, and cannot start a game with them.
    #[error(
        "the Freeciv server took every setting and cannot start a game with them; its last \
         lines:\n  {}",
        said.join("\n  ")
    )]
    CannotStart {
        /// The last lines of its log, at most five.
        said: Vec<String>,
    },

    /// The server did not do something it always does.
    #[error("the Freeciv server {did}, wanted {wanted}; its last lines:\n  {}", tail.join("\n  "))]
    Unexpected {
        /// What it did.
        did: String,
        /// What it should have done.
        wanted: String,
        /// The last lines of its log, at most five.
        tail: Vec<String>,
    },

    /// Not even SIGKILL ended the server.
    #[error(
        "saga waited {} s for server process {pid} to end after SIGKILL; see `ps -o \
         pid,stat,wchan -p {pid}` for what holds it",
        limit.as_secs_f64()
    )]
    Unending {
        /// Its process id.
        pid: u32,
        /// How long.
        limit: Duration,
    },

    /// The server's score log does not tell the whole game.
    #[error("the Freeciv server left no complete score log: {why}")]
    NoRecord {
        /// What is missing.
        why: String,
    },

    /// A file or pipe failed; a full disk arrives here.
    #[error("could not {doing} {}: {source}{}", path.display(), hint(source))]
    Io {
        /// The step, as a verb: "write", "create".
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// The operating system's word.
        source: io::Error,
    },

    /// A setting or command that may not go into the server script.
    #[error("setting {name} = {value:?} refused: {why}")]
    Setting {
        /// Name of the setting or command.
        name: String,
        /// The value asked for.
        value: String,
        /// The rule it breaks, with the wanted values.
        why: String,
    },

    /// A line of the score log that is not in its format (version 2).
    #[error("score log line {line}: found {found:?}, wanted {wanted}")]
    ScoreLog {
        /// Line number, from 1.
        line: usize,
        /// The line, or the part of it that is wrong.
        found: String,
        /// What should stand there.
        wanted: &'static str,
    },
}

/// A setting that is not as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// The value asked for.
    pub wanted: String,
    /// The value the server reports; `None`: it knows no such setting.
    pub found: Option<String>,
}

impl LiveError {
    /// What a trace says of it: nothing that another folder, machine or moment would say
    /// otherwise. No paths, ports or process ids, and of the server's own words only those of a
    /// server that ended by itself; the rest lies in its log, beside the trace.
    pub fn for_trace(&self) -> String {
        match self {
            Self::NoServer { .. } => "no Freeciv server found".to_owned(),
            Self::NotAServer { wanted, .. } => {
                format!("the server named is not a Freeciv server, wanted version {wanted}")
            }
            Self::WrongVersion { found, wanted, .. } => {
                format!("the server is Freeciv {found}, wanted {wanted}")
            }
            Self::DropPrivileges { doing, source, .. } => {
                format!("could not drop privileges ({doing}): {}", source.kind())
            }
            Self::PortTaken { tries, .. } => format!("no free port after {tries} tries"),
            Self::ServerExited { exit: Exit::Signal(signal), doing, .. } => {
                format!("the Freeciv server ended (signal {signal}) while {doing}")
            }
            Self::Disconnected { doing, .. } => {
                format!("the Freeciv server closed the connection while {doing}")
            }
            Self::Silent { what, limit, .. } => {
                let limit = limit.as_secs_f64();
                format!("saga waited {limit} s for the Freeciv server {what} and got no answer")
            }
            Self::Protocol { source, .. } => source.to_string(),
            Self::Unexpected { did, wanted, .. } => {
                format!("the Freeciv server {did}, wanted {wanted}")
            }
            Self::Unending { limit, .. } => {
                let limit = limit.as_secs_f64();
                format!("saga waited {limit} s for the Freeciv server to end after SIGKILL")
            }
            Self::Io { doing, source, .. } => {
                format!("could not {doing} the server or a file of it: {}", source.kind())
            }
            Self::ServerExited { .. }
            | Self::JoinRefused { .. }
            | Self::NoRuleset { .. }
            | Self::SettingsDiffer { .. }
            | Self::CannotStart { .. }
            | Self::NoRecord { .. }
            | Self::Setting { .. }
            | Self::ScoreLog { .. } => self.to_string(),
        }
    }

    /// Whether the server would not play what was described, and would not the next time either:
    /// a fault of the description, not of the server or the machine.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::NoRuleset { .. }
                | Self::SettingsDiffer { .. }
                | Self::CannotStart { .. }
                | Self::Setting { .. }
        )
    }

    /// Adapter for `map_err`: an I/O error with the step and the path.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}

fn list(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    names.join(", ")
}

fn phrases(differences: &[Difference]) -> String {
    let phrase = |d: &Difference| {
        let Difference { name, wanted, found } = d;
        match found {
            Some(found) => format!("{name} is {found:?}, wanted {wanted:?}"),
            None => format!("{name} is unknown to it, wanted {wanted:?}"),
        }
    };
    differences.iter().map(phrase).collect::<Vec<_>>().join("; ")
}

fn words(said: &[String]) -> String {
    if said.is_empty() { String::new() } else { format!(" (it said: {})", said.join(" ")) }
}

fn instead(found: Option<&str>) -> String {
    found.map_or_else(String::new, |found| format!(" and would play {found:?} instead"))
}

fn hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space (see `df -h`) and run the same command again to resume"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_says_so_with_path_and_next_step() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let text = LiveError::io("write", Path::new("/runs/a/game.serv"))(full).to_string();
        assert!(text.contains("could not write /runs/a/game.serv"), "{text}");
        assert!(text.contains("df -h"), "{text}");
    }

    #[test]
    fn a_trace_says_the_same_wherever_it_happened() {
        let check = |make: &dyn Fn(&str, u16) -> LiveError| {
            let (here, there) = (make("/data/a/runs", 4001), make("/var/saga-server-77-0", 5002));
            assert_ne!(here.to_string(), there.to_string(), "the user is told where");
            assert_eq!(here.for_trace(), there.for_trace());
        };
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        check(&|at, _| LiveError::io("write", Path::new(at))(full()));
        check(&|at, _| LiveError::NoServer { looked: vec![at.into()] });
        check(&|at, _| LiveError::NotAServer {
            path: at.into(),
            said: format!("{at}: not found"),
            wanted: "3.0.x",
        });
        check(&|_, port| LiveError::PortTaken { tries: 8, last: port });
        check(&|_, pid| LiveError::Unending { pid: pid.into(), limit: Duration::from_secs(5) });
        check(&|at, _| LiveError::ServerExited {
            exit: Exit::Signal(9),
            doing: "starting".to_owned(),
            tail: vec![at.to_owned()],
        });
    }
}
