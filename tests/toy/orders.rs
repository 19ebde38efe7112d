//! Carries out one order in the toy world, judged as the real port judges it: done, refused,
//! ignored or stale.

use saga_core::action::{Action, Actor, Clause, ClauseKind, Order, Outcome};
use saga_core::ids::{CityId, PlayerId, Pos, UnitId};
use saga_core::observation::{Activity, Stance};

use super::lawful::Quirk;
use super::rules::MOVE;
use super::world::{ENEMY, US, World};

impl World {
    /// One order.
    pub(crate) fn carry_out(&mut self, order: &Order) -> Outcome {
        if !self.lawful(order.actor).contains(&order.action) {
            return Outcome::Stale;
        }
        match self.quirk(order.actor, &order.action) {
            Some(Quirk::Refuses(words)) => return Outcome::Refused { words },
            Some(Quirk::Ignores) => return Outcome::Ignored,
            None => {}
        }
        match order.actor {
            Actor::Unit(id) => self.act(id, &order.action),
            Actor::City(id) => self.build(id, &order.action),
            Actor::Player => self.govern(&order.action),
            Actor::Toward(with) => self.treat(with, &order.action),
        }
    }

    fn act(&mut self, id: UnitId, action: &Action) -> Outcome {
        match action {
            Action::Move { to, .. } => self.step(id, *to),
            Action::Attack { at } => self.fight(id, *at),
            Action::Conquer { city, at } => {
                self.take(*city, US);
                self.step(id, *at);
            }
            Action::FoundCity | Action::JoinCity { .. } => {
                let unit = self.units.remove(&id).expect("checked to be lawful");
                match action {
                    Action::JoinCity { city } => self.city_mut(*city).size += 1,
                    _ => self.found(US, unit.at),
                }
            }
            Action::Special { .. } => drop(self.units.remove(&id)),
            _ => {
                let unit = self.units.get_mut(&id).expect("checked to be lawful");
                match action {
                    Action::Fortify => unit.activity = Activity::Fortifying,
                    Action::Sentry => unit.activity = Activity::Sentry,
                    Action::Explore => unit.activity = Activity::Explore,
                    Action::Work { .. } => unit.activity = Activity::Road,
                    Action::AutoWork => unit.auto = true,
                    Action::Goto { to } => unit.goto = Some(*to),
                    other => unreachable!("no unit is offered {other:?}"),
                }
            }
        }
        Outcome::Done
    }

    /// Moves a unit a tile on. Roads cost one fragment.
    pub(crate) fn step(&mut self, id: UnitId, to: Pos) {
        let by_road = self.roads.contains(&to);
        let Some(unit) = self.units.get_mut(&id) else { return };
        unit.at = to;
        unit.moves = unit.moves.saturating_sub(if by_road { 1 } else { MOVE });
        unit.activity = Activity::Idle;
        if unit.owner == US && self.huts.remove(&to) {
            self.gold += 15;
            self.tell("hut_gold", "You found 15 gold.".to_owned(), Some(to));
        }
    }

    /// One of the two dies; the stronger the likelier to live.
    pub(crate) fn fight(&mut self, attacker: UnitId, at: Pos) {
        let Some(a) = self.units.get(&attacker).cloned() else { return };
        let defends = |(_, u): &(&UnitId, &super::world::Unit)| u.at == at && u.owner != a.owner;
        let Some((defender, d)) = self.units.iter().find(defends).map(|(i, u)| (*i, u.clone()))
        else {
            return;
        };
        let attack = u64::from(self.kind(a.kind).attack * 2);
        let defense = u64::from(self.kind(d.kind).defense * 2 + 1);
        let won = self.roll(attack + defense) < attack;
        let (loser, winner) = if won { (defender, attacker) } else { (attacker, defender) };
        self.units.remove(&loser);
        if let Some(winner) = self.units.get_mut(&winner) {
            winner.hp = (winner.hp / 2).max(1);
            winner.moves = 0;
        }
        if a.owner == US || d.owner == US {
            let kind = if won == (a.owner == US) { "unit_win" } else { "unit_lose" };
            self.tell(kind, format!("A fight at {at} was decided."), Some(at));
        }
    }

    /// A city changes hands.
    pub(crate) fn take(&mut self, city: CityId, by: PlayerId) {
        let turn = self.turn as i32;
        let city = self.city_mut(city);
        (city.owner, city.founded, city.did_buy) = (by, turn, true);
        let (name, at) = (city.name.clone(), city.at);
        let kind = if by == US { "city_won" } else { "city_lost" };
        self.tell(kind, format!("{name} has fallen."), Some(at));
    }

    fn build(&mut self, id: CityId, action: &Action) -> Outcome {
        let price = self.price(&self.cities[&id]);
        let cost = self.cost(self.cities[&id].production);
        match action {
            Action::Produce { item } => self.city_mut(id).production = *item,
            Action::Buy => {
                self.gold -= price;
                let city = self.city_mut(id);
                (city.shields, city.did_buy) = (cost, true);
            }
            other => unreachable!("no city is offered {other:?}"),
        }
        Outcome::Done
    }

    fn govern(&mut self, action: &Action) -> Outcome {
        match action {
            Action::Research { advance } => self.research = Some(*advance),
            Action::ResearchGoal { advance } => self.goal = Some(*advance),
            Action::Revolution { government } => {
                self.revolution = Some((self.turn + 2, *government));
            }
            Action::Rates(rates) => self.rates = *rates,
            other => unreachable!("no player is offered {other:?}"),
        }
        Outcome::Done
    }

    fn treat(&mut self, with: PlayerId, action: &Action) -> Outcome {
        match action {
            Action::Propose { clauses, .. } => {
                if self.roll(2) == 0 {
                    return Outcome::Refused {
                        words: "No deal: we need time to think.".to_owned(),
                    };
                }
                for clause in clauses {
                    self.agree(with, *clause);
                }
            }
            Action::AcceptTreaty { .. } => {
                if let Some(clause) = self.rival_mut(with).offer.take() {
                    self.agree(with, clause);
                }
            }
            Action::RejectTreaty { .. } => self.rival_mut(with).offer = None,
            Action::CancelPact { .. } => self.rival_mut(with).stance = Stance::War,
            other => unreachable!("no rival is offered {other:?}"),
        }
        Outcome::Done
    }

    fn agree(&mut self, with: PlayerId, clause: Clause) {
        let rival = self.rival_mut(with);
        match clause.kind {
            ClauseKind::CeaseFire => rival.stance = Stance::CeaseFire,
            ClauseKind::Peace => rival.stance = Stance::Peace,
            ClauseKind::Embassy => rival.embassy = true,
            other => unreachable!("nobody offers {other:?}"),
        }
        let whom = if with == ENEMY { "the enemy" } else { "a neighbour" };
        self.tell("treaty", format!("A treaty with {whom} is signed."), None);
    }

    pub(crate) fn city_mut(&mut self, id: CityId) -> &mut super::world::City {
        self.cities.get_mut(&id).expect("checked to be lawful")
    }

    pub(crate) fn rival_mut(&mut self, id: PlayerId) -> &mut super::world::Rival {
        self.rivals.get_mut(&id).expect("every seat is a rival from the start")
    }
}
