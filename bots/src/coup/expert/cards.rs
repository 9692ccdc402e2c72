//! Hands as small numbers: all hands of one to four cards, without their order; and the claims that both seats
//! remember.

use std::sync::LazyLock;

/// A character by its place in `Character::ALL`.
pub type Card = u8;

pub const CARDS: usize = 5;

pub const PAIRS: usize = 15;

/// Number of cards that the deck has whenever no exchange is going on: of 15, the seats hold or
/// have lost two each.
pub const DECK: usize = 11;

pub const KEEPS: usize = 6;

/// The number of each hand of two cards by its cards, in either order.
pub const PAIR: [[u8; CARDS]; CARDS] = pairs().0;

/// The lower and the higher card of each hand of two.
pub const PAIR_CARDS: [[Card; 2]; PAIRS] = pairs().1;

/// The cards in a seat's hand during an exchange, by their number.
pub const QUADS: usize = 70;

/// Number of such hands of a seat with one card of its own.
pub const TRIPLES: usize = 35;

pub const fn hands(cards: usize) -> usize {
    match cards {
        1 => CARDS,
        2 => PAIRS,
        3 => TRIPLES,
        _ => QUADS,
    }
}

/// Number of cards of this character in a hand of one or two cards.
pub fn count(cards: usize, hand: usize, card: Card) -> u8 {
    match cards {
        1 => u8::from(hand == usize::from(card)),
        _ => {
            let [low, high] = PAIR_CARDS[hand];
            u8::from(low == card) + u8::from(high == card)
        }
    }
}

/// The hand after a card that it has is replaced by another, of one or two cards.
pub fn replaced(cards: usize, hand: usize, old: Card, new: Card) -> usize {
    match cards {
        1 => usize::from(new),
        _ => usize::from(PAIR[usize::from(other_card(hand, old))][usize::from(new)]),
    }
}

/// The card of a hand of two that is left when this one has gone.
pub fn other_card(hand: usize, gone: Card) -> Card {
    let [low, high] = PAIR_CARDS[hand];
    if low == gone { high } else { low }
}

const fn pairs() -> ([[u8; CARDS]; CARDS], [[Card; 2]; PAIRS]) {
    let (mut numbers, mut cards) = ([[0; CARDS]; CARDS], [[0; 2]; PAIRS]);
    let (mut next, mut low) = (0, 0);
    while low < CARDS {
        let mut high = low;
        while high < CARDS {
            numbers[low][high] = next;
            numbers[high][low] = next;
            cards[next as usize] = [low as Card, high as Card];
            next += 1;
            high += 1;
        }
        low += 1;
    }
    (numbers, cards)
}

/// Possible ends of an exchange, for every hand that can come of it.
#[derive(Debug)]
pub struct ExchangeTable {
    /// By the hand before and the pair that is drawn: the number of the cards together.
    pub joined: Vec<[u8; PAIRS]>,
    /// For each number of cards together: the different hands that can be kept.
    pub keeps: Vec<Vec<u8>>,
}

pub fn exchanges(cards: usize) -> &'static ExchangeTable {
    static EXCHANGES: LazyLock<[ExchangeTable; 2]> =
        LazyLock::new(|| [ExchangeTable::new(1), ExchangeTable::new(2)]);
    &EXCHANGES[usize::from(cards > 1)]
}

impl ExchangeTable {
    fn new(cards: usize) -> ExchangeTable {
        let mut seen: Vec<[u8; CARDS]> = Vec::new();
        let mut counts = [0; CARDS];
        list(cards + 2, 0, &mut counts, &mut seen);
        let number = |counts: &[u8; CARDS]| {
            seen.iter().position(|other| other == counts).unwrap_or_default() as u8
        };
        let counted = |hand: usize| -> [u8; CARDS] {
            std::array::from_fn(|card| count(cards, hand, card as Card))
        };
        let joined = (0..hands(cards)).map(|hand| {
            std::array::from_fn(|drawn| {
                let own = counted(hand);
                let sum = |card| own[card] + count(2, drawn, card as Card);
                number(&std::array::from_fn(sum))
            })
        });
        let keeps = seen.iter().map(|all| {
            let fits = |hand: &usize| (0..CARDS).all(|card| counted(*hand)[card] <= all[card]);
            (0..hands(cards)).filter(fits).map(|hand| hand as u8).collect()
        });
        ExchangeTable { joined: joined.collect(), keeps: keeps.collect() }
    }
}

/// Adds every way to hold `left` more cards, those with few of the first character first.
fn list(left: usize, card: usize, counts: &mut [u8; CARDS], seen: &mut Vec<[u8; CARDS]>) {
    if card + 1 == CARDS {
        counts[card] = left as u8;
        seen.push(*counts);
        return;
    }
    for count in 0..=left {
        counts[card] = count as u8;
        list(left - count, card + 1, counts, seen);
    }
}

/// Memory of a seat.
///
/// Of a seat with two cards: up to two different claims that were let pass. A third one cannot be
/// true together with both, and takes their place alone. Of a seat with one card: the last claim
/// that was let pass since it has one, or else the card that it was caught without. A card that was
/// shown is replaced, and so forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClaimMemory(u8);

/// The first number of a memory of a card that is missing.
const MISSING: u8 = 16;

/// By number: the one or two claims that are remembered, the places of the cards counted from 1.
const CLAIMS: [[u8; 2]; 16] = {
    let mut claims = [[0; 2]; 16];
    let (mut next, mut first) = (1, 0);
    while first <= CARDS as u8 {
        let mut second = first + 1;
        while second <= CARDS as u8 {
            claims[next] = [first, second];
            next += 1;
            second += 1;
        }
        first += 1;
    }
    claims
};

impl ClaimMemory {
    pub const NONE: ClaimMemory = ClaimMemory(0);

    pub const COUNT: usize = MISSING as usize + CARDS;

    /// The number of this memory, below [`COUNT`](Self::COUNT).
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn of_index(index: usize) -> Option<ClaimMemory> {
        (index < Self::COUNT).then_some(ClaimMemory(index as u8))
    }

    /// These claims, counted from 1, 0 for none.
    fn pack(first: u8, second: u8) -> ClaimMemory {
        let claims = [first.min(second), first.max(second)];
        let place = CLAIMS.iter().position(|other| *other == claims);
        ClaimMemory(place.unwrap_or_default() as u8)
    }

    /// The claims that are remembered, counted from 1, in ascending order after 0 for each that is
    /// missing.
    pub fn claims(self) -> [u8; 2] {
        CLAIMS.get(self.index()).copied().unwrap_or_default()
    }

    /// The card that the seat was caught without, counted from 1; 0 for none.
    pub fn missing(self) -> u8 {
        self.0.checked_sub(MISSING).map_or(0, |card| card + 1)
    }

    /// A claim of a seat with this number of cards was let pass.
    #[must_use]
    pub fn claimed(self, card: Card, cards: usize) -> ClaimMemory {
        match (cards, self.claims()) {
            (1, _) => ClaimMemory::pack(0, card + 1),
            (_, claims) if claims.contains(&(card + 1)) => self,
            (_, [0, claim]) => ClaimMemory::pack(claim, card + 1),
            _ => ClaimMemory::pack(0, card + 1),
        }
    }

    /// A seat with this number of cards has shown one, which has been replaced by an unknown one.
    #[must_use]
    pub fn after_reveal(self, card: Card, cards: usize) -> ClaimMemory {
        match cards {
            1 => ClaimMemory::NONE,
            _ => self.without(card + 1),
        }
    }

    /// One of two cards is lost, after the seat was caught without `missing`, counted from 1, or
    /// without being caught (0).
    #[must_use]
    pub fn after_loss(self, card: Card, missing: u8) -> ClaimMemory {
        match (self.without(card + 1).without(missing).claims(), missing) {
            ([0, 0], 0) => ClaimMemory::NONE,
            ([0, 0], _) => ClaimMemory(MISSING + missing - 1),
            ([0, claim], _) => ClaimMemory::pack(0, claim),
            // Two claims and one card: either of them may be left.
            ([_, _], 0) => self,
            ([_, _], _) => ClaimMemory(MISSING + missing - 1),
        }
    }

    /// An exchange is over: what was missing may be there now.
    #[must_use]
    pub fn exchanged(self) -> ClaimMemory {
        if self.0 >= MISSING { ClaimMemory::NONE } else { self }
    }

    fn without(self, card: u8) -> ClaimMemory {
        match self.claims() {
            _ if card == 0 => self,
            [first, second] if first == card => ClaimMemory::pack(0, second),
            [first, second] if second == card => ClaimMemory::pack(0, first),
            _ => self,
        }
    }
}
