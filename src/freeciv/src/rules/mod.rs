//! Turns the ruleset as the server sends it into [`Rules`], and answers whether requirements hold,
//! so that menus are computed from the ruleset in play and never from remembered names.

pub(crate) mod fields;
mod read;
mod require;

use std::collections::BTreeMap;
use std::sync::Arc;

use saga_core::ids::{AdvanceId, BuildingId, ExtraId};
use saga_core::rules::{
    Advance, Base, Building, Effect, Enabler, Extra, Government, Output, Road, Rules, Specialist,
    Terrain, UnitClass, UnitType,
};

use crate::tables::{Protocol, TableError};
use crate::value::Packet;
use crate::world::model::GameState;
use fields::Fields;
pub(crate) use require::{About, Judge};

type Reader = fn(&mut Builder, &Packet);

/// The ruleset while it is being told.
#[derive(Debug)]
pub(crate) struct Builder {
    fields: Fields,
    readers: Vec<Option<Reader>>,
    name: String,
    version: String,
    counts: Counts,
    veteran_names: Vec<String>,
    move_fragments: u32,
    igter_cost: u32,
    terrain_change: TerrainChange,
    terrains: BTreeMap<u16, Terrain>,
    extras: BTreeMap<u16, Extra>,
    bases: BTreeMap<u16, Base>,
    roads: BTreeMap<u16, Road>,
    resources: BTreeMap<u16, Output>,
    unit_classes: BTreeMap<u16, UnitClass>,
    unit_types: BTreeMap<u16, UnitType>,
    buildings: BTreeMap<u16, Building>,
    sabotage_pct: BTreeMap<u16, u32>,
    advances: BTreeMap<u16, Advance>,
    governments: BTreeMap<u16, Government>,
    nation_groups: BTreeMap<i64, Vec<u8>>,
    specialists: BTreeMap<u16, Specialist>,
    effects: Vec<Effect>,
    enablers: Vec<Enabler>,
    ready: bool,
}

/// How many there are of what is referred to by number; the count itself stands for none.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    unit_types: i64,
    buildings: i64,
    governments: i64,
    terrains: i64,
}

/// Percent of neighbouring tiles that must already be of the other kind before work may change
/// ocean to land, land to ocean, or thaw and freeze; above 100 it is never possible.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TerrainChange {
    pub(crate) reclaim: i64,
    pub(crate) channel: i64,
    pub(crate) thaw: i64,
    pub(crate) freeze: i64,
}

impl Builder {
    pub(crate) fn new(protocol: &'static Protocol) -> Result<Self, TableError> {
        let fields = Fields::resolve(protocol)?;
        let readers = read::readers(protocol, &fields);
        Ok(Self {
            fields,
            readers,
            name: String::new(),
            version: String::new(),
            counts: Counts::default(),
            veteran_names: Vec::new(),
            move_fragments: 1,
            igter_cost: 1,
            terrain_change: TerrainChange::default(),
            terrains: BTreeMap::new(),
            extras: BTreeMap::new(),
            bases: BTreeMap::new(),
            roads: BTreeMap::new(),
            resources: BTreeMap::new(),
            unit_classes: BTreeMap::new(),
            unit_types: BTreeMap::new(),
            buildings: BTreeMap::new(),
            sabotage_pct: BTreeMap::new(),
            advances: BTreeMap::new(),
            governments: BTreeMap::new(),
            nation_groups: BTreeMap::new(),
            specialists: BTreeMap::new(),
            effects: Vec::new(),
            enablers: Vec::new(),
            ready: false,
        })
    }

    /// Reads the packet if it is about the ruleset.
    pub(crate) fn read(&mut self, packet: &Packet) {
        if let Some(Some(reader)) = self.readers.get(packet.kind().index()) {
            reader(self, packet);
        }
    }

    /// Whether the server said that the ruleset is complete.
    pub(crate) fn ready(&self) -> bool {
        self.ready
    }

    /// Facts about changing terrain that only menus need.
    pub(crate) fn terrain_change(&self) -> TerrainChange {
        self.terrain_change
    }

    /// Numbers of the groups that a nation belongs to, a fact that only requirements need.
    pub(crate) fn nation_groups(&self, nation: i64) -> &[u8] {
        self.nation_groups.get(&nation).map_or(&[], Vec::as_slice)
    }

    /// How likely saboteurs are to pick a building, a fact that only menus need.
    pub(crate) fn sabotage_pct(&self, building: BuildingId) -> u32 {
        self.sabotage_pct.get(&building.0).copied().unwrap_or(0)
    }

    /// The rules as told so far, with what only the game's own settings tell.
    pub(crate) fn finish(&self, game: &GameState) -> Arc<Rules> {
        let mut extras = dense(&self.extras);
        for (id, extra) in (0u16..).zip(&mut extras) {
            extra.resource_output = self.resources.get(&id).copied();
        }
        // Roads and bases are numbered by themselves: the first extra that is a road has number 0.
        for (road, extra) in (0u16..).zip(extras.iter_mut().filter(|e| e.causes.contains(&ROAD))) {
            extra.road = self.roads.get(&road).cloned();
        }
        for (base, extra) in (0u16..).zip(extras.iter_mut().filter(|e| e.causes.contains(&BASE))) {
            extra.base = self.bases.get(&base).cloned();
        }
        let mut unit_types = dense(&self.unit_types);
        for unit in unit_types.iter_mut().filter(|unit| unit.veteran_names.is_empty()) {
            unit.veteran_names.clone_from(&self.veteran_names);
        }
        let mut buildings = dense(&self.buildings);
        let costs = unit_types.iter_mut().map(|unit| &mut unit.build_cost);
        for cost in costs.chain(buildings.iter_mut().map(|building| &mut building.build_cost)) {
            *cost = scaled(*cost, game.shield_box_pct);
        }
        let mut advances = self.advances.clone();
        advances.entry(0).or_insert_with(no_advance);
        Arc::new(Rules {
            name: self.name.clone(),
            version: self.version.clone(),
            move_fragments: self.move_fragments,
            igter_cost: self.igter_cost,
            city_distance_min: game.city_distance_min,
            city_radius_sq: game.city_radius_sq,
            terrains: dense(&self.terrains),
            extras,
            unit_classes: dense(&self.unit_classes),
            unit_types,
            buildings,
            advances: dense(&advances),
            governments: dense(&self.governments),
            specialists: dense(&self.specialists),
            effects: self.effects.clone(),
            enablers: self.enablers.clone(),
        })
    }
}

/// Causes of extras that have facts of their own.
const ROAD: u8 = 2;
const BASE: u8 = 3;

/// The entries by number from 0; the server numbers without gaps, and a gap would end the list.
fn dense<T: Clone>(map: &BTreeMap<u16, T>) -> Vec<T> {
    (0u16..).map_while(|id| map.get(&id).cloned()).collect()
}

/// Shields that something costs in a game whose `shieldbox` setting is so many percent.
fn scaled(cost: u32, shield_box_pct: i64) -> u32 {
    let scaled = i64::from(cost).saturating_mul(shield_box_pct) / 100;
    u32::try_from(scaled.max(1)).unwrap_or(u32::MAX)
}

/// What stands at number 0, which the server never sends.
fn no_advance() -> Advance {
    Advance {
        name: "None".to_owned(),
        requires: Vec::new(),
        steps: 0,
        cost_centibulbs: 0,
        removed: false,
        flags: Vec::new(),
    }
}

/// Numbers of the set bits of an integer.
fn bits_of(value: i64) -> Vec<u8> {
    (0u8..63).filter(|bit| value >> bit & 1 == 1).collect()
}

/// Numbers of the set bits of a bit vector.
fn set_bits(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    (0u16..).take(bytes.len() * 8).filter(|bit| crate::value::has_bit(bytes, usize::from(*bit)))
}

fn flags(bytes: &[u8]) -> Vec<u8> {
    set_bits(bytes).filter_map(|bit| u8::try_from(bit).ok()).collect()
}

fn extra_ids(bytes: &[u8]) -> Vec<ExtraId> {
    set_bits(bytes).map(ExtraId).collect()
}

/// The six outputs of a field that lists them.
fn output(values: &[i64]) -> Output {
    let mut output = Output::default();
    for (slot, value) in output.iter_mut().zip(values) {
        *slot = *value as i32;
    }
    output
}

/// A rule name without the `?context:` that may stand before it.
fn plain(name: &str) -> String {
    match name.strip_prefix('?').and_then(|rest| rest.split_once(':')) {
        Some((_, plain)) => plain.to_owned(),
        None => name.to_owned(),
    }
}

fn some_advance(value: i64) -> Option<AdvanceId> {
    u16::try_from(value).ok().filter(|id| *id != 0).map(AdvanceId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_context_only() {
        assert_eq!(plain("?gov:Despotism"), "Despotism");
        assert_eq!(plain("Temple of Artemis"), "Temple of Artemis");
        assert_eq!(plain("?odd"), "?odd");
    }

    #[test]
    fn costs_follow_the_shield_box() {
        let cases = [(40, 100, 40), (30, 50, 15), (1, 50, 1), (30, 0, 1), (9, 10_000, 900)];
        for (cost, pct, expected) in cases {
            assert_eq!(scaled(cost, pct), expected, "{cost} at {pct}%");
        }
        assert_eq!(scaled(u32::MAX, i64::MAX), u32::MAX);
    }

    #[test]
    fn bit_vectors_become_numbers() {
        assert_eq!(flags(&[0b1000_0001, 1]), [0, 7, 8]);
        assert_eq!(bits_of(0b101), [0, 2]);
        assert_eq!(extra_ids(&[0, 2]), [ExtraId(9)]);
    }
}
