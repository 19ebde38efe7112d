//! Readers of the answers to our questions about what units may do and what it costs.

use saga_core::ids::{CityId, UnitId};

use super::World;
use super::fold::{natural, some_tile};
use super::fold_items::buildings;
use super::model::ActionsAnswer;
use crate::value::Packet;

/// Chances run from 0 to 200; above them stand codes: 253 does not apply, 254 not computed.
pub(super) fn actions(w: &mut World, p: &Packet) {
    let f = w.fields.actions;
    let Some(tile) = some_tile(p.int(f.target_tile_id)) else { return };
    let may = |(least, most): &(u8, u8)| match (*least, *most) {
        (253, _) => false,
        (254, _) => true,
        (_, most) => most > 0,
    };
    let listed = (0u8..).zip(p.pairs(f.action_probabilities));
    let answer = ActionsAnswer {
        target_unit: natural(p, f.target_unit_id),
        target_city: natural(p, f.target_city_id),
        possible: listed.filter(|(_, chance)| may(chance)).map(|(id, _)| id).collect(),
    };
    w.answers.insert((UnitId(natural(p, f.actor_unit_id)), tile), answer);
}

/// What is impossible is answered with the number of no action, and kept under it.
pub(super) fn price(w: &mut World, p: &Packet) {
    let f = w.fields.price;
    let unit = UnitId(natural(p, f.actor_id));
    w.prices.insert((unit, p.int(f.action_type) as u8, p.int(f.target_id)), natural(p, f.cost));
}

/// A spy at the gates sees all that stands inside.
pub(super) fn sabotage(w: &mut World, p: &Packet) {
    let f = w.fields.sabotage;
    w.interiors.insert(CityId(natural(p, f.city_id)), buildings(p, f.improvements));
}
