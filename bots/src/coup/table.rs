//! What players of Coup share: seats from the view of one, taken from a request that may be any text at all; the
//! worth of cards; the luck of games that are played out.

use rules::coup::{Character, Coup, Hand, Move};
use rules::{BotSeed, Digest, PerSeat, Request, Seat};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatStates {
    pub own: SeatState,
    pub other: SeatState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatState {
    pub seat: Seat,
    pub coins: u32,
    /// Number of cards.
    pub cards: u32,
    pub lost: Hand,
}

impl SeatStates {
    /// The table of a request; `None` if it is not one of two seats.
    pub fn read(request: &Request<Coup>) -> Option<SeatStates> {
        let (view, seat) = (&request.view, request.heading.seat);
        let side = |seat: Seat| {
            let (coins, cards) = (*value_at(&view.coins, seat)?, *value_at(&view.hands, seat)?);
            Some(SeatState { seat, coins, cards, lost: *value_at(&view.lost, seat)? })
        };
        let other = Seat::first(2).find(|other| *other != seat)?;
        let (own, other) = (side(seat)?, side(other)?);
        (view.coins.count() == 2).then_some(SeatStates { own, other })
    }
}

fn value_at<T>(values: &PerSeat<T>, seat: Seat) -> Option<&T> {
    values.iter().find(|(owner, _)| *owner == seat).map(|(_, value)| value)
}

/// The characters, the worthiest first.
///
/// Coins decide most games, so those that bring them come first; the ambassador only looks for
/// another card.
pub const ORDER: [Character; 5] = [
    Character::Duke,
    Character::Captain,
    Character::Assassin,
    Character::Contessa,
    Character::Ambassador,
];

/// The worth of a card: its place in [`ORDER`], from 1 for the last.
pub fn worth(card: Character) -> u32 {
    let place = ORDER.iter().position(|other| *other == card).unwrap_or(ORDER.len());
    (ORDER.len() - place) as u32
}

/// Chooses this number of cards: different ones first, the ones of the greatest worth first of all.
///
/// ```
/// use bots::coup::table::best;
///
/// let cards = "duke contessa duke captain".parse()?;
/// assert_eq!(best(cards, 2), "duke captain".parse()?);
/// assert_eq!(best("duke duke".parse()?, 2), "duke duke".parse()?);
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn best(cards: Hand, count: usize) -> Hand {
    let mut sorted: Vec<Character> = cards.into_iter().collect();
    sorted.sort_by_key(|card| std::cmp::Reverse(worth(*card)));
    let (mut different, mut again) = (Vec::new(), Vec::new());
    for card in sorted {
        match different.contains(&card) {
            true => again.push(card),
            false => different.push(card),
        }
    }
    different.append(&mut again);
    different.truncate(count);
    Hand::new(&different).unwrap_or_default()
}

/// Of these moves the one that gives up the card of the least worth, or that keeps the best cards
/// of the hand; `None` if none is of these kinds.
pub fn least_loss(hand: Hand, moves: &[Move]) -> Option<Move> {
    let kept = moves.iter().find_map(|mv| match mv {
        Move::Keep(kept) => Some(Move::Keep(best(hand, kept.len()))),
        _ => None,
    });
    let lost = moves.iter().filter_map(|mv| match mv {
        Move::Lose(card) => Some((worth(*card), *mv)),
        _ => None,
    });
    kept.filter(|kept| moves.contains(kept)).or(lost.min().map(|(_, mv)| mv))
}

/// A stream of random numbers by SplitMix64: fast, and good enough for games that are played out.
#[derive(Debug, Clone)]
pub(in crate::coup) struct FastRng(u64);

impl FastRng {
    /// The luck that belongs to a seed and a purpose: another one than that of the players for whom the
    /// seed is, whose choices it would foresee.
    pub(in crate::coup) fn new(purpose: &str, seed: BotSeed) -> FastRng {
        let digest = Digest::hash(&[purpose.as_bytes(), &seed.0[..]].concat()).bytes();
        FastRng(digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = self.0;
        let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    pub(in crate::coup) fn split(&mut self) -> FastRng {
        // Neighbours in the same sequence would overlap, and so the key is mixed once more.
        let mut key = FastRng(self.next() ^ 0x5851_f42d_4c95_7f2d);
        FastRng(key.next())
    }

    /// A number from 0 up to 1.
    pub(in crate::coup) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A place, as often as its weight says; the first if there is no weight.
    pub(in crate::coup) fn place(&mut self, weights: &[u8]) -> usize {
        let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        let mut left = ((self.next() >> 32) * total) >> 32;
        for (place, weight) in weights.iter().enumerate() {
            match left.checked_sub(u64::from(*weight)) {
                Some(rest) => left = rest,
                None => return place,
            }
        }
        0
    }
}
