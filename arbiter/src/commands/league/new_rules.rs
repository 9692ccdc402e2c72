//! `arbiter league rules`: other rules for the game of a league, from the next round on.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::options::game;
use contest::tournament::folder::shown;
use games::GameFiles;
use league::events::{self, LeagueEvent};
use league::folder::{LeagueError, LeagueFolder};
use league::index::LeagueIndex;
use league::line::RoundEndLine;
use league::round_folder::broken_off;
use league::settings::copy_of_rules;
use league::{League, audit, rules_change};
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

#[derive(Debug, Args)]
#[command(after_help = "The league keeps both versions of the rules and verifies each round with \
the rules it began with. The current round is aborted: its games so far stay rated, or are replayed if \
it belongs to a stage. A round that is running, or planned in shards, finishes under the old \
rules. Game, seats and options cannot change.

Example: arbiter league rules class ./my-game --reason \"a showdown of two kings crashed\"")]
pub(super) struct RulesArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Game with the new rules: a folder, a .wasm module or a command
    #[arg(value_name = "GAME")]
    game: String,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl RulesArgs {
    /// Writes the new rules into the log of a league. An open round is aborted for them, unless it is being played, or
    /// played in shards: then it ends by the rules with which it began.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let game = game::opened(&self.game)?;
        let folder = LeagueFolder::open(&self.dir)?;
        let held = match folder.hold() {
            Ok(held) => Some(held),
            Err(LeagueError::Locked(_)) => None,
            Err(problem) => return Err(problem.into()),
        };
        let league = folder.read()?;
        let new = rules_change::checked(&folder, &league, &game, &self.reason)?;
        let files = GameFiles::for_game(&game)
            .ok_or_else(|| Failure::Ours(format!("the files of {game} are not known")))?;
        if !rules_change::has_copy(&folder, &league) {
            let (path, copy) = (shown(folder.path()), copy_of_rules(&league));
            say(format!(
                "warning: the files of `{path}/{copy}` have changed: restore them, or earlier rounds \
                 cannot be verified"
            ));
        }
        let over = match held {
            Some(_) => broken_off(&folder, &league, format!("new rules: {}", new.reason))?,
            None => None,
        };
        let before = match &over {
            Some(_) => {
                let index = LeagueIndex::open(&league, &folder)?;
                Some((events::order(&league, &index), index))
            }
            None => None,
        };
        let league = rules_change::change(&folder, &files, &new, over.as_ref())?;
        if let (Some(over), Some((before, mut index))) = (&over, before) {
            index.bring_up_to(&league)?;
            events::add_round(&folder, &league, &index, over, &before);
        }
        let round = league.rounds().len() as u64;
        let (rules, reason) = (new.rules.id.digest, new.reason);
        audit::add(&folder, audit::COMMAND, "rules", &format!("since round {round}: {reason}"));
        events::add(&folder, LeagueEvent::Rules { round, rules, reason });
        tell(&folder, &league, over.as_ref(), out)
    }
}

fn tell(
    folder: &LeagueFolder,
    league: &League,
    over: Option<&RoundEndLine>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if let Some(RoundEndLine { round, games, .. }) = over {
        let games = counted(*games, "game", "games");
        writeln!(out, "round {round} aborted after {games}")?;
    }
    if let Some(open) = league.open_round() {
        let round = open.line.round;
        writeln!(out, "round {round} is in progress and keeps the rules with which it started")?;
    }
    let (path, next) = (shown(folder.path()), league.rounds().len());
    writeln!(out, "{path}: new rules of {} starting with round {next}", league.kind())?;
    Ok(writeln!(out, "next: arbiter league run {}", word(folder.path()))?)
}
