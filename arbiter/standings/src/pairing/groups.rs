//! Stages in groups: the draw, the rounds of a group, and the seeds of the knockout after it.
//!
//! Groups are drawn by *serpentine seeding*: the first seeds go to the groups in their order, the
//! next ones in reverse order, and so on; with 4 groups, seeds 1, 8, 9 and 16 are together.
//!
//! In a group, every two bots meet once. [`rounds`] gives the rounds of FIDE's tables, the Berger
//! tables (C.05, annex 1), in which no bot is twice in a round.
//!
//! The first bots of each group go on. [`knockout_seeds`] gives all winners of groups the best seeds,
//! in the order of the groups, then all second bots, and so on. Among the second bots, and among all
//! later ones, the seeds are dealt out so that bots of a group meet as late as possible: as few as
//! possible in the first round of the knockout, then as few as possible in the second, and so on.
//! So of 8 bots from 4 groups, winners meet the second of another group, and bots of one group meet in
//! the final only. If several orders are as good, the bot of the first group gets the last seed, which
//! meets the first one: A1 plays B2, and B1 plays A2.

use std::num::NonZeroUsize;

use super::knockout::standard_order;
use super::matching::{Graph, Preference};
use crate::Entrant;
use crate::game::{StandingsError, refused};

/// A round of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRound {
    /// The pairs; the first bot of each has seat 0.
    pub tables: Vec<[Entrant; 2]>,
    /// The bot that does not play, in a group of an odd number.
    pub rests: Option<Entrant>,
}

/// The greatest number of bots that go on from groups.
pub const MOST_SEEDS: usize = 256;

/// Draws groups from seeds, the best one first.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use standings::Entrant;
/// use standings::pairing::groups::draw;
///
/// let groups = draw(&[0, 1, 2, 3, 4].map(Entrant), NonZeroUsize::MIN.saturating_add(1))?;
/// assert_eq!(groups, [vec![Entrant(0), Entrant(3), Entrant(4)], vec![Entrant(1), Entrant(2)]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`StandingsError`], where a group would have fewer than two bots.
pub fn draw(seeds: &[Entrant], groups: NonZeroUsize) -> Result<Vec<Vec<Entrant>>, StandingsError> {
    let count = groups.get();
    if seeds.len() / 2 < count {
        let bots = seeds.len();
        let text = format_args!("{groups} groups for {bots} bots: use at least two bots per group");
        return Err(refused(text));
    }
    let mut drawn = vec![Vec::new(); count];
    for (row, seeds) in seeds.chunks(count).enumerate() {
        for (place, bot) in seeds.iter().enumerate() {
            let group = if row.is_multiple_of(2) { place } else { count - 1 - place };
            drawn[group].push(*bot);
        }
    }
    Ok(drawn)
}

/// The rounds of a group: every two bots meet once, and no bot is twice in a round.
///
/// The tables of all rounds one after the other are those of the group at once.
pub fn rounds(group: &[Entrant]) -> Vec<GroupRound> {
    // With an odd number, the bot that would meet the one that is not there rests.
    let last = group.len() + group.len() % 2;
    let Some(turning) = last.checked_sub(1) else { return Vec::new() };
    let round = |number: usize| {
        let middle = number * (last / 2) % turning;
        let [one, other] = [middle, turning];
        let first = if number.is_multiple_of(2) { [one, other] } else { [other, one] };
        let around = |by: usize| [(middle + by) % turning, (middle + turning - by) % turning];
        let pairs = std::iter::once(first).chain((1..last / 2).map(around));
        let seated = |pair: [usize; 2]| Some([*group.get(pair[0])?, *group.get(pair[1])?]);
        let rests = group.get(middle).copied().filter(|_| group.len() == turning);
        GroupRound { tables: pairs.filter_map(seated).collect(), rests }
    };
    (0..turning).map(round).collect()
}

/// The seeds of a knockout of the first bots of each group, the best seed first.
///
/// A group is its bots in the order of their ranks.
///
/// # Errors
///
/// [`StandingsError`], where a group has too few bots, or too many go on.
pub fn knockout_seeds(
    groups: &[Vec<Entrant>],
    first: NonZeroUsize,
) -> Result<Vec<Entrant>, StandingsError> {
    if let Some(few) = groups.iter().position(|bots| bots.len() < first.get()) {
        let (group, bots) = (few + 1, groups[few].len());
        let text = format_args!("group {group} has {bots} bots, fewer than the {first} qualifiers");
        return Err(refused(text));
    }
    let count = groups.len().saturating_mul(first.get());
    if count > MOST_SEEDS {
        return Err(refused(format_args!("{count} qualifiers: at most {MOST_SEEDS}")));
    }
    let mut places = vec![0; count];
    for (place, seed) in standard_order(count).into_iter().enumerate() {
        if let Some(of) = places.get_mut(seed) {
            *of = place;
        }
    }
    // By seed, the group that it belongs to.
    let mut seeded: Vec<usize> = (0..groups.len()).collect();
    for _ in 1..first.get() {
        let dealt = dealt(&seeded, groups.len(), &places);
        seeded.extend(dealt);
    }
    let tiers = seeded.chunks(groups.len().max(1)).enumerate();
    Ok(tiers.flat_map(|(rank, tier)| tier.iter().map(move |group| groups[*group][rank])).collect())
}

/// The groups of the next seeds, one seed for each group, where those before are given.
///
/// This is a matching of groups with seeds, which counts the earlier bots of the group that a seed
/// would meet in each round.
fn dealt(seeded: &[usize], groups: usize, places: &[usize]) -> Vec<usize> {
    let rounds = usize::BITS - places.len().leading_zeros();
    let mut graph = Graph::new(2 * groups, rounds as usize);
    for group in 0..groups {
        for offset in 0..groups {
            let place = places[seeded.len() + offset];
            let mut numbers = vec![0; rounds as usize];
            for (seed, _) in seeded.iter().enumerate().filter(|(_, other)| **other == group) {
                // Two places meet in the round in which their numbers get equal if halved.
                let meet = usize::BITS - (places[seed] ^ place).leading_zeros();
                numbers[meet as usize - 1] -= 1;
            }
            graph.allow(group, groups + offset, &numbers);
        }
    }
    // The last seed chooses first, and the first group is its first choice.
    let first_group = |offset| Preference {
        vertex: groups + offset,
        number: Box::new(|group: usize| -(group as i32)),
    };
    let mates = graph.best_matching((0..groups).rev().map(first_group), 2 * groups);
    let mates = mates.unwrap_or_default();
    (0..groups).map(|offset| mates.get(groups + offset).copied().unwrap_or(offset)).collect()
}
