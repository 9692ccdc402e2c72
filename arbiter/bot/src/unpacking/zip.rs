//! Archives of the kind `.zip`, record by record as they stand.

use std::io::{Read, Seek};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, CreatorSystem, ErrorKind, RECOMMENDED_BUFFER_SIZE, ZipArchive};

use super::extract_dir::{ArchivePath, ExtractDir, FileRights, UnpackError, broken, display_name};

/// The bits of a mode that tell what it is the mode of.
const KIND: u32 = 0o170_000;
/// The bits of a mode that let someone execute a file.
const EXECUTE: u32 = 0o111;

pub(crate) fn unpack(
    content: impl Read + Seek,
    target: &mut ExtractDir<'_>,
) -> Result<(), UnpackError> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(content, &mut buffer).map_err(wrong)?;
    if archive.entries_hint() > target.bounds.entries {
        return Err(target.too_many());
    }
    // The bytes of the archive that entries before this one have.
    let mut taken: Vec<(u64, u64)> = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(record) = entries.next_entry().map_err(wrong)? {
        target.count_entry()?;
        let name = record.file_path().as_bytes().to_vec();
        let path = ArchivePath::read(&name, &target.bounds)?;
        let mode = mode(record.version_made_by().creator_system(), record.external_attributes());
        if let Some(what) = mode.and_then(special) {
            return Err(UnpackError::refused(format_args!(
                "`{}` in the archive is {what}: only files and folders are allowed",
                display_name(&name)
            )));
        }
        if record.flags().is_encrypted() || record.flags().has_strong_encryption() {
            return Err(UnpackError::refused(format_args!(
                "`{}` in the archive is encrypted: remove the password",
                display_name(&name)
            )));
        }
        let method = record.compression_method();
        let entry = archive.get_entry(record.wayfinder()).map_err(wrong)?;
        let range = (record.local_header_offset(), entry.compressed_data_range().1);
        let place = taken.partition_point(|before| *before < range);
        let overlaps = |other: Option<&(u64, u64)>| {
            other.is_some_and(|other| other.0 < range.1 && range.0 < other.1)
        };
        if overlaps(taken.get(place)) || overlaps(place.checked_sub(1).and_then(|it| taken.get(it)))
        {
            return Err(UnpackError::refused(format_args!(
                "`{}` in the archive overlaps another entry",
                display_name(&name)
            )));
        }
        taken.insert(place, range);
        let Some(path) = path.filter(|path| !path.is_passed_over()) else { continue };
        if record.is_dir() {
            target.folder(&path)?;
            continue;
        }
        let rights = match mode.is_some_and(|mode| mode & EXECUTE != 0) {
            true => FileRights::Executable,
            false => FileRights::Plain,
        };
        match method {
            CompressionMethod::STORE => {
                target.file(&path, rights, &mut entry.verifying_reader(entry.reader()))?
            }
            CompressionMethod::DEFLATE => {
                let inflated = DeflateDecoder::new(entry.reader());
                target.file(&path, rights, &mut entry.verifying_reader(inflated))?
            }
            other => {
                let method = other.to_string().to_lowercase();
                return Err(UnpackError::refused(format_args!(
                    "`{}` in the archive uses {method}: recompress it with deflate",
                    display_name(&name)
                )));
            }
        };
    }
    Ok(())
}

/// The mode that a system with modes has given to an entry.
fn mode(made_by: CreatorSystem, attributes: u32) -> Option<u32> {
    let is_unix = matches!(made_by, CreatorSystem::UNIX | CreatorSystem::MACOS);
    is_unix.then_some(attributes >> 16)
}

/// Names the kind of an entry whose mode is neither a file's nor a folder's.
fn special(mode: u32) -> Option<&'static str> {
    match mode & KIND {
        // Some programs write the rights alone.
        0 | 0o100_000 | 0o040_000 => None,
        0o120_000 => Some("a link"),
        0o010_000 => Some("a pipe"),
        0o140_000 => Some("a socket"),
        _ => Some("a device"),
    }
}

fn wrong(error: rawzip::Error) -> UnpackError {
    match error.into_kind() {
        ErrorKind::IO(error) => super::extract_dir::read_error(error),
        kind => broken(&kind),
    }
}
