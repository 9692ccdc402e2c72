//! A log that is still being written.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;
use std::thread;
use std::time::Duration;

use sandbox::file::{self, Opened};

/// How long it is between two looks for more.
const PAUSE: Duration = Duration::from_millis(100);

/// A file whose end is waited at for more.
///
/// Nothing tells that a writer is gone for good, so only the reader can know when enough was
/// read.
#[derive(Debug)]
pub struct Followed(File);

/// Opens a log to read it as it grows.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn follow(path: &Path) -> io::Result<BufReader<Followed>> {
    Ok(BufReader::new(match file::open_or_stream(path)? {
        Opened::Regular(file) | Opened::Stream(file) => Followed(file),
    }))
}

impl Read for Followed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer)? {
                0 if buffer.is_empty() => return Ok(0),
                0 => {}
                length => return Ok(length),
            }
            // A pipe tells by itself when its writer is gone.
            let Ok(place) = self.0.stream_position() else { return Ok(0) };
            if self.0.metadata()?.len() < place {
                return Err(io::Error::other("it was cut off while it was followed"));
            }
            thread::sleep(PAUSE);
        }
    }
}
