//! `mastaba`: a rule-based national sketch with a war state, one advisor call, a plan. After the
//! CivRealm agent of that name. Kept: the sketch, the order of the war-state rules and their
//! thresholds. Adapted: the advisor fills the shared plan instead of broadcasting a
//! sentence, workers are the shared controllers, and foreign cities under fog are left out.

use std::collections::BTreeMap;

use saga_core::backbone::Message;
use saga_core::calls::Calls;
use saga_core::observation::{Observation, Stance};
use saga_core::plan::{Dropped, Plan};
use saga_core::plan_form::ask_plan;
use saga_core::planner::{Planner, TurnView};
use saga_core::prompts::Prompts;
use saga_core::rules::{Rules, UnitType};
use saga_core::stop::Stop;
use saga_core::text;
use serde::Serialize;
use serde_json::json;

/// The planner with what it keeps from turn to turn: its last advice.
pub struct Mastaba<'a> {
    prompts: &'a Prompts,
    turns_max: u32,
    sketch_only: bool,
    last: Plan,
}

impl<'a> Mastaba<'a> {
    /// `sketch_only` leaves out the full state: closer to the original, outside the shared protocol
    /// under which every baseline sees the full state.
    pub fn new(prompts: &'a Prompts, turns_max: u32, sketch_only: bool) -> Self {
        Self { prompts, turns_max, sketch_only, last: Plan::default() }
    }
}

impl Planner for Mastaba<'_> {
    fn plan(&mut self, view: &TurnView<'_>, calls: &mut Calls<'_>) -> Result<Plan, Stop> {
        let sketch = Sketch::draw(view.observation, view.rules);
        calls.note("sketch", json!(sketch))?;
        let system = System {
            turns_max: self.turns_max,
            full_state: !self.sketch_only,
            form: self.prompts.render("plan/form", ())?,
        };
        let state = if self.sketch_only {
            String::new()
        } else {
            text::state(view.observation, view.rules)
        };
        let user = User {
            state,
            turn: view.observation.turn,
            sketch: &sketch,
            own_military: listed(&sketch.own_military),
            own_working: listed(&sketch.own_working),
            enemy_units: listed(&sketch.enemy_units),
            war_state: sketch.war_state.words(),
            suggestion: advice(&self.last),
        };
        let messages = vec![
            Message::system(self.prompts.render("mastaba/system", system)?),
            Message::user(self.prompts.render("mastaba/user", user)?),
        ];
        match ask_plan("planner", messages, view, calls, self.prompts)? {
            Some(plan) => self.last = plan,
            // What was dropped when it was read was told in the turn it was read.
            None => self.last.dropped = Dropped::default(),
        }
        Ok(self.last.clone())
    }
}

/// Variables of `mastaba/system`.
#[derive(Serialize)]
struct System {
    turns_max: u32,
    full_state: bool,
    form: String,
}

/// Variables of `mastaba/user`; the counts come from the sketch.
#[derive(Serialize)]
struct User<'a> {
    state: String,
    turn: u32,
    #[serde(flatten)]
    sketch: &'a Sketch,
    own_military: String,
    own_working: String,
    enemy_units: String,
    war_state: &'static str,
    suggestion: String,
}

/// The nation at a glance. Enemy: an owner with whom we are at war, barbarians included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Sketch {
    own_military: BTreeMap<String, u32>,
    own_working: BTreeMap<String, u32>,
    enemy_units: BTreeMap<String, u32>,
    own_cities: u32,
    own_citizens: u32,
    enemy_cities: u32,
    other_cities: u32,
    war_state: WarState,
}

/// How the nation stands, by the original's rules in the original's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum WarState {
    UnderAttack,
    Attacking,
    Peace,
    RoughlySafe,
}

impl WarState {
    /// `enemies` and `military` count military units; compare without division: the original's
    /// `enemies > military / 5`.
    const fn judge(enemies: u32, enemy_cities: u32, military: u32) -> Self {
        if enemies * 5 > military && enemy_cities < enemies {
            Self::UnderAttack
        } else if enemy_cities >= 3 && enemies < military {
            Self::Attacking
        } else if enemies == 0 && enemy_cities < 4 {
            Self::Peace
        } else {
            Self::RoughlySafe
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::UnderAttack => "under attack",
            Self::Attacking => "attacking",
            Self::Peace => "peace",
            Self::RoughlySafe => "roughly safe",
        }
    }
}

impl Sketch {
    fn draw(o: &Observation, rules: &Rules) -> Self {
        let at_war = |id| {
            let hostile = |s, barbarian: bool| s == Stance::War || barbarian;
            o.players.iter().any(|p| p.id == id && hostile(p.stance, p.barbarian.is_some()))
        };
        let military = |k| rules.unit_type(k).is_some_and(UnitType::is_military);
        let count = |kinds: &mut dyn Iterator<Item = saga_core::ids::UnitTypeId>| {
            let mut counts = BTreeMap::new();
            for k in kinds {
                *counts.entry(text::unit_name(rules, k).to_owned()).or_insert(0) += 1;
            }
            counts
        };
        let own = |soldiers: bool| {
            count(&mut o.units.iter().map(|u| u.kind).filter(|k| military(*k) == soldiers))
        };
        let enemies = o.foreign_units.iter().filter(|f| at_war(f.owner) && military(f.kind));
        let enemy_units = count(&mut enemies.map(|f| f.kind));
        let seen = |at| text::tile_at(&o.map, at).is_some_and(|t| t.seen);
        let foreign = o.foreign_cities.iter().filter(|c| seen(c.at));
        let (enemy, other): (Vec<_>, Vec<_>) = foreign.partition(|c| at_war(c.owner));
        let own_military = own(true);
        let sum = |m: &BTreeMap<String, u32>| m.values().sum::<u32>();
        let war_state = WarState::judge(sum(&enemy_units), enemy.len() as u32, sum(&own_military));
        Self {
            own_working: own(false),
            own_cities: o.cities.len() as u32,
            own_citizens: o.cities.iter().map(|c| c.size).sum(),
            enemy_cities: enemy.len() as u32,
            other_cities: other.len() as u32,
            own_military,
            enemy_units,
            war_state,
        }
    }
}

fn listed(counts: &BTreeMap<String, u32>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    let words: Vec<String> = counts.iter().map(|(name, n)| format!("{n} {name}")).collect();
    words.join(", ")
}

/// Last turn's advice in one line: the nation-wide sentences, which keep their meaning.
fn advice(plan: &Plan) -> String {
    let sentences = [&plan.government, &plan.technology, &plan.diplomacy];
    let words: Vec<&str> = sentences.into_iter().flatten().map(|d| d.text.as_str()).collect();
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::WarState;

    #[test]
    fn war_state_follows_the_original_rules_in_their_order() {
        let check = |enemies, cities, military, expected| {
            let state = WarState::judge(enemies, cities, military);
            assert_eq!(state, expected, "{enemies} enemies, {cities} cities, {military} own");
        };
        check(1, 0, 0, WarState::UnderAttack);
        check(3, 2, 10, WarState::UnderAttack);
        check(2, 1, 10, WarState::RoughlySafe);
        check(3, 3, 10, WarState::Attacking);
        check(0, 3, 1, WarState::Attacking);
        check(0, 3, 0, WarState::Peace);
        check(0, 0, 0, WarState::Peace);
        check(0, 4, 0, WarState::RoughlySafe);
    }
}
