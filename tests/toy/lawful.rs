//! What may be done in the toy world now, actor by actor: the menus an observation carries and the
//! check an order must pass when its turn comes are this one list.

use saga_core::action::{Action, Actor, Clause, ClauseKind, Item, Rates, Work};
use saga_core::ids::{AdvanceId, BuildingId, CityId, PlayerId, UnitId, UnitTypeId};
use saga_core::observation::Stance;
use saga_core::rules::{Genus, UTYF_SETTLERS};

use super::rules::{EXPLORER, HILLS, KING, MONARCHY, ROAD};
use super::world::{City, ENEMY, PIRATES, US, Unit, World};

/// Tax rates that the toy offers.
const RATES: [[u8; 3]; 5] = [[60, 0, 40], [40, 0, 60], [30, 30, 40], [30, 10, 60], [70, 0, 30]];

impl World {
    /// Everything this actor may do, `Skip` left out.
    pub(crate) fn lawful(&self, actor: Actor) -> Vec<Action> {
        match actor {
            Actor::Unit(id) => self.units.get(&id).map_or_else(Vec::new, |u| self.unit(id, u)),
            Actor::City(id) => self.cities.get(&id).map_or_else(Vec::new, |c| self.city(c)),
            Actor::Player => {
                let mut all = self.technology();
                all.extend(self.government());
                all
            }
            Actor::Toward(id) => self.toward(id),
        }
    }

    fn unit(&self, id: UnitId, u: &Unit) -> Vec<Action> {
        let mut all = Vec::new();
        if u.owner != US || u.moves == 0 {
            return all;
        }
        let kind = self.kind(u.kind);
        for (dir, to) in self.around(u.at) {
            let city = self.city_at(to).filter(|(_, c)| c.owner != US);
            let defended = self.strangers_at(to).next();
            match (defended, city) {
                (Some((_, other)), _) if self.at_war(other.owner) && kind.attack > 0 => {
                    all.push(Action::Attack { at: to });
                }
                (None, Some((city, c))) if self.at_war(c.owner) && kind.attack > 0 => {
                    all.push(Action::Conquer { city, at: to });
                }
                (None, None) => all.push(Action::Move { dir, to }),
                _ => {}
            }
        }
        let own_city = self.city_at(u.at).filter(|(_, c)| c.owner == US);
        let far = |c: &&City| c.owner == US && World::distance(c.at, u.at) > 1;
        if let Some(c) = self.cities.values().find(far) {
            all.push(Action::Goto { to: c.at });
        }
        if kind.pop_cost > 0 {
            match own_city {
                Some((city, _)) => all.push(Action::JoinCity { city }),
                None if self.may_found(u) => all.push(Action::FoundCity),
                None => {}
            }
        } else if kind.flags.contains(&UTYF_SETTLERS) {
            if !self.roads.contains(&u.at) {
                all.push(Action::Work { work: Work::Road, extra: Some(ROAD) });
            }
            all.push(Action::AutoWork);
        } else if kind.is_military() {
            all.push(Action::Fortify);
        }
        if u.kind == EXPLORER {
            all.push(Action::Explore);
            let target = i64::from(id.0);
            all.push(Action::Special {
                id: 40,
                name: "disband_unit".to_owned(),
                target,
                at: u.at,
                part: None,
                cost: None,
            });
        }
        all.push(Action::Sentry);
        all
    }

    fn may_found(&self, u: &Unit) -> bool {
        let least = self.rules.city_distance_min as u16;
        self.cities.values().all(|c| World::distance(c.at, u.at) >= least)
    }

    fn city(&self, c: &City) -> Vec<Action> {
        if c.owner != US {
            return Vec::new();
        }
        let mut items = Vec::new();
        for (i, kind) in self.rules.unit_types.iter().enumerate() {
            let known = kind.advance.is_none_or(|a| self.advances.contains(&a));
            if known && c.size > kind.pop_cost {
                items.push(Item::Unit(UnitTypeId(i as u16)));
            }
        }
        for (i, building) in self.rules.buildings.iter().enumerate() {
            let id = BuildingId(i as u16);
            let known = |value| self.advances.contains(&AdvanceId(value as u16));
            let mut owned = c.buildings.contains(&id);
            if building.genus == Genus::GreatWonder {
                owned = self.cities.values().any(|c| c.buildings.contains(&id));
            }
            if !owned && building.reqs.iter().all(|r| known(r.value)) {
                items.push(Item::Building(id));
            }
        }
        let others = items.into_iter().filter(|item| *item != c.production);
        let mut all: Vec<Action> = others.map(|item| Action::Produce { item }).collect();
        let price = self.price(c);
        if !c.did_buy && price > 0 && price <= self.gold {
            all.push(Action::Buy);
        }
        all
    }

    /// What finishing now costs in gold; 0 when there is nothing to buy.
    pub(crate) fn price(&self, c: &City) -> u32 {
        match c.production {
            Item::Building(id)
                if self.rules.buildings[usize::from(id.0)].genus == Genus::Special =>
            {
                0
            }
            item => 2 * self.cost(item).saturating_sub(c.shields),
        }
    }

    /// What an item costs in shields.
    pub(crate) fn cost(&self, item: Item) -> u32 {
        match item {
            Item::Unit(id) => self.kind(id).build_cost,
            Item::Building(id) => self.rules.buildings[usize::from(id.0)].build_cost,
        }
    }

    pub(crate) fn technology(&self) -> Vec<Action> {
        let mut all = Vec::new();
        for (i, advance) in self.rules.advances.iter().enumerate().skip(1) {
            let advance_id = AdvanceId(i as u16);
            if self.advances.contains(&advance_id) {
                continue;
            }
            let open = advance.requires.iter().all(|a| self.advances.contains(a));
            if open && self.research != Some(advance_id) {
                all.push(Action::Research { advance: advance_id });
            }
            if self.goal != Some(advance_id) {
                all.push(Action::ResearchGoal { advance: advance_id });
            }
        }
        all
    }

    pub(crate) fn government(&self) -> Vec<Action> {
        let mut all = Vec::new();
        if self.advances.contains(&MONARCHY) && self.government != KING && self.revolution.is_none()
        {
            all.push(Action::Revolution { government: KING });
        }
        for [tax, luxury, science] in RATES {
            let rates = Rates { tax, luxury, science };
            if rates != self.rates && tax.max(luxury).max(science) <= self.rate_max() {
                all.push(Action::Rates(rates));
            }
        }
        all
    }

    pub(crate) fn rate_max(&self) -> u8 {
        if self.government == KING { 70 } else { 60 }
    }

    pub(crate) fn toward(&self, with: PlayerId) -> Vec<Action> {
        let Some(rival) = self.rivals.get(&with) else { return Vec::new() };
        if !rival.met || with == PIRATES || !self.lives(with) {
            return Vec::new();
        }
        let clause = |kind| Clause { giver: US, kind, value: 0 };
        let pact = match rival.stance {
            Stance::War => Some(ClauseKind::CeaseFire),
            Stance::CeaseFire => Some(ClauseKind::Peace),
            _ => None,
        };
        let mut all = Vec::new();
        for kind in pact.into_iter().chain((!rival.embassy).then_some(ClauseKind::Embassy)) {
            all.push(Action::Propose { to: with, clauses: vec![clause(kind)] });
        }
        if rival.offer.is_some() {
            all.push(Action::AcceptTreaty { with });
            all.push(Action::RejectTreaty { with });
        }
        if rival.stance == Stance::CeaseFire && with == ENEMY {
            all.push(Action::CancelPact { with });
        }
        all
    }

    /// Whether the toy server says no to a lawful order, or nothing at all: real ones do both.
    pub(crate) fn quirk(&self, actor: Actor, action: &Action) -> Option<Quirk> {
        let at = match actor {
            Actor::Unit(id) => self.units.get(&id)?.at,
            Actor::City(id) => return self.city_quirk(id, action),
            _ => return None,
        };
        match action {
            Action::Work { .. } if self.terrain.get(&at) == Some(&HILLS) => {
                Some(Quirk::Refuses("Tile is too steep.".to_owned()))
            }
            Action::Sentry if self.city_at(at).is_some() => Some(Quirk::Ignores),
            _ => None,
        }
    }

    fn city_quirk(&self, id: CityId, action: &Action) -> Option<Quirk> {
        let early = self.cities.get(&id)?.founded == self.turn as i32;
        (early && *action == Action::Buy)
            .then(|| Quirk::Refuses("Can't buy in a city created this turn.".to_owned()))
    }
}

/// How a lawful order comes to nothing.
#[derive(Debug)]
pub(crate) enum Quirk {
    /// The server says no, in these words.
    Refuses(String),
    /// The server says nothing and does nothing.
    Ignores,
}
