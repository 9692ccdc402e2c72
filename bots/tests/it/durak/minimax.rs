//! The minimax player of Durak in whole games, and its options.

use std::time::{Duration, Instant};

use bots::Player;
use bots::durak::minimax;
use bots::durak::search::decision::Settings;
use bots::options::TimeLimit;
use rules::GameKind;
use rules::durak::Durak;
use search::alpha_beta::Unlimited;
use simulation::SimulatedGame;

use crate::durak::in_process::{Deal, Looks, answers_alike, plays_legally, share, simulate};

/// Games between these players, each deal in every rotation of them.
fn games(options: &str, players: &[&str], deals: u64) -> Vec<SimulatedGame> {
    simulate(8, options, players, deals)
}

#[test]
fn it_plays_legally_with_all_options_and_every_number_of_seats() {
    plays_legally(8, "minimax --worlds 2 --time none --positions 500");
}

#[test]
fn few_worlds_are_enough_to_beat_the_others() {
    let minimax = "minimax --worlds 40 --time none --positions 20000";
    for (other, least) in [("random", 0.95), ("lowest", 0.7), ("greedy", 0.7)] {
        let two = share(&games("seats=2", &[minimax, other], 20));
        assert!(two > least, "{two} against {other}");
    }
    // Everybody has 0.75 where all are as good.
    let four = share(&games("seats=4", &[minimax, "lowest", "lowest", "lowest"], 10));
    assert!(four > 0.8, "{four}");
}

#[test]
fn a_request_that_time_does_not_cut_is_always_answered_the_same() {
    let settings = Settings { worlds: 20, positions: 2000, time: TimeLimit::None };
    answers_alike(|| minimax::player(settings));
}

#[test]
fn when_time_is_up_it_plays_what_it_has_found_so_far() {
    let settings = Settings { worlds: 30, positions: u64::MAX, time: TimeLimit::None };
    let (mut cut, mut asked) = (0, 0);
    for seed in 0..5 {
        Deal::new("seats=2", seed).play_on(|deal, seat| {
            let request = deal.request(seat);
            if request.legal.len() == 1 {
                return;
            }
            asked += 1;
            // At once there is nothing: then the player does what lowest would.
            let none = minimax::player(settings).decide(&request, &mut Looks(1));
            assert!(none.is_none() || request.view.talon < 2, "{}", request.view);
            // Time for some of the worlds is time for all moves in them.
            let looks = 10 * request.legal.len() as u32 + 1;
            let mut player = minimax::player(settings);
            let some = player.decide(&request, &mut Looks(looks)).expect("a move");
            cut += u32::from(player.cut().is_some());
            let ten = minimax::player(Settings { worlds: 10, ..settings });
            if player.cut().is_some() && request.view.talon > 1 {
                assert_eq!(Some(some), { ten }.decide(&request, &mut Unlimited));
            }
        });
    }
    assert!(cut > asked / 4, "{cut} of {asked}");
}

#[test]
fn without_time_it_plays_legally_and_soon() {
    for options in ["seats=2 deck=52 transfer=on", "seats=4"] {
        for time in ["0ms", "1ms"] {
            let minimax = format!("minimax --worlds 1000000 --positions none --time {time}");
            let games =
                games(options, &[&minimax, "lowest", "lowest", "lowest"][..seats(options)], 2);
            assert!(!games.is_empty());
        }
    }
    let settings = Settings { worlds: u32::MAX, ..minimax::read(&[]).expect("no options") };
    let mut deal = Deal::new("seats=2", 1);
    let mut first = None;
    deal.play_on(|deal, seat| {
        first.get_or_insert_with(|| deal.request(seat));
    });
    let mut request = first.expect("a request");
    request.heading.time = 60;
    let mut player = minimax::player(settings);
    let start = Instant::now();
    player.choose(&request).expect("a move");
    let time = start.elapsed();
    assert!(player.cut().is_some());
    assert!((Duration::from_millis(29)..Duration::from_secs(60)).contains(&time), "{time:.1?}");
}

fn seats(options: &str) -> usize {
    GameKind::of::<Durak>().seats(options).expect("options")
}

#[test]
fn a_request_that_contradicts_itself_is_answered_like_lowest() {
    let mut seen = 0;
    Deal::new("seats=2", 4).play_on(|deal, seat| {
        let mut request = deal.request(seat);
        let lowest = bots::durak::Lowest.choose(&request);
        let card = request.view.hand.first();
        for change in 0..4 {
            let before = request.view.clone();
            match change {
                0 => request.view.talon += 1,
                1 => request.view.hands[seat] = u32::MAX,
                2 => request.view.discards = request.view.hand,
                _ => request.view.trump = None,
            }
            if change == 2 && card.is_none() {
                continue;
            }
            let settings = Settings { worlds: 1, ..minimax::read(&[]).expect("no options") };
            let chosen = minimax::player(settings).choose(&request);
            let expected = bots::durak::Lowest.choose(&request);
            assert_eq!(chosen, expected, "change {change}");
            assert!(chosen.is_ok());
            request.view = before;
            seen += 1;
        }
        assert!(lowest.is_ok());
    });
    assert!(seen > 50);
}

fn read(text: &str) -> Result<Settings, String> {
    let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
    minimax::read(&words).map_err(|bad| bad.to_string())
}

#[test]
fn options_are_read() {
    let usual = Settings { worlds: 1600, positions: 16_000_000, time: TimeLimit::HalfOfRequest };
    assert_eq!(read(""), Ok(usual));
    assert_eq!(read("--depth 16"), Ok(usual));
    let before = Settings { worlds: 400, positions: 4_000_000, ..usual };
    assert_eq!(read("--depth 4"), Ok(before));
    let expected =
        Settings { worlds: 7, positions: 90, time: TimeLimit::Fixed(Duration::from_millis(50)) };
    assert_eq!(read("--worlds 7 --positions 90 --time 50ms --threads 1"), Ok(expected));
    assert_eq!(read("--worlds=7 --positions=90 --time=50ms"), Ok(expected));
    let deeper = Settings { worlds: 600, positions: 6_000_000, ..usual };
    assert_eq!(read("--depth 6"), Ok(deeper));
    assert_eq!(read("--worlds 9 --depth=6"), Ok(Settings { worlds: 9, ..deeper }));
    let none = Settings { positions: u64::MAX, time: TimeLimit::None, ..usual };
    assert_eq!(read("--positions none --time none"), Ok(none));
}

#[test]
fn bad_options_are_named() {
    for (text, problem) in [
        ("--deep 3", "unknown argument `--deep`"),
        ("--depth 0", "expected a number from 1 to 4294967295 after `--depth`, found `0`"),
        ("--worlds", "expected a number from 1 to 4294967295 after `--worlds`, found ``"),
        ("--worlds 0", "expected a number from 1 to 4294967295 after `--worlds`, found `0`"),
        (
            "--positions=few",
            "expected a number from 1 to 18446744073709551615 or none after `--positions`, found \
             `few`",
        ),
        ("--time soon", "expected a time as 50ms, 1.5s, 1m or none after `--time`, found `soon`"),
    ] {
        assert_eq!(read(text), Err(problem.to_owned()));
    }
}
