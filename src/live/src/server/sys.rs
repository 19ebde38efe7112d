//! The few system calls std has no safe face for: tying the child's life to ours, reaping it with
//! its CPU time, signals and the look-up of `nobody`. The only unsafe code of the crate.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::process::{CpuTime, Ended, Exit};

/// An unprivileged user to run the server as.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// `nobody` when we are root (the server refuses to run as root), else `None`. Where the name is
/// unknown the customary 65534 is taken.
pub(crate) fn user_to_drop_to() -> Option<User> {
    (effective_user() == 0).then(|| {
        look_up(c"nobody").unwrap_or(User { name: "nobody".to_owned(), uid: 65534, gid: 65534 })
    })
}

/// Who we are.
pub(crate) fn effective_user() -> u32 {
    // SAFETY: geteuid has no arguments, no failure and touches no memory.
    unsafe { libc::geteuid() }
}

fn look_up(name: &CStr) -> Option<User> {
    // SAFETY: passwd is a plain C struct for which all-zero bytes are a valid value.
    let mut entry: libc::passwd = unsafe { std::mem::zeroed() };
    let mut found: *mut libc::passwd = std::ptr::null_mut();
    let mut buffer = vec![0; 16 * 1024];
    // SAFETY: every pointer is to a live local, the length is the buffer's own, and only plain
    // integers are read from `entry` afterwards, so no pointer into `buffer` outlives it.
    let rc = unsafe {
        libc::getpwnam_r(
            name.as_ptr(),
            &raw mut entry,
            buffer.as_mut_ptr(),
            buffer.len(),
            &raw mut found,
        )
    };
    let known = rc == 0 && !found.is_null() && entry.pw_uid != 0;
    let name = name.to_string_lossy().into_owned();
    known.then_some(User { name, uid: entry.pw_uid, gid: entry.pw_gid })
}

/// Sets the ids of the child. std clears the supplementary groups itself when root sets a uid.
pub(crate) fn run_as(command: &mut Command, user: &User) {
    command.uid(user.uid).gid(user.gid);
}

/// Whether `user` can enter `dir` and write there, found out by trying: a forked child takes the
/// ids, changes directory, asks, and never execs anything.
pub(crate) fn can_use_dir(dir: &Path, user: &User) -> io::Result<()> {
    const YES: i32 = libc::ECANCELED;
    let mut probe = Command::new("never-executed");
    run_as(&mut probe, user);
    probe.current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: the closure runs between fork and exec, after std has set the ids and the working
    // directory; it makes one async-signal-safe call on a static string and allocates nothing.
    unsafe {
        probe.pre_exec(|| {
            if libc::access(c".".as_ptr(), libc::R_OK | libc::W_OK | libc::X_OK) == 0 {
                return Err(io::Error::from_raw_os_error(YES));
            }
            Err(io::Error::last_os_error())
        });
    }
    match probe.spawn() {
        Err(e) if e.raw_os_error() == Some(YES) => Ok(()),
        Err(e) => Err(e),
        Ok(_) => Err(io::Error::other("the directory probe went on to execute something")),
    }
}

/// Bytes an ordinary user may still write to the file system that holds `path`.
pub(crate) fn free_bytes(path: &Path) -> io::Result<u64> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: statvfs is a plain C struct of integers for which all-zero bytes are valid.
    let mut told: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the path is a live C string and the pointer is to a live local of the right type.
    if unsafe { libc::statvfs(path.as_ptr(), &raw mut told) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // The types of both differ between systems.
    #[allow(clippy::unnecessary_cast)]
    let (blocks, size) = (told.f_bavail as u64, told.f_frsize as u64);
    Ok(blocks.saturating_mul(size))
}

/// Makes the kernel kill the child when the *thread* that spawns it dies (Linux only). Changing
/// ids clears this, and std runs `pre_exec` after changing them, so the order is right.
pub(crate) fn die_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        let parent = std::process::id() as libc::pid_t;
        // SAFETY: the closure runs between fork and exec, makes two async-signal-safe calls with
        // plain integers, and builds its errors from numbers, without allocating.
        unsafe {
            command.pre_exec(move || {
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong, 0, 0, 0) != 0
                {
                    return Err(io::Error::last_os_error());
                }
                // The parent may have died before the line above; then nobody will tell us.
                if libc::getppid() != parent {
                    return Err(io::Error::from_raw_os_error(libc::ESRCH));
                }
                Ok(())
            });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Sends `signal` to one process. Only for a child that has not been reaped yet, whose number
/// therefore cannot have been given to another process.
pub(crate) fn signal(pid: i32, signal: i32) {
    // SAFETY: kill takes two integers and touches no memory.
    unsafe { libc::kill(pid, signal) };
}

/// Kills the whole process group led by `pid` (the server and anything it may have started).
pub(crate) fn kill_group(pid: i32) {
    signal(-pid, libc::SIGKILL);
    signal(pid, libc::SIGKILL);
}

/// Kills what is left of the group that `pid` led. While anybody is in it the number cannot be
/// given to another process, and a group of nobody is not found.
pub(crate) fn kill_rest_of_group(pid: i32) {
    signal(-pid, libc::SIGKILL);
}

/// Reaps the child if it has ended, with its exact CPU time.
pub(crate) fn reap(pid: i32) -> io::Result<Option<Ended>> {
    let mut status = 0;
    // SAFETY: rusage is a plain C struct of integers for which all-zero bytes are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let rc = loop {
        // SAFETY: both pointers are to live locals of the right type.
        let rc = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut usage) };
        if rc >= 0 {
            break rc;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    };
    if rc == 0 {
        return Ok(None);
    }
    let exit = if libc::WIFSIGNALED(status) {
        Exit::Signal(libc::WTERMSIG(status))
    } else {
        Exit::Code(libc::WEXITSTATUS(status))
    };
    let cpu = CpuTime { user: duration(usage.ru_utime), system: duration(usage.ru_stime) };
    Ok(Some(Ended { exit, cpu }))
}

/// Clock ticks per second, the unit of `/proc/PID/stat`.
pub(crate) fn ticks_per_second() -> u64 {
    // SAFETY: sysconf takes an integer and touches no memory.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    u64::try_from(ticks).ok().filter(|t| *t > 0).unwrap_or(100)
}

fn duration(t: libc::timeval) -> Duration {
    Duration::new(t.tv_sec.max(0) as u64, t.tv_usec.max(0) as u32 * 1000)
}
