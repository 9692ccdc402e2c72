//! The course of a game: the first attacker, the effects of decisions, and the ends of bouts.

use crate::card::{Card, CardSet, Dealt};
use crate::durak::bout::{Bout, Phase};
use crate::durak::game::{BoutStart, Durak, Refill, Stage};
use crate::durak::notation::{Event, Move};
use crate::durak::options::{HAND, Throwers};
use crate::seat::Seat;

const MOST_ATTACKS: usize = 6;

/// Number of equal starts of bouts that makes a draw.
const REPEATS: usize = 3;

/// After this number of decisions without a durak, the game is a draw.
const MOST_DECISIONS: u32 = 2000;

impl Durak {
    /// Turns the trump card up, which says who attacks first.
    pub(super) fn turn_up(&mut self, card: Card, events: &mut Vec<Event>) {
        self.trump = Some(card);
        events.push(Event::Trump(card));
        if let Some(holder) = self.hands.seats().find(|seat| self.hands[*seat].contains(card)) {
            self.known[holder].insert(card);
        }
        let trumps =
            self.hands.iter().flat_map(|(seat, hand)| hand.iter().zip(std::iter::repeat(seat)));
        let lowest = trumps.filter(|(held, _)| held.suit() == card.suit()).min();
        let shown = lowest.map(|(card, _)| card);
        let Some(seat) = lowest.map(|(_, seat)| seat).or(self.hands.seats().min()) else { return };
        if let Some(shown) = shown {
            self.known[seat].insert(shown);
        }
        events.push(Event::First { seat, card: shown });
        self.begin_bout(seat, events);
    }

    /// The most attack cards against a seat in this bout.
    pub(super) fn limit_against(&self, defender: Seat) -> usize {
        let most = match self.bouts {
            0 | 1 => self.options.first_limit.get(),
            _ => MOST_ATTACKS,
        };
        most.min(self.hands[defender].len())
    }

    fn begin_bout(&mut self, attacker: Seat, events: &mut Vec<Event>) {
        if self.talon().is_empty() {
            let start = BoutStart { hands: self.hands.clone(), attacker };
            self.starts.push(start);
            let same = self.starts.iter().filter(|start| Some(*start) == self.starts.last());
            if same.count() >= REPEATS {
                return self.end(self.players.clone(), None, events);
            }
        }
        let Some(defender) = self.next_in(attacker) else { return };
        self.bouts = self.bouts.saturating_add(1);
        self.stage = Stage::Bout(Bout::begin(attacker, defender, self.limit_against(defender)));
    }

    /// Lets the seat whose turn it is decide. The move is a legal one.
    pub(super) fn decide(&mut self, mv: Move, events: &mut Vec<Event>) {
        let Stage::Bout(bout) = &self.stage else { return };
        let (seat, mut bout) = (bout.turn(), bout.clone());
        events.push(Event::Move { seat, mv });
        if let Some(card) = mv.card() {
            self.hands[seat].remove(card);
            self.known[seat].remove(card);
        }
        match mv {
            Move::Beat(card) => bout.table.beats.push(card),
            Move::Lead(card) | Move::Transfer(card) | Move::Throw(card) => {
                bout.table.attacks.push(card);
            }
            Move::Take | Move::Done => {}
        }
        let phase = self.phase_after(mv, &mut bout);
        self.decisions = self.decisions.saturating_add(1);
        let in_bout = self.players.clone();
        match phase {
            Some(phase) => self.stage = Stage::Bout(Bout { phase, ..bout }),
            None => self.end_bout(&bout, events),
        }
        if self.decisions >= MOST_DECISIONS && !matches!(self.stage, Stage::Over { .. }) {
            self.end(in_bout, None, events);
        }
    }

    /// Phase of a bout after this move; nothing if the bout has ended.
    fn phase_after(&self, mv: Move, bout: &mut Bout) -> Option<Phase> {
        let more = (bout.left() > 0).then_some(bout.attacker);
        match mv {
            Move::Lead(_) => Some(Phase::Defend),
            Move::Transfer(_) => {
                bout.attacker = bout.defender;
                bout.defender = self.next_in(bout.attacker)?;
                bout.limit = self.limit_against(bout.defender);
                Some(Phase::Defend)
            }
            Move::Beat(_) if bout.table.unbeaten().is_some() => Some(Phase::Defend),
            Move::Beat(_) if self.hands[bout.defender].is_empty() => None,
            Move::Beat(_) => more.map(Phase::Throw),
            Move::Take => more.map(Phase::Load),
            Move::Throw(_) if bout.is_taken() => more.map(|_| bout.phase),
            Move::Throw(_) => Some(Phase::Defend),
            Move::Done if bout.is_taken() => self.thrower_after(bout).map(Phase::Load),
            Move::Done => self.thrower_after(bout).map(Phase::Throw),
        }
    }

    /// The seat that is offered to throw after the one whose turn it is.
    fn thrower_after(&self, bout: &Bout) -> Option<Seat> {
        let side = self.next_in(bout.defender);
        let may = |seat: &Seat| match self.options.throwers {
            Throwers::All => *seat != bout.defender && self.players.contains(seat),
            Throwers::Neighbours => *seat == bout.attacker || Some(*seat) == side,
        };
        let mut throwers = self.clockwise_from(bout.attacker).filter(may);
        throwers.find(|seat| *seat == bout.turn())?;
        throwers.next()
    }

    /// Clears the table, and lets hands be filled up.
    fn end_bout(&mut self, bout: &Bout, events: &mut Vec<Event>) {
        let cards = bout.table.cards();
        let taken = bout.table.unbeaten().is_some();
        let defender = bout.defender;
        if taken {
            self.hands[defender] |= cards;
            self.known[defender] |= cards;
            events.push(Event::PickUp { seat: defender, cards });
        } else {
            self.discards |= cards;
            self.starts.clear();
            events.push(Event::Discard(cards));
        }
        let others = self.clockwise_from(bout.first).filter(|seat| *seat != defender);
        let mut waiting: Vec<Seat> = others.chain([defender]).collect();
        waiting.retain(|seat| self.players.contains(seat));
        waiting.reverse();
        let next = self.clockwise_from(defender).nth(usize::from(taken)).unwrap_or(defender);
        self.refill(Refill { waiting, next }, events);
    }

    /// Lets the next seat draw that has less than a full hand.
    fn refill(&mut self, mut refill: Refill, events: &mut Vec<Event>) {
        while let Some(to) = refill.waiting.pop() {
            let count = self.missing(to).min(self.face_down().len());
            if count > 0 {
                self.stage = Stage::Draw { to, count, after: refill };
                return;
            }
            self.draw_trump_card(to, events);
        }
        self.go_on(refill.next, events);
    }

    /// Number of cards that a seat lacks of a full hand.
    fn missing(&self, seat: Seat) -> usize {
        HAND.saturating_sub(self.hands[seat].len())
    }

    /// Gives a seat the cards it draws, the trump card too if it is left.
    pub(super) fn draw(&mut self, to: Seat, cards: CardSet, events: &mut Vec<Event>) {
        let Stage::Draw { after, .. } = &self.stage else { return };
        let after = after.clone();
        self.hands[to] |= cards;
        events.push(Event::Draw { to, cards: Dealt::Seen(cards) });
        self.draw_trump_card(to, events);
        self.refill(after, events);
    }

    fn draw_trump_card(&mut self, to: Seat, events: &mut Vec<Event>) {
        let Some(card) = self.trump else { return };
        if self.missing(to) > 0 && self.talon() == CardSet::one(card) {
            self.hands[to].insert(card);
            self.known[to].insert(card);
            events.push(Event::Last { to, card });
        }
    }

    /// Lets go the seats without cards, and begins the next bout or ends the game.
    fn go_on(&mut self, next: Seat, events: &mut Vec<Event>) {
        let in_bout = self.players.clone();
        if self.talon().is_empty() {
            self.players.retain(|seat| !self.hands[*seat].is_empty());
        }
        let gone = in_bout.iter().filter(|seat| !self.players.contains(seat));
        events.extend(gone.map(|seat| Event::Gone(*seat)));
        match self.players[..] {
            [] => self.end(in_bout, None, events),
            [durak] => self.end(vec![durak], Some(durak), events),
            _ => {
                let attacker = self.clockwise_from(next).find(|seat| self.players.contains(seat));
                self.begin_bout(attacker.unwrap_or(next), events);
            }
        }
    }

    fn end(&mut self, losers: Vec<Seat>, durak: Option<Seat>, events: &mut Vec<Event>) {
        events.push(Event::Durak(durak));
        self.stage = Stage::Over { losers };
    }
}
