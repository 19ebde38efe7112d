//! What happens between two turns of the toy world: work, growth, research, the moves of everybody
//! else, and the end.

use saga_core::action::{Clause, ClauseKind, Item};
use saga_core::game::Over;
use saga_core::ids::{CityId, PlayerId, Pos, UnitId};
use saga_core::observation::Activity;
use saga_core::rules::Genus;

use super::rules::{ARCHERS, DESPOT, HILLS, WARRIORS};
use super::world::{ENEMY, NEIGHBOUR, PIRATES, US, Unit, World};

impl World {
    /// Ends the turn; tells how the game ended, if it did.
    pub(crate) fn end_turn(&mut self, turns_max: u32) -> Option<Over> {
        self.events.clear();
        self.wander();
        for id in self.cities.keys().copied().collect::<Vec<_>>() {
            self.grow(id);
        }
        self.learn();
        for seat in [ENEMY, NEIGHBOUR, PIRATES] {
            self.play(seat);
        }
        self.turn += 1;
        let rate = self.rules.move_fragments;
        for unit in self.units.values_mut() {
            unit.moves = rate;
            unit.hp = (unit.hp + 1).min(10);
            if unit.activity == Activity::Fortifying {
                unit.activity = Activity::Fortified;
            }
        }
        for city in self.cities.values_mut() {
            city.did_buy = false;
        }
        if self.turn.is_multiple_of(4) && self.lives(NEIGHBOUR) {
            let clause = Clause { giver: NEIGHBOUR, kind: ClauseKind::Embassy, value: 0 };
            let rival = self.rival_mut(NEIGHBOUR);
            rival.offer = rival.met.then_some(clause);
        }
        self.log_scores();
        if !self.lives(US) {
            Some(Over::Eliminated)
        } else if !self.lives(ENEMY) && !self.lives(NEIGHBOUR) && !self.lives(PIRATES) {
            Some(Over::Victory)
        } else {
            (self.turn > turns_max).then_some(Over::TurnLimit)
        }
    }

    /// Writes down everybody's score, as a server does when a turn opens.
    pub(crate) fn log_scores(&mut self) {
        for seat in [US, ENEMY, NEIGHBOUR] {
            let score = (self.turn, self.score(seat));
            self.scores.entry(seat).or_default().push(score);
        }
    }

    /// Our units that act by themselves: builders of roads, explorers, walkers.
    fn wander(&mut self) {
        let own = |(_, u): &(&UnitId, &Unit)| u.owner == US;
        let ids: Vec<UnitId> = self.units.iter().filter(own).map(|(i, _)| *i).collect();
        for id in ids {
            let unit = self.units[&id].clone();
            if unit.activity == Activity::Road || unit.auto {
                self.roads.insert(unit.at);
            }
            if unit.activity == Activity::Road {
                self.units.get_mut(&id).expect("just seen").activity = Activity::Idle;
            }
            let to = match unit.goto {
                Some(goal) => self.way(unit.at, goal),
                None if unit.auto || unit.activity == Activity::Explore => self.any_way(unit.at),
                None => None,
            };
            let Some(to) = to else { continue };
            if self.strangers_at(to).next().is_none() {
                self.step(id, to);
            }
            let unit = self.units.get_mut(&id).expect("just seen");
            if unit.goto.is_none() && !unit.auto {
                unit.activity = Activity::Explore;
            }
            if unit.goto == Some(unit.at) {
                unit.goto = None;
            }
        }
    }

    /// The neighbour nearest to a goal; the first of equals.
    fn way(&self, from: Pos, goal: Pos) -> Option<Pos> {
        let steps = self.around(from).into_iter().map(|(_, to)| to);
        steps.min_by_key(|to| World::distance(*to, goal))
    }

    fn any_way(&mut self, from: Pos) -> Option<Pos> {
        let steps = self.around(from);
        let drawn = self.roll(steps.len().max(1) as u64) as usize;
        let (_, to) = steps.get(drawn)?;
        self.city_at(*to).is_none_or(|(_, c)| c.owner == US).then_some(*to)
    }

    fn grow(&mut self, id: CityId) {
        let city = self.cities[&id].clone();
        let hills = self.terrain.get(&city.at) == Some(&HILLS);
        let made = 1 + city.size + u32::from(hills);
        let cost = self.cost(city.production);
        let city = self.city_mut(id);
        city.food += 2;
        if city.food >= 6 {
            (city.food, city.size) = (0, city.size + 1);
        }
        city.shields += made;
        if city.owner != US {
            return;
        }
        self.gold += u32::from(self.rates.tax) / 20;
        let city = self.cities[&id].clone();
        let special = |b| self.rules.building(b).is_some_and(|b| b.genus == Genus::Special);
        match city.production {
            Item::Building(b) if special(b) => {
                self.gold += city.shields;
                self.city_mut(id).shields = 0;
            }
            item if city.shields >= cost => self.complete(id, item, cost),
            _ => {}
        }
    }

    fn complete(&mut self, id: CityId, item: Item, cost: u32) {
        let turn = self.turn as i32;
        let city = self.cities[&id].clone();
        match item {
            Item::Unit(kind) => {
                let citizens = self.kind(kind).pop_cost;
                if city.size <= citizens {
                    return;
                }
                self.muster(US, kind, city.at);
                self.city_mut(id).size -= citizens;
            }
            Item::Building(building) => {
                self.city_mut(id).buildings.push(building);
                self.city_mut(id).production = Item::Unit(WARRIORS);
            }
        }
        let city = self.city_mut(id);
        city.shields -= cost;
        city.last_built = turn;
        let name = city.name.clone();
        self.tell("city_built", format!("{name} has finished its work."), None);
    }

    fn learn(&mut self) {
        if let Some((_, to)) = self.revolution.filter(|(turn, _)| *turn <= self.turn) {
            (self.government, self.revolution) = (to, None);
            self.tell("revolt_done", "The revolution is over.".to_owned(), None);
        }
        if self.government == DESPOT && self.turn == 5 {
            self.tell("low_on_funds", "The treasury is nearly empty.".to_owned(), None);
        }
        let own = self.cities.values().filter(|c| c.owner == US).map(|c| c.size).sum::<u32>();
        self.bulbs += own * u32::from(self.rates.science) / 30;
        let Some(advance) = self.research.filter(|_| self.bulbs >= 6) else { return };
        self.bulbs -= 6;
        self.advances.insert(advance);
        self.research = None;
        self.tell("tech_gain", "Learned something new.".to_owned(), None);
    }

    /// Everybody of one seat: attack a neighbour of ours when at war, walk otherwise, and raise one
    /// more soldier now and then.
    fn play(&mut self, seat: PlayerId) {
        let ids: Vec<UnitId> =
            self.units.iter().filter(|(_, u)| u.owner == seat).map(|(i, _)| *i).collect();
        for id in ids {
            let Some(from) = self.units.get(&id).map(|u| u.at) else { continue };
            let at_war = self.at_war(seat);
            let beside = self.around(from).into_iter().map(|(_, to)| to);
            let victim = beside.filter(|_| at_war).find(|to| {
                let city = self.city_at(*to).is_some_and(|(_, c)| c.owner == US);
                city || self.units.values().any(|u| u.owner == US && u.at == *to)
            });
            match victim {
                Some(at) if self.units.values().any(|u| u.owner == US && u.at == at) => {
                    self.fight(id, at);
                }
                Some(at) => {
                    let city = self.city_at(at).map(|(id, _)| id).expect("no unit, so a city");
                    self.take(city, seat);
                    self.step(id, at);
                }
                None => self.roam(id, from),
            }
        }
        let homes = self.cities.iter().filter(|(_, c)| c.owner == seat);
        let homes: Vec<Pos> = homes.map(|(_, c)| c.at).collect();
        if self.turn.is_multiple_of(5) {
            for at in homes {
                self.muster(seat, ARCHERS, at);
            }
        }
    }

    /// A step toward us when it was drawn so, onto free ground.
    fn roam(&mut self, id: UnitId, from: Pos) {
        let goal = self.units.values().find(|u| u.owner == US).map(|u| u.at);
        let to = if self.roll(3) > 0 { goal.and_then(|g| self.way(from, g)) } else { None };
        let Some(to) = to.or_else(|| self.any_way(from)) else { return };
        let taken = self.units.values().any(|u| u.at == to) || self.city_at(to).is_some();
        if !taken {
            self.step(id, to);
        }
    }
}
