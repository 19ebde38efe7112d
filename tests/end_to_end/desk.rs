//! A folder to work in, and the binary as a user would call it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that goes when the test does.
pub(crate) struct Desk(PathBuf);

/// What a call of the binary came to.
#[derive(Debug)]
pub(crate) struct Said {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("saga-e2e-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.0.join(below)
    }

    /// Writes a file, its folder too.
    pub(crate) fn write(&self, below: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(&path, content).expect("a file can be written");
        path
    }

    /// Runs the binary here.
    pub(crate) fn saga(&self, arguments: &[&str]) -> Said {
        let output = self.command(arguments).output().expect("the binary can be run");
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("text");
            text.replace(&self.0.display().to_string(), "[desk]")
        };
        Said {
            code: output.status.code().expect("an exit code"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Starts the binary here and does not wait for it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the binary can be run")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saga"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Said {
    /// The code, with everything said when it is another one.
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "out:\n{}\nerr:\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

/// Whether there is a server to play on. Says so when not, and fails in CI.
pub(crate) fn has_server() -> bool {
    match saga_live::server::find(None) {
        Ok(_) => true,
        Err(e) if std::env::var_os("CI").is_some() => panic!("no game can be played in CI: {e}"),
        Err(e) => {
            eprintln!("SKIPPED: {e}");
            false
        }
    }
}

/// The traces below a folder, by path, sorted.
pub(crate) fn traces(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|e| e.expect("an entry")) {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(".trace.jsonl.zst") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
