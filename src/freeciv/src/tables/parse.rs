//! Reads the table notation. It checks everything the codec later takes for granted: counts come
//! before the arrays they count, keys are single integers, bit counts agree.

use std::collections::BTreeMap;

use super::{Direction, FieldDef, Form, PacketDef, Protocol, Skipped, TableError, Wire};
use crate::value::Value;

/// What is wrong with a line of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// The first word is unknown or a word is missing.
    #[error("not in the notation: {0:?}")]
    Notation(String),
    /// A field type that is not known.
    #[error("unknown field type {0:?}")]
    Type(String),
    /// An array counted by a field that is no earlier integer of the packet.
    #[error("{field} is counted by {by:?}, which is no earlier integer field")]
    Count {
        /// The array.
        field: String,
        /// The field that should count it.
        by: String,
    },
    /// The stated bits are not those of the fields.
    #[error("{packet} states {stated} bits, its fields make {counted}")]
    Bits {
        /// Name of the packet.
        packet: String,
        /// "n/bytes" as written.
        stated: String,
        /// "n/bytes" as counted.
        counted: String,
    },
    /// A key that is not a single integer field at the front, a diff array too long for its index,
    /// a folded bool in a packet without bits, or a skipped packet that cancels a read one.
    #[error("{packet} cannot work: {why}")]
    Unsound {
        /// Name of the packet.
        packet: String,
        /// The rule that is broken.
        why: &'static str,
    },
    /// A number or name used twice, or a cancelled packet that does not exist.
    #[error("{0:?} is there twice or not at all")]
    Name(String),
}

pub(super) fn parse(text: &str) -> Result<Protocol, TableError> {
    let mut table = Table::default();
    for (at, line) in text.lines().enumerate() {
        let at = at + 1;
        table.line(at, line).map_err(|fault| TableError::Line { line: at, fault })?;
    }
    table.finish()
}

/// A packet as read so far, with what can only be checked at its end.
struct Draft {
    line: usize,
    packet: PacketDef,
    cancels: Vec<String>,
    stated_bits: Option<String>,
}

#[derive(Default)]
struct Table {
    name: String,
    version: [u32; 3],
    capability: String,
    header: [usize; 2],
    constants: BTreeMap<String, i64>,
    drafts: Vec<Draft>,
}

impl Table {
    fn line(&mut self, at: usize, line: &str) -> Result<(), TableFault> {
        let odd = || TableFault::Notation(line.to_owned());
        if line.starts_with('#') || line.trim().is_empty() {
            return Ok(());
        }
        if line.starts_with("  ") {
            let draft = self.drafts.last_mut().ok_or_else(odd)?;
            for field in line.split(',').map(str::trim).filter(|field| !field.is_empty()) {
                let field = parse_field(field, &draft.packet.fields)?;
                draft.packet.fields.push(field);
            }
            return Ok(());
        }
        let (word, rest) = line.split_once(' ').ok_or_else(odd)?;
        match word {
            "protocol" => rest.clone_into(&mut self.name),
            "capability" => rest.clone_into(&mut self.capability),
            "version" => self.version = numbers(rest).ok_or_else(odd)?,
            "header" => {
                self.header = numbers(rest).ok_or_else(odd)?.map(|bytes: u8| usize::from(bytes));
                if self.header.iter().any(|bytes| !(1..=2).contains(bytes)) {
                    return Err(odd());
                }
            }
            "constant" => {
                let (name, value) = rest.split_once(' ').ok_or_else(odd)?;
                let value = value.parse().map_err(|_| odd())?;
                self.constants.insert(name.to_owned(), value);
            }
            "packet" => self.drafts.push(parse_packet(at, rest)?),
            "opaque" => {
                let mut draft = parse_packet(at, &format!("{rest} in"))?;
                draft.packet.skipped = Skipped::Opaque;
                self.drafts.push(draft);
            }
            _ => return Err(odd()),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Protocol, TableError> {
        let mut index_by_number = Vec::new();
        for index in 0..self.drafts.len() {
            let draft = &self.drafts[index];
            let (line, number) = (draft.line, usize::from(draft.packet.number));
            let cancels = self.finish_packet(index).and_then(|cancels| {
                if index_by_number.len() <= number {
                    index_by_number.resize(number + 1, None);
                }
                match index_by_number[number].replace(index as u16) {
                    None => Ok(cancels),
                    Some(_) => Err(TableFault::Name(number.to_string())),
                }
            });
            let cancels = cancels.map_err(|fault| TableError::Line { line, fault })?;
            let packet = &mut self.drafts[index].packet;
            packet.index = index as u16;
            packet.cancels = cancels;
            packet.key = packet.fields.iter().position(|field| field.key);
            packet.bits = packet.fields.iter().filter(|field| !field.key).count();
            packet.defaults = packet.fields.iter().map(Value::default_of).collect();
        }
        Ok(Protocol {
            name: self.name,
            version: self.version,
            capability: self.capability,
            header_before: self.header[0],
            header_after: self.header[1],
            packets: self.drafts.into_iter().map(|draft| draft.packet).collect(),
            index_by_number,
            constants: self.constants,
        })
    }

    /// Checks one packet and finds the types it cancels.
    fn finish_packet(&self, index: usize) -> Result<Vec<u16>, TableFault> {
        let draft = &self.drafts[index];
        let packet = &draft.packet;
        let unsound = |why| TableFault::Unsound { packet: packet.name.clone(), why };
        if self.drafts.iter().filter(|other| other.packet.name == packet.name).count() > 1 {
            return Err(TableFault::Name(packet.name.clone()));
        }
        let keys = packet.fields.iter().filter(|field| field.key).count();
        let bits = packet.fields.len() - keys;
        if let Some(stated) = &draft.stated_bits {
            let counted = format!("{bits}/{}", bits.div_ceil(8));
            if *stated != counted {
                let packet = packet.name.clone();
                return Err(TableFault::Bits { packet, stated: stated.clone(), counted });
            }
        }
        let first_is_int =
            packet.fields.first().is_some_and(|f| matches!(f.wire, Wire::Int { .. }));
        let key_in_front = first_is_int && packet.fields[0].key;
        if keys > 1 || (keys == 1 && !key_in_front) {
            return Err(unsound("the key must be one integer, in front"));
        }
        for field in &packet.fields {
            match (field.wire, field.form) {
                (Wire::Flag, form) if !packet.delta || form != Form::One => {
                    return Err(unsound("a folded bool needs a bit of its own"));
                }
                (_, Form::Diff(length)) if length > 255 => {
                    return Err(unsound("a diff array has at most 255 elements"));
                }
                (wire, Form::Diff(_)) if !matches!(wire, Wire::Int { .. } | Wire::Bool8) => {
                    return Err(unsound("a diff array is of integers"));
                }
                (Wire::Bits(_) | Wire::Worklist, form) if form != Form::One => {
                    return Err(unsound("bit vectors and worklists are not arrays"));
                }
                (Wire::Requirement | Wire::Probability, Form::One) => {
                    return Err(unsound("requirements and chances come as arrays"));
                }
                _ => {}
            }
        }
        if !(draft.cancels.is_empty() || first_is_int && packet.skipped == Skipped::No) {
            return Err(unsound("a packet that cancels is read and begins with an integer"));
        }
        let position = |name: &String| {
            let at = self.drafts.iter().position(|other| other.packet.name == *name);
            at.map(|at| at as u16).ok_or_else(|| TableFault::Name(name.clone()))
        };
        draft.cancels.iter().map(position).collect()
    }
}

fn numbers<T: std::str::FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let parsed: Option<Vec<T>> = text.split(' ').map(|word| word.parse().ok()).collect();
    parsed?.try_into().ok()
}

fn parse_packet(line: usize, rest: &str) -> Result<Draft, TableFault> {
    let odd = || TableFault::Notation(rest.to_owned());
    let mut words = rest.split(' ');
    let number = words.next().and_then(|word| word.parse().ok()).ok_or_else(odd)?;
    let name = words.next().ok_or_else(odd)?.to_owned();
    let direction = match words.next() {
        Some("in") => Direction::In,
        Some("out") => Direction::Out,
        _ => return Err(odd()),
    };
    let packet = PacketDef {
        index: 0,
        number,
        name,
        direction,
        delta: true,
        game_info: false,
        skipped: Skipped::No,
        fields: Vec::new(),
        bits: 0,
        key: None,
        cancels: Vec::new(),
        defaults: Vec::new(),
    };
    let mut draft = Draft { line, packet, cancels: Vec::new(), stated_bits: None };
    while let Some(word) = words.next() {
        match word {
            "no-delta" => draft.packet.delta = false,
            // Information packets are only sent when they differ; that is the sender's affair.
            "info" => {}
            "game-info" => draft.packet.game_info = true,
            "skip" => draft.packet.skipped = Skipped::Unread,
            "cancels" => {
                let list = words.next().ok_or_else(odd)?;
                draft.cancels = list.split(',').map(str::to_owned).collect();
            }
            "bits" => draft.stated_bits = Some(words.next().ok_or_else(odd)?.to_owned()),
            _ => return Err(odd()),
        }
    }
    Ok(draft)
}

/// Reads `name type[form] [diff] [key]`.
fn parse_field(text: &str, earlier: &[FieldDef]) -> Result<FieldDef, TableFault> {
    let odd = || TableFault::Notation(text.to_owned());
    let mut words = text.split(' ');
    let name = words.next().ok_or_else(odd)?.to_owned();
    let kind = words.next().ok_or_else(odd)?;
    let (mut key, mut diff) = (false, false);
    for word in words {
        match word {
            "key" => key = true,
            "diff" => diff = true,
            _ => return Err(odd()),
        }
    }
    let (kind, array) = match kind.split_once('[') {
        None => (kind, None),
        Some((kind, array)) => (kind, Some(array.strip_suffix(']').ok_or_else(odd)?)),
    };
    let form = match array.map(|array| (array, array.split_once(':'))) {
        None => Form::One,
        Some((length, None)) => {
            let length = length.parse().map_err(|_| odd())?;
            if diff { Form::Diff(length) } else { Form::Times(length) }
        }
        Some((_, Some((by, max)))) => {
            let position = earlier.iter().position(|field| {
                field.name == by
                    && field.form == Form::One
                    && matches!(field.wire, Wire::Int { .. })
            });
            let by = position
                .ok_or_else(|| TableFault::Count { field: name.clone(), by: by.to_owned() })?;
            Form::Counted { by, max: max.parse().map_err(|_| odd())? }
        }
    };
    if diff && !matches!(form, Form::Diff(_)) {
        return Err(odd());
    }
    if earlier.iter().any(|field| field.name == name) {
        return Err(TableFault::Name(name));
    }
    Ok(FieldDef { name, wire: parse_wire(kind)?, form, key })
}

fn parse_wire(kind: &str) -> Result<Wire, TableFault> {
    let size = |prefix: &str| kind.strip_prefix(prefix).and_then(|n| n.parse::<usize>().ok());
    let factor = |prefix: &str| kind.strip_prefix(prefix).and_then(|n| n.parse::<u32>().ok());
    let wire = match kind {
        "u8" => Wire::Int { bytes: 1, signed: false },
        "s8" => Wire::Int { bytes: 1, signed: true },
        "u16" => Wire::Int { bytes: 2, signed: false },
        "s16" => Wire::Int { bytes: 2, signed: true },
        "u32" => Wire::Int { bytes: 4, signed: false },
        "s32" => Wire::Int { bytes: 4, signed: true },
        "bool8" => Wire::Bool8,
        "flag" => Wire::Flag,
        "req" => Wire::Requirement,
        "aprob" => Wire::Probability,
        "worklist" => Wire::Worklist,
        _ => {
            if let Some(bytes) = size("str") {
                Wire::Text(bytes)
            } else if let Some(bytes) = size("bv") {
                Wire::Bits(bytes)
            } else if let Some(factor) = factor("uf/") {
                Wire::Fixed { factor, signed: false }
            } else if let Some(factor) = factor("sf/") {
                Wire::Fixed { factor, signed: true }
            } else {
                return Err(TableFault::Type(kind.to_owned()));
            }
        }
    };
    Ok(wire)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        let text = format!("protocol x\nheader 1 2\n{text}");
        let message = Protocol::parse(&text).expect_err("a bad table").to_string();
        assert!(message.contains(wanted), "{message:?} does not tell {wanted:?}");
    }

    #[test]
    fn bad_tables_name_line_and_fault() {
        check("packet 1 A in\n  a u9", "line 4: unknown field type \"u9\"");
        check("packet 1 A in bits 2/1\n  a u8", "A states 2/1 bits, its fields make 1/1");
        check("packet 1 A in\n  a u8[n:4], n u8", "counted by \"n\"");
        check("packet 1 A in\n  a u8, a u8", "\"a\"");
        check("packet 1 A in\npacket 1 B in", "\"1\" is there twice");
        check("packet 1 A in\npacket 2 A in", "\"A\" is there twice");
        check("packet 1 A in cancels B\n  a u8", "\"B\"");
        check("packet 1 A in\n  a u8, b u8 key", "the key must be one integer");
        check("packet 1 A in no-delta\n  a flag", "folded bool");
        check("packet 1 A in\n  a u8[256] diff", "at most 255");
        check("packet 1 A sideways", "notation");
        check("header 3 3", "notation");
        check("nonsense here", "notation");
    }
}
