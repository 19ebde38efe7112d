//! The treaties we may propose: each lawful step of the pact, and a bounded choice of what could be
//! given for what, the same for the same world.
//!
//! What the server's own players made of some was measured (classic, `easy` and `hard`, up to turn
//! 90 of five games): they refuse every even swap of embassies, sight or maps. Out of war they sell
//! a world map for 200 gold and a sea map for 50, and pay gold they have for an advance; in peace
//! they also give advances for gold or for advances, and now and then an embassy for 200. They
//! refused a peace of ours 40 times in 40 and a cease-fire 13 times in 14, but proposed the first
//! within two turns of contact and the second some thirteen turns later.

use std::cmp::Reverse;

use saga_core::action::{Action, Clause, ClauseKind};
use saga_core::ids::{AdvanceId, PlayerId};

use super::Board;
use super::player::KNOWN;
use crate::world::model::PlayerState;

/// How many of their advances are asked for, and how many of ours are put up for sale.
const ASKED_MAX: usize = 6;
const SOLD_MAX: usize = 3;
/// What is offered for an embassy, for maps and for a look through their eyes, or as much of it as
/// the treasury holds.
const EMBASSY_GOLD: u32 = 200;
const WORLD_MAP_GOLD: u32 = 200;
const SEA_MAP_GOLD: u32 = 50;
const VISION_GOLD: u32 = 50;
/// The gold offered or asked for an advance, in multiples of its bulbs.
const GOLD_PER_BULB: u32 = 2;

/// Two sides of a proposal.
struct Sides {
    us: PlayerId,
    them: PlayerId,
}

impl Sides {
    fn give(&self, kind: ClauseKind, value: u32) -> Clause {
        Clause { giver: self.us, kind, value }
    }

    fn get(&self, kind: ClauseKind, value: u32) -> Clause {
        Clause { giver: self.them, kind, value }
    }
}

impl Board<'_> {
    /// Pacts, embassies, shared vision, advances for advances, for gold and gold for them, maps.
    pub(super) fn proposals(&self, other: PlayerId, them: &PlayerState) -> Vec<Action> {
        let Some(us) = self.world.seat() else { return Vec::new() };
        let sides = Sides { us, them: other };
        let pacts = [ClauseKind::CeaseFire, ClauseKind::Peace, ClauseKind::Alliance];
        let lawful = pacts.into_iter().filter(|pact| self.may_agree(other, *pact));
        let mut treaties: Vec<Vec<Clause>> = lawful.map(|p| vec![sides.give(p, 0)]).collect();
        treaties.extend(self.embassy(&sides, them));
        treaties.extend(self.vision(&sides));
        if self.world.game.advance_trade {
            treaties.extend(self.advances_asked(&sides));
            treaties.extend(self.advances_sold(&sides, them));
        }
        for (map, gold) in
            [(ClauseKind::WorldMap, WORLD_MAP_GOLD), (ClauseKind::SeaMap, SEA_MAP_GOLD)]
        {
            treaties.push(vec![sides.give(map, 0), sides.get(map, 0)]);
            treaties.extend(self.bought(&sides, sides.get(map, 0), gold));
        }
        treaties.into_iter().map(|clauses| Action::Propose { to: other, clauses }).collect()
    }

    /// Both open an embassy, or only they when theirs is there already, and theirs for gold;
    /// nothing when we have one.
    fn embassy(&self, sides: &Sides, them: &PlayerState) -> Vec<Vec<Clause>> {
        if self.world.me().is_none_or(|me| me.embassies.contains(&sides.them.0)) {
            return Vec::new();
        }
        let theirs = sides.get(ClauseKind::Embassy, 0);
        let given = (!self.embassy_of(them)).then(|| sides.give(ClauseKind::Embassy, 0));
        let exchange = given.into_iter().chain([theirs]).collect();
        [exchange].into_iter().chain(self.bought(sides, theirs, EMBASSY_GOLD)).collect()
    }

    /// Their sight for ours, and for gold.
    fn vision(&self, sides: &Sides) -> Vec<Vec<Clause>> {
        if self.shown_by(sides.them) {
            return Vec::new();
        }
        let sight = sides.get(ClauseKind::SharedVision, 0);
        let given = (!self.shows_to(sides.them)).then(|| sides.give(ClauseKind::SharedVision, 0));
        let swap = given.map(|given| vec![given, sight]);
        swap.into_iter().chain(self.bought(sides, sight, VISION_GOLD)).collect()
    }

    /// Something of theirs for so much gold, or all we have if that is less.
    fn bought(&self, sides: &Sides, what: Clause, sum: u32) -> Option<Vec<Clause>> {
        let gold = self.world.me()?.gold.min(sum);
        let payable = self.world.game.gold_trade && gold > 0;
        payable.then(|| vec![sides.give(ClauseKind::Gold, gold), what])
    }

    /// Of what they know and we could be given the dearest: for our advance nearest in cost that
    /// they could be given, and for gold.
    fn advances_asked(&self, sides: &Sides) -> Vec<Vec<Clause>> {
        let mut asked = self.givable(|id| {
            self.letter_of(sides.them, id) == Some(KNOWN)
                && self.state_of(id).is_some_and(|letter| self.may_receive(letter))
        });
        asked.sort_by_key(|id| (Reverse(self.bulbs(*id)), *id));
        asked.truncate(ASKED_MAX);
        let ours = self.givable(|id| self.wanted_by(sides.them, id));
        let mut treaties = Vec::new();
        for id in asked {
            let theirs = sides.get(ClauseKind::Advance, id.0.into());
            let apart = |of: &AdvanceId| (self.bulbs(*of).abs_diff(self.bulbs(id)), *of);
            let nearest = ours.iter().copied().min_by_key(apart);
            let swap = nearest.map(|of| sides.give(ClauseKind::Advance, of.0.into()));
            treaties.extend(swap.map(|ours| vec![ours, theirs]));
            treaties.extend(self.bought(sides, theirs, self.price(id)));
        }
        treaties
    }

    /// Our dearest advances that they could be given, for gold they are seen to have.
    fn advances_sold(&self, sides: &Sides, them: &PlayerState) -> Vec<Vec<Clause>> {
        if !self.world.game.gold_trade || them.gold == 0 {
            return Vec::new();
        }
        let mut sold = self.givable(|id| self.wanted_by(sides.them, id));
        sold.sort_by_key(|id| (Reverse(self.bulbs(*id)), *id));
        let sale = |id: AdvanceId| {
            let gold = self.price(id).min(them.gold);
            vec![sides.give(ClauseKind::Advance, id.0.into()), sides.get(ClauseKind::Gold, gold)]
        };
        sold.into_iter().take(SOLD_MAX).map(sale).collect()
    }

    /// Known to us, and they could be given it.
    fn wanted_by(&self, other: PlayerId, id: AdvanceId) -> bool {
        self.state_of(id) == Some(KNOWN)
            && self.letter_of(other, id).is_some_and(|letter| self.may_receive(letter))
    }

    fn givable(&self, which: impl Fn(AdvanceId) -> bool) -> Vec<AdvanceId> {
        let all = (0u16..).zip(&self.rules.advances).skip(1).filter(|(_, a)| !a.removed);
        all.map(|(id, _)| AdvanceId(id)).filter(|id| which(*id)).collect()
    }

    fn bulbs(&self, id: AdvanceId) -> u32 {
        self.rules.advance(id).map_or(0, |a| a.cost_centibulbs / 100)
    }

    fn price(&self, id: AdvanceId) -> u32 {
        self.bulbs(id).saturating_mul(GOLD_PER_BULB).max(1)
    }
}
