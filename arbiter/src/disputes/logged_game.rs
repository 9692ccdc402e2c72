//! One game of a log, derived again with every question as it was asked.
//!
//! Code that needs to know what was asked and answered at a move starts here. Only the lines up to
//! the game are read, so this says nothing about later lines.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use rules::replay::{Onlooker, replay_before};
use rules::{Answered, GameRecord, Measured, Question, Seat};
use text::{printable, system_error};

use conditions::failure::Failure;
use conditions::series::Series;
use contest::league::folder::LeagueFolder;
use contest::tournament::folder::{self, shown};
use contest::tournament::parts::Parts;
use record::fold::FoldedGame;
use record::{Followed, Games, NotVerified, Wrong};
use text::counted;
use text::terminal::say;

/// A game of a log.
#[derive(Debug)]
pub struct LoggedGame {
    /// The games of the log that it belongs to.
    pub series: Series,
    /// The line that it stands in, from 1.
    pub line: usize,
    /// What the log holds of it.
    pub game: GameRecord,
}

/// Which game of which log is meant.
#[derive(Debug, Clone)]
pub struct GameOfLog {
    /// The log, or the folder of a tournament or a league.
    pub log: PathBuf,
    /// The number of the game, from 0.
    pub game: u64,
    /// Which attempt at it, from 0; by default the last one.
    pub attempt: Option<u32>,
}

/// A place in a game at which a seat was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The number of the move, from 0.
    pub number: u32,
    /// Which chance it was: 0 for the first one.
    pub retry: u32,
    /// Who was asked.
    pub seat: Seat,
}

/// What is done with a question and the answer that the log holds.
pub type EachQuestion<'a> = dyn FnMut(Moment, &Question<'_>, &Answered, &Measured) + 'a;

/// The log itself, where the folder of a tournament or a league may be named. Where there are several
/// it is said which one it is.
///
/// # Errors
///
/// Fails for a folder that has no log.
pub fn log_of(path: &Path) -> io::Result<PathBuf> {
    if let Some(league) = LeagueFolder::at(path) {
        let round = last_round(&league)?;
        say(format!(
            "`{}` is a league, reading its last round, `{}`; name the folder of a round to read \
             another one",
            shown(path),
            shown(&round)
        ));
        return Ok(folder::games(&round));
    }
    if path.is_dir() && Parts::begun(path).last() != path {
        let first = shown(path);
        say(format!(
            "`{first}` was extended, reading its first part; `{first}/extension-1` is the next one"
        ));
    }
    log_in(path)
}

/// The logs of a league's rounds, the last one first; otherwise the log itself, or that of the
/// tournament in a folder.
///
/// # Errors
///
/// Fails for a folder that has no log.
pub fn logs_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    match LeagueFolder::at(path) {
        Some(league) => Ok(league.begun().iter().rev().map(|round| folder::games(round)).collect()),
        None => Ok(vec![log_of(path)?]),
    }
}

/// The log of which the last line stands for all that was played: that of a league, of the last part of
/// the tournament in a folder, or the log itself.
///
/// # Errors
///
/// Fails for a folder that has no log.
pub fn last_log_of(path: &Path) -> io::Result<PathBuf> {
    match LeagueFolder::at(path) {
        Some(league) => Ok(league.log()),
        None if path.is_dir() => log_in(Parts::begun(path).last()),
        None => log_in(path),
    }
}

fn last_round(league: &LeagueFolder) -> io::Result<PathBuf> {
    let none = || {
        io::Error::new(
            io::ErrorKind::NotFound,
            "no round of the league has been played \
                                                           yet",
        )
    };
    league.begun().into_iter().next_back().ok_or_else(none)
}

fn log_in(path: &Path) -> io::Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let log = folder::games(path);
    match log.exists() {
        true => Ok(log),
        false => Err(io::Error::new(io::ErrorKind::NotFound, "the folder holds no tournament")),
    }
}

/// Opens a log, or that of the tournament in a folder.
///
/// # Errors
///
/// As for [`Games::open`].
pub fn open(path: &Path) -> Result<Games, NotVerified> {
    Games::open(&log_of(path)?)
}

/// The same for one that is still being written: at its end the next game is waited for.
///
/// # Errors
///
/// As for [`Games::open`].
pub fn follow(path: &Path) -> Result<Games<BufReader<Followed>>, NotVerified> {
    Games::follow(&log_of(path)?)
}

impl LoggedGame {
    /// Reads a log up to a game.
    ///
    /// # Errors
    ///
    /// Fails if there is no such game, and where the log is wrong before it.
    pub fn find(wanted: &GameOfLog) -> Result<LoggedGame, Failure> {
        let failed = |error| failure(&wanted.log, error);
        LoggedGame::find_in(open(&wanted.log).map_err(failed)?, wanted)
    }

    /// The same in a log whose games were not read yet.
    ///
    /// # Errors
    ///
    /// As for [`find`](LoggedGame::find).
    pub fn find_in(mut games: Games, wanted: &GameOfLog) -> Result<LoggedGame, Failure> {
        let mut found = None;
        let mut attempts = 0;
        let mut last = None;
        while let Some(FoldedGame { line, game, .. }) =
            games.next_game().map_err(|error| failure(&wanted.log, error))?
        {
            last = Some(game.game);
            if game.game > wanted.game {
                break;
            }
            if game.game == wanted.game {
                attempts += 1;
                let is_it = wanted.attempt.is_none_or(|attempt| attempt == game.attempt);
                found = if is_it { Some((line, game)) } else { found };
            }
        }
        let series = games.series().clone();
        match found {
            Some((line, game)) => Ok(LoggedGame { series, line, game: *game }),
            None if attempts > 0 => Err(Failure::Usage(format!(
                "{}: game {} has {}, numbered from 0",
                wanted.log.display(),
                wanted.game,
                counted(attempts, "attempt", "attempts")
            ))),
            None => Err(no_game(&wanted.log, wanted.game, &series, last)),
        }
    }

    /// The name of the player on a seat, safe to show.
    pub fn name(&self, seat: Seat) -> String {
        printable(self.game.seats.get(seat.index()).map_or("", String::as_str))
    }

    /// Derives the game again and gives every question that was answered.
    ///
    /// # Errors
    ///
    /// Fails if something in the record does not follow from its inputs.
    pub fn questions(&self, each: &mut EachQuestion<'_>) -> Result<(), NotVerified> {
        let setup = self.series.setup(&self.game, None);
        let mut asking = Asking { game: &self.game, asked: 0, each };
        replay_before(setup, &self.game, &mut asking)
            .map_err(|discrepancy| Wrong::game(self.line, &self.game, discrepancy).into())
    }
}

struct Asking<'a, 'b> {
    game: &'a GameRecord,
    asked: usize,
    each: &'a mut EachQuestion<'b>,
}

impl Onlooker for Asking<'_, '_> {
    fn asked(&mut self, question: &Question<'_>, logged: &Answered) {
        let nothing = Measured::default();
        let measured = self.game.measured.get(self.asked).unwrap_or(&nothing);
        self.asked += 1;
        let moment =
            Moment { number: question.number(), retry: question.retry(), seat: question.seat() };
        (self.each)(moment, question, logged, measured);
    }
}

/// What is said of a log that cannot be read.
pub fn failure(path: &Path, error: NotVerified) -> Failure {
    let shown = path.display();
    match error {
        NotVerified::Unreadable(error) => {
            Failure::Usage(format!("{shown}: cannot be read: {}", system_error(error)))
        }
        wrong => Failure::Verification(format!("{shown}: {wrong}")),
    }
}

/// Says why a game is not in a log that was read up to there; `last` is the last game that is.
pub fn no_game(path: &Path, wanted: u64, series: &Series, last: Option<u64>) -> Failure {
    let games = series.schedule().games();
    let why = match last {
        _ if wanted >= games => {
            let are = if games == 1 { "is" } else { "are" };
            format!("there {are} {games}, numbered from 0")
        }
        Some(last) if last > wanted && series.reveals_seed() => {
            "it was skipped because one of its bots was out".to_owned()
        }
        Some(last) if last > wanted => "it belongs to another shard".to_owned(),
        Some(last) => format!("the last game in it is {last}"),
        None => "it has no games yet".to_owned(),
    };
    Failure::Usage(format!("{}: no game {wanted}: {why}", path.display()))
}
