//! A whole proposal: open a meeting, lay the clauses, read the answer, accept or leave. However it
//! goes, no meeting of ours stays open.

use saga_core::action::{Clause, Outcome};
use saga_core::ids::PlayerId;

use super::judge::Pledge;
use super::{Step, judge, send};
use crate::world::World;
use crate::world::heard::Mark;

/// A proposal on its way.
#[derive(Debug)]
pub(super) struct Talk {
    with: PlayerId,
    clauses: Vec<Clause>,
    mark: Mark,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Begin,
    Opened,
    Laid,
    Accepted(Pledge),
    Left(Outcome),
}

impl Talk {
    pub(super) fn new(world: &World, with: PlayerId, clauses: Vec<Clause>) -> Self {
        Self { with, clauses, mark: world.heard().mark(), stage: Stage::Begin }
    }

    pub(super) fn next(&mut self, world: &World) -> Step {
        let meeting = world.meetings.get(&self.with);
        match (&self.stage, meeting) {
            (Stage::Begin, _) => {
                self.stage = Stage::Opened;
                Step::Send(vec![send::meet(self.with)])
            }
            (Stage::Left(outcome), _) => Step::Finished(outcome.clone()),
            (Stage::Accepted(pledge), None) if pledge.kept(world) => Step::Finished(Outcome::Done),
            (_, None) => Step::Finished(self.answer(world)),
            (Stage::Opened, Some(_)) => {
                self.stage = Stage::Laid;
                let lay = |clause: &Clause| send::clause(self.with, *clause);
                Step::Send(self.clauses.iter().map(lay).collect())
            }
            (Stage::Laid, Some(meeting)) => {
                let complete = self.clauses.iter().all(|c| meeting.clauses.contains(c));
                if complete && meeting.accepted_by_them {
                    self.stage = Stage::Accepted(Pledge::of(self.with, &meeting.clauses, world));
                    return Step::Send(vec![send::accept(self.with)]);
                }
                let said = self.answer(world);
                self.leave(if complete { declined(said) } else { said })
            }
            (Stage::Accepted(_), Some(_)) => {
                let said = self.answer(world);
                self.leave(declined(said))
            }
        }
    }

    fn leave(&mut self, outcome: Outcome) -> Step {
        self.stage = Stage::Left(outcome);
        Step::Send(vec![send::leave(self.with)])
    }

    /// Why it came to nothing: the server's refusal, else what the other side said.
    fn answer(&self, world: &World) -> Outcome {
        match judge::refusal(world, self.mark) {
            Outcome::Ignored => {
                let told = world.heard().since(self.mark);
                let spoken = |kind: &str| matches!(kind, "diplomacy" | "chat_msg");
                let words = told.iter().rfind(|event| spoken(&event.kind));
                words.map_or(Outcome::Ignored, |e| Outcome::Refused { words: e.text.clone() })
            }
            refused => refused,
        }
    }
}

/// They saw the whole treaty and did not accept it: a refusal, even without a word.
fn declined(said: Outcome) -> Outcome {
    match said {
        Outcome::Ignored => Outcome::Refused { words: "They did not accept.".to_owned() },
        said => said,
    }
}
