//! The packet tables as values: what each protocol version puts on the wire, told as data, so that
//! the codec is one and another version is another text file.

mod parse;
mod v3_0;

use std::collections::BTreeMap;

pub use parse::TableFault;
pub use v3_0::v3_0;

use crate::value::Value;

/// One protocol version: its packets, its constants and how a client introduces itself.
#[derive(Debug)]
pub struct Protocol {
    /// Short name, as "3.0".
    pub name: String,
    /// Version numbers the join request carries.
    pub version: [u32; 3],
    /// Capability string the join request carries.
    pub capability: String,
    /// Bytes of the packet number in a header before a join is accepted.
    pub header_before: usize,
    /// Bytes of the packet number in a header after a join is accepted.
    pub header_after: usize,
    packets: Vec<PacketDef>,
    index_by_number: Vec<Option<u16>>,
    constants: BTreeMap<String, i64>,
}

impl Protocol {
    /// Reads a table in the notation told at the head of `v3_0.txt`.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        parse::parse(text)
    }

    /// All packets of the table, in its order.
    pub fn packets(&self) -> &[PacketDef] {
        &self.packets
    }

    /// The packet with this number on the wire.
    pub fn by_number(&self, number: u16) -> Option<&PacketDef> {
        let index = (*self.index_by_number.get(usize::from(number))?)?;
        self.packets.get(usize::from(index))
    }

    /// The packet with this name.
    pub fn packet(&self, name: &str) -> Result<&PacketDef, TableError> {
        self.packets.iter().find(|packet| packet.name == name).ok_or_else(|| TableError::NoPacket {
            protocol: self.name.clone(),
            packet: name.to_owned(),
        })
    }

    /// A constant of this version, such as `MAX_NUM_ACTIONS`.
    pub fn constant(&self, name: &str) -> Result<i64, TableError> {
        self.constants.get(name).copied().ok_or_else(|| TableError::NoConstant {
            protocol: self.name.clone(),
            constant: name.to_owned(),
        })
    }
}

/// Who sends a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Server to client.
    In,
    /// Client to server.
    Out,
}

/// One packet type.
#[derive(Debug)]
pub struct PacketDef {
    /// Position in [`Protocol::packets`].
    pub index: u16,
    /// Number on the wire.
    pub number: u16,
    /// Name, as `UNIT_INFO`.
    pub name: String,
    /// Who sends it.
    pub direction: Direction,
    /// Whether a bit vector tells which fields changed.
    pub delta: bool,
    /// Whether its remembered values are dropped when our seat changes.
    pub game_info: bool,
    /// Passed over by length: no codec (`opaque`) or nobody reads it (`skip`).
    pub skipped: Skipped,
    /// Fields in wire order.
    pub fields: Vec<FieldDef>,
    /// Number of fields that have a bit: all but the key.
    pub bits: usize,
    /// Position of the key field.
    pub key: Option<usize>,
    /// Types whose remembered packet with this packet's first field as key is dropped.
    pub cancels: Vec<u16>,
    /// What every field holds before it was ever sent.
    pub defaults: Vec<Value>,
}

impl PacketDef {
    /// Bytes of the bit vector in front of a delta packet.
    pub fn bit_bytes(&self) -> usize {
        if self.delta { self.bits.div_ceil(8) } else { 0 }
    }

    /// Position of the field with this name.
    pub fn position(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|def| def.name == field)
    }
}

/// Whether packets of a type are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// Decoded.
    No,
    /// It could be decoded, but nothing reads it.
    Unread,
    /// Known by name only.
    Opaque,
}

/// One field of a packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDef {
    /// Name within the packet.
    pub name: String,
    /// How one element looks on the wire.
    pub wire: Wire,
    /// How many elements there are.
    pub form: Form,
    /// Whether it is the key, always sent and in front.
    pub key: bool,
}

impl FieldDef {
    /// Which accessor reads the field.
    pub fn shape(&self) -> Shape {
        match (self.wire, self.form) {
            (Wire::Text(_), Form::One) => Shape::Text,
            (Wire::Text(_), _) => Shape::Texts,
            (Wire::Bits(_), _) => Shape::Bits,
            (Wire::Requirement, _) => Shape::Requirements,
            (Wire::Probability | Wire::Worklist, _) => Shape::Pairs,
            (_, Form::One) => Shape::Int,
            _ => Shape::Ints,
        }
    }
}

/// How one element looks on the wire. Integers are big endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Two's complement integer of some bytes.
    Int {
        /// 1, 2 or 4.
        bytes: usize,
        /// Whether the top bit is a sign.
        signed: bool,
    },
    /// One byte, 0 or 1.
    Bool8,
    /// A bool that is its own bit in the vector.
    Flag,
    /// Text ended by a NUL, at most so many bytes with it.
    Text(usize),
    /// So many raw bytes; bit i is byte i/8, bit i%8.
    Bits(usize),
    /// A 32-bit integer that counts parts of one: the value is the integer divided by `factor`.
    /// Accessors give the integer.
    Fixed {
        /// Parts of one.
        factor: u32,
        /// Whether the top bit is a sign.
        signed: bool,
    },
    /// Nine bytes of [`crate::value::Requirement`].
    Requirement,
    /// Two bytes: least and greatest chance in units of half a percent.
    Probability,
    /// A count byte, then so many pairs of kind and value.
    Worklist,
}

/// How many elements a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One.
    One,
    /// Always so many.
    Times(usize),
    /// As many as the earlier field says, at most `max`.
    Counted {
        /// Position of the field that holds the count.
        by: usize,
        /// Most elements accepted.
        max: usize,
    },
    /// So many, of which only changed ones are sent, each after its index; 255 ends.
    Diff(usize),
}

/// Which kind of accessor reads a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One integer or bool.
    Int,
    /// One text.
    Text,
    /// A bit vector.
    Bits,
    /// A list of integers or bools.
    Ints,
    /// A list of texts.
    Texts,
    /// A list of requirements.
    Requirements,
    /// A list of byte pairs: chances or a worklist.
    Pairs,
}

/// What can be wrong with a table, or with a question to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A line of the text is not in the notation.
    #[error("protocol table line {line}: {fault}")]
    Line {
        /// Line number from 1.
        line: usize,
        /// What is wrong with it.
        fault: TableFault,
    },
    /// No packet has this name.
    #[error("protocol {protocol} has no packet {packet}")]
    NoPacket {
        /// Name of the protocol.
        protocol: String,
        /// The name asked for.
        packet: String,
    },
    /// No field of the packet has this name.
    #[error("packet {packet} has no field {field}")]
    NoField {
        /// Name of the packet.
        packet: String,
        /// The name asked for.
        field: String,
    },
    /// The field is of another shape than the reader expects.
    #[error("field {field} of packet {packet} is {found:?}, but is read as {wanted:?}")]
    Shape {
        /// Name of the packet.
        packet: String,
        /// Name of the field.
        field: String,
        /// What the table says.
        found: Shape,
        /// What the reader expects.
        wanted: Shape,
    },
    /// No constant has this name.
    #[error("protocol {protocol} has no constant {constant}")]
    NoConstant {
        /// Name of the protocol.
        protocol: String,
        /// The name asked for.
        constant: String,
    },
}
