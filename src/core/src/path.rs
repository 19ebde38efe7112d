//! The one path finder: where a unit can go over ground that we know, and how soon it is there.
//! Menus of far targets, targets named by a directive and the steps sent to the server come from
//! it, so that all three agree.

mod gait;
mod ground;
mod islands;
#[cfg(test)]
pub(crate) mod sketch;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::geometry::step_index;
use crate::ids::{Dir, Pos, UnitTypeId};
use crate::observation::{Map, Observation, Unit};
use crate::rules::Rules;

pub use gait::Gait;
use ground::{Ground, mark};
pub use islands::Islands;

/// The ground of one observation, laid out for finding paths. Make it once for each look.
#[derive(Debug)]
pub struct Chart {
    width: u16,
    height: u16,
    wrap_x: bool,
    wrap_y: bool,
    ground: Vec<Ground>,
}

/// The server makes no map of more tiles (its `size` setting ends at 2048 thousand). A trace from
/// elsewhere may name any size, and a chart takes memory for all of it.
const TILES_MAX: u32 = 2_048_000;

/// Who goes: what of a unit decides where it can go and how soon it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Traveller {
    /// Its type.
    pub kind: UnitTypeId,
    /// Where it starts.
    pub at: Pos,
    /// Fragments left in this turn.
    pub moves: u32,
    /// Turns of fuel left, 0 when it needs none.
    pub fuel: u32,
    /// Type of the transport it is on.
    pub aboard: Option<UnitTypeId>,
}

impl Traveller {
    /// One of our units as it stands.
    pub fn of(unit: &Unit, observation: &Observation) -> Self {
        let carrier = |id| observation.units.iter().find(|u| u.id == id).map(|u| u.kind);
        Self {
            kind: unit.kind,
            at: unit.at,
            moves: unit.moves,
            fuel: unit.fuel,
            aboard: unit.aboard.and_then(carrier),
        }
    }
}

/// A tile in the order in which a traveller can be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Where.
    pub at: Pos,
    /// Fragments spent on the way, those lost at the ends of turns included.
    pub cost: u32,
    /// Ends of turns on the way: 0 when it gets there in this turn.
    pub turns: u32,
}

impl Chart {
    /// Lays out what this observation tells of the ground: nothing when its map is larger than any
    /// that a server makes.
    pub fn of(observation: &Observation, rules: &Rules) -> Self {
        let Map { mut width, mut height, wrap_x, wrap_y, .. } = observation.map;
        if u32::from(width) * u32::from(height) > TILES_MAX {
            (width, height) = (0, 0);
        }
        let mut chart = Self { width, height, wrap_x, wrap_y, ground: Vec::new() };
        chart.survey(observation, rules);
        chart
    }

    /// Number of tiles.
    pub fn len(&self) -> usize {
        self.ground.len()
    }

    /// A map that is none.
    pub fn is_empty(&self) -> bool {
        self.ground.is_empty()
    }

    /// Number of a tile, by row, then column.
    pub fn index(&self, at: Pos) -> Option<usize> {
        let inside = at.x < self.width && at.y < self.height;
        inside.then(|| usize::from(at.y) * usize::from(self.width) + usize::from(at.x))
    }

    /// Place of a tile by its number; the inverse of [`Chart::index`].
    pub fn place(&self, tile: usize) -> Pos {
        let width = usize::from(self.width.max(1));
        Pos { x: (tile % width) as u16, y: (tile / width) as u16 }
    }

    /// The tiles around one, with their directions, in the server's order.
    pub fn around(&self, tile: usize) -> impl Iterator<Item = (Dir, usize)> + '_ {
        let (width, height) = (usize::from(self.width.max(1)), usize::from(self.height));
        let inner = |at: usize, size: usize| at > 0 && at + 1 < size;
        let inside = inner(tile % width, width) && inner(tile / width, height);
        Dir::ALL.into_iter().filter_map(move |dir| {
            let (dx, dy) = dir.offset();
            // Away from the edges no wrapping has to be thought of, which is most of the work.
            let to = if inside {
                tile.checked_add_signed(dy as isize * width as isize + dx as isize)
            } else {
                self.neighbour(tile, dir)
            };
            Some((dir, to?))
        })
    }

    /// Known ground beside the unknown.
    pub fn is_frontier(&self, tile: usize) -> bool {
        self.has(tile, mark::KNOWN | mark::EDGE)
    }

    /// Known ground with a hut on it.
    pub fn has_hut(&self, tile: usize) -> bool {
        self.has(tile, mark::KNOWN | mark::HUT)
    }

    /// A city of ours or of an ally.
    pub fn is_haven(&self, tile: usize) -> bool {
        self.has(tile, mark::HAVEN)
    }

    /// Whether a unit that walks so may step onto a tile from some side.
    pub fn lets_in(&self, gait: &Gait, to: usize) -> bool {
        self.around(to).any(|(dir, from)| self.enters(gait, from, to, back(dir)))
    }

    /// Starts to walk from where a traveller stands. `None` when its type is not in the rules.
    pub fn search(&self, traveller: &Traveller, rules: &Rules) -> Option<Search<'_>> {
        let gait = Gait::of(traveller.kind, rules)?;
        let start = self.index(traveller.at)?;
        let rate = gait.rate.max(traveller.moves).max(1);
        let mut search = Search {
            chart: self,
            stays: self.stays_aboard(traveller, &gait, start, rules).then_some(start),
            turns_max: traveller.fuel.checked_sub(1),
            gait,
            rate,
            arrival: vec![u32::MAX; self.ground.len()],
            came_by: vec![UNREACHED; self.ground.len()],
            open: BinaryHeap::new(),
        };
        search.push(start, rate - traveller.moves.min(rate), None);
        Some(search)
    }

    /// The steps of the best path to a tile; `None` when the traveller cannot get there.
    pub fn path(&self, traveller: &Traveller, to: Pos, rules: &Rules) -> Option<Vec<Dir>> {
        let mut search = self.search(traveller, rules)?;
        let found = search.by_ref().find(|reached| reached.at == to)?;
        (found.at != traveller.at && search.may_rest(found.at)).then(|| search.steps(found.at))
    }

    /// A unit on a transport outside a city gets off only where its type can.
    fn stays_aboard(&self, t: &Traveller, gait: &Gait, start: usize, rules: &Rules) -> bool {
        let carrier = t.aboard.and_then(|carrier| rules.unit_type(carrier));
        carrier.is_some_and(|carrier| !gait.leaves(carrier.class)) && !self.is_haven(start)
    }

    fn neighbour(&self, tile: usize, dir: Dir) -> Option<usize> {
        step_index(tile, dir, (self.width, self.height), (self.wrap_x, self.wrap_y))
    }

    fn has(&self, tile: usize, marks: u16) -> bool {
        self.ground.get(tile).is_some_and(|ground| ground.marks & marks == marks)
    }
}

/// No step led here yet.
const UNREACHED: u8 = u8::MAX;
/// The walk began here.
const START: u8 = 8;

/// A walk in all directions at once. As an iterator it gives each tile once, soonest first, the
/// tile it started from included; equally soon, the one with the lower number first.
#[derive(Debug)]
pub struct Search<'a> {
    chart: &'a Chart,
    gait: Gait,
    /// The start, when the unit cannot get off its transport there.
    stays: Option<usize>,
    /// Ends of turns that the fuel outlasts.
    turns_max: Option<u32>,
    /// Fragments of a full turn.
    rate: u32,
    arrival: Vec<u32>,
    came_by: Vec<u8>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Search<'_> {
    /// The steps from the start to a tile that the walk has given.
    pub fn steps(&self, to: Pos) -> Vec<Dir> {
        let mut steps = Vec::new();
        let mut at = self.chart.index(to);
        while let Some(tile) = at {
            let by = self.came_by.get(tile).copied().unwrap_or(UNREACHED);
            let Some(dir) = Dir::ALL.get(usize::from(by)) else { break };
            steps.push(*dir);
            at = self.chart.neighbour(tile, back(*dir));
        }
        steps.reverse();
        steps
    }

    /// Whether the traveller may end its way there: one that needs fuel only where it gets some.
    pub fn may_rest(&self, at: Pos) -> bool {
        self.turns_max.is_none() || self.chart.index(at).is_some_and(|t| self.chart.is_haven(t))
    }

    /// Whole turns that end before so much is spent.
    fn turns(&self, cost: u32) -> u32 {
        cost.saturating_sub(1) / self.rate
    }

    fn push(&mut self, tile: usize, cost: u32, by: Option<Dir>) {
        let better = self.arrival.get(tile).is_some_and(|known| cost < *known);
        if better && self.turns_max.is_none_or(|most| self.turns(cost) <= most) {
            self.arrival[tile] = cost;
            self.came_by[tile] = by.map_or(START, |dir| dir as u8);
            self.open.push(Reverse((cost, tile as u32)));
        }
    }

    /// With any fragment left a unit may take a step; one that costs more than that uses up the
    /// turn.
    fn spent(&self, cost: u32, step: u32) -> u32 {
        cost.saturating_add(step.min(self.rate - cost % self.rate))
    }

    fn expand(&mut self, tile: usize, cost: u32) {
        if self.stays == Some(tile) {
            return;
        }
        let chart = self.chart;
        for (dir, to) in chart.around(tile) {
            if self.arrival[to] <= cost || !chart.enters(&self.gait, tile, to, dir) {
                continue;
            }
            let step = chart.step_cost(&self.gait, tile, to, dir);
            self.push(to, self.spent(cost, step), Some(dir));
        }
    }
}

impl Iterator for Search<'_> {
    type Item = Reached;

    fn next(&mut self) -> Option<Reached> {
        loop {
            let Reverse((cost, tile)) = self.open.pop()?;
            let tile = tile as usize;
            if self.arrival[tile] == cost {
                self.expand(tile, cost);
                return Some(Reached { at: self.chart.place(tile), cost, turns: self.turns(cost) });
            }
        }
    }
}

/// The opposite direction.
fn back(dir: Dir) -> Dir {
    Dir::ALL[7 - dir as usize]
}

#[cfg(test)]
mod tests;
