//! Steps to a neighbouring tile: in each situation our menu is compared with what the server does
//! with every one of the eight steps.

use saga_core::ids::PlayerId;

use crate::arena::Arena;
use crate::desk::Desk;

/// Terrain of all kinds; one column of every sort of coast.
const GROUND: [&str; 9] = [
    "~~~~~~~~~~~~~~",
    "~..^^.~~==~~~~",
    "~.r.*.~~==~~~~",
    "~.rr#.~~~=~~~~",
    "~..r##~~~==~~~",
    "~A.F^R.o.==~X~",
    "~...^..oo~=~j~",
    "~~~~~~~~~~~~~~",
    "==============",
];

fn rivals(desk: &mut Desk) -> Vec<PlayerId> {
    let players = desk.observe().players;
    players.iter().filter(|p| p.barbarian.is_none()).map(|p| p.id).collect()
}

fn ground(ruleset: &str, kinds: &[(&str, &[(u16, u16)])]) -> Option<usize> {
    let mut desk = Desk::open(ruleset, &[])?;
    let mut arena = Arena::draw(&mut desk, &GROUND);
    for (kind, places) in kinds {
        for from in *places {
            arena.steps(&mut desk, "ground", kind, *from);
        }
    }
    Some(arena.verdict(ruleset))
}

const LAND: [(u16, u16); 6] = [(2, 2), (3, 4), (4, 3), (5, 5), (6, 5), (12, 6)];
const SEA: [(u16, u16); 6] = [(6, 2), (8, 3), (9, 4), (9, 6), (0, 0), (7, 6)];
const SKY: [(u16, u16); 2] = [(6, 4), (12, 4)];

#[test]
fn move_over_all_ground_in_classic() {
    let kinds: [(&str, &[(u16, u16)]); 9] = [
        ("Warriors", &LAND),
        ("Settlers", &LAND[..2]),
        ("Explorer", &LAND[..2]),
        ("Trireme", &SEA),
        ("Destroyer", &SEA),
        ("Fighter", &SKY),
        ("Bomber", &SKY),
        ("Helicopter", &SKY),
        ("Cruise Missile", &SKY),
    ];
    ground("classic", &kinds);
}

#[test]
fn move_over_all_ground_in_civ2civ3() {
    let kinds: [(&str, &[(u16, u16)]); 9] = [
        ("Warriors", &LAND),
        ("Catapult", &LAND),
        ("Workers", &LAND[..3]),
        ("Caravan", &LAND),
        ("Trireme", &[(6, 2), (9, 6), (1, 3), (2, 3), (3, 4), (0, 2)]),
        ("Destroyer", &SEA),
        ("Fighter", &SKY),
        ("Helicopter", &SKY),
        ("Cruise Missile", &SKY),
    ];
    ground("civ2civ3", &kinds);
}

/// A strait between two lands.
const STRAIT: [&str; 7] = [
    "~~~~~~~~~~~~",
    "~....~~....~",
    "~....~~....~",
    "~....~~....~",
    "~....~~....~",
    "~....~~....~",
    "~~~~~~~~~~~~",
];

#[test]
fn move_past_enemies_and_their_cities() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &STRAIT);
    let them = rivals(&mut desk)[0];
    let us = desk.seat();
    let walkers = ["Warriors", "Explorer", "Diplomat", "Settlers"];
    let enemy = arena.put(&mut desk, them, "Warriors", (2, 2));
    for kind in walkers {
        for from in [(1, 3), (2, 3), (3, 3), (2, 4)] {
            arena.steps(&mut desk, "beside an enemy", kind, from);
        }
    }
    let own = arena.put(&mut desk, us, "Warriors", (3, 2));
    arena.steps(&mut desk, "towards our own", "Warriors", (2, 3));
    arena.remove(&mut desk, &[enemy, own]);
    for peaceful in ["Settlers", "Explorer", "Workers", "Caravan", "Fighter"] {
        let other = arena.put(&mut desk, them, peaceful, (2, 2));
        arena.steps(&mut desk, &format!("beside their {peaceful}"), "Warriors", (2, 3));
        arena.remove(&mut desk, &[other]);
    }
    let ship = arena.put(&mut desk, them, "Frigate", (5, 2));
    arena.steps(&mut desk, "beside an enemy ship", "Warriors", (4, 2));
    arena.steps(&mut desk, "beside an enemy ship", "Trireme", (5, 3));
    arena.remove(&mut desk, &[ship]);
    arena.city(&mut desk, them, "Empty", (8, 3));
    for kind in ["Warriors", "Explorer", "Caravan", "Fighter", "Cruise Missile"] {
        arena.steps(&mut desk, "beside an empty city", kind, (8, 4));
    }
    arena.steps(&mut desk, "beside an empty city", "Destroyer", (6, 3));
    let inside = arena.put(&mut desk, them, "Warriors", (8, 3));
    for kind in walkers {
        arena.steps(&mut desk, "beside an occupied city", kind, (8, 4));
        arena.steps(&mut desk, "beside an occupied city", kind, (7, 3));
    }
    arena.remove(&mut desk, &[inside]);
    let civilian = arena.put(&mut desk, them, "Workers", (8, 3));
    arena.steps(&mut desk, "beside a city with workers", "Warriors", (8, 4));
    arena.remove(&mut desk, &[civilian]);
    arena.city(&mut desk, us, "Home", (1, 3));
    let enemy = arena.put(&mut desk, them, "Warriors", (2, 2));
    for kind in ["Warriors", "Trireme", "Fighter"] {
        arena.steps(&mut desk, "out of our city", kind, (1, 3));
    }
    arena.steps(&mut desk, "into our city", "Warriors", (1, 2));
    arena.steps(&mut desk, "into our city", "Trireme", (0, 3));
    arena.remove(&mut desk, &[enemy]);
    for left in [1, 2] {
        arena.tired(&mut desk, "nearly spent", "Warriors", (3, 4), left);
    }
    arena.tired(&mut desk, "spent", "Warriors", (3, 4), 0);
    arena.verdict("enemies");
}
