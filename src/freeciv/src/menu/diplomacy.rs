//! What we may do toward another player: propose a whole treaty, or answer the one on the table.

use saga_core::action::{Action, Clause, ClauseKind};
use saga_core::ids::PlayerId;
use saga_core::observation::Stance;

use super::Board;
use crate::rules::About;

/// Effect: an embassy with everybody.
const HAVE_EMBASSIES: u8 = 17;

impl Board<'_> {
    /// Everything we may do toward this player.
    pub(crate) fn toward(&self, other: PlayerId) -> Vec<Action> {
        if !self.may_meet(other) {
            return Vec::new();
        }
        if let Some(meeting) = self.world.meetings.get(&other) {
            let accept = meeting.accepted_by_them && !meeting.clauses.is_empty();
            let accept = accept.then_some(Action::AcceptTreaty { with: other });
            return accept.into_iter().chain([Action::RejectTreaty { with: other }]).collect();
        }
        self.proposals(other)
    }

    /// Alive, no barbarian, and met lately or bound by an embassy.
    fn may_meet(&self, other: PlayerId) -> bool {
        let Some(them) = self.world.players.get(&other).filter(|_| !self.world.is_ours(other))
        else {
            return false;
        };
        let theirs = self.world.seat().is_some_and(|seat| them.embassies.contains(&seat.0));
        them.alive
            && them.barbarian == 0
            && self.world.alive()
            && (self.world.pact(other).contact_turns_left > 0
                || self.has_embassy_with(other)
                || theirs)
    }

    fn proposals(&self, other: PlayerId) -> Vec<Action> {
        let Some(seat) = self.world.seat() else { return Vec::new() };
        let both = |kind| vec![Clause { giver: seat, kind, value: 0 }];
        let mut treaties = Vec::new();
        match self.stance(other) {
            Stance::War => {
                treaties.push(both(ClauseKind::CeaseFire));
                treaties.push(both(ClauseKind::Peace));
            }
            Stance::CeaseFire => treaties.push(both(ClauseKind::Peace)),
            _ => {}
        }
        treaties.extend(self.embassy_exchange(seat, other));
        treaties.into_iter().map(|clauses| Action::Propose { to: other, clauses }).collect()
    }

    /// Both open an embassy, or only they when ours is there already; nothing when we have one.
    fn embassy_exchange(&self, seat: PlayerId, other: PlayerId) -> Option<Vec<Clause>> {
        let ours = self.world.me()?.embassies.contains(&other.0);
        let theirs = self.world.players.get(&other)?.embassies.contains(&seat.0);
        let embassy = |giver| Clause { giver, kind: ClauseKind::Embassy, value: 0 };
        if ours {
            return None;
        }
        let given = (!theirs).then(|| embassy(seat));
        Some(given.into_iter().chain([embassy(other)]).collect())
    }

    pub(super) fn has_embassy_with(&self, other: PlayerId) -> bool {
        self.world.me().is_some_and(|me| me.embassies.contains(&other.0))
            || self.judge.effect(HAVE_EMBASSIES, About::default()) > 0
    }
}
