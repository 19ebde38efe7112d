//! What can be built now, computed from the ruleset's requirements: first what our player may
//! build at all, once for each look, then what of it this city may.

use saga_core::action::Item;
use saga_core::ids::{BuildingId, UnitTypeId};
use saga_core::rules::{Building, Effect, Genus, Requirement, UnitType};

use super::{Board, class_flag, has, type_flag};
use crate::rules::About;
use crate::world::model::{CityState, SpaceshipStage, SpaceshipState, WONDER_FREE};

/// Building flag: turns shields into gold.
pub(super) const GOLD: u8 = 2;
/// Effect that allows spaceship parts.
const SPACE_POSSIBLE: u8 = 5;
/// How many parts of a sort a ship has.
type Built = fn(&SpaceshipState) -> u32;
/// Effects by which a building is a spaceship part, with the most a ship takes of each.
const SHIP_PARTS: [(u8, Built, u32); 3] = [
    (SS_STRUCTURAL, |ship| ship.structurals, 32),
    (SS_COMPONENT, |ship| ship.components, 16),
    (SS_MODULE, |ship| ship.modules, 12),
];
const SS_STRUCTURAL: u8 = 32;
const SS_COMPONENT: u8 = 33;
const SS_MODULE: u8 = 34;
/// Effect that allows nuclear weapons, and the actions that need it.
const NUKES_POSSIBLE: u8 = 4;
const NUKE_ACTIONS: [u8; 3] = [30, 31, 32];
/// Requirement about a building.
const REQ_BUILDING: u8 = 3;
/// Smallest range that reaches beyond a city: the owner's.
const RANGE_PLAYER: u8 = 6;

/// What our player may build somewhere, wherever that is.
#[derive(Debug)]
pub(super) struct Open {
    /// By number: whether units of this type may be built, outdated or not.
    units: Vec<bool>,
    /// Types of which no better one may be built.
    current: Vec<UnitTypeId>,
    buildings: Vec<BuildingId>,
}

impl Board<'_> {
    /// Everything this city can begin to build now, units first.
    pub(super) fn items<'a>(&'a self, city: &'a CityState) -> impl Iterator<Item = Item> + 'a {
        let open = self.open();
        let units = open.current.iter().filter(|id| self.can_build_unit(city, **id));
        let buildings = open.buildings.iter().filter(|id| self.can_build(city, **id));
        units.map(|id| Item::Unit(*id)).chain(buildings.map(|id| Item::Building(*id)))
    }

    /// Whether our player, in whichever city, may build units of this type, outdated or not.
    pub(super) fn may_have_unit(&self, id: UnitTypeId) -> bool {
        self.open().units.get(usize::from(id.0)).is_some_and(|may| *may)
    }

    fn open(&self) -> &Open {
        self.open.get_or_init(|| {
            let nukes = self.judge.effect(NUKES_POSSIBLE, About::default()) > 0;
            let space = self.judge.effect(SPACE_POSSIBLE, About::default()) > 0;
            let types = || (0u16..).zip(&self.rules.unit_types).map(|(id, t)| (UnitTypeId(id), t));
            let units: Vec<bool> =
                types().map(|(id, t)| self.ours_to_train(id, t, nukes, space)).collect();
            let current = types().filter(|(id, t)| {
                units.get(usize::from(id.0)) == Some(&true) && !self.outdated(t, &units)
            });
            let buildings = (0u16..).zip(&self.rules.buildings).map(|(id, b)| (BuildingId(id), b));
            let ours = buildings.filter(|(id, b)| self.ours_to_build(*id, b, space));
            Open {
                current: current.map(|(id, _)| id).collect(),
                buildings: ours.map(|(id, _)| id).collect(),
                units,
            }
        })
    }

    fn can_build(&self, city: &CityState, id: BuildingId) -> bool {
        let about = About { building: Some(id), ..about(city) };
        let of_city = |req: &&Requirement| req.range < RANGE_PLAYER;
        let meets =
            |b: &Building| b.reqs.iter().filter(of_city).all(|req| self.judge.holds(*req, about));
        !city.buildings.contains(&id)
            && self.rules.building(id).is_some_and(meets)
            && !self.judge.obsolete(id, about)
    }

    fn can_build_unit(&self, city: &CityState, id: UnitTypeId) -> bool {
        self.rules.unit_type(id).is_some_and(|unit| {
            let class = self.class(unit);
            let anywhere = class.is_some_and(|c| has(&c.flags, class_flag::BUILD_ANYWHERE));
            unit.building.is_none_or(|needed| city.buildings.contains(&needed))
                && (anywhere || self.native_near(unit.class, city.tile))
        })
    }

    /// Whether a type that replaces this one is open to us.
    fn outdated(&self, unit: &UnitType, open: &[bool]) -> bool {
        let mut next = unit.obsoleted_by;
        // A chain of replacements is never longer than the list of types.
        for _ in 0..self.rules.unit_types.len() {
            let Some((id, better)) = next.and_then(|id| Some((id, self.rules.unit_type(id)?)))
            else {
                return false;
            };
            if open.get(usize::from(id.0)) == Some(&true) {
                return true;
            }
            next = better.obsoleted_by;
        }
        false
    }

    /// Whether our player could build it somewhere: what is asked of the player holds, wonders are
    /// still free, and the spaceship lacks the part.
    fn ours_to_build(&self, id: BuildingId, building: &Building, space: bool) -> bool {
        let free = building.genus != Genus::GreatWonder || {
            let owner = self.world.game.wonder_owners.get(usize::from(id.0));
            owner == Some(&WONDER_FREE)
        };
        let of_player = |req: &&Requirement| req.range >= RANGE_PLAYER;
        free && self.ship_lacks(id, building, space)
            && building
                .reqs
                .iter()
                .filter(of_player)
                .all(|r| self.judge.holds(*r, About::default()))
    }

    /// True of whatever is no part of a spaceship.
    fn ship_lacks(&self, id: BuildingId, building: &Building, space: bool) -> bool {
        if building.genus != Genus::Special || has(&building.flags, GOLD) {
            return true;
        }
        let ship = self.world.spaceships.get(&self.seat).copied().unwrap_or_default();
        let gone = matches!(ship.stage, SpaceshipStage::Launched | SpaceshipStage::Arrived);
        let asks = |r: &Requirement| r.kind == REQ_BUILDING && r.value == i32::from(id.0);
        let adds = |kind: u8| {
            let of_kind = |e: &&Effect| e.kind == kind && e.reqs.iter().any(asks);
            self.rules.effects.iter().find(of_kind).is_some()
        };
        let full = |(kind, built, most): &(u8, Built, u32)| adds(*kind) && built(&ship) >= *most;
        space && !gone && !SHIP_PARTS.iter().any(full)
    }

    fn ours_to_train(&self, id: UnitTypeId, unit: &UnitType, nukes: bool, space: bool) -> bool {
        let known = unit.advance.is_none_or(|a| self.state_of(a) == Some(super::player::KNOWN));
        let governed = unit.government.is_none_or(|g| i64::from(g.0) == self.me.government);
        let nuclear = || NUKE_ACTIONS.iter().any(|action| self.rules.type_may(*action, unit));
        let mut own = self.world.units.values().filter(|u| self.world.is_ours(u.owner));
        known
            && governed
            && !has(&unit.flags, type_flag::NO_BUILD)
            && !has(&unit.flags, type_flag::BARBARIAN_ONLY)
            && (nukes || !nuclear())
            && !(has(&unit.flags, type_flag::UNIQUE) && own.any(|u| u.kind == id))
            && unit.building.is_none_or(|b| self.could_have(b, space))
    }

    /// Whether a building that a unit needs is within our reach at all.
    fn could_have(&self, id: BuildingId, space: bool) -> bool {
        let ours = |b: &Building| {
            let owner = self.world.game.wonder_owners.get(usize::from(id.0));
            let own_wonder =
                b.genus == Genus::GreatWonder && owner == Some(&i64::from(self.seat.0));
            own_wonder || self.ours_to_build(id, b, space)
        };
        self.rules.building(id).is_some_and(ours)
    }
}

/// What requirements are asked about for a city.
pub(super) fn about(city: &CityState) -> About<'_> {
    About { city: Some(city), tile: Some(city.tile), ..About::default() }
}
