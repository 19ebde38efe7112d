//! What is sent for an order of our player, alone or toward another one.

use saga_core::action::{Action, Clause, ClauseKind};
use saga_core::ids::PlayerId;

use crate::menu::{Board, Place};
use crate::order::Request;
use crate::world::codes;

/// The packets: one, but for a spaceship one for each part that can be placed; none when the
/// action is not our player's alone.
pub(super) fn requests(action: &Action, board: &Board<'_>) -> Vec<Request> {
    match action {
        Action::AssembleSpaceship => board.places().into_iter().map(place).collect(),
        Action::LaunchSpaceship => vec![Request { packet: "SPACESHIP_LAUNCH", fields: Vec::new() }],
        _ => request(action).into_iter().collect(),
    }
}

fn place((kind, number): Place) -> Request {
    Request {
        packet: "SPACESHIP_PLACE",
        fields: vec![("type", i64::from(kind).into()), ("num", i64::from(number).into())],
    }
}

fn request(action: &Action) -> Option<Request> {
    let one = |packet, field, value: u16| {
        Some(Request { packet, fields: vec![(field, i64::from(value).into())] })
    };
    match action {
        Action::Research { advance } => one("PLAYER_RESEARCH", "tech", advance.0),
        Action::ResearchGoal { advance } => one("PLAYER_TECH_GOAL", "tech", advance.0),
        Action::Revolution { government } => {
            one("PLAYER_CHANGE_GOVERNMENT", "government", government.0)
        }
        Action::Rates(rates) => {
            let field = |name, value: u8| (name, i64::from(value).into());
            let fields = vec![
                field("tax", rates.tax),
                field("luxury", rates.luxury),
                field("science", rates.science),
            ];
            Some(Request { packet: "PLAYER_RATES", fields })
        }
        _ => None,
    }
}

/// The packet; `None` when the action is aimed at nobody.
pub(super) fn toward(action: &Action) -> Option<Request> {
    match action {
        Action::AcceptTreaty { with } => Some(accept(*with)),
        Action::RejectTreaty { with } => Some(leave(*with)),
        Action::CancelPact { with } => Some(cancel(*with, codes::clause_number(ANY_PACT))),
        Action::WithdrawVision { from } => {
            Some(cancel(*from, codes::clause_number(ClauseKind::SharedVision)))
        }
        _ => None,
    }
}

/// The server steps down whatever pact there is, for every kind but shared vision.
const ANY_PACT: ClauseKind = ClauseKind::Peace;

fn cancel(with: PlayerId, clause: i64) -> Request {
    let fields = vec![("other_player_id", i64::from(with.0).into()), ("clause", clause.into())];
    Request { packet: "DIPLOMACY_CANCEL_PACT", fields }
}

/// Opens a meeting.
pub(in crate::order) fn meet(with: PlayerId) -> Request {
    meeting("DIPLOMACY_INIT_MEETING_REQ", with)
}

/// Leaves a meeting.
pub(in crate::order) fn leave(with: PlayerId) -> Request {
    meeting("DIPLOMACY_CANCEL_MEETING_REQ", with)
}

/// Accepts the treaty as it stands; sent twice it takes the acceptance back.
pub(in crate::order) fn accept(with: PlayerId) -> Request {
    meeting("DIPLOMACY_ACCEPT_TREATY_REQ", with)
}

fn meeting(packet: &'static str, with: PlayerId) -> Request {
    Request { packet, fields: vec![("counterpart", i64::from(with.0).into())] }
}

/// Puts a clause on the table.
pub(in crate::order) fn clause(with: PlayerId, clause: Clause) -> Request {
    Request {
        packet: "DIPLOMACY_CREATE_CLAUSE_REQ",
        fields: vec![
            ("counterpart", i64::from(with.0).into()),
            ("giver", i64::from(clause.giver.0).into()),
            ("type", codes::clause_number(clause.kind).into()),
            ("value", clause.value.into()),
        ],
    }
}
