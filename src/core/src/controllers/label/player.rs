//! What the nation as a whole can do, in words: research, government and rates, other players.

use std::cell::OnceCell;

use crate::action::{Action, Clause, Rates};
use crate::effects::{self, Treasury};
use crate::ids::AdvanceId;
use crate::observation::Observation;
use crate::rules::{Genus, Rules};
use crate::text;
use crate::words::{Numbers, offer};

use super::{Moment, short};

/// Most names told of what an advance opens.
const OPENED_MAX: usize = 6;
/// Requirement kind: an advance.
const REQ_ADVANCE: u8 = 1;

/// `treasury`: worked out when a menu first asks for rates.
pub(super) fn label(action: &Action, moment: &Moment<'_>, treasury: &OnceCell<Treasury>) -> String {
    let (o, rules) = (moment.observation, moment.rules);
    let name = |id| text::player_name(o, id);
    match action {
        Action::Research { advance } => {
            let toward =
                o.me.research
                    .goal
                    .filter(|goal| *goal != *advance && missing(*goal, o, rules).contains(advance));
            let toward = toward.map_or("", |_| ", toward the goal");
            let opens = opens(*advance, rules);
            format!("research {} now{toward}{opens}", text::advance(rules, advance.0))
        }
        Action::ResearchGoal { advance } => {
            let steps = missing(*advance, o, rules).len();
            let opens = opens(*advance, rules);
            format!("goal {}, {steps} advances away{opens}", text::advance(rules, advance.0))
        }
        Action::Revolution { government } => {
            let facts = effects::of_government(*government, o, rules);
            let name = text::government(rules, government.0);
            format!("start a revolution to become a {name}: {facts}")
        }
        Action::Rates(r) => format!("rates: {}", rates(*r, moment, treasury)),
        Action::Propose { to, clauses } => {
            format!("propose {} to {}", offer(*to, clauses, rules, &Numbers), name(*to))
        }
        Action::AcceptTreaty { with } => {
            let table = o.treaties.iter().find(|t| t.with == *with);
            let clauses = table.map_or(String::new(), |t| all(&t.clauses, o, rules));
            format!("accept the treaty of {}: {clauses}", name(*with))
        }
        Action::RejectTreaty { with } => format!("reject the treaty of {}", name(*with)),
        Action::CancelPact { with } => format!("cancel the pact with {}", name(*with)),
        Action::WithdrawVision { from } => format!("stop sharing vision with {}", name(*from)),
        Action::LaunchSpaceship => {
            let (chance, years) =
                o.me.spaceship.map_or((0, 0), |s| (s.success_pct, s.travel_years));
            format!("launch the spaceship: {chance}% to arrive in {years} years")
        }
        Action::Skip => "leave everything as it is".to_owned(),
        _ => short(action, rules),
    }
}

/// The option that changes nothing, with what the rates are.
pub(super) fn rates_stay(moment: &Moment<'_>, treasury: &OnceCell<Treasury>) -> String {
    let now = moment.observation.me.rates;
    format!("leave everything as it is, {}", rates(now, moment, treasury))
}

fn rates(r: Rates, moment: &Moment<'_>, treasury: &OnceCell<Treasury>) -> String {
    let treasury = treasury.get_or_init(|| Treasury::of(moment.observation, moment.rules));
    let (gold, science) = treasury.at(r);
    let Rates { tax, luxury, science: share } = r;
    format!("tax {tax} luxury {luxury} science {share}, {gold:+} gold {science:+} bulbs")
}

/// What an advance makes possible: governments, buildings and units by name.
fn opens(advance: AdvanceId, rules: &Rules) -> String {
    let needs = |reqs: &[crate::rules::Requirement]| {
        let this = i32::from(advance.0);
        reqs.iter().any(|r| r.kind == REQ_ADVANCE && r.present && r.value == this)
    };
    let governments = rules.governments.iter().filter(|g| needs(&g.reqs));
    let governments = governments.map(|g| format!("government {}", g.name));
    let buildings = rules.buildings.iter().filter(|b| needs(&b.reqs));
    let buildings = buildings.map(|b| match b.genus {
        Genus::GreatWonder => format!("wonder {}", b.name),
        _ => format!("building {}", b.name),
    });
    let units = rules.unit_types.iter().filter(|t| t.advance == Some(advance));
    let units = units.map(|t| t.name.clone());
    let names: Vec<String> = governments.chain(buildings).chain(units).take(OPENED_MAX).collect();
    if names.is_empty() { String::new() } else { format!(", opens {}", names.join(", ")) }
}

/// Advances that are still missing on the way to one, itself included.
fn missing(
    advance: AdvanceId,
    o: &Observation,
    rules: &Rules,
) -> std::collections::BTreeSet<AdvanceId> {
    let mut open = vec![advance];
    let mut needed = std::collections::BTreeSet::new();
    while let Some(a) = open.pop() {
        if a.0 != 0 && !o.me.advances.contains(&a) && needed.insert(a) {
            open.extend(rules.advance(a).into_iter().flat_map(|x| x.requires.iter().copied()));
        }
    }
    needed
}

fn all(clauses: &[Clause], o: &Observation, rules: &Rules) -> String {
    let words: Vec<String> = clauses.iter().map(|c| text::clause(c, o, rules)).collect();
    words.join(" and ")
}
