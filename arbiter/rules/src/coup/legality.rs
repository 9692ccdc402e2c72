//! Legal moves: a move is checked directly, and the list is found by trying all moves.

use std::collections::BTreeSet;

use crate::coup::debt::Debt;
use crate::coup::game::{Coup, opponent};
use crate::coup::hand::{Character, Hand};
use crate::coup::moves::{Action, Move};
use crate::coup::options::Rules;
use crate::seat::Seat;

/// The rule that a move breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages tell the fields")]
pub enum Illegal {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// It answers another question.
    #[error("`{found}` is no answer here: expected {}", expected(*.asked))]
    Elsewhere { found: Move, asked: Debt },
    /// A seat that is rich must coup.
    #[error("with {0} coins the only action is coup")]
    MustCoup(u32),
    /// The action costs more than there is.
    #[error("`{action}` costs {}, but there are {coins} coins", action.cost())]
    TooDear { action: Action, coins: u32 },
    /// The action is not aimed at the other seat.
    #[error("`{action}` is aimed at a wrong seat: expected {expected}")]
    WrongTarget { action: Action, expected: Seat },
    /// The action is not aimed at another seat that is still in.
    #[error("`{0}` is aimed at a wrong seat: expected another seat that holds a card")]
    NoTarget(Action),
    /// Another seat is the target, and only a target blocks this action.
    #[error("`{0}` is aimed at another seat, which alone can block it")]
    NotItsTarget(Action),
    /// There is nothing to steal.
    #[error("seat {0} has no coin to steal")]
    EmptyPurse(Seat),
    /// The action rests on no claim.
    #[error("`{0}` claims no card that could be challenged")]
    NoClaim(Action),
    /// The character does not block the action.
    #[error("{character} does not block `{action}`")]
    NoBlock { character: Character, action: Action },
    /// The card is not in the hand.
    #[error("{0} is not in the hand")]
    NotHeld(Character),
    /// Another card was challenged.
    #[error("{found} was not challenged: expected {challenged}")]
    NotChallenged { found: Character, challenged: Character },
    /// The challenged card is there and must be shown.
    #[error("the challenged {0} is in the hand: expected `show {0}`")]
    MustShow(Character),
    /// The number of cards is wrong.
    #[error("expected {expected} cards to keep, found {}", found.len())]
    WrongNumber { expected: usize, found: Hand },
    /// Not all of these cards are there.
    #[error("not all in the hand: {0}")]
    NotAllHeld(Hand),
}

/// Name of the move that settles a debt.
fn expected(debt: Debt) -> &'static str {
    match debt {
        Debt::Act(_) => "an action",
        Debt::Answer(_) => "an answer to the action",
        Debt::Block(_) => "a block, or an answer that lets the action happen",
        Debt::Accept(..) => "`pass` or `challenge`",
        Debt::Prove(..) => "the challenged card or the loss of another",
        Debt::Keep(_) => "`keep CARDS`",
        Debt::Lose(_) => "`lose CARD`",
        Debt::End(_) => "`end`",
        Debt::Deal(_) | Debt::Replace(..) | Debt::Draw(_) | Debt::Pay(_) => "nothing",
        Debt::Stand(..) | Debt::Doubt(_) | Debt::Effect(_) => "nothing",
    }
}

/// Number of cards that an exchange draws.
const DRAWN: usize = 2;

impl Coup {
    /// Checks a move that is to settle the last debt.
    pub(super) fn check_move(&self, mv: &Move) -> Result<(), Illegal> {
        let debt = self.due().filter(|debt| debt.cards().is_none()).ok_or(Illegal::NoTurn)?;
        let elsewhere = Err(Illegal::Elsewhere { found: *mv, asked: debt });
        let hand = self.hand(debt.seat());
        let rules = self.rules;
        match (debt, *mv) {
            (Debt::Act(seat), Move::Act(action)) => self.check_action(seat, action),
            (Debt::Block(_), Move::Challenge) => elsewhere,
            (Debt::Answer(seat) | Debt::Block(seat), _) => match self.action() {
                Some(action) => self.check_answer(action, seat, mv).unwrap_or(elsewhere),
                None => elsewhere,
            },
            (Debt::Accept(..), Move::Pass | Move::Challenge) => Ok(()),
            (Debt::Prove(_, challenged), Move::Show(found)) if found != challenged => {
                Err(Illegal::NotChallenged { found, challenged })
            }
            (Debt::Prove(_, challenged), Move::Lose(_)) if hand.contains(challenged) => {
                Err(Illegal::MustShow(challenged))
            }
            (Debt::Prove(..), Move::Show(card) | Move::Lose(card))
            | (Debt::Lose(_), Move::Lose(card)) => held(hand, card),
            (Debt::Keep(_), Move::Keep(cards)) => kept(hand, cards),
            (Debt::End(_), Move::End) if rules == Rules::Contest => Ok(()),
            _ => elsewhere,
        }
    }

    fn check_action(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let purse = match (action.target(), self.rules) {
            (Some(target), Rules::Contest) if target != opponent(seat) => {
                return Err(Illegal::WrongTarget { action, expected: opponent(seat) });
            }
            (Some(target), Rules::Court(_)) if !self.is_target(seat, target) => {
                return Err(Illegal::NoTarget(action));
            }
            (target, _) => target.map_or(0, |target| self.coins(target)),
        };
        action.check_coins(self.coins(seat), purse)
    }

    /// Returns true if an action of this seat can be aimed at the other one.
    fn is_target(&self, seat: Seat, target: Seat) -> bool {
        target != seat && self.players.has(target) && self.is_in(target)
    }

    /// Checks the answer of a seat to the action; `None` if it is not an answer at all.
    fn check_answer(&self, action: Action, seat: Seat, mv: &Move) -> Option<Result<(), Illegal>> {
        let hand = self.hand(seat);
        let is_concerned = match self.rules {
            Rules::Contest => true,
            Rules::Court(_) => action.target().is_none_or(|target| target == seat),
        };
        let deadly = is_concerned && matches!(action, Action::Assassinate(_));
        match *mv {
            Move::Pass if !deadly => Some(Ok(())),
            Move::Lose(card) if deadly => Some(held(hand, card)),
            Move::Challenge if action.claim().is_none() => Some(Err(Illegal::NoClaim(action))),
            Move::Challenge => Some(Ok(())),
            Move::Block(character) if !action.blockers().contains(&character) => {
                Some(Err(Illegal::NoBlock { character, action }))
            }
            Move::Block(_) if !is_concerned => Some(Err(Illegal::NotItsTarget(action))),
            Move::Block(_) => Some(Ok(())),
            _ => None,
        }
    }

    /// Appends the legal moves in canonical order.
    pub(super) fn list_moves(&self, moves: &mut Vec<Move>) {
        let Some(debt) = self.due() else { return };
        let legal = |mv: &Move| self.check_move(mv).is_ok();
        match debt {
            Debt::Act(seat) => {
                let others: Vec<Seat> = self.players.seats().filter(|it| *it != seat).collect();
                moves.extend(Action::all_at(&others).map(Move::Act).filter(legal));
            }
            Debt::Keep(seat) => moves.extend(choices(self.hand(seat))),
            _ => {
                let each = |make: fn(Character) -> Move| Character::ALL.into_iter().map(make);
                let answers = [Move::Pass, Move::Challenge].into_iter();
                let cards = each(Move::Block).chain(each(Move::Show)).chain(each(Move::Lose));
                moves.extend(answers.chain(cards).chain([Move::End]).filter(legal));
            }
        }
    }
}

fn held(hand: Hand, card: Character) -> Result<(), Illegal> {
    if hand.contains(card) { Ok(()) } else { Err(Illegal::NotHeld(card)) }
}

fn kept(hand: Hand, cards: Hand) -> Result<(), Illegal> {
    let expected = hand.len().saturating_sub(DRAWN);
    if cards.len() != expected {
        return Err(Illegal::WrongNumber { expected, found: cards });
    }
    hand.without_all(cards).map(|_| ()).ok_or(Illegal::NotAllHeld(cards))
}

/// Every way to end an exchange: each choice in each order, since the order becomes the hand's.
fn choices(hand: Hand) -> impl Iterator<Item = Move> {
    let mut choices = BTreeSet::from([(Hand::EMPTY, hand)]);
    for _ in DRAWN..hand.len() {
        let longer = choices.iter().flat_map(|(kept, rest)| {
            rest.cards()
                .iter()
                .filter_map(|card| Some((kept.then(Hand::new(&[*card])?)?, rest.without(*card)?)))
        });
        choices = longer.collect();
    }
    let kept: BTreeSet<Hand> = choices.into_iter().map(|(kept, _)| kept).collect();
    kept.into_iter().map(Move::Keep)
}
