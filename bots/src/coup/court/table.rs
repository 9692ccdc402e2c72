//! A whole state of the game between two turns, in a few bytes.

use rules::coup::{Character, Coup};
use rules::{Game, Seat};

pub(super) const SEATS: usize = 6;

pub(super) const CARDS: usize = Character::ALL.len();

const COPIES: u8 = 3;

/// A card by its number in the order of the rules.
pub(super) type Card = u8;

pub(super) const AMBASSADOR: Card = Character::Ambassador as Card;
pub(super) const ASSASSIN: Card = Character::Assassin as Card;
pub(super) const CAPTAIN: Card = Character::Captain as Card;
pub(super) const CONTESSA: Card = Character::Contessa as Card;
pub(super) const DUKE: Card = Character::Duke as Card;

/// The worth of each card, as [`worth`](crate::coup::worth) orders them.
const WORTH: [u8; CARDS] = [1, 3, 4, 2, 5];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeatCards {
    cards: [Card; 2],
    len: u8,
}

impl SeatCards {
    pub(super) const NONE: SeatCards = SeatCards { cards: [0; 2], len: 0 };

    /// These cards, the first two of them.
    pub(super) fn new(cards: impl IntoIterator<Item = Card>) -> SeatCards {
        let mut held = SeatCards::NONE;
        cards.into_iter().take(2).for_each(|card| held.push(card));
        held
    }

    fn push(&mut self, card: Card) {
        if let Some(place) = self.cards.get_mut(usize::from(self.len)) {
            *place = card;
            self.len += 1;
        }
    }

    pub(super) fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    pub(super) fn len(self) -> u8 {
        self.len
    }

    pub(super) fn holds(self, card: Card) -> bool {
        self.cards().contains(&card)
    }

    pub(super) fn count(self, card: Card) -> u8 {
        self.cards().iter().filter(|other| **other == card).count() as u8
    }

    /// The card of the least worth, a double before a single one; `None` without cards.
    pub(super) fn least(self) -> Option<Card> {
        self.cards().iter().copied().min_by_key(|card| worth(*card))
    }

    fn remove(&mut self, card: Card) {
        if self.len == 2 && self.cards[0] == card {
            self.cards[0] = self.cards[1];
        }
        self.len -= u8::from(self.len > 0);
    }
}

/// The worth of a card, from 1.
pub(super) fn worth(card: Card) -> u8 {
    WORTH.get(usize::from(card)).copied().unwrap_or_default()
}

/// A state between two turns, or while one is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CourtState {
    pub(super) hands: [SeatCards; SEATS],
    pub(super) coins: [u8; SEATS],
    /// Number of cards of each character that lie open.
    pub(super) lost: [u8; CARDS],
    pub(super) seats: u8,
    /// The seats that have blocked foreign aid, a bit each.
    pub(super) guards: u8,
    /// By the thief: the seats that have blocked its theft, a bit each.
    pub(super) thwarted: [u8; SEATS],
}

impl CourtState {
    /// The cards and coins of a state of the rules, without memory of blocks.
    pub(super) fn from_game(game: &Coup) -> CourtState {
        let mut table = CourtState {
            hands: [SeatCards::NONE; SEATS],
            coins: [0; SEATS],
            lost: [0; CARDS],
            seats: game.seats().min(SEATS) as u8,
            guards: 0,
            thwarted: [0; SEATS],
        };
        for seat in Seat::first(usize::from(table.seats)) {
            let place = seat.index();
            table.hands[place] =
                SeatCards::new(game.hand(seat).into_iter().map(|card| card as Card));
            table.coins[place] = game.coins(seat).min(u32::from(u8::MAX)) as u8;
            for card in game.lost(seat) {
                table.lost[card as usize] += 1;
            }
        }
        table
    }

    pub(super) fn is_in(&self, seat: usize) -> bool {
        self.hands[seat].len() > 0
    }

    /// The seats that are in, in the order of turns after this one.
    pub(super) fn other_seats(&self, seat: usize) -> impl Iterator<Item = usize> + use<> {
        let (seats, hands) = (usize::from(self.seats), self.hands);
        let after = (1..seats).map(move |step| (seat + step) % seats);
        after.filter(move |other| hands[*other].len() > 0)
    }

    /// The one seat that has cards left.
    pub(super) fn winner(&self) -> Option<usize> {
        let mut left = (0..usize::from(self.seats)).filter(|seat| self.is_in(*seat));
        match (left.next(), left.next()) {
            (Some(seat), None) => Some(seat),
            _ => None,
        }
    }

    /// Returns true if the seat sees all cards of this character: no other one can hold one.
    pub(super) fn sees_all(&self, seat: usize, card: Card) -> bool {
        self.lost[usize::from(card)] + self.hands[seat].count(card) >= COPIES
    }

    /// The cards in the deck, by character.
    pub(super) fn deck(&self) -> [u8; CARDS] {
        let mut deck = [COPIES; CARDS];
        let held = self.hands.iter().flat_map(|held| held.cards());
        held.for_each(|card| deck[usize::from(*card)] = deck[usize::from(*card)].saturating_sub(1));
        deck.iter_mut().zip(self.lost).for_each(|(left, lost)| *left = left.saturating_sub(lost));
        deck
    }

    /// Gives up a card for good; a seat without cards has no coins either.
    pub(super) fn lose(&mut self, seat: usize, card: Card) {
        self.hands[seat].remove(card);
        self.lost[usize::from(card)] += 1;
        if !self.is_in(seat) {
            self.coins[seat] = 0;
        }
    }

    /// Puts a card back into the deck, and takes another one.
    pub(super) fn replace(
        &mut self,
        seat: usize,
        card: Card,
        draw: impl FnOnce([u8; CARDS]) -> Card,
    ) {
        self.hands[seat].remove(card);
        let drawn = draw(self.deck());
        self.hands[seat].push(drawn);
    }

    /// Returns true if another seat that is in has blocked foreign aid.
    pub(super) fn aid_is_guarded(&self, seat: usize) -> bool {
        self.other_seats(seat).any(|other| self.guards >> other & 1 == 1)
    }
}
