//! Knowledge of hidden cards from a request, the request as the search sees it, and worlds that fit it.

use std::num::NonZeroU32;

use rules::durak::{Bout, Durak, Event, Move, Phase as Asked, View};
use rules::{Card, Entry, Nature, PerSeat, Request, Seat};
use search::WorldSampler;

use crate::durak::search::cards::{Cards, Layout, Place, is_trump, rank};
use crate::durak::search::position::{
    GameSetup, MOST_ATTACKS, Play, Position, PositionPhase, SEATS, UnbeatenCards,
};
use crate::durak::search::tree::BoutStart;

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

struct KnowledgeReader {
    knowledge: Knowledge,
    layout: Layout,
    /// Number of unseen cards that each seat holds.
    hidden: [u32; SEATS],
    known: PerSeat<Cards>,
    table: Cards,
    unbeaten: UnbeatenCards,
}

impl Knowledge {
    pub fn read(request: &Request<Durak>, layout: Layout) -> Knowledge {
        let knowledge = Knowledge {
            weights: [[1.0; 64]; SEATS],
            barred: Cards::EMPTY,
            most_barred: [0; SEATS],
            is_first_bout: true,
            idle: 0,
        };
        let mut observer = KnowledgeReader {
            knowledge,
            layout,
            hidden: [0; SEATS],
            known: PerSeat::new(request.options.seats(), |_| Cards::EMPTY),
            table: Cards::EMPTY,
            unbeaten: UnbeatenCards::default(),
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

impl KnowledgeReader {
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
                self.unbeaten = UnbeatenCards::default();
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
pub fn seen_twice(
    request: &Request<Durak>,
    layout: Layout,
    hands: [Cards; SEATS],
) -> Vec<BoutStart> {
    let mut hands = hands;
    let mut starts: Vec<BoutStart> = Vec::new();
    for entry in request.history.iter().rev() {
        let Entry::Event(event) = entry else { continue };
        match *event {
            Event::Move { seat, mv } => {
                let Some(hand) = hands.get_mut(seat.index()) else { break };
                if let Some(card) = mv.card() {
                    *hand = hand.and(Cards::one(layout.place(card)));
                }
                if let Move::Lead(_) = mv {
                    starts.push(BoutStart { hands, attacker: seat.index() as u8 });
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
    let bits = |start: &BoutStart| (start.attacker, start.hands.map(|hand| hand.0));
    starts.sort_by_key(bits);
    let again = starts.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let mut seen: Vec<BoutStart> = again.collect();
    seen.dedup();
    seen
}

#[derive(Debug, Clone)]
pub struct RootKnowledge {
    pub layout: Layout,
    pub knowledge: Knowledge,
    /// The position, where the other hands hold only what is known of them.
    pub position: Position,
    /// The rules, and a talon in which only the trump card has its place.
    pub world: GameSetup,
    /// The cards that no seat has shown.
    pub unseen: Cards,
    /// Number of them that each seat holds.
    pub hidden: [u32; SEATS],
}

impl RootKnowledge {
    /// Reads a request; `None` if it contradicts itself.
    pub fn read(request: &Request<Durak>) -> Option<RootKnowledge> {
        let view = &request.view;
        let trump = view.trump?;
        let layout = Layout::new(trump.suit());
        let knowledge = Knowledge::read(request, layout);
        let (position, hidden) = position(request, layout, &knowledge)?;

        let size = u8::try_from(view.talon).ok().filter(|size| *size <= 52)?;
        let mut talon = [0; 52];
        let mut open = Cards::EMPTY;
        if let Some(last) = usize::from(size).checked_sub(1) {
            talon[last] = layout.place(trump);
            open = Cards::one(layout.place(trump));
        }
        let unseen = unseen(request, layout, &position, open)?;
        let face_down = u64::from(size.saturating_sub(1));
        let held: u64 = hidden.iter().map(|hidden| u64::from(*hidden)).sum();
        let world = GameSetup::new(request.options, talon, size, knowledge.idle);
        let fits = u64::from(unseen.len()) == held + face_down;
        fits.then_some(RootKnowledge { layout, knowledge, position, world, unseen, hidden })
    }

    /// Returns true if two seats play and each can know all cards: none is left to draw, but for
    /// the trump card that everybody sees.
    pub fn is_certain(&self) -> bool {
        self.position.players.count_ones() == 2 && self.world.size <= 1
    }

    /// The move of the search behind a move of the request.
    pub fn play(&self, mv: Move) -> Play {
        let place = |card: Card| self.layout.place(card);
        match mv {
            Move::Lead(card) | Move::Beat(card) | Move::Throw(card) => Play::Card(place(card)),
            Move::Transfer(card) => Play::Transfer(place(card)),
            Move::Take | Move::Done => Play::Pass,
        }
    }
}

/// The position that a request shows, and how many cards of each hand it does not show.
fn position(
    request: &Request<Durak>,
    layout: Layout,
    knowledge: &Knowledge,
) -> Option<(Position, [u32; SEATS])> {
    let (view, seats) = (&request.view, request.options.seats());
    let bout = view.bout()?;
    let asked = request.heading.seat;
    let fits = view.hands.count() == seats && view.known.count() == seats;
    if !fits || bout.turn() != asked || bout.attacker() == bout.defender() {
        return None;
    }
    let mut hands = [Cards::EMPTY; SEATS];
    let mut hidden = [0; SEATS];
    let mut players = 0;
    for (seat, known) in view.known.iter() {
        let index = seat.index();
        hands[index] = layout.cards(if seat == asked { view.hand } else { *known });
        hidden[index] = view.hands[seat].checked_sub(hands[index].len())?;
        players |= u8::from(!view.gone.contains(&seat)) << index;
    }
    let playing = |seat: Seat| {
        let number = u8::try_from(seat.index()).ok().filter(|seat| usize::from(*seat) < seats)?;
        (players >> number & 1 == 1).then_some(number)
    };
    let attacks = bout.table().attacks();
    let most = match knowledge.is_first_bout {
        true => request.options.first_limit.get() as u8,
        false => MOST_ATTACKS,
    };
    let position = Position {
        hands,
        table: layout.cards(bout.table().cards()),
        unbeaten: unbeaten(bout, layout),
        players,
        first: playing(bout.first())?,
        attacker: playing(bout.attacker())?,
        defender: playing(bout.defender())?,
        turn: playing(bout.turn())?,
        phase: match bout.phase() {
            Asked::Lead => PositionPhase::Lead,
            Asked::Defend => PositionPhase::Defend,
            Asked::Throw(_) => PositionPhase::Throw,
            Asked::Load(_) => PositionPhase::Load,
        },
        attacks: attacks.len() as u8,
        limit: u8::try_from(attacks.len() + bout.attacks_left()).ok()?,
        drawn: 0,
        most,
    };
    Some((position, hidden))
}

fn unbeaten(bout: &Bout, layout: Layout) -> UnbeatenCards {
    let mut unbeaten = UnbeatenCards::default();
    if bout.is_taken() {
        return unbeaten;
    }
    for card in bout.table().attacks().iter().skip(bout.table().beats().len()) {
        unbeaten.push(layout.place(*card));
    }
    unbeaten
}

/// The cards that no seat has shown; `None` if a card is in two places. `open` lie face up
/// beside those of the position.
fn unseen(
    request: &Request<Durak>,
    layout: Layout,
    position: &Position,
    open: Cards,
) -> Option<Cards> {
    let View { discards, .. } = request.view;
    let places = [position.table, open, layout.cards(discards)];
    let places = position.hands.iter().chain(&places);
    let mut seen = Cards::EMPTY;
    for cards in places {
        if !seen.common(*cards).is_empty() {
            return None;
        }
        seen = seen.and(*cards);
    }
    Some(layout.cards(request.options.deck().cards()).without(seen))
}

/// Number of times a card that hints make unlikely is drawn again.
const TRIES: u32 = 8;

/// Number of times a card that the seat cannot hold is drawn again.
const MANY_TRIES: u32 = 32;

/// The parts in which chances are counted.
const PARTS: NonZeroU32 = NonZeroU32::MIN.saturating_add(1023);

impl WorldSampler for RootKnowledge {
    type World = (Position, GameSetup);

    /// A world that fits, drawn by what hints weigh; there always is one.
    fn draw(&self, nature: &mut Nature) -> Option<(Position, GameSetup)> {
        let (mut position, mut world) = (self.position, self.world);
        let mut pool = Pool::new(self.unseen);
        // The seats with fewer open places for barred trumps choose first.
        let mut seats: [usize; SEATS] = std::array::from_fn(|seat| seat);
        seats.sort_by_key(|seat| self.knowledge.most_barred[*seat]);
        for seat in seats {
            let mut barred = self.knowledge.most_barred[seat];
            for _ in 0..self.hidden[seat] {
                let kept = if barred == 0 { self.knowledge.barred } else { Cards::EMPTY };
                let Some(place) = pool.draw(&self.knowledge.weights[seat], kept, nature) else {
                    break;
                };
                barred = barred.saturating_sub(u32::from(self.knowledge.barred.contains(place)));
                position.hands[seat] = position.hands[seat].and(Cards::one(place));
            }
        }
        let face_down = usize::from(world.size.saturating_sub(1));
        for (slot, place) in world.talon.iter_mut().take(face_down).zip(pool.shuffled(nature)) {
            *slot = *place;
        }
        world.lay_out();
        Some((position, world))
    }
}

struct Pool {
    cards: [Place; 52],
    left: usize,
}

impl Pool {
    fn new(cards: Cards) -> Pool {
        let mut pool = Pool { cards: [0; 52], left: 0 };
        for (slot, place) in pool.cards.iter_mut().zip(cards) {
            *slot = place;
            pool.left += 1;
        }
        pool
    }

    /// A card that is none of `kept`, the likelier the greater its weight.
    fn draw(&mut self, weights: &[f32; 64], kept: Cards, nature: &mut Nature) -> Option<Place> {
        for tries in 0..MANY_TRIES {
            let index = below(self.left, nature)?;
            let place = self.cards[index];
            if kept.contains(place) {
                continue;
            }
            let chance = weights[usize::from(place) % 64] * PARTS.get() as f32;
            if tries >= TRIES || nature.below(PARTS) < chance as u32 {
                return Some(self.take(index));
            }
        }
        let is_free = |index: &usize| !kept.contains(self.cards[*index]);
        let index = (0..self.left).find(is_free).or(self.left.checked_sub(1))?;
        Some(self.take(index))
    }

    fn take(&mut self, index: usize) -> Place {
        self.left -= 1;
        self.cards.swap(index, self.left);
        self.cards[self.left]
    }

    fn shuffled(&mut self, nature: &mut Nature) -> &[Place] {
        for last in (1..self.left).rev() {
            if let Some(index) = below(last + 1, nature) {
                self.cards.swap(index, last);
            }
        }
        &self.cards[..self.left]
    }
}

fn below(bound: usize, nature: &mut Nature) -> Option<usize> {
    NonZeroU32::new(bound as u32).map(|bound| nature.below(bound) as usize)
}
