//! Getting on and off transports without a step: in ports, on bases and at sea.

use saga_core::action::Action;
use saga_core::rules::UnitType;

use super::{Board, has};
use crate::world::model::{TileIndex, UnitState};

impl Board<'_> {
    /// Transports on its tile that a unit can board, and whether it can leave the one it is on.
    pub(super) fn transports(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let Some(kind) = self.unit_type(unit) else { return };
        for ship in self.units_on(unit.tile) {
            if self.boards(unit, kind, ship) {
                menu.push(Action::Board { transport: ship.id });
            }
        }
        if self.leaves(unit, kind) {
            menu.push(Action::Leave);
        }
    }

    fn boards(&self, unit: &UnitState, kind: &UnitType, ship: &UnitState) -> bool {
        let Some(carrier) = self.unit_type(ship) else { return false };
        unit.aboard != Some(ship.id)
            && self.may_leave(unit, kind)
            && self.has_room(unit, kind, ship)
            && (has(&kind.embarks, carrier.class) || self.harbours(unit.tile, carrier))
            && self.native_there(carrier, ship.tile)
    }

    fn leaves(&self, unit: &UnitState, kind: &UnitType) -> bool {
        let Some(carrier) = self.carrier(unit) else { return false };
        self.gets_off(kind, carrier, unit.tile)
            && self.native_there(kind, unit.tile)
            && (self.lasts(kind) || self.harbours(unit.tile, kind))
    }

    /// Whether a transport carries such units and has room for one more.
    pub(super) fn has_room(&self, unit: &UnitState, kind: &UnitType, ship: &UnitState) -> bool {
        let Some(carrier) = self.unit_type(ship) else { return false };
        let aboard = self.units_on(ship.tile).iter().filter(|u| u.aboard == Some(ship.id)).count();
        ship.id != unit.id
            && self.friendly(ship.owner)
            && has(&carrier.cargo, kind.class)
            && (aboard as u32) < carrier.transport_capacity
    }

    /// Whether a unit is on no transport, or on one that it can leave for somewhere else.
    pub(super) fn may_leave(&self, unit: &UnitState, kind: &UnitType) -> bool {
        self.carrier(unit).is_none_or(|carrier| self.gets_off(kind, carrier, unit.tile))
    }

    fn gets_off(&self, kind: &UnitType, carrier: &UnitType, tile: TileIndex) -> bool {
        has(&kind.disembarks, carrier.class) || self.harbours(tile, carrier)
    }

    fn carrier(&self, unit: &UnitState) -> Option<&UnitType> {
        let ship = self.world.units.get(&unit.aboard?)?;
        self.unit_type(ship)
    }

    /// A city, or a base that is native to the transport: there everybody gets on and off.
    fn harbours(&self, tile: TileIndex, carrier: &UnitType) -> bool {
        let based = |state: &crate::world::model::TileState| {
            state
                .extras
                .iter()
                .filter_map(|id| self.rules.extra(*id))
                .any(|extra| extra.base.is_some() && has(&extra.native_to, carrier.class))
        };
        self.city_at.contains_key(&tile) || self.tile(tile).is_some_and(based)
    }

    /// Whether units of this type can be on a tile without being carried.
    fn native_there(&self, kind: &UnitType, tile: TileIndex) -> bool {
        let native = |state| self.native(kind.class, state);
        self.tile(tile).is_some_and(native) || self.city_at.contains_key(&tile)
    }
}
