//! The games of a log, read without deriving them again.

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::checked_log::{CheckedLog, LogRange};
use crate::fold::FoldedGame;
use crate::line::BadLog;
use crate::private::{GameTexts, StderrVisibility, path_beside, text_of};
use crate::{Followed, LogReader, Source};
use rules::Escaped;
use sandbox::unfinished;
use series::Series;
use text::terminal::say;

/// A reader of the games of a log, which are not derived again.
#[derive(Debug)]
pub struct Games<R = Source>(CheckedLog<LogReader<R>>);

impl Games<Source> {
    /// Opens a log with the private texts beside it, and reads its header.
    pub fn open(path: &Path) -> Result<Self, BadLog> {
        let lines = LogReader::new(crate::open(path)?).with_stderr(path, StderrVisibility::Shown);
        Games::begin(lines, LogRange::SoFar)
    }
}

impl Games<BufReader<Followed>> {
    /// Opens a log that is still being written: [`next_game`](Games::next_game) waits for more lines.
    ///
    /// # Errors
    ///
    /// As for [`open`](Games::open).
    pub fn follow(path: &Path) -> Result<Self, BadLog> {
        let lines =
            LogReader::new(Followed::open(path)?).with_stderr(path, StderrVisibility::Shown);
        Games::begin(lines, LogRange::Growing)
    }
}

impl<R: BufRead> Games<R> {
    /// Reads the header of a log from any source.
    pub fn new(source: R) -> Result<Self, BadLog> {
        Games::begin(LogReader::new(source), LogRange::SoFar)
    }

    fn begin(lines: LogReader<R>, extent: LogRange) -> Result<Self, BadLog> {
        Ok(Games(CheckedLog::begin(lines, extent, None)?))
    }

    /// The games that the header describes.
    pub fn series(&self) -> &Series {
        self.0.fold().series()
    }

    /// The next game, checked to be in its place with each player on the right seat; nothing after the last
    /// whole line.
    pub fn next_game(&mut self) -> Result<Option<FoldedGame<()>>, BadLog> {
        Ok(self.0.next_game(|_, _, ()| Ok(()))?)
    }
    /// The next game, as by [`next_game`](Games::next_game), with a warning on standard error if the last
    /// line of the log, called `name`, was cut off.
    ///
    /// # Errors
    ///
    /// As for [`next_game`](Games::next_game).
    pub fn next_whole_game(&mut self, name: &str) -> Result<Option<FoldedGame<()>>, BadLog> {
        let next = self.next_game()?;
        if let (None, Some(line)) = (&next, self.0.torn()) {
            say(format!("warning: {name}: ends in the middle of line {line}, it is not finished"));
        }
        Ok(next)
    }
}

/// Removes the private texts of some players beside a log to which no game is added, and returns their number. The
/// players are chosen by their names.
///
/// # Errors
///
/// Fails if the log cannot be read, or the file cannot be written; then it is as it was.
pub fn remove_private_texts(log: &Path, is_chosen: impl Fn(&str) -> bool) -> Result<u64, BadLog> {
    let path = path_beside(log);
    if !path.exists() {
        return Ok(0);
    }
    let (mut games, mut lines, mut removed) = (Games::open(log)?, Vec::new(), 0);
    while let Some(FoldedGame { game, .. }) = games.next_game()? {
        let seats: Vec<bool> = game.seats.iter().map(|name| is_chosen(name)).collect();
        let mut texts: Vec<Escaped> = Vec::new();
        for (answer, measured) in game.answers().filter(|(_, it)| it.stderr.digest().is_some()) {
            let is_theirs = seats.get(answer.seat.index()).copied().unwrap_or_default();
            let text = text_of(measured).filter(|_| !is_theirs);
            removed += u64::from(is_theirs && text_of(measured).is_some());
            texts.push(text.cloned().unwrap_or_default());
        }
        if texts.iter().any(|text| !text.0.is_empty()) {
            let line = GameTexts { game: game.game, attempt: game.attempt, stderr: texts.into() };
            serde_json::to_writer(&mut lines, &line).map_err(io::Error::from)?;
            lines.push(b'\n');
        }
    }
    if removed > 0 {
        unfinished::replace(&path, &lines)?;
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use rules::{AnswerRecord, Measured};

    use super::*;
    use crate::private::PrivateTextWriter;
    use crate::{Line, LogWriter};

    #[test]
    fn texts_of_one_player_are_removed_and_the_others_stay() {
        const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/matches/coup.jsonl");
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("games.jsonl");
        let mut lines = LogReader::new(crate::open(Path::new(LOG)).expect("an example"));
        let mut written = LogWriter::create(&log).expect("a new log");
        let mut texts = PrivateTextWriter::beside(&log);
        while let Some(read) = lines.next_line().expect("a line") {
            let mut line = read.line;
            if let Line::Game(game) = &mut line {
                for (place, measured) in game.measured.iter_mut().enumerate() {
                    measured.stderr = format!("text {place}").into_bytes().into();
                }
            }
            written.append(&*texts.without_texts(&line).expect("room")).expect("room");
        }
        let said = |name: &str| -> Vec<bool> {
            let mut games = Games::open(&log).expect("a log");
            let mut said = Vec::new();
            while let Some(next) = games.next_game().expect("a game") {
                let of_player = |(answer, _): &(&AnswerRecord, &Measured)| {
                    next.game.seats[answer.seat.index()] == name
                };
                let texts = next.game.answers().filter(of_player);
                said.extend(texts.map(|(_, measured)| !measured.stderr.bytes().is_empty()));
            }
            said
        };
        let game = Games::open(&log).expect("a log").next_game().expect("a game").expect("a game");
        let [one, other] = [0, 1].map(|seat: usize| game.game.seats[seat].clone());
        assert!(said(&one).iter().chain(&said(&other)).all(|it| *it));
        let removed = remove_private_texts(&log, |name| name == one).expect("it is removed");
        assert_eq!(removed, said(&one).len() as u64);
        assert!(said(&one).iter().all(|it| !it) && said(&other).iter().all(|it| *it));
        assert_eq!(remove_private_texts(&log, |name| name == one).expect("nothing is left"), 0);
    }
}
