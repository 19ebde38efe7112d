//! Starts a server and answers for it until it is gone: unprivileged, on loopback, on a port that
//! turned out to be free, with its console in hand and its output in a file.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::find::{ServerBinary, passed_on};
use super::process::{CpuTime, Ended, Exit, Process, StoppedBy};
use super::rundir::{LOG, RunDir, SAVES, SCORE_LOG, SCRIPT};
use super::script::{RULESET_READ, Script};
use super::sys::{self, User};
use crate::LiveError;

const TAIL_LINES: usize = 5;

/// What to start. Fill in with [`Launch::new`] and change what differs.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The binary, from [`super::find()`].
    pub binary: ServerBinary,
    /// The ruleset's folder name, such as `classic`.
    pub ruleset: String,
    /// Settings and commands it reads before it takes connections.
    pub script: Script,
    /// Directory for the server's files, created if absent; its old script, logs and saves are
    /// removed. `None`: a private one, removed at the end. When we are root and the unprivileged
    /// user cannot work in it, the server runs in a private one and the logs are copied here.
    pub run_dir: Option<PathBuf>,
    /// How many ports to try.
    pub port_tries: u32,
    /// How long one start may take.
    pub start_limit: Duration,
}

impl Launch {
    /// With no caller's directory, eight port tries and sixty seconds to start.
    pub fn new(binary: ServerBinary, ruleset: &str, script: Script) -> Self {
        Self {
            binary,
            ruleset: ruleset.to_owned(),
            script,
            run_dir: None,
            port_tries: 8,
            start_limit: Duration::from_mins(1),
        }
    }

    /// Starts the server; returns when it has read its script and accepts connections.
    ///
    /// # Errors
    /// [`LiveError::PortTaken`], [`LiveError::ServerExited`], [`LiveError::Silent`],
    /// [`LiveError::DropPrivileges`], [`LiveError::NoRuleset`], [`LiveError::Setting`] for a bad
    /// ruleset name, or I/O.
    pub fn start(&self) -> Result<Server, LiveError> {
        self.start_on(free_port)
    }

    /// As [`Launch::start`], with the ports to try given by `next_port`.
    pub(crate) fn start_on(
        &self,
        mut next_port: impl FnMut() -> io::Result<u16>,
    ) -> Result<Server, LiveError> {
        super::script::check_word("ruleset", &self.ruleset)?;
        let user = sys::user_to_drop_to();
        let mut run = RunDir::prepare(self.run_dir.as_deref(), user.as_ref())?;
        run.write(SCRIPT, &self.script.text(), user.as_ref())?;
        let tries = self.port_tries.max(1);
        let mut last = 0;
        for _ in 0..tries {
            let loopback = Path::new("127.0.0.1");
            last = next_port().map_err(LiveError::io("find a free port on", loopback))?;
            let process = self.spawn(&run, user.as_ref(), last)?;
            let mut server = Server { process, port: last, run };
            if server.wait_until_ready(&self.ruleset, self.start_limit)? {
                return Ok(server);
            }
            run = server.run;
        }
        Err(LiveError::PortTaken { tries, last })
    }

    fn spawn(&self, run: &RunDir, user: Option<&User>, port: u16) -> Result<Process, LiveError> {
        let log = run.create(LOG, user)?;
        let log_too = log.try_clone().map_err(LiveError::io("open", &run.path().join(LOG)))?;
        let mut command = Command::new(&self.binary.path);
        command
            .args(["-b", "127.0.0.1", "-A", "none", "-e", "-q", "20", "-s", SAVES, "-r", SCRIPT])
            .args(["--ruleset", &self.ruleset])
            .args(["-p", &port.to_string()])
            .current_dir(run.path())
            .stdin(Stdio::piped())
            .stdout(log)
            .stderr(log_too)
            .env_clear()
            .envs(passed_on())
            .env("HOME", run.path())
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC");
        if let Some(user) = user {
            sys::run_as(&mut command, user);
        }
        let path = self.binary.path.clone();
        Process::spawn(command).map_err(|source| match user {
            Some(user) => {
                let user = user.name.clone();
                LiveError::DropPrivileges { user, doing: "start", path, source }
            }
            None => LiveError::Io { doing: "start", path, source },
        })
    }
}

/// A running server. Dropping it, also in a panic, kills it; if we are killed, the kernel does.
#[derive(Debug)]
pub struct Server {
    // Dropped in this order: the process before the directory it works in.
    process: Process,
    port: u16,
    run: RunDir,
}

/// What is left of a server that was stopped.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// Which step ended it.
    pub by: StoppedBy,
    /// How it ended.
    pub exit: Exit,
    /// All the CPU time it used, exact.
    pub cpu: CpuTime,
    /// Its score log, if it wrote one; see [`super::scorelog`].
    pub score_log: Option<String>,
}

impl Stopped {
    /// User and system seconds the server used in all.
    pub fn cpu_seconds(&self) -> f64 {
        self.cpu.seconds()
    }
}

impl Server {
    /// Where to connect.
    pub fn address(&self) -> SocketAddrV4 {
        SocketAddrV4::new(Ipv4Addr::LOCALHOST, self.port)
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// The directory it works in; gone after the end if it is a private one.
    pub fn run_dir(&self) -> &Path {
        self.run.path()
    }

    /// Writes one command to its console.
    ///
    /// # Errors
    /// [`LiveError::Setting`] when `line` has control characters, I/O when the server is gone.
    pub fn console(&mut self, line: &str) -> Result<(), LiveError> {
        super::script::check_line(line)?;
        let path = self.run.path().join("(console)");
        self.process.console(line).map_err(LiveError::io("write to", &path))
    }

    /// How it ended, if it has; never blocks.
    ///
    /// # Errors
    /// I/O when the process cannot be asked for.
    pub fn exited(&mut self) -> Result<Option<Exit>, LiveError> {
        Ok(self.poll()?.map(|ended| ended.exit))
    }

    /// Waits up to `limit` for it to end by itself.
    ///
    /// # Errors
    /// I/O when the process cannot be asked for.
    pub fn wait_for_exit(&mut self, limit: Duration) -> Result<Option<Exit>, LiveError> {
        let ended =
            self.process.wait_for(limit).map_err(LiveError::io("wait for", &self.proc()))?;
        Ok(ended.map(|ended| ended.exit))
    }

    /// [`LiveError::ServerExited`] with the last lines, if it has ended while `doing` something
    /// that needs it: to be asked when the connection breaks. Gives it `patience` to die.
    pub fn exit_error(&mut self, doing: &str, patience: Duration) -> Option<LiveError> {
        let exit = self.wait_for_exit(patience).ok()??;
        Some(LiveError::ServerExited { exit, doing: doing.to_owned(), tail: self.log_tail() })
    }

    /// The last lines of its output, at most five, prompts left out. Its port and directory are
    /// left out too: they are others in each run, and traces shall be the same.
    pub fn log_tail(&self) -> Vec<String> {
        last_lines(&self.words())
    }

    /// Its log without what differs from run to run.
    fn words(&self) -> String {
        let directory = self.run.path().display().to_string();
        self.log_text()
            .replace(&format!("on port {}", self.port), "on its port")
            .replace(&directory, "(its directory)")
    }

    /// What it objected to while it read its script, in its own words.
    pub fn script_complaints(&self) -> Vec<String> {
        let log = self.words();
        let read = log.lines().skip_while(|l| !l.contains("Loading script file")).skip(1);
        let read = read.take_while(|l| !l.starts_with("Command access level"));
        let is_news =
            |l: &&str| !(l.is_empty() || l.starts_with("Console: ") || l.starts_with("2:"));
        read.filter(is_news).map(str::to_owned).collect()
    }

    /// CPU seconds so far, to a clock tick; `None` where there is no `/proc`.
    pub fn cpu_seconds_so_far(&self) -> Option<f64> {
        self.process.cpu_so_far().map(|cpu| cpu.seconds())
    }

    /// Ends it in bounded steps (`quit`, SIGTERM, SIGKILL), waiting up to `grace` after each, and
    /// saves the evidence.
    ///
    /// # Errors
    /// [`LiveError::Unending`] when not even SIGKILL ended it; I/O when evidence cannot be saved
    /// (the server is gone then).
    pub fn stop(mut self, grace: Duration) -> Result<Stopped, LiveError> {
        let stopped = self.process.stop(grace).map_err(LiveError::io("stop", &self.proc()))?;
        let Some((by, Ended { exit, cpu })) = stopped else {
            let limit = grace.max(Duration::from_secs(5));
            return Err(LiveError::Unending { pid: self.pid(), limit });
        };
        self.run.copy_evidence()?;
        let path = self.run.path().join(SCORE_LOG);
        let score_log = match fs::read(&path) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(LiveError::io("read", &path)(e)),
        };
        Ok(Stopped { by, exit, cpu, score_log })
    }

    /// True: ready. False: the port was taken, try another.
    ///
    /// The sign is a line in the log, not a connection: whoever took the port may accept
    /// connections as well, and a look-see connection would use up a connection number.
    fn wait_until_ready(&mut self, ruleset: &str, limit: Duration) -> Result<bool, LiveError> {
        let ready = format!("Now accepting new client connections on port {}.", self.port);
        let start = Instant::now();
        let (mut log, mut length) = (String::new(), 0);
        loop {
            // Asked before the log is read, so that a last word is not missed.
            let ended = self.poll()?;
            // Read again only when it has grown.
            let now = fs::metadata(self.run.path().join(LOG)).map_or(0, |file| file.len());
            if now != length {
                (log, length) = (self.log_text(), now);
            }
            if let Some(Ended { exit, .. }) = ended {
                if log.contains("bind failure") {
                    return Ok(false);
                }
                if let Some(said) = log.lines().find(|line| denies(line, ruleset)) {
                    return Err(no_ruleset(ruleset, None, said));
                }
                let doing = "starting".to_owned();
                return Err(LiveError::ServerExited { exit, doing, tail: self.log_tail() });
            }
            if log.contains(&ready) {
                return check_ruleset(ruleset, &log).map(|()| true);
            }
            if start.elapsed() >= limit {
                let (what, tail) = ("to accept connections".to_owned(), self.log_tail());
                return Err(LiveError::Silent { what, limit, tail });
            }
            thread::sleep(Duration::from_millis(3));
        }
    }

    fn poll(&mut self) -> Result<Option<Ended>, LiveError> {
        let path = self.proc();
        self.process.poll().map_err(LiveError::io("ask after", &path))
    }

    fn proc(&self) -> PathBuf {
        PathBuf::from(format!("server process {}", self.pid()))
    }

    fn log_text(&self) -> String {
        // Only ever used to explain something else, so an unreadable log is an empty one.
        let bytes = fs::read(self.run.path().join(LOG)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Refuses a server that read another ruleset than it was asked to.
fn check_ruleset(ruleset: &str, log: &str) -> Result<(), LiveError> {
    let said = log.lines().find_map(|line| Some((line, line.strip_prefix(RULESET_READ)?)));
    let Some((said, found)) = said else { return Ok(()) };
    let found = found.trim_matches('"');
    if found == ruleset { Ok(()) } else { Err(no_ruleset(ruleset, Some(found), said)) }
}

/// The last words of a server that has no folder for a ruleset.
fn denies(line: &str, ruleset: &str) -> bool {
    line.contains("Ruleset directory ") && line.contains(&format!("\"{ruleset}\""))
}

fn no_ruleset(ruleset: &str, found: Option<&str>, said: &str) -> LiveError {
    LiveError::NoRuleset {
        ruleset: ruleset.to_owned(),
        found: found.map(str::to_owned),
        said: said.trim_start_matches("0: ").to_owned(),
    }
}

/// A port nobody listens on right now.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn last_lines(log: &str) -> Vec<String> {
    let spoken = |l: &&str| !l.is_empty() && *l != ">";
    let lines: Vec<&str> = log.lines().map(str::trim).filter(spoken).collect();
    let from = lines.len().saturating_sub(TAIL_LINES);
    lines.iter().skip(from).map(|&l| l.to_owned()).collect()
}
