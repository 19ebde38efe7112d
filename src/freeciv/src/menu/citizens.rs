//! Where a city's citizens may work. At most one offer for each citizen on the land, one for each
//! free tile while there is somebody to put on it, and one for each pair of kinds of specialists.

use saga_core::action::Action;
use saga_core::ids::SpecialistId;
use saga_core::observation::Stance;

use super::build::about;
use super::{Board, class_flag, has, type_flag};
use crate::rules::About;
use crate::world::model::{CityState, Inside, TileIndex, TileState, UnitState};

/// Effect without which nobody can work a tile.
const WORKABLE: u8 = 82;

impl Board<'_> {
    pub(super) fn citizens(&self, city: &CityState, inside: &Inside, menu: &mut Vec<Action>) {
        let place = |tile: &TileIndex| self.world.map.place(*tile);
        let idle = inside.specialists.iter().any(|count| *count > 0);
        let around = self.world.map.within(city.tile, inside.radius_sq);
        let land: Vec<(TileIndex, &TileState)> = around
            .into_iter()
            .filter(|tile| *tile != city.tile)
            .filter_map(|tile| Some((tile, self.tile(tile)?)))
            .collect();
        let worked = land.iter().filter(|(_, state)| state.worked_by == Some(city.id));
        menu.extend(worked.map(|(tile, _)| Action::TakeOffTile { at: place(tile) }));
        let free = land.iter().filter(|(tile, state)| idle && self.can_work(city, *tile, state));
        menu.extend(free.map(|(tile, _)| Action::PutOnTile { at: place(tile) }));
        let kinds = || (0u16..).zip(&self.rules.specialists).map(|(id, s)| (SpecialistId(id), s));
        for (from, _) in (0u16..).zip(&inside.specialists).filter(|(_, count)| **count > 0) {
            let open = kinds()
                .filter(|(to, kind)| to.0 != from && self.judge.all(&kind.reqs, about(city)));
            menu.extend(open.map(|(to, _)| Action::Retrain { from: SpecialistId(from), to }));
        }
    }

    /// Whether a citizen may begin to work this tile within the city's radius.
    fn can_work(&self, city: &CityState, at: TileIndex, tile: &TileState) -> bool {
        let ours = tile.owner.is_none_or(|owner| self.world.is_ours(owner));
        let about = About { tile: Some(at), ..about(city) };
        tile.known == 2
            && ours
            && tile.worked_by.is_none()
            && !self.units_on(at).iter().any(|unit| self.occupies(unit))
            && self.judge.effect(WORKABLE, about) > 0
    }

    /// A soldier of somebody with whom we are at war keeps citizens off the land.
    fn occupies(&self, unit: &UnitState) -> bool {
        let Some(kind) = self.unit_type(unit) else { return false };
        let passes = self.class(kind).is_some_and(|c| has(&c.flags, class_flag::PASSES_BY));
        !self.world.is_ours(unit.owner)
            && self.stance(unit.owner) == Stance::War
            && !has(&kind.flags, type_flag::CIVILIAN)
            && !passes
    }
}
