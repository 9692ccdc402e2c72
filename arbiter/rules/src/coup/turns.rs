//! The course of a turn: what every decision settles, and what it makes others owe, in the contest and at a court.
//!
//! At a court several seats answer an action, and each may doubt a block. An action is paid at once, and everyone else
//! owes an answer to it, the target last. Whatever follows by itself is a debt like any other, so the order of the stack
//! is the order of the turn:
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

use std::collections::BTreeSet;

use crate::coup::game::{Coup, opponent};
use crate::coup::hand::{Character, Hand};
use crate::coup::notation::{Action, Event, IllegalMove, Move, RICH};
use crate::coup::obligation::Obligation;
use crate::coup::options::CoupRules;
use crate::seat::Seat;

/// After this number of decisions for each seat without a winner, the game is a draw.
const MOST_DECISIONS_A_SEAT: u32 = 100;

impl Coup {
    /// Lets the seat that is due decide. The move is a legal one.
    pub(super) fn decide(&mut self, mv: Move, events: &mut Vec<Event>) {
        let actor = self.owed.first().map(|debt| debt.seat());
        let (Some(actor), Some(debt)) = (actor, self.owed.pop()) else { return };
        events.push(Event::Move { seat: debt.seat(), mv });
        let decisions = self.decisions.saturating_add(1);
        match self.rules {
            CoupRules::Contest => {
                self.settle(actor, debt, mv, events);
                self.decisions = decisions;
                self.go_on(actor, events);
            }
            CoupRules::Court(_) => {
                self.settle_at_court(actor, debt, mv);
                self.decisions = decisions;
                self.go_on_at_court(actor, events);
            }
        }
    }

    fn cost(&self) -> u32 {
        self.action.map_or(0, Action::cost)
    }

    /// Begins a turn: its possible effects are owed from here on.
    fn act(&mut self, actor: Seat, action: Action) {
        let other = opponent(actor);
        if action == Action::Income {
            self.receive(actor, action);
            return;
        }
        self.action = Some(action);
        match action {
            Action::Exchange => {
                self.owed.extend([Obligation::Keep(actor), Obligation::Draw(actor)])
            }
            _ => self.owed.push(Obligation::End(actor)),
        }
        if action.cost() > 0 {
            self.owed.push(Obligation::Pay(actor));
        }
        self.owed.push(match action {
            Action::Coup(_) => Obligation::Lose(other),
            _ => Obligation::Answer(other),
        });
    }

    /// Settles what was due by a legal move.
    fn settle(&mut self, actor: Seat, debt: Obligation, mv: Move, events: &mut Vec<Event>) {
        let seat = debt.seat();
        match (mv, debt) {
            (Move::Act(action), _) => self.act(actor, action),
            (Move::Pass, Obligation::Accept(..)) => self.stop_action(),
            (Move::Challenge, Obligation::Accept(_, block)) => {
                self.owed.push(Obligation::Prove(opponent(actor), block));
            }
            (Move::Challenge, _) => {
                let claim = self.action.and_then(Action::claim);
                self.owed.extend(claim.map(|claim| Obligation::Prove(actor, claim)));
            }
            (Move::Block(character), _) => self.owed.push(Obligation::Accept(actor, character)),
            (Move::Show(character), _) => self.prove(actor, seat, character),
            (Move::Lose(card), Obligation::Prove(..)) if seat == actor => {
                // The action is undone, and so it is not paid either.
                self.owed.clear();
                self.lose(seat, card, events);
            }
            (Move::Lose(card), Obligation::Prove(..)) => {
                // A false block has fallen; an assassination continues and takes a card too.
                if matches!(self.action, Some(Action::Assassinate(_))) {
                    self.owed.push(Obligation::Lose(seat));
                }
                self.lose(seat, card, events);
            }
            (Move::Lose(card), _) => self.lose(seat, card, events),
            (Move::Keep(cards), _) => self.players[seat].hand = cards,
            (Move::End, _) => self.carry_out(actor),
            (Move::Pass, _) => {}
        }
    }

    /// A block stands: the action has no effect, but its cost is still due.
    fn stop_action(&mut self) {
        self.owed.retain(|debt| !matches!(debt, Obligation::End(_)));
    }

    /// A challenged card is shown: the challenger owes a card, and the shown one is replaced.
    fn prove(&mut self, actor: Seat, seat: Seat, shown: Character) {
        let challenger = opponent(seat);
        if seat != actor {
            self.stop_action();
        } else if matches!(self.action, Some(Action::Assassinate(_))) {
            // The chance to block has gone with the challenge.
            self.owed.push(Obligation::Lose(challenger));
        }
        self.owed.push(Obligation::Lose(challenger));
        if seat != actor || self.action != Some(Action::Exchange) {
            self.owed.push(Obligation::Replace(seat, shown));
        }
    }

    /// Takes a card from a seat, and at once those that it owes beyond it: it has no choice left.
    fn lose(&mut self, seat: Seat, card: Character, events: &mut Vec<Event>) {
        self.surrender(seat, card);
        while self.owed.last() == Some(&Obligation::Lose(seat)) {
            self.owed.pop();
            if let Some(card) = self.hand(seat).cards().first().copied() {
                self.surrender(seat, card);
                events.push(Event::Lost { seat, card });
            }
        }
    }

    fn surrender(&mut self, seat: Seat, card: Character) {
        let player = &mut self.players[seat];
        let lost = Hand::new(&[card]).and_then(|card| player.lost.joined(card));
        if let (Some(hand), Some(lost)) = (player.hand.without(card), lost) {
            (player.hand, player.lost) = (hand, lost);
        }
    }

    /// Gives a seat what its action brings, now that nothing can stop it.
    fn carry_out(&mut self, actor: Seat) {
        if let Some(action) = self.action {
            self.receive(actor, action);
        }
    }

    /// Moves the coins that an action brings.
    pub(super) fn receive(&mut self, actor: Seat, action: Action) {
        let target = action.target().filter(|target| self.players.has(*target));
        let gain = action.brings(target.map_or(0, |target| self.coins(target)));
        if let (Action::Steal(_), Some(target)) = (action, target) {
            self.players[target].coins -= gain;
        }
        let coins = &mut self.players[actor].coins;
        *coins = coins.saturating_add(gain);
    }

    /// Goes on after a decision: pays what is due, and ends the game or the turn.
    fn go_on(&mut self, actor: Seat, events: &mut Vec<Event>) {
        while let Some(Obligation::Pay(seat)) = self.current_debt() {
            self.owed.pop();
            self.players[seat].coins = self.players[seat].coins.saturating_sub(self.cost());
        }
        let winner = self.winner();
        if winner.is_some() || self.decisions >= 2 * MOST_DECISIONS_A_SEAT {
            self.owed.clear();
            self.action = None;
            events.push(Event::Winner(winner));
        } else if self.owed.is_empty() {
            self.action = None;
            self.owed.push(Obligation::Act(opponent(actor)));
        }
    }
}

/// Number of cards that an exchange draws.
const DRAWN: usize = 2;

impl Coup {
    /// Checks a move that is to settle the last debt.
    pub(super) fn check_move(&self, mv: &Move) -> Result<(), IllegalMove> {
        let debt =
            self.current_debt().filter(|debt| debt.cards().is_none()).ok_or(IllegalMove::NoTurn)?;
        let elsewhere = Err(IllegalMove::Elsewhere { found: *mv, asked: debt });
        let hand = self.hand(debt.seat());
        let rules = self.rules;
        match (debt, *mv) {
            (Obligation::Act(seat), Move::Act(action)) => self.check_action(seat, action),
            (Obligation::Block(_), Move::Challenge) => elsewhere,
            (Obligation::Answer(seat) | Obligation::Block(seat), _) => match self.action() {
                Some(action) => self.check_answer(action, seat, mv).unwrap_or(elsewhere),
                None => elsewhere,
            },
            (Obligation::Accept(..), Move::Pass | Move::Challenge) => Ok(()),
            (Obligation::Prove(_, challenged), Move::Show(found)) if found != challenged => {
                Err(IllegalMove::NotChallenged { found, challenged })
            }
            (Obligation::Prove(_, challenged), Move::Lose(_)) if hand.contains(challenged) => {
                Err(IllegalMove::MustShow(challenged))
            }
            (Obligation::Prove(..), Move::Show(card) | Move::Lose(card))
            | (Obligation::Lose(_), Move::Lose(card)) => must_hold(hand, card),
            (Obligation::Keep(_), Move::Keep(cards)) => must_keep(hand, cards),
            (Obligation::End(_), Move::End) if rules == CoupRules::Contest => Ok(()),
            _ => elsewhere,
        }
    }

    fn check_action(&self, seat: Seat, action: Action) -> Result<(), IllegalMove> {
        let purse = match (action.target(), self.rules) {
            (Some(target), CoupRules::Contest) if target != opponent(seat) => {
                return Err(IllegalMove::WrongTarget { action, expected: opponent(seat) });
            }
            (Some(target), CoupRules::Court(_)) if !self.is_target(seat, target) => {
                return Err(IllegalMove::NoTarget(action));
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
    fn check_answer(
        &self,
        action: Action,
        seat: Seat,
        mv: &Move,
    ) -> Option<Result<(), IllegalMove>> {
        let hand = self.hand(seat);
        let is_concerned = match self.rules {
            CoupRules::Contest => true,
            CoupRules::Court(_) => action.target().is_none_or(|target| target == seat),
        };
        let deadly = is_concerned && matches!(action, Action::Assassinate(_));
        match *mv {
            Move::Pass if !deadly => Some(Ok(())),
            Move::Lose(card) if deadly => Some(must_hold(hand, card)),
            Move::Challenge if action.claim().is_none() => Some(Err(IllegalMove::NoClaim(action))),
            Move::Challenge => Some(Ok(())),
            Move::Block(character) if !action.blockers().contains(&character) => {
                Some(Err(IllegalMove::NoBlock { character, action }))
            }
            Move::Block(_) if !is_concerned => Some(Err(IllegalMove::NotItsTarget(action))),
            Move::Block(_) => Some(Ok(())),
            _ => None,
        }
    }

    /// Appends the legal moves in canonical order.
    pub(super) fn list_moves(&self, moves: &mut Vec<Move>) {
        let Some(debt) = self.current_debt() else { return };
        let legal = |mv: &Move| self.check_move(mv).is_ok();
        match debt {
            Obligation::Act(seat) => {
                let others: Vec<Seat> = self.players.seats().filter(|it| *it != seat).collect();
                moves.extend(Action::all_at(&others).map(Move::Act).filter(legal));
            }
            Obligation::Keep(seat) => moves.extend(choices(self.hand(seat))),
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
    pub fn check_coins(self, coins: u32, purse: u32) -> Result<(), IllegalMove> {
        match self {
            Action::Coup(_) if coins >= RICH => Ok(()),
            _ if coins >= RICH => Err(IllegalMove::MustCoup(coins)),
            _ if coins < self.cost() => Err(IllegalMove::TooDear { action: self, coins }),
            Action::Steal(target) if purse == 0 => Err(IllegalMove::EmptyPurse(target)),
            _ => Ok(()),
        }
    }
}

fn must_hold(hand: Hand, card: Character) -> Result<(), IllegalMove> {
    if hand.contains(card) { Ok(()) } else { Err(IllegalMove::NotHeld(card)) }
}

fn must_keep(hand: Hand, cards: Hand) -> Result<(), IllegalMove> {
    let expected = hand.len().saturating_sub(DRAWN);
    if cards.len() != expected {
        return Err(IllegalMove::WrongNumber { expected, found: cards });
    }
    hand.without_all(cards).map(|_| ()).ok_or(IllegalMove::NotAllHeld(cards))
}

/// Every way to end an exchange: each choice in each order, since the order becomes the hand's.
fn choices(hand: Hand) -> impl Iterator<Item = Move> {
    let mut choices = BTreeSet::from([(Hand::EMPTY, hand)]);
    for _ in DRAWN..hand.len() {
        let longer = choices.iter().flat_map(|(kept, rest)| {
            rest.cards()
                .iter()
                .filter_map(|card| Some((kept.joined(Hand::new(&[*card])?)?, rest.without(*card)?)))
        });
        choices = longer.collect();
    }
    let kept: BTreeSet<Hand> = choices.into_iter().map(|(kept, _)| kept).collect();
    kept.into_iter().map(Move::Keep)
}

impl Coup {
    /// Settles what was due at a court by a legal move.
    fn settle_at_court(&mut self, actor: Seat, debt: Obligation, mv: Move) {
        let seat = debt.seat();
        match (mv, debt) {
            (Move::Act(action), _) => self.announce(actor, action),
            (Move::Challenge, Obligation::Accept(_, card)) => {
                self.owed.retain(|debt| !matches!(debt, Obligation::Accept(..)));
                if let Some(Obligation::Stand(blocker, _)) = self.owed.pop() {
                    self.owed.extend([Obligation::Doubt(seat), Obligation::Prove(blocker, card)]);
                }
            }
            (Move::Challenge, _) => self.doubt_action(actor, seat),
            (Move::Block(card), _) => {
                self.owed.retain(|debt| !matches!(debt, Obligation::Answer(_)));
                self.owed.push(Obligation::Stand(seat, card));
                let others = self.others_from(seat).rev();
                self.owed.extend(others.map(|other| Obligation::Accept(other, card)));
            }
            (Move::Show(card), _) => self.prove_at_court(actor, seat, card),
            (Move::Lose(card), Obligation::Prove(..)) => {
                self.owed.pop();
                if seat == actor {
                    self.owed.retain(|debt| matches!(debt, Obligation::End(_)));
                    let refund = self.action.map_or(0, Action::cost);
                    let coins = &mut self.players[actor].coins;
                    *coins = coins.saturating_add(refund);
                }
                self.give_up(seat, card);
            }
            (Move::Lose(card), Obligation::Answer(_) | Obligation::Block(_)) => {
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
        self.owed.extend([Obligation::End(actor), Obligation::Effect(actor)]);
        if action.claim().is_none() && action.blockers().is_empty() {
            return;
        }
        let target = action.target().filter(|target| self.is_in(*target));
        self.owed.extend(target.map(Obligation::Answer));
        let others = self.others_from(actor).rev().filter(|other| Some(*other) != target);
        self.owed.extend(others.map(Obligation::Answer));
    }

    /// The claim of the action is challenged. If it is true, its target may still block.
    fn doubt_action(&mut self, actor: Seat, challenger: Seat) {
        let Some(action) = self.action else { return };
        self.owed.retain(|debt| !matches!(debt, Obligation::Answer(_)));
        let target = action.target().filter(|_| !action.blockers().is_empty());
        self.owed.extend(target.map(Obligation::Block));
        self.owed.push(Obligation::Doubt(challenger));
        self.owed.extend(action.claim().map(|claim| Obligation::Prove(actor, claim)));
    }

    /// The challenged card is shown and replaced, and then the challenger gives one up.
    fn prove_at_court(&mut self, actor: Seat, seat: Seat, shown: Character) {
        let challenger = self.owed.pop().map(Obligation::seat);
        if seat != actor {
            self.stop_effect();
        }
        self.owed.extend(challenger.map(Obligation::Lose));
        self.owed.push(Obligation::Replace(seat, shown));
    }

    fn stop_effect(&mut self) {
        self.owed.retain(|debt| !matches!(debt, Obligation::Effect(_)));
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
                self.owed.push(Obligation::Lose(target));
            }
            Some(Action::Exchange) => {
                self.owed.extend([Obligation::Keep(actor), Obligation::Draw(actor)]);
            }
            Some(action) => self.receive(actor, action),
            None => {}
        }
    }

    /// Goes on after a decision at a court: does what follows by itself, and ends the turn or the
    /// game.
    fn go_on_at_court(&mut self, actor: Seat, events: &mut Vec<Event>) {
        let winner = self.winner();
        let most = MOST_DECISIONS_A_SEAT.saturating_mul(self.players.count() as u32);
        if winner.is_some() || self.decisions >= most {
            self.owed.clear();
            self.action = None;
            events.push(Event::Winner(winner));
            return;
        }
        while let Some(debt) = self.current_debt() {
            match debt {
                Obligation::End(_) | Obligation::Doubt(_) | Obligation::Pay(_) => {}
                Obligation::Effect(seat) => {
                    self.owed.pop();
                    self.take_effect(seat);
                    continue;
                }
                Obligation::Stand(..) => self.stop_effect(),
                // A seat that is gone owes nothing any more.
                _ if !self.is_in(debt.seat()) => {}
                _ => break,
            }
            self.owed.pop();
        }
        if self.owed.is_empty() {
            self.action = None;
            self.owed.extend(self.others_from(actor).next().map(Obligation::Act));
        }
    }
}
