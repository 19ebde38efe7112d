//! The experiment file as it is written: one struct for each table, every default in its `Default`.
//! Nothing here is checked beyond its type; `matrix::Matrix` does that and is what the rest sees.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use saga_core::spec::{Durability, Limits, Operation};
use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MatrixFile {
    pub(crate) name: Option<String>,
    pub(crate) planners: Vec<NameOr<PlannerTable>>,
    pub(crate) backbones: Vec<NameOr<BackboneTable>>,
    pub(crate) map_seeds: Vec<u32>,
    pub(crate) runs: u32,
    pub(crate) game_seeds: Option<Vec<u32>>,
    pub(crate) sampling_seed: u64,
    pub(crate) schedule_seed: u64,
    pub(crate) prompts: Option<PathBuf>,
    pub(crate) game: GameTable,
    pub(crate) limits: LimitsTable,
    pub(crate) operation: OperationTable,
    pub(crate) analysis: AnalysisTable,
}

impl Default for MatrixFile {
    fn default() -> Self {
        Self {
            name: None,
            planners: Vec::new(),
            backbones: vec![NameOr::Name("scripted".to_owned())],
            map_seeds: vec![2025],
            runs: 1,
            game_seeds: None,
            sampling_seed: 0,
            schedule_seed: 1,
            prompts: None,
            game: GameTable::default(),
            limits: LimitsTable::default(),
            operation: OperationTable::default(),
            analysis: AnalysisTable::default(),
        }
    }
}

/// `"direct"`, or a table with more to say.
#[derive(Debug)]
pub(crate) enum NameOr<T> {
    Name(String),
    Table(T),
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for NameOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);
        impl<'de, T: DeserializeOwned> Visitor<'de> for Either<T> {
            type Value = NameOr<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name, or a table with a name")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(NameOr::Name(name.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(NameOr::Table)
            }
        }
        deserializer.deserialize_any(Either(PhantomData))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlannerTable {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) variant: Option<String>,
    #[serde(default)]
    pub(crate) parameters: BTreeMap<String, toml::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BackboneTable {
    pub(crate) name: String,
    pub(crate) roles: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GameTable {
    pub(crate) ruleset: String,
    #[serde(deserialize_with = "pair")]
    pub(crate) size: [u32; 2],
    pub(crate) topology: Vec<String>,
    pub(crate) opponents: u32,
    pub(crate) ai_skill: Words,
    pub(crate) barbarians: String,
    pub(crate) victories: Vec<String>,
    pub(crate) turns_max: u32,
    pub(crate) settings: BTreeMap<String, toml::Value>,
}

impl Default for GameTable {
    fn default() -> Self {
        Self {
            ruleset: "classic".to_owned(),
            size: [23, 23],
            topology: Vec::new(),
            opponents: 2,
            ai_skill: Words::One("easy".to_owned()),
            barbarians: "NORMAL".to_owned(),
            victories: vec!["SPACERACE".to_owned(), "ALLIED".to_owned()],
            turns_max: 150,
            settings: BTreeMap::new(),
        }
    }
}

/// `"easy"`, or a list of words that is an axis of the matrix.
#[derive(Debug)]
pub(crate) enum Words {
    One(String),
    Axis(Vec<String>),
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Words;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word in quotes, or a list of them")
            }
            fn visit_str<E: de::Error>(self, word: &str) -> Result<Self::Value, E> {
                Ok(Words::One(word.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = list.next_element()? {
                    words.push(word);
                }
                Ok(Words::Axis(words))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Two numbers and no third: a fixed array alone would drop what is too much.
fn pair<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u32; 2], D::Error> {
    let all = Vec::<u32>::deserialize(deserializer)?;
    <[u32; 2]>::try_from(all)
        .map_err(|all| de::Error::invalid_length(all.len(), &"columns and rows: two numbers"))
}

#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LimitsTable {
    pub(crate) rounds_max: u32,
    pub(crate) reprompts_max: u32,
    pub(crate) history_max: u32,
    pub(crate) review_turns: u32,
}

impl Default for LimitsTable {
    fn default() -> Self {
        let Limits { rounds_max, reprompts_max, history_max, review_turns } = Limits::default();
        Self { rounds_max, reprompts_max, history_max, review_turns }
    }
}

#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OperationTable {
    pub(crate) budget_tokens: Option<u64>,
    pub(crate) server_timeout_s: u32,
    pub(crate) durability: Durability,
}

impl Default for OperationTable {
    fn default() -> Self {
        let Operation { budget_tokens, server_timeout_s, durability } = Operation::default();
        Self { budget_tokens, server_timeout_s, durability }
    }
}

/// What will be tested and how, said before the first game. Serialised into the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AnalysisTable {
    pub(crate) reference: Option<String>,
    pub(crate) comparisons: Option<Vec<String>>,
    pub(crate) controls: Vec<String>,
    pub(crate) primary_metric: String,
    pub(crate) alternative: String,
    pub(crate) alpha: f64,
    pub(crate) families: BTreeMap<String, Vec<String>>,
    pub(crate) exclusions: Vec<String>,
    pub(crate) planned_n: Option<u32>,
    pub(crate) eliminated: String,
    pub(crate) early_victory: String,
}

impl Default for AnalysisTable {
    fn default() -> Self {
        Self {
            reference: None,
            comparisons: None,
            controls: Vec::new(),
            primary_metric: "score".to_owned(),
            alternative: "two-sided".to_owned(),
            alpha: 0.05,
            families: BTreeMap::new(),
            exclusions: Vec::new(),
            planned_n: None,
            eliminated: "last-score-no-stocks".to_owned(),
            early_victory: "last-values".to_owned(),
        }
    }
}
