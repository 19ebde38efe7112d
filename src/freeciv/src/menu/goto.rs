//! Far targets: the nearest cities of ours and the nearest ground beside the unknown, along paths
//! over what we know.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use saga_core::action::Action;
use saga_core::ids::{Dir, Pos, UnitTypeId};
use saga_core::path::{Chart, Gait, Islands, Search, Traveller};

use super::Board;
use crate::world::codes;
use crate::world::model::UnitState;

/// At most so many cities are offered to a unit.
const CITIES_MAX: usize = 8;
/// At most so many places beside the unknown are offered to a unit.
const FRONTIERS_MAX: usize = 4;
/// Those are no nearer to each other than this, in tiles, or one would do for all.
const FRONTIERS_APART_TILES: u32 = 3;

/// What was found out so far about going far; everything in it is worked out when first asked.
#[derive(Debug, Default)]
pub(super) struct Roads {
    chart: OnceCell<Chart>,
    /// Targets of travellers, who often set out from the same place in the same way.
    targets: RefCell<BTreeMap<Traveller, Vec<Pos>>>,
    /// What ground hangs together, for each type of unit that looks for a target.
    islands: RefCell<BTreeMap<UnitTypeId, Islands>>,
    /// The last way that was looked for.
    last: RefCell<Option<Way>>,
}

/// A way that was looked for; no steps when there is none.
#[derive(Debug)]
struct Way {
    who: Traveller,
    to: Pos,
    steps: Option<Vec<Dir>>,
}

impl Board<'_> {
    /// The ground laid out for finding paths.
    pub(super) fn chart(&self) -> &Chart {
        self.roads.chart.get_or_init(|| Chart::of(&self.facts(), self.rules))
    }

    /// Lays out the ground from facts that are at hand.
    pub(crate) fn survey(&self, facts: &saga_core::observation::Observation) {
        self.roads.chart.get_or_init(|| Chart::of(facts, self.rules));
    }

    /// Far targets for a unit that has nothing to do or only waits: a garrison may be wanted
    /// elsewhere. Those alike in type and place, as garrisons are, cost one search.
    pub(super) fn gotos(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let waits = matches!(
            unit.activity,
            codes::IDLE | codes::FORTIFYING | codes::FORTIFIED | codes::SENTRY
        );
        if unit.moves == 0 || !waits || unit.auto || unit.orders {
            return;
        }
        let traveller = self.traveller(unit);
        let mut known = self.roads.targets.borrow_mut();
        let targets = known.entry(traveller).or_insert_with(|| self.targets(&traveller, unit));
        menu.extend(targets.iter().map(|to| Action::Goto { to: *to }));
    }

    /// The steps of a unit's way to a tile, if there is one.
    pub(crate) fn path(&self, unit: &UnitState, to: Pos) -> Option<Vec<Dir>> {
        if unit.moves == 0 {
            return None;
        }
        let traveller = self.traveller(unit);
        let mut last = self.roads.last.borrow_mut();
        let same = last.as_ref().filter(|way| way.who == traveller && way.to == to);
        if let Some(way) = same {
            return way.steps.clone();
        }
        let steps = self.chart().path(&traveller, to, self.rules);
        *last = Some(Way { who: traveller, to, steps: steps.clone() });
        steps
    }

    fn targets(&self, traveller: &Traveller, unit: &UnitState) -> Vec<Pos> {
        let Some(search) = self.chart().search(traveller, self.rules) else { return Vec::new() };
        let frontiers = if self.wanders(unit) { FRONTIERS_MAX } else { 0 };
        self.nearest(search, unit, frontiers)
    }

    /// Walks until enough is found. Cities equally near are ordered by id; ground by tile.
    fn nearest(&self, search: Search<'_>, unit: &UnitState, frontiers_max: usize) -> Vec<Pos> {
        let (chart, map) = (self.chart(), &self.world.map);
        let mut missing = self.reachable_cities(unit).min(CITIES_MAX);
        let (mut cities, mut frontiers) = (Vec::new(), Vec::new());
        let mut last = None;
        for reached in search {
            // Whoever else is reached at the same cost may have a lower id than the last one kept.
            let done = missing == 0 && last.is_none_or(|cost| reached.cost > cost);
            if done && frontiers.len() >= frontiers_max {
                break;
            }
            let Some(tile) = map.index(reached.at) else { continue };
            if map.distance(unit.tile, tile) <= 1 {
                continue;
            }
            let city = self.city_at.get(&tile).filter(|c| self.world.is_ours(c.owner));
            if let Some(city) = city.filter(|_| !done) {
                cities.push((reached.cost, city.id, reached.at));
                missing = missing.saturating_sub(1);
                last = Some(reached.cost);
            }
            let apart = |other: &u32| map.distance(*other, tile) >= FRONTIERS_APART_TILES;
            if frontiers.len() < frontiers_max
                && city.is_none()
                && chart.is_frontier(tile as usize)
                && frontiers.iter().all(apart)
            {
                frontiers.push(tile);
            }
        }
        cities.sort_unstable();
        let cities = cities.into_iter().take(CITIES_MAX).map(|(.., at)| at);
        cities.chain(frontiers.into_iter().map(|tile| map.place(tile))).collect()
    }

    /// How many cities of ours that are no step away are not overseas for a unit.
    fn reachable_cities(&self, unit: &UnitState) -> usize {
        let (chart, map) = (self.chart(), &self.world.map);
        let Some(gait) = Gait::of(unit.kind, self.rules) else { return 0 };
        let mut known = self.roads.islands.borrow_mut();
        let islands = known.entry(unit.kind).or_insert_with(|| Islands::of(chart, &gait));
        let from = map.place(unit.tile);
        let own = self.city_at.iter().filter(|(tile, city)| {
            self.world.is_ours(city.owner)
                && map.distance(unit.tile, **tile) > 1
                && islands.may_reach(chart, &gait, from, map.place(**tile))
        });
        own.count()
    }

    fn traveller(&self, unit: &UnitState) -> Traveller {
        let carrier = unit.aboard.and_then(|ship| self.world.units.get(&ship));
        Traveller {
            kind: unit.kind,
            at: self.world.map.place(unit.tile),
            moves: unit.moves,
            fuel: unit.fuel,
            aboard: carrier.map(|ship| ship.kind),
        }
    }
}
