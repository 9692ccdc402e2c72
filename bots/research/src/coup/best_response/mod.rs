//! The best response to a player whose chances are known, exactly, in games that are short.
//!
//! # What is computed
//!
//! A responder that remembers all that its seat has seen knows two things: its own hand, and how
//! likely each hand of the other is. The second follows from the chances of the other, from the cards
//! that were drawn before its eyes, and from nothing else, so it is a *belief*: a weight for each of at
//! most 15 hands. [`Search`] goes through all that can follow from a [`Start`] and carries the belief
//! along. Where the responder decides, it takes the choice of the greatest worth; where the other decides
//! or cards are drawn, what follows is summed up, and the weights say how likely it is. That is backward
//! induction over everything that the responder can know. It is right because the responder forgets
//! nothing: two histories that lead to the same belief have the same best continuation.
//!
//! # What is exact
//!
//! The number is a pair of [`Bounds`]. Games of Coup need not end, so a branch is not followed further
//! where it is less likely than a given weight, or after a number of turns: there the responder gets
//! nothing for the lower bound, and everything for the upper one. So what a best response wins in the
//! whole end game lies between the bounds, by whatever it could win beyond. Numbers are of 64 bits, with
//! the chances of the other as its table has them; nothing is sampled and nothing is learned. A game that
//! would be a draw after 200 decisions is beyond the bounds, too.
//!
//! A fixed strategy that looks only at the situation and its hand, as a
//! [responder](super::responder) or a [climbed](super::climb) player does, is measured without
//! chance, too: a [`Course`] of the games of all hands, a turn after the other, gives what it wins.
//! So no response is measured by drawn games, and a learned one can be compared with the best. The
//! search can weigh choices by given chances as well, which is slower: tests compare the two, whose
//! code has only the rules in common.
//!
//! # Limits of the abstraction
//!
//! The beginning. From the first turn with two cards each the bounds meet too late, so the search begins
//! in end games with one card each: what each has lost and how many coins it has are given, and its card
//! is dealt from the others. A real game would lead there with other chances for the hands, because what
//! was done before tells something about them. So this is a game of its own, and what is won in it says
//! nothing about the whole game. It says how near learning and climbing come to the best in the same
//! game, which is what they are checked for.
//!
//! A best response with *less* memory is not what is computed here. A responder that looks at its hand,
//! the coins and what is pending alone has imperfect recall: which hands the other may have depends on
//! what the responder itself did before, and has forgotten. Backward induction is wrong there, and to
//! find the best such response is hard in general. What it wins is no more than the upper bound, since
//! memory can be ignored.

mod bounds;
mod course;

pub use crate::coup::best_response::bounds::Bounds;
pub use crate::coup::best_response::course::Course;

use std::cell::{Cell, RefCell};

use bots::coup::expert::cards::{
    CARDS, Card, PAIR_CARDS, PAIRS, count, exchanges, hands, other_card, replaced,
};
use bots::coup::expert::position::Position;
use bots::coup::expert::situation::{
    ChallengeResult, Choice, NextStep, Situation, Stage, TurnSide,
};

use crate::coup::deck::Start;
use crate::coup::node::{CHOICES, STRATEGY};
use crate::coup::responder::Responder;
use crate::coup::store::{Layout, Table, place};

/// Joint probability of each hand of the other and all that has been seen so far.
type Weights = [f64; PAIRS];

/// The chances of the choices in a situation, for a responder on this side with a hand.
pub type Response<'a> = dyn Fn(&Situation, TurnSide, usize) -> [f64; CHOICES] + 'a;

pub enum Responding<'a> {
    /// As well as can be.
    Best,
    /// By chances of its own.
    Fixed(&'a Response<'a>),
}

/// Limits of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// A branch that is less likely than this is not followed.
    pub weight: f64,
    /// A branch is not followed after this number of turns.
    pub turns: u32,
}

/// A search through all that can follow against a table.
pub struct Search<'a, T> {
    table: &'a T,
    responding: Responding<'a>,
    limits: Limits,
    strategy: RefCell<Vec<f32>>,
    positions: Cell<u64>,
}

/// Position of the search: the knowledge of the responder.
#[derive(Clone, Copy)]
struct Place {
    situation: Situation,
    /// The responder's side.
    side: TurnSide,
    /// Its hand.
    own: usize,
    weights: Weights,
    turns: u32,
}

impl<'a, T: Table> Search<'a, T> {
    /// A search for what a responder wins against a table.
    pub fn new(table: &'a T, responding: Responding<'a>, limits: Limits) -> Search<'a, T> {
        let strategy = RefCell::new(vec![0.0; STRATEGY]);
        Search { table, responding, limits, strategy, positions: Cell::new(0) }
    }

    /// Wins of the responder that begins on this side.
    pub fn wins(&self, start: &Start, side: TurnSide) -> Bounds {
        let situation = *start.situation();
        let layout = Layout::new(&situation);
        let joint = start.joint();
        let total: f64 = joint.iter().map(|chance| f64::from(*chance)).sum();
        let mut sum = Bounds::ZERO;
        for own in 0..hands(situation.cards(side)) {
            let mut weights = [0.0; PAIRS];
            for (hand, weight) in
                weights.iter_mut().enumerate().take(hands(situation.cards(side.opposite())))
            {
                let [row, column] = match side {
                    TurnSide::Actor => [own, hand],
                    TurnSide::Other => [hand, own],
                };
                *weight = f64::from(joint[row * layout.shape.stride + column]) / total;
            }
            sum += self.value(&Place { situation, side, own, weights, turns: 0 });
        }
        sum
    }

    /// The mean over both sides, as a deal is played in both seats.
    pub fn wins_on_both_sides(&self, start: &Start) -> Bounds {
        (self.wins(start, TurnSide::Actor) + self.wins(start, TurnSide::Other)) * 0.5
    }

    pub fn positions(&self) -> u64 {
        self.positions.get()
    }

    fn value(&self, at: &Place) -> Bounds {
        let total: f64 = at.weights.iter().sum();
        if total <= 0.0 {
            return Bounds::ZERO;
        }
        if total < self.limits.weight || at.turns >= self.limits.turns {
            return Bounds::up_to(total);
        }
        self.positions.set(self.positions.get() + 1);
        let stage = at.situation.stage;
        match (stage.decides() == at.side, stage) {
            (true, Stage::Exchange) => self.own_exchange(at),
            (true, _) => self.best_of(at, at.own, |choice, at| self.own_choice(choice, at)),
            (false, Stage::Exchange) => self.others_exchange(at),
            (false, Stage::OtherLoses | Stage::OtherLosesThenExchange | Stage::ActorLoses) => {
                self.others_loss(at)
            }
            (false, _) => self.others_choices(at),
        }
    }

    /// Worth of the responder's choice: the best, or the mean by its chances. `hand` is the
    /// number by which the choices go, in an exchange that of all cards together.
    fn best_of(&self, at: &Place, hand: usize, worth: impl Fn(usize, &Place) -> Bounds) -> Bounds {
        let options = at.situation.options(hand);
        match self.responding {
            Responding::Best => {
                let total: f64 = at.weights.iter().sum();
                let mut best = Bounds::ZERO;
                for choice in 0..options {
                    best = best.or(worth(choice, at));
                    if best.low >= total {
                        break;
                    }
                }
                best
            }
            Responding::Fixed(chances) => {
                let chances = chances(&at.situation, at.side, hand);
                let mut sum = Bounds::ZERO;
                for (choice, chance) in chances.into_iter().enumerate().take(options) {
                    if chance > 0.0 {
                        let weights = at.weights.map(|weight| weight * chance);
                        sum += worth(choice, &Place { weights, ..*at });
                    }
                }
                sum
            }
        }
    }

    fn own_choice(&self, choice: usize, at: &Place) -> Bounds {
        let situation = &at.situation;
        match situation.choices()[choice] {
            Choice::Challenge => self.own_challenge(at),
            choice @ (Choice::LoseLow | Choice::LoseHigh) => {
                let [low, high] = PAIR_CARDS[at.own];
                let card = if choice == Choice::LoseLow { low } else { high };
                let own = usize::from(other_card(at.own, card));
                self.go_on(situation.after_loss(card), &Place { own, ..*at })
            }
            choice => self.go_on(situation.after(choice), at),
        }
    }

    /// The responder does not believe a claim.
    fn own_challenge(&self, at: &Place) -> Bounds {
        let situation = &at.situation;
        let Some((claimer, card)) = situation.stage.claim() else { return Bounds::ZERO };
        let cards = situation.cards(claimer);
        let (mut there, mut missing) = ([0.0; PAIRS], [0.0; PAIRS]);
        for (hand, weight) in at.others() {
            if count(cards, hand, card) == 0 {
                missing[hand] += weight;
            } else if situation.stage == Stage::AnswerExchange {
                there[hand] += weight;
            } else {
                for (new, share) in at.shares(hand).into_iter().enumerate() {
                    there[replaced(cards, hand, card, new as Card)] += weight * share;
                }
            }
        }
        let goes_on = |found: ChallengeResult, weights: Weights| {
            self.go_on(situation.after_challenge(found), &Place { weights, ..*at })
        };
        goes_on(ChallengeResult::There, there) + goes_on(ChallengeResult::Missing, missing)
    }

    fn own_exchange(&self, at: &Place) -> Bounds {
        let all = exchanges(at.situation.cards(at.side));
        let mut sum = Bounds::ZERO;
        for (drawn, together) in all.joined[at.own].iter().enumerate() {
            let mut weights = [0.0; PAIRS];
            for (hand, weight) in at.others() {
                weights[hand] = weight * at.drawn(hand, drawn);
            }
            if weights.iter().all(|weight| *weight <= 0.0) {
                continue;
            }
            let together = usize::from(*together);
            sum += self.best_of(&Place { weights, ..*at }, together, |choice, at| {
                let own = usize::from(all.keeps[together][choice]);
                self.go_on(at.situation.after_exchange(), &Place { own, ..*at })
            });
        }
        sum
    }

    /// The other acts, answers or accepts.
    fn others_choices(&self, at: &Place) -> Bounds {
        let situation = &at.situation;
        let mut chosen = [[0.0; PAIRS]; CHOICES];
        self.with_chances(situation, |chance| {
            for (hand, weight) in at.others() {
                for (choice, weights) in chosen.iter_mut().enumerate() {
                    weights[hand] = weight * chance(choice, hand);
                }
            }
        });
        let mut sum = Bounds::ZERO;
        for (choice, weights) in situation.choices().iter().zip(chosen) {
            let place = Place { weights, ..*at };
            sum += match choice {
                Choice::Challenge => self.others_challenge(&place),
                choice => self.go_on(situation.after(*choice), &place),
            };
        }
        sum
    }

    /// The other does not believe a claim of the responder.
    fn others_challenge(&self, at: &Place) -> Bounds {
        let situation = &at.situation;
        let Some((claimer, card)) = situation.stage.claim() else { return Bounds::ZERO };
        let cards = situation.cards(claimer);
        if count(cards, at.own, card) == 0 {
            return self.go_on(situation.after_challenge(ChallengeResult::Missing), at);
        }
        let there = situation.after_challenge(ChallengeResult::There);
        if situation.stage == Stage::AnswerExchange || matches!(there, NextStep::Won(_)) {
            return self.go_on(there, at);
        }
        let mut sum = Bounds::ZERO;
        for new in 0..CARDS {
            let mut weights = [0.0; PAIRS];
            for (hand, weight) in at.others() {
                weights[hand] = weight * at.shares(hand)[new];
            }
            let own = replaced(cards, at.own, card, new as Card);
            sum += self.go_on(there, &Place { own, weights, ..*at });
        }
        sum
    }

    fn others_loss(&self, at: &Place) -> Bounds {
        let situation = &at.situation;
        let mut lost = [[0.0; PAIRS]; CARDS];
        self.with_chances(situation, |chance| {
            for (hand, weight) in at.others() {
                let cards = PAIR_CARDS[hand].into_iter().take(situation.options(hand));
                for (choice, card) in cards.enumerate() {
                    let left = usize::from(other_card(hand, card));
                    lost[usize::from(card)][left] += weight * chance(choice, hand);
                }
            }
        });
        let mut sum = Bounds::ZERO;
        for (card, weights) in lost.into_iter().enumerate() {
            let next = situation.after_loss(card as Card);
            sum += self.go_on(next, &Place { weights, ..*at });
        }
        sum
    }

    /// The responder does not see what the other keeps.
    fn others_exchange(&self, at: &Place) -> Bounds {
        let situation = &at.situation;
        let all = exchanges(situation.cards(at.side.opposite()));
        let mut weights = [0.0; PAIRS];
        self.with_chances(situation, |chance| {
            for (hand, weight) in at.others() {
                for (drawn, together) in all.joined[hand].iter().enumerate() {
                    let weight = weight * at.drawn(hand, drawn);
                    if weight <= 0.0 {
                        continue;
                    }
                    let together = usize::from(*together);
                    for (choice, kept) in all.keeps[together].iter().enumerate() {
                        weights[usize::from(*kept)] += weight * chance(choice, together);
                    }
                }
            }
        });
        self.go_on(situation.after_exchange(), &Place { weights, ..*at })
    }

    /// Asks the table: the job gets the chance of a choice with a hand.
    fn with_chances(&self, situation: &Situation, job: impl FnOnce(&dyn Fn(usize, usize) -> f64)) {
        let mut strategy = self.strategy.borrow_mut();
        self.table.strategy(situation, &mut strategy);
        let layout = Layout::new(situation);
        let chance = |choice: usize, hand: usize| {
            let options = situation.options(hand);
            let of = |choice| f64::from(strategy[place(situation, &layout, choice, hand)]);
            let total: f64 = (0..options).map(of).sum();
            match choice < options && total > 0.0 {
                true => of(choice) / total,
                false => 0.0,
            }
        };
        job(&chance);
    }

    fn go_on(&self, next: NextStep, at: &Place) -> Bounds {
        let won = |winner: TurnSide| match winner == at.side {
            true => Bounds::exactly(at.weights.iter().sum()),
            false => Bounds::ZERO,
        };
        match next {
            NextStep::Won(winner) => won(winner),
            // The side whose turn it is now makes a coup.
            NextStep::Coup(_) => won(TurnSide::Other),
            NextStep::Same(situation) => self.value(&Place { situation, ..*at }),
            NextStep::Turned(situation) => {
                let (side, turns) = (at.side.opposite(), at.turns + 1);
                self.value(&Place { situation, side, turns, ..*at })
            }
        }
    }
}

impl Place {
    /// The hands of the other that are possible, with their weights.
    fn others(&self) -> impl Iterator<Item = (usize, f64)> {
        self.weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0)
    }

    /// Number of each card in the deck where the other has this hand.
    fn deck(&self, hand: usize) -> [u8; CARDS] {
        let hands = match self.side {
            TurnSide::Actor => [self.own as u8, hand as u8],
            TurnSide::Other => [hand as u8, self.own as u8],
        };
        let situation = self.situation;
        Position { situation, hands, together: 0, actor: 0, decisions: 0, end: None }.deck()
    }

    /// The chance of each card to be drawn where the other has this hand.
    fn shares(&self, hand: usize) -> [f64; CARDS] {
        let deck = self.deck(hand);
        let all: f64 = deck.iter().map(|count| f64::from(*count)).sum();
        deck.map(|count| f64::from(count) / all)
    }

    /// The chance that this pair of cards is drawn where the other has this hand.
    fn drawn(&self, hand: usize, pair: usize) -> f64 {
        let deck = self.deck(hand).map(f64::from);
        let all: f64 = deck.iter().sum();
        let [low, high] = PAIR_CARDS[pair].map(|card| deck[usize::from(card)]);
        let ordered = all * (all - 1.0);
        match PAIR_CARDS[pair] {
            [first, second] if first == second => low * (low - 1.0).max(0.0) / ordered,
            _ => 2.0 * low * high / ordered,
        }
    }
}

/// The chances of a table, on either side.
pub fn by_table(table: &impl Table) -> impl Fn(&Situation, TurnSide, usize) -> [f64; CHOICES] {
    |situation, _, hand| {
        let mut strategy = vec![0.0; STRATEGY];
        table.strategy(situation, &mut strategy);
        let layout = Layout::new(situation);
        let options = situation.options(hand);
        std::array::from_fn(|choice| match choice < options {
            true => f64::from(strategy[place(situation, &layout, choice, hand)]),
            false => 0.0,
        })
    }
}

/// The best choices, as a responder sees them.
pub fn by_learning<T: Table>(
    responder: &Responder<'_, T>,
) -> impl Fn(&Situation, TurnSide, usize) -> [f64; CHOICES] {
    |situation, side, hand| {
        let mut chances = [0.0; CHOICES];
        chances[responder.best(situation, side, hand, situation.options(hand))] = 1.0;
        chances
    }
}
