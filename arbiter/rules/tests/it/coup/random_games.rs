//! Ten thousand games of Coup at random: all of them end, and cards and coins add up after every
//! step, as a ledger finds that knows the rules only as a table of lines.

use rules::coup::classic::file;
use rules::coup::{Character, Counts, Coup, Event, Hand, Move, Options, SeenHand};
use rules::{BotSeed, Game, Nature};

use crate::coup::scene::{Scene, lines, seat};

const GAMES: u64 = 10_000;

/// Coins that each complete line brings to the seat on turn; `S` is as much as can be stolen.
const BRINGS: [(&str, &str); 25] = [
    ("I", "1"),
    ("Fp", "2"),
    ("Fd", "0"),
    ("FdqX", "2"),
    ("Fdq$X", "0"),
    ("CX", "-7"),
    ("Ep", "0"),
    ("EqX", "0"),
    ("Eq~X", "0"),
    ("Tp", "3"),
    ("TqX", "0"),
    ("Tq$X", "3"),
    ("Sp", "S"),
    ("SqX", "0"),
    ("Sq*X", "S"),
    ("Sa", "0"),
    ("SaqX", "S"),
    ("Saq~X", "0"),
    ("Sc", "0"),
    ("ScqX", "S"),
    ("Scq*X", "0"),
    ("AX", "-3"),
    ("As", "-3"),
    ("AqX", "0"),
    ("Asq!X", "-3"),
];

/// The lines without their end at which a price has been paid all the same: a card was given up
/// for it. The rest of what a line brings comes with its end alone.
const PAID: [(&str, i64); 4] = [("CX", -7), ("AX", -3), ("Aq^X", -3), ("AsqX", -3)];

/// The coins of both seats at the end of FILE.
fn purses(file: &str) -> [i64; 2] {
    let mut purses = [1, 1];
    for (number, line) in file.split_inclusive('\n').enumerate() {
        let (actor, other) = (number % 2, 1 - number % 2);
        let shape = lines::shape(line);
        let Some(ended) = shape.strip_suffix('\n') else {
            let paid = PAID.iter().find(|(paid, _)| *paid == shape);
            purses[actor] += paid.map_or(0, |(_, coins)| *coins);
            continue;
        };
        let (_, brings) = BRINGS.iter().find(|(line, _)| *line == ended).unwrap();
        match *brings {
            "S" => {
                let stolen = purses[other].min(2);
                purses[other] -= stolen;
                purses[actor] += stolen;
            }
            coins => purses[actor] += coins.parse::<i64>().unwrap(),
        }
    }
    purses
}

/// The place of every card, by the events.
struct Cards {
    deck: Vec<Character>,
    hands: [Vec<Character>; 2],
    lost: [Vec<Character>; 2],
    shown: Option<Character>,
}

/// Takes a card from where it must be.
fn take(from: &mut Vec<Character>, card: Character) -> Character {
    let place = from.iter().position(|other| *other == card);
    from.remove(place.unwrap_or_else(|| panic!("no {card} in {from:?}")))
}

impl Cards {
    fn new() -> Cards {
        let none = || [Vec::new(), Vec::new()];
        let deck = Character::ALL.into_iter().flat_map(|card| [card; 3]).collect();
        Cards { deck, hands: none(), lost: none(), shown: None }
    }

    fn follow(&mut self, event: &Event) {
        match *event {
            Event::Deal { to, cards: SeenHand::Seen(cards) }
            | Event::Draw { to, cards: SeenHand::Seen(cards) } => {
                let hand = &mut self.hands[to.index()];
                hand.extend(cards.into_iter().map(|card| take(&mut self.deck, card)));
                // The new card first, so that it is not the one that goes back.
                let back = self.shown.take().filter(|_| cards.len() == 1);
                self.deck.extend(back.map(|card| take(hand, card)));
            }
            Event::Move { mv: Move::Show(card), .. } => self.shown = Some(card),
            Event::Move { seat, mv: Move::Lose(card) } | Event::Lost { seat, card } => {
                let card = take(&mut self.hands[seat.index()], card);
                self.lost[seat.index()].push(card);
            }
            Event::Move { seat, mv: Move::Keep(kept) } => {
                let hand = &mut self.hands[seat.index()];
                let kept = kept.into_iter().map(|card| take(hand, card)).collect();
                self.deck.append(hand);
                *hand = kept;
            }
            Event::Move { .. } | Event::Winner(_) => {}
            ref other => panic!("`{other}` is not what the referee sees"),
        }
    }

    fn assert_same(&self, game: &Coup) {
        let counts = |cards: &[Character]| cards.iter().copied().collect::<Counts>();
        let of_game = |hand: Hand| hand.into_iter().collect::<Counts>();
        for number in [0, 1] {
            assert_eq!(counts(&self.hands[number]), of_game(game.hand(seat(number))));
            assert_eq!(self.lost[number], game.lost(seat(number)).cards());
        }
        assert_eq!(counts(&self.deck), game.deck());
    }
}

/// Plays a game at random, and looks at it after each step.
fn play(seed: u64, mut look: impl FnMut(&Scene)) -> Scene {
    let mut nature: Nature = BotSeed(seed.to_be_bytes()).nature();
    let mut scene = Scene { game: Coup::new(&Options::default()), events: Vec::new() };
    loop {
        look(&scene);
        if let Some(chance) = scene.game.sample(&mut nature) {
            scene.game.happen(&chance, &mut scene.events).unwrap();
        } else if scene.scores().is_none() {
            let mv = *nature.choose(&scene.legal_moves()).unwrap();
            scene.play(mv);
        } else {
            return scene;
        }
    }
}

#[test]
fn ten_thousand_games_end_and_cards_and_coins_add_up() {
    let mut won = [0, 0];
    let mut longest = 0;
    for seed in 0..GAMES {
        let (mut cards, mut seen) = (Cards::new(), 0);
        let scene = play(seed, |scene| {
            scene.events[seen..].iter().for_each(|event| cards.follow(event));
            seen = scene.events.len();
            cards.assert_same(&scene.game);
            assert_eq!(scene.coins().map(i64::from), purses(&file(&scene.events)), "seed {seed}");
        });
        let decisions = scene.events.iter().filter(|event| matches!(event, Event::Move { .. }));
        let decisions = decisions.count();
        assert_eq!(decisions as u32, scene.game.decisions(), "seed {seed}");
        longest = longest.max(decisions);
        let left: Vec<usize> =
            (0..2).filter(|number| !scene.game.hand(seat(*number)).is_empty()).collect();
        let scores = scene.scores().unwrap();
        match left[..] {
            [winner] => {
                won[winner] += 1;
                assert_eq!((&*scores[winner], &*scores[1 - winner]), ("1", "0"), "seed {seed}");
            }
            [_, _] => {
                assert_eq!((decisions, &*scores[0], &*scores[1]), (200, "0", "0"), "seed {seed}");
            }
            _ => panic!("seed {seed}: nobody has cards"),
        }
    }
    assert!(longest <= 200);
    assert!(won.iter().all(|won| *won > 3000), "{won:?}");
}
