//! `arbiter league test-game`: a game between bots of a league that counts for nothing.

use std::io::Write;
use std::mem;
use std::path::PathBuf;

use clap::Args;

use crate::commands::stop_on_signals;
use contest::setup;
use contest::tournament::folder::shown;
use league::folder::LeagueFolder;
use league::last_settings::LeagueTerms;
use league::test_games::record::{TestGameRequester, TestGameStatus};
use league::test_games::{self, RequestedTestGame};
use text::counted;
use text::failure::Failure;
use text::shell::word;

#[derive(Debug, Args)]
#[command(
    after_help = "With two seats, plays two games with seats swapped. Test games appear in no \
log, standings or feed; DIR/test-games/NAME keeps the last 20 per bot. Participants can play them \
on the submission page.

Example: arbiter league test-game class --bot anna --against greedy"
)]
pub(super) struct TestGameArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Bot to test: NAME (latest version) or NAME@VERSION
    #[arg(long, value_name = "NAME")]
    bot: String,
    /// Opponent from the league; repeat for each other seat
    #[arg(long, value_name = "NAME", required = true)]
    against: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl TestGameArgs {
    /// Plays a test game, and shows its moves.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let wish = RequestedTestGame { bot: self.bot, against: self.against };
        let guard = setup::guard()?;
        let stop = stop_on_signals(|| {})?;
        let terms = LeagueTerms::read(&folder)?;
        let begun = test_games::begin(&folder, &terms, TestGameRequester::Organiser, &wish)?;
        let game = begun.play(stop.set())?;
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
        match self.json {
            true => {
                let told = test_games::line(&game, standing, None, Some(&games));
                writeln!(out, "{}", serde_json::json!({ "test_game": told }))?;
            }
            false => {
                for game in &games {
                    writeln!(out, "{}\n\n{}", game.seats.join(", "), game.text)?;
                }
                let games = counted(games.len(), "test game", "test games");
                writeln!(out, "{games}, {standing}; `arbiter show {}` shows each", word(&log))?;
            }
        }
        Ok(())
    }
}
