//! One reader for each packet that changes the world, except the settings'.

use saga_core::ids::{ExtraId, PlayerId};

use super::fields::Fields;
use super::model::{
    PactState, PlayerState, ResearchState, SpaceshipStage, SpaceshipState, TileIndex, TileState,
};
use super::{
    Ending, EndingPlayer, Reader, World, codes, fold_answers, fold_items, fold_meetings, settings,
};
use crate::menu::Board;
use crate::tables::Protocol;
use crate::text::{one_line, strip_markup};
use crate::value::{Int, Packet};
use saga_core::action::Rates;
use saga_core::measures::measure_shown;

/// Codes for "nobody" and "nothing" in fields of one byte.
const NO_PLAYER: i64 = 255;
const NO_TERRAIN: i64 = 255;
const NO_RESOURCE: i64 = 128;
/// The flag of players that the server's AI plays.
const AI_FLAG: usize = 0;

/// The readers by position of their packet in the table.
pub(super) fn readers(protocol: &Protocol, f: &Fields) -> Vec<Option<Reader>> {
    let list: [(_, Reader); 40] = [
        (f.server.packet, server),
        (f.conn.packet, conn),
        (f.chat.packet, chat),
        (f.early_chat.packet, early_chat),
        (f.start_phase.packet, start_phase),
        (f.begin_turn.packet, begin_turn),
        (f.new_year.packet, new_year),
        (f.game.packet, game),
        (f.map.packet, map),
        (f.tile.packet, tile),
        (f.player.packet, player),
        (f.player_remove.packet, player_remove),
        (f.dipl.packet, pact),
        (f.research.packet, research),
        (f.unknown_research.packet, unknown_research),
        (f.spaceship.packet, spaceship),
        (f.city.packet, fold_items::city),
        (f.city_short.packet, fold_items::city_short),
        (f.city_remove.packet, fold_items::city_remove),
        (f.city_name.packet, fold_items::city_name),
        (f.unit.packet, fold_items::unit),
        (f.unit_short.packet, fold_items::unit_short),
        (f.unit_remove.packet, fold_items::unit_remove),
        (f.combat.packet, fold_items::combat),
        (f.actions.packet, fold_answers::actions),
        (f.price.packet, fold_answers::price),
        (f.sabotage.packet, fold_answers::sabotage),
        (f.meeting.packet, fold_meetings::open),
        (f.meeting_end.packet, fold_meetings::close),
        (f.clause.packet, fold_meetings::add_clause),
        (f.clause_end.packet, fold_meetings::remove_clause),
        (f.accept.packet, fold_meetings::accept),
        (f.setting.packet, settings::named),
        (f.setting_bool.packet, settings::boolean),
        (f.setting_int.packet, settings::integer),
        (f.setting_str.packet, settings::text),
        (f.setting_enum.packet, settings::choice),
        (f.setting_bits.packet, settings::bits),
        (f.end_report.packet, end_report),
        (f.end_player.packet, end_player),
    ];
    let mut readers = vec![None; protocol.packets().len()];
    for (kind, reader) in list {
        if let Some(slot) = readers.get_mut(kind.index()) {
            *slot = Some(reader);
        }
    }
    readers
}

fn server(w: &mut World, p: &Packet) {
    let f = w.fields.server;
    let part = |field| natural(p, field);
    w.server_version = Some([part(f.major_version), part(f.minor_version), part(f.patch_version)]);
}

/// Follows our seat. What was told to another seat is dropped; the server tells it anew.
fn conn(w: &mut World, p: &Packet) {
    let f = w.fields.conn;
    if w.connection != Some(p.int(f.id)) || !p.bool(f.used) {
        return;
    }
    let number = p.int(f.player_num);
    let seated = number != NO_PLAYER && !p.bool(f.observer);
    let seat = seated.then_some(PlayerId(number as u16));
    if seat != w.seat {
        w.seat = seat;
        w.cities.clear();
        w.units.clear();
        w.answers.clear();
        w.research.clear();
        w.map.tiles.fill(TileState::default());
    }
}

fn chat(w: &mut World, p: &Packet) {
    let f = w.fields.chat;
    say(w, p.int(f.event), p.str(f.message), p.int(f.tile));
}

fn early_chat(w: &mut World, p: &Packet) {
    let f = w.fields.early_chat;
    say(w, p.int(f.event), p.str(f.message), p.int(f.tile));
}

/// The dead are told of every turn that is played out without them, and nobody reads it.
fn say(w: &mut World, event: i64, message: &str, tile: i64) {
    if !w.alive() {
        return;
    }
    if let Some(kind) = codes::event(event) {
        w.heard.push(kind, one_line(&strip_markup(message)), w.map.pos(tile));
    }
}

/// The turn has opened: the server wrote its score log, and nobody has moved yet.
fn start_phase(w: &mut World, _: &Packet) {
    let board = w.alive().then(|| Board::new(w)).flatten();
    w.opening = board.map(|board| measure_shown(&board.facts(), board.rules));
}

fn begin_turn(w: &mut World, _: &Packet) {
    w.turns_begun += 1;
    for inside in w.cities.values_mut().filter_map(|city| city.inside.as_deref_mut()) {
        inside.rioted = inside.disorder();
    }
    w.answers.clear();
    w.prices.clear();
    w.interiors.clear();
    w.suggested_names.clear();
    w.fights.clear();
}

fn new_year(w: &mut World, p: &Packet) {
    let f = w.fields.new_year;
    w.game.year = p.int(f.year32) as i32;
    w.game.fragments = p.int(f.fragments);
}

fn game(w: &mut World, p: &Packet) {
    let f = w.fields.game;
    let game = &mut w.game;
    game.turn = natural(p, f.turn);
    game.year = p.int(f.year32) as i32;
    game.fragments = p.int(f.fragment_count);
    game.city_distance_min = natural(p, f.citymindist);
    game.city_radius_sq = natural(p, f.init_city_radius_sq);
    game.food_box_pct = p.int(f.foodbox);
    game.shield_box_pct = p.int(f.shieldbox);
    let told = usize::try_from(p.int(f.granary_num_inis)).unwrap_or(0);
    game.granary_first = p.ints(f.granary_food_ini).iter().copied().take(told).collect();
    game.granary_more = p.int(f.granary_food_inc);
    game.wonder_owners = p.ints(f.great_wonder_owners).to_vec();
    game.known_anywhere = p.ints(f.global_advances).to_vec();
    game.advances_anywhere = p.int(f.global_advance_count);
    game.interregnum = p.int(f.government_during_revolution_id);
    game.rates_change = p.bool(f.changable_tax);
    game.airlifting_style = p.int(f.airlifting_style);
    game.steal_with_holes = p.bool(f.tech_steal_allow_holes);
    game.teams_pool_research = p.bool(f.team_pooled_research);
    game.diplomacy = p.int(f.diplomacy) as u8;
    game.gold_trade = p.bool(f.trading_gold);
    game.advance_trade = p.bool(f.trading_tech);
    game.advance_trade_holes = p.bool(f.tech_trade_allow_holes);
}

fn map(w: &mut World, p: &Packet) {
    let f = w.fields.map;
    w.map.width = p.int(f.xsize) as u16;
    w.map.height = p.int(f.ysize) as u16;
    w.map.topology = p.int(f.topology_id);
    let count = usize::from(w.map.width) * usize::from(w.map.height);
    w.map.tiles = vec![TileState::default(); count.min(TILES_MAX)];
}

/// Most tiles of which a map is held in memory; the server's own limit is 2,048,000.
const TILES_MAX: usize = 2_048_000;

fn tile(w: &mut World, p: &Packet) {
    let f = w.fields.tile;
    let Some(slot) = usize::try_from(p.int(f.tile)).ok().and_then(|n| w.map.tiles.get_mut(n))
    else {
        return;
    };
    let player = |field| some(p, field, NO_PLAYER).map(PlayerId);
    let mut extras: Vec<ExtraId> = (0..(p.bits(f.extras).len() * 8) as u16)
        .filter(|bit| p.bit(f.extras, usize::from(*bit)))
        .map(ExtraId)
        .collect();
    if let Some(resource) = some(p, f.resource, NO_RESOURCE).map(ExtraId)
        && let Err(at) = extras.binary_search(&resource)
    {
        extras.insert(at, resource);
    }
    *slot = TileState {
        known: p.int(f.known) as u8,
        continent: p.int(f.continent),
        terrain: some(p, f.terrain, NO_TERRAIN),
        extras,
        owner: player(f.owner),
        worked_by: super::fold_items::some_city(p.int(f.worked)),
    };
}

fn player(w: &mut World, p: &Packet) {
    let f = w.fields.player;
    let embassies = (0u16..).zip(p.ints(f.real_embassy)).filter(|(_, has)| **has != 0);
    let slots = (p.bits(f.gives_shared_vision).len() * 8) as u16;
    let shows = (0..slots).filter(|id| p.bit(f.gives_shared_vision, usize::from(*id)));
    let state = PlayerState {
        name: one_line(p.str(f.name)),
        score: natural(p, f.score),
        government: p.int(f.government),
        target_government: p.int(f.target_government),
        embassies: embassies.map(|(id, _)| id).collect(),
        nation: p.int(f.nation),
        team: p.int(f.team),
        turns_alive: p.int(f.turns_alive),
        alive: p.bool(f.is_alive),
        gold: natural(p, f.gold),
        rates: Rates {
            tax: p.int(f.tax) as u8,
            luxury: p.int(f.luxury) as u8,
            science: p.int(f.science) as u8,
        },
        revolution_ends: p.int(f.revolution_finishes),
        barbarian: p.int(f.barbarian_type) as u8,
        culture: natural(p, f.culture32),
        shows: shows.collect(),
        ai: p.bit(f.flags, AI_FLAG),
    };
    let id = PlayerId(p.int(f.playerno) as u16);
    let embassies = state.embassies.clone();
    let before = w.players.insert(id, state);
    // With an embassy there is no other to establish.
    if w.is_ours(id) && before.is_some_and(|b| b.embassies != embassies) {
        w.answers.clear();
    }
}

fn player_remove(w: &mut World, p: &Packet) {
    let id = PlayerId(p.int(w.fields.player_remove.playerno) as u16);
    w.players.remove(&id);
    w.pacts.retain(|(a, b), _| *a != id && *b != id);
    w.meetings.remove(&id);
}

fn pact(w: &mut World, p: &Packet) {
    let f = w.fields.dipl;
    let pair = (PlayerId(p.int(f.plr1) as u16), PlayerId(p.int(f.plr2) as u16));
    let state = PactState {
        kind: p.int(f.r#type) as u8,
        turns_left: natural(p, f.turns_left),
        contact_turns_left: natural(p, f.contact_turns_left),
        reason_to_cancel: p.int(f.has_reason_to_cancel) > 0,
    };
    let before = w.pacts.insert(pair, state);
    if before.is_none_or(|b| b.kind != state.kind) {
        w.answers.clear();
    }
}

fn research(w: &mut World, p: &Packet) {
    let f = w.fields.research;
    let state = ResearchState {
        known: natural(p, f.techs_researched),
        future: natural(p, f.future_tech),
        now: p.int(f.researching),
        goal: p.int(f.tech_goal),
        bulbs: natural(p, f.bulbs_researched),
        cost: natural(p, f.researching_cost),
        bulbs_per_turn: p.int(f.total_bulbs_prod) as i32,
        inventions: p.str(f.inventions).to_owned(),
    };
    w.research.insert(p.int(f.id), state);
}

fn unknown_research(w: &mut World, p: &Packet) {
    w.research.remove(&p.int(w.fields.unknown_research.id));
}

fn spaceship(w: &mut World, p: &Packet) {
    let f = w.fields.spaceship;
    let part = |field| natural(p, field);
    let state = SpaceshipState {
        stage: match p.int(f.sship_state) {
            1 => SpaceshipStage::Started,
            2 => SpaceshipStage::Launched,
            3 => SpaceshipStage::Arrived,
            _ => SpaceshipStage::None,
        },
        structurals: part(f.structurals),
        components: part(f.components),
        modules: part(f.modules),
        fuel: part(f.fuel),
        propulsion: part(f.propulsion),
        habitation: part(f.habitation),
        life_support: part(f.life_support),
        solar_panels: part(f.solar_panels),
        structure: (0..32).filter(|n| p.bit(f.structure, *n as usize)).fold(0, |s, n| s | 1 << n),
        success: part(f.success_rate),
        travel: part(f.travel_time),
    };
    w.spaceships.insert(PlayerId(p.int(f.player_num) as u16), state);
}

fn end_report(w: &mut World, p: &Packet) {
    let f = w.fields.end_report;
    w.ending_lines = natural(p, f.player_num) as usize;
    let names = p.texts(f.category_name);
    let ending = w.ending.get_or_insert_default();
    ending.categories = names.iter().map(ToString::to_string).collect();
}

fn end_player(w: &mut World, p: &Packet) {
    let f = w.fields.end_player;
    let categories = p.ints(f.category_score).iter().map(|n| u32::try_from(*n).unwrap_or(0));
    let line = EndingPlayer {
        id: PlayerId(p.int(f.player_id) as u16),
        score: natural(p, f.score),
        categories: categories.collect(),
        winner: p.bool(f.winner),
    };
    w.ending.get_or_insert_with(Ending::default).players.push(line);
}

/// A number that the protocol never sends below zero.
pub(super) fn natural(p: &Packet, field: Int) -> u32 {
    u32::try_from(p.int(field)).unwrap_or(0)
}

/// A number that may be the code for none.
fn some(p: &Packet, field: Int, none: i64) -> Option<u16> {
    let value = p.int(field);
    u16::try_from(value).ok().filter(|_| value != none)
}

/// A tile number as sent; "no tile" becomes `None`.
pub(super) fn some_tile(value: i64) -> Option<TileIndex> {
    TileIndex::try_from(value).ok()
}
