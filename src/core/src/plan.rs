//! What a planner hands to the controllers: five schema-disjoint fields (SAGA, eq. 4) and two
//! standing ones. Every planner speaks this, so that only the planner differs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{CityId, PlayerId, UnitId};

/// The directives of one turn. Nothing named means "as you see fit".
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Plan {
    /// What each city should build (`D^city`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub production: BTreeMap<CityId, Directive>,
    /// Units that shall hold a city, by unit (`D^garrison`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub garrison: BTreeMap<UnitId, Directive>,
    /// Civilian units (`D^civ`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub civilian: BTreeMap<UnitId, Directive>,
    /// Military units in the field (`D^mil`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub military: BTreeMap<UnitId, Directive>,
    /// Government and taxes (`D^gov`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub government: Option<Directive>,
    /// Research, kept until replaced (`Γ^tech`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub technology: Option<Directive>,
    /// Diplomacy toward everybody, kept until replaced (`Γ^dipl`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diplomacy: Option<Directive>,
    /// Diplomacy toward one player, over the general one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub toward: BTreeMap<PlayerId, Directive>,
    /// What was dropped when the reply was read: unknown, foreign or doubly named ids.
    #[serde(skip_serializing_if = "Dropped::is_empty")]
    pub dropped: Dropped,
}

/// A sentence of intent for one controller.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Directive {
    /// What to do and why, in words.
    pub text: String,
    /// More for this one controller, as scene sentences.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub brief: String,
}

impl Directive {
    /// A directive without a brief.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), brief: String::new() }
    }
}

/// Counts of what a plan named and the reader had to drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Dropped {
    /// Ids that are not ours or do not exist.
    pub unknown_ids: u32,
    /// Items that cannot be built there.
    pub unbuildable: u32,
    /// Ids of the wrong field, or named twice.
    pub misplaced: u32,
}

impl Dropped {
    /// Nothing was dropped.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
