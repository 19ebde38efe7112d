//! The recorded game folded into a world: what it must show after join and thirty turns.

mod common;

use common::recording;
use saga_core::action::{Action, Actor, Item, Rates};
use saga_core::ids::{
    AdvanceId, BuildingId, CityId, GovernmentId, PlayerId, Pos, UnitId, UnitTypeId,
};
use saga_core::observation::{Activity, Stance};
use saga_core::rules::{FOOD, Genus, SHIELD, TRADE};

#[test]
fn the_ruleset_is_read_in_full() {
    let rules = recording().rules().unwrap();
    assert_eq!((&*rules.name, &*rules.version), ("Classic ruleset", ""));
    assert_eq!((rules.unit_types.len(), rules.buildings.len()), (52, 68));
    assert_eq!((rules.advances.len() - 1, rules.governments.len()), (87, 6));
    assert_eq!((rules.terrains.len(), rules.extras.len()), (14, 34));
    assert_eq!((rules.unit_classes.len(), rules.specialists.len()), (6, 3));
    assert_eq!((rules.effects.len(), rules.enablers.len()), (291, 34));
    assert_eq!((rules.move_fragments, rules.city_distance_min), (3, 2));
    let governments: Vec<&str> = rules.governments.iter().map(|g| &*g.name).collect();
    let wanted = ["Anarchy", "Despotism", "Monarchy", "Communism", "Republic", "Democracy"];
    assert_eq!(governments, wanted);
}

#[test]
fn rules_turn_codes_for_none_into_none() {
    let rules = recording().rules().unwrap();
    let unit = |name: &str| rules.unit_types.iter().find(|u| u.name == name).unwrap();
    let warriors = unit("Warriors");
    assert_eq!((warriors.advance, warriors.building, warriors.government), (None, None, None));
    assert_eq!(warriors.obsoleted_by, Some(UnitTypeId(7)));
    assert_eq!((unit("Howitzer").obsoleted_by, unit("Howitzer").converted_to), (None, None));
    assert_eq!(warriors.veteran_names, ["green", "veteran", "hardened", "elite"]);
    assert_eq!(rules.advances[2].requires, [], "Alphabet needs nothing");
    let terrain = |name: &str| rules.terrains.iter().find(|t| t.name == name).unwrap();
    assert_eq!(terrain("Ocean").irrigation_result, None);
    assert_eq!(terrain("Grassland").irrigation_result.map(|t| t.0), Some(7));
    let building = |name: &str| rules.buildings.iter().find(|b| b.name == name).unwrap();
    assert_eq!(building("Palace").genus, Genus::SmallWonder);
    assert_eq!(building("Coinage").genus, Genus::Special);
    assert_eq!(building("Pyramids").genus, Genus::GreatWonder);
}

#[test]
fn roads_bases_and_resources_belong_to_their_extras() {
    let rules = recording().rules().unwrap();
    let extra = |name: &str| rules.extras.iter().find(|e| e.name == name).unwrap();
    assert_eq!(extra("Road").road.as_ref().map(|r| r.move_cost), Some(1));
    assert_eq!(extra("River").road.as_ref().map(|r| r.move_mode), Some(0));
    assert_eq!(extra("Fortress").base.as_ref().map(|b| b.border_sq), Some(5));
    assert_eq!((&extra("Irrigation").road, &extra("Irrigation").base), (&None, &None));
    let gold = extra("Gold").resource_output.unwrap();
    assert_eq!((gold[FOOD], gold[SHIELD], gold[TRADE]), (0, 0, 6));
    assert_eq!(extra("Hut").resource_output, None);
}

#[test]
fn founders_are_known_from_enablers_not_from_their_price() {
    let rules = recording().rules().unwrap();
    let founders: Vec<&str> =
        rules.unit_types.iter().filter(|u| rules.can_found_city(u)).map(|u| &*u.name).collect();
    assert_eq!(founders, ["Settlers"]);
}

#[test]
fn our_player_and_the_others_are_as_told() {
    let mut world = recording();
    assert_eq!((world.seat(), world.turn(), world.turns_begun()), (Some(PlayerId(0)), 31, 31));
    assert!(world.alive() && world.ending().is_none());
    assert_eq!(world.server_version(), Some([3, 0, 6]));
    let o = world.observe().unwrap();
    assert_eq!((o.seat, o.turn, o.year), (PlayerId(0), 31, -2500));
    let me = &o.me;
    assert_eq!((&*me.name, me.alive, me.score, me.gold), ("Hamilcar Barca", true, 8, 71));
    assert_eq!(me.rates, Rates { tax: 40, luxury: 0, science: 60 });
    assert_eq!((me.rate_max, me.government, me.revolution_ends), (60, GovernmentId(1), None));
    assert_eq!(me.advances, [AdvanceId(9), AdvanceId(35)]);
    assert_eq!((me.research.now, me.research.goal), (Some(AdvanceId(63)), None));
    assert_eq!((me.research.bulbs, me.research.cost), (2, 28));
    let begin = |a: &&Action| matches!(a, Action::Research { .. });
    assert_eq!(me.technology_actions.iter().filter(begin).count(), 6);
    assert_eq!(me.technology_actions.len(), 6 + 85);
    assert_eq!(me.government_actions.len(), 35, "all rates up to 60 but the present ones");
    let names: Vec<(&str, Stance, bool, Option<u32>)> =
        o.players.iter().map(|p| (&*p.name, p.stance, p.contact, p.score)).collect();
    let war = Stance::War;
    assert_eq!(names, [("Tangun", war, true, Some(14)), ("Purandokht", war, true, Some(11))]);
    let answers = |with| [Action::AcceptTreaty { with }, Action::RejectTreaty { with }];
    assert_eq!(o.players[0].actions, answers(PlayerId(1)));
    assert_eq!((o.treaties.len(), o.treaties[0].opened_by), (2, PlayerId(1)));
    assert!(o.treaties.iter().all(|t| t.accepted_by_them && !t.accepted_by_us));
}

#[test]
fn our_city_and_units_are_shown_in_full() {
    let mut world = recording();
    let o = world.observe().unwrap();
    let [city] = &o.cities[..] else { panic!("{} cities", o.cities.len()) };
    assert_eq!((city.id, &*city.name, city.at), (CityId(116), "City 103", Pos { x: 6, y: 12 }));
    assert_eq!((city.size, city.mood, city.disorder), (3, [0, 3, 0, 0], false));
    assert_eq!((city.food_stock, city.granary, city.surplus[FOOD]), (5, 40, 1));
    assert_eq!((city.production, city.production_cost), (Item::Unit(UnitTypeId(3)), 10));
    assert_eq!((city.shield_stock, city.buy_cost, city.did_buy), (4, 13, false));
    assert_eq!(city.buildings, [BuildingId(21)]);
    assert_eq!((city.radius_sq, city.did_sell), (5, false));
    let unit = |id| Item::Unit(UnitTypeId(id));
    let building = |id| Item::Building(BuildingId(id));
    let others = [unit(0), unit(4), unit(15), building(3), building(41), building(67)];
    let now = others.map(|item| Action::Produce { item });
    let later = [unit(0), unit(3), unit(4), unit(15), building(3), building(41), building(67)];
    let later = later.map(|item| Action::Append { item });
    let worked = [(7, 10), (6, 11), (8, 12)];
    let land = worked.map(|(x, y)| Action::TakeOffTile { at: Pos { x, y } });
    let wanted = [&now[..], &[Action::Buy], &later, &land].concat();
    assert_eq!(city.actions, wanted, "settlers, phalanx, horsemen; barracks, colossus, coinage");
    assert_eq!(o.units.len(), 11);
    let settlers = &o.units[0];
    assert_eq!(
        (settlers.id, settlers.kind, settlers.at),
        (UnitId(112), UnitTypeId(0), Pos { x: 10, y: 13 })
    );
    assert_eq!((settlers.hp, settlers.moves, settlers.activity), (20, 3, Activity::Idle));
    assert_eq!(settlers.home, None);
    assert!(o.units.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert_eq!(world.lawful(Actor::Unit(settlers.id)), settlers.actions);
}

#[test]
fn the_map_shows_what_was_seen_and_events_are_drained_once() {
    let mut world = recording();
    let o = world.observe().unwrap();
    assert_eq!((o.map.width, o.map.height, o.map.wrap_x), (23, 23, false));
    let seen = o.map.tiles.iter().filter(|t| t.seen).count();
    assert_eq!((o.map.tiles.len(), seen), (188, 38));
    let key = |p: Pos| (p.y, p.x);
    assert!(o.map.tiles.windows(2).all(|pair| key(pair[0].at) < key(pair[1].at)));
    let kinds: Vec<&str> = o.events.iter().map(|e| &*e.kind).collect();
    assert_eq!(kinds[..4], ["game_start", "game_start", "game_start", "city_build"]);
    let founded = &o.events[3];
    assert_eq!(
        (&*founded.text, founded.at),
        ("You have founded City 103.", Some(Pos { x: 6, y: 12 }))
    );
    assert!(o.events.iter().all(|e| !e.text.contains("[c ") && !e.text.contains("[l ")));
    assert!(world.observe().unwrap().events.is_empty());
}

#[test]
fn settings_read_as_a_script_would_write_them() {
    let world = recording();
    let check = |name: &str, value: &str| {
        assert_eq!(world.settings().get(name).map(|v| &**v), Some(value), "{name}");
    };
    assert_eq!(world.settings().len(), 134);
    check("xsize", "23");
    check("topology", "");
    check("mapsize", "XYSIZE");
    check("victories", "SPACERACE|ALLIED");
    check("autotoggle", "disabled");
    check("turnblock", "enabled");
    check("startunits", "ccwwx");
}

#[test]
fn questions_are_few_and_answers_end_them() {
    let world = recording();
    let asked: Vec<_> = world.questions().iter().map(|q| q.fields.clone()).collect();
    assert!(world.questions().iter().all(|q| q.packet == "UNIT_GET_ACTIONS"));
    assert!(asked.len() <= 12, "{asked:?}");
}

#[test]
fn odd_numbers_in_any_packet_are_borne() {
    use saga_freeciv::tables::{Direction, Form, Skipped, Wire};
    use saga_freeciv::value::Requirement;
    use saga_freeciv::{Value, encode, v3_0};
    let odd = |wire: Wire, form: Form, low: bool| {
        let number = match wire {
            Wire::Int { bytes, signed: true } if low => -(1 << (8 * bytes - 1)),
            Wire::Int { bytes, .. } if !low => (1_i64 << (8 * bytes - 1)) - 1,
            Wire::Fixed { .. } => 7,
            _ => 1,
        };
        let length = match form {
            Form::Times(length) | Form::Diff(length) => length,
            _ => 1,
        };
        let requirement = Requirement {
            kind: if low { 200 } else { 3 },
            value: if low { i32::MIN } else { i32::MAX },
            range: 200,
            survives: false,
            present: low,
            quiet: false,
        };
        match (wire, form) {
            (Wire::Text(_), Form::One) => "[c [l".into(),
            (Wire::Text(_), _) => Value::Texts(vec!["?x:y".into(); length].into()),
            (Wire::Bits(bytes), _) => Value::Bits(vec![0xff; bytes].into()),
            (Wire::Requirement, _) => Value::Requirements(vec![requirement; length].into()),
            (Wire::Probability | Wire::Worklist, _) => vec![(254, 255); length].into(),
            (_, Form::One) => number.into(),
            _ => vec![number; length].into(),
        }
    };
    for low in [false, true] {
        let mut world = recording();
        for def in v3_0().packets() {
            // A map of the largest size would only make this test slow.
            let skipped = def.skipped == Skipped::Opaque || def.name == "MAP_INFO";
            if def.direction != Direction::In || skipped {
                continue;
            }
            let fields: Vec<_> =
                def.fields.iter().map(|f| (&*f.name, odd(f.wire, f.form, low))).collect();
            world.fold(&encode::request(v3_0(), &def.name, &fields).unwrap());
            world.questions();
            world.observe();
        }
        world.fold(&common::packet("MAP_INFO", &[("xsize", 65_535.into())]));
        assert!(world.observe().unwrap().map.tiles.is_empty());
    }
}
