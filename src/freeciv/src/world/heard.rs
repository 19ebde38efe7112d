//! What the server said in words since the last observation, kept in order so that a judge can ask
//! what was said after a request.

use saga_core::ids::Pos;
use saga_core::observation::Event;

/// The messages not yet observed, and how many came before them.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    events: Vec<Event>,
    drained: u64,
}

/// A place in the sequence of all messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark(u64);

impl Heard {
    pub(crate) fn push(&mut self, kind: &str, text: String, at: Option<Pos>) {
        self.events.push(Event { kind: kind.to_owned(), text, at });
    }

    /// The present end of the sequence.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.drained + self.events.len() as u64)
    }

    /// What was said since the mark and not yet observed.
    pub(crate) fn since(&self, mark: Mark) -> &[Event] {
        let skip = mark.0.saturating_sub(self.drained) as usize;
        self.events.get(skip..).unwrap_or(&[])
    }

    pub(crate) fn drain(&mut self) -> Vec<Event> {
        self.drained += self.events.len() as u64;
        std::mem::take(&mut self.events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_survive_draining() {
        let mut heard = Heard::default();
        let say = |heard: &mut Heard, text: &str| heard.push("bad_command", text.to_owned(), None);
        say(&mut heard, "one");
        let mark = heard.mark();
        say(&mut heard, "two");
        assert_eq!(heard.since(mark).len(), 1);
        assert_eq!(heard.drain().len(), 2);
        say(&mut heard, "three");
        assert_eq!(heard.since(mark)[0].text, "three");
        assert!(heard.since(heard.mark()).is_empty());
    }
}
