//! The end of a game: the server is let go, and its own score log becomes the final record.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use saga_core::game::{FinalRecord, PlayerRecord, Reply};
use saga_core::observation::OtherPlayer;

use super::session::Halt;
use super::{FreecivGame, Seat};
use crate::LiveError;
use crate::server::ScoreLog;

/// How long each step of ending the server may take.
const GRACE: Duration = Duration::from_secs(5);

impl FreecivGame {
    /// Closes the connection, ends the server and reads what it left.
    pub(super) fn finish(&mut self, mut seat: Seat) -> Result<Reply, Halt> {
        let unjudged = seat.session.world.unjudged_requirements();
        let others = seat.session.observe()?.players;
        let ending = seat.session.world.ending();
        let winning = ending.iter().flat_map(|e| &e.players).filter(|p| p.winner);
        let mut winners: Vec<u16> = winning.map(|player| player.id.0).collect();
        winners.sort_unstable();
        let last_played = seat.session.world.turn();
        let stopped = seat.session.close().stop(GRACE)?;
        self.spent.server_cpu_s = Some(stopped.cpu_seconds());
        let Some(text) = stopped.score_log else {
            return Err(Halt::Lost(LiveError::Unexpected {
                did: "left no score log".to_owned(),
                wanted: "one line a turn for every player".to_owned(),
                tail: Vec::new(),
            }));
        };
        let log = ScoreLog::parse(&text)?;
        check(&log, last_played)?;
        let players = players(log, others)?;
        Ok(Reply::Finished { record: FinalRecord { players, winners, unjudged } })
    }
}

/// A record that lacks its end would give wrong final scores: rather none. How the server ended
/// does not tell: after a victory it aborts with a whole log.
fn check(log: &ScoreLog, last_played: u32) -> Result<(), LiveError> {
    let last_logged = log.turns.last().map_or(0, |turn| turn.turn);
    let why = if log.cut {
        format!("it is cut in the middle of a line after turn {last_logged}")
    } else if last_logged < last_played {
        format!("it ends in turn {last_logged}, the game in turn {last_played}")
    } else if let Some((player, tag)) = unfinished(log, last_logged) {
        format!("it ends in turn {last_logged} before the {tag} of player {player}")
    } else {
        return Ok(());
    };
    Err(LiveError::NoRecord { why })
}

/// A player present at the end and a figure of it that the last turn lacks.
fn unfinished(log: &ScoreLog, last: u32) -> Option<(u32, &str)> {
    let tags: BTreeSet<&String> = log.players.iter().flat_map(|p| p.series.keys()).collect();
    let present = log.players.iter().filter(|p| p.to.is_none());
    let mut figures = present.flat_map(|p| tags.iter().map(move |tag| (p, tag.as_str())));
    let lacks = figures.find(|(player, tag)| player.value(tag, last).is_none());
    lacks.map(|(player, tag)| (player.number, tag))
}

/// By seat; two players that had the same seat one after the other in the order of their time. The
/// log has no barbarians: those among the `others` we were told of stand without series.
fn players(log: ScoreLog, others: Vec<OtherPlayer>) -> Result<Vec<PlayerRecord>, LiveError> {
    let mut players = Vec::with_capacity(log.players.len());
    for player in log.players {
        let seat = u16::try_from(player.number).map_err(|_| LiveError::NoRecord {
            why: format!("it has a player number {}, wanted 0 to {}", player.number, u16::MAX),
        })?;
        let series = player.series.into_iter();
        let series = series.map(|(tag, values)| (tag, values.into_iter().collect())).collect();
        players.push(PlayerRecord { seat, name: player.name, barbarian: None, series });
    }
    players.extend(others.into_iter().filter(|other| other.barbarian.is_some()).map(|other| {
        let OtherPlayer { id, name, barbarian, .. } = other;
        PlayerRecord { seat: id.0, name, barbarian, series: BTreeMap::new() }
    }));
    players.sort_by_key(|player| player.seat);
    Ok(players)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "tag 25 score\nturn 1 -4000 4000 BCE\naddplayer 1 0 Ann\ndata 1 25 0 7\n\
        turn 2 -3950 3950 BCE\ndata 2 25 0 9\n";

    #[test]
    fn a_log_without_its_end_is_no_record() {
        let check = |text: &str, last_played, said: &str| {
            let log = ScoreLog::parse(text).expect("its format");
            let got = check(&log, last_played).err().map(|e| e.to_string());
            assert!(got.as_deref().unwrap_or("good").contains(said), "{got:?}");
        };
        check(LOG, 1, "good");
        check(LOG, 2, "good");
        check(LOG, 3, "it ends in turn 2, the game in turn 3");
        check(&LOG[..LOG.len() - 1], 2, "cut in the middle of a line after turn 2");
        check("", 1, "it ends in turn 0");
        check(LOG.trim_end_matches("data 2 25 0 9\n"), 2, "before the score of player 0");
    }

    #[test]
    fn a_number_that_is_no_seat_is_not_cut_to_one() {
        let log = ScoreLog::parse(&LOG.replace("1 0 Ann", "1 65536 Ann").replace(" 0 ", " 65536 "));
        let error = players(log.expect("its format"), Vec::new()).expect_err("no seat").to_string();
        assert!(error.contains("65536"), "{error}");
    }
}
