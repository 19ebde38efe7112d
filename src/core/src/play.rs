//! The turn loop: one episode from its first request to its last line. Data flows one way, from
//! observation to plan to decisions to orders; the two ports are the only outside.

use crate::action::{Order, Outcome};
use crate::backbone::Backbone;
use crate::calls::Calls;
use crate::controllers::{Controllers, Moment};
use crate::game::{FinalRecord, Game, Over, Reply, Request};
use crate::logged::{self, Summary};
use crate::measures::{Measures, measure};
use crate::observation::Observation;
use crate::planner::{Planner, TurnView};
use crate::prompts::Prompts;
use crate::rules::Rules;
use crate::spec::EpisodeSpec;
use crate::stop::Stop;
use crate::tally::{self, Tally};
use crate::trace::entry::{Decision, End, EndReason, Entry, GameEntry, Header, TurnEntry};
use crate::trace::{FORMAT_VERSION, Output};

/// Plays one episode and returns its last line.
///
/// # Errors
/// A [`Stop`] that leaves no last line: a divergence, the end of a cut record, a template that
/// cannot be rendered, a trace that cannot be written. Every other stop ends the episode in an
/// [`End`] that names it.
pub fn play(
    spec: &EpisodeSpec,
    planner: &mut dyn Planner,
    game: &mut dyn Game,
    backbone: &dyn Backbone,
    prompts: &Prompts,
    output: &mut dyn Output,
) -> Result<End, Stop> {
    let mut calls = Calls::new(spec, backbone, output);
    calls.put(&Entry::Header(Box::new(header(spec))))?;
    let mut episode = Episode::new(game);
    let mut controllers = Controllers::new(spec, prompts);
    let over = episode.turns(spec, planner, &mut controllers, &mut calls);
    let (reason, detail, record) = match over {
        // A decided game stays decided when only its score log could not be fetched.
        Ok(over) => match episode.finish(&mut calls) {
            Ok(record) => (over.into(), String::new(), Some(record)),
            Err(stop) => {
                reason_of(&stop)?;
                (over.into(), format!("no final record: {stop}"), None)
            }
        },
        Err(stop) => (reason_of(&stop)?, stop.to_string(), None),
    };
    let usage = calls.total_usage();
    let log = record.as_ref().map_or_else(Summary::default, |record| episode.logged(record));
    let Summary { checked, missing, differs } = log;
    let Episode { turn, measures, orders, .. } = episode;
    let end =
        End { reason, detail, turn, measures, usage, orders, checked, missing, differs, record };
    calls.put(&Entry::End(Box::new(end.clone())))?;
    Ok(end)
}

struct Episode<'a> {
    game: &'a mut dyn Game,
    seat: u16,
    turn: u32,
    measures: Measures,
    /// Of each closed turn.
    measured: Vec<(u32, Measures)>,
    /// Of all closed turns.
    orders: Tally,
}

impl<'a> Episode<'a> {
    fn new(game: &'a mut dyn Game) -> Self {
        let (measures, measured, orders) = (Measures::default(), Vec::new(), Tally::new());
        Self { game, seat: 0, turn: 0, measures, measured, orders }
    }

    /// How what we measured stands to what the server logged of us.
    fn logged(&self, record: &FinalRecord) -> Summary {
        Summary::of(logged::compare(&self.measured, record, self.seat))
    }

    fn turns(
        &mut self,
        spec: &EpisodeSpec,
        planner: &mut dyn Planner,
        controllers: &mut Controllers<'_>,
        calls: &mut Calls<'_>,
    ) -> Result<Over, Stop> {
        let begin = Request::Begin { game: spec.identity.game.clone() };
        let Reply::Begun { rules, mut observation, .. } = self.exchange(begin, calls)? else {
            return Err(out_of_order("begin"));
        };
        self.seat = observation.seat.0;
        let mut last_turn = Vec::new();
        loop {
            self.turn = observation.turn;
            self.measures = measure(&observation, &rules);
            calls.at(self.turn, 0);
            let view = TurnView { observation: &observation, rules: &rules, last_turn: &last_turn };
            let plan = planner.plan(&view, calls)?;
            let measures = self.measures;
            controllers.begin_turn(&plan, &observation);
            let decisions = self.rounds(spec, controllers, &rules, &mut observation, calls)?;
            last_turn = orders_of(&decisions);
            let usage = calls.close_turn();
            self.measured.push((self.turn, measures));
            let orders = tally::tally(&decisions);
            tally::add(&mut self.orders, &orders);
            let turn = TurnEntry { turn: self.turn, measures, plan, decisions, orders, usage };
            calls.put(&Entry::Turn(Box::new(turn)))?;
            match self.exchange(Request::EndTurn { turn: self.turn }, calls)? {
                Reply::TurnBegun { observation: next }
                    if next.turn.checked_sub(1) == Some(self.turn) =>
                {
                    observation = next;
                }
                Reply::TurnBegun { observation: next } => {
                    let (ended, begun) = (self.turn, next.turn);
                    return Err(Stop::ServerLost(format!("turn {begun} began after turn {ended}")));
                }
                Reply::Over { how, .. } => return Ok(how),
                _ => return Err(out_of_order("end_turn")),
            }
        }
    }

    /// Asks and carries out until nobody has anything left to do, at most `rounds_max` times.
    fn rounds(
        &mut self,
        spec: &EpisodeSpec,
        controllers: &mut Controllers<'_>,
        rules: &Rules,
        observation: &mut Box<Observation>,
        calls: &mut Calls<'_>,
    ) -> Result<Vec<Decision>, Stop> {
        let mut all = Vec::new();
        for round in 1..=spec.identity.limits.rounds_max {
            calls.at(self.turn, round);
            if round == 1 {
                // Treaties are shared state: one counterpart after the other.
                for rival in controllers.rivals(observation) {
                    let moment = Moment { observation, rules, round };
                    let decided = controllers.negotiate(&moment, rival, calls)?;
                    self.carry_out(decided, controllers, rules, observation, calls, &mut all)?;
                }
            }
            let moment = Moment { observation, rules, round };
            let decided = controllers.decide(&moment, calls)?;
            if decided.is_empty() {
                break;
            }
            self.carry_out(decided, controllers, rules, observation, calls, &mut all)?;
        }
        Ok(all)
    }

    /// Sends the orders among `decided` and files every decision with its outcome.
    fn carry_out(
        &mut self,
        mut decided: Vec<Decision>,
        controllers: &mut Controllers<'_>,
        rules: &Rules,
        observation: &mut Box<Observation>,
        calls: &mut Calls<'_>,
        all: &mut Vec<Decision>,
    ) -> Result<(), Stop> {
        let orders: Vec<Order> =
            decided.iter().filter(|d| d.is_sent()).map(Decision::order).collect();
        if !orders.is_empty() {
            let asked = orders.len();
            let Reply::Settled { outcomes, observation: after } =
                self.exchange(Request::Orders { orders }, calls)?
            else {
                return Err(out_of_order("orders"));
            };
            if outcomes.len() != asked {
                let told = outcomes.len();
                return Err(Stop::ServerLost(format!("{asked} orders sent, {told} outcomes told")));
            }
            let sent = decided.iter_mut().filter(|d| d.is_sent());
            for (decision, outcome) in sent.zip(outcomes) {
                decision.outcome = Some(outcome);
            }
            *observation = after;
        }
        controllers.remember(&decided, rules);
        all.append(&mut decided);
        Ok(())
    }

    fn finish(&mut self, calls: &mut Calls<'_>) -> Result<FinalRecord, Stop> {
        match self.exchange(Request::Finish, calls)? {
            Reply::Finished { record } => Ok(record),
            _ => Err(out_of_order("finish")),
        }
    }

    /// One exchange, written down whatever comes of it.
    fn exchange(&mut self, request: Request, calls: &mut Calls<'_>) -> Result<Reply, Stop> {
        let answer = self.game.exchange(&request);
        let (reply, stop) = match answer {
            Ok(reply) => (Some(reply), None),
            Err(stop) => {
                reason_of(&stop)?;
                (None, Some(stop))
            }
        };
        let entry = Entry::Game(Box::new(GameEntry { request, reply, stop }));
        calls.put(&entry)?;
        let Entry::Game(entry) = entry else { unreachable!("built as a game entry above") };
        match (entry.reply, entry.stop) {
            (Some(reply), _) => Ok(reply),
            (None, stop) => Err(stop.expect("one of the two is there")),
        }
    }
}

fn header(spec: &EpisodeSpec) -> Header {
    Header {
        format: "saga".to_owned(),
        version: FORMAT_VERSION.to_owned(),
        written_by: env!("CARGO_PKG_VERSION").to_owned(),
        identity_hash: spec.identity.hash(),
        spec: spec.clone(),
    }
}

fn orders_of(decisions: &[Decision]) -> Vec<(Order, Outcome)> {
    decisions.iter().filter_map(|d| d.outcome.clone().map(|o| (d.order(), o))).collect()
}

fn out_of_order(request: &str) -> Stop {
    Stop::ServerLost(format!("the game answered {request:?} with a reply of another kind"))
}

/// The reason under which a stop is written down.
///
/// # Errors
/// The stop itself when nothing more may be written.
fn reason_of(stop: &Stop) -> Result<EndReason, Stop> {
    match stop {
        Stop::Refused(_) => Ok(EndReason::Refused),
        Stop::ServerLost(_) => Ok(EndReason::ServerLost),
        Stop::BackboneLost { .. } => Ok(EndReason::BackboneLost),
        Stop::Budget(_) => Ok(EndReason::Budget),
        Stop::Interrupted => Ok(EndReason::Interrupted),
        Stop::Diverged(_)
        | Stop::RecordEnds { .. }
        | Stop::Template { .. }
        | Stop::Unwritable { .. } => Err(stop.clone()),
    }
}
