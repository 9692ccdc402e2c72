//! Measures how many games a league needs until its order is right, against a round robin:
//! `league --pool pool.json --runs 300`.

use std::fs;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use research::league::players::{Mixture, TEN};
use research::league::pool::Pool;
use research::league::replay::{Chooser, Setting, replay};
use research::league::table;
use research::program::{self, asked_seed, number, options, unknown};
use rules::Seed;

const HELP: &str = "\
league: how many games a league needs until its order is right, as tables in Markdown

Usage: league [OPTIONS]

Ten players of Tablić play each other. Leagues and round robins are replayed with these games.

Options:
  --pool FILE      where the games are; they are played and written if the file is not there
  --pool-deals N   how many deals each pair plays for the pool, in both seats (1000)
  --tables N       how many tables a round has (5)
  --deals N        how many deals a table plays in a round, in both seats (20)
  --rounds N       how many rounds are replayed (60)
  --runs N         how many times they are replayed (200)
  --workers N      how many threads (one for each core)
  --seed DIGITS    how the seed begins, up to 64 hexadecimal digits; the others are 0 (aa)";

/// What was asked for.
struct Plan {
    pool: Option<String>,
    pool_deals: NonZeroU32,
    setting: Setting,
    workers: NonZeroUsize,
    seed: Seed,
}

fn main() -> ExitCode {
    program::run("league", HELP, |words| {
        let plan = plan(words)?;
        let pool = pool(&plan)?;
        let Plan { setting, seed, workers, .. } = &plan;
        let order = pool.order().map_err(|problem| problem.to_string())?;
        let players: Vec<(String, f64)> =
            order.into_iter().map(|(player, elo)| (pool.players[player].clone(), elo)).collect();
        let played = |chooser| {
            replay(&pool, setting, chooser, seed, *workers).map_err(|problem| problem.to_string())
        };
        let (league, robin) = (played(Chooser::League)?, played(Chooser::RoundRobin)?);
        println!("{}", table::markdown(&players, setting, &league, &robin).trim_end());
        Ok(())
    })
}

fn plan(words: &[String]) -> Result<Plan, String> {
    let usual = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
    let mut plan = Plan {
        pool: None,
        pool_deals: usual(1000),
        setting: Setting {
            tables: NonZeroUsize::new(5).unwrap_or(NonZeroUsize::MIN),
            deals: usual(20),
            rounds: usual(60),
            runs: usual(200),
        },
        workers: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        seed: asked_seed("aa")?,
    };
    for option in options(words)? {
        let (name, value) = (option.name, option.value);
        match name {
            "--pool" => plan.pool = Some(value.to_owned()),
            "--pool-deals" => plan.pool_deals = number(name, value)?,
            "--tables" => plan.setting.tables = number(name, value)?,
            "--deals" => plan.setting.deals = number(name, value)?,
            "--rounds" => plan.setting.rounds = number(name, value)?,
            "--runs" => plan.setting.runs = number(name, value)?,
            "--workers" => plan.workers = number(name, value)?,
            "--seed" => plan.seed = asked_seed(value)?,
            _ => return Err(unknown(option)),
        }
    }
    Ok(plan)
}

/// The games in the file, or new ones.
fn pool(plan: &Plan) -> Result<Pool, String> {
    let players = TEN.iter().map(|text| text.parse()).collect::<Result<Vec<Mixture>, _>>();
    let players = players.map_err(|bad| bad.to_string())?;
    let Plan { pool_deals, seed, workers, .. } = plan;
    if let Some(file) = plan.pool.as_deref().filter(|file| Path::new(file).exists()) {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let pool: Pool = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
        return match pool.is_of(&players, *pool_deals, seed) {
            true => Ok(pool),
            false => Err(format!(
                "{file}: games of other players, deals or another seed, expected those asked for: \
                 name another file"
            )),
        };
    }
    let pool = Pool::play(&players, *pool_deals, seed, *workers).map_err(|bad| bad.to_string())?;
    if let Some(file) = &plan.pool {
        let text = serde_json::to_string(&pool).map_err(|error| error.to_string())?;
        fs::write(file, text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(pool)
}
