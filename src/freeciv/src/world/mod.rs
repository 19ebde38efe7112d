//! Our player's view of the game: everything the server told our seat, folded packet by packet into
//! one state. Fog is respected because nothing else goes in.

pub(crate) mod codes;
mod fields;
mod fold;
mod fold_answers;
pub(crate) mod fold_items;
mod fold_meetings;
pub(crate) mod geometry;
pub(crate) mod heard;
pub(crate) mod model;
mod settings;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use saga_core::ids::{BuildingId, CityId, PlayerId, UnitId};
use saga_core::measures::Measures;
use saga_core::rules::Rules;

use crate::connection::Joined;
use crate::rules::{About, Builder, Judge};
use crate::tables::{Protocol, TableError};
use crate::value::Packet;
use fields::Fields;
use heard::Heard;
use model::{
    ActionsAnswer, CityState, GameState, MapState, MeetingState, PactState, PlayerState,
    ResearchState, Settings, SpaceshipState, TileIndex, UnitState,
};

type Reader = fn(&mut World, &Packet);

/// The game as our seat was told of it.
#[derive(Debug)]
pub struct World {
    fields: Fields,
    readers: Vec<Option<Reader>>,
    builder: Builder,
    rules: Option<Arc<Rules>>,
    connection: Option<i64>,
    seat: Option<PlayerId>,
    server_version: Option<[u32; 3]>,
    settings: Settings,
    turns_begun: u32,
    ending: Option<Ending>,
    /// Lines the closing report announced.
    ending_lines: usize,
    unjudged: Cell<u64>,
    heard: Heard,
    /// What we owned when the turn opened, until an observation takes it.
    pub(crate) opening: Option<Measures>,
    pub(crate) game: GameState,
    pub(crate) map: MapState,
    pub(crate) players: BTreeMap<PlayerId, PlayerState>,
    pub(crate) pacts: BTreeMap<(PlayerId, PlayerId), PactState>,
    pub(crate) research: BTreeMap<i64, ResearchState>,
    pub(crate) spaceships: BTreeMap<PlayerId, SpaceshipState>,
    pub(crate) cities: BTreeMap<CityId, CityState>,
    pub(crate) units: BTreeMap<UnitId, UnitState>,
    pub(crate) meetings: BTreeMap<PlayerId, MeetingState>,
    pub(crate) answers: BTreeMap<(UnitId, TileIndex), ActionsAnswer>,
    /// Prices of actions in gold, by unit, action and target, as told when they were asked about.
    pub(crate) prices: BTreeMap<(UnitId, u8, i64), u32>,
    /// All buildings of foreign cities that a spy of ours looked into.
    pub(crate) interiors: BTreeMap<CityId, BTreeSet<BuildingId>>,
    /// City names the server suggested, by founding unit.
    pub(crate) suggested_names: BTreeMap<UnitId, String>,
    /// How often each unit fought in this turn.
    pub(crate) fights: BTreeMap<UnitId, u32>,
}

/// The server's closing report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ending {
    /// Names of the categories, in the order of [`EndingPlayer::categories`].
    pub categories: Vec<String>,
    /// One line for each player.
    pub players: Vec<EndingPlayer>,
}

/// One player's line in the closing report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndingPlayer {
    /// Who.
    pub id: PlayerId,
    /// The final score.
    pub score: u32,
    /// Its parts.
    pub categories: Vec<u32>,
    /// Whether the server calls them a winner.
    pub winner: bool,
}

impl World {
    /// A world of which nothing was told yet. Fails only if the table lacks a packet or field.
    pub fn new(protocol: &'static Protocol) -> Result<Self, TableError> {
        let fields = Fields::resolve(protocol)?;
        Ok(Self {
            readers: fold::readers(protocol, &fields),
            fields,
            builder: Builder::new(protocol)?,
            rules: None,
            connection: None,
            seat: None,
            server_version: None,
            settings: Settings::default(),
            turns_begun: 0,
            ending: None,
            ending_lines: 0,
            unjudged: Cell::new(0),
            heard: Heard::default(),
            opening: None,
            game: GameState::default(),
            map: MapState::default(),
            players: BTreeMap::new(),
            pacts: BTreeMap::new(),
            research: BTreeMap::new(),
            spaceships: BTreeMap::new(),
            cities: BTreeMap::new(),
            units: BTreeMap::new(),
            meetings: BTreeMap::new(),
            answers: BTreeMap::new(),
            prices: BTreeMap::new(),
            interiors: BTreeMap::new(),
            suggested_names: BTreeMap::new(),
            fights: BTreeMap::new(),
        })
    }

    /// Tells which connection is ours, so that the world can follow its seat. To be called when the
    /// server lets us in, before the packets that follow are folded.
    pub fn joined(&mut self, joined: &Joined) {
        self.connection = Some(joined.connection);
    }

    /// Takes in one packet.
    pub fn fold(&mut self, packet: &Packet) {
        self.builder.read(packet);
        if let Some(Some(reader)) = self.readers.get(packet.kind().index()) {
            reader(self, packet);
        }
        if self.rules.is_none() && self.builder.ready() && self.game.city_distance_min > 0 {
            self.rules = Some(self.builder.finish(&self.game));
        }
    }

    /// The ruleset, once it was told in full: before the first turn begins.
    pub fn rules(&self) -> Option<Arc<Rules>> {
        self.rules.clone()
    }

    /// Our player's number, once we sit.
    pub fn seat(&self) -> Option<PlayerId> {
        self.seat
    }

    /// The turn being played; 0 before the game starts.
    pub fn turn(&self) -> u32 {
        self.game.turn
    }

    /// How many turns have begun for us since we joined: it grows when we may act.
    pub fn turns_begun(&self) -> u32 {
        self.turns_begun
    }

    /// False once our player was told to be dead; true before anything was told.
    pub fn alive(&self) -> bool {
        self.me().is_none_or(|me| me.alive)
    }

    /// The server's version, once told.
    pub fn server_version(&self) -> Option<[u32; 3]> {
        self.server_version
    }

    /// Every setting by name, its value as a server script would write it.
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings.values
    }

    /// The closing report, once the game has ended and every line of it was told.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref().filter(|ending| ending.players.len() >= self.ending_lines)
    }

    /// How many requirements were met that the menus cannot judge; they count as not fulfilled.
    pub fn unjudged_requirements(&self) -> u64 {
        self.unjudged.get()
    }

    /// Whether the menus can judge requirements like this one, wherever what it is about is known.
    pub fn judges(&self, req: &saga_core::rules::Requirement) -> bool {
        let Some(rules) = self.rules_ref() else { return false };
        let own = |owner| self.is_ours(owner);
        let city = self.cities.values().find(|c| own(c.owner));
        let unit = self.units.values().find(|u| own(u.owner));
        let about = About {
            city,
            unit,
            tile: city.map(|c| c.tile),
            unit_type: unit.map(|u| u.kind),
            building: Some(saga_core::ids::BuildingId(0)),
            action: Some(0),
        };
        let before = self.unjudged.get();
        Judge { world: self, rules }.holds(*req, about);
        self.unjudged.replace(before) == before
    }

    pub(crate) fn rules_ref(&self) -> Option<&Rules> {
        self.rules.as_deref()
    }

    pub(crate) fn count_unjudged(&self) {
        self.unjudged.set(self.unjudged.get() + 1);
    }

    pub(crate) fn me(&self) -> Option<&PlayerState> {
        self.players.get(&self.seat?)
    }

    pub(crate) fn is_ours(&self, owner: PlayerId) -> bool {
        self.seat == Some(owner)
    }

    /// Our research, or our team's where teams share it.
    pub(crate) fn my_research(&self) -> Option<&ResearchState> {
        self.research_of(self.seat?)
    }

    /// Research of somebody, or of their team where teams share it, as far as we were told.
    pub(crate) fn research_of(&self, player: PlayerId) -> Option<&ResearchState> {
        let pooled = self.game.teams_pool_research;
        let id = if pooled { self.players.get(&player)?.team } else { i64::from(player.0) };
        self.research.get(&id)
    }

    /// Our pact with somebody.
    pub(crate) fn pact(&self, other: PlayerId) -> PactState {
        self.pact_of(self.seat.unwrap_or(other), other)
    }

    /// The pact of one player with another, as far as we were told.
    pub(crate) fn pact_of(&self, one: PlayerId, other: PlayerId) -> PactState {
        self.pacts.get(&(one, other)).copied().unwrap_or_default()
    }

    /// Numbers of the groups that a nation belongs to.
    pub(crate) fn nation_groups(&self, nation: i64) -> &[u8] {
        self.builder.nation_groups(nation)
    }

    pub(crate) fn terrain_change(&self) -> crate::rules::TerrainChange {
        self.builder.terrain_change()
    }

    /// Percent of the ruleset's chance that saboteurs pick this building; 0 when they cannot.
    pub(crate) fn sabotage_pct(&self, building: BuildingId) -> u32 {
        self.builder.sabotage_pct(building)
    }

    pub(crate) fn heard(&self) -> &Heard {
        &self.heard
    }

    pub(crate) fn drain_events(&mut self) -> Vec<saga_core::observation::Event> {
        self.heard.drain()
    }

    fn forget_answers_of(&mut self, unit: UnitId) {
        self.answers.retain(|(actor, _), _| *actor != unit);
    }

    /// Forgets what was answered about all units on a tile.
    fn forget_answers_from(&mut self, tile: TileIndex) {
        let units = &self.units;
        self.answers.retain(|(actor, _), _| units.get(actor).is_none_or(|u| u.tile != tile));
    }

    fn forget_answers_at(&mut self, tile: TileIndex) {
        self.answers.retain(|(_, target), _| *target != tile);
    }
}
