//! The difference of two moves in words.

use rules::CardSet;
use rules::tablic::Move;
use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, points};

/// How the move played on this table differs from a better one: what is worth most comes first.
pub(super) fn words(table: CardSet, played: Move, better: Move) -> String {
    let takes = takes(played);
    if is_tabla(table, better) && !is_tabla(table, played) {
        return "gives up a tabla".to_owned();
    }
    for (card, name) in [(TEN_OF_DIAMONDS, "ten of diamonds"), (TWO_OF_CLUBS, "two of clubs")] {
        if better.captured.contains(card) && !played.captured.contains(card) {
            return format!("takes {takes} and leaves the {name}");
        }
        if played.card == card && played.captured.is_empty() && better.card != card {
            return format!("lays down the {name}");
        }
        if better.card == card && !better.captured.is_empty() && played.card != card {
            return format!("takes {takes} and keeps the {name} that could take");
        }
    }
    let gained = |mv: Move| points(mv.gained());
    let count = |mv: Move| mv.captured.len();
    match (count(played), count(better)) {
        (0, 0) => laid_down(played, better),
        (_, 0) => format!("takes {takes} where it should lay {} down", kind(better)),
        (0, _) => format!("takes nothing where it could take {}", self::takes(better)),
        _ if gained(played) < gained(better) => {
            format!("takes {takes} and fewer points than it could")
        }
        (few, more) if few < more => format!("takes {takes} where it could take more"),
        _ if played.captured == better.captured => "takes the same with another card".to_owned(),
        _ if gained(played) > gained(better) => {
            format!("takes {takes} for points where fewer points are better")
        }
        _ => format!("takes {takes} where it should take others"),
    }
}

/// Both lay a card down.
fn laid_down(played: Move, better: Move) -> String {
    let (one, other) = (kind(played), kind(better));
    if one != other {
        return format!("lays {one} down where {other} is better");
    }
    let height = |mv: Move| (mv.card.rank() as u8 + 1) % 13;
    let other = if height(played) > height(better) { "a lower" } else { "a higher" };
    format!("lays {one} down where {other} one is better")
}

fn is_tabla(table: CardSet, mv: Move) -> bool {
    !mv.captured.is_empty() && mv.captured == table
}

/// The number of cards that a move takes from the table.
fn takes(mv: Move) -> &'static str {
    match mv.captured.len() {
        0 => "nothing",
        1 => "one card",
        2 => "two cards",
        3 => "three cards",
        _ => "four cards or more",
    }
}

/// The kind of the played card.
fn kind(mv: Move) -> &'static str {
    match mv.card {
        TEN_OF_DIAMONDS => "the ten of diamonds",
        TWO_OF_CLUBS => "the two of clubs",
        card if points(CardSet::one(card)) > 0 => "a point card",
        _ => "a plain card",
    }
}
