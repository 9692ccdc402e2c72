//! The player of fixed chances: a few numbers decide, and the history does not.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use bots::coup::Coup;
use bots::coup::table::{SeatState, SeatStates, least_loss, worth};
use bots::{NoMove, Player, RequestPart};
use rules::coup::{Action, Character, Hand, Move, Obligation};
use rules::{Nature, Request};

pub const COUNT: usize = 26;

/// Meanings of the numbers, in their order.
pub const NAMES: [&str; COUNT] = [
    "poor: tax with the duke",
    "poor: tax without it",
    "poor: steal with the captain",
    "poor: steal without it",
    "poor: exchange with the ambassador",
    "poor: exchange without it",
    "poor: foreign aid",
    "rich: assassinate with the assassin",
    "rich: assassinate without it",
    "rich: tax with the duke",
    "rich: tax without it",
    "rich: steal with the captain",
    "rich: steal without it",
    "rich: exchange with the ambassador",
    "rich: exchange without it",
    "rich: foreign aid",
    "challenge a tax",
    "challenge a theft",
    "challenge an exchange",
    "challenge an assassination",
    "challenge a block of foreign aid",
    "challenge a block of a theft",
    "challenge a block of an assassination",
    "block foreign aid without the duke",
    "block a theft without a card against it",
    "block an assassination without the contessa",
];

/// The first number of a seat that cannot pay an assassin.
pub(super) const POOR: usize = 0;
/// The first number of a seat that can.
pub(super) const RICH: usize = 7;
/// The first number of challenges.
pub(super) const CHALLENGE: usize = 16;
/// The first number of challenges of blocks.
pub(super) const DOUBT: usize = 20;
/// The first number of false blocks.
pub(super) const BLUFF: usize = 23;

/// Chances in per cent, by which a player plays that remembers nothing.
///
/// - With seven coins it makes a coup. Else it goes through the actions, and takes each with its
///   chance, which depends on whether it holds the card: assassinate, tax, steal, exchange, foreign
///   aid; if none is taken, income. It is *rich* with three coins.
/// - It challenges a claim of a card whose three copies it sees, in its hand or lost. It blocks
///   whatever it holds a card against. Else it challenges, or else blocks, as its chances have it.
/// - It gives up the card of the least [worth], and keeps those of the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chances(pub [u8; COUNT]);

impl Chances {
    /// Start of climbing: nearly always what the cards allow, now and then a lie.
    pub const START: Chances = Chances([
        90, 25, 90, 25, 30, 10, 50, // poor
        90, 25, 90, 25, 90, 25, 30, 10, 50, // rich
        20, 20, 20, 20, // challenges
        30, 30, 30, // challenges of blocks
        25, 25, 50, // false blocks
    ]);

    fn is_taken(&self, place: usize, nature: &mut Nature) -> bool {
        const HUNDRED: NonZeroU32 = NonZeroU32::MIN.saturating_add(99);
        nature.below(HUNDRED) < u32::from(self.0[place])
    }

    fn action(
        &self,
        request: &Request<Coup>,
        own: &SeatState,
        nature: &mut Nature,
    ) -> Option<Move> {
        let legal = || request.legal.iter().copied();
        let hand = request.view.hand;
        if let Some(coup) = legal().find(|mv| matches!(mv, Move::Act(Action::Coup(_)))) {
            return Some(coup);
        }
        // By their order here, not by the order of legal moves.
        for rank in 0..5 {
            let of_rank = |mv: &Move| matches!(mv, Move::Act(act) if rank_of(*act) == Some(rank));
            let Some(mv) = legal().find(of_rank) else { continue };
            let Move::Act(action) = mv else { continue };
            let lies = action.claim().is_some_and(|card| !hand.contains(card));
            let first = if own.coins < 3 { POOR } else { RICH + 2 };
            let place = match rank {
                0 => RICH,
                rank => first + 2 * (rank - 1),
            };
            if self.is_taken(place + usize::from(lies), nature) {
                return Some(mv);
            }
        }
        legal().find(|mv| *mv == Move::Act(Action::Income))
    }

    fn answer(
        &self,
        request: &Request<Coup>,
        table: &SeatStates,
        nature: &mut Nature,
    ) -> Option<Move> {
        let view = &request.view;
        let may = |mv: Move| request.legal.contains(&mv).then_some(mv);
        let honest = request.legal.iter().filter_map(|mv| match mv {
            Move::Block(card) if view.hand.contains(*card) => Some((worth(*card), *mv)),
            _ => None,
        });
        let (doubt, bluff) = self.places(view.action?, view.owed.last()?);
        let seen = view.claim().is_some_and(|(_, card)| sees_all(card, view.hand, table));
        if let Some(challenge) = may(Move::Challenge).filter(|_| seen) {
            return Some(challenge);
        }
        if let Some((_, block)) = honest.min() {
            return Some(block);
        }
        let doubts = doubt.is_some_and(|place| self.is_taken(place, nature));
        if let Some(challenge) = may(Move::Challenge).filter(|_| doubts) {
            return Some(challenge);
        }
        let blocks: Vec<Move> =
            request.legal.iter().copied().filter(|mv| matches!(mv, Move::Block(_))).collect();
        let bluffs = bluff.is_some_and(|place| self.is_taken(place, nature));
        if let Some(block) = nature.choose(&blocks).filter(|_| bluffs) {
            return Some(*block);
        }
        // To give up the last card is no answer at all.
        let is_last = view.hand.len() == 1;
        may(Move::Pass).or_else(|| may(Move::Challenge).filter(|_| is_last))
    }

    /// The numbers of the challenge and of the false block that a debt may be answered with.
    fn places(&self, action: Action, owed: &Obligation) -> (Option<usize>, Option<usize>) {
        match (owed, action) {
            (Obligation::Answer(_), Action::Tax) => (Some(CHALLENGE), None),
            (Obligation::Answer(_), Action::Steal(_)) => (Some(CHALLENGE + 1), Some(BLUFF + 1)),
            (Obligation::Answer(_), Action::Exchange) => (Some(CHALLENGE + 2), None),
            (Obligation::Answer(_), Action::Assassinate(_)) => {
                (Some(CHALLENGE + 3), Some(BLUFF + 2))
            }
            (Obligation::Answer(_), Action::ForeignAid) => (None, Some(BLUFF)),
            (Obligation::Accept(..), Action::ForeignAid) => (Some(DOUBT), None),
            (Obligation::Accept(..), Action::Steal(_)) => (Some(DOUBT + 1), None),
            (Obligation::Accept(..), Action::Assassinate(_)) => (Some(DOUBT + 2), None),
            _ => (None, None),
        }
    }
}

/// The place of an action among those that are gone through.
fn rank_of(action: Action) -> Option<usize> {
    match action {
        Action::Assassinate(_) => Some(0),
        Action::Tax => Some(1),
        Action::Steal(_) => Some(2),
        Action::Exchange => Some(3),
        Action::ForeignAid => Some(4),
        Action::Income | Action::Coup(_) => None,
    }
}

/// Returns true if all three copies of a card are in this hand or lost.
fn sees_all(card: Character, hand: Hand, table: &SeatStates) -> bool {
    let count = |hand: Hand| hand.into_iter().filter(|other| *other == card).count();
    count(hand) + count(table.own.lost) + count(table.other.lost) >= 3
}

impl Player<Coup> for Chances {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        let is_turn = request.legal.iter().any(|mv| matches!(mv, Move::Act(_)));
        let found = SeatStates::read(request).and_then(|table| match is_turn {
            true => self.action(request, &table.own, &mut nature),
            false => self.answer(request, &table, &mut nature),
        });
        found
            .or_else(|| least_loss(request.view.hand, &request.legal))
            .or(request.legal.first().copied())
            .ok_or(NoMove)
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::LegalMoves]
    }
}

/// The numbers, in their order, separated by commas.
impl fmt::Display for Chances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(u8::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

impl FromStr for Chances {
    type Err = NoChances;

    fn from_str(text: &str) -> Result<Self, NoChances> {
        let number = |word: &str| word.trim().parse().ok().filter(|chance: &u8| *chance <= 100);
        let numbers: Option<Vec<u8>> = text.split(',').map(number).collect();
        numbers.and_then(|numbers| numbers.try_into().ok()).map(Chances).ok_or(NoChances)
    }
}

/// A text does not say what the chances are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {COUNT} numbers from 0 to 100, with commas between them")]
pub struct NoChances;
