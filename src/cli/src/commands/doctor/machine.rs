//! Checks of the machine that need no server: who runs one, where it can work, how many games go
//! side by side, and how much room they have.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use saga_core::spec::GameSpec;
use saga_live::LiveError;
use saga_live::server::probe;

use super::line::{Check, Line};
use crate::commands::shell::quoted;
use crate::matrix::plain_game;
use crate::registry::{self, BACKBONES};

/// Bytes that a game leaves for each turn on 23 × 23 tiles. Games of the scripted backbone leave
/// 5 KiB, in trace, score log and timing; a model's answers are longer, so this is four times that.
const BYTES_PER_TURN: u64 = 20 * 1024;
/// Tiles of the map on which that was measured.
const TILES: u64 = 23 * 23;
const MIB: u64 = 1024 * 1024;
/// Games of default length for which there should be room when no experiment says how many.
const GAMES: u64 = 100;

/// How many games are played at the same time when nothing is said about it.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Whether a server can run as somebody who is not root.
pub(super) fn user() -> Line {
    let check = Check::new("user", "somebody other than root to run the server as");
    match probe::other_user() {
        None => check.ok("we are not root, and the server runs as we do"),
        Some((name, Ok(()))) => check.ok(format!("we are root, and the server runs as {name}")),
        Some((name, Err(e))) => check.fail(
            format!("we are root and cannot become {name}: {e}"),
            "adduser --disabled-password --gecos '' saga && su saga -c 'saga doctor'",
        ),
    }
}

/// Whether the server's user can work in a private folder.
pub(super) fn scratch() -> Line {
    let wanted = std::env::temp_dir();
    let asked = format!("a private folder below {} that the server can use", wanted.display());
    let check = Check::new("scratch", asked);
    match probe::workplace(None) {
        Ok(place) if place.path.starts_with(&wanted) => check.ok("made, used and removed"),
        Ok(place) => {
            check.warn(format!("only elsewhere: {}", place.path.display()), "export TMPDIR=/tmp")
        }
        Err(e) => check.fail(e.to_string(), "chmod 1777 /tmp; export TMPDIR=/tmp"),
    }
}

/// Whether each game that runs at the same time can have a port.
pub(super) fn ports(games: usize) -> Line {
    let check = Check::new("ports", format!("a free port on 127.0.0.1 for each of {games} games"));
    match probe::free_ports(games) {
        Ok(count) => check.ok(format!("{count} had at the same time")),
        Err(e) => check.fail(
            e.to_string(),
            "ip link set lo up; ss -ltn    # who listens; sysctl net.ipv4.ip_local_port_range",
        ),
    }
}

/// How many games go side by side.
pub(super) fn cores_line(cores: usize) -> Line {
    let check = Check::new("cores", "how many games go side by side");
    check.ok(format!(
        "{cores} cores, so {cores} at a time unless --jobs says otherwise; each game keeps one \
         core busy"
    ))
}

/// Whether those built in can be asked.
pub(super) fn backbones() -> Line {
    let check = Check::new("backbones", "who answers the prompts");
    match registry::prompts() {
        Ok(prompts) => {
            let names: Vec<&str> = BACKBONES.iter().map(|b| b.name).collect();
            let templates = prompts.hashes().len();
            check.ok(format!(
                "{} are built in and need neither key nor network; {templates} prompt templates \
                 are good",
                names.join(", ")
            ))
        }
        Err(e) => check.fail(e.to_string(), "cargo install --force --path src/cli"),
    }
}

/// Whether games can be recorded in a folder.
pub(super) fn rights(out: &Path) -> Line {
    let check = Check::new("out", format!("{} takes games", out.display()));
    let base = nearest(out);
    let there = if base == out { "it is there" } else { "it can be made" };
    match probe::workplace(Some(&base)) {
        Ok(place) if place.is_private => check.ok(format!(
            "{there}; the server's user cannot work in it, so servers work in a private folder and \
             their logs are copied"
        )),
        Ok(_) => check.ok(format!("{there}, and servers can work in it")),
        Err(e) => {
            let mend = if is_denied(&e) {
                format!("chmod u+rwx {}, or: saga doctor --out DIR", shown(&base))
            } else {
                "saga doctor --out DIR    # a folder that can be written to".to_owned()
            };
            check.fail(brief(&e), mend)
        }
    }
}

/// Whether there is room for games. `needed`: for how many, and their bytes in all.
pub(super) fn room(out: &Path, needed: Option<(usize, u64)>) -> Line {
    let one = estimate(&plain_game("classic"));
    let (games, bytes) = needed.unwrap_or((1, one));
    let asked = match needed {
        Some(_) => format!("for {games} games, about {} in all", size(bytes)),
        None => format!("for games of 150 turns, about {} each", size(one)),
    };
    let check = Check::new("room", asked);
    let base = nearest(out);
    let elsewhere = "--out DIR    # a folder on a larger disk";
    match probe::free_bytes(&base) {
        Err(e) => check.fail(format!("{}: {e}", base.display()), elsewhere),
        Ok(free) if free < bytes => {
            let mend = format!("df -h {}; then remove something, or: {elsewhere}", shown(&base));
            check.fail(format!("{} are free", size(free)), mend)
        }
        Ok(free) if needed.is_none() && free < one.saturating_mul(GAMES) => {
            check.warn(format!("{} are free, for {} games", size(free), free / one), elsewhere)
        }
        Ok(free) => check.ok(format!("{} are free", size(free))),
    }
}

/// Bytes one game is likely to leave.
pub(super) fn estimate(game: &GameSpec) -> u64 {
    let side = |name: &str| {
        let found = game.settings.iter().find(|(setting, _)| setting == name);
        found.and_then(|(_, value)| value.parse::<u64>().ok()).unwrap_or(0)
    };
    let tiles = side("xsize").saturating_mul(side("ysize")).max(TILES);
    (u64::from(game.turns_max) * BYTES_PER_TURN).saturating_mul(tiles) / TILES
}

/// In the unit a person would use.
fn size(bytes: u64) -> String {
    let mib = bytes as f64 / MIB as f64;
    if mib < 1024.0 { format!("{mib:.1} MiB") } else { format!("{:.1} GiB", mib / 1024.0) }
}

/// The folder, or the nearest one above it that is there.
fn nearest(out: &Path) -> PathBuf {
    let found = out.ancestors().find(|p| p.exists()).filter(|p| !p.as_os_str().is_empty());
    found.unwrap_or(Path::new(".")).to_owned()
}

fn shown(path: &Path) -> String {
    quoted(&path.display().to_string())
}

fn is_denied(error: &LiveError) -> bool {
    let denied = std::io::ErrorKind::PermissionDenied;
    matches!(error, LiveError::Io { source, .. } if source.kind() == denied)
}

/// Without the name of the folder that was only made to try.
fn brief(error: &LiveError) -> String {
    match error {
        LiveError::Io { path, source, .. } => {
            let folder = path.parent().unwrap_or(path);
            format!("nothing can be made in {}: {source}", folder.display())
        }
        _ => error.to_string(),
    }
}
