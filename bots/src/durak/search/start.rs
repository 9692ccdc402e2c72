//! A request as the search sees it.

use rules::durak::{Bout, Durak, Move, Phase as Asked, View};
use rules::{Card, Request, Seat};

use crate::durak::search::cards::{Cards, Layout};
use crate::durak::search::knowledge::Knowledge;
use crate::durak::search::position::{MOST_ATTACKS, Phase, Play, Position, Queue, SEATS, World};

/// Knowledge of the asked seat.
#[derive(Debug, Clone)]
pub struct Start {
    /// Layout of cards.
    pub layout: Layout,
    /// Knowledge from the history.
    pub knowledge: Knowledge,
    /// The position, where the other hands hold only what is known of them.
    pub position: Position,
    /// The rules, and a talon in which only the trump card has its place.
    pub world: World,
    /// The cards that no seat has shown.
    pub unseen: Cards,
    /// Number of them that each seat holds.
    pub hidden: [u32; SEATS],
}

impl Start {
    /// Reads a request; `None` if it contradicts itself.
    pub fn read(request: &Request<Durak>) -> Option<Start> {
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
        let world = World::new(request.options, talon, size, knowledge.idle);
        let fits = u64::from(unseen.len()) == held + face_down;
        fits.then_some(Start { layout, knowledge, position, world, unseen, hidden })
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
            Asked::Lead => Phase::Lead,
            Asked::Defend => Phase::Defend,
            Asked::Throw(_) => Phase::Throw,
            Asked::Load(_) => Phase::Load,
        },
        attacks: attacks.len() as u8,
        limit: u8::try_from(attacks.len() + bout.left()).ok()?,
        drawn: 0,
        most,
    };
    Some((position, hidden))
}

/// The attack cards that are to be beaten.
fn unbeaten(bout: &Bout, layout: Layout) -> Queue {
    let mut unbeaten = Queue::default();
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
