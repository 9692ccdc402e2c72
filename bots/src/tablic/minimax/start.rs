//! Start of a search: the knowledge of the searching seat when it is asked.

use rules::tablic::{Tablic, View};
use rules::{CardSet, Request};

use crate::tablic::classes::{ClassCounts, ClassSet};
use crate::tablic::minimax::knowledge::Knowledge;

/// Knowledge of the searching seat, and progress of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The cards on the table.
    pub table: ClassCounts,
    /// The hand of the searching seat, which is to move.
    pub hand: ClassCounts,
    /// The cards that it has not seen.
    pub unseen: ClassCounts,
    /// The searching seat.
    pub seat: usize,
    /// For each seat, the classes that it is assumed not to hold.
    pub assumed: Vec<ClassSet>,
    /// The points of each seat so far.
    pub points: Vec<u32>,
    /// Number of cards that each seat has captured.
    pub cards: Vec<u32>,
    /// The seat that captured last.
    pub last: Option<usize>,
    /// Number of cards that all seats hold together: the plies to the end of the deal.
    pub held: u32,
    /// Place of the deal in the game.
    pub deal: Deal,
}

/// The place of a deal in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deal {
    /// One after which there are others.
    Earlier,
    /// The last one, after which the game ends.
    Last,
}

/// Number of cards that a hand has at most. With more, the last deal could not be searched to its
/// end.
const MOST_IN_HAND: u32 = 6;

/// More points than any seat can have.
const TOO_MANY_POINTS: u32 = 100;

impl Start {
    /// Reads a request; `None` if it contradicts itself.
    pub fn read(request: &Request<Tablic>) -> Option<Start> {
        let view = &request.view;
        let seats = request.options.seats.get();
        let seat = request.heading.seat;
        if seat.index() >= seats || !is_possible(view, seats) {
            return None;
        }
        let knowledge = Knowledge::read(request)?;
        let mut held = view.hands.clone();
        held[seat] = view.hand.len() as u32;
        Some(Start {
            table: ClassCounts::count(view.table),
            hand: ClassCounts::count(view.hand),
            unseen: ClassCounts::count(knowledge.unseen()),
            seat: seat.index(),
            assumed: held.seats().map(|seat| knowledge.assumed(seat)).collect(),
            points: view.points.values().to_vec(),
            cards: view.cards.values().to_vec(),
            last: view.last.map(|seat| seat.index()),
            held: held.values().iter().sum(),
            deal: if view.talon == 0 { Deal::Last } else { Deal::Earlier },
        })
    }

    /// Plies to look ahead for a depth, which counts the moves of the searching seat: to the end of
    /// the round in which the last of them falls, or to the end of the deal, and in the last deal
    /// always to its end.
    pub fn plies(&self, depth: u32) -> u32 {
        match self.deal {
            Deal::Earlier => self.end_of_round(depth).min(self.held),
            Deal::Last => self.held,
        }
    }

    /// The numbers of plies to look ahead in turn, in growing searches up to this depth: 1, 2, 4
    /// and so on until the round ends, then as many as end one of the rounds.
    pub fn growing_plies(&self, depth: u32) -> impl Iterator<Item = u32> + use<> {
        let last = self.plies(depth);
        let round = self.end_of_round(1);
        let seats = self.points.len() as u32;
        let next = move |plies: &u32| match *plies {
            plies if plies >= last => None,
            plies if plies >= round => Some((plies + seats).min(last)),
            plies => Some((2 * plies).min(round).min(last)),
        };
        std::iter::successors(Some(1.min(last)), next)
    }

    /// Number of plies to the end of a round, 1 being this one.
    fn end_of_round(&self, round: u32) -> u32 {
        (self.points.len() as u32).saturating_mul(round).saturating_sub(self.seat as u32)
    }
}

/// Returns true if there can be a view with this number of seats.
fn is_possible(view: &View, seats: usize) -> bool {
    let places = [view.hand, view.table, view.taken];
    let together = places.iter().fold(CardSet::EMPTY, |all, cards| all | *cards);
    let apart = places.iter().map(|cards| cards.len()).sum::<usize>() == together.len();
    let lists = [&view.hands, &view.cards, &view.points];
    let cards = [&view.hands, &view.cards].map(|counts| counts.values());
    let hands = view.hands.values().iter().copied().chain([view.hand.len() as u32]);
    apart
        && hands.max().is_none_or(|most| most <= MOST_IN_HAND)
        && lists.iter().all(|list| list.count() == seats)
        && cards.iter().all(|counts| at_most_pack(counts))
        && view.points.values().iter().all(|points| *points < TOO_MANY_POINTS)
        && view.last.is_none_or(|last| last.index() < seats)
}

fn at_most_pack(counts: &[u32]) -> bool {
    counts.iter().try_fold(0u32, |sum, count| sum.checked_add(*count)).is_some_and(|sum| sum <= 52)
}
