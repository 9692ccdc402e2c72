//! Simulates tournaments in shards on machines that differ in speed and die, and prints a table for
//! documents: `shards --machines 400 --shards 400,10000 --seed aa`.

use std::num::NonZeroU32;
use std::process::ExitCode;

use clap::Parser;
use research::program::{self, SeedArgs, positive};
use research::shards::Setting;
use research::shards::table::{self, Row};

/// Simulate how long a tournament takes in shards, and print a table in Markdown
///
/// Times beside those of the simulation are estimates on paper.
#[derive(Debug, Parser)]
#[command(name = "shards", max_term_width = 100)]
struct Arguments {
    /// How many machines there are
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "400")]
    machines: Vec<NonZeroU32>,
    /// How many shards
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "400,800,2000,4000,10000,20000,40000"
    )]
    shards: Vec<NonZeroU32>,
    /// How many games
    #[arg(long, value_name = "N", default_value = "1000000")]
    games: u64,
    /// How many hours all takes if nothing is lost
    #[arg(long, value_name = "H", value_parser = positive, default_value = "10")]
    hours: f64,
    /// How much faster the fastest machine is than the slowest
    #[arg(long, value_name = "X", value_parser = positive, default_value = "5")]
    spread: f64,
    /// How often a machine dies in an hour
    #[arg(long, value_name = "X", value_parser = positive, default_value = "0.01")]
    deaths: f64,
    /// After how many minutes the engine queues the shard again
    #[arg(long, value_name = "M", value_parser = positive, default_value = "5")]
    notice: f64,
    /// After how many minutes the machine works again
    #[arg(long, value_name = "M", value_parser = positive, default_value = "30")]
    absence: f64,
    /// How many seconds a shard needs before its first game
    #[arg(long, value_name = "S", value_parser = positive, default_value = "5")]
    start: f64,
    /// How many simulations each row is the mean of
    #[arg(long, value_name = "N", default_value = "20")]
    runs: NonZeroU32,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(|given: Arguments| {
        let mut rows = Vec::new();
        for machines in &given.machines {
            for shards in &given.shards {
                if u64::from(shards.get()) > given.games {
                    return Err(format!("{shards} shards for {} games", given.games));
                }
                let setting = Setting {
                    machines: *machines,
                    shards: *shards,
                    games: given.games,
                    ideal: given.hours,
                    spread: given.spread,
                    deaths: given.deaths,
                    notice: given.notice / 60.0,
                    absence: given.absence / 60.0,
                    start: given.start / 3600.0,
                };
                rows.push(Row::simulate(&setting, &given.seed.seed, given.runs));
            }
        }
        println!("{}", table::markdown(&rows).trim_end());
        Ok(())
    })
}
