//! Open files that go from the referee to a keeper: the standard streams of a command that its user
//! watches.
//!
//! They come with one byte, which must not be read in any other way: they would be lost. So they are
//! sent only once the keeper waits for them.

use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::Instant;

use rustix::cmsg_space;
use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

use super::channel::wait;

/// Standard input, output and error.
const STREAMS: usize = 3;

/// Sends them through a socket that does not wait, by this time.
pub(super) fn send(
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

/// Receives them from a socket that does not wait, by this time. No program inherits them.
pub(super) fn receive(
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write, pipe};
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    use super::*;

    fn sockets() -> [UnixStream; 2] {
        let (one, other) = UnixStream::pair().expect("sockets");
        other.set_nonblocking(true).expect("a socket");
        [one, other]
    }

    #[test]
    fn what_is_sent_is_the_same_file() {
        let [one, other] = sockets();
        let (mut reader, writer) = pipe().expect("a pipe");
        send(one.as_fd(), [writer.as_fd(); STREAMS], None).expect("room");
        drop(writer);
        let [first, second, third] = receive(other.as_fd(), None).expect("three of them");
        drop((first, second));
        std::fs::File::from(third).write_all(b"hello").expect("a pipe");
        let mut read = String::new();
        reader.read_to_string(&mut read).expect("its end");
        assert_eq!(read, "hello");
    }

    #[test]
    fn nothing_else_is_taken_for_them() {
        let kind = |socket: &UnixStream, by| {
            receive(socket.as_fd(), by).expect_err("there are none").kind()
        };
        let [mut one, other] = sockets();
        assert_eq!(kind(&other, Some(Instant::now())), ErrorKind::TimedOut);
        one.write_all(b"x").expect("room");
        assert_eq!(kind(&other, None), ErrorKind::InvalidData);
        drop(one);
        assert_eq!(kind(&other, None), ErrorKind::UnexpectedEof);
    }
}
