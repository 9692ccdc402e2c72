//! Archives of the kind `.tar.gz`, header by header.
//!
//! The library would keep long names and other extensions in memory as long as they are, so it gives the
//! headers as they stand, and what is needed of the extensions is read here, up to a bound.

use std::cell::Cell;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType, PaxExtensions};

use super::extract_dir::{
    ArchivePath, ExtractDir, FileRights, UnpackError, broken, display_name, read_error,
};

/// The most that an extension of a header may hold, in bytes.
const LONGEST_EXTENSION: u64 = 64 << 10;
/// The most bytes that headers and the blocks at the end add to files, for each entry.
const AROUND: u64 = 4 << 10;

/// Properties of the next entry, from extensions.
#[derive(Default)]
struct NextEntryOverrides {
    path: Option<Vec<u8>>,
    size: Option<u64>,
}

/// Output of the decompressor, up to a bound.
struct BoundedReader<'a, R> {
    source: R,
    left: u64,
    is_too_much: &'a Cell<bool>,
}

impl<R: Read> Read for BoundedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => {
                self.is_too_much.set(true);
                return Err(io::Error::other("too much"));
            }
        }
        Ok(count)
    }
}

pub(crate) fn unpack(content: impl Read, target: &mut ExtractDir<'_>) -> Result<(), UnpackError> {
    // Skipped entries count, and so does everything after the end.
    let is_too_much = Cell::new(false);
    let left = target.room() + target.bounds.entries * AROUND;
    let source = MultiGzDecoder::new(content);
    let mut archive = Archive::new(BoundedReader { source, left, is_too_much: &is_too_much });
    let unpacked = entries(&mut archive, target);
    let unpacked = unpacked.and_then(|()| {
        // The check sum comes after the last byte.
        io::copy(&mut archive.into_inner(), &mut io::sink()).map(drop).map_err(read_error)
    });
    match unpacked {
        Err(_) if is_too_much.get() => Err(target.too_much()),
        other => other,
    }
}

fn entries<R: Read>(
    archive: &mut Archive<R>,
    target: &mut ExtractDir<'_>,
) -> Result<(), UnpackError> {
    let mut extended = NextEntryOverrides::default();
    let mut is_extended = false;
    for entry in archive.entries().map_err(read_error)?.raw(true) {
        let mut entry = entry.map_err(read_error)?;
        let kind = entry.header().entry_type();
        let size = entry.size();
        if let Some(extension) = ExtensionKind::from_entry(kind) {
            // Each entry has at most a few.
            target.count_entry()?;
            let bytes = bounded(&mut entry, size)?;
            extension.apply(&bytes, &mut extended)?;
            is_extended = true;
            continue;
        }
        target.count_entry()?;
        let NextEntryOverrides { path, size: stated } = std::mem::take(&mut extended);
        is_extended = false;
        let name = path.unwrap_or_else(|| entry.header().path_bytes().into_owned());
        let inner = ArchivePath::read(&name, &target.bounds)?;
        if let Some(what) = special(kind) {
            return Err(UnpackError::refused(format_args!(
                "`{}` in the archive is {what}: only files and folders are allowed",
                display_name(&name)
            )));
        }
        if stated.is_some_and(|stated| stated != size) {
            let problem = format!("`{}` has two sizes", display_name(&name));
            return Err(broken(&problem));
        }
        let Some(path) = inner.filter(|path| !path.is_passed_over()) else { continue };
        // Old archives have a slash at the end of a folder's name, and no kind.
        if kind.is_dir() || name.ends_with(b"/") {
            target.folder(&path)?;
            continue;
        }
        let rights = match entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0) {
            true => FileRights::Executable,
            false => FileRights::Plain,
        };
        if target.file(&path, rights, &mut entry)? != size {
            return Err(broken(&format!("`{}` is truncated", display_name(&name))));
        }
    }
    match is_extended {
        true => Err(broken(&"the last header has no entry")),
        false => Ok(()),
    }
}

/// Entries beside files and folders: headers that say more of the next one, or of all.
enum ExtensionKind {
    LongName,
    /// The target of a link, which is refused.
    LongLink,
    Local,
    Global,
}

impl ExtensionKind {
    fn from_entry(kind: EntryType) -> Option<ExtensionKind> {
        match kind {
            EntryType::GNULongName => Some(ExtensionKind::LongName),
            EntryType::GNULongLink => Some(ExtensionKind::LongLink),
            EntryType::XHeader => Some(ExtensionKind::Local),
            EntryType::XGlobalHeader => Some(ExtensionKind::Global),
            _ => None,
        }
    }

    fn apply(&self, bytes: &[u8], to: &mut NextEntryOverrides) -> Result<(), UnpackError> {
        match self {
            ExtensionKind::LongName => {
                let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                to.path = Some(bytes[..end].to_vec());
            }
            ExtensionKind::LongLink => {}
            ExtensionKind::Local | ExtensionKind::Global => {
                for extension in PaxExtensions::new(bytes) {
                    let extension = extension.map_err(read_error)?;
                    let value = || extension.value_bytes().to_vec();
                    match (self, extension.key_bytes()) {
                        (ExtensionKind::Local, b"path") => to.path = Some(value()),
                        (ExtensionKind::Local, b"size") => {
                            let size = extension.value().ok().and_then(|size| size.parse().ok());
                            to.size =
                                Some(size.ok_or_else(|| broken(&"a size field is not a number"))?);
                        }
                        (ExtensionKind::Global, b"path" | b"size") => {
                            return Err(broken(&"a header gives all files one name or size"));
                        }
                        (_, key) if key.starts_with(b"GNU.sparse.") => {
                            return Err(broken(&"a file is sparse: repack it without --sparse"));
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }
}

/// The whole of an extension, up to a bound.
fn bounded(entry: &mut impl Read, size: u64) -> Result<Vec<u8>, UnpackError> {
    if size > LONGEST_EXTENSION {
        return Err(broken(&"a header is too long"));
    }
    let mut bytes = Vec::new();
    entry.take(size).read_to_end(&mut bytes).map_err(read_error)?;
    match bytes.len() as u64 == size {
        true => Ok(bytes),
        false => Err(broken(&"a header is truncated")),
    }
}

/// Names a kind of entry that is neither a file nor a folder.
fn special(kind: EntryType) -> Option<&'static str> {
    match kind {
        EntryType::Regular | EntryType::Continuous | EntryType::Directory => None,
        EntryType::Link | EntryType::Symlink => Some("a link"),
        EntryType::Fifo => Some("a pipe"),
        EntryType::Char | EntryType::Block => Some("a device"),
        EntryType::GNUSparse => Some("a sparse file"),
        _ => Some("of an unknown type"),
    }
}
