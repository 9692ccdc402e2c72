//! `arbiter league new`.

use std::io::Write;
use std::path::PathBuf;

use contest::setup::AskedGame;
use contest::tournament::folder::shown;
use contest::tournament::plan::Settings;
use contest::tournament::plan_file::{self, RoundsFile};
use contest::tournament::planned_seed::PlannedSeed;
use games::GameFiles;
use league::folder::{LeagueFolder, SETTINGS};
use league::line::{FORMAT, LeagueHeader};
use rules::{RulesLine, Seed};
use series::Conditions;
use series::committed_seed::CommittedSeed;
use series::schedule::{Format, Orders, ScheduleLine};
use text::failure::Failure;
use text::shell::word;

/// The options of `arbiter league new`.
#[derive(Debug)]
pub(crate) struct NewLeagueRequest {
    pub folder: PathBuf,
    pub game: AskedGame,
    pub conditions: Conditions,
    /// The size of rounds.
    pub rounds: RoundsFile,
}

/// Makes a league without bots.
pub(crate) fn new_league(request: NewLeagueRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let options = request.game.options()?;
    let kind = &request.game.kind;
    // No bot has entered yet, so a limit cannot name one.
    request.conditions.limits.check_names(&[])?;
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
        conditions: request.conditions,
    };
    let text = plan_file::write_of_league(kind, &settings, request.rounds)
        .map_err(|error| Failure::Ours(format!("cannot write the settings: {error}")))?;
    let text = format!(
        "# How the games of this league are played. Changes take effect from the next round \
         on.\n{text}"
    );
    let seats = kind.seats(&options).map_err(Failure::usage)?;
    let founding = LeagueHeader {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: kind.name().to_owned(),
        rules: kind.rules_id().map(|id| RulesLine { id, seats }),
        seats,
    };
    let folder =
        LeagueFolder::create(&request.folder, &text, founding, GameFiles::of(kind).as_ref())?;
    let (shown, dir) = (shown(folder.path()), word(folder.path()));
    writeln!(out, "{shown}: a league of {kind} with {seats} seats, {options}")?;
    writeln!(out, "edit `{SETTINGS}` there to change how games are played")?;
    writeln!(out, "next: arbiter league add {dir} BOT…, arbiter league run {dir}")?;
    Ok(())
}
