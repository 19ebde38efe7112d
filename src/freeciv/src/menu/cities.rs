//! A city's menu: what to build now and later, buying, selling, and where its citizens work.

use saga_core::action::{Action, Item};
use saga_core::rules::Genus;

use super::build::GOLD;
use super::{Board, has};
use crate::world::model::{CityState, Inside};

/// A city plans this far ahead at most; the protocol's own limit is 64 items.
const WORKLIST_MAX: usize = 8;

impl Board<'_> {
    /// Everything this city of ours may do. At most two offers for each item that can be built, one
    /// for each building, and those of [`Board::citizens`].
    pub(crate) fn of_city(&self, city: &CityState) -> Vec<Action> {
        let Some(inside) = city.inside.as_deref() else { return Vec::new() };
        let mut menu = Vec::new();
        let items: Vec<Item> = self.items(city).collect();
        if !(inside.did_buy && inside.shield_stock > 0) {
            let others = items.iter().filter(|item| **item != inside.production);
            menu.extend(others.map(|item| Action::Produce { item: *item }));
        }
        if self.can_buy(inside) {
            menu.push(Action::Buy);
        }
        if inside.worklist.len() < WORKLIST_MAX {
            let fresh = items.iter().filter(|item| !self.planned(inside, **item));
            menu.extend(fresh.map(|item| Action::Append { item: *item }));
        }
        if !inside.worklist.is_empty() {
            menu.push(Action::ClearWorklist);
        }
        if !inside.did_sell {
            let sold = city.buildings.iter().filter(|id| {
                self.rules.building(**id).is_some_and(|b| b.genus == Genus::Improvement)
            });
            menu.extend(sold.map(|id| Action::Sell { building: *id }));
        }
        self.citizens(city, inside, &mut menu);
        menu
    }

    /// Shields that an item costs in this game.
    pub(crate) fn cost(&self, item: Item) -> u32 {
        match item {
            Item::Unit(id) => self.rules.unit_type(id).map_or(1, |t| t.build_cost),
            Item::Building(id) => self.rules.building(id).map_or(1, |b| b.build_cost),
        }
    }

    fn can_buy(&self, inside: &Inside) -> bool {
        let makes_gold = self.makes_gold(inside.production);
        let rioting_for_units = matches!(inside.production, Item::Unit(_)) && inside.rioted;
        let turn = i64::from(self.world.turn());
        !inside.did_buy
            && !makes_gold
            && !rioting_for_units
            && i64::from(inside.turn_founded) != turn
            && inside.buy_cost > 0
            && inside.buy_cost <= self.me.gold
    }

    fn makes_gold(&self, item: Item) -> bool {
        let Item::Building(id) = item else { return false };
        self.rules.building(id).is_none_or(|b| has(&b.flags, GOLD))
    }

    /// Whether one of it is enough and already on its way.
    fn planned(&self, inside: &Inside, item: Item) -> bool {
        let Item::Building(id) = item else { return false };
        let one = self.makes_gold(item)
            || self.rules.building(id).is_none_or(|b| b.genus != Genus::Special);
        one && (inside.production == item || inside.worklist.contains(&item))
    }
}
