//! Far targets that a directive names: coordinates, cities and units in its text and brief become
//! one more option for the unit it is for, when a path over known ground leads there.

use crate::action::Action;
use crate::geometry::distance;
use crate::ids::{CityId, Pos, UnitId};
use crate::observation::{Observation, Unit};
use crate::path::{Chart, Traveller};
use crate::plan::Directive;
use crate::rules::Rules;

/// At most so many options are added to a menu.
const ADDED_MAX: usize = 2;
/// At most so many places named are looked into.
const NAMED_MAX: usize = 6;

/// The ways to places named for a unit, in their order, without those that its menu lists already.
/// Where somebody bars the target, the way leads beside it.
pub(super) fn ways(
    named: &[Pos],
    unit: &Unit,
    chart: &Chart,
    (o, rules): (&Observation, &Rules),
) -> Vec<Action> {
    let mut ways = Vec::new();
    for target in named.iter().take(NAMED_MAX) {
        let goto = way(*target, unit, chart, (o, rules)).map(|to| Action::Goto { to });
        let new = |goto: &Action| !unit.actions.contains(goto) && !ways.contains(goto);
        ways.extend(goto.filter(new));
        if ways.len() == ADDED_MAX {
            break;
        }
    }
    ways
}

/// Where a unit may go to be there, or beside it; `None` for what is a step away.
fn way(target: Pos, unit: &Unit, chart: &Chart, (o, rules): (&Observation, &Rules)) -> Option<Pos> {
    if unit.moves == 0 || distance(&o.map, unit.at, target) <= 1 {
        return None;
    }
    let mut search = chart.search(&Traveller::of(unit, o), rules)?;
    let mut beside = None;
    while let Some(reached) = search.next() {
        let rests = search.may_rest(reached.at);
        if reached.at == target && rests {
            return Some(target);
        }
        let near = distance(&o.map, reached.at, target) == 1;
        if near && rests && beside.is_none() && distance(&o.map, unit.at, reached.at) > 1 {
            beside = Some(reached.at);
        }
    }
    beside
}

/// The places that a directive names, each once, as they come in the text and then in the brief.
pub(super) fn places(directive: &Directive, o: &Observation) -> Vec<Pos> {
    let mut places: Vec<Pos> = Vec::new();
    for words in [&directive.text, &directive.brief] {
        let mut found = coordinates(words, o);
        found.extend(numbered(words, "city:", |id| city_at(o, CityId(id))));
        found.extend(numbered(words, "unit:", |id| unit_at(o, UnitId(id))));
        let own = o.cities.iter().map(|c| (&c.name, c.at));
        let foreign = o.foreign_cities.iter().map(|c| (&c.name, c.at));
        for (name, at) in own.chain(foreign) {
            found.extend(mentions(words, name).map(|offset| (offset, at)));
        }
        found.sort_unstable();
        for (_, at) in found {
            if !places.contains(&at) {
                places.push(at);
            }
        }
    }
    places
}

/// Places written as `(12,7)`, blanks allowed, with their offsets in the text.
fn coordinates(words: &str, o: &Observation) -> Vec<(usize, Pos)> {
    let place = |(offset, _): (usize, &str)| {
        let (inside, _) = words.get(offset + 1..)?.split_once(')')?;
        let (x, y) = inside.split_once(',')?;
        let at = Pos { x: x.trim().parse().ok()?, y: y.trim().parse().ok()? };
        (at.x < o.map.width && at.y < o.map.height).then_some((offset, at))
    };
    words.match_indices('(').filter_map(place).collect()
}

/// Places of entities written as `city:12`, with their offsets in the text.
fn numbered(words: &str, prefix: &str, find: impl Fn(u32) -> Option<Pos>) -> Vec<(usize, Pos)> {
    let place = |offset: usize| {
        let rest = words.get(offset + prefix.len()..)?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        Some((offset, find(rest.get(..digits)?.parse().ok()?)?))
    };
    words.match_indices(prefix).filter_map(|(offset, _)| place(offset)).collect()
}

/// Offsets at which a name stands as whole words.
fn mentions<'w>(words: &'w str, name: &'w str) -> impl Iterator<Item = usize> + 'w {
    let whole = move |offset: &usize| {
        let before = words.get(..*offset).and_then(|w| w.chars().next_back());
        let after = words.get(offset + name.len()..).and_then(|w| w.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    let named = !name.is_empty();
    words.match_indices(name).map(|(offset, _)| offset).filter(move |o| named && whole(o))
}

fn city_at(o: &Observation, id: CityId) -> Option<Pos> {
    let own = o.cities.iter().find(|c| c.id == id).map(|c| c.at);
    own.or_else(|| o.foreign_cities.iter().find(|c| c.id == id).map(|c| c.at))
}

fn unit_at(o: &Observation, id: UnitId) -> Option<Pos> {
    let own = o.units.iter().find(|u| u.id == id).map(|u| u.at);
    own.or_else(|| o.foreign_units.iter().find(|u| u.id == id).map(|u| u.at))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::path::sketch::{drawn, enemy, rules};

    fn warriors(o: &mut Observation, at: (u16, u16)) -> Unit {
        let unit = json!({
            "id": 7, "kind": 0, "at": at, "home": null, "hp": 10, "moves": 3, "veteran": 0,
            "fuel": 0, "activity": "idle", "activity_extra": null, "auto": false, "goto": null,
            "aboard": null, "actions": [{ "goto": { "to": [4, 2] } }]
        });
        let unit: Unit = serde_json::from_value(unit).unwrap();
        o.units.push(unit.clone());
        unit
    }

    fn offered(o: &mut Observation, words: &str) -> Vec<(u16, u16)> {
        let unit = warriors(o, (0, 0));
        let rules = rules();
        let chart = Chart::of(o, &rules);
        let directive = Directive::new(words);
        let ways = ways(&places(&directive, o), &unit, &chart, (o, &rules));
        let to = |action| match action {
            Action::Goto { to } => (to.x, to.y),
            other => panic!("{other:?}"),
        };
        ways.into_iter().map(to).collect()
    }

    #[test]
    fn places_named_by_a_directive_become_options() {
        let rows = ["....C", ".....", ".....~"];
        let rows = rows.map(|row| format!("{row:.<6}"));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let check = |words: &str, expected: &[(u16, u16)]| {
            let mut o = drawn(&rows, false);
            enemy(&mut o, 3, 2);
            assert_eq!(offered(&mut o, words), expected, "{words}");
        };
        check("explore", &[]);
        check("hold ( 2, 1 ) or (2,0)", &[(2, 1), (2, 0)]);
        check("guard Rome", &[(4, 0)]);
        check("guard city:10, then (2,0), then (3,0)", &[(4, 0), (2, 0)]);
        check("Romeo and (99,1) and city:77 and unit:x", &[]);
        check("go to (4,2)", &[]);
        check("go to (1,1)", &[]);
        check("kill unit:90", &[(2, 1)]);
    }

    #[test]
    fn what_cannot_be_reached_is_no_option() {
        let mut o = drawn(&["..~~C"], false);
        assert_eq!(offered(&mut o, "go to Rome"), []);
    }
}
