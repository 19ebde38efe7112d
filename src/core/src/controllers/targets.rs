//! Far targets that a directive names: coordinates, cities and units in its text and brief become
//! one more option for the unit it is for, when a path over known ground leads there.

use crate::action::Action;
use crate::geometry::distance;
use crate::ids::{CityId, Pos, UnitId};
use crate::observation::{Observation, Unit};
use crate::path::{Chart, Gait, Traveller};
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
    let named: Vec<Pos> = named.iter().copied().take(NAMED_MAX).collect();
    let mut ways = Vec::new();
    for to in reached(&named, unit, chart, (o, rules)).into_iter().flatten() {
        let goto = Action::Goto { to };
        if !unit.actions.contains(&goto) && !ways.contains(&goto) {
            ways.push(goto);
        }
        if ways.len() == ADDED_MAX {
            break;
        }
    }
    ways
}

/// One walk for all places: for each where a unit may go to be there, or beside it; `None` for what
/// is a step away or out of reach.
fn reached(
    named: &[Pos],
    unit: &Unit,
    chart: &Chart,
    (o, rules): (&Observation, &Rules),
) -> Vec<Option<Pos>> {
    let Some(gait) = Gait::of(unit.kind, rules) else { return vec![None; named.len()] };
    let sought = |target: &Pos| Sought {
        at: None,
        barred: !chart.index(*target).is_some_and(|tile| chart.lets_in(&gait, tile)),
        over: distance(&o.map, unit.at, *target) <= 1,
    };
    let mut found: Vec<Sought> = named.iter().map(sought).collect();
    let traveller = Traveller::of(unit, o);
    let search = if unit.moves > 0 { chart.search(&traveller, rules) } else { None };
    let Some(mut search) = search else { return vec![None; named.len()] };
    while found.iter().any(|sought| !sought.over)
        && let Some(reached) = search.next()
    {
        if !search.may_rest(reached.at) {
            continue;
        }
        for (target, sought) in named.iter().zip(&mut found).filter(|(_, s)| !s.over) {
            if reached.at == *target {
                (sought.at, sought.over) = (Some(*target), true);
            } else if sought.at.is_none()
                && distance(&o.map, reached.at, *target) == 1
                && distance(&o.map, unit.at, reached.at) > 1
            {
                (sought.at, sought.over) = (Some(reached.at), sought.barred);
            }
        }
    }
    found.into_iter().map(|sought| sought.at).collect()
}

/// What a walk found of one place so far.
struct Sought {
    /// The place itself, or the soonest beside it.
    at: Option<Pos>,
    /// Nobody can enter it: beside it is as near as one gets.
    barred: bool,
    /// Nothing better will come.
    over: bool,
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
        let before = words.get(..offset)?.chars().next_back();
        let rest = words.get(offset + prefix.len()..)?;
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
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
        check("capacity:10", &[]);
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
