//! A server's refusal of a game, told in the terms of the experiment file that describes it.

use saga_live::LiveError;
use saga_live::error::Difference;
use saga_live::server::find::rulesets;

use super::Matrix;
use super::error::MatrixError;
use super::keys::nearest;
use super::settings::key_of;

impl Matrix {
    /// What the server refused, with the lines of the file; `None` when `error` is no refusal.
    pub(crate) fn refusal(&self, error: &LiveError) -> Option<MatrixError> {
        let (lines, said) = match error {
            LiveError::SettingsDiffer { differences, said, known } => {
                let line = |d: &Difference| self.difference(d, known);
                (differences.iter().map(line).collect(), said.clone())
            }
            LiveError::NoRuleset { ruleset, found, said } => {
                let instead = found
                    .as_ref()
                    .map_or_else(String::new, |found| format!(" and would play {found:?} instead"));
                let line = format!(
                    "{}: game.ruleset = {ruleset:?}: the server can read no such ruleset{instead}; \
                     {}",
                    self.source.place("game.ruleset"),
                    installed()
                );
                (vec![line], vec![said.clone()])
            }
            LiveError::CannotStart { said } => {
                let line = format!(
                    "{}: [game]: the server takes every setting, and cannot start a game with \
                     them",
                    self.source.place("game")
                );
                (vec![line], said.clone())
            }
            LiveError::Setting { name, value, why } => {
                let value = self.written(name, value);
                (vec![format!("{} = {value}: {why}", self.named(name))], Vec::new())
            }
            _ => return None,
        };
        Some(MatrixError::Refused { lines, said })
    }

    fn difference(&self, difference: &Difference, known: &[String]) -> String {
        let Difference { name, wanted, found } = difference;
        let verdict = match found {
            Some(found) => format!("the server would play with {found:?} instead"),
            None => match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => {
                    format!("the server has no such setting; the nearest it has is {near:?}")
                }
                None => "the server has no such setting".to_owned(),
            },
        };
        format!("{} = {}: {verdict}", self.named(name), self.written(name, wanted))
    }

    /// A setting's value as the file has it; as the server would get it when the file says it in
    /// other words.
    fn written(&self, name: &str, value: &str) -> String {
        let key = key_of(name);
        let written = key.ends_with(&format!(".{name}")).then(|| self.source.written(&key));
        written.flatten().unwrap_or_else(|| format!("{value:?}"))
    }

    /// Place and key of a setting, and its own name where the file has another.
    fn named(&self, name: &str) -> String {
        let key = key_of(name);
        let place = self.source.place(&key);
        if key.ends_with(&format!(".{name}")) {
            format!("{place}: {key}")
        } else {
            format!("{place}: {key} ({name})")
        }
    }
}

/// Which rulesets there are.
fn installed() -> String {
    match rulesets() {
        none if none.is_empty() => "\"classic\" and \"civ2civ3\" come with it".to_owned(),
        some => format!("installed are {}", some.join(", ")),
    }
}
