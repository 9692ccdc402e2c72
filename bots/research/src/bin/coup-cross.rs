//! Plays all pairs of players of Coup for two seats, and prints a table for documents:
//! `coup-cross --deals 300 --first-deals 600 --seed 60cc`.

use std::process::ExitCode;

use clap::Parser;
use research::coup::cross::{Cross, Entrant, USUAL};
use research::program::{self, COUP_SEED, SeedArgs};

/// Play all pairs of players of Coup for two seats, and print a table in Markdown
///
/// A PLAYER is a built-in one with options, quoted as one word, or a name with the 26 chances of a player that
/// `coup-climb` has found, as climbed=90,25,…. All pairs play the same deals, each in both seats.
#[derive(Debug, Parser)]
#[command(name = "coup-cross", max_term_width = 100)]
#[command(mut_arg("seed", |seed| seed.default_value(COUP_SEED)))]
struct Arguments {
    /// Who plays, all words up to the next option [default: all built-in players and a climbed one]
    #[arg(long, value_name = "PLAYER", num_args = 2.., default_values = USUAL, hide_default_value = true)]
    players: Vec<Entrant>,
    /// How many deals each pair plays, each in both seats
    #[arg(long, value_name = "N", default_value_t = 300)]
    deals: u64,
    /// How many deals each pair with the first player plays
    #[arg(long, value_name = "N", default_value_t = 600)]
    first_deals: u64,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(cross)
}

fn cross(given: Arguments) -> Result<(), String> {
    let Arguments { players, deals, first_deals, seed } = given;
    let cross =
        Cross::play(&players, &seed.seed, [first_deals, deals], &mut |one, other, tally| {
            eprintln!("{one}: {tally} against {other}");
        });
    print!("{}", cross.map_err(|failed| failed.to_string())?.markdown());
    Ok(())
}
