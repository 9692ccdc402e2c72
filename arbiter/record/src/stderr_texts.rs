//! Private text beside a log: what programs wrote to standard error, in `private.jsonl`.
//!
//! # Theory of operation
//!
//! The log of a tournament is for everybody, and standard error is for the author of a bot. So the log holds the digest
//! of each text, which its chain covers, and the text itself lies in a second file in the same folder, a line for each
//! game that has some, in the order of the log. A line is written before the game's line, so a crash can leave a text
//! without a game, but no game without its text. The file is believed only by digest: a reader skips lines that fit no
//! game, so half a line, a line that was written twice or a changed one costs only texts, and a log without the file is
//! a valid log without texts. A text that was removed is empty there.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rules::{EscapedBytes, GameRecord, Measurements, StandardError, TextDigest};
use sandbox::file;
use serde::{Deserialize, Serialize};

use crate::Line;
use crate::line::LONGEST_LINE;

pub const PRIVATE: &str = "private.jsonl";

/// The texts of one game: a line of the file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameStderr<'a> {
    pub(crate) game: u64,
    pub(crate) attempt: u32,
    /// The texts of its answers that have one, in order.
    pub(crate) stderr: Cow<'a, [EscapedBytes]>,
}

/// The path of the private texts of a log.
pub(crate) fn path_beside(log: &Path) -> PathBuf {
    log.with_file_name(PRIVATE)
}

/// Writes the private texts of a log, whose lines get their digests instead.
#[derive(Debug)]
pub struct PrivateTextWriter {
    path: PathBuf,
    /// Nothing until there is a text.
    file: Option<File>,
}

impl PrivateTextWriter {
    /// The texts of this log, behind those that are there.
    pub fn for_log(log: &Path) -> PrivateTextWriter {
        PrivateTextWriter { path: path_beside(log), file: None }
    }

    /// Writes the texts of a line, and returns the line with their digests.
    pub fn without_texts<'a>(&mut self, line: &'a Line) -> io::Result<Cow<'a, Line>> {
        let Line::Game(game) = line else { return Ok(Cow::Borrowed(line)) };
        let texts: Vec<EscapedBytes> = game.measured.iter().filter_map(text_of).cloned().collect();
        if texts.is_empty() {
            return Ok(Cow::Borrowed(line));
        }
        let line = GameStderr { game: game.game, attempt: game.attempt, stderr: texts.into() };
        let mut written = serde_json::to_vec(&line)?;
        written.push(b'\n');
        self.file()?.write_all(&written)?;
        let mut game = game.clone();
        for measured in &mut game.measured {
            if let Some(digest) = measured.stderr.digest() {
                measured.stderr = StandardError::Private(digest);
            }
        }
        Ok(Cow::Owned(Line::Game(game)))
    }

    /// Waits until the texts are on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), File::sync_data)
    }

    fn file(&mut self) -> io::Result<&mut File> {
        let file = match self.file.take() {
            Some(file) => file,
            None => opened_to_append(&self.path)?,
        };
        Ok(self.file.insert(file))
    }
}

/// Opens the file, readable only by its owner. Half a line that a crash left is ended.
fn opened_to_append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    file::private_file(&mut options);
    let mut file = file::open_with(path, &mut options)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// The text of an answer that is here; none if the program wrote nothing.
pub(crate) fn text_of(measured: &Measurements) -> Option<&EscapedBytes> {
    match &measured.stderr {
        StandardError::Text(text) if !text.0.is_empty() => Some(text),
        StandardError::Text(_) | StandardError::Private(_) => None,
    }
}

/// Counts the games of a log with standard error in their own lines, as earlier versions of the program wrote it.
///
/// # Errors
///
/// Fails if the log cannot be read.
pub fn games_with_texts(log: &Path) -> io::Result<u64> {
    // Quotes inside of a text have a backslash before them, so this is a key.
    const KEY: &[u8] = br#""stderr":""#;
    let mut lines = crate::open(log)?;
    let (mut games, mut line) = (0, Vec::new());
    while lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? > 0 {
        games += u64::from(line.windows(KEY.len()).any(|bytes| bytes == KEY));
        line.clear();
    }
    Ok(games)
}

/// Shows what bots wrote to standard error, their notes among it, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StderrVisibility {
    Shown,
    /// It is for the authors of the bots.
    Hidden,
}

/// What a reader of a log does about standard error.
#[derive(Debug)]
pub(crate) enum StderrSource {
    /// It gives what the lines hold: a text, or a digest.
    Lines,
    /// It puts the private texts back.
    Beside(PrivateTextReader),
    /// It leaves all of it out.
    None,
}

impl StderrSource {
    pub(crate) fn for_log(log: &Path, visibility: StderrVisibility) -> StderrSource {
        match visibility {
            StderrVisibility::Shown => StderrSource::Beside(PrivateTextReader::for_log(log)),
            StderrVisibility::Hidden => StderrSource::None,
        }
    }

    pub(crate) fn apply(&mut self, game: &mut GameRecord) {
        match self {
            StderrSource::Lines => {}
            StderrSource::Beside(texts) => texts.fill(game),
            StderrSource::None => {
                for measured in &mut game.measured {
                    (measured.stderr, measured.stderr_dropped) = (StandardError::default(), 0);
                }
            }
        }
    }
}

/// Puts the private texts of a log back into its games, which are asked for in the order of the log.
#[derive(Debug)]
pub struct PrivateTextReader {
    path: PathBuf,
    /// Nothing until a game has a private text.
    lines: Option<BufReader<File>>,
    /// A line of a later game.
    next: Option<GameStderr<'static>>,
}

impl PrivateTextReader {
    /// The texts beside this log, if there are any.
    pub fn for_log(log: &Path) -> PrivateTextReader {
        PrivateTextReader { path: path_beside(log), lines: None, next: None }
    }

    /// Puts the texts of a game in the place of their digests, as far as they are there.
    pub fn fill(&mut self, game: &mut GameRecord) {
        let place = (game.game, game.attempt);
        let digests: Vec<TextDigest> =
            game.measured.iter().filter_map(|it| it.stderr.private()).collect();
        if digests.is_empty() {
            return;
        }
        while let Some(texts) = self.next.take().or_else(|| self.next_line()) {
            if (texts.game, texts.attempt) > place {
                self.next = Some(texts);
                return;
            }
            let is_it = (texts.game, texts.attempt) == place && texts.stderr.len() == digests.len();
            let is_right = |(text, digest): (&EscapedBytes, &TextDigest)| {
                !text.0.is_empty() && TextDigest::hash(&text.0) == *digest
            };
            if !is_it || !texts.stderr.iter().zip(&digests).any(is_right) {
                continue;
            }
            let private = game.measured.iter_mut().filter(|it| it.stderr.private().is_some());
            for ((measured, text), digest) in private.zip(texts.stderr.iter()).zip(&digests) {
                if is_right((text, digest)) {
                    measured.stderr = StandardError::Text(text.clone());
                }
            }
            return;
        }
    }

    /// The next line that can be read; nothing at the end, which may grow, and at a line that is too long.
    fn next_line(&mut self) -> Option<GameStderr<'static>> {
        let lines = match &mut self.lines {
            Some(lines) => lines,
            none => none.insert(BufReader::new(file::open(&self.path).ok()?)),
        };
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
            if !line.ends_with(b"\n") {
                let back = i64::try_from(read).ok()?;
                lines.seek_relative(-back).ok()?;
                return None;
            }
            if let Ok(texts) = serde_json::from_slice(&line) {
                return Some(texts);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use Measurements;

    use super::*;

    fn game(number: u64, attempt: u32, texts: &[&str]) -> GameRecord {
        const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/matches/coup.jsonl");
        let mut games = crate::GameReader::open(Path::new(LOG)).expect("an example");
        let game = games.next_game().expect("it is read").expect("a game").game;
        let stderr = |text: &&str| text.as_bytes().to_vec().into();
        let measured = texts
            .iter()
            .map(|text| Measurements { stderr: stderr(text), ..Measurements::default() });
        GameRecord { game: number, attempt, measured: measured.collect(), ..*game }
    }

    fn public(writer: &mut PrivateTextWriter, game: &GameRecord) -> GameRecord {
        let line = Line::Game(Box::new(game.clone()));
        match writer.without_texts(&line).expect("it is written").into_owned() {
            Line::Game(game) => *game,
            Line::Header(_) | Line::End(_) => panic!("a game"),
        }
    }

    #[test]
    fn texts_come_back_where_the_file_is_and_only_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("games.jsonl");
        let games = [
            game(0, 0, &["a", "", "b\n\u{1b}"]),
            game(1, 0, &[]),
            game(2, 0, &["lost"]),
            game(2, 1, &["", "kept"]),
            game(5, 0, &["last"]),
        ];
        let mut writer = PrivateTextWriter::for_log(&log);
        let public: Vec<GameRecord> = games.iter().map(|game| public(&mut writer, game)).collect();
        for (game, public) in games.iter().zip(&public) {
            let digests = |game: &GameRecord| -> Vec<_> {
                game.measured.iter().map(|it| it.stderr.digest()).collect()
            };
            assert_eq!(digests(game), digests(public));
            assert!(public.measured.iter().all(|it| it.stderr.bytes().is_empty()));
        }
        let filled = || -> Vec<GameRecord> {
            let mut reader = PrivateTextReader::for_log(&log);
            let mut filled = public.clone();
            filled.iter_mut().for_each(|game| reader.fill(game));
            filled
        };
        assert_eq!(filled(), games);
        // A crash may leave half a line, or a line for a game that was played again.
        let file = path_beside(&log);
        let text = fs::read_to_string(&file).expect("text");
        let spoiled = text.replacen(
            '{',
            "{\"game\":0,\"attem\n{\"game\":0,\"attempt\":0,\"stderr\":[\"x\"]}\n{",
            1,
        );
        fs::write(&file, spoiled).expect("it is written");
        assert_eq!(filled(), games);
        fs::write(&file, text.replace("kept", "sold")).expect("it is written");
        let with_one_less = filled();
        assert_eq!(with_one_less[3], public[3]);
        assert_eq!(with_one_less[4], games[4]);
        fs::remove_file(&file).expect("it goes");
        assert_eq!(filled(), public);
    }

    #[test]
    fn half_a_line_is_ended_before_the_next_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("games.jsonl");
        fs::write(path_beside(&log), "{\"game\":0,\"att").expect("it is written");
        let whole = game(1, 0, &["text"]);
        let mut public = public(&mut PrivateTextWriter::for_log(&log), &whole);
        PrivateTextReader::for_log(&log).fill(&mut public);
        assert_eq!(public, whole);
    }
}
