//! Whether a requirement of the ruleset holds for our player here and now. What our seat cannot
//! know counts as not fulfilled, so that nothing is offered on a guess.

use saga_core::geometry::is_cardinal;
use saga_core::ids::{BuildingId, ExtraId, UnitTypeId};
use saga_core::rules::{Genus, Requirement, Rules};

use crate::world::World;
use crate::world::model::{
    CityState, TileIndex, TileState, UnitState, WONDER_DESTROYED, WONDER_FREE,
};

/// Requirement kinds, in the protocol's numbering.
mod kind {
    pub(super) const NONE: u8 = 0;
    pub(super) const ADVANCE: u8 = 1;
    pub(super) const GOVERNMENT: u8 = 2;
    pub(super) const BUILDING: u8 = 3;
    pub(super) const TERRAIN: u8 = 4;
    pub(super) const NATION: u8 = 5;
    pub(super) const UNIT_TYPE: u8 = 6;
    pub(super) const UNIT_CLASS_FLAG: u8 = 9;
    pub(super) const OUTPUT: u8 = 10;
    pub(super) const SPECIALIST: u8 = 11;
    pub(super) const SIZE_MIN: u8 = 12;
    pub(super) const AI_LEVEL: u8 = 13;
    pub(super) const TERRAIN_CLASS: u8 = 14;
    pub(super) const YEAR_MIN: u8 = 15;
    pub(super) const TERRAIN_ALTER: u8 = 16;
    pub(super) const CITY_TILE: u8 = 17;
    pub(super) const TERRAIN_FLAG: u8 = 19;
    pub(super) const BASE_FLAG: u8 = 21;
    pub(super) const ROAD_FLAG: u8 = 22;
    pub(super) const EXTRA: u8 = 23;
    pub(super) const ADVANCE_FLAG: u8 = 24;
    pub(super) const TILE_UNITS_MAX: u8 = 27;
    pub(super) const CULTURE_MIN: u8 = 29;
    pub(super) const MOVES_MIN: u8 = 31;
    pub(super) const VETERAN_MIN: u8 = 32;
    pub(super) const HP_MIN: u8 = 33;
    pub(super) const AGE: u8 = 34;
    pub(super) const NATION_GROUP: u8 = 35;
    pub(super) const TOPOLOGY: u8 = 36;
    pub(super) const GENUS: u8 = 37;
    pub(super) const ACTION: u8 = 38;
    pub(super) const ADVANCES_MIN: u8 = 39;
    pub(super) const EXTRA_FLAG: u8 = 40;
    pub(super) const FRAGMENT_MIN: u8 = 41;
}

/// Requirement ranges, in the protocol's numbering.
mod range {
    pub(super) const LOCAL: u8 = 0;
    pub(super) const CARDINAL: u8 = 1;
    pub(super) const ADJACENT: u8 = 2;
    pub(super) const CITY: u8 = 3;
    pub(super) const CONTINENT: u8 = 5;
    pub(super) const PLAYER: u8 = 6;
    pub(super) const TEAM: u8 = 7;
    pub(super) const WORLD: u8 = 9;
}

/// What a requirement is asked about, beside our player.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct About<'a> {
    pub(crate) city: Option<&'a CityState>,
    pub(crate) tile: Option<TileIndex>,
    pub(crate) unit_type: Option<UnitTypeId>,
    pub(crate) unit: Option<&'a UnitState>,
    pub(crate) building: Option<BuildingId>,
    pub(crate) action: Option<u8>,
}

/// Judges requirements against the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) world: &'a World,
    pub(crate) rules: &'a Rules,
}

impl Judge<'_> {
    /// Whether all of them hold.
    pub(crate) fn all(&self, reqs: &[Requirement], about: About<'_>) -> bool {
        reqs.iter().all(|req| self.holds(*req, about))
    }

    /// The sum of all effects of a kind whose requirements hold.
    pub(crate) fn effect(&self, kind: u8, about: About<'_>) -> i32 {
        let active = |e: &&saga_core::rules::Effect| e.kind == kind && self.all(&e.reqs, about);
        let values = self.rules.effects.iter().filter(active).map(|e| e.value);
        values.fold(0, i32::saturating_add)
    }

    /// Whether it holds; what is unknown does not, whichever way it is asked.
    pub(crate) fn holds(&self, req: Requirement, about: About<'_>) -> bool {
        self.present(req, about).is_some_and(|there| there == req.present)
    }

    /// Whether what it asks about is there; `None` when that cannot be known.
    fn present(&self, req: Requirement, about: About<'_>) -> Option<bool> {
        match req.kind {
            kind::NONE => Some(true),
            kind::ADVANCE | kind::ADVANCE_FLAG | kind::ADVANCES_MIN => self.learned(req),
            kind::BUILDING => self.building(req, about),
            kind::UNIT_TYPE..=kind::UNIT_CLASS_FLAG => {
                let unit = self.rules.unit_type(about.unit_type?)?;
                let asked = Requirement { present: true, ..req };
                self.rules.type_meets(&asked, unit)
            }
            kind::TERRAIN
            | kind::TERRAIN_CLASS
            | kind::TERRAIN_ALTER
            | kind::TERRAIN_FLAG
            | kind::CITY_TILE
            | kind::BASE_FLAG
            | kind::ROAD_FLAG
            | kind::EXTRA
            | kind::EXTRA_FLAG => self.near(req, about),
            _ => self.other(req, about),
        }
    }

    fn learned(&self, req: Requirement) -> Option<bool> {
        let value = usize::try_from(req.value).ok()?;
        let known =
            |id: usize| Some(self.world.my_research()?.inventions.as_bytes().get(id)? == &b'2');
        match (req.kind, req.range) {
            (kind::ADVANCE, range::WORLD) => Some(*self.world.game.known_anywhere.get(value)? != 0),
            (kind::ADVANCE, range::LOCAL | range::PLAYER | range::TEAM) => known(value),
            (kind::ADVANCES_MIN, range::WORLD) => {
                Some(self.world.game.advances_anywhere >= req.value.into())
            }
            (kind::ADVANCES_MIN, range::PLAYER | range::TEAM) => {
                Some(i64::from(self.world.my_research()?.known) >= req.value.into())
            }
            (kind::ADVANCE_FLAG, range::LOCAL | range::PLAYER | range::TEAM) => {
                let flagged = (0..)
                    .zip(&self.rules.advances)
                    .filter(|(_, a)| a.flags.iter().any(|flag| usize::from(*flag) == value));
                Some(flagged.map(|(id, _)| id).any(|id| known(id) == Some(true)))
            }
            _ => self.unjudged(),
        }
    }

    fn building(&self, req: Requirement, about: About<'_>) -> Option<bool> {
        let id = BuildingId(u16::try_from(req.value).ok()?);
        if !req.survives && self.obsolete(id, about) {
            return Some(false);
        }
        match req.range {
            range::LOCAL => Some(about.building == Some(id)),
            range::CITY => Some(about.city?.buildings.contains(&id)),
            range::CONTINENT => {
                let here = self.world.tile(about.tile?)?.continent;
                let there = |c: &&CityState| {
                    self.world.tile(c.tile).is_some_and(|tile| tile.continent == here)
                };
                Some(self.own_cities().filter(there).any(|c| c.buildings.contains(&id)))
            }
            range::PLAYER | range::TEAM => {
                Some(self.own_cities().any(|c| c.buildings.contains(&id)))
            }
            range::WORLD => {
                let owner = *self.world.game.wonder_owners.get(usize::from(id.0))?;
                let built = owner != WONDER_FREE && (owner != WONDER_DESTROYED || req.survives);
                Some(built)
            }
            _ => self.unjudged(),
        }
    }

    /// Whether a building has lost its use for us.
    pub(crate) fn obsolete(&self, id: BuildingId, about: About<'_>) -> bool {
        let Some(building) = self.rules.building(id) else { return false };
        building.obsolete_by.iter().any(|req| self.holds(*req, about))
    }

    pub(crate) fn own_cities(&self) -> impl Iterator<Item = &CityState> {
        self.world.cities.values().filter(|c| self.world.is_ours(c.owner))
    }

    /// What is asked of a tile or of one of its neighbours; the tile itself always counts.
    fn near(&self, req: Requirement, about: About<'_>) -> Option<bool> {
        let here = about.tile?;
        let center = self.world.tile(here)?;
        match req.range {
            range::LOCAL => return Some(self.on_tile(req, here, center)),
            range::CARDINAL | range::ADJACENT => {}
            _ => return self.unjudged(),
        }
        let neighbours = self.world.map.around(here);
        let near = neighbours
            .filter(|(dir, _)| req.range == range::ADJACENT || is_cardinal(*dir))
            .filter_map(|(_, tile)| Some((tile, self.world.tile(tile)?)))
            .any(|(tile, state)| self.on_tile(req, tile, state));
        Some(near || self.on_tile(req, here, center))
    }

    fn on_tile(&self, req: Requirement, at: TileIndex, tile: &TileState) -> bool {
        let terrain = || self.rules.terrains.get(usize::from(tile.terrain?));
        let id = u16::try_from(req.value).ok();
        let flag = |flags: &[u8]| flags.iter().any(|f| i32::from(*f) == req.value);
        let extras = || tile.extras.iter().filter_map(|e| self.rules.extra(*e));
        match req.kind {
            kind::TERRAIN => id.is_some() && tile.terrain == id,
            kind::TERRAIN_CLASS => terrain().is_some_and(|t| i32::from(t.class) == req.value),
            kind::TERRAIN_FLAG => terrain().is_some_and(|t| flag(&t.flags)),
            kind::TERRAIN_ALTER => terrain().is_some_and(|t| {
                let stays =
                    |result: Option<saga_core::ids::TerrainId>| result.map(|r| r.0) == tile.terrain;
                match req.value {
                    0 => stays(t.irrigation_result),
                    1 => stays(t.mining_result),
                    _ => t.road_time > 0,
                }
            }),
            kind::CITY_TILE => match req.value {
                0 => self.world.cities.values().any(|c| c.tile == at),
                1 => tile.owner.is_some(),
                _ => false,
            },
            kind::BASE_FLAG => extras().any(|e| e.base.as_ref().is_some_and(|b| flag(&b.flags))),
            kind::ROAD_FLAG => extras().any(|e| e.road.as_ref().is_some_and(|r| flag(&r.flags))),
            kind::EXTRA => id.is_some_and(|id| tile.extras.contains(&ExtraId(id))),
            _ => extras().any(|e| flag(&e.flags)),
        }
    }

    fn other(&self, req: Requirement, about: About<'_>) -> Option<bool> {
        let value = i64::from(req.value);
        let game = &self.world.game;
        match (req.kind, req.range) {
            (kind::GOVERNMENT, _) => Some(self.world.me()?.government == value),
            (kind::NATION, range::WORLD) => {
                Some(self.world.players.values().any(|p| p.nation == value))
            }
            (kind::NATION, _) => Some(self.world.me()?.nation == value),
            (kind::NATION_GROUP, range::LOCAL | range::PLAYER) => {
                let groups = self.world.nation_groups(self.world.me()?.nation);
                Some(groups.iter().any(|group| i64::from(*group) == value))
            }
            // Nobody asks about a kind of output or a specialist: such effects do not count.
            (kind::OUTPUT | kind::SPECIALIST, _) => None,
            (kind::SIZE_MIN, range::LOCAL | range::CITY) => {
                Some(i64::from(about.city?.size) >= value)
            }
            // We are played through a client, whatever plays behind it.
            (kind::AI_LEVEL, range::PLAYER) => Some(false),
            (kind::YEAR_MIN, _) => Some(i64::from(game.year) >= value),
            (kind::FRAGMENT_MIN, _) => Some(game.fragments >= value),
            (kind::TOPOLOGY, _) => Some(self.world.map.topology >> value.clamp(0, 62) & 1 == 1),
            (kind::TILE_UNITS_MAX, range::LOCAL) => {
                let at = about.tile?;
                let count = self.world.units.values().filter(|u| u.tile == at).count();
                Some(i64::try_from(count).ok()? <= value)
            }
            (kind::CULTURE_MIN, range::CITY) => {
                Some(i64::from(about.city?.inside.as_ref()?.culture) >= value)
            }
            (kind::CULTURE_MIN, range::PLAYER) => {
                Some(i64::from(self.world.me()?.culture) >= value)
            }
            (kind::MOVES_MIN, _) => Some(i64::from(about.unit?.moves) >= value),
            (kind::VETERAN_MIN, _) => Some(i64::from(about.unit?.veteran) >= value),
            (kind::HP_MIN, _) => Some(i64::from(about.unit?.hp) >= value),
            (kind::AGE, range::CITY) => {
                let founded = i64::from(about.city?.inside.as_ref()?.turn_founded);
                Some(i64::from(game.turn) - founded >= value)
            }
            (kind::AGE, range::PLAYER) => Some(self.world.me()?.turns_alive >= value),
            (kind::GENUS, range::LOCAL) => {
                let genus = self.rules.building(about.building?)?.genus;
                Some(genus_number(genus) == value)
            }
            (kind::ACTION, _) => Some(i64::from(about.action?) == value),
            _ => self.unjudged(),
        }
    }

    fn unjudged(&self) -> Option<bool> {
        self.world.count_unjudged();
        None
    }
}

fn genus_number(genus: Genus) -> i64 {
    match genus {
        Genus::GreatWonder => 0,
        Genus::SmallWonder => 1,
        Genus::Improvement => 2,
        Genus::Special => 3,
    }
}
