//! What `greedy` remembers at a court: the blocks that it expects again.

use rules::coup::{Action, Coup, Event, Move, Rules};
use rules::{Request, Seat};

/// The blocks of a game so far that are likely to come again; none by the rules of the contest, where a
/// turn spent on them costs little.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Wary {
    thefts: Vec<Seat>,
    aid: bool,
}

impl Wary {
    /// The blocks that a seat has seen.
    pub(super) fn read(request: &Request<Coup>) -> Wary {
        let mut wary = Wary::default();
        if request.options.rules == Rules::Contest {
            return wary;
        }
        let own = request.heading.seat;
        let hands = &request.view.hands;
        let mut current = None;
        for event in request.events() {
            match event {
                Event::Move { seat, mv: Move::Act(action) } => current = Some((seat, action)),
                Event::Move { seat, mv: Move::Block(_) } => match current {
                    Some((thief, Action::Steal(_))) if thief == own => wary.thefts.push(seat),
                    Some((_, Action::ForeignAid)) if seat != own && hands.has(seat) => {
                        wary.aid |= hands[seat] > 0;
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        wary
    }

    /// Returns true if this seat has blocked a theft of its own.
    pub(super) fn of_theft(&self, target: Seat) -> bool {
        self.thefts.contains(&target)
    }

    /// Returns true if another seat that is still in has blocked foreign aid.
    pub(super) fn of_aid(&self) -> bool {
        self.aid
    }
}
