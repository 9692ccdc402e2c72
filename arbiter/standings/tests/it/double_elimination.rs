//! Stages by double elimination.

use std::collections::BTreeMap;

use proptest::prelude::*;
use standings::Entrant;
use standings::pairing::double_elimination::{DoubleEliminationBracket, DoubleEliminationPlace};
use standings::pairing::knockout::{self, Match, ThirdPlace};

fn seeds(bots: usize) -> Vec<Entrant> {
    (1..=bots).map(Entrant).collect()
}

fn bracket(bots: usize) -> DoubleEliminationBracket {
    DoubleEliminationBracket::new(&seeds(bots)).expect("a bracket")
}

fn better(it: Match<DoubleEliminationPlace>) -> usize {
    usize::from(it.bots[1] < it.bots[0])
}

/// Decides the matches of the next step, the side that wins by this rule, and returns them.
fn decide_step(
    bracket: &mut DoubleEliminationBracket,
    winner: &mut dyn FnMut(Match<DoubleEliminationPlace>) -> usize,
) -> Vec<Match<DoubleEliminationPlace>> {
    let mut next = bracket.next_matches();
    let first = next.iter().map(|it| bracket.step(it.place)).min();
    next.retain(|it| Some(bracket.step(it.place)) == first);
    for it in &next {
        bracket.decide(it.place, it.bots[winner(*it)]).expect("a match that is next");
    }
    next
}

fn numbers(matches: &[Match<DoubleEliminationPlace>]) -> Vec<[usize; 2]> {
    matches.iter().map(|it| it.bots.map(|bot| bot.0)).collect()
}

#[test]
fn eight_bots_meet_in_the_usual_order() {
    let mut bracket = bracket(8);
    let mut step = || numbers(&decide_step(&mut bracket, &mut better));
    assert_eq!(step(), [[1, 8], [4, 5], [2, 7], [3, 6]]);
    assert_eq!(step(), [[1, 4], [2, 3], [8, 5], [7, 6]]);
    // The losers of the second round drop into the other half.
    assert_eq!(step(), [[5, 3], [6, 4]]);
    assert_eq!(step(), [[1, 2], [3, 4]]);
    assert_eq!(step(), [[3, 2]]);
    assert_eq!(step(), [[1, 2]]);
    assert_eq!(step(), Vec::<[usize; 2]>::new());
    let ranks = [(1, 1..=1), (2, 2..=2), (3, 3..=3), (4, 4..=4), (5, 5..=6), (6, 5..=6)];
    let last = [(7, 7..=8), (8, 7..=8)];
    let ranks = ranks.into_iter().chain(last).map(|(bot, it)| (Entrant(bot), it));
    assert_eq!(bracket.ranks(), ranks.collect());
}

#[test]
fn the_winner_of_the_losers_bracket_must_win_two_finals() {
    for (second, winner) in [(0, 1), (1, 2)] {
        let mut bracket = bracket(2);
        assert_eq!(numbers(&decide_step(&mut bracket, &mut better)), [[1, 2]]);
        decide_step(&mut bracket, &mut |_| 1);
        assert_eq!(bracket.winner(), None);
        assert!(bracket.ranks().is_empty());
        let last = decide_step(&mut bracket, &mut |_| second);
        assert_eq!((last[0].place, last.len()), (DoubleEliminationPlace::SecondFinal, 1));
        assert_eq!(bracket.winner(), Some(Entrant(winner)));
    }
}

#[test]
fn bots_without_an_opponent_have_byes_in_both_brackets() {
    let mut bracket = bracket(5);
    let winners = |number| DoubleEliminationPlace::Winners { round: 0, number };
    let losers = |round, number| DoubleEliminationPlace::Losers { round, number };
    let first = [(winners(0), 1), (winners(2), 2), (winners(3), 3)];
    assert_eq!(bracket.byes(), first.map(|(place, bot)| (place, Entrant(bot))));
    assert_eq!(numbers(&decide_step(&mut bracket, &mut better)), [[4, 5]]);
    assert_eq!(numbers(&decide_step(&mut bracket, &mut better)), [[1, 4], [2, 3]]);
    let rest = [(losers(0, 0), 5), (losers(1, 1), 4)].map(|(place, bot)| (place, Entrant(bot)));
    assert_eq!(bracket.byes()[3..], rest);
    assert_eq!(numbers(&decide_step(&mut bracket, &mut better)), [[5, 3]]);
}

#[test]
fn only_winners_of_known_matches_are_taken() {
    let mut bracket = bracket(4);
    let losers = DoubleEliminationPlace::Losers { round: 1, number: 0 };
    let refused = bracket.decide(losers, Entrant(1)).expect_err("not yet");
    let expected = "match 1 of round 2 of the losers' bracket is not between two known bots, expected a match \
                    that is ready to be played";
    assert_eq!(refused.to_string(), expected);
    let far = DoubleEliminationPlace::Winners { round: usize::MAX, number: usize::MAX };
    let refused = bracket.decide(far, Entrant(1)).expect_err("no such match").to_string();
    let unknown = "is not between two known bots, expected a match that is ready to be played";
    assert!(refused.ends_with(unknown));
    let place = DoubleEliminationPlace::Winners { round: 0, number: 0 };
    let wrong = bracket.decide(place, Entrant(2)).expect_err("not its match").to_string();
    assert_eq!(wrong, format!("bot 2 wins {place}, expected bot 1 or 4"));
    bracket.decide(place, Entrant(4)).expect("a winner");
    let again = bracket.decide(place, Entrant(1)).expect_err("decided").to_string();
    let expected = "was won by bot 4 already, expected a match without a winner";
    assert_eq!(again, format!("{place} {expected}"));
    let refused = |seeds: &[Entrant]| {
        DoubleEliminationBracket::new(seeds).expect_err("no bracket").to_string()
    };
    assert_eq!(refused(&seeds(1)), "a knockout needs 2 to 1024 bots, not 1");
    assert_eq!(refused(&seeds(1025)), "a knockout needs 2 to 1024 bots, not 1025");
    let twice = [7, 2, 7].map(Entrant);
    assert_eq!(refused(&twice), "bot 7 has two seeds, expected one");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_bot_but_the_winner_loses_twice(random in any::<u64>()) {
        let mut state = random | 1;
        let mut coin = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as usize & 1
        };
        for bots in 2..=33usize {
            let mut bracket = bracket(bots);
            let mut lost: BTreeMap<Entrant, usize> = BTreeMap::new();
            let mut met: BTreeMap<[Entrant; 2], Vec<DoubleEliminationPlace>> = BTreeMap::new();
            loop {
                let mut losers = Vec::new();
                let played = decide_step(&mut bracket, &mut |it| {
                    let winner = coin();
                    losers.push(it.bots[1 - winner]);
                    winner
                });
                if played.is_empty() {
                    break;
                }
                for it in &played {
                    let pair = [it.bots[0].min(it.bots[1]), it.bots[0].max(it.bots[1])];
                    met.entry(pair).or_default().push(it.place);
                    for bot in it.bots {
                        prop_assert!(lost.get(&bot).is_none_or(|lost| *lost < 2), "{bot:?} is out");
                    }
                }
                losers.into_iter().for_each(|bot| *lost.entry(bot).or_default() += 1);
            }
            let winner = bracket.winner().expect("it ends");
            prop_assert!(lost.get(&winner).copied().unwrap_or(0) < 2);
            prop_assert!(seeds(bots).into_iter().filter(|bot| *bot != winner).all(|bot| lost[&bot] == 2));
            check_ranks(&bracket, bots)?;
            // Two bots meet again in the losers' bracket only when at most two matches of a round are left.
            for places in met.values() {
                for place in &places[1..] {
                    if let DoubleEliminationPlace::Losers { round, .. } = place {
                        prop_assert!(*round + 4 >= bracket.losers_rounds(), "{bots}: {places:?}");
                    }
                }
            }
        }
    }
}

/// Shared ranks cover every rank, each as often as bots share it.
fn check_ranks(bracket: &DoubleEliminationBracket, bots: usize) -> Result<(), TestCaseError> {
    let mut all: Vec<_> = bracket.ranks().into_values().collect();
    prop_assert_eq!(all.len(), bots);
    all.sort_by_key(|shared| *shared.start());
    let mut rank = 1;
    while let Some(shared) = all.get(rank - 1).cloned() {
        let many = shared.end() + 1 - shared.start();
        prop_assert!(*shared.start() == rank && all[rank - 1..].len() >= many);
        prop_assert!(all[rank - 1..][..many].iter().all(|other| *other == shared));
        rank += many;
    }
    Ok(())
}

/// The winners' bracket is that of a knockout.
#[test]
fn the_winners_bracket_is_a_knockout() {
    for bots in 2..=33 {
        let mut double = bracket(bots);
        let mut single =
            knockout::Bracket::new(&seeds(bots), ThirdPlace::Shared).expect("a bracket");
        for round in 0..single.rounds() {
            let of_single = single.next_matches();
            let is_of = |place: DoubleEliminationPlace| matches!(place, DoubleEliminationPlace::Winners { round: of, .. } if of == round);
            let of_single: Vec<_> = of_single
                .into_iter()
                .filter(
                    |it| matches!(it.place, knockout::MatchPlace::Tree { round: of, .. } if of == round),
                )
                .collect();
            let of_double: Vec<_> =
                double.next_matches().into_iter().filter(|it| is_of(it.place)).collect();
            let numbers = |bots: [Entrant; 2]| bots.map(|bot| bot.0);
            assert_eq!(
                of_double.iter().map(|it| numbers(it.bots)).collect::<Vec<_>>(),
                of_single.iter().map(|it| numbers(it.bots)).collect::<Vec<_>>()
            );
            for it in of_single {
                single.decide(it.place, it.bots[0].min(it.bots[1])).expect("it is next");
            }
            for it in of_double {
                double.decide(it.place, it.bots[0].min(it.bots[1])).expect("it is next");
            }
        }
    }
}
