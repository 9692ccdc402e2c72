//! Learns to punish players of Coup:
//! `coup-punish --table FILE --to FILE --style '200 greedy' --style '300 minimax --depth 1'`.
//!
//! Each `--style` names a built-in player and how often it is met, in thousandths; for the rest it
//! meets the player of the table. First it counts what each of them does, in games against a
//! learner; then it learns against all of them.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use bots::coup::expert::packed::PackedTable;
use bots::coup::expert::style_tracker::WHOLE;
use clap::Parser;
use research::coup::contest::Contest;
use research::coup::episodes::Student;
use research::coup::pack::pack;
use research::coup::population::{MOST_STYLES, Population, Style};
use research::coup::store::Store;
use research::program::{self, COUP_SEED, SeedArgs};

/// Learn to punish players of Coup
#[derive(Debug, Parser)]
#[command(name = "coup-punish", max_term_width = 100)]
#[command(mut_arg("seed", |seed| seed.default_value(COUP_SEED)))]
struct Arguments {
    /// The packed table that is departed from
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// How often a built-in player is met, in thousandths, and its name with options, as
    /// `300 minimax --depth 1`; may be repeated
    #[arg(long, value_name = "STYLE", value_parser = style)]
    style: Vec<(u32, Contest)>,
    /// How many games show what a style does
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    habit_games: u64,
    /// How many games it learns from
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    games: u64,
    /// How many bytes the file may have
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    bytes: usize,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(learn)
}

fn style(text: &str) -> Result<(u32, Contest), String> {
    let parts = text.split_once(' ').and_then(|(chance, bot)| Some((chance.parse().ok()?, bot)));
    let (chance, bot) = parts.ok_or("expected a number and a player, as `200 greedy`")?;
    Ok((chance, Contest::new(bot).map_err(|bad| bad.to_string())?))
}

/// The most bytes of a table of what a style does.
const HABITS: usize = 100_000;

fn learn(given: Arguments) -> Result<(), String> {
    let Arguments { table, to, style: named, habit_games, games, bytes, seed: SeedArgs { seed } } =
        given;
    let met: u32 = named.iter().map(|(chance, _)| *chance).sum();
    if met > WHOLE || named.len() > MOST_STYLES {
        return Err(format!(
            "expected up to {MOST_STYLES} styles that are met {WHOLE} times in {WHOLE} together at most"
        ));
    }
    let read = std::fs::read(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    // The players of this program refer to it until its end.
    let safe = PackedTable::new(read.leak());
    let safe = safe.ok_or_else(|| format!("{}: no packed table", table.display()))?;
    let mut styles = Vec::new();
    for (chance, contest) in named {
        let counts = Arc::new(Mutex::new(Store::new()));
        let watched = contest.clone().watched(Arc::clone(&counts));
        let mut student = Student::new(watched, seed.clone());
        student.learn(habit_games).map_err(|failed| failed.to_string())?;
        let counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let habits = pack(&counts, HABITS, 4.0);
        println!("{contest}: {} bytes", habits.len());
        styles.push(Style { contest, habits: habits.leak(), chance });
    }
    let mut population = Population::new(safe, styles, seed).ok_or("no table of habits")?;
    population.learn(games).map_err(|failed| failed.to_string())?;
    let packed = population.packed(bytes);
    println!("{} bytes after {games} games", packed.len());
    std::fs::write(&to, packed).map_err(|error| format!("{}: {error}", to.display()))
}
