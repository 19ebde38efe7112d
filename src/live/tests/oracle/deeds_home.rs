//! Deeds at home: cities founded and helped, units housed, upgraded, lifted and disbanded.

use saga_core::action::{Action, Actor, Item, Outcome};

use crate::deeds::{Deed, Scene, own, own_city, play};

const COUNTRY: [&str; 7] = [
    "~~~~~~~~~~~~~~~~~",
    "~...............~",
    "~...............~",
    "~...............~",
    "~...............~",
    "~...............~",
    "~~~~~~~~~~~~~~~~~",
];

const EAST: (u16, u16) = (14, 3);
const WEST: (u16, u16) = (2, 3);

pub(crate) const DEEDS: [Deed; 10] = [
    ("found_city", found_city),
    ("join_city", join_city),
    ("home_city", home_city),
    ("upgrade_unit", upgrade_unit),
    ("disband_unit", disband_unit),
    ("disband_unit_recover", disband_unit_recover),
    ("help_wonder", help_wonder),
    ("establish_trade_route", establish_trade_route),
    ("enter_marketplace", enter_marketplace),
    ("airlift_unit", airlift_unit),
];

#[test]
fn deeds_at_home() {
    play("classic", &COUNTRY, settle, &DEEDS);
}

/// Two cities of ours far enough apart to trade, each with an airport.
fn settle(scene: &mut Scene) {
    let cities = [scene.city("West", WEST), scene.city("East", EAST)];
    scene.pass();
    for city in cities {
        scene.build(scene.us, city, "Airport");
    }
    scene.pass();
}

fn city_at(scene: &mut Scene, place: (u16, u16)) -> saga_core::ids::CityId {
    let at = scene.at(place);
    scene.observe().cities.iter().find(|c| c.at == at).expect("our city").id
}

fn found_city(scene: &mut Scene) {
    let settlers = scene.ours("Settlers", (8, 3));
    let seen = scene.does(settlers, "found_city", (8, 3));
    assert!(seen.cities.iter().any(|c| c.at == scene.at((8, 3))));
    assert!(own(&seen, settlers).is_none());
}

fn join_city(scene: &mut Scene) {
    let west = city_at(scene, WEST);
    let size = own_city(&scene.observe(), west).expect("West").size;
    let settlers = scene.ours("Settlers", WEST);
    let seen = scene.does(settlers, "join_city", WEST);
    assert_eq!(own_city(&seen, west).expect("West").size, size + 1);
}

fn home_city(scene: &mut Scene) {
    let (west, east) = (city_at(scene, WEST), city_at(scene, EAST));
    let unit = scene.at_home("Warriors", EAST, west);
    let seen = scene.does(unit, "home_city", EAST);
    assert_eq!(own(&seen, unit).expect("it lives on").home, Some(east));
}

fn upgrade_unit(scene: &mut Scene) {
    let unit = scene.ours("Phalanx", WEST);
    let gold = scene.observe().me.gold;
    let menu = scene.menu(unit);
    let cost = menu.iter().find_map(|a| match a {
        Action::Special { name, cost, .. } if name == "upgrade_unit" => *cost,
        _ => None,
    });
    let seen = scene.does(unit, "upgrade_unit", WEST);
    let kind = own(&seen, unit).expect("it lives on").kind;
    assert_ne!(kind, scene.unit_type("Phalanx"));
    assert_eq!(gold - seen.me.gold, cost.expect("a price"), "we knew the price");
}

fn disband_unit(scene: &mut Scene) {
    let unit = scene.ours("Warriors", (5, 1));
    let seen = scene.does(unit, "disband_unit", (5, 1));
    assert!(own(&seen, unit).is_none());
}

fn disband_unit_recover(scene: &mut Scene) {
    let east = city_at(scene, EAST);
    let stock = own_city(&scene.observe(), east).expect("East").shield_stock;
    let unit = scene.ours("Legion", (13, 3));
    let seen = scene.does(unit, "disband_unit_recover", EAST);
    assert!(own(&seen, unit).is_none());
    assert!(own_city(&seen, east).expect("East").shield_stock > stock);
}

fn help_wonder(scene: &mut Scene) {
    let west = city_at(scene, WEST);
    let item = Item::Building(scene.building("Eiffel Tower"));
    assert_eq!(scene.order(Actor::City(west), Action::Produce { item }), Outcome::Done);
    let stock = own_city(&scene.observe(), west).expect("West").shield_stock;
    let caravan = scene.ours("Caravan", WEST);
    let seen = scene.does(caravan, "help_wonder", WEST);
    assert!(own(&seen, caravan).is_none());
    assert!(own_city(&seen, west).expect("West").shield_stock >= stock + 50);
}

fn establish_trade_route(scene: &mut Scene) {
    let west = city_at(scene, WEST);
    let caravan = scene.at_home("Caravan", (13, 2), west);
    let seen = scene.does(caravan, "establish_trade_route", EAST);
    assert!(own(&seen, caravan).is_none());
    let told = scene.told();
    assert!(told.iter().any(|e| e.kind == "caravan_action"), "{told:?}");
}

/// Where a route stands already, there is still the market.
fn enter_marketplace(scene: &mut Scene) {
    let west = city_at(scene, WEST);
    let caravan = scene.at_home("Caravan", EAST, west);
    let gold = scene.observe().me.gold;
    let seen = scene.does(caravan, "enter_marketplace", EAST);
    assert!(own(&seen, caravan).is_none());
    assert!(seen.me.gold > gold);
}

fn airlift_unit(scene: &mut Scene) {
    let unit = scene.ours("Warriors", WEST);
    let seen = scene.does(unit, "airlift_unit", EAST);
    assert_eq!(own(&seen, unit).expect("it lives on").at, scene.at(EAST));
}
