//! A city's menu: what can be built now, computed from the ruleset's requirements, and buying.

use saga_core::action::{Action, Item};
use saga_core::ids::{BuildingId, UnitTypeId};
use saga_core::rules::{Building, Genus, Requirement, UnitType};

use super::{Board, class_flag, has, type_flag};
use crate::rules::About;
use crate::world::model::{CityState, Inside, WONDER_FREE};

/// Building flag: turns shields into gold.
const GOLD: u8 = 2;
/// Effect that allows spaceship parts.
const SPACE_POSSIBLE: u8 = 5;
/// Effect that allows nuclear weapons, and the actions that need it.
const NUKES_POSSIBLE: u8 = 4;
const NUKE_ACTIONS: [u8; 3] = [30, 31, 32];
/// Smallest range that reaches beyond a city: the owner's.
const RANGE_PLAYER: u8 = 6;

impl Board<'_> {
    /// Everything this city of ours may do.
    pub(crate) fn of_city(&self, city: &CityState) -> Vec<Action> {
        let Some(inside) = city.inside.as_deref() else { return Vec::new() };
        let mut menu = Vec::new();
        if !(inside.did_buy && inside.shield_stock > 0) {
            let units = (0u16..).zip(&self.rules.unit_types).map(|(id, t)| (UnitTypeId(id), t));
            let units = units.filter(|(id, t)| self.can_build_unit(city, *id, t));
            let units = units.map(|(id, _)| Item::Unit(id));
            let buildings = (0u16..).zip(&self.rules.buildings).map(|(id, b)| (BuildingId(id), b));
            let buildings = buildings.filter(|(id, b)| self.can_build(city, *id, b));
            let buildings = buildings.map(|(id, _)| Item::Building(id));
            let others = units.chain(buildings).filter(|item| *item != inside.production);
            menu.extend(others.map(|item| Action::Produce { item }));
        }
        if self.can_buy(inside) {
            menu.push(Action::Buy);
        }
        menu
    }

    /// Shields that an item costs in this game.
    pub(crate) fn cost(&self, item: Item) -> u32 {
        let cost = match item {
            Item::Unit(id) => self.rules.unit_type(id).map_or(0, |t| t.build_cost),
            Item::Building(id) => self.rules.building(id).map_or(0, |b| b.build_cost),
        };
        let scaled = i64::from(cost) * self.world.game.shield_box_pct / 100;
        u32::try_from(scaled.max(1)).unwrap_or(u32::MAX)
    }

    fn can_buy(&self, inside: &Inside) -> bool {
        let makes_gold = match inside.production {
            Item::Building(id) => self.rules.building(id).is_none_or(|b| has(&b.flags, GOLD)),
            Item::Unit(_) => false,
        };
        let rioting_for_units = matches!(inside.production, Item::Unit(_)) && inside.disorder();
        let turn = i64::from(self.world.turn());
        let gold = self.world.me().map_or(0, |me| me.gold);
        !inside.did_buy
            && !makes_gold
            && !rioting_for_units
            && i64::from(inside.turn_founded) != turn
            && inside.buy_cost > 0
            && inside.buy_cost <= gold
    }

    fn can_build(&self, city: &CityState, id: BuildingId, building: &Building) -> bool {
        let about = About { building: Some(id), ..about(city) };
        !city.buildings.contains(&id)
            && self.ours_to_build(id, building)
            && self.judge.all(&building.reqs, about)
            && !self.judge.obsolete(id, about)
    }

    /// Whether our player could build it somewhere: wonders still free, space allowed.
    fn ours_to_build(&self, id: BuildingId, building: &Building) -> bool {
        let free = match building.genus {
            Genus::GreatWonder => {
                let owner = self.world.game.wonder_owners.get(usize::from(id.0));
                owner.is_some_and(|owner| *owner == WONDER_FREE)
            }
            Genus::Special if !has(&building.flags, GOLD) => {
                self.judge.effect(SPACE_POSSIBLE, About::default()) > 0
            }
            _ => true,
        };
        let of_player = |req: &&Requirement| req.range >= RANGE_PLAYER;
        free && building
            .reqs
            .iter()
            .filter(of_player)
            .all(|r| self.judge.holds(*r, About::default()))
    }

    fn can_build_unit(&self, city: &CityState, id: UnitTypeId, unit: &UnitType) -> bool {
        let anywhere = self.class(unit).is_some_and(|c| has(&c.flags, class_flag::BUILD_ANYWHERE));
        self.may_have_unit(id, unit)
            && unit.building.is_none_or(|needed| city.buildings.contains(&needed))
            && (anywhere || self.native_near(unit.class, city.tile))
            && !self.outdated(unit)
    }

    /// Whether a type that replaces this one is open to us.
    fn outdated(&self, unit: &UnitType) -> bool {
        let mut next = unit.obsoleted_by;
        // A chain of replacements is never longer than the list of types.
        for _ in 0..self.rules.unit_types.len() {
            let Some((id, better)) = next.and_then(|id| Some((id, self.rules.unit_type(id)?)))
            else {
                return false;
            };
            if self.may_have_unit(id, better) {
                return true;
            }
            next = better.obsoleted_by;
        }
        false
    }

    /// Whether our player, in whichever city, may build units of this type.
    pub(super) fn may_have_unit(&self, id: UnitTypeId, unit: &UnitType) -> bool {
        let Some(me) = self.world.me() else { return false };
        let known = unit.advance.is_none_or(|a| self.state_of(a) == Some(super::player::KNOWN));
        let governed = unit.government.is_none_or(|g| i64::from(g.0) == me.government);
        let nuclear = NUKE_ACTIONS.iter().any(|action| self.rules.type_may(*action, unit));
        let mut own = self.world.units.values().filter(|u| self.world.is_ours(u.owner));
        known
            && governed
            && !has(&unit.flags, type_flag::NO_BUILD)
            && !has(&unit.flags, type_flag::BARBARIAN_ONLY)
            && !(nuclear && self.judge.effect(NUKES_POSSIBLE, About::default()) <= 0)
            && !(has(&unit.flags, type_flag::UNIQUE) && own.any(|u| u.kind == id))
            && unit.building.is_none_or(|b| self.could_have(b))
    }

    /// Whether a building that a unit needs is within our reach at all.
    fn could_have(&self, id: BuildingId) -> bool {
        let owned = self.judge.own_cities().any(|c| c.buildings.contains(&id));
        owned || self.rules.building(id).is_some_and(|b| self.ours_to_build(id, b))
    }
}

fn about(city: &CityState) -> About<'_> {
    About { city: Some(city), tile: Some(city.tile), ..About::default() }
}
