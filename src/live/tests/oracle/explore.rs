//! Exploring under pacts: before their border, inside it and past it, our menu against whether the
//! server sends the unit off.

use std::ops::Range;

use saga_core::action::Action;
use saga_core::ids::UnitId;
use saga_core::observation::{Activity, Stance};

use crate::actions::others;
use crate::arena::Arena;
use crate::desk::Desk;
use crate::exceptions::OUT_OF_SIGHT;
use crate::rival::Rival;

/// One way from west to east, and off it a city of theirs whose borders cross it.
const WAY: [&str; 6] = [
    "~~~~~~~~~~~~~~~~~~~~~~",
    "~~~~~~~~~~~~~~~~~~~~~~",
    "~....................~",
    "~~~~~~~~~~~.~~~~~~~~~~",
    "~~~~~~~~~~~.~~~~~~~~~~",
    "~~~~~~~~~~~~~~~~~~~~~~",
];
const CITY: (u16, u16) = (11, 4);
/// On their land, at the edge of what is known at first.
const EDGE: (u16, u16) = (10, 2);

/// Lets us see the way in these columns and what lies beside.
fn survey(desk: &mut Desk, arena: &Arena, columns: Range<u16>) {
    let us = desk.seat();
    let scouts: Vec<UnitId> = columns.map(|x| arena.put(desk, us, "Explorer", (x, 2))).collect();
    arena.remove(desk, &scouts);
}

/// Whether we offer it to a unit in the west, and whether the server sends that off.
fn both(desk: &mut Desk, arena: &Arena, kind: &str) -> (bool, bool) {
    let us = desk.seat();
    let id = arena.put(desk, us, kind, (1, 2));
    let before = desk.unit(id).expect("a unit just made");
    let fields = [("unit_id", id.0.into()), ("activity", 11.into()), ("target", (-1).into())];
    desk.send("UNIT_CHANGE_ACTIVITY", &fields);
    let goes =
        |u: saga_core::observation::Unit| u.activity == Activity::Explore || u.at != before.at;
    let did = desk.unit(id).is_none_or(goes);
    arena.remove(desk, &[id]);
    (before.actions.contains(&Action::Explore), did)
}

fn compare(desk: &mut Desk, arena: &mut Arena, what: &str) {
    for kind in ["Warriors", "Workers", "Explorer", "Horsemen"] {
        let (offered, did) = both(desk, arena, kind);
        arena.compare(offered, did, &format!("{what}: {kind}"));
    }
}

#[test]
fn exploring_stops_where_a_city_may_have_come_up_unseen() {
    for stance in [Stance::War, Stance::Armistice, Stance::Peace] {
        let Some(mut desk) = Desk::open("classic", &[]) else { return };
        let them = others(&mut desk)[0];
        let mut rival = Rival::sit(&mut desk, them);
        let mut arena = Arena::draw(&mut desk, &WAY);
        arena.city(&mut desk, them, "Border", CITY);
        if stance != Stance::War {
            rival.pact(&mut desk, Stance::Armistice);
        }
        while rival.stance(&mut desk) != stance {
            rival.end_turn(&mut desk);
        }
        survey(&mut desk, &arena, 1..7);
        compare(&mut desk, &mut arena, &format!("{stance:?}, before their border"));
        survey(&mut desk, &arena, 7..10);
        let at = arena.at(EDGE.0, EDGE.1);
        let edge = desk.observe().map.tiles.into_iter().find(|t| t.at == at).expect("known");
        assert_eq!((edge.owner, edge.seen), (Some(them), false));
        let (offered, did) = both(&mut desk, &arena, "Workers");
        println!("exception {}: {stance:?}, empty land of theirs", OUT_OF_SIGHT.name);
        assert_eq!((offered, did), (false, true));
        // In sight it is told to be empty.
        let us = desk.seat();
        let scout = arena.put(&mut desk, us, "Explorer", (9, 2));
        compare(&mut desk, &mut arena, &format!("{stance:?}, inside, in sight"));
        arena.remove(&mut desk, &[scout]);
        arena.city(&mut desk, them, "Unseen", EDGE);
        compare(&mut desk, &mut arena, &format!("{stance:?}, a city unseen"));
        arena.verdict(&format!("exploring in {stance:?}"), 12);
    }
}
