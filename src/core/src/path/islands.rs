//! Which ground hangs together for whom, so that a walk for what lies overseas is not begun.

use crate::ids::{Dir, Pos};

use super::{Chart, Gait, back};

/// Ground cut into pieces between which a kind of unit cannot walk. Within a piece it may be barred
/// all the same.
#[derive(Debug)]
pub struct Islands {
    /// Of each tile, a tile that stands for its piece.
    piece: Vec<usize>,
}

impl Islands {
    /// The pieces for units that walk so.
    pub fn of(chart: &Chart, gait: &Gait) -> Self {
        let mut islands = Self { piece: (0..chart.len()).collect() };
        let open: Vec<bool> = (0..chart.len()).map(|t| chart.lets_in(gait, t)).collect();
        for tile in (0..chart.len()).filter(|tile| open[*tile]) {
            // Half of the directions meet every pair once.
            for (dir, next) in chart.around(tile).filter(|(dir, _)| (*dir as usize) < 4) {
                if open[next] && linked(chart, gait, tile, next, dir) {
                    islands.join(tile, next);
                }
            }
        }
        for tile in 0..chart.len() {
            islands.piece[tile] = islands.root(tile);
        }
        islands
    }

    /// Whether a unit that stands here may be able to walk there. It may stand where none like it
    /// can walk to, on a ship for example.
    pub fn may_reach(&self, chart: &Chart, gait: &Gait, from: Pos, to: Pos) -> bool {
        let (Some(from), Some(to)) = (chart.index(from), chart.index(to)) else { return false };
        let same = |tile: usize| self.piece.get(tile) == self.piece.get(to);
        same(from) || chart.around(from).any(|(dir, t)| same(t) && chart.enters(gait, from, t, dir))
    }

    /// The tile that stands for the piece; halves the way to it for whoever asks next.
    fn root(&mut self, mut tile: usize) -> usize {
        while self.piece[tile] != tile {
            self.piece[tile] = self.piece[self.piece[tile]];
            tile = self.piece[tile];
        }
        tile
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.piece[a.max(b)] = a.min(b);
    }
}

fn linked(chart: &Chart, gait: &Gait, tile: usize, next: usize, dir: Dir) -> bool {
    chart.enters(gait, tile, next, dir) || chart.enters(gait, next, tile, back(dir))
}
