//! Messages of a referee and a keeper over a socket: what is said as JSON, and bytes behind it.
//!
//! One side speaks, then the other; so what is read is one message at most.

use std::ffi::OsString;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::cmsg_space;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, send, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::super::call::Observation;
use super::super::isolation::Layers;
use super::super::layers::ConfinementSetup;
use super::super::limits::Limits;
use super::super::request::{EndOfAnswer, PonderPermission};
use super::super::start::StartError;

/// Number of pieces of bytes in a message.
pub(super) const PIECES: usize = 3;

/// The bytes in front of a message: the lengths of what is said and of each piece.
const LENGTHS: usize = (1 + PIECES) * size_of::<u64>();

/// Bytes to read at once.
const CHUNK: usize = 64 << 10;

/// One end of a socket.
#[derive(Debug)]
pub(super) struct Channel {
    socket: UnixStream,
    /// The longest message that is read, in bytes.
    longest: u64,
    buffer: Vec<u8>,
}

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
            return Err(invalid_data(format!("a message of {total} bytes")));
        }
        let total = usize::try_from(total).map_err(invalid_data)?;
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
        let said = serde_json::from_slice(said).map_err(invalid_data)?;
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

fn invalid_data(problem: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, problem)
}

/// Waits for something to receive, at most this long, and returns true if there is.
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

/// Standard input, output and error.
const STREAMS: usize = 3;

/// Sends the standard streams of a command that its user watches, through a socket that does not wait.
///
/// They come with one byte. Reading it in any other way would lose them, so they are sent only once the
/// keeper waits for them.
pub(super) fn send_streams(
    socket: BorrowedFd<'_>,
    streams: [BorrowedFd<'_>; STREAMS],
    by: Option<Instant>,
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(STREAMS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(&streams)) {
        return Err(ErrorKind::InvalidInput.into());
    }
    loop {
        match sendmsg(socket, &[IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL) {
            Ok(1..) => return Ok(()),
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => wait(socket, PollFlags::OUT, by)?,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Receives the streams; no program inherits them.
pub(super) fn receive_streams(
    socket: BorrowedFd<'_>,
    by: Option<Instant>,
) -> io::Result<[OwnedFd; STREAMS]> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(STREAMS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    loop {
        let into = &mut [IoSliceMut::new(&mut byte)];
        match recvmsg(socket, into, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Ok(received) if received.bytes == 0 => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) => break,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => wait(socket, PollFlags::IN, by)?,
            Err(error) => return Err(error.into()),
        }
    }
    let received = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    let received: Vec<OwnedFd> = received.flatten().collect();
    received.try_into().map_err(|other: Vec<OwnedFd>| {
        let problem = format!("{} descriptors, expected {STREAMS}", other.len());
        io::Error::new(ErrorKind::InvalidData, problem)
    })
}

/// The first message to a keeper: which program it runs, where, and confined to what.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeeperSetup {
    pub(super) path: OsString,
    pub(super) arguments: Vec<OsString>,
    /// Its environment, besides what depends on its scratch folder.
    pub(super) variables: Vec<(OsString, OsString)>,
    /// Variables that go before all others.
    pub(super) own_variables: Vec<(OsString, OsString)>,
    pub(super) confinement: ConfinementSetup,
    pub(super) workplace: WorkingFolder,
    /// Permission to think between its turns, if it lives on.
    pub(super) ponder: PonderPermission,
}

/// The place where a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum WorkingFolder {
    /// In a scratch folder that the keeper makes.
    Scratch,
    /// In the folder that the keeper was given as its own; it is left as it is.
    Given,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum KeeperRequest {
    /// To run the program; its standard input follows.
    Run { limits: Limits },
    /// To run the program with a file, whose text follows: its path and these words are the last
    /// arguments.
    RunWithFile {
        limits: Limits,
        words: Vec<String>,
        /// The most bytes of the file to read afterwards.
        most: u64,
    },
    /// To give the program its next request, which follows, and to start it before if it does not run.
    Turn { limits: Limits, end: EndOfAnswer },
    /// To end the program if it runs.
    GameOver,
    /// To run a command in the place of the program, with these words, on standard streams that are
    /// sent once the keeper says that it waits for them.
    Attend { limits: Limits, words: Vec<OsString> },
    /// To start the program, and to end it at once.
    Probe,
    /// To give the program a new, empty folder.
    NewFolder,
    /// To tell what the folder holds.
    Left,
    /// To tell how much memory the program has.
    Memory,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum KeeperReply {
    /// The keeper is there.
    Ready { layers: Layers },
    /// It cannot do its work at all.
    Unable(String),
    /// It waits for standard streams.
    Streams,
    /// The observations; standard output, standard error and the file follow.
    Seen(Box<Observation>),
    /// Success if the program can be started.
    Probed(Result<(), StartError>),
    /// It does not run.
    Ended,
    /// The folder is new; what could not be removed of the old one, a line each.
    NewFolder { left_behind: Vec<String> },
    /// No folder can be made.
    NoFolder(String),
    /// The number of files the folder holds, and the name of one.
    Left { files: u64, name: OsString },
    /// The memory of the program in bytes; none if it does not run.
    Memory(Option<u64>),
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write, pipe};
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

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

    fn sockets() -> [UnixStream; 2] {
        let (one, other) = UnixStream::pair().expect("sockets");
        other.set_nonblocking(true).expect("a socket");
        [one, other]
    }

    #[test]
    fn what_is_sent_is_the_same_file() {
        let [one, other] = sockets();
        let (mut reader, writer) = pipe().expect("a pipe");
        send_streams(one.as_fd(), [writer.as_fd(); STREAMS], None).expect("room");
        drop(writer);
        let [first, second, third] = receive_streams(other.as_fd(), None).expect("three of them");
        drop((first, second));
        std::fs::File::from(third).write_all(b"hello").expect("a pipe");
        let mut read = String::new();
        reader.read_to_string(&mut read).expect("its end");
        assert_eq!(read, "hello");
    }

    #[test]
    fn nothing_else_is_taken_for_them() {
        let kind = |socket: &UnixStream, by| {
            receive_streams(socket.as_fd(), by).expect_err("there are none").kind()
        };
        let [mut one, other] = sockets();
        assert_eq!(kind(&other, Some(Instant::now())), ErrorKind::TimedOut);
        one.write_all(b"x").expect("room");
        assert_eq!(kind(&other, None), ErrorKind::InvalidData);
        drop(one);
        assert_eq!(kind(&other, None), ErrorKind::UnexpectedEof);
    }
}
