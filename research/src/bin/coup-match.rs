//! Plays the player of a packed table against a built-in one, in process:
//! `coup-match --table FILE --bot 'minimax --depth 1' --deals 1000 --seed aa`.

use std::process::ExitCode;
use std::sync::OnceLock;

use bots::coup::Coup;
use bots::coup::expert::Expert;
use bots::coup::expert::packed::Packed;
use bots::options::given;
use bots::simulation::{TIME, play};
use bots::{AnyPlayer, Players};
use research::coup::measure::Share;
use rules::coup::Options;
use rules::{Score, Seat, Seed, Terms};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("coup-match: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// The bytes of the table, which players refer to.
static BYTES: OnceLock<Vec<u8>> = OnceLock::new();

fn run(words: &[String]) -> Result<(), String> {
    let (mut table, mut bot, mut deals) = (String::new(), "greedy".to_owned(), 1000);
    let mut seed = Seed([0xaa; 32]);
    for option in given(words) {
        let wrong = || format!("wrong value after `{}`: `{}`", option.name, option.value);
        match option.name {
            "--table" => table = option.value.to_owned(),
            "--bot" => bot = option.value.to_owned(),
            "--deals" => deals = option.value.parse().map_err(|_| wrong())?,
            "--seed" => {
                let padded = format!("{:0<64}", option.value);
                seed = padded.parse().map_err(|_| wrong())?;
            }
            _ => return Err(format!("unknown option `{}`", option.name)),
        }
    }
    let bytes = std::fs::read(&table).map_err(|error| format!("{table}: {error}"))?;
    let bytes = BYTES.get_or_init(|| bytes);
    let packed = Packed::new(bytes).ok_or_else(|| format!("{table}: no packed table"))?;
    let mut words = bot.split_ascii_whitespace().map(str::to_owned);
    let name = words.next().unwrap_or_default();
    let options: Vec<String> = words.collect();
    let mut share = Share { games: deals * 2, ..Share::default() };
    for deal in 0..deals {
        for own in 0..2 {
            let terms = Terms::even(seed.name(deal * 2 + own), 2, TIME, seed.bots(deal));
            let other = Coup::player(&name, &options).map_err(|bad| bad.to_string())?;
            let expert: AnyPlayer<Coup> = Box::new(Expert::new(packed));
            let players = if own == 0 { vec![expert, other] } else { vec![other, expert] };
            let finished = play(&Options::default(), &terms, &mut seed.nature(deal), players)
                .map_err(|stuck| stuck.to_string())?;
            let won = |seat: usize| {
                Seat::new(seat).is_some_and(|seat| finished.scores[seat] != Score::ZERO)
            };
            share.won += u64::from(won(own as usize));
            share.draws += u64::from(!won(0) && !won(1));
        }
    }
    println!("wins {share} against {bot}, draws {}", share.draws);
    Ok(())
}
