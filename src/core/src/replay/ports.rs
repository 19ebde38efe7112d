//! The two ports with a record behind them.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Record, diverged};
use crate::backbone::{Backbone, CallId, Completion, Fault, Prompt};
use crate::game::{Game, Reply, Request};
use crate::stop::Stop;
use crate::trace::Kind;
use crate::trace::entry::CallReply;

/// The game, answered by a record in the recorded order.
#[derive(Debug)]
pub struct ReplayGame<'r> {
    record: &'r Record,
    next: usize,
}

impl<'r> ReplayGame<'r> {
    /// Begins at the first exchange.
    pub fn new(record: &'r Record) -> Self {
        Self { record, next: 0 }
    }

    /// How many exchanges were answered.
    pub fn answered(&self) -> usize {
        self.next
    }
}

impl Game for ReplayGame<'_> {
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop> {
        #[derive(Deserialize)]
        struct Exchange<'a> {
            #[serde(borrow)]
            request: &'a RawValue,
            #[serde(default)]
            reply: Option<Reply>,
            #[serde(default)]
            stop: Option<Stop>,
        }
        let record = self.record;
        let today = json(request);
        let place = || format!("game {}", word(request));
        let Some(&index) = record.games.get(self.next) else {
            let turn = record.turn_at(usize::MAX);
            if record.is_complete() {
                return Err(diverged(turn, place(), "(no further exchange)", &today));
            }
            return Err(Stop::RecordEnds { turn });
        };
        let turn = record.turn_at(index);
        let line = record.trace.text().line(index).unwrap_or_default();
        let exchange: Exchange = serde_json::from_str(Kind::Game.content(line))
            .map_err(|e| unreadable(turn, place(), line, &e))?;
        let recorded = exchange.request.get();
        if !record.is_same::<Request>(recorded, &today) {
            return Err(diverged(turn, place(), recorded, &today));
        }
        self.next += 1;
        match (exchange.reply, exchange.stop) {
            (Some(reply), None) => Ok(reply),
            (None, Some(stop)) => Err(stop),
            _ => Err(unreadable(turn, place(), line, &"not one of reply and stop")),
        }
    }
}

/// The backbones, answered by a record by the place of the call.
#[derive(Debug)]
pub struct ReplayBackbone<'r> {
    record: &'r Record,
}

impl<'r> ReplayBackbone<'r> {
    /// Answers from a record.
    pub fn new(record: &'r Record) -> Self {
        Self { record }
    }
}

impl Backbone for ReplayBackbone<'_> {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Result<Result<Completion, Fault>, Stop> {
        #[derive(Deserialize)]
        struct Call<'a> {
            #[serde(borrow)]
            prompt: &'a RawValue,
            reply: CallReply,
        }
        let record = self.record;
        let today = json(prompt);
        let place = || format!("call {id}");
        let Some(&index) = record.calls.get(id) else {
            if record.is_complete() || id.turn <= record.turns_closed() {
                return Err(diverged(id.turn, place(), "(no such call)", &today));
            }
            return Err(Stop::RecordEnds { turn: id.turn });
        };
        let line = record.trace.text().line(index).unwrap_or_default();
        let call: Call = serde_json::from_str(Kind::Call.content(line))
            .map_err(|e| unreadable(id.turn, place(), line, &e))?;
        let recorded = call.prompt.get();
        if !record.is_same::<Prompt>(recorded, &today) {
            return Err(diverged(id.turn, place(), recorded, &today));
        }
        match call.reply {
            CallReply::Completion(completion) => Ok(Ok(completion)),
            CallReply::Fault(fault) => Ok(Err(fault)),
            CallReply::Stop(stop) => Err(stop),
        }
    }

    fn has_record_of(&self, id: &CallId) -> bool {
        self.record.calls.contains_key(id)
    }
}

/// The request's kind in one word.
pub(super) const fn word(request: &Request) -> &'static str {
    match request {
        Request::Begin { .. } => "begin",
        Request::Orders { .. } => "orders",
        Request::EndTurn { .. } => "end_turn",
        Request::Finish => "finish",
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("requests and prompts are plain data")
}

fn unreadable(turn: u32, place: String, line: &str, detail: &dyn std::fmt::Display) -> Stop {
    diverged(turn, place, line, &format!("(the recorded line cannot be read: {detail})"))
}
