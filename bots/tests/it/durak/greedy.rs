//! The greedy player of Durak against vectors made by independent implementations of it.

use bots::Players;
use bots::durak::Durak;
use bots::durak::greedy::{CardScale, DecisionBasis, DefenderMove, HandValues, read_scale};
use rules::durak::{Deck, Pairs};
use rules::{Card, CardSet, Suit};
use serde::Deserialize;

const VALUES: &str = include_str!("../../../../arbiter/rules/tests/vectors/durak-values.jsonl");
const DECISIONS: &str =
    include_str!("../../../../arbiter/rules/tests/vectors/durak-decisions.jsonl");

/// A hand with what it is worth on both scales.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueVector {
    tag: String,
    hand: Vec<String>,
    trump: String,
    talon: i64,
    other_hands: Vec<i64>,
    own_size: i64,
    deck: usize,
    article: i64,
    app: i64,
}

/// A position and what is played in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecisionVector {
    kind: String,
    scale: String,
    deck: usize,
    hand: Vec<String>,
    trump: String,
    talon: i64,
    other_hands: Vec<i64>,
    /// All cards on the table, where one may be thrown.
    #[serde(default)]
    table: Vec<String>,
    #[serde(default)]
    attacks: Vec<String>,
    #[serde(default)]
    defences: Vec<String>,
    #[serde(default)]
    can_transfer: bool,
    answer: serde_json::Value,
}

fn read<T: for<'de> Deserialize<'de>>(vectors: &str) -> Vec<T> {
    vectors.lines().map(|line| serde_json::from_str(line).expect("a vector")).collect()
}

fn cards(texts: &[String]) -> Vec<Card> {
    texts.iter().map(|text| text.parse().expect("a card")).collect()
}

fn set(texts: &[String]) -> CardSet {
    cards(texts).into_iter().collect()
}

fn suit(letter: &str) -> Suit {
    Suit::ALL.into_iter().find(|suit| suit.letter().to_string() == letter).expect("a suit")
}

fn deck(size: usize) -> Deck {
    size.to_string().parse().expect("a deck")
}

#[test]
fn hands_are_worth_what_the_vectors_say() {
    let vectors: Vec<ValueVector> = read(VALUES);
    assert_eq!(vectors.len(), 102);
    for vector in vectors {
        for (scale, expected) in
            [(CardScale::Article, vector.article), (CardScale::App, vector.app)]
        {
            let values = HandValues {
                scale,
                deck: deck(vector.deck),
                trumps: suit(&vector.trump),
                talon: vector.talon,
                held: vector.own_size + vector.other_hands.iter().sum::<i64>(),
            };
            let ValueVector { tag, hand, .. } = &vector;
            assert_eq!(values.hand(set(hand)), expected, "{tag}: {hand:?} with {values:?}");
        }
    }
}

#[test]
fn decisions_are_those_of_the_vectors() {
    let vectors: Vec<DecisionVector> = read(DECISIONS);
    assert_eq!(vectors.len(), 130);
    for vector in vectors {
        let scale = read_scale(&[format!("--scale={}", vector.scale)]).expect("a scale");
        let hand = cards(&vector.hand);
        let values = HandValues {
            scale,
            deck: deck(vector.deck),
            trumps: suit(&vector.trump),
            talon: vector.talon,
            held: hand.len() as i64 + vector.other_hands.iter().sum::<i64>(),
        };
        let table = table(&vector);
        let position = DecisionBasis { values, hand: &hand, table: &table };
        let of_card = |card: Option<Card>| serde_json::json!(card.map(|card| card.to_string()));
        let answer = match vector.kind.as_str() {
            "lead" => of_card(position.lead()),
            "throw" => of_card(position.throw()),
            _ => match position.defend(&passing(&vector, &hand)) {
                DefenderMove::Beat(card) => serde_json::json!(["beat", card.to_string()]),
                DefenderMove::Transfer(card) => serde_json::json!(["transfer", card.to_string()]),
                DefenderMove::Take => serde_json::json!(["take", null]),
            },
        };
        assert_eq!(answer, vector.answer, "{:?} with {values:?} on {table}", vector.hand);
    }
}

/// The table of a vector. Where a card may be thrown, which of them beats which does not matter.
fn table(vector: &DecisionVector) -> Pairs {
    let mut pairs: Vec<String> = vector.table.clone();
    for (place, attack) in vector.attacks.iter().enumerate() {
        let beat = vector.defences.get(place).map(String::as_str).unwrap_or_default();
        pairs.push(format!("{attack} {beat}"));
    }
    pairs.join(",").parse().expect("a table")
}

/// The cards that may pass the attack on.
fn passing(vector: &DecisionVector, hand: &[Card]) -> Vec<Card> {
    let attacks = cards(&vector.attacks);
    let may = vector.can_transfer && vector.defences.is_empty();
    let alike = |card: &Card| may && attacks.iter().all(|attack| attack.rank() == card.rank());
    hand.iter().copied().filter(alike).collect()
}

#[test]
fn the_scale_is_an_option_of_greedy_alone() {
    let read = |text: &str| {
        let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
        read_scale(&words).map_err(|bad| bad.to_string())
    };
    assert_eq!(read(""), Ok(CardScale::Article));
    assert_eq!(read("--scale app"), Ok(CardScale::App));
    assert_eq!(read("--scale=article"), Ok(CardScale::Article));
    for (text, problem) in [
        ("--scale", "expected article or app after `--scale`, found ``"),
        ("--scale=big", "expected article or app after `--scale`, found `big`"),
        ("--depth 3", "unknown argument `--depth`"),
    ] {
        assert_eq!(read(text), Err(problem.to_owned()));
    }
    let words = ["--scale".to_owned(), "app".to_owned()];
    assert!(Durak::player("greedy", &words).is_ok());
    for other in ["random", "lowest"] {
        let Err(bad) = Durak::player(other, &words) else { panic!("{other} has no scale") };
        assert_eq!(bad.to_string(), "unknown argument `--scale`");
    }
}
