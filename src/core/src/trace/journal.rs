//! The journal: answers of the turn being played, on disk before anybody sees them, so that a paid
//! answer survives a kill. Today it is kept as evidence beside the cut trace and the game is played
//! anew; resuming, which is to take these answers instead of asking again, is not built yet.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::entry::CallReply;
use super::error::TraceError;
use super::limits::SIDE_FILE_BYTES_MAX;
use super::write::unwritable;
use crate::backbone::{CallId, Prompt};
use crate::stop::Stop;

/// The journal of a running game.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    prompt: Vec<u8>,
    arrival: Vec<u8>,
    line: Vec<u8>,
}

/// One answer as it arrived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// Its place.
    pub id: CallId,
    /// BLAKE3 of the prompt's JSON, hexadecimal: a changed question must not get this answer.
    pub prompt: String,
    /// The answer.
    pub reply: CallReply,
}

/// What a journal holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arrivals {
    /// The good records in order of arrival. Some may be of turns that the trace already has.
    pub arrivals: Vec<Arrival>,
    /// Records that are cut or damaged, in words, each with its line.
    pub lost: Vec<String>,
}

impl Journal {
    pub(crate) fn create(path: &Path) -> Result<Self, Stop> {
        // Appending is what lets a cut to length 0 be followed by writes from there.
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|e| unwritable(path, &e))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            prompt: Vec::new(),
            arrival: Vec::new(),
            line: Vec::new(),
        })
    }

    pub(crate) fn append(
        &mut self,
        id: &CallId,
        prompt: &Prompt,
        reply: &CallReply,
        sync: bool,
    ) -> Result<(), Stop> {
        #[derive(Serialize)]
        struct ArrivalRef<'a> {
            id: &'a CallId,
            prompt: &'a str,
            reply: &'a CallReply,
        }
        self.prompt.clear();
        self.arrival.clear();
        self.line.clear();
        let json = |e: serde_json::Error| unwritable(&self.path, &e);
        serde_json::to_writer(&mut self.prompt, prompt).map_err(json)?;
        let hash = blake3::hash(&self.prompt).to_hex();
        let arrival = ArrivalRef { id, prompt: &hash, reply };
        serde_json::to_writer(&mut self.arrival, &arrival).map_err(json)?;
        self.line.extend(b"{\"sum\":\"");
        self.line.extend(checksum(&self.arrival).as_bytes());
        self.line.extend(b"\",\"arrival\":");
        self.line.extend(&self.arrival);
        self.line.extend(b"}\n");
        let io = |e: std::io::Error| unwritable(&self.path, &e);
        self.file.write_all(&self.line).map_err(io)?;
        if sync {
            self.file.sync_data().map_err(io)?;
        }
        Ok(())
    }

    /// Empties it: the trace has these answers now.
    pub(crate) fn clear(&mut self) -> Result<(), Stop> {
        self.file.set_len(0).map_err(|e| unwritable(&self.path, &e))
    }

    /// Removes it: the trace is closed.
    pub(crate) fn remove(self) -> Result<(), Stop> {
        std::fs::remove_file(&self.path).map_err(|e| unwritable(&self.path, &e))
    }
}

/// Hash of a prompt as the journal has it.
pub fn prompt_hash(prompt: &Prompt) -> String {
    let text = serde_json::to_vec(prompt).expect("a prompt is plain data");
    blake3::hash(&text).to_hex().to_string()
}

/// Reads a journal. A file that does not exist holds nothing.
///
/// # Errors
/// [`TraceError::Io`] and [`TraceError::Limit`]; damaged records are told in [`Arrivals::lost`].
pub fn read_journal(path: &Path) -> Result<Arrivals, TraceError> {
    let bytes = match read_bounded(path) {
        Err(TraceError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Arrivals::default());
        }
        bytes => bytes?,
    };
    let mut found = Arrivals::default();
    for (i, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
        match read_record(line) {
            Ok(arrival) => found.arrivals.push(arrival),
            Err(detail) => found.lost.push(format!("line {}: {detail}", i + 1)),
        }
    }
    Ok(found)
}

fn read_record(line: &[u8]) -> Result<Arrival, String> {
    #[derive(Deserialize)]
    struct Record<'a> {
        sum: String,
        #[serde(borrow)]
        arrival: &'a RawValue,
    }
    let Some(line) = line.strip_suffix(b"\n") else {
        return Err(format!("cut after {} bytes", line.len()));
    };
    let text = std::str::from_utf8(line).map_err(|e| e.to_string())?;
    let record: Record = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let sum = checksum(record.arrival.get().as_bytes());
    if sum != record.sum {
        return Err(format!("its checksum is {sum}, the line says {}", record.sum));
    }
    serde_json::from_str(record.arrival.get()).map_err(|e| e.to_string())
}

/// Sixteen hexadecimal digits of BLAKE3.
fn checksum(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// A whole side file, its length checked first.
pub(crate) fn read_bounded(path: &Path) -> Result<Vec<u8>, TraceError> {
    let io = |source| TraceError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    let found = file.metadata().map_err(io)?.len();
    if found > SIDE_FILE_BYTES_MAX {
        return Err(TraceError::Limit {
            path: path.to_owned(),
            offset: 0,
            what: "a file",
            found,
            most: SIDE_FILE_BYTES_MAX,
        });
    }
    let mut bytes = Vec::new();
    file.take(SIDE_FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(io)?;
    Ok(bytes)
}
