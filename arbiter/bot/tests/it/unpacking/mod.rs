//! Bots of strangers, unpacked or refused.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use bot::unpacking::{UnpackError, Upload, UploadBounds, unpack};
use tempfile::TempDir;

mod archives;
mod refusals;
mod taken;

const MANIFEST: &str = "name = 'mine'\ncommand = 'python3 bot.py'\n";

/// Bounds that are quickly reached.
const BOUNDS: UploadBounds =
    UploadBounds { upload: 9 << 20, bytes: 8 << 20, ratio: 100, entries: 200, depth: 4, path: 60 };

/// A tar whose entries are made by this.
fn tar(fill: impl FnOnce(&mut tar::Builder<Vec<u8>>)) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    fill(&mut builder);
    builder.into_inner().expect("in memory")
}

/// The header of an entry of a tar, with its name as it stands.
fn header(name: &[u8], kind: tar::EntryType, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

/// Appends an entry with its name as it stands.
fn append(to: &mut tar::Builder<Vec<u8>>, name: &[u8], kind: tar::EntryType, content: &[u8]) {
    to.append(&header(name, kind, content.len() as u64), content).expect("in memory");
}

/// An unpacked bot, and the folder around it.
#[derive(Debug)]
struct Unpacked {
    /// It is removed with this.
    _folder: TempDir,
    bot: PathBuf,
}

/// Unpacks some bytes that were sent under this name.
fn sent(bytes: &[u8], file: Option<&str>) -> Result<Unpacked, UnpackError> {
    let folder = TempDir::new().expect("a folder");
    let into = folder.path().join("in");
    fs::create_dir(&into).expect("it is ours");
    let upload = Upload { content: Cursor::new(bytes), file, bot: "anna" };
    let unpacked = unpack(upload, &into, BOUNDS);
    let outside: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(outside.len(), 1, "something lies beside the folder: {outside:?}");
    unpacked.map(|bot| Unpacked { bot, _folder: folder })
}

/// Why some bytes are refused.
fn refusal(bytes: &[u8], file: Option<&str>) -> String {
    match sent(bytes, file) {
        Err(UnpackError::BadArchive(refused)) => {
            let text = &refused;
            assert!(!text.contains('\n') && text.chars().all(|c| !c.is_control()), "{text:?}");
            refused
        }
        Err(UnpackError::Failed(error)) => unreachable!("the machine is blamed: {error}"),
        Ok(unpacked) => unreachable!("unpacked to {}", unpacked.bot.display()),
    }
}

/// All files below a folder with their contents, by their paths from there.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let kind = fs::symlink_metadata(&path).expect("ours").file_type();
            if kind.is_dir() {
                left.push(path);
                continue;
            }
            assert!(kind.is_file(), "{}", path.display());
            let inner = path.strip_prefix(folder).expect("in it").to_str().expect("text");
            found.push((inner.to_owned(), fs::read(&path).expect("a file")));
        }
    }
    found.sort();
    found
}
