//! Where a unit could still explore. The server lets a unit explore only while it can walk, past
//! zones of control and closed borders, to a tile beside the unknown or to a hut.

use std::cell::RefCell;
use std::collections::BTreeMap;

use saga_core::ids::UnitTypeId;
use saga_core::path::Gait;
use saga_core::rules::UnitType;

use super::Board;
use super::moves::IN_SIGHT;
use crate::world::codes;
use crate::world::model::{TileIndex, UnitState};

/// Tiles from which units of a type were found to reach nothing new.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    exhausted: RefCell<BTreeMap<UnitTypeId, Vec<bool>>>,
}

impl Board<'_> {
    /// Whether a unit may be told to explore.
    pub(super) fn explores(&self, unit: &UnitState) -> bool {
        self.wanders(unit)
            && unit.activity != codes::EXPLORE
            && self.explorable(unit.kind, unit.tile)
    }

    /// Whether a unit can walk about for long.
    pub(super) fn wanders(&self, unit: &UnitState) -> bool {
        unit.moves > 0 && self.unit_type(unit).is_some_and(|kind| self.lasts(kind))
    }

    /// Not a type that needs fuel or wears down outside of cities.
    pub(super) fn lasts(&self, kind: &UnitType) -> bool {
        kind.fuel == 0 && self.class(kind).is_some_and(|class| class.hp_loss_pct == 0)
    }

    fn explorable(&self, kind: UnitTypeId, start: TileIndex) -> bool {
        let Some(gait) = Gait::of(kind, self.rules) else { return false };
        let mut exhausted = self.frontier.exhausted.borrow_mut();
        let exhausted = exhausted.entry(kind).or_insert_with(|| vec![false; self.chart().len()]);
        self.reaches_frontier(&gait, start as usize, exhausted)
    }

    /// Walks everywhere from `start`. Whatever was reached in vain reaches nothing else either.
    fn reaches_frontier(&self, gait: &Gait, start: usize, exhausted: &mut [bool]) -> bool {
        if exhausted.get(start).copied().unwrap_or(true) {
            return false;
        }
        let chart = self.chart();
        let mut reached = vec![start];
        let mut seen = exhausted.to_vec();
        seen[start] = true;
        let mut next = 0;
        while let Some(tile) = reached.get(next).copied() {
            next += 1;
            if chart.has_hut(tile) || (chart.is_frontier(tile) && !self.hides(tile)) {
                return true;
            }
            for (dir, to) in chart.around(tile) {
                if !seen[to] && chart.enters(gait, tile, to, dir) {
                    seen[to] = true;
                    reached.push(to);
                }
            }
        }
        for tile in reached {
            exhausted[tile] = true;
        }
        false
    }

    /// Out of sight on somebody else's land a city may have come up, which the server will not
    /// let an explorer enter: measured, most such frontiers are ignored.
    fn hides(&self, tile: usize) -> bool {
        self.world.map.tiles.get(tile).is_some_and(|tile| {
            tile.known < IN_SIGHT && tile.owner.is_some_and(|owner| !self.friendly(owner))
        })
    }
}
