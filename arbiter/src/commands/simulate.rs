//! `arbiter simulate`: many games between built-in players, in this process.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use bot::BotSpec;
use bots::programs;
use clap::Args;
use clap::builder::PossibleValuesParser;
use contest::playing::matches::stopped_after;
use contest::playing::series_runner::SeriesEnd;
use contest::playing::simulated::{LoggedSimulation, SimulationStatistics};
use contest::setup;
use rules::built_in::NAMES;
use rules::{Dialect, GameKind};
use series::header::SeedText;
use simulation::{BuiltInPlayer, SeatOrder, SimulatedGame, Simulation, SimulationError};
use text::failure::Failure;

use crate::commands::matches::kept_in;
use crate::options::game::GameSetupArgs;
use crate::options::logs::LogTarget;
use crate::options::{at_once, bots, number, parse_checked};
use crate::output::progress_bar::GameProgressBar;
use crate::output::simulation::SimulationReport;

const HELP: &str = "BOT is [NAME=]BUILT-IN [OPTIONS…], quoted as one argument (see `arbiter \
bots`). Bots play the same moves as in a match, and a seed reproduces the games exactly, unless a \
search hits a time limit. Only `random` plays a custom game.

Examples:
  arbiter simulate --game tablic greedy random
  arbiter simulate --game tablic --deals 10000 --order random a=greedy b=greedy c=random
  arbiter simulate --game tablic --deals 10 minimax greedy greedy random
  arbiter simulate --game durak --deals 1000 --log games.jsonl greedy \"minimax --depth 1\"
  arbiter simulate --game my-game --deals 1000 --order fixed first=random second=random";

/// `arbiter simulate`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    game: GameSetupArgs,
    /// Number of deals
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: u64,
    /// Seating: as listed, reversed, all rotations, or drawn from the seed
    #[arg(long, default_value = "rotate", value_parser = PossibleValuesParser::new(SeatOrder::ALL.map(SeatOrder::name)))]
    order: String,
    /// Seed of deals and bots: 64 hex digits, or a number for practice only (guessable) [default:
    /// random]
    #[arg(long, value_name = "SEED")]
    seed: Option<SeedText>,
    /// Number of threads; changes results only if a search hits a time limit, which is reported
    /// [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_once("a number of threads"))]
    workers: Option<NonZeroUsize>,
    /// Write a log to a new file; it has no times
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Overwrite an existing log
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Built-in bots
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
}

impl SimulateArgs {
    /// Plays a simulation and writes its statistics to `out`. They are the same for every number of threads,
    /// unless they say that a time limit cut a player's search. Wrong usage is found before the first game and
    /// before a log is begun.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (bots, game) = (bots(&self.bots)?, self.game.into_spec()?);
        let simulation = Simulation {
            options: game.options_for(bots.len())?,
            players: built_in(&game.kind, &bots)?,
            kind: game.kind,
            order: parse_checked(&self.order)?,
            deals: self.deals,
            seed: setup::seed_or_drawn(self.seed)?,
        };
        let workers = self.workers.unwrap_or_else(super::cores);
        let commands: Vec<&str> = bots.iter().map(BotSpec::command).collect();
        let mut statistics = SimulationStatistics::new(&simulation);
        let bar = GameProgressBar::start(simulation.games())?;
        let mut tell = |game: &SimulatedGame| {
            statistics.add(game);
            bar.game_over();
        };
        let played = match self.log {
            None => simulation.run(workers, &mut tell).map_err(failure),
            Some(path) => {
                let log = LogTarget { path, overwrite: self.overwrite };
                play_logged(&simulation, &commands, workers, &log, &mut tell)
            }
        };
        bar.finish();
        played?;
        let report = SimulationReport {
            simulation: &simulation,
            commands: &commands,
            statistics: &statistics,
        };
        match self.json {
            false => write!(out, "{}", report.table())?,
            true => writeln!(out, "{}", report.json()?)?,
        }
        Ok(())
    }
}

/// Plays the games and writes them to a new log.
fn play_logged(
    simulation: &Simulation,
    commands: &[&str],
    workers: NonZeroUsize,
    log: &LogTarget,
    tell: &mut dyn FnMut(&SimulatedGame),
) -> Result<(), Failure> {
    simulation.check().map_err(failure)?;
    let logged = LoggedSimulation::new(simulation.clone(), commands)
        .map_err(|problem| Failure::Usage(format!("a log of this simulation {problem}")))?;
    let stop = super::stop_on_signals(|| {})?;
    let seed = &simulation.seed;
    let played = logged.play(workers, log.create()?, stop.set(), tell);
    let failed = |failed| match Failure::from(failed) {
        Failure::Ours(problem) => Failure::Ours(format!("{problem}; the seed is {seed}")),
        other => other,
    };
    match played.map_err(failed)? {
        SeriesEnd::Over => Ok(()),
        SeriesEnd::Stopped { played } => {
            let stopped = stopped_after(played, simulation.games());
            let kept = kept_in(&log.path, played);
            let problem = format!("{stopped}, {kept}; the seed is {seed}");
            Err(Failure::Interrupted { problem, code: stop.exit_code() })
        }
    }
}

/// The bots as built-in players of a game, each with a name.
fn built_in(kind: &GameKind, bots: &[BotSpec]) -> Result<Vec<BuiltInPlayer>, Failure> {
    let known: Vec<&str> = programs::playing(kind).map(|program| program.name).collect();
    for bot in bots {
        let program = bot.words().first().map(String::as_str).unwrap_or_default();
        if !known.contains(&program) {
            let known = known.join(", ");
            let problem = match NAMES.contains(&program) {
                true => format!("built-in bot `{program}` does not play {kind}: use {known}"),
                false => format!(
                    "simulate supports only built-in bots ({known}), not `{}`: `arbiter match` \
                     plays any bot",
                    program.escape_debug()
                ),
            };
            return Err(Failure::Usage(problem));
        }
        if bot.dialect() != Dialect::Native {
            let dialect = bot.dialect();
            let problem = format!("the built-in `{program}` does not speak the {dialect} dialect");
            return Err(Failure::Usage(problem));
        }
    }
    let named = bots.iter().zip(bot::names(bots)?);
    let player = |(bot, name): (&BotSpec, String)| match bot.words() {
        [program, options @ ..] => {
            Some(BuiltInPlayer { name, program: program.clone(), options: options.to_vec() })
        }
        [] => None,
    };
    Ok(named.filter_map(player).collect())
}

fn failure(failed: SimulationError) -> Failure {
    match failed {
        SimulationError::Options(_)
        | SimulationError::NoPlayers(_)
        | SimulationError::Players { .. }
        | SimulationError::Refused { .. } => Failure::Usage(failed.to_string()),
        SimulationError::Player { .. } => {
            Failure::Usage(format!("{failed}, `arbiter bots` lists the options"))
        }
        SimulationError::Rules { .. } => Failure::Rules(failed.to_string()),
        SimulationError::Stuck { .. } | SimulationError::NoThread(_) => {
            Failure::Ours(failed.to_string())
        }
    }
}
