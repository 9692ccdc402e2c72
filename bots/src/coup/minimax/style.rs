//! Styles of opponents: likely choices for each hand.
//!
//! The play of an opponent is unknown, so it is taken to have one of a few styles, each a way to
//! [act](Acting) and a way to [answer](Answering). The history says which styles and which hands
//! are likely, at the same time: a seat that was caught twice may hold anything.

use rules::Seat;
use rules::coup::{Action, Character};

use crate::coup::minimax::holding::Holding;
use crate::coup::worth::worth;

/// An opponent's way to choose actions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Acting {
    /// By what its cards and coins make good; the number is the worth of a false claim, in true ones.
    Bluffing(f64),
    /// Any legal action.
    Random,
}

/// An opponent's way to answer claims.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answering {
    /// By chances of its own.
    Sensible {
        /// Blocks without the card.
        bluff: f64,
        /// Challenges an action.
        challenge: f64,
        /// Challenges a block.
        doubt: f64,
    },
    /// Any legal answer.
    Random,
}

/// A style, and how likely an opponent has it before anything is known of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Its way to choose actions.
    pub acting: Acting,
    /// Its way to answer claims.
    pub answering: Answering,
    /// Its probability.
    pub chance: f64,
}

/// Rate of making a true block, unless the claim is challenged.
const HONEST_BLOCK: f64 = 0.97;

const HONEST: Acting = Acting::Bluffing(0.03);
const SLY: Acting = Acting::Bluffing(0.35);
const TRUSTING: Answering = Answering::Sensible { bluff: 0.02, challenge: 0.02, doubt: 0.05 };
const CAREFUL: Answering = Answering::Sensible { bluff: 0.2, challenge: 0.15, doubt: 0.3 };
const DOUBTS_BLOCKS: Answering = Answering::Sensible { bluff: 0.02, challenge: 0.1, doubt: 0.95 };
const DOUBTS_ALL: Answering = Answering::Sensible { bluff: 0.1, challenge: 0.95, doubt: 0.95 };

const STYLES: [(Acting, Answering, f64); Style::COUNT] = [
    (HONEST, TRUSTING, 0.15),
    (HONEST, DOUBTS_BLOCKS, 0.1),
    (SLY, TRUSTING, 0.1),
    (SLY, CAREFUL, 0.2),
    (SLY, DOUBTS_BLOCKS, 0.15),
    (HONEST, DOUBTS_ALL, 0.05),
    (Acting::Random, DOUBTS_ALL, 0.1),
    (Acting::Random, Answering::Random, 0.15),
];

impl Style {
    /// Number of styles.
    pub const COUNT: usize = 8;

    /// Every style.
    pub fn all() -> [Style; Style::COUNT] {
        STYLES.map(|(acting, answering, chance)| Style { acting, answering, chance })
    }
}

/// The situation that an opponent answers to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpponentView {
    /// The current action.
    pub action: Action,
    /// Number of cards of the claimed character that it cannot see: neither lost nor in its hand.
    pub unseen: u32,
}

/// Probabilities of answers to an action.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Answers {
    /// Probability that it lets the action pass.
    pub pass: f64,
    /// Probability that it challenges.
    pub challenge: f64,
    /// Probability that it blocks with each of the characters that can.
    pub block: [f64; 2],
}

/// The legal actions of a side, by its coins and those of the other.
///
/// With two seats it does not matter whom they are aimed at.
pub fn legal_actions(coins: u32, purse: u32) -> impl Iterator<Item = Action> + Clone {
    let is_legal = move |action: &Action| action.check_coins(coins, purse).is_ok();
    Seat::first(1).flat_map(Action::all).filter(is_legal)
}

impl Acting {
    /// Weight of an action for an opponent with these cards.
    pub fn weight(self, action: Action, holding: Holding, purse: u32) -> f64 {
        let Acting::Bluffing(bluff) = self else { return 1.0 };
        let good = match action {
            Action::Coup(_) => 20.0,
            Action::Assassinate(_) => 8.0,
            Action::Tax => 4.0,
            Action::Steal(_) if purse > 1 => 3.0,
            Action::Steal(_) => 1.0,
            Action::Exchange => 1.5,
            Action::ForeignAid => 1.0,
            Action::Income => 0.2,
        };
        match action.claim() {
            Some(claim) if !holding.contains(claim) => good * bluff,
            _ => good,
        }
    }
}

impl Answering {
    /// Answers of an opponent with these cards to an action.
    pub fn answers(self, asked: OpponentView, holding: Holding) -> Answers {
        let OpponentView { action, unseen } = asked;
        let blockers = action.blockers();
        let claimed = action.claim().is_some();
        let mut answers = Answers { pass: 1.0, challenge: 0.0, block: [0.0; 2] };
        let Answering::Sensible { bluff, challenge, .. } = self else {
            let count = 1 + usize::from(claimed) + blockers.len();
            answers.pass = 1.0 / count as f64;
            answers.challenge = if claimed { answers.pass } else { 0.0 };
            blockers.iter().zip(&mut answers.block).for_each(|(_, block)| *block = answers.pass);
            return answers;
        };
        let deadly = matches!(action, Action::Assassinate(_));
        // To give up the last card is no answer at all.
        let last = deadly && holding.size() == 1;
        let held = blockers.iter().filter(|card| holding.contains(**card)).count();
        answers.challenge = match unseen {
            _ if !claimed => 0.0,
            0 => 1.0,
            _ => challenge,
        };
        let left = 1.0 - answers.challenge;
        let blocks = match held {
            _ if blockers.is_empty() => 0.0,
            0 if last => left * (0.3 + bluff).min(1.0),
            0 if deadly => left * (2.0 * bluff).min(1.0),
            0 => left * bluff,
            _ => left * HONEST_BLOCK,
        };
        for (card, block) in blockers.iter().zip(&mut answers.block) {
            *block = match held {
                0 => blocks / blockers.len() as f64,
                _ if holding.contains(*card) => blocks / held as f64,
                _ => 0.0,
            };
        }
        answers.pass = left - blocks;
        if last {
            answers.challenge += answers.pass;
            answers.pass = 0.0;
        }
        answers
    }

    /// Chance that an opponent challenges a block, with `unseen` cards of its character out of its
    /// sight.
    pub fn doubt(self, unseen: u32) -> f64 {
        match self {
            Answering::Random => 0.5,
            Answering::Sensible { .. } if unseen == 0 => 1.0,
            Answering::Sensible { doubt, .. } => doubt,
        }
    }
}

/// Probability that an opponent that must lose a card gives up this one.
pub fn gives_up(holding: Holding, card: Character) -> f64 {
    match holding.without(card) {
        _ if !holding.contains(card) => 0.0,
        None => 1.0,
        Some(rest) if rest.contains(card) => 1.0,
        Some(rest) => {
            let better = rest.cards().iter().any(|other| worth(*other) > worth(card));
            if better { 0.7 } else { 0.3 }
        }
    }
}
