//! A league and a round robin, played with games of a pool.

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;

use clap::Args;
use rules::Seed;
use standings::Tally;
use standings::pairing::{AvailableBot, Meetings, RoundSpec, Strength};

use super::LeagueError;
use super::chooser::{Chooser, Rule};
use super::pool::{Pool, pairs};

/// Size of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct Setting {
    /// How many tables a round has
    #[arg(long, value_name = "N", default_value = "5")]
    pub tables: NonZeroUsize,
    /// How many deals a table plays in a round, each in both seats
    #[arg(long, value_name = "N", default_value = "20")]
    pub deals: NonZeroU32,
    /// How many rounds are played
    #[arg(long, value_name = "N", default_value = "60")]
    pub rounds: NonZeroU32,
    /// How many times all is replayed
    #[arg(long, value_name = "N", default_value = "200")]
    pub runs: NonZeroU32,
}

/// Results after a round, over all replays.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct After {
    /// In what share of the replays the whole order is right.
    pub right: f64,
    /// The mean share of pairs whose order is right.
    pub pairs: f64,
}

/// Plays all replays, and gives what is known after each round.
pub fn replay(
    pool: &Pool,
    setting: &Setting,
    rule: Rule,
    seed: &Seed,
    workers: NonZeroUsize,
) -> Result<Vec<After>, LeagueError> {
    let truth: Vec<usize> = pool.order()?.into_iter().map(|(player, _)| player).collect();
    let mut sums = vec![After::default(); setting.rounds.get() as usize];
    let start = || |run| once(pool, setting, rule, &truth, seed, run);
    let runs = f64::from(setting.runs.get());
    workers::in_order(setting.runs.get().into(), workers, start, |afters: Vec<After>| {
        for (sum, after) in sums.iter_mut().zip(afters) {
            sum.right += after.right / runs;
            sum.pairs += after.pairs / runs;
        }
        ControlFlow::Continue(())
    })
    .map(|()| sums)
}

fn once(
    pool: &Pool,
    setting: &Setting,
    rule: Rule,
    truth: &[usize],
    seed: &Seed,
    run: u64,
) -> Result<Vec<After>, LeagueError> {
    let mut nature = seed.nature(run);
    let mut tally = pool.tally();
    let mut meetings = Meetings::default();
    let mut candidates = vec![AvailableBot { deals: 0, strength: None }; truth.len()];
    let mut chooser = Chooser::new(rule, seed, run);
    let mut number = 0;
    let mut afters = Vec::new();
    for round in 0..u64::from(setting.rounds.get()) {
        let Setting { tables, deals, .. } = *setting;
        let round = RoundSpec { number: run << 32 | round, seats: 2.try_into()?, tables, deals };
        let tables = chooser.next(&candidates, &meetings, &round)?;
        for table in &tables {
            for pair in table.pairs() {
                for _ in 0..setting.deals.get() {
                    let deal = nature.below(pool.deals) as usize;
                    pool.add(&mut tally, pair.map(|bot| bot.0), deal, number)?;
                    number += 1;
                }
            }
            meetings.add(table, setting.deals.get().into());
        }
        afters.push(compare(&tally, truth, &mut candidates));
    }
    Ok(afters)
}

/// Compares the order with the truth, and brings the candidates up to date.
fn compare(tally: &Tally, truth: &[usize], candidates: &mut [AvailableBot]) -> After {
    let rows = tally.standings().all.rows;
    for row in &rows {
        if let Some(candidate) =
            row.name.parse::<usize>().ok().and_then(|it| candidates.get_mut(it))
        {
            let strength = row.rating.as_ref().and_then(Strength::from_rating);
            // Every deal is two games.
            *candidate = AvailableBot { deals: row.games / 2, strength };
        }
    }
    let found: Vec<usize> = rows.iter().filter_map(|row| row.name.parse().ok()).collect();
    let place = |player: &usize| found.iter().position(|it| it == player);
    let pairs = pairs(truth.len());
    let right = pairs.iter().filter(|[one, other]| place(&truth[*one]) < place(&truth[*other]));
    let share = right.count() as f64 / pairs.len() as f64;
    After { right: f64::from(u8::from(found == truth)), pairs: share }
}
