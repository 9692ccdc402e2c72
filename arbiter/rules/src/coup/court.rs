//! The course of a turn at a court: several seats answer an action, and each may doubt a block.
//!
//! An action is paid at once, and everyone else owes an answer to it, the target last. Whatever
//! follows by itself is a debt like any other, so the order of the stack is the order of the turn:
//!
//! ```text
//! 0 steal 2        end 0, effect 0, answer 2, answer 3, answer 1
//! 1 pass           end 0, effect 0, answer 2, answer 3
//! 3 challenge      end 0, effect 0, block 2, doubt 3, prove 0 captain
//! 0 show captain   end 0, effect 0, block 2, lose 3, replace 0 captain
//! (nature draws)   end 0, effect 0, block 2, lose 3
//! 3 lose duke      end 0, effect 0, block 2
//! 2 block captain  end 0, effect 0, stand 2 captain, accept 1 captain, accept 0 captain, accept 3 captain
//! ```
//!
//! A block that stands takes `effect` out of the stack, an action whose claim was false everything but
//! `end`. The seat of `end` has the turn, so that debt stays at the bottom, also when that seat is gone.

use crate::coup::debt::Debt;
use crate::coup::game::Coup;
use crate::coup::hand::Character;
use crate::coup::notation::{Action, Event, Move};
use crate::coup::turns::MOST_DECISIONS_A_SEAT;
use crate::seat::Seat;

impl Coup {
    /// Settles what was due at a court by a legal move.
    pub(super) fn settle_at_court(&mut self, actor: Seat, debt: Debt, mv: Move) {
        let seat = debt.seat();
        match (mv, debt) {
            (Move::Act(action), _) => self.announce(actor, action),
            (Move::Challenge, Debt::Accept(_, card)) => {
                self.owed.retain(|debt| !matches!(debt, Debt::Accept(..)));
                if let Some(Debt::Stand(blocker, _)) = self.owed.pop() {
                    self.owed.extend([Debt::Doubt(seat), Debt::Prove(blocker, card)]);
                }
            }
            (Move::Challenge, _) => self.doubt_action(actor, seat),
            (Move::Block(card), _) => {
                self.owed.retain(|debt| !matches!(debt, Debt::Answer(_)));
                self.owed.push(Debt::Stand(seat, card));
                let others = self.others_from(seat).rev();
                self.owed.extend(others.map(|other| Debt::Accept(other, card)));
            }
            (Move::Show(card), _) => self.prove_at_court(actor, seat, card),
            (Move::Lose(card), Debt::Prove(..)) => {
                self.owed.pop();
                if seat == actor {
                    self.owed.retain(|debt| matches!(debt, Debt::End(_)));
                    let refund = self.action.map_or(0, Action::cost);
                    let coins = &mut self.players[actor].coins;
                    *coins = coins.saturating_add(refund);
                }
                self.give_up(seat, card);
            }
            (Move::Lose(card), Debt::Answer(_) | Debt::Block(_)) => {
                self.stop_effect();
                self.give_up(seat, card);
            }
            (Move::Lose(card), _) => self.give_up(seat, card),
            (Move::Keep(cards), _) => self.players[seat].hand = cards,
            (Move::Pass | Move::End, _) => {}
        }
    }

    /// Begins a turn: the action is paid, and will take effect unless someone stops it.
    fn announce(&mut self, actor: Seat, action: Action) {
        self.action = Some(action);
        let coins = &mut self.players[actor].coins;
        *coins = coins.saturating_sub(action.cost());
        self.owed.extend([Debt::End(actor), Debt::Effect(actor)]);
        if action.claim().is_none() && action.blockers().is_empty() {
            return;
        }
        let target = action.target().filter(|target| self.is_in(*target));
        self.owed.extend(target.map(Debt::Answer));
        let others = self.others_from(actor).rev().filter(|other| Some(*other) != target);
        self.owed.extend(others.map(Debt::Answer));
    }

    /// The claim of the action is challenged. If it is true, its target may still block.
    fn doubt_action(&mut self, actor: Seat, challenger: Seat) {
        let Some(action) = self.action else { return };
        self.owed.retain(|debt| !matches!(debt, Debt::Answer(_)));
        let target = action.target().filter(|_| !action.blockers().is_empty());
        self.owed.extend(target.map(Debt::Block));
        self.owed.push(Debt::Doubt(challenger));
        self.owed.extend(action.claim().map(|claim| Debt::Prove(actor, claim)));
    }

    /// The challenged card is shown and replaced, and then the challenger gives one up.
    fn prove_at_court(&mut self, actor: Seat, seat: Seat, shown: Character) {
        let challenger = self.owed.pop().map(Debt::seat);
        if seat != actor {
            self.stop_effect();
        }
        self.owed.extend(challenger.map(Debt::Lose));
        self.owed.push(Debt::Replace(seat, shown));
    }

    fn stop_effect(&mut self) {
        self.owed.retain(|debt| !matches!(debt, Debt::Effect(_)));
    }

    /// Takes a card from a seat. One that has lost all is gone, and so are its coins.
    fn give_up(&mut self, seat: Seat, card: Character) {
        self.surrender(seat, card);
        if !self.is_in(seat) {
            self.players[seat].coins = 0;
        }
    }

    /// Lets the action happen that nothing has stopped.
    fn take_effect(&mut self, actor: Seat) {
        match self.action {
            Some(Action::Coup(target) | Action::Assassinate(target)) => {
                self.owed.push(Debt::Lose(target));
            }
            Some(Action::Exchange) => {
                self.owed.extend([Debt::Keep(actor), Debt::Draw(actor)]);
            }
            Some(action) => self.receive(actor, action),
            None => {}
        }
    }

    /// Goes on after a decision at a court: does what follows by itself, and ends the turn or the
    /// game.
    pub(super) fn go_on_at_court(&mut self, actor: Seat, events: &mut Vec<Event>) {
        let winner = self.winner();
        let most = MOST_DECISIONS_A_SEAT.saturating_mul(self.players.count() as u32);
        if winner.is_some() || self.decisions >= most {
            self.owed.clear();
            self.action = None;
            events.push(Event::Winner(winner));
            return;
        }
        while let Some(debt) = self.due() {
            match debt {
                Debt::End(_) | Debt::Doubt(_) | Debt::Pay(_) => {}
                Debt::Effect(seat) => {
                    self.owed.pop();
                    self.take_effect(seat);
                    continue;
                }
                Debt::Stand(..) => self.stop_effect(),
                // A seat that is gone owes nothing any more.
                _ if !self.is_in(debt.seat()) => {}
                _ => break,
            }
            self.owed.pop();
        }
        if self.owed.is_empty() {
            self.action = None;
            self.owed.extend(self.others_from(actor).next().map(Debt::Act));
        }
    }
}
