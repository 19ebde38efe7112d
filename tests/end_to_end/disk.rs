//! A disk that fills while a game is recorded: a real one, small enough to fill, which only root
//! can mount. The episode stops, what was flushed stays readable, and more room is all it needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use saga_core::trace::{State, Trace};

use crate::desk::{Desk, has_server, traces};

/// A file system in memory, gone with the test.
struct Small(PathBuf);

impl Small {
    fn mount(at: PathBuf, size: &str) -> Option<Self> {
        std::fs::create_dir_all(&at).expect("a folder");
        mount(&["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"], &at).then_some(Self(at))
    }

    fn grow(&self, size: &str) {
        assert!(mount(&["-o", &format!("remount,size={size}")], &self.0), "it may grow");
    }
}

fn mount(arguments: &[&str], at: &Path) -> bool {
    let output = Command::new("mount").args(arguments).arg(at).output();
    output.is_ok_and(|o| o.status.success())
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_stops_the_game_and_more_room_lets_the_same_command_go_on() {
    if !has_server() {
        return;
    }
    let desk = Desk::new();
    let Some(disk) = Small::mount(desk.path("runs"), "160k") else {
        eprintln!("SKIPPED: only root can mount a small disk here");
        return;
    };
    desk.write("x.toml", "planners = [\"direct\"]\n[game]\nturns_max = 60\n");
    let said = desk.saga(&["run", "x.toml", "--json"]).expect(4);
    assert!(said.out.contains("No space left on device"), "{}\n{}", said.out, said.err);
    assert!(said.out.contains("see `df -h`"), "{}", said.out);
    assert!(said.err.contains("go on with the same command: saga run x.toml"), "{}", said.err);
    let trace = Trace::load(&traces(&desk.path("runs"))[0]).expect("readable to its last flush");
    assert!(matches!(trace.state(), State::Cut(_)), "{:?}", trace.state());
    disk.grow("64m");
    let said = desk.saga(&["run", "x.toml", "--json"]).expect(0);
    assert!(said.out.contains("\"reason\":\"turn_limit\""), "{}", said.out);
    drop(disk);
}
