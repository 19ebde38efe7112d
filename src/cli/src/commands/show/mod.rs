//! `saga show`: a recorded game for a reader, or as JSON Lines.

mod names;
mod print;
mod stood;

use std::io::Write;

use saga_core::game::{Reply, Request};
use saga_core::observation::Event;
use saga_core::trace::entry::{CallEntry, GameEntry, Note, TurnEntry};
use saga_core::trace::{Entry, Kind, State, Trace, open_turn};
use serde_json::json;

use crate::args::ShowArgs;
use crate::commands::files;
use crate::error::{CliError, Exit};
use crate::matrix::nearest;
use crate::tell::tell;
use names::Names;
use stood::Stood;

pub(crate) fn show(args: &ShowArgs, out: &mut dyn Write) -> Result<Exit, CliError> {
    if let Some(call) = &args.prompt {
        return prompt(args, call, out);
    }
    files::must_be_file(&args.trace)?;
    let mut game = Shown { args, names: Names::default(), open: Told::default() };
    if let Some(turn) = args.turn {
        let opened = open_turn(&args.trace, turn).map_err(files::unfinished)?;
        tell_fault(args, opened.table_fault);
        for text in [&opened.head, &opened.turn] {
            for index in 0..text.len() {
                let entry = text.entry(index).map_err(|e| bad_line(args, index, &e))?;
                game.take(entry, out)?;
            }
        }
        return Ok(Exit::Done);
    }
    let trace = Trace::load(&args.trace).map_err(files::unfinished)?;
    tell_fault(args, trace.table_fault());
    for index in 0..trace.text().len() {
        // Calls are most of a trace's bytes; parse them only to list them.
        if args.calls || trace.text().kind(index) != Some(Kind::Call) {
            game.take(trace.entry(index)?, out)?;
        }
    }
    if let State::Cut(cut) = trace.state() {
        let path = args.trace.display();
        let next = if files::has_journal(&args.trace) {
            files::BEING_PLAYED
        } else {
            "the same `saga run` command plays this game again"
        };
        tell(format_args!("saga: {path} is {cut}; {next}"));
    }
    Ok(Exit::Done)
}

fn tell_fault(args: &ShowArgs, fault: Option<String>) {
    if let Some(fault) = fault {
        tell(format_args!("saga: {}: {fault}", args.trace.display()));
    }
}

/// What was read of the turn that is not closed yet.
#[derive(Default)]
struct Told {
    calls: Vec<CallEntry>,
    notes: Vec<Note>,
    events: Vec<Event>,
    stood: Stood,
}

/// The game as far as it was read.
struct Shown<'a> {
    args: &'a ShowArgs,
    names: Names,
    open: Told,
}

impl Shown<'_> {
    fn take(&mut self, entry: Entry, out: &mut dyn Write) -> Result<(), CliError> {
        match entry {
            Entry::Header(header) if self.args.json => {
                writeln!(out, "{}", json!({ "header": header }))?;
            }
            Entry::Header(header) => print::header(&header, out)?,
            Entry::Game(game) => self.game(&game, out)?,
            Entry::Call(call) => {
                if self.args.calls {
                    self.open.calls.push(*call);
                }
            }
            Entry::Note(note) => self.open.notes.push(note),
            Entry::Turn(turn) => self.turn(&turn, out)?,
            Entry::End(end) if self.args.json => writeln!(out, "{}", json!({ "end": end }))?,
            Entry::End(end) => print::end(&end, out)?,
        }
        Ok(())
    }

    fn game(&mut self, game: &GameEntry, out: &mut dyn Write) -> Result<(), CliError> {
        match &game.request {
            // Here a turn begins; what was told before it belongs to another one.
            Request::EndTurn { .. } => self.open = Told::default(),
            Request::Orders { orders } => self.open.stood.before(orders.len(), &self.names),
            Request::Begin { .. } | Request::Finish => {}
        }
        self.open.events.extend(self.names.learn(game).iter().cloned());
        if self.args.json {
            return Ok(());
        }
        if let Some(Reply::Begun { server, .. }) = &game.reply {
            print::server(server, out)?;
        }
        if let Some(stop) = &game.stop {
            writeln!(out, "the game stopped: {stop}")?;
        }
        Ok(())
    }

    fn turn(&mut self, turn: &TurnEntry, out: &mut dyn Write) -> Result<(), CliError> {
        let told = std::mem::take(&mut self.open);
        if self.args.json {
            let words = told.stood.words(&turn.decisions, &self.names);
            let mut value = serde_json::to_value(turn).expect("a turn is plain data");
            value["decisions_in_words"] = json!(words);
            value["notes"] = json!(told.notes);
            value["events"] = json!(told.events);
            if self.args.calls {
                value["calls"] = json!(told.calls);
            }
            writeln!(out, "{value}")?;
        } else {
            print::turn(turn, &told, &self.names, out)?;
        }
        Ok(())
    }
}

/// One call, whole.
fn prompt(args: &ShowArgs, wanted: &str, out: &mut dyn Write) -> Result<Exit, CliError> {
    files::must_be_file(&args.trace)?;
    let trace = Trace::load(&args.trace).map_err(files::unfinished)?;
    let mut seen = Vec::new();
    for index in 0..trace.text().len() {
        if trace.text().kind(index) != Some(Kind::Call) {
            continue;
        }
        let Entry::Call(call) = trace.entry(index)? else { continue };
        let id = call.id.to_string();
        if id == wanted {
            if args.json {
                writeln!(out, "{}", json!({ "call": call }))?;
            } else {
                print::call_whole(&call, out)?;
            }
            return Ok(Exit::Done);
        }
        seen.push(id);
    }
    let near = nearest(wanted, seen.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!("the nearest is {near}; "));
    Err(CliError::Usage(format!(
        "{} has no call {wanted}; {near}list them with `saga show {} --calls`",
        args.trace.display(),
        args.trace.display()
    )))
}

fn bad_line(args: &ShowArgs, index: usize, e: &serde_json::Error) -> CliError {
    CliError::Trace(saga_core::trace::TraceError::BadLine {
        path: args.trace.clone(),
        line: index + 1,
        detail: e.to_string(),
    })
}
