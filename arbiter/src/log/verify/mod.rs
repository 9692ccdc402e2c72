//! Verification of a log: everything in it is derived again and compared.

use std::fmt;
use std::io::{self, BufRead, Seek};
use std::num::NonZeroUsize;
use std::path::Path;

use rules::replay::Discrepancy;
use rules::text::system_error;
use rules::{Digest, GameRecord, Seat, Seed, Verdict};

use crate::log::{self, BadLine, Line, LogReader, revealed_seed};
use crate::series::committed_seed::CommittedSeed;
use crate::series::game_status::GameStatus;
use crate::series::progress::{Place, Progress};
use crate::series::schedule::Seating;
use crate::series::totals::Totals;
use crate::series::{End, Header, Series};
use crate::text::counted;

mod derive;
use derive::{Batch, Derived, Grounds};

/// How far a log must go.
#[derive(Debug, Clone, PartialEq)]
pub enum Extent {
    /// To its end, which reveals the seed.
    Whole,
    /// As far as it was played before another log went on from it with the same seed, which is
    /// revealed there.
    GoneOnFrom(CommittedSeed),
}

/// A log in which everything follows from its inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The games that it says it has.
    pub series: Series,
    /// How many games count.
    pub games: u64,
    /// What they add up to.
    pub totals: Totals,
    /// The digest of the last line, which stands for the whole log.
    pub head: Digest,
    /// Whether that is the end, as it is of every log from which no other goes on.
    pub has_end: bool,
    /// The names of the bots that were out of the tournament in the end.
    pub out: Vec<String>,
}

/// The first thing in a log that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1.
    pub line: usize,
    /// The number of the game in that line, from 0, where it holds one that could be read.
    pub game: Option<u64>,
    /// What is wrong, in one line.
    pub problem: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.game {
            Some(game) => write!(f, ", game {game}, {}", self.problem),
            None => write!(f, " {}", self.problem),
        }
    }
}

impl std::error::Error for Wrong {}

/// Why a log is not verified.
#[derive(Debug, thiserror::Error)]
pub enum NotVerified {
    /// It cannot be opened.
    #[error("cannot be opened: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    /// Something in it is wrong.
    #[error(transparent)]
    Wrong(#[from] Wrong),
}

/// By how many milliseconds the time of an answer that is `ok` may be above its limit.
///
/// A log may hold the moment at which an answer was seen, not the one at which it was there. On a busy
/// machine the first is later.
const LATE_LOOK: f64 = 1000.0;

/// Verifies a log from its first line to its last.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify(path: &Path, work: Work<'_>) -> Result<Verified, NotVerified> {
    verify_each(log::open(path)?, &Extent::Whole, work, &mut |_, _, _| Ok(()))
}

/// Verifies a log from wherever it lies.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify_from(source: impl BufRead + Seek) -> Result<Verified, NotVerified> {
    verify_each(source, &Extent::Whole, Work::QUIET, &mut |_, _, _| Ok(()))
}

/// What is done with every game that is in order; it may say that it is not.
pub type Each<'a> = dyn FnMut(&Series, &GameRecord, GameStatus) -> Result<(), String> + 'a;

/// Verifies a log from wherever it lies, and gives each game that is in order to somebody else.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify_each(
    mut source: impl BufRead + Seek,
    extent: &Extent,
    work: Work<'_>,
    each: &mut Each<'_>,
) -> Result<Verified, NotVerified> {
    let seed = match extent {
        Extent::Whole => revealed_seed(&mut source)?,
        Extent::GoneOnFrom(seed) => Some(seed.clone()),
    };
    let mut fold =
        Fold { seed, dealing: None, begun: None, totals: Totals::default(), end: None, each };
    let mut reader = LogReader::new(source);
    let mut head = None;
    loop {
        // The first line alone says what the others are to be derived from.
        let batch = match &fold.begun {
            None => Batch::first(&mut reader),
            Some(_) => Batch::read(&mut reader, work.jobs),
        };
        let (lines, end) = batch.derived(fold.grounds(), work.jobs);
        for Derived { number, digest, line, replayed } in lines {
            let line = line.map_err(|bad| wrong(number, bad))?;
            head = Some((number, digest));
            fold.take(number, line, replayed)?;
        }
        (work.read)(reader.bytes());
        match end {
            None => {}
            Some(Ok(())) => break,
            // What a crash has left of a line counts for nothing, and the next log says so.
            Some(Err(BadLine::Torn)) if *extent != Extent::Whole => break,
            Some(Err(BadLine::Changed { line: Some(line), .. })) => {
                return Err(fold.changed(reader.number(), *line).into());
            }
            Some(Err(bad)) => return Err(wrong(reader.number(), bad).into()),
        }
    }
    Ok(fold.finish(head, extent)?)
}

/// How a verification goes about its work.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// How many games are derived at once; nothing that is found depends on it.
    pub jobs: NonZeroUsize,
    /// Learns now and then how many bytes have been read.
    pub read: &'a dyn Fn(u64),
}

impl Work<'_> {
    /// One game after the other, without telling anybody.
    pub const QUIET: Work<'static> = Work { jobs: NonZeroUsize::MIN, read: &|_| {} };
}

/// What has been read of a log so far.
struct Fold<'a, 'b> {
    each: &'a mut Each<'b>,
    seed: Option<CommittedSeed>,
    /// What all chance follows from, once the header says what was mixed into the seed.
    dealing: Option<Seed>,
    begun: Option<(Series, Progress)>,
    totals: Totals,
    end: Option<End>,
}

impl Fold<'_, '_> {
    /// What games are derived from, once the header was read.
    fn grounds(&self) -> Option<Grounds<'_>> {
        let (series, _) = self.begun.as_ref()?;
        Some(Grounds { series, dealing: self.dealing.as_ref() })
    }

    /// Takes the next line, with what came of deriving it, if it holds a game.
    fn take(
        &mut self,
        number: usize,
        line: Line,
        replayed: Result<(), Discrepancy>,
    ) -> Result<(), Wrong> {
        if self.end.is_some() {
            return Err(wrong(number, "comes after the end"));
        }
        match (line, &mut self.begun) {
            (Line::Header(header), None) => {
                let series = series(number, *header)?;
                if let Some(seed) = &self.seed
                    && seed.commitment() != series.header().commitment
                {
                    return Err(wrong(
                        number,
                        "commits to another seed than the last line reveals",
                    ));
                }
                self.totals = Totals::new(&series);
                self.dealing = self.seed.as_ref().map(|seed| series.dealing(seed));
                let progress = Progress::new(&series);
                self.begun = Some((series, progress));
                Ok(())
            }
            (Line::Header(_), Some(_)) => Err(wrong(number, "is a header again")),
            (_, None) => Err(wrong(number, "is not the header")),
            (Line::Game(game), Some((series, progress))) => {
                check_place(&game, progress, series)
                    .map_err(|problem| in_game(number, &game, problem))?;
                replayed.map_err(|discrepancy| in_game(number, &game, discrepancy))?;
                check_times(&game, series).map_err(|problem| in_game(number, &game, problem))?;
                let status = progress.add(series, &game);
                self.totals.add(&game, series);
                (self.each)(series, &game, status)
                    .map_err(|problem| in_game(number, &game, problem))
            }
            (Line::End(end), Some((series, progress))) => {
                check_end(&end, progress, series, &self.totals)
                    .map_err(|problem| wrong(number, problem))?;
                self.end = Some(end);
                Ok(())
            }
        }
    }

    /// What is wrong with a line whose digest says that it was changed.
    fn changed(&mut self, number: usize, line: Line) -> Wrong {
        let game = match &line {
            Line::Game(game) => Some(game.game),
            Line::Header(_) | Line::End(_) => None,
        };
        let replayed = derive::replayed(&line, self.grounds());
        match self.take(number, line, replayed) {
            Err(wrong) => Wrong {
                problem: format!("{} (the line was changed since it was written)", wrong.problem),
                ..wrong
            },
            Ok(()) => Wrong {
                line: number,
                game,
                problem: "was changed since it was written, in something that does not follow \
                          from the inputs: names, digests, times or standard error"
                    .to_owned(),
            },
        }
    }

    fn finish(self, head: Option<(usize, Digest)>, extent: &Extent) -> Result<Verified, Wrong> {
        let (Some((last, head)), Some((series, progress))) = (head, self.begun) else {
            return Err(wrong(1, "is missing: the log is empty"));
        };
        let has_end = self.end.is_some();
        let verified = |series: Series, progress: &Progress| {
            let players = series.header().players.iter().enumerate();
            let out = players.filter(|(place, _)| progress.out_after(*place).is_some());
            let out = out.map(|(_, player)| player.name.clone()).collect();
            Verified { games: progress.played(), totals: self.totals, series, head, has_end, out }
        };
        let Some(end) = self.end else {
            if *extent != Extent::Whole {
                return Ok(verified(series, &progress));
            }
            let why = if progress.is_void() { ", for the next one was void too often" } else { "" };
            let problem = format!(
                "is missing: the log stops after {} of {}{why}, without its end",
                progress.played(),
                counted(series.header().games, "game", "games")
            );
            return Err(wrong(last + 1, problem));
        };
        // Chance was derived from what was found at the end before anything was read.
        if end.seed != self.seed {
            return Err(wrong(last, "was not the last line when the seed was looked for"));
        }
        Ok(verified(series, &progress))
    }
}

pub(super) fn series(line: usize, header: Header) -> Result<Series, Wrong> {
    Series::new(header).map_err(|problem| wrong(line, problem))
}

/// Whether a game stands where it must, with the players on their seats.
pub(crate) fn check_place(
    game: &GameRecord,
    progress: &Progress,
    series: &Series,
) -> Result<(), String> {
    let Some(Place { game: number, attempt }) = progress.next() else {
        return Err(match progress.is_void() {
            true => "where the log had to stop: the game before was void too often".to_owned(),
            false => "where no game was left".to_owned(),
        });
    };
    let Seating { deal, players } = series.seating(number);
    if game.game != number || game.deal != deal {
        return Err(format!("where game {number} was expected"));
    }
    if game.attempt != attempt {
        return Err(format!("is attempt {} at it where {attempt} was expected", game.attempt));
    }
    for (place, name) in game.seats.iter().enumerate() {
        // That there are as many seats as there must be is for the replay to find.
        let Some(seat) = Seat::new(place).filter(|seat| players.has(*seat)) else { break };
        if series.header().players[players[seat]].name != *name {
            return Err(format!("seat {seat} is not {name}'s in this game"));
        }
    }
    Ok(())
}

/// Whether every answer that was in time has a time within its limit.
pub(crate) fn check_times(game: &GameRecord, series: &Series) -> Result<(), String> {
    let times = series.times(game.game);
    for (number, (answer, measured)) in game.answers().enumerate() {
        let limit = match times.has(answer.seat) {
            true => times[answer.seat],
            false => continue,
        };
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

/// Whether the last line of a log is the one that follows from its games.
pub(crate) fn check_end(
    end: &End,
    progress: &Progress,
    series: &Series,
    totals: &Totals,
) -> Result<(), String> {
    let (played, games) = (progress.played(), series.header().games);
    if end.games != played || !progress.is_over() {
        let games = counted(games, "game", "games");
        return Err(format!("ends after {played} of {games}, and says {}", end.games));
    }
    if end.seed.is_some() != series.reveals_seed() {
        return Err("must reveal the seed, and only that of a shard must not".to_owned());
    }
    if end.points != totals.points() {
        return Err("has other points than the games add up to".to_owned());
    }
    Ok(())
}

pub(super) fn wrong(line: usize, problem: impl fmt::Display) -> Wrong {
    Wrong { line, game: None, problem: problem.to_string() }
}

/// Something wrong with a game in a line.
pub(crate) fn in_game(line: usize, game: &GameRecord, problem: impl fmt::Display) -> Wrong {
    Wrong { line, game: Some(game.game), problem: problem.to_string() }
}
