//! Tablić against vectors made by independent implementations of its rules.

use rules::replay::replay;
use rules::tablic::capture::may_capture;
use rules::tablic::{Event, Move, Options, SeatCount, Tablic, captures};
use rules::{Answer, Card, CardSet, Game, GameRecord, Score, Seat, Seed, Turn, Verdict};
use serde::Deserialize;

use crate::refereed;
use crate::tablic::properties;

const CAPTURES: &str = include_str!("../../vectors/tablic-captures.jsonl");
const GAMES: &str = include_str!("../../vectors/tablic-games.jsonl");

/// A card, a table, and all sets that the card may capture.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaptureVector {
    played: String,
    table: Vec<String>,
    legal: Vec<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameVector {
    players: usize,
    deck: Vec<String>,
    moves: Vec<(String, Vec<String>)>,
    final_points: Vec<i32>,
    card_points: Vec<u32>,
    tablas: Vec<u32>,
    cards_taken: Vec<u32>,
    most_cards: Option<usize>,
    last_taker: Option<usize>,
    leftover: Vec<String>,
}

fn read<T: for<'de> Deserialize<'de>>(vectors: &str) -> Vec<T> {
    vectors.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn set(cards: &[String]) -> CardSet {
    cards.iter().map(|text| card(text)).collect()
}

impl GameVector {
    fn deals(&self) -> Vec<rules::tablic::Deal> {
        let deck: Vec<Card> = self.deck.iter().map(|text| card(text)).collect();
        properties::deals(self.players, &deck)
    }

    fn moves(&self) -> Vec<Move> {
        let one = |(played, captured): &(String, Vec<String>)| Move {
            card: card(played),
            captured: set(captured),
        };
        self.moves.iter().map(one).collect()
    }

    fn scores(&self) -> Vec<Score> {
        self.final_points.iter().copied().map(Score::points).collect()
    }

    /// The last events: the rest of the table, and what each seat has.
    fn last_events(&self) -> Vec<String> {
        let leftover = set(&self.leftover);
        let to = self.last_taker.map_or("none".to_owned(), |seat| seat.to_string());
        let rest = (!leftover.is_empty()).then(|| format!("rest {to} {leftover}"));
        let scores = (0..self.players).map(|seat| {
            let (points, cards) = (self.final_points[seat], self.cards_taken[seat]);
            let most = if self.most_cards == Some(seat) { " most" } else { "" };
            format!("score {seat} {points} cards {cards} tablas {}{most}", self.tablas[seat])
        });
        rest.into_iter().chain(scores).collect()
    }
}

#[test]
fn captures_are_the_sets_of_the_vectors_in_canonical_order() {
    let vectors: Vec<CaptureVector> = read(CAPTURES);
    assert_eq!(vectors.len(), 120);
    for CaptureVector { played, table, legal } in vectors {
        let rank = card(&played).rank();
        let mut expected: Vec<CardSet> = legal.iter().map(|cards| set(cards)).collect();
        expected.sort_unstable();
        let (found, _) = captures(rank, set(&table), usize::MAX);
        assert_eq!(found, expected, "{played} on {table:?}");
        assert!(expected.iter().all(|cards| may_capture(rank, *cards)), "{played} on {table:?}");
    }
}

#[test]
fn whole_games_come_to_the_points_of_the_vectors() {
    let vectors: Vec<GameVector> = read(GAMES);
    assert_eq!(vectors.len(), 12);
    for vector in vectors {
        let seats = SeatCount::new(vector.players).unwrap();
        let mut game = Tablic::new(&Options { seats });
        let (mut deals, mut moves) = (vector.deals().into_iter(), vector.moves().into_iter());
        let mut events = Vec::new();
        let scores = loop {
            match game.turn() {
                Turn::Nature => game.happen(&deals.next().unwrap(), &mut events).unwrap(),
                Turn::Seat(_) => game.play(&moves.next().unwrap(), &mut events).unwrap(),
                Turn::Over(scores) => break scores,
            }
        };
        assert_eq!((deals.len(), moves.len()), (0, 0));
        assert_eq!(scores.values(), vector.scores());
        assert_eq!(game.last_capture().map(Seat::index), vector.last_taker);
        assert_eq!(game.table(), set(&vector.leftover));
        let told: Vec<String> = events.iter().map(Event::to_string).collect();
        let last = vector.last_events();
        assert_eq!(told[told.len() - last.len()..], last);
        for (seat, tally) in game.tallies().iter() {
            let most = if tally.most { 3 } else { 0 };
            let card_points = tally.points - tally.tablas - most;
            assert_eq!(card_points, vector.card_points[seat.index()], "seat {seat}");
        }
    }
}

#[test]
fn the_same_games_in_text_come_to_the_same_and_replay() {
    let seed = Seed([0; 32]);
    for vector in read::<GameVector>(GAMES) {
        let options = format!("seats={}", vector.players);
        let mut referee = refereed::referee(&options, &seed);
        let (mut deals, mut moves) = (vector.deals().into_iter(), vector.moves().into_iter());
        let rulings = refereed::play(
            &mut referee,
            |draw| draw.happen(&deals.next().unwrap().to_string()).unwrap(),
            |_| Answer::Output(moves.next().unwrap().to_string().into_bytes()),
        );
        assert!(rulings.iter().all(|(_, ruling)| ruling.verdict == Verdict::Ok));
        let record = refereed::record(&mut referee, &seed);
        assert_eq!(record.result.scores().unwrap().values(), vector.scores());
        let last = vector.last_events();
        assert_eq!(record.events[record.events.len() - last.len()..], last);

        let json = serde_json::to_string(&record).unwrap();
        let read: GameRecord = serde_json::from_str(&json).unwrap();
        assert_eq!(read, record);
        assert_eq!(replay(refereed::setup(&options, None), &read, |_| ()), Ok(()));
    }
}
