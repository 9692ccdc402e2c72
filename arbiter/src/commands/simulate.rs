//! `arbiter simulate`: many games between built-in players, in this process.

use std::io::Write;
use std::num::NonZeroUsize;

use bots::programs;
use rules::{Dialect, GameKind};
use simulation::{BuiltIn, Failed, Order, Played, Simulation};

use crate::commands::log_target::LogTarget;
use crate::commands::matches::kept_in;
use crate::output::OutputFormat;
use crate::output::progress_bar::GameProgressBar;
use crate::output::simulation::SimulationReport;
use bot::BotSpec;
use contest::playing::matches::stopped_after;
use contest::playing::series_runner::SeriesEnd;
use contest::playing::simulated::LoggedSimulation;
use contest::setup::{self, AskedGame};
use contest::statistics::Statistics;
use series::committed_seed::GivenSeed;
use text::failure::Failure;

/// The options of `arbiter simulate`.
#[derive(Debug)]
pub(crate) struct SimulationRequest {
    /// The game, with as many seats as there are bots.
    pub game: AskedGame,
    pub deals: u64,
    pub order: Order,
    /// The seed; by default drawn by the operating system.
    pub seed: Option<GivenSeed>,
    /// The number of threads; by default the number of cores.
    pub workers: Option<NonZeroUsize>,
    pub log: Option<LogTarget>,
    pub format: OutputFormat,
    /// The bots, all built in.
    pub bots: Vec<BotSpec>,
}

/// Plays a simulation and writes its statistics to `out`. They are the same for every number of threads,
/// unless they say that a time limit cut a player's search. Wrong usage is found before the first game and
/// before a log is begun.
pub(crate) fn run(request: SimulationRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let simulation = Simulation {
        options: request.game.options_for(request.bots.len())?,
        players: built_in(&request.game.kind, &request.bots)?,
        kind: request.game.kind,
        order: request.order,
        deals: request.deals,
        seed: setup::seed_or_drawn(request.seed)?,
    };
    let workers = request.workers.unwrap_or_else(super::cores);
    let commands: Vec<&str> = request.bots.iter().map(BotSpec::command).collect();
    let mut statistics = Statistics::new(&simulation);
    let bar = GameProgressBar::start(simulation.games())?;
    let mut tell = |game: &Played| {
        statistics.add(game);
        bar.game_over();
    };
    let played = match &request.log {
        None => simulation.run(workers, &mut tell).map_err(failure),
        Some(log) => play_logged(&simulation, &commands, workers, log, &mut tell),
    };
    bar.finish();
    played?;
    let report =
        SimulationReport { simulation: &simulation, commands: &commands, statistics: &statistics };
    match request.format {
        OutputFormat::Text => write!(out, "{}", report.table())?,
        OutputFormat::Json => writeln!(out, "{}", report.json()?)?,
    }
    Ok(())
}

/// Plays the games and writes them to a new log.
fn play_logged(
    simulation: &Simulation,
    commands: &[&str],
    workers: NonZeroUsize,
    log: &LogTarget,
    tell: &mut dyn FnMut(&Played),
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
fn built_in(kind: &GameKind, bots: &[BotSpec]) -> Result<Vec<BuiltIn>, Failure> {
    if kind.rules_id().is_some() {
        let problem = format!(
            "simulate supports only built-in games: use `arbiter match` or `arbiter tournament` \
             for {kind}"
        );
        return Err(Failure::Usage(problem));
    }
    let known: Vec<&str> = programs::playing(kind).map(|program| program.name).collect();
    for bot in bots {
        let program = bot.words().first().map(String::as_str).unwrap_or_default();
        if !known.contains(&program) {
            return Err(Failure::Usage(format!(
                "simulate supports only built-in bots ({}), not `{}`",
                known.join(", "),
                program.escape_debug()
            )));
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
            Some(BuiltIn { name, program: program.clone(), options: options.to_vec() })
        }
        [] => None,
    };
    Ok(named.filter_map(player).collect())
}

fn failure(failed: Failed) -> Failure {
    match failed {
        Failed::Options(_)
        | Failed::NoPlayers(_)
        | Failed::Players { .. }
        | Failed::Refused { .. } => Failure::Usage(failed.to_string()),
        Failed::Player { .. } => {
            Failure::Usage(format!("{failed}, `arbiter bots` lists the options"))
        }
        Failed::Stuck { .. } | Failed::NoThread(_) => Failure::Ours(failed.to_string()),
    }
}
