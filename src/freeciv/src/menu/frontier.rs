//! Where a unit could still explore. The server lets a unit explore only while it can walk, past
//! zones of control and closed borders, to a tile beside the unknown or to a hut.

use saga_core::ids::UnitTypeId;
use saga_core::rules::UnitType;

use super::{Board, class_flag, has, terrain_flag, type_flag};
use crate::world::model::TileIndex;

/// Cause of an extra: a hut.
const HUT: u8 = 6;

/// What matters of a tile to a walker, looked up once for all walkers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    known: bool,
    /// Beside something unknown, or with a hut on it.
    inviting: bool,
    /// Foreign units or a foreign city bar the way.
    barred: bool,
    /// Units and cities of ours or of allies lift zones of control.
    sheltered: bool,
    city: bool,
    uncontrolled: bool,
    no_zoc: bool,
}

impl Board<'_> {
    /// Whether a unit of this type on this tile has something to explore.
    pub(super) fn explorable(&self, id: UnitTypeId, kind: &UnitType, start: TileIndex) -> bool {
        if let Some(known) = self.explorable.borrow().get(&(id, start)) {
            return *known;
        }
        let found = self.reaches_frontier(kind, start);
        self.explorable.borrow_mut().insert((id, start), found);
        found
    }

    fn reaches_frontier(&self, kind: &UnitType, start: TileIndex) -> bool {
        let ground = self.ground.get_or_init(|| self.survey());
        let bound = self.class(kind).is_some_and(|class| has(&class.flags, class_flag::ZOC))
            && !has(&kind.flags, type_flag::IGNORES_ZOC);
        let mut seen = vec![false; ground.len()];
        let mut edge = vec![start];
        if let Some(first) = seen.get_mut(start as usize) {
            *first = true;
        }
        while let Some(tile) = edge.pop() {
            let Some(from) = ground.get(tile as usize) else { continue };
            if from.inviting {
                return true;
            }
            for (_, next) in self.world.map.around(tile) {
                let Some(to) = ground.get(next as usize).filter(|to| to.known && !to.barred) else {
                    continue;
                };
                let passes = !bound
                    || to.sheltered
                    || from.city
                    || to.city
                    || from.no_zoc
                    || to.no_zoc
                    || from.uncontrolled
                    || to.uncontrolled;
                if passes && !seen[next as usize] && self.walkable(kind, next) {
                    seen[next as usize] = true;
                    edge.push(next);
                }
            }
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
        tiles
            .map(|(at, tile)| {
                let mut extras = tile.extras.iter().filter_map(|e| self.rules.extra(*e));
                let mut around = self.world.map.around(at).filter_map(|(_, near)| self.tile(near));
                let (city, units) = (self.city_at.get(&at), self.units_on(at));
                let terrain = self.terrain(tile);
                Ground {
                    known: tile.known > 0,
                    inviting: around.any(|near| near.known == 0)
                        || extras.any(|extra| has(&extra.causes, HUT)),
                    barred: city.is_some_and(|c| !self.friendly(c.owner))
                        || units.iter().any(|u| !self.friendly(u.owner)),
                    sheltered: units.iter().any(|u| self.friendly(u.owner)),
                    city: city.is_some(),
                    uncontrolled: self.uncontrolled(at),
                    no_zoc: terrain.is_some_and(|t| has(&t.flags, terrain_flag::NO_ZOC)),
                }
            })
            .collect()
    }
}
