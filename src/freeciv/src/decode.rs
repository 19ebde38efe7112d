//! Turns packet bodies into packets with every field in full. It remembers the last packet of each
//! type and key, because the server sends only what changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::frame::Limits;
use crate::tables::{FieldDef, Form, PacketDef, Protocol, Wire};
use crate::value::{Packet, Requirement, Value, has_bit};

/// A body that is not what its table entry says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("packet {packet}, {field}: {fault} (byte {at} of a body of {length})")]
pub struct DecodeError {
    /// Name of the packet.
    pub packet: String,
    /// Name of the field, or which other part.
    pub field: String,
    /// Bytes read before it.
    pub at: usize,
    /// Bytes of the body.
    pub length: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// What can be wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The body ends too early.
    #[error("{wanted} bytes wanted, {left} left")]
    Cut {
        /// Bytes the field takes at least.
        wanted: usize,
        /// Bytes left.
        left: usize,
    },
    /// More elements than the table allows.
    #[error("{count} elements, at most {max} are allowed")]
    Count {
        /// The count sent.
        count: i64,
        /// The most allowed.
        max: usize,
    },
    /// A text without its end within the allowed length.
    #[error("a text has no end within {max} bytes")]
    EndlessText {
        /// The most bytes, with the NUL.
        max: usize,
    },
    /// A bool that is neither 0 nor 1.
    #[error("a bool is {0}")]
    Bool(u8),
    /// A changed element beyond the array.
    #[error("element {index} changed in an array of {length}")]
    Index {
        /// The index sent.
        index: u8,
        /// Length of the array.
        length: usize,
    },
    /// Bytes after the last field.
    #[error("{0} bytes follow the last field")]
    Leftover(usize),
    /// The packets to be remembered are more than we hold.
    #[error("remembered packets take {bytes} bytes, the limit is {max}")]
    Remembered {
        /// Bytes they would take.
        bytes: usize,
        /// The limit.
        max: usize,
    },
}

/// Decodes bodies of one stream.
#[derive(Debug)]
pub struct Decoder {
    protocol: &'static Protocol,
    /// Last packet by key, for each type of the protocol.
    remembered: Vec<BTreeMap<i64, Packet>>,
    remembered_bytes: usize,
    remembered_bytes_max: usize,
}

impl Decoder {
    /// A decoder that remembers nothing yet.
    pub fn new(protocol: &'static Protocol, limits: Limits) -> Self {
        Self {
            protocol,
            remembered: vec![BTreeMap::new(); protocol.packets().len()],
            remembered_bytes: 0,
            remembered_bytes_max: limits.remembered_bytes_max,
        }
    }

    /// Decodes the body of a packet of this type; it must be used up to its last byte.
    pub fn decode(&mut self, def: &'static PacketDef, body: &[u8]) -> Result<Packet, DecodeError> {
        let mut reader = Reader { bytes: body, at: 0 };
        let mut field = "bit vector";
        let decoded = if def.delta {
            self.delta(def, &mut reader, &mut field)
        } else {
            full(def, &mut reader, &mut field)
        };
        let decoded = decoded.and_then(|packet| {
            field = "end";
            reader.finish()?;
            if def.delta && !def.fields.is_empty() {
                self.remember(&packet)?;
            }
            Ok(packet)
        });
        let packet = decoded.map_err(|fault| DecodeError {
            packet: def.name.clone(),
            field: field.to_owned(),
            at: reader.at,
            length: body.len(),
            fault,
        })?;
        if let Some(Value::Int(key)) = packet.values().first() {
            for cancelled in &def.cancels {
                self.forget(usize::from(*cancelled), *key);
            }
        }
        Ok(packet)
    }

    /// Forgets all packets about the game as our seat saw it.
    pub fn forget_game_info(&mut self) {
        for (def, remembered) in self.protocol.packets().iter().zip(&mut self.remembered) {
            if def.game_info {
                let packets = std::mem::take(remembered);
                self.remembered_bytes -= packets.values().map(Packet::weight).sum::<usize>();
            }
        }
    }

    fn delta(
        &self,
        def: &'static PacketDef,
        reader: &mut Reader,
        field: &mut &'static str,
    ) -> Result<Packet, Fault> {
        let changed = reader.take(def.bit_bytes())?;
        let mut rest = def.fields.iter().enumerate();
        let mut key = None;
        if def.key.is_some()
            && let Some((_, key_field)) = rest.next()
        {
            *field = &key_field.name;
            key = Some(reader.one(key_field.wire)?);
        }
        let number = match key {
            Some(Value::Int(number)) => number,
            _ => 0,
        };
        let before = self.remembered.get(usize::from(def.index)).and_then(|by| by.get(&number));
        let mut values = before.map_or(&*def.defaults, Packet::values).to_vec();
        if let (Some(key), Some(slot)) = (key, values.first_mut()) {
            *slot = key;
        }
        for (bit, (position, field_def)) in rest.enumerate() {
            let set = has_bit(changed, bit);
            if field_def.wire == Wire::Flag {
                store(&mut values, position, Value::Int(set.into()));
            } else if set {
                *field = &field_def.name;
                let value = reader.field(field_def, &values, position)?;
                store(&mut values, position, value);
            }
        }
        Ok(Packet::new(def, values))
    }

    fn remember(&mut self, packet: &Packet) -> Result<(), Fault> {
        let def = packet.def();
        let key = match (def.key, packet.values().first()) {
            (Some(_), Some(Value::Int(key))) => *key,
            _ => 0,
        };
        let Some(remembered) = self.remembered.get_mut(usize::from(def.index)) else {
            return Ok(());
        };
        let old = remembered.insert(key, packet.clone());
        self.remembered_bytes += packet.weight();
        self.remembered_bytes -= old.as_ref().map_or(0, Packet::weight);
        let (bytes, max) = (self.remembered_bytes, self.remembered_bytes_max);
        if bytes > max { Err(Fault::Remembered { bytes, max }) } else { Ok(()) }
    }

    fn forget(&mut self, index: usize, key: i64) {
        let old = self.remembered.get_mut(index).and_then(|by_key| by_key.remove(&key));
        self.remembered_bytes -= old.as_ref().map_or(0, Packet::weight);
    }
}

/// A packet without bit vector: all fields in order.
fn full(
    def: &'static PacketDef,
    reader: &mut Reader,
    field: &mut &'static str,
) -> Result<Packet, Fault> {
    let mut values = def.defaults.clone();
    for (position, field_def) in def.fields.iter().enumerate() {
        *field = &field_def.name;
        let value = reader.field(field_def, &values, position)?;
        store(&mut values, position, value);
    }
    Ok(Packet::new(def, values))
}

fn store(values: &mut [Value], position: usize, value: Value) {
    if let Some(slot) = values.get_mut(position) {
        *slot = value;
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take(&mut self, wanted: usize) -> Result<&'a [u8], Fault> {
        let end = self.at.saturating_add(wanted);
        let left = self.left();
        let taken = self.bytes.get(self.at..end).ok_or(Fault::Cut { wanted, left })?;
        self.at = end;
        Ok(taken)
    }

    fn finish(&self) -> Result<(), Fault> {
        if self.left() == 0 { Ok(()) } else { Err(Fault::Leftover(self.left())) }
    }

    /// A whole field. `values` holds the fields before it, and its own old value.
    fn field(
        &mut self,
        field: &FieldDef,
        values: &[Value],
        position: usize,
    ) -> Result<Value, Fault> {
        match field.form {
            Form::One => self.one(field.wire),
            Form::Times(count) => self.many(field.wire, count),
            Form::Counted { by, max } => {
                let count = match values.get(by) {
                    Some(Value::Int(count)) => *count,
                    _ => 0,
                };
                let fits = usize::try_from(count).ok().filter(|count| *count <= max);
                self.many(field.wire, fits.ok_or(Fault::Count { count, max })?)
            }
            Form::Diff(length) => {
                let mut list = match values.get(position) {
                    Some(Value::Ints(old)) => old.to_vec(),
                    _ => vec![0; length],
                };
                loop {
                    let index = self.byte()?;
                    if index == u8::MAX {
                        return Ok(Value::Ints(list.into()));
                    }
                    let element = list.get_mut(usize::from(index));
                    *element.ok_or(Fault::Index { index, length })? = self.integer(field.wire)?;
                }
            }
        }
    }

    fn one(&mut self, wire: Wire) -> Result<Value, Fault> {
        match wire {
            Wire::Text(max) => Ok(Value::Text(self.text(max)?)),
            Wire::Bits(bytes) => Ok(Value::Bits(self.take(bytes)?.into())),
            Wire::Worklist => {
                let count = usize::from(self.byte()?);
                Ok(Value::Pairs(self.pairs(count)?.into()))
            }
            _ => Ok(Value::Int(self.integer(wire)?)),
        }
    }

    /// So many elements. Every element takes a byte or more, so a count is checked against the
    /// bytes left before memory is taken for it.
    fn many(&mut self, wire: Wire, count: usize) -> Result<Value, Fault> {
        let left = self.left();
        if count > left {
            return Err(Fault::Cut { wanted: count, left });
        }
        match wire {
            Wire::Text(max) => {
                let texts: Result<Vec<_>, _> = (0..count).map(|_| self.text(max)).collect();
                Ok(Value::Texts(texts?.into()))
            }
            Wire::Requirement => {
                let list: Result<Vec<_>, _> = (0..count).map(|_| self.requirement()).collect();
                Ok(Value::Requirements(list?.into()))
            }
            Wire::Probability => Ok(Value::Pairs(self.pairs(count)?.into())),
            _ => {
                let list: Result<Vec<_>, _> = (0..count).map(|_| self.integer(wire)).collect();
                Ok(Value::Ints(list?.into()))
            }
        }
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?.first().copied().unwrap_or_default())
    }

    fn integer(&mut self, wire: Wire) -> Result<i64, Fault> {
        let (bytes, signed) = match wire {
            Wire::Int { bytes, signed } => (bytes, signed),
            Wire::Fixed { signed, .. } => (4, signed),
            _ => return Ok(self.bool()?.into()),
        };
        let raw = self.take(bytes)?.iter().fold(0_i64, |sum, byte| sum << 8 | i64::from(*byte));
        let sign = 1_i64 << (8 * bytes - 1);
        Ok(if signed && raw & sign != 0 { raw - 2 * sign } else { raw })
    }

    fn bool(&mut self) -> Result<bool, Fault> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Fault::Bool(other)),
        }
    }

    /// A text without its NUL; bytes that are no UTF-8 become U+FFFD.
    fn text(&mut self, max: usize) -> Result<Arc<str>, Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().take(max).position(|byte| *byte == 0);
        let end = end.ok_or(Fault::EndlessText { max })?;
        let text = self.take(end + 1)?.get(..end).unwrap_or_default();
        Ok(String::from_utf8_lossy(text).into())
    }

    fn pairs(&mut self, count: usize) -> Result<Vec<(u8, u8)>, Fault> {
        let pair = |pair: &[u8]| match pair {
            [first, second] => (*first, *second),
            _ => (0, 0),
        };
        Ok(self.take(2 * count)?.chunks_exact(2).map(pair).collect())
    }

    fn requirement(&mut self) -> Result<Requirement, Fault> {
        Ok(Requirement {
            kind: self.byte()?,
            value: self.integer(Wire::Int { bytes: 4, signed: true })? as i32,
            range: self.byte()?,
            survives: self.bool()?,
            present: self.bool()?,
            quiet: self.bool()?,
        })
    }
}
