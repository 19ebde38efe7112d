//! Ways over drawn maps.

use std::fmt::Write as _;

use super::sketch::{EXPLORER, FIGHTER, TRIREME, WARRIORS, drawn, enemy, rules};
use super::*;
use crate::ids::{Dir, PlayerId};
use crate::observation::Stance;

fn traveller(kind: u16, x: u16, y: u16) -> Traveller {
    let fuel = u32::from(kind == FIGHTER);
    let moves = if kind == TRIREME { 9 } else { 3 };
    let moves = if kind == FIGHTER { 12 } else { moves };
    Traveller { kind: UnitTypeId(kind), at: Pos { x, y }, moves, fuel, aboard: None }
}

/// The path as the first letters of its directions, `nw` and so on parted by blanks.
fn path(o: &Observation, who: &Traveller, x: u16, y: u16) -> Option<String> {
    let rules = rules();
    let steps = Chart::of(o, &rules).path(who, Pos { x, y }, &rules)?;
    let mut words = String::new();
    for dir in steps {
        let word = match dir {
            Dir::Northwest => "nw",
            Dir::North => "n",
            Dir::Northeast => "ne",
            Dir::West => "w",
            Dir::East => "e",
            Dir::Southwest => "sw",
            Dir::South => "s",
            Dir::Southeast => "se",
        };
        let _ = write!(words, "{}{word}", if words.is_empty() { "" } else { " " });
    }
    Some(words)
}

#[test]
fn walkers_take_the_quick_way_over_known_native_ground() {
    let road = drawn(&[".^.", "#^.", "###"], false);
    let walker = traveller(WARRIORS, 0, 1);
    assert_eq!(path(&road, &walker, 2, 2).as_deref(), Some("se e"), "along the road");
    assert_eq!(path(&road, &walker, 2, 0).as_deref(), Some("ne e"), "hills cost one turn at most");
    let lake = drawn(&["...", "~~~", "..?"], false);
    assert_eq!(path(&lake, &traveller(WARRIORS, 0, 0), 0, 2), None);
    assert_eq!(path(&lake, &traveller(WARRIORS, 0, 2), 2, 2), None, "never into the unknown");
    assert_eq!(path(&lake, &traveller(WARRIORS, 0, 0), 0, 0), None, "it is there");
    let round = drawn(&["....~"], true);
    assert_eq!(path(&round, &traveller(WARRIORS, 3, 0), 0, 0).as_deref(), Some("w w w"));
    let world = drawn(&["..~.."], true);
    assert_eq!(path(&world, &traveller(WARRIORS, 0, 0), 3, 0).as_deref(), Some("w w"));
}

#[test]
fn a_step_costs_what_is_left_of_the_turn_at_most() {
    let rules = rules();
    let o = drawn(&[".^^."], false);
    let chart = Chart::of(&o, &rules);
    let reached = |who: &Traveller| -> Vec<(u32, u32)> {
        chart.search(who, &rules).unwrap().map(|r| (r.cost, r.turns)).collect()
    };
    assert_eq!(reached(&traveller(WARRIORS, 0, 0)), [(0, 0), (3, 0), (6, 1), (9, 2)]);
    let tired = Traveller { moves: 1, ..traveller(WARRIORS, 0, 0) };
    assert_eq!(reached(&tired), [(2, 0), (3, 0), (6, 1), (9, 2)]);
    assert_eq!(reached(&traveller(EXPLORER, 0, 0)), [(0, 0), (1, 0), (2, 0), (3, 0)]);
}

#[test]
fn equally_good_ways_are_told_apart_by_tile_number() {
    let rules = rules();
    let o = drawn(&["...", "...", "..."], false);
    let chart = Chart::of(&o, &rules);
    let who = traveller(WARRIORS, 1, 1);
    let order: Vec<Pos> = chart.search(&who, &rules).unwrap().map(|r| r.at).collect();
    let place = |i: usize| chart.place(i);
    let expected = [4, 0, 1, 2, 3, 5, 6, 7, 8].map(place);
    assert_eq!(order, expected);
}

#[test]
fn who_stands_there_and_zones_of_control_bar_the_way() {
    let mut o = drawn(&[".....", "....."], false);
    enemy(&mut o, 2, 0);
    let walker = traveller(WARRIORS, 0, 1);
    assert_eq!(path(&o, &walker, 2, 0), None);
    assert_eq!(path(&o, &walker, 1, 1).as_deref(), Some("e"), "up to the enemy");
    assert_eq!(path(&o, &walker, 4, 1), None, "not past it");
    let explorer = traveller(EXPLORER, 0, 1);
    assert_eq!(path(&o, &explorer, 4, 1).as_deref(), Some("ne se ne se"));
    o.players[0].stance = Stance::Alliance;
    assert_eq!(path(&o, &walker, 2, 0).as_deref(), Some("ne e"), "an ally makes room");
}

#[test]
fn closed_borders_stop_soldiers_and_not_civilians() {
    let mut o = drawn(&["....."], false);
    o.map.tiles[2].owner = Some(PlayerId(1));
    assert_eq!(path(&o, &traveller(WARRIORS, 0, 0), 4, 0).as_deref(), Some("e e e e"));
    o.players[0].stance = Stance::Peace;
    assert_eq!(path(&o, &traveller(WARRIORS, 0, 0), 4, 0), None);
    assert_eq!(path(&o, &traveller(EXPLORER, 0, 0), 4, 0).as_deref(), Some("e e e e"));
}

#[test]
fn ships_keep_to_water_and_ports_and_some_to_the_coast() {
    let o = drawn(&["~C~..~", "......", "~~~~~~", "======", "======", "~~~~~~"], false);
    let trireme = traveller(TRIREME, 0, 0);
    assert_eq!(path(&o, &trireme, 2, 0).as_deref(), Some("e e"), "through the port");
    assert_eq!(path(&o, &trireme, 5, 0), None);
    let coaster = traveller(TRIREME, 0, 2);
    assert_eq!(path(&o, &coaster, 5, 2).as_deref(), Some("e e e e e"));
    assert_eq!(path(&o, &coaster, 0, 5), None, "no coast is near half way");
}

#[test]
fn aircraft_end_their_way_where_they_get_fuel() {
    let o = drawn(&["C..C.....C"], false);
    let fighter = traveller(FIGHTER, 0, 0);
    assert_eq!(path(&o, &fighter, 3, 0).as_deref(), Some("e e e"));
    assert_eq!(path(&o, &fighter, 2, 0), None, "no fuel there");
    assert_eq!(path(&o, &fighter, 9, 0), None, "too far for its fuel");
}

#[test]
fn frontiers_are_known_tiles_beside_the_unknown() {
    let o = drawn(&["...?", "....", "...."], false);
    let chart = Chart::of(&o, &rules());
    let edge: Vec<usize> = (0..chart.len()).filter(|tile| chart.is_frontier(*tile)).collect();
    assert_eq!(edge, [2, 6, 7]);
}

#[test]
fn ground_hangs_together_as_far_as_walks_go() {
    let rules = rules();
    let o = drawn(&[".~.C?.", ".~~~~~", "..~~..", ".?~C~."], true);
    let chart = Chart::of(&o, &rules);
    for kind in [WARRIORS, TRIREME, FIGHTER] {
        let gait = Gait::of(UnitTypeId(kind), &rules).unwrap();
        let islands = Islands::of(&chart, &gait);
        for from in (0..chart.len()).map(|tile| chart.place(tile)) {
            let who = Traveller { fuel: 0, ..traveller(kind, from.x, from.y) };
            let reached: Vec<Pos> =
                chart.search(&who, &rules).unwrap().skip(1).map(|r| r.at).collect();
            for to in (0..chart.len()).map(|tile| chart.place(tile)).filter(|to| *to != from) {
                let may = islands.may_reach(&chart, &gait, from, to);
                assert_eq!(may, reached.contains(&to), "{kind} from {from} to {to}");
            }
        }
    }
}

#[test]
fn a_map_that_no_server_makes_is_not_laid_out() {
    let rules = rules();
    let mut o = drawn(&["..C"], true);
    enemy(&mut o, 0, 0);
    (o.map.width, o.map.height) = (u16::MAX, u16::MAX);
    let chart = Chart::of(&o, &rules);
    assert!(chart.is_empty());
    let who = traveller(WARRIORS, 0, 0);
    assert!(chart.search(&who, &rules).is_none());
    assert_eq!(path(&o, &who, 2, 0), None);
    (o.map.width, o.map.height) = (2048, 1000);
    assert_eq!(Chart::of(&o, &rules).len(), 2_048_000);
}
