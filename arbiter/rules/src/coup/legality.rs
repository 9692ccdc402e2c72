//! Legal moves: a move is checked directly, and the list is found by trying all moves.

use std::collections::BTreeSet;

use crate::coup::debt::Debt;
use crate::coup::game::{Coup, opponent};
use crate::coup::hand::{Character, Hand};
use crate::coup::notation::{Action, Illegal, Move, RICH};
use crate::coup::options::Rules;
use crate::seat::Seat;

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

impl Action {
    /// Checks that the coins allow it: those of the seat, and those in the purse of the other.
    ///
    /// ```
    /// use rules::coup::Action;
    ///
    /// assert!(Action::Tax.check_coins(9, 0).is_ok());
    /// assert!(Action::Tax.check_coins(10, 0).is_err(), "it must coup");
    /// ```
    ///
    /// # Errors
    ///
    /// The rule that forbids it.
    pub fn check_coins(self, coins: u32, purse: u32) -> Result<(), Illegal> {
        match self {
            Action::Coup(_) if coins >= RICH => Ok(()),
            _ if coins >= RICH => Err(Illegal::MustCoup(coins)),
            _ if coins < self.cost() => Err(Illegal::TooDear { action: self, coins }),
            Action::Steal(target) if purse == 0 => Err(Illegal::EmptyPurse(target)),
            _ => Ok(()),
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
