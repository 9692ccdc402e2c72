//! Plays the player of a packed table against a built-in one, in process:
//! `coup-match --table FILE --bot 'minimax --depth 1' --deals 1000 --seed aa`. With `--punishment FILE`
//! the player departs from the table as that file says.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bots::coup::expert::Expert;
use bots::coup::expert::packed::PackedTable;
use bots::coup::expert::style_tracker::StyleResponses;
use clap::Parser;
use research::coup::contest::Contest;
use research::program::{self, COUP_SEED, SeedArgs};

/// Play the player of a packed table against a built-in one
#[derive(Debug, Parser)]
#[command(name = "coup-match", max_term_width = 100)]
#[command(mut_arg("seed", |seed| seed.default_value(COUP_SEED)))]
struct Arguments {
    /// The packed table
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// How the player departs from the table
    #[arg(long, value_name = "FILE")]
    punishment: Option<PathBuf>,
    /// The built-in player
    #[arg(long, value_name = "PLAYER", value_parser = Contest::new, default_value = "greedy")]
    bot: Contest,
    /// How many deals they play, each in both orders of seats
    #[arg(long, value_name = "N", default_value_t = 1000)]
    deals: u64,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(play)
}

fn play(given: Arguments) -> Result<(), String> {
    let Arguments { table, bot, .. } = &given;
    let packed = PackedTable::new(read(table)?)
        .ok_or_else(|| format!("{}: no packed table", table.display()))?;
    let player = match &given.punishment {
        None => Expert::safe(packed),
        Some(file) => {
            let punishment = StyleResponses::new(read(file)?);
            let wrong = || format!("{}: no punishment", file.display());
            Expert::punishing(packed, punishment.ok_or_else(wrong)?)
        }
    };
    let tally = bot
        .play(&given.seed.seed, given.deals, &|| Box::new(player.clone()))
        .map_err(|failed| failed.to_string())?;
    println!("wins {tally} against {bot}");
    Ok(())
}

/// The bytes of a file, which players refer to until the program ends.
fn read(file: &Path) -> Result<&'static [u8], String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(bytes.leak())
}
