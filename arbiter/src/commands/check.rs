//! `arbiter check`: tries a bot, or the rules of a custom game.

use std::io::Write;
use std::path::{Path, PathBuf};

use ::review::Puzzle;
use check::bot::{CheckRequest, Puzzles};
use check::game::RulesCheckRequest;
use check::{Extent, Format};
use check::{bot, game as rules_plan};
use clap::Args;
use contest::setup;
use series::header::SeedText;
use series::{BotTreatment, Conditions, chances};
use text::failure::Failure;
use text::terminal::Colours;

use crate::options::game::{self, GameNameParser};
use crate::options::isolation::{IsolationArgs, LimitArgs};
use crate::options::{bot, number};

const HELP: &str = "For BOT, see `arbiter match --help`; a folder with a bot.toml is built first. \
By default each game is played twice, with the bot in seats 0 and 1; --thorough plays it 20 times, \
which takes minutes if the bot starts slowly.

A resident bot must answer as it does when started per move, unless its bot.toml sets `remembers = \
true`. The timings show startup, thinking, and the time per move in the other mode. Warnings do \
not fail the check.

Without BOT, checks the rules of a custom game for one number of seats (see --seats): 60 random \
games and many variations, in at most 20 seconds; --thorough checks 600 games without a time \
limit. Each failure lists the calls that reproduce it; --keep saves them. Games recorded with \
--record in the folder `recorded` must still play identically.

Examples:
  arbiter check ./my-bot
  arbiter check --thorough --game tablic ./my-bot
  arbiter check --game durak --seats 4 --options \"deck=24 transfer=on\" ./my-bot
  arbiter check --game tablic --keep failures \"python3 my_bot.py\"
  arbiter check --game coup \"dialect=classic python3 my_bot.py\"
  arbiter check ./my-bot --puzzles lessons --solve 40
  arbiter check --game ./my-game
  arbiter check --game ./my-game --seed 7 --record my-game/recorded/seven.txt";

/// The check of a bot, or of the rules of a game.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct CheckArgs {
    /// Game to check, listed in bot.toml or not [default: the games in bot.toml, or all]
    #[arg(long, value_name = "GAME", value_parser = GameNameParser)]
    game: Option<String>,
    /// Number of seats [default: the game's usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Game options (see `arbiter games`)
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// Games against `random` [default: 2, or 20 with --thorough; for a custom game 60, or 600]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of games", 0..=1_000_000_000))]
    games: Option<u64>,
    /// Check ten times as many games
    #[arg(long)]
    thorough: bool,
    /// Seed: 64 hex digits, or a number for practice only (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<SeedText>,
    /// Retries after an illegal or malformed answer
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = chances)]
    retries: u32,
    /// Save requests and output (or calls) of failed steps to this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print JSON lines: one per step, one for the check
    #[arg(long)]
    json: bool,
    /// Only solve the puzzles in this folder (see `arbiter puzzles`)
    #[arg(long, value_name = "FOLDER", requires = "bot", conflicts_with_all = ["game", "games", "thorough", "seats", "options", "seed"])]
    puzzles: Option<PathBuf>,
    /// Solved puzzles required to pass [default: 0]
    #[arg(long, value_name = "N", requires = "puzzles", value_parser = number::<usize>("a number of puzzles", 1..))]
    solve: Option<usize>,
    /// Record one random game of --game in a new file
    #[arg(long, value_name = "FILE", requires = "game", conflicts_with_all = ["bot", "games", "thorough", "keep", "json"])]
    record: Option<PathBuf>,
    /// Bot to check [default: check the custom game of --game]
    #[arg(value_name = "BOT")]
    bot: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl CheckArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match (self.bot.clone(), &self.record) {
            (Some(word), _) => bot::run(self.of_bot(&word)?, out),
            (None, None) => {
                let _guard = setup::guard()?;
                rules_plan::run(&self.of_rules()?, out)
            }
            (None, Some(file)) => {
                let file = file.clone();
                let _guard = setup::guard()?;
                rules_plan::record(&self.of_rules()?, &file, out)
            }
        }
    }

    fn depth(&self) -> Extent {
        if self.thorough { Extent::Thorough } else { Extent::Quick }
    }

    fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Text(Colours::of_stdout()) }
    }

    fn of_rules(self) -> Result<RulesCheckRequest, Failure> {
        let (depth, format) = (self.depth(), self.format());
        let Some(game) = self.game else {
            return Err(Failure::usage(
                "nothing to check: give a BOT, or --game with a custom game",
            ));
        };
        if game::is_built_in(&game) {
            return Err(Failure::Usage(format!(
                "`{game}` is built in and needs no check: give a BOT or a custom game"
            )));
        }
        if !self.limits.into_specs().is_empty() || self.retries > 0 {
            return Err(Failure::usage("limits and --retries need a BOT"));
        }
        let isolation = self.isolation.into_spec()?;
        Ok(RulesCheckRequest {
            game,
            seats: self.seats,
            options: self.options,
            games: self.games,
            depth,
            seed: setup::seed_or_drawn(self.seed)?,
            supervisor: setup::complete(isolation.isolation)?,
            format,
            keep: self.keep,
        })
    }

    fn of_bot(self, word: &str) -> Result<CheckRequest, Failure> {
        let (depth, format) = (self.depth(), self.format());
        let kind = self.game.as_deref().map(game::opened).transpose()?;
        Ok(CheckRequest {
            bot: bot(word)?,
            kind,
            seats: self.seats,
            options: self.options,
            games: self.games,
            depth,
            seed: self.seed,
            conditions: Conditions {
                treatment: BotTreatment { retries: self.retries, ..BotTreatment::default() },
                isolation: self.isolation.into_spec()?,
                limits: self.limits.into_specs(),
                ..Conditions::default()
            },
            format,
            keep: self.keep,
            puzzles: self.puzzles.map(|folder| puzzles(&folder, self.solve)).transpose()?,
        })
    }
}

fn puzzles(folder: &Path, solve: Option<usize>) -> Result<Puzzles, Failure> {
    let list = Puzzle::read_folder(folder)?;
    let at_least = solve.unwrap_or(0);
    if at_least > list.len() {
        let problem = format!("--solve {at_least}: the folder has only {} puzzles", list.len());
        return Err(Failure::Usage(problem));
    }
    Ok(Puzzles { list, at_least })
}
