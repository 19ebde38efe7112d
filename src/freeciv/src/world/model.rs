//! What the server told us, item by item, in its own numbers: the ground state from which the
//! observation, the menus and the judgement of orders are derived.

use std::collections::{BTreeMap, BTreeSet};

use saga_core::action::{Clause, Item, Rates};
use saga_core::ids::{BuildingId, CityId, ExtraId, PlayerId, UnitId, UnitTypeId};
use saga_core::rules::Output;

/// A tile's index: `row * width + column`.
pub(crate) type TileIndex = u32;

/// The game as a whole.
#[derive(Debug, Default)]
pub(crate) struct GameState {
    pub(crate) turn: u32,
    pub(crate) year: i32,
    pub(crate) fragments: i64,
    pub(crate) city_distance_min: u32,
    pub(crate) city_radius_sq: u32,
    pub(crate) food_box_pct: i64,
    pub(crate) shield_box_pct: i64,
    pub(crate) granary_first: Vec<i64>,
    pub(crate) granary_more: i64,
    /// Owner of each great wonder, see [`WONDER_FREE`] and [`WONDER_DESTROYED`].
    pub(crate) wonder_owners: Vec<i64>,
    /// Whether anybody knows each advance.
    pub(crate) known_anywhere: Vec<i64>,
    pub(crate) advances_anywhere: i64,
    pub(crate) interregnum: i64,
    pub(crate) rates_change: bool,
    /// Bits: 1 and 2 from and to allied cities, 4 and 8 without limit from and to cities.
    pub(crate) airlifting_style: i64,
    /// Whether advances may be stolen whose requirements the thief lacks.
    pub(crate) steal_with_holes: bool,
    pub(crate) teams_pool_research: bool,
    /// Who may talk to whom, in the numbering of the setting.
    pub(crate) diplomacy: u8,
    pub(crate) gold_trade: bool,
    pub(crate) advance_trade: bool,
    /// Whether an advance may be given to somebody who lacks what comes before it.
    pub(crate) advance_trade_holes: bool,
}

/// Code for a great wonder that nobody ever built.
pub(crate) const WONDER_FREE: i64 = 162;
/// Code for a great wonder that is gone.
pub(crate) const WONDER_DESTROYED: i64 = 161;

/// The map.
#[derive(Debug, Default)]
pub(crate) struct MapState {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) topology: i64,
    pub(crate) tiles: Vec<TileState>,
}

/// One tile; nothing is known of it while `known` is 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct TileState {
    /// 0 unknown, 1 remembered, 2 in sight.
    pub(crate) known: u8,
    pub(crate) continent: i64,
    pub(crate) terrain: Option<u16>,
    pub(crate) extras: Vec<ExtraId>,
    pub(crate) owner: Option<PlayerId>,
    pub(crate) worked_by: Option<CityId>,
}

/// A player, ourselves included.
#[derive(Debug, Clone)]
pub(crate) struct PlayerState {
    pub(crate) name: String,
    pub(crate) score: u32,
    pub(crate) government: i64,
    pub(crate) target_government: i64,
    /// Players with whom this one has an embassy that does not come from an effect.
    pub(crate) embassies: BTreeSet<u16>,
    pub(crate) nation: i64,
    pub(crate) team: i64,
    pub(crate) turns_alive: i64,
    pub(crate) alive: bool,
    pub(crate) gold: u32,
    pub(crate) rates: Rates,
    pub(crate) revolution_ends: i64,
    pub(crate) barbarian: u8,
    pub(crate) culture: u32,
    /// Players whom this one shows what it sees, as far as we were told.
    pub(crate) shows: BTreeSet<u16>,
    /// Played by the server's own AI.
    pub(crate) ai: bool,
}

/// The pact between two players as told.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PactState {
    pub(crate) kind: u8,
    pub(crate) turns_left: u32,
    pub(crate) contact_turns_left: u32,
    /// Whether a senate would let the pact be cancelled, for what the other side did.
    pub(crate) reason_to_cancel: bool,
}

/// A spaceship: parts built, and how many of each sort are in their places.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpaceshipState {
    pub(crate) stage: SpaceshipStage,
    pub(crate) structurals: u32,
    pub(crate) components: u32,
    pub(crate) modules: u32,
    pub(crate) fuel: u32,
    pub(crate) propulsion: u32,
    pub(crate) habitation: u32,
    pub(crate) life_support: u32,
    pub(crate) solar_panels: u32,
    /// The places of structurals that are taken, one bit each.
    pub(crate) structure: u32,
    /// In ten thousandths.
    pub(crate) success: u32,
    /// In ten thousandths of a year.
    pub(crate) travel: u32,
}

/// How far a spaceship is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum SpaceshipStage {
    #[default]
    None,
    Started,
    Launched,
    Arrived,
}

/// Research of a player or team.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResearchState {
    pub(crate) known: u32,
    /// Advances beyond the last of the tree.
    pub(crate) future: u32,
    pub(crate) now: i64,
    pub(crate) goal: i64,
    pub(crate) bulbs: u32,
    pub(crate) cost: u32,
    pub(crate) bulbs_per_turn: i32,
    /// One letter for each advance, by number: `0` out of reach now, `1` can be begun, `2` known.
    pub(crate) inventions: String,
}

/// A city of any player as last told.
#[derive(Debug, Clone)]
pub(crate) struct CityState {
    pub(crate) id: CityId,
    pub(crate) name: String,
    pub(crate) tile: TileIndex,
    pub(crate) owner: PlayerId,
    pub(crate) size: u32,
    pub(crate) occupied: bool,
    pub(crate) walls: bool,
    pub(crate) buildings: BTreeSet<BuildingId>,
    /// What only the owner is told.
    pub(crate) inside: Option<Box<Inside>>,
}

/// What a city's owner knows of it.
#[derive(Debug, Clone)]
pub(crate) struct Inside {
    /// Happy, content, unhappy and angry citizens after all effects.
    pub(crate) mood: [u32; 4],
    pub(crate) specialists: Vec<u32>,
    pub(crate) surplus: Output,
    pub(crate) food_stock: i32,
    pub(crate) shield_stock: u32,
    pub(crate) production: Item,
    pub(crate) worklist: Vec<Item>,
    pub(crate) buy_cost: u32,
    /// Units that can still be airlifted from or to it in this turn.
    pub(crate) airlifts: u32,
    pub(crate) did_buy: bool,
    pub(crate) did_sell: bool,
    /// It was in disorder when this turn began.
    pub(crate) rioted: bool,
    /// Squared distance up to which it may work tiles.
    pub(crate) radius_sq: u32,
    pub(crate) turn_founded: i32,
    pub(crate) turn_last_built: i32,
    pub(crate) pollution: u32,
    pub(crate) culture: u32,
}

impl Inside {
    /// Angry and unhappy citizens outweigh the happy.
    pub(crate) fn disorder(&self) -> bool {
        let [happy, _, unhappy, angry] = self.mood;
        happy < unhappy + 2 * angry
    }
}

/// A unit of any player. Of others `home`, `moves`, `fuel`, `auto`, `goto` and `orders` are not
/// told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnitState {
    pub(crate) id: UnitId,
    pub(crate) owner: PlayerId,
    pub(crate) kind: UnitTypeId,
    pub(crate) tile: TileIndex,
    pub(crate) home: Option<CityId>,
    pub(crate) veteran: u32,
    pub(crate) hp: u32,
    pub(crate) moves: u32,
    pub(crate) fuel: u32,
    pub(crate) activity: u8,
    pub(crate) activity_extra: Option<ExtraId>,
    pub(crate) auto: bool,
    pub(crate) goto: Option<TileIndex>,
    pub(crate) orders: bool,
    pub(crate) aboard: Option<UnitId>,
}

/// A meeting that is open.
#[derive(Debug, Clone)]
pub(crate) struct MeetingState {
    pub(crate) opened_by: PlayerId,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) accepted_by_us: bool,
    pub(crate) accepted_by_them: bool,
}

/// What the server answered about one unit and one tile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ActionsAnswer {
    pub(crate) target_unit: u32,
    pub(crate) target_city: u32,
    /// Numbers of the actions that may succeed.
    pub(crate) possible: BTreeSet<u8>,
}

/// A server setting while its parts arrive.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    pub(crate) names: BTreeMap<i64, String>,
    pub(crate) values: BTreeMap<String, String>,
}
