//! Measures how many marks of a review twenty times the worlds confirm, and how many true mistakes it finds:
//! `marks --game durak --games 4 --one-of 5 random greedy "minimax --worlds 50 --time none"`.

use std::process::ExitCode;

use clap::Parser;
use research::ladder::players::Contender;
use research::marks::{Setting, looked, table};
use research::program::{self, SeedArgs, WorkerArgs};

/// Measure how many marks of a review more worlds confirm, and how many it finds, and print a table in Markdown
///
/// All pairs of players play. Decisions are reviewed as `arbiter review` does it, and again in twenty times as many other worlds.
#[derive(Debug, Parser)]
#[command(name = "marks", max_term_width = 100)]
struct Arguments {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "tablic")]
    game: String,
    /// Its options
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// How many games each pair plays in each order of seats
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Look at one of so many decisions
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    one_of: u64,
    /// The players, a name with options in one word each
    #[arg(required = true, num_args = 2..)]
    players: Vec<Contender>,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(|given: Arguments| {
        let Arguments { game, options, games, one_of, players, workers, seed } = given;
        let kind = game.parse().map_err(|error| format!("{error}"))?;
        let setting = Setting { kind, options, players, games, one_of, seed: seed.seed };
        let looked = looked(&setting, workers.count())?;
        println!("{}", table(&setting, &looked).trim_end());
        Ok(())
    })
}
