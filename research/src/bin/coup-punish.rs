//! Learns to punish players of Coup:
//! `coup-punish --table FILE --to FILE --style '200 greedy' --style '300 minimax --depth 1'`.
//!
//! Each `--style` names a built-in player and how often it is met, in thousandths; for the rest it
//! meets the player of the table. First it counts what each of them does, in games against a
//! learner; then it learns against all of them.

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use bots::coup::expert::packed::Packed;
use bots::coup::expert::punishment::WHOLE;
use bots::options::given;
use research::coup::contest::Contest;
use research::coup::episodes::Student;
use research::coup::pack::pack;
use research::coup::population::{MOST_STYLES, Population, Style};
use research::coup::store::Store;
use research::program;
use rules::Seed;

const HELP: &str = "usage: coup-punish --table FILE --to FILE --style '200 greedy' \
    [--style ...] [--habit-games N] [--games N] [--seed aa] [--bytes N]";

fn main() -> ExitCode {
    program::run("coup-punish", HELP, learn)
}

/// The most bytes of a table of what a style does.
const HABITS: usize = 100_000;

fn learn(words: &[String]) -> Result<(), String> {
    let (mut table, mut to, mut named) = (String::new(), String::new(), Vec::new());
    let (mut habit_games, mut games, mut bytes) = (20_000, 300_000, 100_000);
    let mut seed = Seed([0xaa; 32]);
    for option in given(words) {
        let wrong = || format!("wrong value after `{}`: `{}`; {HELP}", option.name, option.value);
        match option.name {
            "--table" => table = option.value.to_owned(),
            "--to" => to = option.value.to_owned(),
            "--style" => {
                let (chance, bot) = option.value.split_once(' ').ok_or_else(wrong)?;
                let contest = Contest::new(bot).map_err(|bad| bad.to_string())?;
                named.push((chance.parse().map_err(|_| wrong())?, contest));
            }
            "--habit-games" => habit_games = option.value.parse().map_err(|_| wrong())?,
            "--games" => games = option.value.parse().map_err(|_| wrong())?,
            "--bytes" => bytes = option.value.parse().map_err(|_| wrong())?,
            "--seed" => seed = program::seed(option.value).ok_or_else(wrong)?,
            _ => return Err(format!("unknown option `{}`; {HELP}", option.name)),
        }
    }
    let met: u32 = named.iter().map(|(chance, _)| *chance).sum();
    if table.is_empty() || to.is_empty() || met > WHOLE || named.len() > MOST_STYLES {
        return Err(format!(
            "expected a table, a file to write, and up to {MOST_STYLES} styles that are met {WHOLE} times \
             in {WHOLE} together at most; {HELP}"
        ));
    }
    let read = std::fs::read(&table).map_err(|error| format!("{table}: {error}"))?;
    // The players of this program refer to it until its end.
    let safe = Packed::new(read.leak()).ok_or_else(|| format!("{table}: no packed table"))?;
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
    std::fs::write(&to, packed).map_err(|error| format!("{to}: {error}"))
}
