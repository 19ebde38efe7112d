//! What one unit can do, in words.

use std::fmt::Write as _;

use crate::action::{Action, Work};
use crate::geometry::{distance, step};
use crate::ids::{Dir, ExtraId, Pos};
use crate::observation::{Observation, Unit};
use crate::path::Traveller;
use crate::rules::{FOOD, Rules, Terrain};
use crate::text;
use crate::words::{part_words, work_words};

use super::{Land, Moment, city_name, place, short};
use crate::controllers::site::Site;

/// A site for a city with the steps from it to each tile around the unit.
struct Way {
    site: Site,
    steps: Vec<(Pos, u32)>,
}

/// The labels of one unit's menu, in its order.
pub(super) fn labels(
    options: &[Action],
    unit: &Unit,
    moment: &Moment<'_>,
    land: &Land<'_>,
) -> Vec<String> {
    let view = View {
        unit,
        moment: *moment,
        land,
        ways: ways(unit, moment.rules, land),
        turns: turns(options, unit, moment, land),
    };
    options.iter().map(|a| view.label(a)).collect()
}

/// One unit with what was found out about its ways.
struct View<'a> {
    unit: &'a Unit,
    moment: Moment<'a>,
    land: &'a Land<'a>,
    ways: Vec<Way>,
    turns: Vec<(Pos, u32)>,
}

impl View<'_> {
    fn label(&self, action: &Action) -> String {
        let (o, rules) = (self.moment.observation, self.moment.rules);
        match action {
            Action::Move { dir, to } => {
                let mut words = format!("move {} to {to} {}", dir.word(), place(*to, o, rules));
                let unknown = unknown_around(*to, o);
                if unknown > 0 {
                    let _ = write!(words, ", {unknown} unknown tiles around");
                }
                if let Some(site) = self.site_beyond(*to) {
                    let _ = write!(words, ", {site}");
                }
                words
            }
            Action::Goto { to } => {
                let found = self.turns.iter().find(|(at, _)| at == to);
                let far = match found {
                    Some((_, 0)) => "this turn".to_owned(),
                    Some((_, n)) => format!("{} turns", n + 1),
                    None => format!("{} tiles", distance(&o.map, self.unit.at, *to)),
                };
                if let Some(c) = o.cities.iter().find(|c| c.at == *to) {
                    let n = text::defenders(c, o, rules);
                    return format!("go to own city {} {to} with {n} defenders, {far}", c.name);
                }
                let mut words = format!("go to {to} {}, {far}", place(*to, o, rules));
                let unknown = unknown_around(*to, o);
                if unknown > 0 {
                    let _ = write!(words, ", {unknown} unknown tiles around");
                }
                words
            }
            Action::FoundCity => format!("found a city here, {}", self.land.reach(self.unit.at)),
            Action::JoinCity { city } => {
                let joined = o.cities.iter().find(|c| c.id == *city);
                let size = joined.map_or(String::new(), |c| {
                    format!(", size {}, {:+} food a turn", c.size, c.surplus[FOOD])
                });
                format!("join {} as citizens{size}", city_name(o, city.0))
            }
            Action::Fortify => "fortify here".to_owned(),
            Action::Sentry => "stand sentry here until an enemy comes".to_owned(),
            Action::Explore => "explore automatically".to_owned(),
            Action::AutoWork => "improve terrain automatically".to_owned(),
            Action::Work { work, extra } => {
                format!("{}{}", work_words(*work), work_facts(*work, *extra, self.unit, o, rules))
            }
            Action::Attack { at } => format!("attack {}", target(*at, self.unit, o, rules)),
            Action::Conquer { city, at } => {
                format!("conquer the undefended city {} at {at}", city_name(o, city.0))
            }
            Action::Special { name, target, at, part, cost, .. } => {
                let price = cost.map_or(String::new(), |gold| format!(" for {gold} gold"));
                format!(
                    "{}{}{}{price}",
                    name.replace('_', " "),
                    part_words(*part, rules),
                    aimed(*target, *at, self.unit, o, rules)
                )
            }
            Action::Board { transport } => {
                let ship = o.units.iter().find(|u| u.id == *transport);
                let kind = ship.map_or("", |u| text::unit_name(rules, u.kind));
                format!("get on the transport {kind} unit:{transport}")
            }
            Action::Skip => "do nothing now".to_owned(),
            _ => short(action, rules),
        }
    }

    /// The best site to which a step brings its unit nearer.
    fn site_beyond(&self, to: Pos) -> Option<String> {
        let steps = |way: &Way, at: Pos| way.steps.iter().find(|(p, _)| *p == at).map(|s| s.1);
        let nearer = |way: &&Way| match (steps(way, to), steps(way, self.unit.at)) {
            (Some(then), Some(now)) => then < now,
            _ => false,
        };
        let way = self.ways.iter().rfind(nearer)?;
        Some(match steps(way, to)? {
            0 => format!("site for a city: {}", way.site.reach),
            n => format!("{n} steps from the site {}: {}", way.site.at, way.site.reach),
        })
    }
}

/// Sites within reach of a unit that founds cities.
fn ways(unit: &Unit, rules: &Rules, land: &Land<'_>) -> Vec<Way> {
    let founds = unit.actions.contains(&Action::FoundCity)
        || rules.unit_type(unit.kind).is_some_and(|t| rules.can_found_city(t));
    if !founds {
        return Vec::new();
    }
    let sites = land.sites(unit.kind, unit.at, unit.moves).into_iter();
    let way = |site: Site| Way { steps: land.steps(unit.kind, site.at, unit.at), site };
    sites.map(way).collect()
}

/// Ends of turns on the way to each far target.
fn turns(options: &[Action], unit: &Unit, moment: &Moment<'_>, land: &Land<'_>) -> Vec<(Pos, u32)> {
    let mut open: Vec<Pos> = options
        .iter()
        .filter_map(|a| if let Action::Goto { to } = a { Some(*to) } else { None })
        .collect();
    if open.is_empty() {
        return Vec::new();
    }
    let traveller = Traveller::of(unit, moment.observation);
    let mut turns = Vec::new();
    for reached in land.chart().search(&traveller, moment.rules).into_iter().flatten() {
        if open.is_empty() {
            break;
        }
        if open.contains(&reached.at) {
            open.retain(|p| *p != reached.at);
            turns.push((reached.at, reached.turns));
        }
    }
    turns
}

fn unknown_around(at: Pos, o: &Observation) -> usize {
    Dir::ALL
        .iter()
        .filter_map(|d| step(&o.map, at, *d))
        .filter(|p| text::tile_at(&o.map, *p).is_none())
        .count()
}

/// What terrain work brings, and how long it takes.
fn work_facts(
    work: Work,
    extra: Option<ExtraId>,
    unit: &Unit,
    o: &Observation,
    rules: &Rules,
) -> String {
    let mut words = extra.map_or_else(String::new, |e| format!(" ({})", text::extra(rules, e)));
    let here = text::tile_at(&o.map, unit.at);
    let Some(terrain) = here.and_then(|t| rules.terrain(t.terrain)) else { return words };
    let own_time = extra.and_then(|e| rules.extra(e)).map_or(0, |e| e.build_time);
    let (gain, time) = gained(work, terrain, extra.is_some(), rules);
    if !gain.is_empty() {
        let _ = write!(words, ", {gain}");
    }
    let time = if own_time > 0 { own_time } else { time };
    if time > 0 {
        let _ = write!(words, ", {time} turns");
    }
    words
}

/// What a work on this terrain brings, and the terrain's own time for it in turns.
fn gained(work: Work, terrain: &Terrain, extra: bool, rules: &Rules) -> (String, u32) {
    let into = |result: Option<crate::ids::TerrainId>| {
        result.map_or(String::new(), |t| format!("becomes {}", text::terrain(rules, t)))
    };
    match work {
        Work::Irrigate if extra => {
            (format!("+{} food", terrain.irrigation_food), terrain.irrigation_time)
        }
        Work::Irrigate => (into(terrain.irrigation_result), terrain.irrigation_time),
        Work::Mine if extra => (format!("+{} shields", terrain.mining_shield), terrain.mining_time),
        Work::Mine => (into(terrain.mining_result), terrain.mining_time),
        Work::Transform => (into(terrain.transform_result), terrain.transform_time),
        Work::Road => (String::new(), terrain.road_time),
        Work::Base => (String::new(), terrain.base_time),
        Work::CleanPollution => (String::new(), terrain.clean_pollution_time),
        Work::CleanFallout => (String::new(), terrain.clean_fallout_time),
        Work::Pillage => (String::new(), terrain.pillage_time),
    }
}

/// Who stands there, with strengths and what helps them.
fn target(at: Pos, unit: &Unit, o: &Observation, rules: &Rules) -> String {
    let there = || o.foreign_units.iter().filter(|f| f.at == at);
    let strongest = there()
        .filter_map(|f| rules.unit_type(f.kind).map(|t| (f, t)))
        .max_by_key(|(f, t)| (t.defense, f.hp, std::cmp::Reverse(f.id)));
    let city = o.foreign_cities.iter().find(|c| c.at == at);
    let mut inside = city.map_or(String::new(), |c| format!(" in the city {}", c.name));
    if city.is_some_and(|c| c.walls) {
        inside.push_str(" with walls");
    }
    let ground = text::tile_at(&o.map, at).and_then(|t| rules.terrain(t.terrain));
    let bonus = ground.map_or(0, |t| t.defense_bonus);
    let bonus = if bonus > 0 { format!(", terrain +{bonus}%") } else { String::new() };
    let others = there().count().saturating_sub(1);
    let others = if others > 0 { format!(", {others} more there") } else { String::new() };
    let ours = rules.unit_type(unit.kind).map_or(0, |t| t.attack);
    match strongest {
        Some((f, t)) => format!(
            "{} of {} at {at}{inside}, defence {} with {} hp against our attack {ours} with {} \
             hp{bonus}{others}",
            t.name,
            text::player_name(o, f.owner),
            t.defense,
            f.hp,
            unit.hp
        ),
        None => {
            format!("whoever is at {at}{inside} with our attack {ours} and {} hp{bonus}", unit.hp)
        }
    }
}

/// Whom an action is aimed at: a city, a unit, or only a place. A target is a number of a city, a
/// unit or a tile, whichever the action asks for; that an entity stands there tells which.
fn aimed(target: i64, at: Pos, unit: &Unit, o: &Observation, rules: &Rules) -> String {
    if target == i64::from(unit.id.0) && at == unit.at {
        return String::new();
    }
    let own = o.cities.iter().find(|c| i64::from(c.id.0) == target && c.at == at);
    if let Some(c) = own {
        return format!(" at own city {} {at}", c.name);
    }
    let foreign = o.foreign_cities.iter().find(|c| i64::from(c.id.0) == target && c.at == at);
    if let Some(c) = foreign {
        return format!(" at {} of {} {at}", c.name, text::player_name(o, c.owner));
    }
    let them = o.foreign_units.iter().find(|f| i64::from(f.id.0) == target && f.at == at);
    them.map_or_else(
        || format!(" at {at}"),
        |f| {
            let kind = text::unit_name(rules, f.kind);
            format!(" at {kind} of {} {at}", text::player_name(o, f.owner))
        },
    )
}
