//! Waits until no round of a league is open, or ends the one that is.

use std::sync::Arc;
use std::thread;

use crate::commands::league::rounds::ATTENTION;
use league::folder::LeagueFolder;
use league::round_folder::{OpenRound, RoundState, end_if_unplayed, so_far};
use league::{League, output, stage_request};
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// Returns the league once no round is open. A round that is being played is waited for, or is ended by the program
/// that plays it.
pub(super) fn between_rounds(
    folder: &LeagueFolder,
    open: OpenRound,
) -> Result<Arc<League>, Failure> {
    let mut asked = None;
    let mut told = None;
    loop {
        let league = folder.read()?;
        let Some(round) = league.open_round() else { return Ok(league) };
        let number = round.line.round;
        match end_if_unplayed(folder, number, open)? {
            RoundState::Over => {}
            RoundState::Playing => {
                if open == OpenRound::BrokenOff && asked.is_none() {
                    asked = Some(stage_request::break_off(folder)?);
                }
                if told.replace(number) != Some(number) {
                    say(match open {
                        OpenRound::Finished => format!(
                            "waiting for the end of round {number}; use `--break-off` to end it at once"
                        ),
                        OpenRound::BrokenOff => format!("ending round {number}"),
                    });
                }
                thread::sleep(ATTENTION);
            }
            RoundState::Unfinished => return Err(Failure::Usage(unfinished(folder, &league)?)),
        }
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
