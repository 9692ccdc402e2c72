//! Verification of a log: everything in it is derived again and compared.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use rules::replay::{Setup, replay};
use rules::text::printable;
use rules::{GameKind, GameRecord, Outcome, Resample, Seat, Seed, Visitor};

use crate::bot::is_player_name;
use crate::digest::Digest;
use crate::log::{BadLine, End, FORMAT, Header, Line, LogReader, PlayerLine, revealed_seed};
use crate::matches::player_at;
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
    let seed = revealed_seed(path)?;
    let mut fold = Fold { seed, header: None, games: 0, totals: Totals::new(&[]), end: None };
    let mut reader = LogReader::open(path)?;
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
pub struct Games {
    reader: LogReader<BufReader<File>>,
    kind: GameKind,
    header: Header,
    /// The number of the game that comes next.
    next: u64,
}

impl Games {
    /// Opens a log and reads its header.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read or does not begin with a header.
    pub fn open(path: &Path) -> Result<Games, NotVerified> {
        let mut reader = LogReader::open(path)?;
        let read = reader.next_line().map_err(|bad| wrong(1, bad))?;
        match read.map(|read| read.line) {
            Some(Line::Header(header)) => {
                let kind = check_header(1, &header)?;
                Ok(Games { reader, kind, header, next: 0 })
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
    pub fn setup(&self) -> Setup<'_> {
        setup(self.kind, &self.header, None)
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
                self.next += 1;
                Ok(Some((number, *game)))
            }
            Some((number, Line::Header(_))) => Err(wrong(number, "is a header again").into()),
            Some((_, Line::End(_))) | None => Ok(None),
        }
    }
}

fn setup<'a>(kind: GameKind, header: &'a Header, seed: Option<&'a Seed>) -> Setup<'a> {
    Setup { kind, options: &header.options, time: header.limits.time_ms, seed }
}

/// What has been read of a log so far.
struct Fold {
    seed: Option<Seed>,
    header: Option<(GameKind, Header)>,
    games: u64,
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
                let names: Vec<String> =
                    header.players.iter().map(|player| player.name.clone()).collect();
                self.totals = Totals::new(&names);
                self.header = Some((kind, header));
                Ok(())
            }
            (Line::Header(_), Some(_)) => Err(wrong(number, "is a header again")),
            (_, None) => Err(wrong(number, "is not the header")),
            (Line::Game(game), Some((kind, header))) => {
                let setup = setup(*kind, header, self.seed.as_ref());
                check_place(&game, self.games, header)
                    .map_err(|problem| in_game(number, &game, problem))?;
                replay(setup, &game, |_| {})
                    .map_err(|discrepancy| in_game(number, &game, discrepancy))?;
                if let Outcome::Void { reason } = &game.result {
                    return Err(in_game(number, &game, format!("is void: {reason}")));
                }
                self.games += 1;
                self.totals.add(&game);
                Ok(())
            }
            (Line::End(end), Some((_, header))) => {
                if end.games != self.games || header.games != self.games {
                    let problem = format!(
                        "ends after {} of {} games, and says {}",
                        self.games, header.games, end.games
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
            let problem = format!(
                "is missing: the log stops after {} of {} games, without its end",
                self.games, header.games
            );
            return Err(wrong(last + 1, problem));
        }
        Ok(Verified { header, games: self.games, totals: self.totals, head })
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
    let seats = kind.visit(SeatsOf(options));
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

/// How many seats a game has with these options.
struct SeatsOf<'a>(&'a str);

impl Visitor for SeatsOf<'_> {
    type Output = usize;

    fn visit<G: Resample>(self) -> usize {
        self.0.parse().map_or(0, |options| G::new(&options).seats())
    }
}

/// Whether a game stands where it must, with the players on their seats.
fn check_place(game: &GameRecord, expected: u64, header: &Header) -> Result<(), String> {
    if game.game != expected || game.deal != expected {
        return Err(format!("where game {expected} was expected"));
    }
    for (place, name) in game.seats.iter().enumerate() {
        let seat = Seat::new(place).ok_or("has too many seats")?;
        let player = header.players.get(player_at(expected, seat, header.players.len()));
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
