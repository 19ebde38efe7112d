//! Where a city could stand and what it would have in reach: the facts about land that menus and
//! slices tell of, worked out once for each round.

use std::cell::OnceCell;

use crate::geometry::{apart, distance, shifted};
use crate::ids::{Dir, Pos, UnitTypeId};
use crate::observation::{City, Observation, Tile};
use crate::path::{Chart, Traveller};
use crate::rules::{FOOD, Rules, SHIELD, TRADE};
use crate::text;

/// Sites farther away than this are not looked for, in turns.
pub(super) const SITE_TURNS: u32 = 8;
/// A site farther away than another is told only when it has so much more in reach, in percent.
const BETTER_PCT: u64 = 115;
/// At most so many sites are told.
const LISTED_MAX: usize = 4;
/// No ruleset starts a city with more; a bound, because a trace from elsewhere may say anything.
const RADIUS_SQ_MAX: u32 = 100;
/// Terrain flag: no cities here.
const NO_CITIES: u8 = 1;
/// Terrain class: ocean.
const OCEAN: u8 = 1;

/// The land of one moment.
pub(super) struct Land<'a> {
    o: &'a Observation,
    rules: &'a Rules,
    chart: OnceCell<Chart>,
}

/// What a city at a place would have in reach that nobody else has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reach {
    tiles: u32,
    food: u32,
    shields: u32,
    trade: u32,
}

/// A place for a city, and how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) at: Pos,
    pub(super) turns: u32,
    pub(super) reach: Reach,
}

impl Reach {
    fn sum(self) -> u64 {
        [self.food, self.shields, self.trade].into_iter().map(u64::from).sum()
    }
}

impl std::fmt::Display for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tiles, food, shields, trade } = self;
        write!(f, "{tiles} free tiles: {food} food {shields} shields {trade} trade")
    }
}

impl<'a> Land<'a> {
    pub(super) fn of(o: &'a Observation, rules: &'a Rules) -> Self {
        Self { o, rules, chart: OnceCell::new() }
    }

    /// The ground laid out for finding paths.
    pub(super) fn chart(&self) -> &Chart {
        self.chart.get_or_init(|| Chart::of(self.o, self.rules))
    }

    /// What a city here would have in reach that no other city has.
    pub(super) fn reach(&self, at: Pos) -> Reach {
        let radius_sq = self.rules.city_radius_sq.min(RADIUS_SQ_MAX) as i32;
        let side = f64::from(radius_sq).sqrt() as i32;
        let mut reach = Reach::default();
        for dy in -side..=side {
            for dx in -side..=side {
                let tile = (dx * dx + dy * dy <= radius_sq)
                    .then(|| shifted(&self.o.map, at, dx, dy))
                    .flatten()
                    .and_then(|p| text::tile_at(&self.o.map, p));
                let Some(tile) = tile.filter(|t| self.is_free(t)) else { continue };
                let output = text::tile_output(tile, self.rules);
                let of = |kind: usize| output[kind].max(0) as u32;
                reach.tiles += 1;
                reach.food = reach.food.saturating_add(of(FOOD));
                reach.shields = reach.shields.saturating_add(of(SHIELD));
                reach.trade = reach.trade.saturating_add(of(TRADE));
            }
        }
        reach
    }

    /// Sites that somebody of this type can walk to, nearest first; each farther one has more in
    /// reach than all before it.
    pub(super) fn sites(&self, kind: UnitTypeId, at: Pos, moves: u32) -> Vec<Site> {
        let traveller = Traveller { kind, at, moves, fuel: 0, aboard: None };
        let Some(search) = self.chart().search(&traveller, self.rules) else { return Vec::new() };
        let mut listed: Vec<Site> = Vec::new();
        for reached in search {
            if reached.turns > SITE_TURNS || listed.len() >= LISTED_MAX {
                break;
            }
            if !self.may_hold_city(reached.at) {
                continue;
            }
            let site = Site { at: reached.at, turns: reached.turns, reach: self.reach(reached.at) };
            let best = listed.last().map_or(0, |s| s.reach.sum());
            if site.reach.sum() * 100 > best * BETTER_PCT {
                // Of two equally soon the better one stands for both.
                if listed.last().is_some_and(|s| s.turns == site.turns) {
                    listed.pop();
                }
                listed.push(site);
            }
        }
        listed
    }

    /// Steps from a site to each place around a unit of this type, as far as it can walk there.
    pub(super) fn steps(&self, kind: UnitTypeId, site: Pos, around: Pos) -> Vec<(Pos, u32)> {
        let rate = self.rules.unit_type(kind).map_or(1, |t| t.move_rate);
        let traveller = Traveller { kind, at: site, moves: rate, fuel: 0, aboard: None };
        let Some(mut search) = self.chart().search(&traveller, self.rules) else {
            return Vec::new();
        };
        let near = |p: Pos| distance(&self.o.map, p, around) <= 1;
        let mut steps = Vec::new();
        while let Some(reached) = search.next() {
            if reached.turns > 2 * SITE_TURNS || steps.len() > Dir::ALL.len() {
                break;
            }
            if near(reached.at) {
                steps.push((reached.at, search.steps(reached.at).len() as u32));
            }
        }
        steps
    }

    /// Known land where no city stands too near and nobody else rules.
    fn may_hold_city(&self, at: Pos) -> bool {
        let Some(tile) = text::tile_at(&self.o.map, at) else { return false };
        let Some(terrain) = self.rules.terrain(tile.terrain) else { return false };
        let least = self.rules.city_distance_min;
        let far = |p: Pos| distance(&self.o.map, p, at) >= least;
        terrain.class != OCEAN
            && !terrain.flags.contains(&NO_CITIES)
            && tile.owner.is_none_or(|p| p == self.o.seat)
            && self.o.cities.iter().all(|c| far(c.at))
            && self.o.foreign_cities.iter().all(|c| far(c.at))
    }

    /// Nobody else's, and no city of ours could work it.
    fn is_free(&self, tile: &Tile) -> bool {
        let taken = |c: &City| {
            let (x, y) = apart(&self.o.map, c.at, tile.at);
            let far = x.saturating_mul(x).saturating_add(y.saturating_mul(y));
            far <= self.rules.city_radius_sq.min(RADIUS_SQ_MAX)
        };
        tile.owner.is_none_or(|p| p == self.o.seat) && !self.o.cities.iter().any(taken)
    }
}
