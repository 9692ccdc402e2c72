//! The rule by which earlier versions of the program chose the tables of a round, to compare with.
//!
//! It is uncertainty sampling (Lewis and Gale 1994, "A sequential algorithm for training text
//! classifiers"): each table goes to the two bots whose order is most likely to be the wrong one, and
//! their standard errors shrink at once by what its games will tell, as in Glicko (Glickman 1999).
//! New bots come first, then those with fewer than half the deals of another one that is no less
//! certain. Pairs that seem ordered stop meeting, so early luck is never corrected.

use rules::Nature;
use standings::Entrant;
use standings::pairing::{AvailableBot, Meetings, RoundSpec, Strength};

/// A bot with fewer deals is new.
const NEW_BELOW: u64 = 30;

/// The tables of a round with two seats.
pub(super) fn choose(
    bots: &[AvailableBot],
    meetings: &Meetings,
    round: &RoundSpec,
    nature: &mut Nature,
) -> Vec<[Entrant; 2]> {
    let mut bots = bots.to_vec();
    let mut meetings: Vec<u64> = pairs(bots.len())
        .map(|[one, other]| meetings.deals(Entrant(one), Entrant(other)))
        .collect();
    let deals = u64::from(round.deals.get());
    let mut seated = vec![0; bots.len()];
    let least_certain: Vec<f64> = (0..bots.len())
        .map(|bot| {
            let others = (0..bots.len()).filter(|other| *other != bot);
            others.map(|other| wrong_order(&bots, &seated, [bot, other])).fold(0.0, f64::max)
        })
        .collect();
    let mut tables: Vec<[usize; 2]> = Vec::new();
    for _ in 0..round.tables.get() {
        let drawn = nature.clone().below(std::num::NonZeroU32::MAX);
        let due = due(&bots, &least_certain);
        let free = pairs(bots.len()).enumerate().filter(|(_, pair)| !tables.contains(pair));
        let ranked = free.map(|(place, pair)| {
            let is_due = due.is_some_and(|bot| pair.contains(&bot));
            let lot = (place as u32).wrapping_mul(0x9e37_79b9).wrapping_add(drawn);
            let played: u64 = pair.iter().map(|bot| bots[*bot].deals).sum();
            (!is_due, wrong_order(&bots, &seated, pair), meetings[place], played, lot, place, pair)
        });
        let first = ranked.min_by(|one, other| {
            one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)).then_with(|| {
                (one.2, one.3, one.4, one.5).cmp(&(other.2, other.3, other.4, other.5))
            })
        });
        let Some((.., place, pair)) = first else { break };
        let [one, other] = pair;
        if let (Some(its), Some(theirs)) = (bots[one].strength, bots[other].strength) {
            let [its, theirs] = after(its, theirs, 2.0 * deals as f64);
            (bots[one].strength, bots[other].strength) = (its, theirs);
        }
        for bot in pair {
            bots[bot].deals += deals;
            seated[bot] += 1;
        }
        meetings[place] += deals;
        tables.push(pair);
        nature.below(std::num::NonZeroU32::MAX);
    }
    tables.into_iter().map(|pair| pair.map(Entrant)).collect()
}

fn pairs(bots: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..bots).flat_map(move |one| (one + 1..bots).map(move |other| [one, other]))
}

/// The bot that plays before all measure: a new one, or one that is behind.
fn due(bots: &[AvailableBot], least_certain: &[f64]) -> Option<usize> {
    let fewest = |bots_of: Vec<usize>| bots_of.into_iter().min_by_key(|bot| bots[*bot].deals);
    let new = (0..bots.len()).filter(|bot| bots[*bot].deals < NEW_BELOW).collect();
    let is_behind = |bot: &usize| {
        (0..bots.len()).any(|other| {
            bots[other].deals > 2 * bots[*bot].deals && least_certain[other] <= least_certain[*bot]
        })
    };
    fewest(new).or_else(|| fewest((0..bots.len()).filter(is_behind).collect()))
}

fn wrong_order(bots: &[AvailableBot], seated: &[u32], [one, other]: [usize; 2]) -> f64 {
    match (bots[one].strength, bots[other].strength) {
        (Some(its), Some(theirs)) => its.wrong_order(theirs),
        _ => 0.5 / f64::from(1 + seated[one].max(seated[other])),
    }
}

/// The two after this number of games against each other: the standard errors are those to expect.
fn after(one: Strength, other: Strength, games: f64) -> [Option<Strength>; 2] {
    /// Natural units of strength in a point of Elo.
    const UNIT: f64 = std::f64::consts::LN_10 / 400.0;
    let odds = (-UNIT * (one.rating() - other.rating()).abs()).exp();
    let information = games * UNIT.powi(2) * odds / (1.0 + odds).powi(2);
    let variances = [one, other].map(|it| it.standard_error().powi(2));
    let gain = information / (1.0 + information * (variances[0] + variances[1]));
    let shrunk = |it: Strength, variance: f64| {
        let error = (variance - variance.powi(2) * gain).max(0.0).sqrt().max(0.001);
        Strength::new(it.rating(), error).ok()
    };
    [shrunk(one, variances[0]), shrunk(other, variances[1])]
}
