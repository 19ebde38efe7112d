//! What of a tile matters to whoever walks, and whether a single step is lawful as far as our seat
//! can know: native ground, who stands there, closed borders, safe coasts, zones of control.

use crate::geometry::is_cardinal;
use crate::ids::{Dir, PlayerId};
use crate::observation::{Observation, Stance};
use crate::rules::Rules;

use super::Chart;
use super::gait::{Gait, bit};

/// Facts about a tile, one bit each.
pub(super) mod mark {
    /// We have seen it.
    pub(in crate::path) const KNOWN: u16 = 1;
    /// Something beside it is unknown.
    pub(in crate::path) const EDGE: u16 = 1 << 1;
    /// A hut.
    pub(in crate::path) const HUT: u16 = 1 << 2;
    /// A city of ours or of an ally.
    pub(in crate::path) const HAVEN: u16 = 1 << 3;
    /// Somebody else's units or city are in the way.
    pub(super) const BARRED: u16 = 1 << 4;
    /// Units of ours or of allies lift zones of control on the way here.
    pub(super) const SHELTERED: u16 = 1 << 5;
    /// Beside somebody who exerts a zone of control, or under them.
    pub(super) const CONTROLLED: u16 = 1 << 6;
    /// Zones of control do not count from or to here.
    pub(super) const FREE: u16 = 1 << 7;
    /// The owner's borders are closed to our soldiers.
    pub(super) const CLOSED: u16 = 1 << 8;
    /// A safe coast is near.
    pub(super) const SAFE: u16 = 1 << 9;
}

/// Cause of an extra: a hut.
const HUT: u8 = 6;
/// Terrain flags.
const UNSAFE_COAST: u8 = 4;
const NO_ZOC: u8 = 7;
/// Unit type flag.
const EXERTS_NO_ZOC: u8 = 1;
/// Road modes.
const CARDINAL: u8 = 0;
const RELAXED: u8 = 1;

/// One tile.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ground {
    pub(super) marks: u16,
    terrain: u16,
    /// Extras, one bit each.
    extras: u128,
}

impl Chart {
    pub(super) fn survey(&mut self, o: &Observation, rules: &Rules) {
        self.ground = vec![Ground::default(); usize::from(self.width) * usize::from(self.height)];
        let stances = Stances::of(o);
        let terrain_has = |terrain: u16, flag: u8| {
            rules.terrains.get(usize::from(terrain)).is_some_and(|t| t.flags.contains(&flag))
        };
        for tile in &o.map.tiles {
            let Some(here) = self.index(tile.at).and_then(|i| self.ground.get_mut(i)) else {
                continue;
            };
            here.terrain = tile.terrain.0;
            here.marks = mark::KNOWN;
            for extra in &tile.extras {
                here.extras |= bit(extra.0);
                let hut = rules.extra(*extra).is_some_and(|e| e.causes.contains(&HUT));
                here.set(mark::HUT, hut);
            }
            here.set(mark::FREE, terrain_has(tile.terrain.0, NO_ZOC));
            here.set(mark::CLOSED, tile.owner.is_some_and(|owner| stances.closes(owner)));
        }
        for tile in 0..self.ground.len() {
            let near = |i: usize| self.ground.get(i).copied().unwrap_or_default();
            let edge = self.around(tile).any(|(_, i)| near(i).marks & mark::KNOWN == 0);
            let safe = self
                .around(tile)
                .map(|(_, i)| near(i))
                .any(|g| g.marks & mark::KNOWN != 0 && !terrain_has(g.terrain, UNSAFE_COAST));
            self.ground[tile].set(mark::EDGE, edge);
            self.ground[tile].set(mark::SAFE, safe);
        }
        self.place_units(o, rules, &stances);
        self.place_cities(o, &stances);
    }

    fn place_units(&mut self, o: &Observation, rules: &Rules, stances: &Stances) {
        for unit in &o.units {
            self.put(unit.at, mark::SHELTERED);
        }
        for unit in &o.foreign_units {
            if stances.friendly(unit.owner) {
                self.put(unit.at, mark::SHELTERED);
                continue;
            }
            self.put(unit.at, mark::BARRED);
            let exerts =
                rules.unit_type(unit.kind).is_some_and(|kind| !kind.flags.contains(&EXERTS_NO_ZOC));
            // A city's own word counts for the units in it.
            if exerts && !o.foreign_cities.iter().any(|c| c.at == unit.at) {
                self.control(unit.at);
            }
        }
    }

    fn place_cities(&mut self, o: &Observation, stances: &Stances) {
        for city in &o.cities {
            self.put(city.at, mark::HAVEN | mark::FREE);
        }
        for city in &o.foreign_cities {
            if stances.friendly(city.owner) {
                self.put(city.at, mark::HAVEN | mark::FREE);
                continue;
            }
            // Out of sight it counts as garrisoned: measured, it nearly always is.
            let seen = crate::text::tile_at(&o.map, city.at).is_some_and(|tile| tile.seen);
            if city.occupied || !seen {
                self.control(city.at);
            }
            self.put(city.at, mark::BARRED | mark::FREE);
        }
    }

    fn put(&mut self, at: crate::ids::Pos, marks: u16) {
        if let Some(ground) = self.index(at).and_then(|tile| self.ground.get_mut(tile)) {
            ground.marks |= marks;
        }
    }

    /// Marks what somebody here controls; on some terrain nobody controls anything.
    fn control(&mut self, at: crate::ids::Pos) {
        let Some(source) = self.index(at).filter(|tile| !self.has(*tile, mark::FREE)) else {
            return;
        };
        let around: Vec<usize> = self.around(source).map(|(_, tile)| tile).collect();
        for tile in around.into_iter().chain([source]) {
            self.ground[tile].marks |= mark::CONTROLLED;
        }
    }

    /// Whether a unit that walks so may step from one tile to the next.
    pub fn enters(&self, gait: &Gait, from: usize, to: usize, dir: Dir) -> bool {
        let (Some(here), Some(there)) = (self.ground.get(from), self.ground.get(to)) else {
            return false;
        };
        let closed = !gait.civilian && there.is(mark::CLOSED);
        there.is(mark::KNOWN)
            && !there.is(mark::BARRED)
            && !closed
            && (!gait.coastal || there.is(mark::SAFE))
            && self.carries(gait, (here, from), (there, to), dir)
            && passes(gait, here, there)
    }

    /// Native terrain, a native extra that can be entered from here, or a city of ours or an ally.
    fn carries(
        &self,
        gait: &Gait,
        (here, from): (&Ground, usize),
        (there, to): (&Ground, usize),
        dir: Dir,
    ) -> bool {
        if there.is(mark::HAVEN) {
            return gait.any_city || self.native_near(gait, to);
        }
        if native_ground(gait, there) {
            return true;
        }
        if native_ground(gait, here) || self.has(from, mark::HAVEN) {
            return native(gait, there);
        }
        there.extras & gait.bases != 0
            || gait.ways.iter().any(|way| {
                there.extras & way.bit != 0
                    && here.extras & way.joins != 0
                    && (way.mode != CARDINAL || is_cardinal(dir))
            })
    }

    fn native_near(&self, gait: &Gait, tile: usize) -> bool {
        let near = self.around(tile).map(|(_, near)| near).chain([tile]);
        near.into_iter().filter_map(|t| self.ground.get(t)).any(|g| native(gait, g))
    }

    /// Fragments that the step costs, before what is left of the turn bounds it.
    pub(super) fn step_cost(&self, gait: &Gait, from: usize, to: usize, dir: Dir) -> u32 {
        let (Some(here), Some(there)) = (self.ground.get(from), self.ground.get(to)) else {
            return gait.single;
        };
        if !gait.terrain_speed || !native(gait, there) {
            return gait.single;
        }
        let ground = gait.terrains.get(usize::from(there.terrain)).copied().flatten();
        if there.extras & gait.quick == 0 {
            return ground.unwrap_or(gait.single);
        }
        let along = gait
            .ways
            .iter()
            .filter(|w| there.extras & w.bit != 0 && here.extras & w.joins != 0)
            .filter(|w| match w.mode {
                CARDINAL => is_cardinal(dir),
                RELAXED => is_cardinal(dir) || self.joined_beside(from, dir, w.joins),
                _ => true,
            })
            .filter_map(|w| w.cost);
        along.chain(ground).min().unwrap_or(gait.single)
    }

    /// Whether one of the two tiles that a diagonal step cuts past has such a road.
    fn joined_beside(&self, from: usize, dir: Dir, joins: u128) -> bool {
        let (dx, dy) = dir.offset();
        let sides = Dir::ALL.into_iter().filter(|d| [(dx, 0), (0, dy)].contains(&d.offset()));
        sides
            .filter_map(|d| self.ground.get(self.neighbour(from, d)?))
            .any(|ground| ground.extras & joins != 0)
    }
}

impl Ground {
    fn is(&self, mark: u16) -> bool {
        self.marks & mark != 0
    }

    fn set(&mut self, mark: u16, on: bool) {
        if on {
            self.marks |= mark;
        }
    }
}

fn native_ground(gait: &Gait, ground: &Ground) -> bool {
    gait.terrains.get(usize::from(ground.terrain)).is_some_and(Option::is_some)
}

fn native(gait: &Gait, ground: &Ground) -> bool {
    native_ground(gait, ground) || ground.extras & gait.extras != 0
}

/// A zone of control holds a unit that would step from one enemy's side to another's.
fn passes(gait: &Gait, here: &Ground, there: &Ground) -> bool {
    !gait.bound
        || here.is(mark::FREE)
        || there.is(mark::FREE | mark::SHELTERED)
        || !here.is(mark::CONTROLLED)
        || !there.is(mark::CONTROLLED)
}

/// How we stand with everybody, by seat number.
struct Stances<'a>(&'a Observation);

impl<'a> Stances<'a> {
    fn of(observation: &'a Observation) -> Self {
        Self(observation)
    }

    fn toward(&self, owner: PlayerId) -> Stance {
        let other = self.0.players.iter().find(|p| p.id == owner);
        other.map_or(Stance::War, |p| p.stance)
    }

    fn friendly(&self, owner: PlayerId) -> bool {
        owner == self.0.seat || matches!(self.toward(owner), Stance::Alliance | Stance::Team)
    }

    fn closes(&self, owner: PlayerId) -> bool {
        owner != self.0.seat && self.toward(owner) == Stance::Peace
    }
}
