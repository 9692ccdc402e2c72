//! Stages in groups, and the knockout after them.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use proptest::prelude::*;
use standings::Entrant;
use standings::pairing::groups::{draw, knockout_seeds, rounds};
use standings::pairing::knockout::{Bracket, ThirdPlace};

fn many(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).expect("at least one")
}

fn bots(range: std::ops::Range<usize>) -> Vec<Entrant> {
    range.map(Entrant).collect()
}

#[test]
fn groups_are_drawn_like_a_serpent() {
    let groups = draw(&bots(1..17), many(4)).expect("groups");
    let expected = [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]];
    assert_eq!(groups, expected.map(|group| group.map(Entrant).to_vec()));
}

#[test]
fn groups_have_two_bots_or_more() {
    let few = draw(&bots(0..5), many(3)).expect_err("too few bots");
    assert_eq!(few.to_string(), "3 groups for 5 bots: use at least two bots per group");
}

/// The tables of FIDE's handbook, C.05, annex 1, for 4, 6 and 8.
#[test]
fn rounds_are_those_of_the_berger_tables() {
    let tables = [
        "1-4 2-3, 4-3 1-2, 2-4 3-1",
        "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
        "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, \
         8-7 1-6 2-5 3-4, 4-8 5-3 6-2 7-1",
    ];
    for table in tables {
        let expected: Vec<Vec<String>> =
            table.split(", ").map(|round| round.split(' ').map(str::to_owned).collect()).collect();
        let group = bots(1..expected.len() + 2);
        let text = |[one, other]: &[Entrant; 2]| format!("{}-{}", one.0, other.0);
        let rounds: Vec<Vec<String>> =
            rounds(&group).iter().map(|round| round.iter().map(text).collect()).collect();
        assert_eq!(rounds, expected);
    }
}

#[test]
fn winners_of_groups_meet_the_second_of_others() {
    let group = |first: usize| bots(first..first + 4);
    let groups = [group(10), group(20), group(30), group(40)];
    let seeds = knockout_seeds(&groups, many(2)).expect("seeds");
    let bracket = Bracket::new(&seeds, ThirdPlace::Shared).expect("a bracket");
    let matches: Vec<_> =
        bracket.next_matches().iter().map(|it| it.bots.map(|bot| bot.0)).collect();
    // A1 and B2, D1 and C2, B1 and A2, C1 and D2.
    assert_eq!(matches, [[10, 21], [40, 31], [20, 11], [30, 41]]);
}

#[test]
fn groups_must_have_those_that_go_on() {
    let groups = [bots(0..3), bots(3..5)];
    let few = knockout_seeds(&groups, many(3)).expect_err("too few bots");
    assert_eq!(few.to_string(), "group 2 has 2 bots, fewer than the 3 qualifiers");
    let crowd = [bots(0..200), bots(200..400)];
    let crowded = knockout_seeds(&crowd, many(129)).expect_err("too many bots");
    assert_eq!(crowded.to_string(), "258 qualifiers: at most 256");
    assert_eq!(knockout_seeds(&[], many(1)), Ok(Vec::new()));
}

/// The number of the round in which two bots meet if both win until then.
fn meeting(seeds: &[Entrant], pair: [Entrant; 2]) -> usize {
    let mut bracket = Bracket::new(seeds, ThirdPlace::Shared).expect("a bracket");
    for round in 0.. {
        let next = bracket.next_matches();
        if next.iter().any(|it| pair.iter().all(|bot| it.bots.contains(bot))) {
            return round;
        }
        for it in next {
            let stays = it.bots.iter().find(|bot| pair.contains(bot)).unwrap_or(&it.bots[0]);
            bracket.decide(it.place, *stays).expect("a winner");
        }
    }
    unreachable!("all meet in the final at the latest")
}

proptest! {
    #[test]
    fn in_a_group_all_meet_once_and_at_most_once_in_a_round(number in 0usize..30) {
        let group = bots(100..100 + number);
        let mut pairs = BTreeSet::new();
        let mut rested = BTreeSet::new();
        let mut first_seats = vec![0usize; number];
        for round in rounds(&group) {
            let rests = |bot: &Entrant| !round.iter().flatten().any(|other| other == bot);
            let mut seen: BTreeSet<Entrant> = group.iter().copied().filter(rests).collect();
            prop_assert_eq!(seen.len(), number % 2);
            prop_assert!(seen.iter().all(|bot| rested.insert(*bot)));
            for [one, other] in round {
                prop_assert!(seen.insert(one) && seen.insert(other));
                prop_assert!(pairs.insert([one.min(other), one.max(other)]));
                first_seats[one.0 - 100] += 1;
            }
            prop_assert_eq!(seen.len(), number);
        }
        prop_assert_eq!(pairs.len(), number * number.saturating_sub(1) / 2);
        for first in first_seats {
            prop_assert!((2 * first).abs_diff(number - 1) <= 1);
        }
    }

    #[test]
    fn all_groups_are_of_one_size_or_nearly(number in 2usize..80, groups in 1usize..20) {
        prop_assume!(number >= 2 * groups);
        let drawn = draw(&bots(0..number), many(groups)).expect("groups");
        let all: BTreeSet<Entrant> = drawn.iter().flatten().copied().collect();
        prop_assert_eq!(all.len(), number);
        prop_assert_eq!(drawn.iter().map(Vec::len).sum::<usize>(), number);
        prop_assert!(drawn.iter().all(|group| group.len().abs_diff(number / groups) <= 1));
    }

    #[test]
    fn the_first_two_of_a_group_meet_in_the_final_only(power in 1u32..=4) {
        let groups: Vec<Vec<Entrant>> =
            (0..1 << power).map(|group| bots(2 * group..2 * group + 2)).collect();
        let seeds = knockout_seeds(&groups, many(2)).expect("seeds");
        for group in &groups {
            prop_assert_eq!(meeting(&seeds, [group[0], group[1]]), power as usize);
        }
    }

    #[test]
    fn bots_of_a_group_do_not_meet_at_once(groups in 2usize..=9, first in 1usize..=4) {
        let groups: Vec<Vec<Entrant>> =
            (0..groups).map(|group| bots(10 * group..10 * group + 4)).collect();
        let seeds = knockout_seeds(&groups, many(first)).expect("seeds");
        let distinct: BTreeSet<Entrant> = seeds.iter().copied().collect();
        prop_assert_eq!(distinct.len(), groups.len() * first);
        for (rank, tier) in seeds.chunks(groups.len()).enumerate() {
            prop_assert!(tier.iter().all(|bot| bot.0 % 10 == rank));
        }
        let bracket = Bracket::new(&seeds, ThirdPlace::Shared).expect("a bracket");
        for it in bracket.next_matches() {
            prop_assert_ne!(it.bots[0].0 / 10, it.bots[1].0 / 10);
        }
    }
}
