//! The metrics of tables and figures. To add one, add a [`Metric`] to a list: it appears in every
//! table made from that list by itself.

use saga_core::measures::Measures;

use crate::deeds::{Deeds, RoleSplit};
use crate::rows::EpisodeRow;

/// One number read off an episode.
pub struct Metric {
    /// Name in CSV and JSON.
    pub name: &'static str,
    /// Label in tables and figures.
    pub label: &'static str,
    /// Unit, for axes and captions.
    pub unit: &'static str,
    /// Which way is better.
    pub better: Better,
    /// Decimals in a table; CSV has six.
    pub decimals: usize,
    /// How it is read. `None`: this episode has no such number, and is left out of its n.
    pub value: fn(&EpisodeRow) -> Option<f64>,
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Better {
    /// More.
    Higher,
    /// Less.
    Lower,
    /// Context: neither.
    Neither,
}

impl Better {
    /// The word in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Better::Higher => "higher",
            Better::Lower => "lower",
            Better::Neither => "neither",
        }
    }
}

/// The six metrics the SAGA paper reports (the appendix that defines them is not public; chosen).
pub const METRICS: &[Metric] = &[
    gain("score", "Score", "points", |e| measured(e, |m| m.score)),
    gain("technology", "Technology", "advances", |e| measured(e, |m| m.technology)),
    gain("military", "Military", "units", |e| measured(e, |m| m.military)),
    gain("cities", "Cities", "cities", |e| measured(e, |m| m.cities)),
    gain("buildings", "Buildings", "buildings", |e| measured(e, |m| m.buildings)),
    gain("diplomacy", "Diplomacy", "points", |e| measured(e, |m| m.diplomacy)),
];

/// What the answers cost: all roles, and the strategic layer (all but the controllers).
pub const TOKENS: &[Metric] = &[
    tokens("tokens_in", "Tokens in", |e| used(e, |u| u.all.input)),
    tokens("tokens_out", "Tokens out", |e| used(e, |u| u.all.output)),
    tokens("strategic_tokens_in", "Strategic in", |e| used(e, |u| u.strategic.input)),
    tokens("strategic_tokens_out", "Strategic out", |e| used(e, |u| u.strategic.output)),
];

/// Where the player stood in its world.
pub const STANDING: &[Metric] = &[
    gain("survived", "Survived", "share", |e| {
        e.fate.survived().map(|alive| f64::from(u8::from(alive)))
    })
    .with(Better::Higher, 2),
    gain("turn_of_death", "Turn of death", "turn", |e| e.fate.turn_of_death.map(f64::from)),
    gain("rank", "Rank", "", |e| e.standing.map(|s| f64::from(s.rank))).with(Better::Lower, 2),
    gain("score_share", "Share of total score", "share", |e| e.standing.and_then(|s| s.share))
        .with(Better::Higher, 2),
    gain("best_opponent", "Best opponent", "points", |e| {
        e.standing.and_then(|s| s.best_opponent).map(|score| score as f64)
    })
    .with(Better::Lower, 1),
];

/// How it was played.
pub const PLAY: &[Metric] = &[
    gain("active_share", "Active share", "share", |e| {
        e.deeds.as_ref().and_then(Deeds::active_share)
    })
    .with(Better::Neither, 2),
    gain("orders_done", "Done", "orders", |e| done(e, |d| d.done)).with(Better::Neither, 1),
    gain("orders_refused", "Refused", "orders", |e| done(e, |d| d.refused)).with(Better::Lower, 1),
    gain("orders_ignored", "Ignored", "orders", |e| done(e, |d| d.ignored)).with(Better::Lower, 1),
    gain("orders_stale", "Stale", "orders", |e| done(e, |d| d.stale)).with(Better::Lower, 1),
    gain("skips", "Skips", "decisions", |e| done(e, |d| d.skips)).with(Better::Neither, 1),
    gain("no_ops", "No-ops", "decisions", |e| done(e, |d| d.no_ops)).with(Better::Lower, 1),
    gain("cities_founded", "Cities founded", "cities", |e| done(e, |d| d.cities_founded)),
    gain("research_chosen", "Research chosen", "orders", |e| done(e, |d| d.research_chosen))
        .with(Better::Neither, 1),
    gain("calls", "Calls", "calls", |e| used(e, |u| u.all.calls)).with(Better::Lower, 1),
    gain("reprompts", "Re-prompts", "calls", |e| used(e, |u| u.all.reprompts))
        .with(Better::Lower, 1),
];

/// More is better, one decimal.
const fn gain(
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    value: fn(&EpisodeRow) -> Option<f64>,
) -> Metric {
    Metric { name, label, unit, better: Better::Higher, decimals: 1, value }
}

/// Less is better, whole tokens.
const fn tokens(
    name: &'static str,
    label: &'static str,
    value: fn(&EpisodeRow) -> Option<f64>,
) -> Metric {
    gain(name, label, "tokens", value).with(Better::Lower, 0)
}

impl Metric {
    const fn with(self, better: Better, decimals: usize) -> Self {
        Self { better, decimals, ..self }
    }
}

fn measured(episode: &EpisodeRow, read: fn(&Measures) -> i64) -> Option<f64> {
    episode.measures.as_ref().map(|m| read(m) as f64)
}

fn used(episode: &EpisodeRow, read: fn(&RoleSplit) -> u64) -> Option<f64> {
    episode.usage.as_ref().map(|u| read(u) as f64)
}

fn done(episode: &EpisodeRow, read: fn(&Deeds) -> i64) -> Option<f64> {
    episode.deeds.as_ref().map(|d| read(d) as f64)
}
