//! A piece of the map drawn as text, far from everybody, and what the server makes of every step
//! from a tile of it against what our menu says.

#![allow(dead_code, unreachable_pub, reason = "each file of situations uses a part of it")]

use saga_core::action::Action;
use saga_core::ids::{Dir, PlayerId, Pos, UnitId};
use saga_freeciv::Value;

use crate::desk::Desk;

/// Rows and columns around the arena that become ocean.
const MARGIN: u16 = 2;

/// The drawn place and what was found on it.
pub struct Arena {
    corner: Pos,
    /// Steps compared: one unit, one direction.
    pub compared: usize,
    /// Where menu and server do not agree.
    pub differences: Vec<String>,
}

impl Arena {
    /// Draws rows of letters as terrain with extras; see [`letter`].
    pub fn draw(desk: &mut Desk, rows: &[&str]) -> Self {
        let (width, height) = (rows[0].len() as u16, rows.len() as u16);
        let corner = lonely(desk, width, height);
        let far = Pos { x: corner.x + width + MARGIN, y: corner.y + height + MARGIN };
        desk.lua(&format!(
            "for x = {}, {} do for y = {}, {} do local t = find.tile(x, y) \
             edit.change_terrain(t, find.terrain('Ocean')) \
             for _, e in ipairs({{'River', 'Road', 'Hut'}}) do edit.remove_extra(t, e) end \
             end end",
            corner.x - MARGIN,
            far.x - 1,
            corner.y - MARGIN,
            far.y - 1
        ));
        for (y, row) in (corner.y..).zip(rows) {
            for (x, drawn) in (corner.x..).zip(row.chars()) {
                let (terrain, extra) = letter(drawn);
                let tile = format!("find.tile({x}, {y})");
                let built = extra.map_or_else(String::new, |extra| {
                    format!("edit.create_extra({tile}, '{extra}')")
                });
                desk.lua(&format!(
                    "edit.change_terrain({tile}, find.terrain('{terrain}')) {built}"
                ));
            }
        }
        Self { corner, compared: 0, differences: Vec::new() }
    }

    /// The place on the map of a place in the drawing.
    pub fn at(&self, x: u16, y: u16) -> Pos {
        Pos { x: self.corner.x + x, y: self.corner.y + y }
    }

    /// Sets a unit of anybody; returns its number.
    pub fn put(&self, desk: &mut Desk, owner: PlayerId, kind: &str, (x, y): (u16, u16)) -> UnitId {
        self.put_all(desk, owner, kind, (x, y), "-1, -1, nil", 1)[0]
    }

    /// The same where such a unit may not be able to be.
    pub fn try_put(
        &self,
        desk: &mut Desk,
        owner: PlayerId,
        kind: &str,
        place: (u16, u16),
    ) -> Option<UnitId> {
        self.put_all(desk, owner, kind, place, "-1, -1, nil", 1).first().copied()
    }

    /// Sets a unit of anybody on a transport, if that takes it.
    pub fn load(
        &self,
        desk: &mut Desk,
        owner: PlayerId,
        kind: &str,
        place: (u16, u16),
        ship: UnitId,
    ) -> Option<UnitId> {
        let state = format!("-1, -1, find.unit(nil, {ship})");
        self.put_all(desk, owner, kind, place, &state, 1).first().copied()
    }

    /// Number of a tile on the map.
    pub fn index(&self, desk: &mut Desk, (x, y): (u16, u16)) -> i64 {
        let at = self.at(x, y);
        i64::from(at.y) * i64::from(desk.observe().map.width) + i64::from(at.x)
    }

    /// Files one comparison of what we offered with what the server did.
    pub fn compare(&mut self, offered: bool, did: bool, what: &str) {
        self.compared += 1;
        if offered != did {
            let verdict = if did { "lawful but missing" } else { "offered but refused" };
            self.differences.push(format!("{what}: {verdict}"));
        }
    }

    /// A city of anybody.
    pub fn city(&self, desk: &mut Desk, owner: PlayerId, name: &str, (x, y): (u16, u16)) {
        let at = self.at(x, y);
        desk.lua(&format!(
            "edit.create_city(find.player({owner}), find.tile({}, {}), '{name}')",
            at.x, at.y
        ));
    }

    /// Removes units of anybody that are still there.
    #[allow(clippy::unused_self, reason = "beside putting stands removing")]
    pub fn remove(&self, desk: &mut Desk, units: &[UnitId]) {
        let list: Vec<String> = units.iter().map(ToString::to_string).collect();
        desk.lua(&format!(
            "for _, id in ipairs({{{}}}) do local u = find.unit(nil, id) \
             if u then edit.unit_kill(u, 'retired', nil) end end",
            list.join(",")
        ));
    }

    /// Compares the menu of a fresh unit with what the server does with each step of it.
    pub fn steps(&mut self, desk: &mut Desk, what: &str, kind: &str, from: (u16, u16)) {
        self.steps_of(desk, what, kind, from, "-1, -1, nil");
    }

    /// The same with so many fragments left.
    pub fn tired(&mut self, desk: &mut Desk, what: &str, kind: &str, from: (u16, u16), left: u32) {
        self.steps_of(desk, what, kind, from, &format!("{left}, -1, nil"));
    }

    /// The same aboard a transport of ours with room for eight.
    pub fn aboard(
        &mut self,
        desk: &mut Desk,
        what: &str,
        kind: &str,
        from: (u16, u16),
        ship: UnitId,
    ) {
        self.steps_of(desk, what, kind, from, &format!("-1, -1, find.unit(nil, {ship})"));
    }

    fn steps_of(&mut self, desk: &mut Desk, what: &str, kind: &str, from: (u16, u16), state: &str) {
        let seat = desk.seat();
        let units = self.put_all(desk, seat, kind, from, state, Dir::ALL.len());
        if units.is_empty() {
            println!("{what}: no {kind} can be at {from:?}");
            return;
        }
        let seen = desk.look();
        let unit = |id| seen.units.iter().find(|u| u.id == id).expect("a unit just made");
        let offered = |dir: Dir, id| {
            unit(id).actions.iter().any(|a| matches!(a, Action::Move { dir: d, .. } if *d == dir))
        };
        for (dir, id) in Dir::ALL.into_iter().zip(&units) {
            let start = unit(*id).at;
            let Some(to) = saga_core::geometry::step(&seen.map, start, dir) else { continue };
            let index = |at: Pos| i64::from(at.y) * i64::from(seen.map.width) + i64::from(at.x);
            desk.send("UNIT_ORDERS", &raw_step(*id, index(start), dir, index(to)));
            let now = desk.observe();
            let went = now.units.iter().find(|u| u.id == *id).is_none_or(|u| u.at != start);
            let words: Vec<String> = desk.told().into_iter().map(|e| e.text).collect();
            let step = format!("{what}: {kind} at {from:?} going {} {words:?}", dir.word());
            self.compare(offered(dir, *id), went, &step);
            self.remove(desk, &[*id]);
        }
        desk.told();
    }

    fn put_all(
        &self,
        desk: &mut Desk,
        owner: PlayerId,
        kind: &str,
        (x, y): (u16, u16),
        state: &str,
        count: usize,
    ) -> Vec<UnitId> {
        let at = self.at(x, y);
        let said = desk.lua(&format!(
            "local ids = {{}} for i = 1, {count} do \
             local u = edit.create_unit_full(find.player({owner}), find.tile({}, {}), \
             find.unit_type('{kind}'), 0, nil, {state}) \
             if u then ids[i] = string.format('%d', u.id) end end \
             notify.all('made ' .. table.concat(ids, ' '))",
            at.x, at.y
        ));
        let made = said.iter().find_map(|line| line.strip_prefix("made "));
        let made = made.unwrap_or_else(|| panic!("no word of any {kind}: {said:?}"));
        made.split_whitespace().map(|id| UnitId(id.parse().expect("a number"))).collect()
    }

    /// Prints what was compared, and fails on any difference or on less than was meant to be.
    pub fn verdict(self, name: &str, at_least: usize) {
        println!("{name}: {} offers compared", self.compared);
        assert!(self.differences.is_empty(), "{name}:\n{}", self.differences.join("\n"));
        assert!(self.compared >= at_least, "{name}: {} of {at_least}", self.compared);
    }
}

/// Terrain and extra of a letter in a drawing.
fn letter(drawn: char) -> (&'static str, Option<&'static str>) {
    match drawn {
        '.' => ("Grassland", None),
        '~' => ("Ocean", None),
        '=' => ("Deep Ocean", None),
        'o' => ("Lake", None),
        '^' => ("Mountains", None),
        '*' => ("Glacier", None),
        'j' => ("Jungle", None),
        'X' => ("Inaccessible", None),
        'r' => ("Grassland", Some("River")),
        '#' => ("Grassland", Some("Road")),
        'R' => ("Mountains", Some("Road")),
        'A' => ("Grassland", Some("Airbase")),
        'F' => ("Grassland", Some("Fortress")),
        other => panic!("no terrain is drawn {other}"),
    }
}

/// The north-west corner of the free place that lies farthest from all units.
fn lonely(desk: &mut Desk, width: u16, height: u16) -> Pos {
    let map = desk.observe().map;
    let said = desk.lua(&format!(
        "local best, bx, by = -1, 0, 0 \
         for x = {MARGIN}, {} do for y = {MARGIN}, {} do local near = 99 \
         for p in players_iterate() do for u in p:units_iterate() do \
         local dx = math.max(x - u.tile.x, u.tile.x - x - {width}, 0) \
         local dy = math.max(y - u.tile.y, u.tile.y - y - {height}, 0) \
         near = math.min(near, math.max(dx, dy)) end end \
         if near > best then best, bx, by = near, x, y end end end \
         notify.all(string.format('lonely %d %d %d', bx, by, best))",
        map.width - width - MARGIN,
        map.height - height - MARGIN,
    ));
    let found = said.iter().find_map(|line| line.strip_prefix("lonely "));
    let numbers: Vec<u16> = found
        .unwrap_or_else(|| panic!("no place: {said:?}"))
        .split(' ')
        .map(|n| n.parse().expect("a number"))
        .collect();
    assert!(numbers[2] > MARGIN, "everybody is too near for a place of {width} by {height}");
    Pos { x: numbers[0], y: numbers[1] }
}

/// One step as the protocol wants it, whatever our menus think of it.
fn raw_step(unit: UnitId, from: i64, dir: Dir, to: i64) -> Vec<(&'static str, Value)> {
    let one = |value: i64| Value::from(vec![value]);
    vec![
        ("unit_id", unit.0.into()),
        ("src_tile", from.into()),
        ("length", 1.into()),
        ("orders", one(0)),
        ("dir", one(dir as i64)),
        ("activity", one(21)),
        ("sub_target", one(-1)),
        ("action", one(44)),
        ("dest_tile", to.into()),
    ]
}
