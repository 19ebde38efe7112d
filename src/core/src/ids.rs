//! Identifiers and places, so that a city can never be passed where a unit is meant. All are plain
//! numbers on the wire and in the trace.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $repr);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// A unit of any player. Units and cities share one pool of numbers; a number may be reused.
    UnitId(u32);
    /// A city of any player.
    CityId(u32);
    /// A player's seat number as the server assigns it.
    PlayerId(u16);
    /// Index into [`Rules::unit_types`](crate::rules::Rules::unit_types).
    UnitTypeId(u16);
    /// Index into [`Rules::buildings`](crate::rules::Rules::buildings).
    BuildingId(u16);
    /// The server's number of an advance; numbering starts at 1.
    AdvanceId(u16);
    /// Index into [`Rules::governments`](crate::rules::Rules::governments).
    GovernmentId(u16);
    /// Index into [`Rules::terrains`](crate::rules::Rules::terrains).
    TerrainId(u16);
    /// Index into [`Rules::extras`](crate::rules::Rules::extras).
    ExtraId(u16);
    /// Index into [`Rules::specialists`](crate::rules::Rules::specialists).
    SpecialistId(u16);
}

/// A place on the map: column and row, counted from the north-west corner. `[x, y]` in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(u16, u16)", into = "(u16, u16)")]
pub struct Pos {
    /// Column, growing eastward.
    pub x: u16,
    /// Row, growing southward.
    pub y: u16,
}

impl From<(u16, u16)> for Pos {
    fn from((x, y): (u16, u16)) -> Self {
        Self { x, y }
    }
}

impl From<Pos> for (u16, u16) {
    fn from(p: Pos) -> Self {
        (p.x, p.y)
    }
}

impl std::fmt::Display for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// One of the eight neighbours of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Dir {
    Northwest,
    North,
    Northeast,
    West,
    East,
    Southwest,
    South,
    Southeast,
}

impl Dir {
    /// All eight, in the server's numbering (0 north-west … 7 south-east).
    pub const ALL: [Dir; 8] = [
        Dir::Northwest,
        Dir::North,
        Dir::Northeast,
        Dir::West,
        Dir::East,
        Dir::Southwest,
        Dir::South,
        Dir::Southeast,
    ];

    /// Column and row offset of the neighbour.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Dir::Northwest => (-1, -1),
            Dir::North => (0, -1),
            Dir::Northeast => (1, -1),
            Dir::West => (-1, 0),
            Dir::East => (1, 0),
            Dir::Southwest => (-1, 1),
            Dir::South => (0, 1),
            Dir::Southeast => (1, 1),
        }
    }

    /// The English word, lower case.
    pub const fn word(self) -> &'static str {
        match self {
            Dir::Northwest => "northwest",
            Dir::North => "north",
            Dir::Northeast => "northeast",
            Dir::West => "west",
            Dir::East => "east",
            Dir::Southwest => "southwest",
            Dir::South => "south",
            Dir::Southeast => "southeast",
        }
    }
}
