//! The work of `check` and of the list of captures is bounded on every table.
//!
//! Steps are counted, not timed. The worst cases below were found by climbing: starting from
//! random sets, a change of up to three cards is kept if it costs no fewer steps, a few million
//! times for every rank played. That was before a splitter left out groups that are not there, and
//! before lists remembered what they had found: since then shorter climbs found at most 20,674 steps
//! for a check (a king, 30 cards) and 23,624 for a list (a king, 18 cards). The bounds are about
//! three times as much.

use std::num::NonZeroU32;

use rules::request_text::LISTED;
use rules::tablic::capture::{CaptureSplitter, may_capture};
use rules::tablic::{Deal, Move, Options, RankCounts, SeatCount, Tablic, captures};
use rules::{BotSeed, Card, CardSet, Game, ListCompleteness, Nature, Rank, Suit, Turn};

const MOST_STEPS_OF_CHECK: u64 = 62_000;
const MOST_STEPS_OF_LIST: u64 = 70_000;

/// The costliest sets to check that were found, by the card played.
const WORST_CHECKS: [(&str, &str); 5] = [
    (
        "KS",
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7H 7S KC KD KH AC AD AH AS",
    ),
    (
        "KS",
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7D 7H 7S 9C KC KD KH AC AD AH AS",
    ),
    ("QS", "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 8D QC QD QH AC AD AH AS"),
    ("JS", "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6H 6S JC JD JH AC AD AH AS"),
    ("AS", "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S AC AD AH"),
];

/// The tables with the costliest lists that were found, by the card played.
const WORST_LISTS: [(&str, &str); 5] = [
    ("KS", "4H 5S 6C 6S 9D 10D KC KD KH AC AD AH AS"),
    ("QS", "4C 6S 7D 9C 9D 9H 9S QC QD QH KC AC AD AH AS"),
    ("JS", "4D 5S 7D 8C 8S JC JD JH QD KC AC AD AH AS"),
    ("10S", "3D 4S 5D 9C 9S 10C 10D 10H JD JH QC KC KS AC AD AH AS"),
    ("AS", "3C 4S 5C 5D 5H 5S 7C 8C 8H JD QD QH KC AC AD AH"),
];

/// The costliest case so far.
#[derive(Default)]
struct Worst {
    steps: u64,
    told: String,
}

impl Worst {
    fn see(&mut self, steps: u64, rank: Rank, cards: CardSet) {
        if steps > self.steps {
            let told =
                format!("{steps} steps for {} and {} cards: {cards}", rank.name(), cards.len());
            *self = Worst { steps, told };
        }
    }

    fn check(&mut self, rank: Rank, cards: CardSet) -> u64 {
        let steps = steps_of_check(rank, cards);
        self.see(steps, rank, cards);
        steps
    }

    fn list(&mut self, rank: Rank, table: CardSet) -> u64 {
        let steps = steps_of_list(rank, table);
        self.see(steps, rank, table);
        steps
    }

    fn assert_at_most(&self, most: u64) {
        println!("worst: {}", self.told);
        assert!(self.steps <= most, "more than {most}: {}", self.told);
    }
}

fn steps_of_check(rank: Rank, cards: CardSet) -> u64 {
    let cards = RankCounts::new(cards);
    let mut splitter = CaptureSplitter::new(rank, cards);
    splitter.splits(cards);
    splitter.steps()
}

/// Also checks that what is listed may be captured, in ascending order.
fn steps_of_list(rank: Rank, table: CardSet) -> u64 {
    let (sets, steps) = captures(rank, table, LISTED + 1);
    assert!(sets.len() <= LISTED + 1);
    assert!(sets.windows(2).all(|pair| pair[0] < pair[1]), "{rank:?} on {table}");
    assert!(sets.iter().all(|set| table.contains_all(*set)), "{rank:?} on {table}");
    steps
}

fn number(nature: &mut Nature, below: usize) -> usize {
    nature.below(NonZeroU32::new(below as u32).unwrap()) as usize
}

fn random_set(nature: &mut Nature, size: usize) -> CardSet {
    nature.draw_many(&mut CardSet::PACK.clone(), size)
}

fn part(nature: &mut Nature, cards: CardSet) -> CardSet {
    cards.iter().filter(|_| number(nature, 8) > 0).collect()
}

fn full_ranks(ranks: &[Rank], suits: &[Suit]) -> CardSet {
    ranks.iter().flat_map(|rank| suits.iter().map(|suit| Card::new(*rank, *suit))).collect()
}

/// Large tables: whole ranks from below, from above and from the middle, every rank two or three
/// times, all but one card, and random ones.
fn tables() -> Vec<CardSet> {
    let mut tables = Vec::new();
    for low in 0..13 {
        for high in low..13 {
            let ranks = &Rank::ALL[low..=high];
            tables.push(full_ranks(ranks, &Suit::ALL));
            tables.push(full_ranks(ranks, &Suit::ALL) | full_ranks(&[Rank::Ace], &Suit::ALL));
        }
    }
    for suits in 1..4 {
        tables.push(full_ranks(&Rank::ALL, &Suit::ALL[..suits]));
    }
    tables.extend(CardSet::PACK.iter().map(|card| CardSet::PACK - CardSet::single(card)));
    let mut nature = BotSeed([26, 30, 40, 51, 0, 0, 0, 0]).nature();
    for size in [12, 15, 18, 26, 30, 40, 51] {
        tables.extend((0..12).map(|_| random_set(&mut nature, size)));
    }
    tables
}

#[test]
fn checking_any_set_is_bounded() {
    let mut nature = BotSeed([1; 8]).nature();
    let mut worst = Worst::default();
    for table in tables() {
        for rank in Rank::ALL {
            worst.check(rank, table);
            for _ in 0..4 {
                worst.check(rank, part(&mut nature, table));
            }
        }
    }
    worst.assert_at_most(MOST_STEPS_OF_CHECK);
}

#[test]
fn listing_on_any_table_is_bounded() {
    let mut worst = Worst::default();
    for table in tables() {
        for rank in Rank::ALL {
            worst.list(rank, table);
        }
    }
    worst.assert_at_most(MOST_STEPS_OF_LIST);
}

#[test]
fn the_costliest_cases_known_are_bounded() {
    let mut worst = Worst::default();
    for (card, set) in WORST_CHECKS {
        worst.check(card.parse::<Card>().unwrap().rank(), set.parse().unwrap());
    }
    worst.assert_at_most(MOST_STEPS_OF_CHECK);
    let mut worst = Worst::default();
    for (card, table) in WORST_LISTS {
        worst.list(card.parse::<Card>().unwrap().rank(), table.parse().unwrap());
    }
    worst.assert_at_most(MOST_STEPS_OF_LIST);
}

/// Takes up to three cards in or out.
fn changed(nature: &mut Nature, mut cards: CardSet) -> CardSet {
    for _ in 0..=number(nature, 3) {
        let others = CardSet::PACK - cards;
        let (out, into) = (nature.choose_from(cards), nature.choose_from(others));
        match number(nature, 3) {
            0 => cards -= out,
            1 if others.len() > 1 => cards |= into,
            _ if others.len() > 1 => cards = (cards - out) | into,
            _ => {}
        }
    }
    cards
}

trait ChooseFrom {
    fn choose_from(&mut self, cards: CardSet) -> CardSet;
}

impl ChooseFrom for Nature {
    /// Draws one of the cards, if there is one.
    fn choose_from(&mut self, cards: CardSet) -> CardSet {
        self.draw_many(&mut cards.clone(), 1)
    }
}

/// Looks for costly sets by climbing from random ones.
fn climb(changes: usize, mut cost: impl FnMut(Rank, CardSet) -> u64) {
    let mut nature = BotSeed([2; 8]).nature();
    for rank in [Rank::Ten, Rank::Jack, Rank::Queen, Rank::King, Rank::Ace] {
        let size = 20 + number(&mut nature, 20);
        let mut cards = random_set(&mut nature, size);
        let mut steps = cost(rank, cards);
        for _ in 0..changes {
            let other = changed(&mut nature, cards);
            let other_steps = cost(rank, other);
            if other_steps >= steps {
                (cards, steps) = (other, other_steps);
            }
        }
    }
}

#[test]
fn climbing_finds_no_costlier_case() {
    let mut worst = Worst::default();
    climb(2000, |rank, cards| worst.check(rank, cards));
    worst.assert_at_most(MOST_STEPS_OF_CHECK);
    let mut worst = Worst::default();
    climb(100, |rank, table| worst.list(rank, table));
    worst.assert_at_most(MOST_STEPS_OF_LIST);
}

#[test]
fn pairs_that_are_put_together_at_once_cost_no_split() {
    let sets = [
        (Rank::King, "9C 5C 9D 5D 10C 4C", true),
        (Rank::King, "9C 5C 3C 2C 6C 3D", true),
        (Rank::King, "9C AC 4C 5C AD 8C", true),
        (Rank::King, "7C 7D 7H 4C 3C", true),
        (Rank::King, "9C 5C 3C 2C", false),
        (Rank::King, "7C 7D 7H", false),
        (Rank::Ace, "6C 5C 6D 3C 2C", true),
        (Rank::Ten, "5C 5D 5H 3C 2C", true),
    ];
    for (rank, set, splits) in sets {
        assert_eq!(may_capture(rank, set.parse().unwrap()), splits, "{rank:?} takes {set}");
    }
}

#[test]
fn a_game_without_captures_lists_and_checks_up_to_51_cards() {
    for seed in 0..10 {
        let mut nature = BotSeed([seed; 8]).nature();
        let mut game = Tablic::new(&Options { seats: SeatCount::new(2).unwrap() });
        let mut largest = 0;
        loop {
            match game.turn() {
                Turn::Nature => {
                    let deal = game.sample(&mut nature).unwrap();
                    game.happen(&deal, &mut Vec::new()).unwrap();
                }
                Turn::Seat(seat) => {
                    largest = game.table().len();
                    let mut moves = Vec::new();
                    let listing = game.legal_moves(&mut moves);
                    assert!(moves.len() <= LISTED, "seed {seed}");
                    assert!(listing == ListCompleteness::Complete || moves.len() > LISTED / 2);
                    assert!(moves.iter().all(|mv| game.check(mv).is_ok()), "seed {seed}");
                    for card in game.hand(seat) {
                        assert!(moves.contains(&Move::lay_down(card)), "seed {seed}");
                    }
                    game.play(&game.fallback().unwrap(), &mut Vec::new()).unwrap();
                }
                Turn::Over(_) => break,
            }
        }
        assert_eq!(largest, 51);
    }
}

/// A game of two where all sixteen cards before were laid down, and this hand is to move.
fn second_deal(table: CardSet, hand: CardSet) -> Tablic {
    let mut cards = table.iter();
    let mut take = |count| cards.by_ref().take(count).collect::<CardSet>();
    let other = (CardSet::PACK - table - hand).iter().take(6).collect();
    let mut game = Tablic::new(&Options { seats: SeatCount::new(2).unwrap() });
    for cards in [take(4), take(6), take(6), hand, other] {
        while game.turn() != Turn::Nature {
            game.play(&game.fallback().unwrap(), &mut Vec::new()).unwrap();
        }
        let to = game.sample(&mut BotSeed([0; 8]).nature()).unwrap().to;
        game.happen(&Deal { to, cards }, &mut Vec::new()).unwrap();
    }
    assert_eq!(game.table(), table);
    game
}

#[test]
fn a_list_is_cut_only_where_there_are_more_moves_than_a_request_holds() {
    let positions = [
        (
            "3C 4C 5S 6C 6H 7C 7S 8S 10C 10S JH JS QD QH AC AS",
            "3S 7D 7H 8H 10D KS",
            1000,
            ListCompleteness::Complete,
        ),
        (
            "3D 3H 3S 4D 6C 6H 8C 8D 9C JC JD JS QD QH KD AS",
            "2S 6D 8S 10H JH QC",
            1001,
            ListCompleteness::Cut,
        ),
    ];
    for (table, hand, count, listing) in positions {
        let (table, hand): (CardSet, CardSet) = (table.parse().unwrap(), hand.parse().unwrap());
        let all = hand.iter().map(|card| captures(card.rank(), table, usize::MAX).0.len());
        assert_eq!(all.sum::<usize>(), count);
        let mut moves = Vec::new();
        assert_eq!(second_deal(table, hand).legal_moves(&mut moves), listing);
        assert!(listing == ListCompleteness::Cut || moves.len() == count);
        assert!(moves.len() <= LISTED);
    }
}

/// The list by the words of protocol.md: the cards with the fewest moves first, each of which takes all
/// its moves or, if these are more than an even part of the places that are left, gives the share.
fn cut_by_hand(hand: CardSet, table: CardSet) -> Vec<Move> {
    let all = |card: Card| -> Vec<Move> {
        let sets = captures(card.rank(), table, usize::MAX).0;
        sets.into_iter().map(|captured| Move { card, captured }).collect()
    };
    let mut counts: Vec<usize> = hand.iter().map(|card| all(card).len()).collect();
    counts.sort_unstable();
    let (mut places, mut cards, mut share) = (1000, counts.len(), usize::MAX);
    for count in counts {
        if count > places / cards {
            share = places / cards;
            break;
        }
        places -= count;
        cards -= 1;
    }
    hand.iter().flat_map(|card| all(card).into_iter().take(share)).collect()
}

#[test]
fn a_list_is_cut_by_a_share_of_the_places_for_each_card() {
    let (mut nature, mut cut, mut short) = (BotSeed([3; 8]).nature(), 0, 0);
    for _ in 0..60 {
        let table = random_set(&mut nature, 16);
        let mut rest = CardSet::PACK - table;
        let hand = nature.draw_many(&mut rest, 6);
        let mut moves = Vec::new();
        let listing = second_deal(table, hand).legal_moves(&mut moves);
        assert_eq!(moves, cut_by_hand(hand, table), "hand {hand}, table {table}");
        cut += usize::from(listing == ListCompleteness::Cut);
        short += usize::from(listing == ListCompleteness::Cut && moves.len() < LISTED);
    }
    assert!(cut > 0 && short > 0, "{cut} lists were cut, {short} to fewer than {LISTED}");
}
