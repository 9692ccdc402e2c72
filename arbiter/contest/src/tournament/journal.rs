//! The log of a tournament as it grows. A game that is in it counts, and is never played again.
//!
//! Games stand in it in the order of their numbers, however many are played at once. A game that ends
//! early is written to a second file until its turn, so that it need not be played again
//! after a crash while the log waits for a long game.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use record::checked_log::{CheckedLog, LogError, LogRange, LogState};
use record::stderr_texts::PrivateTextWriter;
use record::{Line, LineError, LogFileError, LogProblem, LogReader, LogWriter};
use rules::GameRecord;
use series::game_status::{GameStatus, game_status};
use series::progress::Progress;
use series::{End, Header, Series, SeriesState};
use standings::Tally;
use text::shell::word;
use text::system_error;
use thiserror::Error;

use crate::playing::series_runner;
use crate::playing::series_runner::ContestState;
use crate::tournament::folder::{TournamentFolder, TournamentFolders, shown};

/// Number of games whose turn has come that may stay in the second file, beside a few for each that waits.
const MOST_AHEAD: usize = 64;

/// Time after which an appended line reaches the disk at the latest.
const SYNC: Duration = Duration::from_secs(1);

/// All attempts at a game; the last one decides.
pub type Attempts = Vec<GameRecord>;

/// The log of a tournament, and the games that wait for their turn.
#[derive(Debug)]
pub struct Journal {
    log: LogWriter,
    texts: PrivateTextWriter,
    header: Header,
    /// Time since which an appended line may not be on the disk.
    unsynced: Option<Instant>,
    waiting: BTreeMap<u64, Attempts>,
    ahead: Option<LogWriter>,
    /// Number of games in it, including those whose turn has come since.
    ahead_games: usize,
    ahead_path: PathBuf,
}

/// Reason why a tournament cannot be resumed; one line.
#[derive(Debug, Error)]
pub enum ResumeError {
    #[error("its log {0}")]
    Log(#[from] LogFileError),
    #[error("cannot write its log: {}", system_error(.0))]
    Disk(#[from] io::Error),
    #[error("it is already finished")]
    Over,
    #[error("{0}")]
    Differs(String),
    #[error("its log stops at {0}")]
    Rules(&'static str),
    #[error("{0}")]
    Other(String),
}

impl Journal {
    /// Opens the log of a tournament, or begins it, and brings `state` to the end of the log.
    pub fn open(
        folder: &TournamentFolder,
        state: &mut ContestState,
    ) -> Result<Journal, ResumeError> {
        let header = state.games.series.header().clone();
        let (log, fold) = match LogWriter::create(&folder.games()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                LogWriter::resume(&folder.games(), |lines| {
                    read_games(lines, &header, folder.path(), state.tally_mut())
                })?
            }
            other => (other?, None),
        };
        let mut journal = Journal {
            log,
            texts: PrivateTextWriter::for_log(&folder.games()),
            header: header.clone(),
            unsynced: None,
            waiting: BTreeMap::new(),
            ahead: None,
            ahead_games: 0,
            ahead_path: folder.ahead(),
        };
        match fold {
            None => journal.append(&Line::Header(Box::new(header)))?,
            Some(fold) => {
                let has_end = fold.end.is_some();
                state.games = fold.state;
                if has_end {
                    return Err(ResumeError::Over);
                }
            }
        }
        let SeriesState { series, progress, .. } = &state.games;
        if progress.has_broken_rules() {
            return Err(ResumeError::Rules(progress.stops_at()));
        }
        if progress.is_void() {
            let problem = format!("its log stops at {}", progress.stops_at());
            return Err(ResumeError::Other(problem));
        }
        journal.read_ahead(series, progress)?;
        Ok(journal)
    }

    /// Takes a game with all its attempts, and keeps it until its turn.
    pub fn take(&mut self, attempts: Attempts, progress: &Progress) -> io::Result<()> {
        let Some(game) = attempts.first().map(|attempt| attempt.game) else { return Ok(()) };
        let is_next = progress.next().is_some_and(|next| next.game == game);
        if !is_next {
            self.write_ahead(&attempts)?;
        }
        self.waiting.insert(game, attempts);
        Ok(())
    }

    /// Returns the number of games that wait for their turn.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Returns true if a game waits here.
    pub fn has(&self, game: u64) -> bool {
        self.waiting.contains_key(&game)
    }

    /// Writes the next game to the log, if it is here; games that are skipped by now
    /// are dropped.
    pub fn commit(&mut self, progress: &Progress) -> io::Result<Option<Attempts>> {
        let next = progress.next().map_or(u64::MAX, |next| next.game);
        while self.waiting.first_key_value().is_some_and(|(game, _)| *game < next) {
            self.waiting.pop_first();
        }
        let attempts = self.waiting.remove(&next);
        // Earlier attempts can be there already, from before a crash.
        let first = progress.next().map_or(0, |next| next.attempt);
        let attempts: Option<Attempts> =
            attempts.map(|all| all.into_iter().filter(|it| it.attempt >= first).collect());
        for attempt in attempts.iter().flatten() {
            self.append(&Line::Game(Box::new(attempt.clone())))?;
        }
        if self.waiting.is_empty()
            && let Some(ahead) = self.ahead.take()
        {
            ahead.check()?;
            // The games in there are in the log, which must be on the disk before they are thrown away.
            self.sync()?;
            fs::remove_file(&self.ahead_path)?;
        } else if self.ahead_games > MOST_AHEAD + 4 * self.waiting.len() {
            self.shorten_ahead()?;
        }
        Ok(attempts)
    }

    pub fn end(&mut self, end: End) -> io::Result<()> {
        self.append(&Line::End(end))?;
        self.sync()?;
        // Games that still wait were skipped.
        let Some(ahead) = self.ahead.take() else { return Ok(()) };
        ahead.check()?;
        fs::remove_file(&self.ahead_path)
    }

    /// Makes sure that nothing waits for the disk for longer than a second.
    pub(crate) fn sync_in_time(&mut self) -> io::Result<()> {
        match self.unsynced {
            Some(since) if since.elapsed() >= SYNC => self.sync(),
            Some(_) | None => Ok(()),
        }
    }

    /// Waits until everything is on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.texts.sync()?;
        self.log.sync()?;
        if let Some(ahead) = &mut self.ahead {
            ahead.sync()?;
        }
        self.unsynced = None;
        Ok(())
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        self.log.append(&*self.texts.without_texts(line)?)?;
        self.unsynced.get_or_insert_with(Instant::now);
        Ok(())
    }

    fn write_ahead(&mut self, attempts: &Attempts) -> io::Result<()> {
        let ahead = match &mut self.ahead {
            Some(ahead) => ahead,
            none => {
                let mut ahead = LogWriter::create(&self.ahead_path)?;
                ahead.append(&Line::Header(Box::new(self.header.clone())))?;
                self.ahead_games = 0;
                none.insert(ahead)
            }
        };
        for attempt in attempts {
            ahead.append(&Line::Game(Box::new(attempt.clone())))?;
        }
        self.ahead_games += 1;
        self.unsynced.get_or_insert_with(Instant::now);
        Ok(())
    }

    /// Rewrites the second file with the games that still wait: where many games are
    /// played at once, there may always be one.
    fn shorten_ahead(&mut self) -> io::Result<()> {
        self.sync()?;
        let new = self.ahead_path.with_extension("new");
        let _ = fs::remove_file(&new);
        let mut ahead = LogWriter::create(&new)?;
        ahead.append(&Line::Header(Box::new(self.header.clone())))?;
        for attempt in self.waiting.values().flatten() {
            ahead.append(&Line::Game(Box::new(attempt.clone())))?;
        }
        ahead.sync()?;
        self.ahead.as_ref().map_or(Ok(()), LogWriter::check)?;
        ahead.rename(&self.ahead_path)?;
        self.ahead = Some(ahead);
        self.ahead_games = self.waiting.len();
        Ok(())
    }

    /// Takes the games that were played ahead of their turn before a crash. An incomplete game,
    /// or one that does not belong there, is played again.
    fn read_ahead(&mut self, series: &Series, progress: &Progress) -> Result<(), ResumeError> {
        let next = progress.next().map_or(u64::MAX, |next| next.game);
        let has_form = |game: &GameRecord| game.check_form(series.seats()).is_ok();
        let mut found: BTreeMap<u64, Attempts> = BTreeMap::new();
        let ahead = LogWriter::resume(&self.ahead_path, |lines| {
            let mut is_own = false;
            // Its games are not in order, so it is not a valid log.
            while let Some(line) = next_whole_line(lines)? {
                match line {
                    Line::Header(header) => is_own = *header == *series.header(),
                    Line::Game(game) if is_own && game.game >= next && has_form(&game) => {
                        found.entry(game.game).or_default().push(*game);
                    }
                    Line::Game(_) | Line::End(_) => {}
                }
            }
            Ok(is_own)
        });
        match ahead {
            Ok((ahead, true)) => {
                self.ahead = Some(ahead);
                self.ahead_games = found.len();
                self.waiting = found;
                self.waiting.retain(|_, attempts| is_whole(attempts, series));
            }
            // It is useless: its games are played again.
            Ok((_, false)) | Err(LogFileError::Wrong(_)) => {
                let _ = fs::remove_file(&self.ahead_path);
            }
            Err(LogFileError::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(LogFileError::Unreadable(error)) => {
                let path = shown(&self.ahead_path);
                return Err(ResumeError::Other(format!(
                    "cannot read `{path}`: {}",
                    system_error(error)
                )));
            }
        }
        Ok(())
    }
}

/// Reads the log of this header and counts its games; nothing if it was not begun.
fn read_games(
    lines: &mut LogReader<impl BufRead>,
    header: &Header,
    folder: &Path,
    mut tally: Option<&mut Tally>,
) -> Result<Option<LogState>, ResumeError> {
    let wrong = |broken: LogError| LogFileError::Wrong(broken.into());
    let mut log = match CheckedLog::begin(lines, LogRange::SoFar, None) {
        Err(broken) if broken.is_empty() => return Ok(None),
        begun => begun.map_err(wrong)?,
    };
    check_same(log.fold().header(), header, folder).map_err(ResumeError::Differs)?;
    while let Some(next) = log.next_game(|_, _, ()| Ok(())).map_err(wrong)? {
        if let Some(tally) = tally.as_mut().filter(|_| next.status == GameStatus::Counts) {
            series_runner::add(tally, log.fold().series(), &next.game)
                .map_err(ResumeError::Other)?;
        }
    }
    Ok(Some(log.into_fold()))
}

/// Returns the next whole line; `None` at the end, or at a line that was cut off.
fn next_whole_line(lines: &mut LogReader<impl BufRead>) -> Result<Option<Line>, LogFileError> {
    match lines.next_line() {
        Err(LineError::Torn) => Ok(None),
        Err(bad) => Err(LogFileError::Wrong(LogProblem::line(lines.number(), bad))),
        Ok(read) => Ok(read.map(|read| read.line)),
    }
}

/// Returns true if attempts follow each other and the last one counts: a later run tries again a game that stayed void
/// after all replays.
fn is_whole(attempts: &Attempts, series: &Series) -> bool {
    let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let in_order = attempts.iter().enumerate().all(|(place, game)| {
        let is_last = place + 1 == attempts.len();
        let expected = if is_last { GameStatus::Counts } else { GameStatus::Again };
        game.attempt == number(place) && game_status(game, series) == expected
    });
    in_order && !attempts.is_empty()
}

/// Checks that a log was begun with the same plan and the same programs.
fn check_same(begun: &Header, now: &Header, folder: &Path) -> Result<(), String> {
    if begun == now {
        return Ok(());
    }
    for (before, now) in begun.players.iter().zip(&now.players) {
        if before.name == now.name && before.files != now.files {
            let name = &now.name;
            let folder = word(TournamentFolders::find(folder).first());
            let without = word(Path::new(name));
            return Err(format!(
                "bot `{name}` has changed: restore its files, or continue without it: `arbiter \
                 tournament extend {folder} --without {without}`"
            ));
        }
    }
    if begun.game == now.game && begun.rules != now.rules {
        return Err(format!("the rules of {} have changed: restore the folder `game`", begun.game));
    }
    if begun.version != now.version {
        return Err(format!("it was started by arbiter {}", begun.version));
    }
    Err("its log belongs to a different plan".to_owned())
}
