//! The conformance suite on every game, and on a toy game with planted faults.

use std::collections::BTreeSet;

use rules::conformance::{Promise, conform};
use rules::coup::{self, Coup};
use rules::durak::{self, Durak};
use rules::tablic::{self, Event, SeatCount, Tablic};
use rules::{BotSeed, Game, Nature, PerSeat, Resample, Score, Seat, Secret, Turn, seen_by};

use crate::toy;
use crate::toy::{Fault, Toy};

/// Plays a number of games of Tablić with each number of seats, and counts the points of every game
/// again from its lines.
fn tablic_conforms(seat_counts: &[SeatCount], games: u64) {
    for &seats in seat_counts {
        for seed in 0..games {
            let played = conform::<Tablic>(&tablic::Options { seats }, seed)
                .unwrap_or_else(|breach| panic!("{} seats: {breach}", seats.get()));
            let lines: Vec<String> = played.events.iter().map(Event::to_string).collect();
            let Turn::Over(scores) = played.game.turn() else { panic!("seed {seed}: not over") };
            let recount = Recount::new(seats.get(), &lines);
            recount.check(&scores, &format!("{} seats, seed {seed}", seats.get()));
        }
    }
}

#[test]
fn tablic_conforms_and_adds_up_with_2_to_6_seats() {
    tablic_conforms(&SeatCount::ALL[..4], 200);
}

#[test]
fn tablic_conforms_and_adds_up_with_8_to_16_seats() {
    tablic_conforms(&SeatCount::ALL[4..7], 100);
}

#[test]
fn tablic_conforms_and_adds_up_with_24_and_48_seats() {
    tablic_conforms(&SeatCount::ALL[7..], 50);
}

#[test]
fn coup_conforms() {
    for seed in 0..400 {
        let played = conform::<Coup>(&coup::Options::default(), seed)
            .unwrap_or_else(|breach| panic!("{breach}"));
        let Turn::Over(scores) = played.game.turn() else { panic!("seed {seed}: not over") };
        let points: Score = scores.values().iter().copied().sum();
        assert!([Score::ZERO, Score::points(1)].contains(&points), "seed {seed}: {scores:?}");
    }
}

#[test]
fn coup_conforms_at_a_court_of_2_to_6_seats() {
    for seats in 2..=6 {
        let rules = coup::CoupRules::Court(coup::CourtSeatCount::new(seats).unwrap());
        for seed in 0..12 {
            let played = conform::<Coup>(&coup::Options { rules }, seed)
                .unwrap_or_else(|breach| panic!("{seats} seats: {breach}"));
            let Turn::Over(scores) = played.game.turn() else { panic!("seed {seed}: not over") };
            let points: Score = scores.values().iter().copied().sum();
            assert!([Score::ZERO, Score::points(1)].contains(&points), "seed {seed}: {scores:?}");
        }
    }
}

/// Every option and pack is tried with the properties of the game.
#[test]
fn durak_conforms_with_2_to_6_seats() {
    for seats in 2..=6 {
        let options = durak::Options::new(seats, durak::Deck::Sixes).unwrap();
        for seed in 0..5 {
            let played = conform::<Durak>(&options, seed)
                .unwrap_or_else(|breach| panic!("{options}: {breach}"));
            let Turn::Over(scores) = played.game.turn() else { panic!("seed {seed}: not over") };
            let points: Score = scores.values().iter().copied().sum();
            assert_eq!(points, Score::points(seats as i32 - 1), "seed {seed}: {scores:?}");
        }
    }
}

/// A game of Tablić counted again from its lines alone, on the words themselves.
#[derive(Default)]
struct Recount<'a> {
    piles: Vec<Vec<&'a str>>,
    tablas: Vec<usize>,
    table: BTreeSet<&'a str>,
    /// Cards that no seat captured.
    left: Vec<&'a str>,
    /// The lines of scores, from the seat on.
    scores: Vec<String>,
}

impl<'a> Recount<'a> {
    fn new(seats: usize, lines: &'a [String]) -> Self {
        let mut recount = Recount {
            piles: vec![Vec::new(); seats],
            tablas: vec![0; seats],
            ..Recount::default()
        };
        let mut emptied_by = None;
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let announced = words[0] == "tabla";
            let emptied = emptied_by.take();
            assert_eq!(announced.then(|| words[1]), emptied, "a tabla is told: {line}");
            match words[..] {
                ["deal", "table", ref cards @ ..] => recount.table.extend(cards),
                ["deal", ..] => {}
                ["tabla", seat] => recount.tablas[number(seat)] += 1,
                ["rest", "none", ref cards @ ..] => recount.left.extend(cards),
                ["rest", seat, ref cards @ ..] => recount.piles[number(seat)].extend(cards),
                ["score", ref rest @ ..] => recount.scores.push(rest.join(" ")),
                [_, card] => assert!(recount.table.insert(card), "{line}"),
                [seat, ref taken @ ..] => {
                    assert!(taken[1..].iter().all(|card| recount.table.remove(card)), "{line}");
                    recount.piles[number(seat)].extend(taken);
                    emptied_by = recount.table.is_empty().then_some(seat);
                }
                [] => {}
            }
        }
        recount
    }

    fn check(&self, scores: &PerSeat<Score>, game: &str) {
        let all: BTreeSet<&str> = self.piles.iter().flatten().chain(&self.left).copied().collect();
        let count: usize = self.piles.iter().map(Vec::len).sum();
        assert_eq!((all.len(), count + self.left.len()), (52, 52), "{game}: the pack");

        let most = self.piles.iter().map(Vec::len).max().unwrap();
        let alone = self.piles.iter().filter(|pile| pile.len() == most).count() == 1;
        for (seat, pile) in self.piles.iter().enumerate() {
            let most = alone && pile.len() == most;
            let tablas = self.tablas[seat];
            let card_points: usize = pile.iter().map(|card| worth(card)).sum();
            let points = card_points + tablas + if most { 3 } else { 0 };
            let most = if most { " most" } else { "" };
            let line = format!("{seat} {points} cards {} tablas {tablas}{most}", pile.len());
            assert_eq!(self.scores[seat], line, "{game}");
            assert_eq!(scores.values()[seat], Score::points(points as i32), "{game}");
        }
        let total: Score = scores.values().iter().copied().sum();
        let tablas: usize = self.tablas.iter().sum();
        let expected = match (count, alone) {
            (0, _) => 0,
            (_, true) => 25 + tablas,
            (_, false) => 22 + tablas,
        };
        assert_eq!(total, Score::points(expected as i32), "{game}");
    }
}

fn number(seat: &str) -> usize {
    seat.parse().unwrap()
}

fn worth(card: &str) -> usize {
    match card {
        "10D" => 2,
        "2C" => 1,
        _ if card.starts_with(['1', 'J', 'Q', 'K', 'A']) => 1,
        _ => 0,
    }
}

/// The promises that the suite finds broken in the toy with this fault, over some seeds.
fn found(fault: Fault, seats: usize) -> Vec<Option<Promise>> {
    let options = toy::Options { seats, fault };
    let seeds = if fault == Fault::Endless { 0..1 } else { 0..40 };
    seeds.map(|seed| conform::<Toy>(&options, seed).err().map(|breach| breach.promise)).collect()
}

#[test]
fn an_honest_toy_conforms() {
    for seats in [2, 3, 7] {
        for seed in 0..100 {
            if let Err(breach) = conform::<Toy>(&toy::Options { seats, fault: Fault::None }, seed) {
                panic!("{seats} seats: {breach}");
            }
        }
    }
}

#[test]
fn every_planted_fault_is_found_and_named() {
    let faults = [
        (Fault::View, Promise::RequestTellsNothingHidden),
        (Fault::LegalMoves, Promise::RequestTellsNothingHidden),
        (Fault::OpenEvent, Promise::EventsTellNothingHidden),
        (Fault::PublicForm, Promise::EventsTellNothingHidden),
        (Fault::Text, Promise::TextRoundTrips),
        (Fault::Refusal, Promise::RefusalChangesNothing),
        (Fault::Endless, Promise::GameEnds),
        (Fault::Forced, Promise::ForcedMoveIsTheOnlyOne),
        (Fault::Narration, Promise::NarrationIsForATerminal),
        (Fault::Out, Promise::EventsLeaveLinesOfTheReferee),
        (Fault::OwnLine, Promise::OwnLinesAreNamed),
        (Fault::Points, Promise::PointsTellNothingHidden),
    ];
    assert_eq!(faults.len() + 1, Fault::ALL.len());
    for (fault, promise) in faults {
        for seats in [2, 3] {
            let found = found(fault, seats);
            let named = found.iter().filter(|found| **found == Some(promise)).count();
            assert!(named > 0, "{fault:?} with {seats} seats is not found");
            let others = found.iter().any(|found| found.is_some_and(|other| other != promise));
            assert!(!others, "{fault:?} with {seats} seats is taken for another: {found:?}");
        }
    }
}

#[test]
fn a_breach_says_how_to_find_it_again() {
    let options = toy::Options { seats: 3, fault: Fault::View };
    let breach = (0..40).find_map(|seed| conform::<Toy>(&options, seed).err()).unwrap();
    assert_eq!(conform::<Toy>(&options, breach.seed).unwrap_err(), breach);
    assert!(breach.to_string().contains(&format!("seed {}", breach.seed)));
}

/// A seat's view after a step, and the events that it saw.
type Told = (toy::View, Vec<toy::Event>);

/// A walk through games of the toy: which of the two tests for leaks, written out again, finds
/// something.
fn leaks(fault: Fault) -> (bool, bool) {
    let options = toy::Options { seats: 3, fault };
    let (mut in_requests, mut in_events) = (false, false);
    for seed in 0..40_u64 {
        let mut nature = BotSeed(seed.to_be_bytes()).nature();
        let mut game = Toy::new(&options);
        let mut history = Vec::new();
        while !matches!(game.turn(), Turn::Over(_)) {
            let chance = game.sample(&mut nature);
            let mv = *nature.choose(&legal(&game)).unwrap_or(&toy::Move::Keep);
            for seat in Seat::first(3) {
                let mut world = || drawn(&options, &game, seat, &history, &mut nature);
                let (one, other) = (world(), world());
                in_requests |= one.view(seat) != game.view(seat);
                in_requests |= game.turn() == Turn::Seat(seat) && legal(&one) != legal(&game);
                let other_chance = other.sample(&mut nature);
                let told = [(&game, chance), (&other, other_chance)]
                    .map(|(world, chance)| after(world, chance, mv, seat));
                if let [Some((view, told)), Some((other_view, other_told))] = told {
                    in_events |= view == other_view && told != other_told;
                }
            }
            match chance {
                Some(chance) => game.happen(&chance, &mut history).unwrap(),
                None => game.play(&mv, &mut history).unwrap(),
            }
        }
    }
    (in_requests, in_events)
}

fn legal(game: &Toy) -> Vec<toy::Move> {
    let mut moves = Vec::new();
    let _ = game.legal_moves(&mut moves);
    moves
}

/// A world that the seat cannot tell from the real one.
fn drawn(
    options: &toy::Options,
    game: &Toy,
    seat: Seat,
    history: &[toy::Event],
    nature: &mut Nature,
) -> Toy {
    let shown: Vec<toy::Event> = history.iter().filter_map(|event| seen_by(event, seat)).collect();
    Toy::resample(options, seat, &game.view(seat), &shown, nature).unwrap()
}

fn after(world: &Toy, chance: Option<toy::Deal>, mv: toy::Move, seat: Seat) -> Option<Told> {
    let mut world = world.clone();
    let mut events = Vec::new();
    match chance {
        Some(chance) => world.happen(&chance, &mut events).ok()?,
        None => world.play(&mv, &mut events).ok()?,
    }
    let told = events.iter().filter_map(|event| seen_by(event, seat)).collect();
    Some((world.view(seat), told))
}

#[test]
fn leaks_in_requests_and_in_events_need_a_test_each() {
    assert_eq!(leaks(Fault::None), (false, false));
    for fault in [Fault::View, Fault::LegalMoves] {
        assert_eq!(leaks(fault), (true, false), "{fault:?}");
    }
    for fault in [Fault::OpenEvent, Fault::PublicForm] {
        assert_eq!(leaks(fault), (false, true), "{fault:?}");
    }
}

#[test]
fn a_forced_move_is_the_only_legal_one() {
    let mut nature = BotSeed([1; 8]).nature();
    let mut forced = 0;
    for _ in 0..40 {
        let mut game = Toy::new(&toy::Options { seats: 3, fault: Fault::None });
        let mut events = Vec::new();
        loop {
            match game.turn() {
                Turn::Nature => {
                    let deal = game.sample(&mut nature).unwrap();
                    game.happen(&deal, &mut events).unwrap();
                }
                Turn::Seat(_) => {
                    let legal = legal(&game);
                    if let Some(mv) = game.forced() {
                        assert_eq!(legal, [mv]);
                        forced += 1;
                    }
                    game.play(nature.choose(&legal).unwrap(), &mut events).unwrap();
                }
                Turn::Over(_) => break,
            }
        }
        assert!(events.iter().all(|event| event.owner().is_none() || event.public().is_some()));
    }
    assert!(forced > 0);
}
