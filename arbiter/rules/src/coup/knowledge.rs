//! Inference about the other's hand from what a seat has seen, at a table for two.
//!
//! Only the cards of the other seat are hidden from a seat: the deck is what remains. So there are
//! never more than a few dozen worlds, and all of them are followed through the history with their
//! probabilities. A draw in secret spreads each world over the cards that can come; a card shown,
//! lost or found missing strikes worlds out, and so may the seat's own draws.

use crate::coup::game::Coup;
use crate::coup::hand::{Character, Counts, Hand, SeenHand};
use crate::coup::notation::{Event, Move, View};
use crate::coup::options::{CoupRules, Options};
use crate::coup::worlds::{Claims, MoveEvidence, Worlds};
use crate::game::Resample;
use crate::seat::{PerSeat, Seat};
use crate::seed::Nature;

/// The hands that the other seat may hold, as far as this seat was shown, in canonical order and
/// with probabilities that sum to 1; nothing if no game has this history.
///
/// Deals and draws count with their true chances. If the other seat chose in secret (the cards that
/// it keeps, the card that it loses), every choice counts as equally likely; its actions, claims
/// and challenges tell nothing here. A player that infers more from claims can start from this.
///
/// ```
/// use rules::Seat;
/// use rules::coup::{Event, possible_hands};
///
/// let history = ["deal 0 duke duke", "deal 1 ?? ??", "0 tax", "1 challenge", "0 show duke"];
/// let history: Vec<Event> = history.iter().map(|line| line.parse()).collect::<Result<_, _>>()?;
/// let seat: Seat = "0".parse()?;
/// let hands = possible_hands(seat, &history);
/// let duke = "duke".parse()?;
/// let with_duke: f64 =
///     hands.iter().filter(|(hand, _)| hand.contains(duke)).map(|(_, chance)| chance).sum();
/// assert!((with_duke - 2.0 / 13.0).abs() < 1e-9);
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn possible_hands(seat: Seat, history: &[Event]) -> Vec<(Hand, f64)> {
    let mut knowledge = Knowledge {
        seat,
        own: Counts::NONE,
        lost: Counts::NONE,
        worlds: vec![WeightedHand { hand: Counts::NONE, weight: 1.0 }],
        claims: Claims::default(),
    };
    for event in history {
        knowledge.learn(event);
    }
    let hand = |hand: Counts| Hand::new(&hand.cards().collect::<Vec<Character>>());
    let worlds = knowledge.worlds.into_iter();
    let mut hands: Vec<(Hand, f64)> =
        worlds.filter_map(|world| Some((hand(world.hand)?, world.weight))).collect();
    hands.sort_by_key(|(hand, _)| *hand);
    hands
}

/// One possibility of what the other seat holds.
#[derive(Clone, Copy)]
struct WeightedHand {
    hand: Counts,
    weight: f64,
}

struct Knowledge {
    seat: Seat,
    own: Counts,
    lost: Counts,
    worlds: Vec<WeightedHand>,
    claims: Claims,
}

impl Knowledge {
    fn learn(&mut self, event: &Event) {
        match *event {
            Event::Deal { to, cards } => self.draw(to, cards),
            Event::Draw { to, cards } => {
                self.draw(to, cards);
                // A single card is for the one that was shown.
                if let Some(shown) = self.claims.replaced_by(cards.len()) {
                    self.change(to, |hand| hand.without(shown));
                }
            }
            Event::Move { seat, mv } => self.learn_move(seat, mv),
            Event::KeepUnseen { count, .. } => self.keep(u32::from(count)),
            Event::Lost { seat, card } => self.lose(seat, card),
            Event::Winner(_) => {}
        }
        self.gather();
    }

    fn learn_move(&mut self, seat: Seat, mv: Move) {
        match self.claims.after(seat, mv) {
            MoveEvidence::None => {}
            MoveEvidence::Holds(card) => self.change(seat, |hand| hand.without(card).map(|_| hand)),
            MoveEvidence::GivesUp { card, lacks } => {
                if let Some(lacks) = lacks {
                    self.change(seat, |hand| (hand.count(lacks) == 0).then_some(hand));
                }
                self.lose(seat, card);
            }
            MoveEvidence::Keeps(cards) => self.change(seat, |_| Some(cards.into_iter().collect())),
        }
    }

    /// Changes the hand of a seat where that is possible, and strikes out the worlds where not.
    fn change(&mut self, seat: Seat, change: impl Fn(Counts) -> Option<Counts>) {
        if seat == self.seat {
            match change(self.own) {
                Some(own) => self.own = own,
                None => self.worlds.clear(),
            }
        } else {
            let changed = self.worlds.iter();
            let changed = changed.filter_map(|world| {
                Some(WeightedHand { hand: change(world.hand)?, weight: world.weight })
            });
            self.worlds = changed.collect();
        }
    }

    /// Number of copies of this card in the deck of a world.
    fn in_deck(&self, world: WeightedHand, card: Character) -> u32 {
        let out = self.own.count(card) + self.lost.count(card) + world.hand.count(card);
        Counts::PACK.count(card).saturating_sub(out)
    }

    fn draw(&mut self, to: Seat, cards: SeenHand) {
        match cards {
            SeenHand::Seen(cards) => cards.into_iter().for_each(|card| self.draw_one(to, &[card])),
            SeenHand::Unseen(count) => {
                (0..count).for_each(|_| self.draw_one(to, &Character::ALL));
            }
        }
    }

    /// A card is drawn, one of these. All decks are of one size, so their counts are the odds.
    fn draw_one(&mut self, to: Seat, cards: &[Character]) {
        let mut after = Vec::new();
        for &world in &self.worlds {
            for &card in cards {
                let weight = world.weight * f64::from(self.in_deck(world, card));
                let hand = if to == self.seat { world.hand } else { world.hand.with(card) };
                after.push(WeightedHand { hand, weight });
            }
        }
        self.worlds = after;
        if let ([card], true) = (cards, to == self.seat) {
            self.own = self.own.with(*card);
        }
        self.gather();
    }

    fn lose(&mut self, seat: Seat, card: Character) {
        if seat != self.seat {
            for world in &mut self.worlds {
                let held = world.hand.len().max(1);
                world.weight *= f64::from(world.hand.count(card)) / f64::from(held);
            }
        }
        self.change(seat, |hand| hand.without(card));
        self.lost = self.lost.with(card);
    }

    /// The other seat puts back cards one by one, each equally likely, until it has this number.
    fn keep(&mut self, count: u32) {
        while self.worlds.iter().any(|world| world.hand.len() > count) {
            let fewer = self.worlds.iter().flat_map(|world| {
                Character::ALL.into_iter().filter_map(|card| {
                    let hand = world.hand.without(card)?;
                    Some(WeightedHand {
                        hand,
                        weight: world.weight * f64::from(world.hand.count(card)),
                    })
                })
            });
            self.worlds = fewer.collect();
            self.gather();
        }
    }

    /// Puts equal worlds together, drops impossible ones, and makes the weights sum to 1.
    fn gather(&mut self) {
        let total: f64 = self.worlds.iter().map(|world| world.weight).sum();
        let mut gathered: Vec<WeightedHand> = Vec::with_capacity(self.worlds.len());
        for world in self.worlds.drain(..).filter(|world| world.weight > 0.0) {
            let weight = world.weight / total;
            match gathered.iter_mut().find(|same| same.hand == world.hand) {
                Some(same) => same.weight += weight,
                None => gathered.push(WeightedHand { weight, ..world }),
            }
        }
        self.worlds = gathered;
    }
}

impl Resample for Coup {
    /// Draws the hands of the other seats as likely as they are, by what the history tells.
    ///
    /// The view tells everything else. The order of a hand is no one's business but its owner's,
    /// and so any will do.
    fn resample(
        options: &Options,
        seat: Seat,
        view: &View,
        history: &[Event],
        nature: &mut Nature,
    ) -> Option<Self> {
        let others = match options.rules {
            CoupRules::Contest => {
                let other = draw(&possible_hands(seat, history), nature)?;
                PerSeat::new(options.seats(), |_| other)
            }
            CoupRules::Court(_) => {
                Worlds::from_history(seat, options.seats(), history)?.draw(nature)?
            }
        };
        let hands = others.map(|owner, hand| if owner == seat { view.hand } else { *hand });
        Coup::imagine(options, view, &hands)
    }
}

/// Draws one of the hands by its chance.
fn draw(hands: &[(Hand, f64)], nature: &mut Nature) -> Option<Hand> {
    let bound = std::num::NonZeroU32::MAX;
    let mut point = f64::from(nature.below(bound)) / f64::from(bound.get());
    for (hand, chance) in hands {
        point -= chance;
        if point < 0.0 {
            return Some(*hand);
        }
    }
    hands.last().map(|(hand, _)| *hand)
}
