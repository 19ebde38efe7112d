//! How units of a type walk: which terrains and extras carry them, at what cost, and what holds
//! them up.

use crate::ids::UnitTypeId;
use crate::rules::{Rules, UTYF_CIVILIAN};

/// Unit type flags.
const IGNORES_ZOC: u8 = 2;
const IGNORES_TERRAIN: u8 = 4;
const COAST_STRICT: u8 = 11;
/// Unit class flags.
const TERRAIN_SPEED: u8 = 0;
const BUILD_ANYWHERE: u8 = 5;
const ZOC: u8 = 8;

/// A unit type, seen by its feet.
#[derive(Debug, Clone)]
pub struct Gait {
    /// Fragments of a full turn.
    pub(super) rate: u32,
    /// Fragments of one move, the cost of a step where terrain does not matter.
    pub(super) single: u32,
    /// Fragments to enter each terrain; `None` where it is not native.
    pub(super) terrains: Vec<Option<u32>>,
    /// Extras, one bit each, that make any terrain native.
    pub(super) extras: u128,
    /// Native extras that are no road: they need no joining road to be entered.
    pub(super) bases: u128,
    /// Native roads along which units are quicker.
    pub(super) quick: u128,
    /// Native roads, rivers included.
    pub(super) ways: Vec<Way>,
    /// Terrain and roads decide what a step costs.
    pub(super) terrain_speed: bool,
    /// Held by zones of control.
    pub(super) bound: bool,
    /// Borders closed by a peace do not concern it.
    pub(super) civilian: bool,
    /// Only where a safe coast is near.
    pub(super) coastal: bool,
    /// May be in any city.
    pub(super) any_city: bool,
    disembarks: Vec<u8>,
}

/// A road or river that carries a unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// Its own bit.
    pub(super) bit: u128,
    /// The roads it joins up with, itself included.
    pub(super) joins: u128,
    /// Fragments to move along it; `None` when it is not quicker.
    pub(super) cost: Option<u32>,
    /// 0 cardinal only, 1 relaxed, 2 fast always.
    pub(super) mode: u8,
}

impl Gait {
    /// How units of this type walk; `None` when the rules have no such type.
    pub fn of(kind: UnitTypeId, rules: &Rules) -> Option<Self> {
        let unit_type = rules.unit_type(kind)?;
        let class = rules.unit_classes.get(usize::from(unit_type.class))?;
        let single = rules.move_fragments.max(1);
        let ignores_terrain = unit_type.flags.contains(&IGNORES_TERRAIN);
        let cost = |moves: u32| {
            let full = moves.saturating_mul(single).max(1);
            if ignores_terrain { full.min(rules.igter_cost.max(1)) } else { full }
        };
        let mut gait = Self {
            rate: unit_type.move_rate,
            single,
            terrains: rules
                .terrains
                .iter()
                .map(|t| t.native_to.contains(&unit_type.class).then(|| cost(t.movement_cost)))
                .collect(),
            extras: 0,
            bases: 0,
            quick: 0,
            ways: Vec::new(),
            terrain_speed: class.flags.contains(&TERRAIN_SPEED),
            bound: class.flags.contains(&ZOC) && !unit_type.flags.contains(&IGNORES_ZOC),
            civilian: unit_type.flags.contains(&UTYF_CIVILIAN),
            coastal: unit_type.flags.contains(&COAST_STRICT),
            any_city: class.flags.contains(&BUILD_ANYWHERE),
            disembarks: unit_type.disembarks.clone(),
        };
        for (id, extra) in (0_u16..).zip(&rules.extras) {
            if extra.native_to.contains(&unit_type.class) {
                gait.extras |= bit(id);
                match &extra.road {
                    Some(road) => {
                        gait.quick |= if road.move_cost >= 0 { bit(id) } else { 0 };
                        gait.ways.push(Way {
                            bit: bit(id),
                            joins: road.integrates.iter().fold(bit(id), |all, e| all | bit(e.0)),
                            cost: u32::try_from(road.move_cost).ok(),
                            mode: road.move_mode,
                        });
                    }
                    None => gait.bases |= bit(id),
                }
            }
        }
        Some(gait)
    }

    /// Whether it gets off transports of this class outside a city.
    pub(super) fn leaves(&self, carrier_class: u8) -> bool {
        self.disembarks.contains(&carrier_class)
    }
}

/// The bit of an extra; the protocol has room for 128 of them.
pub(super) fn bit(extra: u16) -> u128 {
    1_u128.checked_shl(extra.into()).unwrap_or(0)
}
