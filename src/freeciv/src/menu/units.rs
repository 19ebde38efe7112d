//! A unit's menu: moves, what the server allows it toward others, and what it can be set to do.

use saga_core::action::Action;
use saga_core::rules::UnitType;

use super::{Board, class_flag, extra_flag, has, terrain_flag, type_flag};
use crate::world::codes;
use crate::world::model::{TileState, UnitState};

/// Effect that mends units that wear out.
const UNIT_RECOVER: u8 = 38;

impl Board<'_> {
    /// Everything this unit of ours may do.
    pub(crate) fn of_unit(&self, unit: &UnitState) -> Vec<Action> {
        let mut menu = Vec::new();
        self.moves(unit, &mut menu);
        self.answered(unit, &mut menu);
        self.at_home(unit, &mut menu);
        self.stances(unit, &mut menu);
        if self.explores(unit) {
            menu.push(Action::Explore);
        }
        self.works(unit, &mut menu);
        self.transports(unit, &mut menu);
        self.gotos(unit, &mut menu);
        menu
    }

    /// Whether this unit of ours may do this, without laying out the rest of its menu.
    pub(super) fn unit_allows(&self, unit: &UnitState, action: &Action) -> bool {
        let mut menu = Vec::new();
        match action {
            Action::Move { .. } => self.moves(unit, &mut menu),
            // Any target will do that a path leads to: directives name some that no menu lists.
            Action::Goto { to } => return self.path(unit, *to).is_some(),
            Action::Work { .. } => self.works(unit, &mut menu),
            Action::Board { .. } | Action::Leave => self.transports(unit, &mut menu),
            Action::Explore => return self.explores(unit),
            Action::Fortify | Action::Sentry | Action::AutoWork => self.stances(unit, &mut menu),
            _ => {
                self.answered(unit, &mut menu);
                self.at_home(unit, &mut menu);
            }
        }
        menu.contains(action)
    }

    /// Whether the server must have been asked before [`Board::allows`] can tell of this action.
    pub(crate) fn depends_on_answers(action: &Action) -> bool {
        !matches!(
            action,
            Action::Move { .. }
                | Action::Goto { .. }
                | Action::Work { .. }
                | Action::Board { .. }
                | Action::Leave
                | Action::Explore
                | Action::Fortify
                | Action::Sentry
                | Action::AutoWork
        )
    }

    fn stances(&self, unit: &UnitState, menu: &mut Vec<Action>) {
        let Some(kind) = self.unit_type(unit) else { return };
        let class = self.class(kind);
        let class_can = |flag| class.is_some_and(|class| has(&class.flags, flag));
        let in_city = self.city_at.contains_key(&unit.tile);
        let soft = self
            .tile(unit.tile)
            .and_then(|tile| self.terrain(tile))
            .is_none_or(|terrain| has(&terrain.flags, terrain_flag::NO_FORTIFY));
        let dug_in = matches!(unit.activity, codes::FORTIFYING | codes::FORTIFIED) && !unit.auto;
        let holds = in_city || !soft;
        let digs = class_can(class_flag::CAN_FORTIFY) && !has(&kind.flags, type_flag::CANT_FORTIFY);
        if digs && holds && !dug_in {
            menu.push(Action::Fortify);
        }
        let keeps = unit.aboard.is_some() || self.survives(unit, kind);
        if keeps && (unit.activity != codes::SENTRY || unit.auto) {
            menu.push(Action::Sentry);
        }
        let works = has(&kind.flags, type_flag::SETTLERS) || self.rules.can_found_city(kind);
        if works && !unit.auto {
            menu.push(Action::AutoWork);
        }
    }

    /// Whether a unit can stay where it is for ever: it needs no fuel and wears not out, or finds
    /// here what it needs.
    fn survives(&self, unit: &UnitState, kind: &UnitType) -> bool {
        let refuels = |tile: &TileState| {
            let extras = tile.extras.iter().filter_map(|id| self.rules.extra(*id));
            extras.into_iter().any(|extra| {
                has(&extra.flags, extra_flag::REFUEL) && has(&extra.native_to, kind.class)
            })
        };
        let recovers = || {
            let about = Self::about_unit_on_tile(unit);
            u32::try_from(self.judge.effect(UNIT_RECOVER, about)).unwrap_or(0)
        };
        let wears = self.class(kind).map_or(0, |class| kind.hp * class.hp_loss_pct / 100);
        self.city_at.contains_key(&unit.tile)
            || self.tile(unit.tile).is_some_and(refuels)
            || (has(&kind.flags, type_flag::COAST) && self.safe_coast(unit.tile))
            || (kind.fuel == 0 && (wears == 0 || wears <= recovers()))
    }
}
