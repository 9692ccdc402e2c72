//! The files beside the log of a league, which are no part of the proof: small ones that change as a whole, such as
//! participants, keys and notices; and files with a line of JSON for each entry, which programs append to: events and
//! actions.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::folder::{IS_WRITTEN, LeagueError, LeagueFolder, unusable};
use sandbox::file;
use sandbox::new_file;

/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(30);

/// A file of a league with one value as JSON, which only its owner can read. A program that changes it holds a lock
/// meanwhile, and the new content is there completely or not at all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonFile {
    pub name: &'static str,
    /// The name of the lock for those who change it.
    pub lock: &'static str,
    /// Longest content that is read and written, in bytes.
    pub longest: u64,
}

impl JsonFile {
    /// Reads the value; it is empty if the file is not there.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub(crate) fn read<T: DeserializeOwned + Default>(
        &self,
        folder: &LeagueFolder,
    ) -> Result<T, LeagueError> {
        let bad = |error| unusable(&self.place(folder), error);
        match file::text(&self.place(folder), self.longest) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| bad(error.into())),
            // A league on a disk that is not there, say, still has its file.
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.log().exists() => {
                Ok(T::default())
            }
            Err(error) => Err(bad(error)),
        }
    }

    /// Changes the value, and returns what `change` returns.
    ///
    /// # Errors
    ///
    /// An error of `change`, or [`LeagueError`], with nothing changed.
    pub(crate) fn change<T, R, E>(
        &self,
        folder: &LeagueFolder,
        change: impl FnOnce(&mut T) -> Result<R, E>,
    ) -> Result<R, E>
    where
        T: DeserializeOwned + Default + Serialize,
        E: From<LeagueError>,
    {
        let _lock = folder.lock(self.lock, PATIENCE, IS_WRITTEN)?;
        let mut value = self.read(folder)?;
        let result = change(&mut value)?;
        let bad = |error| unusable(&self.place(folder), error);
        let text = serde_json::to_string(&value).map_err(|error| bad(error.into()))?;
        // A longer one could not be read again.
        if text.len() as u64 > self.longest {
            let problem = format!("it would be longer than {} bytes", self.longest);
            return Err(bad(io::Error::other(problem)).into());
        }
        new_file::replace(&self.place(folder), text.as_bytes()).map_err(bad)?;
        Ok(result)
    }

    fn place(&self, folder: &LeagueFolder) -> PathBuf {
        folder.path().join(self.name)
    }
}

/// Longest line that is read, in bytes.
const LONGEST: u64 = 16 << 10;
/// Bytes at the end of the file that a list of the last entries reads.
const TAIL: u64 = 1 << 20;

/// A file of entries. A line is written at once, so that those of two programs do not mix; lines that cannot be read are
/// left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonLines {
    pub name: &'static str,
    /// True if only its owner may read it, not all who may read the log of the league.
    pub is_private: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredLine<T> {
    /// The number of bytes before its line.
    pub place: u64,
    /// The length of its line without the line end, in bytes.
    pub length: usize,
    pub entry: T,
}

impl JsonLines {
    pub(crate) fn append(&self, folder: &LeagueFolder, entry: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(entry)? + "\n";
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        if self.is_private {
            file::private_file(&mut options);
        }
        file::open_with(&self.place(folder), &mut options)?.write_all(line.as_bytes())
    }

    /// Reads the entries from this place in the file on, the oldest first, and the place after the last whole line.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read; one that is not there has no entries.
    pub(crate) fn read_from<T: DeserializeOwned>(
        &self,
        folder: &LeagueFolder,
        from: u64,
    ) -> io::Result<(Vec<StoredLine<T>>, u64)> {
        let mut file = match file::open(&self.place(folder)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
            Err(error) => return Err(error),
        };
        file.seek(SeekFrom::Start(from))?;
        let mut lines = BufReader::new(file);
        let (mut entries, mut place) = (Vec::new(), from);
        loop {
            let mut line = Vec::new();
            let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
            if read == 0 || (line.last() != Some(&b'\n') && (read as u64) < LONGEST) {
                return Ok((entries, place));
            }
            if let Ok(entry) = serde_json::from_slice(&line) {
                let length = read - usize::from(line.last() == Some(&b'\n'));
                entries.push(StoredLine { place, length, entry });
            }
            place += read as u64;
        }
    }

    /// Reads the last entries, the oldest first: those of the end of a long file, whose first line there may be cut off,
    /// and is then no entry.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read; one that is not there has no entries.
    pub(crate) fn last<T: DeserializeOwned>(
        &self,
        folder: &LeagueFolder,
    ) -> io::Result<Vec<StoredLine<T>>> {
        let (entries, _) = self.read_from(folder, self.length(folder).saturating_sub(TAIL))?;
        Ok(entries)
    }

    /// Returns the length of the file, in bytes; 0 if it is not there.
    pub(crate) fn length(&self, folder: &LeagueFolder) -> u64 {
        std::fs::metadata(self.place(folder)).map_or(0, |found| found.len())
    }

    /// Changes all entries that `change` says so of, and returns their number.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, or a changed entry is longer than its line, with nothing changed: it
    /// would cover the next one.
    pub(crate) fn change<T: DeserializeOwned + Serialize>(
        &self,
        folder: &LeagueFolder,
        change: impl Fn(&mut T) -> bool,
    ) -> io::Result<usize> {
        let (found, _) = self.read_from::<T>(folder, 0)?;
        let mut changed = Vec::new();
        for StoredLine { place, length, mut entry } in found {
            if !change(&mut entry) {
                continue;
            }
            let mut line = serde_json::to_vec(&entry)?;
            if line.len() > length {
                return Err(io::Error::other("a changed line would be longer than before"));
            }
            // A line is as long as before: programs that follow the file know how far they have read.
            line.resize(length, b' ');
            changed.push((place, line));
        }
        if changed.is_empty() {
            return Ok(0);
        }
        let mut options = OpenOptions::new();
        let mut file = file::open_with(&self.place(folder), options.write(true))?;
        for (place, line) in &changed {
            file.seek(SeekFrom::Start(*place))?;
            file.write_all(line)?;
        }
        Ok(changed.len())
    }

    pub(crate) fn place(&self, folder: &LeagueFolder) -> PathBuf {
        folder.path().join(self.name)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const WORDS: JsonLines = JsonLines { name: "words.jsonl", is_private: false };

    /// A changed line was padded by its characters, and covered the beginning of the next one.
    #[test]
    fn a_change_of_a_line_with_letters_beyond_ascii_leaves_the_next_one() {
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("league.jsonl"), "").expect("it is ours");
        let folder = LeagueFolder::find(place.path()).expect("there is a log");
        let path = place.path().join(WORDS.name);
        // The second line is longer than the program would write it.
        let text = "\"änna/Želimir\"\n\"\\u00e4nna/ben\"  \n\"cem\"\n";
        fs::write(&path, text).expect("it is ours");
        let shorter = |word: &mut String| match word.split_once('/') {
            Some((first, _)) => {
                *word = first.to_owned();
                true
            }
            None => false,
        };
        assert_eq!(WORDS.change(&folder, shorter).expect("room"), 2);
        let (found, end) = WORDS.read_from::<String>(&folder, 0).expect("words");
        let words: Vec<&str> = found.iter().map(|it| it.entry.as_str()).collect();
        assert_eq!((words, end), (vec!["änna", "änna", "cem"], text.len() as u64));
        let before = fs::read(&path).expect("words");
        let longer = |word: &mut String| {
            word.push_str("ent");
            true
        };
        assert!(WORDS.change(&folder, longer).is_err());
        assert_eq!(fs::read(&path).expect("words"), before);
    }
}
