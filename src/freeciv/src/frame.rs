//! Cuts the byte stream into packets: plain ones, and compressed or jumbo blocks of plain ones. The
//! header may widen between two packets of one block, so blocks are walked lazily.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// Longest plain packet; greater lengths announce a compressed block.
const PLAIN_MAX: usize = 16_384;
/// What a compressed block's length is offset by.
const COMPRESSED_BASE: usize = 16_385;
/// The length that announces a jumbo block.
const JUMBO: usize = 65_535;
const LENGTH_BYTES: usize = 2;
const JUMBO_HEAD: usize = 6;

/// Upper bounds on what outside bytes may make us hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Received bytes not yet taken apart; also the longest block on the wire.
    pub buffered_bytes_max: usize,
    /// Bytes of one block after inflation.
    pub inflated_bytes_max: usize,
    /// Heap bytes of packets remembered for delta decoding.
    pub remembered_bytes_max: usize,
}

impl Default for Limits {
    /// A join on the largest maps is a few MiB inflated; these are well above.
    fn default() -> Self {
        const MIB: usize = 1 << 20;
        Self {
            buffered_bytes_max: 8 * MIB,
            inflated_bytes_max: 32 * MIB,
            remembered_bytes_max: 64 * MIB,
        }
    }
}

/// What can be wrong with the stream before any packet is looked into.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A packet or block shorter than its own header.
    #[error("a packet states a length of {length} bytes, its header alone has {header}")]
    Short {
        /// The stated length.
        length: usize,
        /// Bytes of the header.
        header: usize,
    },
    /// More received bytes than we hold.
    #[error("{bytes} received bytes wait to be decoded, the limit is {max}")]
    Buffered {
        /// Bytes that would wait.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// A block longer on the wire than we accept.
    #[error("a compressed block states {length} bytes, the limit is {max}")]
    Block {
        /// The stated length.
        length: usize,
        /// The limit.
        max: usize,
    },
    /// A block that grows beyond the limit.
    #[error("a compressed block of {length} bytes inflates to more than {max}")]
    Inflated {
        /// Bytes on the wire.
        length: usize,
        /// The limit.
        max: usize,
    },
    /// A block that is no zlib stream, or has bytes after it.
    #[error("a compressed block of {length} bytes is broken: {why}")]
    Zlib {
        /// Bytes of the zlib stream on the wire.
        length: usize,
        /// What the decompressor says.
        why: String,
    },
    /// A block within a block.
    #[error("a compressed block holds another one (length field {length})")]
    Nested {
        /// The inner length field.
        length: usize,
    },
    /// A block that ends within a packet.
    #[error("a compressed block ends within a packet: {length} bytes stated, {left} left")]
    CutBlock {
        /// The stated length.
        length: usize,
        /// Bytes left in the block.
        left: usize,
    },
}

/// A packet's number and body, still encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Number of its type.
    pub number: u16,
    /// What follows the header.
    pub body: &'a [u8],
}

/// Holds received bytes and hands out one packet at a time.
#[derive(Debug)]
pub struct Framer {
    limits: Limits,
    number_bytes: usize,
    buffer: Vec<u8>,
    at: usize,
    block: Vec<u8>,
    block_at: usize,
}

/// Where the next packet lies.
struct Span {
    number: u16,
    start: usize,
    end: usize,
}

impl Framer {
    /// A framer whose headers carry the packet number in so many bytes (1 or 2).
    pub fn new(number_bytes: usize, limits: Limits) -> Self {
        let (buffer, block) = (Vec::new(), Vec::new());
        Self { limits, number_bytes, buffer, at: 0, block, block_at: 0 }
    }

    /// From the next packet on, headers carry the packet number in so many bytes.
    pub fn set_number_bytes(&mut self, number_bytes: usize) {
        self.number_bytes = number_bytes;
    }

    /// Takes in received bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), FrameError> {
        let waiting = self.buffer.len() - self.at + bytes.len();
        if waiting > self.limits.buffered_bytes_max {
            let max = self.limits.buffered_bytes_max;
            return Err(FrameError::Buffered { bytes: waiting, max });
        }
        if self.at > 0 {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Received bytes that make no whole packet yet.
    pub fn waiting_bytes(&self) -> usize {
        self.buffer.len() - self.at + self.block.len() - self.block_at
    }

    /// The next whole packet, if one is there. After an error the framer is not to be used.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, FrameError> {
        loop {
            if self.block_at < self.block.len() {
                let span = self.span_in_block()?;
                self.block_at = span.end;
                let body = self.block.get(span.start..span.end).unwrap_or_default();
                return Ok(Some(Frame { number: span.number, body }));
            }
            if self.block.capacity() > PLAIN_MAX {
                self.block = Vec::new();
            }
            let waiting = self.buffer.get(self.at..).unwrap_or_default();
            let Some(length) = be16(waiting) else { return Ok(None) };
            if length > PLAIN_MAX {
                if !self.open_block(length)? {
                    return Ok(None);
                }
                continue;
            }
            let Some(span) = plain(waiting, length, self.number_bytes)? else { return Ok(None) };
            let (start, end) = (self.at + span.start, self.at + span.end);
            self.at = end;
            let body = self.buffer.get(start..end).unwrap_or_default();
            return Ok(Some(Frame { number: span.number, body }));
        }
    }

    fn span_in_block(&self) -> Result<Span, FrameError> {
        let rest = self.block.get(self.block_at..).unwrap_or_default();
        let left = rest.len();
        let Some(length) = be16(rest) else {
            return Err(FrameError::CutBlock { length: LENGTH_BYTES, left });
        };
        if length > PLAIN_MAX {
            return Err(FrameError::Nested { length });
        }
        let span =
            plain(rest, length, self.number_bytes)?.ok_or(FrameError::CutBlock { length, left })?;
        let (start, end) = (self.block_at + span.start, self.block_at + span.end);
        Ok(Span { number: span.number, start, end })
    }

    /// Inflates the block at the front, if it is there in full.
    fn open_block(&mut self, length: usize) -> Result<bool, FrameError> {
        let waiting = self.buffer.get(self.at..).unwrap_or_default();
        let (head, total) = if length == JUMBO {
            let Some(total) = waiting.get(LENGTH_BYTES..JUMBO_HEAD) else { return Ok(false) };
            let total = total.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
            (JUMBO_HEAD, total)
        } else {
            (LENGTH_BYTES, length - COMPRESSED_BASE)
        };
        if total < head {
            return Err(FrameError::Short { length: total, header: head });
        }
        if total > self.limits.buffered_bytes_max {
            let max = self.limits.buffered_bytes_max;
            return Err(FrameError::Block { length: total, max });
        }
        let Some(stream) = waiting.get(head..total) else { return Ok(false) };
        self.block = inflate(stream, self.limits.inflated_bytes_max)?;
        self.block_at = 0;
        self.at += total;
        Ok(true)
    }
}

/// Inflates one whole zlib stream; memory grows with the output and stops at `max` bytes.
pub fn inflate(stream: &[u8], max: usize) -> Result<Vec<u8>, FrameError> {
    let length = stream.len();
    let broken = |why: &dyn ToString| FrameError::Zlib { length, why: why.to_string() };
    let mut decoder = ZlibDecoder::new(stream);
    let mut inflated = Vec::new();
    let read = decoder.by_ref().take(max as u64 + 1).read_to_end(&mut inflated);
    read.map_err(|error| broken(&error))?;
    if inflated.len() > max {
        return Err(FrameError::Inflated { length, max });
    }
    if decoder.total_in() != length as u64 {
        return Err(broken(&"bytes follow the end of the zlib stream"));
    }
    Ok(inflated)
}

fn be16(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [high, low, ..] => Some(usize::from(*high) << 8 | usize::from(*low)),
        _ => None,
    }
}

/// The plain packet at the front of `bytes`, if all of it is there.
fn plain(bytes: &[u8], length: usize, number_bytes: usize) -> Result<Option<Span>, FrameError> {
    let header = LENGTH_BYTES + number_bytes;
    if length < header {
        return Err(FrameError::Short { length, header });
    }
    if bytes.len() < length {
        return Ok(None);
    }
    let number = bytes.get(LENGTH_BYTES..header).unwrap_or_default();
    let number = number.iter().fold(0, |sum, byte| sum << 8 | u16::from(*byte));
    Ok(Some(Span { number, start: header, end: length }))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        let stream = deflate(bytes);
        let length = (COMPRESSED_BASE + LENGTH_BYTES + stream.len()) as u16;
        [&length.to_be_bytes()[..], &stream].concat()
    }

    fn jumbo(bytes: &[u8]) -> Vec<u8> {
        let stream = deflate(bytes);
        let length = (JUMBO_HEAD + stream.len()) as u32;
        [&[0xff, 0xff][..], &length.to_be_bytes(), &stream].concat()
    }

    /// All packets of a stream, the header widening after packet number 5, fed in pieces.
    fn frames(stream: &[u8], piece: usize) -> Result<Vec<(u16, Vec<u8>)>, FrameError> {
        let mut framer = Framer::new(1, Limits::default());
        let mut found = Vec::new();
        for bytes in stream.chunks(piece) {
            framer.push(bytes)?;
            while let Some(frame) = framer.next_frame()? {
                let number = frame.number;
                found.push((number, frame.body.to_vec()));
                if number == 5 {
                    framer.set_number_bytes(2);
                }
            }
        }
        Ok(found)
    }

    #[test]
    fn the_header_widens_within_a_block_however_the_stream_is_cut() {
        let widening = [0, 3, 0, 0, 4, 5, 9, 0, 5, 1, 0, 7];
        let mut stream = jumbo(&widening);
        stream.extend([0, 4, 0, 1]);
        stream.extend(compressed(&[0, 6, 0, 63, 1, 2, 0, 4, 0, 64]));
        let whole = frames(&stream, stream.len()).unwrap();
        let wanted: &[(u16, &[u8])] =
            &[(0, &[]), (5, &[9]), (256, &[7]), (1, &[]), (63, &[1, 2]), (64, &[])];
        assert_eq!(whole, wanted.iter().map(|(n, b)| (*n, b.to_vec())).collect::<Vec<_>>());
        for piece in 1..stream.len() {
            assert_eq!(frames(&stream, piece).unwrap(), whole, "pieces of {piece}");
        }
    }

    #[test]
    fn malformed_streams_are_told_apart() {
        let check = |stream: &[u8], wanted: &str| {
            let error = frames(stream, stream.len()).expect_err("a broken stream").to_string();
            assert!(error.contains(wanted), "{error:?} does not tell {wanted:?}");
        };
        check(&[0, 0], "length of 0 bytes");
        check(&[0, 2, 9], "length of 2 bytes");
        check(&[0x40, 0x02], "length of 1 bytes, its header alone has 2");
        check(&[0xff, 0xff, 0, 0, 0, 5], "length of 5 bytes, its header alone has 6");
        check(&[0xff, 0xff, 0xff, 0, 0, 0], "states 4278190080 bytes");
        check(&compressed(&compressed(&[0, 3, 1])), "holds another one");
        check(&jumbo(&jumbo(&[0, 3, 1])), "holds another one");
        check(&compressed(&[0, 3, 1, 0]), "2 bytes stated, 1 left");
        check(&compressed(&[0, 9, 1, 0]), "9 bytes stated, 4 left");
        check(&[0x40, 0x05, 1, 2], "broken");
        let mut trailing = compressed(&[0, 3, 1]);
        trailing.push(0);
        trailing[1] += 1;
        check(&trailing, "bytes follow the end");
    }

    #[test]
    fn inflation_and_buffer_stop_at_their_limits() {
        let bomb = deflate(&vec![0; 1 << 20]);
        assert!(bomb.len() < 2_000);
        let error = inflate(&bomb, 4_096).unwrap_err();
        assert_eq!(error, FrameError::Inflated { length: bomb.len(), max: 4_096 });
        assert_eq!(inflate(&bomb, 1 << 20).unwrap().len(), 1 << 20);
        let limits = Limits { buffered_bytes_max: 4, ..Limits::default() };
        let error = Framer::new(1, limits).push(&[0; 5]).unwrap_err();
        assert_eq!(error, FrameError::Buffered { bytes: 5, max: 4 });
    }
}
