//! The course of a game: the first attacker, the effects of decisions, and the ends of bouts.

use crate::card::{Card, CardSet, DealtCards, Suit};
use crate::durak::bout::{Bout, Phase, beats};
use crate::durak::game::{Durak, Refill, Stage};
use crate::durak::notation::{Event, IllegalMove, Move};
use crate::durak::options::{HAND, Throwers, Transfer};
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
            self.starts.push((self.hands.clone(), attacker));
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
        let more = (bout.attacks_left() > 0).then_some(bout.attacker);
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
        events.push(Event::Draw { to, cards: DealtCards::Seen(cards) });
        self.draw_trump_card(to, events);
        self.refill(after, events);
    }

    fn draw_trump_card(&mut self, to: Seat, events: &mut Vec<Event>) {
        let Some(card) = self.trump else { return };
        if self.missing(to) > 0 && self.talon() == CardSet::single(card) {
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

impl Durak {
    /// Checks a decision of the seat whose turn it is.
    pub(super) fn check_move(&self, mv: &Move) -> Result<(), IllegalMove> {
        let (Some(bout), Some(trumps)) = (self.bout(), self.trumps()) else {
            return Err(IllegalMove::NoTurn);
        };
        let rule = match (bout.phase(), *mv) {
            (Phase::Lead, Move::Lead(_))
            | (Phase::Defend, Move::Take)
            | (Phase::Throw(_) | Phase::Load(_), Move::Done) => Ok(()),
            (Phase::Defend, Move::Beat(card)) => check_beat(bout, card, trumps),
            (Phase::Defend, Move::Transfer(card)) => self.check_transfer(bout, card),
            (Phase::Throw(_) | Phase::Load(_), Move::Throw(card)) => {
                let fits = bout.table().has_rank(card.rank());
                if fits { Ok(()) } else { Err(IllegalMove::NotOnTable(card)) }
            }
            (phase, found) => {
                Err(IllegalMove::Elsewhere { found, expected: self.expected_in(phase) })
            }
        };
        match mv.card() {
            // A card that is not in the hand is a clearer reason than the rule that it would break.
            Some(card) if !matches!(rule, Err(IllegalMove::Elsewhere { .. })) => {
                let held = self.hand(bout.turn()).contains(card);
                if held { rule } else { Err(IllegalMove::NotInHand(card)) }
            }
            _ => rule,
        }
    }

    fn check_transfer(&self, bout: &Bout, card: Card) -> Result<(), IllegalMove> {
        let attacks = bout.table().attacks();
        let (Some(&attack), Some(next)) = (attacks.first(), self.next_in(bout.defender())) else {
            return Err(IllegalMove::NoTurn);
        };
        let limit = self.limit_against(next);
        match self.options().transfer {
            Transfer::Off => Err(IllegalMove::TransferOff),
            _ if !bout.table().beats().is_empty() => Err(IllegalMove::TooLateToTransfer),
            _ if attack.rank() != card.rank() => Err(IllegalMove::OtherRank { card, attack }),
            _ if attacks.len() >= limit => {
                Err(IllegalMove::TooManyToTransfer { next, limit, attacks: attacks.len() + 1 })
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

fn check_beat(bout: &Bout, card: Card, trumps: Suit) -> Result<(), IllegalMove> {
    let attack = bout.table().unbeaten().ok_or(IllegalMove::NoTurn)?;
    match beats(card, attack, trumps) {
        true => Ok(()),
        false if attack.suit() == trumps => Err(IllegalMove::DoesNotBeatTrump { card, attack }),
        false => Err(IllegalMove::DoesNotBeat { card, attack }),
    }
}
