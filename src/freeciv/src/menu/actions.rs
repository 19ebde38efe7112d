//! The unit actions that the ruleset's enablers control: their names, and what the server's answers
//! make lawful. What we can tell without asking is in `at_home.rs`.

use saga_core::action::{Action, Part};
use saga_core::ids::{AdvanceId, BuildingId, CityId};

use super::Board;
use crate::world::model::{ActionsAnswer, CityState, TileIndex, UnitState};

/// What an action is aimed at, which decides the number that names its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    City,
    Unit,
    /// All units on a tile, named by the tile.
    Stack,
    Tile,
    /// The acting unit.
    Itself,
}

/// Actions with nouns of their own.
pub(crate) const ATTACK: u8 = 41;
pub(crate) const CONQUER: u8 = 42;
pub(crate) const FOUND_CITY: u8 = 25;
pub(crate) const JOIN_CITY: u8 = 26;

/// Actions that need a closer look.
pub(super) const SABOTAGE_PART: u8 = 10;
pub(super) const SABOTAGE_PART_ESCAPE: u8 = 11;
pub(super) const STEAL_PART: u8 = 14;
pub(super) const STEAL_PART_ESCAPE: u8 = 15;
pub(super) const INCITE: u8 = 16;
pub(super) const INCITE_ESCAPE: u8 = 17;
pub(super) const HELP_WONDER: u8 = 20;
pub(super) const BRIBE: u8 = 21;
pub(super) const NUKE: u8 = 32;
pub(crate) const RECYCLE: u8 = 35;
pub(crate) const DISBAND: u8 = 36;
pub(crate) const HOME_CITY: u8 = 37;
pub(crate) const UPGRADE: u8 = 38;
pub(super) const PARADROP: u8 = 39;
pub(crate) const AIRLIFT: u8 = 40;

/// Actions offered under their own names: number, rule name, aim.
pub(super) const ACTIONS: [(u8, &str, Aim); 40] = [
    (0, "establish_embassy", Aim::City),
    (1, "establish_embassy_stay", Aim::City),
    (2, "investigate_city", Aim::City),
    (3, "investigate_city_spend_unit", Aim::City),
    (4, "poison_city", Aim::City),
    (5, "poison_city_escape", Aim::City),
    (6, "steal_gold", Aim::City),
    (7, "steal_gold_escape", Aim::City),
    (8, "sabotage_city", Aim::City),
    (9, "sabotage_city_escape", Aim::City),
    (SABOTAGE_PART, "targeted_sabotage_city", Aim::City),
    (SABOTAGE_PART_ESCAPE, "targeted_sabotage_city_escape", Aim::City),
    (12, "steal_tech", Aim::City),
    (13, "steal_tech_escape", Aim::City),
    (STEAL_PART, "targeted_steal_tech", Aim::City),
    (STEAL_PART_ESCAPE, "targeted_steal_tech_escape", Aim::City),
    (INCITE, "incite_city", Aim::City),
    (INCITE_ESCAPE, "incite_city_escape", Aim::City),
    (18, "establish_trade_route", Aim::City),
    (19, "enter_marketplace", Aim::City),
    (HELP_WONDER, "help_wonder", Aim::City),
    (BRIBE, "bribe_unit", Aim::Unit),
    (22, "sabotage_unit", Aim::Unit),
    (23, "sabotage_unit_escape", Aim::Unit),
    (24, "capture_units", Aim::Stack),
    (27, "steal_maps", Aim::City),
    (28, "steal_maps_escape", Aim::City),
    (29, "bombard", Aim::Stack),
    (30, "suitcase_nuke", Aim::City),
    (31, "suitcase_nuke_escape", Aim::City),
    (NUKE, "explode_nuclear", Aim::Tile),
    (33, "destroy_city", Aim::City),
    (34, "expel_unit", Aim::Unit),
    (RECYCLE, "disband_unit_recover", Aim::City),
    (DISBAND, "disband_unit", Aim::Itself),
    (HOME_CITY, "home_city", Aim::City),
    (UPGRADE, "upgrade_unit", Aim::City),
    (PARADROP, "paradrop_unit", Aim::Tile),
    (AIRLIFT, "airlift_unit", Aim::City),
    (43, "heal_unit", Aim::Unit),
];

/// The word for a unit action by the protocol's number; `None` beyond its 44 actions.
pub fn action_word(number: u8) -> Option<&'static str> {
    match number {
        ATTACK => Some("attack"),
        CONQUER => Some("conquer"),
        FOUND_CITY => Some("found_city"),
        JOIN_CITY => Some("join_city"),
        _ => ACTIONS.iter().find(|(id, ..)| *id == number).map(|row| row.1),
    }
}

/// Whether we know by ourselves when a unit may do this in or beside a city of ours.
pub(super) fn at_home(action: u8) -> bool {
    matches!(action, RECYCLE | DISBAND | HOME_CITY | UPGRADE)
}

impl Board<'_> {
    /// What the answers about this unit allow.
    pub(super) fn answered(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let from = (unit.id, TileIndex::MIN);
        let to = (unit.id, TileIndex::MAX);
        for ((_, tile), answer) in self.world.answers.range(from..=to) {
            if *tile == unit.tile {
                if answer.possible.contains(&FOUND_CITY) {
                    menu.push(Action::FoundCity);
                }
            } else if answer.possible.contains(&ATTACK) {
                menu.push(Action::Attack { at: self.world.map.place(*tile) });
            }
            self.toward_city(*tile, answer, menu);
            self.specials(unit, *tile, answer, menu);
        }
    }

    fn toward_city(&self, tile: TileIndex, answer: &ActionsAnswer, menu: &mut Vec<Action>) {
        if answer.target_city == 0 {
            return;
        }
        let city = CityId(answer.target_city);
        if answer.possible.contains(&CONQUER) {
            menu.push(Action::Conquer { city, at: self.world.map.place(tile) });
        }
        if answer.possible.contains(&JOIN_CITY) {
            menu.push(Action::JoinCity { city });
        }
    }

    fn specials(
        &self,
        unit: &UnitState,
        tile: TileIndex,
        answer: &ActionsAnswer,
        menu: &mut Vec<Action>,
    ) {
        let foreign = self.city_at.get(&tile).is_some_and(|c| !self.world.is_ours(c.owner));
        let offered = |id: u8| answer.possible.contains(&id) && (foreign || !at_home(id));
        for (id, _, aim) in ACTIONS.iter().filter(|(id, ..)| offered(*id)) {
            let target = match aim {
                Aim::City => i64::from(answer.target_city),
                Aim::Unit => i64::from(answer.target_unit),
                Aim::Stack | Aim::Tile => i64::from(tile),
                Aim::Itself => i64::from(unit.id.0),
            };
            if target == 0 && !matches!(aim, Aim::Stack | Aim::Tile) {
                continue;
            }
            match *id {
                BRIBE | INCITE | INCITE_ESCAPE => {
                    let cost = self.world.prices.get(&(unit.id, *id, target)).copied();
                    if cost.is_some_and(|gold| gold <= self.me.gold) {
                        menu.push(self.special(*id, target, tile, None, cost));
                    }
                }
                SABOTAGE_PART | SABOTAGE_PART_ESCAPE | STEAL_PART | STEAL_PART_ESCAPE => {
                    let parts = self.parts(*id, answer);
                    let parts = parts.into_iter();
                    menu.extend(
                        parts.map(|part| self.special(*id, target, tile, Some(part), None)),
                    );
                }
                _ => menu.push(self.special(*id, target, tile, None, None)),
            }
        }
    }

    /// An action under its rule name.
    pub(super) fn special(
        &self,
        id: u8,
        target: i64,
        tile: TileIndex,
        part: Option<Part>,
        cost: Option<u32>,
    ) -> Action {
        let name = action_word(id).unwrap_or_default();
        let at = self.world.map.place(tile);
        Action::Special { id, name: name.to_owned(), target, at, part, cost }
    }

    /// What of a city a spy may aim at: production, buildings that can be sabotaged, advances
    /// to be had.
    fn parts(&self, action: u8, answer: &ActionsAnswer) -> Vec<Part> {
        let city = self.world.cities.get(&CityId(answer.target_city));
        match (action, city) {
            (_, None) => Vec::new(),
            (SABOTAGE_PART | SABOTAGE_PART_ESCAPE, Some(city)) => {
                let buildings = self.weak_spots(city).into_iter().map(Part::Building);
                std::iter::once(Part::Production).chain(buildings).collect()
            }
            (_, Some(city)) => self.to_be_stolen(city).into_iter().map(Part::Advance).collect(),
        }
    }

    fn weak_spots(&self, city: &CityState) -> Vec<BuildingId> {
        let inside = self.world.interiors.get(&city.id).unwrap_or(&city.buildings);
        inside.iter().copied().filter(|id| self.world.sabotage_pct(*id) > 0).collect()
    }

    /// Advances that they know and we lack, those whose requirements we lack left out where the
    /// ruleset allows no holes.
    fn to_be_stolen(&self, city: &CityState) -> Vec<AdvanceId> {
        let letters = |research: Option<&crate::world::model::ResearchState>| {
            research.map_or_else(Vec::new, |r| r.inventions.as_bytes().to_vec())
        };
        let theirs = letters(self.world.research_of(city.owner));
        let ours = letters(self.world.my_research());
        let holes = self.world.game.steal_with_holes;
        let both = (0u16..).zip(theirs.into_iter().zip(ours)).skip(1);
        both.filter_map(|(id, (them, us))| {
            let open = us == b'1' || (holes && us == b'0');
            (them == b'2' && open).then_some(AdvanceId(id))
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_action_has_one_name() {
        let plain = [ATTACK, CONQUER, FOUND_CITY, JOIN_CITY];
        let numbers: BTreeSet<u8> = ACTIONS.iter().map(|(id, ..)| *id).chain(plain).collect();
        assert_eq!(numbers, (0..44).collect(), "the protocol counts 44 actions");
        let names: BTreeSet<&str> = ACTIONS.iter().map(|(_, name, _)| *name).collect();
        assert_eq!(names.len(), ACTIONS.len());
    }
}
