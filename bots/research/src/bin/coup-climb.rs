//! A player of a few fixed chances learns to beat a built-in player:
//! `coup-climb --bot 'minimax --depth 1' --games 1000 --for 5m --seed aa`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use research::coup::chances::{Chances, NAMES};
use research::coup::climb::Climb;
use research::coup::contest::Contest;
use research::program::{self, COUP_SEED, SeedArgs, seed};
use rules::Seed;

/// Have a player of a few fixed chances learn to beat a built-in player
#[derive(Debug, Parser)]
#[command(name = "coup-climb", max_term_width = 100)]
#[command(mut_arg("seed", |seed| seed.default_value(COUP_SEED)))]
struct Arguments {
    /// The built-in player
    #[arg(
        long,
        value_name = "PLAYER",
        value_parser = Contest::new,
        default_value = "minimax --depth 1"
    )]
    bot: Contest,
    /// How many games each side of a step has
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// How long it learns
    #[arg(
        long = "for",
        value_name = "TIME",
        value_parser = humantime::parse_duration,
        default_value = "5m"
    )]
    time: Duration,
    /// How many steps it learns at most
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    #[command(flatten)]
    seed: SeedArgs,
    /// The chances that it begins with
    #[arg(long, value_name = "NUMBERS", default_value_t = Chances::START)]
    from: Chances,
    /// How many games measure what was found
    #[arg(long, value_name = "N", default_value_t = 4000)]
    fresh: u64,
    /// How the seed of these games begins [default: the seed, its last byte inverted]
    #[arg(long, value_name = "DIGITS", value_parser = seed)]
    fresh_seed: Option<Seed>,
}

fn main() -> ExitCode {
    program::run(climb)
}

fn climb(given: Arguments) -> Result<(), String> {
    let SeedArgs { seed } = given.seed;
    let most = given.steps.unwrap_or(u64::MAX);
    let mut climb = Climb::new(given.bot.clone(), seed.clone(), given.from);
    let begin = Instant::now();
    let mut kept = 0;
    while climb.steps < most && begin.elapsed() < given.time {
        climb.step(given.games.div_ceil(2)).map_err(|failed| failed.to_string())?;
        if climb.kept > kept {
            kept = climb.kept;
            let Climb { steps, games, chances, .. } = climb;
            println!(
                "{:>5.0?} steps {steps} kept {kept} games {games}: {chances}",
                begin.elapsed()
            );
        }
    }
    let Climb { steps, kept, games, chances, .. } = climb;
    println!("{:.0?}: kept {kept} of {steps} steps in {games} games", begin.elapsed());
    for (chance, name) in chances.0.iter().zip(NAMES) {
        println!("{chance:>4}% {name}");
    }
    println!("--from {chances}");
    // Deals of which climbing has seen none.
    let mut other = seed;
    other.0[31] ^= 0xff;
    let fresh_seed = given.fresh_seed.unwrap_or(other);
    let tally = given
        .bot
        .play(&fresh_seed, given.fresh.div_ceil(2), &|| Box::new(chances))
        .map_err(|failed| failed.to_string())?;
    println!("wins {tally} against {} on fresh deals of the seed {fresh_seed}", given.bot);
    Ok(())
}
