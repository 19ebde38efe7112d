//! The lawfulness of a step is told twice: by the menus, from what the server sent, and by the path
//! finder, from what an observation shows of it. On worlds drawn by lot both must say the same; the
//! path finder may be stricter, never looser.

mod common;

use common::*;
use saga_core::action::Action;
use saga_core::observation::Observation;
use saga_core::path::{Chart, Gait};
use saga_core::rules::Rules;

/// A small generator of lots (xorshift), so that a failure comes back.
struct Lots(u64);

impl Lots {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn place(&mut self) -> (u16, u16) {
        (self.below(WIDTH.into()) as u16, self.below(WIDTH.into()) as u16)
    }
}

const KINDS: [i64; 8] =
    [SETTLERS, WARRIORS, HORSEMEN, BOMBER, TRIREME, GALLEON, DIPLOMAT, EXPLORER];

/// Ground, cities and units anew, in the same world.
fn draw(stage: &mut Stage, lots: &mut Lots) {
    const TERRAINS: [i64; 6] = [GRASSLAND, GRASSLAND, HILLS, OCEAN, OCEAN, DEEP_OCEAN];
    const EXTRAS: [&[u16]; 7] = [&[], &[], &[], &[ROAD], &[RIVER], &[FORTRESS], &[RIVER, ROAD]];
    stage.pact([WAR, PEACE, ALLIANCE][lots.below(3) as usize]);
    for tile in 0..WIDTH * WIDTH {
        let (x, y) = (tile % WIDTH, tile / WIDTH);
        let terrain = TERRAINS[lots.below(6) as usize];
        let extras = if terrain == GRASSLAND || terrain == HILLS { lots.below(7) } else { 0 };
        let owner = [255, 255, US, THEM][lots.below(4) as usize];
        stage.owned_tile(x, y, terrain, EXTRAS[extras as usize], owner);
        if lots.below(12) == 0 {
            stage.unknown(x, y);
        }
    }
    let (ours, theirs) = (lots.place(), lots.place());
    stage.city(50, ours.0, ours.1, &[]);
    if theirs != ours {
        stage.foreign_city(60, theirs.0, theirs.1, lots.below(2) == 0);
    }
    let foreign: Vec<(u16, u16)> = (0..3).map(|_| lots.place()).filter(|at| *at != ours).collect();
    for (id, at) in (200..).zip(&foreign) {
        stage.foreign_unit(id, KINDS[lots.below(8) as usize], at.0, at.1);
    }
    for (id, kind) in (100..).zip(KINDS) {
        let at = lots.place();
        let free = at != theirs && !foreign.contains(&at);
        let at = if free { at } else { ours };
        stage.unit(id, kind, at.0, at.1);
    }
}

/// Steps that the path finder takes, and those among them that no menu offers.
fn steps(seen: &Observation, rules: &Rules, wrong: &mut Vec<String>) -> (usize, usize) {
    let chart = Chart::of(seen, rules);
    let (mut taken, mut offered) = (0, 0);
    for unit in seen.units.iter().filter(|u| u.moves > 0 && u.aboard.is_none()) {
        let gait = Gait::of(unit.kind, rules).unwrap();
        let from = chart.index(unit.at).unwrap();
        for (dir, to) in chart.around(from) {
            let step = Action::Move { dir, to: chart.place(to) };
            let lawful = unit.actions.contains(&step);
            offered += usize::from(lawful);
            if chart.enters(&gait, from, to, dir) {
                taken += 1;
                if !lawful {
                    let name = &rules.unit_type(unit.kind).unwrap().name;
                    wrong.push(format!("{name} at {}: {step:?}", unit.at));
                }
            }
        }
    }
    (taken, offered)
}

#[test]
fn a_path_takes_no_step_that_a_menu_would_not_offer() {
    let mut stage = Stage::new();
    let rules = stage.rules();
    let mut lots = Lots(0x5a6a);
    let (mut taken, mut offered) = (0, 0);
    for world in 0..60 {
        draw(&mut stage, &mut lots);
        let seen = stage.world.observe().unwrap();
        let mut wrong = Vec::new();
        let counts = steps(&seen, &rules, &mut wrong);
        assert!(wrong.is_empty(), "world {world}: {wrong:#?}");
        (taken, offered) = (taken + counts.0, offered + counts.1);
    }
    assert!(taken > 800 && taken <= offered, "{taken} taken, {offered} offered");
}
