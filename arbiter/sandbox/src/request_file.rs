//! The file through which a program can be asked and answer: one for each call, so that nothing that
//! was done to the last one matters.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use super::removal::LeftBehind;
use super::scratch::Scratch;

/// A folder of its own with one file, outside of every bot's folder; neither's name tells anything.
#[derive(Debug)]
pub(super) struct RequestFile {
    folder: Scratch,
}

impl RequestFile {
    /// The name of the file in its folder.
    const NAME: &str = "game";

    /// A new folder, in which the file holds this text.
    pub(super) fn new(text: &[u8]) -> io::Result<RequestFile> {
        let new = RequestFile { folder: Scratch::new()? };
        let mut file = OpenOptions::new().write(true).create_new(true).open(new.path())?;
        file.write_all(text)?;
        Ok(new)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(Self::NAME)
    }

    /// Content of the file, up to `most` bytes; nothing if it is no longer a file.
    pub(super) fn read(&self, most: usize) -> Vec<u8> {
        let mut content = Vec::new();
        if let Ok(file) = self.open() {
            // Only readable content counts, and an unreadable file is as good as an empty one.
            let _ = file.take(most as u64).read_to_end(&mut content);
        }
        content
    }

    /// Removes the folder with all that is in it.
    pub(super) fn remove(mut self) -> Result<(), LeftBehind> {
        self.folder.remove()
    }

    /// Opens the file, and neither a link, on the way to it either, nor anything that would keep
    /// the reader waiting.
    fn open(&self) -> io::Result<File> {
        if !self.folder.is_usable() {
            return Err(io::Error::other("not a folder"));
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use rustix::fs::OFlags;
            use std::os::unix::fs::OpenOptionsExt;
            options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
        }
        let file = options.open(self.path())?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::other("not a file")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn file() -> RequestFile {
        RequestFile::new(b"Fdq").expect("a file")
    }

    #[test]
    fn what_is_written_is_read() {
        let file = file();
        assert_eq!(file.read(100), b"Fdq");
        assert_eq!(file.read(2), b"Fd");
        let folder = file.folder.path().to_owned();
        file.remove().expect("it is ours");
        assert!(!folder.exists());
    }

    #[test]
    fn what_is_no_file_any_more_is_not_read() {
        let spoil: [fn(&RequestFile); 3] = [
            |file| fs::remove_file(file.path()).expect("a file"),
            |file| {
                fs::remove_file(file.path()).expect("a file");
                fs::create_dir(file.path()).expect("a folder");
            },
            |file| fs::remove_dir_all(file.folder.path()).expect("a folder"),
        ];
        for spoil in spoil {
            let file = file();
            spoil(&file);
            assert_eq!(file.read(100), b"");
        }
    }

    #[cfg(unix)]
    #[test]
    fn neither_a_link_to_a_file_nor_one_to_its_folder_is_followed() {
        use std::os::unix::fs::symlink;
        let other = file();
        let spoil: [fn(&RequestFile, &RequestFile); 2] = [
            |file, other| {
                fs::remove_file(file.path()).expect("a file");
                symlink(other.path(), file.path()).expect("a link");
            },
            |file, other| {
                fs::remove_dir_all(file.folder.path()).expect("a folder");
                symlink(other.folder.path(), file.folder.path()).expect("a link");
            },
        ];
        for spoil in spoil {
            let file = file();
            spoil(&file, &other);
            assert_eq!(file.read(100), b"");
            file.remove().expect("it is ours");
            assert_eq!(other.read(100), b"Fdq", "what the link points to is let be");
        }
    }
}
