//! Games of Durak in this process, on the rules alone and with a pack whose order is known.

use std::num::NonZeroUsize;

use bots::Player;
use rules::durak::{Chance, Durak, Event, Move, Options};
use rules::{
    BotSeed, Card, CardSet, Entry, Game, GameId, GameKind, Nature, Request, RequestHeading, Score,
    Seat, Seed, Turn, seen_by,
};
use search::Clock;
use simulation::{BuiltInPlayer, SeatOrder, SimulatedGame, Simulation};

/// Options of every kind, with every number of seats.
pub(crate) const OPTIONS: [&str; 16] = [
    "seats=2",
    "seats=2 transfer=on",
    "seats=2 deck=24",
    "seats=2 deck=24 transfer=on first-limit=5",
    "seats=2 deck=52",
    "seats=2 deck=32 throwers=neighbours",
    "seats=3 transfer=on",
    "seats=3 deck=24 first-limit=5 throwers=neighbours",
    "seats=4",
    "seats=4 deck=24 transfer=on",
    "seats=4 throwers=neighbours transfer=on",
    "seats=5 deck=32 transfer=on",
    "seats=5 deck=52 first-limit=5 throwers=neighbours",
    "seats=6",
    "seats=6 deck=36 transfer=on throwers=neighbours",
    "seats=6 deck=52 transfer=on first-limit=5",
];

pub(crate) struct Pack {
    /// All cards from the top.
    cards: Vec<Card>,
    next: usize,
}

impl Pack {
    /// The cards that are left, from the top.
    pub(crate) fn left(&self) -> &[Card] {
        &self.cards[self.next..]
    }

    fn take(&mut self, count: usize) -> CardSet {
        let cards = self.left().iter().take(count).copied().collect();
        self.next += count;
        cards
    }
}

/// A game with the cards that it is dealt.
pub(crate) struct Deal {
    pub(crate) game: Durak,
    pub(crate) pack: Pack,
    options: Options,
    nature: Nature,
    seed: Seed,
    events: Vec<Event>,
    number: u32,
}

impl Deal {
    pub(crate) fn new(options: &str, seed: u64) -> Deal {
        let options: Options = options.parse().expect("options");
        let all = Seed([21; 32]);
        let mut nature = all.nature(seed);
        let mut left = options.deck().cards();
        let cards = std::iter::from_fn(|| nature.draw(&mut left)).collect();
        let pack = Pack { cards, next: 0 };
        let (game, events) = (Durak::new(&options), Vec::new());
        Deal { game, pack, options, nature, seed: all, events, number: 0 }
    }

    /// The turn, after moves that the rules make by themselves.
    pub(crate) fn turn(&mut self) -> Turn {
        while let Some(forced) = self.game.forced() {
            self.play(forced);
        }
        self.game.turn()
    }

    /// Draws what is due from the top of the pack.
    pub(crate) fn draw(&mut self) {
        let chance = match self.game.sample(&mut self.nature).expect("nature's turn") {
            Chance::Deal { to, cards } => Chance::Deal { to, cards: self.pack.take(cards.len()) },
            Chance::Draw { to, cards } => Chance::Draw { to, cards: self.pack.take(cards.len()) },
            Chance::Trump(card) => match self.pack.left().last() {
                Some(last) => Chance::Trump(*last),
                None => Chance::Trump(card),
            },
        };
        self.game.happen(&chance, &mut self.events).expect("what the pack holds");
        // The trump card is drawn without asking.
        self.pack.next = self.pack.cards.len() - self.game.talon().len();
    }

    pub(crate) fn play(&mut self, mv: Move) {
        self.game.play(&mv, &mut self.events).expect("a legal move");
        self.pack.next = self.pack.cards.len() - self.game.talon().len();
        self.number += 1;
    }

    pub(crate) fn any(&mut self, moves: &[Move]) -> Move {
        *self.nature.choose(moves).expect("a move")
    }

    pub(crate) fn request(&self, seat: Seat) -> Request<Durak> {
        let mut legal = Vec::new();
        let listing = self.game.legal_moves(&mut legal);
        let seed: BotSeed = self.seed.bots(0).seed(seat, self.number);
        let id = GameId([0; 16]);
        let (number, bank, retry) = (self.number, None, None);
        let heading = RequestHeading { id, seat, number, time: 1000, bank, seed, retry };
        let seen = self.events.iter().filter_map(|event| seen_by(event, seat));
        let history = seen.map(Entry::Event).collect();
        let view = self.game.view(seat);
        Request { options: self.options, heading, view, history, legal, listing }
    }

    /// Plays at random to the end, and shows every decision.
    pub(crate) fn play_on(&mut self, mut watch: impl FnMut(&Deal, Seat)) {
        loop {
            match self.turn() {
                Turn::Over(_) => return,
                Turn::Nature => self.draw(),
                Turn::Seat(seat) => {
                    watch(self, seat);
                    let mv = self.any(&self.request(seat).legal);
                    self.play(mv);
                }
            }
        }
    }
}

/// A clock that is up at the look of this number, counted from 1.
pub(crate) struct Looks(pub(crate) u32);

impl Clock for Looks {
    fn is_up(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

/// Games between these players, each deal in every rotation of them. The seed is 32 times a byte.
pub(crate) fn simulate(
    seed: u8,
    options: &str,
    players: &[&str],
    deals: u64,
) -> Vec<SimulatedGame> {
    let built_in = |command: &&str| {
        let mut words = command.split(' ').map(str::to_owned);
        let program = words.next().expect("a name");
        BuiltInPlayer { name: (*command).to_owned(), program, options: words.collect() }
    };
    let simulation = Simulation {
        kind: GameKind::of::<Durak>(),
        options: options.to_owned(),
        players: players.iter().map(built_in).collect(),
        order: SeatOrder::Rotate,
        deals,
        seed: Seed([seed; 32]),
    };
    let mut games = Vec::new();
    let played = simulation.run(NonZeroUsize::MIN, &mut |game| games.push(game.clone()));
    played.expect("every player finds a legal move");
    games
}

/// Mean points of the first player in a game.
pub(crate) fn share(games: &[SimulatedGame]) -> f64 {
    let of_first = |game: &SimulatedGame| {
        let seat = game.seating.seats().find(|seat| game.seating[*seat] == 0).expect("a seat");
        game.scores[seat].as_f64()
    };
    games.iter().map(of_first).sum::<f64>() / games.len() as f64
}

/// Checks that a player finishes games with all options and every number of seats, against the
/// simplest players.
pub(crate) fn plays_legally(seed: u8, player: &str) {
    for options in OPTIONS {
        let seats = GameKind::of::<Durak>().seats(options).expect("options");
        let all: Vec<&str> = [player, "lowest", "random"].into_iter().cycle().take(seats).collect();
        for game in simulate(seed, options, &all, 3) {
            let total: Score = game.scores.values().iter().copied().sum();
            assert_eq!(total, Score::points(seats as i32 - 1), "{options}: {game:?}");
        }
    }
}

/// Checks that equal requests have equal answers, from a player that is kept and from new ones.
pub(crate) fn answers_alike<P: Player<Durak>>(new: impl Fn() -> P) {
    let mut kept = new();
    for options in ["seats=2 transfer=on", "seats=3 deck=24"] {
        Deal::new(options, 3).play_on(|deal, seat| {
            let request = deal.request(seat);
            let fresh = new().choose(&request);
            assert!(fresh.as_ref().is_ok_and(|mv| request.legal.contains(mv)));
            assert_eq!(kept.choose(&request), fresh);
            assert_eq!(kept.choose(&request), fresh);
        });
    }
}
