//! The file through which a program of the classic dialect is asked and answers.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use crate::scratch::Scratch;

/// A folder of its own with one file, outside of every bot's folder; neither's name tells anything.
#[derive(Debug)]
pub struct ClassicFile {
    folder: Scratch,
}

impl ClassicFile {
    /// The name of the file in its folder.
    const NAME: &str = "game";

    /// A new folder, without the file.
    ///
    /// # Errors
    ///
    /// Fails where no folder can be made.
    pub fn new() -> io::Result<ClassicFile> {
        Ok(ClassicFile { folder: Scratch::new()? })
    }

    /// The absolute path of the file.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(Self::NAME)
    }

    /// Makes the file anew with this text. A program may have put anything in its place, or spoilt
    /// the folder; then there is another one.
    ///
    /// # Errors
    ///
    /// Fails through the machine alone.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        if self.try_write(text).is_err() {
            self.folder = Scratch::new()?;
            self.try_write(text)?;
        }
        Ok(())
    }

    fn try_write(&self, text: &str) -> io::Result<()> {
        match fs::remove_file(self.path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        // A new file is never what a link that was left there points to.
        let mut file = OpenOptions::new().write(true).create_new(true).open(self.path())?;
        file.write_all(text.as_bytes())
    }

    /// What the file holds, up to so many bytes; nothing where it is no file any more.
    pub fn read(&self, most: usize) -> Vec<u8> {
        let mut content = Vec::new();
        if let Ok(file) = self.open() {
            // What can be read counts, and a file that cannot be is as good as an empty one.
            let _ = file.take(most as u64).read_to_end(&mut content);
        }
        content
    }

    /// Opens the file, and neither a link nor anything that would keep the reader waiting.
    fn open(&self) -> io::Result<File> {
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
    use super::*;

    #[test]
    fn what_is_written_is_read_however_the_file_was_left() {
        let mut file = ClassicFile::new().expect("a folder");
        let spoil: [fn(&ClassicFile); 4] = [
            |_| {},
            |file| fs::remove_file(file.path()).expect("a file"),
            |file| {
                fs::remove_file(file.path()).expect("a file");
                fs::create_dir(file.path()).expect("a folder");
            },
            |file| fs::remove_dir_all(file.folder.path()).expect("a folder"),
        ];
        for spoil in spoil {
            file.write("Fdq").expect("a file");
            assert_eq!(file.read(100), b"Fdq");
            assert_eq!(file.read(2), b"Fd");
            spoil(&file);
        }
    }

    #[cfg(unix)]
    #[test]
    fn neither_a_link_nor_a_pipe_is_read() {
        let mut file = ClassicFile::new().expect("a folder");
        file.write("F").expect("a file");
        fs::remove_file(file.path()).expect("a file");
        std::os::unix::fs::symlink("/etc/passwd", file.path()).expect("a link");
        assert_eq!(file.read(100), b"");
        file.write("F").expect("a file in place of the link");
        assert_eq!(file.read(100), b"F");
    }
}
