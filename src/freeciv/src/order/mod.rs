//! Carries out one order: re-checks that it is still lawful, says what to send, and judges from
//! what came back how it went. The driver only sends, waits for the barrier, folds, and asks again.

mod judge;
mod propose;
mod send;

use saga_core::action::{Action, Actor, Order, Outcome};
use saga_core::ids::UnitId;

use crate::menu::Board;
use crate::value::Value;
use crate::world::World;
use judge::Before;
use propose::Talk;

/// A packet to be sent, by the names of the protocol table.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Name of the packet.
    pub packet: &'static str,
    /// Fields by name; those left out are zero or empty.
    pub fields: Vec<(&'static str, Value)>,
}

/// What comes next in carrying out an order.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Send these, wait until all are processed, fold what came, and ask for the next step.
    Send(Vec<Request>),
    /// It is over.
    Finished(Outcome),
}

/// One order on its way.
#[derive(Debug)]
pub struct OrderScript {
    order: Order,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Still to be checked; whether the server was asked about it already.
    Check { asked: bool },
    /// Waiting for a city name.
    Naming,
    /// Sent; the state before.
    Sent(Before),
    /// In a meeting that we opened.
    Talking(Talk),
    /// Over.
    Over(Outcome),
}

impl World {
    /// What must be asked so that the menus of all our units are complete: send all, wait until
    /// they are processed, and fold the answers. Empty when everything is known.
    pub fn questions(&self) -> Vec<Request> {
        let Some(board) = Board::new(self) else { return Vec::new() };
        let own = self.units.values().filter(|u| self.is_ours(u.owner));
        own.flat_map(|unit| send::questions(unit.id, board.unanswered(unit))).collect()
    }

    /// Everything this actor may lawfully do now, `Skip` left out. Of units, as far as
    /// [`World::questions`] were answered.
    pub fn lawful(&self, actor: Actor) -> Vec<Action> {
        Board::new(self).map_or_else(Vec::new, |board| board.of(actor))
    }

    /// Begins to carry out an order. Nothing is checked yet.
    pub fn start(&self, order: &Order) -> OrderScript {
        OrderScript { order: order.clone(), stage: Stage::Check { asked: false } }
    }
}

impl OrderScript {
    /// The next step, given the world as it is after the last step's packets were folded.
    pub fn next(&mut self, world: &World) -> Step {
        let step = match &mut self.stage {
            Stage::Check { asked } => {
                let asked = *asked;
                self.check(world, asked)
            }
            Stage::Naming => self.found(world),
            Stage::Sent(before) => Step::Finished(before.judge(&self.order, world)),
            Stage::Talking(talk) => talk.next(world),
            Stage::Over(outcome) => Step::Finished(outcome.clone()),
        };
        if let Step::Finished(outcome) = &step {
            self.stage = Stage::Over(outcome.clone());
        }
        step
    }

    fn check(&mut self, world: &World, asked: bool) -> Step {
        if self.order.action == Action::Skip {
            return Step::Finished(Outcome::Done);
        }
        let Some(board) = Board::new(world) else { return Step::Finished(Outcome::Stale) };
        let questions = if asked { Vec::new() } else { self.open_questions(&board) };
        if !questions.is_empty() {
            self.stage = Stage::Check { asked: true };
            return Step::Send(questions);
        }
        if !board.allows(self.order.actor, &self.order.action) {
            return Step::Finished(Outcome::Stale);
        }
        match (&self.order.action, self.order.actor) {
            (Action::FoundCity, Actor::Unit(unit)) => {
                self.stage = Stage::Naming;
                Step::Send(vec![send::suggest_name(unit)])
            }
            (Action::Propose { to, clauses }, _) => {
                let mut talk = Talk::new(world, *to, clauses.clone());
                let step = talk.next(world);
                self.stage = Stage::Talking(talk);
                step
            }
            _ => self.send(world, send::requests(&self.order, &board)),
        }
    }

    /// What must be asked before this order can be checked.
    fn open_questions(&self, board: &Board<'_>) -> Vec<Request> {
        let Actor::Unit(id) = self.order.actor else { return Vec::new() };
        if !Board::depends_on_answers(&self.order.action) {
            return Vec::new();
        }
        let own = board.world.units.get(&id).filter(|u| board.world.is_ours(u.owner));
        own.map_or_else(Vec::new, |unit| send::questions(id, board.unanswered(unit)))
    }

    fn found(&mut self, world: &World) -> Step {
        let Actor::Unit(unit) = self.order.actor else { return Step::Finished(Outcome::Stale) };
        let Some(request) = found_city(world, unit) else { return Step::Finished(Outcome::Stale) };
        self.send(world, vec![request])
    }

    fn send(&mut self, world: &World, requests: Vec<Request>) -> Step {
        if requests.is_empty() {
            return Step::Finished(Outcome::Stale);
        }
        self.stage = Stage::Sent(Before::of(&self.order, world));
        Step::Send(requests)
    }
}

/// Founding, under the name the server suggested; a plain one should it have none left.
fn found_city(world: &World, unit: UnitId) -> Option<Request> {
    let tile = world.units.get(&unit)?.tile;
    let name = world.suggested_names.get(&unit).filter(|name| !name.is_empty());
    let name = name.cloned().unwrap_or_else(|| format!("City {unit}"));
    Some(send::act(unit, tile.into(), crate::menu::FOUND_CITY, &name))
}
