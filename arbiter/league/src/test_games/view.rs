//! A test game as its participant sees it: all moves, and the answers of one bot with its standard error.

use std::fs;

use rules::PerSeat;
use rules::replay::replay;
use serde::Serialize;
use text::printable;

use crate::bot_games::{BotAnswer, answers_of_bot};
use crate::folder::LeagueFolder;
use crate::test_games::record::{TestGame, TestGameOutcome, TestGameStatus};
use contest::playing::match_text::result;
use record::fold::FoldedGame;
use record::{BadLog, Games, LogProblem};

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestGameView {
    /// The bots by their seats.
    pub seats: Vec<String>,
    /// The moves and the result as running text. All cards are in it, since the game is over.
    pub text: String,
    /// The answers of the participant's bot, in order.
    pub answers: Vec<BotAnswer>,
}

/// A test game for a program.
#[derive(Debug, Serialize)]
pub struct TestGameLine<'a> {
    /// Its number.
    pub number: u64,
    /// The time at which it was asked for, in seconds since 1970.
    pub at: i64,
    /// The bot.
    pub bot: String,
    /// The bots that it met.
    pub against: Vec<String>,
    /// Its state.
    pub state: TestGameStatus,
    /// Its place among those of its league that wait, from 1.
    pub place: Option<usize>,
    /// The reason why it was not played, if it is known.
    pub why: Option<&'a str>,
    /// The games, where they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<&'a [TestGameView]>,
}

/// Returns a test game in this state for a program.
pub fn line<'a>(
    game: &'a TestGame,
    state: TestGameStatus,
    place: Option<usize>,
    games: Option<&'a [TestGameView]>,
) -> TestGameLine<'a> {
    let TestGame { number, record, .. } = game;
    TestGameLine {
        number: *number,
        at: record.at,
        bot: record.bot.to_string(),
        against: record.against.iter().map(ToString::to_string).collect(),
        state,
        place,
        why: game.why(),
        games,
    }
}

/// Returns the games of a test game that are over.
///
/// # Errors
///
/// Fails if its log cannot be read, or does not fit the rules.
pub fn games(folder: &LeagueFolder, of: &TestGame) -> Result<Vec<TestGameView>, BadLog> {
    let path = of.log(folder);
    // A game that was cut off early has none, and one that did not start has one without a line.
    let has_begun = fs::metadata(&path).is_ok_and(|log| log.is_file() && log.len() > 0);
    if !has_begun || matches!(of.record.outcome, Some(TestGameOutcome::NotStarted(_))) {
        return Ok(Vec::new());
    }
    let mut log = Games::open(&path)?;
    let own = of.record.bot.to_string();
    let mut shown = Vec::new();
    while let Some(FoldedGame { line, game, status, .. }) = log.next_game()? {
        let names: Vec<String> = game.seats.iter().map(|name| printable(name)).collect();
        let names = PerSeat::from(names);
        let (mut text, mut from) = (String::new(), 0);
        let replayed = replay(log.series().setup(&game, None), &game, |referee| {
            text.push_str(&referee.narrate(from, &names));
            from = referee.history_len();
        });
        replayed.map_err(|discrepancy| LogProblem::game(line, &game, discrepancy))?;
        let mut last = Vec::new();
        result(&mut last, &game, status).map_err(BadLog::Unreadable)?;
        text.push_str(&String::from_utf8_lossy(&last));
        let answers = answers_of_bot(folder, log.series(), &game, |seat| seat == own);
        shown.push(TestGameView { seats: names.values().to_vec(), text, answers });
    }
    Ok(shown)
}
