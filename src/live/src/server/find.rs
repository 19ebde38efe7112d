//! Finds a Freeciv server of a version spoken here, and fixes its identity (version and hash of
//! the file), because the same orders on another build are another game.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::process::Process;
use crate::LiveError;

/// Environment variable that names the server binary.
pub const SERVER_ENV: &str = "SAGA_FREECIV_SERVER";

/// The versions accepted, as shown in messages.
pub const WANTED_VERSION: &str = "3.0.x";

/// Names the folders in which a server looks for its data.
const DATA_ENV: &str = "FREECIV_DATA_PATH";
/// Where packages put them.
const DATA: [&str; 4] = [
    "/usr/share/games/freeciv",
    "/usr/share/freeciv",
    "/usr/local/share/freeciv",
    "/opt/homebrew/share/freeciv",
];

const NAME: &str = "freeciv-server";
const PREFIXES: [&str; 4] =
    ["/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin"];
const VERSION_LIMIT: Duration = Duration::from_secs(10);
/// For an answer that already lies in the pipe.
const READ_LIMIT: Duration = Duration::from_secs(2);

/// A server binary that answered with an accepted version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerBinary {
    /// Absolute path.
    pub path: PathBuf,
    /// The version it gave, such as `3.0.6`.
    pub version: String,
    /// BLAKE3 of the file, in lower-case hex.
    pub blake3: String,
}

/// Finds the server: `explicit` (a command-line option) if given, else [`SERVER_ENV`] if set, else
/// `PATH`, else the usual prefixes. A place that is named is the only place looked at.
///
/// # Errors
/// [`LiveError::NoServer`] with every place looked at, [`LiveError::NotAServer`],
/// [`LiveError::WrongVersion`], or an I/O error on the file.
pub fn find(explicit: Option<&Path>) -> Result<ServerBinary, LiveError> {
    identify(first_executable(places(explicit).1)?)
}

/// Who says where the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// A command-line option.
    Option,
    /// [`SERVER_ENV`].
    Environment,
    /// Nobody: it is looked for.
    Nobody,
}

/// Every place [`find`] looks at, in order, and who named them.
pub fn places(explicit: Option<&Path>) -> (NamedBy, Vec<PathBuf>) {
    let variable = env::var_os(SERVER_ENV).filter(|v| !v.is_empty()).map(PathBuf::from);
    let (by, named) = match (explicit, variable) {
        (Some(path), _) => (NamedBy::Option, Some(path.to_owned())),
        (None, Some(path)) => (NamedBy::Environment, Some(path)),
        (None, None) => (NamedBy::Nobody, None),
    };
    (by, candidates(named, env::var_os("PATH").as_deref()))
}

/// Names of the rulesets in the server's data folders, in order; none when none of the folders
/// known can be read. A server looks where `FREECIV_DATA_PATH` says, or in its own.
pub fn rulesets() -> Vec<String> {
    let named = env::var_os(DATA_ENV);
    let folders: Vec<PathBuf> = match &named {
        Some(paths) => env::split_paths(paths).collect(),
        None => DATA.iter().map(PathBuf::from).collect(),
    };
    let names = folders.iter().flat_map(|folder| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| {
            let path = entry.path();
            let is_whole = path.extension() == Some(OsStr::new("serv"))
                && path.with_extension("").join("game.ruleset").is_file();
            is_whole.then(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))?
        })
    });
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The first program of the server's name in `PATH` or the usual places, whatever is named.
pub fn unnamed() -> Option<PathBuf> {
    first_executable(candidates(None, env::var_os("PATH").as_deref())).ok()
}

fn candidates(named: Option<PathBuf>, path_variable: Option<&OsStr>) -> Vec<PathBuf> {
    if let Some(named) = named {
        return vec![named];
    }
    let on_path = path_variable.map(env::split_paths).into_iter().flatten();
    let folders = on_path.chain(PREFIXES.iter().map(PathBuf::from));
    let mut places: Vec<PathBuf> = Vec::new();
    for place in folders.filter(|f| f.is_absolute()).map(|f| f.join(NAME)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn first_executable(looked: Vec<PathBuf>) -> Result<PathBuf, LiveError> {
    let is_program = |p: &&PathBuf| {
        fs::metadata(p).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    let Some(found) = looked.iter().find(is_program) else {
        return Err(LiveError::NoServer { looked });
    };
    std::path::absolute(found).map_err(LiveError::io("resolve", found))
}

fn identify(path: PathBuf) -> Result<ServerBinary, LiveError> {
    let not_a_server =
        |said: String| LiveError::NotAServer { path: path.clone(), said, wanted: WANTED_VERSION };
    let answer = ask_version(&path).map_err(|e| not_a_server(e.to_string()))?;
    let Some(found) = version_in(&answer) else {
        return Err(not_a_server(answer.lines().next().unwrap_or_default().to_owned()));
    };
    if !found.starts_with("3.0.") {
        let found = found.to_owned();
        return Err(LiveError::WrongVersion { path, found, wanted: WANTED_VERSION });
    }
    let version = found.to_owned();
    let blake3 = hash_file(&path).map_err(LiveError::io("hash", &path))?;
    Ok(ServerBinary { path, version, blake3 })
}

/// The version out of `Freeciv version 3.0.6 `.
fn version_in(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("Freeciv version ")?;
    rest.split_whitespace().next()
}

/// Runs `PATH --version` for at most ten seconds. The answer is one line, so a pipe holds it.
fn ask_version(path: &Path) -> io::Result<String> {
    let (mut answer, write_end) = io::pipe()?;
    let mut command = Command::new(path);
    // Freeciv 3.0 answers on stderr.
    command.arg("--version").stdin(Stdio::null()).stdout(write_end.try_clone()?).stderr(write_end);
    command.env_clear().envs(passed_on()).env("LC_ALL", "C.UTF-8");
    let mut process = Process::spawn(command)?;
    if process.wait_for(VERSION_LIMIT)?.is_none() {
        let limit = VERSION_LIMIT.as_secs();
        return Err(io::Error::new(io::ErrorKind::TimedOut, format!("nothing within {limit} s")));
    }
    // A wrapper may have left a child that holds the pipe open and says nothing.
    process.kill_rest();
    let (sender, received) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = vec![0; 4096];
        let read = answer.read(&mut bytes).map(|read| {
            bytes.truncate(read);
            bytes
        });
        // Nobody waits any longer when the time is up.
        let _ = sender.send(read);
    });
    let silent = |_| io::Error::new(io::ErrorKind::TimedOut, "nothing, and its pipe stays open");
    let bytes = received.recv_timeout(READ_LIMIT).map_err(silent)??;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// BLAKE3 of a file's bytes, in lower-case hex.
///
/// # Errors
/// Whatever opening or reading the file gives.
pub fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Variables of our environment that the server may see. Everything else, keys of backbones
/// above all, stays with us.
pub(crate) fn passed_on() -> Vec<(&'static str, OsString)> {
    ["PATH", "LD_LIBRARY_PATH", "FREECIV_DATA_PATH", "FREECIV_PATH"]
        .into_iter()
        .filter_map(|name| Some((name, env::var_os(name)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_order_and_once() {
        let got = candidates(None, Some(OsStr::new("/a:rel:/usr/games:/a")));
        let want: Vec<PathBuf> =
            ["/a", "/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin"]
                .iter()
                .map(|f| Path::new(f).join(NAME))
                .collect();
        assert_eq!(got, want);
        let named = PathBuf::from("/x/y");
        assert_eq!(candidates(Some(named.clone()), Some(OsStr::new("/a"))), vec![named]);
    }

    #[test]
    fn a_missing_server_names_every_place_and_the_command() {
        let error = find(Some(Path::new("/nonexistent/fc"))).unwrap_err().to_string();
        assert!(error.contains("/nonexistent/fc"), "{error}");
        assert!(error.contains("apt-get install freeciv-server"), "{error}");
    }

    #[test]
    fn version_lines() {
        assert_eq!(version_in("Freeciv version 3.0.6 \n"), Some("3.0.6"));
        assert_eq!(version_in("Freeciv version "), None);
        assert_eq!(version_in("bash 5"), None);
    }

    #[test]
    fn hash_is_that_of_the_bytes() {
        let path = env::temp_dir().join(format!("saga-hash-{}", std::process::id()));
        fs::write(&path, b"abc").expect("a temporary file");
        let hex = hash_file(&path).expect("its hash");
        fs::remove_file(&path).expect("removable");
        assert_eq!(hex, blake3::hash(b"abc").to_hex().to_string());
    }
}
