//! Reads the score log a Freeciv server writes (format version 2, described in Freeciv's own
//! README.scorelog): per player and figure, one value a turn. Pure text in, tables out.

use std::collections::BTreeMap;

use crate::LiveError;

/// A whole score log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreLog {
    /// The game's id, empty if the log has none.
    pub id: String,
    /// The turns, in order of the log.
    pub turns: Vec<ScoreTurn>,
    /// Every player that was ever added, in order of the log. Barbarians are not in it.
    pub players: Vec<ScorePlayer>,
    /// The log ends in the middle of a line (which is left out), as after a kill.
    pub cut: bool,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreTurn {
    /// Turn number, from 1.
    pub turn: u32,
    /// The year, negative before the epoch.
    pub year: i64,
    /// The year as the game shows it.
    pub label: String,
}

/// One player, from the turn it was added to the turn it was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScorePlayer {
    /// The server's player number; a later player may have the same one.
    pub number: u32,
    /// Its name, which is its leader's.
    pub name: String,
    /// First turn, inclusive.
    pub from: u32,
    /// Last turn, inclusive; `None`: to the end.
    pub to: Option<u32>,
    /// By tag (`score`, `cities`, `gold`, …): value by turn, in the log's units.
    pub series: BTreeMap<String, BTreeMap<u32, i64>>,
}

impl ScorePlayer {
    /// The value of `tag` at `turn`, if logged.
    pub fn value(&self, tag: &str, turn: u32) -> Option<i64> {
        self.series.get(tag)?.get(&turn).copied()
    }

    /// The last logged turn and value of `tag`.
    pub fn last(&self, tag: &str) -> Option<(u32, i64)> {
        self.series.get(tag)?.last_key_value().map(|(turn, value)| (*turn, *value))
    }
}

impl ScoreLog {
    /// Reads a score log.
    ///
    /// # Errors
    /// [`LiveError::ScoreLog`] with the line number.
    pub fn parse(text: &str) -> Result<Self, LiveError> {
        let (whole, rest) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
        let mut reader = Reader::default();
        reader.log.cut = !rest.is_empty();
        for (i, line) in whole.lines().enumerate() {
            reader.line(line).map_err(|(found, wanted)| LiveError::ScoreLog {
                line: i + 1,
                found: found.to_owned(),
                wanted,
            })?;
        }
        Ok(reader.log)
    }

    /// The player that had `number` last.
    pub fn player(&self, number: u32) -> Option<&ScorePlayer> {
        self.players.iter().rev().find(|p| p.number == number)
    }
}

/// What is wrong, and what should stand there.
type Bad<'a> = (&'a str, &'static str);

#[derive(Default)]
struct Reader {
    log: ScoreLog,
    tags: BTreeMap<u32, String>,
    /// Player number → index in `log.players`, for those not removed.
    present: BTreeMap<u32, usize>,
}

impl Reader {
    fn line<'a>(&mut self, line: &'a str) -> Result<(), Bad<'a>> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "id" => rest.clone_into(&mut self.log.id),
            "tag" => self.tag(rest)?,
            "turn" => self.turn(rest)?,
            "addplayer" => self.add_player(rest)?,
            "delplayer" => self.remove_player(rest)?,
            "data" => self.data(rest)?,
            _ => return Err((line, "one of id, tag, turn, addplayer, delplayer, data")),
        }
        Ok(())
    }

    fn tag<'a>(&mut self, rest: &'a str) -> Result<(), Bad<'a>> {
        let (id, name) = number(rest)?;
        if name.is_empty() {
            return Err((rest, "tag NUMBER NAME"));
        }
        self.tags.insert(id, name.to_owned());
        Ok(())
    }

    fn turn<'a>(&mut self, rest: &'a str) -> Result<(), Bad<'a>> {
        let (turn, rest) = number(rest)?;
        let (year, label) = number(rest)?;
        self.log.turns.push(ScoreTurn { turn, year, label: label.to_owned() });
        Ok(())
    }

    fn add_player<'a>(&mut self, rest: &'a str) -> Result<(), Bad<'a>> {
        let (from, rest) = number(rest)?;
        let (id, name) = number(rest)?;
        if self.present.insert(id, self.log.players.len()).is_some() {
            return Err((rest, "a player number not in use"));
        }
        let (name, series) = (name.to_owned(), BTreeMap::new());
        self.log.players.push(ScorePlayer { number: id, name, from, to: None, series });
        Ok(())
    }

    fn remove_player<'a>(&mut self, rest: &'a str) -> Result<(), Bad<'a>> {
        let (to, rest) = number(rest)?;
        let (id, _) = number::<u32>(rest)?;
        let index = self.present.remove(&id);
        let player = index.and_then(|i| self.log.players.get_mut(i));
        player.ok_or((rest, "the number of a player added before"))?.to = Some(to);
        Ok(())
    }

    fn data<'a>(&mut self, rest: &'a str) -> Result<(), Bad<'a>> {
        let (turn, rest) = number(rest)?;
        let (tag, rest) = number::<u32>(rest)?;
        let (id, rest) = number::<u32>(rest)?;
        let (value, _) = number(rest)?;
        let tag = self.tags.get(&tag).ok_or((rest, "the number of a tag given before"))?;
        let index = self.present.get(&id).copied();
        let player = index.and_then(|i| self.log.players.get_mut(i));
        let player = player.ok_or((rest, "the number of a player added before"))?;
        if !player.series.contains_key(tag) {
            player.series.insert(tag.clone(), BTreeMap::new());
        }
        if let Some(series) = player.series.get_mut(tag) {
            series.insert(turn, value);
        }
        Ok(())
    }
}

/// The first word as a number, and the rest.
fn number<T: std::str::FromStr>(text: &str) -> Result<(T, &str), Bad<'_>> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    word.parse().map(|n| (n, rest)).map_err(|_| (text, "a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "#FREECIV SCORELOG2 3.0.6\n\n# comment\n\nid abc-1\ntag 0 pop\ntag 25 score\n\
        turn 1 -4000 4000 BCE\naddplayer 1 0 Hamilcar Barca\naddplayer 1 1 Tangun\n\
        data 1 0 0 3\ndata 1 25 0 7\ndata 1 25 1 -2\nturn 2 -3950 3950 BCE\ndelplayer 1 1\n\
        addplayer 2 1 Ann\ndata 2 25 0 9\ndata 2 25 1 4\n";

    #[test]
    fn players_turns_and_series() {
        let log = ScoreLog::parse(LOG).expect("a good log");
        assert_eq!((log.id.as_str(), log.turns.len(), log.cut), ("abc-1", 2, false));
        assert_eq!(log.turns[1].label, "3950 BCE");
        let names: Vec<_> =
            log.players.iter().map(|p| (p.number, &*p.name, p.from, p.to)).collect();
        let want = [(0, "Hamilcar Barca", 1, None), (1, "Tangun", 1, Some(1)), (1, "Ann", 2, None)];
        assert_eq!(names, want);
        assert_eq!(log.players[0].last("score"), Some((2, 9)));
        assert_eq!(log.players[1].value("score", 1), Some(-2));
        assert_eq!(log.player(1).map(|p| &*p.name), Some("Ann"));
        assert_eq!(log.player(7), None);
    }

    #[test]
    fn a_cut_line_is_left_out_and_told() {
        let log = ScoreLog::parse(&LOG[..LOG.len() - 2]).expect("a cut log");
        assert!(log.cut);
        assert_eq!(log.players[2].last("score"), None);
        assert_eq!(ScoreLog::parse("").expect("empty"), ScoreLog::default());
    }

    #[test]
    fn errors_name_the_line() {
        let check = |extra: &str, said: &str| {
            let error = ScoreLog::parse(&format!("{LOG}{extra}\n")).expect_err(extra).to_string();
            assert!(error.contains("line 19") && error.contains(said), "{extra}: {error}");
        };
        check("nonsense 1", "one of id, tag");
        check("data 2 99 0 1", "a tag given before");
        check("data 2 25 9 1", "a player added before");
        check("data 2 25 0 x", "wanted a number");
        check("data 2", "wanted a number");
        check("addplayer 2 0 Twice", "not in use");
        check("delplayer 2 5", "a player added before");
        check("tag 3", "tag NUMBER NAME");
    }
}
