//! Who meets whom in a league.

use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroUsize};

use arbiter::pairing::{Candidate, Meetings, NoRound, Reason, Round, Strength, Table, choose};
use arbiter::standings::Entrant;
use proptest::prelude::*;
use rules::{Nature, Seed};

const SEED: Seed = Seed([7; 32]);
const LEAST: u64 = 30;

fn round(number: u64, seats: usize, tables: usize, deals: u32) -> Round {
    Round {
        number,
        seats: seats.try_into().expect("2 to 6 seats"),
        tables: NonZeroUsize::new(tables).expect("a table"),
        deals: NonZeroU32::new(deals).expect("a deal"),
        least: LEAST,
    }
}

fn candidate(deals: u64, rating: f64, error: f64) -> Candidate {
    Candidate { deals, strength: Some(Strength::new(rating, error).expect("a strength")) }
}

proptest! {
    #[test]
    fn tables_are_different_full_and_the_same_again(
        seats in 2usize..=6,
        bots in prop::collection::vec((0u64..200, prop::option::of((-500.0..500.0, 1.0..200.0))), 6..9),
        tables in 1usize..=7,
    ) {
        let bots: Vec<Candidate> = bots
            .into_iter()
            .map(|(deals, strength)| Candidate {
                deals,
                strength: strength.map(|(rating, error)| Strength::new(rating, error).expect("one")),
            })
            .collect();
        let possible = if bots.len() == seats { 1 } else { tables.min(bots.len()) };
        let round = round(3, seats, possible, 10);
        let chosen = tables_of(&bots, &Meetings::default(), &round, &SEED);
        prop_assert_eq!(chosen.len(), possible);
        prop_assert_eq!(chosen.iter().collect::<BTreeSet<_>>().len(), possible);
        prop_assert!(chosen.iter().all(|table| table.bots().count() == seats));
        prop_assert!(chosen.iter().all(|table| table.bots().all(|bot| bot.0 < bots.len())));
        prop_assert_eq!(&tables_of(&bots, &Meetings::default(), &round, &SEED), &chosen);
        // The first table has a new bot, if there is any.
        let new: Vec<usize> = (0..bots.len()).filter(|bot| bots[*bot].deals < LEAST).collect();
        prop_assert!(new.is_empty() || new.iter().any(|bot| chosen[0].seats(Entrant(*bot))));
    }

    /// A bot whose place is no more certain than that of another one is not left with fewer than half
    /// of its deals: it plays in the next round, or those play that have even fewer.
    #[test]
    fn no_bot_starves(seed in any::<u64>(), strengths in prop::collection::vec(-150.0..150.0, 6..10)) {
        const TABLES: usize = 4;
        const DEALS: u32 = 10;
        let count = strengths.len();
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let seed = Seed(key);
        let mut noise = seed.nature(0);
        let mut sums = vec![0.0; count];
        let mut deals = vec![0u64; count];
        let mut meetings = Meetings::default();
        for number in 0..80 {
            // The error of a deal is that of two games between equals.
            let error = |bot: usize| 245.0 / (deals[bot] as f64).sqrt();
            let strength = |bot: usize| {
                let rating = strengths[bot] + sums[bot] / deals[bot] as f64;
                Strength::new(rating, error(bot)).ok().filter(|_| deals[bot] >= LEAST)
            };
            let bots: Vec<Candidate> =
                (0..count).map(|bot| Candidate { deals: deals[bot], strength: strength(bot) }).collect();
            let tables = tables_of(&bots, &meetings, &round(number, 2, TABLES, DEALS), &seed);
            let behind: Vec<usize> = (0..count).filter(|bot| is_behind(&bots, *bot)).collect();
            for bot in behind {
                let plays = tables.iter().any(|table| table.seats(Entrant(bot)));
                let fewer = |table: &Table| table.bots().any(|it| deals[it.0] <= deals[bot]);
                prop_assert!(plays || tables.iter().all(fewer), "{}: {:?}", bot, tables);
            }
            for table in &tables {
                meetings.add(table, DEALS.into());
                for bot in table.bots() {
                    for _ in 0..DEALS {
                        sums[bot.0] += 245.0 * normal(&mut noise);
                    }
                    deals[bot.0] += u64::from(DEALS);
                }
            }
        }
    }
}

/// The tables of a round, without why they are there.
fn tables_of(bots: &[Candidate], meetings: &Meetings, round: &Round, seed: &Seed) -> Vec<Table> {
    let chosen = choose(bots, meetings, round, seed).expect("a round");
    chosen.into_iter().map(|chosen| chosen.table).collect()
}

/// Whether a bot has fewer than half the deals of another one that is no less certain.
fn is_behind(bots: &[Candidate], bot: usize) -> bool {
    let uncertainty = |bot: usize| {
        let others = (0..bots.len()).filter(|other| *other != bot);
        let wrong = others.map(|other| match (bots[bot].strength, bots[other].strength) {
            (Some(one), Some(other)) => one.wrong_order(other),
            _ => 0.5,
        });
        wrong.fold(0.0, f64::max)
    };
    (0..bots.len()).any(|other| {
        bots[other].deals > 2 * bots[bot].deals && uncertainty(other) <= uncertainty(bot)
    })
}

/// The sum of twelve uniform numbers less six is nearly standard normal.
fn normal(nature: &mut Nature) -> f64 {
    let uniform =
        |nature: &mut Nature| f64::from(nature.below(NonZeroU32::MAX)) / f64::from(u32::MAX);
    (0..12).map(|_| uniform(nature)).sum::<f64>() - 6.0
}

#[test]
fn one_that_is_as_uncertain_with_fewer_than_half_the_deals_plays_first() {
    let bots = |deals| {
        [
            candidate(1000, 0.0, 10.0),
            candidate(1000, 0.0, 10.0),
            candidate(deals, 500.0, 20.0),
            candidate(deals, 500.0, 20.0),
            candidate(1000, 2.0, 10.0),
        ]
    };
    let first = |deals| {
        let tables = choose(&bots(deals), &Meetings::default(), &round(0, 2, 1, 10), &SEED);
        tables.expect("a round").remove(0)
    };
    let behind = first(499);
    assert_eq!(behind.table, Table::new([Entrant(2), Entrant(3)]).expect("a table"));
    assert!(matches!(behind.reason, Reason::Behind(Entrant(2 | 3))));
    let uncertain = first(2000);
    assert_eq!(uncertain.table, Table::new([Entrant(0), Entrant(1)]).expect("a table"));
    assert_eq!(uncertain.reason, Reason::Uncertain([Entrant(0), Entrant(1)], 0.5));
}

#[test]
fn what_cannot_be_a_round_is_refused() {
    let bots = [candidate(50, 0.0, 10.0), candidate(50, 1.0, 10.0), candidate(50, 2.0, 10.0)];
    let refused = |seats, tables, meetings: &Meetings| {
        choose(&bots, meetings, &round(0, seats, tables, 1), &SEED).expect_err("no round")
    };
    let none = Meetings::default();
    assert_eq!(refused(4, 1, &none), NoRound::TooFewCandidates { candidates: 3, seats: 4 });
    assert_eq!(refused(2, 4, &none), NoRound::TooManyTables { tables: 4, possible: 3 });
    let mut gone = Meetings::default();
    gone.add(&Table::new([Entrant(1), Entrant(3)]).expect("a table"), 5);
    assert_eq!(refused(2, 1, &gone), NoRound::NoCandidate { bot: Entrant(3), candidates: 3 });
}
