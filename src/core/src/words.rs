//! An action in a few words: in the history lines of a prompt, where it begins with its option's
//! words, so that a reader can tell which option was tried, and wherever a trace is shown.

use crate::action::{Action, Clause, ClauseKind, Item, Part, Work};
use crate::ids::{CityId, PlayerId, SpecialistId, UnitId};
use crate::rules::Rules;
use crate::text;

/// What those are called whom an action names by number alone.
pub trait Naming {
    /// A unit.
    fn unit(&self, id: UnitId) -> String {
        format!("unit:{id}")
    }

    /// A city.
    fn city(&self, id: CityId) -> String {
        format!("city:{id}")
    }

    /// A player.
    fn player(&self, id: PlayerId) -> String {
        format!("player:{id}")
    }
}

/// Everybody by number, as prompts name them.
#[derive(Debug, Clone, Copy)]
pub struct Numbers;

impl Naming for Numbers {}

/// The few words.
pub fn short(action: &Action, rules: &Rules, names: &dyn Naming) -> String {
    match action {
        Action::Move { dir, to } => format!("move {} to {to}", dir.word()),
        Action::Goto { to } => format!("go to {to}"),
        Action::FoundCity => "found a city".to_owned(),
        Action::JoinCity { city } => format!("join {}", names.city(*city)),
        Action::Fortify => "fortify".to_owned(),
        Action::Sentry => "stand sentry".to_owned(),
        Action::Explore => "explore".to_owned(),
        Action::AutoWork => "improve terrain".to_owned(),
        Action::Work { work, .. } => work_words(*work).to_owned(),
        Action::Attack { at } => format!("attack {at}"),
        Action::Conquer { city, .. } => format!("conquer {}", names.city(*city)),
        Action::Special { name, at, part, cost, .. } => {
            let price = cost.map_or(String::new(), |gold| format!(" for {gold} gold"));
            format!("{}{} at {at}{price}", name.replace('_', " "), part_words(*part, rules))
        }
        Action::Board { transport } => format!("get on the transport {}", names.unit(*transport)),
        Action::Leave => "get off the transport".to_owned(),
        Action::Append { item } => format!("then {}", text::item(rules, *item)),
        Action::ClearWorklist => "forget what was planned next".to_owned(),
        Action::Sell { building } => {
            format!("sell {}", text::item(rules, Item::Building(*building)))
        }
        Action::TakeOffTile { at } => format!("make a specialist of the citizen at {at}"),
        Action::PutOnTile { at } => format!("put a specialist to work at {at}"),
        Action::Retrain { from, to } => {
            let name = |id: SpecialistId| {
                rules.specialists.get(usize::from(id.0)).map_or("specialist", |s| s.name.as_str())
            };
            format!("turn one of the {} into {}", name(*from), name(*to))
        }
        Action::Produce { item } => format!("build {}", text::item(rules, *item)),
        Action::Buy => "buy".to_owned(),
        Action::Research { advance } => format!("research {}", text::advance(rules, advance.0)),
        Action::ResearchGoal { advance } => format!("goal {}", text::advance(rules, advance.0)),
        Action::Revolution { government } => {
            format!("start a revolution to {}", text::government(rules, government.0))
        }
        Action::Rates(r) => format!("rates {}/{}/{}", r.tax, r.luxury, r.science),
        Action::Propose { to, clauses } => format!("propose {}", offer(*to, clauses, rules, names)),
        Action::AcceptTreaty { with } => format!("accept the treaty of {}", names.player(*with)),
        Action::RejectTreaty { with } => format!("reject the treaty of {}", names.player(*with)),
        Action::CancelPact { with } => format!("cancel the pact with {}", names.player(*with)),
        Action::WithdrawVision { from } => {
            format!("stop sharing vision with {}", names.player(*from))
        }
        Action::AssembleSpaceship => "assemble the spaceship".to_owned(),
        Action::LaunchSpaceship => "launch the spaceship".to_owned(),
        Action::Skip => "nothing".to_owned(),
    }
}

/// A whole proposal as `peace` or `our embassy for their embassy`.
pub(crate) fn offer(to: PlayerId, clauses: &[Clause], rules: &Rules, names: &dyn Naming) -> String {
    let pact = |c: &&Clause| {
        matches!(c.kind, ClauseKind::CeaseFire | ClauseKind::Peace | ClauseKind::Alliance)
    };
    let side = |whose: &str, theirs: bool| -> String {
        let gives = clauses.iter().filter(|c| !pact(c) && (c.giver == to) == theirs);
        gives
            .map(|c| format!("{whose} {}", given(*c, rules, names)))
            .collect::<Vec<_>>()
            .join(" and ")
    };
    let pacts: Vec<String> = clauses.iter().filter(pact).map(|c| given(*c, rules, names)).collect();
    let sides = [pacts.join(" and "), side("our", false), side("their", true)];
    let sides: Vec<String> = sides.into_iter().filter(|s| !s.is_empty()).collect();
    sides.join(" for ")
}

fn given(c: Clause, rules: &Rules, names: &dyn Naming) -> String {
    match c.kind {
        ClauseKind::Advance => {
            let known = u16::try_from(c.value).map_or("unknown", |id| text::advance(rules, id));
            format!("advance {known}")
        }
        ClauseKind::Gold => format!("{} gold", c.value),
        ClauseKind::WorldMap => "world map".to_owned(),
        ClauseKind::SeaMap => "sea map".to_owned(),
        ClauseKind::City => names.city(CityId(c.value)),
        ClauseKind::CeaseFire => "cease-fire".to_owned(),
        ClauseKind::Peace => "peace".to_owned(),
        ClauseKind::Alliance => "alliance".to_owned(),
        ClauseKind::SharedVision => "shared vision".to_owned(),
        ClauseKind::Embassy => "embassy".to_owned(),
    }
}

pub(crate) const fn work_words(work: Work) -> &'static str {
    match work {
        Work::Irrigate => "irrigate this tile",
        Work::Mine => "mine this tile",
        Work::Road => "build a road here",
        Work::Base => "build a base here",
        Work::Transform => "transform the terrain here",
        Work::CleanPollution => "clean pollution here",
        Work::CleanFallout => "clean fallout here",
        Work::Pillage => "pillage this tile",
    }
}

/// What of a target is aimed at, as ` (Temple)`.
pub(crate) fn part_words(part: Option<Part>, rules: &Rules) -> String {
    match part {
        None => String::new(),
        Some(Part::Production) => " (production)".to_owned(),
        Some(Part::Building(id)) => format!(" ({})", text::item(rules, Item::Building(id))),
        Some(Part::Advance(id)) => format!(" ({})", text::advance(rules, id.0)),
    }
}
