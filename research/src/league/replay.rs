//! A league and a round robin, played with games of a pool.

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;

use arbiter::pairing::{Candidate, Meetings, NoRound, NotSeats, Round, Strength, Table, choose};
use arbiter::standings::{Entrant, Tally};
use bots::workers::{self, NoThread};
use rules::{Nature, Seed};

use super::pool::{NoPool, Pool, pairs};

/// What is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// How many tables a round has.
    pub tables: NonZeroUsize,
    /// How many deals a table plays in a round, each in both seats.
    pub deals: NonZeroU32,
    /// How many rounds are played.
    pub rounds: NonZeroU32,
    /// How many times all is replayed.
    pub runs: NonZeroU32,
}

/// Who chooses the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chooser {
    /// [`choose`]
    League,
    /// All pairs in turn, in an order that is drawn.
    RoundRobin,
}

/// What is known after a round, over all replays.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct After {
    /// In what share of the replays the whole order is right.
    pub right: f64,
    /// The mean share of pairs whose order is right.
    pub pairs: f64,
}

/// Why a replay fails; one line.
#[derive(Debug, thiserror::Error)]
pub enum NoReplay {
    /// There are no such games.
    #[error("{0}")]
    Pool(#[from] NoPool),
    /// A round cannot be made.
    #[error("{0}")]
    Round(#[from] NoRound),
    /// A table cannot be made.
    #[error("{0}")]
    Table(#[from] NotSeats),
    /// The system does not let a thread be started.
    #[error("{0}")]
    NoThread(#[from] NoThread),
}

/// Plays all replays, and gives what is known after each round.
///
/// # Errors
///
/// [`NoReplay`]
pub fn replay(
    pool: &Pool,
    setting: &Setting,
    chooser: Chooser,
    seed: &Seed,
    workers: NonZeroUsize,
) -> Result<Vec<After>, NoReplay> {
    let truth: Vec<usize> = pool.order()?.into_iter().map(|(player, _)| player).collect();
    let mut sums = vec![After::default(); setting.rounds.get() as usize];
    let start = || |run| once(pool, setting, chooser, &truth, seed, run);
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
    chooser: Chooser,
    truth: &[usize],
    seed: &Seed,
    run: u64,
) -> Result<Vec<After>, NoReplay> {
    let mut nature = seed.nature(run);
    let mut tally = pool.tally();
    let mut meetings = Meetings::default();
    let mut candidates = vec![Candidate { deals: 0, strength: None }; truth.len()];
    let mut queue = Vec::new();
    let mut number = 0;
    let mut afters = Vec::new();
    for round in 0..u64::from(setting.rounds.get()) {
        let tables: Vec<Table> = match chooser {
            Chooser::League => {
                let number = run << 32 | round;
                let (tables, deals) = (setting.tables, setting.deals);
                let round = Round { number, seats: 2.try_into()?, tables, deals, least: 30 };
                choose(&candidates, &meetings, &round, seed)?
                    .into_iter()
                    .map(|chosen| chosen.table)
                    .collect()
            }
            Chooser::RoundRobin => (0..setting.tables.get())
                .map(|_| next(&mut queue, truth.len(), &mut nature))
                .collect::<Result<_, _>>()?,
        };
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

/// The next table of a round robin.
fn next(
    queue: &mut Vec<[usize; 2]>,
    players: usize,
    nature: &mut Nature,
) -> Result<Table, NotSeats> {
    if queue.is_empty() {
        *queue = pairs(players);
    }
    let drawn = nature.choose(queue).copied().unwrap_or_default();
    queue.retain(|pair| *pair != drawn);
    Table::new(drawn.map(Entrant))
}

/// How right the order is. What is known of the candidates is brought up to date.
fn compare(tally: &Tally, truth: &[usize], candidates: &mut [Candidate]) -> After {
    let rows = tally.standings().all.rows;
    for row in &rows {
        if let Some(candidate) =
            row.name.parse::<usize>().ok().and_then(|it| candidates.get_mut(it))
        {
            let strength = row.rating.as_ref().and_then(Strength::of);
            // Every deal is two games.
            *candidate = Candidate { deals: row.games / 2, strength };
        }
    }
    let found: Vec<usize> = rows.iter().filter_map(|row| row.name.parse().ok()).collect();
    let place = |player: &usize| found.iter().position(|it| it == player);
    let pairs = pairs(truth.len());
    let right = pairs.iter().filter(|[one, other]| place(&truth[*one]) < place(&truth[*other]));
    let share = right.count() as f64 / pairs.len() as f64;
    After { right: f64::from(u8::from(found == truth)), pairs: share }
}
