//! The end of a game: the server is let go, and its own score log becomes the final record.

use std::time::Duration;

use saga_core::game::{FinalRecord, PlayerRecord, Reply};

use super::session::Halt;
use super::{FreecivGame, Seat};
use crate::LiveError;
use crate::server::ScoreLog;

/// How long each step of ending the server may take.
const GRACE: Duration = Duration::from_secs(5);

impl FreecivGame {
    /// Closes the connection, ends the server and reads what it left.
    pub(super) fn finish(&mut self, seat: Seat) -> Result<Reply, Halt> {
        let ending = seat.session.world.ending();
        let winning = ending.iter().flat_map(|e| &e.players).filter(|p| p.winner);
        let mut winners: Vec<u16> = winning.map(|player| player.id.0).collect();
        winners.sort_unstable();
        let stopped = seat.session.close().stop(GRACE)?;
        self.spent.server_cpu_s = Some(stopped.cpu_seconds());
        let Some(text) = stopped.score_log else {
            return Err(Halt::Lost(LiveError::Unexpected {
                did: "left no score log".to_owned(),
                wanted: "one line a turn for every player".to_owned(),
                tail: Vec::new(),
            }));
        };
        let players = players(ScoreLog::parse(&text)?);
        Ok(Reply::Finished { record: FinalRecord { players, winners } })
    }
}

/// By seat; two players that had the same seat one after the other in the order of their time.
fn players(log: ScoreLog) -> Vec<PlayerRecord> {
    let mut players: Vec<PlayerRecord> = log
        .players
        .into_iter()
        .map(|player| PlayerRecord {
            seat: player.number as u16,
            name: player.name,
            series: player
                .series
                .into_iter()
                .map(|(tag, values)| (tag, values.into_iter().collect()))
                .collect(),
        })
        .collect();
    players.sort_by_key(|player| player.seat);
    players
}
