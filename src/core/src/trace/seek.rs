//! The seek table: zstd's own seekable format, so that other tools can use it too. It stands in a
//! skippable frame at the end of a closed trace and only saves time: a scan gives the same answers.

use super::frames::Frame;
use super::limits::FRAMES_MAX;

/// Magic of the skippable frame that holds the table.
pub(crate) const SKIPPABLE_MAGIC: u32 = 0x184D_2A5E;
/// Magic in the last four bytes of the file.
const SEEKABLE_MAGIC: u32 = 0x8F92_EAB1;
/// Skippable header (8) and footer (9).
const FRAME_AROUND: usize = 17;
/// Compressed and decoded size of one frame, four bytes each.
const ROW: usize = 8;
/// Footer: number of frames (4), descriptor (1), magic (4).
pub(crate) const FOOTER: usize = 9;

/// The longest table a reader takes into memory.
pub(crate) const TABLE_BYTES_MAX: usize = FRAME_AROUND + ROW * FRAMES_MAX;

/// Length of the table of so many frames: as many bytes as may stand behind the last frame.
pub(crate) const fn length_for(frames: usize) -> u64 {
    (FRAME_AROUND + ROW * frames) as u64
}

/// What to say of a file that goes on behind its last line and the place of its table.
pub(crate) fn goes_on(behind: u64, frames: usize) -> String {
    let table = length_for(frames);
    format!(
        "{behind} bytes stand behind the last line's frame, where a seek table of {table} bytes \
         belongs: something was appended, and no line of the game tells what"
    )
}

/// The table as it stands in the file, skippable frame included.
pub(crate) fn encode(frames: &[Frame]) -> Vec<u8> {
    let mut out = Vec::with_capacity(FRAME_AROUND + ROW * frames.len());
    out.extend(SKIPPABLE_MAGIC.to_le_bytes());
    out.extend(((ROW * frames.len() + FOOTER) as u32).to_le_bytes());
    for frame in frames {
        out.extend((frame.compressed as u32).to_le_bytes());
        out.extend((frame.decoded as u32).to_le_bytes());
    }
    out.extend((frames.len() as u32).to_le_bytes());
    out.push(0); // descriptor: no checksums of ours, each frame carries its own
    out.extend(SEEKABLE_MAGIC.to_le_bytes());
    out
}

/// Length of the whole table when the last bytes of a file say that it ends in one.
pub(crate) fn length_told(last: &[u8]) -> Option<usize> {
    let footer = last.get(last.len().checked_sub(FOOTER)?..)?;
    let count = u32_at(footer, 0)? as usize;
    (u32_at(footer, 5)? == SEEKABLE_MAGIC && count <= FRAMES_MAX)
        .then(|| FRAME_AROUND + ROW * count)
}

/// Reads a table.
///
/// # Errors
/// What contradicts what.
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<Frame>, String> {
    let told = length_told(bytes)
        .ok_or_else(|| format!("its last bytes are not the magic {SEEKABLE_MAGIC:#x}"))?;
    if told != bytes.len() {
        return Err(format!("it takes {} bytes, its footer says {told}", bytes.len()));
    }
    let magic = u32_at(bytes, 0).unwrap_or(0);
    let size = u32_at(bytes, 4).unwrap_or(0) as usize;
    if magic != SKIPPABLE_MAGIC || size + 8 != told {
        return Err(format!("its frame is {magic:#x} with {size} bytes, not {}", told - 8));
    }
    if bytes.get(told - 5) != Some(&0) {
        return Err("its descriptor is not 0".to_owned());
    }
    let mut offset = 0;
    let rows = bytes.get(8..told - FOOTER).unwrap_or_default();
    let frames = rows
        .chunks_exact(ROW)
        .map(|row| {
            let frame = Frame {
                offset,
                compressed: u64::from(u32_at(row, 0).unwrap_or(0)),
                decoded: u64::from(u32_at(row, 4).unwrap_or(0)),
            };
            offset += frame.compressed;
            frame
        })
        .collect();
    Ok(frames)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}
