//! `arbiter league new`.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use crate::options::game::{self, GameName};
use crate::options::isolation::IsolationArgs;
use crate::options::limits::LimitArgs;
use crate::options::{fault_share, number};
use contest::setup::AskedGame;
use contest::tournament::folder::shown;
use contest::tournament::plan::{PlannedSeed, Settings};
use contest::tournament::plan_file::{self, RoundsFile};
use games::GameFiles;
use league::folder::{LeagueFolder, SETTINGS};
use league::line::{FORMAT, LeagueHeader};
use league::settings::TABLES;
use rules::{RulesLine, Seed};
use series::committed_seed::CommittedSeed;
use series::schedule::{Format, Orders, ScheduleLine};
use series::{Conditions, Treatment};
use text::failure::Failure;
use text::shell::word;

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league new class --game tablic --seats 3 --time-limit 1s")]
pub(super) struct NewArgs {
    /// Folder to create
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameName)]
    game: String,
    /// Seats per table [default: the game's usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Game options (see `arbiter games`)
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// Deals per table and round, each in every seat rotation [default: 10]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of deals", 1..=10_000))]
    round_deals: Option<u32>,
    /// Tables per round [default: number of bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of tables", 1..=10_000))]
    round_tables: Option<usize>,
    #[command(flatten)]
    treatment: Treatment,
    /// Disqualify a bot for the round with faults in more than this share of its games, after 8
    /// games; or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl NewArgs {
    /// Makes a league without bots.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let game =
            AskedGame { kind: game::opened(&self.game)?, seats: self.seats, options: self.options };
        let conditions = Conditions {
            treatment: self.treatment.of_tournament(),
            disqualify_after: fault_share(self.disqualify_after.as_deref())?,
            isolation: self.isolation.asked()?,
            limits: self.limits.asked(),
            ..Conditions::default()
        };
        let rounds = RoundsFile {
            deals: self.round_deals.and_then(NonZeroU32::new),
            tables: self.round_tables.and_then(NonZeroUsize::new),
            new_below: None,
        };
        let (kind, options) = (&game.kind, game.options()?);
        // No bot has entered yet, so a limit cannot name one.
        conditions.limits.check_names(&[])?;
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
            conditions,
        };
        let text = plan_file::write_of_league(kind, &settings, rounds)
            .map_err(|error| Failure::Ours(format!("cannot write the settings: {error}")))?;
        let text = format!(
            "# How the games of this league are played. Changes take effect from the next round \
             on.\n{text}{TABLES}"
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
            LeagueFolder::create(&self.dir, &text, founding, GameFiles::for_game(kind).as_ref())?;
        let (shown, dir) = (shown(folder.path()), word(folder.path()));
        writeln!(out, "{shown}: a league of {kind} with {seats} seats, {options}")?;
        writeln!(out, "edit `{SETTINGS}` there to change how games are played")?;
        writeln!(out, "next: arbiter league add {dir} BOT…, arbiter league run {dir}")?;
        Ok(())
    }
}
