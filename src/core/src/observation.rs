//! All that our player may see and lawfully do at one moment: a plain, ordered value. Fog is
//! respected because it is folded from what the server sent to our seat and nothing else.

use serde::{Deserialize, Serialize};

use crate::action::{Action, Clause, Item, Rates};
use crate::ids::{
    AdvanceId, BuildingId, CityId, ExtraId, GovernmentId, PlayerId, Pos, TerrainId, UnitId,
    UnitTypeId,
};
use crate::measures::Measures;
use crate::rules::Output;

/// One moment of one seat. Lists are sorted by id (tiles by row, then column).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Whose eyes these are.
    pub seat: PlayerId,
    /// The turn being played, from 1.
    pub turn: u32,
    /// The year of that turn (negative: BC).
    pub year: i32,
    /// Our own player.
    pub me: OwnPlayer,
    /// Everybody else we know of, barbarians included and marked.
    pub players: Vec<OtherPlayer>,
    /// Our cities, in full.
    pub cities: Vec<City>,
    /// Other cities as we see or remember them.
    pub foreign_cities: Vec<ForeignCity>,
    /// Our units, in full, with what each may lawfully do.
    pub units: Vec<Unit>,
    /// Units of others in sight.
    pub foreign_units: Vec<ForeignUnit>,
    /// The map as we know it.
    pub map: Map,
    /// Meetings that are open.
    pub treaties: Vec<Treaty>,
    /// What happened since the last observation, in the order told.
    pub events: Vec<Event>,
    /// In the first moment of a turn: what we owned when it opened, before anybody moved in it. The
    /// server writes its score log then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Measures>,
}

/// Our player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPlayer {
    /// The leader's name.
    pub name: String,
    /// False once the last city and unit are gone.
    pub alive: bool,
    /// The server's score.
    pub score: u32,
    /// Gold in the treasury.
    pub gold: u32,
    /// Tax rates now.
    pub rates: Rates,
    /// The government's cap on a single rate, in percent.
    pub rate_max: u8,
    /// Government now.
    pub government: GovernmentId,
    /// Turn in which a running revolution ends.
    pub revolution_ends: Option<u32>,
    /// Culture points: history and this turn's.
    pub culture: u32,
    /// Known advances.
    pub advances: Vec<AdvanceId>,
    /// What is being researched.
    pub research: Research,
    /// The spaceship, once a part of it was built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spaceship: Option<Spaceship>,
    /// Lawful choices of research and goal.
    pub technology_actions: Vec<Action>,
    /// Lawful revolutions and rate changes.
    pub government_actions: Vec<Action>,
}

/// How far our spaceship is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spaceship {
    /// Structurals built.
    pub structurals: u32,
    /// Components built.
    pub components: u32,
    /// Modules built.
    pub modules: u32,
    /// Parts built that are not in their places yet.
    pub unplaced: u32,
    /// On its way.
    pub launched: bool,
    /// Chance that it arrives, in percent, as it stands.
    pub success_pct: u32,
    /// Years it takes, rounded up.
    pub travel_years: u32,
}

/// The state of our research.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Research {
    /// Current subject, if one is set.
    pub now: Option<AdvanceId>,
    /// Bulbs gathered.
    pub bulbs: u32,
    /// Bulbs needed.
    pub cost: u32,
    /// Long-term goal, if one is set.
    pub goal: Option<AdvanceId>,
    /// Bulbs gained each turn.
    pub bulbs_per_turn: i32,
    /// Advances beyond the last of the tree.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub future: u32,
}

/// Somebody else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherPlayer {
    /// Seat number.
    pub id: PlayerId,
    /// The leader's name.
    pub name: String,
    /// False once dead, as far as we were told.
    pub alive: bool,
    /// `land`, `sea`, `animal` or `land_and_sea` for barbarians.
    pub barbarian: Option<String>,
    /// Our pact.
    pub stance: Stance,
    /// Turns until the pact changes by itself, 0 for none.
    pub stance_turns: u32,
    /// Whether we may talk now.
    pub contact: bool,
    /// Whether we have an embassy with them.
    pub embassy: bool,
    /// Whether they have one with us.
    pub embassy_of_theirs: bool,
    /// Score, when contact or embassy shows it.
    pub score: Option<u32>,
    /// Gold, when contact or embassy shows it.
    pub gold: Option<u32>,
    /// Government, when contact or embassy shows it.
    pub government: Option<GovernmentId>,
    /// Number of known advances, when an embassy shows it.
    pub advances: Option<u32>,
    /// Which those are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<AdvanceId>,
    /// They show us what they see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vision_from: bool,
    /// We show them what we see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vision_to: bool,
    /// Lawful diplomacy toward them.
    pub actions: Vec<Action>,
}

/// The pact between two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Stance {
    NoContact,
    War,
    CeaseFire,
    Armistice,
    Peace,
    Alliance,
    Team,
}

/// One of our cities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct City {
    /// Number.
    pub id: CityId,
    /// Name.
    pub name: String,
    /// Where.
    pub at: Pos,
    /// Citizens.
    pub size: u32,
    /// Happy, content, unhappy and angry citizens after all effects.
    pub mood: [u32; 4],
    /// In disorder: angry and unhappy outweigh the happy.
    pub disorder: bool,
    /// Specialists by [`SpecialistId`](crate::ids::SpecialistId).
    pub specialists: Vec<u32>,
    /// Net output each turn.
    pub surplus: Output,
    /// Food gathered.
    pub food_stock: i32,
    /// Food needed to grow.
    pub granary: i32,
    /// Shields gathered.
    pub shield_stock: u32,
    /// What is being built.
    pub production: Item,
    /// Shields it costs.
    pub production_cost: u32,
    /// What comes after.
    pub worklist: Vec<Item>,
    /// What finishing now would cost in gold, 0 when it cannot be bought.
    pub buy_cost: u32,
    /// Bought already this turn.
    pub did_buy: bool,
    /// Sold a building already this turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub did_sell: bool,
    /// Squared distance up to which it may work tiles.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub radius_sq: u32,
    /// Completed buildings.
    pub buildings: Vec<BuildingId>,
    /// Turn of founding, or of conquest.
    pub turn_founded: i32,
    /// Turn in which it last finished something.
    pub turn_last_built: i32,
    /// Pollution points.
    pub pollution: u32,
    /// Culture points.
    pub culture: u32,
    /// Lawful changes of production, worklist and citizens, purchases and sales.
    pub actions: Vec<Action>,
}

/// A city of somebody else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignCity {
    /// Number.
    pub id: CityId,
    /// Name.
    pub name: String,
    /// Whose.
    pub owner: PlayerId,
    /// Where.
    pub at: Pos,
    /// Citizens when last seen.
    pub size: u32,
    /// Whether units were in it when last seen.
    pub occupied: bool,
    /// Walls seen.
    pub walls: bool,
    /// Buildings we can see from outside, or all of them once somebody of ours looked inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buildings: Vec<BuildingId>,
}

/// One of our units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Number.
    pub id: UnitId,
    /// Type.
    pub kind: UnitTypeId,
    /// Where.
    pub at: Pos,
    /// Home city that supports it.
    pub home: Option<CityId>,
    /// Hit points left.
    pub hp: u32,
    /// Moves left, in fragments.
    pub moves: u32,
    /// Veteran level, 0 for green.
    pub veteran: u32,
    /// Turns of fuel left, 0 when it needs none.
    pub fuel: u32,
    /// What it is busy with.
    pub activity: Activity,
    /// Extra it works on.
    pub activity_extra: Option<ExtraId>,
    /// Improves terrain by itself.
    pub auto: bool,
    /// Where its orders lead, while it has some.
    pub goto: Option<Pos>,
    /// The transport it is on.
    pub aboard: Option<UnitId>,
    /// What it may lawfully do now; `Skip` always is and is not listed.
    pub actions: Vec<Action>,
}

/// What a unit is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Activity {
    Idle,
    Fortifying,
    Fortified,
    Sentry,
    Explore,
    Irrigate,
    Mine,
    Road,
    Base,
    Transform,
    CleanPollution,
    CleanFallout,
    Pillage,
    Convert,
    Other,
}

/// A unit of somebody else, in sight now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignUnit {
    /// Number.
    pub id: UnitId,
    /// Whose.
    pub owner: PlayerId,
    /// Type.
    pub kind: UnitTypeId,
    /// Where.
    pub at: Pos,
    /// Hit points.
    pub hp: u32,
    /// Veteran level.
    pub veteran: u32,
}

/// The map as our player knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// East and west edges touch.
    pub wrap_x: bool,
    /// North and south edges touch.
    pub wrap_y: bool,
    /// Tiles we have seen at some time, by row, then column.
    pub tiles: Vec<Tile>,
}

/// One known tile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile {
    /// Where.
    pub at: Pos,
    /// In sight now; otherwise as remembered.
    pub seen: bool,
    /// Terrain.
    pub terrain: TerrainId,
    /// Roads, resources, huts and the like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extras: Vec<ExtraId>,
    /// Whose land it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<PlayerId>,
    /// The city that works it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worked_by: Option<CityId>,
}

/// A meeting with somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Treaty {
    /// With whom.
    pub with: PlayerId,
    /// Who opened it.
    pub opened_by: PlayerId,
    /// What lies on the table.
    pub clauses: Vec<Clause>,
    /// We accepted it as it stands.
    pub accepted_by_us: bool,
    /// They accepted it as it stands.
    pub accepted_by_them: bool,
}

/// Something the server told us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The server's event, in snake case (`city_lost`, `unit_win_att`).
    pub kind: String,
    /// Its words, without markup.
    pub text: String,
    /// Where.
    pub at: Option<Pos>,
}
