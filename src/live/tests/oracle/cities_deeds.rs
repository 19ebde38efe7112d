//! Every kind of action of a city carried out once on the server, its effect seen in what we are
//! told next.

use saga_core::action::{Action, Actor, Item, Outcome};
use saga_core::ids::{BuildingId, CityId, SpecialistId, UnitTypeId};
use saga_core::observation::City;

use crate::desk::Desk;
use crate::empire::building;
use crate::situations::{Made, Site, know, make_city, rich_city};

fn house(desk: &Desk, name: &str) -> Item {
    Item::Building(building(desk, name))
}

fn soldier(desk: &Desk, name: &str) -> Item {
    let at = desk.rules().unit_types.iter().position(|u| u.name == name);
    Item::Unit(UnitTypeId(at.unwrap_or_else(|| panic!("no {name}")) as u16))
}

/// A plain city of size 4 with a temple, and much gold.
fn town(desk: &mut Desk) -> City {
    let id = rich_city(desk, Site::Coast).id;
    let buildings = vec![building(desk, "Temple")];
    make_city(desk, id, &Made { size: 4, buildings, ..Made::default() });
    desk.end_turn();
    desk.city(id).expect("a town")
}

fn done(desk: &mut Desk, city: CityId, action: Action) {
    assert!(desk.city(city).expect("a city").actions.contains(&action), "{action:?} on the menu");
    let what = format!("{action:?}");
    assert_eq!(desk.order(Actor::City(city), action), Outcome::Done, "{what}");
}

#[test]
fn produce_and_buy() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let town = town(&mut desk);
    know(&mut desk, 30);
    let (item, library) = (house(&desk, "Library"), building(&desk, "Library"));
    done(&mut desk, town.id, Action::Produce { item });
    assert_eq!(desk.city(town.id).map(|c| c.production), Some(item));
    let (gold, cost) = (desk.look().me.gold, desk.city(town.id).map_or(0, |c| c.buy_cost));
    done(&mut desk, town.id, Action::Buy);
    let seen = desk.look();
    assert_eq!(seen.me.gold, gold - cost);
    let bought = seen.cities.iter().find(|c| c.id == town.id).expect("a town");
    assert!(bought.did_buy && !bought.buildings.contains(&library));
    desk.end_turn();
    let built = desk.city(town.id).expect("a town");
    assert!(built.buildings.contains(&library) && !built.did_buy);
}

#[test]
fn sell() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let town = town(&mut desk);
    let temple = building(&desk, "Temple");
    let gold = desk.look().me.gold;
    done(&mut desk, town.id, Action::Sell { building: temple });
    let seen = desk.look();
    let price = desk.rules().buildings[usize::from(temple.0)].build_cost;
    assert_eq!(seen.me.gold, gold + price);
    let sold = seen.cities.iter().find(|c| c.id == town.id).expect("a town");
    assert!(sold.did_sell && !sold.buildings.contains(&temple));
}

#[test]
fn append_carry_out_and_clear_the_worklist() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let town = town(&mut desk);
    know(&mut desk, 30);
    let [library, market] = ["Library", "Marketplace"].map(|name| house(&desk, name));
    let warriors = soldier(&desk, "Archers");
    done(&mut desk, town.id, Action::Produce { item: library });
    for item in [market, warriors, warriors] {
        done(&mut desk, town.id, Action::Append { item });
    }
    let planned = desk.city(town.id).expect("a town");
    assert_eq!(planned.worklist, [market, warriors, warriors]);
    assert!(!planned.actions.contains(&Action::Append { item: market }), "one is enough");
    for (built, next) in [(library, market), (market, warriors)] {
        done(&mut desk, town.id, Action::Buy);
        desk.end_turn();
        let now = desk.city(town.id).expect("a town");
        assert_eq!(now.production, next, "after {built:?}");
        assert!(matches!(built, Item::Building(id) if now.buildings.contains(&id)));
    }
    let soldiers = desk.look().units.iter().filter(|u| Item::Unit(u.kind) == warriors).count();
    done(&mut desk, town.id, Action::Buy);
    desk.end_turn();
    let seen = desk.look();
    let now = seen.cities.iter().find(|c| c.id == town.id).expect("a town");
    assert_eq!((now.production, now.worklist.len()), (warriors, 0), "the last one begins");
    let more = seen.units.iter().filter(|u| Item::Unit(u.kind) == warriors).count();
    assert_eq!(more, soldiers + 1);
    done(&mut desk, town.id, Action::Append { item: warriors });
    done(&mut desk, town.id, Action::ClearWorklist);
    let cleared = desk.city(town.id).expect("a town");
    assert!(cleared.worklist.is_empty() && !cleared.actions.contains(&Action::ClearWorklist));
}

#[test]
fn take_off_retrain_and_put_on_tile() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let id = town(&mut desk).id;
    let idle = |city: &City| city.specialists.iter().sum::<u32>();
    let before = desk.city(id).expect("a town");
    let worked = |action: &Action| match action {
        Action::TakeOffTile { at } => Some(*at),
        _ => None,
    };
    let at = before.actions.iter().find_map(worked).expect("a worked tile");
    done(&mut desk, id, Action::TakeOffTile { at });
    let after = desk.city(id).expect("a town");
    assert_eq!(idle(&after), idle(&before) + 1);
    assert!(desk.look().map.tiles.iter().any(|t| t.at == at && t.worked_by.is_none()));
    let [first, second, ..] = after.specialists[..] else { panic!("kinds of specialists") };
    done(&mut desk, id, Action::Retrain { from: SpecialistId(0), to: SpecialistId(1) });
    let trained = desk.city(id).expect("a town");
    assert_eq!(trained.specialists[..2], [first - 1, second + 1]);
    done(&mut desk, id, Action::PutOnTile { at });
    assert_eq!(desk.city(id).as_ref().map(idle), Some(idle(&before)));
    assert!(desk.look().map.tiles.iter().any(|t| t.at == at && t.worked_by == Some(id)));
}

#[test]
fn a_great_wonder_is_completed_and_gone_for_others() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    let first = town(&mut desk);
    let second = town(&mut desk);
    know(&mut desk, 30);
    let item = house(&desk, "Colossus");
    let colossus: BuildingId = building(&desk, "Colossus");
    let menu = |desk: &mut Desk, id| desk.city(id).expect("a town").actions;
    assert!(menu(&mut desk, second.id).contains(&Action::Produce { item }));
    done(&mut desk, first.id, Action::Produce { item });
    done(&mut desk, first.id, Action::Buy);
    desk.end_turn();
    let built = desk.city(first.id).expect("a town");
    assert!(built.buildings.contains(&colossus));
    assert!(!built.actions.contains(&Action::Sell { building: colossus }));
    assert!(!menu(&mut desk, second.id).contains(&Action::Produce { item }));
}

#[test]
fn a_spaceship_part_is_bought() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    know(&mut desk, 100);
    let city = rich_city(&mut desk, Site::Inland);
    desk.end_turn();
    let item = house(&desk, "Space Structural");
    assert!(!desk.city(city.id).expect("a city").actions.contains(&Action::Produce { item }));
    let mut buildings = city.buildings.clone();
    buildings.push(building(&desk, "Apollo Program"));
    make_city(&mut desk, city.id, &Made { size: 12, buildings, ..Made::default() });
    done(&mut desk, city.id, Action::Produce { item });
    done(&mut desk, city.id, Action::Append { item });
    done(&mut desk, city.id, Action::Buy);
    desk.end_turn();
    let ship = desk.look().me.spaceship.expect("a ship begun");
    assert_eq!(ship.structurals, 1);
    assert_eq!(desk.city(city.id).map(|c| c.production), Some(item), "the next one");
}
