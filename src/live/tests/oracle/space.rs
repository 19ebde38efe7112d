//! The spaceship: parts built, placed in one order, launched, arrived.

use saga_core::action::{Action, Actor, Outcome};
use saga_core::observation::Observation;
use saga_freeciv::Value;

use crate::desk::Desk;
use crate::empire::{buy, empire};
use crate::line::Line;

/// An empire that can build parts.
fn builders(cities: u32) -> Option<Desk> {
    let mut desk = Desk::open("classic", &[("landmass", "60")])?;
    // What makes parts: a space flight, plastics and superconductors.
    empire(&mut desk, cities, "Space Flight");
    empire(&mut desk, 0, "Plastics");
    empire(&mut desk, 0, "Superconductors");
    desk.end_turn();
    let factories = buy(&mut desk, "Factory", cities as usize);
    assert_eq!(factories, cities as usize);
    assert_eq!(buy(&mut desk, "Apollo Program", 1), 1);
    Some(desk)
}

fn offered(seen: &Observation) -> (bool, bool) {
    let offers = |action| seen.me.government_actions.contains(&action);
    (offers(Action::AssembleSpaceship), offers(Action::LaunchSpaceship))
}

#[test]
fn assemble_spaceship_and_launch_spaceship() {
    let Some(mut desk) = builders(12) else { return };
    assert_eq!((desk.look().me.spaceship, offered(&desk.look())), (None, (false, false)));
    // What is not placed in its turn the server places at the next turn change by itself.
    for (part, count) in [
        ("Space Component", 8),
        ("Space Module", 3),
        ("Space Structural", 12),
        ("Space Structural", 8),
    ] {
        assert_eq!(buy(&mut desk, part, count), count, "{part}");
    }
    let ship = desk.look().me.spaceship.expect("a spaceship");
    assert_eq!((ship.structurals, ship.components, ship.modules), (20, 8, 3));
    assert_eq!((ship.unplaced, offered(&desk.look())), (8, (true, true)));
    let outcome = desk.order(Actor::Player, Action::AssembleSpaceship);
    assert_eq!(outcome, Outcome::Done, "{:?}", desk.told());
    let seen = desk.look();
    let ship = seen.me.spaceship.expect("a spaceship");
    assert_eq!((ship.unplaced, offered(&seen)), (0, (false, true)));
    assert!(ship.success_pct == 100 && !ship.launched);
    assert_eq!(desk.order(Actor::Player, Action::LaunchSpaceship), Outcome::Done);
    let seen = desk.look();
    assert!(seen.me.spaceship.is_some_and(|s| s.launched));
    assert_eq!(offered(&seen), (false, false));
    // The ship is lost with the capital, which nobody defended so far.
    let seat = desk.seat();
    desk.lua(&format!(
        "local p = find.player({seat}) for c in p:cities_iterate() do for i = 1, 3 do \
           edit.create_unit(p, c.tile, find.unit_type('Mech. Inf.'), 3, c, -1) end end"
    ));
    for _ in 0..ship.travel_years + 2 {
        if desk.world.ending().is_none() {
            end_turn_or_game(&mut desk);
        }
    }
    let winners = desk.world.ending().expect("an end").players.clone();
    assert!(winners.iter().any(|p| p.id == seat && p.winner), "{winners:?}");
}

fn end_turn_or_game(desk: &mut Desk) {
    let begun = desk.world.turns_begun();
    desk.post_done();
    let over = |line: &Line| line.world.turns_begun() > begun || line.world.ending().is_some();
    desk.until("the next turn or the end", over);
}

/// Every place is asked for one by one in the order of the menu: none is refused, and with them all
/// taken the server takes no other.
#[test]
fn parts_are_placed_where_the_server_takes_them() {
    let Some(mut desk) = builders(32) else { return };
    for (part, count) in [("Space Structural", 32), ("Space Component", 16), ("Space Module", 12)] {
        assert_eq!(buy(&mut desk, part, count), count, "{part}");
        let (parts, placed) = (count as u32, place_all(&mut desk));
        assert_eq!(placed, parts, "{part}");
        let seen = desk.look();
        if !offered(&seen).1 {
            desk.send("SPACESHIP_LAUNCH", &[]);
            assert!(desk.look().me.spaceship.is_some_and(|s| !s.launched), "after {part}");
        }
    }
    let ship = desk.look().me.spaceship.expect("a spaceship");
    assert_eq!((ship.unplaced, ship.success_pct), (0, 100));
}

fn place_all(desk: &mut Desk) -> u32 {
    let unplaced = |desk: &mut Desk| desk.look().me.spaceship.map_or(0, |s| s.unplaced);
    let before = unplaced(desk);
    assert_eq!(desk.order(Actor::Player, Action::AssembleSpaceship), Outcome::Done);
    let refused: Vec<_> = desk.told().into_iter().filter(|e| e.kind == "bad_command").collect();
    assert!(refused.is_empty(), "{refused:?}");
    // Nothing more is taken: the menu was the whole.
    for kind in 0..6_i64 {
        for number in 0..33_i64 {
            let fields: [(&str, Value); 2] = [("type", kind.into()), ("num", number.into())];
            desk.send("SPACESHIP_PLACE", &fields);
            assert!(!desk.packets.contains_key("SPACESHIP_INFO"), "{kind} {number}");
        }
    }
    before - unplaced(desk)
}
