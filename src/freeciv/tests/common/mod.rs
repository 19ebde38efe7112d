//! The recorded game and a small stage with its real rules, for tests of the world model.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use saga_core::action::{Action, Actor, Order};
use saga_core::ids::{CityId, Dir, Pos, UnitId};
use saga_core::rules::Rules;
use saga_freeciv::{Connection, Event, Limits, Packet, Value, World, encode, v3_0};

/// What the server sent in the recorded game: join and thirty turns.
pub fn recording() -> World {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/freeciv/");
    #[allow(clippy::disallowed_methods)] // a test reads its recording
    let bytes = std::fs::read(format!("{path}join-and-30-turns.bin")).unwrap();
    let mut connection = Connection::new(v3_0(), Limits::default()).unwrap();
    let mut world = World::new(v3_0()).unwrap();
    connection.join("tester").unwrap();
    // The recording answers requests that this test does not make.
    for _ in 0..10_000 {
        connection.request("CLIENT_HEARTBEAT", &[]).ok();
    }
    connection.receive(&bytes).unwrap();
    while let Some(event) = connection.next_event().unwrap() {
        match event {
            Event::Joined(joined) => world.joined(&joined),
            Event::Packet(packet) => world.fold(&packet),
            _ => {}
        }
    }
    world
}

/// A packet of the server.
pub fn packet(name: &str, fields: &[(&str, Value)]) -> Packet {
    encode::request(v3_0(), name, fields).unwrap()
}

/// Width of the stage; it is a square without wrapping.
pub const WIDTH: u16 = 7;
/// Unit types of the classic ruleset, by the numbers the recording gave them.
pub const SETTLERS: i64 = 0;
pub const WORKERS: i64 = 1;
pub const ENGINEERS: i64 = 2;
pub const WARRIORS: i64 = 3;
pub const HORSEMEN: i64 = 15;
pub const BOMBER: i64 = 26;
pub const TRIREME: i64 = 30;
pub const GALLEON: i64 = 32;
pub const DIPLOMAT: i64 = 44;
pub const EXPLORER: i64 = 48;
/// Terrains.
pub const OCEAN: i64 = 2;
pub const DEEP_OCEAN: i64 = 3;
pub const GRASSLAND: i64 = 7;
pub const HILLS: i64 = 8;
/// Extras.
pub const IRRIGATION: u16 = 0;
pub const MINE: u16 = 1;
pub const POLLUTION: u16 = 3;
pub const FORTRESS: u16 = 7;
pub const ROAD: u16 = 11;
pub const RAILROAD: u16 = 12;
pub const RIVER: u16 = 13;
/// Players.
pub const US: i64 = 0;
pub const THEM: i64 = 1;
/// Pacts.
pub const WAR: i64 = 1;
pub const PEACE: i64 = 3;
pub const ALLIANCE: i64 = 4;

/// A small known world of grassland with nobody in it.
pub struct Stage {
    pub world: World,
}

impl Stage {
    pub fn new() -> Self {
        let mut world = recording();
        let observation = world.observe().unwrap();
        let size = i64::from(WIDTH);
        world.fold(&packet("MAP_INFO", &[("xsize", size.into()), ("ysize", size.into())]));
        for unit in observation
            .units
            .iter()
            .map(|u| u.id)
            .chain(observation.foreign_units.iter().map(|u| u.id))
        {
            world.fold(&packet("UNIT_REMOVE", &[("unit_id", unit.0.into())]));
        }
        for city in observation
            .cities
            .iter()
            .map(|c| c.id)
            .chain(observation.foreign_cities.iter().map(|c| c.id))
        {
            world.fold(&packet("CITY_REMOVE", &[("city_id", city.0.into())]));
        }
        for other in observation.treaties.iter().map(|t| t.with) {
            let with = [("counterpart", i64::from(other.0).into())];
            world.fold(&packet("DIPLOMACY_CANCEL_MEETING", &with));
        }
        let mut stage = Self { world };
        for tile in 0..size * size {
            stage.tile((tile % size) as u16, (tile / size) as u16, GRASSLAND, &[]);
        }
        stage
    }

    pub fn rules(&self) -> std::sync::Arc<Rules> {
        self.world.rules().unwrap()
    }

    pub fn fold(&mut self, name: &str, fields: &[(&str, Value)]) {
        self.world.fold(&packet(name, fields));
    }

    pub fn tile(&mut self, x: u16, y: u16, terrain: i64, extras: &[u16]) {
        self.owned_tile(x, y, terrain, extras, 255);
    }

    pub fn owned_tile(&mut self, x: u16, y: u16, terrain: i64, extras: &[u16], owner: i64) {
        let mut bits = [0u8; 16];
        for extra in extras {
            bits[usize::from(extra / 8)] |= 1 << (extra % 8);
        }
        self.fold(
            "TILE_INFO",
            &[
                ("tile", index(x, y)),
                ("known", 2.into()),
                ("owner", owner.into()),
                ("extras_owner", 255.into()),
                ("terrain", terrain.into()),
                ("resource", 128.into()),
                ("extras", Value::Bits(bits.into())),
            ],
        );
    }

    pub fn unknown(&mut self, x: u16, y: u16) {
        let none = [("tile", index(x, y)), ("terrain", 255.into()), ("resource", 128.into())];
        self.fold("TILE_INFO", &none);
    }

    /// One of our units, fresh and idle.
    pub fn unit(&mut self, id: u32, kind: i64, x: u16, y: u16) -> UnitId {
        self.unit_with(id, kind, x, y, &[])
    }

    pub fn unit_with(
        &mut self,
        id: u32,
        kind: i64,
        x: u16,
        y: u16,
        more: &[(&str, Value)],
    ) -> UnitId {
        let mut fields = vec![
            ("id", id.into()),
            ("owner", US.into()),
            ("tile", index(x, y)),
            ("type", kind.into()),
            ("movesleft", 3.into()),
            ("hp", 10.into()),
            ("goto_tile", (-1).into()),
            ("activity_tgt", (-1).into()),
        ];
        for (name, value) in more {
            fields.retain(|(known, _)| known != name);
            fields.push((name, value.clone()));
        }
        self.fold("UNIT_INFO", &fields);
        UnitId(id)
    }

    pub fn foreign_unit(&mut self, id: u32, kind: i64, x: u16, y: u16) {
        self.fold(
            "UNIT_SHORT_INFO",
            &[
                ("id", id.into()),
                ("owner", THEM.into()),
                ("tile", index(x, y)),
                ("type", kind.into()),
                ("hp", 10.into()),
                ("activity_tgt", (-1).into()),
            ],
        );
    }

    /// A city of ours, size 3, founded long ago.
    pub fn city(&mut self, id: u32, x: u16, y: u16, more: &[(&str, Value)]) -> CityId {
        let mut fields = vec![
            ("id", id.into()),
            ("tile", index(x, y)),
            ("owner", US.into()),
            ("size", 3.into()),
            ("name", "Rome".into()),
            ("production_kind", 6.into()),
            ("production_value", WARRIORS.into()),
            ("turn_founded", 1.into()),
            ("buy_cost", 20.into()),
        ];
        for (name, value) in more {
            fields.retain(|(known, _)| known != name);
            fields.push((name, value.clone()));
        }
        self.fold("CITY_INFO", &fields);
        CityId(id)
    }

    pub fn foreign_city(&mut self, id: u32, x: u16, y: u16, occupied: bool) {
        self.fold(
            "CITY_SHORT_INFO",
            &[
                ("id", id.into()),
                ("tile", index(x, y)),
                ("owner", THEM.into()),
                ("size", 2.into()),
                ("name", "Susa".into()),
                ("occupied", occupied.into()),
            ],
        );
    }

    pub fn pact(&mut self, kind: i64) {
        self.fold(
            "PLAYER_DIPLSTATE",
            &[
                ("diplstate_id", (US * 160 + THEM).into()),
                ("plr1", US.into()),
                ("plr2", THEM.into()),
                ("type", kind.into()),
                ("contact_turns_left", 20.into()),
            ],
        );
    }

    /// Our research: the advances with these names are known, all others cannot be begun.
    pub fn know(&mut self, names: &[&str]) {
        let rules = self.rules();
        let letter = |name: &String| if names.contains(&name.as_str()) { '2' } else { '0' };
        let letters: String = rules.advances.iter().map(|a| letter(&a.name)).collect();
        self.fold("RESEARCH_INFO", &[("id", US.into()), ("inventions", (&*letters).into())]);
    }

    /// The server's answer about a unit and a tile: these actions are possible.
    pub fn answer(&mut self, unit: UnitId, at: (u16, u16), city: u32, actions: &[usize]) {
        let mut chances = vec![(0u8, 0u8); 44];
        for action in actions {
            chances[*action] = (200, 200);
        }
        self.fold(
            "UNIT_ACTIONS",
            &[
                ("actor_unit_id", unit.0.into()),
                ("target_tile_id", index(at.0, at.1)),
                ("target_city_id", city.into()),
                ("action_probabilities", chances.into()),
            ],
        );
    }

    /// The same about another unit on that tile.
    pub fn answer_about_unit(
        &mut self,
        unit: UnitId,
        at: (u16, u16),
        target: u32,
        actions: &[usize],
    ) {
        let mut chances = vec![(0u8, 0u8); 44];
        for action in actions {
            chances[*action] = (200, 200);
        }
        self.fold(
            "UNIT_ACTIONS",
            &[
                ("actor_unit_id", unit.0.into()),
                ("target_tile_id", index(at.0, at.1)),
                ("target_unit_id", target.into()),
                ("action_probabilities", chances.into()),
            ],
        );
    }

    pub fn menu(&self, unit: UnitId) -> Vec<Action> {
        self.world.lawful(Actor::Unit(unit))
    }

    /// Directions in which a unit may move.
    pub fn moves(&self, unit: UnitId) -> Vec<Dir> {
        let step = |action: Action| match action {
            Action::Move { dir, .. } => Some(dir),
            _ => None,
        };
        self.menu(unit).into_iter().filter_map(step).collect()
    }
}

pub fn index(x: u16, y: u16) -> Value {
    i64::from(y * WIDTH + x).into()
}

pub fn at(x: u16, y: u16) -> Pos {
    Pos { x, y }
}

pub fn order(unit: UnitId, action: Action) -> Order {
    Order { actor: Actor::Unit(unit), action }
}
