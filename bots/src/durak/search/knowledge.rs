//! Knowledge of hidden cards from a request.

use rules::durak::{Durak, Event, Move};
use rules::{Card, Entry, PerSeat, Request, Seat};

use crate::durak::search::cards::{Cards, Layout, Place, is_trump, rank};
use crate::durak::search::position::{Queue, SEATS};
use crate::durak::search::tree::Start;

/// Knowledge of hands from a history.
///
/// A card that a seat did not play is less likely in its hand: it has a weight below 1, which grows
/// again with the cards that the seat draws.
#[derive(Debug, Clone)]
pub struct Knowledge {
    /// Weight of a seat's holding a card, compared with cards of which nothing is known.
    pub weights: [[f32; 64]; SEATS],
    /// The trumps that no seat was dealt, since a higher one was shown as the lowest.
    pub barred: Cards,
    /// Most of them that each seat can hold: as many cards as it drew later and has not shown to be
    /// others.
    pub most_barred: [u32; SEATS],
    /// True if this is the first bout.
    pub is_first_bout: bool,
    /// The seats that are out of the match, a bit each, for which the rules play.
    pub idle: u8,
}

/// Weight of a hint, for plain cards and for trumps.
type Hint = [f32; 2];

/// A cheaper card than the one that was led.
const LED: Hint = [0.5, 0.8];
/// A cheaper card than the one that beat.
const BEAT: Hint = [0.4, 0.5];
/// A card that would have beaten when the seat took.
const TOOK: Hint = [0.3, 0.8];
/// A card that could have been thrown when the seat was done.
const DONE: Hint = [0.3, 0.8];

struct Observer {
    knowledge: Knowledge,
    layout: Layout,
    /// Number of unseen cards that each seat holds.
    hidden: [u32; SEATS],
    known: PerSeat<Cards>,
    table: Cards,
    unbeaten: Queue,
}

impl Knowledge {
    /// Reads the history of a request.
    pub fn read(request: &Request<Durak>, layout: Layout) -> Knowledge {
        let knowledge = Knowledge {
            weights: [[1.0; 64]; SEATS],
            barred: Cards::EMPTY,
            most_barred: [0; SEATS],
            is_first_bout: true,
            idle: 0,
        };
        let mut observer = Observer {
            knowledge,
            layout,
            hidden: [0; SEATS],
            known: PerSeat::new(request.options.seats(), |_| Cards::EMPTY),
            table: Cards::EMPTY,
            unbeaten: Queue::default(),
        };
        let pack = layout.cards(request.options.deck().cards());
        for entry in &request.history {
            match entry {
                Entry::Event(event) => observer.observe(event, pack),
                Entry::Out(seat, _) => observer.knowledge.idle |= bit(*seat),
            }
        }
        observer.knowledge
    }
}

fn bit(seat: Seat) -> u8 {
    1u8.checked_shl(seat.index() as u32).unwrap_or(0)
}

impl Observer {
    fn observe(&mut self, event: &Event, pack: Cards) {
        if event.seat().is_some_and(|seat| !self.known.has(seat)) {
            return;
        }
        match *event {
            Event::Deal { to, cards } => self.hidden[to.index()] += cards.len() as u32,
            Event::Draw { to, cards } => {
                let (seat, drawn) = (to.index(), cards.len() as u32);
                self.knowledge.most_barred[seat] += drawn;
                let old = self.hidden[seat] as f32 / (self.hidden[seat] + drawn).max(1) as f32;
                for weight in &mut self.knowledge.weights[seat] {
                    *weight = *weight * old + 1.0 - old;
                }
                self.hidden[seat] += drawn;
            }
            Event::First { seat, card } => {
                let lower =
                    |place: &Place| card.is_none_or(|card| *place < self.layout.place(card));
                let trumps = pack.trumps().filter(lower);
                self.knowledge.barred =
                    trumps.fold(Cards::EMPTY, |all, place| all.and(Cards::one(place)));
                if let Some(card) = card {
                    self.show(seat, card);
                }
            }
            Event::Trump(_) => {}
            Event::Move { seat, mv } => self.decide(seat, mv),
            Event::Discard(_) | Event::PickUp { .. } => {
                if let Event::PickUp { seat, cards } = *event {
                    self.known[seat] = self.known[seat].and(self.layout.cards(cards));
                }
                self.table = Cards::EMPTY;
                self.unbeaten = Queue::default();
                self.knowledge.is_first_bout = false;
            }
            Event::Last { to, card } => {
                self.known[to] = self.known[to].and(Cards::one(self.layout.place(card)));
            }
            Event::Gone(_) | Event::Durak(_) => {}
        }
    }

    /// Everybody sees a card of a hand.
    fn show(&mut self, seat: Seat, card: Card) {
        self.known[seat] = self.known[seat].and(Cards::one(self.layout.place(card)));
        self.hidden[seat.index()] = self.hidden[seat.index()].saturating_sub(1);
    }

    fn decide(&mut self, seat: Seat, mv: Move) {
        let place = mv.card().map(|card| self.layout.place(card));
        let cheaper = |than: Place| {
            move |place: Place| (is_trump(place), rank(place)) < (is_trump(than), rank(than))
        };
        let attack = self.unbeaten.first().unwrap_or_default();
        let all = Cards(u64::MAX);
        match (mv, place) {
            (Move::Lead(_), Some(led)) => self.hint(seat, all, cheaper(led), LED),
            (Move::Beat(_), Some(card)) => {
                self.hint(seat, all.beating(attack), cheaper(card), BEAT);
            }
            (Move::Take, _) => self.hint(seat, all.beating(attack), |_| true, TOOK),
            (Move::Done, _) => self.hint(seat, all.of_ranks(self.table), |_| true, DONE),
            _ => {}
        }
        let Some(place) = place else { return };
        let card = Cards::one(place);
        if self.known[seat].contains(place) {
            self.known[seat] = self.known[seat].without(card);
        } else {
            self.hidden[seat.index()] = self.hidden[seat.index()].saturating_sub(1);
            if self.knowledge.barred.contains(place) {
                let most = &mut self.knowledge.most_barred[seat.index()];
                *most = most.saturating_sub(1);
            }
        }
        self.table = self.table.and(card);
        match mv {
            Move::Beat(_) => self.unbeaten.pop(),
            _ => self.unbeaten.push(place),
        }
    }

    /// Makes cards less likely that a seat could have played, but did not.
    fn hint(
        &mut self,
        seat: Seat,
        cards: Cards,
        which: impl Fn(Place) -> bool,
        [plain, trump]: Hint,
    ) {
        // The house plays for a seat that is out, and not as its hand would.
        if self.knowledge.idle & bit(seat) != 0 {
            return;
        }
        let weights = &mut self.knowledge.weights[seat.index()];
        for place in cards.filter(|place| which(*place)) {
            weights[usize::from(place)] *= if is_trump(place) { trump } else { plain };
        }
    }
}

/// The starts of bouts that the game has seen twice, given all hands as they are now.
///
/// It goes back through the history: what was played was in the hand before, and what was taken up
/// was not. A start before the last discard or draw cannot come again.
pub fn seen_twice(request: &Request<Durak>, layout: Layout, hands: [Cards; SEATS]) -> Vec<Start> {
    let mut hands = hands;
    let mut starts: Vec<Start> = Vec::new();
    for entry in request.history.iter().rev() {
        let Entry::Event(event) = entry else { continue };
        match *event {
            Event::Move { seat, mv } => {
                let Some(hand) = hands.get_mut(seat.index()) else { break };
                if let Some(card) = mv.card() {
                    *hand = hand.and(Cards::one(layout.place(card)));
                }
                if let Move::Lead(_) = mv {
                    starts.push(Start { hands, attacker: seat.index() as u8 });
                }
            }
            Event::PickUp { seat, cards } => {
                let Some(hand) = hands.get_mut(seat.index()) else { break };
                *hand = hand.without(layout.cards(cards));
            }
            Event::Gone(_) | Event::Durak(_) => {}
            _ => break,
        }
    }
    let bits = |start: &Start| (start.attacker, start.hands.map(|hand| hand.0));
    starts.sort_by_key(bits);
    let again = starts.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let mut seen: Vec<Start> = again.collect();
    seen.dedup();
    seen
}
