//! Which unit actions the ruleset's enablers leave open to a unit of ours, as far as we can tell
//! without asking the server: the sieve before our questions, and the whole answer for what
//! concerns only ourselves.

use saga_core::ids::PlayerId;
use saga_core::rules::{Enabler, Requirement, UnitType};

use super::Board;
use crate::world::codes;
use crate::world::model::UnitState;

/// Requirement kinds that only enablers use, or that are judged otherwise here.
const CITY_TILE: u8 = 17;
const EXTRA: u8 = 23;
const RELATION: u8 = 26;
const UNIT_STATE: u8 = 30;
const MOVES_MIN: u8 = 31;
const EXTRA_FLAG: u8 = 40;
/// Relation beyond the pacts: somebody else.
const FOREIGN: i32 = 15;
/// Highest number of a relation that is a pact.
const PACT_MAX: i32 = 6;
/// States of a unit.
const TRANSPORTED: i32 = 0;
const TRANSPORTING: i32 = 3;
const HAS_HOME: i32 = 4;

impl Board<'_> {
    /// Whether an enabler of this action may hold for this unit toward somebody; with nobody named,
    /// relations are left open.
    pub(super) fn enabled(&self, action: u8, unit: &UnitState, toward: Option<PlayerId>) -> bool {
        let Some(kind) = self.unit_type(unit) else { return false };
        let holds = |r: &Requirement| self.holds_for(*r, unit, kind, toward).unwrap_or(true);
        let open = |e: &&Enabler| e.action == action && e.actor_reqs.iter().all(holds);
        self.rules.enablers.iter().find(open).is_some()
    }

    /// `None` when only the server can tell.
    fn holds_for(
        &self,
        req: Requirement,
        unit: &UnitState,
        kind: &UnitType,
        toward: Option<PlayerId>,
    ) -> Option<bool> {
        let there = match req.kind {
            MOVES_MIN => i64::from(unit.moves) >= i64::from(req.value),
            UNIT_STATE => match req.value {
                TRANSPORTED => unit.aboard.is_some(),
                TRANSPORTING => self.units_on(unit.tile).iter().any(|u| u.aboard == Some(unit.id)),
                HAS_HOME => unit.home.is_some(),
                _ => return None,
            },
            RELATION => self.related(req.value, toward?)?,
            CITY_TILE | EXTRA | EXTRA_FLAG => {
                return Some(self.judge.holds(req, Self::about_unit_on_tile(unit)));
            }
            _ => return self.rules.type_meets(&req, kind),
        };
        Some(there == req.present)
    }

    fn related(&self, relation: i32, other: PlayerId) -> Option<bool> {
        let ours = self.world.is_ours(other);
        match relation {
            FOREIGN => Some(!ours),
            // The server knows no pact of a player with itself.
            0..=PACT_MAX if ours => Some(false),
            0..=PACT_MAX => {
                let pact = self.world.pact(other).kind;
                Some(codes::stance(pact) == codes::stance(u8::try_from(relation).ok()?))
            }
            _ => None,
        }
    }
}
