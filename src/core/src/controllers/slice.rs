//! The observation slice ω of one controller: what its own entity is and what stands around it.

use std::fmt::Write as _;

use crate::action::Actor;
use crate::effects;
use crate::geometry::distance;
use crate::ids::UnitTypeId;
use crate::observation::{City, Observation, Stance, Unit};
use crate::rules::{Rules, UTYF_SETTLERS, UnitType};
use crate::text;
use crate::trace::entry::Domain;

use super::site::{Land, SITE_TURNS};
use super::{Menu, Moment, label};

/// Foreign units and cities farther than this are left out of a slice, in tiles.
const SIGHT_TILES: u32 = 4;
/// At most so many of them are listed.
const LISTED_MAX: usize = 6;

/// A few lines about whom this menu is for.
pub(super) fn about(moment: &Moment<'_>, land: &Land<'_>, menu: &Menu) -> String {
    let (o, rules) = (moment.observation, moment.rules);
    match menu.actor {
        Actor::Unit(id) => {
            o.units.iter().find(|u| u.id == id).map_or_else(String::new, |u| unit(u, o, rules))
        }
        Actor::City(id) => {
            let here = o.cities.iter().find(|c| c.id == id);
            here.map_or_else(String::new, |c| city(c, o, rules, land))
        }
        Actor::Player if menu.domain == Domain::Government => {
            let now = effects::of_government(o.me.government, o, rules);
            let name = text::government(rules, o.me.government.0);
            format!("{}\n{name}: {now}", player(o, rules))
        }
        Actor::Player => player(o, rules),
        Actor::Toward(id) => {
            let mut words = player(o, rules);
            if let Some(p) = o.players.iter().find(|p| p.id == id) {
                let score = p.score.map_or("unknown".to_owned(), |s| s.to_string());
                let _ = write!(
                    words,
                    "\nToward {}: {}; their score {score}; embassy {}",
                    p.name,
                    text::pact(p),
                    if p.embassy { "yes" } else { "no" }
                );
            }
            words
        }
    }
}

fn unit(u: &Unit, o: &Observation, rules: &Rules) -> String {
    let mut words = text::unit(u, rules);
    if let Some(t) = rules.unit_type(u.kind) {
        let kind = label::kind_words(t, rules);
        let _ = write!(words, "\nType: {kind}, attack {} defence {}", t.attack, t.defense);
    }
    if let Some(c) = o.cities.iter().find(|c| c.at == u.at) {
        let itself = rules.unit_type(u.kind).is_some_and(UnitType::is_military);
        let others = text::defenders(c, o, rules) - usize::from(itself);
        let _ = write!(words, "\nStands in own city {}; other defenders here: {others}", c.name);
    } else if let Some(tile) = text::tile_at(&o.map, u.at) {
        let _ = write!(words, "\nStands on {}", text::tile(tile, o, rules));
        let near = o.cities.iter().min_by_key(|c| (distance(&o.map, c.at, u.at), c.id));
        if let Some(c) = near {
            let d = distance(&o.map, c.at, u.at);
            let _ = write!(words, "; nearest own city {} {d} tiles away", c.name);
        }
    }
    neighbours(&mut words, u.at, o, rules);
    words
}

fn city(c: &City, o: &Observation, rules: &Rules, land: &Land<'_>) -> String {
    let mut words = text::city(c, o, rules);
    let [happy, content, unhappy, angry] = c.mood;
    let limit = effects::size_limit(c, o, rules);
    let limit = limit.map_or_else(
        || "without bound".to_owned(),
        |n| format!("to size {n}{}", if i64::from(c.size) >= n { " (reached)" } else { "" }),
    );
    let _ = write!(
        words,
        "\nCitizens: {happy} happy, {content} content, {} unhappy; grows {limit}",
        unhappy.saturating_add(angry)
    );
    if !c.worklist.is_empty() {
        let next: Vec<&str> = c.worklist.iter().map(|i| text::item(rules, *i)).collect();
        let _ = write!(words, "; planned next: {}", next.join(", "));
    }
    let finished = i64::from(c.turn_last_built.max(c.turn_founded)) + 1 >= i64::from(o.turn);
    words.push_str(if finished {
        "\nIt has just finished something or was just founded"
    } else if effects::mints(c, rules) {
        "\nIt turns its shields into gold"
    } else {
        "\nIts production is still unfinished"
    });
    let guards = o.units.iter().filter(|u| u.at == c.at);
    let best = guards
        .filter_map(|u| rules.unit_type(u.kind).filter(|t| t.is_military()))
        .max_by_key(|t| (t.defense, t.hp));
    if let Some(t) = best {
        let _ = write!(words, "\nGarrison: {}, best defence {}", t.name, t.defense);
    }
    let others = || o.players.iter().filter(|p| p.alive && p.barbarian.is_none());
    let has = |wanted: &dyn Fn(&UnitType) -> bool| {
        o.units.iter().filter(|u| rules.unit_type(u.kind).is_some_and(wanted)).count()
    };
    let _ = write!(
        words,
        "\nNation: {} cities, {} settler units, {} worker units, {} military units, \
         at war with {} of {} other nations, {} gold ({:+} a turn)",
        o.cities.len(),
        has(&|t| rules.can_found_city(t)),
        has(&|t| !rules.can_found_city(t) && t.flags.contains(&UTYF_SETTLERS)),
        has(&UnitType::is_military),
        others().filter(|p| p.stance == Stance::War).count(),
        others().count(),
        o.me.gold,
        income(o, rules)
    );
    rooms(&mut words, c, rules, land);
    neighbours(&mut words, c.at, o, rules);
    words
}

/// Places for further cities that settlers from here could walk to.
fn rooms(words: &mut String, c: &City, rules: &Rules, land: &Land<'_>) {
    let founder = (0u16..).zip(&rules.unit_types).find(|(_, t)| rules.can_found_city(t));
    let Some((kind, t)) = founder else { return };
    let sites = land.sites(UnitTypeId(kind), c.at, t.move_rate);
    let _ = match sites.last() {
        Some(s) => {
            write!(words, "\nBest site for a new city: {} turns away, {}", s.turns + 1, s.reach)
        }
        None => write!(words, "\nNo site for a new city within {SITE_TURNS} turns"),
    };
}

/// Gold that all cities make in a turn, upkeep paid.
fn income(o: &Observation, rules: &Rules) -> i64 {
    o.cities.iter().map(|c| effects::gold(c, rules)).sum()
}

fn neighbours(words: &mut String, at: crate::ids::Pos, o: &Observation, rules: &Rules) {
    let near = |p| distance(&o.map, p, at) <= SIGHT_TILES;
    let mut seen: Vec<(u32, u32, String)> = Vec::new();
    for f in o.foreign_units.iter().filter(|f| near(f.at)) {
        let d = distance(&o.map, f.at, at);
        let (kind, owner) = (text::unit_name(rules, f.kind), text::player_name(o, f.owner));
        seen.push((
            d,
            f.id.0,
            format!("{kind} of {owner} ({}) {d} tiles away", stance_of(o, f.owner)),
        ));
    }
    for c in o.foreign_cities.iter().filter(|c| near(c.at)) {
        let d = distance(&o.map, c.at, at);
        let owner = text::player_name(o, c.owner);
        let stance = stance_of(o, c.owner);
        seen.push((d, c.id.0, format!("city {} of {owner} ({stance}) {d} tiles away", c.name)));
    }
    seen.sort();
    let more = seen.len().saturating_sub(LISTED_MAX);
    let listed: Vec<String> = seen.into_iter().take(LISTED_MAX).map(|(_, _, s)| s).collect();
    if !listed.is_empty() {
        let _ = write!(words, "\nForeign nearby: {}", listed.join("; "));
    }
    if more > 0 {
        let _ = write!(words, "; {more} more");
    }
}

fn stance_of(o: &Observation, owner: crate::ids::PlayerId) -> &'static str {
    match o.players.iter().find(|p| p.id == owner) {
        Some(p) if p.barbarian.is_some() => "barbarians, always hostile",
        Some(p) => text::stance(p.stance),
        None => "unknown",
    }
}

fn player(o: &Observation, rules: &Rules) -> String {
    let me = &o.me;
    let unrest = o.cities.iter().filter(|c| c.disorder).count();
    let income = income(o, rules);
    format!(
        "Nation: score {}, {} gold ({income:+} a turn), government {}, \
         rates tax {} luxury {} science {} (no rate above {}), \
         {} cities ({unrest} in disorder), {} advances\nResearch: {}",
        me.score,
        me.gold,
        text::government(rules, me.government.0),
        me.rates.tax,
        me.rates.luxury,
        me.rates.science,
        me.rate_max,
        o.cities.len(),
        me.advances.len(),
        text::research(o, rules)
    )
}
