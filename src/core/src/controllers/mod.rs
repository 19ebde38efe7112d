//! The six controllers: slice + directive + brief + recent actions → a numbered menu of lawful
//! actions → one action (SAGA, eq. 5). Every planner is served by these same ones.

mod answer;
mod ask;
mod attention;
mod label;
mod site;
mod slice;
mod targets;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::action::{Action, Actor, Outcome};
use crate::calls::Calls;
use crate::ids::PlayerId;
use crate::observation::Observation;
use crate::plan::{Directive, Plan};
use crate::prompts::Prompts;
use crate::rules::Rules;
use crate::spec::EpisodeSpec;
use crate::stop::Stop;
use crate::trace::entry::{Decision, Domain};

/// What the controllers look at.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) observation: &'a Observation,
    pub(crate) rules: &'a Rules,
    pub(crate) round: u32,
}

/// One entity's menu before it is asked.
pub(crate) struct Menu {
    pub(crate) domain: Domain,
    pub(crate) actor: Actor,
    pub(crate) options: Vec<Action>,
}

/// The controllers of one episode with what they remember.
pub(crate) struct Controllers<'a> {
    spec: &'a EpisodeSpec,
    prompts: &'a Prompts,
    /// This turn's directives, standing ones included.
    directives: BTreeMap<(Domain, Actor), Directive>,
    /// Directives kept until replaced.
    standing: BTreeMap<Domain, Directive>,
    /// The directive each one acted on last.
    heeded: BTreeMap<(Domain, Actor), String>,
    history: BTreeMap<(Domain, Actor), VecDeque<String>>,
    /// Who acted in the round before, or found that the world had moved on.
    acted: Vec<Actor>,
    /// Who was asked in this turn.
    asked: BTreeSet<Actor>,
}

impl<'a> Controllers<'a> {
    pub(crate) fn new(spec: &'a EpisodeSpec, prompts: &'a Prompts) -> Self {
        Self {
            spec,
            prompts,
            directives: BTreeMap::new(),
            standing: BTreeMap::new(),
            heeded: BTreeMap::new(),
            history: BTreeMap::new(),
            acted: Vec::new(),
            asked: BTreeSet::new(),
        }
    }

    /// Takes a turn's plan.
    pub(crate) fn begin_turn(&mut self, plan: &Plan, observation: &Observation) {
        for (domain, directive) in
            [(Domain::Technology, &plan.technology), (Domain::Diplomacy, &plan.diplomacy)]
        {
            if let Some(directive) = directive {
                self.standing.insert(domain, directive.clone());
            }
        }
        self.directives = directives_of(plan, &self.standing, observation);
        self.acted.clear();
        self.asked.clear();
        let alive = |actor: &Actor| match actor {
            Actor::Unit(id) => observation.units.iter().any(|u| u.id == *id),
            Actor::City(id) => observation.cities.iter().any(|c| c.id == *id),
            Actor::Player | Actor::Toward(_) => true,
        };
        self.history.retain(|(_, actor), _| alive(actor));
        self.heeded.retain(|(_, actor), _| alive(actor));
    }

    /// Other players that want a word this turn, in seat order.
    pub(crate) fn rivals(&self, observation: &Observation) -> Vec<PlayerId> {
        let due = |p: &PlayerId| self.wants_diplomacy(observation, *p);
        observation.players.iter().map(|p| p.id).filter(due).collect()
    }

    /// Decides toward one other player.
    pub(crate) fn negotiate(
        &mut self,
        moment: &Moment<'_>,
        rival: PlayerId,
        calls: &mut Calls<'_>,
    ) -> Result<Vec<Decision>, Stop> {
        let menu = attention::rival_menu(moment.observation, rival);
        self.ask(moment, menu.into_iter().collect(), calls)
    }

    /// Decides for everybody else who needs a decision this round, side by side.
    pub(crate) fn decide(
        &mut self,
        moment: &Moment<'_>,
        calls: &mut Calls<'_>,
    ) -> Result<Vec<Decision>, Stop> {
        let menus = self.menus(moment);
        self.ask(moment, menus, calls)
    }

    /// Files what was done, for the next prompts and the next round.
    pub(crate) fn remember(&mut self, decided: &[Decision], rules: &Rules) {
        let history_max = self.spec.identity.limits.history_max as usize;
        for d in decided {
            let key = (d.domain, d.actor);
            if let Some(directive) = self.directives.get(&key) {
                self.heeded.insert(key, directive.text.clone());
            }
            let recent = self.history.entry(key).or_default();
            recent.push_back(told(d, rules));
            while recent.len() > history_max {
                recent.pop_front();
            }
        }
        self.asked.extend(decided.iter().map(|d| d.actor));
        self.acted = decided
            .iter()
            .filter(|d| matches!(d.outcome, Some(Outcome::Done | Outcome::Stale)))
            .map(|d| d.actor)
            .collect();
    }

    fn directive(&self, domain: Domain, actor: Actor) -> Option<&Directive> {
        self.directives.get(&(domain, actor))
    }

    /// Whether a directive names this one and it is not the one it already acted on.
    fn newly_directed(&self, domain: Domain, actor: Actor) -> bool {
        self.directive(domain, actor)
            .is_some_and(|d| self.heeded.get(&(domain, actor)) != Some(&d.text))
    }
}

/// Spreads a plan over domains and actors.
fn directives_of(
    plan: &Plan,
    standing: &BTreeMap<Domain, Directive>,
    observation: &Observation,
) -> BTreeMap<(Domain, Actor), Directive> {
    let mut spread = BTreeMap::new();
    for (id, d) in &plan.production {
        spread.insert((Domain::City, Actor::City(*id)), d.clone());
    }
    for (id, d) in &plan.civilian {
        spread.insert((Domain::Civilian, Actor::Unit(*id)), d.clone());
    }
    for (id, d) in plan.military.iter().chain(&plan.garrison) {
        spread.insert((Domain::Military, Actor::Unit(*id)), d.clone());
    }
    if let Some(d) = &plan.government {
        spread.insert((Domain::Government, Actor::Player), d.clone());
    }
    if let Some(d) = standing.get(&Domain::Technology) {
        spread.insert((Domain::Technology, Actor::Player), d.clone());
    }
    for p in &observation.players {
        if let Some(d) = plan.toward.get(&p.id).or_else(|| standing.get(&Domain::Diplomacy)) {
            spread.insert((Domain::Diplomacy, Actor::Toward(p.id)), d.clone());
        }
    }
    spread
}

/// One decision in a few words, for the history lines of a prompt.
fn told(d: &Decision, rules: &Rules) -> String {
    let what = label::short(&d.action, rules);
    match (&d.outcome, &d.no_op) {
        (_, Some(_)) => "no answer in time".to_owned(),
        (Some(Outcome::Refused { words }), _) => format!("{what} (refused: {words})"),
        (Some(Outcome::Ignored), _) => format!("{what} (had no effect)"),
        (Some(Outcome::Stale), _) => format!("{what} (no longer possible)"),
        (Some(Outcome::Done) | None, _) => what,
    }
}
