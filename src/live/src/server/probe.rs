//! What can be found out about this machine before a server is started: who would run it, where it
//! could work, how many ports and how much room there are. Everything is tried, nothing is guessed
//! from permission bits, and nothing is left behind.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process;

use super::rundir::RunDir;
use super::sys;
use crate::LiveError;

/// Where a server would work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workplace {
    /// The folder it would be in.
    pub path: PathBuf,
    /// Whether that is a private one, whose logs are copied at the end.
    pub is_private: bool,
}

/// The user a server would run as, when it would not be ourselves: we are root, which no Freeciv
/// server runs as. With it whether we can become that user.
pub fn other_user() -> Option<(String, io::Result<()>)> {
    let user = sys::user_to_drop_to()?;
    let tried = match sys::can_use_dir(Path::new("/"), &user) {
        // The user is one who may not write there: so we became it.
        Err(e) if e.raw_os_error() == Some(libc::EACCES) => Ok(()),
        tried => tried,
    };
    Some((user.name, tried))
}

/// Makes a folder in `parent` and sees whether the server's user can work there; of `None`, whether
/// it can in a private folder below the temporary one.
///
/// # Errors
/// [`LiveError::DropPrivileges`] or I/O when there is no place for it.
pub fn workplace(parent: Option<&Path>) -> Result<Workplace, LiveError> {
    let user = sys::user_to_drop_to();
    let Some(parent) = parent else {
        return Ok(told(&RunDir::prepare(None, user.as_ref())?));
    };
    let folder = parent.join(format!(".saga-probe-{}", process::id()));
    let place = RunDir::prepare(Some(&folder), user.as_ref()).map(|run| told(&run));
    match fs::remove_dir(&folder) {
        Err(e) if place.is_ok() => Err(LiveError::io("remove", &folder)(e)),
        // Of two failures the first is the cause.
        _ => place,
    }
}

fn told(run: &RunDir) -> Workplace {
    Workplace { path: run.path().to_owned(), is_private: run.is_private() }
}

/// How many ports of 127.0.0.1 can be had at the same time, up to `wanted`.
///
/// # Errors
/// Why the first that could not be had was refused.
pub fn free_ports(wanted: usize) -> io::Result<usize> {
    let mut held = Vec::with_capacity(wanted);
    for _ in 0..wanted {
        held.push(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?);
    }
    Ok(held.len())
}

/// Bytes that may still be written to the file system that holds `path`.
///
/// # Errors
/// The system's, when there is no such path.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    sys::free_bytes(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workplace_is_tried_and_leaves_nothing() {
        let parent = std::env::temp_dir().join(format!("saga-workplace-{}", process::id()));
        fs::create_dir(&parent).expect("a folder");
        let place = workplace(Some(&parent)).expect("a place");
        assert!(place.is_private || place.path.starts_with(fs::canonicalize(&parent).unwrap()));
        assert!(!place.path.exists());
        fs::remove_dir(&parent).expect("empty");
        let private = workplace(None).expect("a place");
        assert!(private.is_private && !private.path.exists());
        let nowhere = workplace(Some(Path::new("/dev/null/x"))).expect_err("no folder").to_string();
        assert!(nowhere.contains("could not create the run directory /dev/null/x"), "{nowhere}");
    }

    #[test]
    fn root_has_somebody_to_become() {
        let other = other_user();
        assert_eq!(other.is_some(), sys::effective_user() == 0);
        assert!(other.is_none_or(|(name, _)| name == "nobody"));
    }

    #[test]
    fn ports_and_room_are_counted() {
        assert_eq!(free_ports(3).expect("free ports"), 3);
        assert!(free_bytes(Path::new("/")).expect("a file system") > 0);
        assert!(free_bytes(Path::new("/nonexistent")).is_err());
    }
}
