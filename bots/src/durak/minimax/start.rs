//! A request as the search sees it, and worlds that fit it.

use std::num::NonZeroU32;

use rules::durak::{Durak, Move, Phase as Asked};
use rules::{Card, Nature, Request};

use crate::durak::minimax::cards::{Cards, Layout, Place};
use crate::durak::minimax::knowledge::{Hints, Knowledge};
use crate::durak::minimax::position::{Phase, Play, Position, Queue, SEATS, World};

/// What the asked seat knows.
#[derive(Debug, Clone)]
pub struct Start {
    /// How cards are laid out.
    pub layout: Layout,
    /// What the history tells.
    pub knowledge: Knowledge,
    /// The position, where the hands hold only what is known of them.
    pub position: Position,
    /// The rules, with the trump card alone in the talon if it is there.
    pub world: World,
    /// The cards that nobody has shown.
    pub unseen: Cards,
    /// How many of them each seat holds.
    pub hidden: [u32; SEATS],
}

/// How often a card is drawn again that hints make unlikely.
const TRIES: u32 = 8;

impl Start {
    /// What a request tells; nothing where it contradicts itself.
    pub fn of(request: &Request<Durak>, hints: &Hints) -> Option<Start> {
        let view = &request.view;
        let bout = view.bout()?;
        let trump = view.trump?;
        let options = request.options;
        let seats = options.seats();
        let seat = request.heading.seat;
        let fits = view.hands.count() == seats && view.known.count() == seats;
        if !fits || !view.hands.has(seat) || bout.turn() != seat {
            return None;
        }
        let layout = Layout::new(trump.suit());
        let knowledge = Knowledge::of(request, layout, hints);
        let mut hands = [Cards::EMPTY; SEATS];
        let mut hidden = [0; SEATS];
        let mut players = 0;
        for (other, known) in view.known.iter() {
            let index = other.index();
            hands[index] = layout.cards(if other == seat { view.hand } else { *known });
            hidden[index] = view.hands[other].checked_sub(hands[index].len())?;
            players |= u8::from(!view.gone.contains(&other)) << index;
        }
        let table = layout.cards(bout.table().cards());
        let mut talon = [0; 52];
        let in_talon = if view.talon > 0 { Cards::one(layout.place(trump)) } else { Cards::EMPTY };
        let seen = hands.iter().fold(table.and(in_talon), |all, hand| all.and(*hand));
        let seen = seen.and(layout.cards(view.discards));
        let unseen = layout.cards(options.deck().cards()).without(seen);
        let size = u8::try_from(view.talon).ok().filter(|size| *size <= 52)?;
        if size > 0 {
            talon[usize::from(size) - 1] = layout.place(trump);
        }
        let face_down = u32::from(size.saturating_sub(1));
        let held: u32 = hidden.iter().sum();
        let index = |seat: rules::Seat| {
            Some(seat.index() as u8)
                .filter(|seat| usize::from(*seat) < seats && players >> seat & 1 == 1)
        };
        let (first, attacker) = (index(bout.first())?, index(bout.attacker())?);
        let (defender, turn) = (index(bout.defender())?, index(bout.turn())?);
        if unseen.len() != held + face_down || attacker == defender {
            return None;
        }
        let mut unbeaten = Queue::default();
        let (attacks, beats) = (bout.table().attacks(), bout.table().beats());
        for card in attacks.iter().skip(beats.len()) {
            unbeaten.push(layout.place(*card));
        }
        let most = if knowledge.is_first_bout { options.first_limit.get() } else { 6 };
        let position = Position {
            hands,
            table,
            unbeaten,
            players,
            first,
            attacker,
            defender,
            turn,
            phase: match bout.phase() {
                Asked::Lead => Phase::Lead,
                Asked::Defend => Phase::Defend,
                Asked::Throw(_) => Phase::Throw,
                Asked::Load(_) => Phase::Load,
            },
            attacks: attacks.len() as u8,
            limit: (attacks.len() + bout.left()) as u8,
            drawn: 0,
            most: most as u8,
        };
        let world = World { options, talon, size, idle: knowledge.idle };
        Some(Start { layout, knowledge, position, world, unseen, hidden })
    }

    /// Whether only one world fits.
    pub fn is_certain(&self) -> bool {
        let places = self.hidden.iter().filter(|hidden| **hidden > 0).count();
        places + usize::from(self.world.size > 1) <= 1 && self.world.size <= 2
    }

    /// A world that fits, drawn by what hints weigh.
    pub fn draw(&self, nature: &mut Nature) -> (Position, World) {
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
                barred -= u32::from(self.knowledge.barred.contains(place));
                position.hands[seat] = position.hands[seat].and(Cards::one(place));
            }
        }
        let face_down = usize::from(world.size.saturating_sub(1));
        for (slot, place) in world.talon.iter_mut().take(face_down).zip(pool.shuffled(nature)) {
            *slot = *place;
        }
        (position, world)
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

/// Cards to draw from.
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
        for tries in 0.. {
            let index = below(self.left, nature)?;
            let place = self.cards[index];
            if kept.contains(place) {
                if tries < 4 * TRIES {
                    continue;
                }
                let free = |index: &usize| !kept.contains(self.cards[*index]);
                let index = (0..self.left).find(free).unwrap_or(index);
                return Some(self.take(index));
            }
            let weight = weights[usize::from(place) % 64];
            let chance = (weight * 1024.0) as u32;
            let accepted = tries >= TRIES || weight >= 1.0 || {
                let bound = NonZeroU32::new(1024)?;
                nature.below(bound) < chance
            };
            if accepted {
                return Some(self.take(index));
            }
        }
        None
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
