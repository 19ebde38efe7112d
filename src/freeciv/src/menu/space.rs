//! Our spaceship: which parts can be put in their places, in an order the server accepts, and
//! whether it can be launched. The numbers are the server's own, which it tells nobody; they were
//! read off the places in which it put a full ship together by itself.

use super::Board;
use crate::rules::About;
use crate::world::model::{SpaceshipStage, SpaceshipState};

/// Kinds of places, in the protocol's numbering.
const STRUCTURAL: u8 = 0;
const FUEL: u8 = 1;
const PROPULSION: u8 = 2;
const HABITATION: u8 = 3;
const LIFE_SUPPORT: u8 = 4;
const SOLAR_PANELS: u8 = 5;

/// Places for each kind of component and of module.
const COMPONENTS_MAX: u32 = 8;
const MODULES_MAX: u32 = 4;

/// Structurals hang on each other: in this order each one's support is there before it, and those
/// that carry the first engine and the first modules come first.
const STRUCTURALS: [u8; 32] = [
    0, 1, 2, 4, 6, 10, 8, 12, 3, 9, 13, 22, 24, 26, 28, 5, 23, 25, 27, 29, 7, 11, 15, 14, 16, 18,
    17, 19, 20, 21, 31, 30,
];

/// Effect: a capital.
const CAPITAL: u8 = 3;

/// A place for a part: its kind, and its number among its kind.
pub(crate) type Place = (u8, u8);

impl Board<'_> {
    /// Our spaceship, once a part of it was built.
    pub(crate) fn spaceship(&self) -> Option<&SpaceshipState> {
        let ship = self.world.spaceships.get(&self.world.seat()?)?;
        (ship.stage != SpaceshipStage::None).then_some(ship)
    }

    /// The places that the parts built so far can take, in lawful order.
    pub(crate) fn places(&self) -> Vec<Place> {
        let ship = self.spaceship().filter(|ship| ship.stage == SpaceshipStage::Started);
        ship.map_or_else(Vec::new, |ship| {
            [structurals(ship), components(ship), modules(ship)].concat()
        })
    }

    /// Started, with a chance to arrive, and a capital to launch it from.
    pub(super) fn may_launch(&self) -> bool {
        let ready =
            |ship: &SpaceshipState| ship.stage == SpaceshipStage::Started && ship.success > 0;
        self.spaceship().is_some_and(ready)
            && self.judge.own_cities().any(|city| {
                let about = About { city: Some(city), tile: Some(city.tile), ..About::default() };
                self.judge.effect(CAPITAL, about) > 0
            })
    }
}

impl SpaceshipState {
    /// Parts that are built and not in their places.
    pub(crate) fn unplaced(&self) -> u32 {
        let built = self.structurals + self.components + self.modules;
        let placed = self.structure.count_ones()
            + self.fuel
            + self.propulsion
            + self.habitation
            + self.life_support
            + self.solar_panels;
        built.saturating_sub(placed)
    }
}

fn structurals(ship: &SpaceshipState) -> Vec<Place> {
    let spare = ship.structurals.saturating_sub(ship.structure.count_ones());
    let open = STRUCTURALS.into_iter().filter(|n| ship.structure >> n & 1 == 0);
    open.take(spare as usize).map(|n| (STRUCTURAL, n)).collect()
}

/// Fuel and propulsion in turn: an engine needs both.
fn components(ship: &SpaceshipState) -> Vec<Place> {
    let placed = [(FUEL, ship.fuel), (PROPULSION, ship.propulsion)];
    fewest_first(placed.to_vec(), ship.components, COMPONENTS_MAX)
}

/// A living ship needs each kind of module.
fn modules(ship: &SpaceshipState) -> Vec<Place> {
    let placed = [
        (HABITATION, ship.habitation),
        (LIFE_SUPPORT, ship.life_support),
        (SOLAR_PANELS, ship.solar_panels),
    ];
    fewest_first(placed.to_vec(), ship.modules, MODULES_MAX)
}

/// Places for what was built beyond what is placed: always the kind of which there are fewest, the
/// earlier one when there are as many. Places of a kind are numbered from 1.
fn fewest_first(mut placed: Vec<(u8, u32)>, built: u32, most: u32) -> Vec<Place> {
    let taken: u32 = placed.iter().map(|(_, count)| count).sum();
    let mut places = Vec::new();
    for _ in taken..built {
        let open = placed.iter_mut().filter(|(_, count)| *count < most);
        let Some((kind, count)) = open.min_by_key(|(_, count)| *count) else { break };
        *count += 1;
        places.extend(u8::try_from(*count).map(|number| (*kind, number)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_placed_where_they_are_missing_most() {
        let ship = SpaceshipState {
            structurals: 3,
            structure: 0b11,
            components: 3,
            modules: 4,
            habitation: 1,
            ..SpaceshipState::default()
        };
        assert_eq!(structurals(&ship), [(0, 2)]);
        assert_eq!(components(&ship), [(1, 1), (2, 1), (1, 2)]);
        assert_eq!(modules(&ship), [(4, 1), (5, 1), (3, 2)]);
        assert_eq!(ship.unplaced(), 7);
    }

    #[test]
    fn a_full_ship_takes_no_more() {
        assert_eq!(fewest_first(vec![(1, 8), (2, 8)], 20, 8), []);
        let all: u32 = STRUCTURALS.iter().fold(0, |set, n| set | 1 << n);
        assert_eq!(all, u32::MAX);
    }
}
