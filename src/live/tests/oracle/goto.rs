//! Going far: over several turns by one order, stopped by an enemy, to the edge of the unknown.

use saga_core::action::{Action, Actor, Outcome};
use saga_core::geometry::distance;
use saga_core::ids::{Dir, Pos, UnitId};
use saga_core::observation::{Activity, Observation, Unit};

use crate::arena::Arena;
use crate::desk::Desk;

/// A winding way round a bay; the corridor is one tile wide near its end.
const BAY: [&str; 7] = [
    "~~~~~~~~~~~~",
    "~....~~....~",
    "~.~~.~~.~~.~",
    "~.~~.~~.~~.~",
    "~.~~.~~.~~.~",
    "~.~~......~~",
    "~~~~~~~~~~~~",
];

fn unit(seen: &Observation, id: UnitId) -> &Unit {
    seen.units.iter().find(|u| u.id == id).expect("it lives")
}

fn gotos(unit: &Unit) -> Vec<Pos> {
    let to = |action: &Action| match action {
        Action::Goto { to } => Some(*to),
        _ => None,
    };
    unit.actions.iter().filter_map(to).collect()
}

/// Sees the whole arena by walkers who then retire.
fn survey(desk: &mut Desk, arena: &Arena, rows: &[&str]) {
    let us = desk.seat();
    let mut scouts = Vec::new();
    for (y, row) in (0..).zip(rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            if letter == '.' {
                scouts.push(arena.put(desk, us, "Explorer", (x, y)));
            }
        }
    }
    arena.remove(desk, &scouts);
}

#[test]
fn goto_goes_on_by_itself_and_arrives() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let arena = Arena::draw(&mut desk, &BAY);
    let us = desk.seat();
    survey(&mut desk, &arena, &BAY);
    arena.city(&mut desk, us, "Goal", (10, 4));
    let walker = arena.put(&mut desk, us, "Horsemen", (1, 5));
    let goal = arena.at(10, 4);
    let seen = desk.look();
    assert!(gotos(unit(&seen, walker)).contains(&goal), "{:?}", unit(&seen, walker));
    assert_eq!(desk.order(Actor::Unit(walker), Action::Goto { to: goal }), Outcome::Done);
    let seen = desk.look();
    assert_eq!(unit(&seen, walker).goto, Some(goal));
    assert_ne!(unit(&seen, walker).at, arena.at(1, 5));
    let mut turns = 0;
    while desk.look().units.iter().any(|u| u.id == walker && u.at != goal) {
        turns += 1;
        assert!(turns < 20, "{:?}", unit(&desk.look(), walker));
        desk.end_turn();
    }
    assert!(turns > 2, "a long way");
    let seen = desk.look();
    let there = unit(&seen, walker);
    assert_eq!((there.goto, there.activity), (None, Activity::Idle), "free again");
    assert!(!gotos(there).contains(&goal));
}

#[test]
fn goto_stops_when_an_enemy_bars_the_way() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let arena = Arena::draw(&mut desk, &BAY);
    let us = desk.seat();
    let them = desk.observe().players[0].id;
    survey(&mut desk, &arena, &BAY);
    arena.city(&mut desk, us, "Goal", (10, 4));
    let walker = arena.put(&mut desk, us, "Warriors", (1, 5));
    let goto = Action::Goto { to: arena.at(10, 4) };
    assert_eq!(desk.order(Actor::Unit(walker), goto.clone()), Outcome::Done);
    let ahead = desk.unit(walker).expect("it lives").at;
    assert_eq!(ahead, arena.at(1, 4));
    // One of theirs steps into the corridor.
    let enemy = arena.put(&mut desk, them, "Workers", (1, 2));
    desk.lua(
        "for p in players_iterate() do for u in p:units_iterate() do \
              if u.utype:rule_name() == 'Workers' then edit.movement_disallow(u) end end end",
    );
    for _ in 0..3 {
        desk.end_turn();
    }
    let seen = desk.look();
    let stopped = unit(&seen, walker);
    if seen.foreign_units.iter().any(|f| f.id == enemy) {
        assert!(distance(&seen.map, stopped.at, arena.at(1, 5)) <= 2, "{stopped:?}");
        assert_eq!(stopped.goto, None, "its orders are gone and it may be asked again");
        assert_eq!(stopped.activity, Activity::Idle);
        assert!(!stopped.actions.contains(&goto), "no path is left");
        assert_eq!(desk.order(Actor::Unit(walker), goto), Outcome::Stale);
    } else {
        panic!("the enemy went away");
    }
}

#[test]
fn goto_to_a_frontier_reveals_tiles() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let arena = Arena::draw(&mut desk, &BAY);
    let us = desk.seat();
    let scout = arena.put(&mut desk, us, "Explorer", (1, 5));
    arena.put(&mut desk, us, "AWACS", (1, 5));
    let seen = desk.look();
    let frontiers = gotos(unit(&seen, scout));
    assert!((1..=4).contains(&frontiers.len()), "{frontiers:?}");
    let known = seen.map.tiles.len();
    let to = frontiers[0];
    let unknown = |seen: &Observation| {
        let near = Dir::ALL.into_iter();
        near.filter_map(|dir| saga_core::geometry::step(&seen.map, to, dir))
            .filter(|at| saga_core::text::tile_at(&seen.map, *at).is_none())
            .count()
    };
    assert!(unknown(&seen) > 0);
    assert_eq!(desk.order(Actor::Unit(scout), Action::Goto { to }), Outcome::Done);
    for _ in 0..5 {
        desk.end_turn();
    }
    let seen = desk.look();
    assert_eq!(unit(&seen, scout).at, to);
    assert_eq!(unknown(&seen), 0);
    assert!(seen.map.tiles.len() > known);
}

/// Everything that slows or stops somebody, with a city of ours at either end.
const COUNTRY: [&str; 7] = [
    "~~~~~~~~~~~~~~",
    "~..^^.~~==~..~",
    "~.r.*..~~==..~",
    "~.rr#######..~",
    "~..r##~~~==..~",
    "~..F^R.~~==..~",
    "~~~~~~~~~~~~~~",
];

#[test]
fn goto_targets_are_reached_by_every_class() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let arena = Arena::draw(&mut desk, &COUNTRY);
    let us = desk.seat();
    let eyes = [(3, 3), (9, 3)].map(|place| arena.put(&mut desk, us, "AWACS", place));
    arena.city(&mut desk, us, "West", (1, 3));
    arena.city(&mut desk, us, "East", (12, 3));
    arena.city(&mut desk, us, "North", (5, 1));
    let kinds = [
        "Warriors",
        "Settlers",
        "Explorer",
        "Horsemen",
        "Caravan",
        "Catapult",
        "Trireme",
        "Destroyer",
        "Fighter",
        "Bomber",
        "Helicopter",
        "Cruise Missile",
    ];
    let mut travellers = Vec::new();
    for kind in kinds {
        for from in [(1, 3), (12, 3)] {
            let first = arena.put(&mut desk, us, kind, from);
            let seen = desk.look();
            let targets = gotos(unit(&seen, first));
            arena.remove(&mut desk, &[first]);
            travellers.extend(targets.into_iter().map(|to| (kind, from, to)));
        }
    }
    let mut under_way = Vec::new();
    for (kind, from, to) in travellers {
        let id = arena.put(&mut desk, us, kind, from);
        let did = desk.order(Actor::Unit(id), Action::Goto { to });
        assert_eq!(did, Outcome::Done, "{kind} from {from:?} to {to}");
        under_way.push((kind, from, to, id));
    }
    arena.remove(&mut desk, &eyes);
    let mut turns = 0;
    while desk.look().units.iter().any(|u| u.goto.is_some()) && turns < 20 {
        desk.end_turn();
        turns += 1;
    }
    let seen = desk.look();
    for (kind, from, to, id) in &under_way {
        let end = seen.units.iter().find(|u| u.id == *id).map(|u| u.at);
        assert_eq!(end, Some(*to), "{kind} from {from:?}");
    }
    println!("goto: {} targets reached, the farthest in {turns} turns", under_way.len());
    assert!(under_way.len() > 40, "{}", under_way.len());
}
