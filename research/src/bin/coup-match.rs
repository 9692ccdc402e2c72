//! Plays the player of a packed table against a built-in one, in process:
//! `coup-match --table FILE --bot 'minimax --depth 1' --deals 1000 --seed aa`. With `--punishment FILE`
//! the player departs from the table as that file says.

use std::process::ExitCode;

use bots::coup::expert::Expert;
use bots::coup::expert::packed::Packed;
use bots::coup::expert::punishment::Punishment;
use bots::options::given;
use research::coup::contest::Contest;
use research::program;
use rules::Seed;

const HELP: &str = "usage: coup-match --table FILE [--punishment FILE] [--bot 'minimax --depth 1'] \
    [--deals N] [--seed aa]";

fn main() -> ExitCode {
    program::run("coup-match", HELP, play)
}

fn play(words: &[String]) -> Result<(), String> {
    let (mut table, mut bot, mut deals) = (String::new(), "greedy".to_owned(), 1000);
    let mut seed = Seed([0xaa; 32]);
    let mut punishment = String::new();
    for option in given(words) {
        let wrong = || format!("wrong value after `{}`: `{}`", option.name, option.value);
        match option.name {
            "--table" => table = option.value.to_owned(),
            "--punishment" => punishment = option.value.to_owned(),
            "--bot" => bot = option.value.to_owned(),
            "--deals" => deals = option.value.parse().map_err(|_| wrong())?,
            "--seed" => seed = program::seed(option.value).ok_or_else(wrong)?,
            _ => return Err(format!("unknown option `{}`; {HELP}", option.name)),
        }
    }
    let packed = Packed::new(read(&table)?).ok_or_else(|| format!("{table}: no packed table"))?;
    let contest = Contest::new(&bot).map_err(|bad| bad.to_string())?;
    let player = match &punishment[..] {
        "" => Expert::safe(packed),
        file => {
            let punishment = Punishment::new(read(file)?);
            Expert::punishing(packed, punishment.ok_or_else(|| format!("{file}: no punishment"))?)
        }
    };
    let tally = contest
        .play(&seed, deals, &|| Box::new(player.clone()))
        .map_err(|failed| failed.to_string())?;
    println!("wins {tally} against {contest}");
    Ok(())
}

/// The bytes of a file, which players refer to until the program ends.
fn read(file: &str) -> Result<&'static [u8], String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    Ok(bytes.leak())
}
