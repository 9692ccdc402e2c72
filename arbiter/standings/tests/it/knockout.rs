//! Knockout stages.

use std::collections::BTreeSet;

use proptest::prelude::*;
use standings::Entrant;
use standings::pairing::knockout::{Bracket, Match, MatchPlace, ThirdPlace};

fn seeds(bots: usize) -> Vec<Entrant> {
    (1..=bots).map(Entrant).collect()
}

fn bracket(bots: usize, third: ThirdPlace) -> Bracket {
    Bracket::new(&seeds(bots), third).expect("a bracket")
}

/// Decides all matches that are next, and returns them.
fn decide_next(bracket: &mut Bracket, winner: impl Fn(Match) -> Entrant) -> Vec<Match> {
    let next = bracket.next_matches();
    for it in &next {
        bracket.decide(it.place, winner(*it)).expect("a match that is next");
    }
    next
}

fn better(it: Match) -> Entrant {
    it.bots[0].min(it.bots[1])
}

fn numbers(matches: &[Match]) -> Vec<[usize; 2]> {
    matches.iter().map(|it| it.bots.map(|bot| bot.0)).collect()
}

#[test]
fn sixteen_bots_meet_in_the_standard_order() {
    let mut bracket = bracket(16, ThirdPlace::Shared);
    let first = decide_next(&mut bracket, better);
    let expected = [[1, 16], [8, 9], [4, 13], [5, 12], [2, 15], [7, 10], [3, 14], [6, 11]];
    assert_eq!(numbers(&first), expected);
    assert_eq!(numbers(&decide_next(&mut bracket, better)), [[1, 8], [4, 5], [2, 7], [3, 6]]);
    assert_eq!(numbers(&decide_next(&mut bracket, better)), [[1, 4], [2, 3]]);
    assert_eq!(numbers(&decide_next(&mut bracket, better)), [[1, 2]]);
    assert!(bracket.next_matches().is_empty());
    assert_eq!(bracket.winner(), Some(Entrant(1)));
}

#[test]
fn the_best_seeds_have_byes_and_losers_of_a_round_share_ranks() {
    let mut bracket = bracket(6, ThirdPlace::Played);
    assert_eq!(bracket.rounds(), 3);
    assert_eq!(bracket.byes().collect::<Vec<_>>(), [1, 2].map(Entrant));
    assert_eq!(numbers(&decide_next(&mut bracket, better)), [[4, 5], [3, 6]]);
    assert_eq!(
        bracket.ranks(),
        [(5, 5..=6), (6, 5..=6)].map(|(bot, it)| (Entrant(bot), it)).into()
    );
    // Semifinals: the better seed of the second one loses.
    let worse = |it: Match| if it.bots[0].0 == 1 { Entrant(1) } else { Entrant(3) };
    assert_eq!(numbers(&decide_next(&mut bracket, worse)), [[1, 4], [2, 3]]);
    assert!(!bracket.ranks().contains_key(&Entrant(4)), "it has a match left");
    let last = decide_next(&mut bracket, |it| it.bots[1]);
    assert_eq!(numbers(&last), [[1, 3], [4, 2]]);
    assert_eq!(last[1].place, MatchPlace::Third);
    let ranks = [(3, 1..=1), (1, 2..=2), (2, 3..=3), (4, 4..=4), (5, 5..=6), (6, 5..=6)];
    assert_eq!(bracket.ranks(), ranks.map(|(bot, it)| (Entrant(bot), it)).into());
}

#[test]
fn without_a_match_for_it_the_third_rank_is_shared() {
    let mut bracket = bracket(4, ThirdPlace::Shared);
    decide_next(&mut bracket, better);
    assert_eq!(
        bracket.ranks(),
        [(3, 3..=4), (4, 3..=4)].map(|(bot, it)| (Entrant(bot), it)).into()
    );
}

#[test]
fn only_winners_of_known_matches_are_taken() {
    let mut bracket = bracket(5, ThirdPlace::Played);
    let tree = |round, number| MatchPlace::Tree { round, number };
    let cases = [
        (
            tree(0, 0),
            1,
            "match 1 of round 1 is not between two known bots, expected a match that is ready to be played",
        ),
        (
            tree(1, 0),
            1,
            "match 1 of round 2 is not between two known bots, expected a match that is ready to be played",
        ),
        (
            tree(9, 0),
            1,
            "match 1 of round 10 is not between two known bots, expected a match that is ready to be played",
        ),
        (
            tree(0, usize::MAX),
            1,
            "match 18446744073709551615 of round 1 is not between two known bots, expected a match that is ready to be played",
        ),
        (
            MatchPlace::Third,
            1,
            "the match for the third rank is not between two known bots, expected a match that is ready to be played",
        ),
        (tree(0, 1), 1, "bot 1 wins match 2 of round 1, expected bot 4 or 5"),
    ];
    for (place, winner, expected) in cases {
        let refused = bracket.decide(place, Entrant(winner)).expect_err("no such winner");
        assert_eq!(refused.to_string(), expected);
    }
    bracket.decide(tree(0, 1), Entrant(5)).expect("a winner");
    let again = bracket.decide(tree(0, 1), Entrant(4)).expect_err("decided").to_string();
    let expected = "match 2 of round 1 was won by bot 5 already, expected a match without a winner";
    assert_eq!(again, expected);
}

#[test]
fn brackets_have_bounds() {
    let cases = [
        (seeds(1), ThirdPlace::Shared, "a knockout needs 2 to 1024 bots, not 1"),
        (seeds(1025), ThirdPlace::Shared, "a knockout needs 2 to 1024 bots, not 1025"),
        (seeds(3), ThirdPlace::Played, "a third-place match needs at least 4 bots, not 3"),
        ([7, 2, 7].map(Entrant).to_vec(), ThirdPlace::Shared, "bot 7 has two seeds, expected one"),
    ];
    for (seeds, third, expected) in cases {
        let refused = Bracket::new(&seeds, third).expect_err("no bracket");
        assert_eq!(refused.to_string(), expected);
    }
}

proptest! {
    #[test]
    fn every_bracket_ends_and_ranks_all(
        bots in 4usize..=70,
        third in prop_oneof![Just(ThirdPlace::Played), Just(ThirdPlace::Shared)],
        wins in prop::collection::vec(0usize..2, 80),
        late in prop::collection::vec(0usize..1000, 80),
    ) {
        let mut bracket = bracket(bots, third);
        let mut met = BTreeSet::new();
        let mut matches = 0;
        // Matches may be decided in any order.
        while let Some(last) = bracket.next_matches().len().checked_sub(1) {
            let it = bracket.next_matches()[late[matches] % (last + 1)];
            prop_assert!(met.insert([better(it), it.bots[0].max(it.bots[1])]));
            let loser = it.bots[1 - wins[matches]];
            prop_assert!(!bracket.ranks().contains_key(&it.bots[0]));
            prop_assert!(!bracket.ranks().contains_key(&loser));
            bracket.decide(it.place, it.bots[wins[matches]]).expect("a winner");
            matches += 1;
        }
        prop_assert_eq!(matches, bots - 1 + usize::from(third == ThirdPlace::Played));
        prop_assert_eq!(bracket.byes().count(), bots.next_power_of_two() - bots);

        // Shared ranks cover every rank, each as often as bots share it.
        let ranks = bracket.ranks();
        prop_assert_eq!(ranks.len(), bots);
        let mut all: Vec<_> = ranks.values().cloned().collect();
        all.sort_by_key(|shared| *shared.start());
        let mut rank = 1;
        while let Some(shared) = all.get(rank - 1).cloned() {
            let many = shared.end() + 1 - shared.start();
            prop_assert!(*shared.start() == rank && all[rank - 1..].len() >= many);
            prop_assert!(all[rank - 1..][..many].iter().all(|other| *other == shared));
            rank += many;
        }
    }

    #[test]
    fn if_better_seeds_win_they_meet_as_late_as_possible(bots in 2usize..=130) {
        let mut bracket = bracket(bots, ThirdPlace::Shared);
        while bracket.winner().is_none() {
            for it in decide_next(&mut bracket, better) {
                let MatchPlace::Tree { round, .. } = it.place else { unreachable!("no third match") };
                let left = bots.next_power_of_two() >> round;
                prop_assert_eq!(it.bots[0].0 + it.bots[1].0, left + 1);
            }
        }
        prop_assert_eq!(bracket.winner(), Some(Entrant(1)));
    }
}
