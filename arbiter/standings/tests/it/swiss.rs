//! Swiss stages: rounds as another implementation pairs them, and what holds for all.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use proptest::prelude::*;
use standings::Entrant;
use standings::pairing::Outcome;
use standings::pairing::swiss::{
    AbsoluteColourRule, PlayedRound, PlayedTable, RoundPairing, StageSize, has_pairing, pair,
    pair_without,
};

use crate::tools::swiss::tournaments;

fn seats(round: &PlayedRound) -> BTreeSet<[Entrant; 2]> {
    round.tables.iter().map(|table| [table.one, table.other]).collect()
}

/// The order of tables is left out: of two tables of equal scores, the other implementation puts
/// first the one with the least number, and C.04.2 the one whose higher player has the lesser number.
#[test]
fn rounds_are_those_of_another_implementation() {
    let (mut rounds, mut different) = (0, Vec::new());
    for (number, played) in tournaments().iter().enumerate() {
        for (before, round) in played.rounds.iter().enumerate() {
            rounds += 1;
            let pairing = pair(played.stage, &played.rounds[..before]).expect("a pairing");
            let tables: BTreeSet<[Entrant; 2]> = pairing.tables.iter().copied().collect();
            if (&tables, pairing.bye) != (&seats(round), round.bye) {
                let theirs = seats(round).difference(&tables).copied().collect::<Vec<_>>();
                let ours = tables.difference(&seats(round)).copied().collect::<Vec<_>>();
                different.push(format!(
                    "line {}, round {}: {ours:?} instead of {theirs:?}",
                    number + 1,
                    before + 1
                ));
            }
        }
        if played.rounds.len() < played.stage.rounds() {
            let pairing = pair(played.stage, &played.rounds);
            if pairing.is_ok_and(|pairing| pairing.colours == AbsoluteColourRule::Kept) {
                different.push(format!("line {}: a round that the other has not", number + 1));
            }
        }
    }
    println!("{} of {rounds} rounds are different", different.len());
    assert!(rounds > 0 && different.is_empty(), "{}", different.join("\n"));
}

/// The round with these results, one for each table.
fn played(pairing: &RoundPairing, outcomes: impl Iterator<Item = Outcome>) -> PlayedRound {
    let tables = pairing.tables.iter().zip(outcomes);
    let table =
        |(&[one, other], outcome): (&[Entrant; 2], Outcome)| PlayedTable { one, other, outcome };
    PlayedRound { tables: tables.map(table).collect(), bye: pairing.bye, ..PlayedRound::default() }
}

/// Halves of points of each bot.
fn scores(players: usize, rounds: &[PlayedRound]) -> Vec<usize> {
    let mut scores = vec![0; players];
    for round in rounds {
        for table in &round.tables {
            let one = match table.outcome {
                Outcome::One => 2,
                Outcome::Draw => 1,
                Outcome::Other => 0,
            };
            scores[table.one.0] += one;
            scores[table.other.0] += 2 - one;
        }
        round.bye.into_iter().for_each(|bye| scores[bye.0] += 2);
    }
    scores
}

/// For each bot, the seats that it had.
fn seats_of(players: usize, rounds: &[PlayedRound]) -> Vec<Vec<usize>> {
    let mut seats = vec![Vec::new(); players];
    for table in rounds.iter().flat_map(|round| &round.tables) {
        seats[table.one.0].push(0);
        seats[table.other.0].push(1);
    }
    seats
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![Just(Outcome::One), Just(Outcome::Draw), Just(Outcome::Other)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// One bot or more leave in each round: before it is paired, or while it is played.
    #[test]
    fn the_others_are_paired_when_bots_drop_out(
        players in 4usize..=16,
        leaving in prop::collection::vec(prop::collection::vec((0usize..16, any::<bool>()), 0..=2), 6),
        outcomes in prop::collection::vec(outcome(), 8),
    ) {
        let stage = StageSize::new(players, 6.min(players - 1)).expect("a stage");
        let (mut gone, mut byes) = (BTreeSet::new(), BTreeSet::new());
        let mut pairs = BTreeSet::new();
        let mut so_far: Vec<PlayedRound> = Vec::new();
        for leaving in &leaving[..stage.rounds()] {
            let of = |early: bool| {
                let bots = leaving.iter().filter(move |(_, is_early)| *is_early == early);
                bots.map(|(bot, _)| Entrant(bot % players))
            };
            gone.extend(of(true));
            let absent: Vec<Entrant> = gone.iter().copied().collect();
            let left = players - absent.len();
            if left < 2 {
                break;
            }
            let pairing = match pair_without(stage, &so_far, &absent) {
                Ok(pairing) => pairing,
                Err(_) => {
                    prop_assert!(!has_pairing(left, so_far.len()));
                    break;
                }
            };
            let seated = || pairing.tables.iter().flatten().copied().chain(pairing.bye);
            prop_assert_eq!(seated().count(), left);
            prop_assert_eq!(seated().collect::<BTreeSet<_>>().intersection(&gone).count(), 0);
            prop_assert!(pairing.bye.is_none_or(|bot| byes.insert(bot)));
            for [one, other] in &pairing.tables {
                prop_assert!(pairs.insert([*one.min(other), *one.max(other)]));
            }
            gone.extend(of(false));
            let is_whole = |table: &&PlayedTable| !gone.contains(&table.one) && !gone.contains(&table.other);
            let all = played(&pairing, outcomes.iter().copied().cycle());
            let broken: Vec<&PlayedTable> = all.tables.iter().filter(|it| !is_whole(it)).collect();
            let walkovers = broken.iter().flat_map(|it| [it.one, it.other]).filter(|bot| !gone.contains(bot));
            so_far.push(PlayedRound {
                tables: all.tables.iter().filter(is_whole).copied().collect(),
                bye: pairing.bye.filter(|bot| !gone.contains(bot)),
                walkovers: walkovers.collect(),
                absent: gone.iter().copied().collect(),
            });
        }
    }

    #[test]
    fn all_bots_meet_new_ones(
        players in 2usize..=25,
        outcomes in prop::collection::vec(prop::collection::vec(outcome(), 12), 1..=9),
    ) {
        let rounds = outcomes.len().min(players - 1);
        let stage = StageSize::new(players, rounds).expect("a stage");
        let mut so_far: Vec<PlayedRound> = Vec::new();
        let mut pairs = BTreeSet::new();
        let mut byes = BTreeSet::new();
        for outcomes in &outcomes[..rounds] {
            let pairing = match pair(stage, &so_far) {
                Ok(pairing) => pairing,
                Err(none) => {
                    // Half of the possible rounds always work out.
                    let round = so_far.len() + 1;
                    prop_assert_eq!(none.to_string(), exhausted(round, players));
                    prop_assert!(!has_pairing(players, so_far.len()));
                    break;
                }
            };
            prop_assert_eq!(&pair(stage, &so_far), &Ok(pairing.clone()));

            let mut seated: Vec<usize> = pairing.tables.iter().flatten().map(|bot| bot.0).collect();
            seated.extend(pairing.bye.map(|bot| bot.0));
            seated.sort_unstable();
            prop_assert_eq!(seated, (0..players).collect::<Vec<_>>());
            prop_assert!(pairing.bye.is_none_or(|bot| byes.insert(bot)));
            for [one, other] in &pairing.tables {
                prop_assert!(pairs.insert([one.min(other).0, one.max(other).0]));
            }

            let scores = scores(players, &so_far);
            let place = |[one, other]: &[Entrant; 2]| {
                let rank = |bot: &Entrant| (Reverse(scores[bot.0]), bot.0);
                let higher = rank(one).min(rank(other));
                (higher.0, Reverse(scores[one.0] + scores[other.0]), higher.1)
            };
            prop_assert!(pairing.tables.is_sorted_by_key(place));

            so_far.push(played(&pairing, outcomes.iter().copied()));
            if pairing.colours == AbsoluteColourRule::Kept && so_far.len() < rounds {
                for seats in seats_of(players, &so_far) {
                    let first = seats.iter().filter(|seat| **seat == 0).count();
                    prop_assert!(first.abs_diff(seats.len() - first) <= 2, "{:?}", seats);
                    prop_assert!(seats.windows(3).all(|it| it[0] != it[1] || it[1] != it[2]));
                }
            }
            if pairing.colours == AbsoluteColourRule::Waived {
                break;
            }
        }
    }

    /// All pairings of small fields are looked at.
    #[test]
    fn the_bye_goes_to_the_least_score_that_can_have_it(
        players in (2usize..=4).prop_map(|half| 2 * half + 1),
        outcomes in prop::collection::vec(prop::collection::vec(outcome(), 4), 3),
    ) {
        let stage = StageSize::new(players, 5).expect("a stage");
        let mut so_far: Vec<PlayedRound> = Vec::new();
        for outcomes in &outcomes {
            let scores = scores(players, &so_far);
            let can = |bye: &usize| {
                let others: Vec<usize> = (0..players).filter(|bot| bot != bye).collect();
                so_far.iter().all(|round| round.bye != Some(Entrant(*bye))) && can_pair(&so_far, &others)
            };
            let least = (0..players).filter(can).map(|bot| scores[bot]).min();
            let pairing = pair(stage, &so_far);
            let kept = pairing.as_ref().ok().filter(|pairing| pairing.colours == AbsoluteColourRule::Kept);
            prop_assert_eq!(kept.and_then(|it| it.bye).map(|bye| scores[bye.0]), least);
            let Some(pairing) = kept else { break };
            so_far.push(played(pairing, outcomes.iter().copied()));
        }
    }
}

/// Returns true if new pairs are possible in which no two bots need the same seat.
fn can_pair(rounds: &[PlayedRound], bots: &[usize]) -> bool {
    let [first, others @ ..] = bots else { return true };
    let all = rounds.iter().flat_map(|round| &round.tables).flat_map(|it| [it.one.0, it.other.0]);
    let seats = seats_of(1 + all.chain(bots.iter().copied()).max().unwrap_or(0), rounds);
    let needed = |bot: &usize| -> Option<usize> {
        let second = seats[*bot].iter().sum::<usize>();
        let first = seats[*bot].len() - second;
        match *seats[*bot] {
            _ if first.abs_diff(second) > 1 => Some(usize::from(first > second)),
            [.., one, other] if one == other => Some(1 - one),
            _ => None,
        }
    };
    let have_met = |other: usize| {
        let tables = rounds.iter().flat_map(|round| &round.tables);
        let bots = tables.map(|table| BTreeSet::from([table.one.0, table.other.0]));
        bots.into_iter().any(|bots| bots == BTreeSet::from([*first, other]))
    };
    others.iter().any(|other| {
        let clash = needed(first).is_some() && needed(first) == needed(other);
        let left: Vec<usize> = others.iter().copied().filter(|it| it != other).collect();
        !clash && !have_met(*other) && can_pair(rounds, &left)
    })
}

fn drawn(pairs: &[[usize; 2]]) -> PlayedRound {
    let table = |[one, other]: &[usize; 2]| PlayedTable {
        one: Entrant(*one),
        other: Entrant(*other),
        outcome: Outcome::Draw,
    };
    PlayedRound { tables: pairs.iter().map(table).collect(), ..PlayedRound::default() }
}

#[test]
fn the_rule_on_seats_is_waived_before_bots_meet_again() {
    let stage = StageSize::new(4, 3).expect("a stage");
    // Two bots have had seat 0 twice, and the only new opponent of each is the other.
    let pairing = pair(stage, &[drawn(&[[0, 2], [1, 3]]), drawn(&[[0, 3], [1, 2]])]);
    let pairing = pairing.expect("a pairing");
    assert_eq!(pairing.colours, AbsoluteColourRule::Waived);
    assert_eq!(pairing.tables, [[Entrant(1), Entrant(0)], [Entrant(2), Entrant(3)]]);
}

#[test]
fn bots_that_would_meet_again_are_not_paired() {
    let stage = StageSize::new(6, 5).expect("a stage");
    // All of one half have met all of the other, and three cannot be paired among themselves.
    let rounds = [
        drawn(&[[0, 3], [1, 4], [2, 5]]),
        drawn(&[[4, 0], [5, 1], [3, 2]]),
        drawn(&[[0, 5], [1, 3], [2, 4]]),
    ];
    let none = pair(stage, &rounds).expect_err("no pairing");
    assert_eq!(none.to_string(), exhausted(4, 6));
}

fn exhausted(round: usize, players: usize) -> String {
    format!("round {round} of {players} bots cannot be paired without a rematch: use fewer rounds")
}

#[test]
fn rounds_that_do_not_fit_the_stage_are_refused() {
    let stage = StageSize::new(4, 2).expect("a stage");
    let not_once = |bot: usize, times: usize| {
        format!("bot {bot} is in round 1 {times} times, expected each of 4 bots once")
    };
    let over = "round 3 of a stage of 2 rounds, expected one that is in it".to_owned();
    let with_bye = PlayedRound { bye: Some(Entrant(3)), ..drawn(&[[0, 1], [2, 3]]) };
    let round = drawn(&[[0, 2], [3, 1]]);
    let cases = [
        (vec![drawn(&[[0, 2], [2, 1]])], not_once(2, 2)),
        (vec![drawn(&[[0, 2]])], not_once(1, 0)),
        (vec![drawn(&[[0, 4], [2, 1]])], not_once(4, 1)),
        (vec![with_bye], not_once(3, 2)),
        (vec![round.clone(), round], over),
    ];
    for (rounds, expected) in cases {
        assert_eq!(pair(stage, &rounds).expect_err("no pairing").to_string(), expected);
    }
}

#[test]
fn stages_have_bounds() {
    let refused = |players, rounds| {
        let stage = StageSize::new(players, rounds);
        stage.expect_err("no stage").to_string()
    };
    assert_eq!(refused(1, 1), "a Swiss stage needs 2 to 1024 bots, not 1");
    assert_eq!(refused(1025, 1), "a Swiss stage needs 2 to 1024 bots, not 1025");
    for (players, most) in [(2, 1), (5, 5), (8, 7)] {
        assert!(StageSize::new(players, most).is_ok());
        for rounds in [0, most + 1] {
            let expected = format!("{rounds} Swiss rounds for {players} bots: at most {most}");
            assert_eq!(refused(players, rounds), expected);
        }
    }
}
