//! `arbiter league new`.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use contest::setup::GameSpec;
use contest::tournament::folder::shown;
use contest::tournament::plan::{PlannedSeed, Settings};
use contest::tournament::plan_file::{self, RoundsSection};
use games::GameFiles;
use league::events::{self, LeagueEvent};
use league::folder::{LeagueError, LeagueFolder, SETTINGS};
use league::index::LeagueIndex;
use league::line::{FORMAT, LeagueHeader, RoundEndLine};
use league::round_folder::broken_off;
use league::settings::{TABLES, copy_of_rules};
use league::{League, audit, rules_change};
use rules::{RulesLine, Seed};
use series::header::CommittedSeed;
use series::schedule::{Format, Orders, ScheduleLine};
use series::{BotTreatment, Conditions};
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

use crate::options::game::{self, GameNameParser};
use crate::options::isolation::{IsolationArgs, LimitArgs};
use crate::options::{fault_share, number};

#[derive(Debug, Args)]
#[command(after_help = "Example: arbiter league new class --game tablic --seats 3 --time-limit 1s")]
pub(super) struct NewLeagueArgs {
    /// Folder to create
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameNameParser)]
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
    treatment: BotTreatment,
    /// Disqualify a bot for the round with faults in more than this share of its games, after 8
    /// games; or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl NewLeagueArgs {
    /// Makes a league without bots.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let game =
            GameSpec { kind: game::opened(&self.game)?, seats: self.seats, options: self.options };
        let conditions = Conditions {
            treatment: self.treatment.of_tournament(),
            disqualify_after: fault_share(self.disqualify_after.as_deref())?,
            isolation: self.isolation.into_spec()?,
            limits: self.limits.into_specs(),
            ..Conditions::default()
        };
        let rounds = RoundsSection {
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

#[derive(Debug, Args)]
#[command(after_help = "The league keeps both versions of the rules and verifies each round with \
the rules it began with. The current round is aborted: its games so far stay rated, or are replayed if \
it belongs to a stage. A round that is running, or planned in shards, finishes under the old \
rules. Game, seats and options cannot change.

Example: arbiter league rules class ./my-game --reason \"a showdown of two kings crashed\"")]
pub(super) struct LeagueRulesArgs {
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

impl LeagueRulesArgs {
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
