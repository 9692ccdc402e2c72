//! Bots that strangers send as one file: an archive, or a single source.
//!
//! # Theory of operation
//!
//! **What it is, its content says** (`kind.rs`): `.zip`, `.tar.gz`, or text. The name of the
//! file matters only for text, where its ending names the language; then the folder gets the `bot.toml` of
//! the starter in that language.
//!
//! **Everything is counted as it comes**, never believed: a header may say anything. The bytes that
//! are unpacked, the files and folders, the length and depth of their paths, and how much larger all of it
//! is than what was sent have bounds ([`Bounds`]), and memory does not depend on the archive: entries come
//! one by one, and a file goes to the disk in small pieces.
//!
//! **Only files and folders are made** (`landing.rs`), each of them new, in a folder that no
//! one else sees, by paths without `..`, without a root, and without signs that do not belong into a name
//! (`path.rs`). Links, devices and pipes are refused, so no path leads through one. So is a name
//! that comes twice, also in other letter case: what runs must be what the author sees, on every system.
//!
//! **An archive is refused as a whole**, with a sentence for its author. What the machine fails at is no
//! fault of the archive ([`NotUnpacked::Failed`]).

mod bounds;
mod kind;
mod landing;
mod path;
mod refused;
mod single;
mod tar_gz;
mod zip;

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use conditions::bot::manifest::MANIFEST;

pub use bounds::Bounds;
pub use refused::{NotUnpacked, Refused};

use kind::Kind;
use landing::Landing;

/// What was sent.
#[derive(Debug)]
pub struct Upload<'a, R> {
    /// Its content.
    pub content: R,
    /// The name of the file, as its sender has it, if it came with one.
    pub file: Option<&'a str>,
    /// The name of the bot that it is to be.
    pub bot: &'a str,
}

/// Unpacks a bot into an empty folder, and gives the folder in it that has the `bot.toml`: this one, or the
/// only folder at the top of the archive.
///
/// # Errors
///
/// [`NotUnpacked`]; what was unpacked by then is left.
pub fn unpack<R: Read + Seek>(
    upload: Upload<'_, R>,
    into: &Path,
    bounds: Bounds,
) -> Result<PathBuf, NotUnpacked> {
    let Upload { mut content, file, bot } = upload;
    let length = content.seek(SeekFrom::End(0))?;
    if length > bounds.upload {
        return Err(Refused::TooLong(bounds.upload).into());
    }
    let kind = kind::of(&mut content)?;
    content.seek(SeekFrom::Start(0))?;
    let mut landing = Landing::new(into, bounds, length);
    match kind {
        Kind::Zip => zip::unpack(content, &mut landing)?,
        Kind::Gzip => tar_gz::unpack(content, &mut landing)?,
        Kind::Text => {
            single::unpack(content, file, bot, &mut landing)?;
            return Ok(into.to_owned());
        }
    }
    if landing.holds_file(MANIFEST) {
        return Ok(into.to_owned());
    }
    let inner = landing.only_folder().ok_or(Refused::NoManifest)?;
    match landing.holds_file(&format!("{inner}/{MANIFEST}")) {
        true => Ok(into.join(inner)),
        false => Err(Refused::NoManifest.into()),
    }
}
