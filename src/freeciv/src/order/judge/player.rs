//! Whether our player did what it was told, alone or toward another one.

use saga_core::action::Action;
use saga_core::ids::PlayerId;

use crate::world::World;

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
        _ => false,
    }
}

/// Whether things between us stand as the action would have them.
pub(super) fn did_toward(other: PlayerId, action: &Action, world: &World) -> bool {
    match action {
        Action::AcceptTreaty { .. } | Action::RejectTreaty { .. } => {
            !world.meetings.contains_key(&other)
        }
        _ => false,
    }
}
