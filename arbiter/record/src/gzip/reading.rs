//! Reading gzip, member by member.

use std::io::{self, BufRead, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use super::{MAGIC, Member};

/// The bytes that are compressed in a file of gzip. A member that is cut off ends them, as the end of the file
/// does; what can be read of it comes before.
#[derive(Debug)]
pub(crate) struct Gunzip<R> {
    state: State<R>,
    /// The member that was begun last.
    member: Member,
    /// The number of bytes given, and of those in the members before.
    plain: u64,
}

#[derive(Debug)]
enum State<R> {
    /// Before a member, or at the end of the file.
    Between(Counted<R>),
    Within(Box<GzDecoder<Counted<R>>>),
    /// A member was cut off, or is damaged.
    Ended,
}

impl<R: BufRead> Gunzip<R> {
    /// Reads from the place of a member on, at which the source is.
    pub(crate) fn new(source: R, member: Member) -> Self {
        let source = Counted { source, count: member.compressed };
        Gunzip { state: State::Between(source), member, plain: member.plain }
    }

    /// The member that was begun last: the bytes given last are from it.
    pub(crate) fn member(&self) -> Member {
        self.member
    }

    /// The place at which the next member would begin, unless one was cut off.
    pub(crate) fn next_member(&self) -> Option<Member> {
        match &self.state {
            State::Between(source) => Some(Member { compressed: source.count, plain: self.plain }),
            State::Within(_) | State::Ended => None,
        }
    }

    /// Begins the next member; returns false at the end of the file.
    fn begin(&mut self, mut source: Counted<R>) -> io::Result<bool> {
        let next = source.fill_buf().map(|bytes| bytes.first().copied());
        match next {
            Ok(Some(next)) if next == MAGIC[0] => {
                self.member = Member { compressed: source.count, plain: self.plain };
                self.state = State::Within(Box::new(GzDecoder::new(source)));
                Ok(true)
            }
            Ok(Some(_)) => Err(damaged(source.count, "what follows is not gzip")),
            other => {
                self.state = State::Between(source);
                other.map(|_| false)
            }
        }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(source) => {
                    if !self.begin(source)? {
                        return Ok(0);
                    }
                }
                State::Within(mut member) => match member.read(buffer) {
                    Ok(0) => self.state = State::Between(member.into_inner()),
                    Ok(length) => {
                        self.plain += length as u64;
                        self.state = State::Within(member);
                        return Ok(length);
                    }
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
                    Err(error) if is_damage(&error) => {
                        return Err(damaged(member.get_ref().count, error));
                    }
                    Err(error) => {
                        // Nothing but reading the source was interrupted.
                        self.state = State::Within(member);
                        return Err(error);
                    }
                },
            }
        }
    }
}

/// Returns true for an error that the decoder makes, and not the source.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData)
}

/// The error for gzip that is damaged near a byte of the file.
pub(crate) fn damaged(place: u64, problem: impl std::fmt::Display) -> io::Error {
    let problem = format!("its gzip is damaged near byte {place}: {problem}");
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// A source that knows its place in the file.
#[derive(Debug)]
struct Counted<R> {
    source: R,
    count: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.count += length as u64;
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.source.consume(length);
        self.count += length as u64;
    }
}
