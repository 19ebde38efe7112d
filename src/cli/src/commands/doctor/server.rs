//! Checks of the server: that there is one, of a version spoken here, and that it can really be
//! started, joined and stopped, with each ruleset.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use saga_live::server::ServerBinary;
use saga_live::server::find::{self, NamedBy, SERVER_ENV, WANTED_VERSION};
use saga_live::server::probe;
use saga_live::{LiveError, Trial};

use super::line::{Check, Line};
use crate::commands::shell::quoted;
use crate::matrix::plain_game;

/// Longer than any server takes to start, and short enough to wait for.
const LIMIT: Duration = Duration::from_secs(30);
/// What a check says that needs a server when there is none.
pub(super) const NO_SERVER: &str = "there is no server to start";
/// Debian's package of the server, which brings that of the rulesets too.
const SERVER: &str = "freeciv-server";
const DATA: &str = "freeciv-data";

/// A server, if there is one, and what was found out about it.
pub(super) struct Found {
    pub(super) binary: Option<ServerBinary>,
    pub(super) lines: Vec<Line>,
}

/// Looks for a server and asks its version.
pub(super) fn find(named: Option<&Path>) -> Found {
    let (by, looked) = find::places(named);
    let asked = match by {
        NamedBy::Option => "the one named by --server".to_owned(),
        NamedBy::Environment => format!("the one named by {SERVER_ENV}"),
        NamedBy::Nobody => "in PATH and the usual places".to_owned(),
    };
    let server = Check::new("server", asked);
    let version =
        Check::new("version", format!("one whose packets saga has a table of, {WANTED_VERSION}"));
    let other = || other(by, named);
    let (binary, lines) = match find::find(named) {
        Ok(binary) => {
            let told = format!("{}, binary {}", binary.version, binary.blake3);
            let lines = vec![server.ok(place(&binary.path, &looked)), version.ok(told)];
            (Some(binary), lines)
        }
        Err(LiveError::WrongVersion { path, found, .. }) => {
            (None, vec![server.ok(place(&path, &looked)), version.fail(found, other())])
        }
        Err(LiveError::NoServer { looked }) => {
            let places: Vec<String> = looked.iter().map(|p| no_program(p)).collect();
            let found = format!("no program at {}", places.join(", "));
            (None, vec![server.fail(found, other()), version.skip(NO_SERVER)])
        }
        Err(e) => (None, vec![server.fail(e.to_string(), other()), version.skip(NO_SERVER)]),
    };
    Found { binary, lines }
}

/// A place where no program is, and what is there instead.
fn no_program(place: &Path) -> String {
    let instead = match std::fs::metadata(place) {
        Err(_) => "",
        Ok(found) if found.is_dir() => " (a folder)",
        Ok(found) if found.permissions().mode() & 0o111 == 0 => " (not executable)",
        Ok(_) => " (no file that can be run)",
    };
    format!("{}{instead}", place.display())
}

/// Starts a server with a ruleset, joins it and stops it.
pub(super) fn plays(binary: Option<&ServerBinary>, ruleset: &str) -> Line {
    let check = Check::new(ruleset, "a server with this ruleset started, joined and stopped");
    let Some(binary) = binary else { return check.skip(NO_SERVER) };
    match saga_live::trial(binary, &plain_game(ruleset), LIMIT) {
        Ok(trial) => check.ok(times(&trial)),
        Err(e) => {
            let mend = mend(&e);
            check.fail(e.to_string(), mend)
        }
    }
}

/// What a trial took.
pub(super) fn times(trial: &Trial) -> String {
    let Trial { starting, joining, beginning, stopping, settings, capability } = trial;
    let seconds = |time: &Duration| format!("{:.2}", time.as_secs_f64());
    let whole = *starting + *joining + *beginning + *stopping;
    format!(
        "{} s ({} to start, {} to join, {} to turn 1, {} to stop), {} settings read back, it \
         speaks {}",
        seconds(&whole),
        seconds(starting),
        seconds(joining),
        seconds(beginning),
        seconds(stopping),
        settings.len(),
        capability.split(' ').next().unwrap_or_default()
    )
}

/// The command, or the next thing to look at, for a server that could not be tried.
pub(super) fn mend(error: &LiveError) -> String {
    match error {
        LiveError::NoRuleset { .. } if std::env::var_os("FREECIV_DATA_PATH").is_some() => {
            format!("unset FREECIV_DATA_PATH, or: {}", install(DATA))
        }
        LiveError::NoRuleset { .. } => install(DATA),
        LiveError::DropPrivileges { path, .. } => match closed(path) {
            Some(closed) => format!("chmod o+rx {}", quoted(&closed.display().to_string())),
            None => "su USER -c 'saga doctor'    # an ordinary user".to_owned(),
        },
        LiveError::PortTaken { .. } => "ss -ltn    # who listens".to_owned(),
        LiveError::JoinRefused { .. } | LiveError::WrongVersion { .. } => {
            format!("{}, or name another: saga doctor --server PATH", install(SERVER))
        }
        LiveError::Io { .. } => "df -h; df -i    # room for files".to_owned(),
        _ => format!("{}; then once more: saga doctor", install(SERVER)),
    }
}

/// The first folder or file on the way to `path` that not everybody may enter or read.
fn closed(path: &Path) -> Option<PathBuf> {
    let mut way: Vec<&Path> = path.ancestors().collect();
    way.reverse();
    let is_closed = |path: &&&Path| {
        std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o001 == 0)
    };
    way.iter().find(is_closed).map(|path| path.to_path_buf())
}

/// Where it is, and how many places came before.
fn place(path: &Path, looked: &[PathBuf]) -> String {
    let before = looked.iter().position(|place| place == path).unwrap_or(0);
    let places: Vec<String> = looked[..before].iter().map(|p| p.display().to_string()).collect();
    if places.is_empty() {
        path.display().to_string()
    } else {
        format!("{} (none at {})", path.display(), places.join(", "))
    }
}

/// How to come to another server than the one that was looked at.
fn other(by: NamedBy, named: Option<&Path>) -> String {
    let elsewhere = find::unnamed().filter(|path| Some(path.as_path()) != named);
    match (by, elsewhere) {
        (NamedBy::Option, Some(path)) => {
            format!("saga doctor --server {}", quoted(&path.display().to_string()))
        }
        (NamedBy::Environment, Some(_)) => format!("unset {SERVER_ENV}"),
        _ => format!(
            "{}    # Debian 12 has 3.0.6; or name one: saga doctor --server PATH",
            install(SERVER)
        ),
    }
}

/// The command that brings a package, also when part of it is gone.
fn install(package: &str) -> String {
    let sudo = if probe::other_user().is_some() { "" } else { "sudo " };
    format!("{sudo}apt-get install --reinstall {package}")
}
