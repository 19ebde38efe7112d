//! `saga diff`: how two games differ: in what they are, field by field, and in the first line in
//! which their play parts.

use std::io::Write;
use std::path::Path;

use saga_core::replay::place;
use saga_core::trace::entry::Header;
use saga_core::trace::{State, Text, Trace};
use serde_json::{Value, json};

use crate::args::DiffArgs;
use crate::commands::fields::{self, Field};
use crate::commands::files;
use crate::commands::place::turn_of;
use crate::error::{CliError, Exit};
use crate::tell::tell;

/// Characters shown of each text, some of them before the difference.
const SHOWN: usize = 160;
const SHOWN_BEFORE: usize = 60;
/// How the line of a game's first exchange begins.
const BEGIN: &str = "{\"game\":{\"request\":{\"begin\":";

/// Where two texts part.
#[derive(Debug, PartialEq)]
struct Parting {
    /// Line, from 1.
    line: usize,
    /// Byte within the line, from 0.
    byte: usize,
    turn: u32,
    place: String,
    a: Option<String>,
    b: Option<String>,
}

pub(crate) fn diff(args: &DiffArgs, out: &mut dyn Write) -> Result<Exit, CliError> {
    let load = |path: &Path| {
        files::must_be_file(path)?;
        Trace::load(path).map_err(files::unfinished)
    };
    let (a, b) = (load(&args.a)?, load(&args.b)?);
    for trace in [&a, &b] {
        if let State::Cut(cut) = trace.state() {
            tell(format_args!("saga: {} is {cut}", trace.path().display()));
        }
    }
    let fields = header_fields(a.header(), b.header());
    let parting = first(a.text(), b.text(), !fields.is_empty());
    if args.json {
        writeln!(out, "{}", as_json(&fields, parting.as_ref()))?;
    } else {
        print_fields(&fields, out)?;
        match &parting {
            None if fields.is_empty() => writeln!(out, "same: {} lines", a.text().len())?,
            None => writeln!(out, "play is the same: {} lines", a.text().len() - 1)?,
            Some(p) => print(p, &args.a, &args.b, out)?,
        }
    }
    let same = parting.is_none() && a.text().line(0) == b.text().line(0);
    Ok(if same { Exit::Done } else { Exit::Differs })
}

/// What the headers say differently, without the hash that follows from it.
fn header_fields(a: &Header, b: &Header) -> Vec<Field> {
    let json = |header: &Header| {
        let mut value = serde_json::to_value(header).expect("a header is plain data");
        if let Some(fields) = value.as_object_mut() {
            fields.remove("identity_hash");
        }
        value
    };
    let fields = fields::differing(&json(a), &json(b));
    if !fields.is_empty() || a == b {
        return fields;
    }
    let hash = |header: &Header| Some(Value::from(header.identity_hash.clone()));
    vec![Field { at: "identity_hash".to_owned(), a: hash(a), b: hash(b) }]
}

fn print_fields(fields: &[Field], out: &mut dyn Write) -> std::io::Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    writeln!(out, "the headers differ in:")?;
    for Field { at, a, b } in fields {
        let word = |value: &Option<Value>| match value {
            Some(value) => shortened(&value.to_string()),
            None => "(nothing)".to_owned(),
        };
        writeln!(out, "  {at}: {} | {}", word(a), word(b))?;
    }
    Ok(())
}

/// At most [`SHOWN`] characters.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The first line behind the headers that is not the same. Of games that are not the same by their
/// headers, the request in which a game begins is left out: it says again what the headers say.
fn first(a: &Text, b: &Text, of_two_games: bool) -> Option<Parting> {
    let alike = |(x, y): &(&str, &str)| told(x, of_two_games) == told(y, of_two_games);
    let index = 1 + a.lines().zip(b.lines()).skip(1).take_while(alike).count();
    if index >= a.len() && index >= b.len() {
        return None;
    }
    let (line_a, line_b) = (a.line(index), b.line(index));
    let told_a = told(line_a.unwrap_or_default(), of_two_games);
    let told_b = told(line_b.unwrap_or_default(), of_two_games);
    // The requests may differ in length; the byte is that of the first file.
    let left_out = line_a.unwrap_or_default().len() - told_a.len();
    let same = told_a.bytes().zip(told_b.bytes()).take_while(|(p, q)| p == q).count();
    let longer = if line_a.is_some() { a } else { b };
    let place = longer.entry(index).map_or_else(|e| format!("a line ({e})"), |e| place(&e));
    Some(Parting {
        line: index + 1,
        byte: left_out + same,
        turn: turn_of(longer, index),
        place,
        a: line_a.map(str::to_owned),
        b: line_b.map(str::to_owned),
    })
}

/// What of a line is compared.
fn told(line: &str, of_two_games: bool) -> &str {
    if of_two_games { reply_of_begin(line) } else { line }
}

/// Of the line in which a game begins what answers the request; any other line whole.
fn reply_of_begin(line: &str) -> &str {
    let reply = if line.starts_with(BEGIN) { line.find(",\"reply\":") } else { None };
    reply.and_then(|at| line.get(at..)).unwrap_or(line)
}

fn print(p: &Parting, a: &Path, b: &Path, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(
        out,
        "first difference in play in turn {} at {}: line {}, byte {}",
        p.turn, p.place, p.line, p.byte
    )?;
    for (path, line) in [(a, &p.a), (b, &p.b)] {
        match line {
            Some(line) => writeln!(out, "  {}\n    {}", path.display(), around(line, p.byte))?,
            None => writeln!(out, "  {}\n    (ends before this line)", path.display())?,
        }
    }
    Ok(())
}

/// A little of a line around a byte.
fn around(line: &str, byte: usize) -> String {
    let start = line
        .char_indices()
        .map(|(i, _)| i)
        .take_while(|i| *i <= byte.saturating_sub(SHOWN_BEFORE))
        .last()
        .unwrap_or(0);
    let tail = &line[start..];
    let shown: String = tail.chars().take(SHOWN).collect();
    let (before, after) =
        (if start > 0 { "…" } else { "" }, if shown.len() < tail.len() { "…" } else { "" });
    format!("{before}{shown}{after}")
}

fn as_json(fields: &[Field], parting: Option<&Parting>) -> Value {
    let mut value = json!({ "same": fields.is_empty() && parting.is_none() });
    if !fields.is_empty() {
        let both = |f: &Field| (f.at.clone(), json!({ "a": f.a, "b": f.b }));
        value["header"] = Value::Object(fields.iter().map(both).collect());
    }
    if let Some(p) = parting {
        let play = json!({
            "line": p.line, "byte": p.byte, "turn": p.turn, "place": p.place, "a": p.a, "b": p.b,
        });
        for (key, part) in play.as_object().into_iter().flatten() {
            value[key] = part.clone();
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_around_the_difference() {
        let line: String = "x".repeat(100) + "é" + &"y".repeat(300);
        let shown = around(&line, 100);
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        assert_eq!(shown.chars().count(), SHOWN + 2);
        assert_eq!(around("short", 2), "short");
    }

    #[test]
    fn a_game_that_begins_is_told_by_its_answer() {
        let line = r#"{"game":{"request":{"begin":{"game":{"seed":1}}},"reply":{"begun":2}}}"#;
        assert_eq!(reply_of_begin(line), r#","reply":{"begun":2}}}"#);
        let other = r#"{"game":{"request":{"end_turn":{"turn":1}},"reply":{}}}"#;
        assert_eq!(reply_of_begin(other), other);
    }
}
