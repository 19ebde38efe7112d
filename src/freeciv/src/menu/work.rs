//! Terrain work on the tile a unit stands on.

use saga_core::action::{Action, Work};
use saga_core::ids::{ExtraId, TerrainId};
use saga_core::rules::{Extra, Terrain};

use super::player::KNOWN;
use super::{Board, class_flag, has, terrain_flag, type_flag};
use crate::world::codes;
use crate::world::model::{TileIndex, TileState, UnitState};

/// Causes of extras.
const BY_IRRIGATION: u8 = 0;
const BY_MINE: u8 = 1;
const BY_ROAD: u8 = 2;
const BY_BASE: u8 = 3;
/// Causes of an extra's removal.
const OFF_BY_PILLAGE: u8 = 0;
const OFF_BY_CLEAN_POLLUTION: u8 = 1;
const OFF_BY_CLEAN_FALLOUT: u8 = 2;

/// Effects that make work possible.
const IRRIGATION_POSSIBLE: u8 = 84;
const TRANSFORM_POSSIBLE: u8 = 87;
const MINING_POSSIBLE: u8 = 88;
const IRRIGATION_CHANGE_POSSIBLE: u8 = 89;
const MINING_CHANGE_POSSIBLE: u8 = 90;

/// Road flags, and the advance flag that overcomes them.
const NEEDS_BRIDGE: u8 = 0;
const PREVENTS_ROADS: u8 = 1;
const BRIDGES: u8 = 1;

/// Number of the terrain class of oceans.
const OCEAN: u8 = 1;

/// A unit on its tile, looked up once.
struct Site<'a> {
    unit: &'a UnitState,
    at: TileIndex,
    tile: &'a TileState,
    terrain: &'a Terrain,
}

impl Board<'_> {
    pub(super) fn works(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let Some(kind) = self.unit_type(unit) else { return };
        let Some(tile) = self.tile(unit.tile) else { return };
        let Some(terrain) = self.terrain(tile) else { return };
        let site = Site { unit, at: unit.tile, tile, terrain };
        let mut found = Vec::new();
        if has(&kind.flags, type_flag::SETTLERS) {
            self.cultivations(&site, &mut found);
            self.cleanings(&site, &mut found);
        }
        if terrain.road_time > 0 {
            found.extend(self.buildable(&site, BY_ROAD).map(|id| (Work::Road, Some(id))));
        }
        if terrain.base_time > 0 {
            found.extend(self.buildable(&site, BY_BASE).map(|id| (Work::Base, Some(id))));
        }
        if self.class(kind).is_some_and(|class| has(&class.flags, class_flag::CAN_PILLAGE)) {
            self.pillages(&site, &mut found);
        }
        let busy = |work, extra: Option<ExtraId>| {
            unit.activity == activity_of(work) && unit.activity_extra == extra && !unit.auto
        };
        found.retain(|(work, extra)| !busy(*work, *extra));
        menu.extend(found.into_iter().map(|(work, extra)| Action::Work { work, extra }));
    }

    fn cultivations(&self, site: &Site<'_>, found: &mut Vec<(Work, Option<ExtraId>)>) {
        let terrain = site.terrain;
        let here = site.tile.terrain.map(TerrainId);
        let about = self.about_unit(site.unit);
        let possible = |effect| self.judge.effect(effect, about) > 0;
        if terrain.irrigation_time > 0 {
            if terrain.irrigation_result == here {
                if possible(IRRIGATION_POSSIBLE) {
                    let extras = self.buildable(site, BY_IRRIGATION);
                    found.extend(extras.map(|id| (Work::Irrigate, Some(id))));
                }
            } else if self.may_become(site, terrain.irrigation_result)
                && possible(IRRIGATION_CHANGE_POSSIBLE)
            {
                found.push((Work::Irrigate, None));
            }
        }
        if terrain.mining_time > 0 {
            if terrain.mining_result == here {
                if possible(MINING_POSSIBLE) {
                    found.extend(self.buildable(site, BY_MINE).map(|id| (Work::Mine, Some(id))));
                }
            } else if self.may_become(site, terrain.mining_result)
                && possible(MINING_CHANGE_POSSIBLE)
            {
                found.push((Work::Mine, None));
            }
        }
        if terrain.transform_time > 0
            && terrain.transform_result != here
            && self.may_become(site, terrain.transform_result)
            && possible(TRANSFORM_POSSIBLE)
        {
            found.push((Work::Transform, None));
        }
    }

    fn cleanings(&self, site: &Site<'_>, found: &mut Vec<(Work, Option<ExtraId>)>) {
        let removable = |cause: u8| {
            site.tile.extras.iter().copied().filter(move |id| self.removable(site, *id, cause))
        };
        if site.terrain.clean_pollution_time > 0 {
            let extras = removable(OFF_BY_CLEAN_POLLUTION);
            found.extend(extras.map(|id| (Work::CleanPollution, Some(id))));
        }
        if site.terrain.clean_fallout_time > 0 {
            let extras = removable(OFF_BY_CLEAN_FALLOUT);
            found.extend(extras.map(|id| (Work::CleanFallout, Some(id))));
        }
    }

    /// What can be torn down: nothing that another unit tears down already, nothing on which
    /// something else here rests, and nothing in a city.
    fn pillages(&self, site: &Site<'_>, found: &mut Vec<(Work, Option<ExtraId>)>) {
        if site.terrain.pillage_time == 0 || self.city_at.contains_key(&site.at) {
            return;
        }
        let present: Vec<ExtraId> = site.tile.extras.clone();
        let rests_on = |upper: &Extra, id: ExtraId| {
            upper.reqs.iter().any(|r| {
                r.kind == REQ_EXTRA && r.present && r.range == 0 && r.value == i32::from(id.0)
            })
        };
        let carries = |id: ExtraId| {
            present.iter().filter_map(|e| self.rules.extra(*e)).any(|upper| rests_on(upper, id))
        };
        let taken = |id: ExtraId| {
            self.units_on(site.at).iter().any(|u| {
                u.id != site.unit.id && u.activity == codes::PILLAGE && u.activity_extra == Some(id)
            })
        };
        let free = present
            .iter()
            .copied()
            .filter(|id| self.removable(site, *id, OFF_BY_PILLAGE) && !carries(*id) && !taken(*id));
        found.extend(free.map(|id| (Work::Pillage, Some(id))));
    }

    fn removable(&self, site: &Site<'_>, id: ExtraId, cause: u8) -> bool {
        let about = self.about_unit(site.unit);
        self.rules.extra(id).is_some_and(|extra| {
            has(&extra.removal_causes, cause) && self.judge.all(&extra.removal_reqs, about)
        })
    }

    /// Extras of a cause that this unit could build here.
    fn buildable<'b>(
        &'b self,
        site: &'b Site<'b>,
        cause: u8,
    ) -> impl Iterator<Item = ExtraId> + 'b {
        let about = self.about_unit(site.unit);
        (0u16..).zip(&self.rules.extras).filter_map(move |(id, extra)| {
            let id = ExtraId(id);
            let may = extra.buildable
                && has(&extra.causes, cause)
                && !site.tile.extras.contains(&id)
                && !self.rivalled(site, extra)
                && self.judge.all(&extra.reqs, about)
                && self.base_allowed(site, extra)
                && self.road_allowed(site, id, extra);
            may.then_some(id)
        })
    }

    /// Somebody else is building here what cannot stand beside it.
    fn rivalled(&self, site: &Site<'_>, extra: &Extra) -> bool {
        self.units_on(site.at).iter().filter(|u| u.id != site.unit.id).any(|u| {
            let builds =
                matches!(u.activity, codes::IRRIGATE | codes::MINE | codes::BASE | codes::ROAD);
            builds && u.activity_extra.is_some_and(|other| extra.conflicts.contains(&other))
        })
    }

    /// A base that claims land does not go into a city.
    fn base_allowed(&self, site: &Site<'_>, extra: &Extra) -> bool {
        let claims = extra.base.as_ref().is_some_and(|base| base.border_sq >= 0);
        !(claims && self.city_at.contains_key(&site.at))
    }

    /// The first tile of a road may need more than those that lengthen one.
    fn road_allowed(&self, site: &Site<'_>, id: ExtraId, extra: &Extra) -> bool {
        let Some(road) = &extra.road else { return true };
        if has(&road.flags, NEEDS_BRIDGE) && self.river_in_the_way(site) && !self.builds_bridges() {
            return false;
        }
        if road.first_reqs.is_empty() {
            return true;
        }
        let near = self.world.map.around(site.at).filter_map(|(_, tile)| self.tile(tile));
        near.into_iter().any(|tile| tile.extras.contains(&id))
            || self.judge.all(&road.first_reqs, self.about_unit(site.unit))
    }

    fn river_in_the_way(&self, site: &Site<'_>) -> bool {
        let roads = site.tile.extras.iter().filter_map(|e| self.rules.extra(*e)?.road.as_ref());
        roads.into_iter().any(|road| has(&road.flags, PREVENTS_ROADS))
    }

    fn builds_bridges(&self) -> bool {
        let letters = self.world.my_research().map_or("", |r| r.inventions.as_str()).bytes();
        let known = letters.zip(&self.rules.advances).filter(|(letter, _)| *letter == KNOWN);
        known.into_iter().any(|(_, advance)| has(&advance.flags, BRIDGES))
    }

    /// Whether the land here may turn into another kind: cities stay above water, and water and
    /// land change only where enough of the other lies around.
    fn may_become(&self, site: &Site<'_>, result: Option<TerrainId>) -> bool {
        let Some(result) = result.and_then(|id| self.rules.terrain(id)) else { return false };
        let in_city = self.city_at.contains_key(&site.at);
        if in_city && (has(&result.flags, terrain_flag::NO_CITIES) || result.class == OCEAN) {
            return false;
        }
        let change = self.world.terrain_change();
        let share = |fits: &dyn Fn(&Terrain) -> bool| {
            let (mut all, mut fitting) = (0, 0);
            for (_, tile) in self.world.map.around(site.at) {
                let terrain = self.tile(tile).and_then(|t| self.terrain(t));
                all += 1;
                fitting += i64::from(terrain.is_some_and(fits));
            }
            if all == 0 { 0 } else { fitting * 100 / all }
        };
        let (from_sea, to_sea) = (site.terrain.class == OCEAN, result.class == OCEAN);
        let (from_ice, to_ice) = (
            has(&site.terrain.flags, terrain_flag::FROZEN),
            has(&result.flags, terrain_flag::FROZEN),
        );
        let sea = |t: &Terrain| t.class == OCEAN;
        let land = |t: &Terrain| t.class != OCEAN;
        let ice = |t: &Terrain| has(&t.flags, terrain_flag::FROZEN);
        let thawed = |t: &Terrain| !has(&t.flags, terrain_flag::FROZEN);
        let shore = match (from_sea, to_sea) {
            (true, false) => share(&land) >= change.reclaim,
            (false, true) => share(&sea) >= change.channel,
            _ => true,
        };
        let frost = match (from_ice, to_ice) {
            (true, false) => share(&thawed) >= change.thaw,
            (false, true) => share(&ice) >= change.freeze,
            _ => true,
        };
        shore && frost
    }
}

/// Requirement kind: an extra.
const REQ_EXTRA: u8 = 23;

/// The activity that does this work.
pub(crate) fn activity_of(work: Work) -> u8 {
    match work {
        Work::Irrigate => codes::IRRIGATE,
        Work::Mine => codes::MINE,
        Work::Road => codes::ROAD,
        Work::Base => codes::BASE,
        Work::Transform => codes::TRANSFORM,
        Work::CleanPollution => codes::CLEAN_POLLUTION,
        Work::CleanFallout => codes::CLEAN_FALLOUT,
        Work::Pillage => codes::PILLAGE,
    }
}
