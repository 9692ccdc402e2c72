//! The folder into which a bot is unpacked: what is in it, and how much more may come.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use bytesize::ByteSize;

use super::path::{Bounds, InnerPath, UnpackError, folded};

/// Size of the pieces in which a file passes through memory.
const PIECE: usize = 16 << 10;

/// A folder that is being filled.
pub(crate) struct ExtractDir<'a> {
    folder: &'a Path,
    pub bounds: Bounds,
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
    pub(crate) fn new(folder: &Path, bounds: Bounds, upload: u64) -> ExtractDir<'_> {
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
        if self.most == self.bounds.bytes || self.most == Bounds::SMALL {
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

    /// Counts bytes that have come.
    pub(crate) fn count_bytes(&mut self, bytes: u64) -> Result<(), UnpackError> {
        if bytes > self.room() {
            return Err(self.too_much());
        }
        self.bytes += bytes;
        Ok(())
    }

    /// Makes a folder with those that it lies in, unless they are there.
    pub(crate) fn folder(&mut self, path: &InnerPath) -> Result<(), UnpackError> {
        for step in path.steps() {
            self.step(step)?;
        }
        Ok(())
    }

    /// Makes a file of what can be read, with the folders that it lies in.
    pub(crate) fn file(
        &mut self,
        path: &InnerPath,
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
                Err(error) => return Err(unread(error)),
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
pub(crate) fn unread(error: io::Error) -> UnpackError {
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
pub(crate) fn broken(problem: &dyn std::fmt::Display) -> UnpackError {
    let problem = super::path::display_name(problem.to_string().to_lowercase().as_bytes());
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
