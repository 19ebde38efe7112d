//! Every kind of action of a unit carried out at least once on the real server, chosen from our own
//! menu, sent as a game sends it, judged, and seen in the next observation.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

use saga_core::action::{Action, Actor, Item, Outcome};
use saga_core::ids::{BuildingId, CityId, PlayerId, Pos, UnitId, UnitTypeId};
use saga_core::observation::{City, ForeignCity, ForeignUnit, Observation, Unit};
use saga_freeciv::action_word;

use crate::actions::{housed, others, teach};
use crate::arena::Arena;
use crate::desk::Desk;
use crate::rival::Rival;
use crate::{deeds_home, deeds_land, deeds_spies, deeds_war};

/// Every advance that anything here needs.
const ADVANCES: [&str; 9] = [
    "Construction",
    "Bronze Working",
    "Feudalism",
    "Radio",
    "Refrigeration",
    "Environmentalism",
    "Superconductors",
    "Advanced Flight",
    "Espionage",
];

/// A drawn place with us, and somebody at war with us whose seat we hold too, so that nobody moves
/// but when told.
pub(crate) struct Scene {
    desk: Desk,
    pub(crate) arena: Arena,
    pub(crate) rival: Rival,
    pub(crate) us: PlayerId,
    pub(crate) them: PlayerId,
}

impl Deref for Scene {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl DerefMut for Scene {
    fn deref_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }
}

impl Scene {
    pub(crate) fn open(ruleset: &str, rows: &[&str]) -> Option<Self> {
        let mut desk = Desk::open(ruleset, &[])?;
        let (us, them) = (desk.seat(), others(&mut desk)[0]);
        let rival = Rival::sit(&mut desk, them);
        let arena = Arena::draw(&mut desk, rows);
        for player in [us, them] {
            desk.lua(&format!("edit.change_gold(find.player({player}), 30000)"));
            teach(&mut desk, player, &ADVANCES);
        }
        Some(Self { desk, arena, rival, us, them })
    }

    pub(crate) fn at(&self, (x, y): (u16, u16)) -> Pos {
        self.arena.at(x, y)
    }

    /// Sets a unit of ours.
    pub(crate) fn ours(&mut self, kind: &str, place: (u16, u16)) -> UnitId {
        self.arena.put(&mut self.desk, self.us, kind, place)
    }

    /// Sets a unit of theirs.
    pub(crate) fn theirs(&mut self, kind: &str, place: (u16, u16)) -> UnitId {
        self.arena.put(&mut self.desk, self.them, kind, place)
    }

    /// Sets a unit of ours that lives in a city.
    pub(crate) fn at_home(&mut self, kind: &str, place: (u16, u16), home: CityId) -> UnitId {
        let at = self.at(place);
        housed(&mut self.desk, kind, at, home).expect("a new unit")
    }

    /// Founds a city of ours.
    pub(crate) fn city(&mut self, name: &str, place: (u16, u16)) -> CityId {
        self.arena.city(&mut self.desk, self.us, name, place);
        let at = self.at(place);
        self.observe().cities.iter().find(|c| c.at == at).expect("a new city").id
    }

    /// Founds a city of theirs with so many more citizens.
    pub(crate) fn their_city(&mut self, name: &str, place: (u16, u16), more: u32) -> CityId {
        self.arena.city(&mut self.desk, self.them, name, place);
        self.rival.settle();
        let at = self.at(place);
        let found = self.rival.observe().cities.into_iter().find(|c| c.at == at);
        let city = found.expect("a new city of theirs").id;
        for _ in 0..more {
            let id = self.theirs("Settlers", place);
            self.rival.settle();
            let joined = self.rival.order(Actor::Unit(id), Action::JoinCity { city });
            assert_eq!(joined, Outcome::Done, "a settler joins {name}");
        }
        self.desk.settle();
        city
    }

    /// Has a look at what lies around these places.
    pub(crate) fn scout(&mut self, places: &[(u16, u16)]) {
        for place in places {
            let scout = self.ours("Explorer", *place);
            self.remove(&[scout]);
        }
    }

    /// Removes units of anybody.
    pub(crate) fn remove(&mut self, units: &[UnitId]) {
        self.arena.remove(&mut self.desk, units);
    }

    /// Ends the turn on both sides.
    pub(crate) fn pass(&mut self) {
        self.rival.end_turn(&mut self.desk);
    }

    /// Has a city of ours or theirs finish a building by the next turn.
    pub(crate) fn build(&mut self, owner: PlayerId, city: CityId, name: &str) {
        let building = self.building(name);
        let item = Item::Building(building);
        let line = if owner == self.us { &mut *self.desk } else { &mut *self.rival };
        let now = own_city(&line.observe(), city).expect("a city").production;
        if now != item {
            let told = line.order(Actor::City(city), Action::Produce { item });
            assert_eq!(told, Outcome::Done, "{name} can be built");
        }
        assert_eq!(line.order(Actor::City(city), Action::Buy), Outcome::Done, "{name} is bought");
    }

    pub(crate) fn building(&self, name: &str) -> BuildingId {
        let rules = self.rules();
        let found = rules.buildings.iter().position(|b| b.name == name);
        BuildingId(found.unwrap_or_else(|| panic!("no {name}")) as u16)
    }

    pub(crate) fn unit_type(&self, name: &str) -> UnitTypeId {
        let found = self.rules().unit_types.iter().position(|t| t.name == name);
        UnitTypeId(found.unwrap_or_else(|| panic!("no {name}")) as u16)
    }

    /// Carries out the first action of this kind on the unit's menu toward a place.
    ///
    /// # Panics
    /// When there is none, or it is not done.
    pub(crate) fn does(&mut self, unit: UnitId, kind: &str, place: (u16, u16)) -> Observation {
        let at = self.at(place);
        let menu = self.menu(unit);
        let aimed = |a: &&Action| a.kind() == kind && aim(a).is_none_or(|aim| aim == at);
        let action = menu.iter().find(aimed).cloned();
        let action = action.unwrap_or_else(|| panic!("no {kind} toward {place:?} in {menu:?}"));
        self.carries_out(unit, &action)
    }

    pub(crate) fn carries_out(&mut self, unit: UnitId, action: &Action) -> Observation {
        self.told();
        let outcome = self.order(Actor::Unit(unit), action.clone());
        assert_eq!(outcome, Outcome::Done, "{action:?}: {:?} {:?}", self.told(), self.menu(unit));
        self.look()
    }

    pub(crate) fn menu(&mut self, unit: UnitId) -> Vec<Action> {
        let seen = self.look();
        own(&seen, unit).unwrap_or_else(|| panic!("no unit {unit}")).actions.clone()
    }
}

/// Where an action is aimed, if it names a place.
fn aim(action: &Action) -> Option<Pos> {
    match action {
        Action::Attack { at } | Action::Conquer { at, .. } | Action::Special { at, .. } => {
            Some(*at)
        }
        _ => None,
    }
}

pub(crate) fn own(seen: &Observation, id: UnitId) -> Option<&Unit> {
    seen.units.iter().find(|u| u.id == id)
}

pub(crate) fn foreign(seen: &Observation, id: UnitId) -> Option<&ForeignUnit> {
    seen.foreign_units.iter().find(|u| u.id == id)
}

pub(crate) fn own_city(seen: &Observation, id: CityId) -> Option<&City> {
    seen.cities.iter().find(|c| c.id == id)
}

pub(crate) fn foreign_city(seen: &Observation, id: CityId) -> Option<&ForeignCity> {
    seen.foreign_cities.iter().find(|c| c.id == id)
}

/// One kind of action and how it is brought about.
pub(crate) type Deed = (&'static str, fn(&mut Scene));

/// Plays all deeds in one scene, each by its name.
pub(crate) fn play(ruleset: &str, rows: &[&str], prepare: fn(&mut Scene), deeds: &[Deed]) {
    let Some(mut scene) = Scene::open(ruleset, rows) else { return };
    prepare(&mut scene);
    for (name, deed) in deeds {
        println!("{ruleset}: {name}");
        deed(&mut scene);
    }
}

/// The word for an enabled action.
fn word(action: u8) -> &'static str {
    action_word(action).unwrap_or_else(|| panic!("no word for action {action}"))
}

/// What neither ruleset enables, and therefore nobody can try.
const NOWHERE: [&str; 13] = [
    "destroy_city",
    "expel_unit",
    "heal_unit",
    "poison_city",
    "sabotage_unit",
    "steal_gold",
    "steal_gold_escape",
    "steal_maps",
    "steal_maps_escape",
    "suitcase_nuke",
    "suitcase_nuke_escape",
    "targeted_sabotage_city",
    "targeted_steal_tech",
];

#[test]
fn every_action_that_a_ruleset_enables_is_carried_out_by_name() {
    let lists = [
        deeds_home::DEEDS.as_slice(),
        deeds_land::DEEDS.as_slice(),
        deeds_spies::DEEDS.as_slice(),
        deeds_war::DEEDS.as_slice(),
        deeds_war::DEEDS_OF_CIV2CIV3.as_slice(),
    ];
    let tried: BTreeSet<&str> = lists.iter().flat_map(|list| list.iter().map(|d| d.0)).collect();
    let mut enabled = BTreeSet::new();
    for ruleset in ["classic", "civ2civ3"] {
        let Some(desk) = Desk::open(ruleset, &[]) else { return };
        enabled.extend(desk.rules().enablers.iter().map(|e| word(e.action)));
    }
    let untried: Vec<_> = enabled.difference(&tried).collect();
    assert!(untried.is_empty(), "enabled, never carried out: {untried:?}");
    let all: BTreeSet<&str> = (0..44).map(word).collect();
    let nowhere: Vec<&str> = all.difference(&enabled).copied().collect();
    assert_eq!(nowhere, NOWHERE);
}
