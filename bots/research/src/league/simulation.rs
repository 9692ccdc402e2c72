//! Test of the numbers of a league where the truth is known.
//!
//! All of it is computed by the functions of the program: [`choose`](standings::pairing::choose)
//! names the tables, a [`Tally`] has the ratings, their intervals and the probabilities that one bot is
//! better than another. Rounds are as large as by default: as many tables as bots, of ten deals each.

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;

use league::rounds::RoundSize;
use rules::Seed;
use standings::pairing::{AvailableBot, Meetings, RoundSpec, Strength};
use standings::{StandingsView, Tally};

use super::LeagueError;
use super::chooser::{Chooser, Rule};
use super::scenario::Scenario;

/// Least probability of a sure order of two neighbours, as with `--until-sure`.
const SURE: f64 = 0.95;

/// Least probability at which one of two bots is called better.
const CALLED: f64 = 0.975;

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    pub value: f64,
    pub error: f64,
}

impl Mean {
    /// The mean of some values; none without one.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let count = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let value = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|it| (it - value).powi(2)).sum();
        Some(Mean { value, error: (squares / (count - 1.0).max(1.0) / count).sqrt() })
    }
}

/// Results after some number of games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The share of 95% intervals of ratings that hold the true one.
    pub coverage: Option<Mean>,
    /// The share of ratings that have an interval.
    pub intervals: Option<Mean>,
    /// The share of pairs of equal bots of which one is called better.
    pub called: Option<Mean>,
    /// Points of Elo by which the best and the worst are rated too far out.
    pub bias: Option<Mean>,
}

/// Results over all replications of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub looks: Vec<Look>,
    /// Number of games after which the order was right in 95% of the replications, and after each later
    /// round; none if that is not reached, or where bots are equal.
    pub in_order: Option<u64>,
    /// Ends of league runs that stop once the order of all neighbours is sure; none if bots are
    /// equal.
    pub until_sure: Option<UntilSure>,
}

/// Ends of runs that stop once the order of all neighbours is sure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UntilSure {
    /// The share of replications that stopped within the games of the scenario.
    pub stopped: f64,
    /// The mean number of games until then; none if no replication stopped.
    pub games: Option<f64>,
    /// The share of those in which the whole order was right; none if no replication stopped.
    pub right: Option<f64>,
}

/// Plays a scenario over and over.
pub fn simulate(
    scenario: &Scenario,
    rule: Rule,
    replications: NonZeroU32,
    seed: &Seed,
    workers: NonZeroUsize,
) -> Result<Found, LeagueError> {
    let truth = scenario.ratings()?;
    let mut all: Vec<Replication> = Vec::new();
    let start = || |number| replication(scenario, &truth, rule, seed, number);
    workers::in_order(replications.get().into(), workers, start, |one| {
        all.push(one);
        ControlFlow::Continue(())
    })?;
    Ok(summary(scenario, &all))
}

#[derive(Debug, Default)]
struct Replication {
    looks: Vec<Seen>,
    /// After each round, how many games there were and whether the order was right.
    rounds: Vec<(u64, bool)>,
    /// When the order was sure, and whether it was right.
    sure: Option<(u64, bool)>,
}

/// Shares that one replication had; none if there was nothing to count.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    coverage: Option<f64>,
    intervals: Option<f64>,
    called: Option<f64>,
    bias: Option<f64>,
}

fn replication(
    scenario: &Scenario,
    truth: &[f64],
    rule: Rule,
    seed: &Seed,
    number: u64,
) -> Result<Replication, LeagueError> {
    let mut nature = seed.nature(number);
    let mut chooser = Chooser::new(rule, seed, number);
    let mut tally = scenario.tally();
    let mut meetings = Meetings::default();
    let mut bots = vec![AvailableBot { deals: 0, strength: None }; truth.len()];
    let (mut deal, mut round) = (0, 0);
    let mut found = Replication::default();
    let is_ordered = order(truth).windows(2).all(|two| truth[two[0]] > truth[two[1]]);
    while tally.games() < scenario.games {
        let playing = scenario.playing(tally.games());
        let size = RoundSpec {
            number: number << 32 | round,
            seats: scenario.seats.try_into()?,
            tables: NonZeroUsize::new(playing).unwrap_or(NonZeroUsize::MIN),
            deals: RoundSize::DEFAULT.deals,
        };
        for table in chooser.next(&bots[..playing], &meetings, &size)? {
            let seated: Vec<usize> = table.bots().map(|bot| bot.0).collect();
            let deals = u64::from(size.deals.get());
            for number in deal..deal + deals {
                scenario.play(&mut tally, &seated, number, &mut nature)?;
            }
            deal += deals;
            seated.iter().for_each(|bot| bots[*bot].deals += deals);
            meetings.add(&table, deals);
        }
        round += 1;
        let ratings = strengths(&tally, &mut bots);
        let is_right = is_ordered && order(&ratings) == order(truth);
        found.rounds.push((tally.games(), is_right));
        let is_asked = is_ordered && found.sure.is_none() && may_be_sure(&bots);
        if is_asked && is_sure(&tally.standings().all) {
            found.sure = Some((tally.games(), is_right));
        }
        if scenario.looks.get(found.looks.len()).is_some_and(|games| tally.games() >= *games) {
            found.looks.push(seen(&tally.standings().all, truth));
        }
    }
    Ok(found)
}

/// The ratings, 0 where there is none. What is known of the bots is brought up to date.
fn strengths(tally: &Tally, bots: &mut [AvailableBot]) -> Vec<f64> {
    let estimates = tally.estimates();
    for (bot, estimate) in bots.iter_mut().zip(&estimates) {
        bot.strength = estimate.as_ref().and_then(Strength::from_rating);
    }
    estimates.iter().map(|it| it.map_or(0.0, |it| it.value)).collect()
}

/// The bots from the best to the worst.
fn order(ratings: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|one, other| ratings[*other].total_cmp(&ratings[*one]));
    order
}

/// Returns true if it is worth the work to look whether the order is sure: the errors are only
/// about right.
fn may_be_sure(bots: &[AvailableBot]) -> bool {
    let strengths: Option<Vec<Strength>> = bots.iter().map(|bot| bot.strength).collect();
    strengths.is_some_and(|mut strengths| {
        strengths.sort_by(|one, other| other.rating().total_cmp(&one.rating()));
        strengths.windows(2).all(|two| two[0].wrong_order(two[1]) < 0.25)
    })
}

/// Returns true if of every two bots that follow each other in the standings the first is surely
/// better.
fn is_sure(view: &StandingsView) -> bool {
    (1..view.rows.len()).all(|row| view.better(row - 1, row).is_some_and(|better| better >= SURE))
}

fn seen(view: &StandingsView, truth: &[f64]) -> Seen {
    let place = |name: &String| name.parse::<usize>().unwrap_or_default();
    let share = |part: usize, all: usize| (all > 0).then(|| part as f64 / all as f64);
    let (mut held, mut given, mut rated, mut bias) = (0, 0, 0, Vec::new());
    let [best, worst] = [1.0, -1.0].map(|sign| {
        truth.iter().copied().map(|it| sign * it).fold(f64::NEG_INFINITY, f64::max) * sign
    });
    for row in &view.rows {
        let group = view.groups.iter().find(|group| group.bots.contains(&row.name));
        let Some(group) = group else { continue };
        let anchors = group.anchors.iter().map(|name| truth[place(name)]);
        let zero = anchors.sum::<f64>() / group.anchors.len().max(1) as f64;
        let own = truth[place(&row.name)];
        rated += 1;
        if let Some(interval) = row.rating.and_then(|rating| rating.interval) {
            given += 1;
            held += usize::from(interval.contains(own - zero));
        }
        if let Some(rating) = row.rating {
            bias.extend((own == best && best > worst).then_some(rating.value - (own - zero)));
            bias.extend((own == worst && best > worst).then_some(own - zero - rating.value));
        }
    }
    let of = |row: usize| truth[place(&view.rows[row].name)];
    let pairs = (0..view.rows.len())
        .flat_map(|one| (one + 1..view.rows.len()).map(move |other| (one, other)));
    let equal = pairs.filter(|(one, other)| of(*one) == of(*other));
    let better: Vec<f64> = equal.filter_map(|(one, other)| view.better(one, other)).collect();
    let called =
        better.iter().filter(|better| **better > CALLED || **better < 1.0 - CALLED).count();
    Seen {
        coverage: share(held, given),
        intervals: share(given, rated),
        called: share(called, better.len()),
        bias: (!bias.is_empty()).then(|| bias.iter().sum::<f64>() / bias.len() as f64),
    }
}

fn summary(scenario: &Scenario, all: &[Replication]) -> Found {
    let count = all.len() as f64;
    let looks = (0..scenario.looks.len()).map(|look| {
        let of = |which: fn(&Seen) -> Option<f64>| {
            let values = all.iter().filter_map(|one| which(one.looks.get(look)?));
            Mean::of(&values.collect::<Vec<f64>>())
        };
        Look {
            coverage: of(|seen| seen.coverage),
            intervals: of(|seen| seen.intervals),
            called: of(|seen| seen.called),
            bias: of(|seen| seen.bias),
        }
    });
    let rounds = all.iter().map(|one| one.rounds.len()).min().unwrap_or_default();
    let right = |round: usize| all.iter().filter(|one| one.rounds[round].1).count() as f64 / count;
    let first = (0..rounds).rev().find(|round| right(*round) < 0.95).map_or(0, |round| round + 1);
    let in_order = all.first().and_then(|one| one.rounds.get(first)).map(|round| round.0);
    let sure: Vec<(u64, bool)> = all.iter().filter_map(|one| one.sure).collect();
    let is_distinct = !scenario
        .strengths
        .iter()
        .enumerate()
        .any(|(place, one)| scenario.strengths[..place].contains(one));
    let of_stopped = |sum: f64| (!sure.is_empty()).then(|| sum / sure.len() as f64);
    let games: u64 = sure.iter().map(|(games, _)| games).sum();
    let right = sure.iter().filter(|(_, right)| *right).count();
    Found {
        looks: looks.collect(),
        in_order: in_order.filter(|_| is_distinct),
        until_sure: is_distinct.then_some(UntilSure {
            stopped: sure.len() as f64 / count,
            games: of_stopped(games as f64),
            right: of_stopped(right as f64),
        }),
    }
}
