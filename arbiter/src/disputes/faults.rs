//! The answers of a log that were not ok.

use std::path::Path;

use rules::{GameRecord, Input, Verdict};
use text::printable;

use crate::disputes::logged_game::{self, GameOfLog, LoggedGame, failure};
use contest::tournament::folder::shown;
use text::counted;
use text::failure::Failure;
use text::terminal::say;

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
        game: Option<&GameOfLog>,
    ) -> Result<Option<FaultSummary>, Failure> {
        if let Some(game) = game {
            let mut faults = None;
            add(&mut faults, LoggedGame::find(game)?);
            return Ok(faults);
        }
        let logs = logged_game::logs_of(log).map_err(|error| failure(log, error.into()))?;
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
        let mut games = logged_game::open(log).map_err(failed)?;
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
    let is_fault =
        |input: &&Input| matches!(input, Input::Answer(answer) if answer.verdict != Verdict::Ok);
    game.inputs.iter().filter(is_fault).count() as u64
}
