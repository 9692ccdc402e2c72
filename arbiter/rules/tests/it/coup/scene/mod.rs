//! Scenes of Coup: a game in the middle, and what happens then, in text.

#![allow(dead_code, reason = "no test needs all of this")]

use rules::coup::classic::ClassicCoupCall;
use rules::coup::{Chance, Character, Coup, Event, Hand, Move, Obligation, Options, View};
use rules::{
    BotSeed, Entry, Game, GameId, ListCompleteness, Nature, PerSeat, Request, RequestHeading, Seat,
    Turn, seen_by,
};

pub(crate) mod effects;
pub(crate) mod lines;

/// A game with its history.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) game: Coup,
    pub(crate) events: Vec<Event>,
}

pub(crate) fn seat(number: usize) -> Seat {
    Seat::new(number).unwrap()
}

pub(crate) fn nature() -> Nature {
    BotSeed([7; 8]).nature()
}

fn both<T: Copy>(values: [T; 2]) -> PerSeat<T> {
    PerSeat::new(2, |seat| values[seat.index()])
}

fn hands(texts: [&str; 2]) -> [Hand; 2] {
    texts.map(|text| text.parse().unwrap())
}

impl Scene {
    /// The first turn, with these hands dealt.
    pub(crate) fn dealt(first: &str, second: &str) -> Scene {
        let game = Coup::new(&Options::default());
        let scene = Scene { game, events: Vec::new() };
        scene.then(&format!("deal 0 {first}; deal 1 {second}"))
    }

    /// The start of a turn of seat 0, somewhere in a game.
    pub(crate) fn turn(texts: [&str; 2], coins: [u32; 2]) -> Scene {
        Scene::turn_of(seat(0), hands(texts), coins)
    }

    pub(crate) fn turn_of(actor: Seat, hands: [Hand; 2], coins: [u32; 2]) -> Scene {
        let view = View {
            hand: hands[0],
            hands: both(hands.map(|hand| hand.len() as u32)),
            coins: both(coins),
            lost: both([Hand::EMPTY; 2]),
            action: None,
            owed: vec![Obligation::Act(actor)],
            decisions: 10,
        };
        Scene {
            game: Coup::imagine(&Options::default(), &view, &both(hands)).unwrap(),
            events: Vec::new(),
        }
    }

    /// Lets this happen: moves of the seat that is due, and draws, separated by semicolons.
    pub(crate) fn then(mut self, script: &str) -> Scene {
        for text in script.split(';').map(str::trim).filter(|text| !text.is_empty()) {
            match self.game.turn() {
                Turn::Nature => {
                    self.game.happen(&text.parse().unwrap(), &mut self.events).unwrap();
                }
                Turn::Seat(_) => self.play(text.parse().unwrap()),
                Turn::Over(_) => panic!("`{text}` after the end of {self:?}"),
            }
        }
        self
    }

    pub(crate) fn play(&mut self, mv: Move) {
        self.game.play(&mv, &mut self.events).unwrap();
    }

    pub(crate) fn legal(&self) -> Vec<String> {
        self.legal_moves().iter().map(Move::to_string).collect()
    }

    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        assert_eq!(self.game.legal_moves(&mut moves), ListCompleteness::Complete);
        moves
    }

    pub(crate) fn refusal(&self, mv: &str) -> String {
        self.game.check(&mv.parse().unwrap()).unwrap_err().to_string()
    }

    pub(crate) fn coins(&self) -> [u32; 2] {
        [0, 1].map(|number| self.game.coins(seat(number)))
    }

    pub(crate) fn hands(&self) -> [String; 2] {
        [0, 1].map(|number| self.game.hand(seat(number)).to_string())
    }

    pub(crate) fn lost(&self) -> [String; 2] {
        [0, 1].map(|number| self.game.lost(seat(number)).to_string())
    }

    pub(crate) fn mover(&self) -> usize {
        match self.game.turn() {
            Turn::Seat(seat) => seat.index(),
            other => panic!("{other:?} instead of a seat"),
        }
    }

    /// The scores by seat of a game that is over.
    pub(crate) fn scores(&self) -> Option<[String; 2]> {
        match self.game.turn() {
            Turn::Over(scores) => Some([0, 1].map(|number| scores[seat(number)].to_string())),
            _ => None,
        }
    }

    /// The events as one seat saw them.
    pub(crate) fn visible_to(&self, number: usize) -> Vec<String> {
        let seen = self.events.iter().filter_map(|event| seen_by(event, seat(number)));
        seen.map(|event| event.to_string()).collect()
    }

    /// The request that the seat to move would get.
    pub(crate) fn request(&self) -> Request<Coup> {
        let mover = seat(self.mover());
        let history = self.events.iter().filter_map(|event| seen_by(event, mover));
        Request {
            options: Options::default(),
            heading: RequestHeading {
                id: GameId([0; 16]),
                seat: mover,
                number: self.game.decisions(),
                time: 5000,
                bank: None,
                seed: BotSeed([0; 8]),
                retry: None,
            },
            view: self.game.view(mover),
            history: history.map(Entry::Event).collect(),
            legal: self.legal_moves(),
            listing: ListCompleteness::Complete,
        }
    }

    /// The same question in the classic dialect.
    pub(crate) fn call(&self) -> ClassicCoupCall {
        ClassicCoupCall::new(&self.request()).unwrap()
    }

    /// Texts that may be appended to FILE, in order.
    pub(crate) fn appendable(&self) -> Vec<String> {
        self.call().arguments[3..].to_vec()
    }

    /// Draws all cards that are due.
    pub(crate) fn draw(&mut self, nature: &mut Nature) {
        while let Some(chance) = self.game.sample(nature) {
            self.game.happen(&chance, &mut self.events).unwrap();
        }
    }
    /// Draws these cards for the seat that is due.
    pub(crate) fn draw_from(&mut self, cards: &mut impl Iterator<Item = Character>) {
        while self.game.turn() == Turn::Nature {
            let debt = self.game.current_debt().unwrap();
            let drawn: Vec<_> = cards.take(debt.cards().unwrap()).collect();
            let (to, cards) = (debt.seat(), Hand::new(&drawn).unwrap());
            self.game.happen(&Chance::Draw { to, cards }, &mut self.events).unwrap();
        }
    }
}
