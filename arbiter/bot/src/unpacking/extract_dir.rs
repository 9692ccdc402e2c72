//! The folder into which a bot is unpacked: what is in it, how much more may come, and paths, which only lead into it.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::{fmt, io};

use bytesize::ByteSize;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::build_record::is_left_out;
use text::{printable, system_error};

/// Size of the pieces in which a file passes through memory.
const PIECE: usize = 16 << 10;

pub(crate) struct ExtractDir<'a> {
    folder: &'a Path,
    pub bounds: UploadBounds,
    /// The most bytes that may be unpacked, in all.
    most: u64,
    bytes: u64,
    entries: u64,
    /// Everything made so far, by its folded path.
    made: BTreeMap<String, ExtractedPath>,
}

struct ExtractedPath {
    path: String,
    is_folder: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileRights {
    Plain,
    Executable,
}

impl ExtractDir<'_> {
    /// An empty folder for an upload of this length.
    pub(crate) fn new(folder: &Path, bounds: UploadBounds, upload: u64) -> ExtractDir<'_> {
        let most = bounds.bytes_of(upload);
        ExtractDir { folder, bounds, most, bytes: 0, entries: 0, made: BTreeMap::new() }
    }

    /// Counts an entry, whatever it is.
    pub(crate) fn count_entry(&mut self) -> Result<(), UnpackError> {
        self.entries += 1;
        match self.entries > self.bounds.entries {
            true => Err(self.too_many()),
            false => Ok(()),
        }
    }

    /// Number of bytes that may still come.
    pub(crate) fn room(&self) -> u64 {
        self.most.saturating_sub(self.bytes)
    }

    /// Why no more bytes may come.
    pub(crate) fn too_much(&self) -> UnpackError {
        if self.most == self.bounds.bytes || self.most == UploadBounds::SMALL {
            let most = ByteSize(self.most).display().iec();
            return UnpackError::refused(format_args!(
                "the unpacked archive is larger than {most}"
            ));
        }
        UnpackError::refused(format_args!(
            "suspicious archive: it unpacks to more than {} times its size",
            self.bounds.ratio
        ))
    }

    pub(crate) fn too_many(&self) -> UnpackError {
        let most = self.bounds.entries;
        UnpackError::refused(format_args!("the archive has more than {most} files and folders"))
    }

    fn count_bytes(&mut self, bytes: u64) -> Result<(), UnpackError> {
        if bytes > self.room() {
            return Err(self.too_much());
        }
        self.bytes += bytes;
        Ok(())
    }

    /// Makes a folder with those that it lies in, unless they are there.
    pub(crate) fn folder(&mut self, path: &ArchivePath) -> Result<(), UnpackError> {
        for step in path.steps() {
            self.step(step)?;
        }
        Ok(())
    }

    /// Makes a file of what can be read, with the folders that it lies in.
    pub(crate) fn file(
        &mut self,
        path: &ArchivePath,
        rights: FileRights,
        content: &mut dyn Read,
    ) -> Result<u64, UnpackError> {
        if let Some((above, _)) = path.as_str().rsplit_once('/') {
            for step in path.steps().take_while(|step| step.len() <= above.len()) {
                self.step(step)?;
            }
        }
        self.enter(path.as_str(), false)?;
        let mut file = create(&self.folder.join(path.as_str()), rights)?;
        let mut piece = [0; PIECE];
        let mut length = 0;
        loop {
            let count = match content.read(&mut piece) {
                Ok(0) => return Ok(length),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(read_error(error)),
            };
            self.count_bytes(count as u64)?;
            length += count as u64;
            file.write_all(&piece[..count])?;
        }
    }

    pub(crate) fn holds_file(&self, path: &str) -> bool {
        self.made.get(&folded(path)).is_some_and(|made| made.path == path && !made.is_folder)
    }

    /// The only thing at the top, if it is a folder.
    pub(crate) fn only_folder(&self) -> Option<&str> {
        let mut top = self.made.values().filter(|made| !made.path.contains('/'));
        let first = top.next().filter(|made| made.is_folder)?;
        top.next().is_none().then_some(first.path.as_str())
    }

    /// Makes a folder whose own folder is there, unless it is there.
    fn step(&mut self, path: &str) -> Result<(), UnpackError> {
        if self.made.get(&folded(path)).is_some_and(|made| made.is_folder && made.path == path) {
            return Ok(());
        }
        self.enter(path, true)?;
        Ok(DirBuilder::new().create(self.folder.join(path))?)
    }

    fn enter(&mut self, path: &str, is_folder: bool) -> Result<(), UnpackError> {
        // Folders that no entry names are counted, too.
        if self.made.len() as u64 >= self.bounds.entries {
            return Err(self.too_many());
        }
        let made = ExtractedPath { path: path.to_owned(), is_folder };
        match self.made.insert(folded(path), made) {
            None => Ok(()),
            Some(ExtractedPath { path: other, .. }) => Err(UnpackError::refused(format_args!(
                "`{path}` and `{other}` in the archive have the same name"
            ))),
        }
    }
}

/// The error for an archive that cannot be read.
pub(crate) fn read_error(error: io::Error) -> UnpackError {
    match error.kind() {
        // Decompressors and readers of archives give these if the content is at fault.
        ErrorKind::InvalidData
        | ErrorKind::InvalidInput
        | ErrorKind::UnexpectedEof
        | ErrorKind::Other => broken(&error),
        _ => UnpackError::Failed(error),
    }
}

/// An archive that is not one, as a reader of archives says.
pub(crate) fn broken(problem: &dyn fmt::Display) -> UnpackError {
    let problem = display_name(problem.to_string().to_lowercase().as_bytes());
    UnpackError::refused(format_args!("the archive is damaged or truncated: {problem}"))
}

#[cfg(unix)]
fn create(path: &Path, rights: FileRights) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mode = match rights {
        FileRights::Plain => 0o644,
        FileRights::Executable => 0o755,
    };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path, _rights: FileRights) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// The most characters of a path in a message.
const SHOWN: usize = 80;

/// A path without a root, without `.` and `..`, in plain characters; its names are separated by `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArchivePath(String);

impl ArchivePath {
    /// The path that an archive has in these bytes; none where it is the folder itself, as `./` is.
    pub(crate) fn read(
        bytes: &[u8],
        bounds: &UploadBounds,
    ) -> Result<Option<ArchivePath>, UnpackError> {
        let wrong = |problem: &str| {
            let path = display_name(bytes);
            UnpackError::refused(format_args!("the path `{path}` in the archive {problem}"))
        };
        if bytes.len() > bounds.path {
            return Err(wrong(&format!("is longer than {} bytes", bounds.path)));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("is not UTF-8"))?;
        if text.is_empty() {
            return Err(wrong("is empty"));
        }
        if text.chars().any(text::is_control) {
            return Err(wrong("contains a control character"));
        }
        if text.contains('\\') {
            return Err(wrong(
                "uses backslashes: repack with `tar -czf bot.tar.gz *`, which also works on Windows",
            ));
        }
        let is_drive = text.as_bytes().get(1) == Some(&b':');
        if text.starts_with('/') || is_drive {
            return Err(wrong("is absolute: use relative paths"));
        }
        let text = text.strip_suffix('/').unwrap_or(text);
        let mut names = Vec::new();
        for name in text.split('/') {
            match name {
                "" => return Err(wrong("has an empty part")),
                "." => {}
                ".." => return Err(wrong("contains `..`")),
                name => names.push(name),
            }
        }
        if names.len() > bounds.depth {
            let problem = format!("is nested more than {} folders deep", bounds.depth - 1);
            return Err(wrong(&problem));
        }
        Ok(Some(ArchivePath(names.join("/"))).filter(|path| !path.0.is_empty()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The path and those of the folders that it lies in, the outermost first.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &str> {
        let ends = self.0.match_indices('/').map(|(place, _)| place).chain([self.0.len()]);
        ends.map(|end| &self.0[..end])
    }

    /// Returns true if it is something that other programs add to archives, and no part of a bot.
    pub(crate) fn is_passed_over(&self) -> bool {
        self.0.split('/').any(is_left_out)
    }
}

/// The form of a path that is equal for paths that some system takes for the same.
pub(crate) fn folded(path: &str) -> String {
    // Some small letters have the same capital, so capitals come first.
    path.nfc().collect::<String>().to_uppercase().to_lowercase()
}

/// A path as it is shown to its author.
pub(crate) fn display_name(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let start: String = text.chars().take(SHOWN).collect();
    let dots = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("{}{dots}", printable(&start))
}

/// Bounds on an upload and on what it unpacks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadBounds {
    /// The most bytes sent.
    pub upload: u64,
    /// The most bytes unpacked.
    pub bytes: u64,
    /// The most bytes unpacked for each byte sent; [`SMALL`](UploadBounds::SMALL) bytes are allowed in
    /// any case.
    pub ratio: u64,
    /// The most files and folders allowed.
    pub entries: u64,
    /// The most names in a path.
    pub depth: usize,
    /// The number of bytes a path may have.
    pub path: usize,
}

impl UploadBounds {
    /// The usual bounds: room for sources and tables of weights.
    pub const DEFAULT: UploadBounds = UploadBounds {
        upload: 16 << 20,
        bytes: 128 << 20,
        ratio: 100,
        entries: 2_000,
        depth: 16,
        path: 200,
    };

    /// This many bytes are allowed however small the archive is.
    pub const SMALL: u64 = 1 << 20;

    /// The most bytes that an upload of this length may unpack to.
    pub fn bytes_of(&self, upload: u64) -> u64 {
        self.bytes.min(upload.saturating_mul(self.ratio).max(UploadBounds::SMALL))
    }
}

/// Why a bot that was sent is not unpacked; one line.
#[derive(Debug, Error)]
pub enum UnpackError {
    #[error("{0}")]
    BadArchive(String),
    #[error("cannot unpack a bot: {}", system_error(.0))]
    Failed(#[from] io::Error),
}

impl UnpackError {
    /// A reason to refuse a bot that was sent.
    pub(super) fn refused(reason: impl fmt::Display) -> UnpackError {
        UnpackError::BadArchive(reason.to_string())
    }
}
