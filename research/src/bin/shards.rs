//! Simulates tournaments in shards on machines that differ in speed and die, and prints a table for
//! documents: `shards --machines 400 --shards 400,10000 --seed aa`.

use std::num::NonZeroU32;
use std::process::ExitCode;

use research::program::{self, asked_seed, number, options, unknown};
use research::shards::Setting;
use research::shards::table::{self, EXAMPLE, Row};

const HELP: &str = "\
shards: how long a tournament takes in shards, as a table in Markdown

Usage: shards [OPTIONS]

Times beside those of the simulation are estimates on paper.

Options:
  --machines N,…   how many machines there are (400)
  --shards N,…     how many shards (400,800,2000,4000,10000,20000,40000)
  --games N        how many games (1000000)
  --hours H        how many hours all takes if nothing is lost (10)
  --spread X       how much faster the fastest machine is than the slowest (5)
  --deaths X       how often a machine dies in an hour (0.01)
  --notice M       after how many minutes the engine queues the shard again (5)
  --absence M      after how many minutes the machine works again (30)
  --start S        how many seconds a shard needs before its first game (5)
  --runs N         how many simulations each row is the mean of (20)
  --seed DIGITS    how the seed begins, up to 64 hexadecimal digits; the others are 0 (aa)";

/// What was asked for.
struct Plan {
    setting: Setting,
    machines: Vec<NonZeroU32>,
    shards: Vec<NonZeroU32>,
    runs: NonZeroU32,
    seed: rules::Seed,
}

fn main() -> ExitCode {
    program::run("shards", HELP, |words| {
        let plan = plan(words)?;
        let mut rows = Vec::new();
        for machines in &plan.machines {
            for shards in &plan.shards {
                let setting =
                    Setting { machines: *machines, shards: *shards, ..plan.setting.clone() };
                if u64::from(shards.get()) > setting.games {
                    return Err(format!("{shards} shards for {} games", setting.games));
                }
                rows.push(Row::simulate(&setting, &plan.seed, plan.runs));
            }
        }
        println!("{}", table::markdown(&rows).trim_end());
        Ok(())
    })
}

fn plan(words: &[String]) -> Result<Plan, String> {
    let usual = [400, 800, 2000, 4000, 10_000, 20_000, 40_000];
    let mut plan = Plan {
        setting: EXAMPLE,
        machines: vec![EXAMPLE.machines],
        shards: usual.into_iter().filter_map(NonZeroU32::new).collect(),
        runs: NonZeroU32::new(20).unwrap_or(NonZeroU32::MIN),
        seed: asked_seed("aa")?,
    };
    for option in options(words)? {
        let (name, value) = (option.name, option.value);
        let setting = &mut plan.setting;
        match name {
            "--machines" => plan.machines = list(name, value)?,
            "--shards" => plan.shards = list(name, value)?,
            "--games" => setting.games = number(name, value)?,
            "--hours" => setting.ideal = positive(name, value)?,
            "--spread" => setting.spread = positive(name, value)?,
            "--deaths" => setting.deaths = positive(name, value)?,
            "--notice" => setting.notice = positive(name, value)? / 60.0,
            "--absence" => setting.absence = positive(name, value)? / 60.0,
            "--start" => setting.start = positive(name, value)? / 3600.0,
            "--runs" => plan.runs = number(name, value)?,
            "--seed" => plan.seed = asked_seed(value)?,
            _ => return Err(unknown(option)),
        }
    }
    Ok(plan)
}

fn list(name: &str, value: &str) -> Result<Vec<NonZeroU32>, String> {
    value.split(',').map(|text| number(name, text)).collect()
}

/// A number above 0.
fn positive(name: &str, value: &str) -> Result<f64, String> {
    let found: f64 = number(name, value)?;
    match found.is_finite() && found > 0.0 {
        true => Ok(found),
        false => Err(format!("expected a number above 0 after `{name}`, found `{value}`")),
    }
}
