//! Columns of an observation or of a move: their values, and their names.
//!
//! A game writes its columns once, as calls of the trait [`ColumnVisitor`]. One implementation takes the values and
//! ignores the names; the other takes the names. So neither can differ from the other.

use std::fmt;

use bots::Players;
use rules::{Card, CardSet, Resample, Seat};

/// The greatest value of a column. Greater numbers are written as this.
const MOST: u32 = i8::MAX as u32;

/// The name of a column or of several: what it holds, of which seat, and in which slot of a list.
///
/// Seats are relative: `+0` is the seat that observes, `+1` the next.
///
/// ```
/// use learning::ColumnName;
///
/// assert_eq!(ColumnName::new("lost").seat(1).slot(0).to_string(), "lost +1 0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnName {
    what: &'static str,
    seat: Option<usize>,
    slot: Option<usize>,
}

impl ColumnName {
    /// The name of something that belongs to no seat.
    pub const fn new(what: &'static str) -> ColumnName {
        ColumnName { what, seat: None, slot: None }
    }

    /// This name for one seat, given by its distance from the seat that observes.
    #[must_use]
    pub const fn seat(self, distance: usize) -> ColumnName {
        ColumnName { seat: Some(distance), ..self }
    }

    /// This name for one slot of a list, counted from 0.
    #[must_use]
    pub const fn slot(self, slot: usize) -> ColumnName {
        ColumnName { slot: Some(slot), ..self }
    }
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)?;
        self.seat.map_or(Ok(()), |seat| write!(f, " +{seat}"))?;
        self.slot.map_or(Ok(()), |slot| write!(f, " {slot}"))
    }
}

pub trait ColumnVisitor {
    /// A number, as one column; 127 stands for greater ones, too.
    fn number(&mut self, name: ColumnName, number: u32);

    /// A column for each card of the pack, in its order: 1 if the set holds it.
    fn cards(&mut self, name: ColumnName, cards: CardSet);

    /// A column for each card of the pack: 0, or its place in the list, from 1.
    fn places(&mut self, name: ColumnName, cards: &[Card]);

    /// A column for each choice, which `label` names by its number: 1 for the chosen one.
    fn choice(
        &mut self,
        name: ColumnName,
        chosen: Option<usize>,
        count: usize,
        label: impl Fn(usize) -> String,
    );

    fn flag(&mut self, name: ColumnName, holds: bool) {
        self.number(name, u32::from(holds));
    }

    /// A number that may be large, as two columns: the rest after division by 128, and the quotient.
    fn large(&mut self, low: ColumnName, high: ColumnName, number: u32) {
        self.number(low, number % (MOST + 1));
        self.number(high, number / (MOST + 1));
    }

    /// A column for each seat, named by its distance from the seat that observes.
    fn one_of_seats(&mut self, name: ColumnName, chosen: Option<Seat>, from: RelativeSeats) {
        self.choice(name, chosen.map(|seat| from.distance(seat)), from.count, |it| {
            format!("+{it}")
        });
    }
}

/// The seats of a game, in order from the one that observes.
#[derive(Debug, Clone, Copy)]
pub struct RelativeSeats {
    pub own: Seat,
    pub count: usize,
}

impl RelativeSeats {
    /// The distance of a seat from the own one, in the order of turns.
    pub fn distance(self, seat: Seat) -> usize {
        (seat.index() + self.count - self.own.index()) % self.count
    }

    /// Each distance from 0, with the seat.
    pub fn by_distance(self) -> impl Iterator<Item = (usize, Seat)> {
        let seat = move |distance| Seat::new((self.own.index() + distance) % self.count);
        (0..self.count).filter_map(move |distance| seat(distance).map(|seat| (distance, seat)))
    }
}

/// Takes the values into a row, which must be 0 before. Columns beyond its end are dropped.
pub(crate) struct RowWriter<'a>(pub(crate) &'a mut [i8]);

impl<'a> RowWriter<'a> {
    fn next(&mut self, count: usize) -> &'a mut [i8] {
        let row = std::mem::take(&mut self.0);
        let (next, rest) = row.split_at_mut(count.min(row.len()));
        self.0 = rest;
        next
    }
}

const PACK: usize = 52;

impl ColumnVisitor for RowWriter<'_> {
    fn number(&mut self, _: ColumnName, number: u32) {
        self.next(1).fill(number.min(MOST) as i8);
    }

    fn cards(&mut self, _: ColumnName, cards: CardSet) {
        let row = self.next(PACK);
        let columns = cards.iter().map(|card| usize::from(card.place()));
        columns.for_each(|at| row.get_mut(at).into_iter().for_each(|column| *column = 1));
    }

    fn places(&mut self, _: ColumnName, cards: &[Card]) {
        let row = self.next(PACK);
        for (place, card) in (1..).zip(cards) {
            row.get_mut(usize::from(card.place())).into_iter().for_each(|it| *it = place);
        }
    }

    fn choice(
        &mut self,
        _: ColumnName,
        chosen: Option<usize>,
        count: usize,
        _: impl Fn(usize) -> String,
    ) {
        let row = self.next(count);
        chosen.and_then(|chosen| row.get_mut(chosen)).into_iter().for_each(|it| *it = 1);
    }
}

#[derive(Default)]
pub(crate) struct NameCollector(pub(crate) Vec<String>);

impl ColumnVisitor for NameCollector {
    fn number(&mut self, name: ColumnName, _: u32) {
        self.0.push(name.to_string());
    }

    fn cards(&mut self, name: ColumnName, _: CardSet) {
        self.0.extend(CardSet::PACK.iter().map(|card| format!("{name} {card}")));
    }

    fn places(&mut self, name: ColumnName, _: &[Card]) {
        self.cards(name, CardSet::EMPTY);
    }

    fn choice(
        &mut self,
        name: ColumnName,
        _: Option<usize>,
        count: usize,
        label: impl Fn(usize) -> String,
    ) {
        self.0.extend((0..count).map(|choice| format!("{name} {}", label(choice))));
    }
}

/// A game with observations and actions as numbers.
///
/// A change of a column or of an action that a trained model would notice is a new [`VERSION`](Learnable::VERSION).
pub trait Learnable: Players + Resample {
    const VERSION: u32 = 0;

    /// The facts from public events that an observation has beside the view.
    type Memory: Clone + Send;

    /// The memory at the beginning of a game.
    fn memory(options: &Self::Options) -> Self::Memory;

    /// Remembers an event in the form that all seats see.
    fn remember(memory: &mut Self::Memory, event: &Self::Event);

    /// Writes the observation of a seat. The names of the columns depend on the options alone.
    fn observe(
        view: &Self::View,
        memory: &Self::Memory,
        seat: Seat,
        columns: &mut impl ColumnVisitor,
    );

    /// The names of all actions, in the order of their numbers. Seats are relative, as in
    /// [`ColumnName`](crate::ColumnName).
    fn actions(options: &Self::Options) -> Vec<String>;

    /// The number of a move among the actions; `place` is its place in the list of legal moves.
    fn action(game: &Self, seat: Seat, mv: &Self::Move, place: usize) -> usize;

    /// Writes what a move is and does, where actions alone do not say it.
    fn describe(game: &Self, mv: &Self::Move, columns: &mut impl ColumnVisitor) {
        let _ = (game, mv, columns);
    }
}
