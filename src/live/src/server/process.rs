//! One child process that cannot outlive us: started in its own process group by a thread that
//! lives as long as `saga`, ended in bounded steps, reaped with its CPU time.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::sys;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "rc {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// CPU time used by the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTime {
    /// In its own code.
    pub user: Duration,
    /// In the kernel on its behalf.
    pub system: Duration,
}

impl CpuTime {
    /// User and system time, in seconds.
    pub fn seconds(&self) -> f64 {
        (self.user + self.system).as_secs_f64()
    }
}

/// Which step of the ladder ended the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedBy {
    /// It had already ended by itself.
    Itself,
    /// `quit` on its console.
    Quit,
    /// SIGTERM.
    Terminate,
    /// SIGKILL.
    Kill,
}

/// What the kernel said when the process was reaped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    pub(crate) cpu: CpuTime,
}

/// A running child. Dropping it kills and reaps it.
#[derive(Debug)]
pub(crate) struct Process {
    pid: i32,
    stdin: Option<ChildStdin>,
    ended: Option<Ended>,
}

impl Process {
    /// Starts `command` in a process group of its own (so that a Ctrl-C on the terminal is ours
    /// to handle), to be killed by the kernel if we die.
    pub(crate) fn spawn(mut command: Command) -> io::Result<Self> {
        command.process_group(0);
        sys::die_with_parent(&mut command);
        let mut child = spawn_on_keeper(command)?;
        Ok(Self { pid: child.id() as i32, stdin: child.stdin.take(), ended: None })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid as u32
    }

    /// Whether it has ended; never blocks.
    pub(crate) fn poll(&mut self) -> io::Result<Option<Ended>> {
        if self.ended.is_none() {
            self.ended = sys::reap(self.pid)?;
        }
        Ok(self.ended)
    }

    /// Waits up to `limit` for it to end.
    pub(crate) fn wait_for(&mut self, limit: Duration) -> io::Result<Option<Ended>> {
        let start = Instant::now();
        let mut nap = Duration::from_millis(1);
        loop {
            if let Some(ended) = self.poll()? {
                return Ok(Some(ended));
            }
            if start.elapsed() >= limit {
                return Ok(None);
            }
            thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(20));
        }
    }

    /// Writes one line to its console.
    pub(crate) fn console(&mut self, line: &str) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(format!("{line}\n").as_bytes())
    }

    /// Ends it: `quit`, SIGTERM, SIGKILL, waiting up to `grace` after each (at least five seconds
    /// after the last). `Ok(None)`: not even SIGKILL ended it in that time.
    pub(crate) fn stop(&mut self, grace: Duration) -> io::Result<Option<(StoppedBy, Ended)>> {
        if let Some(ended) = self.poll()? {
            return Ok(Some((StoppedBy::Itself, ended)));
        }
        if self.console("quit").is_ok()
            && let Some(ended) = self.wait_for(grace)?
        {
            return Ok(Some((StoppedBy::Quit, ended)));
        }
        sys::signal(self.pid, libc::SIGTERM);
        if let Some(ended) = self.wait_for(grace)? {
            return Ok(Some((StoppedBy::Terminate, ended)));
        }
        sys::kill_group(self.pid);
        let ended = self.wait_for(grace.max(Duration::from_secs(5)))?;
        Ok(ended.map(|ended| (StoppedBy::Kill, ended)))
    }

    /// Kills what is left of its group when it has ended itself: children it did not wait for.
    pub(crate) fn kill_rest(&self) {
        sys::kill_rest_of_group(self.pid);
    }

    /// CPU time so far, to a clock tick (10 ms); exact once it has ended. `None` where there is no
    /// `/proc`.
    pub(crate) fn cpu_so_far(&self) -> Option<CpuTime> {
        if let Some(ended) = self.ended {
            return Some(ended.cpu);
        }
        parse_stat(&fs::read_to_string(format!("/proc/{}/stat", self.pid)).ok()?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.poll(), Ok(None)) {
            sys::kill_group(self.pid);
            // Bounded, and nothing to report to: SIGKILL is as far as anybody can go.
            let _ = self.wait_for(Duration::from_secs(5));
        }
    }
}

/// Spawns from a thread that lives as long as this process: the parent-death signal fires when the
/// spawning *thread* ends, and the thread that asks for a server may end before its game does.
fn spawn_on_keeper(command: Command) -> io::Result<Child> {
    type Job = (Command, mpsc::Sender<io::Result<Child>>);
    static KEEPER: OnceLock<mpsc::Sender<Job>> = OnceLock::new();
    let keeper = KEEPER.get_or_init(|| {
        let (jobs, inbox) = mpsc::channel::<Job>();
        // If the thread cannot be started the inbox is dropped, and the send below says so.
        let _ = thread::Builder::new().name("server-keeper".to_owned()).spawn(move || {
            for (mut command, reply) in inbox {
                let child = command.spawn();
                drop(command); // closes our copies of the files and pipes given to the child
                if let Err(mpsc::SendError(Ok(mut orphan))) = reply.send(child) {
                    let _ = orphan.kill();
                    let _ = orphan.wait();
                }
            }
        });
        jobs
    });
    let gone = || io::Error::other("the thread that starts servers could not be started");
    let (reply, answer) = mpsc::channel();
    keeper.send((command, reply)).map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}

/// User and system ticks out of a `/proc/PID/stat` line. The second field is the program's name
/// in parentheses and may itself contain blanks and parentheses.
fn parse_stat(line: &str) -> Option<CpuTime> {
    let (_, rest) = line.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let per_second = sys::ticks_per_second();
    let mut next = || {
        let ticks: u64 = fields.next()?.parse().ok()?;
        Some(Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / per_second)))
    };
    Some(CpuTime { user: next()?, system: next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_line_with_an_awkward_name() {
        let line = "17 (a) b ) S 1 17 17 0 -1 4194560 915 0 0 0 250 50 0 0 20 0 1 0 99 1 1";
        let cpu = parse_stat(line).expect("a stat line");
        let unit = 100.0 / sys::ticks_per_second() as f64;
        assert!((cpu.user.as_secs_f64() - 2.5 * unit).abs() < 1e-6, "{cpu:?}");
        assert!((cpu.seconds() - 3.0 * unit).abs() < 1e-6, "{cpu:?}");
        assert_eq!(parse_stat("17 (cut) S 1 2"), None);
        assert_eq!(parse_stat(""), None);
    }
}
