//! Beliefs about hands, from the moves of the other seats in this deal.

use rules::tablic::{Event, Place, Tablic};
use rules::{CardSet, Entry, Request, Seat};

use crate::tablic::classes::{Class, ClassCounts, ClassMove};
use crate::tablic::expert::greed::Greed;
use crate::tablic::expert::inclination::Inclinations;

/// Beliefs about hands, from the moves of the other seats in this deal.
///
/// A hand is the likelier the more its seat would have been inclined to the moves that it made,
/// compared with the best move of every other card that it held then.
#[derive(Debug, Clone)]
pub struct Beliefs {
    decisions: Vec<Vec<Decision>>,
}

/// A decision of another seat.
#[derive(Debug, Clone)]
struct Decision {
    inclinations: Inclinations,
    played: Class,
    /// The cards that it played then and later in this deal: it held all of them.
    held: ClassCounts,
}

impl Beliefs {
    /// Reads the history of a request; `None` if it contradicts itself.
    pub(super) fn read(request: &Request<Tablic>, greed: &mut Greed) -> Option<Beliefs> {
        let mut replay = Replay {
            decisions: vec![Vec::new(); request.options.seats.get()],
            own: request.heading.seat,
            table: CardSet::EMPTY,
            taken: CardSet::EMPTY,
            played: CardSet::EMPTY,
            out: Vec::new(),
        };
        let deals_a_hand = |entry: &Entry<Event>| {
            matches!(entry, Entry::Event(Event::Deal { to: Place::Hand(_), .. }))
        };
        let deal = request.history.iter().rposition(deals_a_hand).unwrap_or(0);
        for (place, entry) in request.history.iter().enumerate() {
            // Moves in earlier deals tell nothing of these hands.
            replay.take(entry, (place > deal).then_some(&mut *greed))?;
        }
        let is_told = request.history.is_empty() || replay.table == request.view.table;
        is_told.then_some(Beliefs { decisions: replay.decisions })
    }

    /// Returns true if nothing is known of the hand of a seat.
    pub(super) fn is_blank(&self, seat: usize) -> bool {
        self.decisions.get(seat).is_none_or(Vec::is_empty)
    }

    /// Likelihood of a seat's moves if it holds these cards now.
    pub(super) fn likelihood(&self, seat: usize, hand: ClassCounts) -> f32 {
        self.decisions[seat].iter().fold(1.0, |likelihood, decision| {
            let Decision { inclinations, played, held } = decision;
            likelihood * inclinations.chance(*played, hand.plus(*held))
        })
    }
}

/// A history that is gone through again.
struct Replay {
    decisions: Vec<Vec<Decision>>,
    own: Seat,
    table: CardSet,
    /// The cards in piles.
    taken: CardSet,
    /// The cards that have lain on the table, each of which is played once.
    played: CardSet,
    /// The seats for which the house plays, whose moves tell nothing.
    out: Vec<Seat>,
}

impl Replay {
    /// Goes on by one entry, and judges decisions if `greed` is there; `None` if that cannot be.
    fn take(&mut self, entry: &Entry<Event>, greed: Option<&mut Greed>) -> Option<()> {
        match *entry {
            Entry::Out(seat, _) => self.out.push(seat),
            Entry::Event(Event::Deal { to: Place::Table, cards }) => {
                self.table |= cards.seen();
                self.played |= cards.seen();
            }
            Entry::Event(Event::Move { seat, mv }) => {
                if !self.table.contains_all(mv.captured) || self.played.contains(mv.card) {
                    return None;
                }
                self.played.insert(mv.card);
                let decisions = self.decisions.get_mut(seat.index())?;
                if let Some(greed) = greed.filter(|_| seat != self.own) {
                    let table = ClassCounts::count(self.table);
                    let unseen = ClassCounts::count(CardSet::PACK - self.table - self.taken);
                    let made = ClassMove::new(mv, table);
                    let card = ClassCounts::one(made.played);
                    for decision in decisions.iter_mut() {
                        decision.held = decision.held.plus(card);
                    }
                    // The house plays for a seat that is out, and not as its hand would.
                    if !self.out.contains(&seat) {
                        let inclinations = Inclinations::on(table, unseen, made, greed);
                        decisions.push(Decision { inclinations, played: made.played, held: card });
                    }
                }
                if mv.captured.is_empty() {
                    self.table.insert(mv.card);
                } else {
                    self.table -= mv.captured;
                    self.taken |= mv.gained();
                }
            }
            Entry::Event(
                Event::Deal { .. } | Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. },
            ) => {}
        }
        Some(())
    }
}
