//! The output of a replay: each entry of today is compared with the recorded line in its place,
//! and may go on to a writer, which re-records the game.

use super::ports::word;
use super::{Record, diverged};
use crate::backbone::{CallId, Prompt};
use crate::game::Request;
use crate::stop::{Divergence, Stop};
use crate::trace::entry::{CallReply, End, Entry, Header, Output};

/// Compares each entry with the record.
pub struct CheckingOutput<'r> {
    record: &'r Record,
    next: usize,
    line: Vec<u8>,
    tee: Option<&'r mut dyn Output>,
    checked: Checked,
}

/// How much was compared and found equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Lines.
    pub lines: u64,
    /// Of these, closed turns.
    pub turns: u64,
    /// Of these, calls.
    pub calls: u64,
    /// Orders, in the exchanges among these.
    pub orders: u64,
}

/// What came of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every line of the record came again, and no other.
    Identical,
    /// Everything came again up to where the record was cut.
    RecordEnds {
        /// The turn that was being played.
        turn: u32,
    },
    /// The first difference.
    Diverged(Box<Divergence>),
    /// The replay itself could not go on.
    Stopped(Stop),
}

impl<'r> CheckingOutput<'r> {
    /// Begins at the first line.
    pub fn new(record: &'r Record) -> Self {
        let checked = Checked::default();
        Self { record, next: 0, line: Vec::new(), tee: None, checked }
    }

    /// Hands every entry that was found equal to another output as well.
    #[must_use]
    pub fn tee(mut self, output: &'r mut dyn Output) -> Self {
        self.tee = Some(output);
        self
    }

    /// How much was found equal so far.
    pub fn checked(&self) -> Checked {
        self.checked
    }

    /// What came of the replay, given what playing it returned.
    pub fn finished(&self, played: &Result<End, Stop>) -> Verdict {
        match played {
            Ok(_) => match self.record.trace.text().line(self.next) {
                None if self.record.is_complete() => Verdict::Identical,
                None => Verdict::RecordEnds { turn: self.record.turn_at(self.next) },
                Some(line) => Verdict::Diverged(Box::new(Divergence {
                    turn: self.record.turn_at(self.next),
                    place: "the end".to_owned(),
                    recorded: line.to_owned(),
                    today: "(nothing more)".to_owned(),
                })),
            },
            Err(Stop::Diverged(divergence)) => Verdict::Diverged(divergence.clone()),
            Err(Stop::RecordEnds { turn }) => Verdict::RecordEnds { turn: *turn },
            Err(stop) => Verdict::Stopped(stop.clone()),
        }
    }

    /// Compares one entry with the next line.
    fn check(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, entry).expect("an entry is plain data");
        let turn = self.record.turn_at(self.next);
        let Some(recorded) = self.record.trace.text().line(self.next) else {
            if !self.record.is_complete() {
                return Err(Stop::RecordEnds { turn });
            }
            let today = String::from_utf8_lossy(&self.line);
            return Err(diverged(turn, place(entry), "(no further line)", &today));
        };
        if recorded.as_bytes() == self.line {
            return Ok(());
        }
        let today = String::from_utf8_lossy(&self.line);
        let same = match entry {
            Entry::Header(today) => {
                let recorded = self.record.trace.header();
                self.record.own_hash_fits(recorded) && same_experiment(recorded, today)
            }
            _ => self.record.is_same::<Entry>(recorded, &today),
        };
        if same { Ok(()) } else { Err(diverged(turn, place(entry), recorded, &today)) }
    }
}

impl Output for CheckingOutput<'_> {
    fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.check(entry)?;
        if let Some(tee) = &mut self.tee {
            tee.put(entry)?;
        }
        self.next += 1;
        self.checked.lines += 1;
        match entry {
            Entry::Turn(_) => self.checked.turns += 1,
            Entry::Call(_) => self.checked.calls += 1,
            Entry::Game(game) => {
                if let Request::Orders { orders } = &game.request {
                    self.checked.orders += orders.len() as u64;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn arrived(&mut self, id: &CallId, prompt: &Prompt, reply: &CallReply) -> Result<(), Stop> {
        self.tee.as_mut().map_or(Ok(()), |tee| tee.arrived(id, prompt, reply))
    }
}

/// The program's version, the operation and the prompts may differ: what a changed prompt changes
/// shows where it is asked.
fn same_experiment(recorded: &Header, today: &Header) -> bool {
    let mut identity = today.spec.identity.clone();
    identity.prompts.clone_from(&recorded.spec.identity.prompts);
    identity == recorded.spec.identity
}

/// Where in a game an entry stands: `call 12/1/controller:city/city:104/1`, `game end_turn`, `note
/// sketch`, `turn`.
pub fn place(entry: &Entry) -> String {
    match entry {
        Entry::Header(_) => "header".to_owned(),
        Entry::Game(game) => format!("game {}", word(&game.request)),
        Entry::Call(call) => format!("call {}", call.id),
        Entry::Note(note) => format!("note {}", note.kind),
        Entry::Turn(_) => "turn".to_owned(),
        Entry::End(_) => "end".to_owned(),
    }
}
