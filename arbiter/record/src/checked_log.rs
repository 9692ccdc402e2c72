//! One fold over the lines of a log, by which everything that reads one goes.
//!
//! A header comes first and only once, games stand in their places, and the end follows from them.
//! So the verification of a log, the commands that show its games, a tournament that continues and
//! a report accept and refuse the same logs. How lines come to it is for `checked_log`.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use rules::{Digest, EscapedBytes, GameRecord, Seat, Seed, Verdict};
use sandbox::new_file;
use series::game_status::{GameStatus, Totals};
use series::header::CommittedSeed;
use series::progress::{NextGame, Progress};
use series::schedule::Seating;
use series::{End, Header, Series, SeriesState};
use text::counted;
use text::terminal::say;
use thiserror::Error;

use crate::growing_log::open_growing;
use crate::line::{LogFileError, LogProblem};
use crate::stderr_texts::{GameStderr, StderrVisibility, path_beside, text_of};
use crate::{Line, LineError, LogFile, LogLine, LogReader};

/// The number of milliseconds by which the time of an `ok` answer may exceed its limit.
///
/// A log may hold the moment at which an answer was seen, which on a busy machine is later than its
/// arrival.
const LATE_LOOK: f64 = 1000.0;

/// The state after reading part of a log: at least its header.
#[derive(Debug)]
pub struct LogState {
    /// The state of the games.
    pub state: SeriesState,
    /// The seed of all chance, if known before the first line.
    pub dealing: Option<Seed>,
    /// The number of the last line, from 1.
    pub number: usize,
    /// The digest of the last line, which stands for all of them.
    pub head: Digest,
    /// The last line of a log that was played to its end, once it was read.
    pub end: Option<End>,
}

/// A game that is in order.
#[derive(Debug)]
pub struct CheckedGame<T> {
    pub line: usize,
    pub game: Box<GameRecord>,
    pub status: GameStatus,
    /// The result of the reader's own check.
    pub checked: T,
}

impl LogState {
    /// Begins with the first line of a log, and with the seed where it is known before.
    pub(crate) fn begin(
        first: LogLine,
        seed: Option<&CommittedSeed>,
    ) -> Result<LogState, LogProblem> {
        let LogLine { number, line, digest } = first;
        let wrong = |problem: String| LogProblem::line(number, problem);
        let Line::Header(header) = line else {
            return Err(wrong("is not the header".to_owned()));
        };
        let series = Series::new(*header).map_err(wrong)?;
        if seed.is_some_and(|seed| seed.commitment() != series.header().commitment) {
            return Err(wrong(
                "commits to a different seed from the one revealed in the last line".to_owned(),
            ));
        }
        Ok(LogState {
            dealing: seed.map(|seed| series.dealing(seed)),
            state: SeriesState::new(series),
            number,
            head: digest,
            end: None,
        })
    }

    /// Takes the next line, and gives the game in it; nothing if it is the end.
    ///
    /// `check` is the reader's own check of a game, such as recomputing it. It is called after the place
    /// of the game was checked, and before the game is counted.
    pub(crate) fn take<T>(
        &mut self,
        next: LogLine,
        check: impl FnOnce(&LogState, &GameRecord) -> Result<T, String>,
    ) -> Result<Option<CheckedGame<T>>, LogProblem> {
        let LogLine { number, line, digest } = next;
        if self.end.is_some() {
            return Err(LogProblem::line(number, "comes after the end"));
        }
        let taken = match line {
            Line::Header(_) => return Err(LogProblem::line(number, "is a second header")),
            Line::Game(game) => Some(self.take_game(number, game, check)?),
            Line::End(end) => {
                self.check_end(&end).map_err(|problem| LogProblem::line(number, problem))?;
                self.end = Some(end);
                None
            }
        };
        (self.number, self.head) = (number, digest);
        Ok(taken)
    }

    fn take_game<T>(
        &mut self,
        line: usize,
        game: Box<GameRecord>,
        check: impl FnOnce(&LogState, &GameRecord) -> Result<T, String>,
    ) -> Result<CheckedGame<T>, LogProblem> {
        let checked = check_place(&game, &self.state)
            .and_then(|()| check(self, &game))
            .and_then(|checked| game.check_form(self.series().seats()).map(|()| checked))
            .and_then(|checked| check_times(&game, self.series()).map(|()| checked))
            .map_err(|problem| LogProblem::game(line, &game, problem))?;
        let status = self.state.add(&game);
        Ok(CheckedGame { line, game, status, checked })
    }

    /// Checks that the end follows from the games.
    fn check_end(&self, end: &End) -> Result<(), String> {
        let (played, games) = (self.progress().played(), self.header().games);
        if end.games != played || !self.progress().is_over() {
            let games = counted(games, "game", "games");
            return Err(format!("ends after {played} of {games}, and says {}", end.games));
        }
        if end.seed.is_some() != self.series().reveals_seed() {
            return Err("must reveal the seed, and only that of a shard must not".to_owned());
        }
        if end.points != self.totals().points() {
            return Err("has points that do not match the games".to_owned());
        }
        if end.seed.as_ref().is_some_and(|seed| seed.commitment() != self.header().commitment) {
            return Err(
                "reveals a different seed from the one committed to in the first line".to_owned()
            );
        }
        Ok(())
    }

    pub(crate) fn check_whole(&self) -> Result<(), LogProblem> {
        if self.end.is_some() {
            return Ok(());
        }
        let why = match self.progress().is_void() {
            true => format!("at {}", self.progress().stops_at()),
            false => "without its end".to_owned(),
        };
        let (played, games) = (self.progress().played(), self.header().games);
        let games = counted(games, "game", "games");
        let problem = format!("is missing: the log stops after {played} of {games}, {why}");
        Err(LogProblem::line(self.number + 1, problem))
    }

    /// Returns true if no more lines can follow: the log has its end, or had to stop without one.
    pub(crate) fn is_closed(&self) -> bool {
        self.end.is_some() || (self.progress().next().is_none() && !self.progress().is_over())
    }

    pub fn series(&self) -> &Series {
        &self.state.series
    }

    pub fn header(&self) -> &Header {
        self.series().header()
    }

    pub fn progress(&self) -> &Progress {
        &self.state.progress
    }

    pub fn totals(&self) -> &Totals {
        &self.state.totals
    }
}

/// Checks that a game is the next one in order, with each player on the right seat.
pub fn check_place(
    game: &GameRecord,
    SeriesState { series, progress, .. }: &SeriesState,
) -> Result<(), String> {
    let Some(NextGame { game: number, attempt }) = progress.next() else {
        return Err(match progress.is_void() {
            true => "where the log had to stop: the game before stayed void after all replays"
                .to_owned(),
            false => "where no game was left".to_owned(),
        });
    };
    let Seating { deal, players } = series.seating(number);
    if game.game != number || game.deal != deal {
        return Err(format!("where game {number} was expected"));
    }
    if game.attempt != attempt {
        let found = game.attempt;
        return Err(format!("is attempt {found}, expected attempt {attempt}"));
    }
    for (place, name) in game.seats.iter().enumerate() {
        // The form of the game has the number of seats.
        let Some(seat) = Seat::new(place).filter(|seat| players.has(*seat)) else { break };
        if series.header().players[players[seat]].name != *name {
            return Err(format!("seat {seat} is not {name}'s in this game"));
        }
    }
    Ok(())
}

/// Checks that no time is negative, and that every answer accepted as in time is within its limit.
fn check_times(game: &GameRecord, series: &Series) -> Result<(), String> {
    let times = series.times(game.game);
    for (number, (answer, measured)) in game.answers().enumerate() {
        let all = [
            ("ms", Some(measured.ms)),
            ("cpu_ms", measured.cpu_ms),
            ("waited_ms", measured.waited_ms),
            ("referee_waited_ms", measured.referee_waited_ms),
        ];
        for (key, time) in all {
            if let Some(time) = time.filter(|time| time.is_sign_negative()) {
                let seat = answer.seat;
                return Err(format!(
                    "answer {number}, of seat {seat}, has {key} {time}, expected 0 or more"
                ));
            }
        }
        if !times.has(answer.seat) {
            continue;
        }
        let limit = times[answer.seat].longest();
        // People have no limit.
        let is_late = limit > 0 && measured.ms > limit as f64 + LATE_LOOK;
        if answer.verdict == Verdict::Ok && is_late {
            let (seat, ms) = (answer.seat, measured.ms);
            return Err(format!(
                "answer {number}, of seat {seat}, is `ok` after {ms} ms, expected at most {limit}"
            ));
        }
    }
    Ok(())
}

/// The extent of a log that its reader expects.
#[derive(Debug, Clone, PartialEq)]
pub enum LogRange {
    /// To its end, which reveals the seed.
    Whole,
    /// Up to the place from which another log continues with the same seed, which is revealed there. A last
    /// line that a crash cut off counts for nothing, and the next log says so.
    Continued(CommittedSeed),
    /// To its end, which does not reveal the seed: the log of a shard, whose seed is known from elsewhere.
    Apart(CommittedSeed),
    /// As far as it is written: a last line that was cut off counts for nothing.
    SoFar,
    /// As [`SoFar`](LogRange::SoFar), while more may be written. The reader does not wait for lines after its
    /// end, or where it had to stop without one.
    Growing,
}

impl LogRange {
    fn is_whole(&self) -> bool {
        matches!(self, LogRange::Whole | LogRange::Apart(_))
    }
}

/// A source of the lines of a log, in order.
pub trait LineSource {
    /// Additional result for each line.
    type With;

    /// The next line; nothing at the end of the log. `before` is what was read up to there, unless
    /// it is the first one.
    fn next(
        &mut self,
        before: Option<&LogState>,
    ) -> Result<Option<(LogLine, Self::With)>, LineError>;

    /// The number of the line read last, from 1.
    fn number(&self) -> usize;
}

impl<R: BufRead> LineSource for LogReader<R> {
    type With = ();

    fn next(&mut self, _before: Option<&LogState>) -> Result<Option<(LogLine, ())>, LineError> {
        Ok(self.next_line()?.map(|read| (read, ())))
    }

    fn number(&self) -> usize {
        LogReader::number(self)
    }
}

impl<L: LineSource> LineSource for &mut L {
    type With = L::With;

    fn next(&mut self, before: Option<&LogState>) -> Result<Option<(LogLine, L::With)>, LineError> {
        L::next(self, before)
    }

    fn number(&self) -> usize {
        L::number(self)
    }
}

/// The reason why a log cannot be read any further.
#[derive(Debug, Error)]
pub enum LogError {
    #[error("line 1 is missing: the log is empty")]
    Empty,
    #[error("line {line} {bad}")]
    Line { line: usize, bad: LineError },
    #[error(transparent)]
    Wrong(#[from] LogProblem),
}

impl LogError {
    /// Returns true if the log has no whole line.
    pub fn is_empty(&self) -> bool {
        matches!(self, LogError::Empty | LogError::Line { line: 1, bad: LineError::Torn })
    }
}

impl From<LogError> for LogProblem {
    fn from(broken: LogError) -> LogProblem {
        match broken {
            LogError::Empty => LogProblem::line(1, "is missing: the log is empty"),
            LogError::Line { line, bad } => LogProblem::line(line, bad),
            LogError::Wrong(wrong) => wrong,
        }
    }
}

impl From<LogError> for LogFileError {
    fn from(broken: LogError) -> LogFileError {
        LogFileError::Wrong(broken.into())
    }
}

/// A log with each line checked against the lines before it.
#[derive(Debug)]
pub struct CheckedLog<L> {
    lines: L,
    extent: LogRange,
    fold: LogState,
    torn: Option<usize>,
}

impl<L: LineSource> CheckedLog<L> {
    /// Reads the header of a log; `seed` is its seed, where that is known before.
    pub fn begin(
        mut lines: L,
        extent: LogRange,
        seed: Option<&CommittedSeed>,
    ) -> Result<Self, LogError> {
        let first = lines.next(None);
        let first = first.map_err(|bad| LogError::Line { line: lines.number(), bad })?;
        let (first, _) = first.ok_or(LogError::Empty)?;
        let fold = LogState::begin(first, seed)?;
        Ok(CheckedLog { lines, extent, fold, torn: None })
    }

    /// The next game; nothing after the last one. `check` is the reader's own check of a game.
    pub fn next_game<T>(
        &mut self,
        mut check: impl FnMut(&LogState, &GameRecord, L::With) -> Result<T, String>,
    ) -> Result<Option<CheckedGame<T>>, LogError> {
        while !(self.extent == LogRange::Growing && self.fold.is_closed()) {
            let Some((read, with)) = self.next_line()? else { break };
            let taken = self.fold.take(read, |fold, game| check(fold, game, with))?;
            if taken.is_some() {
                return Ok(taken);
            }
        }
        if self.extent.is_whole() {
            self.fold.check_whole()?;
        }
        Ok(None)
    }

    fn next_line(&mut self) -> Result<Option<(LogLine, L::With)>, LogError> {
        match self.lines.next(Some(&self.fold)) {
            Err(LineError::Torn) if !self.extent.is_whole() => {
                self.torn = Some(self.lines.number());
                Ok(None)
            }
            read => read.map_err(|bad| LogError::Line { line: self.lines.number(), bad }),
        }
    }

    pub fn lines(&self) -> &L {
        &self.lines
    }

    pub fn fold(&self) -> &LogState {
        &self.fold
    }

    pub fn into_fold(self) -> LogState {
        self.fold
    }

    /// The line at which the log was found to be cut off, from 1.
    pub(crate) fn torn(&self) -> Option<usize> {
        self.torn
    }
}

/// A reader of the games of a log, which are not derived again.
#[derive(Debug)]
pub struct GameReader<R = LogFile>(CheckedLog<LogReader<R>>);

impl GameReader<LogFile> {
    /// Opens a log with the private texts beside it, and reads its header.
    pub fn open(path: &Path) -> Result<Self, LogFileError> {
        let lines = LogReader::new(crate::open(path)?).with_stderr(path, StderrVisibility::Shown);
        GameReader::begin(lines, LogRange::SoFar)
    }
}

impl GameReader<BufReader<Box<dyn Read>>> {
    /// Opens a log that is still being written: [`next_game`](GameReader::next_game) waits for more lines.
    pub fn follow(path: &Path) -> Result<Self, LogFileError> {
        let lines = LogReader::new(open_growing(path)?).with_stderr(path, StderrVisibility::Shown);
        GameReader::begin(lines, LogRange::Growing)
    }
}

impl<R: BufRead> GameReader<R> {
    /// Reads the header of a log from any source.
    pub fn new(source: R) -> Result<Self, LogFileError> {
        GameReader::begin(LogReader::new(source), LogRange::SoFar)
    }

    fn begin(lines: LogReader<R>, extent: LogRange) -> Result<Self, LogFileError> {
        Ok(GameReader(CheckedLog::begin(lines, extent, None)?))
    }

    pub fn series(&self) -> &Series {
        self.0.fold().series()
    }

    /// The next game, checked to be in its place with each player on the right seat; nothing after the last
    /// whole line.
    pub fn next_game(&mut self) -> Result<Option<CheckedGame<()>>, LogFileError> {
        Ok(self.0.next_game(|_, _, ()| Ok(()))?)
    }
    /// The next game, as by [`next_game`](GameReader::next_game), with a warning on standard error if the last
    /// line of the log, called `name`, was cut off.
    pub fn next_whole_game(&mut self, name: &str) -> Result<Option<CheckedGame<()>>, LogFileError> {
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
pub fn remove_private_texts(
    log: &Path,
    is_chosen: impl Fn(&str) -> bool,
) -> Result<u64, LogFileError> {
    let path = path_beside(log);
    if !path.exists() {
        return Ok(0);
    }
    let (mut games, mut lines, mut removed) = (GameReader::open(log)?, Vec::new(), 0);
    while let Some(CheckedGame { game, .. }) = games.next_game()? {
        let seats: Vec<bool> = game.seats.iter().map(|name| is_chosen(name)).collect();
        let mut texts: Vec<EscapedBytes> = Vec::new();
        for (answer, measured) in game.answers().filter(|(_, it)| it.stderr.digest().is_some()) {
            let is_theirs = seats.get(answer.seat.index()).copied().unwrap_or_default();
            let text = text_of(measured).filter(|_| !is_theirs);
            removed += u64::from(is_theirs && text_of(measured).is_some());
            texts.push(text.cloned().unwrap_or_default());
        }
        if texts.iter().any(|text| !text.0.is_empty()) {
            let line = GameStderr { game: game.game, attempt: game.attempt, stderr: texts.into() };
            serde_json::to_writer(&mut lines, &line).map_err(io::Error::from)?;
            lines.push(b'\n');
        }
    }
    if removed > 0 {
        new_file::replace(&path, &lines)?;
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use rules::{AnswerRecord, Measurements};

    use super::*;
    use crate::stderr_texts::PrivateTextWriter;
    use crate::{Line, LogWriter};

    #[test]
    fn texts_of_one_player_are_removed_and_the_others_stay() {
        const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/matches/coup.jsonl");
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("games.jsonl");
        let mut lines = LogReader::new(crate::open(Path::new(LOG)).expect("an example"));
        let mut written = LogWriter::create(&log).expect("a new log");
        let mut texts = PrivateTextWriter::for_log(&log);
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
            let mut games = GameReader::open(&log).expect("a log");
            let mut said = Vec::new();
            while let Some(next) = games.next_game().expect("a game") {
                let of_player = |(answer, _): &(&AnswerRecord, &Measurements)| {
                    next.game.seats[answer.seat.index()] == name
                };
                let texts = next.game.answers().filter(of_player);
                said.extend(texts.map(|(_, measured)| !measured.stderr.bytes().is_empty()));
            }
            said
        };
        let game =
            GameReader::open(&log).expect("a log").next_game().expect("a game").expect("a game");
        let [one, other] = [0, 1].map(|seat: usize| game.game.seats[seat].clone());
        assert!(said(&one).iter().chain(&said(&other)).all(|it| *it));
        let removed = remove_private_texts(&log, |name| name == one).expect("it is removed");
        assert_eq!(removed, said(&one).len() as u64);
        assert!(said(&one).iter().all(|it| !it) && said(&other).iter().all(|it| *it));
        assert_eq!(remove_private_texts(&log, |name| name == one).expect("nothing is left"), 0);
    }
}
