//! Verification of a log: everything in it is derived again and compared.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, Seek};
use std::path::Path;

use rules::replay::{Setup, replay};
use rules::text::printable;
use rules::{GameKind, GameRecord, Seat, Seed};

use crate::bot::is_player_name;
use crate::digest::Digest;
use crate::fate::{Fate, fate};
use crate::log::{
    self, BadLine, End, FORMAT, Header, Line, LogReader, PlayerLine, Source, revealed_seed,
};
use crate::totals::Totals;

/// A log in which everything follows from its inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// How the match was set up.
    pub header: Header,
    /// How many games it holds.
    pub games: u64,
    /// What they add up to.
    pub totals: Totals,
    /// The digest of the last line, which stands for the whole log.
    pub head: Digest,
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
    #[error("cannot be opened: {0}")]
    Unreadable(#[from] io::Error),
    /// Something in it is wrong.
    #[error(transparent)]
    Wrong(#[from] Wrong),
}

/// Verifies a log from its first line to its last.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify(path: &Path) -> Result<Verified, NotVerified> {
    verify_from(log::open(path)?)
}

/// Verifies a log from wherever it lies.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify_from(mut source: impl BufRead + Seek) -> Result<Verified, NotVerified> {
    let seed = revealed_seed(&mut source)?;
    let next = Place::default();
    let mut fold = Fold { seed, header: None, next, totals: Totals::default(), end: None };
    let mut reader = LogReader::new(source);
    let mut head = None;
    loop {
        match reader.next_line() {
            Ok(None) => break,
            Ok(Some(read)) => {
                head = Some((read.number, read.digest));
                fold.take(read.number, read.line)?;
            }
            Err(BadLine::Changed { line: Some(line), .. }) => {
                return Err(fold.changed(reader.number(), *line).into());
            }
            Err(bad) => return Err(wrong(reader.number(), bad).into()),
        }
    }
    Ok(fold.finish(head)?)
}

/// The games of a log, one after the other, not derived again yet.
#[derive(Debug)]
pub struct Games<R = Source> {
    reader: LogReader<R>,
    kind: GameKind,
    header: Header,
    next: Place,
}

impl Games<Source> {
    /// Opens a log and reads its header.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read or does not begin with a header.
    pub fn open(path: &Path) -> Result<Self, NotVerified> {
        Games::new(log::open(path)?)
    }
}

impl<R: BufRead> Games<R> {
    /// Reads the header of a log from wherever it lies.
    ///
    /// # Errors
    ///
    /// Fails where it does not begin with a header.
    pub fn new(source: R) -> Result<Self, NotVerified> {
        let mut reader = LogReader::new(source);
        let read = reader.next_line().map_err(|bad| wrong(1, bad))?;
        match read.map(|read| read.line) {
            Some(Line::Header(header)) => {
                let kind = check_header(1, &header)?;
                Ok(Games { reader, kind, header, next: Place::default() })
            }
            Some(_) => Err(wrong(1, "is not the header").into()),
            None => Err(wrong(1, "is missing: the log is empty").into()),
        }
    }

    /// How the match was set up.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What a replay of one of the games needs to know.
    pub fn setup(&self, game: &GameRecord) -> Setup<'_> {
        setup(self.kind, &self.header, game, None)
    }

    /// The next game with the number of its line, in its place and with the players on their
    /// seats; nothing after the last one.
    ///
    /// # Errors
    ///
    /// Fails at a line that is not where it must be or was changed.
    pub fn next_game(&mut self) -> Result<Option<(usize, GameRecord)>, NotVerified> {
        let read = self.reader.next_line().map_err(|bad| wrong(self.reader.number(), bad))?;
        match read.map(|read| (read.number, read.line)) {
            Some((number, Line::Game(game))) => {
                check_place(&game, self.next, &self.header)
                    .map_err(|problem| in_game(number, &game, problem))?;
                self.next = self.next.after(&game, &self.header);
                Ok(Some((number, *game)))
            }
            Some((number, Line::Header(_))) => Err(wrong(number, "is a header again").into()),
            Some((_, Line::End(_))) | None => Ok(None),
        }
    }
}

fn setup<'a>(
    kind: GameKind,
    header: &'a Header,
    game: &GameRecord,
    seed: Option<&'a Seed>,
) -> Setup<'a> {
    let (times, dialects) = (header.times(game.game), header.dialects(game.game));
    Setup { kind, options: &header.options, times, dialects, retries: header.retries, seed }
}

/// What the next game in a log must be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    /// Its number, from 0.
    game: u64,
    /// How often it stands in the log already.
    attempt: u32,
    /// Whether the log must end here, because nothing could be played any more.
    stopped: bool,
}

impl Place {
    /// What comes after a game that stands in its place.
    fn after(self, game: &GameRecord, header: &Header) -> Place {
        match fate(game, header) {
            Fate::Counts => Place { game: self.game.saturating_add(1), ..Place::default() },
            Fate::Again => Place { attempt: self.attempt.saturating_add(1), ..self },
            Fate::Stops => Place { stopped: true, ..self },
        }
    }
}

/// What has been read of a log so far.
struct Fold {
    seed: Option<Seed>,
    header: Option<(GameKind, Header)>,
    next: Place,
    totals: Totals,
    end: Option<End>,
}

impl Fold {
    fn take(&mut self, number: usize, line: Line) -> Result<(), Wrong> {
        if self.end.is_some() {
            return Err(wrong(number, "comes after the end"));
        }
        match (line, &self.header) {
            (Line::Header(header), None) => {
                let kind = check_header(number, &header)?;
                if let Some(seed) = &self.seed
                    && Digest::commitment(seed) != header.commitment
                {
                    return Err(wrong(
                        number,
                        "commits to another seed than the last line reveals",
                    ));
                }
                self.totals = Totals::new(&header);
                self.header = Some((kind, header));
                Ok(())
            }
            (Line::Header(_), Some(_)) => Err(wrong(number, "is a header again")),
            (_, None) => Err(wrong(number, "is not the header")),
            (Line::Game(game), Some((kind, header))) => {
                let setup = setup(*kind, header, &game, self.seed.as_ref());
                check_place(&game, self.next, header)
                    .map_err(|problem| in_game(number, &game, problem))?;
                replay(setup, &game, |_| {})
                    .map_err(|discrepancy| in_game(number, &game, discrepancy))?;
                self.next = self.next.after(&game, header);
                self.totals.add(&game, header);
                Ok(())
            }
            (Line::End(end), Some((_, header))) => {
                let played = self.next.game;
                if end.games != played || header.games != played || self.next.attempt != 0 {
                    let problem = format!(
                        "ends after {played} of {} games, and says {}",
                        header.games, end.games
                    );
                    return Err(wrong(number, problem));
                }
                if end.points != self.totals.points() {
                    return Err(wrong(number, "has other points than the games add up to"));
                }
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
        match self.take(number, line) {
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

    fn finish(self, head: Option<(usize, Digest)>) -> Result<Verified, Wrong> {
        let (Some((last, head)), Some((_, header))) = (head, self.header) else {
            return Err(wrong(1, "is missing: the log is empty"));
        };
        if self.end.is_none() {
            let why = if self.next.stopped { ", for the next one was void too often" } else { "" };
            let problem = format!(
                "is missing: the log stops after {} of {} games{why}, without its end",
                self.next.game, header.games
            );
            return Err(wrong(last + 1, problem));
        }
        Ok(Verified { header, games: self.next.game, totals: self.totals, head })
    }
}

fn check_header(number: usize, header: &Header) -> Result<GameKind, Wrong> {
    if header.format != FORMAT {
        let problem = format!("has format {}, expected {FORMAT}", header.format);
        return Err(wrong(number, problem));
    }
    let kind: GameKind =
        header.game.parse().map_err(|error| wrong(number, format!("names a game: {error}")))?;
    check_options(kind, header).map_err(|problem| wrong(number, problem))?;
    check_names(header).map_err(|problem| wrong(number, problem))?;
    Ok(kind)
}

/// Whether the options are spelt as they are written, for as many seats as there are players.
fn check_options(kind: GameKind, header: &Header) -> Result<(), String> {
    let (options, players) = (&header.options, header.players.len());
    let expected = kind.check_options(options).map_err(|error| format!("has options: {error}"))?;
    if *options != expected {
        return Err(format!("has options `{options}`, which are spelt `{expected}`"));
    }
    let seats = kind.seats(options).map_err(|error| format!("has options: {error}"))?;
    if players != seats {
        return Err(format!("has {players} players for {seats} seats"));
    }
    Ok(())
}

/// Whether every player has a name, and no two the same.
fn check_names(header: &Header) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for PlayerLine { name, .. } in &header.players {
        let shown: String = name.chars().take(40).collect();
        if !is_player_name(name) {
            return Err(format!("has a player called `{}`, which is no name", printable(&shown)));
        }
        if !seen.insert(name) {
            return Err(format!("has two players called `{shown}`"));
        }
    }
    Ok(())
}

/// Whether a game stands where it must, with the players on their seats.
fn check_place(game: &GameRecord, expected: Place, header: &Header) -> Result<(), String> {
    let Place { game: number, attempt, stopped } = expected;
    if stopped {
        return Err(format!("where the log had to stop: game {number} was void too often"));
    }
    if game.game != number || game.deal != number {
        return Err(format!("where game {number} was expected"));
    }
    if game.attempt != attempt {
        return Err(format!("is attempt {} at it where {attempt} was expected", game.attempt));
    }
    for (place, name) in game.seats.iter().enumerate() {
        let seat = Seat::new(place).ok_or("has too many seats")?;
        let player = header.player_at(number, seat);
        if player.is_none_or(|player| player.name != *name) {
            return Err(format!("seat {seat} is not {name}'s in this game"));
        }
    }
    Ok(())
}

fn wrong(line: usize, problem: impl fmt::Display) -> Wrong {
    Wrong { line, game: None, problem: problem.to_string() }
}

/// Something wrong with a game in a line.
pub(crate) fn in_game(line: usize, game: &GameRecord, problem: impl fmt::Display) -> Wrong {
    Wrong { line, game: Some(game.game), problem: problem.to_string() }
}
