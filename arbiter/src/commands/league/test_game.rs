//! `arbiter league test-game`: a game between bots of a league that counts for nothing.

use std::io::Write;
use std::mem;
use std::path::PathBuf;

use crate::commands::stop_on_signals;
use crate::output::OutputFormat;
use contest::setup;
use contest::tournament::folder::shown;
use league::folder::LeagueFolder;
use league::last_settings::LeagueTerms;
use league::test_games::record::{TestGameRequester, TestGameStatus};
use league::test_games::{self, RequestedTestGame};
use text::counted;
use text::failure::Failure;
use text::shell::word;

/// The options of `arbiter league test-game`.
#[derive(Debug)]
pub(crate) struct TestGameRequest {
    pub folder: PathBuf,
    pub wish: RequestedTestGame,
    pub format: OutputFormat,
}

/// Plays a test game, and shows its moves.
pub(crate) fn test_game(request: TestGameRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    let guard = setup::guard()?;
    let stop = stop_on_signals(|| {})?;
    let terms = LeagueTerms::read(&folder)?;
    let begun = test_games::begin(&folder, &terms, TestGameRequester::Organiser, &request.wish)?;
    let game = begun.play(stop.set(), || {})?;
    let standing = game.standing(&folder);
    if standing == TestGameStatus::CutOff {
        // A bot may still be thinking. A guard that is not dropped takes this process for killed, and ends the processes
        // it has left.
        mem::forget(guard);
        let problem = "stopped before the test game was over".to_owned();
        return Err(Failure::Interrupted { problem, code: stop.exit_code() });
    }
    let log = game.log(&folder);
    let games = test_games::games(&folder, &game)
        .map_err(|error| Failure::Ours(format!("`{}`: {error}", shown(&log))))?;
    match request.format {
        OutputFormat::Json => {
            let told = test_games::line(&game, standing, Some(&games));
            writeln!(out, "{}", serde_json::json!({ "test_game": told }))?;
        }
        OutputFormat::Text => {
            for game in &games {
                writeln!(out, "{}\n\n{}", game.seats.join(", "), game.text)?;
            }
            let games = counted(games.len(), "test game", "test games");
            writeln!(out, "{games}, {standing}; `arbiter show {}` shows each", word(&log))?;
        }
    }
    Ok(())
}
