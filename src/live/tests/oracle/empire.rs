//! A rich empire of ours, for what needs cities, gold and knowledge.

use std::collections::BTreeSet;

use saga_core::action::{Action, Actor, Item, Outcome};
use saga_core::ids::{AdvanceId, BuildingId};

use crate::desk::Desk;

/// Founds so many cities on free land, four tiles apart, with half a million gold and this advance
/// with all that comes before it.
pub(crate) fn empire(desk: &mut Desk, cities: u32, advance: &str) {
    let seat = desk.seat();
    let rules = desk.rules();
    let at = rules.advances.iter().position(|a| a.name == advance);
    let mut open = vec![AdvanceId(at.unwrap_or_else(|| panic!("no {advance}")) as u16)];
    let mut needed = BTreeSet::new();
    while let Some(next) = open.pop() {
        if let Some(a) = rules.advance(next).filter(|_| next.0 != 0 && needed.insert(next)) {
            open.extend(&a.requires);
        }
    }
    let ids: Vec<String> = needed.iter().map(ToString::to_string).collect();
    desk.lua(&format!(
        "local p, n = find.player({seat}), 0 \
         edit.change_gold(p, 500000) \
         for _, i in ipairs({{{}}}) do \
           edit.give_tech(p, find.tech_type(i), 0, false, 'researched') \
         end \
         for t in whole_map_iterate() do \
           if n < {cities} and t.x % 4 == 1 and t.y % 4 == 1 and t:num_units() == 0 \
              and t.terrain:class_name() == 'Land' and t.terrain:rule_name() ~= 'Glacier' then \
             edit.create_city(p, t, 'C' .. n) n = n + 1 \
           end \
         end",
        ids.join(",")
    ));
}

/// The building of this name.
pub(crate) fn building(desk: &Desk, name: &str) -> BuildingId {
    let rules = desk.rules();
    let at = rules.buildings.iter().position(|b| b.name == name);
    BuildingId(at.unwrap_or_else(|| panic!("no {name}")) as u16)
}

/// Buys this in as many cities as can build it, at most `most`, and ends the turn; how many did.
pub(crate) fn buy(desk: &mut Desk, name: &str, most: usize) -> usize {
    let item = Item::Building(building(desk, name));
    let mut bought = 0;
    for city in desk.look().cities {
        if bought == most {
            break;
        }
        let actor = Actor::City(city.id);
        if city.production != item {
            desk.order(actor, Action::Produce { item });
        }
        bought += usize::from(desk.order(actor, Action::Buy) == Outcome::Done);
    }
    desk.end_turn();
    bought
}
