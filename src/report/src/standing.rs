//! Where our player stands among all, read from the server's own score log. A client cannot tell: a
//! lapsed contact reads 0 in its view.

use std::collections::BTreeMap;

use saga_core::game::FinalRecord;

/// Our place among the players at turn `turns_max`, from the server's score log. Of a player whose
/// series ends before, the last value stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Players with a series, ours included.
    pub players: u32,
    /// 1 + number of players with a higher score.
    pub rank: u32,
    /// Our score over the sum of all; `None` when that is 0.
    pub share: Option<f64>,
    /// Highest score of another player; `None` when there is none.
    pub best_opponent: Option<i64>,
    /// Our own score there, to be held against the observation.
    pub score: i64,
}

impl Standing {
    pub(crate) fn of(record: &FinalRecord, seat: u16, turn: u32) -> Option<Self> {
        let score = |series: &BTreeMap<String, Vec<(u32, i64)>>| {
            let pairs = series.get("score")?;
            pairs.iter().filter(|(t, _)| *t <= turn).max_by_key(|(t, _)| *t).map(|(_, v)| *v)
        };
        let players = &record.players;
        // The first of our seat is us: whoever gets the seat of a dead player comes later.
        let us = players.iter().position(|p| p.seat == seat)?;
        let scores: Vec<(usize, i64)> = players
            .iter()
            .enumerate()
            .filter_map(|(i, p)| score(&p.series).map(|value| (i, value)))
            .collect();
        let own = scores.iter().find(|(i, _)| *i == us)?.1;
        let others = || scores.iter().filter(|(i, _)| *i != us).map(|(_, value)| *value);
        let total: i64 = scores.iter().map(|(_, value)| value).sum();
        Some(Self {
            players: scores.len() as u32,
            rank: 1 + others().filter(|value| *value > own).count() as u32,
            share: (total > 0).then(|| own as f64 / total as f64),
            best_opponent: others().max(),
            score: own,
        })
    }
}
