//! `arbiter check` on the command line.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::game::{self, GameName};
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use super::number::number;
use ::review::Puzzle;
use conditions::bot::BadBot;
use conditions::failure::Failure;
use conditions::series::given_seed::GivenSeed;
use conditions::{Conditions, Treatment, chances};
use contest::check::Puzzles;
use contest::check::plan::{self, CheckRequest, Depth};
use contest::setup;
use games::check::plan::{self as rules_plan, RulesRequest};
use text::terminal::Colours;

const HELP: &str = "A BOT is named as in `arbiter match`; a folder with a bot.toml is built \
first. The check is quick: it plays each game 2 times, with the bot once in each of the first two \
seats. With --thorough it plays 20 times, which takes minutes if the bot starts slowly. Progress is \
shown on standard error.

A resident bot (resident:COMMAND) must give the same answers as when it is started for every move, \
unless its bot.toml says `remembers = true`. Below its times, the check shows how long it takes to \
start, to think, and for a move in the other mode, resident or not. A warning points out something \
that is allowed but worth knowing.

Without a BOT, --game names a game of your own, and its rules are checked: 60 random games, and many \
changes of them, in at most 20 seconds; or 600 games with --thorough, and no bound of time. One number of \
seats is tested at a time: --seats chooses it. A fault is shown with the calls that lead to it. --keep \
saves those calls. Games in its folder `recorded`, which --record writes, must be answered as before.

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
pub(super) struct CheckArgs {
    /// The game, even if the bot's bot.toml does not list it [default: the games in bot.toml, or all]
    #[arg(long, value_name = "GAME", value_parser = GameName)]
    game: Option<String>,
    /// The number of seats [default: the usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of the game, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// How many games to play against the built-in `random` [default: 2, or 20 with --thorough; without
    /// a bot 60, or 600]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of games", 0..=1_000_000_000))]
    games: Option<u64>,
    /// Play each game 20 times; without a bot, ten times as many games
    #[arg(long)]
    thorough: bool,
    /// The seed of the games: 64 hexadecimal digits, or a short number for practice, which can be
    /// guessed [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// How many more times to ask for a move after an illegal or malformed answer
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = chances)]
    retries: u32,
    /// Save the requests and output of failed steps, or the calls, to files in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print a line of JSON for each step and one for the check
    #[arg(long)]
    json: bool,
    /// Ask the bot only the puzzles of this folder, which `arbiter puzzles` has made
    #[arg(long, value_name = "FOLDER", requires = "bot", conflicts_with_all = ["game", "games", "thorough", "seats", "options", "seed"])]
    puzzles: Option<PathBuf>,
    /// How many puzzles the bot must solve to pass [default: 0]
    #[arg(long, value_name = "N", requires = "puzzles", value_parser = number::<usize>("a number of puzzles", 1..))]
    solve: Option<usize>,
    /// Play one random game of --game, and write it to this new file as games are recorded
    #[arg(long, value_name = "FILE", requires = "game", conflicts_with_all = ["bot", "games", "thorough", "keep", "json"])]
    record: Option<PathBuf>,
    /// The bot; without one, the rules of --game are checked
    #[arg(value_name = "BOT")]
    bot: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl CheckArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match (self.bot.clone(), &self.record) {
            (Some(bot), _) => plan::run(self.of_bot(bot)?, out),
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

    fn of_rules(self) -> Result<RulesRequest, Failure> {
        let usage = |problem: &str| Err(Failure::Usage(problem.to_owned()));
        let Some(game) = self.game else {
            return usage("nothing to check: give a BOT, or --game with a custom game");
        };
        if game::is_built_in(&game) {
            let problem =
                format!("`{game}` is built in and needs no check: give a BOT or a custom game");
            return Err(Failure::Usage(problem));
        }
        if !self.limits.asked().is_empty() || self.retries > 0 {
            return usage("limits and --retries need a BOT");
        }
        let isolation = self.isolation.asked()?;
        Ok(RulesRequest {
            game,
            seats: self.seats,
            options: self.options,
            games: self.games,
            depth: match self.thorough {
                true => rules_plan::Depth::Thorough,
                false => rules_plan::Depth::Quick,
            },
            seed: setup::seed_or_drawn(self.seed)?,
            supervisor: setup::complete(isolation.isolation)?,
            format: match self.json {
                true => rules_plan::Format::Json,
                false => rules_plan::Format::Text(Colours::of_stdout()),
            },
            keep: self.keep,
        })
    }

    fn of_bot(self, bot: String) -> Result<CheckRequest, Failure> {
        let kind = self.game.as_deref().map(game::opened).transpose()?;
        Ok(CheckRequest {
            bot: bot.parse().map_err(|error: BadBot| Failure::Usage(error.to_string()))?,
            kind,
            seats: self.seats,
            options: self.options,
            games: self.games,
            depth: if self.thorough { Depth::Thorough } else { Depth::Quick },
            seed: self.seed,
            conditions: Conditions {
                treatment: Treatment { retries: self.retries, ..Treatment::default() },
                isolation: self.isolation.asked()?,
                limits: self.limits.asked(),
                ..Conditions::default()
            },
            format: match self.json {
                true => plan::Format::Json,
                false => plan::Format::Text(Colours::of_stdout()),
            },
            keep: self.keep,
            puzzles: self.puzzles.map(|folder| puzzles(&folder, self.solve)).transpose()?,
        })
    }
}

fn puzzles(folder: &Path, solve: Option<usize>) -> Result<Puzzles, Failure> {
    let list = Puzzle::read_folder(folder).map_err(|error| Failure::Usage(error.to_string()))?;
    let at_least = solve.unwrap_or(0);
    if at_least > list.len() {
        let problem = format!("--solve {at_least}: the folder has only {} puzzles", list.len());
        return Err(Failure::Usage(problem));
    }
    Ok(Puzzles { list, at_least })
}
