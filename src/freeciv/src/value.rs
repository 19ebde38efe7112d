//! Decoded packets and the typed handles that read them. Names are resolved once per protocol into
//! handles; reading a field afterwards is an index.

use std::sync::Arc;

use crate::tables::{FieldDef, Form, PacketDef, Protocol, Shape, TableError, Wire};

/// The value of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// An integer, a bool (0 or 1) or the raw integer of a fixed-point number.
    Int(i64),
    /// A text.
    Text(Arc<str>),
    /// A bit vector.
    Bits(Arc<[u8]>),
    /// A list of integers or bools.
    Ints(Arc<[i64]>),
    /// A list of texts.
    Texts(Arc<[Arc<str>]>),
    /// A list of requirements.
    Requirements(Arc<[Requirement]>),
    /// A list of byte pairs: chances or a worklist.
    Pairs(Arc<[(u8, u8)]>),
}

impl Value {
    /// What a field holds before it was ever sent: zero, empty or all zero.
    pub(crate) fn default_of(field: &FieldDef) -> Self {
        let length = match field.form {
            Form::Times(length) | Form::Diff(length) => length,
            Form::One | Form::Counted { .. } => 0,
        };
        match field.shape() {
            Shape::Int => Self::Int(0),
            Shape::Text => Self::Text("".into()),
            Shape::Bits => match field.wire {
                Wire::Bits(bytes) => Self::Bits(vec![0; bytes].into()),
                _ => Self::Bits(Arc::new([])),
            },
            Shape::Ints => Self::Ints(vec![0; length].into()),
            Shape::Texts => Self::Texts(vec!["".into(); length].into()),
            Shape::Requirements => Self::Requirements(Arc::new([])),
            Shape::Pairs => Self::Pairs(vec![(0, 0); length].into()),
        }
    }

    /// Which accessor reads it.
    pub fn shape(&self) -> Shape {
        match self {
            Self::Int(_) => Shape::Int,
            Self::Text(_) => Shape::Text,
            Self::Bits(_) => Shape::Bits,
            Self::Ints(_) => Shape::Ints,
            Self::Texts(_) => Shape::Texts,
            Self::Requirements(_) => Shape::Requirements,
            Self::Pairs(_) => Shape::Pairs,
        }
    }

    /// Bytes it holds on the heap, about.
    fn weight(&self) -> usize {
        match self {
            Self::Int(_) => 0,
            Self::Text(text) => text.len(),
            Self::Bits(bytes) => bytes.len(),
            Self::Ints(list) => list.len() * size_of::<i64>(),
            Self::Texts(list) => list.iter().map(|text| text.len() + 32).sum(),
            Self::Requirements(list) => list.len() * size_of::<Requirement>(),
            Self::Pairs(list) => list.len() * 2,
        }
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Int(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

impl From<Vec<i64>> for Value {
    fn from(value: Vec<i64>) -> Self {
        Self::Ints(value.into())
    }
}

impl From<Vec<(u8, u8)>> for Value {
    fn from(value: Vec<(u8, u8)>) -> Self {
        Self::Pairs(value.into())
    }
}

/// A condition of the ruleset, as sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Requirement {
    /// Kind of thing required.
    pub kind: u8,
    /// Which of that kind.
    pub value: i32,
    /// Where it must be found.
    pub range: u8,
    /// Whether it counts when it existed once.
    pub survives: bool,
    /// Whether it must be there; otherwise it must not.
    pub present: bool,
    /// Whether help texts pass it over.
    pub quiet: bool,
}

/// A decoded packet with every field in full, or one to be sent. Clones share their fields.
#[derive(Debug, Clone)]
pub struct Packet {
    def: &'static PacketDef,
    values: Arc<Vec<Value>>,
}

impl PartialEq for Packet {
    fn eq(&self, other: &Self) -> bool {
        self.def.number == other.def.number && self.values == other.values
    }
}

impl Packet {
    pub(crate) fn new(def: &'static PacketDef, values: Vec<Value>) -> Self {
        Self { def, values: Arc::new(values) }
    }

    /// The packet's entry in the table.
    pub fn def(&self) -> &'static PacketDef {
        self.def
    }

    /// Name of its type, as `UNIT_INFO`.
    pub fn name(&self) -> &'static str {
        &self.def.name
    }

    /// Whether it is of this type.
    pub fn is(&self, kind: PacketKind) -> bool {
        self.kind() == kind
    }

    /// Its type, to be matched with the `packet` of a handle set.
    pub fn kind(&self) -> PacketKind {
        PacketKind::of(self.def)
    }

    /// All fields in wire order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// An integer; the integer as sent of a fixed-point number.
    pub fn int(&self, field: Int) -> i64 {
        match self.values.get(field.0) {
            Some(Value::Int(value)) => *value,
            _ => 0,
        }
    }

    /// A bool.
    pub fn bool(&self, field: Int) -> bool {
        self.int(field) != 0
    }

    /// A text.
    pub fn str(&self, field: Text) -> &str {
        match self.values.get(field.0) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// A list of integers or bools.
    pub fn ints(&self, field: Ints) -> &[i64] {
        match self.values.get(field.0) {
            Some(Value::Ints(list)) => list,
            _ => &[],
        }
    }

    /// A list of texts.
    pub fn texts(&self, field: Texts) -> &[Arc<str>] {
        match self.values.get(field.0) {
            Some(Value::Texts(list)) => list,
            _ => &[],
        }
    }

    /// The bytes of a bit vector; [`has_bit`] reads them.
    pub fn bits(&self, field: Bits) -> &[u8] {
        match self.values.get(field.0) {
            Some(Value::Bits(bytes)) => bytes,
            _ => &[],
        }
    }

    /// One bit of a bit vector; false beyond its end.
    pub fn bit(&self, field: Bits, index: usize) -> bool {
        has_bit(self.bits(field), index)
    }

    /// A list of requirements.
    pub fn requirements(&self, field: Requirements) -> &[Requirement] {
        match self.values.get(field.0) {
            Some(Value::Requirements(list)) => list,
            _ => &[],
        }
    }

    /// A list of byte pairs: (least, greatest) chance in half percents, or (kind, value).
    pub fn pairs(&self, field: Pairs) -> &[(u8, u8)] {
        match self.values.get(field.0) {
            Some(Value::Pairs(list)) => list,
            _ => &[],
        }
    }

    /// Bytes it holds on the heap, about.
    pub(crate) fn weight(&self) -> usize {
        let inline = self.values.len() * size_of::<Value>() + 64;
        inline + self.values.iter().map(Value::weight).sum::<usize>()
    }
}

/// Bit `index` of a bit vector; false beyond its end.
pub fn has_bit(bits: &[u8], index: usize) -> bool {
    bits.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
}

/// A packet type of one protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PacketKind(u16);

impl PacketKind {
    /// The type with this name.
    pub fn named(protocol: &Protocol, name: &str) -> Result<Self, TableError> {
        Ok(Self::of(protocol.packet(name)?))
    }

    /// The type this entry of the table describes.
    pub fn of(def: &PacketDef) -> Self {
        Self(def.index)
    }

    /// Position in [`Protocol::packets`]: to index a table of readers.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A field's place in its packet, with the shape it is read as.
pub trait Handle: Sized {
    /// The shape of the fields it reads.
    const SHAPE: Shape;

    /// A handle on the field at this position.
    fn at(position: usize) -> Self;

    /// Finds a field of a packet by name; its shape must be that of the handle.
    fn resolve(packet: &PacketDef, field: &str) -> Result<Self, TableError> {
        let field = field.strip_prefix("r#").unwrap_or(field);
        let missing =
            || TableError::NoField { packet: packet.name.clone(), field: field.to_owned() };
        let position = packet.position(field).ok_or_else(missing)?;
        let found = packet.fields.get(position).ok_or_else(missing)?.shape();
        if found != Self::SHAPE {
            let (packet, field) = (packet.name.clone(), field.to_owned());
            return Err(TableError::Shape { packet, field, found, wanted: Self::SHAPE });
        }
        Ok(Self::at(position))
    }
}

macro_rules! handle {
    ($($name:ident $what:literal),* $(,)?) => {$(
        #[doc = concat!("Handle on ", $what, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name(usize);

        impl Handle for $name {
            const SHAPE: Shape = Shape::$name;

            fn at(position: usize) -> Self {
                Self(position)
            }
        }
    )*};
}

handle! {
    Int "an integer or bool field",
    Text "a text field",
    Bits "a bit-vector field",
    Ints "a field that lists integers or bools",
    Texts "a field that lists texts",
    Requirements "a field that lists requirements",
    Pairs "a field that lists byte pairs",
}

/// Declares the fields somebody reads of one packet type, and `resolve`, which finds them in a
/// protocol once:
///
/// ```
/// saga_freeciv::packet_fields! {
///     /// What we read of a tile.
///     struct TileFields = "TILE_INFO" { tile: Int, terrain: Int, extras: Bits }
/// }
/// let tile = TileFields::resolve(saga_freeciv::v3_0()).unwrap();
/// let def = saga_freeciv::v3_0().packet("TILE_INFO").unwrap();
/// assert_eq!(tile.packet.index(), usize::from(def.index));
/// ```
#[macro_export]
macro_rules! packet_fields {
    ($(#[$doc:meta])* $vis:vis struct $set:ident = $packet:literal {
        $($field:ident: $shape:ident),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        $vis struct $set {
            #[allow(dead_code, reason = "some sets are only read, never matched")]
            $vis packet: $crate::value::PacketKind,
            $($vis $field: $crate::value::$shape,)*
        }

        impl $set {
            $vis fn resolve(
                protocol: &$crate::tables::Protocol,
            ) -> ::std::result::Result<Self, $crate::tables::TableError> {
                let packet = protocol.packet($packet)?;
                Ok(Self {
                    packet: $crate::value::PacketKind::of(packet),
                    $($field: $crate::value::Handle::resolve(packet, stringify!($field))?,)*
                })
            }
        }
    };
}

/// Several field sets as one struct `Fields`, resolved together.
macro_rules! field_sets {
    ($($name:ident: $set:ident),* $(,)?) => {
        /// Every field set of this module, resolved.
        #[derive(Debug)]
        pub(crate) struct Fields {
            $(pub(crate) $name: $set,)*
        }

        impl Fields {
            pub(crate) fn resolve(
                protocol: &$crate::tables::Protocol,
            ) -> Result<Self, $crate::tables::TableError> {
                Ok(Self { $($name: $set::resolve(protocol)?,)* })
            }
        }
    };
}
pub(crate) use field_sets;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::v3_0;

    packet_fields! { struct UnitFields = "UNIT_INFO" { id: Int, r#type: Int, upkeep: Ints } }

    #[test]
    fn handles_resolve_by_name_and_shape() {
        let unit = UnitFields::resolve(v3_0()).unwrap();
        let def = v3_0().packet("UNIT_INFO").unwrap();
        let packet = Packet::new(def, def.defaults.clone());
        assert!(packet.is(unit.packet));
        assert_eq!((packet.int(unit.id), packet.int(unit.r#type)), (0, 0));
        assert_eq!(packet.ints(unit.upkeep), [0; 6]);
        let shape = Int::resolve(def, "upkeep").unwrap_err().to_string();
        assert_eq!(shape, "field upkeep of packet UNIT_INFO is Ints, but is read as Int");
        let name = Ints::resolve(def, "upkep").unwrap_err().to_string();
        assert_eq!(name, "packet UNIT_INFO has no field upkep");
    }

    #[test]
    fn reading_beyond_is_empty() {
        let def = v3_0().packet("UNIT_INFO").unwrap();
        let packet = Packet::new(def, def.defaults.clone());
        assert_eq!(packet.int(Int::at(999)), 0);
        assert_eq!(packet.str(Text::at(0)), "");
        assert!(!has_bit(&[0xff], 8) && has_bit(&[0x80], 7));
    }
}
