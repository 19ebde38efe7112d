//! The unit actions that the server judges for us: which exist, which of them we offer, which
//! questions must be asked first, and what the answers make lawful.

use saga_core::action::Action;
use saga_core::ids::CityId;
use saga_core::observation::Stance;
use saga_core::rules::UnitType;

use super::{Board, class_flag, has};
use crate::world::model::{ActionsAnswer, TileIndex, UnitState};

/// What an action is aimed at, which decides the number that names its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    City,
    Unit,
    /// All units on a tile, named by the tile.
    Stack,
}

/// Actions with nouns of their own.
pub(crate) const ATTACK: u8 = 41;
pub(crate) const CONQUER: u8 = 42;
pub(crate) const FOUND_CITY: u8 = 25;
pub(crate) const JOIN_CITY: u8 = 26;

/// Actions offered under their own names: number, rule name, aim.
const SPECIAL: [(u8, &str, Aim); 21] = [
    (0, "establish_embassy", Aim::City),
    (1, "establish_embassy_stay", Aim::City),
    (2, "investigate_city", Aim::City),
    (3, "investigate_city_spend_unit", Aim::City),
    (4, "poison_city", Aim::City),
    (6, "steal_gold", Aim::City),
    (8, "sabotage_city", Aim::City),
    (9, "sabotage_city_escape", Aim::City),
    (12, "steal_tech", Aim::City),
    (13, "steal_tech_escape", Aim::City),
    (18, "establish_trade_route", Aim::City),
    (19, "enter_marketplace", Aim::City),
    (20, "help_wonder", Aim::City),
    (22, "sabotage_unit", Aim::Unit),
    (23, "sabotage_unit_escape", Aim::Unit),
    (24, "capture_units", Aim::Stack),
    (27, "steal_maps", Aim::City),
    (28, "steal_maps_escape", Aim::City),
    (29, "bombard", Aim::Stack),
    (33, "destroy_city", Aim::City),
    (34, "expel_unit", Aim::Unit),
];

/// Actions about the tile a unit stands on.
const HERE: [u8; 5] = [FOUND_CITY, JOIN_CITY, 18, 19, 20];

impl Board<'_> {
    /// Tiles about which the server must be asked before this unit's menu is complete.
    pub(crate) fn unanswered(&self, unit: &UnitState) -> Vec<TileIndex> {
        let Some(kind) = self.unit_type(unit).filter(|_| unit.moves > 0) else { return Vec::new() };
        let around = self.world.map.around(unit.tile).map(|(_, tile)| tile);
        let mut tiles: Vec<_> = around.filter(|tile| self.matters_there(kind, *tile)).collect();
        if self.matters_here(unit, kind) {
            tiles.push(unit.tile);
        }
        tiles.retain(|tile| !self.world.answers.contains_key(&(unit.id, *tile)));
        tiles
    }

    fn matters_here(&self, unit: &UnitState, kind: &UnitType) -> bool {
        let may = |id: &u8| self.rules.type_may(*id, kind);
        match self.city_at.get(&unit.tile) {
            Some(_) => HERE.iter().filter(|id| **id != FOUND_CITY).any(may),
            None => may(&FOUND_CITY) && !self.crowded(unit.tile),
        }
    }

    /// Too near a known city for another one.
    fn crowded(&self, tile: TileIndex) -> bool {
        let near =
            |city: TileIndex| self.world.map.distance(city, tile) < self.rules.city_distance_min;
        self.city_at.keys().any(|city| near(*city))
    }

    fn matters_there(&self, kind: &UnitType, tile: TileIndex) -> bool {
        let city = self.city_at.get(&tile).filter(|c| !self.world.is_ours(c.owner));
        let unit = self.units_on(tile).iter().find(|u| !self.friendly(u.owner));
        if city.is_none() && unit.is_none() {
            return false;
        }
        let hostile = |owner| {
            !matches!(self.stance(owner), Stance::Peace | Stance::Armistice | Stance::Alliance)
        };
        let mut owners = city.map(|c| c.owner).into_iter().chain(unit.map(|u| u.owner));
        let fights = owners.any(hostile) && self.fights(kind);
        let aimed = |aim: Aim| if aim == Aim::City { city.is_some() } else { unit.is_some() };
        let mut specials = SPECIAL.iter().filter(|(_, _, aim)| aimed(*aim));
        fights || specials.any(|(id, ..)| self.rules.type_may(*id, kind))
    }

    fn fights(&self, kind: &UnitType) -> bool {
        let occupies = self.class(kind).is_some_and(|c| has(&c.flags, class_flag::CAN_OCCUPY_CITY));
        (kind.attack > 0 && self.rules.type_may(ATTACK, kind))
            || (occupies && self.rules.type_may(CONQUER, kind))
    }

    /// What the answers about this unit allow.
    pub(super) fn answered(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let from = (unit.id, TileIndex::MIN);
        let to = (unit.id, TileIndex::MAX);
        for ((_, tile), answer) in self.world.answers.range(from..=to) {
            if *tile == unit.tile {
                allowed_here(answer, menu);
            } else {
                self.allowed_there(*tile, answer, menu);
            }
            self.specials(*tile, *tile == unit.tile, answer, menu);
        }
    }

    fn allowed_there(&self, tile: TileIndex, answer: &ActionsAnswer, menu: &mut Vec<Action>) {
        let at = self.world.map.place(tile);
        if answer.possible.contains(&ATTACK) {
            menu.push(Action::Attack { at });
        }
        if answer.possible.contains(&CONQUER) && answer.target_city != 0 {
            menu.push(Action::Conquer { city: CityId(answer.target_city), at });
        }
    }

    fn specials(
        &self,
        tile: TileIndex,
        here: bool,
        answer: &ActionsAnswer,
        menu: &mut Vec<Action>,
    ) {
        let at = self.world.map.place(tile);
        let offered = |id: u8| answer.possible.contains(&id) && (!here || HERE.contains(&id));
        for (id, name, aim) in SPECIAL.iter().filter(|(id, ..)| offered(*id)) {
            let target = match aim {
                Aim::City => i64::from(answer.target_city),
                Aim::Unit => i64::from(answer.target_unit),
                Aim::Stack => i64::from(tile),
            };
            if target != 0 || *aim == Aim::Stack {
                menu.push(Action::Special {
                    id: *id,
                    name: (*name).to_owned(),
                    target,
                    at,
                    part: None,
                    cost: None,
                });
            }
        }
    }
}

fn allowed_here(answer: &ActionsAnswer, menu: &mut Vec<Action>) {
    if answer.possible.contains(&FOUND_CITY) {
        menu.push(Action::FoundCity);
    }
    if answer.possible.contains(&JOIN_CITY) && answer.target_city != 0 {
        menu.push(Action::JoinCity { city: CityId(answer.target_city) });
    }
}

/// All action numbers that have a name here, for the test that they are distinct.
#[cfg(test)]
fn numbers() -> Vec<u8> {
    SPECIAL.iter().map(|(id, ..)| *id).chain([ATTACK, CONQUER, FOUND_CITY, JOIN_CITY]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_action_has_one_name() {
        let distinct: BTreeSet<u8> = numbers().into_iter().collect();
        assert_eq!(distinct.len(), numbers().len());
        let names: BTreeSet<&str> = SPECIAL.iter().map(|(_, name, _)| *name).collect();
        assert_eq!(names.len(), SPECIAL.len());
    }
}
