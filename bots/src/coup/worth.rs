//! The order of cards by worth: one fixed order for all players that do not look ahead.

use rules::coup::{Character, Hand, Move};

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
/// use bots::coup::worth::best;
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
