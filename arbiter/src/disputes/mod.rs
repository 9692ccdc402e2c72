//! Doubts about a game, settled from its log: the question and answer at a move, the answers that were
//! faults, and the answers of the bots when asked again.
//!
//! Code that needs the question and answer at a move starts here: a game is derived again with every question as it was
//! asked. Only the lines up to the game are read, so later lines are not checked.

pub(crate) mod rerun;

use std::io;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use rules::replay::{ReplayWatcher, replay_before};
use rules::{AnswerRecord, GameRecord, Measurements, Question, RefereeInput, Seat, Verdict};
use series::Series;

use contest::tournament::folder;
use contest::tournament::folder::{TournamentFolders, shown};
use league::folder::LeagueFolder;
use record::checked_log::CheckedGame;
use record::{GameReader, LogFileError, LogProblem};
use text::failure::Failure;
use text::terminal::say;
use text::{counted, printable, system_error};

#[derive(Debug)]
pub(crate) struct LoggedGame {
    pub series: Series,
    /// The number of its line, from 1.
    pub line: usize,
    pub game: GameRecord,
}

/// A game asked for by log and number.
#[derive(Debug, Clone)]
pub(crate) struct GameReference {
    /// The log, or the folder of a tournament or a league.
    pub log: PathBuf,
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of the attempt, from 0; by default the last one.
    pub attempt: Option<u32>,
}

/// A place in a game at which a seat was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestPlace {
    /// The number of the move, from 0.
    pub number: u32,
    /// The number of the chance: 0 for the first one.
    pub retry: u32,
    pub seat: Seat,
}

type EachQuestion<'a> = dyn FnMut(RequestPlace, &Question<'_>, &AnswerRecord, &Measurements) + 'a;

/// The log at a path, which may be the folder of a tournament or a league. If it has several logs, a note
/// names the one that is read.
fn log_of(path: &Path) -> io::Result<PathBuf> {
    if let Some(league) = LeagueFolder::find(path) {
        let round = last_round(&league)?;
        say(format!(
            "`{}` is a league: reading its last round, `{}`; name the folder of a round to read \
             another one",
            shown(path),
            shown(&round)
        ));
        return Ok(folder::games(&round));
    }
    if path.is_dir() && TournamentFolders::find_begun(path).last() != path {
        let first = shown(path);
        say(format!(
            "`{first}` was extended: reading its first part; `{first}/extension-1` is the next one"
        ));
    }
    log_in(path)
}

/// The logs of the rounds of a league, the last one first; otherwise the log of [`log_of`].
fn logs_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    match LeagueFolder::find(path) {
        Some(league) => {
            Ok(league.begun_rounds().iter().rev().map(|round| folder::games(round)).collect())
        }
        None => Ok(vec![log_of(path)?]),
    }
}

/// The log whose last line stands for all that was played: the log of a league or of the last part of a
/// tournament, or the log itself.
pub(crate) fn last_log_of(path: &Path) -> io::Result<PathBuf> {
    match LeagueFolder::find(path) {
        Some(league) => Ok(league.log()),
        None if path.is_dir() => log_in(TournamentFolders::find_begun(path).last()),
        None => log_in(path),
    }
}

fn last_round(league: &LeagueFolder) -> io::Result<PathBuf> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the league has no rounds yet");
    league.begun_rounds().into_iter().next_back().ok_or_else(none)
}

fn log_in(path: &Path) -> io::Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let log = folder::games(path);
    match log.exists() {
        true => Ok(log),
        false => Err(io::Error::new(io::ErrorKind::NotFound, "no tournament in the folder")),
    }
}

/// Opens the log of [`log_of`].
pub(crate) fn open(path: &Path) -> Result<GameReader, LogFileError> {
    GameReader::open(&log_of(path)?)
}

/// As [`open`], for a log that is still being written: at its end, reading waits for the next game.
pub(crate) fn follow(path: &Path) -> Result<GameReader<BufReader<Box<dyn Read>>>, LogFileError> {
    GameReader::follow(&log_of(path)?)
}

impl LoggedGame {
    /// Reads a log up to a game.
    pub(crate) fn find(wanted: &GameReference) -> Result<LoggedGame, Failure> {
        let failed = |error| failure(&wanted.log, error);
        LoggedGame::find_in(open(&wanted.log).map_err(failed)?, wanted)
    }

    /// As [`find`](LoggedGame::find), in an opened log whose games were not read yet.
    pub(crate) fn find_in(
        mut games: GameReader,
        wanted: &GameReference,
    ) -> Result<LoggedGame, Failure> {
        let mut found = None;
        let mut attempts = 0;
        let mut last = None;
        while let Some(CheckedGame { line, game, .. }) =
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
    pub(crate) fn name(&self, seat: Seat) -> String {
        printable(self.game.seats.get(seat.index()).map_or("", String::as_str))
    }

    /// Derives the game again, with every answered question passed to `each`.
    pub(crate) fn questions(&self, each: &mut EachQuestion<'_>) -> Result<(), LogFileError> {
        let setup = self.series.setup(&self.game, None);
        let mut asking = QuestionCollector { game: &self.game, asked: 0, each };
        replay_before(setup, &self.game, &mut asking)
            .map_err(|discrepancy| LogProblem::game(self.line, &self.game, discrepancy).into())
    }
}

struct QuestionCollector<'a, 'b> {
    game: &'a GameRecord,
    asked: usize,
    each: &'a mut EachQuestion<'b>,
}

impl ReplayWatcher for QuestionCollector<'_, '_> {
    fn on_question(&mut self, question: &Question<'_>, logged: &AnswerRecord) {
        let nothing = Measurements::default();
        let measured = self.game.measured.get(self.asked).unwrap_or(&nothing);
        self.asked += 1;
        let moment = RequestPlace {
            number: question.number(),
            retry: question.retry(),
            seat: question.seat(),
        };
        (self.each)(moment, question, logged, measured);
    }
}

pub(crate) fn failure(path: &Path, error: LogFileError) -> Failure {
    let shown = path.display();
    match error {
        LogFileError::Unreadable(error) => {
            Failure::Usage(format!("{shown}: cannot be read: {}", system_error(error)))
        }
        wrong => Failure::Verification(format!("{shown}: {wrong}")),
    }
}

/// The reason why a game is not in a log that was read up to its place; `last` is the last game read.
pub(crate) fn no_game(path: &Path, wanted: u64, series: &Series, last: Option<u64>) -> Failure {
    let games = series.schedule().games();
    let why = match last {
        _ if wanted >= games => {
            let are = if games == 1 { "is" } else { "are" };
            format!("there {are} {games}, numbered from 0")
        }
        Some(last) if last > wanted && series.reveals_seed() => {
            "it was skipped because one of its bots was disqualified".to_owned()
        }
        Some(last) if last > wanted => "it belongs to another shard".to_owned(),
        Some(last) => format!("the last game in it is {last}"),
        None => "it has no games yet".to_owned(),
    };
    Failure::Usage(format!("{}: no game {wanted}: {why}", path.display()))
}

/// The most games that are named; there may be more.
const NAMED: usize = 10;

/// The first answer of a log, or of a game in it, that was not ok, and how many others there are.
#[derive(Debug)]
pub(crate) struct FaultSummary {
    pub first: LoggedGame,
    pub others: u64,
    /// The games of the others, in order.
    pub games: Vec<u64>,
}

impl FaultSummary {
    /// Finds the faults of a whole log, or of one game of it; nothing if every answer was ok. For a league,
    /// these are the faults of the last round that has one, which a note names.
    pub(crate) fn find(
        log: &Path,
        game: Option<&GameReference>,
    ) -> Result<Option<FaultSummary>, Failure> {
        if let Some(game) = game {
            let mut faults = None;
            add(&mut faults, LoggedGame::find(game)?);
            return Ok(faults);
        }
        let logs = logs_of(log).map_err(|error| failure(log, error.into()))?;
        for log in &logs {
            let faults = FaultSummary::in_log(log)?;
            if faults.is_some() {
                if logs.len() > 1 {
                    let round = shown(log.parent().unwrap_or(log));
                    say(format!(
                        "note: this game is from round `{round}`; name that folder for its other \
                         games"
                    ));
                }
                return Ok(faults);
            }
        }
        Ok(None)
    }

    fn in_log(log: &Path) -> Result<Option<FaultSummary>, Failure> {
        let mut faults = None;
        let failed = |error| failure(log, error);
        let mut games = open(log).map_err(failed)?;
        let name = printable(&log.display().to_string());
        while let Some(next) = games.next_whole_game(&name).map_err(failed)? {
            let series = games.series().clone();
            add(&mut faults, LoggedGame { series, line: next.line, game: *next.game });
        }
        Ok(faults)
    }

    /// A sentence that counts the others and says how to choose one; nothing if there are none.
    pub(crate) fn describe_others(&self) -> Option<String> {
        let were = counted(self.others, "other answer was", "other answers were");
        let games = if self.games.len() == 1 { "game" } else { "games" };
        let mut named: Vec<String> =
            self.games.iter().take(NAMED).map(ToString::to_string).collect();
        if self.games.len() > NAMED {
            named.push("…".to_owned());
        }
        let named = named.join(", ");
        (self.others > 0).then(|| {
            format!("{were} not ok, in {games} {named}: choose one with --game and --move")
        })
    }
}

fn add(faults: &mut Option<FaultSummary>, logged: LoggedGame) {
    let count = count(&logged.game);
    let number = logged.game.game;
    match faults {
        _ if count == 0 => {}
        None => {
            let games = if count > 1 { vec![number] } else { Vec::new() };
            *faults = Some(FaultSummary { first: logged, others: count - 1, games });
        }
        Some(faults) => {
            faults.others += count;
            // Several attempts at a game have one number.
            if faults.games.last() != Some(&number) {
                faults.games.push(number);
            }
        }
    }
}

fn count(game: &GameRecord) -> u64 {
    let is_fault = |input: &&RefereeInput| matches!(input, RefereeInput::Answer(answer) if answer.verdict != Verdict::Ok);
    game.inputs.iter().filter(is_fault).count() as u64
}
