//! Knowledge and assumptions of a seat about the cards of the others.

use rules::tablic::{Event, Move, Place, Tablic};
use rules::{CardSet, Entry, Request, Seat};

use crate::tablic::classes::captures::TableCaptures;
use crate::tablic::classes::moves::{ClassMove, list};
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
                self.knowledge.unseen -= cards.seen();
                self.undealt = self.undealt.checked_sub(cards.len())?;
                match to {
                    Place::Table => self.table |= cards.seen(),
                    Place::Hand(_) => self.knowledge.assumed.fill(ClassSet::EMPTY),
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
        Temptations::new(&self.moves).better_than(ClassMove::new(mv, table))
    }
}

/// For each class, the most tempting move with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Temptations([u16; Class::COUNT]);

impl Temptations {
    pub(super) fn new(moves: &[ClassMove]) -> Temptations {
        let mut temptations = Temptations::default();
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
