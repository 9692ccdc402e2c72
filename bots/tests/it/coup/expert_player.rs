//! The expert of Coup in whole games, its options, and what it makes of bytes that are no table.

use std::time::Duration;

use bots::coup::Coup;
use bots::coup::expert::packed::PackedTable;
use bots::coup::expert::style_tracker::StyleResponses;
use bots::coup::expert::{Expert, Settings, WorldSearch};
use bots::options::TimeLimit;
use bots::{AnyPlayer, Players, programs};
use proptest::prelude::*;
use rules::coup::{Event, Options};
use rules::durak::Durak;
use rules::tablic::Tablic;
use rules::{BotSeed, GameKind, GameTerms, Score, Seat, Seed};
use simulation::{TIME, play};

use crate::coup::sample_game::game_after;

const SEED: Seed = Seed([5; 32]);

fn player(text: &str) -> AnyPlayer<Coup> {
    let mut words = text.split_ascii_whitespace().map(str::to_owned);
    let name = words.next().expect("a name");
    Coup::player(&name, &words.collect::<Vec<_>>()).expect("a player")
}

/// The events of one game of a deal, and its winner.
fn game(deal: u64, players: [&str; 2]) -> (Vec<Event>, Option<usize>) {
    let terms = GameTerms::even(SEED.name(deal), 2, TIME, SEED.bots(deal));
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
    for expert in ["expert", "expert --trust 85", "expert --safe"] {
        for other in ["random", "greedy", "minimax --depth 1", "challenger", "calculator", expert] {
            for deal in 0..2 {
                game(deal, [expert, other]);
                game(deal, [other, expert]);
            }
        }
    }
}

#[test]
fn equal_seeds_make_equal_games() {
    for expert in ["expert", "expert --trust 85", "expert --safe"] {
        for deal in 0..2 {
            assert_eq!(game(deal, [expert, "greedy"]), game(deal, [expert, "greedy"]));
        }
    }
}

#[test]
fn it_punishes_whom_it_knows_and_the_table_does_not() {
    let safe = wins("expert --safe", "greedy", 20);
    for expert in ["expert --worlds 60 --time none", "expert --trust 85"] {
        let punishing = wins(expert, "greedy", 20);
        assert!(punishing >= 28 && safe < punishing, "{expert}: {punishing} and {safe} of 40");
    }
}

#[test]
fn it_does_not_bluff_where_a_card_that_it_holds_does_the_same() {
    let thefts = "deal 0 captain contessa; deal 1 captain duke; steal 1; block captain; pass; tax; \
                  pass; end; steal 1; block captain; pass; tax; pass; end; steal 1";
    let mut request = game_after(thefts).request();
    let mut expert = player("expert --time none");
    // A seat that has believed two blocks believes a third one, whichever card it is with.
    for seed in 0..100 {
        request.heading.seed = BotSeed([seed; 8]);
        let mv = expert.choose(&request).expect("a move");
        assert_ne!(mv.to_string(), "block ambassador", "seed {seed}");
    }
}

#[test]
fn its_options() {
    let read = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Settings::read(&words).map_err(|bad| bad.to_string())
    };
    let time = TimeLimit::Fixed(Duration::from_millis(10));
    let (worlds, usual) = (200, TimeLimit::HalfOfRequest);
    for (words, expected) in [
        (&[][..], Settings::Search { worlds, time: usual }),
        (&["--safe"], Settings::Safe { time: usual }),
        (&["--time", "10ms"], Settings::Search { worlds, time }),
        (&["--worlds", "50"], Settings::Search { worlds: 50, time: usual }),
        (&["--time", "10ms", "--safe"], Settings::Safe { time }),
        (&["--safe", "--time", "10ms"], Settings::Safe { time }),
        (&["--trust", "0"], Settings::Safe { time: usual }),
        (&["--trust=30"], Settings::Respond { trust: 30, time: usual }),
        (&["--trust=30", "--safe"], Settings::Safe { time: usual }),
    ] {
        assert_eq!(read(words), Ok(expected), "{words:?}");
    }
    for (words, expected) in [
        (&["--safe", "yes"][..], "unknown argument `yes`"),
        (&["--trust", "101"], "expected a number from 0 to 100 after `--trust`, found `101`"),
        (&["--save"], "unknown argument `--save`"),
        (
            &["--worlds", "9", "--safe"],
            "`--worlds` is for the search, which `--trust` and `--safe` turn off",
        ),
    ] {
        assert_eq!(read(words), Err(expected.to_owned()));
    }
    for (game, options) in [
        (GameKind::of::<Coup>(), &["--positions"][..]),
        (GameKind::of::<Tablic>(), &["--trust", "--safe"]),
        (GameKind::of::<Durak>(), &["--trust", "--safe"]),
    ] {
        for option in options {
            let words = [(*option).to_owned(), "5".to_owned()];
            let refused = programs::player(&game, "expert", &words).err().expect("an error");
            let expected = format!("`{option}` is an option for other games only");
            assert_eq!(refused.to_string(), expected, "{game}");
        }
    }
}

#[test]
fn its_tables_are_whole() {
    let search = Settings::Search { worlds: 1, time: TimeLimit::None };
    let time = TimeLimit::None;
    for settings in [Settings::Safe { time }, Settings::Respond { trust: 85, time }, search] {
        assert!(settings.player().is_some(), "{settings:?}");
    }
}

proptest! {
    #[test]
    fn it_makes_a_legal_move_with_any_tables(bytes in prop::collection::vec(any::<u8>(), 8..300)) {
        let request = game_after("deal 0 duke assassin; deal 1 contessa captain; income; tax").request();
        let table = [&b"coupexp1\x01\0\0\0"[..], &bytes].concat();
        // One style, half of all, and the same table for what it does and for each suspect.
        let length = (table.len() as u32).to_le_bytes();
        let tables = [&length[..], &table].concat().repeat(4);
        let styles = [&b"couppun1\x01\0\0\0\xf4\x01\0\0"[..], &tables].concat();
        let (table, styles): (&[u8], &[u8]) = (table.leak(), styles.leak());
        let Some(table) = PackedTable::new(table) else { return Ok(()) };
        let styles = StyleResponses::new(styles).expect("tables").trusted(0.9);
        let experts: [AnyPlayer<Coup>; 3] = [
            Box::new(Expert::safe(table)),
            Box::new(WorldSearch::new(table, &styles, 5, TimeLimit::None)),
            Box::new(Expert::punishing(table, styles)),
        ];
        for mut expert in experts {
            let mv = expert.choose(&request).expect("a move");
            prop_assert!(request.legal.contains(&mv));
        }
    }
}

#[test]
fn worlds_are_cut_by_time_alone_and_a_note_says_so() {
    let request =
        game_after("deal 0 duke assassin; deal 1 contessa captain; income; tax").request();
    let now = TimeLimit::Fixed(Duration::ZERO);
    let mut cut = Settings::Search { worlds: 200, time: now }.player().expect("a player");
    let safe = Settings::Safe { time: now }.player().expect("a player").choose(&request);
    assert_eq!(cut.choose(&request), safe, "without a world it plays by the table");
    assert_eq!(cut.cut().map(|cut| cut.to_string()).as_deref(), Some("worlds 0"));
    let mut whole = Settings::Search { worlds: 30, time: TimeLimit::None }.player().expect("one");
    assert!(whole.choose(&request).is_ok() && whole.cut().is_none());
}
