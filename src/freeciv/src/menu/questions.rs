//! What must be asked of the server before a unit's menu is complete: only what the ruleset leaves
//! open to this unit, toward tiles where somebody or something of interest is.

use saga_core::observation::Stance;
use saga_core::rules::UnitType;

use super::Board;
use super::actions::{
    ACTIONS, AIRLIFT, ATTACK, Aim, BRIBE, CONQUER, FOUND_CITY, INCITE, INCITE_ESCAPE, JOIN_CITY,
    NUKE, PARADROP, SABOTAGE_PART, SABOTAGE_PART_ESCAPE, at_home,
};
use crate::world::model::{CityState, TileIndex, UnitState};

/// Most own cities about which a unit's airlift is asked: the nearest.
const AIRLIFTS_MAX: usize = 8;
/// Most tiles about which a paradrop is asked: cities first, then tiles at the edge of the known
/// world, then others, each the nearest first.
const DROPS_MAX: usize = 12;
/// Airlifting style bits: without limit from, and to, a city.
const UNLIMITED_FROM: i64 = 4;
const UNLIMITED_TO: i64 = 8;

/// One question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// What the unit may do toward a tile.
    Actions(TileIndex),
    /// What an action toward a city or unit costs, or which parts of it there are.
    Details {
        /// The action's number.
        action: u8,
        /// The target's number.
        target: i64,
    },
}

impl Board<'_> {
    /// What must be asked before this unit's menu is complete. Details are asked along with the
    /// tile, and never without it.
    pub(crate) fn unanswered(&self, unit: &UnitState) -> Vec<Question> {
        let Some(kind) = self.unit_type(unit) else { return Vec::new() };
        let mut asked = Vec::new();
        let around = self.world.map.around(unit.tile).map(|(_, tile)| tile);
        let new = |tile: &TileIndex| !self.world.answers.contains_key(&(unit.id, *tile));
        for tile in around.chain([unit.tile]).filter(new) {
            if self.matters(unit, kind, tile) {
                asked.push(Question::Actions(tile));
                self.details(unit, tile, &mut asked);
            }
        }
        let far = self.airlifts(unit).into_iter().chain(self.drops(unit, kind));
        asked.extend(far.filter(new).map(Question::Actions));
        asked
    }

    /// Whether anything that only the server can tell may be open to this unit there.
    fn matters(&self, unit: &UnitState, kind: &UnitType, tile: TileIndex) -> bool {
        let here = tile == unit.tile;
        let city = self.city_at.get(&tile).copied();
        let other = self.units_on(tile).iter().find(|u| !self.world.is_ours(u.owner));
        if city.is_none() && other.is_none() && !here {
            return false;
        }
        let open = |id: u8, toward| self.enabled(id, unit, Some(toward));
        let of_city = |city: &CityState| {
            let ours = self.world.is_ours(city.owner);
            let rows = ACTIONS.iter().filter(|(id, _, aim)| {
                *aim == Aim::City && *id != AIRLIFT && !(ours && at_home(*id))
            });
            rows.map(|(id, ..)| *id).chain([JOIN_CITY]).any(|id| open(id, city.owner))
                || (!here && open(CONQUER, city.owner))
        };
        let of_units = || {
            let mut owners = city.iter().map(|c| c.owner).chain(other.iter().map(|u| u.owner));
            let rows = ACTIONS.iter().filter(|(_, _, aim)| matches!(aim, Aim::Unit | Aim::Stack));
            let ids: Vec<u8> = rows.map(|(id, ..)| *id).collect();
            owners.any(|owner| {
                !self.world.is_ours(owner)
                    && (ids.iter().any(|id| open(*id, owner))
                        || (kind.attack > 0 && open(ATTACK, owner)))
            })
        };
        city.is_some_and(of_city)
            || (!here && of_units())
            || (here && city.is_none() && self.founds(unit))
            || (self.enabled(NUKE, unit, None) && (here || self.worth_nuking(tile)))
    }

    fn founds(&self, unit: &UnitState) -> bool {
        self.enabled(FOUND_CITY, unit, None) && !self.crowded(unit.tile)
    }

    /// Too near a known city for another one.
    fn crowded(&self, tile: TileIndex) -> bool {
        let near =
            |city: TileIndex| self.world.map.distance(city, tile) < self.rules.city_distance_min;
        self.city_at.keys().any(|city| near(*city))
    }

    /// Somebody with whom we are not at peace lives or stands there.
    fn worth_nuking(&self, tile: TileIndex) -> bool {
        let mut owners = self
            .city_at
            .get(&tile)
            .map(|c| c.owner)
            .into_iter()
            .chain(self.units_on(tile).iter().map(|u| u.owner));
        owners.any(|owner| {
            let peace = [Stance::Peace, Stance::Armistice].contains(&self.stance(owner));
            !self.friendly(owner) && !peace
        })
    }

    /// What must be asked beside the tile itself.
    fn details(&self, unit: &UnitState, tile: TileIndex, asked: &mut Vec<Question>) {
        if let Some(city) = self.city_at.get(&tile).filter(|c| !self.world.is_ours(c.owner)) {
            let priced = [INCITE, INCITE_ESCAPE];
            let lists = [SABOTAGE_PART, SABOTAGE_PART_ESCAPE];
            let open = priced.into_iter().chain(lists);
            let open = open.filter(|id| self.enabled(*id, unit, Some(city.owner)));
            asked.extend(open.map(|action| Question::Details { action, target: city.id.0.into() }));
        } else if let [other] = self.units_on(tile)
            && !self.world.is_ours(other.owner)
            && self.enabled(BRIBE, unit, Some(other.owner))
        {
            asked.push(Question::Details { action: BRIBE, target: other.id.0.into() });
        }
    }

    /// Own cities to which this unit might be airlifted.
    fn airlifts(&self, unit: &UnitState) -> Vec<TileIndex> {
        let style = self.world.game.airlifting_style;
        let takes = |city: &CityState, unlimited: i64| {
            let left = city.inside.as_ref().map_or(0, |inside| inside.airlifts);
            left > 0 || style & unlimited != 0
        };
        let from = self.city_at.get(&unit.tile).filter(|c| self.world.is_ours(c.owner));
        if !from.is_some_and(|c| takes(c, UNLIMITED_FROM))
            || !self.enabled(AIRLIFT, unit, self.world.seat())
        {
            return Vec::new();
        }
        let own = self.judge.own_cities().filter(|c| c.tile != unit.tile);
        let open = own.filter(|c| takes(c, UNLIMITED_TO)).map(|c| c.tile);
        let mut cities: Vec<_> =
            open.map(|tile| (self.world.map.distance(unit.tile, tile), tile)).collect();
        cities.sort_unstable();
        cities.into_iter().take(AIRLIFTS_MAX).map(|(_, tile)| tile).collect()
    }

    /// Tiles on which this unit might be dropped.
    fn drops(&self, unit: &UnitState, kind: &UnitType) -> Vec<TileIndex> {
        if kind.paratroopers_range == 0 || unit.moves == 0 || !self.enabled(PARADROP, unit, None) {
            return Vec::new();
        }
        let map = &self.world.map;
        let known = (0..).zip(&map.tiles).filter(|(at, tile)| tile.known > 0 && *at != unit.tile);
        let solid = known
            .filter(|(at, tile)| self.native(kind.class, tile) || self.city_at.contains_key(at));
        let mut tiles: Vec<_> = solid
            .map(|(at, _)| (at, map.distance(unit.tile, at)))
            .filter(|(_, distance)| *distance <= kind.paratroopers_range)
            .map(|(at, distance)| {
                let settled = self.city_at.contains_key(&at);
                let edge = || map.around(at).any(|(_, next)| self.tile(next).is_none());
                let rank = if settled { 0 } else { 2 - u8::from(edge()) };
                (rank, distance, at)
            })
            .collect();
        tiles.sort_unstable();
        tiles.into_iter().take(DROPS_MAX).map(|(_, _, at)| at).collect()
    }
}
