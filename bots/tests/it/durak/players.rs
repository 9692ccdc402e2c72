//! The players of Durak in whole games.

use bots::Players;
use bots::durak::Durak;
use rules::durak::Move;
use rules::{BotSeed, Game, GameId, Score};
use rules::{Request, RequestHeading};
use simulation::SimulatedGame;

use crate::durak::in_process::{share, simulate};

/// Games between these players, on as many seats.
fn games(options: &str, players: &[&str], deals: u64) -> Vec<SimulatedGame> {
    simulate(5, &format!("seats={} {options}", players.len()), players, deals)
}

#[test]
fn all_players_find_legal_moves_with_every_number_of_seats_and_option() {
    let players = ["greedy", "random", "lowest", "greedy --scale app", "random", "lowest"];
    let options = [
        "deck=52",
        "deck=52 transfer=on first-limit=5",
        "deck=52 throwers=neighbours transfer=on",
        "deck=36 transfer=on",
    ];
    for seats in 2..=6 {
        for options in options {
            for game in games(options, &players[..seats], 10) {
                let total: Score = game.scores.values().iter().copied().sum();
                assert_eq!(total, Score::points(seats as i32 - 1), "{options}: {game:?}");
            }
        }
    }
}

#[test]
fn greedy_wins_nearly_always_against_random() {
    for scale in ["greedy", "greedy --scale app"] {
        let share = share(&games("", &[scale, "random"], 100));
        assert!(share > 0.95, "{scale} has {share}");
    }
}

#[test]
fn lowest_is_no_worse_than_greedy() {
    let share = share(&games("", &["greedy", "lowest"], 300));
    assert!((0.40..0.58).contains(&share), "greedy has {share}");
}

/// A request with these lines of the view and these legal moves.
fn request(lines: &str, legal: &[&str]) -> Request<Durak> {
    let game = Durak::new(&"transfer=on".parse().expect("options"));
    let seat = rules::Seat::first(1).next().expect("a seat");
    let old = game.view(seat).to_string();
    let key = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let kept = old.lines().filter(|line| !lines.lines().any(|new| key(new) == key(line)));
    let view: Vec<&str> = kept.chain(lines.lines()).collect();
    let heading = RequestHeading {
        id: GameId([0; 16]),
        seat,
        number: 0,
        time: 1000,
        bank: None,
        seed: BotSeed([0; 8]),
        retry: None,
    };
    Request {
        options: "transfer=on".parse().expect("options"),
        heading,
        view: view.join("\n").parse().expect("a view"),
        history: Vec::new(),
        legal: legal.iter().map(|mv| mv.parse().expect("a move")).collect(),
        listing: rules::ListCompleteness::Complete,
    }
}

fn chosen(player: &str, request: &Request<Durak>) -> Move {
    let mut player = Durak::player(player, &[]).expect("a player");
    player.choose(request).expect("a move")
}

#[test]
fn lowest_plays_the_lowest_legal_card_and_trumps_last() {
    let of = |legal: &[&str]| chosen("lowest", &request("trump 6S", legal)).to_string();
    assert_eq!(of(&["lead 7S", "lead 9C", "lead 9D"]), "lead 9C");
    assert_eq!(of(&["lead 7S", "lead 9S"]), "lead 7S");
    assert_eq!(of(&["beat 8S", "beat JC", "take"]), "beat JC");
    assert_eq!(of(&["beat 10C", "transfer 9D", "take"]), "transfer 9D");
    assert_eq!(of(&["throw 9S", "done"]), "throw 9S");
    assert_eq!(of(&["done"]), "done");
    assert_eq!(of(&["take"]), "take");
}

#[test]
fn without_a_legal_move_there_is_none() {
    let request = request("trump 6S", &[]);
    for player in ["random", "lowest", "greedy"] {
        assert!(Durak::player(player, &[]).expect("a player").choose(&request).is_err());
    }
}

#[test]
fn greedy_transfers_only_what_the_rules_let_it() {
    let lines = "hand 9D AC AD AS\ntrump 6S\ntalon 10\nhands 4 4\nfirst 1\nattacker 1\ndefender 0\n\
                 table 9C\nleft 3\ntaking no\nturn 0 defend";
    let with = request(lines, &["beat AC", "beat AS", "transfer 9D", "take"]);
    assert_eq!(chosen("greedy", &with).to_string(), "transfer 9D");
    let without = request(lines, &["beat AC", "beat AS", "take"]);
    assert_ne!(chosen("greedy", &without).to_string(), "transfer 9D");
    assert!(without.legal.contains(&chosen("greedy", &without)));
}
