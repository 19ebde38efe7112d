//! Cities made to measure: drawn surroundings, any size, any buildings, advances and governments;
//! and the count of what was compared with the server.
#![allow(dead_code, unreachable_pub, reason = "each file of situations uses a part of it")]

use saga_core::action::{Action, Actor, Outcome};
use saga_core::ids::{BuildingId, CityId, PlayerId, Pos};
use saga_core::observation::City;
use saga_core::rules::Genus;
use saga_freeciv::Value;

use crate::desk::Desk;

/// What lies around a city, all of it grassland otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    Inland,
    Coast,
    Lake,
    /// A river on a neighbouring tile.
    River,
    /// The city itself on a river.
    OnRiver,
    Hills,
    Mountains,
}

/// Comparisons with the server, by what they are about.
#[derive(Debug, Default)]
pub struct Tally {
    pub compared: usize,
    pub lawful: usize,
    pub differences: Vec<String>,
}

impl Tally {
    /// Files one comparison of what we offered with what the server did.
    pub fn file(&mut self, offered: bool, did: bool, what: impl FnOnce() -> String) {
        self.compared += 1;
        self.lawful += usize::from(did);
        if offered != did {
            let verdict = if did { "lawful but missing" } else { "offered but refused" };
            self.differences.push(format!("{}: {verdict}", what()));
        }
    }

    /// Prints what was compared, and fails on any difference or on less than was meant to be.
    pub fn verdict(&self, name: &str, at_least: usize) {
        println!("{name}: {} compared, {} lawful", self.compared, self.lawful);
        let shown = self.differences.iter().take(60).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.differences.is_empty(), "{name}: {}:\n{shown}", self.differences.len());
        assert!(self.compared >= at_least, "{name}: {} of {at_least}", self.compared);
    }
}

/// Free places far from everybody and from each other, each in the middle of a square of grassland
/// of five by five.
pub fn places(desk: &mut Desk, count: usize) -> Vec<Pos> {
    let said = desk.lua(
        "local found, near, x, y = {}, 0, 0, 0 \
         local function look(t) \
           near = math.min(near, math.max(math.abs(t.x - x), math.abs(t.y - y))) end \
         for i = 3, 36, 6 do for j = 3, 36, 6 do near, x, y = 99, i, j \
         for p in players_iterate() do \
           for u in p:units_iterate() do look(u.tile) end \
           for c in p:cities_iterate() do look(c.tile) end \
         end \
         if near > 5 then found[#found + 1] = string.format('%d,%d', x, y) end end end \
         notify.all('places ' .. table.concat(found, ' '))",
    );
    let found = said.iter().find_map(|line| line.strip_prefix("places "));
    let found = found.unwrap_or_else(|| panic!("no places: {said:?}"));
    let number = |text: &str| text.parse().expect("a number");
    let places: Vec<Pos> = found
        .split(' ')
        .filter_map(|pair| pair.split_once(','))
        .map(|(x, y)| Pos { x: number(x), y: number(y) })
        .take(count)
        .collect();
    assert_eq!(places.len(), count, "the map has not enough room");
    places
}

/// Founds a city of anybody amid such surroundings; returns its number.
pub fn found(desk: &mut Desk, owner: PlayerId, at: Pos, site: Site) -> CityId {
    let own = match site {
        Site::Hills => "Hills",
        Site::Mountains => "Mountains",
        _ => "Grassland",
    };
    let near = match site {
        Site::Coast => "edit.change_terrain(near, find.terrain('Ocean'))",
        Site::Lake => "edit.change_terrain(near, find.terrain('Lake'))",
        Site::River => "edit.create_extra(near, 'River')",
        Site::OnRiver => "edit.create_extra(at, 'River')",
        _ => "",
    };
    let said = desk.lua(&format!(
        "local at, near = find.tile({x}, {y}), find.tile({x} + 1, {y}) \
         for t in at:square_iterate(2) do \
           edit.change_terrain(t, find.terrain('Grassland')) \
           for _, e in ipairs({{'River', 'Hut', 'Road'}}) do edit.remove_extra(t, e) end \
         end \
         edit.change_terrain(at, find.terrain('{own}')) {near} \
         edit.create_city(find.player({owner}), at, 'At {x} {y}') \
         notify.all(string.format('city %d', at:city().id))",
        x = at.x,
        y = at.y,
    ));
    let id = said.iter().find_map(|line| line.strip_prefix("city ")).expect("a city");
    CityId(id.parse().expect("a number"))
}

/// What a city is made to be.
#[derive(Debug, Clone, Default)]
pub struct Made {
    pub size: u32,
    pub buildings: Vec<BuildingId>,
    pub shields: u32,
    pub food: u32,
}

/// Gives a city of anybody its size, stocks, and exactly these buildings, by the server's editor.
pub fn make_city(desk: &mut Desk, id: CityId, made: &Made) {
    let mut built = vec![-1_i64; 200];
    for building in &made.buildings {
        built[usize::from(building.0)] = 1;
    }
    let none = || Value::from(vec![0_i64; 5]);
    let fields = [
        ("id", id.0.into()),
        ("name", format!("City {id}").as_str().into()),
        ("size", made.size.into()),
        ("ppl_happy", none()),
        ("ppl_content", none()),
        ("ppl_unhappy", none()),
        ("ppl_angry", none()),
        ("trade", none()),
        ("food_stock", made.food.into()),
        ("shield_stock", made.shields.into()),
        ("built", built.into()),
    ];
    desk.send("EDIT_MODE", &[("state", true.into())]);
    desk.send("EDIT_CITY", &fields);
    desk.send("EDIT_MODE", &[("state", false.into())]);
}

/// Numbers of the buildings of these names.
pub fn buildings(desk: &Desk, names: &[&str]) -> Vec<BuildingId> {
    names.iter().map(|name| crate::empire::building(desk, name)).collect()
}

/// Numbers of all plain improvements.
pub fn improvements(desk: &Desk) -> Vec<BuildingId> {
    let rules = desk.rules();
    let all = (0u16..).zip(&rules.buildings);
    all.filter(|(_, b)| b.genus == Genus::Improvement).map(|(id, _)| BuildingId(id)).collect()
}

/// A city of size 12 at a free place with every plain improvement, and a hundred thousand gold.
pub fn rich_city(desk: &mut Desk, site: Site) -> City {
    let (seat, at) = (desk.seat(), places(desk, 1)[0]);
    let id = found(desk, seat, at, site);
    let made = Made { size: 12, buildings: improvements(desk), ..Made::default() };
    make_city(desk, id, &made);
    desk.lua(&format!("edit.change_gold(find.player({seat}), 100000)"));
    desk.city(id).expect("the city just made")
}

/// Lets us know this share of all advances, in percent, those with the fewest steps first.
pub fn know(desk: &mut Desk, percent: usize) {
    let (seat, rules) = (desk.seat(), desk.rules());
    let all = rules.advances.iter().enumerate().skip(1).filter(|(_, a)| !a.removed);
    let mut all: Vec<(u32, usize)> = all.map(|(id, a)| (a.steps, id)).collect();
    all.sort_unstable();
    let ids = all.iter().take(all.len() * percent / 100);
    let ids: Vec<String> = ids.map(|(_, id)| id.to_string()).collect();
    desk.lua(&format!(
        "for _, i in ipairs({{{}}}) do \
         edit.give_tech(find.player({seat}), find.tech_type(i), 0, false, 'researched') end",
        ids.join(",")
    ));
}

/// Revolts, and waits until this government rules.
pub fn govern(desk: &mut Desk, name: &str) {
    let rules = desk.rules();
    let at = rules.governments.iter().position(|g| g.name == name);
    let government = saga_core::ids::GovernmentId(at.unwrap_or_else(|| panic!("no {name}")) as u16);
    if desk.observe().me.government == government {
        return;
    }
    let outcome = desk.order(Actor::Player, Action::Revolution { government });
    assert_eq!(outcome, Outcome::Done, "toward {name}");
    for _ in 0..6 {
        if desk.observe().me.government == government {
            return;
        }
        desk.end_turn();
    }
    panic!("{name} did not come to rule");
}
