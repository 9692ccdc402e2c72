//! Looking ahead by one step: what each choice is worth, by the values of what follows.

use bots::coup::expert::cards::{CARDS, Card, PAIR_CARDS, count, replaced};
use bots::coup::expert::situation::{ChallengeResult, NextStep, Situation, Stage, TurnSide};

use crate::coup::block::{Block, Shape, ZERO, turn};
use crate::coup::deck::Decks;

/// Source of the values of next situations.
pub trait Source {
    /// The values of a situation, for its actor; `turned` where the roles have changed on the way.
    fn values(&self, situation: &Situation, turned: Turned) -> Option<&[f32]>;
}

/// Relation of the roles in two situations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    /// The next turn has begun.
    Yes,
    /// It is the same turn.
    No,
}

/// Data for looking ahead by one step.
pub(super) struct Looking<'a, S> {
    pub(super) situation: &'a Situation,
    pub(super) shape: Shape,
    pub(super) decks: &'a Decks,
    pub(super) discount: f32,
    pub(super) source: &'a S,
}

impl<S: Source> Looking<'_, S> {
    /// The values of what follows, as the actor of now sees them, with these numbers of cards.
    pub(super) fn load(&self, next: NextStep, cards: [usize; 2], to: &mut Block) {
        let shape = Shape::new(cards);
        match next {
            NextStep::Won(TurnSide::Actor) => to[..shape.len()].fill(1.0),
            NextStep::Won(TurnSide::Other) => to[..shape.len()].fill(-1.0),
            NextStep::Coup(_) => to[..shape.len()].fill(-self.discount),
            NextStep::Same(next) => match self.found(&next, Turned::No) {
                Some(values) => to[..shape.len()].copy_from_slice(&values[..shape.len()]),
                None => to[..shape.len()].fill(0.0),
            },
            NextStep::Turned(next) => match self.found(&next, Turned::Yes) {
                Some(values) => turn(values, shape.turned(), -self.discount, to),
                None => to[..shape.len()].fill(0.0),
            },
        }
    }

    /// The values of a situation, or of the same without claims where it is new.
    fn found(&self, next: &Situation, turned: Turned) -> Option<&[f32]> {
        let forgotten = || self.source.values(&next.forgotten(), turned);
        self.source.values(next, turned).or_else(forgotten)
    }

    pub(super) fn challenge(&self, to: &mut Block) {
        let Shape { rows, columns, stride, cards } = self.shape;
        let Some((claimer, card)) = self.situation.stage.claim() else { return };
        let side = claimer.index();
        let (mut there, mut missing) = (ZERO, ZERO);
        self.load(self.situation.after_challenge(ChallengeResult::There), cards, &mut there);
        self.load(self.situation.after_challenge(ChallengeResult::Missing), cards, &mut missing);
        to[..rows * stride].copy_from_slice(&missing[..rows * stride]);
        let replaces = self.situation.stage != Stage::AnswerExchange;
        let shares = self.decks.shares(self.situation);
        match claimer {
            TurnSide::Actor => {
                for row in (0..rows).filter(|row| count(cards[0], *row, card) > 0) {
                    let values = &mut to[row * stride..][..stride];
                    if !replaces {
                        values.copy_from_slice(&there[row * stride..][..stride]);
                        continue;
                    }
                    values.fill(0.0);
                    for (new, share) in shares.iter().enumerate() {
                        let share = &share[row * stride..][..stride];
                        let after = replaced(cards[0], row, card, new as Card);
                        let after = &there[after * stride..][..stride];
                        for ((value, share), after) in values.iter_mut().zip(share).zip(after) {
                            *value += share * after;
                        }
                    }
                }
            }
            TurnSide::Other => {
                for column in (0..columns).filter(|hand| count(cards[side], *hand, card) > 0) {
                    let after: [usize; CARDS] =
                        std::array::from_fn(|new| replaced(cards[side], column, card, new as Card));
                    for row in 0..rows {
                        let place = row * stride;
                        let after = after.iter().zip(shares);
                        let values = after
                            .map(|(after, share)| share[place + column] * there[place + after]);
                        to[place + column] = values.sum();
                    }
                }
            }
        }
    }

    /// The values of losing the lower and the higher card.
    pub(super) fn losses(&self, low: &mut Block, high: &mut Block) {
        let Shape { rows, columns, stride, cards } = self.shape;
        let loser = self.situation.stage.decides();
        let mut left = cards;
        left[loser.index()] = 1;
        let shape = Shape::new(left);
        let mut after = [ZERO; CARDS];
        for (card, after) in after.iter_mut().enumerate() {
            self.load(self.situation.after_loss(card as Card), left, after);
        }
        low[..rows * stride].fill(0.0);
        high[..rows * stride].fill(0.0);
        for row in 0..rows {
            for column in 0..columns {
                let [first, second] = PAIR_CARDS[[row, column][loser.index()]].map(usize::from);
                let value = |lost: usize, kept: usize| match loser {
                    TurnSide::Actor => after[lost][kept * shape.stride + column],
                    TurnSide::Other => after[lost][row * shape.stride + kept],
                };
                low[row * stride + column] = value(first, second);
                high[row * stride + column] = value(second, first);
            }
        }
    }
}
