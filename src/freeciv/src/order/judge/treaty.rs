//! Whether a treaty came into force: a meeting also ends when a clause could no longer be kept, so
//! the treaty's own effects are looked for.

use saga_core::action::{Clause, ClauseKind};
use saga_core::ids::{AdvanceId, PlayerId};
use saga_core::observation::Stance;

use crate::menu::Board;
use crate::world::World;
use crate::world::codes;

/// Clauses whose effect can be seen, and what we had before.
#[derive(Debug)]
pub(in crate::order) struct Pledge {
    with: PlayerId,
    clauses: Vec<Clause>,
    gold: u32,
}

impl Pledge {
    /// Keeps those of the clauses that are not in force yet.
    pub(in crate::order) fn of(with: PlayerId, clauses: &[Clause], world: &World) -> Self {
        let mut pledge = Self { with, clauses: Vec::new(), gold: gold(world) };
        let open = |c: &&Clause| pledge.in_force(**c, world) == Some(false);
        pledge.clauses = clauses.iter().filter(open).copied().collect();
        pledge
    }

    /// Whether any of them is in force now: all are or none. Maps leave no sure trace: of a treaty
    /// that has nothing else to be seen, the end of its meeting must do.
    pub(in crate::order) fn kept(&self, world: &World) -> bool {
        let kept = |c: &Clause| self.in_force(*c, world) == Some(true);
        self.clauses.is_empty() || self.clauses.iter().any(kept)
    }

    /// `None` when our seat cannot tell.
    fn in_force(&self, clause: Clause, world: &World) -> Option<bool> {
        let ours = world.is_ours(clause.giver);
        let stance = codes::stance(world.pact(self.with).kind);
        let them = world.players.get(&self.with)?;
        let me = world.me()?;
        Some(match clause.kind {
            ClauseKind::CeaseFire => stance == Stance::CeaseFire,
            ClauseKind::Peace => matches!(stance, Stance::Armistice | Stance::Peace),
            ClauseKind::Alliance => stance == Stance::Alliance,
            ClauseKind::Embassy if ours => them.embassies.contains(&world.seat()?.0),
            ClauseKind::Embassy => me.embassies.contains(&self.with.0),
            ClauseKind::SharedVision if ours => me.shows.contains(&self.with.0),
            ClauseKind::SharedVision => them.shows.contains(&world.seat()?.0),
            ClauseKind::Gold if clause.value == 0 => return None,
            ClauseKind::Gold if ours => me.gold < self.gold,
            ClauseKind::Gold => me.gold > self.gold,
            ClauseKind::Advance => {
                let advance = AdvanceId(u16::try_from(clause.value).ok()?);
                let board = Board::new(world)?;
                if ours { board.known_to(self.with, advance)? } else { board.known_to_us(advance) }
            }
            _ => return None,
        })
    }
}

fn gold(world: &World) -> u32 {
    world.me().map_or(0, |me| me.gold)
}
