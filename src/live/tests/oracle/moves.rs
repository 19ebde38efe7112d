//! Steps to a neighbouring tile: in each situation our menu is compared with what the server does
//! with every one of the eight steps.

use saga_core::ids::PlayerId;
use saga_core::observation::Stance;

use crate::arena::Arena;
use crate::desk::Desk;
use crate::exceptions::OUT_OF_SIGHT;
use crate::rival::Rival;

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

fn ground(ruleset: &str, kinds: &[(&str, &[(u16, u16)])]) {
    let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &GROUND);
    for (kind, places) in kinds {
        for from in *places {
            arena.steps(&mut desk, "ground", kind, *from);
        }
    }
    arena.verdict(&format!("{ruleset} ground"), 220);
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
    arena.verdict("enemies", 360);
}

#[test]
fn move_under_pacts() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &STRAIT);
    let us = desk.seat();
    let them = rivals(&mut desk)[0];
    let mut rival = Rival::sit(&mut desk, them);
    arena.city(&mut desk, them, "Theirs", (9, 3));
    let kinds = ["Warriors", "Settlers", "Explorer", "Caravan", "Fighter", "Cruise Missile"];
    for stance in [Stance::War, Stance::CeaseFire, Stance::Armistice] {
        rival.pact(&mut desk, stance);
        let other = arena.put(&mut desk, them, "Warriors", (2, 2));
        for kind in kinds {
            arena.steps(&mut desk, &format!("{stance:?} near a city"), kind, (8, 4));
            arena.steps(&mut desk, &format!("{stance:?} near a unit"), kind, (2, 3));
        }
        arena.steps(&mut desk, &format!("{stance:?} off their coast"), "Destroyer", (6, 3));
        arena.steps(&mut desk, &format!("{stance:?} on their border"), "Warriors", (7, 1));
        arena.remove(&mut desk, &[other]);
    }
    for _ in 0..17 {
        rival.end_turn(&mut desk);
    }
    assert_eq!(rival.stance(&mut desk), Stance::Peace);
    for kind in kinds {
        arena.steps(&mut desk, "peace near a border", kind, (7, 1));
        arena.steps(&mut desk, "peace near a border", kind, (7, 5));
    }
    arena.steps(&mut desk, "peace off their coast", "Destroyer", (6, 3));
    rival.pact(&mut desk, Stance::Alliance);
    let enemy = rivals(&mut desk)[1];
    let inside = arena.put(&mut desk, them, "Warriors", (9, 3));
    let ship = arena.put(&mut desk, them, "Transport", (5, 3));
    let friend = arena.put(&mut desk, them, "Warriors", (3, 2));
    for kind in kinds {
        arena.steps(&mut desk, "alliance near a city", kind, (8, 4));
        arena.steps(&mut desk, "alliance near a ship", kind, (4, 3));
        arena.steps(&mut desk, "alliance in the city", kind, (9, 3));
    }
    arena.steps(&mut desk, "alliance near the port", "Trireme", (6, 3));
    let foe = arena.put(&mut desk, enemy, "Warriors", (2, 2));
    arena.steps(&mut desk, "towards an ally past an enemy", "Warriors", (2, 3));
    let foe_city = arena.put(&mut desk, us, "Settlers", (4, 5));
    arena.remove(&mut desk, &[inside, ship, friend, foe, foe_city]);
    arena.verdict("pacts", 580);
}

#[test]
fn move_onto_ships_and_ashore() {
    for ruleset in ["classic", "civ2civ3"] {
        let Some(mut desk) = Desk::open(ruleset, &[]) else { return };
        let mut arena = Arena::draw(&mut desk, &STRAIT);
        let us = desk.seat();
        arena.city(&mut desk, us, "Port", (4, 3));
        let walkers = ["Warriors", "Catapult", "Settlers", "Caravan", "Marines", "Alpine Troops"];
        let transport = arena.put(&mut desk, us, "Transport", (5, 2));
        for kind in walkers {
            arena.steps(&mut desk, "from the shore", kind, (4, 2));
            arena.steps(&mut desk, "from the port", kind, (4, 3));
            arena.aboard(&mut desk, "aboard at sea", kind, (5, 2), transport);
        }
        arena.remove(&mut desk, &[transport]);
        let moored = arena.put(&mut desk, us, "Transport", (4, 3));
        for kind in walkers {
            arena.aboard(&mut desk, "aboard in port", kind, (4, 3), moored);
        }
        arena.remove(&mut desk, &[moored]);
        for (carrier, cargo) in [
            ("Carrier", "Fighter"),
            ("Carrier", "Bomber"),
            ("Carrier", "Helicopter"),
            ("Submarine", "Cruise Missile"),
            ("Trireme", "Warriors"),
            ("Helicopter", "Marines"),
        ] {
            let ship = arena.put(&mut desk, us, carrier, (5, 4));
            arena.steps(&mut desk, &format!("onto a {carrier}"), cargo, (4, 4));
            arena.remove(&mut desk, &[ship]);
        }
        let full = arena.put(&mut desk, us, "Trireme", (5, 4));
        for _ in 0..2 {
            arena.load(&mut desk, us, "Warriors", (5, 4), full);
        }
        arena.steps(&mut desk, "onto a full ship", "Warriors", (4, 4));
        arena.verdict(&format!("ships in {ruleset}"), 240);
    }
}

/// The exception [`OUT_OF_SIGHT`]: the server judges zones of control by what is there. Units out
/// of sight are taken not to be there; cities, to be garrisoned, as they nearly always are.
#[test]
fn move_held_by_somebody_out_of_sight_is_told_by_the_server_only() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let mut arena = Arena::draw(&mut desk, &STRAIT);
    let them = rivals(&mut desk)[0];
    // One in sight holds the tile it stands on, another two tiles away holds the tile ahead.
    let near = arena.put(&mut desk, them, "Warriors", (1, 4));
    let far = arena.put(&mut desk, them, "Warriors", (3, 1));
    arena.steps(&mut desk, "an enemy out of sight", "Warriors", (2, 3));
    let unseen = std::mem::take(&mut arena.differences);
    arena.remove(&mut desk, &[far]);
    arena.city(&mut desk, them, "Empty", (3, 1));
    let scout = desk.seat();
    let scout = arena.put(&mut desk, scout, "Explorer", (3, 2));
    arena.remove(&mut desk, &[scout]);
    arena.steps(&mut desk, "a city out of sight", "Warriors", (2, 3));
    let remembered = std::mem::take(&mut arena.differences);
    arena.remove(&mut desk, &[near]);
    let expected = |found: &[String], verdict: &str| {
        for difference in found {
            let ahead = ["north", "northeast", "east"].map(|dir| format!("going {dir} "));
            assert!(ahead.iter().any(|dir| difference.contains(dir)), "{difference}");
            assert!(difference.ends_with(verdict), "{difference}");
            println!("exception {}: {difference}", OUT_OF_SIGHT.name);
        }
        assert!((1..=3).contains(&found.len()), "{found:?}");
    };
    expected(&unseen, "offered but refused");
    expected(&remembered, "lawful but missing");
}
