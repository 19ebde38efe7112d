//! The one TCP connection to a game server, tuned for many small answers: no delayed sending, no
//! delayed acknowledging, and reads that come back now and then so that somebody can look up.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long a read or write may block before it reports [`Got::Nothing`].
const SLICE: Duration = Duration::from_millis(50);
const BUFFER_BYTES: usize = 64 * 1024;

/// A connected socket with its read buffer.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    buffer: Box<[u8]>,
    waited: Duration,
}

/// What one read brought.
#[derive(Debug)]
pub(crate) enum Got<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// Nothing within [`SLICE`].
    Nothing,
    /// The other side is gone.
    Closed,
}

impl Socket {
    /// Connects within `limit`.
    pub(crate) fn connect(address: SocketAddr, limit: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, limit)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SLICE))?;
        stream.set_write_timeout(Some(SLICE))?;
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        Ok(Self { stream, buffer, waited: Duration::ZERO })
    }

    /// Waits for bytes, at most [`SLICE`].
    pub(crate) fn read(&mut self) -> io::Result<Got<'_>> {
        acknowledge_at_once(&self.stream)?;
        let begun = Instant::now();
        let read = self.stream.read(&mut self.buffer);
        self.waited += begun.elapsed();
        match read {
            Ok(0) => Ok(Got::Closed),
            Ok(count) => Ok(Got::Bytes(&self.buffer[..count])),
            Err(error) if passes(&error) => Ok(Got::Nothing),
            Err(error) if is_gone(&error) => Ok(Got::Closed),
            Err(error) => Err(error),
        }
    }

    /// Writes what it can of `bytes`: `Some(0)` when the other side does not take any within
    /// [`SLICE`], `None` when it is gone.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        match self.stream.write(bytes) {
            Ok(count) => Ok(Some(count)),
            Err(error) if passes(&error) => Ok(Some(0)),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Time spent waiting in reads so far.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }
}

/// The server leaves Nagle's algorithm on, so an acknowledgement of ours that is delayed by 40 ms
/// delays its next packet as much. Linux forgets the option, so it is set before every read.
#[cfg(target_os = "linux")]
fn acknowledge_at_once(stream: &TcpStream) -> io::Result<()> {
    use std::os::linux::net::TcpStreamExt;
    stream.set_quickack(true)
}

#[cfg(not(target_os = "linux"))]
fn acknowledge_at_once(_: &TcpStream) -> io::Result<()> {
    Ok(())
}

fn passes(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe
    )
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn bytes_silence_and_the_end_are_told_apart() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let mut socket = Socket::connect(address, Duration::from_secs(5)).expect("connected");
        let (mut peer, _) = listener.accept().expect("accepted");
        assert!(matches!(socket.read(), Ok(Got::Nothing)));
        assert!(socket.waited() >= SLICE / 2);
        assert_eq!(socket.write(b"hello").expect("written"), Some(5));
        peer.write_all(b"back").expect("written");
        assert!(matches!(socket.read(), Ok(Got::Bytes(b"back"))));
        // Unread bytes at the other side's end turn its close into a reset.
        drop(peer);
        assert!(matches!(socket.read(), Ok(Got::Closed)));
        while socket.write(b"into the void").expect("no other error").is_some() {}
    }
}
