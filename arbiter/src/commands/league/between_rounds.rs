//! Waits until no round of a league is open, or ends the one that is.

use std::thread;

use crate::commands::league::rounds::{ATTENTION, broken_off, end, so_far};
use league::League;
use league::folder::{LeagueError, LeagueFolder};
use league::index::LeagueIndex;
use league::output;
use league::stage_start::{self, BROKEN_OFF};
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The fate of a round that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenRound {
    /// It is played to its end.
    Finished,
    /// It ends at once.
    BrokenOff,
}

/// Returns the league once no round is open. A round that is being played is waited for, or is ended by the program
/// that plays it.
pub(super) fn between_rounds(folder: &LeagueFolder, open: OpenRound) -> Result<League, Failure> {
    let mut asked = None;
    let mut told = None;
    loop {
        let league = folder.read()?;
        let Some(round) = league.open_round() else { return Ok(league) };
        let number = round.line.round;
        let _held = match folder.hold() {
            Ok(held) => held,
            Err(LeagueError::Running(_)) => {
                if open == OpenRound::BrokenOff && asked.is_none() {
                    asked = Some(stage_start::break_off(folder)?);
                }
                if told.replace(number) != Some(number) {
                    say(match open {
                        OpenRound::Finished => format!(
                            "waiting for the end of round {number}, which is being played; \
                             `--break-off` ends it at once"
                        ),
                        OpenRound::BrokenOff => format!("ending round {number}"),
                    });
                }
                thread::sleep(ATTENTION);
                continue;
            }
            Err(problem) => return Err(problem.into()),
        };
        // The round may be over since the log was read.
        let league = folder.read()?;
        if league.open_round().is_none_or(|round| round.line.round != number) {
            continue;
        }
        let over = match open {
            OpenRound::Finished => None,
            OpenRound::BrokenOff => broken_off(folder, &league, BROKEN_OFF.to_owned())?,
        };
        let Some(over) = over else { return Err(Failure::Usage(unfinished(folder, &league)?)) };
        let games = counted(over.games, "game", "games");
        say(format!("warning: round {number} aborted after {games}: {BROKEN_OFF}"));
        let mut index = LeagueIndex::open(&league, folder)?;
        end(folder, &over, &mut index)?;
    }
}

/// Says how the open round, which nothing plays, comes to its end.
fn unfinished(folder: &LeagueFolder, league: &League) -> Result<String, Failure> {
    let Some(round) = league.open_round() else { return Ok(String::new()) };
    let number = round.line.round;
    let played = so_far(&folder.round(number))?.map_or(0, |log| log.games.progress.played());
    let all = counted(output::games(&round.line, league.seats()), "game", "games");
    let path = word(folder.path());
    Ok(format!(
        "round {number} is unfinished, with {played} of {all}: finish it with `arbiter league run \
         {path} --games 1` or, in shards, `take-round {path}`, or end it with `--break-off`"
    ))
}
