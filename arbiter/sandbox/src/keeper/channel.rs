//! Messages over a socket: what is said as JSON, and bytes behind it.
//!
//! One side speaks, then the other; so what is read is one message at most.

use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::net::{SendFlags, send};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How many pieces of bytes a message has.
pub(super) const PIECES: usize = 3;

/// The bytes in front of a message: the lengths of what is said and of each piece.
const LENGTHS: usize = (1 + PIECES) * size_of::<u64>();

/// How much is read at once, in bytes.
const CHUNK: usize = 64 << 10;

/// One end of a socket.
#[derive(Debug)]
pub(super) struct Channel {
    socket: UnixStream,
    /// The longest message that is read, in bytes.
    longest: u64,
    buffer: Vec<u8>,
}

/// A message as it was read.
#[derive(Debug)]
pub(super) struct Message<T> {
    pub(super) said: T,
    pub(super) pieces: [Vec<u8>; PIECES],
}

impl Channel {
    pub(super) fn new(socket: UnixStream, longest: u64) -> io::Result<Channel> {
        socket.set_nonblocking(true)?;
        Ok(Channel { socket, longest, buffer: Vec::new() })
    }

    /// Allows messages of this length, in bytes.
    pub(super) fn allow(&mut self, longest: u64) {
        self.longest = self.longest.max(longest);
    }

    pub(super) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Sends a message, by this time.
    pub(super) fn send(
        &mut self,
        said: &impl Serialize,
        pieces: [&[u8]; PIECES],
        by: Option<Instant>,
    ) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.resize(LENGTHS, 0);
        serde_json::to_writer(&mut self.buffer, said)?;
        let mut lengths = [self.buffer.len() - LENGTHS; 1 + PIECES];
        for (length, piece) in lengths[1..].iter_mut().zip(pieces) {
            *length = piece.len();
            self.buffer.extend_from_slice(piece);
        }
        for (place, length) in self.buffer.chunks_exact_mut(size_of::<u64>()).zip(lengths) {
            place.copy_from_slice(&(length as u64).to_ne_bytes());
        }
        let mut unsent = &self.buffer[..];
        while !unsent.is_empty() {
            match send(&self.socket, unsent, SendFlags::NOSIGNAL) {
                Ok(sent) => unsent = &unsent[sent..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => wait(self.socket.as_fd(), PollFlags::OUT, by)?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Receives a message that is probably not there yet, by this time.
    pub(super) fn receive_later<T: DeserializeOwned>(
        &mut self,
        by: Option<Instant>,
    ) -> io::Result<Message<T>> {
        // An answer that came in time counts, even if it is read late. If the wait fails, reading tells why.
        let _ = wait(self.socket(), PollFlags::IN, by);
        self.receive(by)
    }

    /// Receives a message, by this time.
    pub(super) fn receive<T: DeserializeOwned>(
        &mut self,
        by: Option<Instant>,
    ) -> io::Result<Message<T>> {
        self.buffer.clear();
        let lengths = loop {
            if let Some(lengths) = self.buffer.first_chunk::<LENGTHS>() {
                break *lengths;
            }
            self.read(by)?;
        };
        let mut lengths = lengths.as_chunks::<8>().0.iter().map(|it| u64::from_ne_bytes(*it));
        let lengths: [u64; 1 + PIECES] = std::array::from_fn(|_| lengths.next().unwrap_or(0));
        let total = lengths.iter().fold(0_u64, |sum, length| sum.saturating_add(*length));
        if total > self.longest {
            return Err(wrong(format!("a message of {total} bytes")));
        }
        let total = usize::try_from(total).map_err(wrong)?;
        while self.buffer.len() < LENGTHS + total {
            self.read(by)?;
        }
        let mut rest = &self.buffer[LENGTHS..];
        let mut next = |length: u64| {
            let (piece, others) = rest.split_at_checked(length as usize)?;
            rest = others;
            Some(piece)
        };
        let said = next(lengths[0]).unwrap_or_default();
        let said = serde_json::from_slice(said).map_err(wrong)?;
        let pieces = std::array::from_fn(|piece| {
            next(lengths[1 + piece]).map(<[u8]>::to_vec).unwrap_or_default()
        });
        Ok(Message { said, pieces })
    }

    fn read(&mut self, by: Option<Instant>) -> io::Result<()> {
        self.buffer.reserve(CHUNK);
        match read(&self.socket, spare_capacity(&mut self.buffer)) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(Errno::AGAIN) => wait(self.socket.as_fd(), PollFlags::IN, by),
            Err(error) => Err(error.into()),
        }
    }
}

fn wrong(problem: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, problem)
}

/// Whether there is something to receive, at the latest after this time.
pub(super) fn is_ready(socket: BorrowedFd<'_>, time: Duration) -> io::Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(socket, PollFlags::IN)];
    match poll(&mut fds, Timespec::try_from(time).ok().as_ref()) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Waits until the socket is ready, or fails when it is not by this time.
pub(super) fn wait(
    socket: BorrowedFd<'_>,
    events: PollFlags,
    by: Option<Instant>,
) -> io::Result<()> {
    let left = by.map(|by| by.saturating_duration_since(Instant::now()));
    if left == Some(Duration::ZERO) {
        return Err(ErrorKind::TimedOut.into());
    }
    let time = left.and_then(|left| Timespec::try_from(left).ok());
    match poll(&mut [PollFd::from_borrowed_fd(socket, events)], time.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(longest: u64) -> (Channel, Channel) {
        let (one, other) = UnixStream::pair().expect("sockets");
        (Channel::new(one, longest).expect("a socket"), Channel::new(other, longest).expect("one"))
    }

    #[test]
    fn what_is_sent_is_received() {
        let (mut one, mut other) = pair(1 << 30);
        let large = vec![7; 3 << 20];
        let sender = std::thread::spawn(move || {
            one.send(&"first", [b"a", b"", &large], None).expect("it is read");
        });
        let first: Message<String> = other.receive(None).expect("a message");
        assert_eq!((first.said.as_str(), first.pieces[0].as_slice()), ("first", &b"a"[..]));
        assert_eq!((first.pieces[1].len(), first.pieces[2].len()), (0, 3 << 20));
        sender.join().expect("it ends");
    }

    #[test]
    fn what_is_too_long_or_late_or_torn_is_refused() {
        let (mut one, mut other) = pair(10);
        one.send(&"0123456789", [b"", b"", b""], None).expect("room");
        let kind = |found: io::Result<Message<String>>| found.expect_err("it is wrong").kind();
        assert_eq!(kind(other.receive(None)), ErrorKind::InvalidData);
        let (_one, mut other) = pair(10);
        assert_eq!(kind(other.receive(Some(Instant::now()))), ErrorKind::TimedOut);
        let (one, mut other) = pair(10);
        drop(one);
        assert_eq!(kind(other.receive(None)), ErrorKind::UnexpectedEof);
    }
}
