//! The player of Coup that looks ahead: its beliefs, its decisions, and its answers in all
//! circumstances.

use bots::coup::minimax::belief::{ActionStyle, Belief, Style, UnorderedHand};
use bots::coup::minimax::value::{WinTable, WinTableKey};
use bots::coup::{Coup, Minimax};
use bots::options::{SearchSettings, TimeLimit};
use bots::{AnyPlayer, Player, Players};
use rules::coup::{Character, possible_hands};
use rules::{BotSeed, Game, Request, Seat, Seed};
use search::Clock;

use crate::coup::sample_game::{SampleGame, game_after};
use crate::samples::coup;

fn player(command: &str) -> AnyPlayer<Coup> {
    let mut words = command.split(' ').map(str::to_owned);
    let name = words.next().expect("a name");
    Coup::player(&name, &words.collect::<Vec<_>>()).expect("a player")
}

/// Plays a deal between two players, shows the game before every decision, and gives the winner.
fn play(deal: u64, players: [&str; 2], mut watch: impl FnMut(&SampleGame)) -> Option<Seat> {
    let mut players = players.map(player);
    let mut sample = SampleGame::new();
    let mut nature = Seed([4; 32]).nature(deal);
    while sample.game.current_debt().is_some() {
        if let Some(chance) = sample.game.sample(&mut nature) {
            sample.tell(&chance.to_string());
            continue;
        }
        watch(&sample);
        let mut request = sample.request();
        request.heading.seed = BotSeed([sample.game.decisions() as u8; 8]);
        let mv = players[request.heading.seat.index()].choose(&request).expect("a move");
        assert!(request.legal.contains(&mv), "{mv} at\n{request}");
        sample.tell(&mv.to_string());
    }
    Seat::first(2).find(|seat| !sample.game.hand(*seat).is_empty() && sample.game.decisions() < 200)
}

/// Chance that the other seat has a card, in the eyes of the seat that is asked after these lines.
fn likely(card: Character, lines: &str) -> f64 {
    let belief = Belief::read(&game_after(lines).request()).expect("a game");
    let holds = UnorderedHand::all().filter(|holding| holding.contains(card));
    holds.map(|holding| belief.hands[holding.index()]).sum()
}

/// Checks the answer of the player after these lines, looking one turn and two turns ahead.
#[track_caller]
fn answers(lines: &str, expected: &str) {
    for depth in [1, 2] {
        let settings = SearchSettings { depth, time: TimeLimit::None };
        let mv = Minimax::new(settings).choose(&game_after(lines).request()).expect("a move");
        assert_eq!(mv.to_string(), expected, "depth {depth}");
    }
}

#[test]
fn beliefs_are_possible_in_every_game() {
    for deal in 0..12 {
        for players in [["random", "random"], ["greedy", "calculator"], ["random", "greedy"]] {
            play(deal, players, |sample| {
                for seat in Seat::first(2) {
                    let request = sample.request_of(seat);
                    let seen = request.events();
                    let Some(belief) = Belief::read(&request) else {
                        // An exchange is going on: four cards are no holding.
                        continue;
                    };
                    let all: f64 = belief.hands.iter().sum();
                    assert!((all - 1.0).abs() < 1e-9, "{request}");
                    assert!((belief.styles.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                    let possible: Vec<UnorderedHand> = possible_hands(seat, &seen)
                        .into_iter()
                        .filter_map(|(hand, _)| UnorderedHand::new(hand))
                        .collect();
                    for holding in UnorderedHand::all() {
                        let weight = belief.hands[holding.index()];
                        assert!(weight >= 0.0 && weight.is_finite());
                        let is_possible = possible.is_empty() || possible.contains(&holding);
                        assert!(weight == 0.0 || is_possible, "{holding:?} at\n{request}");
                    }
                    let other = Seat::first(2).find(|other| *other != seat).expect("two seats");
                    let real = sample.game.hand(other);
                    if let Some(real) = UnorderedHand::new(real) {
                        assert!(belief.hands[real.index()] > 0.0, "{real:?} at\n{request}");
                    }
                }
            });
        }
    }
}

#[test]
fn a_claim_makes_its_card_likelier_and_a_lost_challenge_takes_it_away() {
    use Character::{Captain, Duke};
    let deals = "deal 0 contessa assassin; deal 1 duke captain; income";
    let before = likely(Duke, deals.strip_suffix("; income").expect("a deal"));
    assert!((before - (1.0 - 10.0 * 9.0 / (13.0 * 12.0))).abs() < 1e-9, "{before}");
    let claimed = likely(Duke, &format!("{deals}; tax"));
    assert!(claimed > before + 0.1, "{claimed} after {before}");
    let twice = likely(Duke, &format!("{deals}; tax; pass; end; income; tax"));
    assert!(twice > claimed, "{twice} after {claimed}");
    let stole = likely(
        Captain,
        &format!(
            "{deals}; steal 0; challenge; show captain; \
                                          draw 1 duke; lose contessa; end"
        ),
    );
    assert!(stole < 1.0, "the captain went back");
    let lie = "deal 0 contessa assassin; deal 1 duke captain; income; exchange; challenge; \
               lose captain";
    assert_eq!(likely(Character::Ambassador, lie), 0.0);
}

#[test]
fn one_who_was_caught_is_likely_to_bluff_again() {
    let honest = |lines: &str| {
        let belief = Belief::read(&game_after(lines).request()).expect("a game");
        let styles = Style::all().into_iter().zip(belief.styles);
        let honest =
            |style: &Style| matches!(style.acting, ActionStyle::Bluffing(often) if often < 0.1);
        styles.filter(|(style, _)| honest(style)).map(|(_, chance)| chance).sum::<f64>()
    };
    let claimed = "deal 0 contessa assassin; deal 1 duke captain; income; exchange";
    let caught = format!("{claimed}; challenge; lose captain");
    assert!(honest(&caught) < honest(claimed) / 2.0);
    let shown = "deal 0 contessa assassin; deal 1 duke captain; income; tax; challenge; \
                 show duke; draw 1 duke; lose contessa; end";
    assert!(honest(shown) > honest(claimed));
}

#[test]
fn values_are_chances_and_say_who_wins_at_once() {
    let values = WinTable::get();
    for own in UnorderedHand::all() {
        for other in UnorderedHand::all() {
            for (coins, purse) in [(0, 0), (3, 2), (7, 7), (12, 0)] {
                let value = values.rate(WinTableKey { own, other, coins, purse });
                assert!((0.0..=1.0).contains(&value), "{own:?} {other:?}: {value}");
            }
            if other.size() == 1 {
                assert!(values.rate(WinTableKey { own, other, coins: 7, purse: 9 }) > 0.999);
            }
        }
    }
    let duke = UnorderedHand::single(Character::Duke);
    let contessa = UnorderedHand::single(Character::Contessa);
    let even = |own, other| values.rate(WinTableKey { own, other, coins: 2, purse: 2 });
    assert!(even(duke, contessa) > even(contessa, duke), "coins win the race");
}

#[test]
fn it_takes_the_last_card_when_it_can() {
    let rich = "deal 0 duke contessa; deal 1 duke captain; tax; challenge; show duke; \
                draw 0 duke; lose captain; end; income; tax; pass; end; income; income; income";
    assert_eq!(game_after(rich).game.coins(Seat::new(0).expect("a seat")), 8);
    answers(rich, "coup 1");
}

#[test]
fn it_never_gives_up_its_last_card_without_a_fight() {
    let lines = "deal 0 duke assassin; deal 1 captain duke; tax; challenge; show duke; \
                 draw 0 contessa; lose captain; end; income; assassinate 1";
    let mv = player("minimax --time none").choose(&game_after(lines).request()).expect("a move");
    assert!(["challenge", "block contessa"].contains(&mv.to_string().as_str()), "{mv}");
}

#[test]
fn it_challenges_what_cannot_be() {
    let lost = "deal 0 duke duke; deal 1 duke contessa; income; steal 0; challenge; lose duke";
    answers(&format!("{lost}; income; tax"), "challenge");
    answers(&format!("{lost}; foreign-aid; block duke"), "challenge");
}

#[test]
fn the_same_request_is_answered_the_same() {
    for deal in 0..4 {
        let mut games = Vec::new();
        for _ in 0..2 {
            let mut events = Vec::new();
            play(
                deal,
                ["minimax --depth 1 --time none", "minimax --depth 2 --time none"],
                |sample| {
                    events.clone_from(&sample.events);
                },
            );
            games.push(events);
        }
        assert_eq!(games[0], games[1]);
    }
}

/// Time that is always up.
struct Up;

impl Clock for Up {
    fn is_up(&mut self) -> bool {
        true
    }
}

#[test]
fn a_search_that_is_cut_says_so_and_still_answers() {
    let request = game_after("deal 0 duke contessa; deal 1 captain captain").request();
    let mut deep = Minimax::new(SearchSettings { depth: 9, time: TimeLimit::None });
    let found = deep.decide(&request, &mut Up).expect("what one turn ahead found");
    assert!(deep.cut().is_some() && request.legal.contains(&found), "{found}");
    let mut once = Minimax::new(SearchSettings { depth: 1, time: TimeLimit::None });
    assert_eq!(once.decide(&request, &mut Up), Some(found));
    assert!(once.cut().is_none());
}

/// Requests that no referee would send: each line of each sample left out, told twice, or changed.
#[test]
fn no_request_makes_a_player_panic() {
    let mut asked = 0;
    for (_, sample) in coup::all() {
        let lines: Vec<&str> = sample.lines().collect();
        for (place, line) in lines.iter().enumerate().filter(|(place, _)| place % 5 == 0) {
            let changed = [
                vec![],
                vec![line.to_string(), line.to_string()],
                vec![line.replace('1', "0")],
                vec![line.replace('0', "1")],
                vec![line.replace("duke", "contessa")],
                vec![line.replace("captain", "duke duke")],
                vec![line.replace(['1', '2'], "4294967295")],
                vec![line.replace("end", "keep").replace("answer", "lose")],
            ];
            for changed in changed {
                let mut odd: Vec<String> = lines.iter().map(ToString::to_string).collect();
                odd.splice(place..=place, changed);
                let Ok(request) = (odd.join("\n") + "\n").parse::<Request<Coup>>() else {
                    continue;
                };
                for name in ["minimax --depth 1", "greedy", "calculator", "challenger", "random"] {
                    asked += usize::from(player(name).choose(&request).is_ok());
                }
            }
        }
    }
    assert!(asked > 1000, "{asked} answers");
}

/// A few games against every other player; the README has the figures.
#[test]
fn it_beats_every_other_player() {
    for (other, least) in [("random", 16), ("challenger", 16), ("greedy", 16), ("calculator", 13)] {
        let mut won = 0;
        for deal in 0..10 {
            for seat in 0..2 {
                let mut players = ["minimax --depth 1 --time none", other];
                players.rotate_left(seat);
                let winner = play(deal, players, |_| {});
                won += usize::from(winner.is_some_and(|winner| winner.index() == seat));
            }
        }
        assert!(won >= least, "{won} of 20 against {other}");
    }
}

/// The table of a file is what solving gives; with `UPDATE_TABLES` the file is written.
#[test]
fn the_values_are_those_of_the_solved_game() {
    let solved = WinTable::solve().bytes();
    if std::env::var_os("UPDATE_TABLES").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/coup/minimax/values.bin");
        std::fs::write(file, &solved).expect("a file");
    } else {
        assert!(
            WinTable::get().bytes() == solved,
            "`UPDATE_TABLES=1 cargo test -p bots` makes it anew"
        );
    }
}
