//! What cities may sell and where their citizens may work, against the server: every building is
//! put up for sale, every tile around is worked and left, every specialist retrained, and buying is
//! tried whatever is built.

use saga_core::action::{Action, Actor, Item, Rates};
use saga_core::ids::{BuildingId, CityId, Pos, SpecialistId, UnitTypeId};
use saga_core::observation::{City, Observation};
use saga_freeciv::Value;

use crate::desk::Desk;
use crate::situations::{
    Made, Site, Tally, buildings, found, improvements, know, make_city, places,
};

/// Puts every building up for sale; the one that is meant to go comes after all that cannot.
fn sell_both_ways(desk: &mut Desk, id: CityId, goes: BuildingId, tally: &mut Tally) {
    let count = desk.rules().buildings.len() as u16;
    let offered = |city: &City, building| city.actions.contains(&Action::Sell { building });
    let before = desk.city(id).expect("a city");
    let (lawful, unlawful): (Vec<BuildingId>, Vec<BuildingId>) =
        (0..count).map(BuildingId).partition(|b| offered(&before, *b));
    let last = lawful.iter().copied().filter(|b| *b != goes);
    let mut seen = before;
    for building in unlawful.into_iter().chain([goes]).chain(last) {
        let field = ("build_id", i64::from(building.0).into());
        desk.send("CITY_SELL", &[("city_id", id.0.into()), field]);
        let now = desk.city(id).expect("a city");
        let sold = seen.buildings.contains(&building) && !now.buildings.contains(&building);
        tally.file(offered(&seen, building), sold, || format!("sale of {building:?} in {id}"));
        seen = now;
    }
}

fn sales(ruleset: &str, rounds: usize) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let (seat, spots) = (desk.seat(), places(&mut desk, 12));
    let cities: Vec<CityId> =
        spots.iter().map(|at| found(&mut desk, seat, *at, Site::Coast)).collect();
    let all = improvements(&desk);
    let wonders = buildings(&desk, &["Palace", "Pyramids", "Great Library"]);
    let mut goes = all.iter().cycle();
    let mut tally = Tally::default();
    for _ in 0..rounds {
        for (n, id) in cities.iter().enumerate() {
            let more: &[BuildingId] = if n == 0 { &wonders } else { &[] };
            let buildings = [&all[..], more].concat();
            make_city(&mut desk, *id, &Made { size: 4, buildings, ..Made::default() });
            let goes = *goes.next().expect("a circle");
            sell_both_ways(&mut desk, *id, goes, &mut tally);
        }
        desk.end_turn();
    }
    tally.verdict(&format!("{ruleset} sales"), 800 * rounds);
}

#[test]
fn classic_sales_equal_the_servers() {
    sales("classic", 4);
}

#[test]
fn civ2civ3_sales_equal_the_servers() {
    sales("civ2civ3", 1);
}

fn tile(seen: &Observation, at: Pos) -> Value {
    (i64::from(at.y) * i64::from(seen.map.width) + i64::from(at.x)).into()
}

fn works(seen: &Observation, city: CityId, at: Pos) -> bool {
    seen.map.tiles.iter().any(|t| t.at == at && t.worked_by == Some(city))
}

/// Puts a citizen on the tile or takes one off; files whether that was offered and whether it was
/// done.
fn shift(
    desk: &mut Desk,
    before: &Observation,
    (id, at, put): (CityId, Pos, bool),
    tally: &mut Tally,
) -> Observation {
    let action = if put { Action::PutOnTile { at } } else { Action::TakeOffTile { at } };
    let packet = if put { "CITY_MAKE_WORKER" } else { "CITY_MAKE_SPECIALIST" };
    let fields = [("city_id", id.0.into()), ("tile_id", tile(before, at))];
    desk.send(packet, &fields);
    let after = desk.look();
    let done = works(before, id, at) != put && works(&after, id, at) == put;
    let city = before.cities.iter().find(|c| c.id == id).expect("a city");
    tally.file(city.actions.contains(&action), done, || {
        let known = before.map.tiles.iter().find(|t| t.at == at);
        format!("{packet} of {} at {} for {at}: {known:?}", city.name, city.at)
    });
    after
}

/// Every tile in a square around the city is left, taken, and left again; the city itself is not
/// tried, since that rearranges all citizens.
fn work_both_ways(desk: &mut Desk, id: CityId, reach: i32, tally: &mut Tally) {
    let mut seen = desk.look();
    let city = seen.cities.iter().find(|c| c.id == id).expect("a city").clone();
    let near =
        |at: u16, d: i32, size: u16| u16::try_from(i32::from(at) + d).ok().filter(|to| *to < size);
    for (dy, dx) in (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dy, dx))) {
        let x = near(city.at.x, dx, seen.map.width);
        let y = near(city.at.y, dy, seen.map.height);
        let Some(at) = x.zip(y).map(|(x, y)| Pos { x, y }).filter(|at| *at != city.at) else {
            continue;
        };
        for put in [false, true, true, false, false, true] {
            seen = shift(desk, &seen, (id, at, put), tally);
        }
    }
}

fn retrain_both_ways(desk: &mut Desk, id: CityId, tally: &mut Tally) {
    let kinds = desk.rules().specialists.len() as u16;
    for (from, to) in (0..=kinds).flat_map(|from| (0..=kinds).map(move |to| (from, to))) {
        let before = desk.city(id).expect("a city");
        let fields = [
            ("city_id", id.0.into()),
            ("from", i64::from(from).into()),
            ("to", i64::from(to).into()),
        ];
        desk.send("CITY_CHANGE_SPECIALIST", &fields);
        let after = desk.city(id).expect("a city");
        let action = Action::Retrain { from: SpecialistId(from), to: SpecialistId(to) };
        let done = before.specialists != after.specialists;
        tally.file(before.actions.contains(&action), done, || format!("{action:?} in {id}"));
    }
}

fn citizens(ruleset: &str, reach: i32) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let seat = desk.seat();
    let them = desk.observe().players[0].id;
    let spots = places(&mut desk, 8);
    let beside = |at: Pos, dx: u16, dy: u16| Pos { x: at.x + dx, y: at.y + dy };
    // Their land reaches into what our hill city could work.
    found(&mut desk, them, beside(spots[2], 5, 0), Site::Inland);
    let mut cities = Vec::new();
    for (n, (at, site)) in spots.iter().zip([Site::Inland, Site::Coast, Site::Hills]).enumerate() {
        let id = found(&mut desk, seat, *at, site);
        let size = [3, 9, 16][n];
        let names = ["Aqueduct", "Sewer System", "Harbour", "Temple"];
        let buildings = buildings(&desk, &names);
        make_city(&mut desk, id, &Made { size, buildings, ..Made::default() });
        desk.make("Mech. Inf.", *at);
        cities.push(id);
    }
    // A soldier at war, a settler, a bomber; a neighbour's land; a sister city; useless land.
    let rows = [("Horsemen", beside(spots[0], 1, 0)), ("Settlers", beside(spots[0], 0, 1))];
    for (kind, at) in [&rows[..], &[("Bomber", beside(spots[1], 0, 1))]].concat() {
        desk.lua(&format!(
            "edit.create_unit(find.player({them}), find.tile({}, {}), find.unit_type('{kind}'), \
             0, nil, -1)",
            at.x, at.y
        ));
    }
    let sister = found(&mut desk, seat, beside(spots[1], 3, 1), Site::Inland);
    make_city(&mut desk, sister, &Made { size: 5, ..Made::default() });
    let wall = beside(spots[0], 1, 1);
    desk.lua(&format!(
        "edit.change_terrain(find.tile({}, {}), find.terrain('Inaccessible'))",
        wall.x, wall.y
    ));
    let mut tally = Tally::default();
    for id in cities.iter().copied().chain([sister]) {
        work_both_ways(&mut desk, id, reach, &mut tally);
        retrain_both_ways(&mut desk, id, &mut tally);
    }
    desk.end_turn();
    for id in cities {
        work_both_ways(&mut desk, id, reach, &mut tally);
    }
    assert_eq!(desk.world.unjudged_requirements(), 0);
    tally.verdict(&format!("{ruleset} citizens"), 2000);
}

#[test]
fn classic_citizens_equal_the_servers() {
    citizens("classic", 3);
}

#[test]
fn civ2civ3_citizens_equal_the_servers() {
    citizens("civ2civ3", 4);
}

/// Tries to buy; files whether that was offered and whether it was done.
fn buy_both_ways(desk: &mut Desk, id: CityId, what: &str, tally: &mut Tally) {
    let before = desk.city(id).expect("a city");
    desk.send("CITY_BUY", &[("city_id", id.0.into())]);
    let after = desk.city(id).expect("a city");
    let done = !before.did_buy && after.did_buy;
    tally.file(before.actions.contains(&Action::Buy), done, || format!("buying {what}"));
}

#[test]
fn purchases_equal_the_servers() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let (seat, spots) = (desk.seat(), places(&mut desk, 2));
    know(&mut desk, 60);
    let id = found(&mut desk, seat, spots[0], Site::Coast);
    // Edited gold is told with the next change of rates.
    let gold = |desk: &mut Desk, change: i64| {
        desk.lua(&format!("edit.change_gold(find.player({seat}), {change})"));
        let Rates { tax, luxury, science } = desk.observe().me.rates;
        let shares = [("tax", tax), ("luxury", luxury), ("science", science)];
        desk.send("PLAYER_RATES", &shares.map(|(name, share)| (name, i64::from(share).into())));
    };
    let mut tally = Tally::default();
    gold(&mut desk, 3000);
    buy_both_ways(&mut desk, id, "in the turn of founding", &mut tally);
    desk.end_turn();
    let rules = desk.rules();
    let items = (0..rules.buildings.len() as u16).map(|b| Item::Building(BuildingId(b)));
    let units = (0..rules.unit_types.len() as u16).map(|u| Item::Unit(UnitTypeId(u)));
    let (mut riots, mut bought) = (0, 0);
    for (n, item) in units.chain(items).enumerate() {
        let city = desk.city(id).expect("a city");
        if !city.actions.contains(&Action::Produce { item }) {
            continue;
        }
        desk.order(Actor::City(id), Action::Produce { item });
        riots += usize::from(city.disorder);
        let purse = i64::from(desk.observe().me.gold);
        match n % 2 {
            0 => {
                let cost = i64::from(desk.city(id).expect("a city").buy_cost);
                gold(&mut desk, cost - 1 - purse);
                buy_both_ways(&mut desk, id, &format!("{item:?} for too little"), &mut tally);
                gold(&mut desk, 1);
            }
            _ => gold(&mut desk, 5000 - purse),
        }
        buy_both_ways(&mut desk, id, &format!("{item:?}"), &mut tally);
        buy_both_ways(&mut desk, id, &format!("{item:?} twice"), &mut tally);
        bought += 1;
        let size = if bought % 2 == 0 { 3 } else { 14 };
        make_city(&mut desk, id, &Made { size, food: 5, ..Made::default() });
        desk.end_turn();
    }
    println!("purchases: {bought} items, {riots} in disorder");
    assert!(riots > 5, "rioters are wanted");
    tally.verdict("purchases", 100);
}
