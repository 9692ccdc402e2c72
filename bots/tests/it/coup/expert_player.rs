//! The expert of Coup in whole games, its options, and what it makes of bytes that are no table.

use bots::coup::Coup;
use bots::coup::expert::packed::Packed;
use bots::coup::expert::punishment::Punishment;
use bots::coup::expert::{Expert, Settings};
use bots::{AnyPlayer, Player, Players, programs};
use proptest::prelude::*;
use rules::coup::{Event, Options};
use rules::durak::Durak;
use rules::tablic::Tablic;
use rules::{GameKind, Score, Seat, Seed, Terms};
use simulation::{TIME, play};

use crate::coup::told::told;

const SEED: Seed = Seed([5; 32]);

fn player(text: &str) -> AnyPlayer<Coup> {
    let mut words = text.split_ascii_whitespace().map(str::to_owned);
    let name = words.next().expect("a name");
    Coup::player(&name, &words.collect::<Vec<_>>()).expect("a player")
}

/// The events of one game of a deal, and its winner.
fn game(deal: u64, players: [&str; 2]) -> (Vec<Event>, Option<usize>) {
    let terms = Terms::even(SEED.name(deal), 2, TIME, SEED.bots(deal));
    let seated = players.map(player).into();
    let finished = play(&Options::default(), &terms, &mut SEED.nature(deal), seated);
    let finished = finished.expect("legal moves to the end");
    let won = |seat: &usize| {
        Seat::new(*seat).is_some_and(|seat: Seat| finished.scores[seat] != Score::ZERO)
    };
    let winner = (0..2).find(won);
    (finished.events, winner)
}

/// Number of wins of the first player in both games of each deal.
fn wins(first: &str, second: &str, deals: u64) -> usize {
    let one = |deal| usize::from(game(deal, [first, second]).1 == Some(0));
    let other = |deal| usize::from(game(deal, [second, first]).1 == Some(1));
    (0..deals).map(|deal| one(deal) + other(deal)).sum()
}

#[test]
fn it_plays_whole_games_against_everyone() {
    for expert in ["expert", "expert --safe"] {
        for other in ["random", "greedy", "minimax --depth 1", "challenger", "calculator", expert] {
            for deal in 0..10 {
                game(deal, [expert, other]);
                game(deal, [other, expert]);
            }
        }
    }
}

#[test]
fn equal_seeds_make_equal_games() {
    for expert in ["expert", "expert --safe"] {
        for deal in 0..5 {
            assert_eq!(game(deal, [expert, "greedy"]), game(deal, [expert, "greedy"]));
        }
    }
}

#[test]
fn it_punishes_whom_it_knows_and_the_table_does_not() {
    let (punishing, safe) = (wins("expert", "greedy", 100), wins("expert --safe", "greedy", 100));
    assert!(punishing >= 140 && safe < punishing, "{punishing} and {safe} of 200");
}

#[test]
fn its_options() {
    let read = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Settings::read(&words).map_err(|bad| bad.to_string())
    };
    for (words, trust) in [
        (&[][..], 85),
        (&["--safe"], 0),
        (&["--time", "10ms"], 85),
        (&["--time", "10ms", "--safe"], 0),
        (&["--safe", "--time", "10ms"], 0),
        (&["--trust", "0"], 0),
        (&["--trust=30"], 30),
    ] {
        assert_eq!(read(words), Ok(Settings { trust }));
    }
    for (words, expected) in [
        (&["--safe", "yes"][..], "unknown argument `yes`"),
        (&["--trust", "101"], "expected a number from 0 to 100 after `--trust`, found `101`"),
        (&["--save"], "unknown argument `--save`"),
    ] {
        assert_eq!(read(words), Err(expected.to_owned()));
    }
    for (game, options) in [
        (GameKind::of::<Coup>(), ["--worlds", "--positions"]),
        (GameKind::of::<Tablic>(), ["--trust", "--safe"]),
        (GameKind::of::<Durak>(), ["--trust", "--safe"]),
    ] {
        for option in options {
            let words = [option.to_owned(), "5".to_owned()];
            let refused = programs::player(&game, "expert", &words).err().expect("an error");
            let expected = format!("`{option}` is an option for other games only");
            assert_eq!(refused.to_string(), expected, "{game}");
        }
    }
}

#[test]
fn its_tables_are_whole() {
    for trust in [0, 1, 85, 100] {
        assert!(Settings { trust }.player().is_some(), "{trust}");
    }
}

proptest! {
    #[test]
    fn it_makes_a_legal_move_with_any_tables(bytes in prop::collection::vec(any::<u8>(), 8..300)) {
        let request = told("deal 0 duke assassin; deal 1 contessa captain; income; tax").request();
        let table = [&b"coupexp1\x01\0\0\0"[..], &bytes].concat();
        // One style, half of all, and the same table for what it does and for each suspect.
        let length = (table.len() as u32).to_le_bytes();
        let tables = [&length[..], &table].concat().repeat(4);
        let styles = [&b"couppun1\x01\0\0\0\xf4\x01\0\0"[..], &tables].concat();
        let Some(table) = Packed::new(&table) else { return Ok(()) };
        let styles = Punishment::new(&styles).expect("tables").trusted(0.9);
        for mut expert in [Expert::safe(table), Expert::punishing(table, styles)] {
            let mv = expert.choose(&request).expect("a move");
            prop_assert!(request.legal.contains(&mv));
        }
    }
}
