//! Outputs for tests: one that keeps everything in memory, one that breaks.

use saga_core::backbone::{CallId, Prompt};
use saga_core::stop::Stop;
use saga_core::trace::entry::{CallReply, Entry, Output};

/// Keeps all entries, and the places of answers in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) entries: Vec<Entry>,
    pub(crate) arrivals: Vec<CallId>,
}

impl Output for Kept {
    fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        self.entries.push(entry.clone());
        Ok(())
    }

    fn arrived(&mut self, id: &CallId, _: &Prompt, _: &CallReply) -> Result<(), Stop> {
        self.arrivals.push(id.clone());
        Ok(())
    }
}

/// What of an output breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Writing entries.
    Entries,
    /// Writing answers down on arrival.
    Arrivals,
}

/// Hands on to another output until its n-th entry or arrival, counted from 1, which is not kept.
pub(crate) struct Breaking<'a> {
    inner: &'a mut dyn Output,
    side: Side,
    at: usize,
    /// Entries kept.
    pub(crate) entries: usize,
    /// Arrivals kept.
    pub(crate) arrivals: usize,
}

impl<'a> Breaking<'a> {
    pub(crate) fn new(inner: &'a mut dyn Output, side: Side, at: usize) -> Self {
        Self { inner, side, at, entries: 0, arrivals: 0 }
    }

    fn full() -> Stop {
        Stop::Unwritable { path: "toy".to_owned(), detail: "full".to_owned() }
    }
}

impl Output for Breaking<'_> {
    fn put(&mut self, entry: &Entry) -> Result<(), Stop> {
        if self.side == Side::Entries && self.entries + 1 >= self.at {
            return Err(Self::full());
        }
        self.entries += 1;
        self.inner.put(entry)
    }

    fn arrived(&mut self, id: &CallId, prompt: &Prompt, reply: &CallReply) -> Result<(), Stop> {
        if self.side == Side::Arrivals && self.arrivals + 1 >= self.at {
            return Err(Self::full());
        }
        self.arrivals += 1;
        self.inner.arrived(id, prompt, reply)
    }
}
