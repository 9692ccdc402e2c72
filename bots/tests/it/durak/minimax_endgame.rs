//! The players of Durak that look ahead, where all hands are known: they play perfectly.

use bots::Player;
use bots::durak::expert;
use bots::durak::minimax;
use bots::durak::search::decision::Settings;
use bots::durak::search::endgame::Endgame;
use bots::durak::search::knowledge::{RootKnowledge, seen_twice};
use bots::durak::search::policy::{RuleOfThumbPolicy, finish};
use bots::durak::search::position::{GameSetup, Position};
use bots::durak::search::tree::{self, GameValue};
use bots::options::TimeLimit;
use rules::durak::{Durak, Event, Move, Options};
use rules::{
    BotSeed, Entry, Game, GameId, ListCompleteness, Request, RequestHeading, Score, Seat, Turn,
};
use search::WorldSampler;
use search::alpha_beta::Unlimited;

use crate::durak::in_process::Deal;

/// Value of a game for a seat by perfect play, with no move left out. The rules themselves play it,
/// draws by repetition included.
fn exhaustive(game: &Durak, seat: Seat, left: &mut u64) -> Option<GameValue> {
    *left = left.checked_sub(1)?;
    let turn = match game.turn() {
        Turn::Over(scores) => return Some(worth(scores[seat])),
        Turn::Nature => unreachable!("nothing is left to draw"),
        Turn::Seat(turn) => turn,
    };
    let mut legal = Vec::new();
    let _ = game.legal_moves(&mut legal);
    let mut best: Option<GameValue> = None;
    for mv in legal {
        let mut next = game.clone();
        next.play(&mv, &mut Vec::new()).expect("a legal move");
        let value = exhaustive(&next, seat, left)?;
        best = Some(match best {
            None => value,
            Some(best) if turn == seat => best.max(value),
            Some(best) => best.min(value),
        });
    }
    best
}

fn worth(score: Score) -> GameValue {
    match score {
        score if score == Score::points(0) => GameValue::Loss,
        score if score == Score::points(1) => GameValue::Win,
        _ => GameValue::Draw,
    }
}

/// Value of a seat's move by exhaustive search.
fn after(game: &Durak, mv: Move, seat: Seat, left: &mut u64) -> Option<GameValue> {
    let mut next = game.clone();
    next.play(&mv, &mut Vec::new()).expect("a legal move");
    exhaustive(&next, seat, left)
}

/// Random ends of games between two seats who hold so few cards together.
fn for_small_endgames(options: &str, seeds: u64, most: usize, mut watch: impl FnMut(&Deal, Seat)) {
    for seed in 0..seeds {
        Deal::new(options, seed).play_on(|deal, seat| {
            let held: usize = Seat::first(2).map(|seat| deal.game.hand(seat).len()).sum();
            let on_table = deal.game.bout().map_or(0, |bout| bout.table().cards().len());
            if deal.game.talon().is_empty() && held + on_table <= most {
                watch(deal, seat);
            }
        });
    }
}

/// Compares in every small end of random games, and gives how many were worth what.
fn compare(options: &str, seeds: u64, most: usize) -> [u32; 3] {
    let policy = RuleOfThumbPolicy::usual(options.parse::<Options>().expect("options").deck());
    let mut endgame = Endgame::default();
    let mut minimax = minimax::player(minimax::read(&[]).expect("no options"));
    let time = TimeLimit::None;
    let mut expert = expert::player(Settings { worlds: 1, positions: u64::MAX, time });
    let mut found = [0; 3];
    for_small_endgames(options, seeds, most, |deal, seat| {
        let request = deal.request(seat);
        let mut left = 300_000;
        let Some(value) = exhaustive(&deal.game, seat, &mut left) else { return };
        found[value as usize] += 1;
        let start = RootKnowledge::read(&request).expect("a request");
        assert!(start.is_certain());
        let (position, world) = start.draw(&mut request.heading.seed.nature()).expect("a world");
        let hands = position.hands;
        endgame.begin(seen_twice(&request, start.layout, hands));
        let number = seat.index() as u8;
        let exact = endgame.value(&position, &world, number, &policy, u64::MAX);
        assert_eq!(exact, Some(value), "{options}:\n{}", request.view);
        // Every move, each as if it were the only one, and the best of all.
        for mv in &request.legal {
            let plays = [start.play(*mv)];
            let alone = endgame.best(&position, &world, &plays, &policy, u64::MAX, &mut Unlimited);
            let mut left = 300_000;
            let Some(value) = after(&deal.game, *mv, seat, &mut left) else { continue };
            assert_eq!(alone.value, Some(value), "{options}, {mv}:\n{}", request.view);
        }
        for chosen in [minimax.choose(&request), expert.choose(&request)] {
            let chosen = chosen.expect("a move");
            let mut left = 300_000;
            if let Some(reached) = after(&deal.game, chosen, seat, &mut left) {
                assert_eq!(reached, value, "{options}, {chosen}:\n{}", request.view);
            }
        }
    });
    found
}

#[test]
fn small_endgames_are_worth_what_exhaustive_search_says() {
    let found = compare("seats=2 deck=24", 600, 7);
    println!("{found:?} lost, drawn, won");
    assert!(found.iter().all(|count| *count > 10), "{found:?}");
}

#[test]
fn small_endgames_with_transfers_too() {
    let found = compare("seats=2 deck=24 transfer=on", 600, 6);
    println!("{found:?} lost, drawn, won");
    assert!(found.iter().all(|count| *count > 10), "{found:?}");
}

#[test]
#[ignore = "minutes: cargo test --release -p bots durak::minimax_endgame -- --ignored"]
fn larger_endgames_are_worth_what_exhaustive_search_says() {
    for options in ["seats=2", "seats=2 transfer=on", "seats=2 deck=52 transfer=on"] {
        println!("{options}: {:?} lost, drawn, won", compare(options, 150, 9));
    }
}

#[test]
fn without_enough_positions_a_value_is_not_known() {
    let policy = RuleOfThumbPolicy::usual("seats=2".parse::<Options>().expect("options").deck());
    let mut endgame = Endgame::default();
    let mut stopped = 0;
    for_small_endgames("seats=2", 30, 12, |deal, seat| {
        let request = deal.request(seat);
        let start = RootKnowledge::read(&request).expect("a request");
        let (position, world) = start.draw(&mut request.heading.seed.nature()).expect("a world");
        endgame.begin(Vec::new());
        let number = seat.index() as u8;
        let few = endgame.value(&position, &world, number, &policy, 50);
        endgame.begin(Vec::new());
        let all = endgame.value(&position, &world, number, &policy, u64::MAX);
        match few {
            Some(_) => assert_eq!(few, all),
            None => stopped += 1,
        }
        let losers = finish(&position, &world, &policy);
        assert!((1..4).contains(&losers), "a game comes to an end");
    });
    assert!(stopped > 10, "{stopped}");
}

/// A request between two seats with an empty talon.
#[derive(Clone, Copy)]
struct Scene<'a> {
    options: &'a str,
    /// The hands of seat 0, which is asked, and of seat 1.
    hands: [&'a str; 2],
    /// The lines of the view on the bout.
    bout: &'a str,
    legal: &'a [&'a str],
    history: &'a [&'a str],
}

impl Scene<'_> {
    fn request(&self) -> Request<Durak> {
        let options: Options = self.options.parse().expect("options");
        let [own, other] = self.hands.map(|hand| hand.parse::<rules::CardSet>().expect("cards"));
        let table: rules::durak::Pairs = self
            .bout
            .lines()
            .find_map(|line| line.strip_prefix("table"))
            .unwrap_or_default()
            .parse()
            .expect("a table");
        let gone = options.deck().cards() - own - other - table.cards();
        let view = format!(
            "hand {own}\ntrump AS\ntalon 0\nhands {} {}\nknown 0\nknown 1\ngone\ndiscards {gone}\n\
             {}\ndecisions 90",
            own.len(),
            other.len(),
            self.bout
        );
        let seat = Seat::first(1).next().expect("a seat");
        let history = self.history.iter().map(|line| Entry::Event(line.parse().expect("an event")));
        Request {
            options,
            heading: RequestHeading {
                id: GameId([0; 16]),
                seat,
                number: 90,
                time: 1000,
                bank: None,
                seed: BotSeed([0; 8]),
                retry: None,
            },
            view: view.parse().expect("a view"),
            history: history.collect(),
            legal: self.legal.iter().map(|mv| mv.parse().expect("a move")).collect(),
            listing: ListCompleteness::Complete,
        }
    }

    fn answer(&self) -> String {
        minimax::player(minimax::read(&[]).expect("no options"))
            .choose(&self.request())
            .expect("a move")
            .to_string()
    }
}

const TO_LEAD: &str = "first 0\nattacker 0\ndefender 1\ntable\nleft 2\ntaking no\nturn 0 lead";

#[test]
fn it_finds_wins_that_a_cheap_card_throws_away() {
    // The seven would be beaten, and the attack lost with it; the trump ace is taken, and then the
    // seven comes too late.
    let scene = Scene {
        options: "seats=2",
        hands: ["7C AS", "8C KS"],
        bout: TO_LEAD,
        legal: &["lead 7C", "lead AS"],
        history: &[],
    };
    assert_eq!(scene.answer(), "lead AS");
    // The queen is beaten; of the nines the second one follows, with any answer to the first.
    let pair = Scene {
        hands: ["9C 9D QH", "10C JD KH AH"],
        legal: &["lead 9C", "lead 9D", "lead QH"],
        ..scene
    };
    assert_ne!(pair.answer(), "lead QH");
}

#[test]
fn it_beats_the_last_card_where_that_draws() {
    let scene = Scene {
        options: "seats=2",
        hands: ["9C", ""],
        bout: "first 1\nattacker 1\ndefender 0\ntable 8C\nleft 0\ntaking no\nturn 0 defend",
        legal: &["beat 9C", "take"],
        history: &[],
    };
    assert_eq!(scene.answer(), "beat 9C");
}

/// Four bouts after which both seats hold what they did before, by takes and transfers.
const ROUND: [&str; 16] = [
    "0 lead 6C",
    "1 take",
    "0 done",
    "pick-up 1 6C",
    "0 lead 6D",
    "1 transfer 6C",
    "0 take",
    "pick-up 0 6C 6D",
    "1 lead 7C",
    "0 take",
    "1 done",
    "pick-up 0 7C",
    "1 lead 7D",
    "0 transfer 7C",
    "1 take",
    "pick-up 1 7C 7D",
];

/// The hands before it, seat 0 to lead.
const BEFORE: Scene<'static> = Scene {
    options: "seats=2 transfer=on",
    hands: ["6C 6D AC AD", "7C 7D KC KD"],
    bout: TO_LEAD,
    legal: &["lead 6C", "lead 6D", "lead AC", "lead AD"],
    history: &[],
};

/// The position of a request in which all hands are known.
fn position(request: &Request<Durak>) -> (Position, GameSetup) {
    let start = RootKnowledge::read(request).expect("a request that does not contradict itself");
    start.draw(&mut request.heading.seed.nature()).expect("a world")
}

#[test]
fn a_round_of_takes_and_transfers_comes_back_to_its_start() {
    let request = BEFORE.request();
    let start = RootKnowledge::read(&request).expect("a request");
    let (mut at, world) = position(&request);
    let first = at;
    for line in ROUND {
        if let Event::Move { mv, .. } = line.parse().expect("an event") {
            assert!(at.choices(&world).contain(start.play(mv)), "{mv}");
            at.play(start.play(mv), &world);
        }
    }
    assert_eq!(Position { most: 6, limit: first.limit, ..at }, Position { most: 6, ..first });
}

#[test]
fn starts_that_the_game_has_seen_twice_are_found_in_the_history() {
    let history = [&["discard 8C 9C"][..], &ROUND, &ROUND[..9]].concat();
    let scene = Scene {
        hands: ["6C 6D AC AD", "7D KC KD"],
        bout: "first 1\nattacker 1\ndefender 0\ntable 7C\nleft 3\ntaking no\nturn 0 defend",
        legal: &["beat AC", "take"],
        history: &history,
        ..BEFORE
    };
    let request = scene.request();
    let layout = RootKnowledge::read(&request).expect("a request").layout;
    let found = seen_twice(&request, layout, position(&request).0.hands);
    assert_eq!(found.len(), 3);
    assert!(found.contains(&tree::BoutStart::new(&position(&BEFORE.request()).0)));

    let once = Scene { history: &history[..17 + 8], ..scene };
    let found = seen_twice(&once.request(), layout, position(&request).0.hands);
    assert!(found.len() < 3, "{found:?}");
}

#[test]
fn a_start_for_the_third_time_is_a_draw() {
    let scene = Scene {
        options: "seats=2 transfer=on",
        hands: ["6C AS", "7C 7D 8D"],
        bout: TO_LEAD,
        legal: &["lead 6C", "lead AS"],
        history: &[],
    };
    let request = scene.request();
    let (at, world) = position(&request);
    let policy = RuleOfThumbPolicy::usual(request.options.deck());
    let mut endgame = Endgame::default();
    let mut value = |seen_twice| {
        endgame.begin(seen_twice);
        endgame.value(&at, &world, 0, &policy, u64::MAX)
    };
    assert_eq!(value(Vec::new()), Some(GameValue::Win), "the ace is taken, and the six comes last");
    assert_eq!(value(vec![tree::BoutStart::new(&at)]), Some(GameValue::Draw));
}
