//! What one city can do, in words.

use std::fmt::Write as _;

use crate::action::{Action, Item};
use crate::effects;
use crate::ids::{BuildingId, Pos, UnitTypeId};
use crate::observation::City;
use crate::rules::{FOOD, Genus, Rules, SHIELD};
use crate::text;

use super::{Moment, kind_words, place, short};

/// Hit points and firepower that go without saying.
const PLAIN_HP: u32 = 10;
const PLAIN_FIREPOWER: u32 = 1;

pub(super) fn label(action: &Action, city: &City, moment: &Moment<'_>) -> String {
    let (o, rules) = (moment.observation, moment.rules);
    let put = |words: &str, at: Pos| format!("{words} {at} {}", place(at, o, rules));
    match action {
        Action::Produce { item } => {
            format!("build {}, {}", facts(*item, city, moment), price(*item, city, rules))
        }
        Action::Buy => format!(
            "buy {} now for {} of {} gold",
            facts(city.production, city, moment),
            city.buy_cost,
            o.me.gold
        ),
        Action::Append { item } => {
            format!("then {}: {}", text::item(rules, *item), kind(*item, rules))
        }
        Action::ClearWorklist => {
            let planned: Vec<&str> = city.worklist.iter().map(|i| text::item(rules, *i)).collect();
            format!("forget what was planned next: {}", planned.join(", "))
        }
        Action::Sell { building } => {
            let (cost, upkeep) =
                rules.building(*building).map_or((0, 0), |b| (b.build_cost, b.upkeep));
            let item = Item::Building(*building);
            format!(
                "sell {} for {cost} gold, saving {upkeep} a turn: {}{}",
                text::item(rules, item),
                kind(item, rules),
                of_building(*building, city, moment)
            )
        }
        Action::TakeOffTile { at } => put("make a specialist of the citizen working", *at),
        Action::PutOnTile { at } => put("put a specialist to work at", *at),
        Action::Skip => match city.production {
            Item::Building(id) if is_special(id, rules) => {
                format!("keep building {}", facts(city.production, city, moment))
            }
            item => format!(
                "keep building {}, {} of {}",
                facts(item, city, moment),
                city.shield_stock,
                price(item, city, rules)
            ),
        },
        _ => short(action, rules),
    }
}

fn is_special(id: BuildingId, rules: &Rules) -> bool {
    rules.building(id).is_some_and(|b| b.genus == Genus::Special)
}

/// An item, what it is for and what it does.
fn facts(item: Item, city: &City, moment: &Moment<'_>) -> String {
    let name = text::item(moment.rules, item);
    let kind = kind(item, moment.rules);
    let more = match item {
        Item::Unit(id) => of_unit(id, city, moment.rules),
        Item::Building(id) => of_building(id, city, moment),
    };
    format!("{name}: {kind}{more}")
}

fn kind(item: Item, rules: &Rules) -> &'static str {
    match item {
        Item::Unit(id) => rules.unit_type(id).map_or("", |t| kind_words(t, rules)),
        Item::Building(id) => match rules.building(id).map(|b| b.genus) {
            Some(Genus::GreatWonder) => "great wonder",
            Some(Genus::SmallWonder) => "small wonder",
            Some(Genus::Special) if effects::is_gold(id, rules) => "shields become gold",
            Some(Genus::Special) => "spaceship part",
            _ => "improvement",
        },
    }
}

fn of_unit(id: UnitTypeId, city: &City, rules: &Rules) -> String {
    let Some(t) = rules.unit_type(id) else { return String::new() };
    let mut words = String::new();
    if t.is_military() {
        let class = rules.unit_classes.get(usize::from(t.class)).map_or("", |c| &c.name);
        let _ = write!(words, " ({class}), attack {} defence {}", t.attack, t.defense);
        if t.hp != PLAIN_HP {
            let _ = write!(words, ", {} hp", t.hp);
        }
        if t.firepower != PLAIN_FIREPOWER {
            let _ = write!(words, ", firepower {}", t.firepower);
        }
    }
    if t.pop_cost > 0 {
        let _ = write!(words, ", costs {} citizens", t.pop_cost);
        if city.size <= t.pop_cost {
            let _ = write!(words, ", waits for size {}", t.pop_cost.saturating_add(1));
        }
    }
    if t.upkeep[FOOD] > 0 {
        let _ = write!(words, ", eats {} food", t.upkeep[FOOD]);
    }
    if t.transport_capacity > 0 {
        let _ = write!(words, ", carries {} units", t.transport_capacity);
    }
    let _ = write!(words, ", moves {}", t.move_rate / rules.move_fragments.max(1));
    words
}

fn of_building(id: BuildingId, city: &City, moment: &Moment<'_>) -> String {
    let rules = moment.rules;
    let Some(b) = rules.building(id) else { return String::new() };
    let mut words = String::new();
    if b.upkeep > 0 && b.genus == Genus::Improvement {
        let _ = write!(words, ", upkeep {} gold", b.upkeep);
    }
    let effects = effects::of_building(id, Some(city), moment.observation, rules);
    if !effects.is_empty() {
        let _ = write!(words, ", {effects}");
    }
    words
}

fn price(item: Item, city: &City, rules: &Rules) -> String {
    let cost = match item {
        Item::Unit(id) => rules.unit_type(id).map_or(0, |t| t.build_cost),
        Item::Building(id) if is_special(id, rules) && effects::is_gold(id, rules) => {
            return format!("{:+} gold a turn", city.surplus[SHIELD]);
        }
        Item::Building(id) => rules.building(id).map_or(0, |b| b.build_cost),
    };
    let left = cost.saturating_sub(city.shield_stock);
    match u32::try_from(city.surplus[SHIELD]) {
        Ok(gain) if gain > 0 => format!("{cost} shields, {} turns", left.div_ceil(gain).max(1)),
        _ => format!("{cost} shields, never at this rate"),
    }
}
