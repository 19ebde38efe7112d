//! What cities may build, against the server: every unit type and every building is tried in cities
//! of all sorts, at four levels of knowledge and under several governments.

use std::collections::{BTreeMap, BTreeSet};

use saga_core::action::{Action, Item};
use saga_core::ids::{BuildingId, CityId, UnitTypeId};
use saga_freeciv::Request;

use crate::desk::Desk;
use crate::situations::{Made, Site, Tally, buildings, found, govern, know, make_city, places};

/// Tries every item in each of these cities of ours; files what became the production.
fn build_both_ways(desk: &mut Desk, cities: &[CityId], what: &str, tally: &mut Tally) {
    let seen = desk.look();
    let rules = desk.rules();
    let mut offered: BTreeMap<CityId, BTreeSet<Item>> = BTreeMap::new();
    let mut present = BTreeMap::new();
    for city in seen.cities.iter().filter(|c| cities.contains(&c.id)) {
        let item = |action: &Action| match action {
            Action::Produce { item } => Some(*item),
            _ => None,
        };
        offered.insert(city.id, city.actions.iter().filter_map(item).collect());
        present.insert(city.id, city.production);
    }
    assert_eq!(offered.len(), cities.len(), "{what}: a city is missing");
    let units = (0..rules.unit_types.len() as u16).map(|id| Item::Unit(UnitTypeId(id)));
    let houses = (0..rules.buildings.len() as u16).map(|id| Item::Building(BuildingId(id)));
    for item in units.chain(houses) {
        let tried: Vec<CityId> = cities.iter().copied().filter(|c| present[c] != item).collect();
        desk.ask(tried.iter().map(|city| change(*city, item)).collect());
        let now = desk.observe();
        for city in now.cities.iter().filter(|c| tried.contains(&c.id)) {
            tally.file(offered[&city.id].contains(&item), city.production == item, || {
                let name = match item {
                    Item::Unit(id) => &rules.unit_types[usize::from(id.0)].name,
                    Item::Building(id) => &rules.buildings[usize::from(id.0)].name,
                };
                format!("{what}: {name} in {} (size {})", city.name, city.size)
            });
        }
    }
}

fn change(city: CityId, item: Item) -> Request {
    let (kind, value) = match item {
        Item::Building(id) => (3_i64, id.0),
        Item::Unit(id) => (6, id.0),
    };
    Request {
        packet: "CITY_CHANGE",
        fields: vec![
            ("city_id", city.0.into()),
            ("production_kind", kind.into()),
            ("production_value", i64::from(value).into()),
        ],
    }
}

/// A world of cities of all sorts.
struct Cities {
    ours: Vec<CityId>,
    /// A city of somebody else, for wonders.
    theirs: CityId,
}

impl Cities {
    fn lay_out(desk: &mut Desk, sorts: &[(Site, u32, &[&str])]) -> Self {
        let (seat, spots) = (desk.seat(), places(desk, sorts.len() + 1));
        let ours = sorts.iter().zip(&spots).map(|((site, size, names), at)| {
            let id = found(desk, seat, *at, *site);
            let made = Made { size: *size, buildings: buildings(desk, names), ..Made::default() };
            make_city(desk, id, &made);
            id
        });
        let ours = ours.collect();
        let them = desk.observe().players[0].id;
        let theirs = found(desk, them, spots[sorts.len()], Site::Coast);
        Self { ours, theirs }
    }

    /// Somebody else has exactly these wonders; what they had and lose is gone for ever.
    fn wonders_of_others(&self, desk: &mut Desk, names: &[&str]) {
        let made = Made { size: 3, buildings: buildings(desk, names), ..Made::default() };
        make_city(desk, self.theirs, &made);
    }

    fn compare(&self, desk: &mut Desk, what: &str, tally: &mut Tally) {
        build_both_ways(desk, &self.ours, what, tally);
    }
}

#[test]
fn classic_builds_equal_the_servers() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let cities = Cities::lay_out(
        &mut desk,
        &[
            (Site::Inland, 1, &["Palace"]),
            (Site::Coast, 1, &[]),
            (Site::River, 4, &["Temple", "Library", "Marketplace"]),
            (Site::Lake, 7, &["Marketplace", "Barracks", "Courthouse"]),
            (Site::Hills, 9, &["City Walls", "Granary", "Factory", "Aqueduct"]),
            (Site::OnRiver, 12, &["Aqueduct", "Library", "University", "Bank"]),
            (Site::Mountains, 2, &["Barracks II", "Factory", "Power Plant"]),
            (Site::Coast, 8, &["Harbour", "Coastal Defense", "Aqueduct", "Factory"]),
            (Site::Coast, 16, &["Aqueduct", "Sewer System", "Offshore Platform", "Port Facility"]),
            (Site::Inland, 5, &["Barracks III", "Factory", "Hydro Plant", "Mfg. Plant"]),
            (Site::River, 3, &["Temple", "Colosseum", "Cathedral", "Airport", "SAM Battery"]),
            (Site::Inland, 6, &["Factory", "Nuclear Plant", "Solar Plant", "Stock Exchange"]),
        ],
    );
    let mut tally = Tally::default();
    cities.compare(&mut desk, "no advance", &mut tally);
    know(&mut desk, 30);
    cities.wonders_of_others(&mut desk, &["Colossus", "Pyramids", "Great Library"]);
    govern(&mut desk, "Monarchy");
    cities.compare(&mut desk, "30 %, Monarchy", &mut tally);
    know(&mut desk, 65);
    cities.wonders_of_others(&mut desk, &["Great Library", "Leonardo's Workshop"]);
    govern(&mut desk, "Republic");
    cities.compare(&mut desk, "65 %, Republic", &mut tally);
    know(&mut desk, 100);
    govern(&mut desk, "Democracy");
    cities.compare(&mut desk, "all, Democracy", &mut tally);
    cities.wonders_of_others(&mut desk, &["Manhattan Project"]);
    let apollo = buildings(&desk, &["Apollo Program", "Factory", "Palace"]);
    make_city(&mut desk, cities.ours[0], &Made { size: 8, buildings: apollo, ..Made::default() });
    cities.compare(&mut desk, "with bombs and rockets", &mut tally);
    assert_eq!(desk.world.unjudged_requirements(), 0);
    tally.verdict("classic builds", 7000);
}

#[test]
fn civ2civ3_builds_equal_the_servers() {
    let Some(mut desk) = Desk::open("civ2civ3", &[]) else { return };
    let cities = Cities::lay_out(
        &mut desk,
        &[
            (Site::Inland, 1, &["Palace"]),
            (Site::Coast, 8, &["Harbour", "Library"]),
            (Site::River, 9, &["Temple", "Library", "University", "Marketplace"]),
            (Site::Lake, 12, &["Aqueduct, Lake", "Factory", "Bank", "Marketplace"]),
            (Site::OnRiver, 10, &["Aqueduct, River", "Courthouse", "Barracks"]),
            (Site::Hills, 16, &["Aqueduct", "Sewer System", "Factory", "Power Plant", "Airport"]),
        ],
    );
    let mut tally = Tally::default();
    cities.compare(&mut desk, "no advance", &mut tally);
    know(&mut desk, 30);
    cities.wonders_of_others(&mut desk, &["Colossus", "Temple of Artemis"]);
    govern(&mut desk, "Tribal");
    cities.compare(&mut desk, "30 %, Tribal", &mut tally);
    know(&mut desk, 65);
    cities.wonders_of_others(&mut desk, &["Michelangelo's Chapel"]);
    govern(&mut desk, "Monarchy");
    cities.compare(&mut desk, "65 %, Monarchy", &mut tally);
    know(&mut desk, 100);
    govern(&mut desk, "Fundamentalism");
    cities.compare(&mut desk, "all, Fundamentalism", &mut tally);
    cities.wonders_of_others(&mut desk, &["Manhattan Project"]);
    let apollo = buildings(&desk, &["Apollo Program", "Factory", "Palace"]);
    make_city(&mut desk, cities.ours[0], &Made { size: 8, buildings: apollo, ..Made::default() });
    govern(&mut desk, "Federation");
    cities.compare(&mut desk, "with bombs and rockets, Federation", &mut tally);
    assert_eq!(desk.world.unjudged_requirements(), 0);
    tally.verdict("civ2civ3 builds", 3700);
}

/// Effects that menus read: any government, capital, nuclear arms, spaceships, embassies, recovery,
/// rates, senate, price of upgrades, workable tiles, and what terrain work may change.
const EFFECTS_READ: [u8; 15] = [2, 3, 4, 5, 17, 38, 57, 62, 78, 82, 84, 87, 88, 89, 90];

#[test]
fn every_requirement_that_menus_read_is_judged() {
    for ruleset in ["classic", "civ2civ3"] {
        let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
        let (seat, at) = (desk.seat(), places(&mut desk, 1)[0]);
        found(&mut desk, seat, at, Site::Coast);
        let rules = desk.rules();
        let buildings = rules.buildings.iter().flat_map(|b| b.reqs.iter().chain(&b.obsolete_by));
        let roads = rules.extras.iter().filter_map(|e| e.road.as_ref());
        let effects = rules.effects.iter().filter(|e| EFFECTS_READ.contains(&e.kind));
        let all = buildings
            .chain(rules.governments.iter().flat_map(|g| &g.reqs))
            .chain(rules.specialists.iter().flat_map(|s| &s.reqs))
            .chain(rules.extras.iter().flat_map(|e| e.reqs.iter().chain(&e.removal_reqs)))
            .chain(roads.flat_map(|r| &r.first_reqs))
            .chain(effects.flat_map(|e| &e.reqs));
        let mut sorts = BTreeSet::new();
        let mut open = BTreeSet::new();
        for req in all {
            sorts.insert((req.kind, req.range));
            if !desk.world.judges(req) {
                open.insert((req.kind, req.range));
            }
        }
        println!("{ruleset}: kinds and ranges {sorts:?}");
        assert!(open.is_empty(), "{ruleset}: {open:?}");
    }
}
