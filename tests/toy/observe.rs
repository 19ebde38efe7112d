//! What our seat sees of the toy world: fog, memory of cities once seen, and the menus.

use saga_core::action::{Action, Actor, Item};
use saga_core::ids::{CityId, PlayerId, Pos, UnitId};
use saga_core::observation::{
    City, ForeignCity, ForeignUnit, Map, Observation, OtherPlayer, OwnPlayer, Research, Tile,
    Treaty, Unit,
};
use saga_core::rules::{GOLD, SCIENCE, SHIELD};

use super::rules::{HUT, ROAD};
use super::world::{PIRATES, US, World};

/// Sight in king's moves.
const SIGHT: u16 = 2;

impl World {
    /// Looks around: what comes into sight stays known.
    pub(crate) fn look(&mut self) {
        for at in self.terrain.keys().copied().collect::<Vec<_>>() {
            if !self.sees(at) {
                continue;
            }
            self.known.insert(at);
            let mut owners: Vec<PlayerId> = self.strangers_at(at).map(|(_, u)| u.owner).collect();
            let occupied = !owners.is_empty();
            self.remembered.retain(|_, c| c.at != at);
            if let Some((id, city)) = self.city_at(at).filter(|(_, c)| c.owner != US) {
                owners.push(city.owner);
                let (name, owner, size) = (city.name.clone(), city.owner, city.size);
                let seen = ForeignCity {
                    id,
                    name,
                    owner,
                    at,
                    size,
                    occupied,
                    walls: false,
                    buildings: Vec::new(),
                };
                self.remembered.insert(id, seen);
            }
            for owner in owners {
                self.rival_mut(owner).met = true;
            }
        }
    }

    fn sees(&self, at: Pos) -> bool {
        let near = |p: Pos| World::distance(p, at) <= SIGHT;
        self.units.values().any(|u| u.owner == US && near(u.at))
            || self.cities.values().any(|c| c.owner == US && near(c.at))
    }

    /// The moment as our seat sees it. Call [`World::look`] first.
    pub(crate) fn observation(&self) -> Observation {
        let own_cities = self.cities.iter().filter(|(_, c)| c.owner == US);
        let own_units = self.units.iter().filter(|(_, u)| u.owner == US);
        let seen = |u: &super::world::Unit| u.owner != US && self.sees(u.at);
        let foreign = self.units.iter().filter(|(_, u)| seen(u)).map(|(id, u)| ForeignUnit {
            id: *id,
            owner: u.owner,
            kind: u.kind,
            at: u.at,
            hp: u.hp,
            veteran: 0,
        });
        let table = |(id, r): (&PlayerId, &super::world::Rival)| {
            r.offer.map(|clause| Treaty {
                with: *id,
                opened_by: *id,
                clauses: vec![clause],
                accepted_by_us: false,
                accepted_by_them: true,
            })
        };
        Observation {
            seat: US,
            turn: self.turn,
            year: -4_000 + 50 * self.turn as i32,
            me: self.own_player(),
            players: self.rivals.keys().map(|id| self.other(*id)).collect(),
            cities: own_cities.map(|(id, c)| self.own_city(*id, c)).collect(),
            foreign_cities: self.remembered.values().cloned().collect(),
            units: own_units.map(|(id, u)| self.own_unit(*id, u)).collect(),
            foreign_units: foreign.collect(),
            map: self.map(),
            treaties: self.rivals.iter().filter_map(table).collect(),
            events: self.events.clone(),
            opening: None,
        }
    }

    fn own_player(&self) -> OwnPlayer {
        OwnPlayer {
            name: "Toy Leader".to_owned(),
            alive: self.lives(US),
            score: self.score(US) as u32,
            gold: self.gold,
            rates: self.rates,
            rate_max: self.rate_max(),
            government: self.government,
            revolution_ends: self.revolution.map(|(turn, _)| turn),
            culture: 0,
            advances: self.advances.iter().copied().collect(),
            spaceship: None,
            research: Research {
                now: self.research,
                bulbs: self.bulbs,
                cost: 6,
                goal: self.goal,
                bulbs_per_turn: i32::from(self.rates.science) / 30,
                future: 0,
            },
            technology_actions: self.technology(),
            government_actions: self.government(),
        }
    }

    fn other(&self, id: PlayerId) -> OtherPlayer {
        let rival = &self.rivals[&id];
        let informed = rival.embassy;
        OtherPlayer {
            id,
            name: rival.name.clone(),
            alive: self.lives(id),
            barbarian: (id == PIRATES).then(|| "sea".to_owned()),
            stance: rival.stance,
            stance_turns: 0,
            contact: rival.met,
            embassy: informed,
            embassy_of_theirs: false,
            score: informed.then(|| self.score(id) as u32),
            gold: None,
            government: None,
            advances: informed.then_some(1),
            known: Vec::new(),
            vision_from: false,
            vision_to: false,
            actions: self.toward(id),
        }
    }

    fn own_city(&self, id: CityId, c: &super::world::City) -> City {
        let mut surplus = [0; 6];
        surplus[SHIELD] = 1 + c.size as i32;
        surplus[GOLD] = i32::from(self.rates.tax) / 20;
        surplus[SCIENCE] = i32::from(self.rates.science) / 30;
        let finished = matches!(c.production, Item::Unit(_)) || self.price(c) > 0;
        City {
            id,
            name: c.name.clone(),
            at: c.at,
            size: c.size,
            mood: [0, c.size, 0, 0],
            disorder: c.size > 3 && c.buildings.is_empty(),
            specialists: vec![0],
            surplus,
            food_stock: c.food,
            granary: 6,
            shield_stock: c.shields,
            production: c.production,
            production_cost: if finished { self.cost(c.production) } else { 0 },
            worklist: Vec::new(),
            buy_cost: self.price(c),
            did_buy: c.did_buy,
            did_sell: false,
            radius_sq: 5,
            buildings: c.buildings.clone(),
            turn_founded: c.founded,
            turn_last_built: c.last_built,
            pollution: 0,
            culture: 0,
            actions: self.lawful(Actor::City(id)),
        }
    }

    fn own_unit(&self, id: UnitId, u: &super::world::Unit) -> Unit {
        let mut actions = self.lawful(Actor::Unit(id));
        actions.push(Action::Skip);
        Unit {
            id,
            kind: u.kind,
            at: u.at,
            home: None,
            hp: u.hp,
            moves: u.moves,
            veteran: 0,
            fuel: 0,
            activity: u.activity,
            activity_extra: None,
            auto: u.auto,
            goto: u.goto,
            aboard: None,
            actions,
        }
    }

    fn map(&self) -> Map {
        let mut known: Vec<Pos> = self.known.iter().copied().collect();
        known.sort_by_key(|p| (p.y, p.x));
        let tile = |at: Pos| {
            let road = self.roads.contains(&at).then_some(ROAD);
            let hut = self.huts.contains(&at).then_some(HUT);
            Tile {
                at,
                seen: self.sees(at),
                terrain: self.terrain[&at],
                extras: road.into_iter().chain(hut).collect(),
                owner: None,
                worked_by: None,
            }
        };
        Map {
            width: self.width,
            height: self.height,
            wrap_x: false,
            wrap_y: false,
            tiles: known.into_iter().map(tile).collect(),
        }
    }
}
