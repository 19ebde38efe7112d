//! The Freeciv network protocol as a pure state machine: bytes in, events and bytes out. It knows
//! no sockets, processes or clocks; whoever drives it brings them.

pub mod connection;
pub mod decode;
pub mod encode;
pub mod frame;
mod menu;
mod observe;
pub mod order;
mod rules;
pub mod tables;
pub mod text;
pub mod value;
pub mod world;

pub use connection::{Connection, Event, Joined, ProtocolError, Refused};
pub use encode::EncodeError;
pub use frame::Limits;
pub use menu::action_word;
pub use order::{OrderScript, Request, Step};
pub use tables::{Protocol, TableError, v3_0};
pub use value::{Packet, Value};
pub use world::World;
