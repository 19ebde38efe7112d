//! The server's own directory: the caller's where the unprivileged user can work in it, else a
//! private one under the temporary directory whose evidence is copied to the caller's at the end.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown, fchown};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use super::sys::{self, User};
use crate::LiveError;

/// File names inside the run directory.
pub(crate) const SCRIPT: &str = "game.serv";
pub(crate) const LOG: &str = "server.log";
pub(crate) const SCORE_LOG: &str = "score.log";
pub(crate) const SAVES: &str = "saves";

/// Names of private directories begin with it; a process id and a number follow.
const PRIVATE: &str = "saga-server-";
const LOCK: &str = "lock";

const EVIDENCE: [&str; 3] = [SCRIPT, LOG, SCORE_LOG];

/// A prepared directory. Dropping it removes it if it is a private one.
#[derive(Debug)]
pub(crate) struct RunDir {
    work: PathBuf,
    keep: Option<PathBuf>,
    private: bool,
    /// Held as long as a private directory is in use, let go by the kernel whatever ends us.
    _lock: Option<File>,
}

impl RunDir {
    /// Makes the directory ready for `user` (or for ourselves when `None`): exists, is owned by
    /// it, can be entered by it, and holds nothing of an earlier server.
    pub(crate) fn prepare(wanted: Option<&Path>, user: Option<&User>) -> Result<Self, LiveError> {
        let Some(wanted) = wanted else {
            return Self::private(None, user);
        };
        fs::create_dir_all(wanted).map_err(LiveError::io("create the run directory", wanted))?;
        let wanted = fs::canonicalize(wanted).map_err(LiveError::io("resolve", wanted))?;
        clear(&wanted)?;
        if user.is_some_and(|user| hand_over(&wanted, user).is_err()) {
            return Self::private(Some(&wanted), user);
        }
        Ok(Self { work: wanted, keep: None, private: false, _lock: None })
    }

    fn private(keep: Option<&Path>, user: Option<&User>) -> Result<Self, LiveError> {
        let done = |(work, lock)| {
            let keep = keep.map(Path::to_owned);
            Ok(Self { work, keep, private: true, _lock: Some(lock) })
        };
        let path = env::temp_dir();
        let source = match make_private(&path, user) {
            Ok(work) => return done(work),
            Err(e) => e,
        };
        // TMPDIR may be in a place only we can reach; these never are.
        for elsewhere in ["/tmp", "/var/tmp"] {
            if let Ok(work) = make_private(Path::new(elsewhere), user) {
                return done(work);
            }
        }
        let doing = "make a private directory in";
        Err(match user {
            Some(user) => {
                LiveError::DropPrivileges { user: user.name.clone(), doing, path, source }
            }
            None => LiveError::Io { doing, path, source },
        })
    }

    /// Where the server runs.
    pub(crate) fn path(&self) -> &Path {
        &self.work
    }

    /// Whether it goes when this does.
    pub(crate) fn is_private(&self) -> bool {
        self.private
    }

    /// Writes a file there, owned by `user`.
    pub(crate) fn write(
        &self,
        name: &str,
        text: &str,
        user: Option<&User>,
    ) -> Result<(), LiveError> {
        let mut file = self.create(name, user)?;
        file.write_all(text.as_bytes()).map_err(LiveError::io("write", &self.work.join(name)))
    }

    /// Creates a file there anew, owned by `user`. Never opens what it finds: the directory is
    /// not ours, and a link in it could lead anywhere.
    pub(crate) fn create(&self, name: &str, user: Option<&User>) -> Result<File, LiveError> {
        let path = self.work.join(name);
        remove(fs::remove_file(&path), &path)?;
        let file = File::create_new(&path).map_err(LiveError::io("create", &path))?;
        if let Some(user) = user {
            let given = fchown(&file, Some(user.uid), Some(user.gid));
            given.map_err(|source| {
                let user = user.name.clone();
                LiveError::DropPrivileges { user, doing: "give away", path, source }
            })?;
        }
        Ok(file)
    }

    /// Copies script, server log and score log to the caller's directory if they are not there.
    pub(crate) fn copy_evidence(&self) -> Result<(), LiveError> {
        let Some(keep) = &self.keep else { return Ok(()) };
        for name in EVIDENCE {
            match fs::copy(self.work.join(name), keep.join(name)) {
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(LiveError::io("copy evidence to", &keep.join(name))(e)),
            }
        }
        Ok(())
    }
}

impl Drop for RunDir {
    fn drop(&mut self) {
        if self.private {
            // The last chance to keep evidence, e.g. in a panic; there is nobody to report to.
            let _ = self.copy_evidence();
            let _ = fs::remove_dir_all(&self.work);
        }
    }
}

fn clear(dir: &Path) -> Result<(), LiveError> {
    for name in EVIDENCE {
        let path = dir.join(name);
        remove(fs::remove_file(&path), &path)?;
    }
    let saves = dir.join(SAVES);
    remove(fs::remove_dir_all(&saves), &saves)
}

/// The result of a removal, for which it is as good if there was nothing.
fn remove(done: io::Result<()>, path: &Path) -> Result<(), LiveError> {
    match done {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(LiveError::io("remove the old", path)(e))
        }
        _ => Ok(()),
    }
}

/// Gives `dir` to `user` and checks, as that user, that it can work there; if not, gives it back.
fn hand_over(dir: &Path, user: &User) -> io::Result<()> {
    let before = fs::metadata(dir)?;
    chown(dir, Some(user.uid), Some(user.gid))?;
    let usable = sys::can_use_dir(dir, user);
    if usable.is_err() {
        chown(dir, Some(before.uid()), Some(before.gid()))?;
    }
    usable
}

fn make_private(parent: &Path, user: Option<&User>) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    sweep(parent);
    loop {
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = parent.join(format!("{PRIVATE}{}-{n}", process::id()));
        match DirBuilder::new().mode(0o700).create(&dir) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
            Ok(()) => {
                let lock = lock_new(&dir);
                let done = lock.and_then(|lock| {
                    user.map_or(Ok(()), |user| hand_over(&dir, user)).map(|()| lock)
                });
                if done.is_err() {
                    let _ = fs::remove_dir_all(&dir);
                }
                return done.map(|lock| (dir, lock));
            }
        }
    }
}

/// The name under which others look for it is given to a lock that is already held.
fn lock_new(dir: &Path) -> io::Result<File> {
    let early = dir.join("lock.new");
    let lock = File::create_new(&early)?;
    lock.lock()?;
    fs::rename(&early, dir.join(LOCK))?;
    Ok(lock)
}

/// Removes private directories whose owner was killed. A lock tells that, not the process id in the
/// name: the directory may be shared with other machines' processes.
fn sweep(parent: &Path) {
    // Only tidiness: what cannot be listed, opened or removed stays.
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PRIVATE));
        if named && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let lock = OpenOptions::new()
                .read(true)
                .custom_flags(libc::O_NOFOLLOW)
                .open(entry.path().join(LOCK));
            if lock.is_ok_and(|lock| is_ours(&lock) && lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// The server's user owns the directory, but the lock in it is made by the one who runs us.
fn is_ours(lock: &File) -> bool {
    lock.metadata().is_ok_and(|file| file.is_file() && file.uid() == sys::effective_user())
}
