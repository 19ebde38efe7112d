//! Which prompt templates changed since a trace was recorded: said before a divergence is, because
//! it is the likeliest cause of one.

use std::collections::{BTreeMap, BTreeSet};

use crate::spec::Identity;

/// A template whose text is not the recorded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPrompt {
    /// Its name.
    pub name: String,
    /// Hash of the recorded text; `None` when the template is new.
    pub recorded: Option<String>,
    /// Hash of today's text; `None` when the template is gone.
    pub today: Option<String>,
}

impl std::fmt::Display for ChangedPrompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |hash: &Option<String>| match hash {
            Some(hash) => hash.chars().take(16).collect(),
            None => "none".to_owned(),
        };
        let (recorded, today) = (word(&self.recorded), word(&self.today));
        write!(f, "{}: recorded {recorded}, today {today}", self.name)
    }
}

/// The templates that differ, by name.
pub fn changed_prompts(
    recorded: &Identity,
    today: &BTreeMap<String, String>,
) -> Vec<ChangedPrompt> {
    let names: BTreeSet<&String> = recorded.prompts.keys().chain(today.keys()).collect();
    let both = names.into_iter().map(|name| ChangedPrompt {
        name: name.clone(),
        recorded: recorded.prompts.get(name).cloned(),
        today: today.get(name).cloned(),
    });
    both.filter(|prompt| prompt.recorded != prompt.today).collect()
}
