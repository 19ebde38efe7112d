//! The words of a menu: each option with the facts a player would look up before choosing it. Facts
//! only, no advice; the same words for every planner.

mod city;
mod player;
mod unit;

use std::cell::OnceCell;
use std::fmt::Write as _;

use crate::action::{Action, Actor};
use crate::ids::Pos;
use crate::observation::Observation;
use crate::rules::{FOOD, Rules, SHIELD, TRADE, UTYF_SETTLERS, UnitType};
use crate::text;
use crate::trace::entry::Domain;
use crate::words::{self, Numbers};

use super::site::Land;
use super::{Menu, Moment};

/// An action in a few words, with everybody by number.
pub(super) fn short(action: &Action, rules: &Rules) -> String {
    words::short(action, rules, &Numbers)
}

/// The labels of a menu, in its order.
pub(super) fn options(moment: &Moment<'_>, land: &Land<'_>, menu: &Menu) -> Vec<String> {
    let o = moment.observation;
    let unit = match menu.actor {
        Actor::Unit(id) => o.units.iter().find(|u| u.id == id),
        _ => None,
    };
    let city = match menu.actor {
        Actor::City(id) => o.cities.iter().find(|c| c.id == id),
        _ => None,
    };
    if let Some(unit) = unit {
        return unit::labels(&menu.options, unit, moment, land);
    }
    let treasury = OnceCell::new();
    let label = |a: &Action| match (a, city) {
        (_, Some(city)) => city::label(a, city, moment),
        (Action::Skip, None) if menu.domain == Domain::Government => {
            player::rates_stay(moment, &treasury)
        }
        _ => player::label(a, moment, &treasury),
    };
    menu.options.iter().map(label).collect()
}

/// What a unit type is for, in the words that slices and menus share.
pub(super) fn kind_words(t: &UnitType, rules: &Rules) -> &'static str {
    if t.is_military() {
        "military unit"
    } else if rules.can_found_city(t) {
        "settler unit that founds cities"
    } else if t.flags.contains(&UTYF_SETTLERS) {
        "worker unit that improves terrain"
    } else if t.transport_capacity > 0 {
        "transport"
    } else {
        "civilian unit"
    }
}

/// Terrain with its food, shields and trade, extras, and what of ours is there.
fn place(at: Pos, o: &Observation, rules: &Rules) -> String {
    let mut words = match text::tile_at(&o.map, at) {
        None => "unknown land".to_owned(),
        Some(tile) => {
            let output = text::tile_output(tile, rules);
            let mut words = format!(
                "{} {}/{}/{}",
                text::terrain(rules, tile.terrain),
                output[FOOD],
                output[SHIELD],
                output[TRADE]
            );
            for e in &tile.extras {
                let hut = rules.extra(*e).is_some_and(|x| x.causes.contains(&HUT));
                let name = text::extra(rules, *e);
                let _ = if hut { write!(words, ", hut") } else { write!(words, ", {name}") };
            }
            words
        }
    };
    if let Some(c) = o.cities.iter().find(|c| c.at == at) {
        let n = text::defenders(c, o, rules);
        let _ = write!(words, ", own city {} with {n} defenders", c.name);
    }
    words
}

/// Cause of an extra: a hut.
const HUT: u8 = 6;

fn city_name(o: &Observation, id: u32) -> String {
    let own = o.cities.iter().find(|c| c.id.0 == id).map(|c| &c.name);
    let foreign = o.foreign_cities.iter().find(|c| c.id.0 == id).map(|c| &c.name);
    own.or(foreign).cloned().unwrap_or_else(|| format!("city:{id}"))
}
