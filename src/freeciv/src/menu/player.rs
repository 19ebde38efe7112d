//! Our player's menus: research, goal, government and tax rates.

use saga_core::action::{Action, Rates};
use saga_core::ids::{AdvanceId, GovernmentId};
use saga_core::rules::Advance;

use super::Board;
use crate::rules::About;

/// Letters of an advance's state.
const CAN_BEGIN: u8 = b'1';
pub(super) const KNOWN: u8 = b'2';

/// Effects: the cap on rates, and freedom to choose any government.
const RATE_MAX: u8 = 57;
const ANY_GOVERNMENT: u8 = 2;

/// Rates are set in steps of so many percent.
const RATE_STEP: u8 = 10;
/// The server never caps a rate below this, so that three rates can make a hundred.
const RATE_CAP_MIN: i32 = 34;

impl Board<'_> {
    /// What may be researched now, then what may be aimed at.
    pub(crate) fn technology(&self) -> Vec<Action> {
        let Some(research) = self.world.my_research() else { return Vec::new() };
        let now = self.advances().filter(|(id, _)| self.state_of(*id) == Some(CAN_BEGIN));
        let now = now.filter(|(id, _)| i64::from(id.0) != research.now);
        let goals = self.advances().filter(|(id, _)| self.reachable(*id));
        let goals = goals.filter(|(id, _)| i64::from(id.0) != research.goal);
        now.map(|(advance, _)| Action::Research { advance })
            .chain(goals.map(|(advance, _)| Action::ResearchGoal { advance }))
            .collect()
    }

    /// Revolutions, then rates, then the spaceship.
    pub(crate) fn government(&self) -> Vec<Action> {
        let mut menu = self.revolutions();
        if self.world.game.rates_change {
            let current = self.world.me().map(|me| me.rates);
            let rates = rates_under(self.max_rate()).filter(|rates| Some(*rates) != current);
            menu.extend(rates.map(Action::Rates));
        }
        if !self.places().is_empty() {
            menu.push(Action::AssembleSpaceship);
        }
        if self.may_launch() {
            menu.push(Action::LaunchSpaceship);
        }
        menu
    }

    /// Governments that can be had now. While a revolution runs, its aim may be changed; while it
    /// has just ended, or ended in nothing, the change is at once. The interregnum is every
    /// revolution's way and is offered as nobody's aim, though the server would take it.
    fn revolutions(&self) -> Vec<Action> {
        let Some(me) = self.world.me() else { return Vec::new() };
        let any = self.judge.effect(ANY_GOVERNMENT, About::default()) > 0;
        let choices = (0u16..).zip(&self.rules.governments).filter(|(id, government)| {
            let id = i64::from(*id);
            id != me.government
                && id != me.target_government
                && id != self.world.game.interregnum
                && (any || self.judge.all(&government.reqs, About::default()))
        });
        choices.map(|(id, _)| Action::Revolution { government: GovernmentId(id) }).collect()
    }

    pub(super) fn max_rate(&self) -> u8 {
        match self.judge.effect(RATE_MAX, About::default()) {
            0 => 100,
            cap => cap.clamp(RATE_CAP_MIN, 100) as u8,
        }
    }

    /// The letter that tells how an advance stands with us.
    pub(super) fn state_of(&self, advance: AdvanceId) -> Option<u8> {
        let research = self.world.my_research()?;
        research.inventions.as_bytes().get(usize::from(advance.0)).copied()
    }

    fn advances(&self) -> impl Iterator<Item = (AdvanceId, &Advance)> {
        let all = (0u16..).zip(&self.rules.advances).skip(1);
        all.filter(|(_, a)| !a.removed).map(|(id, a)| (AdvanceId(id), a))
    }

    /// Not known, and nothing on the way to it was removed from the ruleset.
    fn reachable(&self, advance: AdvanceId) -> bool {
        if self.state_of(advance).is_none_or(|state| state == KNOWN) {
            return false;
        }
        let mut open = vec![advance];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            match self.rules.advance(next).filter(|a| !a.removed) {
                Some(a) => open.extend(&a.requires),
                None => return false,
            }
        }
        true
    }
}

/// All rates in steps that respect the cap.
fn rates_under(cap: u8) -> impl Iterator<Item = Rates> {
    let steps = |to: u8| (0..=to).step_by(usize::from(RATE_STEP));
    let pairs = steps(cap).flat_map(move |tax| steps(cap.min(100 - tax)).map(move |l| (tax, l)));
    let rates = pairs.map(|(tax, luxury)| Rates { tax, luxury, science: 100 - tax - luxury });
    rates.filter(move |rates| rates.science <= cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_make_a_hundred_under_the_cap() {
        assert_eq!(rates_under(60).count(), 36);
        assert_eq!(rates_under(100).count(), 66);
        assert_eq!(rates_under(34).count(), 0);
        let sum = |r: Rates| r.tax + r.luxury + r.science;
        assert!(rates_under(80).all(|r| sum(r) == 100 && r.tax.max(r.luxury).max(r.science) <= 80));
    }
}
