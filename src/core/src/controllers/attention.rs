//! Who is asked. An entity with a standing order is left alone until a directive names it or the
//! world gives it a reason; the rules stand here in one place, because every call costs money.

use std::cell::OnceCell;

use crate::action::{Action, Actor};
use crate::effects;
use crate::geometry::distance;
use crate::ids::{PlayerId, Pos};
use crate::observation::{Activity, City, Observation, OtherPlayer, Stance, Unit};
use crate::path::Chart;
use crate::rules::Rules;
use crate::text;
use crate::trace::entry::Domain;

use super::{Controllers, Menu, Moment, targets};

/// An enemy this near interrupts a standing order, in tiles.
const ALARM_TILES: u32 = 2;

impl Controllers<'_> {
    /// Menus of this round in the order in which orders are carried out.
    pub(super) fn menus(&self, moment: &Moment<'_>) -> Vec<Menu> {
        let mut menus = Vec::new();
        if moment.round == 1 {
            menus.extend(self.government_menu(moment));
            menus.extend(self.technology_menu(moment));
        }
        menus.extend(self.city_menus(moment));
        let mut units = self.unit_menus(moment);
        units.sort_by_key(|m| (m.domain, m.actor));
        menus.append(&mut units);
        menus
    }

    pub(super) fn wants_diplomacy(&self, o: &Observation, id: PlayerId) -> bool {
        let Some(p) = o.players.iter().find(|p| p.id == id) else { return false };
        if p.actions.is_empty() || !p.alive || p.barbarian.is_some() {
            return false;
        }
        let on_the_table = o.treaties.iter().any(|t| t.with == id);
        let runs_out = p.stance == Stance::CeaseFire && p.stance_turns <= text::PACT_ENDS_TURNS;
        on_the_table
            || (p.contact && runs_out)
            || self.newly_directed(Domain::Diplomacy, Actor::Toward(id))
            || (p.contact && self.is_review(o.turn, u32::from(id.0), 1))
    }

    fn government_menu(&self, moment: &Moment<'_>) -> Option<Menu> {
        let o = moment.observation;
        let due = self.newly_directed(Domain::Government, Actor::Player)
            || self.is_review(o.turn, 0, 1)
            || o.cities.iter().any(|c| c.disorder)
            || o.events.iter().any(|e| matches!(e.kind.as_str(), "revolt_done" | "low_on_funds"));
        let options = with_skip(&o.me.government_actions);
        (due && options.len() > 1).then_some(Menu {
            domain: Domain::Government,
            actor: Actor::Player,
            options,
        })
    }

    fn technology_menu(&self, moment: &Moment<'_>) -> Option<Menu> {
        let o = moment.observation;
        let learned = |kind: &str| matches!(kind, "tech_gain" | "tech_learned" | "hut_tech");
        let due = o.me.research.now.is_none()
            || o.events.iter().any(|e| learned(&e.kind))
            || o.turn == 1
            || self.newly_directed(Domain::Technology, Actor::Player);
        let options = with_skip(&o.me.technology_actions);
        (due && options.len() > 1).then_some(Menu {
            domain: Domain::Technology,
            actor: Actor::Player,
            options,
        })
    }

    fn city_menus(&self, moment: &Moment<'_>) -> Vec<Menu> {
        let o = moment.observation;
        let due = |c: &&City| {
            let actor = Actor::City(c.id);
            // Work in progress is left alone; what half the treasury would finish is worth a word
            // now and then, what a quarter would finish sooner.
            let buys = |share: u32| {
                c.buy_cost.saturating_mul(share) <= o.me.gold && c.actions.contains(&Action::Buy)
            };
            let cheap = buys(2);
            if moment.round > 1 {
                return self.acted.contains(&actor) && !c.did_buy && cheap;
            }
            let since = i64::from(c.turn_last_built.max(c.turn_founded));
            since + 1 >= i64::from(o.turn)
                || self.newly_directed(Domain::City, actor)
                || c.disorder
                || (never_ends(c, moment.rules) && self.is_review(o.turn, c.id.0, 2))
                || (cheap && self.is_review(o.turn, c.id.0, 2))
                || (buys(4) && self.is_review(o.turn, c.id.0, 4))
                || hostile_near(o, moment.rules, c.at, ALARM_TILES + 1)
        };
        let menu = |c: &City| Menu {
            domain: Domain::City,
            actor: Actor::City(c.id),
            options: with_skip(&c.actions),
        };
        o.cities.iter().filter(due).map(menu).filter(|m| m.options.len() > 1).collect()
    }

    fn unit_menus(&self, moment: &Moment<'_>) -> Vec<Menu> {
        let o = moment.observation;
        let chart = OnceCell::new();
        let mut menus = Vec::new();
        let mut founders: Vec<Pos> = Vec::new();
        let apart = moment.rules.city_distance_min;
        let later = moment.round < self.spec.identity.limits.rounds_max;
        for u in o.units.iter().filter(|u| u.moves > 0) {
            let actor = Actor::Unit(u.id);
            let military =
                moment.rules.unit_type(u.kind).is_some_and(crate::rules::UnitType::is_military);
            let domain = if military { Domain::Military } else { Domain::Civilian };
            // Founders side by side take each other's ground: the second is asked a round later,
            // while there is one.
            let first = !self.asked.contains(&actor);
            let founds = u.actions.contains(&Action::FoundCity);
            if (moment.round > 1 && !self.acted.contains(&actor) && !first)
                || (founds && later && founders.iter().any(|p| distance(&o.map, *p, u.at) < apart))
            {
                continue;
            }
            let named = |u: &Unit| {
                let directive = self.directive(domain, actor);
                let places = directive.map_or_else(Vec::new, |d| targets::places(d, o));
                if places.is_empty() {
                    return Vec::new();
                }
                let chart = chart.get_or_init(|| Chart::of(o, moment.rules));
                targets::ways(&places, u, chart, (o, moment.rules))
            };
            let due = is_free(u)
                || (moment.round == 1
                    && (self.newly_directed(domain, actor)
                        || (military && hostile_near(o, moment.rules, u.at, ALARM_TILES))
                        || (is_payable(u, o.me.gold) && self.is_review(o.turn, u.id.0, 1))));
            if !due {
                continue;
            }
            let options = with_skip(&[u.actions.as_slice(), &named(u)].concat());
            if options.len() > 1 {
                founders.extend(founds.then_some(u.at));
                menus.push(Menu { domain, actor, options });
            }
        }
        menus
    }

    /// A slow periodic look at things nothing calls attention to, so many times in `review_turns`,
    /// spread over turns by number.
    fn is_review(&self, turn: u32, number: u32, times: u32) -> bool {
        let every = self.spec.identity.limits.review_turns;
        every > 0 && turn.wrapping_add(number).is_multiple_of((every / times).max(1))
    }
}

/// The menu toward one other player, when there is anything to say.
pub(super) fn rival_menu(o: &Observation, rival: PlayerId) -> Option<Menu> {
    let p = o.players.iter().find(|p| p.id == rival)?;
    let options = with_skip(&p.actions);
    (options.len() > 1).then_some(Menu {
        domain: Domain::Diplomacy,
        actor: Actor::Toward(rival),
        options,
    })
}

/// Idle, with no orders and not working by itself.
fn is_free(u: &Unit) -> bool {
    u.activity == Activity::Idle && u.goto.is_none() && !u.auto
}

/// Makes gold, or has the shields for something it is too small to build.
fn never_ends(c: &City, rules: &Rules) -> bool {
    effects::mints(c, rules) || c.shield_stock >= c.production_cost
}

/// Half the treasury would pay for something it could do, as an upgrade.
fn is_payable(u: &Unit, gold: u32) -> bool {
    let costs = |a: &Action| if let Action::Special { cost, .. } = a { *cost } else { None };
    u.actions.iter().filter_map(costs).any(|cost| cost.saturating_mul(2) <= gold)
}

/// A unit of somebody we are at war with, strong enough to hurt, within so many tiles.
pub(super) fn hostile_near(o: &Observation, rules: &Rules, at: Pos, tiles: u32) -> bool {
    let dangerous = |k| rules.unit_type(k).is_some_and(|t: &crate::rules::UnitType| t.attack > 0);
    let hostile = |id| o.players.iter().any(|p| p.id == id && is_hostile(p));
    o.foreign_units
        .iter()
        .any(|f| distance(&o.map, f.at, at) <= tiles && dangerous(f.kind) && hostile(f.owner))
}

fn is_hostile(p: &OtherPlayer) -> bool {
    p.stance == Stance::War || p.barbarian.is_some()
}

/// The options with doing nothing last, exactly once.
fn with_skip(actions: &[Action]) -> Vec<Action> {
    let mut options: Vec<Action> =
        actions.iter().filter(|a| **a != Action::Skip).cloned().collect();
    options.push(Action::Skip);
    options
}
