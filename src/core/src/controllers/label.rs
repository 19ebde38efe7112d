//! The words of a menu: each option with the facts a player would look up before choosing it. Facts
//! only, no advice; the same words for every planner.

use std::fmt::Write as _;

use crate::action::{Action, Actor, Clause, Item, Part, Work};
use crate::geometry::{apart, distance, shifted, step};
use crate::ids::{BuildingId, Pos, SpecialistId, UnitTypeId};
use crate::observation::{City, Observation, Unit};
use crate::rules::{FOOD, Genus, Rules, SHIELD, UTYF_SETTLERS, UnitType};
use crate::text;

use crate::trace::entry::Domain;

use super::{Menu, Moment};

/// Squared radius around a tile that a city there could work, for the facts about sites.
fn site_radius_sq(rules: &Rules) -> i32 {
    rules.city_radius_sq.min(SITE_RADIUS_SQ_MAX) as i32
}

/// No ruleset starts a city with more; a bound, because a trace from elsewhere may say anything.
const SITE_RADIUS_SQ_MAX: u32 = 100;

/// The labels of a menu, in its order.
pub(super) fn options(moment: &Moment<'_>, menu: &Menu) -> Vec<String> {
    let o = moment.observation;
    let unit = match menu.actor {
        Actor::Unit(id) => o.units.iter().find(|u| u.id == id),
        _ => None,
    };
    let city = match menu.actor {
        Actor::City(id) => o.cities.iter().find(|c| c.id == id),
        _ => None,
    };
    menu.options
        .iter()
        .map(|a| match (a, unit, city) {
            (_, Some(unit), _) => of_unit(a, unit, moment),
            (_, _, Some(city)) => of_city(a, city, moment),
            (Action::Skip, ..) if menu.domain == Domain::Government => {
                let r = &o.me.rates;
                format!(
                    "leave everything as it is, with tax {} luxury {} science {}",
                    r.tax, r.luxury, r.science
                )
            }
            _ => of_player(a, moment),
        })
        .collect()
}

fn of_unit(action: &Action, unit: &Unit, moment: &Moment<'_>) -> String {
    let (o, rules) = (moment.observation, moment.rules);
    match action {
        Action::Move { dir, to } => {
            let mut words = format!("move {} to {to} {}", dir.word(), place(*to, o, rules));
            let unknown = unknown_around(*to, o);
            if unknown > 0 {
                let _ = write!(words, ", {unknown} unknown tiles around");
            }
            if founds_cities(unit, rules) {
                let _ = write!(words, ", {}", site(*to, o, rules));
            }
            words
        }
        Action::Goto { to } => {
            let tiles = distance(&o.map, unit.at, *to);
            format!("go to {to} {}, {tiles} tiles away", place(*to, o, rules))
        }
        Action::FoundCity => format!("found a city here, {}", site(unit.at, o, rules)),
        Action::JoinCity { city } => format!("join {} as citizens", city_name(o, city.0)),
        Action::Fortify => "fortify here".to_owned(),
        Action::Sentry => "stand sentry here until an enemy comes".to_owned(),
        Action::Explore => "explore automatically".to_owned(),
        Action::AutoWork => "improve terrain automatically".to_owned(),
        Action::Work { work, extra } => match extra {
            Some(e) => format!("{} ({})", work_words(*work), text::extra(rules, *e)),
            None => work_words(*work).to_owned(),
        },
        Action::Attack { at } => format!("attack {}", target(*at, unit, o, rules)),
        Action::Conquer { city, at } => {
            format!("conquer the undefended city {} at {at}", city_name(o, city.0))
        }
        Action::Skip => "do nothing now".to_owned(),
        _ => short(action, moment.rules),
    }
}

/// Terrain, extras and who is there.
fn place(at: Pos, o: &Observation, rules: &Rules) -> String {
    let mut words = match text::tile_at(&o.map, at) {
        None => "unknown land".to_owned(),
        Some(tile) => {
            let mut words = text::terrain(rules, tile.terrain).to_owned();
            for e in &tile.extras {
                let hut = rules.extra(*e).is_some_and(|x| x.causes.contains(&6));
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

/// What a city here would have in reach, and how near the next own city is.
fn site(at: Pos, o: &Observation, rules: &Rules) -> String {
    let radius_sq = site_radius_sq(rules);
    let reach = f64::from(radius_sq).sqrt() as i32;
    let (mut food, mut shields, mut overlapping) = (0, 0, 0);
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            if dx * dx + dy * dy > radius_sq {
                continue;
            }
            let Some(p) = shifted(&o.map, at, dx, dy) else { continue };
            let Some(tile) = text::tile_at(&o.map, p) else { continue };
            if let Some(t) = rules.terrain(tile.terrain) {
                food += t.output[FOOD];
                shields += t.output[SHIELD];
            }
            let taken = |c: &City| {
                let (x, y) = apart(&o.map, c.at, p);
                x * x + y * y <= radius_sq as u32
            };
            overlapping += usize::from(o.cities.iter().any(taken));
        }
    }
    let foreign = text::tile_at(&o.map, at).and_then(|t| t.owner).is_some_and(|p| p != o.seat);
    let land = if foreign { "foreign land, " } else { "" };
    let nearest = o.cities.iter().map(|c| distance(&o.map, c.at, at)).min();
    let near =
        nearest.map_or("no own city yet".to_owned(), |d| format!("nearest own city {d} tiles"));
    format!(
        "{land}{food} food {shields} shields in reach, {overlapping} tiles shared with own cities, \
         {near}"
    )
}

fn unknown_around(at: Pos, o: &Observation) -> usize {
    crate::ids::Dir::ALL
        .iter()
        .filter_map(|d| step(&o.map, at, *d))
        .filter(|p| text::tile_at(&o.map, *p).is_none())
        .count()
}

/// Who stands there, with strengths; the rough chance that we win one fight.
fn target(at: Pos, unit: &Unit, o: &Observation, rules: &Rules) -> String {
    let strongest = o
        .foreign_units
        .iter()
        .filter(|f| f.at == at)
        .filter_map(|f| rules.unit_type(f.kind).map(|t| (f, t)))
        .max_by_key(|(f, t)| (t.defense, f.hp, std::cmp::Reverse(f.id)));
    let city = o.foreign_cities.iter().find(|c| c.at == at);
    let inside = city.map_or(String::new(), |c| format!(" in the city {}", c.name));
    let ours = rules.unit_type(unit.kind).map_or(0, |t| t.attack);
    match strongest {
        Some((f, t)) => format!(
            "{} of {} at {at}{inside}, defence {} with {} hp against our attack {ours} with {} hp",
            t.name,
            text::player_name(o, f.owner),
            t.defense,
            f.hp,
            unit.hp
        ),
        None => format!("whoever is at {at}{inside} with our attack {ours} and {} hp", unit.hp),
    }
}

fn founds_cities(unit: &Unit, rules: &Rules) -> bool {
    unit.actions.contains(&Action::FoundCity)
        || rules.unit_type(unit.kind).is_some_and(|t| rules.can_found_city(t))
}

fn of_city(action: &Action, city: &City, moment: &Moment<'_>) -> String {
    let rules = moment.rules;
    match action {
        Action::Produce { item: Item::Unit(id) } => build_unit(*id, city, rules),
        Action::Produce { item: Item::Building(id) } => build_building(*id, city, rules),
        Action::Buy => format!(
            "buy {} now for {} of {} gold",
            item_words(city.production, rules),
            city.buy_cost,
            moment.observation.me.gold
        ),
        Action::Skip => format!("keep building {}", item_words(city.production, rules)),
        _ => short(action, moment.rules),
    }
}

fn build_unit(id: UnitTypeId, city: &City, rules: &Rules) -> String {
    let Some(t) = rules.unit_type(id) else { return "build an unknown unit".to_owned() };
    let mut words = format!("build {}", item_words(Item::Unit(id), rules));
    if t.pop_cost > 0 {
        let _ = write!(words, ", costs {} citizens", t.pop_cost);
    }
    if t.transport_capacity > 0 {
        let _ = write!(words, ", carries {} units", t.transport_capacity);
    }
    let moves = t.move_rate / rules.move_fragments.max(1);
    let _ = write!(words, ", moves {moves}, {}", price(t.build_cost, city));
    words
}

fn build_building(id: BuildingId, city: &City, rules: &Rules) -> String {
    let Some(b) = rules.building(id) else { return "build an unknown building".to_owned() };
    let words = item_words(Item::Building(id), rules);
    match b.genus {
        Genus::Special => format!("build {words}"),
        Genus::Improvement => {
            format!("build {words}, upkeep {} gold, {}", b.upkeep, price(b.build_cost, city))
        }
        _ => format!("build {words}, {}", price(b.build_cost, city)),
    }
}

/// An item and what it is for.
fn item_words(item: Item, rules: &Rules) -> String {
    let name = text::item(rules, item);
    match item {
        Item::Unit(id) => rules.unit_type(id).map_or_else(String::new, |t| {
            let kind = kind_words(t, rules);
            if t.is_military() {
                let class = rules.unit_classes.get(usize::from(t.class)).map_or("", |c| &c.name);
                let (attack, defence) = (t.attack, t.defense);
                format!("{name}: {kind} ({class}), attack {attack} defence {defence}")
            } else {
                format!("{name}: {kind}")
            }
        }),
        Item::Building(id) => {
            let kind = match rules.building(id).map(|b| b.genus) {
                Some(Genus::GreatWonder) => "great wonder",
                Some(Genus::SmallWonder) => "small wonder",
                Some(Genus::Special) => "shields become something else",
                _ => "improvement",
            };
            format!("{name}: {kind}")
        }
    }
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

fn price(cost: u32, city: &City) -> String {
    let left = cost.saturating_sub(city.shield_stock);
    match u32::try_from(city.surplus[SHIELD]) {
        Ok(gain) if gain > 0 => format!("{cost} shields, {} turns", left.div_ceil(gain).max(1)),
        _ => format!("{cost} shields, never at this rate"),
    }
}

fn of_player(action: &Action, moment: &Moment<'_>) -> String {
    let (o, rules) = (moment.observation, moment.rules);
    match action {
        Action::Research { advance } => {
            format!("research {} now{}", text::advance(rules, advance.0), opens(advance.0, rules))
        }
        Action::ResearchGoal { advance } => {
            let steps = steps_to(advance.0, o, rules);
            format!("set the goal {} ({steps} advances away)", text::advance(rules, advance.0))
        }
        Action::Revolution { government } => {
            format!("start a revolution to become a {}", text::government(rules, government.0))
        }
        Action::Rates(r) => {
            format!("set rates to tax {} luxury {} science {}", r.tax, r.luxury, r.science)
        }
        Action::Propose { to, clauses } => {
            format!("propose to {}: {}", text::player_name(o, *to), all(clauses, o, rules))
        }
        Action::AcceptTreaty { with } => {
            let table = o.treaties.iter().find(|t| t.with == *with);
            let clauses = table.map_or(String::new(), |t| all(&t.clauses, o, rules));
            format!("accept the treaty of {}: {clauses}", text::player_name(o, *with))
        }
        Action::RejectTreaty { with } => {
            format!("reject the treaty of {}", text::player_name(o, *with))
        }
        Action::CancelPact { with } => {
            format!("cancel the pact with {}", text::player_name(o, *with))
        }
        Action::WithdrawVision { from } => {
            format!("stop sharing vision with {}", text::player_name(o, *from))
        }
        Action::Skip => "leave everything as it is".to_owned(),
        _ => short(action, moment.rules),
    }
}

/// What an advance makes possible: units and buildings by name.
fn opens(advance: u16, rules: &Rules) -> String {
    let units = rules
        .unit_types
        .iter()
        .filter(|t| t.advance.is_some_and(|a| a.0 == advance))
        .map(|t| t.name.as_str());
    let buildings = rules
        .buildings
        .iter()
        .filter(|b| {
            b.reqs.iter().any(|r| r.kind == 1 && r.present && r.value == i32::from(advance))
        })
        .map(|b| b.name.as_str());
    let names: Vec<&str> = units.chain(buildings).take(6).collect();
    if names.is_empty() { String::new() } else { format!(" (opens {})", names.join(", ")) }
}

fn steps_to(advance: u16, o: &Observation, rules: &Rules) -> usize {
    let mut open = vec![crate::ids::AdvanceId(advance)];
    let mut needed = std::collections::BTreeSet::new();
    while let Some(a) = open.pop() {
        if a.0 != 0 && !o.me.advances.contains(&a) && needed.insert(a) {
            open.extend(rules.advance(a).into_iter().flat_map(|x| x.requires.iter().copied()));
        }
    }
    needed.len()
}

fn all(clauses: &[Clause], o: &Observation, rules: &Rules) -> String {
    let words: Vec<String> = clauses.iter().map(|c| text::clause(c, o, rules)).collect();
    words.join(" and ")
}

const fn work_words(work: Work) -> &'static str {
    match work {
        Work::Irrigate => "irrigate this tile",
        Work::Mine => "mine this tile",
        Work::Road => "build a road here",
        Work::Base => "build a base here",
        Work::Transform => "transform the terrain here",
        Work::CleanPollution => "clean pollution here",
        Work::CleanFallout => "clean fallout here",
        Work::Pillage => "pillage this tile",
    }
}

fn city_name(o: &Observation, id: u32) -> String {
    let own = o.cities.iter().find(|c| c.id.0 == id).map(|c| &c.name);
    let foreign = o.foreign_cities.iter().find(|c| c.id.0 == id).map(|c| &c.name);
    own.or(foreign).cloned().unwrap_or_else(|| format!("city:{id}"))
}

/// An action in a few words, for the history lines of a prompt. Begins with its option's words.
pub(super) fn short(action: &Action, rules: &Rules) -> String {
    match action {
        Action::Move { dir, to } => format!("move {} to {to}", dir.word()),
        Action::Goto { to } => format!("go to {to}"),
        Action::FoundCity => "found a city".to_owned(),
        Action::JoinCity { city } => format!("join city:{city}"),
        Action::Fortify => "fortify".to_owned(),
        Action::Sentry => "stand sentry".to_owned(),
        Action::Explore => "explore".to_owned(),
        Action::AutoWork => "improve terrain".to_owned(),
        Action::Work { work, .. } => work_words(*work).to_owned(),
        Action::Attack { at } => format!("attack {at}"),
        Action::Conquer { city, .. } => format!("conquer city:{city}"),
        Action::Special { name, at, part, cost, .. } => {
            let price = cost.map_or(String::new(), |gold| format!(" for {gold} gold"));
            format!("{}{} at {at}{price}", name.replace('_', " "), part_words(*part, rules))
        }
        Action::Board { transport } => format!("get on the transport unit:{transport}"),
        Action::Leave => "get off the transport".to_owned(),
        Action::Append { item } => format!("build {} afterwards", text::item(rules, *item)),
        Action::ClearWorklist => "forget what was to be built afterwards".to_owned(),
        Action::Sell { building } => {
            format!("sell {}", text::item(rules, Item::Building(*building)))
        }
        Action::TakeOffTile { at } => format!("make the citizen at {at} a specialist"),
        Action::PutOnTile { at } => format!("put a specialist to work at {at}"),
        Action::Retrain { from, to } => {
            let name = |id: SpecialistId| {
                rules.specialists.get(usize::from(id.0)).map_or("specialist", |s| s.name.as_str())
            };
            format!("turn one of the {} into {}", name(*from), name(*to))
        }
        Action::Produce { item } => format!("build {}", text::item(rules, *item)),
        Action::Buy => "buy".to_owned(),
        Action::Research { advance } => format!("research {}", text::advance(rules, advance.0)),
        Action::ResearchGoal { advance } => {
            format!("set the goal {}", text::advance(rules, advance.0))
        }
        Action::Revolution { government } => {
            format!("start a revolution to {}", text::government(rules, government.0))
        }
        Action::Rates(r) => format!("set rates to {}/{}/{}", r.tax, r.luxury, r.science),
        Action::Propose { to, .. } => format!("propose to player:{to}"),
        Action::AcceptTreaty { with } => format!("accept the treaty of player:{with}"),
        Action::RejectTreaty { with } => format!("reject the treaty of player:{with}"),
        Action::CancelPact { with } => format!("cancel the pact with player:{with}"),
        Action::WithdrawVision { from } => format!("stop sharing vision with player:{from}"),
        Action::AssembleSpaceship => "assemble the spaceship".to_owned(),
        Action::LaunchSpaceship => "launch the spaceship".to_owned(),
        Action::Skip => "nothing".to_owned(),
    }
}

/// What of a target is aimed at, as ` (Temple)`.
fn part_words(part: Option<Part>, rules: &Rules) -> String {
    match part {
        None => String::new(),
        Some(Part::Building(id)) => format!(" ({})", text::item(rules, Item::Building(id))),
        Some(Part::Advance(id)) => format!(" ({})", text::advance(rules, id.0)),
    }
}
