//! The games, answers and faults of one bot, with what only its author may see: its standard error.

use std::io::{self, Write};

use jiff::Timestamp;
use rules::{GameRecord, Notes, Seat, Verdict};
use serde::Serialize;

use crate::BotVersion;
use crate::folder::{LeagueError, LeagueFolder};
use crate::index::{ForfeitedGame, GameSeat, IndexError, LeagueIndex, RoundGame};
use crate::state::League;
use bot::advice::FaultSymptoms;
use bot::sandboxed::hint_for_author;
use contest::tournament::folder as tournament_folder;
use record::checked_log::CheckedGame;
use record::{GameReader, LogFile, LogFileError};
use series::Series;
use standings::Entrant;
use text::failure::Failure;
use text::shell;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BotGame {
    pub bot: BotVersion,
    #[serde(flatten)]
    pub own: GameSeat,
    /// The other bots at the table, in the order of their seats.
    pub others: Vec<BotVersion>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BotAnswer {
    /// Its output, as far as it was kept.
    pub printed: String,
    pub verdict: Verdict,
    /// Details of a fault, in one line; may be empty.
    pub detail: String,
    /// Time in milliseconds.
    pub ms: f64,
    /// Standard error, as far as it was kept.
    pub stderr: String,
    /// Advice after a fault that looks like a common one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    pub bot: BotVersion,
    /// The number of the round, from 0.
    pub round: u64,
    /// The number of the game in it, from 0.
    pub game: u64,
    pub verdict: Verdict,
    /// True if the machine may have caused it.
    #[serde(rename = "suspect")]
    pub is_suspect: bool,
    /// Details in one line; may be empty.
    pub detail: String,
    /// The kept part of its output.
    pub printed: String,
    /// The kept part of its standard error.
    pub stderr: String,
}

/// Returns the first game that the author of a bot may not see yet, if pages show the league as it was at this time.
fn first_hidden(
    folder: &LeagueFolder,
    frozen: Option<Timestamp>,
) -> Result<RoundGame, LeagueError> {
    let shown = folder.read_as_of(frozen)?;
    let over = shown.rounds().iter().filter(|round| round.over.is_some());
    let round = over.map(|round| round.line.round + 1).max().unwrap_or_default();
    Ok(RoundGame { round, game: 0 })
}

/// Returns true if pages stand still, and the author of a bot may not see this game yet.
///
/// # Errors
///
/// [`LeagueError`] if the league cannot be read.
pub fn is_frozen(
    folder: &LeagueFolder,
    frozen: Option<Timestamp>,
    game: RoundGame,
) -> Result<bool, LeagueError> {
    Ok(frozen.is_some() && game >= first_hidden(folder, frozen)?)
}

/// Returns games in finished rounds in which any version of a bot played, before one game, the last ones first; at most
/// this number.
///
/// # Errors
///
/// Fails if the league or its index cannot be read.
pub fn games(
    folder: &LeagueFolder,
    frozen: Option<Timestamp>,
    name: &str,
    before: Option<RoundGame>,
    most: usize,
) -> Result<Vec<BotGame>, Failure> {
    let hidden = first_hidden(folder, frozen)?;
    let before = before.map_or(hidden, |before| before.min(hidden));
    let league = folder.read()?;
    let index = LeagueIndex::open_checked(&league, folder)?;
    let own: Vec<Entrant> = entrants(&league, |bot| bot.bot == name);
    let seats = index.seats(&own, Some(before), most).map_err(IndexError::from)?;
    let mut games = Vec::new();
    for own in seats {
        let round = league.rounds().iter().find(|round| round.line.round == own.game.round);
        let bots = round.map_or(&[][..], |round| &round.line.bots);
        let entrants: Vec<Entrant> = bots.iter().filter_map(|bot| league.entrant(bot)).collect();
        let seats = index.seats_of(own.game, &entrants).map_err(IndexError::from)?;
        let version = |bot: Entrant| Some(league.members().get(bot.0)?.entry.bot.clone());
        let others = seats.iter().filter(|seat| seat.bot != own.bot);
        let others = others.filter_map(|seat| version(seat.bot)).collect();
        let Some(bot) = version(own.bot) else { continue };
        games.push(BotGame { bot, own, others });
    }
    Ok(games)
}

/// Returns the answers of a bot in a game of a finished round, in order; none if it did not play there.
///
/// # Errors
///
/// Fails if the log of the round cannot be read.
pub fn answers(
    folder: &LeagueFolder,
    frozen: Option<Timestamp>,
    name: &str,
    of: RoundGame,
) -> Result<Option<Vec<BotAnswer>>, Failure> {
    if of >= first_hidden(folder, frozen)? {
        return Ok(None);
    }
    let unread = |problem| unread_round(of.round, &problem);
    let Some(mut log) = open_log(folder, of.round).map_err(unread)? else { return Ok(None) };
    let found = find_game(&mut log, of.game).map_err(unread)?;
    let Some(CheckedGame { game, .. }) = found else { return Ok(None) };
    let is_own = |seat: &str| seat.parse().is_ok_and(|it: BotVersion| it.bot == name);
    if !game.seats.iter().any(|seat| is_own(seat)) {
        return Ok(None);
    }
    Ok(Some(answers_of_bot(folder, log.series(), &game, is_own)))
}

/// Returns the answers in a game at the seats of these names, in order.
pub(crate) fn answers_of_bot(
    folder: &LeagueFolder,
    series: &Series,
    game: &GameRecord,
    is_own: impl Fn(&str) -> bool,
) -> Vec<BotAnswer> {
    let players = series.players(game.game);
    let own = game.answers().filter_map(|(answer, measured)| {
        let seat = game.seats.get(answer.seat.index()).filter(|seat| is_own(seat))?;
        Some(BotAnswer {
            printed: answer.reply.to_string(),
            verdict: answer.verdict,
            detail: for_author(folder, seat, &answer.detail),
            ms: measured.ms,
            stderr: for_author(folder, seat, &String::from_utf8_lossy(measured.stderr.bytes())),
            hint: hint_for_author(
                series.header().barriers(players[answer.seat]),
                FaultSymptoms::in_record(answer, answer.cause().as_ref(), measured),
            ),
        })
    });
    own.collect()
}

/// Returns the last games that a bot forfeited in finished rounds, over all of its versions, the last one first;
/// at most this number.
pub fn faults(
    folder: &LeagueFolder,
    frozen: Option<Timestamp>,
    name: &str,
    most: usize,
) -> Result<Vec<FaultReport>, Failure> {
    let before = first_hidden(folder, frozen)?;
    let league = folder.read()?;
    let index = LeagueIndex::open_checked(&league, folder)?;
    let mut found: Vec<(BotVersion, ForfeitedGame)> = Vec::new();
    for (place, member) in league.members().iter().enumerate().rev() {
        let bot = &member.entry.bot;
        if bot.bot == name && found.len() < most {
            let faults = index.faults(Entrant(place), Some(before), most - found.len());
            let faults = faults.map_err(IndexError::from)?;
            found.extend(faults.into_iter().map(|fault| (bot.clone(), fault)));
        }
    }
    let mut told = Vec::new();
    for (bot, fault) in found {
        let told_fault = read_fault(folder, bot, fault);
        told.extend(told_fault.map_err(|problem| unread_round(fault.game.round, &problem))?);
    }
    Ok(told)
}

/// The private texts of a bot in one game.
#[derive(Debug, Serialize)]
struct BotStderr<'a> {
    bot: &'a str,
    round: u64,
    game: u64,
    attempt: u32,
    texts: Vec<AnswerStderr>,
}

/// The standard error of a bot during one answer.
#[derive(Debug, Serialize)]
struct AnswerStderr {
    /// The number of the answer among those of the bot, from 0.
    answer: usize,
    stderr: String,
    /// The number of bytes that were not kept.
    #[serde(skip_serializing_if = "is_zero")]
    dropped: u64,
    #[serde(skip_serializing_if = "Notes::is_empty")]
    notes: Notes,
}

/// Writes what all versions of a bot wrote to standard error in finished rounds, from one round on: a line of JSON for
/// each game in which they wrote something.
///
/// # Errors
///
/// Fails if a log cannot be read, or the texts cannot be written.
pub fn write_texts(
    folder: &LeagueFolder,
    frozen: Option<Timestamp>,
    name: &str,
    from: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let unread = |round: u64| move |bad| io::Error::other(unread_round(round, &bad));
    let league = folder.read_as_of(frozen).map_err(io::Error::other)?;
    let is_own = |bot: &BotVersion| bot.bot == name;
    let rounds = league.rounds().iter().filter(|it| it.over.is_some() && it.line.round >= from);
    for round in rounds.filter(|it| it.line.bots.iter().any(is_own)) {
        let round = round.line.round;
        let Some(mut log) = open_log(folder, round).map_err(unread(round))? else { continue };
        while let Some(CheckedGame { game, .. }) = log.next_game().map_err(unread(round))? {
            let own = game.seats.iter().position(|seat| seat.parse().is_ok_and(|it| is_own(&it)));
            let Some(seat) = own else { continue };
            let bot = &game.seats[seat];
            let answers = game.answers().filter(|(answer, _)| answer.seat.index() == seat);
            let texts = answers.enumerate().filter_map(|(answer, (_, measured))| {
                let stderr = measured.stderr.bytes();
                (!stderr.is_empty()).then(|| AnswerStderr {
                    answer,
                    stderr: for_author(folder, bot, &String::from_utf8_lossy(stderr)),
                    dropped: measured.stderr_dropped,
                    notes: measured.notes(),
                })
            });
            let texts: Vec<AnswerStderr> = texts.collect();
            if !texts.is_empty() {
                let (game, attempt) = (game.game, game.attempt);
                serde_json::to_writer(&mut *out, &BotStderr { bot, round, game, attempt, texts })?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}

fn unread_round(round: u64, problem: &LogFileError) -> Failure {
    Failure::Ours(format!("the log of round {round}: {problem}"))
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Reads a fault in the log of its round; none if it is not there.
fn read_fault(
    folder: &LeagueFolder,
    bot: BotVersion,
    fault: ForfeitedGame,
) -> Result<Option<FaultReport>, LogFileError> {
    let Some(seat) = Seat::new(fault.seat) else { return Ok(None) };
    let (round, number) = (fault.game.round, fault.game.game);
    let Some(mut log) = open_log(folder, round)? else { return Ok(None) };
    let Some(CheckedGame { game, .. }) = find_game(&mut log, number)? else { return Ok(None) };
    let version = bot.to_string();
    Ok(game.fault_of(seat).map(|(answer, measured)| FaultReport {
        bot,
        round,
        game: number,
        verdict: answer.verdict,
        is_suspect: fault.is_suspect,
        detail: for_author(folder, &version, &answer.detail),
        printed: answer.reply.to_string(),
        stderr: for_author(folder, &version, &String::from_utf8_lossy(measured.stderr.bytes())),
    }))
}

/// What the author of a version may read of a text that it has caused: nothing of the places of this machine.
pub fn for_author(folder: &LeagueFolder, version: &str, text: &str) -> String {
    let copy = version.parse().map(|version| folder.path().join(LeagueFolder::bot(&version)));
    shell::for_author(text, copy.as_deref().unwrap_or(folder.path()))
}

fn entrants(league: &League, is_it: impl Fn(&BotVersion) -> bool) -> Vec<Entrant> {
    let members = league.members().iter().enumerate();
    members.filter(|(_, it)| is_it(&it.entry.bot)).map(|(place, _)| Entrant(place)).collect()
}

/// Opens the log of a round; none if no game of it was played.
///
/// # Errors
///
/// Fails if the log cannot be read.
pub fn open_log(
    folder: &LeagueFolder,
    round: u64,
) -> Result<Option<GameReader<LogFile>>, LogFileError> {
    let path = tournament_folder::games(&folder.round(round));
    match path.is_file() {
        true => GameReader::open(&path).map(Some),
        false => Ok(None),
    }
}

/// Reads on to the game of this number, and returns its last attempt; none if it is not there.
///
/// # Errors
///
/// Fails if the log cannot be read.
pub fn find_game(
    log: &mut GameReader<LogFile>,
    number: u64,
) -> Result<Option<CheckedGame<()>>, LogFileError> {
    let mut found = None;
    while let Some(folded) = log.next_game()? {
        if folded.game.game > number {
            break;
        }
        if folded.game.game == number {
            found = Some(folded);
        }
    }
    Ok(found)
}
