//! What each of our units, cities and our player may lawfully do now. Only what the server would
//! accept is offered, as far as our seat can know; whatever only the server can tell is asked.

mod actions;
mod at_home;
mod build;
mod cities;
mod citizens;
mod diplomacy;
mod enablers;
mod frontier;
mod goto;
mod moves;
mod player;
mod proposals;
mod questions;
mod space;
mod transports;
mod units;
mod work;

pub use actions::action_word;
pub(crate) use actions::{ATTACK, CONQUER, FOUND_CITY, JOIN_CITY};
pub(crate) use questions::Question;
pub(crate) use space::Place;
pub(crate) use work::activity_of;

use std::collections::BTreeMap;

use saga_core::action::{Action, Actor};
use saga_core::ids::PlayerId;
use saga_core::observation::Stance;
use saga_core::rules::{Rules, Terrain, UnitClass, UnitType};

use crate::rules::{About, Judge};
use crate::world::World;
use crate::world::codes;
use crate::world::model::{CityState, PlayerState, TileIndex, TileState, UnitState};
use frontier::Frontier;
use goto::Roads;

/// The world laid out for asking who stands where, made anew for each observation or order.
#[derive(Debug)]
pub(crate) struct Board<'a> {
    pub(crate) world: &'a World,
    pub(crate) rules: &'a Rules,
    pub(crate) seat: PlayerId,
    pub(crate) me: &'a PlayerState,
    judge: Judge<'a>,
    units_at: BTreeMap<TileIndex, Vec<&'a UnitState>>,
    city_at: BTreeMap<TileIndex, &'a CityState>,
    frontier: Frontier,
    roads: Roads,
    open: std::cell::OnceCell<build::Open>,
    /// Whether an effect gives us an embassy with everybody.
    embassies: std::cell::OnceCell<bool>,
}

impl<'a> Board<'a> {
    /// `None` until the rules and our seat are known.
    pub(crate) fn new(world: &'a World) -> Option<Self> {
        let (seat, me) = (world.seat()?, world.me()?);
        let rules = world.rules_ref()?;
        let mut units_at: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for unit in world.units.values() {
            units_at.entry(unit.tile).or_default().push(unit);
        }
        let city_at = world.cities.values().map(|city| (city.tile, city)).collect();
        Some(Self {
            world,
            rules,
            seat,
            me,
            judge: Judge { world, rules },
            units_at,
            city_at,
            frontier: Frontier::default(),
            roads: Roads::default(),
            open: std::cell::OnceCell::new(),
            embassies: std::cell::OnceCell::new(),
        })
    }

    /// Everything this actor may do now, `Skip` left out. Of units, as far as the questions that
    /// concern them were answered.
    pub(crate) fn of(&self, actor: Actor) -> Vec<Action> {
        match actor {
            Actor::Unit(id) => {
                let own = self.world.units.get(&id).filter(|u| self.world.is_ours(u.owner));
                own.map_or_else(Vec::new, |unit| self.of_unit(unit))
            }
            Actor::City(id) => {
                let own = self.world.cities.get(&id).filter(|c| self.world.is_ours(c.owner));
                own.map_or_else(Vec::new, |city| self.of_city(city))
            }
            Actor::Player => [self.technology(), self.government()].concat(),
            Actor::Toward(other) => self.toward(other),
        }
    }

    /// Whether this actor may do this now; `Skip` left out.
    pub(crate) fn allows(&self, actor: Actor, action: &Action) -> bool {
        match actor {
            Actor::Unit(id) => {
                let own = self.world.units.get(&id).filter(|u| self.world.is_ours(u.owner));
                own.is_some_and(|unit| self.unit_allows(unit, action))
            }
            _ => self.of(actor).contains(action),
        }
    }

    /// The highest single tax rate our government allows, in percent.
    pub(crate) fn rate_max(&self) -> u8 {
        self.max_rate()
    }

    /// Whether we have an embassy with somebody, by an agreement or by an effect.
    pub(crate) fn embassy_with(&self, other: PlayerId) -> bool {
        self.has_embassy_with(other)
    }

    fn units_on(&self, tile: TileIndex) -> &[&'a UnitState] {
        self.units_at.get(&tile).map_or(&[], Vec::as_slice)
    }

    fn tile(&self, tile: TileIndex) -> Option<&'a TileState> {
        self.world.tile(tile)
    }

    fn terrain(&self, tile: &TileState) -> Option<&'a Terrain> {
        self.rules.terrains.get(usize::from(tile.terrain?))
    }

    fn unit_type(&self, unit: &UnitState) -> Option<&'a UnitType> {
        self.rules.unit_type(unit.kind)
    }

    fn class(&self, unit_type: &UnitType) -> Option<&'a UnitClass> {
        self.rules.unit_classes.get(usize::from(unit_type.class))
    }

    fn stance(&self, other: PlayerId) -> Stance {
        codes::stance(self.world.pact(other).kind)
    }

    /// Ourselves, allies and team mates.
    fn friendly(&self, other: PlayerId) -> bool {
        self.world.is_ours(other) || matches!(self.stance(other), Stance::Alliance | Stance::Team)
    }

    fn about_unit_on_tile(unit: &UnitState) -> About<'_> {
        About { tile: Some(unit.tile), unit_type: Some(unit.kind), ..About::default() }
    }

    fn about_unit(&self, unit: &'a UnitState) -> About<'a> {
        About {
            city: self.city_at.get(&unit.tile).copied(),
            tile: Some(unit.tile),
            unit_type: Some(unit.kind),
            unit: Some(unit),
            ..About::default()
        }
    }
}

fn has(flags: &[u8], flag: u8) -> bool {
    flags.contains(&flag)
}

/// Unit type flags.
mod type_flag {
    pub(super) const CANT_FORTIFY: u8 = 0;
    pub(super) const NO_ZOC: u8 = 1;
    pub(super) const IGNORES_ZOC: u8 = 2;
    pub(super) const CIVILIAN: u8 = 3;
    pub(super) const SETTLERS: u8 = 9;
    pub(super) const COAST_STRICT: u8 = 11;
    pub(super) const COAST: u8 = 12;
    pub(super) const UNIQUE: u8 = 18;
    pub(super) const NO_BUILD: u8 = 24;
    pub(super) const BARBARIAN_ONLY: u8 = 27;
}

/// Unit class flags.
mod class_flag {
    pub(super) const BUILD_ANYWHERE: u8 = 5;
    pub(super) const ZOC: u8 = 8;
    pub(super) const CAN_FORTIFY: u8 = 9;
    pub(super) const CAN_PILLAGE: u8 = 10;
    pub(super) const PASSES_BY: u8 = 11;
}

/// Terrain flags.
mod terrain_flag {
    pub(super) const NO_CITIES: u8 = 1;
    pub(super) const UNSAFE_COAST: u8 = 4;
    pub(super) const NO_ZOC: u8 = 7;
    pub(super) const NO_FORTIFY: u8 = 8;
    pub(super) const FROZEN: u8 = 9;
}

/// Extra flags.
mod extra_flag {
    pub(super) const REFUEL: u8 = 1;
}
