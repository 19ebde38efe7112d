//! What numbers in a trace are called: gathered from the observations as they pass, because orders
//! and plans name units and cities by number alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use saga_core::action::{Action, Actor, Outcome};
use saga_core::game::Reply;
use saga_core::ids::{CityId, PlayerId, UnitId};
use saga_core::observation::{Event, Observation};
use saga_core::rules::Rules;
use saga_core::text;
use saga_core::trace::entry::{Decision, GameEntry};
use saga_core::words::{Naming, Numbers, short};

/// Names by number, as last seen.
#[derive(Default)]
pub(super) struct Names {
    rules: Option<Arc<Rules>>,
    units: BTreeMap<UnitId, String>,
    cities: BTreeMap<CityId, String>,
    players: BTreeMap<PlayerId, String>,
}

impl Names {
    /// Takes what an exchange shows; returns the events it told.
    pub(super) fn learn<'g>(&mut self, game: &'g GameEntry) -> &'g [Event] {
        let observation = match &game.reply {
            Some(Reply::Begun { rules, observation, .. }) => {
                self.rules = Some(Arc::clone(rules));
                observation
            }
            Some(
                Reply::Settled { observation, .. }
                | Reply::TurnBegun { observation }
                | Reply::Over { observation, .. },
            ) => observation,
            Some(Reply::Finished { .. }) | None => return &[],
        };
        self.see(observation);
        &observation.events
    }

    fn see(&mut self, o: &Observation) {
        for u in &o.units {
            let kind = self.rules.as_ref().and_then(|r| r.unit_type(u.kind));
            let kind = kind.map_or("unit", |k| k.name.as_str());
            self.units.insert(u.id, format!("{kind} {} at {}", u.id, u.at));
        }
        for c in &o.cities {
            self.cities.insert(c.id, c.name.clone());
        }
        for c in &o.foreign_cities {
            self.cities.insert(c.id, c.name.clone());
        }
        self.players.insert(o.seat, o.me.name.clone());
        for p in &o.players {
            self.players.insert(p.id, p.name.clone());
        }
    }

    /// The units, each with where it was last seen.
    pub(super) fn units(&self) -> &BTreeMap<UnitId, String> {
        &self.units
    }

    pub(super) fn actor(&self, actor: Actor) -> String {
        match actor {
            Actor::Unit(id) => self.unit(id),
            Actor::City(id) => self.city(id),
            Actor::Player => "we".to_owned(),
            Actor::Toward(id) => format!("toward {}", self.player(id)),
        }
    }

    /// What `who` decided, and how it went.
    pub(super) fn decision(&self, who: &str, d: &Decision) -> String {
        let what = match &d.no_op {
            Some(fault) => format!("no-op after {} attempts: {fault}", d.attempts),
            None => self.action(&d.action),
        };
        let again = if d.no_op.is_none() && d.attempts > 1 {
            format!(" (attempt {})", d.attempts)
        } else {
            String::new()
        };
        let how = match &d.outcome {
            None => String::new(),
            Some(Outcome::Done) => " — done".to_owned(),
            Some(Outcome::Refused { words }) => format!(" — REFUSED: {words}"),
            Some(Outcome::Ignored) => " — IGNORED".to_owned(),
            Some(Outcome::Stale) => " — STALE, not sent".to_owned(),
        };
        format!("{who}: {what}{again}{how}")
    }

    /// The words of the prompts, and what is worked on.
    fn action(&self, action: &Action) -> String {
        let Some(rules) = &self.rules else { return action.kind().to_owned() };
        let words = short(action, rules, self);
        match action {
            Action::Work { extra: Some(extra), .. } => {
                format!("{words} ({})", text::extra(rules, *extra))
            }
            _ => words,
        }
    }
}

impl Naming for Names {
    fn unit(&self, id: UnitId) -> String {
        self.units.get(&id).cloned().unwrap_or_else(|| Numbers.unit(id))
    }

    fn city(&self, id: CityId) -> String {
        self.cities.get(&id).cloned().unwrap_or_else(|| Numbers.city(id))
    }

    fn player(&self, id: PlayerId) -> String {
        self.players.get(&id).cloned().unwrap_or_else(|| Numbers.player(id))
    }
}
