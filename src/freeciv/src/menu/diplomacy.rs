//! What we may do toward another player: propose a whole treaty, answer the one on the table, step
//! a pact down, or stop showing them what we see.

use saga_core::action::{Action, Clause, ClauseKind};
use saga_core::ids::{AdvanceId, PlayerId};
use saga_core::observation::Stance;

use super::Board;
use super::player::KNOWN;
use crate::rules::About;
use crate::world::model::PlayerState;

/// Effects: freedom to choose any government, an embassy with everybody, a senate that guards
/// pacts.
const ANY_GOVERNMENT: u8 = 2;
const HAVE_EMBASSIES: u8 = 17;
const HAS_SENATE: u8 = 62;

impl Board<'_> {
    /// Everything we may do toward this player.
    pub(crate) fn toward(&self, other: PlayerId) -> Vec<Action> {
        let Some(them) = self.other(other) else { return Vec::new() };
        let mut menu = Vec::new();
        if self.may_meet(other, them) {
            if self.world.meetings.contains_key(&other) {
                let accept = self.may_accept(other).then_some(Action::AcceptTreaty { with: other });
                menu.extend(accept);
                menu.push(Action::RejectTreaty { with: other });
            } else {
                menu = self.proposals(other, them);
            }
        }
        if self.may_cancel(other) {
            menu.push(Action::CancelPact { with: other });
        }
        if self.shows_to(other) {
            menu.push(Action::WithdrawVision { from: other });
        }
        menu
    }

    /// Somebody else who lives, while we do.
    fn other(&self, other: PlayerId) -> Option<&PlayerState> {
        let them = self.world.players.get(&other).filter(|_| !self.world.is_ours(other))?;
        (them.alive && self.world.alive()).then_some(them)
    }

    /// No barbarian, allowed to talk by the game's setting, and met lately or bound by an embassy.
    fn may_meet(&self, other: PlayerId, them: &PlayerState) -> bool {
        them.barbarian == 0
            && self.may_talk(them)
            && (self.world.pact(other).contact_turns_left > 0
                || self.has_embassy_with(other)
                || self.embassy_of(them))
    }

    /// Whether the setting lets a human, as which we count, talk to them.
    fn may_talk(&self, them: &PlayerState) -> bool {
        match self.world.game.diplomacy {
            FOR_ALL | WITH_A_HUMAN => true,
            HUMANS | NOT_MIXED => !them.ai,
            TEAMS => self.world.me().is_some_and(|me| me.team == them.team),
            _ => false,
        }
    }

    /// Any pact but war and a team may be stepped down, unless a senate guards it.
    fn may_cancel(&self, other: PlayerId) -> bool {
        let pact = matches!(
            self.stance(other),
            Stance::CeaseFire | Stance::Armistice | Stance::Peace | Stance::Alliance
        );
        pact && (self.world.pact(other).reason_to_cancel
            || self.judge.effect(HAS_SENATE, About::default()) <= 0
            || self.judge.effect(ANY_GOVERNMENT, About::default()) > 0)
    }

    /// They accepted the treaty as it stands, and we can keep our part of it.
    fn may_accept(&self, other: PlayerId) -> bool {
        let Some(meeting) = self.world.meetings.get(&other) else { return false };
        let keeps = |clause: &Clause| match clause.kind {
            ClauseKind::CeaseFire | ClauseKind::Peace | ClauseKind::Alliance => {
                self.may_agree(other, clause.kind)
            }
            _ => !self.world.is_ours(clause.giver) || self.may_give(other, *clause),
        };
        meeting.accepted_by_them && !meeting.clauses.is_empty() && meeting.clauses.iter().all(keeps)
    }

    /// Whether the server lets the two of us step from the present pact to this one.
    pub(super) fn may_agree(&self, other: PlayerId, pact: ClauseKind) -> bool {
        let now = self.stance(other);
        match pact {
            ClauseKind::CeaseFire => now == Stance::War,
            ClauseKind::Peace => matches!(now, Stance::War | Stance::CeaseFire),
            ClauseKind::Alliance => {
                !matches!(now, Stance::Alliance | Stance::Team) && self.no_ally_at_war(other)
            }
            _ => false,
        }
    }

    /// Nobody may ally with somebody whose ally it fights. What we were not told counts as such a
    /// fight: only an embassy shows how others stand to each other.
    fn no_ally_at_war(&self, other: PlayerId) -> bool {
        let third = self.world.players.iter().filter(|(id, p)| {
            **id != other && !self.world.is_ours(**id) && p.alive && p.barbarian == 0
        });
        let embassy = self.has_embassy_with(other);
        third.map(|(id, _)| *id).all(|third| {
            let ours = self.stance(third);
            let told = embassy || self.has_embassy_with(third);
            let theirs = crate::world::codes::stance(self.world.pact_of(other, third).kind);
            let fought_ally = ours == Stance::War && (!told || theirs == Stance::Alliance);
            let fights_ally = ours == Stance::Alliance && (!told || theirs == Stance::War);
            !fought_ally && !fights_ally
        })
    }

    /// Whether we have what we would give, and they could take it.
    fn may_give(&self, other: PlayerId, clause: Clause) -> bool {
        let Some(them) = self.world.players.get(&other) else { return false };
        match clause.kind {
            ClauseKind::Gold => self.world.me().is_some_and(|me| me.gold >= clause.value),
            ClauseKind::Advance => u16::try_from(clause.value).is_ok_and(|id| {
                let advance = AdvanceId(id);
                let known_there = self.letter_of(other, advance);
                self.state_of(advance) == Some(KNOWN)
                    && known_there.is_none_or(|letter| self.may_receive(letter))
            }),
            ClauseKind::Embassy => !self.embassy_of(them),
            ClauseKind::SharedVision => !self.shows_to(other),
            _ => true,
        }
    }

    /// Whether somebody for whom an advance has this letter may be given it.
    pub(super) fn may_receive(&self, letter: u8) -> bool {
        if self.world.game.advance_trade_holes { letter != KNOWN } else { letter == CAN_BEGIN }
    }

    /// The letter that tells how an advance stands with somebody else; an embassy shows it.
    pub(super) fn letter_of(&self, other: PlayerId, advance: AdvanceId) -> Option<u8> {
        let research = self.world.research_of(other).filter(|_| self.has_embassy_with(other))?;
        research.inventions.as_bytes().get(usize::from(advance.0)).copied()
    }

    /// Whether somebody else knows an advance, if we are told.
    pub(crate) fn known_to(&self, other: PlayerId, advance: AdvanceId) -> Option<bool> {
        self.letter_of(other, advance).map(|letter| letter == KNOWN)
    }

    /// Whether we know an advance.
    pub(crate) fn known_to_us(&self, advance: AdvanceId) -> bool {
        self.state_of(advance) == Some(KNOWN)
    }

    /// Whether they have an embassy with us that was given or built.
    pub(super) fn embassy_of(&self, them: &PlayerState) -> bool {
        self.world.seat().is_some_and(|seat| them.embassies.contains(&seat.0))
    }

    /// Whether we show them what we see.
    pub(crate) fn shows_to(&self, other: PlayerId) -> bool {
        self.world.me().is_some_and(|me| me.shows.contains(&other.0))
    }

    /// Whether they show us what they see.
    pub(crate) fn shown_by(&self, other: PlayerId) -> bool {
        let them = self.world.players.get(&other).zip(self.world.seat());
        them.is_some_and(|(them, seat)| them.shows.contains(&seat.0))
    }

    pub(super) fn has_embassy_with(&self, other: PlayerId) -> bool {
        let embassies = || self.judge.effect(HAVE_EMBASSIES, About::default()) > 0;
        self.world.me().is_some_and(|me| me.embassies.contains(&other.0))
            || *self.embassies.get_or_init(embassies)
    }
}

/// The letter of an advance that can be begun.
const CAN_BEGIN: u8 = b'1';

/// Values of the setting that tells who may talk to whom.
const FOR_ALL: u8 = 0;
const HUMANS: u8 = 1;
const WITH_A_HUMAN: u8 = 3;
const NOT_MIXED: u8 = 4;
const TEAMS: u8 = 5;
