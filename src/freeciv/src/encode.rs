//! Builds and encodes what a client sends. Every field is sent every time, so nothing has to be
//! remembered of what the server knows.

use crate::tables::{FieldDef, Form, PacketDef, Protocol, Shape, TableError, Wire};
use crate::value::{Packet, Requirement, Value};

/// Longest packet either side accepts, header included; larger ones are dropped by the server.
const PACKET_BYTES_MAX: usize = 4096;

/// A packet that cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The table knows no such packet or field.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The value does not fit its field.
    #[error("field {field} of packet {packet} cannot hold {value}")]
    Value {
        /// Name of the packet.
        packet: String,
        /// Name of the field.
        field: String,
        /// The value.
        value: String,
    },
    /// An array and the field that counts it do not agree.
    #[error("field {field} of packet {packet} has {found} elements, its count is {count}")]
    Count {
        /// Name of the packet.
        packet: String,
        /// Name of the array.
        field: String,
        /// Elements given.
        found: usize,
        /// What the count or the table says.
        count: i64,
    },
    /// The whole is longer than a packet may be.
    #[error("packet {packet} would have {bytes} bytes, the limit is {PACKET_BYTES_MAX}")]
    Long {
        /// Name of the packet.
        packet: String,
        /// Bytes with the header.
        bytes: usize,
    },
}

/// Builds a packet from named fields; those not named are zero or empty.
pub fn request(
    protocol: &'static Protocol,
    name: &str,
    fields: &[(&str, Value)],
) -> Result<Packet, EncodeError> {
    let def = protocol.packet(name)?;
    let mut values = def.defaults.clone();
    for (field, value) in fields {
        let position = def.position(field).ok_or_else(|| TableError::NoField {
            packet: name.to_owned(),
            field: (*field).to_owned(),
        })?;
        let (found, wanted) = (def.fields[position].shape(), value.shape());
        if found != wanted {
            let (packet, field) = (name.to_owned(), (*field).to_owned());
            return Err(TableError::Shape { packet, field, found, wanted }.into());
        }
        values[position] = value.clone();
    }
    Ok(Packet::new(def, values))
}

/// Appends the packet with its header to `out`; after an error `out` is as before.
pub fn encode(packet: &Packet, number_bytes: usize, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let def = packet.def();
    let start = out.len();
    out.extend_from_slice(&[0, 0]);
    if number_bytes > 1 {
        out.push((def.number >> 8) as u8);
    }
    out.push(def.number as u8);
    let written = body(packet, out).and_then(|()| {
        let bytes = out.len() - start;
        if bytes > PACKET_BYTES_MAX {
            return Err(EncodeError::Long { packet: def.name.clone(), bytes });
        }
        out[start..start + 2].copy_from_slice(&(bytes as u16).to_be_bytes());
        Ok(())
    });
    if written.is_err() {
        out.truncate(start);
    }
    written
}

fn body(packet: &Packet, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let def = packet.def();
    let bits_at = out.len();
    out.resize(bits_at + def.bit_bytes(), 0);
    let mut bit = 0;
    for (position, (field, value)) in def.fields.iter().zip(packet.values()).enumerate() {
        if def.delta && !field.key {
            let folded_false = field.wire == Wire::Flag && *value == Value::Int(0);
            if !folded_false {
                out[bits_at + bit / 8] |= 1 << (bit % 8);
            }
            bit += 1;
        }
        put_field(def, position, packet.values(), out).map_err(|fault| match fault {
            Unfit::Value => EncodeError::Value {
                packet: def.name.clone(),
                field: field.name.clone(),
                value: format!("{value:?}"),
            },
            Unfit::Count { found, count } => EncodeError::Count {
                packet: def.name.clone(),
                field: field.name.clone(),
                found,
                count,
            },
        })?;
    }
    Ok(())
}

/// Why a field cannot be put.
enum Unfit {
    Value,
    Count { found: usize, count: i64 },
}

fn put_field(
    def: &PacketDef,
    position: usize,
    values: &[Value],
    out: &mut Vec<u8>,
) -> Result<(), Unfit> {
    let (Some(field), Some(value)) = (def.fields.get(position), values.get(position)) else {
        return Err(Unfit::Value);
    };
    if value.shape() != field.shape() {
        return Err(Unfit::Value);
    }
    check_count(field, value, values)?;
    let mut failed = false;
    let mut fit = |fits: bool| failed |= !fits;
    match value {
        Value::Int(value) => fit(put_int(field.wire, *value, out)),
        Value::Text(text) => fit(put_text(field.wire, text, out)),
        Value::Bits(bytes) => {
            fit(matches!(field.wire, Wire::Bits(length) if length == bytes.len()));
            out.extend_from_slice(bytes);
        }
        Value::Ints(list) => {
            for (index, value) in list.iter().enumerate() {
                if matches!(field.form, Form::Diff(_)) {
                    out.push(index as u8);
                }
                fit(put_int(field.wire, *value, out));
            }
            if matches!(field.form, Form::Diff(_)) {
                out.push(u8::MAX);
            }
        }
        Value::Texts(list) => list.iter().for_each(|text| fit(put_text(field.wire, text, out))),
        Value::Requirements(list) => list.iter().for_each(|req| put_requirement(*req, out)),
        Value::Pairs(list) => {
            if field.wire == Wire::Worklist {
                fit(u8::try_from(list.len()).is_ok());
                out.push(list.len() as u8);
            }
            list.iter().for_each(|(first, second)| out.extend([*first, *second]));
        }
    }
    if failed { Err(Unfit::Value) } else { Ok(()) }
}

/// An array must have as many elements as the table or its count says.
fn check_count(field: &FieldDef, value: &Value, values: &[Value]) -> Result<(), Unfit> {
    let found = match value {
        Value::Ints(list) => list.len(),
        Value::Texts(list) => list.len(),
        Value::Requirements(list) => list.len(),
        Value::Pairs(list) if field.shape() == Shape::Pairs => list.len(),
        _ => return Ok(()),
    };
    let count = match field.form {
        Form::One => return Ok(()),
        Form::Times(length) | Form::Diff(length) => length as i64,
        Form::Counted { by, max } => match values.get(by) {
            Some(Value::Int(count)) if found <= max => *count,
            _ => max as i64,
        },
    };
    if found as i64 == count { Ok(()) } else { Err(Unfit::Count { found, count }) }
}

/// Puts an integer; false if it does not fit.
fn put_int(wire: Wire, value: i64, out: &mut Vec<u8>) -> bool {
    let (bytes, signed) = match wire {
        Wire::Int { bytes, signed } => (bytes, signed),
        Wire::Fixed { signed, .. } => (4, signed),
        Wire::Flag => return matches!(value, 0 | 1),
        _ => {
            out.push(value as u8);
            return matches!(value, 0 | 1);
        }
    };
    let bits = 8 * bytes;
    let range = if signed { -(1_i64 << (bits - 1))..1 << (bits - 1) } else { 0..1 << bits };
    out.extend_from_slice(&value.to_be_bytes()[8 - bytes..]);
    range.contains(&value)
}

/// Puts a text; false if it is too long or holds a NUL.
fn put_text(wire: Wire, text: &str, out: &mut Vec<u8>) -> bool {
    out.extend_from_slice(text.as_bytes());
    out.push(0);
    matches!(wire, Wire::Text(max) if text.len() < max) && !text.contains('\0')
}

fn put_requirement(requirement: Requirement, out: &mut Vec<u8>) {
    out.push(requirement.kind);
    out.extend_from_slice(&requirement.value.to_be_bytes());
    out.push(requirement.range);
    let bools = [requirement.survives, requirement.present, requirement.quiet];
    out.extend(bools.map(u8::from));
}
