//! Unit actions that concern only ourselves, told from the rules without asking the server: home
//! city, upgrade, and disbanding with or without use for a city's production.

use saga_core::action::{Action, Item};
use saga_core::ids::UnitTypeId;
use saga_core::rules::{Genus, UnitType};

use super::Board;
use super::actions::{DISBAND, HELP_WONDER, HOME_CITY, RECYCLE, UPGRADE};
use crate::rules::About;
use crate::world::model::{CityState, Inside, TileIndex, UnitState};

/// Effect that changes the price of upgrades, in percent.
const UPGRADE_PRICE_PCT: u8 = 78;

impl Board<'_> {
    pub(super) fn at_home(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let seat = Some(self.seat);
        let here = self.own_city(unit.tile);
        if let Some(city) = here {
            if unit.home != Some(city.id) && self.enabled(HOME_CITY, unit, seat) {
                menu.push(self.special(HOME_CITY, city.id.0.into(), city.tile, None, None));
            }
            if self.enabled(UPGRADE, unit, seat)
                && let Some((_, cost)) =
                    self.upgrade(unit).filter(|(_, cost)| *cost <= self.me.gold)
            {
                menu.push(self.special(UPGRADE, city.id.0.into(), city.tile, None, Some(cost)));
            }
        }
        let recycles = self.enabled(RECYCLE, unit, seat);
        let near = self.world.map.around(unit.tile).map(|(_, tile)| tile);
        let near = std::iter::once(unit.tile).chain(near).filter_map(|tile| self.own_city(tile));
        for city in near.filter(|city| recycles && self.needs_shields(city)) {
            menu.push(self.special(RECYCLE, city.id.0.into(), city.tile, None, None));
        }
        let serves = here.is_some_and(|city| {
            self.needs_shields(city)
                && (recycles || (self.builds_wonder(city) && self.enabled(HELP_WONDER, unit, seat)))
        });
        // An ally's production is not known: in its cities the server was asked.
        let asked = here.is_none() && self.city_at.contains_key(&unit.tile);
        if !serves && !asked && self.enabled(DISBAND, unit, None) {
            menu.push(self.special(DISBAND, unit.id.0.into(), unit.tile, None, None));
        }
    }

    fn own_city(&self, tile: TileIndex) -> Option<&CityState> {
        self.city_at.get(&tile).copied().filter(|c| self.world.is_ours(c.owner))
    }

    /// Production takes shields from outside only while it lacks some.
    fn needs_shields(&self, city: &CityState) -> bool {
        let lacks = |inside: &Inside| inside.shield_stock < self.cost(inside.production);
        city.inside.as_deref().is_some_and(lacks)
    }

    fn builds_wonder(&self, city: &CityState) -> bool {
        let wonder = |inside: &Inside| match inside.production {
            Item::Building(id) => {
                self.rules.building(id).is_some_and(|b| b.genus == Genus::GreatWonder)
            }
            Item::Unit(_) => false,
        };
        city.inside.as_deref().is_some_and(wonder)
    }

    /// The best type this unit can be turned into here, and its price in gold.
    pub(super) fn upgrade(&self, unit: &UnitState) -> Option<(UnitTypeId, u32)> {
        let kind = self.unit_type(unit)?;
        let mut next = kind.obsoleted_by;
        let mut best = None;
        // A chain of replacements is never longer than the list of types.
        for _ in 0..self.rules.unit_types.len() {
            let Some((id, better)) = next.and_then(|id| Some((id, self.rules.unit_type(id)?)))
            else {
                break;
            };
            if self.may_have_unit(id) {
                best = Some((id, better));
            }
            next = better.obsoleted_by;
        }
        let (id, _) = best.filter(|(_, better)| self.carries_on(unit, better))?;
        Some((id, self.upgrade_price(unit.kind, id)))
    }

    /// Whether what it has aboard still finds room, and its own transport still takes it.
    fn carries_on(&self, unit: &UnitState, better: &UnitType) -> bool {
        let cargo = self.units_on(unit.tile).iter().filter(|u| u.aboard == Some(unit.id));
        let mut count = 0;
        let fits = cargo.clone().all(|u| {
            count += 1;
            self.unit_type(u).is_some_and(|kind| better.cargo.contains(&kind.class))
        });
        let ship = unit.aboard.and_then(|id| self.world.units.get(&id));
        let taken = ship.is_none_or(|ship| {
            self.unit_type(ship).is_some_and(|kind| kind.cargo.contains(&better.class))
        });
        fits && count <= better.transport_capacity && taken
    }

    /// Twice the shields that are missing, and more the more are missing; half of the old unit's
    /// shields count.
    fn upgrade_price(&self, from: UnitTypeId, to: UnitTypeId) -> u32 {
        let worth = self.cost(Item::Unit(from)) / 2;
        let missing = i64::from(self.cost(Item::Unit(to)).saturating_sub(worth));
        let price = 2 * missing + missing.saturating_mul(missing) / 20;
        let pct = 100 + i64::from(self.judge.effect(UPGRADE_PRICE_PCT, About::default()));
        u32::try_from(price.saturating_mul(pct) / 100).unwrap_or(u32::MAX)
    }
}
