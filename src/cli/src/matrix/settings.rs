//! From the `[game]` table to the ordered list of server settings: what every game of ours needs,
//! what the table says in its own words, then whatever else the experiment sets.

use saga_core::spec::GameSpec;
use saga_live::LiveError;
use saga_live::server::script::{AI_SKILLS, Script};

use super::error::{MatrixError, Source};
use super::file::{GameTable, Words};

const BARBARIANS: [&str; 5] = ["DISABLED", "HUTS_ONLY", "NORMAL", "FREQUENT", "HORDES"];
const VICTORIES: [&str; 3] = ["SPACERACE", "ALLIED", "CULTURE"];
const WRAPS: [&str; 2] = ["WRAPX", "WRAPY"];
/// Layouts the server has and this client has not.
const OTHER_LAYOUTS: [&str; 2] = ["ISO", "HEX"];
const SIZE: std::ops::RangeInclusive<u32> = 16..=512;
const OPPONENTS_MAX: u32 = 30;
const TURNS_MAX: u32 = 32_767;

/// Settings that `[game]` or the seeds say in their own words, and where.
const SAID_ELSEWHERE: [(&str, &str); 9] = [
    ("topology", "game.topology"),
    ("xsize", "game.size"),
    ("ysize", "game.size"),
    ("aifill", "game.opponents"),
    ("barbarians", "game.barbarians"),
    ("victories", "game.victories"),
    ("endturn", "game.turns_max"),
    ("mapseed", "map_seeds"),
    ("gameseed", "game_seeds"),
];

/// Bytes of a setting's value; the server's own texts are shorter.
const VALUE_BYTES_MAX: usize = 200;

/// Settings by which the server acts when some time has passed, and what it does then. A game with
/// one of them depends on how fast the machine and the backbone are, so it is not the same twice.
const BY_THE_CLOCK: [(&str, &str); 9] = [
    ("timeout", "ends a turn"),
    ("first_timeout", "ends the first turn"),
    ("timeaddenemymove", "puts off the end of a turn"),
    ("unitwaittime", "refuses to move a unit that moved shortly before"),
    ("netwait", "goes on without waiting for a slow connection"),
    ("nettimeout", "cuts a slow connection"),
    ("pingtime", "asks for a sign of life, and cuts a connection that gives none"),
    ("pingtimeout", "cuts a connection that gave no sign of life"),
    ("kicktime", "lets somebody back in who was thrown out"),
];

/// Settings the client and the turn loop rely on.
const RELIED_ON: [&str; 8] = [
    "mapsize",
    "minplayers",
    "autotoggle",
    "phasemode",
    "turnblock",
    "scorelog",
    "scorefile",
    "scoreloglevel",
];

/// Skills of the built-in players against whom every planner plays.
#[derive(Debug)]
pub(crate) struct Skills {
    /// One or more of the server's words.
    pub(crate) words: Vec<String>,
    /// Whether they were given as a list: then each has a folder of its own, so that another one
    /// can be added later.
    pub(crate) is_axis: bool,
}

/// A game with nothing changed about it but its ruleset, for trying a server.
pub(crate) fn plain_game(ruleset: &str) -> GameSpec {
    let table = GameTable::default();
    GameSpec {
        ruleset: ruleset.to_owned(),
        opponents: table.opponents,
        ai_skill: AI_SKILLS[2].to_owned(),
        map_seed: 1,
        game_seed: 1,
        turns_max: table.turns_max,
        settings: base(&table),
    }
}

/// Where the file says what the server knows as the setting `name`.
pub(super) fn key_of(name: &str) -> String {
    let elsewhere = SAID_ELSEWHERE.iter().find(|(setting, _)| *setting == name);
    match (elsewhere, name) {
        (Some((_, key)), _) => (*key).to_owned(),
        (None, "opponents" | "ai_skill") => format!("game.{name}"),
        (None, _) => format!("game.settings.{name}"),
    }
}

/// The skills the `[game]` table names.
pub(super) fn skills(source: &Source, table: &GameTable) -> Result<Skills, MatrixError> {
    let known = |key: &str, word: &str| {
        if AI_SKILLS.contains(&word) {
            return Ok(());
        }
        Err(source.unknown("AI skill", key, word, &AI_SKILLS))
    };
    match &table.ai_skill {
        Words::One(word) => {
            known("game.ai_skill", word)?;
            Ok(Skills { words: vec![word.clone()], is_axis: false })
        }
        Words::Axis(words) if words.is_empty() => {
            let wanted = format!("one or more of {}", AI_SKILLS.join(", "));
            Err(source.value("game.ai_skill", "[]", wanted))
        }
        Words::Axis(_) if table.opponents == 0 => {
            let wanted = "one word, or none at all, in a game with opponents = 0: every game of \
                          the list would be the same";
            Err(source.value("game.ai_skill", "[…]", wanted))
        }
        Words::Axis(words) => {
            for (i, word) in words.iter().enumerate() {
                known(&format!("game.ai_skill.{i}"), word)?;
            }
            check_once(source, "game.ai_skill", words)?;
            Ok(Skills { words: words.clone(), is_axis: true })
        }
    }
}

/// Builds the game of every cell; skill, map and game seed are put in by the schedule.
pub(super) fn game(source: &Source, table: &GameTable) -> Result<GameSpec, MatrixError> {
    check_words(source, table)?;
    check_topology(source, table)?;
    check_numbers(source, table)?;
    let mut settings = base(table);
    for (name, value) in &table.settings {
        let key = format!("game.settings.{name}");
        if let Some((_, place)) = SAID_ELSEWHERE.iter().find(|(n, _)| n == name) {
            return Err(source.value(&key, value, format!("this to be set by `{place}`")));
        }
        if let Some((_, does)) = BY_THE_CLOCK.iter().find(|(n, _)| n == name) {
            let wanted = format!(
                "the value every game is played with: by it the server {does} when some time has \
                 passed, and a game that depends on the clock cannot be repeated"
            );
            return Err(source.value(&key, value, wanted));
        }
        if RELIED_ON.contains(&name.as_str()) {
            let wanted = "the value every game is played with: the turn loop relies on it";
            return Err(source.value(&key, value, wanted));
        }
        let text = plain(value)
            .ok_or_else(|| source.value(&key, value, "a text, a whole number, or true or false"))?;
        check_setting(source, &key, name, (value, &text))?;
        match settings.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = text,
            None => settings.push((name.clone(), text)),
        }
    }
    Ok(GameSpec {
        ruleset: table.ruleset.clone(),
        opponents: table.opponents,
        ai_skill: String::new(),
        map_seed: 0,
        game_seed: 0,
        turns_max: table.turns_max,
        settings,
    })
}

/// Whatever the server's script cannot carry would fail every game.
fn check_setting(
    source: &Source,
    key: &str,
    name: &str,
    (value, text): (&toml::Value, &str),
) -> Result<(), MatrixError> {
    if !is_word(name) {
        let wanted = "settings named with letters, digits and _ only";
        return Err(source.value(key, value, wanted));
    }
    if text.len() > VALUE_BYTES_MAX {
        let wanted = format!("at most {VALUE_BYTES_MAX} bytes");
        return Err(source.value(key, value, wanted));
    }
    let alone = [(name.to_owned(), text.to_owned())];
    match Script::new(&alone, AI_SKILLS[0]) {
        Err(LiveError::Setting { why, .. }) => {
            let wanted = format!("letters, digits, blanks and any of _-|.*+, in a value: {why}");
            Err(source.value(key, value, wanted))
        }
        _ => Ok(()),
    }
}

/// Letters, digits and `_`: what the server's console takes as a name.
fn is_word(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(plain)
}

/// In the order in which the server must read them: others are checked against the topology.
fn base(table: &GameTable) -> Vec<(String, String)> {
    let [width, height] = table.size;
    [
        ("topology", table.topology.join("|")),
        ("mapsize", "XYSIZE".to_owned()),
        ("xsize", width.to_string()),
        ("ysize", height.to_string()),
        ("aifill", (table.opponents + 1).to_string()),
        ("minplayers", "1".to_owned()),
        ("autotoggle", "disabled".to_owned()),
        ("barbarians", table.barbarians.clone()),
        ("onsetbarbs", "60".to_owned()),
        ("victories", table.victories.join("|")),
        ("endturn", table.turns_max.to_string()),
        ("timeout", "0".to_owned()),
        ("phasemode", "ALL".to_owned()),
        ("turnblock", "enabled".to_owned()),
        ("pingtime", "1800".to_owned()),
        ("netwait", "0".to_owned()),
        ("nettimeout", "0".to_owned()),
        ("scorelog", "enabled".to_owned()),
        ("scorefile", "score.log".to_owned()),
        ("scoreloglevel", "ALL".to_owned()),
        ("autosaves", String::new()),
        ("compresstype", "LIBZ".to_owned()),
        ("threaded_save", "disabled".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

fn check_words(source: &Source, table: &GameTable) -> Result<(), MatrixError> {
    let of = |kind, key: &str, word: &str, known: &[&str]| {
        if known.contains(&word) { Ok(()) } else { Err(source.unknown(kind, key, word, known)) }
    };
    of("barbarians setting", "game.barbarians", &table.barbarians, &BARBARIANS)?;
    for (i, victory) in table.victories.iter().enumerate() {
        of("victory condition", &format!("game.victories.{i}"), victory, &VICTORIES)?;
    }
    check_once(source, "game.victories", &table.victories)?;
    if !is_word(&table.ruleset) {
        let wanted = "the name of a ruleset folder of the server, such as \"classic\": letters, \
                      digits and _ only";
        return Err(source.value("game.ruleset", format!("{:?}", table.ruleset), wanted));
    }
    Ok(())
}

fn check_topology(source: &Source, table: &GameTable) -> Result<(), MatrixError> {
    for (i, word) in table.topology.iter().enumerate() {
        let key = format!("game.topology.{i}");
        if OTHER_LAYOUTS.contains(&word.as_str()) {
            let wanted = "WRAPX, WRAPY or nothing: saga plays on square tiles in straight rows, \
                          and its directions, distances and city radii would be wrong on an \
                          isometric or hexagonal map";
            return Err(source.value(&key, format!("{word:?}"), wanted));
        }
        if !WRAPS.contains(&word.as_str()) {
            return Err(source.unknown("topology", &key, word, &WRAPS));
        }
    }
    check_once(source, "game.topology", &table.topology)
}

fn check_once(source: &Source, key: &str, words: &[String]) -> Result<(), MatrixError> {
    for (i, word) in words.iter().enumerate() {
        if words[..i].contains(word) {
            return Err(source.value(&format!("{key}.{i}"), format!("{word:?}"), "each word once"));
        }
    }
    Ok(())
}

fn check_numbers(source: &Source, table: &GameTable) -> Result<(), MatrixError> {
    if let Some(bad) = table.size.iter().find(|s| !SIZE.contains(s)) {
        let wanted = format!("columns and rows from {} to {}", SIZE.start(), SIZE.end());
        return Err(source.value("game.size", bad, wanted));
    }
    if table.opponents > OPPONENTS_MAX {
        let wanted = format!("0 to {OPPONENTS_MAX} built-in AI players");
        return Err(source.value("game.opponents", table.opponents, wanted));
    }
    if !(1..=TURNS_MAX).contains(&table.turns_max) {
        let wanted = format!("1 to {TURNS_MAX} turns");
        return Err(source.value("game.turns_max", table.turns_max, wanted));
    }
    Ok(())
}

/// A setting's value as the server's script takes it.
fn plain(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(s) => Some(s.clone()),
        toml::Value::Integer(i) => Some(i.to_string()),
        toml::Value::Boolean(true) => Some("enabled".to_owned()),
        toml::Value::Boolean(false) => Some("disabled".to_owned()),
        _ => None,
    }
}
