//! A player of a few fixed chances learns to beat a built-in player:
//! `coup-climb --bot 'minimax --depth 1' --games 1000 --for 5m --seed aa`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bots::options::given;
use research::coup::chances::{Chances, NAMES};
use research::coup::climb::Climb;
use research::coup::contest::Contest;
use research::program::{self, seed};
use rules::Seed;

const HELP: &str = "usage: coup-climb [--bot 'minimax --depth 1'] [--games N] [--for 5m] [--steps N] \
    [--seed aa] [--from NUMBERS] [--fresh N] [--fresh-seed f0]";

struct Plan {
    contest: Contest,
    /// How many games each side of a step has.
    games: u64,
    time: Duration,
    steps: u64,
    seed: Seed,
    from: Chances,
    /// How many games measure what was found.
    fresh: u64,
    fresh_seed: Option<Seed>,
}

fn main() -> ExitCode {
    program::run("coup-climb", HELP, |words| climb(&plan(words)?))
}

fn plan(words: &[String]) -> Result<Plan, String> {
    let mut plan = Plan {
        contest: Contest::new("minimax --depth 1").map_err(|bad| bad.to_string())?,
        games: 1000,
        time: Duration::from_secs(300),
        steps: u64::MAX,
        seed: Seed([0xaa; 32]),
        from: Chances::START,
        fresh: 4000,
        fresh_seed: None,
    };
    for option in given(words) {
        let wrong = || format!("wrong value after `{}`: `{}`; {HELP}", option.name, option.value);
        let number = || option.value.parse::<u64>().map_err(|_| wrong());
        match option.name {
            "--bot" => plan.contest = Contest::new(option.value).map_err(|bad| bad.to_string())?,
            "--games" => plan.games = number()?,
            "--for" => plan.time = humantime::parse_duration(option.value).map_err(|_| wrong())?,
            "--steps" => plan.steps = number()?,
            "--seed" => plan.seed = seed(option.value).ok_or_else(wrong)?,
            "--from" => plan.from = option.value.parse().map_err(|bad| format!("--from: {bad}"))?,
            "--fresh" => plan.fresh = number()?,
            "--fresh-seed" => plan.fresh_seed = Some(seed(option.value).ok_or_else(wrong)?),
            _ => return Err(format!("unknown option `{}`; {HELP}", option.name)),
        }
    }
    Ok(plan)
}

fn climb(plan: &Plan) -> Result<(), String> {
    let mut climb = Climb::new(plan.contest.clone(), plan.seed.clone(), plan.from);
    let begin = Instant::now();
    let mut kept = 0;
    while climb.steps < plan.steps && begin.elapsed() < plan.time {
        climb.step(plan.games.div_ceil(2)).map_err(|failed| failed.to_string())?;
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
    let mut other = plan.seed.clone();
    other.0[31] ^= 0xff;
    let fresh_seed = plan.fresh_seed.as_ref().unwrap_or(&other);
    let tally = plan
        .contest
        .play(fresh_seed, plan.fresh.div_ceil(2), &|| Box::new(chances))
        .map_err(|failed| failed.to_string())?;
    println!("wins {tally} against {} on fresh deals of the seed {fresh_seed}", plan.contest);
    Ok(())
}
