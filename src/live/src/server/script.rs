//! Writes the script a server reads at its start. Every name and value is checked here, because
//! the server's console takes commands, and a value from an experiment file must stay a value.

use crate::LiveError;

/// The skill words; each is a command that sets all AI players at once.
pub use saga_core::spec::AI_SKILLS;

/// A server whose ruleset folder holds no whole ruleset plays its own default instead, and tells so
/// in answer to this only.
const ASK_RULESET: &str = "show ruleset";
/// What the answer begins with; the folder's name in quotes follows.
pub(crate) const RULESET_READ: &str = "Current ruleset directory is ";

/// Settings with which a game would not be the same twice if they were 0 (drawn by the server).
const SEEDS: [&str; 2] = ["mapseed", "gameseed"];

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptLine {
    /// `set NAME VALUE`.
    Set {
        /// The setting.
        name: String,
        /// Its value, unquoted.
        value: String,
    },
    /// A console command.
    Command(String),
}

/// A checked script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    lines: Vec<ScriptLine>,
}

impl Script {
    /// The settings in the order given, but `topology` first (others are checked against it); then
    /// `cmdlevel hack first`, so that the first player may use the console through chat; then the
    /// question which ruleset was read, since a server falls back to its own; then the skill of all
    /// AI players.
    ///
    /// # Errors
    /// [`LiveError::Setting`] for a bad name, a value with characters no setting needs, a setting
    /// given twice, a seed that is not 1 or more, or an unknown skill.
    pub fn new(settings: &[(String, String)], ai_skill: &str) -> Result<Self, LiveError> {
        let mut lines = Vec::with_capacity(settings.len() + 3);
        for (i, (name, value)) in settings.iter().enumerate() {
            check_setting(name, value)?;
            if let Some((_, first)) = settings.iter().take(i).find(|(n, _)| n == name) {
                return Err(refused(name, value, format!("already set to {first:?} above")));
            }
            let line = ScriptLine::Set { name: name.clone(), value: value.clone() };
            let at = if name == "topology" { 0 } else { lines.len() };
            lines.insert(at, line);
        }
        if !AI_SKILLS.contains(&ai_skill) {
            let why = format!("wanted one of {}", AI_SKILLS.join(", "));
            return Err(refused("ai_skill", ai_skill, why));
        }
        lines.push(ScriptLine::Command("cmdlevel hack first".to_owned()));
        lines.push(ScriptLine::Command(ASK_RULESET.to_owned()));
        lines.push(ScriptLine::Command(ai_skill.to_owned()));
        Ok(Self { lines })
    }

    /// The lines, in order.
    pub fn lines(&self) -> &[ScriptLine] {
        &self.lines
    }

    /// The script as the server reads it.
    pub fn text(&self) -> String {
        self.lines
            .iter()
            .map(|line| match line {
                ScriptLine::Set { name, value } => format!("set {name} \"{value}\"\n"),
                ScriptLine::Command(command) => format!("{command}\n"),
            })
            .collect()
    }
}

/// A name made of letters, digits and `_`.
pub(crate) fn check_word(what: &str, word: &str) -> Result<(), LiveError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if word.is_empty() || !word.chars().all(plain) {
        return Err(refused(what, word, "wanted letters, digits and _ only".to_owned()));
    }
    Ok(())
}

/// One console line: no control characters, so no second line.
pub(crate) fn check_line(line: &str) -> Result<(), LiveError> {
    if line.is_empty() || line.chars().any(char::is_control) {
        return Err(refused("console line", line, "wanted one line of text".to_owned()));
    }
    Ok(())
}

fn check_setting(name: &str, value: &str) -> Result<(), LiveError> {
    check_word("setting name", name)?;
    // No quotes, backslashes, comment signs or slashes: files stay in the run directory.
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-|.*+, ".contains(c);
    if let Some(bad) = value.chars().find(|&c| !allowed(c)) {
        return Err(refused(name, value, format!("the character {bad:?} is not allowed")));
    }
    if SEEDS.contains(&name) && value.parse::<u32>().unwrap_or(0) == 0 {
        let why = "wanted a number from 1 to 2147483647: with 0 the server draws a seed itself";
        return Err(refused(name, value, why.to_owned()));
    }
    Ok(())
}

fn refused(name: &str, value: &str, why: String) -> LiveError {
    LiveError::Setting { name: name.to_owned(), value: value.to_owned(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(settings: &[(&str, &str)], skill: &str) -> Result<Script, String> {
        let owned: Vec<_> =
            settings.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Script::new(&owned, skill).map_err(|e| e.to_string())
    }

    #[test]
    fn topology_first_then_the_given_order_then_skill_last() {
        let got = script(&[("xsize", "23"), ("topology", ""), ("victories", "A|B")], "easy");
        let want = "set topology \"\"\nset xsize \"23\"\nset victories \"A|B\"\n\
                    cmdlevel hack first\nshow ruleset\neasy\n";
        assert_eq!(got.expect("a good script").text(), want);
    }

    #[test]
    fn what_could_break_out_or_spoil_the_game_is_refused() {
        let check = |settings: &[(&str, &str)], skill: &str, said: &str| {
            let error = script(settings, skill).expect_err(said);
            assert!(error.contains(said), "{error:?} lacks {said:?}");
        };
        check(&[("xsize", "23\nquit")], "easy", "'\\n' is not allowed");
        check(&[("xsize", "23\" quit")], "easy", "'\"' is not allowed");
        check(&[("scorefile", "../up")], "easy", "'/' is not allowed");
        check(&[("x size", "1")], "easy", "letters, digits and _");
        check(&[("", "1")], "easy", "letters, digits and _");
        check(&[("gameseed", "0")], "easy", "gameseed = \"0\" refused");
        check(&[("mapseed", "00")], "easy", "draws a seed itself");
        check(&[("mapseed", "-1")], "easy", "from 1 to 2147483647");
        check(&[("gold", "1"), ("gold", "2")], "easy", "already set to \"1\"");
        check(&[], "brutal", "handicapped, novice, easy");
        assert!(check_line("set timeout -1").is_ok());
        assert!(check_line("a\nb").is_err());
    }
}
