//! Outcomes of a situation that both seats see, and the knowledge of hands there.

use bots::coup::expert::cards::{
    CARDS, Card, PAIR_CARDS, PAIRS, count, exchanges, other_card, replaced,
};
use bots::coup::expert::situation::{
    ChallengeResult, Choice, NextStep, Situation, Stage, TurnSide,
};

use crate::coup::block::{Block, Shape, ZERO, normalise, turn};
use crate::coup::deck::Decks;
use crate::coup::node::{Node, Turned, dot};

/// Something that both seats see happen in a situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The choice of this place.
    Chosen(usize),
    /// A challenge, the choice of this place, and what it found.
    Challenged(usize, ChallengeResult),
    /// The loss of this card.
    Lost(Card),
    /// The end of an exchange.
    Exchanged,
}

impl Node {
    /// Lists the outcomes, each with its chance under a strategy.
    pub fn outcomes(&self, strategy: &[f32], to: &mut Vec<(Outcome, f32)>) {
        to.clear();
        let Shape { rows, stride, cards, .. } = self.shape();
        let lanes = self.layout.lanes;
        match self.situation.stage {
            Stage::Exchange => to.push((Outcome::Exchanged, 1.0)),
            Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange => {
                let mut chances = [0.0; CARDS];
                for hand in 0..PAIRS {
                    for (choice, card) in PAIR_CARDS[hand].into_iter().enumerate() {
                        chances[usize::from(card)] +=
                            self.marginal[hand] * strategy[choice * lanes + hand];
                    }
                }
                let chances = chances.into_iter().enumerate();
                to.extend(chances.map(|(card, chance)| (Outcome::Lost(card as Card), chance)));
            }
            _ => {
                for (place, choice) in self.situation.choices().iter().enumerate() {
                    let chances = &strategy[place * lanes..][..lanes];
                    let total = dot(chances, &self.marginal[..lanes]);
                    if *choice != Choice::Challenge {
                        to.push((Outcome::Chosen(place), total));
                        continue;
                    }
                    let Some((claimer, card)) = self.situation.stage.claim() else { continue };
                    let mut both = ZERO;
                    self.chosen(place, strategy, &mut both);
                    let mut there = 0.0;
                    for row in 0..rows {
                        for column in 0..stride.min(self.shape().columns) {
                            let hand = [row, column][claimer.index()];
                            if count(cards[claimer.index()], hand, card) > 0 {
                                there += both[row * stride + column];
                            }
                        }
                    }
                    to.push((Outcome::Challenged(place, ChallengeResult::There), there));
                    to.push((
                        Outcome::Challenged(place, ChallengeResult::Missing),
                        (total - there).max(0.0),
                    ));
                }
            }
        }
    }

    /// Open situation after an outcome.
    pub fn next(&self, outcome: Outcome) -> NextStep {
        match outcome {
            Outcome::Chosen(place) => self.situation.after(self.situation.choices()[place]),
            Outcome::Challenged(_, found) => self.situation.after_challenge(found),
            Outcome::Lost(card) => self.situation.after_loss(card),
            Outcome::Exchanged => self.situation.after_exchange(),
        }
    }

    /// The situation after an outcome with the chances of all pairs of hands there; `None` if
    /// the game is over.
    pub fn child(
        &self,
        outcome: Outcome,
        strategy: &[f32],
        decks: &Decks,
    ) -> Option<(Situation, Turned, Block)> {
        let (next, turned) = match self.next(outcome) {
            NextStep::Won(_) | NextStep::Coup(_) => return None,
            NextStep::Same(next) => (next, Turned::No),
            NextStep::Turned(next) => (next, Turned::Yes),
        };
        let Shape { rows, columns, stride, cards } = self.shape();
        let mut joint = ZERO;
        let mut shape = self.shape();
        match outcome {
            Outcome::Chosen(place) => self.chosen(place, strategy, &mut joint),
            Outcome::Challenged(place, found) => {
                let mut both = ZERO;
                self.chosen(place, strategy, &mut both);
                let (claimer, card) = self.situation.stage.claim()?;
                let side = claimer.index();
                let replaces = self.situation.stage != Stage::AnswerExchange;
                let shares = decks.shares(&self.situation);
                for row in 0..rows {
                    for column in 0..columns {
                        let hand = [row, column][side];
                        let from = row * stride + column;
                        let has = count(cards[side], hand, card) > 0;
                        match found {
                            ChallengeResult::Missing if !has => joint[from] = both[from],
                            ChallengeResult::There if has && !replaces => joint[from] = both[from],
                            ChallengeResult::There if has => {
                                for (new, share) in shares.iter().enumerate() {
                                    let hand = replaced(cards[side], hand, card, new as Card);
                                    let [row, column] = match claimer {
                                        TurnSide::Actor => [hand, column],
                                        TurnSide::Other => [row, hand],
                                    };
                                    joint[row * stride + column] += both[from] * share[from];
                                }
                            }
                            _ => {}
                        }
                    }
                }
            }
            Outcome::Lost(card) => {
                let loser = self.decider();
                let mut left = cards;
                left[loser.index()] = 1;
                shape = Shape::new(left);
                for row in 0..rows {
                    for column in 0..columns {
                        let hand = [row, column][loser.index()];
                        if count(2, hand, card) == 0 {
                            continue;
                        }
                        let [low, high] = PAIR_CARDS[hand];
                        let chances = [low, high].into_iter().enumerate();
                        let chance: f32 = chances
                            .filter(|(_, lost)| *lost == card)
                            .map(|(choice, _)| strategy[choice * self.layout.lanes + hand])
                            .sum();
                        let hand = usize::from(other_card(hand, card));
                        let to = match loser {
                            TurnSide::Actor => [hand, column],
                            TurnSide::Other => [row, hand],
                        };
                        joint[to[0] * shape.stride + to[1]] +=
                            self.joint[row * stride + column] * chance;
                    }
                }
            }
            Outcome::Exchanged => {
                let choices = self.layout.choices;
                let keeps = &exchanges(cards[0]).keeps;
                for (all, keeps) in keeps.iter().enumerate() {
                    let together = &self.together[all * stride..][..stride];
                    let chances = &strategy[all * choices..][..choices];
                    for (chance, kept) in chances.iter().zip(keeps) {
                        let sums = &mut joint[usize::from(*kept) * stride..][..stride];
                        for (sum, together) in sums.iter_mut().zip(together) {
                            *sum += chance * together;
                        }
                    }
                }
            }
        }
        if !normalise(&mut joint[..shape.len()]) {
            return None;
        }
        Some(match turned {
            Turned::No => (next, turned, joint),
            Turned::Yes => {
                let mut other = ZERO;
                turn(&joint, shape, 1.0, &mut other);
                (next, turned, other)
            }
        })
    }

    /// The chance of each pair of hands and this choice.
    fn chosen(&self, choice: usize, strategy: &[f32], to: &mut Block) {
        let Shape { rows, stride, .. } = self.shape();
        let chances = &strategy[choice * self.layout.lanes..][..self.layout.lanes];
        for row in 0..rows {
            let joint = &self.joint[row * stride..][..stride];
            let sums = &mut to[row * stride..][..stride];
            match self.decider() {
                TurnSide::Actor => {
                    for (sum, joint) in sums.iter_mut().zip(joint) {
                        *sum += joint * chances[row];
                    }
                }
                TurnSide::Other => {
                    for ((sum, joint), chance) in sums.iter_mut().zip(joint).zip(chances) {
                        *sum += joint * chance;
                    }
                }
            }
        }
    }
}
