//! Tiles, their neighbours and distances on the map in play.

use saga_core::ids::{Dir, Pos};

use super::World;
use super::model::{MapState, TileIndex, TileState};

/// Bits of the topology: which edges touch.
const WRAP_X: i64 = 1;
const WRAP_Y: i64 = 2;

impl MapState {
    pub(crate) fn wraps_x(&self) -> bool {
        self.topology & WRAP_X != 0
    }

    pub(crate) fn wraps_y(&self) -> bool {
        self.topology & WRAP_Y != 0
    }

    /// The place of a tile number as sent; `None` for "no tile".
    pub(crate) fn pos(&self, tile: i64) -> Option<Pos> {
        let width = i64::from(self.width);
        let inside = width > 0 && (0..width * i64::from(self.height)).contains(&tile);
        inside.then(|| Pos { x: (tile % width) as u16, y: (tile / width) as u16 })
    }

    pub(crate) fn place(&self, tile: TileIndex) -> Pos {
        self.pos(tile.into()).unwrap_or(Pos { x: 0, y: 0 })
    }

    pub(crate) fn index(&self, pos: Pos) -> Option<TileIndex> {
        let inside = pos.x < self.width && pos.y < self.height;
        inside.then(|| u32::from(pos.y) * u32::from(self.width) + u32::from(pos.x))
    }

    /// The neighbour in this direction, if the map goes on there.
    pub(crate) fn step(&self, tile: TileIndex, dir: Dir) -> Option<TileIndex> {
        let width = u32::from(self.width);
        if width == 0 || tile / width >= u32::from(self.height) {
            return None;
        }
        let (dx, dy) = dir.offset();
        let x = shift((tile % width) as u16, dx, self.width, self.wraps_x())?;
        let y = shift((tile / width) as u16, dy, self.height, self.wraps_y())?;
        Some(u32::from(y) * width + u32::from(x))
    }

    /// The neighbours with their directions, in the server's order.
    pub(crate) fn around(&self, tile: TileIndex) -> impl Iterator<Item = (Dir, TileIndex)> + '_ {
        Dir::ALL.into_iter().filter_map(move |dir| Some((dir, self.step(tile, dir)?)))
    }

    /// Steps between two tiles, diagonals counting one.
    pub(crate) fn distance(&self, a: TileIndex, b: TileIndex) -> u32 {
        let (a, b) = (self.place(a), self.place(b));
        let x = apart(a.x, b.x, self.width, self.wraps_x());
        let y = apart(a.y, b.y, self.height, self.wraps_y());
        u32::from(x.max(y))
    }

    /// The tiles within a squared distance of a center, itself included, by row, then column.
    pub(crate) fn within(&self, center: TileIndex, radius_sq: u32) -> Vec<TileIndex> {
        let reach = i32::try_from(radius_sq.isqrt()).unwrap_or(i32::MAX);
        let at = self.place(center);
        let near = |d: i32| (-reach..=reach).filter(move |e| inside(d, *e, radius_sq));
        let column = |dx| shift(at.x, dx, self.width, self.wraps_x());
        let row = |dy| shift(at.y, dy, self.height, self.wraps_y());
        let mut tiles: Vec<TileIndex> = (-reach..=reach)
            .filter_map(|dy| Some((dy, row(dy)?)))
            .flat_map(|(dy, y)| near(dy).filter_map(column).map(move |x| Pos { x, y }))
            .filter_map(|pos| self.index(pos))
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        tiles
    }
}

impl World {
    /// The tile, if it lies on the map; it may be unknown.
    pub(crate) fn tile(&self, tile: TileIndex) -> Option<&TileState> {
        self.map.tiles.get(tile as usize)
    }
}

fn shift(at: u16, by: i32, size: u16, wraps: bool) -> Option<u16> {
    let moved = i32::from(at) + by;
    let moved = if wraps && size > 0 { moved.rem_euclid(size.into()) } else { moved };
    u16::try_from(moved).ok().filter(|moved| *moved < size)
}

fn inside(dx: i32, dy: i32, radius_sq: u32) -> bool {
    i64::from(dx).pow(2) + i64::from(dy).pow(2) <= radius_sq.into()
}

fn apart(a: u16, b: u16, size: u16, wraps: bool) -> u16 {
    let direct = a.abs_diff(b);
    if wraps { direct.min(size.saturating_sub(direct)) } else { direct }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_respect_edges_and_wrapping() {
        let map = MapState { width: 5, height: 4, topology: 1, tiles: Vec::new() };
        let step = |tile, dir| map.step(tile, dir);
        assert_eq!(step(0, Dir::West), Some(4));
        assert_eq!(step(0, Dir::North), None);
        assert_eq!(step(4, Dir::Southeast), Some(5));
        assert_eq!(step(7, Dir::Southwest), Some(11));
        assert_eq!(map.around(0).count(), 5);
        assert_eq!(map.distance(0, 4), 1);
        assert_eq!(map.distance(0, 17), 3);
        assert_eq!(map.within(11, 2), [5, 6, 7, 10, 11, 12, 15, 16, 17]);
        assert_eq!(map.within(0, 1), [0, 1, 4, 5], "across the edge that wraps only");
        assert_eq!(map.within(11, 5).len(), 18, "the map ends in the south");
        assert_eq!(map.pos(-1), None);
        assert_eq!(map.pos(20), None);
        assert_eq!(map.index(Pos { x: 5, y: 0 }), None);
    }
}
