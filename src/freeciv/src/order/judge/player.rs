//! Whether our player did what it was told, alone or toward another one.

use saga_core::action::Action;
use saga_core::ids::PlayerId;

use super::Before;
use crate::menu::Board;
use crate::world::World;
use crate::world::model::SpaceshipStage;

/// Whether our player is as the action would have it.
pub(super) fn did(action: &Action, world: &World) -> bool {
    let Some(me) = world.me() else { return false };
    let research = world.my_research();
    match action {
        Action::Research { advance } => research.is_some_and(|r| {
            let letter = r.inventions.as_bytes().get(usize::from(advance.0));
            r.now == i64::from(advance.0) || letter == Some(&b'2')
        }),
        Action::ResearchGoal { advance } => {
            research.is_some_and(|r| r.goal == i64::from(advance.0))
        }
        Action::Revolution { government } => {
            let wanted = i64::from(government.0);
            me.target_government == wanted || me.government == wanted
        }
        Action::Rates(rates) => me.rates == *rates,
        Action::AssembleSpaceship => Board::new(world).is_some_and(|b| b.places().is_empty()),
        Action::LaunchSpaceship => Board::new(world)
            .is_some_and(|b| b.spaceship().is_some_and(|s| s.stage == SpaceshipStage::Launched)),
        _ => false,
    }
}

impl Before {
    /// Whether things between us stand as the action would have them.
    pub(super) fn did_toward(&self, other: PlayerId, action: &Action, world: &World) -> bool {
        let parted = !world.meetings.contains_key(&other);
        match action {
            Action::AcceptTreaty { .. } => {
                parted && self.treaty.as_ref().is_some_and(|pledge| pledge.kept(world))
            }
            Action::RejectTreaty { .. } => parted,
            Action::CancelPact { .. } => world.pact(other).kind != self.pact,
            Action::WithdrawVision { .. } => {
                world.me().is_some_and(|me| !me.shows.contains(&other.0))
            }
            _ => false,
        }
    }
}
