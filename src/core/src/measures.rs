//! The numbers a paper reads off a game, computed from one observation, as the SAGA paper names
//! them (its definitions are not public: chosen). Components are kept, so that another definition
//! can be printed from the same trace.

use serde::{Deserialize, Serialize};

use crate::observation::{Observation, Stance};
use crate::rules::{Genus, Rules};

/// What our player owns at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    /// The server's score.
    pub score: i64,
    /// Known advances.
    pub technology: i64,
    /// Advances beyond the last of the tree.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub future_technology: i64,
    /// Living military units: those the ruleset does not call civilians.
    pub military: i64,
    /// Attack + defence of military units, weighted by hit points left, in hundredths.
    pub military_strength_centi: i64,
    /// Own cities.
    pub cities: i64,
    /// Citizens in them.
    pub citizens: i64,
    /// Completed improvements of genus improvement.
    pub buildings: i64,
    /// Great and small wonders, the Palace among the small ones.
    pub wonders: i64,
    /// The great ones among them.
    #[serde(skip_serializing_if = "crate::zero::is_zero")]
    pub great_wonders: i64,
    /// Pact values plus embassies.
    pub diplomacy: i64,
    /// Embassies we have.
    pub embassies: i64,
    /// Units of any kind.
    pub units: i64,
    /// Gold.
    pub gold: i64,
    /// Culture.
    pub culture: i64,
    /// Known tiles.
    pub tiles_known: i64,
}

/// The measures of a moment: those of the turn's opening where the observation has them, else those
/// of what it shows.
///
/// The server writes its score log at the opening, so these two can be compared; by the time we may
/// act others have moved, and may have taken a city or its gold.
pub fn measure(o: &Observation, rules: &Rules) -> Measures {
    o.opening.unwrap_or_else(|| measure_shown(o, rules))
}

/// The measures of what an observation shows, at whatever moment.
pub fn measure_shown(o: &Observation, rules: &Rules) -> Measures {
    let military = || {
        let types = o.units.iter().map(|u| (u, rules.unit_type(u.kind)));
        types.filter_map(|(u, kind)| Some((u, kind.filter(|t| !t.is_civilian())?)))
    };
    let genus = |wanted: fn(Genus) -> bool| {
        o.cities
            .iter()
            .flat_map(|c| &c.buildings)
            .filter(|b| rules.building(**b).is_some_and(|b| wanted(b.genus)))
            .count() as i64
    };
    let living = || o.players.iter().filter(|p| p.alive && p.barbarian.is_none());
    let embassies = living().filter(|p| p.embassy).count() as i64;
    Measures {
        score: i64::from(o.me.score),
        technology: o.me.advances.len() as i64,
        future_technology: i64::from(o.me.research.future),
        military: military().count() as i64,
        military_strength_centi: military()
            .map(|(u, t)| {
                let strength = 100 * (i64::from(t.attack) + i64::from(t.defense));
                strength.saturating_mul(i64::from(u.hp)) / i64::from(t.hp.max(1))
            })
            .fold(0, i64::saturating_add),
        cities: o.cities.len() as i64,
        citizens: o.cities.iter().map(|c| i64::from(c.size)).sum(),
        buildings: genus(|g| g == Genus::Improvement),
        wonders: genus(|g| matches!(g, Genus::GreatWonder | Genus::SmallWonder)),
        great_wonders: genus(|g| g == Genus::GreatWonder),
        diplomacy: embassies + living().map(|p| pact_value(p.stance)).sum::<i64>(),
        embassies,
        units: o.units.len() as i64,
        gold: i64::from(o.me.gold),
        culture: i64::from(o.me.culture),
        tiles_known: o.map.tiles.len() as i64,
    }
}

/// War and no contact 0, cease-fire 1, armistice and peace 2, alliance and team 3 (chosen).
fn pact_value(stance: Stance) -> i64 {
    match stance {
        Stance::NoContact | Stance::War => 0,
        Stance::CeaseFire => 1,
        Stance::Armistice | Stance::Peace => 2,
        Stance::Alliance | Stance::Team => 3,
    }
}
