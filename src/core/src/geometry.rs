//! Places on a map that may wrap: how far apart, and what lies beside.

use crate::ids::{Dir, Pos};
use crate::observation::Map;

/// Columns and rows between two places, each the shorter way round where the map wraps.
pub fn apart(map: &Map, a: Pos, b: Pos) -> (u32, u32) {
    let axis = |p: u16, q: u16, size: u16, wraps: bool| {
        let d = u32::from(p.abs_diff(q));
        if wraps { d.min(u32::from(size).saturating_sub(d)) } else { d }
    };
    (axis(a.x, b.x, map.width, map.wrap_x), axis(a.y, b.y, map.height, map.wrap_y))
}

/// Distance in tiles, a king's move at a time.
pub fn distance(map: &Map, a: Pos, b: Pos) -> u32 {
    let (columns, rows) = apart(map, a, b);
    columns.max(rows)
}

/// The place so many columns and rows away, or nothing beyond an edge.
pub fn shifted(map: &Map, from: Pos, columns: i32, rows: i32) -> Option<Pos> {
    let axis = |v: u16, d: i32, size: u16, wraps: bool| {
        let v = i32::from(v).checked_add(d)?;
        let size = i32::from(size);
        let v = if wraps { v.checked_rem_euclid(size)? } else { v };
        u16::try_from(v).ok().filter(|v| i32::from(*v) < size)
    };
    let x = axis(from.x, columns, map.width, map.wrap_x)?;
    let y = axis(from.y, rows, map.height, map.wrap_y)?;
    Some(Pos { x, y })
}

/// The neighbour of a tile, or nothing beyond an edge.
pub fn step(map: &Map, from: Pos, dir: Dir) -> Option<Pos> {
    let (columns, rows) = dir.offset();
    shifted(map, from, columns, rows)
}

/// The neighbour of a tile numbered by row, then column, on a map of so many columns and rows
/// whose edges touch or not.
pub fn step_index(
    tile: usize,
    dir: Dir,
    (width, height): (u16, u16),
    (wrap_x, wrap_y): (bool, bool),
) -> Option<usize> {
    let (width, height) = (usize::from(width), usize::from(height));
    let (x, y) = (tile.checked_rem(width)?, tile / width);
    let axis = |v: usize, d: i32, size: usize, wraps: bool| match d {
        0 => Some(v),
        1 if v + 1 < size => Some(v + 1),
        1 => wraps.then_some(0),
        _ if v > 0 => Some(v - 1),
        _ => wraps.then_some(size - 1),
    };
    let (dx, dy) = dir.offset();
    let y = axis(y, dy, height, wrap_y)?;
    Some(y * width + axis(x, dx, width, wrap_x)?)
}

/// North, west, east and south.
pub fn is_cardinal(dir: Dir) -> bool {
    let (columns, rows) = dir.offset();
    columns == 0 || rows == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_that_wraps_is_shorter_across_its_edge() {
        let mut map = Map { width: 10, height: 6, wrap_x: true, wrap_y: false, tiles: Vec::new() };
        let at = |x, y| Pos { x, y };
        assert_eq!(distance(&map, at(0, 0), at(9, 0)), 1);
        assert_eq!(distance(&map, at(0, 0), at(0, 5)), 5);
        assert_eq!(step(&map, at(0, 3), Dir::West), Some(at(9, 3)));
        assert_eq!(step(&map, at(0, 0), Dir::North), None);
        assert_eq!(shifted(&map, at(9, 5), 2, 1), None);
        let number = |tile, dir| step_index(tile, dir, (10, 6), (true, false));
        assert_eq!(number(30, Dir::West), Some(39));
        assert_eq!(number(0, Dir::North), None);
        assert_eq!(number(59, Dir::Northeast), Some(40));
        assert_eq!(number(59, Dir::South), None);
        map.width = 0;
        assert_eq!(step(&map, at(0, 3), Dir::West), None, "a map that is none has no neighbours");
    }
}
