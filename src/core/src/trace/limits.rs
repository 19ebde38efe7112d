//! Bounds of the format. The writer keeps them and the reader checks them before it takes memory,
//! so that no file can make a reader ask for more than it says here.

/// Longest line, in bytes. A full state late in the game with its prompt is about 100 kB.
pub const LINE_BYTES_MAX: usize = 32 << 20;

/// Longest decoded frame, in bytes.
pub const FRAME_BYTES_MAX: u64 = 256 << 20;

/// A frame that has grown beyond this is closed at the end of its turn, cycle or not.
pub(crate) const FRAME_BYTES_CLOSE: u64 = 64 << 20;

/// Longest decoded trace, in bytes.
pub const TEXT_BYTES_MAX: u64 = 2 << 30;

/// Largest zstd window, in bytes: what a decoder must hold besides the text.
pub const WINDOW_BYTES_MAX: u64 = 8 << 20;

/// Most frames of one trace: a header frame and one a turn would need 1 + 5,000.
pub(crate) const FRAMES_MAX: usize = 1 << 16;

/// Longest journal, ledger or timing file, in bytes.
pub(crate) const SIDE_FILE_BYTES_MAX: u64 = 1 << 30;
