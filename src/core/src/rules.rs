//! The ruleset as the server sent it: types, costs, requirements, flags and effects. Planners and
//! menus read it, so that nobody hard-codes a unit, building or advance by name.

use serde::{Deserialize, Serialize};

use crate::ids::{AdvanceId, BuildingId, ExtraId, GovernmentId, TerrainId, UnitTypeId};

/// Food, shield, trade, gold, luxury, science: the six outputs, in the server's order.
pub type Output = [i32; 6];
/// Position of food in an [`Output`].
pub const FOOD: usize = 0;
/// Position of shields in an [`Output`].
pub const SHIELD: usize = 1;
/// Position of trade in an [`Output`].
pub const TRADE: usize = 2;
/// Position of gold in an [`Output`].
pub const GOLD: usize = 3;
/// Position of luxury in an [`Output`].
pub const LUXURY: usize = 4;
/// Position of science in an [`Output`].
pub const SCIENCE: usize = 5;

/// Everything the server told about the ruleset, recorded once per trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Name of the ruleset, for example `Classic ruleset`.
    pub name: String,
    /// The ruleset's own version text, may be empty.
    pub version: String,
    /// Fragments in one full move (3 in classic).
    pub move_fragments: u32,
    /// Fragments of a step for units that ignore terrain (1 in classic).
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub igter_cost: u32,
    /// Least distance between two cities, in tiles (2: not adjacent).
    pub city_distance_min: u32,
    /// Squared radius within which a new city may work tiles.
    pub city_radius_sq: u32,
    /// Terrains by [`TerrainId`].
    pub terrains: Vec<Terrain>,
    /// Roads, irrigation, mines, bases, resources, huts, rivers, by [`ExtraId`].
    pub extras: Vec<Extra>,
    /// Unit classes (land, sea, air, missile …) by index.
    pub unit_classes: Vec<UnitClass>,
    /// Unit types by [`UnitTypeId`].
    pub unit_types: Vec<UnitType>,
    /// Improvements and wonders by [`BuildingId`].
    pub buildings: Vec<Building>,
    /// Advances by [`AdvanceId`]; entry 0 is the server's "none".
    pub advances: Vec<Advance>,
    /// Governments by [`GovernmentId`].
    pub governments: Vec<Government>,
    /// Specialists by [`SpecialistId`](crate::ids::SpecialistId).
    pub specialists: Vec<Specialist>,
    /// Effects: what changes when requirements hold.
    pub effects: Vec<Effect>,
    /// Unit-action enablers: what actor and target must fulfil.
    pub enablers: Vec<Enabler>,
}

/// One condition. `kind` and `range` keep the server's numbering (FORMAT.md lists both).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// What is asked about (1 advance, 2 government, 3 building, 4 terrain, 6 unit type …).
    pub kind: u8,
    /// Which one of that kind.
    pub value: i32,
    /// Where it must hold (0 local, 1 cardinally adjacent, 2 adjacent, 3 city, 6 player …).
    pub range: u8,
    /// Whether it still counts once destroyed.
    pub survives: bool,
    /// Whether it must be there, or must not.
    pub present: bool,
}

/// A terrain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terrain {
    /// Rule name.
    pub name: String,
    /// 0 land, 1 ocean.
    pub class: u8,
    /// Numbers of the terrain flags that are set.
    pub flags: Vec<u8>,
    /// Unit classes to which this terrain is native.
    pub native_to: Vec<u8>,
    /// Cost to enter, in full moves.
    pub movement_cost: u32,
    /// Defence bonus in percent.
    pub defense_bonus: i32,
    /// Output of a worked tile with nothing on it.
    pub output: Output,
    /// Resources that may occur.
    pub resources: Vec<ExtraId>,
    /// Turns of work to build a base; 0 when it cannot be done here.
    pub base_time: u32,
    /// Turns of work to build a road; 0 when it cannot be done here.
    pub road_time: u32,
    /// What irrigating leads to: the same terrain means an irrigation extra, another a change.
    pub irrigation_result: Option<TerrainId>,
    /// Food gained by irrigation.
    pub irrigation_food: u32,
    /// Turns of work to irrigate.
    pub irrigation_time: u32,
    /// What mining leads to.
    pub mining_result: Option<TerrainId>,
    /// Shields gained by a mine.
    pub mining_shield: u32,
    /// Turns of work to mine.
    pub mining_time: u32,
    /// What transforming leads to.
    pub transform_result: Option<TerrainId>,
    /// Turns of work to transform.
    pub transform_time: u32,
    /// Turns of work to clean pollution.
    pub clean_pollution_time: u32,
    /// Turns of work to clean fallout.
    pub clean_fallout_time: u32,
    /// Turns of work to pillage.
    pub pillage_time: u32,
}

/// Something on a tile beside its terrain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extra {
    /// Rule name.
    pub name: String,
    /// Numbers of the causes that are set (0 irrigation, 1 mine, 2 road, 3 base, 4 pollution, 5
    /// fallout, 6 hut, 8 resource).
    pub causes: Vec<u8>,
    /// Numbers of the causes of removal that are set.
    pub removal_causes: Vec<u8>,
    /// What must hold to build it.
    pub reqs: Vec<Requirement>,
    /// What must hold to remove it.
    pub removal_reqs: Vec<Requirement>,
    /// Whether players can build it.
    pub buildable: bool,
    /// Own build time in turns, 0 to use the terrain's.
    pub build_time: u32,
    /// Defence bonus in percent.
    pub defense_bonus: i32,
    /// Unit classes to which it makes a tile native.
    pub native_to: Vec<u8>,
    /// Numbers of the extra flags that are set.
    pub flags: Vec<u8>,
    /// Extras that hide this one when they are present.
    pub hidden_by: Vec<ExtraId>,
    /// Extras that cannot stand on the same tile.
    pub conflicts: Vec<ExtraId>,
    /// What it adds to the output of its tile when it is a resource.
    pub resource_output: Option<Output>,
    /// Further facts when it is a road, railroad or river.
    pub road: Option<Road>,
    /// Further facts when it is a base.
    pub base: Option<Base>,
}

/// What only roads, railroads and rivers have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Road {
    /// What must hold for the first tile of it (not next to another).
    pub first_reqs: Vec<Requirement>,
    /// Cost to move along it in fragments; negative when it gives no bonus.
    pub move_cost: i32,
    /// 0 cardinal only, 1 relaxed, 2 fast always.
    pub move_mode: u8,
    /// Roads it joins up with.
    pub integrates: Vec<ExtraId>,
    /// Numbers of the road flags that are set.
    pub flags: Vec<u8>,
    /// Output added always.
    pub output_const: Output,
    /// Output added in percent of the terrain's road increment.
    pub output_increment_pct: Output,
}

/// What only bases have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// 0 fortress-like, 1 airbase-like, 2 other.
    pub gui_type: u8,
    /// Squared radius of the border it claims; negative for none.
    pub border_sq: i32,
    /// Numbers of the base flags that are set.
    pub flags: Vec<u8>,
}

/// How a family of units moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitClass {
    /// Rule name.
    pub name: String,
    /// Numbers of the class flags that are set.
    pub flags: Vec<u8>,
    /// Least speed in fragments.
    pub speed_min: u32,
    /// Hit points lost each turn outside a city, in percent.
    pub hp_loss_pct: u32,
    /// 0 normal, 1 nothing, 2 frighten.
    pub hut_behavior: u8,
}

/// A unit type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitType {
    /// Rule name.
    pub name: String,
    /// Index into [`Rules::unit_classes`].
    pub class: u8,
    /// Shields, as the game's `shieldbox` setting makes it.
    pub build_cost: u32,
    /// Citizens used up when built.
    pub pop_cost: u32,
    /// Attack strength.
    pub attack: u32,
    /// Defence strength.
    pub defense: u32,
    /// Moves per turn in fragments.
    pub move_rate: u32,
    /// Full hit points.
    pub hp: u32,
    /// Damage in one combat round.
    pub firepower: u32,
    /// Advance needed to build it.
    pub advance: Option<AdvanceId>,
    /// Building needed in the city.
    pub building: Option<BuildingId>,
    /// Government needed.
    pub government: Option<GovernmentId>,
    /// Type that makes it obsolete.
    pub obsoleted_by: Option<UnitTypeId>,
    /// Type it can convert to.
    pub converted_to: Option<UnitTypeId>,
    /// Squared radius of sight.
    pub vision_radius_sq: u32,
    /// How many units it carries.
    pub transport_capacity: u32,
    /// Unit classes it can carry.
    pub cargo: Vec<u8>,
    /// Unit classes it may attack even where unreachable.
    pub targets: Vec<u8>,
    /// Unit classes it can board outside a city.
    pub embarks: Vec<u8>,
    /// Unit classes it can leave outside a city.
    pub disembarks: Vec<u8>,
    /// Turns it can stay in the air, 0 for no limit.
    pub fuel: u32,
    /// Unhappiness caused.
    pub happy_cost: u32,
    /// Upkeep by output.
    pub upkeep: Output,
    /// Range of a paradrop in tiles.
    pub paratroopers_range: u32,
    /// Damage rounds of a bombardment, 0 when it cannot.
    pub bombard_rate: u32,
    /// Size of a city it founds.
    pub city_size: u32,
    /// Numbers of the unit type flags that are set.
    pub flags: Vec<u8>,
    /// Numbers of the unit roles that are set.
    pub roles: Vec<u8>,
    /// Names of the veteran levels, weakest first.
    pub veteran_names: Vec<String>,
}

/// An improvement, wonder or special item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Building {
    /// Rule name.
    pub name: String,
    /// Great wonder, small wonder, improvement or special.
    pub genus: Genus,
    /// Shields, as the game's `shieldbox` setting makes it.
    pub build_cost: u32,
    /// Gold each turn.
    pub upkeep: u32,
    /// What must hold to build it.
    pub reqs: Vec<Requirement>,
    /// What makes it obsolete.
    pub obsolete_by: Vec<Requirement>,
    /// Numbers of the building flags that are set.
    pub flags: Vec<u8>,
}

/// Kind of an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Genus {
    /// One in the world.
    GreatWonder,
    /// One for each player.
    SmallWonder,
    /// One for each city.
    Improvement,
    /// Coinage and spaceship parts.
    Special,
}

/// A technology.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advance {
    /// Rule name.
    pub name: String,
    /// Advances that must be known before.
    pub requires: Vec<AdvanceId>,
    /// How many advances lie on the way to it, itself included.
    pub steps: u32,
    /// Bulbs at the ruleset's linear cost, in hundredths.
    pub cost_centibulbs: u32,
    /// Whether the ruleset removed it.
    pub removed: bool,
    /// Numbers of the advance flags that are set.
    pub flags: Vec<u8>,
}

/// A form of government.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Government {
    /// Rule name.
    pub name: String,
    /// What must hold to choose it.
    pub reqs: Vec<Requirement>,
}

/// A citizen who works no tile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Specialist {
    /// Rule name.
    pub name: String,
    /// What must hold to use it.
    pub reqs: Vec<Requirement>,
}

/// A number that the ruleset adds somewhere while requirements hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The server's effect type number (57 Max_Rates, 84 Irrig_Possible …).
    pub kind: u8,
    /// What it adds.
    pub value: i32,
    /// When it counts.
    pub reqs: Vec<Requirement>,
}

/// What actor and target must fulfil for a unit action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enabler {
    /// The server's action number.
    pub action: u8,
    /// About the acting unit and its owner.
    pub actor_reqs: Vec<Requirement>,
    /// About the target.
    pub target_reqs: Vec<Requirement>,
}

impl Rules {
    /// The unit type, or a named placeholder row is impossible: ids come from the same server.
    pub fn unit_type(&self, id: UnitTypeId) -> Option<&UnitType> {
        self.unit_types.get(usize::from(id.0))
    }

    /// The building with this id.
    pub fn building(&self, id: BuildingId) -> Option<&Building> {
        self.buildings.get(usize::from(id.0))
    }

    /// The advance with this id.
    pub fn advance(&self, id: AdvanceId) -> Option<&Advance> {
        self.advances.get(usize::from(id.0))
    }

    /// The terrain with this id.
    pub fn terrain(&self, id: TerrainId) -> Option<&Terrain> {
        self.terrains.get(usize::from(id.0))
    }

    /// The extra with this id.
    pub fn extra(&self, id: ExtraId) -> Option<&Extra> {
        self.extras.get(usize::from(id.0))
    }

    /// The government with this id.
    pub fn government(&self, id: GovernmentId) -> Option<&Government> {
        self.governments.get(usize::from(id.0))
    }

    /// Whether units of this type can found cities, as far as the ruleset's enablers say.
    pub fn can_found_city(&self, unit: &UnitType) -> bool {
        self.type_may(ACTION_FOUND_CITY, unit)
    }

    /// Whether some enabler of the action allows units of this type, as far as type, flags and
    /// class decide.
    pub fn type_may(&self, action: u8, unit: &UnitType) -> bool {
        let allows =
            |e: &Enabler| e.actor_reqs.iter().all(|r| self.type_meets(r, unit).unwrap_or(true));
        self.enablers.iter().any(|e| e.action == action && allows(e))
    }

    /// Whether a requirement holds for every unit of this type; `None` when it is about something
    /// else than the type.
    pub fn type_meets(&self, req: &Requirement, unit: &UnitType) -> Option<bool> {
        let value = usize::try_from(req.value).ok()?;
        let flag = |flags: &[u8]| flags.iter().any(|f| usize::from(*f) == value);
        let there = match req.kind {
            REQ_UNIT_TYPE => self.unit_types.get(value).is_some_and(|t| t.name == unit.name),
            REQ_UNIT_FLAG => flag(&unit.flags),
            REQ_UNIT_CLASS => usize::from(unit.class) == value,
            REQ_UNIT_CLASS_FLAG => {
                let class = self.unit_classes.get(usize::from(unit.class));
                class.is_some_and(|c| flag(&c.flags))
            }
            _ => return None,
        };
        Some(there == req.present)
    }
}

/// Action number: found a city.
const ACTION_FOUND_CITY: u8 = 25;
/// Requirement kinds that a unit type alone decides.
const REQ_UNIT_TYPE: u8 = 6;
const REQ_UNIT_FLAG: u8 = 7;
const REQ_UNIT_CLASS: u8 = 8;
const REQ_UNIT_CLASS_FLAG: u8 = 9;

/// Unit type flag: a civilian.
pub const UTYF_CIVILIAN: u8 = 3;
/// Unit type flag: can do terrain work.
pub const UTYF_SETTLERS: u8 = 9;
/// Unit type flag: a diplomat.
pub const UTYF_DIPLOMAT: u8 = 10;

impl UnitType {
    /// The ruleset calls it a civilian. What is none the server counts as military.
    pub fn is_civilian(&self) -> bool {
        self.flags.contains(&UTYF_CIVILIAN)
    }

    /// Military: it can attack and the ruleset does not call it a civilian (the SAGA paper
    /// does not say; chosen).
    pub fn is_military(&self) -> bool {
        (self.attack > 0 || self.defense > 1)
            && !self.is_civilian()
            && !self.flags.contains(&UTYF_SETTLERS)
            && !self.flags.contains(&UTYF_DIPLOMAT)
    }
}
