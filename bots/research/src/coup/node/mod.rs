//! One situation with all hands: what each choice is worth, and what can follow.

mod looking;
mod outcome;

pub use crate::coup::node::looking::{Source, Turned};
pub use crate::coup::node::outcome::Outcome;

use bots::coup::expert::cards::{CARDS, PAIR_CARDS, QUADS, exchanges};
use bots::coup::expert::situation::{Choice, Situation, Stage, TurnSide};

use crate::coup::block::{Block, MOST, Shape, ZERO};
use crate::coup::deck::Decks;
use crate::coup::node::looking::Looking;
use crate::coup::store::{self, Layout};

/// The most choices that do not depend on the cards.
pub const CHOICES: usize = 7;

/// The most numbers that a strategy has: those of an exchange.
pub const STRATEGY: usize = QUADS * 6;

/// A situation with the chance of each pair of hands, and what each choice is worth.
#[derive(Debug)]
pub struct Node {
    pub situation: Situation,
    /// Layout of its numbers.
    pub layout: Layout,
    /// The chance of each pair of hands.
    pub joint: Block,
    /// The values of each choice; of an exchange, in the first, those of the hands that are kept.
    worth: [Block; CHOICES],
    /// In an exchange: the chance of all cards together with each hand of the other.
    together: Box<[f32; QUADS * 16]>,
    /// Probability of each hand of the side that decides.
    pub marginal: [f32; QUADS],
    /// For each choice and hand: its worth for the side that decides, times the hand's chance.
    pub gains: Box<[f32; STRATEGY]>,
}

impl Node {
    pub fn new() -> Node {
        Node {
            situation: Situation::START,
            layout: Layout::new(&Situation::START),
            joint: ZERO,
            worth: [ZERO; CHOICES],
            together: Box::new([0.0; QUADS * 16]),
            marginal: [0.0; QUADS],
            gains: Box::new([0.0; STRATEGY]),
        }
    }

    fn shape(&self) -> Shape {
        self.layout.shape
    }

    fn decider(&self) -> TurnSide {
        self.situation.stage.decides()
    }

    pub fn hands(&self) -> usize {
        self.situation.hands()
    }

    /// The place of a choice with a hand among the numbers of a strategy.
    pub fn place(&self, choice: usize, hand: usize) -> usize {
        store::place(&self.situation, &self.layout, choice, hand)
    }

    pub fn options(&self, hand: usize) -> usize {
        self.situation.options(hand)
    }

    /// Takes a situation without looking ahead, which is enough for what can follow.
    pub fn put(&mut self, situation: &Situation, joint: &Block, decks: &Decks) {
        self.situation = *situation;
        self.layout = Layout::new(situation);
        self.joint = *joint;
        if situation.stage == Stage::Exchange {
            self.join(decks);
        }
    }

    /// Looks at a situation: what each choice is worth with each pair of hands.
    pub fn look(
        &mut self,
        situation: &Situation,
        joint: &Block,
        decks: &Decks,
        discount: f32,
        source: &impl Source,
    ) {
        self.put(situation, joint, decks);
        let looking = Looking { situation, shape: self.shape(), decks, discount, source };
        match situation.stage {
            Stage::Exchange => {
                looking.load(situation.after_exchange(), looking.shape.cards, &mut self.worth[0]);
                self.gain_of_exchange();
            }
            Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange => {
                let [low, high, ..] = &mut self.worth;
                looking.losses(low, high);
                self.gain();
            }
            _ => {
                for (choice, worth) in situation.choices().iter().zip(&mut self.worth) {
                    match choice {
                        Choice::Challenge => looking.challenge(worth),
                        choice => {
                            looking.load(situation.after(*choice), looking.shape.cards, worth)
                        }
                    }
                }
                self.gain();
            }
        }
    }

    /// Sums up, for each hand of the side that decides, what the choices are worth.
    fn gain(&mut self) {
        let Shape { rows, stride, .. } = self.shape();
        let lanes = self.layout.lanes;
        match self.decider() {
            TurnSide::Actor => {
                self.marginal = [0.0; QUADS];
                for row in 0..rows {
                    self.marginal[row] = self.joint[row * stride..][..stride].iter().sum();
                }
                for choice in 0..self.layout.choices {
                    let gains = &mut self.gains[choice * lanes..][..lanes];
                    gains.fill(0.0);
                    for (row, gain) in gains.iter_mut().enumerate().take(rows) {
                        let joint = &self.joint[row * stride..][..stride];
                        let worth = &self.worth[choice][row * stride..][..stride];
                        *gain = dot(joint, worth);
                    }
                }
            }
            TurnSide::Other => {
                self.marginal = [0.0; QUADS];
                for line in self.joint[..rows * stride].chunks_exact(stride) {
                    for (sum, chance) in self.marginal.iter_mut().zip(line) {
                        *sum += chance;
                    }
                }
                for choice in 0..self.layout.choices {
                    let gains = &mut self.gains[choice * lanes..][..lanes];
                    gains.fill(0.0);
                    let joint = self.joint[..rows * stride].chunks_exact(stride);
                    let worth = self.worth[choice][..rows * stride].chunks_exact(stride);
                    for (joint, worth) in joint.zip(worth) {
                        for ((gain, joint), worth) in gains.iter_mut().zip(joint).zip(worth) {
                            *gain -= joint * worth;
                        }
                    }
                }
            }
        }
    }

    /// Puts together the actor's cards and the drawn ones.
    fn join(&mut self, decks: &Decks) {
        let Shape { rows, stride, .. } = self.shape();
        let shares = decks.shares(&self.situation);
        let joined = &exchanges(self.shape().cards[0]).joined;
        self.together[..self.layout.lanes * stride].fill(0.0);
        for (row, joined) in joined.iter().enumerate().take(rows) {
            let joint = &self.joint[row * stride..][..stride];
            for (drawn, all) in joined.iter().enumerate() {
                let chance = drawn_chance(shares, drawn, row * stride, stride);
                let all = usize::from(*all);
                let sums = &mut self.together[all * stride..][..stride];
                for ((sum, joint), chance) in sums.iter_mut().zip(joint).zip(chance) {
                    *sum += joint * chance;
                }
            }
        }
    }

    fn gain_of_exchange(&mut self) {
        let stride = self.shape().stride;
        let choices = self.layout.choices;
        let keeps = &exchanges(self.shape().cards[0]).keeps;
        for (all, keeps) in keeps.iter().enumerate() {
            let together = &self.together[all * stride..][..stride];
            self.marginal[all] = together.iter().sum();
            let gains = &mut self.gains[all * choices..][..choices];
            gains.fill(0.0);
            for (gain, kept) in gains.iter_mut().zip(keeps) {
                let worth = &self.worth[0][usize::from(*kept) * stride..][..stride];
                *gain = dot(together, worth);
            }
        }
    }

    /// The value of each pair of hands under a strategy.
    pub fn values(&self, strategy: &[f32], decks: &Decks, to: &mut Block) {
        let Shape { rows, stride, cards, .. } = self.shape();
        let lanes = self.layout.lanes;
        to[..rows * stride].fill(0.0);
        match (self.situation.stage, self.decider()) {
            (Stage::Exchange, _) => self.values_of_exchange(strategy, decks, cards, to),
            (_, TurnSide::Actor) => {
                for choice in 0..self.layout.choices {
                    let chances = &strategy[choice * lanes..][..rows];
                    for (row, chance) in chances.iter().enumerate() {
                        let worth = &self.worth[choice][row * stride..][..stride];
                        let values = &mut to[row * stride..][..stride];
                        for (value, worth) in values.iter_mut().zip(worth) {
                            *value += chance * worth;
                        }
                    }
                }
            }
            (_, TurnSide::Other) => {
                for choice in 0..self.layout.choices {
                    let chances = &strategy[choice * lanes..][..stride];
                    let worth = self.worth[choice][..rows * stride].chunks_exact(stride);
                    let values = to[..rows * stride].chunks_exact_mut(stride);
                    for (values, worth) in values.zip(worth) {
                        for ((value, worth), chance) in values.iter_mut().zip(worth).zip(chances) {
                            *value += chance * worth;
                        }
                    }
                }
            }
        }
    }

    fn values_of_exchange(
        &self,
        strategy: &[f32],
        decks: &Decks,
        cards: [usize; 2],
        to: &mut Block,
    ) {
        let Shape { rows, stride, .. } = self.shape();
        let choices = self.layout.choices;
        let all_exchanges = exchanges(cards[0]);
        let shares = decks.shares(&self.situation);
        let mut after = [0.0; QUADS * 16];
        for (all, keeps) in all_exchanges.keeps.iter().enumerate() {
            let values = &mut after[all * stride..][..stride];
            let chances = &strategy[all * choices..][..choices];
            for (chance, kept) in chances.iter().zip(keeps) {
                let worth = &self.worth[0][usize::from(*kept) * stride..][..stride];
                for (value, worth) in values.iter_mut().zip(worth) {
                    *value += chance * worth;
                }
            }
        }
        for (row, joined) in all_exchanges.joined.iter().enumerate().take(rows) {
            for (drawn, all) in joined.iter().enumerate() {
                let chance = drawn_chance(shares, drawn, row * stride, stride);
                let all = usize::from(*all);
                let after = &after[all * stride..][..stride];
                let values = &mut to[row * stride..][..stride];
                for ((value, after), chance) in values.iter_mut().zip(after).zip(chance) {
                    *value += after * chance;
                }
            }
        }
    }
}

impl Default for Node {
    fn default() -> Self {
        Node::new()
    }
}

/// The chance that these two cards are drawn, for each hand of the other in a row.
fn drawn_chance(shares: &[Block; CARDS], drawn: usize, from: usize, stride: usize) -> [f32; 16] {
    // Of 11 cards, 110 ordered pairs can be drawn.
    const SQUARE: f32 = 121.0;
    let [low, high] = PAIR_CARDS[drawn].map(usize::from);
    let first = &shares[low][from..][..stride];
    let second = &shares[high][from..][..stride];
    let mut chances = [0.0; 16];
    for ((chance, first), second) in chances.iter_mut().zip(first).zip(second) {
        *chance = match low == high {
            true => first * (first * SQUARE - 11.0).max(0.0) / 110.0,
            false => 2.0 * SQUARE / 110.0 * first * second,
        };
    }
    chances
}

/// The sum of the products, in four parts that the processor adds up at once.
fn dot(first: &[f32], second: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let pairs = first.chunks_exact(8).zip(second.chunks_exact(8));
    for (first, second) in pairs {
        for lane in 0..8 {
            sums[lane] += first[lane] * second[lane];
        }
    }
    (sums[0] + sums[4]) + (sums[1] + sums[5]) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

const _: () = assert!(MOST == 240, "rows of whole vectors");
