//! The other side of a treaty in our hands: a second connection that takes over an opponent, so
//! that every pact can be concluded and seen from both ends.
#![allow(dead_code, unreachable_pub, reason = "each file of situations uses a part of it")]

use std::ops::{Deref, DerefMut};

use saga_core::action::{Action, Actor, Clause, ClauseKind, Order, Outcome};
use saga_core::ids::PlayerId;
use saga_core::observation::{Stance, Treaty};
use saga_freeciv::{Step, Value};

use crate::desk::Desk;
use crate::line::Line;

/// A second seat of ours at the desk's server.
pub struct Rival {
    line: Line,
}

impl Deref for Rival {
    type Target = Line;

    fn deref(&self) -> &Line {
        &self.line
    }
}

impl DerefMut for Rival {
    fn deref_mut(&mut self) -> &mut Line {
        &mut self.line
    }
}

impl Rival {
    /// Meets this opponent by setting a unit of ours beside one of theirs, and takes it over. From
    /// now on it ends its turns by [`Rival::end_turn`] only.
    pub fn sit(desk: &mut Desk, player: PlayerId) -> Self {
        let name = desk.observe().players.into_iter().find(|p| p.id == player);
        let name = name.expect("a player of this number").name;
        desk.lua(&format!(
            "local us, done = find.player({}), false \
             for u in find.player({player}):units_iterate() do \
               for t in u.tile:square_iterate(1) do \
                 if not done and t:num_units() == 0 and t.terrain:rule_name() ~= 'Ocean' then \
                   edit.create_unit(us, t, find.unit_type('Explorer'), 0, nil, -1) done = true \
                 end \
               end \
             end",
            desk.seat()
        ));
        let mut line = Line::join(desk.address(), &format!("rival{player}"));
        line.send("CHAT_MSG_REQ", &[("message", format!("/take \"{name}\"").as_str().into())]);
        assert_eq!(line.world.seat(), Some(player), "{name} was not taken");
        // Taken over, it would still think for itself.
        desk.console(&format!("aitoggle \"{name}\""));
        desk.settle();
        Self { line }
    }

    /// Ends the turn on both sides and waits for the next.
    pub fn end_turn(&mut self, desk: &mut Desk) {
        let begun = self.world.turns_begun();
        self.post_done();
        self.settle();
        desk.end_turn();
        self.until("the rival's next turn", |line| line.world.turns_begun() > begun);
        self.settle();
    }

    /// Opens a meeting, lays the clauses one by one, and accepts on both sides; whether it came to
    /// a treaty. No meeting stays open.
    pub fn conclude(&mut self, desk: &mut Desk, clauses: &[Clause]) -> bool {
        let (us, them) = (i64::from(desk.seat().0), i64::from(self.seat().0));
        // Before it was taken over it may have asked for one itself.
        self.part(desk);
        desk.send("DIPLOMACY_INIT_MEETING_REQ", &[("counterpart", them.into())]);
        for clause in clauses {
            desk.send("DIPLOMACY_CREATE_CLAUSE_REQ", &laid(them, *clause));
        }
        let complete = self.table(desk).is_some_and(|t| t.clauses.len() == clauses.len());
        if complete {
            desk.send("DIPLOMACY_ACCEPT_TREATY_REQ", &[("counterpart", them.into())]);
            self.settle();
            self.send("DIPLOMACY_ACCEPT_TREATY_REQ", &[("counterpart", us.into())]);
            desk.settle();
        }
        if self.table(desk).is_some() {
            desk.send("DIPLOMACY_CANCEL_MEETING_REQ", &[("counterpart", them.into())]);
            self.settle();
            return false;
        }
        complete
    }

    /// Whether the server takes this clause from who gives it: it is laid alone, and its giver
    /// accepts. Nothing comes of it; the last such meeting stays open.
    pub fn would(&mut self, desk: &mut Desk, clause: Clause) -> bool {
        let (us, them) = (desk.seat(), self.seat());
        let (line, with): (&mut Line, _) =
            if clause.giver == us { (desk, them) } else { (self, us) };
        let with = i64::from(with.0);
        for packet in ["DIPLOMACY_CANCEL_MEETING_REQ", "DIPLOMACY_INIT_MEETING_REQ"] {
            line.post(packet, &[("counterpart", with.into())]);
        }
        line.post("DIPLOMACY_CREATE_CLAUSE_REQ", &laid(with, clause));
        line.post("DIPLOMACY_ACCEPT_TREATY_REQ", &[("counterpart", with.into())]);
        line.settle();
        ["DIPLOMACY_CREATE_CLAUSE", "DIPLOMACY_ACCEPT_TREATY"]
            .iter()
            .all(|packet| line.packets.contains_key(*packet))
    }

    /// Ends the meeting of the two, if there is one.
    pub fn part(&mut self, desk: &mut Desk) {
        let them = i64::from(self.seat().0);
        desk.send("DIPLOMACY_CANCEL_MEETING_REQ", &[("counterpart", them.into())]);
        self.settle();
    }

    /// Carries out an order of the desk's; as soon as a treaty lies on the table, we accept it.
    pub fn agree(&mut self, desk: &mut Desk, action: Action) -> Outcome {
        let us = i64::from(desk.seat().0);
        let actor = Actor::Toward(self.seat());
        let Action::Propose { clauses, .. } = &action else {
            panic!("{action:?} proposes nothing")
        };
        let whole = clauses.len();
        let mut script = desk.world.start(&Order { actor, action });
        loop {
            match script.next(&desk.world) {
                Step::Send(requests) => desk.ask(requests),
                Step::Finished(outcome) => return outcome,
            }
            self.settle();
            let complete =
                |t: &Treaty| t.clauses.len() == whole && !t.accepted_by_us && !t.accepted_by_them;
            if self.observe().treaties.iter().any(complete) {
                self.send("DIPLOMACY_ACCEPT_TREATY_REQ", &[("counterpart", us.into())]);
                desk.settle();
            }
        }
    }

    /// Opens a meeting with the desk, lays this clause, and accepts.
    pub fn invite(&mut self, desk: &mut Desk, clause: Clause) {
        let us = i64::from(desk.seat().0);
        self.send("DIPLOMACY_INIT_MEETING_REQ", &[("counterpart", us.into())]);
        self.send("DIPLOMACY_CREATE_CLAUSE_REQ", &laid(us, clause));
        self.send("DIPLOMACY_ACCEPT_TREATY_REQ", &[("counterpart", us.into())]);
        desk.settle();
    }

    /// Brings both sides to this pact by treaties and cancellations; an armistice is the way to
    /// peace, which takes turns: ask for [`Stance::Armistice`] and end 16 of them.
    pub fn pact(&mut self, desk: &mut Desk, stance: Stance) {
        let now = self.stance(desk);
        if now == stance {
            return;
        }
        let kind = match stance {
            Stance::CeaseFire => ClauseKind::CeaseFire,
            Stance::Armistice => ClauseKind::Peace,
            Stance::Alliance => ClauseKind::Alliance,
            Stance::War => {
                for _ in 0..3 {
                    self.cancel(desk);
                }
                assert_eq!(self.stance(desk), Stance::War);
                return;
            }
            other => panic!("{other:?} cannot be brought about at once"),
        };
        let clause = Clause { giver: desk.seat(), kind, value: 0 };
        assert!(self.conclude(desk, &[clause]), "{now:?} did not become {stance:?}");
        assert_eq!(self.stance(desk), stance);
    }

    /// The treaty on the table of the two, as the desk sees it.
    fn table(&self, desk: &mut Desk) -> Option<Treaty> {
        let them = self.seat();
        desk.observe().treaties.into_iter().find(|t| t.with == them)
    }

    /// How things stand between the two.
    pub fn stance(&self, desk: &mut Desk) -> Stance {
        let them = self.seat();
        let other = desk.observe().players.into_iter().find(|p| p.id == them);
        other.expect("a rival").stance
    }

    /// Cancels the pact from our side, whatever it is.
    pub fn cancel(&mut self, desk: &mut Desk) {
        let them = i64::from(self.seat().0);
        let fields = [("other_player_id", them.into()), ("clause", 5.into())];
        desk.send("DIPLOMACY_CANCEL_PACT", &fields);
        self.settle();
    }
}

/// A clause as it is laid on the table with this player.
fn laid(counterpart: i64, clause: Clause) -> [(&'static str, Value); 4] {
    [
        ("counterpart", counterpart.into()),
        ("giver", i64::from(clause.giver.0).into()),
        ("type", (clause.kind as i64).into()),
        ("value", clause.value.into()),
    ]
}
