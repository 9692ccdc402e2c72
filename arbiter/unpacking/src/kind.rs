//! What a file is, by its content.

use std::io::{Read, Seek, SeekFrom};

use super::refused::{NotUnpacked, Refused};

/// What is unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Zip,
    Gzip,
    Text,
}

/// Where the sign of a tar stands.
const TAR: usize = 257;

/// How the content of a file begins, and what it is then.
const SIGNS: [(&[u8], &str); 9] = [
    (b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip"),
    (b"Rar!\x1a\x07", "an archive of RAR"),
    (b"\xfd7zXZ\0", "compressed by xz"),
    (b"BZh", "compressed by bzip2"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"%PDF", "a document"),
];

/// Tells what a file is.
///
/// # Errors
///
/// [`Refused::Other`] and [`Refused::Empty`], and where it cannot be read.
pub(crate) fn of(content: &mut (impl Read + Seek)) -> Result<Kind, NotUnpacked> {
    content.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    content.take(512).read_to_end(&mut start)?;
    if start.is_empty() {
        return Err(Refused::Empty.into());
    }
    // The second one is how an archive without entries begins.
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Ok(Kind::Zip);
    }
    if start.starts_with(b"\x1f\x8b") {
        return Ok(Kind::Gzip);
    }
    if let Some((_, what)) = SIGNS.iter().find(|(sign, _)| start.starts_with(sign)) {
        return Err(Refused::Other(what).into());
    }
    match start.get(TAR..).is_some_and(|rest| rest.starts_with(b"ustar")) {
        true => Err(Refused::Other("a .tar that is not compressed").into()),
        false => Ok(Kind::Text),
    }
}
