//! Bots that strangers send as one file: an archive, or a single source.
//!
//! # Theory of operation
//!
//! **What it is, its content says**: `.zip`, `.tar.gz`, or text. The name of the
//! file matters only for text, where its ending names the language; then the folder gets the `bot.toml` of
//! the starter in that language.
//!
//! **Everything is counted as it comes**, never believed: a header may say anything. The bytes that
//! are unpacked, the files and folders, the length and depth of their paths, and how much larger all of it
//! is than what was sent have bounds ([`UploadBounds`]), and memory does not depend on the archive: entries come
//! one by one, and a file goes to the disk in small pieces.
//!
//! **Only files and folders are made** (`extract_dir.rs`), each of them new, in a folder that no
//! one else sees, by paths without `..`, without a root, and without signs that do not belong into a name
//! (`extract_dir.rs`). Links, devices and pipes are refused, so no path leads through one. So is a name
//! that comes twice, also in other letter case: what runs must be what the author sees, on every system.
//!
//! **An archive is refused as a whole**, with a sentence for its author. What the machine fails at is no
//! fault of the archive ([`UnpackError::Failed`]).

mod extract_dir;
mod tar_gz;
mod zip;

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;

use crate::manifest::MANIFEST;
use crate::templates::BotTemplate;
use text::printable;

pub use self::extract_dir::{UnpackError, UploadBounds};

use self::extract_dir::{ArchivePath, display_name};
use extract_dir::{ExtractDir, FileRights};

#[derive(Debug)]
pub struct Upload<'a, R> {
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
/// [`UnpackError`]; what was unpacked by then is left.
pub fn unpack<R: Read + Seek>(
    upload: Upload<'_, R>,
    into: &Path,
    bounds: UploadBounds,
) -> Result<PathBuf, UnpackError> {
    let Upload { mut content, file, bot } = upload;
    let length = content.seek(SeekFrom::End(0))?;
    if length > bounds.upload {
        return Err(too_long(bounds.upload));
    }
    let kind = kind_of(&mut content)?;
    content.seek(SeekFrom::Start(0))?;
    let mut target = ExtractDir::new(into, bounds, length);
    match kind {
        UploadKind::Zip => zip::unpack(content, &mut target)?,
        UploadKind::Gzip => tar_gz::unpack(content, &mut target)?,
        UploadKind::Text => {
            unpack_source(content, file, bot, &mut target)?;
            return Ok(into.to_owned());
        }
    }
    if target.holds_file(MANIFEST) {
        return Ok(into.to_owned());
    }
    let inner = target.only_folder().ok_or_else(no_manifest)?;
    match target.holds_file(&format!("{inner}/{MANIFEST}")) {
        true => Ok(into.join(inner)),
        false => Err(no_manifest()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UploadKind {
    Zip,
    Gzip,
    Text,
}

/// The place of the sign of a tar.
const TAR: usize = 257;

/// Beginnings of files that are refused, and what they are.
const SIGNS: [(&[u8], &str); 9] = [
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ\0", "compressed with xz"),
    (b"BZh", "compressed with bzip2"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"%PDF", "a document"),
];

/// Tells the kind of a file from its content.
fn kind_of(content: &mut (impl Read + Seek)) -> Result<UploadKind, UnpackError> {
    content.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    content.take(512).read_to_end(&mut start)?;
    if start.is_empty() {
        return Err(UnpackError::refused("the file is empty"));
    }
    // The second one is how an archive without entries begins.
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Ok(UploadKind::Zip);
    }
    if start.starts_with(b"\x1f\x8b") {
        return Ok(UploadKind::Gzip);
    }
    if let Some((_, what)) = SIGNS.iter().find(|(sign, _)| start.starts_with(sign)) {
        return Err(unsupported(what));
    }
    match start.get(TAR..).is_some_and(|rest| rest.starts_with(b"ustar")) {
        true => Err(unsupported("an uncompressed .tar")),
        false => Ok(UploadKind::Text),
    }
}

/// The most that a single source may hold, in bytes.
const LONGEST_SOURCE: u64 = 4 << 20;
/// The most that its name may have, in bytes.
const LONGEST_NAME: usize = 64;

/// Makes a bot of a single source: it gets the other files of the starter in its language, and the library
/// if it names it.
fn unpack_source(
    content: impl Read,
    file: Option<&str>,
    bot: &str,
    target: &mut ExtractDir<'_>,
) -> Result<(), UnpackError> {
    let mut bytes = Vec::new();
    content.take(LONGEST_SOURCE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_SOURCE {
        return Err(too_long(LONGEST_SOURCE));
    }
    let text = std::str::from_utf8(&bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| unsupported("neither an archive nor UTF-8 text"))?;
    let file = file.ok_or_else(no_name)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_name = !file.is_empty() && file.len() <= LONGEST_NAME && !file.starts_with(['-', '.']);
    if !(is_name && file.chars().all(is_plain)) {
        return Err(UnpackError::refused(format_args!(
            "invalid source file name `{}`: use letters, digits, . _ - (such as bot.py)",
            display_name(file.as_bytes())
        )));
    }
    let starter = BotTemplate::of_source(file).ok_or_else(|| {
        let known = BotTemplate::ALL.map(|starter| format!(".{}", starter.ending())).join(", ");
        let file = printable(file);
        UnpackError::refused(format_args!(
            "cannot tell the language of `{file}`: use {known}, or an archive"
        ))
    })?;
    let mut write = |name: &str, content: &[u8]| {
        let path = ArchivePath::read(name.as_bytes(), &target.bounds)?.ok_or_else(no_name)?;
        target.file(&path, FileRights::Plain, &mut &*content)
    };
    write(file, &bytes)?;
    for (name, content) in starter.extra_files(file, text, bot) {
        write(name, content.as_bytes())?;
    }
    Ok(())
}

fn too_long(most: u64) -> UnpackError {
    let most = ByteSize(most).display().iec();
    UnpackError::refused(format_args!("the file is larger than {most}"))
}

fn unsupported(what: &str) -> UnpackError {
    UnpackError::refused(format_args!(
        "unsupported file type ({what}): send a .zip, a .tar.gz or a source file"
    ))
}

fn no_manifest() -> UnpackError {
    UnpackError::refused(format_args!(
        "no {MANIFEST} in the archive: put it at the top level or in the single folder"
    ))
}

fn no_name() -> UnpackError {
    UnpackError::refused(
        "a single source file needs a name that shows its language, such as bot.py",
    )
}
