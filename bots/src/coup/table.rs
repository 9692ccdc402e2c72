//! Seats of a table from the view of one, taken from a request that may be any text at all.

use rules::coup::{Coup, Hand};
use rules::{PerSeat, Request, Seat};

/// Cards and coins of both seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// The seat that is asked.
    pub own: Seated,
    /// The other one.
    pub other: Seated,
}

/// Cards and coins of one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seated {
    /// The seat.
    pub seat: Seat,
    /// Its coins.
    pub coins: u32,
    /// Number of cards.
    pub cards: u32,
    /// The cards that it has lost.
    pub lost: Hand,
}

impl Table {
    /// The table of a request; `None` if it is not one of two seats.
    pub fn read(request: &Request<Coup>) -> Option<Table> {
        let (view, seat) = (&request.view, request.heading.seat);
        let side = |seat: Seat| {
            let (coins, cards) = (*value_at(&view.coins, seat)?, *value_at(&view.hands, seat)?);
            Some(Seated { seat, coins, cards, lost: *value_at(&view.lost, seat)? })
        };
        let other = Seat::first(2).find(|other| *other != seat)?;
        let (own, other) = (side(seat)?, side(other)?);
        (view.coins.count() == 2).then_some(Table { own, other })
    }
}

fn value_at<T>(values: &PerSeat<T>, seat: Seat) -> Option<&T> {
    values.iter().find(|(owner, _)| *owner == seat).map(|(_, value)| value)
}
