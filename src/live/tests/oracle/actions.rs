//! The actions that the ruleset's enablers control: in each situation the server is asked about all
//! of them toward every tile near a unit, and our menu must say the same.

use saga_core::ids::PlayerId;

use crate::arena::Arena;
use crate::desk::Desk;
use crate::inquiry::compare;

/// A continent with a bay.
pub(crate) const LAND: [&str; 9] = [
    "~~~~~~~~~~~~~~~",
    "~............~~",
    "~.............~",
    "~.............~",
    "~......~~.....~",
    "~......~~.....~",
    "~..F.....A....~",
    "~.............~",
    "~~~~~~~~~~~~~~~",
];

const KINDS: [&str; 22] = [
    "Settlers",
    "Migrants",
    "Workers",
    "Engineers",
    "Explorer",
    "Warriors",
    "Legion",
    "Catapult",
    "Artillery",
    "Marines",
    "Paratroopers",
    "Diplomat",
    "Spy",
    "Caravan",
    "Freight",
    "Frigate",
    "Battleship",
    "Transport",
    "Bomber",
    "Helicopter",
    "Cruise Missile",
    "Nuclear",
];

/// Everybody we know of who is no barbarian.
pub(crate) fn others(desk: &mut Desk) -> Vec<PlayerId> {
    let players = desk.observe().players;
    players.iter().filter(|p| p.barbarian.is_none()).map(|p| p.id).collect()
}

/// Gives an advance with all it needs.
pub(crate) fn teach(desk: &mut Desk, player: PlayerId, advances: &[&str]) {
    for advance in advances {
        desk.lua(&format!(
            "edit.give_tech(find.player({player}), find.tech_type('{advance}'), 0, false, 'theft')"
        ));
    }
}

fn everywhere(ruleset: &str, kinds: &[&str]) -> Option<usize> {
    let mut desk = Desk::open(ruleset, &[])?;
    let mut arena = Arena::draw(&mut desk, &LAND);
    let (us, them) = (desk.seat(), others(&mut desk)[0]);
    desk.lua(&format!("edit.change_gold(find.player({us}), 30000)"));
    teach(&mut desk, us, &["Bronze Working", "Feudalism", "Gunpowder"]);
    arena.city(&mut desk, us, "Home", (3, 3));
    arena.city(&mut desk, us, "Port", (6, 4));
    arena.city(&mut desk, them, "Open", (11, 3));
    arena.city(&mut desk, them, "Closed", (9, 5));
    arena.put(&mut desk, them, "Warriors", (9, 5));
    arena.put(&mut desk, them, "Warriors", (12, 6));
    arena.put(&mut desk, them, "Workers", (5, 6));
    arena.put(&mut desk, them, "Archers", (3, 7));
    arena.put(&mut desk, them, "Archers", (3, 7));
    arena.put(&mut desk, them, "Trireme", (8, 0));
    desk.settle();
    let places = [
        (3, 3),
        (2, 4),
        (6, 4),
        (7, 5),
        (10, 4),
        (12, 4),
        (9, 6),
        (11, 7),
        (4, 7),
        (3, 6),
        (7, 1),
        (9, 0),
    ];
    for kind in kinds {
        for place in places {
            let Some(id) = arena.try_put(&mut desk, us, kind, place) else { continue };
            compare(&mut desk, &mut arena, "at war", kind, id);
            arena.remove(&mut desk, &[id]);
        }
    }
    Some(arena.verdict(ruleset))
}

#[test]
fn enabled_actions_in_classic() {
    everywhere("classic", &KINDS);
}

#[test]
fn enabled_actions_in_civ2civ3() {
    everywhere("civ2civ3", &KINDS);
}
