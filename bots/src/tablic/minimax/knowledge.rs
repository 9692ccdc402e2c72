//! Knowledge and assumptions of a seat about the cards of the others, when the search starts.

use rules::tablic::{DealDestination, Event, Move, Tablic, View};
use rules::{CardSet, Entry, Request, Seat};

use crate::tablic::classes::captures::{ClassMove, TableCaptures, list};
use crate::tablic::classes::{Class, ClassCounts, ClassSet};

/// Knowledge and assumptions of a seat about the cards of the others.
///
/// It knows that no other seat holds what lay on the table at first, what it was dealt itself, and
/// what was played. It assumes that a seat does not hold what it would rather have played: when
/// another seat makes a move, every class with which a move worth more points, or as many points
/// and more cards, was possible from what that seat might still hold. The class that was played is
/// no longer assumed not to be held, also where the house played it for a seat that is out, and
/// nothing is assumed about a class of which every card has been seen. With each deal the assumptions
/// begin anew, and in the last deal there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    unseen: CardSet,
    assumed: Vec<ClassSet>,
}

impl Knowledge {
    /// Reads a request; `None` if it contradicts itself.
    ///
    /// A request without any history leaves what its view tells.
    pub fn read(request: &Request<Tablic>) -> Option<Knowledge> {
        let view = &request.view;
        let seen = view.hand | view.table | view.taken;
        let seats = request.options.seats.get();
        let nothing = Knowledge { unseen: CardSet::PACK, assumed: vec![ClassSet::EMPTY; seats] };
        if request.history.is_empty() {
            return Some(Knowledge { unseen: CardSet::PACK - seen, ..nothing });
        }
        let mut replay = Replay {
            knowledge: nothing,
            own: request.heading.seat,
            table: CardSet::EMPTY,
            out: Vec::new(),
            undealt: CardSet::PACK.len(),
            captures: TableCaptures::default(),
            moves: Vec::new(),
        };
        for entry in &request.history {
            replay.take(entry)?;
        }
        let agrees = replay.table == view.table && replay.knowledge.unseen == CardSet::PACK - seen;
        agrees.then_some(replay.knowledge)
    }

    /// The cards that some other seat may hold, or that are still to be dealt.
    pub fn unseen(&self) -> CardSet {
        self.unseen
    }

    /// The classes that a seat is assumed not to hold.
    pub fn assumed(&self, seat: Seat) -> ClassSet {
        self.assumed.get(seat.index()).copied().unwrap_or_default()
    }

    /// The classes that a seat is taken to hold perhaps.
    pub fn may_hold(&self, seat: Seat) -> ClassSet {
        ClassCounts::count(self.unseen).classes().without(self.assumed(seat))
    }
}

/// A history that is gone through again.
struct Replay {
    knowledge: Knowledge,
    own: Seat,
    table: CardSet,
    /// The seats for which the house plays, whose moves tell only that they held the card.
    out: Vec<Seat>,
    /// Number of cards that have not been dealt yet.
    undealt: usize,
    captures: TableCaptures,
    moves: Vec<ClassMove>,
}

impl Replay {
    /// Goes on by one entry; `None` if that cannot be.
    fn take(&mut self, entry: &Entry<Event>) -> Option<()> {
        match *entry {
            Entry::Out(seat, _) => self.out.push(seat),
            Entry::Event(Event::Deal { to, cards }) => {
                self.knowledge.unseen -= cards.visible();
                self.undealt = self.undealt.checked_sub(cards.len())?;
                match to {
                    DealDestination::Table => self.table |= cards.visible(),
                    DealDestination::Hand(_) => self.knowledge.assumed.fill(ClassSet::EMPTY),
                }
            }
            Entry::Event(Event::Move { seat, mv }) => {
                if !self.table.contains_all(mv.captured) || self.table.contains(mv.card) {
                    return None;
                }
                if seat != self.own && self.undealt > 0 {
                    self.learn(seat, mv)?;
                }
                self.knowledge.unseen.remove(mv.card);
                if mv.captured.is_empty() {
                    self.table.insert(mv.card);
                } else {
                    self.table -= mv.captured;
                }
            }
            Entry::Event(Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. }) => {}
        }
        let open = ClassCounts::count(self.knowledge.unseen).classes();
        self.knowledge.assumed.iter_mut().for_each(|assumed| *assumed = assumed.and(open));
        Some(())
    }

    /// Adds what a move on this table tells about the hand it comes from.
    fn learn(&mut self, seat: Seat, mv: Move) -> Option<()> {
        let better =
            if self.out.contains(&seat) { ClassSet::EMPTY } else { self.better_than(seat, mv) };
        let assumed = self.knowledge.assumed.get_mut(seat.index())?;
        *assumed = assumed.with(better).without(ClassSet::one(Class::new(mv.card)));
        Some(())
    }

    /// The classes with which this seat would rather have made another move on this table.
    fn better_than(&mut self, seat: Seat, mv: Move) -> ClassSet {
        let table = ClassCounts::count(self.table);
        self.captures.set_table(table);
        list(self.knowledge.may_hold(seat), &mut self.captures, &mut self.moves);
        TopRatings::new(&self.moves).better_than(ClassMove::new(mv, table))
    }
}

/// For each class, the most tempting move with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TopRatings([u16; Class::COUNT]);

impl TopRatings {
    pub(super) fn new(moves: &[ClassMove]) -> TopRatings {
        let mut temptations = TopRatings::default();
        for mv in moves {
            let most = &mut temptations.0[mv.played.index()];
            *most = mv.rating.temptation().max(*most);
        }
        temptations
    }

    /// The classes, other than that of the played card, with which a move was possible that is
    /// worth more points than this one, or as many points and more cards.
    pub(super) fn better_than(&self, mv: ClassMove) -> ClassSet {
        let temptation = mv.rating.temptation();
        let better = Class::all().filter(|class| self.0[class.index()] > temptation);
        better.collect::<ClassSet>().without(ClassSet::one(mv.played))
    }
}

/// Knowledge of the searching seat, and progress of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatKnowledge {
    pub table: ClassCounts,
    /// The hand of the searching seat, which is to move.
    pub hand: ClassCounts,
    pub unseen: ClassCounts,
    pub seat: usize,
    /// For each seat, the classes that it is assumed not to hold.
    pub assumed: Vec<ClassSet>,
    pub points: Vec<u32>,
    /// Number of cards that each seat has captured.
    pub cards: Vec<u32>,
    /// The seat that captured last.
    pub last: Option<usize>,
    /// Number of cards that all seats hold together: the plies to the end of the deal.
    pub held: u32,
    pub deal: DealPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DealPlace {
    Earlier,
    /// The last one, after which the game ends.
    Last,
}

/// Number of cards that a hand has at most. With more, the last deal could not be searched to its
/// end.
const MOST_IN_HAND: u32 = 6;

/// More points than any seat can have.
const TOO_MANY_POINTS: u32 = 100;

impl SeatKnowledge {
    /// Reads a request; `None` if it contradicts itself.
    pub fn read(request: &Request<Tablic>) -> Option<SeatKnowledge> {
        let view = &request.view;
        let seats = request.options.seats.get();
        let seat = request.heading.seat;
        if seat.index() >= seats || !is_possible(view, seats) {
            return None;
        }
        let knowledge = Knowledge::read(request)?;
        let mut held = view.hands.clone();
        held[seat] = view.hand.len() as u32;
        Some(SeatKnowledge {
            table: ClassCounts::count(view.table),
            hand: ClassCounts::count(view.hand),
            unseen: ClassCounts::count(knowledge.unseen()),
            seat: seat.index(),
            assumed: held.seats().map(|seat| knowledge.assumed(seat)).collect(),
            points: view.points.values().to_vec(),
            cards: view.cards.values().to_vec(),
            last: view.last.map(|seat| seat.index()),
            held: held.values().iter().sum(),
            deal: if view.talon == 0 { DealPlace::Last } else { DealPlace::Earlier },
        })
    }

    /// Plies to look ahead for a depth, which counts the moves of the searching seat: to the end of
    /// the round in which the last of them falls, or to the end of the deal, and in the last deal
    /// always to its end.
    pub fn plies(&self, depth: u32) -> u32 {
        match self.deal {
            DealPlace::Earlier => self.end_of_round(depth).min(self.held),
            DealPlace::Last => self.held,
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
