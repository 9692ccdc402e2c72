//! Measures how many games a league needs until its order is right, against a round robin:
//! `league --pool pool.json --runs 300`. `league --scenario all --replications 200` measures how often
//! intervals and probabilities are right.

use std::fmt::Display;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use research::league::chooser::Rule;
use research::league::players::{Mixture, TEN};
use research::league::pool::Pool;
use research::league::replay::{Setting, replay};
use research::league::scenario::Scenario;
use research::league::simulation::simulate;
use research::league::table;
use research::program::{self, SeedArgs, WorkerArgs};

/// Measure how good the choice of tables in a league is, and print tables in Markdown
///
/// Ten players of Tablić play each other. Leagues and round robins are replayed with these games, and the
/// table says how many games they need until their order is right.
///
/// With --scenario, leagues are simulated whose true ratings are known, each with tables chosen by round
/// robin, by the rule of earlier versions and by that of the program. The table says how often intervals,
/// probabilities and orders are right.
#[derive(Debug, Parser)]
#[command(name = "league", max_term_width = 100)]
struct Arguments {
    /// Where the games are; they are played and written if the file is not there
    #[arg(long, value_name = "FILE")]
    pool: Option<PathBuf>,
    /// How many deals each pair plays for the pool, in both seats
    #[arg(long, value_name = "N", default_value = "1000")]
    pool_deals: NonZeroU32,
    #[command(flatten)]
    setting: Setting,
    /// Simulate the scenarios with this text in their names, or all
    #[arg(long, value_name = "TEXT")]
    scenario: Option<String>,
    /// How many times each scenario is played
    #[arg(long, value_name = "N", default_value = "200")]
    replications: NonZeroU32,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(|given: Arguments| {
        if let Some(named) = &given.scenario {
            return simulations(&given, named);
        }
        let pool = pool(&given)?;
        let Arguments { setting, seed: SeedArgs { seed }, workers, .. } = &given;
        let order = pool.order().map_err(|problem| problem.to_string())?;
        let players: Vec<(String, f64)> =
            order.into_iter().map(|(player, elo)| (pool.players[player].clone(), elo)).collect();
        let played = |rule| {
            replay(&pool, setting, rule, seed, workers.count())
                .map_err(|problem| problem.to_string())
        };
        let (league, robin) = (played(Rule::HalfAndHalf)?, played(Rule::RoundRobin)?);
        println!("{}", table::markdown(&players, setting, &league, &robin).trim_end());
        Ok(())
    })
}

/// Prints a row for each scenario and rule as soon as it is known.
fn simulations(given: &Arguments, named: &str) -> Result<(), String> {
    let all = Scenario::all();
    let is_meant = |scenario: &&Scenario| named == "all" || scenario.name.contains(named);
    let meant: Vec<&Scenario> = all.iter().filter(is_meant).collect();
    if meant.is_empty() {
        let names: Vec<&str> = all.iter().map(|scenario| scenario.name).collect();
        return Err(format!(
            "no scenario `{named}`, expected `all` or one of: {}",
            names.join("; ")
        ));
    }
    print!("{}", table::HEADING);
    for scenario in meant {
        for rule in Rule::ALL.into_iter().filter(|rule| scenario.can_follow(*rule)) {
            let Arguments { replications, seed: SeedArgs { seed }, workers, .. } = given;
            let found = simulate(scenario, rule, *replications, seed, workers.count())
                .map_err(|problem| problem.to_string())?;
            println!("{}", table::row(scenario, rule, &found));
        }
    }
    Ok(())
}

/// The games in the file, or new ones.
fn pool(given: &Arguments) -> Result<Pool, String> {
    let players = TEN.iter().map(|text| text.parse()).collect::<Result<Vec<Mixture>, _>>();
    let players = players.map_err(|bad| bad.to_string())?;
    let Arguments { pool_deals, seed: SeedArgs { seed }, workers, .. } = given;
    let failed = |file: &Path, error: &dyn Display| format!("{}: {error}", file.display());
    if let Some(file) = given.pool.as_deref().filter(|file| file.exists()) {
        let text = fs::read_to_string(file).map_err(|error| failed(file, &error))?;
        let pool: Pool = serde_json::from_str(&text).map_err(|error| failed(file, &error))?;
        return match pool.is_of(&players, *pool_deals, seed) {
            true => Ok(pool),
            false => Err(format!(
                "{}: games of other players, deals or another seed, expected those asked for: \
                 name another file",
                file.display()
            )),
        };
    }
    let pool = Pool::play(&players, *pool_deals, seed, workers.count());
    let pool = pool.map_err(|bad| bad.to_string())?;
    if let Some(file) = &given.pool {
        let text = serde_json::to_string(&pool).map_err(|error| error.to_string())?;
        fs::write(file, text).map_err(|error| failed(file, &error))?;
    }
    Ok(pool)
}
