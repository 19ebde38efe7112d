//! The trace and its replay: written by the real writer, cut at every byte, flipped, re-recorded.

mod damage;
mod evidence;
mod limits;
mod replay;
mod round_trip;
mod toy;
