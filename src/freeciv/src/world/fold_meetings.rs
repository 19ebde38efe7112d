//! Readers of the packets about meetings and the treaties on their tables.

use saga_core::action::Clause;
use saga_core::ids::PlayerId;

use super::fold::natural;
use super::model::MeetingState;
use super::{World, codes};
use crate::value::{Int, Packet};

pub(super) fn open(w: &mut World, p: &Packet) {
    let f = w.fields.meeting;
    let meeting = MeetingState {
        opened_by: player(p, f.initiated_from),
        clauses: Vec::new(),
        accepted_by_us: false,
        accepted_by_them: false,
    };
    w.meetings.insert(player(p, f.counterpart), meeting);
}

pub(super) fn close(w: &mut World, p: &Packet) {
    w.meetings.remove(&player(p, w.fields.meeting_end.counterpart));
}

/// A change of the treaty takes back both acceptances.
pub(super) fn add_clause(w: &mut World, p: &Packet) {
    let f = w.fields.clause;
    let Some(clause) = clause(p, f.giver, f.r#type, f.value) else { return };
    if let Some(meeting) = w.meetings.get_mut(&player(p, f.counterpart)) {
        meeting
            .clauses
            .retain(|c| (c.giver, c.kind) != (clause.giver, clause.kind) || differs(*c, clause));
        meeting.clauses.push(clause);
        meeting.accepted_by_us = false;
        meeting.accepted_by_them = false;
    }
}

pub(super) fn remove_clause(w: &mut World, p: &Packet) {
    let f = w.fields.clause_end;
    let Some(clause) = clause(p, f.giver, f.r#type, f.value) else { return };
    if let Some(meeting) = w.meetings.get_mut(&player(p, f.counterpart)) {
        meeting.clauses.retain(|c| *c != clause);
        meeting.accepted_by_us = false;
        meeting.accepted_by_them = false;
    }
}

pub(super) fn accept(w: &mut World, p: &Packet) {
    let f = w.fields.accept;
    if let Some(meeting) = w.meetings.get_mut(&player(p, f.counterpart)) {
        meeting.accepted_by_us = p.bool(f.I_accepted);
        meeting.accepted_by_them = p.bool(f.other_accepted);
    }
}

/// Gold is offered once for each giver: a new amount replaces the old one.
fn differs(old: Clause, new: Clause) -> bool {
    old.kind != saga_core::action::ClauseKind::Gold && old.value != new.value
}

fn clause(p: &Packet, giver: Int, kind: Int, value: Int) -> Option<Clause> {
    let kind = codes::clause(p.int(kind))?;
    Some(Clause { giver: player(p, giver), kind, value: natural(p, value) })
}

fn player(p: &Packet, field: Int) -> PlayerId {
    PlayerId(p.int(field) as u16)
}
