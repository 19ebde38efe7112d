//! Plain moves to a neighbouring tile: native ground, who stands there, zones of control, coasts,
//! closed borders, getting on and off transports.

use saga_core::action::Action;
use saga_core::geometry::is_cardinal;
use saga_core::ids::Dir;
use saga_core::observation::Stance;
use saga_core::rules::UnitType;

use super::{Board, class_flag, has, terrain_flag, type_flag};
use crate::world::model::{TileIndex, TileState, UnitState};

/// How well a tile in sight is known.
pub(super) const IN_SIGHT: u8 = 2;

/// Road mode: only along rows and columns.
const CARDINAL_ONLY: u8 = 0;

impl Board<'_> {
    pub(super) fn moves(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let Some(kind) = self.unit_type(unit).filter(|_| unit.moves > 0) else { return };
        for (dir, to) in self.world.map.around(unit.tile) {
            if self.may_move(unit, kind, dir, to) {
                menu.push(Action::Move { dir, to: self.world.map.place(to) });
            }
        }
    }

    fn may_move(&self, unit: &UnitState, kind: &UnitType, dir: Dir, to: TileIndex) -> bool {
        let (Some(from_tile), Some(to_tile)) = (self.tile(unit.tile), self.tile(to)) else {
            return false;
        };
        if self.units_on(to).iter().any(|u| !self.friendly(u.owner)) {
            return false;
        }
        let city = self.city_at.get(&to);
        if city.is_some_and(|city| !self.friendly(city.owner)) || self.closed(kind, to_tile) {
            return false;
        }
        let stands = to_tile.terrain.is_none()
            || self.enters_natively(kind, (unit.tile, from_tile), (to, to_tile), dir)
            || self.embarks(unit, kind, to);
        stands
            && self.may_leave(unit, kind)
            && (!has(&kind.flags, type_flag::COAST_STRICT) || self.safe_coast(to))
            && self.zoc_allows(kind, (unit.tile, from_tile), (to, to_tile))
    }

    /// Borders of somebody with whom we have peace are closed to soldiers; an armistice leaves them
    /// time to withdraw.
    pub(super) fn closed(&self, kind: &UnitType, tile: &TileState) -> bool {
        let peaceful = |owner| self.stance(owner) == Stance::Peace;
        !has(&kind.flags, type_flag::CIVILIAN)
            && tile.owner.is_some_and(|owner| !self.world.is_ours(owner) && peaceful(owner))
    }

    /// Whether terrain or something on it carries units of this class.
    pub(super) fn native(&self, class: u8, tile: &TileState) -> bool {
        self.native_ground(class, tile) || self.native_extras(class, tile).next().is_some()
    }

    fn native_ground(&self, class: u8, tile: &TileState) -> bool {
        self.terrain(tile).is_some_and(|terrain| has(&terrain.native_to, class))
    }

    fn native_extras<'t>(
        &'t self,
        class: u8,
        tile: &'t TileState,
    ) -> impl Iterator<Item = saga_core::ids::ExtraId> + 't {
        let native = move |id: &saga_core::ids::ExtraId| {
            self.rules.extra(*id).is_some_and(|extra| has(&extra.native_to, class))
        };
        tile.extras.iter().copied().filter(native)
    }

    /// Whether units of this class can be built or stay in a city on this tile.
    pub(super) fn native_near(&self, class: u8, tile: TileIndex) -> bool {
        let near = self.world.map.around(tile).map(|(_, tile)| tile);
        near.chain([tile]).filter_map(|t| self.tile(t)).any(|t| self.native(class, t))
    }

    fn enters_natively(
        &self,
        kind: &UnitType,
        (from, from_tile): (TileIndex, &TileState),
        (to, to_tile): (TileIndex, &TileState),
        dir: Dir,
    ) -> bool {
        let class = kind.class;
        if self.city_at.contains_key(&to) {
            let anywhere =
                self.class(kind).is_some_and(|c| has(&c.flags, class_flag::BUILD_ANYWHERE));
            return anywhere || self.native_near(class, to);
        }
        if self.native_ground(class, to_tile) {
            return true;
        }
        if self.native_ground(class, from_tile) || self.city_at.contains_key(&from) {
            return self.native(class, to_tile);
        }
        // From river to river, say: one way must join the other.
        self.native_extras(class, to_tile).any(|id| {
            let Some(extra) = self.rules.extra(id) else { return false };
            let Some(road) = &extra.road else { return true };
            let joined = from_tile.extras.iter().any(|e| *e == id || road.integrates.contains(e));
            joined && (road.move_mode != CARDINAL_ONLY || is_cardinal(dir))
        })
    }

    /// Whether one of our transports there has room for it and takes it outside a city.
    fn embarks(&self, unit: &UnitState, kind: &UnitType, to: TileIndex) -> bool {
        self.units_on(to).iter().any(|ship| {
            self.has_room(unit, kind, ship)
                && self.unit_type(ship).is_some_and(|carrier| has(&kind.embarks, carrier.class))
        })
    }

    pub(super) fn safe_coast(&self, tile: TileIndex) -> bool {
        let near = self.world.map.around(tile).filter_map(|(_, tile)| self.tile(tile));
        near.filter_map(|tile| self.terrain(tile))
            .any(|terrain| !has(&terrain.flags, terrain_flag::UNSAFE_COAST))
    }

    /// A zone of control holds a unit that would step from one enemy's side to another's.
    fn zoc_allows(
        &self,
        kind: &UnitType,
        (from, from_tile): (TileIndex, &TileState),
        (to, to_tile): (TileIndex, &TileState),
    ) -> bool {
        let bound = self.class(kind).is_some_and(|class| has(&class.flags, class_flag::ZOC));
        let free = |tile| {
            self.terrain(tile).is_some_and(|terrain| has(&terrain.flags, terrain_flag::NO_ZOC))
        };
        !bound
            || has(&kind.flags, type_flag::IGNORES_ZOC)
            || self.units_on(to).iter().any(|unit| self.friendly(unit.owner))
            || self.city_at.contains_key(&from)
            || self.city_at.contains_key(&to)
            || free(from_tile)
            || free(to_tile)
            || self.uncontrolled(from)
            || self.uncontrolled(to)
    }

    /// Whether nobody hostile stands beside or on the tile. A foreign city out of sight counts as
    /// garrisoned whatever we remember of it: measured, it nearly always is.
    fn uncontrolled(&self, tile: TileIndex) -> bool {
        let near = self.world.map.around(tile).map(|(_, tile)| tile).chain([tile]);
        !near.into_iter().any(|tile| self.controls(tile))
    }

    /// Whether somebody hostile on this tile controls what lies around.
    pub(super) fn controls(&self, tile: TileIndex) -> bool {
        let Some(state) = self.tile(tile) else { return false };
        if self.terrain(state).is_none_or(|terrain| has(&terrain.flags, terrain_flag::NO_ZOC)) {
            return false;
        }
        match self.city_at.get(&tile) {
            Some(city) if !self.friendly(city.owner) => city.occupied || state.known < IN_SIGHT,
            _ => self.units_on(tile).iter().any(|unit| self.exerts_zoc(unit)),
        }
    }

    /// Aircraft on the ground and ships in port do so too: measured, the class does not matter.
    fn exerts_zoc(&self, unit: &UnitState) -> bool {
        let kind = self.unit_type(unit).filter(|_| !self.friendly(unit.owner));
        kind.is_some_and(|kind| !has(&kind.flags, type_flag::NO_ZOC))
    }
}
