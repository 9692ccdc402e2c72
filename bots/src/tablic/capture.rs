//! The best capture of a card: that of the greatest worth among all it may capture.
//!
//! For one played card, the criteria by which captures compare are sums over the captured cards:
//! points, number of cards, the 10 of diamonds, the 2 of clubs, aces, and then the cards
//! themselves from the highest down. So each can be a digit of one number, and the best capture
//! is the set of the greatest weight that splits into groups. On a table of few cards all such
//! sets are formed; on a larger one, where there may be millions, the search is for the lightest
//! set to leave.

use rules::{CardSet, Rank};

use crate::tablic::few_cards::{FEW, FewCards};
use crate::tablic::many_cards::{best_with, lightest_left};

pub use crate::tablic::many_cards::Found;

/// The best captures from one table.
#[derive(Debug, Clone)]
pub struct Captures {
    table: CardSet,
    few: Option<FewCards>,
}

impl Captures {
    /// The captures from this table.
    pub fn find(table: CardSet) -> Captures {
        Captures { table, few: (table.len() <= FEW).then(|| FewCards::new(table)) }
    }

    /// The best that a card of this rank captures; no card where it can capture none.
    pub fn best(&self, played: Rank) -> CardSet {
        match &self.few {
            Some(few) => few.heaviest(played),
            None => best_from_many(played, self.table).captured,
        }
    }
}

/// The best capture, for a card of this rank, of those that hold all of the chosen cards of the
/// table; none if no capture holds them all.
///
/// ```
/// use bots::tablic::capture::best_including;
/// use rules::Rank;
///
/// let table = "2H 3H 4D 7C".parse()?;
/// assert_eq!(best_including(Rank::Seven, table, "3H".parse()?), Some("3H 4D 7C".parse()?));
/// assert_eq!(best_including(Rank::Seven, table, "2H".parse()?), None);
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn best_including(played: Rank, table: CardSet, chosen: CardSet) -> Option<CardSet> {
    if table.contains_all(chosen) { best_with(played, table, chosen) } else { None }
}

/// The best capture from a table of any size, by the search that is meant for large ones.
pub fn best_from_many(played: Rank, table: CardSet) -> Found {
    lightest_left(played, table)
}
