//! Moves of a greedy player, looked up where they were worked out before.

use crate::tablic::classes::captures::TableCaptures;
use crate::tablic::classes::value::Rating;
use crate::tablic::classes::{Class, ClassCounts, ClassMove};

/// Number of tables remembered, a power of two.
const TABLES: usize = 1 << 13;

/// The best moves from the tables that came up last.
///
/// Playing a deal out again and again leads to the same tables, so most moves are looked up.
#[derive(Debug)]
pub struct Greed {
    known: Vec<Known>,
    captures: TableCaptures,
}

#[derive(Debug, Clone)]
struct Known {
    table: ClassCounts,
    /// The classes whose best move is known, a bit each.
    classes: u16,
    best: [(Rating, ClassCounts); Class::COUNT],
}

impl Greed {
    /// Greed that knows nothing yet.
    pub fn new() -> Greed {
        let nothing = (Rating::default(), ClassCounts::NONE);
        let empty = Known { table: ClassCounts::NONE, classes: 0, best: [nothing; Class::COUNT] };
        Greed { known: vec![empty; TABLES], captures: TableCaptures::default() }
    }

    /// The move that greedy makes with this hand on this table; none with an empty hand.
    pub fn choose(&mut self, hand: ClassCounts, table: ClassCounts) -> Option<ClassMove> {
        let moves = hand.classes().iter().map(|played| self.with(played, table));
        moves.max_by_key(|mv| (mv.rating, mv.captured))
    }

    /// The best move with a card of this class.
    pub fn with(&mut self, played: Class, table: ClassCounts) -> ClassMove {
        let bits = table.bits() ^ table.bits() >> 29;
        let place = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51) as usize % TABLES;
        let known = &mut self.known[place];
        if known.table != table {
            (known.table, known.classes) = (table, 0);
        }
        let index = played.index();
        if known.classes >> index & 1 == 0 {
            if self.captures.table() != table {
                self.captures.set_table(table);
            }
            let best = match self.captures.heaviest(played) {
                Some(captured) => ClassMove::capture(played, captured, table),
                None => ClassMove::lay_down(played),
            };
            known.classes |= 1 << index;
            known.best[index] = (best.rating, best.captured);
        }
        let (rating, captured) = known.best[index];
        ClassMove { played, captured, rating }
    }
}

impl Default for Greed {
    fn default() -> Self {
        Greed::new()
    }
}
