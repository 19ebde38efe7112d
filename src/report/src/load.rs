//! Reads of a trace only what a report needs: header, turns, end, and of the first exchange with
//! the game who served it. Prompts and observations are never parsed.

use std::path::Path;

use saga_core::trace::entry::{End, Header, TurnEntry};
use saga_core::trace::{Entry, FORMAT, FORMAT_MAJOR, Kind, Lines, Trace, TraceError, file_hash};
use serde::Deserialize;

/// A trace file as it was found.
pub(crate) struct Loaded {
    /// BLAKE3 of the file, hexadecimal; empty when it cannot be opened.
    pub(crate) hash: String,
    /// What it says, or why it cannot be read.
    pub(crate) content: Result<Content, TraceError>,
}

/// Reads a trace. A cut one is read up to its last flush and has no end.
pub(crate) fn load(path: &Path) -> Loaded {
    Loaded { hash: file_hash(path).unwrap_or_default(), content: content(path) }
}

fn content(path: &Path) -> Result<Content, TraceError> {
    match stream(path) {
        Some(content) => Ok(content),
        None => careful(path),
    }
}

/// Reads a sound and closed trace line by line, which spares the memory for its text. `None` for
/// anything else: the careful reader knows what is wrong with it.
fn stream(path: &Path) -> Option<Content> {
    let mut lines = Lines::open(path).ok()?;
    let Entry::Header(header) = serde_json::from_str(lines.next_line().ok()??).ok()? else {
        return None;
    };
    let major = header.version.split('.').next().and_then(|major| major.parse().ok());
    if header.format != FORMAT || major != Some(FORMAT_MAJOR) {
        return None;
    }
    let mut content = Content { header: *header, game: None, turns: Vec::new(), end: None };
    let mut begun = false;
    while let Some(line) = lines.next_line().ok()? {
        if content.end.is_some() {
            return None;
        }
        match Kind::of(line)? {
            Kind::Game if !begun => {
                begun = true;
                content.game = game_facts(line);
            }
            Kind::Game | Kind::Call | Kind::Note => {}
            Kind::Header | Kind::Turn | Kind::End => match serde_json::from_str(line).ok()? {
                Entry::Turn(turn) => content.turns.push(*turn),
                Entry::End(end) => content.end = Some(*end),
                _ => return None,
            },
        }
    }
    let counted = content.turns.windows(2).all(|w| w[1].turn == w[0].turn + 1);
    (content.end.is_some() && counted).then_some(content)
}

fn careful(path: &Path) -> Result<Content, TraceError> {
    let trace = Trace::load(path)?;
    let begun = trace.text().lines().find(|line| Kind::of(line) == Some(Kind::Game));
    Ok(Content {
        header: trace.header().clone(),
        game: begun.and_then(game_facts),
        turns: trace.turns().collect::<Result<_, _>>()?,
        end: trace.end().cloned(),
    })
}

/// What of a trace a report reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The first line.
    pub header: Header,
    /// Who served the game; `None` when it never began.
    pub game: Option<GameFacts>,
    /// The closed turns.
    pub turns: Vec<TurnEntry>,
    /// The last line; `None` when the trace is cut.
    pub end: Option<End>,
}

/// Who served the game, and for which seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFacts {
    /// Our seat.
    pub seat: u16,
    /// Version of the server.
    pub server_version: String,
    /// BLAKE3 of the server binary, hexadecimal.
    pub server_hash: String,
}

/// The one line in which the game begins, without its rules and tiles.
#[derive(Deserialize)]
struct BegunLine {
    game: BegunEntry,
}
#[derive(Deserialize)]
struct BegunEntry {
    reply: Option<BegunReply>,
}
#[derive(Deserialize)]
struct BegunReply {
    begun: Option<Begun>,
}
#[derive(Deserialize)]
struct Begun {
    server: Server,
    observation: Seat,
}
#[derive(Deserialize)]
struct Server {
    version: String,
    binary_hash: String,
}
#[derive(Deserialize)]
struct Seat {
    seat: u16,
}

/// Reads who served the game off the line in which it began; `None` for any other line.
fn game_facts(line: &str) -> Option<GameFacts> {
    let begun = serde_json::from_str::<BegunLine>(line).ok()?.game.reply?.begun?;
    Some(GameFacts {
        seat: begun.observation.seat,
        server_version: begun.server.version,
        server_hash: begun.server.binary_hash,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_in_which_the_game_begins_tells_who_serves_it() {
        let line = r#"{"game":{"request":{"begin":{"game":{}}},"reply":{"begun":{"server":
            {"version":"3.0.6","capability":"+x","binary_hash":"ab","settings":[]},
            "rules":{"units":[1,2]},"observation":{"seat":2,"turn":1}}}}}"#;
        let facts = game_facts(line).unwrap();
        assert_eq!((facts.seat, facts.server_version.as_str()), (2, "3.0.6"));
        assert_eq!(facts.server_hash, "ab");
    }

    #[test]
    fn a_game_that_never_began_tells_nobody() {
        let line = r#"{"game":{"request":{"begin":{"game":{}}},"stop":{"server_lost":"gone"}}}"#;
        assert_eq!(game_facts(line), None);
    }
}
