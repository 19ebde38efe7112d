//! Where a unit could still explore. The server lets a unit explore only while it can walk, past
//! zones of control and closed borders, to a tile beside the unknown or to a hut.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use saga_core::rules::UnitType;

use super::{Board, class_flag, has, terrain_flag, type_flag};
use crate::world::model::TileIndex;

/// Cause of an extra: a hut.
const HUT: u8 = 6;

/// What was found out so far about exploring; everything in it is worked out when first asked.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    ground: OnceCell<Vec<Ground>>,
    /// Tiles from which walkers of a kind were found to reach nothing new.
    exhausted: RefCell<BTreeMap<Walker, Vec<bool>>>,
}

/// All that matters of a unit type for where it can walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Walker {
    class: u8,
    /// Held by zones of control.
    bound: bool,
    civilian: bool,
}

/// What matters of a tile to a walker.
#[derive(Debug, Clone, Copy)]
struct Ground {
    known: bool,
    /// Beside something unknown, or with a hut on it.
    inviting: bool,
    /// Foreign units or a foreign city bar the way.
    barred: bool,
    /// Zones of control do not count from or to here.
    free: bool,
    /// Units of ours or of allies lift zones of control on the way here.
    sheltered: bool,
    controlled: bool,
}

impl Board<'_> {
    /// Whether a unit of this type on this tile has something to explore.
    pub(super) fn explorable(&self, kind: &UnitType, start: TileIndex) -> bool {
        let walker = Walker {
            class: kind.class,
            bound: self.class(kind).is_some_and(|class| has(&class.flags, class_flag::ZOC))
                && !has(&kind.flags, type_flag::IGNORES_ZOC),
            civilian: has(&kind.flags, type_flag::CIVILIAN),
        };
        let mut exhausted = self.frontier.exhausted.borrow_mut();
        let exhausted =
            exhausted.entry(walker).or_insert_with(|| vec![false; self.world.map.tiles.len()]);
        self.reaches_frontier(walker, kind, start, exhausted)
    }

    /// Walks everywhere from `start`. Whatever was reached in vain reaches nothing else either.
    fn reaches_frontier(
        &self,
        walker: Walker,
        kind: &UnitType,
        start: TileIndex,
        exhausted: &mut [bool],
    ) -> bool {
        if exhausted.get(start as usize).copied().unwrap_or(true) {
            return false;
        }
        let ground = self.frontier.ground.get_or_init(|| self.survey());
        let mut reached = vec![start];
        let mut seen = exhausted.to_vec();
        seen[start as usize] = true;
        let mut next = 0;
        while let Some(tile) = reached.get(next).copied() {
            next += 1;
            let Some(from) = ground.get(tile as usize) else { continue };
            if from.inviting {
                return true;
            }
            for (_, to) in self.world.map.around(tile) {
                let Some(there) = ground.get(to as usize) else { continue };
                let passes = !walker.bound
                    || from.free
                    || there.free
                    || there.sheltered
                    || !from.controlled
                    || !there.controlled;
                let enters = there.known && !there.barred && passes && !seen[to as usize];
                if enters && self.walkable(kind, to) {
                    seen[to as usize] = true;
                    reached.push(to);
                }
            }
        }
        for tile in reached {
            exhausted[tile as usize] = true;
        }
        false
    }

    fn walkable(&self, kind: &UnitType, tile: TileIndex) -> bool {
        let native = |state| self.native(kind.class, state) && !self.closed(kind, state);
        self.tile(tile).is_some_and(native)
            || (self.city_at.contains_key(&tile) && self.native_near(kind.class, tile))
    }

    fn survey(&self) -> Vec<Ground> {
        let tiles = (0 as TileIndex..).zip(&self.world.map.tiles);
        let mut ground: Vec<Ground> = tiles
            .map(|(at, tile)| {
                let mut extras = tile.extras.iter().filter_map(|e| self.rules.extra(*e));
                let mut around = self.world.map.around(at).filter_map(|(_, near)| self.tile(near));
                let terrain = self.terrain(tile);
                Ground {
                    known: tile.known > 0,
                    inviting: around.any(|near| near.known == 0)
                        || extras.any(|extra| has(&extra.causes, HUT)),
                    barred: false,
                    free: terrain.is_some_and(|t| has(&t.flags, terrain_flag::NO_ZOC)),
                    sheltered: false,
                    controlled: false,
                }
            })
            .collect();
        for (at, units) in &self.units_at {
            if let Some(here) = ground.get_mut(*at as usize) {
                here.barred |= units.iter().any(|u| !self.friendly(u.owner));
                here.sheltered |= units.iter().any(|u| self.friendly(u.owner));
            }
        }
        for (at, city) in &self.city_at {
            if let Some(here) = ground.get_mut(*at as usize) {
                here.barred |= !self.friendly(city.owner);
                here.free = true;
            }
        }
        let sources = self.units_at.keys().chain(self.city_at.keys());
        for source in sources.filter(|tile| self.controls(**tile)) {
            for tile in self.world.map.around(*source).map(|(_, near)| near).chain([*source]) {
                if let Some(here) = ground.get_mut(tile as usize) {
                    here.controlled = true;
                }
            }
        }
        ground
    }
}
