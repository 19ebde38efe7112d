//! What can be done, by whom, and how it went. Everything here is a plain value: menus list
//! actions, decisions choose them, orders send them, outcomes judge them.

use serde::{Deserialize, Serialize};

use crate::ids::{
    AdvanceId, BuildingId, CityId, Dir, ExtraId, GovernmentId, PlayerId, Pos, SpecialistId, UnitId,
    UnitTypeId,
};

/// One lawful thing to do. Which actor it belongs to is told by [`Order::actor`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Unit: step to a neighbouring tile.
    Move {
        /// Which neighbour.
        dir: Dir,
        /// Where that is.
        to: Pos,
    },
    /// Unit: walk to a far tile along a known path, over several turns if need be.
    Goto {
        /// The target.
        to: Pos,
    },
    /// Unit: found a city here.
    FoundCity,
    /// Unit: add itself to the citizens of a city.
    JoinCity {
        /// The city.
        city: CityId,
    },
    /// Unit: dig in.
    Fortify,
    /// Unit: sleep until an enemy comes.
    Sentry,
    /// Unit: explore by itself.
    Explore,
    /// Unit: improve terrain by itself.
    AutoWork,
    /// Unit: work on the tile it stands on.
    Work {
        /// The kind of work.
        work: Work,
        /// What is built or removed, when the work is about an extra.
        extra: Option<ExtraId>,
    },
    /// Unit: attack whoever is on a neighbouring tile.
    Attack {
        /// The defended tile.
        at: Pos,
    },
    /// Unit: take an undefended neighbouring city.
    Conquer {
        /// The city.
        city: CityId,
        /// Where it lies.
        at: Pos,
    },
    /// Unit: any other action that the server enumerates for this unit and target.
    Special {
        /// The server's action number.
        id: u8,
        /// Rule name of the action, as in `establish_embassy`.
        name: String,
        /// Target number as the server wants it (city, unit or tile index).
        target: i64,
        /// Where the target is.
        at: Pos,
        /// What of the target exactly, where the action wants that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<Part>,
        /// Gold it costs, where it costs gold.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<u32>,
    },
    /// Unit: get on a transport on the same tile.
    Board {
        /// The transport.
        transport: UnitId,
    },
    /// Unit: get off the transport it is on, staying on its tile.
    Leave,
    /// City: build this.
    Produce {
        /// Unit type or building.
        item: Item,
    },
    /// City: pay to finish what is being built.
    Buy,
    /// City: build this after all that is planned already.
    Append {
        /// Unit type or building.
        item: Item,
    },
    /// City: forget what was planned after the present production.
    ClearWorklist,
    /// City: sell a building for gold.
    Sell {
        /// The building.
        building: BuildingId,
    },
    /// City: take the citizen who works this tile off the land; it becomes a specialist.
    TakeOffTile {
        /// The worked tile.
        at: Pos,
    },
    /// City: put a specialist to work on this tile.
    PutOnTile {
        /// The free tile.
        at: Pos,
    },
    /// City: turn a specialist of one kind into one of another.
    Retrain {
        /// What it is.
        from: SpecialistId,
        /// What it becomes.
        to: SpecialistId,
    },
    /// Player: research this advance now.
    Research {
        /// The advance.
        advance: AdvanceId,
    },
    /// Player: steer research toward this advance.
    ResearchGoal {
        /// The advance.
        advance: AdvanceId,
    },
    /// Player: start a revolution toward this government.
    Revolution {
        /// The government.
        government: GovernmentId,
    },
    /// Player: set the tax rates, in percent, summing to 100.
    Rates(Rates),
    /// Player: open a meeting, offer these clauses, read the answer, accept or cancel.
    Propose {
        /// Whom.
        to: PlayerId,
        /// The whole treaty.
        clauses: Vec<Clause>,
    },
    /// Player: accept the treaty that lies on the table.
    AcceptTreaty {
        /// With whom.
        with: PlayerId,
    },
    /// Player: leave the meeting.
    RejectTreaty {
        /// With whom.
        with: PlayerId,
    },
    /// Player: step the current pact down.
    CancelPact {
        /// With whom.
        with: PlayerId,
    },
    /// Player: no longer show them what we see.
    WithdrawVision {
        /// Whom.
        from: PlayerId,
    },
    /// Player: put all spaceship parts built so far in their places.
    AssembleSpaceship,
    /// Player: launch the spaceship.
    LaunchSpaceship,
    /// Do nothing this round; always lawful.
    Skip,
}

impl Action {
    /// The stable word under which orders of this kind are counted: one per variant, the sort of
    /// work for [`Action::Work`], the rule name for [`Action::Special`].
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Action::Move { .. } => "move",
            Action::Goto { .. } => "goto",
            Action::FoundCity => "found_city",
            Action::JoinCity { .. } => "join_city",
            Action::Fortify => "fortify",
            Action::Sentry => "sentry",
            Action::Explore => "explore",
            Action::AutoWork => "auto_work",
            Action::Work { work, .. } => work.kind(),
            Action::Attack { .. } => "attack",
            Action::Conquer { .. } => "conquer",
            Action::Special { name, .. } => name,
            Action::Board { .. } => "board",
            Action::Leave => "leave",
            Action::Produce { .. } => "produce",
            Action::Buy => "buy",
            Action::Append { .. } => "append",
            Action::ClearWorklist => "clear_worklist",
            Action::Sell { .. } => "sell",
            Action::TakeOffTile { .. } => "take_off_tile",
            Action::PutOnTile { .. } => "put_on_tile",
            Action::Retrain { .. } => "retrain",
            Action::Research { .. } => "research",
            Action::ResearchGoal { .. } => "research_goal",
            Action::Revolution { .. } => "revolution",
            Action::Rates(_) => "rates",
            Action::Propose { .. } => "propose",
            Action::AcceptTreaty { .. } => "accept_treaty",
            Action::RejectTreaty { .. } => "reject_treaty",
            Action::CancelPact { .. } => "cancel_pact",
            Action::WithdrawVision { .. } => "withdraw_vision",
            Action::AssembleSpaceship => "assemble_spaceship",
            Action::LaunchSpaceship => "launch_spaceship",
            Action::Skip => "skip",
        }
    }
}

/// What of a target an action is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A building in the target city.
    Building(BuildingId),
    /// What the target city is building.
    Production,
    /// An advance that its owner knows.
    Advance(AdvanceId),
}

/// Terrain work a unit can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Work {
    Irrigate,
    Mine,
    Road,
    Base,
    Transform,
    CleanPollution,
    CleanFallout,
    Pillage,
}

impl Work {
    /// The stable word under which orders of this work are counted.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Work::Irrigate => "irrigate",
            Work::Mine => "mine",
            Work::Road => "road",
            Work::Base => "base",
            Work::Transform => "transform",
            Work::CleanPollution => "clean_pollution",
            Work::CleanFallout => "clean_fallout",
            Work::Pillage => "pillage",
        }
    }
}

/// Tax rates in percent; they sum to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rates {
    /// Share that becomes gold.
    pub tax: u8,
    /// Share that becomes luxury.
    pub luxury: u8,
    /// Share that becomes science.
    pub science: u8,
}

/// What a city can build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A unit.
    Unit(UnitTypeId),
    /// An improvement, a wonder, or coinage.
    Building(BuildingId),
}

/// One clause of a treaty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Clause {
    /// Who gives.
    pub giver: PlayerId,
    /// What.
    pub kind: ClauseKind,
    /// Advance, gold or city number; 0 where the kind needs none.
    pub value: u32,
}

/// Kinds of clauses, in the server's numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum ClauseKind {
    Advance,
    Gold,
    WorldMap,
    SeaMap,
    City,
    CeaseFire,
    Peace,
    Alliance,
    SharedVision,
    Embassy,
}

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// One of our units.
    Unit(UnitId),
    /// One of our cities.
    City(CityId),
    /// Our player as a whole: research, government and rates.
    Player,
    /// Our player toward another one.
    Toward(PlayerId),
}

impl std::fmt::Display for Actor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Actor::Unit(id) => write!(f, "unit:{id}"),
            Actor::City(id) => write!(f, "city:{id}"),
            Actor::Player => f.write_str("player"),
            Actor::Toward(id) => write!(f, "toward:{id}"),
        }
    }
}

/// An action with its actor, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Order {
    /// Who.
    pub actor: Actor,
    /// What.
    pub action: Action,
}

/// How an order went, judged after its barrier.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The state shows its effect.
    Done,
    /// The server said no.
    Refused {
        /// In these words.
        words: String,
    },
    /// Nothing changed and nothing was said.
    Ignored,
    /// Lawful when offered, no longer when it was to be sent; not sent.
    Stale,
}
