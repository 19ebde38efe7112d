//! Backbones that misbehave. Each decides by the place of the call alone, so that two runs agree
//! whatever the order in which calls arrive.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use saga_core::backbone::{
    AnswerShape, Backbone, CallId, Completion, Fault, FaultKind, Prompt, ToolCall, Usage,
};
use saga_core::scripted::Scripted;
use saga_core::stop::Stop;
use serde_json::{Value, json};

type Answer = Result<Result<Completion, Fault>, Stop>;

/// A number drawn from a seed and a call's place.
fn drawn(seed: u64, id: &CallId) -> u64 {
    let hash = blake3::hash(format!("{seed}/{id}").as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
}

fn said(text: String) -> Completion {
    Completion {
        text,
        tool_calls: Vec::new(),
        usage: Usage { input: Some(100), output: Some(10), ..Usage::default() },
        model: "toy".to_owned(),
        probabilities: None,
        response: None,
    }
}

/// Talks much and seldom to the point.
pub(crate) struct Babbler(pub(crate) u64);

impl Backbone for Babbler {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Answer {
        let n = drawn(self.0, id);
        let texts: &[&str] = &[
            "",
            " \n\t ",
            "I would rather not say.",
            "either 1 or 2",
            "1 or 2",
            "3 2 1",
            "0",
            "-1",
            "2.5",
            "999999",
            "99999999999999999999999999",
            "null",
            "[1]",
            "\"1\"",
            "{\"choice\": [1]}",
            "{\"choice\": {\"number\": 1}}",
            "{\"production\": [1, 2]}",
            "{\"civilian\": {\"101\": 5}}",
            "{\"government\": 7}",
            "```json\n{\"choice\": \n```",
            "{\"technology\": \"\", \"diplomacy\": null, \"government\": \"  \"}",
            "\u{202e}①②③\u{0} ١",
        ];
        let text = match n % 8 {
            0 | 1 => return Scripted.complete(id, prompt),
            2 => "{".repeat(1 + n as usize % 3_000),
            3 => "{\"a\":".repeat(200) + "1" + &"}".repeat(200),
            4 => "blah { 1 } ".repeat(1 + n as usize % 2_000),
            _ => texts[(n / 8) as usize % texts.len()].to_owned(),
        };
        Ok(Ok(said(text)))
    }
}

/// Answers in form and out of bounds: ids of others, keys nobody asked for, one unit in two fields,
/// commands for a server, options that do not exist.
pub(crate) struct Cheat(pub(crate) u64);

impl Backbone for Cheat {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Answer {
        let n = drawn(self.0, id);
        let text = match &prompt.answer {
            AnswerShape::Choice { options } => match n % 5 {
                0 => (options.len() + 1).to_string(),
                1 => "/quit\n/set victories none".to_owned(),
                2 => "{\"action\": \"conquer everything\", \"unit\": 4}".to_owned(),
                3 => format!("{}.", options.len()),
                _ => return Scripted.complete(id, prompt),
            },
            AnswerShape::Json { schema } | AnswerShape::Tools { schema, .. } => {
                Self::plan(schema, n).to_string()
            }
            AnswerShape::Text => "/quit".to_owned(),
        };
        Ok(Ok(said(text)))
    }
}

impl Cheat {
    fn plan(schema: &Value, n: u64) -> Value {
        let ids = |field: &str| -> Vec<String> {
            let named = schema.pointer(&format!("/properties/{field}/properties"));
            let named = named.and_then(Value::as_object);
            named.map_or_else(Vec::new, |ids| ids.keys().cloned().collect())
        };
        let mut all = serde_json::Map::new();
        for id in ids("military").into_iter().chain(ids("civilian")).chain(ids("production")) {
            all.insert(id, Value::from("Archers"));
        }
        for stranger in ["4294967295", "-4", "1e3", "", "unit:106", "city:109"] {
            all.insert(stranger.to_owned(), Value::from("/quit {{ turn }} 1 or 2"));
        }
        let mut plan = json!({
            "civilian": all.clone(), "military": all.clone(), "garrison": all.clone(),
            "production": all, "government": "Options:\n1. surrender",
            "technology": {"text": "all"},
        });
        if n.is_multiple_of(3) {
            plan["server_command"] = Value::from("/quit");
        }
        plan
    }
}

/// Gives faults of every kind, and bills for them.
pub(crate) struct Faulty(pub(crate) u64);

impl Backbone for Faulty {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Answer {
        let kinds = [
            FaultKind::Malformed,
            FaultKind::Refusal,
            FaultKind::Length,
            FaultKind::Filter,
            FaultKind::Overflow,
        ];
        let n = drawn(self.0, id);
        let Some(kind) = kinds.get(n as usize % 7) else { return Scripted.complete(id, prompt) };
        let usage = match n % 2 {
            0 => {
                Usage { input: Some(1_000), output: Some(7), cached: Some(900), ..Usage::default() }
            }
            _ => Usage::default(),
        };
        let detail = format!("cannot help with \"{}\"\n{{{{ detail }}}}", id.entity);
        Ok(Err(Fault { kind: *kind, detail, usage, model: "toy".to_owned() }))
    }
}

/// Answers well, with everything else about its answers beyond the ordinary.
pub(crate) struct Odd(pub(crate) u64);

impl Backbone for Odd {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Answer {
        let mut answer = Scripted.complete(id, prompt)?;
        if let Ok(completion) = &mut answer {
            match drawn(self.0, id) % 6 {
                0 => completion.probabilities = Some(vec![f64::NAN, f64::INFINITY, 0.1]),
                1 => completion.usage = huge(),
                2 => completion.response = Some(nested(500)),
                3 => {
                    completion.response =
                        Some(json!({"x": -0.0, "y": 1e300, "z": 5e-324, "": [null]}));
                }
                4 => {
                    let arguments = nested(500);
                    completion.tool_calls = vec![ToolCall { name: String::new(), arguments }];
                }
                _ => completion.probabilities = Some(vec![0.1 + 0.2, 1.0 / 3.0, 5e-324, -0.0]),
            }
        }
        Ok(answer)
    }
}

fn huge() -> Usage {
    Usage {
        input: Some(u64::MAX),
        cached: Some(u64::MAX),
        output: Some(u64::MAX),
        reasoning: Some(u64::MAX),
        estimated: false,
    }
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(Value::from(1), |inner, _| Value::Array(vec![inner]))
}

/// Never gives an answer that can be used.
pub(crate) struct Mute;

impl Backbone for Mute {
    fn complete(&self, id: &CallId, _: &Prompt) -> Answer {
        let text = format!("attempt {} at nothing", "I".repeat(id.attempt as usize));
        Ok(Ok(said(text)))
    }
}

/// Stops at its n-th call by arrival, counted from 1.
pub(crate) struct Outage<'a> {
    pub(crate) inner: &'a dyn Backbone,
    pub(crate) at: usize,
    pub(crate) interrupted: bool,
    pub(crate) asked: AtomicUsize,
}

impl<'a> Outage<'a> {
    pub(crate) fn new(inner: &'a dyn Backbone, at: usize) -> Self {
        Self { inner, at, interrupted: false, asked: AtomicUsize::new(0) }
    }
}

impl Backbone for Outage<'_> {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Answer {
        let n = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        if n < self.at {
            return self.inner.complete(id, prompt);
        }
        if self.interrupted {
            return Err(Stop::Interrupted);
        }
        Err(Stop::BackboneLost { call: id.clone(), detail: format!("timeout\n\"call {n}\"") })
    }

    fn lanes(&self) -> usize {
        self.inner.lanes()
    }
}

/// Several calls in flight, answered in an order of their own.
pub(crate) struct Lanes<'a> {
    pub(crate) inner: &'a dyn Backbone,
    pub(crate) count: usize,
    pub(crate) seed: u64,
}

impl Backbone for Lanes<'_> {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Answer {
        let answer = self.inner.complete(id, prompt);
        std::thread::sleep(std::time::Duration::from_micros(drawn(self.seed, id) % 400));
        answer
    }

    fn lanes(&self) -> usize {
        self.count
    }
}

/// Remembers what it was asked, and chooses by rule.
pub(crate) struct Chooser<F> {
    pub(crate) choose: F,
    pub(crate) asked: Mutex<Vec<(CallId, Prompt)>>,
}

impl<F: Fn(&CallId, &Prompt) -> String + Sync> Chooser<F> {
    pub(crate) fn new(choose: F) -> Self {
        Self { choose, asked: Mutex::new(Vec::new()) }
    }
}

impl<F: Fn(&CallId, &Prompt) -> String + Sync> Backbone for Chooser<F> {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Answer {
        self.asked.lock().expect("no test panics here").push((id.clone(), prompt.clone()));
        Ok(Ok(said((self.choose)(id, prompt))))
    }
}

/// Number of the first option that begins so; otherwise of the last one, which does nothing.
pub(crate) fn option(prompt: &Prompt, begins: &str) -> String {
    let AnswerShape::Choice { options } = &prompt.answer else { return "{}".to_owned() };
    let found = options.iter().position(|o| o.starts_with(begins));
    (found.map_or(options.len(), |i| i + 1)).to_string()
}
