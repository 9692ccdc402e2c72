//! `arbiter league new`.

use std::io::Write;
use std::path::PathBuf;

use crate::bot::grants::AskedIsolation;
use crate::bot::limits::AskedLimits;
use crate::commands::setup::AskedGame;
use crate::failure::Failure;
use crate::league::folder::{LeagueFolder, SETTINGS};
use crate::league::line::{FORMAT, Founding};
use crate::process::Ponder;
use crate::series::SuspectGames;
use crate::series::committed_seed::CommittedSeed;
use crate::series::schedule::{Format, Orders, ScheduleLine};
use crate::text::shell::word;
use crate::tournament::folder::shown;
use crate::tournament::plan::Settings;
use crate::tournament::plan_file::{self, RoundsFile, disqualify_after};
use crate::tournament::planned_seed::PlannedSeed;
use rules::Seed;

/// A new league as it is asked for.
#[derive(Debug)]
pub struct FoundRequest {
    /// Where it is kept.
    pub folder: PathBuf,
    /// The game.
    pub game: AskedGame,
    /// How many more chances a seat has after an answer that is illegal or malformed.
    pub retries: u32,
    /// What becomes of games that an overloaded machine may have decided.
    pub suspect_games: SuspectGames,
    /// The share of faults above which a bot is out of a round, or `never`.
    pub disqualify_after: Option<String>,
    /// What an answer may take.
    pub limits: AskedLimits,
    /// How far the bots are kept apart.
    pub isolation: AskedIsolation,
    /// Whether bots that live for a whole game may think while others have their turns.
    pub ponder: Ponder,
    /// How large rounds are.
    pub rounds: RoundsFile,
}

/// Makes a league without bots.
///
/// # Errors
///
/// As the exit codes say.
pub fn found(request: FoundRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let kind = request.game.kind;
    let options = request.game.options()?;
    let settings = Settings {
        options: options.clone(),
        schedule: ScheduleLine {
            format: Format::RoundRobin,
            orders: Orders::Rotations,
            deals: 1,
            tables: None,
            listed: Vec::new(),
            shard: None,
            block: None,
            first_deal: 0,
        },
        extends: None,
        seed: PlannedSeed::Known(CommittedSeed(Seed([0; 32]))),
        sharding: None,
        decided: None,
        league: None,
        entropy: Vec::new(),
        retries: request.retries,
        suspect_games: request.suspect_games,
        disqualify_after: disqualify_after(request.disqualify_after.as_deref())
            .map_err(|error| Failure::Usage(error.to_string()))?,
        sprt: None,
        isolation: request.isolation,
        ponder: request.ponder,
    };
    // No bot has entered yet that a limit could be for.
    request.limits.check_names(&[])?;
    let limits = request.limits.for_bot("");
    let text = plan_file::write_of_league(kind, &settings, &limits, request.rounds)
        .map_err(|error| Failure::Ours(format!("the settings cannot be written: {error}")))?;
    let text = format!(
        "# How the games of this league are played. What is changed holds from the next round on.\n{text}"
    );
    let seats = kind.seats(&options).map_err(|error| Failure::Usage(error.to_string()))?;
    let founding = Founding {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: kind.name().to_owned(),
        seats,
    };
    let folder = LeagueFolder::create(&request.folder, &text, founding)?;
    let (shown, dir) = (shown(folder.path()), word(folder.path()));
    writeln!(out, "{shown}: a league of {kind} with {seats} seats, {options}")?;
    writeln!(out, "`{SETTINGS}` in it says how games are played")?;
    writeln!(out, "next: arbiter league add {dir} BOT…, arbiter league run {dir}")?;
    Ok(())
}
