//! The best response in end games: what can be worked out by hand, and that no other response wins more.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Arc, Mutex};

use bots::coup::Coup;
use bots::coup::expert::cards::CARDS;
use bots::coup::expert::position::Position;
use bots::coup::expert::read::answer;
use bots::coup::expert::situation::{
    AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, Choice, DUKE, Situation, Stage, TurnSide,
};
use bots::{AnyPlayer, NoMove, Player};
use research::coup::best_response::{
    Bounds, Course, Limits, Responding, Response, Search, by_learning, by_table,
};
use research::coup::chances::{COUNT, Chances};
use research::coup::contest::Contest;
use research::coup::deck::{Decks, Start};
use research::coup::measure::{Against, against, sampled};
use research::coup::node::{CHOICES, STRATEGY};
use research::coup::random::Random;
use research::coup::responder::Responder;
use research::coup::store::{Layout, Table, place};
use research::program::seed;
use rules::coup::{Character, Hand, Move};
use rules::{BotSeed, Request};

const LIMITS: Limits = Limits { weight: 1e-4, turns: 20 };

/// A player that always makes the same choice in a situation with a hand.
struct Always<F>(F);

impl<F: Fn(&Situation, usize) -> Choice> Table for Always<F> {
    fn strategy(&self, situation: &Situation, to: &mut [f32]) {
        let layout = Layout::new(situation);
        to[..layout.strategy()].fill(0.0);
        for hand in 0..situation.hands() {
            let wanted = (self.0)(situation, hand);
            let options = &situation.choices()[..situation.options(hand)];
            let choice = options.iter().position(|choice| *choice == wanted).unwrap_or(0);
            to[place(situation, &layout, choice, hand)] = 1.0;
        }
    }
}

fn endgame(lost: [u8; 2], coins: [u8; 2]) -> Start {
    Start::endgame(lost, coins).expect("an end game")
}

fn best(table: &impl Table, start: &Start, side: TurnSide) -> Bounds {
    Search::new(table, Responding::Best, LIMITS).wins(start, side)
}

fn assert_exactly(bounds: Bounds, expected: f64) {
    let Bounds { low, high } = bounds;
    assert!((low - expected).abs() < 1e-6 && (high - expected).abs() < 1e-6, "{bounds:?}");
}

#[test]
fn a_seat_that_lets_everything_pass_is_assassinated() {
    let passes = Always(|_: &Situation, _| Choice::Pass);
    let start = endgame([DUKE, CAPTAIN], [3, 3]);
    assert_exactly(best(&passes, &start, TurnSide::Actor), 1.0);
    assert_exactly(best(&passes, &start, TurnSide::Other), 1.0);
}

/// The other always claims an assassin and believes nothing. A contessa is shown; any other hand has to
/// challenge, and wins where there is no assassin: 3/13 + (10/13 - 3/13 * 9/12) = 43/52.
#[test]
fn a_seat_without_a_contessa_challenges_an_assassination() {
    let attacks = Always(|situation: &Situation, _| match situation.stage {
        Stage::Act => Choice::Assassinate,
        _ => Choice::Challenge,
    });
    let start = endgame([DUKE, CAPTAIN], [3, 3]);
    assert_exactly(best(&attacks, &start, TurnSide::Other), 43.0 / 52.0);
    // If it begins, any true claim wins, and a contessa waits for the assassination.
    assert_exactly(best(&attacks, &start, TurnSide::Actor), 1.0);
}

/// The other tells by its first turn whether it has an assassin, then claims one in any case, and believes
/// a contessa only if it has one: a seat that knows that wins always. If it tells nothing, an assassin in the
/// own hand has to challenge, and loses to another one: 1 - 3/13 * 2/12.
#[test]
fn signs_of_the_other_seat_are_used() {
    let attacks = |tells: bool| {
        Always(move |situation: &Situation, hand| {
            let has_assassin = hand == usize::from(ASSASSIN);
            match (situation.stage, situation.coins[0]) {
                (Stage::Act, 3..) => Choice::Assassinate,
                (Stage::Act, 1) if has_assassin || !tells => Choice::ForeignAid,
                (Stage::Act, _) => Choice::Income,
                (Stage::AcceptContessa, _) if has_assassin => Choice::Pass,
                (Stage::AnswerForeignAid, _) => Choice::Pass,
                _ => Choice::Challenge,
            }
        })
    };
    let start = endgame([DUKE, CAPTAIN], [1, 0]);
    assert_exactly(best(&attacks(true), &start, TurnSide::Other), 1.0);
    assert_exactly(best(&attacks(false), &start, TurnSide::Other), 25.0 / 26.0);
}

#[test]
fn bounds_close_in_on_the_same_number() {
    let table = Chances::START;
    let start = endgame([DUKE, CAPTAIN], [5, 5]);
    let mut before = Bounds::up_to(1.0);
    for weight in [1e-1, 1e-2, 1e-3] {
        let limits = Limits { weight, turns: 20 };
        let bounds = Search::new(&table, Responding::Best, limits).wins_on_both_sides(&start);
        assert!(bounds.low <= bounds.high, "{bounds:?}");
        assert!(bounds.low >= before.low - 1e-12 && bounds.high <= before.high + 1e-12);
        assert!(bounds.width() < before.width(), "{bounds:?} after {before:?}");
        before = bounds;
    }
    assert!(before.width() < 0.1, "{before:?}");
}

/// Plays by a table.
struct ByTable<'a, T>(&'a T, RefCell<(Vec<f32>, Random)>);

impl<T: Table> Against for ByTable<'_, T> {
    fn begin(&mut self, _: usize, _: &Position) {}

    fn choose(&mut self, position: &Position) -> Choice {
        let (strategy, random) = &mut *self.1.borrow_mut();
        sampled(self.0, position, strategy, random)
    }

    fn learn(&mut self, _: &Position, _: Choice, _: &Position) {}
}

/// Tables and fixed responses in end games and in whole ones.
fn pairs() -> [(Start, Chances, Chances); 4] {
    let mut careful = Chances::START;
    careful.0[16..].fill(10);
    let doubting = Chances([100; COUNT]);
    [
        (endgame([DUKE, CAPTAIN], [2, 3]), careful, Chances::START),
        (endgame([CONTESSA, AMBASSADOR], [0, 5]), Chances::START, careful),
        (endgame([ASSASSIN, ASSASSIN], [4, 1]), Chances([50; COUNT]), Chances::START),
        (Start::GAME, doubting, doubting),
    ]
}

/// Games are dealt and played by other code, which the rules are tested against.
#[test]
fn a_fixed_response_wins_what_it_wins_in_games() {
    let decks = Decks::new();
    for (start, table, response) in pairs() {
        let limits = Limits { weight: 1e-6, turns: 100 };
        let own = by_table(&response);
        let bounds = Course::new(&table, &own, &decks, limits).wins_on_both_sides(&start);
        assert!(bounds.width() < 0.01, "{start:?}: {bounds:?}");
        let room = (vec![0.0; STRATEGY], Random::new(7, 7));
        let mut player = ByTable(&response, RefCell::new(room));
        let share = against(&table, &start, 20_000, 0xaa, &mut player);
        // Five standard deviations are 2.6 times the half of a 95% interval.
        let (share, room) = (share.per_cent() / 100.0, share.interval() / 100.0 * 2.6);
        assert!(
            share > bounds.low - room && share < bounds.high + room,
            "{start:?}: {share} in games, {bounds:?}"
        );
    }
}

/// The search carries beliefs along, the course all hands at once: they have no code in common.
#[test]
fn a_search_finds_the_same_of_a_fixed_response() {
    let decks = Decks::new();
    for (start, table, response) in pairs() {
        let own = by_table(&response);
        for turns in [1, 2] {
            let limits = Limits { weight: 1e-9, turns };
            for side in [TurnSide::Actor, TurnSide::Other] {
                let found = Search::new(&table, Responding::Fixed(&own), limits).wins(&start, side);
                let other = Course::new(&table, &own, &decks, limits).wins(&start, side);
                let difference = (found.low - other.low).abs().max((found.high - other.high).abs());
                assert!(difference < 1e-5, "{start:?}, {turns} turns: {found:?}, {other:?}");
            }
        }
    }
}

#[test]
fn no_response_wins_more_than_the_best() {
    let decks = Decks::new();
    let table = Chances::START;
    let start = endgame([DUKE, CAPTAIN], [5, 5]);
    let limits = Limits { weight: 1e-3, turns: 20 };
    let best = Search::new(&table, Responding::Best, limits).wins_on_both_sides(&start);
    let wins = |response: &Response<'_>| {
        let limits = Limits { weight: 1e-5, turns: 60 };
        Course::new(&table, response, &decks, limits).wins_on_both_sides(&start)
    };
    let mut responder = Responder::new(&table, &decks, start, 0.998, 5);
    while responder.visits < 20_000 {
        responder.learn(32);
    }
    let learned = wins(&by_learning(&responder));
    assert!(learned.low <= best.high, "{learned:?} by learning, at best {best:?}");
    // It has come near.
    assert!(learned.high > best.low - 0.05, "{learned:?} by learning, at best {best:?}");
    for response in [Chances::START, Chances([0; COUNT]), Chances([50; COUNT])] {
        let fixed = wins(&by_table(&response));
        assert!(fixed.high < best.low, "{fixed:?} by {response}, at best {best:?}");
    }
}

/// Keeps the requests that a player gets.
struct Recorder(Chances, Arc<Mutex<Vec<Request<Coup>>>>);

impl Player<Coup> for Recorder {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        self.1.lock().expect("requests").push(request.clone());
        self.0.choose(request)
    }
}

/// Puts the kept cards of a move in a fixed order.
fn sorted(mv: Move) -> Move {
    let Move::Keep(kept) = mv else { return mv };
    let mut cards: Vec<Character> = kept.into_iter().collect();
    cards.sort();
    Move::Keep(Hand::new(&cards).expect("a hand"))
}

/// The moves of a table in a request, each with its chance.
fn moves_of(table: &impl Table, request: &Request<Coup>) -> BTreeMap<Move, f64> {
    let chances = by_table(table);
    let mut moves = BTreeMap::new();
    for first in 0..CHOICES {
        let mut chance = 1.0;
        let mut asked = 0;
        let mv = answer(request, |situation, hand| {
            let own = chances(situation, situation.stage.decides(), hand);
            asked += 1;
            // Only the first question has more than one answer: the second is for the lost card.
            let choice = if asked == 1 { first } else { usize::from(own[1] > own[0]) };
            chance *= own[choice];
            situation.choices().get(choice).copied().filter(|_| own[choice] > 0.0)
        });
        if let Some(mv) = mv {
            *moves.entry(sorted(mv)).or_default() += chance;
        }
        if asked == 0 {
            // A coup that wins is made without asking.
            break;
        }
    }
    moves
}

#[test]
fn the_chances_that_are_read_are_those_of_the_player() {
    const TIMES: u32 = 300;
    let chances: Chances =
        "40,25,90,30,30,10,50,90,35,60,25,70,25,40,15,50,20,30,40,50,30,60,45,25,35,50"
            .parse()
            .expect("26 numbers");
    let requests = Arc::new(Mutex::new(Vec::new()));
    for bot in ["greedy", "calculator", "random"] {
        let player = || -> AnyPlayer<Coup> { Box::new(Recorder(chances, Arc::clone(&requests))) };
        let contest = Contest::new(bot).expect("a player");
        contest.play(&seed("aa").expect("a seed"), 20, &player).expect("whole games");
    }
    let requests = requests.lock().expect("requests");
    let mut compared = 0;
    for request in requests.iter() {
        let expected = moves_of(&chances, request);
        let total: f64 = expected.values().sum();
        if (total - 1.0).abs() > 1e-5 {
            // Tables know no situation in which nothing is left to decide: a seat that has to give up
            // both cards, or has one legal move.
            continue;
        }
        let mut made: BTreeMap<Move, u32> = BTreeMap::new();
        for time in 0..TIMES {
            let mut request = request.clone();
            request.heading.seed = BotSeed(u64::from(time).to_le_bytes());
            let mut player = chances;
            let mv = player.choose(&request).expect("a move");
            *made.entry(sorted(mv)).or_default() += 1;
        }
        for mv in made.keys().chain(expected.keys()) {
            let chance = expected.get(mv).copied().unwrap_or(0.0);
            let share = f64::from(made.get(mv).copied().unwrap_or(0)) / f64::from(TIMES);
            let room = 5.5 * (chance * (1.0 - chance) / f64::from(TIMES)).sqrt() + 1e-6;
            assert!((share - chance).abs() <= room, "{mv}: {share}, not {chance}\n{request}");
        }
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
}

fn program(words: &[&str]) -> (String, bool) {
    let program = Command::new(env!("CARGO_BIN_EXE_coup-best-response")).args(words).output();
    let output = program.expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    match output.status.success() {
        true => (text(output.stdout), true),
        false => (text(output.stderr), false),
    }
}

#[test]
fn the_program_has_a_row_for_each_end_game() {
    let words = ["--lost", "duke,captain", "--coins", "3,3", "--coins", "5,2"];
    let few = ["--weight", "0.01", "--visits", "2000", "--steps", "5", "--turns", "6"];
    let (text, succeeds) = program(&[&words[..], &few[..]].concat());
    assert!(succeeds, "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "| lost | coins | best response | learned | climbed |");
    assert!(lines[2].starts_with("| duke, captain | 3, 3 | "), "{text}");
    assert!(lines[3].starts_with("| duke, captain | 5, 2 | "), "{text}");
    assert_eq!(lines.len(), 4, "{text}");
    let again = program(&[&words[..], &few[..]].concat());
    assert_eq!((text, true), again);
}

#[test]
fn impossible_end_games_are_refused() {
    assert_eq!(Start::endgame([DUKE, CARDS as u8], [2, 2]), None);
    assert_eq!(Start::endgame([DUKE, CAPTAIN], [7, 2]), None);
    for (words, problem) in [
        (
            &["--lost", "duke"][..],
            "invalid value 'duke' for '--lost <CARD,CARD>': expected two cards as duke,captain",
        ),
        (&["--lost", "duke,king"], "expected two cards as duke,captain"),
        (&["--coins", "7,2"], "expected two numbers from 0 to 6 as 3,3"),
        (&["--weight", "0"], "for '--weight <X>': expected a number above 0"),
        (&["--chances", "1,2"], "for '--chances <N,…>': expected 26 numbers from 0 to 100"),
        (&["--table", "no-such-file"], "no-such-file: "),
        (&["--table"], "a value is required for '--table <FILE>'"),
        (&["--deep", "3"], "unexpected argument '--deep' found"),
    ] {
        let (text, succeeds) = program(words);
        assert!(!succeeds && text.contains(problem), "{words:?}: {text}");
    }
}
