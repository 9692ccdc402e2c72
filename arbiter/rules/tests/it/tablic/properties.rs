//! Captures and legal moves of Tablić against brute force on the cards themselves.

use std::num::NonZeroU32;

use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use rules::conformance::conform;
use rules::tablic::capture::may_capture;
use rules::tablic::{Deal, DealDestination, Event, Move, Options, SeatCount, Tablic, captures};
use rules::{
    BotSeed, Card, CardSet, Game, GameKind, ListCompleteness, Nature, Rank, Seat, Suit, Turn,
};

/// The numbers that a card counts as, written out again from the rules.
fn counts_as(card: Card) -> &'static [usize] {
    const NUMBERS: [&[usize]; 13] =
        [&[2], &[3], &[4], &[5], &[6], &[7], &[8], &[9], &[10], &[12], &[13], &[14], &[1, 11]];
    NUMBERS[usize::from(card.place()) / 4]
}

/// For every subset of up to 14 cards, by its bits: whether it splits into groups that a card of
/// each rank takes (bit r of the answer for the rank r).
fn splits(cards: &[Card]) -> Vec<u16> {
    // The sums up to 14 of every subset, as bits.
    let mut sums = vec![0_u32; 1 << cards.len()];
    sums[0] = 1;
    for set in 1..sums.len() {
        let rest = sums[set & (set - 1)];
        let card = cards[set.trailing_zeros() as usize];
        let shifted = counts_as(card).iter().map(|number| rest << number & 0x7fff);
        sums[set] = shifted.fold(0, |all, some| all | some);
    }
    // A subset splits if it is a group with its first card and a subset that splits.
    let one_of_each = CardSet::PACK.iter().step_by(4);
    let wanted: Vec<u32> = one_of_each
        .map(|card| counts_as(card).iter().fold(0, |all, number| all | 1 << number))
        .collect();
    let mut splits = vec![0_u16; 1 << cards.len()];
    splits[0] = 0x1fff;
    for set in 1..splits.len() {
        let first = set & set.wrapping_neg();
        let others = set ^ first;
        let mut some = others;
        loop {
            let group = sums[some | first];
            if group != 0 && splits[others ^ some] != 0 {
                for (rank, wanted) in wanted.iter().enumerate() {
                    if group & wanted != 0 {
                        splits[set] |= splits[others ^ some] & 1 << rank;
                    }
                }
            }
            if some == 0 {
                break;
            }
            some = (some - 1) & others;
        }
    }
    splits
}

fn subset(cards: &[Card], bits: usize) -> CardSet {
    cards.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, card)| *card).collect()
}

/// The captures from a table by brute force: by rank played, in ascending order.
fn brute_captures(table: CardSet) -> Vec<Vec<CardSet>> {
    let cards: Vec<Card> = table.iter().collect();
    let splits = splits(&cards);
    let of_rank = |rank: usize| {
        let sets = splits.iter().enumerate().filter(|(_, ranks)| **ranks >> rank & 1 == 1);
        sets.map(|(bits, _)| subset(&cards, bits)).collect()
    };
    (0..13).map(of_rank).collect()
}

fn cards(most: usize) -> impl Strategy<Value = CardSet> {
    let pack: Vec<Card> = CardSet::PACK.iter().collect();
    subsequence(pack, 0..=most).prop_map(|cards| cards.into_iter().collect())
}

/// Low cards and aces alone, which make up the most groups.
fn low_cards(most: usize) -> impl Strategy<Value = CardSet> {
    let low: Vec<Card> = CardSet::PACK
        .iter()
        .filter(|card| card.rank() < Rank::Eight || card.rank() == Rank::Ace)
        .collect();
    subsequence(low, 0..=most).prop_map(|cards| cards.into_iter().collect())
}

fn rank() -> impl Strategy<Value = Rank> {
    (0..13_usize).prop_map(|rank| Rank::ALL[rank])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn captures_are_those_of_brute_force(table in prop_oneof![cards(12), low_cards(12)]) {
        for (rank, expected) in Rank::ALL.into_iter().zip(brute_captures(table)) {
            let (found, _) = captures(rank, table, usize::MAX);
            prop_assert_eq!(&found, &expected, "{:?} on {}", rank, table);
            let (first, _) = captures(rank, table, 7);
            prop_assert_eq!(&first[..], &expected[..expected.len().min(7)]);
        }
    }

    #[test]
    fn every_subset_is_checked_as_by_brute_force(table in prop_oneof![cards(10), low_cards(10)]) {
        let cards: Vec<Card> = table.iter().collect();
        for (bits, ranks) in splits(&cards).into_iter().enumerate() {
            let set = subset(&cards, bits);
            for rank in Rank::ALL {
                let expected = ranks >> rank as u32 & 1 == 1;
                prop_assert_eq!(may_capture(rank, set), expected, "{:?} takes {}", rank, set);
            }
        }
    }
}

/// Groups for a card of this rank, put together from cards in this order, at most `most` cards
/// in all; a card that does not fit is left out.
fn groups_of(rank: Rank, order: &[Card], high_aces: u64, most: usize) -> CardSet {
    let wanted = counts_as(Card::new(rank, Suit::Clubs));
    let (mut done, mut group, mut sum) = (CardSet::EMPTY, CardSet::EMPTY, 0);
    for &card in order {
        let numbers = counts_as(card);
        let number = numbers[(high_aces >> card.place() & 1) as usize % numbers.len()];
        if sum + number <= wanted[wanted.len() - 1] && done.len() + group.len() < most {
            group.insert(card);
            sum += number;
        }
        if wanted.contains(&sum) {
            done |= group;
            (group, sum) = (CardSet::EMPTY, 0);
        }
    }
    done
}

proptest! {
    #[test]
    fn any_union_of_groups_may_be_captured(
        rank in rank(),
        order in Just(CardSet::PACK.iter().collect::<Vec<Card>>()).prop_shuffle(),
        high_aces: u64,
    ) {
        let set = groups_of(rank, &order, high_aces, 52);
        prop_assert!(may_capture(rank, set), "{:?} takes {}", rank, set);
        for first in captures(rank, set, 50).0 {
            prop_assert!(set.contains_all(first) && may_capture(rank, first));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_legal_set_with_a_card_more_or_less_is_checked_as_by_brute_force(
        rank in rank(),
        order in Just(CardSet::PACK.iter().collect::<Vec<Card>>()).prop_shuffle(),
        high_aces: u64,
        other: Index,
        change in 0..3_u8,
    ) {
        let mut set = groups_of(rank, &order, high_aces, 12);
        let inside: Vec<Card> = set.iter().collect();
        let outside: Vec<Card> = (CardSet::PACK - set).iter().collect();
        if change != 0 && !inside.is_empty() {
            set.remove(*other.get(&inside));
        }
        if change != 1 {
            set.insert(*other.get(&outside));
        }
        let cards: Vec<Card> = set.iter().collect();
        let expected = splits(&cards)[(1 << cards.len()) - 1] >> rank as u32 & 1 == 1;
        prop_assert_eq!(may_capture(rank, set), expected, "{:?} takes {}", rank, set);
    }
}

fn number(nature: &mut Nature, below: usize) -> usize {
    nature.below(NonZeroU32::new(below as u32).unwrap()) as usize
}

/// Plays a game at random, laying down more often than not so that the table grows, and compares
/// the legal moves on every table of up to 12 cards.
fn compare_along_a_game(seats: usize, seed: u64) {
    let mut nature = BotSeed(seed.to_be_bytes()).nature();
    let mut game = Tablic::new(&Options { seats: SeatCount::new(seats).unwrap() });
    loop {
        let seat = match game.turn() {
            Turn::Nature => {
                game.happen(&game.sample(&mut nature).unwrap(), &mut Vec::new()).unwrap();
                continue;
            }
            Turn::Seat(seat) => seat,
            Turn::Over(_) => return,
        };
        let mut listed = Vec::new();
        let listing = game.legal_moves(&mut listed);
        assert!(listed.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}: {listed:?}");
        if game.table().len() <= 12 {
            let captures = brute_captures(game.table());
            let moves_with = |card: Card| {
                let sets = captures[card.rank() as usize].iter();
                sets.map(move |captured| Move { card, captured: *captured })
            };
            let expected: Vec<Move> = game.hand(seat).iter().flat_map(moves_with).collect();
            if listing == ListCompleteness::Complete {
                assert_eq!(listed, expected, "seed {seed}: {game:?}");
            } else {
                assert!(expected.len() > 1000, "seed {seed}: {game:?}");
                assert!(listed.iter().all(|mv| expected.binary_search(mv).is_ok()));
            }
        }
        let mv = match number(&mut nature, 4) {
            0 => *nature.choose(&listed).unwrap(),
            _ => {
                Move::lay_down(*nature.choose(&game.hand(seat).iter().collect::<Vec<_>>()).unwrap())
            }
        };
        game.play(&mv, &mut Vec::new()).unwrap();
    }
}

#[test]
fn legal_moves_along_random_games_are_those_of_brute_force() {
    for seats in [2, 3, 4] {
        for seed in 0..10 {
            compare_along_a_game(seats, seed);
        }
    }
}

/// Four cards to the table, then the rest one card at a time round the seats: six to each, or
/// equal shares of what is left.
pub(crate) fn deals(seats: usize, deck: &[Card]) -> Vec<Deal> {
    let (table, mut rest) = deck.split_at(4);
    let mut deals = vec![Deal { to: DealDestination::Table, cards: set(table) }];
    while !rest.is_empty() {
        let (round, later) = rest.split_at(rest.len().min(6 * seats));
        rest = later;
        for seat in Seat::first(seats) {
            let cards: Vec<Card> =
                round.iter().copied().skip(seat.index()).step_by(seats).collect();
            deals.push(Deal { to: DealDestination::Hand(seat), cards: set(&cards) });
        }
    }
    deals
}

fn set(cards: &[Card]) -> CardSet {
    cards.iter().copied().collect()
}

#[test]
fn tablic_counts_what_its_scores_say() {
    let mut with_most = 0;
    for seed in 0..20 {
        let played = conform::<Tablic>(&Options::default(), seed).unwrap();
        let scores = played.events.iter().filter_map(|event| match event {
            Event::Score { seat, tally } => Some((*seat, *tally)),
            _ => None,
        });
        for (seat, tally) in scores {
            assert_eq!(played.game.counts(seat), [tally.tablas, u32::from(tally.most)]);
            with_most += u32::from(tally.most);
        }
    }
    assert!((10..=20).contains(&with_most), "{with_most} of 20 games");
    assert_eq!(GameKind::of::<Tablic>().about().counts, ["tablas", "most cards"]);
}
