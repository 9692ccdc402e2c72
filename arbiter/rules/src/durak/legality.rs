//! Legal moves: a move is checked directly, and the list is found by trying the cards of the hand.

use crate::card::{Card, Suit};
use crate::durak::bout::{Bout, Phase, beats};
use crate::durak::game::Durak;
use crate::durak::notation::{Illegal, Move};
use crate::durak::options::Transfer;

impl Durak {
    /// Checks a decision of the seat whose turn it is.
    pub(super) fn check_move(&self, mv: &Move) -> Result<(), Illegal> {
        let (Some(bout), Some(trumps)) = (self.bout(), self.trumps()) else {
            return Err(Illegal::NoTurn);
        };
        let rule = match (bout.phase(), *mv) {
            (Phase::Lead, Move::Lead(_))
            | (Phase::Defend, Move::Take)
            | (Phase::Throw(_) | Phase::Load(_), Move::Done) => Ok(()),
            (Phase::Defend, Move::Beat(card)) => check_beat(bout, card, trumps),
            (Phase::Defend, Move::Transfer(card)) => self.check_transfer(bout, card),
            (Phase::Throw(_) | Phase::Load(_), Move::Throw(card)) => {
                let fits = bout.table().has_rank(card.rank());
                if fits { Ok(()) } else { Err(Illegal::NotOnTable(card)) }
            }
            (phase, found) => Err(Illegal::Elsewhere { found, expected: self.expected_in(phase) }),
        };
        match mv.card() {
            // A card that is not in the hand is a clearer reason than the rule that it would break.
            Some(card) if !matches!(rule, Err(Illegal::Elsewhere { .. })) => {
                let held = self.hand(bout.turn()).contains(card);
                if held { rule } else { Err(Illegal::NotInHand(card)) }
            }
            _ => rule,
        }
    }

    fn check_transfer(&self, bout: &Bout, card: Card) -> Result<(), Illegal> {
        let attacks = bout.table().attacks();
        let (Some(&attack), Some(next)) = (attacks.first(), self.next_in(bout.defender())) else {
            return Err(Illegal::NoTurn);
        };
        let limit = self.limit_against(next);
        match self.options().transfer {
            Transfer::Off => Err(Illegal::TransferOff),
            _ if !bout.table().beats().is_empty() => Err(Illegal::TooLateToTransfer),
            _ if attack.rank() != card.rank() => Err(Illegal::OtherRank { card, attack }),
            _ if attacks.len() >= limit => {
                Err(Illegal::TooManyToTransfer { next, limit, attacks: attacks.len() + 1 })
            }
            _ => Ok(()),
        }
    }

    /// Name of the decision in a phase.
    fn expected_in(&self, phase: Phase) -> &'static str {
        match (phase, self.options().transfer) {
            (Phase::Lead, _) => "`lead CARD`",
            (Phase::Defend, Transfer::Off) => "`beat CARD` or `take`",
            (Phase::Defend, Transfer::On) => "`beat CARD`, `transfer CARD` or `take`",
            (Phase::Throw(_) | Phase::Load(_), _) => "`throw CARD` or `done`",
        }
    }

    /// Appends the legal moves in canonical order: never more than three for each card of a hand
    /// and one without a card.
    pub(super) fn list_moves(&self, moves: &mut Vec<Move>) {
        let Some(bout) = self.bout() else { return };
        let hand = self.hand(bout.turn());
        let mut append = |make: fn(Card) -> Move| {
            moves.extend(hand.iter().map(make).filter(|mv| self.check_move(mv).is_ok()));
        };
        match bout.phase() {
            Phase::Lead => append(Move::Lead),
            Phase::Defend => {
                append(Move::Beat);
                append(Move::Transfer);
                moves.push(Move::Take);
            }
            Phase::Throw(_) | Phase::Load(_) => {
                append(Move::Throw);
                moves.push(Move::Done);
            }
        }
    }

    /// Returns true if a seat is offered to throw and holds no card that it could.
    pub(super) fn cannot_throw(&self) -> bool {
        self.bout().is_some_and(|bout| match bout.phase() {
            Phase::Throw(seat) | Phase::Load(seat) => {
                !self.hand(seat).iter().any(|card| bout.table().has_rank(card.rank()))
            }
            Phase::Lead | Phase::Defend => false,
        })
    }

    /// Move of a seat that no one plays for: it leads its lowest card, trumps last, and otherwise
    /// does nothing.
    pub(super) fn idle_move(&self) -> Option<Move> {
        let bout = self.bout()?;
        match bout.phase() {
            Phase::Lead => {
                let is_trump = |card: &Card| Some(card.suit()) == self.trumps();
                let lowest =
                    self.hand(bout.turn()).iter().min_by_key(|card| (is_trump(card), *card));
                lowest.map(Move::Lead)
            }
            Phase::Defend => Some(Move::Take),
            Phase::Throw(_) | Phase::Load(_) => Some(Move::Done),
        }
    }
}

fn check_beat(bout: &Bout, card: Card, trumps: Suit) -> Result<(), Illegal> {
    let attack = bout.table().unbeaten().ok_or(Illegal::NoTurn)?;
    match beats(card, attack, trumps) {
        true => Ok(()),
        false if attack.suit() == trumps => Err(Illegal::DoesNotBeatTrump { card, attack }),
        false => Err(Illegal::DoesNotBeat { card, attack }),
    }
}
