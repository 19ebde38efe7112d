//! What numbers in a trace are called: gathered from the observations as they pass, because orders
//! and plans name units and cities by number alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use saga_core::action::{Action, Actor, Clause, ClauseKind, Item, Outcome, Part, Work};
use saga_core::game::Reply;
use saga_core::ids::{CityId, PlayerId, SpecialistId, UnitId};
use saga_core::observation::{Event, Observation};
use saga_core::rules::Rules;
use saga_core::trace::entry::{Decision, GameEntry};

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

    pub(super) fn unit(&self, id: UnitId) -> String {
        self.units.get(&id).cloned().unwrap_or_else(|| format!("unit {id}"))
    }

    pub(super) fn city(&self, id: CityId) -> String {
        self.cities.get(&id).cloned().unwrap_or_else(|| format!("city {id}"))
    }

    pub(super) fn player(&self, id: PlayerId) -> String {
        self.players.get(&id).cloned().unwrap_or_else(|| format!("player {id}"))
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

    fn action(&self, action: &Action) -> String {
        match action {
            Action::Move { dir, to } => format!("move {} to {to}", dir.word()),
            Action::Goto { to } => format!("go to {to}"),
            Action::FoundCity => "found a city".to_owned(),
            Action::JoinCity { city } => format!("join {}", self.city(*city)),
            Action::Fortify => "fortify".to_owned(),
            Action::Sentry => "sentry".to_owned(),
            Action::Explore => "explore".to_owned(),
            Action::AutoWork => "improve terrain by itself".to_owned(),
            Action::Work { work, extra } => {
                let extra = extra.and_then(|e| self.rules.as_ref()?.extra(e).map(|x| &x.name));
                match extra {
                    Some(name) => format!("{} ({name})", work_word(*work)),
                    None => work_word(*work).to_owned(),
                }
            }
            Action::Attack { at } => format!("attack {at}"),
            Action::Conquer { city, at } => format!("conquer {} at {at}", self.city(*city)),
            Action::Special { name, at, part, cost, .. } => {
                let price = cost.map_or(String::new(), |gold| format!(" for {gold} gold"));
                let part = match part {
                    None => String::new(),
                    Some(Part::Production) => " (production)".to_owned(),
                    Some(Part::Building(id)) => format!(" ({})", self.item(Item::Building(*id))),
                    Some(Part::Advance(id)) => format!(" ({})", self.advance(id.0)),
                };
                format!("{}{part} at {at}{price}", name.replace('_', " "))
            }
            Action::Board { transport } => format!("get on {}", self.unit(*transport)),
            Action::Leave => "get off the transport".to_owned(),
            Action::Produce { item } => format!("build {}", self.item(*item)),
            Action::Buy => "buy it".to_owned(),
            Action::Append { item } => format!("build {} afterwards", self.item(*item)),
            Action::ClearWorklist => "forget what was to be built afterwards".to_owned(),
            Action::Sell { building } => format!("sell {}", self.item(Item::Building(*building))),
            Action::TakeOffTile { at } => format!("make the citizen at {at} a specialist"),
            Action::PutOnTile { at } => format!("put a specialist to work at {at}"),
            Action::Retrain { from, to } => {
                format!("turn one of the {} into {}", self.specialist(*from), self.specialist(*to))
            }
            Action::Research { advance } => format!("research {}", self.advance(advance.0)),
            Action::ResearchGoal { advance } => format!("aim for {}", self.advance(advance.0)),
            Action::Revolution { government } => {
                let found = self.rules.as_ref().and_then(|r| r.government(*government));
                let name = found.map_or("another government", |g| g.name.as_str());
                format!("revolution toward {name}")
            }
            Action::Rates(r) => {
                format!("tax {} %, luxury {} %, science {} %", r.tax, r.luxury, r.science)
            }
            Action::Propose { to, clauses } => {
                format!("propose to {}: {}", self.player(*to), self.clauses(clauses))
            }
            Action::AcceptTreaty { .. } => "accept the treaty".to_owned(),
            Action::RejectTreaty { .. } => "reject the treaty".to_owned(),
            Action::CancelPact { .. } => "cancel the pact".to_owned(),
            Action::WithdrawVision { .. } => "stop sharing vision".to_owned(),
            Action::AssembleSpaceship => "assemble the spaceship".to_owned(),
            Action::LaunchSpaceship => "launch the spaceship".to_owned(),
            Action::Skip => "nothing".to_owned(),
        }
    }

    fn item(&self, item: Item) -> &str {
        let rules = self.rules.as_ref();
        match item {
            Item::Unit(id) => {
                rules.and_then(|r| r.unit_type(id)).map_or("a unit", |t| t.name.as_str())
            }
            Item::Building(id) => {
                rules.and_then(|r| r.building(id)).map_or("a building", |b| b.name.as_str())
            }
        }
    }

    fn specialist(&self, id: SpecialistId) -> &str {
        let found = self.rules.as_ref().and_then(|r| r.specialists.get(usize::from(id.0)));
        found.map_or("specialists", |s| s.name.as_str())
    }

    fn advance(&self, id: u16) -> String {
        let found = self.rules.as_ref().and_then(|r| r.advance(saga_core::ids::AdvanceId(id)));
        found.map_or_else(|| format!("advance {id}"), |a| a.name.clone())
    }

    fn clauses(&self, clauses: &[Clause]) -> String {
        let words: Vec<String> = clauses
            .iter()
            .map(|c| match c.kind {
                ClauseKind::CeaseFire => "cease-fire".to_owned(),
                ClauseKind::Peace => "peace".to_owned(),
                ClauseKind::Alliance => "alliance".to_owned(),
                kind => {
                    let giver = self.player(c.giver);
                    match kind {
                        ClauseKind::Advance => {
                            format!("{giver} gives {}", self.advance(c.value as u16))
                        }
                        ClauseKind::Gold => format!("{giver} gives {} gold", c.value),
                        ClauseKind::City => format!("{giver} gives {}", self.city(CityId(c.value))),
                        ClauseKind::SharedVision => format!("{giver} shares vision"),
                        ClauseKind::Embassy => format!("{giver} gives an embassy"),
                        _ => format!("{giver} gives a map"),
                    }
                }
            })
            .collect();
        words.join(" and ")
    }
}

const fn work_word(work: Work) -> &'static str {
    match work {
        Work::Irrigate => "irrigate",
        Work::Mine => "mine",
        Work::Road => "build a road",
        Work::Base => "build a base",
        Work::Transform => "transform the terrain",
        Work::CleanPollution => "clean pollution",
        Work::CleanFallout => "clean fallout",
        Work::Pillage => "pillage",
    }
}
