//! Test games on the disk: a folder for each, `test-games/NAME/N`, with a record and a log.

use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, fs, io};

use crate::quotas::MOST_TEST_GAMES;
use bot::is_name;
use sandbox::{file, new_file};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::BotVersion;
use crate::bot_games::{BotAnswer, answers_of_bot};
use crate::folder::LeagueFolder;
use crate::submissions::{names, numbers};
use contest::playing::match_text::result;
use contest::tournament::folder::{Lock, LockError};
use record::checked_log::CheckedGame;
use record::{GameReader, LogFileError, LogProblem};
use rules::PerSeat;
use rules::replay::replay;
use text::printable;

/// Folder with a folder for each participant.
const TEST_GAMES: &str = "test-games";
const RECORD: &str = "test-game.json";
const LOG: &str = "games.jsonl";
/// Lock that is held while the games are played.
const PLAYING: &str = "playing";
/// Longest record that is read, in bytes.
const LONGEST: u64 = 64 << 10;
/// Seconds of a day, for which a test game counts.
pub(crate) const DAY: i64 = 24 * 60 * 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestGame {
    /// The participant, who is the author of the bot.
    pub participant: String,
    /// Its number among those of the participant, from 1.
    pub number: u64,
    pub record: TestGameRecord,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestGameRecord {
    /// The time at which it was asked for, in seconds since 1970.
    pub at: i64,
    /// The time at which it began to be played; none before, and in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<i64>,
    /// Tells on whose wish it was played.
    pub by: TestGameRequester,
    pub bot: BotVersion,
    pub against: Vec<BotVersion>,
    /// Its outcome, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TestGameOutcome>,
}

/// Tells on whose wish a test game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestGameRequester {
    Participant,
    /// The organiser of the league, who has no quota.
    Organiser,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TestGameOutcome {
    Over,
    /// It was cut off, because it took too long.
    TooLong,
    /// A bot could not be started, for this reason.
    NotStarted(String),
    /// The server failed at it. Only the organiser learns the reason.
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestGameStatus {
    Waiting,
    Playing,
    Over,
    /// It was cut off, because it took too long.
    TooLong,
    /// A bot could not be started.
    NotStarted,
    Failed,
    /// The server ended while it was played.
    CutOff,
}

impl fmt::Display for TestGameStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TestGameStatus::Waiting => "queued",
            TestGameStatus::Playing => "running",
            TestGameStatus::Over => "finished",
            TestGameStatus::TooLong => "aborted: time limit",
            TestGameStatus::NotStarted => "not played: a bot did not start",
            TestGameStatus::Failed => "not played: server error",
            TestGameStatus::CutOff => "aborted: server stopped",
        })
    }
}

impl TestGame {
    pub fn standing(&self, folder: &LeagueFolder) -> TestGameStatus {
        match &self.record.outcome {
            Some(TestGameOutcome::Over) => TestGameStatus::Over,
            Some(TestGameOutcome::TooLong) => TestGameStatus::TooLong,
            Some(TestGameOutcome::NotStarted(_)) => TestGameStatus::NotStarted,
            Some(TestGameOutcome::Failed) => TestGameStatus::Failed,
            None if Lock::is_held(&self.place(folder).join(PLAYING)) => match self.record.begun {
                Some(_) => TestGameStatus::Playing,
                None => TestGameStatus::Waiting,
            },
            // It may have ended between the two looks.
            None => match find(folder, &self.participant, self.number) {
                Some(now) if now.record.outcome.is_some() => now.standing(folder),
                _ => TestGameStatus::CutOff,
            },
        }
    }

    /// Returns the reason why it was not played, if its participant may know it.
    pub fn why(&self) -> Option<&str> {
        match &self.record.outcome {
            Some(TestGameOutcome::NotStarted(why)) => Some(why),
            _ => None,
        }
    }

    pub fn log(&self, folder: &LeagueFolder) -> PathBuf {
        self.place(folder).join(LOG)
    }

    /// Returns true if it counts for the quota of its participant at this time: failures of the server do not, nor
    /// games that did not start, since the other bot may be to blame.
    pub(crate) fn counts(&self, folder: &LeagueFolder, now: i64) -> bool {
        if now.saturating_sub(self.record.at) >= DAY {
            return false;
        }
        let is_own = self.record.by == TestGameRequester::Participant;
        let standing = self.standing(folder);
        is_own
            && matches!(
                standing,
                TestGameStatus::Waiting
                    | TestGameStatus::Playing
                    | TestGameStatus::Over
                    | TestGameStatus::TooLong
            )
    }

    /// Writes that it is being played.
    pub(crate) fn begin(&mut self, folder: &LeagueFolder, now: i64) -> io::Result<()> {
        self.record.begun = Some(now);
        self.write(folder)
    }

    /// Writes its outcome; without one it was cut off.
    pub(crate) fn end(
        &mut self,
        folder: &LeagueFolder,
        outcome: Option<TestGameOutcome>,
    ) -> io::Result<()> {
        self.record.outcome = outcome;
        self.write(folder)
    }

    fn write(&self, folder: &LeagueFolder) -> io::Result<()> {
        let text = serde_json::to_string(&self.record)?;
        new_file::replace(&self.place(folder).join(RECORD), text.as_bytes())
    }

    fn place(&self, folder: &LeagueFolder) -> PathBuf {
        of_participant(folder, &self.participant).join(self.number.to_string())
    }
}

/// Keeps a new test game, and removes the oldest ones of its participant beyond the number that is kept. It waits or is
/// being played as long as the lock is held. Only one program at a time may keep one.
pub(crate) fn keep(folder: &LeagueFolder, record: TestGameRecord) -> io::Result<(TestGame, Lock)> {
    let participant = record.bot.bot.clone();
    let all = numbers(&of_participant(folder, &participant))?;
    let number = all.last().map_or(1, |last| last.saturating_add(1));
    let game = TestGame { participant, number, record };
    let place = game.place(folder);
    // The folder is private: it holds standard error of all bots.
    file::private_folder().recursive(true).create(&place)?;
    let lock =
        Lock::take(&place.join(PLAYING), Duration::ZERO).map_err(|problem| match problem {
            LockError::Held => io::Error::other("it is already running"),
            LockError::Unopened(error) | LockError::Refused(error) => error,
        })?;
    // With this file it is a test game, so it comes last.
    game.write(folder)?;
    for old in all.iter().rev().skip(MOST_TEST_GAMES - 1) {
        // One that counts stays, or many that do not would push it out of the quota.
        let old_game = find(folder, &game.participant, *old);
        if old_game.is_some_and(|old| old.counts(folder, game.record.at)) {
            continue;
        }
        // Any rest is removed the next time.
        let _ = fs::remove_dir_all(of_participant(folder, &game.participant).join(old.to_string()));
    }
    Ok((game, lock))
}

/// Removes what a killed program has left of test games. No program may begin one meanwhile.
///
/// # Errors
///
/// Fails if the folders cannot be read.
pub(crate) fn remove_leftovers(folder: &LeagueFolder) -> io::Result<()> {
    for participant in names(&folder.path().join(TEST_GAMES))?.into_iter().filter(|it| is_name(it))
    {
        let own = of_participant(folder, &participant);
        for number in numbers(&own)? {
            let place = own.join(number.to_string());
            match fs::symlink_metadata(place.join(RECORD)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::remove_dir_all(&place)?;
                }
                _ => new_file::remove_dead(&place),
            }
        }
    }
    Ok(())
}

/// Removes all test games in which a bot of this name has played, since their logs have its standard error, and returns
/// their number.
pub(crate) fn forget(folder: &LeagueFolder, name: &str) -> io::Result<usize> {
    let mut removed = 0;
    for participant in names(&folder.path().join(TEST_GAMES))? {
        for game in by_participant(folder, &participant)? {
            if participant == name || game.record.against.iter().any(|bot| bot.bot == name) {
                fs::remove_dir_all(game.place(folder))?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

/// Returns the test games of a participant, the first one first. Unreadable ones are left out.
///
/// # Errors
///
/// Fails if the folder cannot be read.
pub fn by_participant(folder: &LeagueFolder, participant: &str) -> io::Result<Vec<TestGame>> {
    if !is_name(participant) {
        return Ok(Vec::new());
    }
    let numbers = numbers(&of_participant(folder, participant))?;
    Ok(numbers.into_iter().filter_map(|number| find(folder, participant, number)).collect())
}

/// Returns one test game of a participant, if it can be read.
pub fn find(folder: &LeagueFolder, participant: &str, number: u64) -> Option<TestGame> {
    if !is_name(participant) {
        return None;
    }
    let place = of_participant(folder, participant).join(number.to_string());
    let text = file::text(&place.join(RECORD), LONGEST).ok()?;
    let record = serde_json::from_str(&text).ok()?;
    Some(TestGame { participant: participant.to_owned(), number, record })
}

fn of_participant(folder: &LeagueFolder, participant: &str) -> PathBuf {
    folder.path().join(TEST_GAMES).join(participant)
}

/// A test game as its participant sees it: all moves, and the answers of one bot with its standard error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestGameView {
    pub seats: Vec<String>,
    /// The moves and the result as running text. All cards are in it, since the game is over.
    pub text: String,
    /// The answers of the participant's bot, in order.
    pub answers: Vec<BotAnswer>,
}

/// Returns a test game in this state for a program: with its place among those of its league that wait, from 1, and its
/// games where they are asked for.
pub fn line(
    game: &TestGame,
    state: TestGameStatus,
    place: Option<usize>,
    games: Option<&[TestGameView]>,
) -> Value {
    let TestGame { number, record, .. } = game;
    let TestGameRecord { at, bot, against, .. } = record;
    let mut told = json!({
        "number": number,
        "at": at,
        "bot": bot,
        "against": against,
        "state": state,
        "place": place,
        "why": game.why(),
    });
    if let Some(games) = games {
        told["games"] = json!(games);
    }
    told
}

/// Returns the games of a test game that are over.
///
/// # Errors
///
/// Fails if its log cannot be read, or does not fit the rules.
pub fn games(folder: &LeagueFolder, of: &TestGame) -> Result<Vec<TestGameView>, LogFileError> {
    let path = of.log(folder);
    // A game that was cut off early has none, and one that did not start has one without a line.
    let has_begun = fs::metadata(&path).is_ok_and(|log| log.is_file() && log.len() > 0);
    if !has_begun || matches!(of.record.outcome, Some(TestGameOutcome::NotStarted(_))) {
        return Ok(Vec::new());
    }
    let mut log = GameReader::open(&path)?;
    let own = of.record.bot.to_string();
    let mut shown = Vec::new();
    while let Some(CheckedGame { line, game, status, .. }) = log.next_game()? {
        let names: Vec<String> = game.seats.iter().map(|name| printable(name)).collect();
        let names = PerSeat::from(names);
        let (mut text, mut from) = (String::new(), 0);
        let replayed = replay(log.series().setup(&game, None), &game, |referee| {
            text.push_str(&referee.narrate(from, &names));
            from = referee.history_len();
        });
        replayed.map_err(|discrepancy| LogProblem::game(line, &game, discrepancy))?;
        let mut last = Vec::new();
        result(&mut last, &game, status).map_err(LogFileError::Unreadable)?;
        text.push_str(&String::from_utf8_lossy(&last));
        let answers = answers_of_bot(folder, log.series(), &game, |seat| seat == own);
        shown.push(TestGameView { seats: names.values().to_vec(), text, answers });
    }
    Ok(shown)
}
