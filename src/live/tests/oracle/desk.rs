//! One seat at a real server whose world can be edited: situations are built by the server's own
//! scripting, and what the server accepts is seen after the barrier.
#![allow(dead_code, unreachable_pub, reason = "each file of situations uses a part of it")]

use std::net::SocketAddrV4;
use std::ops::{Deref, DerefMut};

use saga_core::ids::{CityId, Pos, UnitId};
use saga_core::observation::{City, Unit};
use saga_core::rules::Rules;
use saga_live::server::{Launch, Script, Server, find};

use crate::line::Line;

/// A seat in a running game of one ruleset against idle-minded opponents.
pub struct Desk {
    // The connection is closed before the server ends.
    line: Line,
    server: Server,
}

impl Deref for Desk {
    type Target = Line;

    fn deref(&self) -> &Line {
        &self.line
    }
}

impl DerefMut for Desk {
    fn deref_mut(&mut self) -> &mut Line {
        &mut self.line
    }
}

impl Desk {
    /// `None`, said aloud, when there is no server and this is not CI.
    pub fn open(ruleset: &str, settings: &[(&str, &str)]) -> Option<Self> {
        let binary = match find(None) {
            Ok(binary) => binary,
            Err(error) if std::env::var_os("CI").is_none() => {
                eprintln!("SKIPPED: {error}");
                return None;
            }
            Err(error) => panic!("no usable server: {error}"),
        };
        let script = Script::new(&all_settings(settings), "novice").expect("sound settings");
        let server = Launch::new(binary, ruleset, script).start().expect("a server that starts");
        let line = Line::join(server.address(), "oracle");
        let mut desk = Self { line, server };
        let seat = i64::from(desk.seat().0);
        desk.send("PLAYER_READY", &[("player_no", seat.into()), ("is_ready", true.into())]);
        desk.until("the first turn", |line| line.world.turns_begun() > 0);
        desk.settle();
        Some(desk)
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddrV4 {
        self.server.address()
    }

    pub fn rules(&self) -> std::sync::Arc<Rules> {
        self.world.rules().expect("rules since the join")
    }

    /// Runs a piece of Lua in the server; returns what was said meanwhile.
    ///
    /// # Panics
    /// When the server reports a Lua error, so that no situation is half built.
    pub fn lua(&mut self, code: &str) -> Vec<String> {
        let said = self.console(&format!("lua cmd {code}"));
        let wrong = said.iter().find(|line| line.contains("error") || line.contains("Error"));
        assert!(wrong.is_none(), "lua failed: {wrong:?}\nin {code}");
        said
    }

    /// Ends the turn and waits for the next.
    pub fn end_turn(&mut self) {
        let begun = self.world.turns_begun();
        self.post_done();
        self.until("the next turn", |line| line.world.turns_begun() > begun);
        self.settle();
    }

    pub fn unit(&mut self, id: UnitId) -> Option<Unit> {
        self.look().units.into_iter().find(|u| u.id == id)
    }

    pub fn city(&mut self, id: CityId) -> Option<City> {
        self.look().cities.into_iter().find(|c| c.id == id)
    }

    /// Creates a unit of ours and returns its number.
    pub fn make(&mut self, kind: &str, at: Pos) -> UnitId {
        let before: Vec<UnitId> = self.own_ids();
        let seat = self.seat().0;
        self.lua(&format!(
            "edit.create_unit(find.player({seat}), find.tile({}, {}), \
             find.unit_type('{kind}'), 0, nil, -1)",
            at.x, at.y
        ));
        let new: Vec<UnitId> =
            self.own_ids().into_iter().filter(|id| !before.contains(id)).collect();
        assert_eq!(new.len(), 1, "one {kind} was to be made at {at}");
        new[0]
    }

    fn own_ids(&mut self) -> Vec<UnitId> {
        self.observe().units.iter().map(|u| u.id).collect()
    }
}

/// A quiet square world with room for situations; `changes` win.
fn all_settings(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut settings: Vec<(String, String)> = [
        ("topology", ""),
        ("mapsize", "XYSIZE"),
        ("xsize", "40"),
        ("ysize", "40"),
        ("mapseed", "2025"),
        ("gameseed", "1001"),
        ("aifill", "3"),
        ("minplayers", "1"),
        ("autotoggle", "disabled"),
        ("barbarians", "DISABLED"),
        ("animals", "0"),
        ("huts", "0"),
        ("disasters", "0"),
        ("endturn", "500"),
        ("timeout", "0"),
        ("phasemode", "ALL"),
        ("turnblock", "enabled"),
        ("pingtime", "1800"),
        ("netwait", "0"),
        ("nettimeout", "0"),
        ("autosaves", ""),
        ("revolentype", "FIXED"),
        ("revolen", "1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    for (name, value) in changes {
        settings.retain(|(listed, _)| listed != name);
        settings.push(((*name).to_owned(), (*value).to_owned()));
    }
    settings
}
