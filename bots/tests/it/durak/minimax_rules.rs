//! The positions that the minimax player of Durak searches, and the worlds that it imagines, against
//! the rules of the game.

use bots::durak::search::cards::{Cards, Layout};
use bots::durak::search::knowledge::{Knowledge, RootKnowledge};
use bots::durak::search::position::{GameSetup, Play, Position, PositionPhase, SEATS};
use proptest::prelude::*;
use rules::durak::{Durak, Move};
use rules::{CardSet, Entry, PerSeat, Request, Score, Seat, Turn};
use search::{InformationState, WorldSampler};

use crate::durak::in_process::{Deal, OPTIONS, Pack};

/// The search's reading of a request, with everything hidden filled in.
fn known(request: &Request<Durak>, game: &Durak, pack: &Pack) -> (Position, GameSetup) {
    let start = RootKnowledge::read(request).expect("a request that does not contradict itself");
    let (mut position, mut world) = (start.position, start.world);
    for seat in Seat::first(request.options.seats()) {
        position.hands[seat.index()] = start.layout.cards(game.hand(seat));
    }
    for (slot, card) in world.talon.iter_mut().zip(pack.left()) {
        *slot = start.layout.place(*card);
    }
    (position, world)
}

/// The position and the talon, without the number of cards drawn before.
fn without_drawn(position: &Position, world: &GameSetup) -> (Position, Vec<u8>) {
    let talon = world.talon[usize::from(position.drawn)..usize::from(world.size)].to_vec();
    (Position { drawn: 0, ..*position }, talon)
}

fn moves(position: &Position, world: &GameSetup, layout: Layout) -> Vec<Move> {
    let as_move = |play: Play| match (play, position.phase) {
        (Play::Card(place), PositionPhase::Lead) => Move::Lead(layout.card(place)),
        (Play::Card(place), PositionPhase::Defend) => Move::Beat(layout.card(place)),
        (Play::Card(place), _) => Move::Throw(layout.card(place)),
        (Play::Transfer(place), _) => Move::Transfer(layout.card(place)),
        (Play::Pass, PositionPhase::Defend) => Move::Take,
        (Play::Pass, _) => Move::Done,
    };
    let mut moves: Vec<Move> = position.choices(world).plays().map(as_move).collect();
    moves.sort();
    moves
}

/// The scores that the search sees at an end.
fn scores(losers: u8, seats: usize) -> PerSeat<Score> {
    PerSeat::new(seats, |seat| match losers >> seat.index() & 1 {
        0 => Score::points(1),
        _ => {
            let sharing = losers.count_ones() as i32;
            Score::ratio(sharing - 1, sharing).expect("some share it")
        }
    })
}

/// Plays a game at random in both worlds.
fn play_in_both(options: &str, seed: u64) {
    let mut deal = Deal::new(options, seed);
    let mut both: Option<(Position, GameSetup)> = None;
    loop {
        match deal.turn() {
            Turn::Over(expected) => {
                let (position, _) = both.as_ref().expect("a game has decisions");
                match position.phase {
                    PositionPhase::Over(losers) => {
                        assert_eq!(scores(losers, expected.count()), expected);
                    }
                    // The rules alone count starts of bouts and decisions.
                    _ => assert_eq!(scores(position.players, expected.count()), expected),
                }
                return;
            }
            Turn::Nature => deal.draw(),
            Turn::Seat(seat) => {
                let request = deal.request(seat);
                let fresh = known(&request, &deal.game, &deal.pack);
                let layout = RootKnowledge::read(&request).expect("the same request").layout;
                let (position, world) = both.get_or_insert(fresh);
                assert_eq!(
                    without_drawn(position, world),
                    without_drawn(&fresh.0, &fresh.1),
                    "{options} {seed}"
                );
                assert_eq!(moves(position, world, layout), request.legal, "{options} {seed}");
                let mv = deal.any(&request.legal);
                let start = RootKnowledge::read(&request).expect("the same request");
                position.play(start.play(mv), world);
                deal.play(mv);
            }
        }
    }
}

#[test]
fn positions_follow_the_rules_in_random_games_of_all_options() {
    for options in OPTIONS {
        for seed in 0..30 {
            play_in_both(options, seed);
        }
    }
}

/// The worlds that a request leaves open are such that the seat could see what it sees.
fn worlds_fit(request: &Request<Durak>) {
    let view = &request.view;
    let start = RootKnowledge::read(request).expect("a request that does not contradict itself");
    let mut nature = request.heading.seed.nature();
    for (position, world) in start.worlds(5, &mut nature) {
        let hand = |seat: Seat| start.layout.set(position.hands[seat.index()]);
        assert_eq!(hand(request.heading.seat), view.hand);
        let mut all = view.discards | start.layout.set(position.table);
        let mut count = all.len();
        for (seat, held) in view.hands.iter() {
            assert_eq!(hand(seat).len(), *held as usize);
            assert!(hand(seat).contains_all(view.known[seat]));
            all |= hand(seat);
            count += hand(seat).len();
        }
        let talon = &world.talon[..usize::from(world.size)];
        assert_eq!(talon.len(), view.talon as usize);
        if let Some(last) = talon.last() {
            assert_eq!(Some(start.layout.card(*last)), view.trump);
        }
        all |= talon.iter().map(|place| start.layout.card(*place)).collect();
        count += talon.len();
        // Every card of the pack once.
        assert_eq!(all, request.options.deck().cards());
        assert_eq!(count, all.len());
        assert_eq!(position.choices(&world).plays().count(), request.legal.len());
    }
}

#[test]
fn worlds_fit_what_the_seat_has_seen() {
    for options in OPTIONS {
        for seed in 100..108 {
            let mut deal = Deal::new(options, seed);
            deal.play_on(|deal, seat| worlds_fit(&deal.request(seat)));
        }
    }
}

#[test]
fn no_seat_was_dealt_a_lower_trump_than_the_shown_one() {
    for seed in 0..200 {
        let mut deal = Deal::new("seats=3", seed);
        let (mut asked, mut barred) = (0, CardSet::EMPTY);
        deal.play_on(|deal, seat| {
            // Before anything is drawn, all that is held was dealt.
            asked += 1;
            if asked > 1 {
                return;
            }
            let request = deal.request(seat);
            let start = RootKnowledge::read(&request).expect("a first request");
            barred = start.layout.set(start.knowledge.barred);
            let mut nature = request.heading.seed.nature();
            for (position, _) in start.worlds(20, &mut nature) {
                let held = position.hands.into_iter().fold(Cards::EMPTY, Cards::and);
                assert!(held.common(start.knowledge.barred).is_empty(), "seed {seed}");
            }
        });
    }
}

/// The worlds of the rules and those of the search leave the same hands open: over many draws every
/// card that one gives to a hand the other does too.
#[test]
fn worlds_leave_open_what_those_of_the_rules_do() {
    for seed in 0..10 {
        let mut deal = Deal::new("seats=3 deck=24", seed);
        let mut asked = 0;
        deal.play_on(|deal, seat| {
            asked += 1;
            if asked % 7 != 0 {
                return;
            }
            let request = deal.request(seat);
            let start = RootKnowledge::read(&request).expect("a request");
            let mut nature = request.heading.seed.nature();
            let known = InformationState::read(&request);
            let mut found = [[CardSet::EMPTY; SEATS]; 2];
            for _ in 0..400 {
                let (position, _) = start.draw(&mut nature).expect("a world");
                let world = known.draw(&mut nature).expect("a world");
                for other in Seat::first(3) {
                    let index = other.index();
                    found[0][index] |= start.layout.set(position.hands[index]);
                    found[1][index] |= world.hand(other);
                }
            }
            let [search, rules] = found;
            for (number, (found, expected)) in search.into_iter().zip(rules).enumerate() {
                let missing = expected - found;
                assert!(missing.is_empty(), "seed {seed}, seat {number}: {missing} never held");
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn cards_are_laid_out_and_back(bits: u64, trumps in 0usize..4, place in 0u8..52) {
        let layout = Layout::new(rules::Suit::ALL[trumps]);
        let set = CardSet::from_bits(bits);
        prop_assert_eq!(layout.set(layout.cards(set)), set);
        let cards = layout.cards(set);
        let trumps = rules::Suit::ALL[trumps];
        for attack in CardSet::PACK.iter().filter(|card| card.place() == place) {
            let beating: CardSet =
                set.iter().filter(|card| rules::durak::beats(*card, attack, trumps)).collect();
            prop_assert_eq!(layout.set(cards.beating(layout.place(attack))), beating);
            let alike: CardSet = set.iter().filter(|card| card.rank() == attack.rank()).collect();
            prop_assert_eq!(layout.set(cards.of_ranks(Cards::one(layout.place(attack)))), alike);
        }
        let lowest = set.iter().min_by_key(|card| (card.suit() == trumps, card.rank()));
        let found = cards.lowest().map(|place| layout.card(place));
        prop_assert_eq!(found.map(|card| card.rank()), lowest.map(|card| card.rank()));
        let others = layout.cards(CardSet::from_bits(bits.rotate_left(17)));
        let below: Vec<u8> = cards.filter(|card| others.into_iter().any(|other| {
            other / 16 == card / 16 && other > *card
        })).collect();
        prop_assert_eq!(cards.below_tops_of(others).collect::<Vec<_>>(), below);
    }
}

/// A game in which seat 2 is put out, and the house takes for it.
const SEAT_OUT: &str = include_str!("../../../../examples/requests/durak/seat-out.txt");

fn weights(request: &Request<Durak>) -> [f32; 64] {
    let trump = request.view.trump.expect("it is turned up").suit();
    Knowledge::read(request, Layout::new(trump)).weights[2]
}

/// It was: the cards that beat the attack were thought unlikely in the hand of a seat that was never
/// asked.
#[test]
fn moves_of_the_house_tell_nothing_of_the_hand() {
    let request: Request<Durak> = SEAT_OUT.parse().expect("a request");
    let mut before = request.clone();
    before.history.pop();
    assert!(matches!(before.history.last(), Some(Entry::Out(seat, _)) if seat.index() == 2));
    assert_eq!(weights(&request), weights(&before));
    // A seat that takes by itself gives a hint.
    let mut by_itself = request;
    by_itself.history.retain(|entry| matches!(entry, Entry::Event(_)));
    assert_ne!(weights(&by_itself), weights(&before));
}
