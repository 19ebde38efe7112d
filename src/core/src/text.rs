//! The shared observation-to-text wrapper: the full serialised state that planners and advisors may
//! read, and the small words it is made of. Facts only, no advice.

use std::fmt::Write as _;

use crate::action::Item;
use crate::ids::{ExtraId, PlayerId, Pos, TerrainId, UnitTypeId};
use crate::observation::{City, Map, Observation, OtherPlayer, Stance, Tile, Unit};
use crate::rules::{FOOD, GOLD, Output, Rules, SCIENCE, SHIELD, TRADE, UnitType};

/// The whole state in words: grows with cities, units and known tiles.
pub fn state(o: &Observation, rules: &Rules) -> String {
    let mut text = String::with_capacity(16 * 1024);
    let t = &mut text;
    nation(t, o, rules);
    line(t, format_args!("\n# Other players"));
    for p in &o.players {
        other(t, p, rules);
    }
    line(t, format_args!("\n# Our cities ({})", o.cities.len()));
    for c in &o.cities {
        line(t, format_args!("{}", city(c, o, rules)));
    }
    line(t, format_args!("\n# Our units ({})", o.units.len()));
    for u in &o.units {
        line(t, format_args!("{}", unit(u, rules)));
    }
    line(t, format_args!("\n# Foreign cities known ({})", o.foreign_cities.len()));
    for c in &o.foreign_cities {
        let held = if c.occupied { ", occupied" } else { "" };
        let walls = if c.walls { ", walls" } else { "" };
        let owner = player_name(o, c.owner);
        line(
            t,
            format_args!(
                "city:{} {} of {owner} at {}, size {}{held}{walls}",
                c.id, c.name, c.at, c.size
            ),
        );
    }
    line(t, format_args!("\n# Foreign units in sight ({})", o.foreign_units.len()));
    for f in &o.foreign_units {
        let kind = unit_name(rules, f.kind);
        let owner = player_name(o, f.owner);
        line(t, format_args!("unit:{} {kind} of {owner} at {}, {} hp", f.id, f.at, f.hp));
    }
    if !o.treaties.is_empty() {
        line(t, format_args!("\n# Open treaties"));
    }
    for treaty in &o.treaties {
        let clauses: Vec<String> = treaty.clauses.iter().map(|c| clause(c, o, rules)).collect();
        let with = player_name(o, treaty.with);
        line(t, format_args!("with {with}: {}", clauses.join(", ")));
    }
    line(t, format_args!("\n# Events since the last look"));
    for e in &o.events {
        line(t, format_args!("- {}", e.text));
    }
    let Map { width, height, ref tiles, .. } = o.map;
    line(t, format_args!("\n# Known map ({} of {width}x{height} tiles)", tiles.len()));
    for known in tiles {
        line(t, format_args!("{}", tile(known, o, rules)));
    }
    text
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(text, "{words}").expect("writing to a string cannot fail");
}

fn nation(t: &mut String, o: &Observation, rules: &Rules) {
    let me = &o.me;
    line(t, format_args!("# Our nation, turn {} (year {})", o.turn, o.year));
    line(
        t,
        format_args!(
            "Leader {}; score {}; gold {}; government {}; \
             rates tax {} luxury {} science {} (max {}); culture {}",
            me.name,
            me.score,
            me.gold,
            government(rules, me.government.0),
            me.rates.tax,
            me.rates.luxury,
            me.rates.science,
            me.rate_max,
            me.culture
        ),
    );
    if let Some(turn) = me.revolution_ends {
        line(t, format_args!("Revolution until turn {turn}"));
    }
    line(t, format_args!("Research: {}", research(o, rules)));
    let known: Vec<&str> = me.advances.iter().map(|a| advance(rules, a.0)).collect();
    line(t, format_args!("Known advances ({}): {}", known.len(), known.join(", ")));
}

/// Current research in words.
pub fn research(o: &Observation, rules: &Rules) -> String {
    let r = &o.me.research;
    let now = r.now.map_or("nothing", |a| advance(rules, a.0));
    let goal = r.goal.map_or("none", |a| advance(rules, a.0));
    format!("{now} ({}/{} bulbs, {:+} a turn), goal {goal}", r.bulbs, r.cost, r.bulbs_per_turn)
}

fn other(t: &mut String, p: &OtherPlayer, rules: &Rules) {
    let mut words = format!("player:{} {}", p.id, p.name);
    if let Some(kind) = &p.barbarian {
        let _ = write!(words, " (barbarians: {kind})");
    }
    if !p.alive {
        words.push_str(" (dead)");
    }
    let _ = write!(words, ": {}", pact(p));
    words.push_str(if p.contact { ", in contact" } else { ", no contact" });
    if p.embassy {
        words.push_str(", we have an embassy");
    }
    if p.embassy_of_theirs {
        words.push_str(", they have an embassy");
    }
    if let Some(score) = p.score {
        let _ = write!(words, ", score {score}");
    }
    if let Some(gold) = p.gold {
        let _ = write!(words, ", gold {gold}");
    }
    if let Some(g) = p.government {
        let _ = write!(words, ", {}", government(rules, g.0));
    }
    if let Some(n) = p.advances {
        let _ = write!(words, ", {n} advances");
    }
    line(t, format_args!("{words}"));
}

/// One of our cities in one line.
pub fn city(c: &City, o: &Observation, rules: &Rules) -> String {
    let built: Vec<&str> = c.buildings.iter().map(|b| building(rules, b.0)).collect();
    let s = &c.surplus;
    format!(
        "city:{} {} at {}: size {}, food {:+} ({}/{}), \
         shields {:+}, trade {:+}, gold {:+}, science {:+}; \
         building {} ({}/{}); defenders {}; {}buildings: {}",
        c.id,
        c.name,
        c.at,
        c.size,
        s[FOOD],
        c.food_stock,
        c.granary,
        s[SHIELD],
        s[TRADE],
        s[GOLD],
        s[SCIENCE],
        item(rules, c.production),
        c.shield_stock,
        c.production_cost,
        defenders(c, o, rules),
        if c.disorder { "in disorder; " } else { "" },
        if built.is_empty() { "none".to_owned() } else { built.join(", ") }
    )
}

/// Military units standing in a city.
pub fn defenders(c: &City, o: &Observation, rules: &Rules) -> usize {
    let guards =
        |u: &&Unit| u.at == c.at && rules.unit_type(u.kind).is_some_and(UnitType::is_military);
    o.units.iter().filter(guards).count()
}

/// One of our units in one line.
pub fn unit(u: &Unit, rules: &Rules) -> String {
    let mut words = format!(
        "unit:{} {} at {}: {} hp, moves {}/{}, {}",
        u.id,
        unit_name(rules, u.kind),
        u.at,
        u.hp,
        u.moves,
        rules.unit_type(u.kind).map_or(0, |t| t.move_rate),
        activity(u)
    );
    if u.veteran > 0 {
        let _ = write!(words, ", veteran level {}", u.veteran);
    }
    if let Some(home) = u.home {
        let _ = write!(words, ", home city:{home}");
    }
    words
}

fn activity(u: &Unit) -> String {
    if u.auto {
        return "improving terrain automatically".to_owned();
    }
    if let Some(to) = u.goto {
        return format!("on its way to {to}");
    }
    format!("{:?}", u.activity).to_lowercase()
}

/// One known tile in one line.
pub fn tile(known: &Tile, o: &Observation, rules: &Rules) -> String {
    let mut words = format!("{} {}", known.at, terrain(rules, known.terrain));
    for e in &known.extras {
        let _ = write!(words, ", {}", extra(rules, *e));
    }
    if let Some(owner) = known.owner {
        let _ = write!(words, "; of {}", player_name(o, owner));
    }
    if let Some(city) = known.worked_by {
        let _ = write!(words, "; worked by city:{city}");
    }
    if !known.seen {
        words.push_str("; fogged");
    }
    words
}

/// The tile at a place, when it is known. Tiles are sorted by row, then column.
pub fn tile_at(map: &Map, at: Pos) -> Option<&Tile> {
    let found = map.tiles.binary_search_by_key(&(at.y, at.x), |t| (t.at.y, t.at.x));
    found.ok().and_then(|i| map.tiles.get(i))
}

/// What a worked tile gives before city, government and roads: terrain and resources.
pub fn tile_output(tile: &Tile, rules: &Rules) -> Output {
    let mut output = rules.terrain(tile.terrain).map_or([0; 6], |t| t.output);
    for resource in tile.extras.iter().filter_map(|e| rules.extra(*e)?.resource_output) {
        for (sum, more) in output.iter_mut().zip(resource) {
            *sum = sum.saturating_add(more);
        }
    }
    output
}

/// A player's name, our own included.
pub fn player_name(o: &Observation, id: PlayerId) -> &str {
    if id == o.seat {
        return "us";
    }
    o.players.iter().find(|p| p.id == id).map_or("an unknown player", |p| &p.name)
}

/// A clause of a treaty in words.
pub fn clause(c: &crate::action::Clause, o: &Observation, rules: &Rules) -> String {
    use crate::action::ClauseKind as K;
    let giver = player_name(o, c.giver);
    match c.kind {
        K::Advance => format!("{giver} give the advance {}", advance(rules, c.value as u16)),
        K::Gold => format!("{giver} give {} gold", c.value),
        K::WorldMap => format!("{giver} give a world map"),
        K::SeaMap => format!("{giver} give a sea map"),
        K::City => format!("{giver} give city:{}", c.value),
        K::CeaseFire => "cease-fire".to_owned(),
        K::Peace => "peace".to_owned(),
        K::Alliance => "alliance".to_owned(),
        K::SharedVision => format!("{giver} give shared vision"),
        K::Embassy => format!("{giver} give an embassy"),
    }
}

/// A cease-fire this near its end is about to become war, in turns.
pub const PACT_ENDS_TURNS: u32 = 4;

/// The pact with somebody in words, with the turns it still lasts.
pub fn pact(p: &OtherPlayer) -> String {
    let words = stance(p.stance);
    match (p.stance, p.stance_turns) {
        (_, 0) => words.to_owned(),
        (Stance::CeaseFire, n) if n <= PACT_ENDS_TURNS => {
            format!("{words}, about to run out into war in {n} turns")
        }
        (_, n) => format!("{words} for {n} more turns"),
    }
}

/// A kind of pact in words.
pub const fn stance(s: Stance) -> &'static str {
    match s {
        Stance::NoContact => "never met",
        Stance::War => "war",
        Stance::CeaseFire => "cease-fire",
        Stance::Armistice => "armistice",
        Stance::Peace => "peace",
        Stance::Alliance => "alliance",
        Stance::Team => "team",
    }
}

/// Name of what a city builds.
pub fn item(rules: &Rules, item: Item) -> &str {
    match item {
        Item::Unit(id) => unit_name(rules, id),
        Item::Building(id) => building(rules, id.0),
    }
}

/// Name of a unit type.
pub fn unit_name(rules: &Rules, id: UnitTypeId) -> &str {
    rules.unit_type(id).map_or("unknown unit", |t| &t.name)
}

/// Name of a building.
pub fn building(rules: &Rules, id: u16) -> &str {
    rules.building(crate::ids::BuildingId(id)).map_or("unknown building", |b| &b.name)
}

/// Name of an advance.
pub fn advance(rules: &Rules, id: u16) -> &str {
    rules.advance(crate::ids::AdvanceId(id)).map_or("unknown advance", |a| &a.name)
}

/// Name of a government.
pub fn government(rules: &Rules, id: u16) -> &str {
    rules.government(crate::ids::GovernmentId(id)).map_or("unknown government", |g| &g.name)
}

/// Name of a terrain.
pub fn terrain(rules: &Rules, id: TerrainId) -> &str {
    rules.terrain(id).map_or("unknown terrain", |t| &t.name)
}

/// Name of an extra.
pub fn extra(rules: &Rules, id: ExtraId) -> &str {
    rules.extra(id).map_or("unknown extra", |e| &e.name)
}
