//! What is lawful, rule by rule: each test lays out a small situation under the real classic rules
//! and reads the menus. That the server agrees was measured in real games.

mod common;

use common::*;
use saga_core::action::{Action, Actor, Clause, ClauseKind, Item, Work};
use saga_core::ids::{BuildingId, CityId, Dir, ExtraId, PlayerId, UnitTypeId};
use saga_freeciv::Value;

const THEM_ID: PlayerId = PlayerId(1);
const US_ID: PlayerId = PlayerId(0);

fn work(work: Work, extra: u16) -> Action {
    Action::Work { work, extra: Some(ExtraId(extra)) }
}

fn change(work: Work) -> Action {
    Action::Work { work, extra: None }
}

#[test]
fn land_units_stay_on_land_and_ships_on_water() {
    let mut stage = Stage::new();
    for y in 0..WIDTH {
        stage.tile(4, y, OCEAN, &[]);
        stage.tile(5, y, DEEP_OCEAN, &[]);
    }
    let walker = stage.unit(1, WARRIORS, 3, 3);
    let west = [Dir::Northwest, Dir::North, Dir::West, Dir::Southwest, Dir::South];
    assert_eq!(stage.moves(walker), west);
    let trireme = stage.unit(2, TRIREME, 4, 3);
    assert_eq!(stage.moves(trireme), [Dir::North, Dir::South], "not on the deep ocean");
    let galleon = stage.unit(3, GALLEON, 5, 3);
    let water = [Dir::Northwest, Dir::North, Dir::West, Dir::Southwest, Dir::South];
    assert_eq!(stage.moves(galleon), water);
    let bomber = stage.unit(4, BOMBER, 4, 3);
    assert_eq!(stage.moves(bomber).len(), 8);
    let tired = stage.unit_with(5, WARRIORS, 1, 1, &[("movesleft", 0.into())]);
    assert_eq!(stage.moves(tired), []);
    let corner = stage.unit(6, WARRIORS, 0, 0);
    assert_eq!(stage.moves(corner), [Dir::East, Dir::South, Dir::Southeast]);
}

#[test]
fn unknown_ground_may_be_tried() {
    let mut stage = Stage::new();
    stage.unknown(2, 3);
    let walker = stage.unit(1, WARRIORS, 3, 3);
    assert!(stage.moves(walker).contains(&Dir::West));
}

#[test]
fn ships_enter_own_ports_and_nobody_enters_foreign_cities() {
    let mut stage = Stage::new();
    stage.tile(2, 3, OCEAN, &[]);
    stage.city(50, 3, 3, &[]);
    stage.foreign_city(51, 1, 3, false);
    let ship = stage.unit(1, TRIREME, 2, 3);
    assert_eq!(stage.moves(ship), [Dir::East]);
    let walker = stage.unit(2, WARRIORS, 1, 2);
    assert!(!stage.moves(walker).contains(&Dir::South));
    stage.pact(ALLIANCE);
    assert!(stage.moves(walker).contains(&Dir::South), "a city of an ally is open");
}

#[test]
fn foreign_units_bar_the_way_unless_allied() {
    let mut stage = Stage::new();
    let walker = stage.unit(1, WARRIORS, 3, 3);
    stage.foreign_unit(2, WARRIORS, 3, 2);
    assert!(!stage.moves(walker).contains(&Dir::North));
    stage.pact(ALLIANCE);
    assert!(stage.moves(walker).contains(&Dir::North));
}

#[test]
fn zones_of_control_hold_soldiers_but_not_explorers() {
    let mut stage = Stage::new();
    stage.foreign_unit(9, WARRIORS, 3, 1);
    let walker = stage.unit(1, WARRIORS, 2, 2);
    let free = [Dir::West, Dir::Southwest, Dir::South, Dir::Southeast];
    let from = |stage: &Stage, unit| {
        let mut moves = stage.moves(unit);
        moves.retain(|dir| *dir != Dir::Northwest);
        moves
    };
    assert_eq!(from(&stage, walker), free);
    let explorer = stage.unit(2, EXPLORER, 2, 2);
    assert!(stage.moves(explorer).contains(&Dir::East));
    stage.unit(3, WARRIORS, 3, 2);
    assert!(stage.moves(walker).contains(&Dir::East), "to a tile that we hold");
    stage.pact(ALLIANCE);
    assert_eq!(stage.moves(walker).len(), 8, "allies exert none");
}

#[test]
fn an_occupied_city_exerts_control_and_an_empty_one_does_not() {
    let mut stage = Stage::new();
    stage.foreign_city(50, 3, 1, true);
    let walker = stage.unit(1, WARRIORS, 2, 2);
    assert!(!stage.moves(walker).contains(&Dir::East));
    stage.foreign_city(50, 3, 1, false);
    assert!(stage.moves(walker).contains(&Dir::East));
    let fogged = [("tile", index(3, 1)), ("known", 1.into()), ("terrain", GRASSLAND.into())];
    stage.fold("TILE_INFO", &fogged);
    assert!(!stage.moves(walker).contains(&Dir::East), "who knows who came meanwhile");
}

#[test]
fn peace_closes_borders_to_soldiers_only() {
    let mut stage = Stage::new();
    stage.owned_tile(3, 2, GRASSLAND, &[], THEM);
    stage.pact(PEACE);
    let soldier = stage.unit(1, WARRIORS, 3, 3);
    let worker = stage.unit(2, WORKERS, 3, 3);
    assert!(!stage.moves(soldier).contains(&Dir::North));
    assert!(stage.moves(worker).contains(&Dir::North));
    stage.pact(WAR);
    assert!(stage.moves(soldier).contains(&Dir::North));
}

#[test]
fn a_transport_with_room_carries_and_lets_off() {
    let mut stage = Stage::new();
    stage.tile(3, 2, OCEAN, &[]);
    let walker = stage.unit(1, WARRIORS, 3, 3);
    assert!(!stage.moves(walker).contains(&Dir::North));
    stage.unit(10, TRIREME, 3, 2);
    assert!(stage.moves(walker).contains(&Dir::North));
    for cargo in [2, 3] {
        let aboard = [("transported", true.into()), ("transported_by", 10.into())];
        let rider = stage.unit_with(cargo, WARRIORS, 3, 2, &aboard);
        assert!(stage.moves(rider).contains(&Dir::West), "it may step ashore");
    }
    assert!(!stage.moves(walker).contains(&Dir::North), "a trireme carries two");
}

#[test]
fn idle_units_may_go_to_their_nearest_cities_and_to_the_unknown() {
    let mut stage = Stage::new();
    let gotos = |stage: &Stage, unit| {
        let target = |action: Action| match action {
            Action::Goto { to } => Some(to),
            _ => None,
        };
        stage.menu(unit).into_iter().filter_map(target).collect::<Vec<_>>()
    };
    stage.city(52, 6, 0, &[]);
    stage.city(51, 0, 6, &[]);
    stage.city(50, 3, 4, &[]);
    let walker = stage.unit(1, WARRIORS, 3, 3);
    assert_eq!(gotos(&stage, walker), [at(0, 6), at(6, 0)], "equally far: by id; no neighbour");
    stage.unknown(6, 6);
    assert_eq!(gotos(&stage, walker), [at(0, 6), at(6, 0), at(5, 5)]);
    for n in 0..WIDTH {
        stage.unknown(n, 0);
    }
    let all = gotos(&stage, walker);
    assert_eq!(all, [at(0, 6), at(1, 1), at(4, 1), at(5, 5)], "the unknown is no target");
    let sentry = stage.unit_with(2, WARRIORS, 3, 3, &[("activity", 7.into())]);
    assert_eq!(gotos(&stage, sentry), all, "it only waits");
    let busy = stage.unit_with(2, WARRIORS, 3, 3, &[("activity", 9.into())]);
    assert_eq!(gotos(&stage, busy), []);
    let bomber = stage.unit_with(3, BOMBER, 3, 3, &[("fuel", 2.into()), ("movesleft", 24.into())]);
    assert_eq!(gotos(&stage, bomber), [at(0, 6)], "aircraft go where they get fuel");
}

#[test]
fn terrain_work_follows_the_rules_of_terrain_and_extras() {
    let mut stage = Stage::new();
    let worker = stage.unit(1, WORKERS, 3, 3);
    let engineers = stage.unit(2, ENGINEERS, 5, 5);
    let works = |stage: &Stage, unit| {
        let mut menu = stage.menu(unit);
        menu.retain(|action| matches!(action, Action::Work { .. }));
        menu
    };
    let dry = works(&stage, worker);
    assert_eq!(dry, [change(Work::Mine), work(Work::Road, ROAD)], "no water near, a forest grows");
    stage.tile(2, 3, OCEAN, &[]);
    assert!(works(&stage, worker).contains(&work(Work::Irrigate, IRRIGATION)));
    stage.tile(2, 3, GRASSLAND, &[]);
    stage.tile(2, 2, GRASSLAND, &[RIVER]);
    assert!(!works(&stage, worker).contains(&work(Work::Irrigate, IRRIGATION)), "only diagonal");
    stage.tile(3, 2, GRASSLAND, &[RIVER]);
    assert!(works(&stage, worker).contains(&work(Work::Irrigate, IRRIGATION)));
    assert!(!works(&stage, worker).contains(&change(Work::Transform)));
    assert!(works(&stage, engineers).contains(&change(Work::Transform)));
    stage.tile(3, 3, HILLS, &[]);
    assert!(works(&stage, worker).contains(&work(Work::Mine, MINE)));
    stage.know(&["Railroad", "Construction"]);
    stage.tile(3, 3, HILLS, &[ROAD, MINE, POLLUTION]);
    let rich = works(&stage, worker);
    for wanted in [
        work(Work::Road, RAILROAD),
        work(Work::Base, FORTRESS),
        work(Work::CleanPollution, POLLUTION),
        work(Work::Pillage, MINE),
        work(Work::Pillage, ROAD),
    ] {
        assert!(rich.contains(&wanted), "{wanted:?} in {rich:?}");
    }
    assert!(!rich.contains(&work(Work::Mine, MINE)), "there is one already");
    stage.tile(3, 3, HILLS, &[ROAD, RAILROAD]);
    let railed = works(&stage, worker);
    assert!(!railed.contains(&work(Work::Pillage, ROAD)), "the railroad rests on it");
    assert!(railed.contains(&work(Work::Pillage, RAILROAD)));
    let soldier = stage.unit(3, WARRIORS, 3, 3);
    assert_eq!(works(&stage, soldier), [work(Work::Pillage, RAILROAD)]);
}

#[test]
fn roads_over_rivers_need_bridges() {
    let mut stage = Stage::new();
    stage.tile(3, 3, GRASSLAND, &[RIVER]);
    let worker = stage.unit(1, WORKERS, 3, 3);
    assert!(!stage.menu(worker).contains(&work(Work::Road, ROAD)));
    stage.know(&["Bridge Building"]);
    assert!(stage.menu(worker).contains(&work(Work::Road, ROAD)));
}

#[test]
fn work_in_a_city_leaves_it_standing() {
    let mut stage = Stage::new();
    stage.know(&["Construction"]);
    stage.tile(3, 3, HILLS, &[ROAD]);
    stage.city(50, 3, 3, &[]);
    let worker = stage.unit(1, WORKERS, 3, 3);
    let menu = stage.menu(worker);
    assert!(!menu.contains(&work(Work::Base, FORTRESS)));
    assert!(!menu.contains(&work(Work::Pillage, ROAD)));
}

#[test]
fn others_work_and_own_work_are_respected() {
    let mut stage = Stage::new();
    stage.tile(2, 3, OCEAN, &[]);
    stage.tile(3, 3, HILLS, &[]);
    let irrigates = [("activity", 4.into()), ("activity_tgt", i64::from(IRRIGATION).into())];
    let busy = stage.unit_with(1, WORKERS, 3, 3, &irrigates);
    let other = stage.unit(2, WORKERS, 3, 3);
    assert!(!stage.menu(busy).contains(&work(Work::Irrigate, IRRIGATION)), "it does that already");
    assert!(stage.menu(busy).contains(&work(Work::Mine, MINE)), "it may change its mind");
    assert!(stage.menu(other).contains(&work(Work::Irrigate, IRRIGATION)), "two work faster");
    assert!(!stage.menu(other).contains(&work(Work::Mine, MINE)), "both cannot stand");
}

#[test]
fn stances_fit_the_unit_and_the_moment() {
    let mut stage = Stage::new();
    let soldier = stage.unit(1, WARRIORS, 3, 3);
    let has = |stage: &Stage, unit, action| stage.menu(unit).contains(&action);
    assert!(has(&stage, soldier, Action::Fortify) && has(&stage, soldier, Action::Sentry));
    stage.unit_with(1, WARRIORS, 3, 3, &[("activity", 5.into())]);
    assert!(!has(&stage, soldier, Action::Fortify), "fortified already");
    stage.unit_with(1, WARRIORS, 3, 3, &[("activity", 7.into())]);
    assert!(!has(&stage, soldier, Action::Sentry) && has(&stage, soldier, Action::Fortify));
    let worker = stage.unit(2, WORKERS, 3, 3);
    assert!(!has(&stage, worker, Action::Fortify) && has(&stage, worker, Action::AutoWork));
    assert!(!has(&stage, soldier, Action::AutoWork));
    stage.unit_with(2, WORKERS, 3, 3, &[("ai", true.into())]);
    assert!(!has(&stage, worker, Action::AutoWork));
}

#[test]
fn exploring_ends_with_the_unknown() {
    let mut stage = Stage::new();
    let walker = stage.unit(1, WARRIORS, 3, 3);
    assert!(!stage.menu(walker).contains(&Action::Explore), "all is known");
    stage.unknown(6, 6);
    assert!(stage.menu(walker).contains(&Action::Explore));
    for y in 0..WIDTH {
        stage.tile(4, y, OCEAN, &[]);
    }
    assert!(!stage.menu(walker).contains(&Action::Explore), "across the water");
    stage.tile(0, 0, GRASSLAND, &[4]);
    assert!(stage.menu(walker).contains(&Action::Explore), "a hut is left");
}

#[test]
fn only_what_matters_is_asked_and_only_once() {
    let mut stage = Stage::new();
    let founder = stage.unit(1, SETTLERS, 3, 3);
    stage.unit(2, WORKERS, 3, 3);
    stage.unit(3, WARRIORS, 3, 3);
    let asked = |stage: &Stage| -> Vec<(Value, Value)> {
        let questions = stage.world.questions();
        questions.iter().map(|q| (q.fields[0].1.clone(), q.fields[1].1.clone())).collect()
    };
    assert_eq!(asked(&stage), [(1.into(), index(3, 3))], "only a founder has a question");
    stage.answer(founder, (3, 3), 0, &[25, 36]);
    assert!(asked(&stage).is_empty());
    assert!(stage.menu(founder).contains(&Action::FoundCity));
    stage.foreign_unit(9, WARRIORS, 3, 4);
    assert_eq!(asked(&stage), [(3.into(), index(3, 4))], "only soldiers care");
    let soldier = saga_core::ids::UnitId(3);
    stage.answer(soldier, (3, 4), 0, &[41]);
    assert!(stage.menu(soldier).contains(&Action::Attack { at: at(3, 4) }));
    stage.fold("UNIT_REMOVE", &[("unit_id", 9.into())]);
    assert!(!stage.menu(soldier).contains(&Action::Attack { at: at(3, 4) }), "nobody is there");
    stage.city(50, 2, 2, &[]);
    assert!(!stage.menu(founder).contains(&Action::FoundCity), "a city has come up near by");
    assert_eq!(asked(&stage), [(1.into(), index(2, 2))], "too near to found, not to join");
}

#[test]
fn answers_name_their_targets() {
    let mut stage = Stage::new();
    stage.foreign_city(50, 3, 4, false);
    let soldier = stage.unit(1, WARRIORS, 3, 3);
    let diplomat = stage.unit(2, DIPLOMAT, 3, 3);
    let packets: Vec<&str> = stage.world.questions().iter().map(|q| q.packet).collect();
    let priced = ["UNIT_GET_ACTIONS", "UNIT_GET_ACTIONS", "UNIT_ACTION_QUERY"];
    assert_eq!(packets, priced, "inciting has its price");
    stage.answer(soldier, (3, 4), 50, &[42]);
    stage.answer(diplomat, (3, 4), 50, &[1, 3, 35]);
    let conquer = Action::Conquer { city: CityId(50), at: at(3, 4) };
    assert!(stage.menu(soldier).contains(&conquer));
    let special = |id, name: &str| Action::Special {
        id,
        name: name.to_owned(),
        target: 50,
        at: at(3, 4),
        part: None,
        cost: None,
    };
    let menu = stage.menu(diplomat);
    assert!(menu.contains(&special(1, "establish_embassy_stay")));
    assert!(menu.contains(&special(3, "investigate_city_spend_unit")));
    let specials: Vec<&str> =
        menu.iter().filter(|a| matches!(a, Action::Special { .. })).map(Action::kind).collect();
    let allowed = [
        "establish_embassy_stay",
        "investigate_city_spend_unit",
        "disband_unit_recover",
        "disband_unit",
    ];
    assert_eq!(specials, allowed);
}

#[test]
fn cities_build_what_the_rules_allow() {
    let mut stage = Stage::new();
    let rules = stage.rules();
    let city = stage.city(50, 3, 3, &[]);
    let builds = |stage: &Stage, name: &str| {
        let unit = rules.unit_types.iter().position(|u| u.name == name);
        let building = rules.buildings.iter().position(|b| b.name == name);
        let item = match (unit, building) {
            (Some(id), _) => Item::Unit(UnitTypeId(id as u16)),
            (_, Some(id)) => Item::Building(BuildingId(id as u16)),
            _ => panic!("no {name}"),
        };
        stage.world.lawful(Actor::City(city)).contains(&Action::Produce { item })
    };
    stage.know(&[]);
    assert!(builds(&stage, "Settlers") && builds(&stage, "Barracks") && builds(&stage, "Coinage"));
    assert!(!builds(&stage, "Warriors"), "that is being built");
    assert!(!builds(&stage, "Phalanx") && !builds(&stage, "Temple"));
    stage.know(&["Bronze Working", "Map Making", "Pottery", "Masonry", "Currency", "Trade"]);
    assert!(builds(&stage, "Phalanx") && builds(&stage, "Colossus"));
    assert!(!builds(&stage, "Trireme") && !builds(&stage, "Lighthouse"), "no water near");
    stage.tile(4, 3, OCEAN, &[]);
    assert!(builds(&stage, "Trireme") && builds(&stage, "Lighthouse"));
    assert!(!builds(&stage, "Bank"), "no market, no advance");
    stage.know(&["Banking", "Currency"]);
    assert!(!builds(&stage, "Bank"), "no market");
    let market = rules.buildings.iter().position(|b| b.name == "Marketplace").unwrap();
    let mut bits = [0u8; 25];
    bits[market / 8] = 1 << (market % 8);
    stage.city(50, 3, 3, &[("improvements", Value::Bits(bits.into()))]);
    assert!(builds(&stage, "Bank") && !builds(&stage, "Marketplace"));
    stage.know(&["Feudalism", "Bronze Working"]);
    assert!(builds(&stage, "Pikemen") && !builds(&stage, "Phalanx"), "pikemen replace them");
    stage.know(&["Space Flight", "Industrialization"]);
    assert!(!builds(&stage, "Space Structural") && !builds(&stage, "Leader"));
}

#[test]
fn a_great_wonder_is_built_once_in_the_world() {
    let mut stage = Stage::new();
    let rules = stage.rules();
    let city = stage.city(50, 3, 3, &[]);
    stage.know(&["Bronze Working"]);
    let id = rules.buildings.iter().position(|b| b.name == "Colossus").unwrap();
    let build = Action::Produce { item: Item::Building(BuildingId(id as u16)) };
    assert!(stage.world.lawful(Actor::City(city)).contains(&build));
    let mut owners = vec![162_i64; 200];
    owners[id] = 2;
    let fields = [
        ("turn", 40.into()),
        ("citymindist", 2.into()),
        ("shieldbox", 100.into()),
        ("great_wonder_owners", owners.into()),
        ("global_advances", vec![0_i64; 200].into()),
    ];
    stage.fold("GAME_INFO", &fields);
    assert!(!stage.world.lawful(Actor::City(city)).contains(&build));
}

#[test]
fn buying_needs_gold_time_and_peace_of_mind() {
    let mut stage = Stage::new();
    let city = CityId(50);
    let mut buys = |more: &[(&str, Value)]| {
        stage.city(50, 3, 3, more);
        stage.fold("BEGIN_TURN", &[]);
        stage.world.lawful(Actor::City(city)).contains(&Action::Buy)
    };
    assert!(buys(&[]));
    assert!(!buys(&[("buy_cost", 72.into())]), "we have 71");
    assert!(!buys(&[("buy_cost", 0.into())]), "it is paid for");
    assert!(!buys(&[("did_buy", true.into())]));
    assert!(!buys(&[("turn_founded", 31.into())]), "founded in this turn");
    assert!(!buys(&[("production_kind", 3.into()), ("production_value", 67.into())]), "coinage");
    let riot: Vec<i64> = vec![0, 0, 0, 0, 0, 2];
    assert!(!buys(&[("ppl_unhappy", riot.clone().into())]), "no units for rioters");
    let barracks = [("production_kind", 3.into()), ("production_value", 3.into())];
    assert!(buys(&[&barracks[..], &[("ppl_unhappy", riot.clone().into())]].concat()));
    stage.city(50, 3, 3, &[("ppl_unhappy", riot.into())]);
    stage.fold("BEGIN_TURN", &[]);
    stage.city(50, 3, 3, &[]);
    let buys = |stage: &Stage| stage.world.lawful(Actor::City(city)).contains(&Action::Buy);
    assert!(!buys(&stage), "calmed too late for this turn");
    stage.fold("BEGIN_TURN", &[]);
    assert!(buys(&stage));
}

#[test]
fn after_buying_production_stays() {
    let mut stage = Stage::new();
    let bought = [("did_buy", true.into()), ("shield_stock", 10.into())];
    let city = stage.city(50, 3, 3, &bought);
    let menu = stage.world.lawful(Actor::City(city));
    assert!(!menu.iter().any(|a| matches!(a, Action::Produce { .. } | Action::Buy)), "{menu:?}");
}

#[test]
fn a_worklist_takes_soldiers_again_and_buildings_once_and_has_its_limit() {
    let mut stage = Stage::new();
    stage.know(&["Pottery", "Ceremonial Burial"]);
    let rules = stage.rules();
    let temple = rules.buildings.iter().position(|b| b.name == "Temple").unwrap() as u16;
    let append = |item| Action::Append { item };
    let (soldier, house) = (Item::Unit(UnitTypeId(3)), Item::Building(BuildingId(temple)));
    let mut menu = |worklist: Vec<(u8, u8)>| {
        let city = stage.city(50, 3, 3, &[("worklist", worklist.into())]);
        stage.world.lawful(Actor::City(city))
    };
    let fresh = menu(Vec::new());
    assert!(fresh.contains(&append(soldier)) && fresh.contains(&append(house)));
    assert!(!fresh.contains(&Action::ClearWorklist));
    let planned = menu(vec![(6, 3), (3, temple as u8)]);
    assert!(planned.contains(&append(soldier)) && !planned.contains(&append(house)));
    assert!(planned.contains(&Action::ClearWorklist));
    assert!(!menu(vec![(6, 3); 8]).contains(&append(soldier)), "that is far enough ahead");
}

#[test]
fn citizens_work_free_land_that_no_enemy_holds() {
    let mut stage = Stage::new();
    stage.foreign_unit(9, WARRIORS, 3, 2);
    stage.foreign_unit(8, WORKERS, 3, 4);
    stage.owned_tile(2, 3, GRASSLAND, &[], THEM);
    let idle = [("city_radius_sq", 2.into()), ("specialists_size", 3.into())];
    let idle = [&idle[..], &[("specialists", vec![1_i64, 0, 0].into())]].concat();
    let city = stage.city(50, 3, 3, &idle);
    let menu = stage.world.lawful(Actor::City(city));
    let put = |action: &Action| match action {
        Action::PutOnTile { at } => Some((at.x, at.y)),
        _ => None,
    };
    let free: Vec<_> = menu.iter().filter_map(put).collect();
    assert_eq!(free, [(2, 2), (4, 2), (4, 3), (2, 4), (3, 4), (4, 4)]);
    let retrained = menu.iter().filter(|a| matches!(a, Action::Retrain { .. })).count();
    assert_eq!(retrained, 2);
    stage.city(50, 3, 3, &[("city_radius_sq", 2.into())]);
    let busy = stage.world.lawful(Actor::City(city));
    assert!(!busy.iter().any(|a| matches!(a, Action::PutOnTile { .. })), "nobody is idle");
}

#[test]
fn governments_need_their_advance_and_another_aim_than_the_present() {
    let mut stage = Stage::new();
    stage.know(&[]);
    let revolts = |stage: &Stage| {
        let menu = stage.world.lawful(Actor::Player);
        menu.into_iter().filter(|a| matches!(a, Action::Revolution { .. })).count()
    };
    assert_eq!(revolts(&stage), 0);
    stage.know(&["Monarchy", "The Republic"]);
    assert_eq!(revolts(&stage), 2);
    stage.fold(
        "PLAYER_INFO",
        &[
            ("playerno", US.into()),
            ("is_alive", true.into()),
            ("government", 0.into()),
            ("target_government", 2.into()),
            ("revolution_finishes", 33.into()),
        ],
    );
    assert_eq!(revolts(&stage), 2, "the aim may be changed to any other");
}

#[test]
fn diplomacy_follows_pact_contact_and_meetings() {
    let mut stage = Stage::new();
    let toward = |stage: &Stage| stage.world.lawful(Actor::Toward(THEM_ID));
    let treaty = |clauses: &[(PlayerId, ClauseKind)]| Action::Propose {
        to: THEM_ID,
        clauses: clauses
            .iter()
            .map(|(giver, kind)| Clause { giver: *giver, kind: *kind, value: 0 })
            .collect(),
    };
    let swap = |kind| treaty(&[(US_ID, kind), (THEM_ID, kind)]);
    let swaps = [
        swap(ClauseKind::Embassy),
        swap(ClauseKind::SharedVision),
        swap(ClauseKind::WorldMap),
        swap(ClauseKind::SeaMap),
    ];
    let cease_fire = treaty(&[(US_ID, ClauseKind::CeaseFire)]);
    let peace = treaty(&[(US_ID, ClauseKind::Peace)]);
    let cancel = Action::CancelPact { with: THEM_ID };
    let poor = [("playerno", US.into()), ("is_alive", true.into())];
    stage.fold("PLAYER_INFO", &poor);
    assert_eq!(toward(&stage), [&[cease_fire, peace], &swaps[..]].concat());
    stage.pact(PEACE);
    // No alliance: no embassy shows whom they are allied to.
    let peaceful = [&swaps[..], std::slice::from_ref(&cancel)].concat();
    assert_eq!(toward(&stage), peaceful);
    stage
        .fold("DIPLOMACY_INIT_MEETING", &[("counterpart", 1.into()), ("initiated_from", 1.into())]);
    let reject = Action::RejectTreaty { with: THEM_ID };
    assert_eq!(toward(&stage), [reject.clone(), cancel.clone()], "nothing on the table yet");
    let clause = [("counterpart", 1.into()), ("giver", 1.into()), ("type", 8.into())];
    stage.fold("DIPLOMACY_CREATE_CLAUSE", &clause);
    let accepted = [("counterpart", 1.into()), ("other_accepted", true.into())];
    stage.fold("DIPLOMACY_ACCEPT_TREATY", &accepted);
    assert_eq!(toward(&stage), [Action::AcceptTreaty { with: THEM_ID }, reject, cancel]);
    stage.fold("DIPLOMACY_CANCEL_MEETING", &[("counterpart", 1.into())]);
    let lapsed = [
        ("diplstate_id", 1.into()),
        ("plr1", US.into()),
        ("plr2", THEM.into()),
        ("type", WAR.into()),
    ];
    stage.fold("PLAYER_DIPLSTATE", &lapsed);
    assert_eq!(toward(&stage), [], "contact has lapsed");
    let them = stage.world.observe().unwrap().players[0].clone();
    assert_eq!((them.contact, them.score, them.gold), (false, None, None), "0 would mislead");
    assert_eq!(stage.world.lawful(Actor::Toward(US_ID)), []);
}
