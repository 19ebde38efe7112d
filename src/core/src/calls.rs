//! The only gate from any strategy to a backbone: it routes by role, numbers calls by place, hands
//! every answer to the journal on arrival and to the trace in place order, and counts.

use std::collections::BTreeMap;

use crate::backbone::{
    AnswerShape, Backbone, CallId, Completion, Fault, FaultKind, Message, Prompt, Sampling,
};
use crate::spec::{EpisodeSpec, Identity};
use crate::stop::Stop;
use crate::trace::Output;
use crate::trace::entry::{CallEntry, CallReply, Entry, Note, RoleUsage};

/// What a strategy asks, before the gate adds backbone, sampling and number.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Who asks: `planner`, `advisor`, `controller:city` …
    pub role: String,
    /// For whom, as `unit:104`; empty when it is about the whole.
    pub entity: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The kind of answer wanted.
    pub answer: AnswerShape,
}

/// The gate of one episode.
pub struct Calls<'a> {
    identity: &'a Identity,
    budget_tokens: Option<u64>,
    backbone: &'a dyn Backbone,
    output: &'a mut dyn Output,
    turn: u32,
    round: u32,
    numbers: BTreeMap<(String, String), u32>,
    turn_usage: BTreeMap<String, RoleUsage>,
    total_usage: BTreeMap<String, RoleUsage>,
}

impl<'a> Calls<'a> {
    /// Opens the gate.
    pub fn new(
        spec: &'a EpisodeSpec,
        backbone: &'a dyn Backbone,
        output: &'a mut dyn Output,
    ) -> Self {
        Self {
            identity: &spec.identity,
            budget_tokens: spec.operation.budget_tokens,
            backbone,
            output,
            turn: 0,
            round: 0,
            numbers: BTreeMap::new(),
            turn_usage: BTreeMap::new(),
            total_usage: BTreeMap::new(),
        }
    }

    /// Moves the gate to a place in the game; counting of attempts starts anew.
    pub fn at(&mut self, turn: u32, round: u32) {
        (self.turn, self.round) = (turn, round);
        self.numbers.clear();
    }

    /// Asks one question.
    ///
    /// # Errors
    /// [`Stop`] on an outage, an exhausted budget, or a trace that cannot be written.
    pub fn ask(&mut self, question: Question) -> Result<Result<Completion, Fault>, Stop> {
        Ok(self.batch(vec![question])?.remove(0))
    }

    /// Asks several questions side by side; the only parallel form. Answers come in the order
    /// asked.
    ///
    /// # Errors
    /// As [`Calls::ask`]; of several outages the first in the order asked is told.
    pub fn batch(
        &mut self,
        questions: Vec<Question>,
    ) -> Result<Vec<Result<Completion, Fault>>, Stop> {
        self.check_budget()?;
        let calls: Vec<(CallId, Prompt)> =
            questions.into_iter().map(|q| self.address(q)).collect::<Result<_, _>>()?;
        let replies = self.run(&calls)?;
        let mut answers = Vec::with_capacity(calls.len());
        let mut stopped = None;
        for ((id, prompt), reply) in calls.into_iter().zip(replies) {
            let Some(reply) = reply else { continue };
            if let CallReply::Stop(stop @ (Stop::Diverged(_) | Stop::RecordEnds { .. })) = reply {
                // No part of the episode, so no line of its trace.
                return Err(stop);
            }
            self.count(&id, &reply);
            let entry = CallEntry { id, prompt, reply };
            let entry = Entry::Call(Box::new(entry));
            self.output.put(&entry)?;
            let Entry::Call(entry) = entry else { unreachable!("built as a call above") };
            match entry.reply {
                CallReply::Completion(c) => answers.push(Ok(c)),
                CallReply::Fault(f) => answers.push(Err(f)),
                CallReply::Stop(s) => stopped = stopped.or(Some(s)),
            }
        }
        stopped.map_or(Ok(answers), Err)
    }

    /// Writes a note into the trace.
    ///
    /// # Errors
    /// [`Stop`] when the trace cannot be written.
    pub fn note(&mut self, kind: &str, body: serde_json::Value) -> Result<(), Stop> {
        self.output.put(&Entry::Note(Note { turn: self.turn, kind: kind.to_owned(), body }))
    }

    /// Writes any other entry; for the turn loop.
    pub(crate) fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.output.put(entry)
    }

    /// Takes this turn's calls and tokens by role.
    pub(crate) fn close_turn(&mut self) -> BTreeMap<String, RoleUsage> {
        std::mem::take(&mut self.turn_usage)
    }

    /// Calls and tokens of the episode so far, by role.
    pub(crate) fn total_usage(&self) -> BTreeMap<String, RoleUsage> {
        self.total_usage.clone()
    }

    fn address(&mut self, question: Question) -> Result<(CallId, Prompt), Stop> {
        let Question { role, entity, messages, answer } = question;
        let number = self.numbers.entry((role.clone(), entity.clone())).or_insert(0);
        *number += 1;
        let id = CallId { turn: self.turn, round: self.round, role, entity, attempt: *number };
        let spec = self.identity.backbone(&id.role).ok_or_else(|| Stop::BackboneLost {
            call: id.clone(),
            detail: format!("no backbone is set for role {:?} and there is no default", id.role),
        })?;
        let sampling = Sampling {
            temperature: spec.temperature,
            tokens_max: spec.tokens_max,
            seed: self.seed(&id),
        };
        Ok((id, Prompt { backbone: spec.name.clone(), sampling, messages, answer }))
    }

    /// A number of 31 bits from the episode's seed and the call's place: endpoints take no more.
    fn seed(&self, id: &CallId) -> u64 {
        let text = format!("{}/{id}", self.identity.sampling_seed);
        let hash = blake3::hash(text.as_bytes());
        let mut low = [0; 4];
        low.copy_from_slice(&hash.as_bytes()[..4]);
        u64::from(u32::from_le_bytes(low) >> 1)
    }

    /// Replies by position. After a stop the calls that were not begun have none.
    fn run(&mut self, calls: &[(CallId, Prompt)]) -> Result<Vec<Option<CallReply>>, Stop> {
        let lanes = self.backbone.lanes().clamp(1, calls.len().max(1));
        let mut replies: Vec<Option<CallReply>> = calls.iter().map(|_| None).collect();
        if lanes > 1 {
            self.run_side_by_side(calls, lanes, &mut replies)?;
            return Ok(replies);
        }
        let mut stopped = false;
        for ((id, prompt), slot) in calls.iter().zip(&mut replies) {
            if stopped && !self.backbone.has_record_of(id) {
                continue;
            }
            let reply = reply_of(self.backbone.complete(id, prompt));
            stopped |= matches!(reply, CallReply::Stop(_));
            self.output.arrived(id, prompt, &reply)?;
            *slot = Some(reply);
        }
        Ok(replies)
    }

    /// Worker threads take calls in order; this thread journals each answer as it arrives.
    fn run_side_by_side(
        &mut self,
        calls: &[(CallId, Prompt)],
        lanes: usize,
        replies: &mut [Option<CallReply>],
    ) -> Result<(), Stop> {
        use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let backbone = self.backbone;
        let (sender, arrivals) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..lanes {
                let (sender, next, stopped) = (sender.clone(), &next, &stopped);
                scope.spawn(move || {
                    loop {
                        // Looked at before a call is taken: a call that was taken is asked, so
                        // that none before a stop is left out, which a replay would ask.
                        let halted = stopped.load(Ordering::SeqCst);
                        let i = next.fetch_add(1, Ordering::SeqCst);
                        let Some((id, prompt)) = calls.get(i) else { return };
                        if halted && !backbone.has_record_of(id) {
                            continue;
                        }
                        let reply = reply_of(backbone.complete(id, prompt));
                        if matches!(reply, CallReply::Stop(_)) {
                            stopped.store(true, Ordering::SeqCst);
                        }
                        if sender.send((i, reply)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut kept = Ok(());
            for (i, reply) in arrivals {
                let (id, prompt) = &calls[i];
                if kept.is_ok() {
                    kept = self.output.arrived(id, prompt, &reply);
                    if kept.is_err() {
                        // An answer that cannot be kept is the last one to pay for.
                        stopped.store(true, Ordering::SeqCst);
                    }
                }
                replies[i] = Some(reply);
            }
            kept
        })
    }

    fn count(&mut self, id: &CallId, reply: &CallReply) {
        let usage = reply.usage();
        let told = usage.input.is_some() && usage.output.is_some();
        let add = RoleUsage {
            calls: 1,
            reprompts: u64::from(id.role.starts_with("controller:") && id.attempt > 1),
            faults: u64::from(matches!(reply, CallReply::Fault(_))),
            input: usage.input.unwrap_or(0),
            cached: usage.cached.unwrap_or(0),
            output: usage.output.unwrap_or(0),
            reasoning: usage.reasoning.unwrap_or(0),
            unknown: u64::from(!told),
            estimated: u64::from(told && usage.estimated),
        };
        *self.turn_usage.entry(id.role.clone()).or_default() += add;
        *self.total_usage.entry(id.role.clone()).or_default() += add;
    }

    fn check_budget(&self) -> Result<(), Stop> {
        let tokens = |u: &RoleUsage| u.input.saturating_add(u.output);
        let used = self.total_usage.values().map(tokens).fold(0, u64::saturating_add);
        match self.budget_tokens {
            Some(budget) if used >= budget => {
                Err(Stop::Budget(format!("{used} tokens used of budget_tokens = {budget}")))
            }
            _ => Ok(()),
        }
    }
}

fn reply_of(answer: Result<Result<Completion, Fault>, Stop>) -> CallReply {
    match answer {
        Ok(Ok(completion)) => storable(completion),
        Ok(Err(fault)) => CallReply::Fault(fault),
        Err(stop) => CallReply::Stop(stop),
    }
}

/// Deepest nesting of the JSON a backbone hands over. Readers of a trace follow 128 levels, and an
/// answer stands some levels deep in its line.
const LEVELS_MAX: usize = 100;

/// What of a completion can be written down and read again: JSON knows no number that is none, a
/// null response reads as no response, and no reader follows every nesting.
fn storable(mut completion: Completion) -> CallReply {
    completion.probabilities.take_if(|p| p.iter().any(|x| !x.is_finite()));
    completion.response.take_if(|r| r.is_null());
    let arguments = completion.tool_calls.iter().map(|t| &t.arguments);
    if completion.response.iter().chain(arguments).all(|v| is_within(v, LEVELS_MAX)) {
        return CallReply::Completion(completion);
    }
    CallReply::Fault(Fault {
        kind: FaultKind::Malformed,
        detail: format!("the JSON of the response is nested deeper than {LEVELS_MAX} levels"),
        usage: completion.usage,
        model: completion.model,
    })
}

fn is_within(value: &serde_json::Value, levels: usize) -> bool {
    use serde_json::Value;
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|v| is_within(v, levels - 1)),
        Value::Object(map) => levels > 0 && map.values().all(|v| is_within(v, levels - 1)),
        _ => true,
    }
}
