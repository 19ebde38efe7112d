//! A small deterministic game behind the game port, for tests of everything above it. It lives
//! outside the crates on purpose: no experiment can name it.

pub(crate) mod audit;
pub(crate) mod backbones;
mod controllers;
mod lawful;
mod observe;
mod orders;
pub(crate) mod outputs;
pub(crate) mod rules;
pub(crate) mod stage;
mod turns;
pub(crate) mod world;

use std::sync::Arc;

use saga_core::game::{FinalRecord, Game, Over, PlayerRecord, Reply, Request, ServerRecord};
use saga_core::stop::Stop;

use world::{US, World};

/// The toy game. Its world is made by [`Request::Begin`]: `map` and `names` come from the settings.
#[derive(Debug, Default)]
pub(crate) struct Toy {
    world: Option<World>,
    turns_max: u32,
    over: Option<Over>,
}

impl Game for Toy {
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop> {
        if let Request::Begin { game } = request {
            let set = |key: &str| {
                game.settings.iter().find(|(k, _)| k == key).map_or("", |(_, v)| v.as_str())
            };
            let map = match set("map") {
                "open door" => world::OPEN_DOOR,
                "last stand" => world::LAST_STAND,
                "comrades" => world::COMRADES,
                "pair" => world::PAIR,
                _ => world::ISLAND,
            };
            let mut world = World::read(map, game.game_seed, set("names") == "hostile");
            world.look();
            world.log_scores();
            let server = ServerRecord {
                version: "toy 1".to_owned(),
                capability: String::new(),
                binary_hash: String::new(),
                settings: game.settings.clone(),
            };
            let rules = Arc::new(world.rules.clone());
            let observation = Box::new(world.observation());
            (self.world, self.turns_max) = (Some(world), game.turns_max);
            return Ok(Reply::Begun { server, rules, observation });
        }
        let Some(world) = &mut self.world else {
            return Err(Stop::ServerLost(format!("{request:?} before begin")));
        };
        match request {
            Request::Begin { .. } => unreachable!("answered above"),
            Request::Orders { orders } => {
                let outcomes = orders.iter().map(|order| world.carry_out(order)).collect();
                world.look();
                Ok(Reply::Settled { outcomes, observation: Box::new(world.observation()) })
            }
            Request::EndTurn { turn } => {
                if *turn != world.turn {
                    return Err(Stop::ServerLost(format!("turn {turn}, but it is {}", world.turn)));
                }
                self.over = world.end_turn(self.turns_max);
                world.look();
                let observation = Box::new(world.observation());
                Ok(match self.over {
                    Some(how) => Reply::Over { how, observation },
                    None => Reply::TurnBegun { observation },
                })
            }
            Request::Finish => Ok(Reply::Finished { record: record(world, self.over) }),
        }
    }
}

fn record(world: &World, over: Option<Over>) -> FinalRecord {
    let players = world.scores.iter().map(|(seat, series)| PlayerRecord {
        seat: seat.0,
        name: world.rivals.get(seat).map_or("Toy Leader".to_owned(), |r| r.name.clone()),
        barbarian: None,
        series: [("score".to_owned(), series.clone())].into(),
    });
    let winners = if over == Some(Over::Victory) { vec![US.0] } else { Vec::new() };
    FinalRecord { players: players.collect(), winners, unjudged: 0 }
}

/// How a game goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The server is gone.
    Lost,
    /// Somebody pressed the key.
    Interrupted,
    /// It answers with a reply of another kind.
    OtherReply,
    /// It tells fewer outcomes than orders, or none where some were due.
    FewOutcomes,
    /// A turn is left out.
    SkippedTurn,
    /// The same turn begins again.
    SameTurn,
    /// It shows one point of score more than it logs.
    OtherScore,
}

/// A game that goes wrong at its n-th exchange, counted from 1.
pub(crate) struct Flawed<G> {
    pub(crate) inner: G,
    pub(crate) flaw: Flaw,
    pub(crate) at: usize,
    seen: usize,
}

impl<G: Game> Flawed<G> {
    pub(crate) fn new(inner: G, flaw: Flaw, at: usize) -> Self {
        Self { inner, flaw, at, seen: 0 }
    }
}

impl<G: Game> Game for Flawed<G> {
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop> {
        self.seen += 1;
        if self.seen < self.at {
            return self.inner.exchange(request);
        }
        match self.flaw {
            Flaw::Lost => Err(Stop::ServerLost("connection reset by \"peer\"\n".to_owned())),
            Flaw::Interrupted => Err(Stop::Interrupted),
            Flaw::OtherReply => Ok(match request {
                Request::Finish => self.inner.exchange(request).map(|_| Reply::Settled {
                    outcomes: Vec::new(),
                    observation: Box::new(World::read(world::ISLAND, 1, false).observation()),
                })?,
                _ => Reply::Finished { record: FinalRecord::default() },
            }),
            Flaw::FewOutcomes | Flaw::SkippedTurn | Flaw::SameTurn | Flaw::OtherScore => {
                let mut reply = self.inner.exchange(request)?;
                match (&mut reply, self.flaw) {
                    (Reply::Settled { outcomes, .. }, Flaw::FewOutcomes) => drop(outcomes.pop()),
                    (Reply::TurnBegun { observation }, Flaw::SkippedTurn) => observation.turn += 1,
                    (Reply::TurnBegun { observation }, Flaw::SameTurn) => observation.turn -= 1,
                    (Reply::TurnBegun { observation }, Flaw::OtherScore) => {
                        observation.me.score += 1;
                    }
                    _ => {}
                }
                Ok(reply)
            }
        }
    }
}
