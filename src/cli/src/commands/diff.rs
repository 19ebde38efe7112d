//! `saga diff`: the first line in which two traces part.

use std::io::Write;
use std::path::Path;

use saga_core::replay::place;
use saga_core::trace::{State, Text, Trace};
use serde_json::json;

use crate::args::DiffArgs;
use crate::commands::place::turn_of;
use crate::error::{CliError, Exit};
use crate::tell::tell;

/// Characters shown of each text, some of them before the difference.
const SHOWN: usize = 160;
const SHOWN_BEFORE: usize = 60;

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
    let (a, b) = (Trace::load(&args.a)?, Trace::load(&args.b)?);
    for trace in [&a, &b] {
        if let State::Cut(cut) = trace.state() {
            tell(format_args!("saga: {} is {cut}", trace.path().display()));
        }
    }
    let parting = first(a.text(), b.text());
    if args.json {
        writeln!(out, "{}", as_json(parting.as_ref()))?;
    } else {
        match &parting {
            None => writeln!(out, "same: {} lines", a.text().len())?,
            Some(p) => print(p, &args.a, &args.b, out)?,
        }
    }
    Ok(if parting.is_some() { Exit::Differs } else { Exit::Done })
}

fn first(a: &Text, b: &Text) -> Option<Parting> {
    if a.as_str() == b.as_str() {
        return None;
    }
    let index = a.lines().zip(b.lines()).take_while(|(x, y)| x == y).count();
    let (line_a, line_b) = (a.line(index), b.line(index));
    let same = |x: &str, y: &str| x.bytes().zip(y.bytes()).take_while(|(p, q)| p == q).count();
    let longer = if line_a.is_some() { a } else { b };
    let place = longer.entry(index).map_or_else(|e| format!("a line ({e})"), |e| place(&e));
    Some(Parting {
        line: index + 1,
        byte: same(line_a.unwrap_or_default(), line_b.unwrap_or_default()),
        turn: turn_of(longer, index),
        place,
        a: line_a.map(str::to_owned),
        b: line_b.map(str::to_owned),
    })
}

fn print(p: &Parting, a: &Path, b: &Path, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(
        out,
        "first difference in turn {} at {}: line {}, byte {}",
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

fn as_json(parting: Option<&Parting>) -> serde_json::Value {
    match parting {
        None => json!({ "same": true }),
        Some(p) => json!({
            "same": false, "line": p.line, "byte": p.byte, "turn": p.turn, "place": p.place,
            "a": p.a, "b": p.b,
        }),
    }
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
}
