//! Games on fresh deals between a table and its opponent.

use std::fmt;

use bots::coup::expert::cards::{CARDS, Card};
use bots::coup::expert::position::{GameEnd, Position};
use bots::coup::expert::situation::Choice;

use crate::coup::belief::Belief;
use crate::coup::deck::{Decks, Start};
use crate::coup::node::STRATEGY;
use crate::coup::random::Random;
use crate::coup::responder::Responder;
use crate::coup::store::{Layout, Table, place};

/// Results of a number of games.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Share {
    pub games: u64,
    pub won: u64,
    pub draws: u64,
}

impl Share {
    /// The share of games that were won, draws counting half, in per cent.
    pub fn per_cent(&self) -> f64 {
        100.0 * (self.won as f64 + 0.5 * self.draws as f64) / self.games.max(1) as f64
    }

    /// Half of the 95% interval of it, in per cent.
    pub fn interval(&self) -> f64 {
        let share = self.per_cent() / 100.0;
        196.0 * (share * (1.0 - share) / self.games.max(1) as f64).sqrt()
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (share, interval) = (self.per_cent(), self.interval());
        write!(f, "{share:.2} ± {interval:.2}% of {} games", self.games)
    }
}

/// Draws the cards of games.
#[derive(Debug)]
pub struct Chance(pub Random);

impl bots::coup::expert::position::CardSource for Chance {
    fn draw(&mut self, deck: [u8; CARDS]) -> Card {
        let total: u8 = deck.iter().sum();
        let mut place = self.0.below(usize::from(total.max(1)));
        for (card, count) in deck.iter().enumerate() {
            if place < usize::from(*count) {
                return card as Card;
            }
            place -= usize::from(*count);
        }
        0
    }
}

/// A player against a table.
pub trait Against {
    /// A game begins in which it has this seat.
    fn begin(&mut self, seat: usize, position: &Position);

    /// Its choice.
    fn choose(&mut self, position: &Position) -> Choice;

    /// Learns a choice, its own or the table's.
    fn learn(&mut self, before: &Position, choice: Choice, after: &Position);
}

/// Plays games of a table against someone, who has either seat in turn.
pub fn against(
    table: &impl Table,
    start: &Start,
    games: u64,
    seed: u64,
    other: &mut impl Against,
) -> Share {
    let mut share = Share { games, ..Share::default() };
    let mut strategy = vec![0.0; STRATEGY];
    for game in 0..games {
        let mut chance = Chance(Random::new(seed, game));
        let mut position = start.deal(&mut chance);
        let seat = (game % 2) as usize;
        other.begin(seat, &position);
        let end = loop {
            if let Some(end) = position.end {
                break end;
            }
            let choice = match position.seat() == seat {
                true => other.choose(&position),
                false => sampled(table, &position, &mut strategy, &mut chance.0),
            };
            let before = position;
            position.play(choice, &mut chance);
            other.learn(&before, choice, &position);
        };
        match end {
            GameEnd::Won(winner) => share.won += u64::from(winner == seat),
            GameEnd::Draw => share.draws += 1,
        }
    }
    share
}

/// A responder that plays what it has learnt, and nothing else.
#[derive(Debug)]
pub struct Learnt<'a, T>(pub &'a Responder<'a, T>);

impl<T: Table> Against for Learnt<'_, T> {
    fn begin(&mut self, _: usize, _: &Position) {}

    fn choose(&mut self, position: &Position) -> Choice {
        let (side, hand) = (position.decides(), position.hand());
        let best = self.0.best(&position.situation, side, hand, position.options());
        position.situation.choices()[best]
    }

    fn learn(&mut self, _: &Position, _: Choice, _: &Position) {}
}

/// A responder that also remembers the whole game, and how the table plays each hand.
#[derive(Debug)]
pub struct Remembering<'a, T> {
    responder: &'a Responder<'a, T>,
    table: &'a T,
    decks: &'a Decks,
    belief: Belief<'a>,
}

impl<'a, T: Table> Remembering<'a, T> {
    /// A player that uses the values of a responder.
    pub fn new(responder: &'a Responder<'a, T>, table: &'a T, decks: &'a Decks) -> Self {
        let position = Position::new([[0, 1], [2, 3]]);
        let belief = Belief::new(decks, 0, &position);
        Remembering { responder, table, decks, belief }
    }
}

impl<T: Table> Against for Remembering<'_, T> {
    fn begin(&mut self, seat: usize, position: &Position) {
        self.belief = Belief::new(self.decks, seat, position);
    }

    fn choose(&mut self, position: &Position) -> Choice {
        let source = self.responder.learnt(position.decides());
        let best = self.belief.best(position, self.responder.discount, &source);
        position.situation.choices()[best]
    }

    fn learn(&mut self, before: &Position, choice: Choice, after: &Position) {
        self.belief.learn(before, choice, after, self.table);
    }
}

/// A choice as the table's chances have it.
pub fn sampled(
    table: &impl Table,
    position: &Position,
    strategy: &mut [f32],
    random: &mut Random,
) -> Choice {
    let situation = &position.situation;
    table.strategy(situation, strategy);
    let layout = Layout::new(situation);
    let (options, hand) = (position.options(), position.hand());
    let mut point = random.unit();
    let choices = situation.choices();
    for choice in 0..options {
        point -= strategy[place(situation, &layout, choice, hand)];
        if point < 0.0 {
            return choices[choice];
        }
    }
    choices[options - 1]
}
