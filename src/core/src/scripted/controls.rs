//! Two controls that put a floor under every score: a player who picks uniformly from the same
//! menus, and one who does nothing. And the door behind which all embedded backbones stand.

use serde_json::{Value, json};

use crate::backbone::{AnswerShape, Backbone, CallId, Completion, Fault, Prompt};
use crate::stop::Stop;

use super::{Scripted, completed, fill, words};

/// Names of the backbones that need neither key nor network.
pub const EMBEDDED: &[&str] = &[super::NAME, "uniform", "idle"];

/// All embedded backbones; the prompt names the one it is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Embedded;

impl Backbone for Embedded {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Result<Result<Completion, Fault>, Stop> {
        match prompt.backbone.as_str() {
            super::NAME => Scripted.complete(id, prompt),
            "uniform" => Ok(Ok(completed(prompt, "uniform", uniform(prompt)))),
            "idle" => Ok(Ok(completed(prompt, "idle", idle(prompt)))),
            other => Err(Stop::BackboneLost {
                call: id.clone(),
                detail: format!(
                    "no embedded backbone is called {other:?}; there are {}",
                    EMBEDDED.join(", ")
                ),
            }),
        }
    }
}

fn uniform(prompt: &Prompt) -> String {
    let seed = prompt.sampling.seed;
    match &prompt.answer {
        AnswerShape::Choice { options } => {
            let lot = words::lot(seed, "uniform") % options.len().max(1) as u64;
            (lot + 1).to_string()
        }
        AnswerShape::Json { schema } | AnswerShape::Tools { schema, .. } => {
            fill::fill(schema, fill::Wish::Any, seed).to_string()
        }
        AnswerShape::Text => String::new(),
    }
}

/// The last option of a menu is doing nothing; an empty plan directs nothing.
fn idle(prompt: &Prompt) -> String {
    match &prompt.answer {
        AnswerShape::Choice { options } => options.len().to_string(),
        AnswerShape::Json { .. } | AnswerShape::Tools { .. } => nothing().to_string(),
        AnswerShape::Text => String::new(),
    }
}

fn nothing() -> Value {
    json!({})
}
