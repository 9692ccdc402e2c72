//! Worlds that fit what a seat knows, drawn by how likely its beliefs make them, and trials of every move in them.

use std::num::NonZeroU32;

use rules::tablic::Tablic;
use rules::{Nature, Request, Seat};
use search::{Candidate, Clock, WorldSampler};

use crate::tablic::classes::{Class, ClassCounts, ClassMove};
use crate::tablic::expert::beliefs::Beliefs;
use crate::tablic::expert::chain::{MarkovChain, PARTS};
use crate::tablic::expert::position::{DealEndValue, DealPosition, GreedyCache};
use crate::tablic::minimax::SeatKnowledge;

/// Number of hands drawn for a seat to choose one of them.
const CANDIDATES: u32 = 16;

/// Number of seats from which on worlds come from a chain.
const MANY_SEATS: u8 = 3;

#[derive(Debug, Clone)]
pub struct DealKnowledge {
    /// The position, in which the other seats' hands are empty.
    position: DealPosition,
    /// Number of cards that each of the other seats holds.
    hidden: Vec<u32>,
    /// The classes of the cards that the seat has not seen, one for each card.
    unseen: Vec<Class>,
    beliefs: Beliefs,
}

impl DealKnowledge {
    /// Reads a request; `None` if it contradicts itself.
    pub fn read(request: &Request<Tablic>, greed: &mut GreedyCache) -> Option<DealKnowledge> {
        DealKnowledge::from_request(request, &SeatKnowledge::read(request)?, greed)
    }

    /// The knowledge, where a request has been read already.
    pub(super) fn from_request(
        request: &Request<Tablic>,
        start: &SeatKnowledge,
        greed: &mut GreedyCache,
    ) -> Option<DealKnowledge> {
        let beliefs = Beliefs::read(request, greed)?;
        let position = DealPosition::from_start(start);
        let mut hidden = request.view.hands.values().to_vec();
        hidden[start.seat] = 0;
        let unseen = start.unseen.cards().collect();
        Some(DealKnowledge { position, hidden, unseen, beliefs })
    }

    /// The seat that knows this, which is to move.
    pub(super) fn seat(&self) -> usize {
        usize::from(self.position.mover)
    }

    /// Draws one of several hands, each the likelier the better it explains the moves of the seat.
    ///
    /// Each replaces the one before with a chance that is its part of what all so far weigh, so that
    /// they need not be kept.
    fn draw_likely(
        &self,
        seat: usize,
        pool: &mut Vec<Class>,
        count: usize,
        nature: &mut Nature,
    ) -> ClassCounts {
        let mut chosen = ClassCounts::NONE;
        let mut all = 0.0;
        for _ in 0..CANDIDATES {
            let hand = hand(shuffle_last(pool, count, nature));
            let likelihood = self.beliefs.likelihood(seat, hand);
            all += likelihood;
            let part = nature.below(PARTS) as f32 / PARTS.get() as f32;
            if part * all <= likelihood {
                chosen = hand;
            }
        }
        remove(chosen, pool);
        chosen
    }

    /// A chain of worlds, from one that was drawn.
    fn chain(&self, nature: &mut Nature) -> Option<MarkovChain<'_>> {
        let mut hands = self.draw(nature)?.hands;
        hands[self.seat()] = ClassCounts::NONE;
        let mut rest = self.unseen.clone();
        hands.iter().for_each(|hand| remove(*hand, &mut rest));
        Some(MarkovChain::new(&self.beliefs, hands, rest, nature))
    }

    /// The world with these hands of the other seats.
    fn with(&self, hands: &[ClassCounts; Seat::MOST]) -> DealPosition {
        let seat = self.seat();
        let mut position = self.position;
        let own = position.hands[seat];
        position.hands = *hands;
        position.hands[seat] = own;
        position
    }
}

/// Takes some cards out of a pool.
fn remove(cards: ClassCounts, pool: &mut Vec<Class>) {
    for class in cards.cards() {
        if let Some(place) = pool.iter().position(|other| *other == class) {
            pool.swap_remove(place);
        }
    }
}

impl WorldSampler for DealKnowledge {
    type World = DealPosition;

    fn draw(&self, nature: &mut Nature) -> Option<DealPosition> {
        let mut position = self.position;
        let mut pool = self.unseen.clone();
        for (seat, hidden) in self.hidden.iter().enumerate() {
            let count = (*hidden as usize).min(pool.len());
            if count == 0 {
                continue;
            }
            position.hands[seat] = if self.beliefs.is_blank(seat) {
                let hand = hand(shuffle_last(&mut pool, count, nature));
                pool.truncate(pool.len() - count);
                hand
            } else {
                self.draw_likely(seat, &mut pool, count, nature)
            };
        }
        Some(position)
    }

    fn worlds(&self, count: u32, nature: &mut Nature) -> impl Iterator<Item = DealPosition> {
        let is_many = self.position.seats >= MANY_SEATS;
        let mut chain = if is_many { self.chain(nature) } else { None };
        (0..count).map_while(move |_| match &mut chain {
            Some(chain) => Some(self.with(chain.next(nature))),
            None => self.draw(nature),
        })
    }
}

fn hand(cards: &[Class]) -> ClassCounts {
    cards.iter().fold(ClassCounts::NONE, |hand, class| hand.plus(ClassCounts::one(*class)))
}

/// Draws `count` cards of the pool, each equally likely, to its end, and gives them.
fn shuffle_last<'a>(pool: &'a mut [Class], count: usize, nature: &mut Nature) -> &'a [Class] {
    let first = pool.len().saturating_sub(count);
    for end in (first..pool.len()).rev() {
        if let Some(bound) = NonZeroU32::new(end as u32 + 1) {
            pool.swap(end, nature.below(bound) as usize);
        }
    }
    &pool[first..]
}

/// Number of worlds after which moves are first compared; next after twice as many, and so on.
const FIRST_LOOK: usize = 64;

/// Standard errors behind the best at which a move is given up.
const FAR_BEHIND: f32 = 3.0;

/// Playing the deal on.
#[derive(Debug)]
pub(super) struct Trials<'a> {
    pub known: &'a DealKnowledge,
    pub prospects: DealEndValue,
    pub greed: &'a mut GreedyCache,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChosenMove {
    pub best: ClassMove,
    /// The part of a win that it comes to on average.
    pub share: f32,
    pub worlds: u32,
    /// True if trials stopped since time was up.
    pub was_cut: bool,
}

impl Trials<'_> {
    /// The best of some moves, tried in at most `worlds` worlds; the first move where time was up in the
    /// first world, and `None` if there is no move.
    ///
    /// All moves are tried in the same worlds, so that luck with the cards counts for none of them.
    pub(super) fn best(
        &mut self,
        moves: &[ClassMove],
        worlds: u32,
        nature: &mut Nature,
        clock: &mut dyn Clock,
    ) -> Option<ChosenMove> {
        let seat = self.known.seat();
        let mut candidates: Vec<_> = moves.iter().copied().map(Candidate::new).collect();
        let (mut was_cut, mut next_look, mut done) = (false, FIRST_LOOK, 0);
        'worlds: for world in self.known.worlds(worlds, nature) {
            if done == next_look {
                next_look *= 2;
                give_up(&mut candidates);
                if candidates.len() == 1 {
                    break;
                }
            }
            for candidate in &mut candidates {
                // On a large table even one world takes long.
                if clock.is_up() {
                    was_cut = true;
                    break 'worlds;
                }
                let mut position = world;
                position.play(candidate.mv);
                position.play_out(self.greed);
                candidate.shares.push(self.prospects.share(position, seat));
            }
            done += 1;
        }
        // A world in which time was up counts for none.
        candidates.iter_mut().for_each(|candidate| candidate.shares.truncate(done));
        let best = leader(&candidates)?;
        let share = best.sum() / done.max(1) as f64;
        Some(ChosenMove { best: best.mv, share: share as f32, worlds: done as u32, was_cut })
    }
}

/// The candidate with the most; of several, the first, which greedy prefers.
fn leader(candidates: &[Candidate<ClassMove>]) -> Option<&Candidate<ClassMove>> {
    candidates.iter().reduce(|best, other| if other.sum() > best.sum() { other } else { best })
}

/// Gives up the moves that have fallen far behind.
fn give_up(candidates: &mut Vec<Candidate<ClassMove>>) {
    let Some(best) = leader(candidates).map(|best| best.shares.clone()) else { return };
    let count = best.len() as f32;
    candidates.retain(|candidate| {
        let behind = || best.iter().zip(&candidate.shares).map(|(best, other)| best - other);
        let mean = behind().sum::<f32>() / count;
        let square = |one: f32| (one - mean) * (one - mean);
        let variance = behind().map(square).sum::<f32>() / count;
        mean <= FAR_BEHIND * (variance / count).sqrt()
    });
}
