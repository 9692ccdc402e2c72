//! Beliefs about hands, from the moves of the other seats in this deal and the inclinations of players to moves.
//!
//! A conditional logit: among the moves that a hand allows, one for each class of its cards, each is
//! played with a chance in proportion to the exponential of the weighted sum of its features. The
//! weights were learned from games (`bots/research/src/bin/tablic-train.rs`).

use rules::tablic::{DealDestination, Event, Move, Tablic};
use rules::{CardSet, Entry, Request, Seat};

use crate::tablic::classes::{Class, ClassCounts, ClassMove, VALUES};
use crate::tablic::expert::manners::{Manners, PreferredCards};
use crate::tablic::expert::position::{GreedyCache, HAND, exponential};

/// Beliefs about hands, from the moves of the other seats in this deal.
///
/// A hand is the likelier the more its seat would have been inclined to the moves that it made,
/// compared with the best move of every other card that it held then.
#[derive(Debug, Clone)]
pub struct Beliefs {
    decisions: Vec<Vec<OpponentDecision>>,
    /// How likely each seat is to play like greedy, by the deals that are over.
    greedy: Vec<f32>,
}

/// Likelihood of a move that greedy would not make, of a seat that is taken for greedy: a hand that explains
/// all other moves is not ruled out.
const SLIP: f32 = 1.0 / 64.0;

/// Chance of playing like greedy from which on nothing else counts.
const SURELY: f32 = 0.9999;

#[derive(Debug, Clone)]
struct OpponentDecision {
    inclinations: MoveFeatures,
    played: Class,
    /// The cards that it played then and later in this deal: it held all of them.
    held: ClassCounts,
    /// The cards with which greedy would rather have moved.
    preferred: PreferredCards,
}

impl Beliefs {
    /// Reads the history of a request; `None` if it contradicts itself.
    pub(super) fn read(request: &Request<Tablic>, greed: &mut GreedyCache) -> Option<Beliefs> {
        let seats = request.options.seats.get();
        let mut replay = BeliefReplay {
            decisions: vec![Vec::new(); seats],
            manners: Manners::new(seats),
            own: request.heading.seat,
            table: CardSet::EMPTY,
            taken: CardSet::EMPTY,
            played: CardSet::EMPTY,
            out: Vec::new(),
            is_in_deal: false,
        };
        let deals_a_hand = |entry: &Entry<Event>| {
            matches!(entry, Entry::Event(Event::Deal { to: DealDestination::Hand(_), .. }))
        };
        let deal = request.history.iter().rposition(deals_a_hand).unwrap_or(0);
        for (place, entry) in request.history.iter().enumerate() {
            // Moves in earlier deals tell nothing of these hands, only how a seat plays.
            replay.is_in_deal = place > deal;
            replay.take(entry, greed)?;
        }
        let is_told = request.history.is_empty() || replay.table == request.view.table;
        let greedy = replay.manners.chances();
        is_told.then_some(Beliefs { decisions: replay.decisions, greedy })
    }

    /// Returns true if nothing is known of the hand of a seat.
    pub(super) fn is_blank(&self, seat: usize) -> bool {
        self.decisions.get(seat).is_none_or(Vec::is_empty)
    }

    /// Likelihood of a seat's moves if it holds these cards now.
    pub(super) fn likelihood(&self, seat: usize, hand: ClassCounts) -> f32 {
        self.decisions[seat].iter().fold(1.0, |likelihood, decision| {
            let OpponentDecision { inclinations, played, held, .. } = decision;
            likelihood * inclinations.chance(*played, hand.plus(*held))
        })
    }

    /// Likelihood of a seat's moves if it holds these cards now, where it may play like greedy.
    pub(super) fn likelihood_of_any_manner(&self, seat: usize, hand: ClassCounts) -> f32 {
        let greedy = self.greedy[seat];
        let like_greedy = self.decisions[seat].iter().fold(greedy, |likelihood, decision| {
            let is_alike = decision.preferred.none_in(hand.plus(decision.held));
            if is_alike { likelihood } else { likelihood * SLIP }
        });
        let otherwise = match greedy < SURELY {
            true => (1.0 - greedy) * self.likelihood(seat, hand),
            false => 0.0,
        };
        like_greedy + otherwise
    }
}

/// A history that is gone through again.
struct BeliefReplay {
    decisions: Vec<Vec<OpponentDecision>>,
    manners: Manners,
    own: Seat,
    table: CardSet,
    taken: CardSet,
    /// The cards that have lain on the table, each of which is played once.
    played: CardSet,
    /// The seats for which the house plays, whose moves tell nothing.
    out: Vec<Seat>,
    /// True once the hands in play were dealt.
    is_in_deal: bool,
}

impl BeliefReplay {
    /// Goes on by one entry; `None` if that cannot be.
    fn take(&mut self, entry: &Entry<Event>, greed: &mut GreedyCache) -> Option<()> {
        match *entry {
            Entry::Out(seat, _) => self.out.push(seat),
            Entry::Event(Event::Deal { to: DealDestination::Table, cards }) => {
                self.table |= cards.visible();
                self.played |= cards.visible();
            }
            Entry::Event(Event::Move { seat, mv }) => {
                if !self.table.contains_all(mv.captured) || self.played.contains(mv.card) {
                    return None;
                }
                self.played.insert(mv.card);
                if seat != self.own {
                    self.judge(seat, mv, greed)?;
                }
                if mv.captured.is_empty() {
                    self.table.insert(mv.card);
                } else {
                    self.table -= mv.captured;
                    self.taken |= mv.gained();
                }
            }
            Entry::Event(Event::Deal { to: DealDestination::Hand(_), .. }) => {
                self.manners.end_deal()
            }
            Entry::Event(Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. }) => {}
        }
        Some(())
    }

    /// Adds what a move of another seat on this table tells.
    fn judge(&mut self, seat: Seat, mv: Move, greed: &mut GreedyCache) -> Option<()> {
        let decisions = self.decisions.get_mut(seat.index())?;
        let table = ClassCounts::count(self.table);
        let made = ClassMove::new(mv, table);
        let card = ClassCounts::one(made.played);
        if self.is_in_deal {
            for decision in decisions.iter_mut() {
                decision.held = decision.held.plus(card);
            }
        }
        // The house plays for a seat that is out, and not as its hand would.
        if self.out.contains(&seat) {
            return Some(());
        }
        let preferred = PreferredCards::to(made, table, greed);
        if self.is_in_deal {
            let unseen = ClassCounts::count(CardSet::PACK - self.table - self.taken);
            let inclinations = MoveFeatures::of_table(table, unseen, made, greed);
            let played = made.played;
            decisions.push(OpponentDecision { inclinations, played, held: card, preferred });
        } else {
            self.manners.add(seat.index(), made.played, preferred);
        }
        Some(())
    }
}

/// Number of features that depend on the table and the move alone.
const OPEN: usize = 10;

/// Number of features with those that depend on the rest of the hand.
pub const FEATURES: usize = OPEN + 4;

/// Weight of each feature in the inclination to a move.
const INCLINATION: [f32; FEATURES] = [
    -0.4387, 0.1798, 0.6690, 1.4377, 0.8345, -1.0605, -0.6998, -0.3565, -1.2657, -0.0970, 0.3526,
    0.4799, -0.2290, 0.5986,
];

pub const NAMES: [&str; FEATURES] = [
    "captures",
    "points",
    "cards",
    "tabla",
    "laid_points",
    "laid_value",
    "next_points",
    "next_cards",
    "next_tablas",
    "unseen_alike",
    "own_next_points",
    "own_next_cards",
    "own_now_points",
    "own_alike",
];

/// Features of the moves from one table that need no hand.
#[derive(Debug, Clone)]
pub struct MoveFeatures {
    /// The open features of the best move with each class.
    open: [[f32; OPEN]; Class::COUNT],
    sums: [f32; Class::COUNT],
    /// Immediate gain of the best move with each class.
    now: [MoveGain; Class::COUNT],
    /// Gain of each class (the second index) on the table that the best move with each class (the
    /// first index) leaves.
    next: [[MoveGain; Class::COUNT]; Class::COUNT],
}

/// The points and the cards of the table that a move brings.
#[derive(Debug, Clone, Copy, Default)]
struct MoveGain {
    points: f32,
    cards: f32,
}

impl MoveGain {
    fn from_move(mv: ClassMove) -> MoveGain {
        match mv.captured.is_empty() {
            true => MoveGain::default(),
            false => {
                MoveGain { points: mv.rating.points() as f32, cards: mv.rating.captured() as f32 }
            }
        }
    }

    fn max(self, other: MoveGain) -> MoveGain {
        MoveGain { points: self.points.max(other.points), cards: self.cards.max(other.cards) }
    }
}

impl MoveFeatures {
    /// The inclinations on this table, on which `made` was played; `unseen` are the cards that lie
    /// neither on it nor in a pile.
    ///
    /// The best move with each class is the one that greedy prefers, but with the class that was
    /// played the one that was made.
    pub fn of_table(
        table: ClassCounts,
        unseen: ClassCounts,
        made: ClassMove,
        greed: &mut GreedyCache,
    ) -> MoveFeatures {
        let nothing = [MoveGain::default(); Class::COUNT];
        let mut inclinations = MoveFeatures {
            open: [[0.0; OPEN]; Class::COUNT],
            sums: [0.0; Class::COUNT],
            now: nothing,
            next: [nothing; Class::COUNT],
        };
        let MoveFeatures { open, sums, now, next } = &mut inclinations;
        for class in unseen.classes().iter() {
            let mv = if class == made.played { made } else { greed.with(class, table) };
            let after = table_after(mv, table);
            for other in unseen.classes().iter() {
                next[class.index()][other.index()] = MoveGain::from_move(greed.with(other, after));
            }
            let left = unseen.minus(ClassCounts::one(class));
            open[class.index()] = open_features(mv, after, left, greed);
            sums[class.index()] = weighted(&open[class.index()], &INCLINATION[..OPEN]);
            now[class.index()] = MoveGain::from_move(mv);
        }
        inclinations
    }

    /// All features of the best move with this class from this hand, which holds it.
    pub fn features(&self, played: Class, hand: ClassCounts) -> [f32; FEATURES] {
        let open = self.open[played.index()];
        let hidden = self.hidden_features(played, hand);
        std::array::from_fn(|place| match place.checked_sub(OPEN) {
            Some(place) => hidden[place],
            None => open[place],
        })
    }

    /// The chance that a player with this hand makes the best move with this class, which it holds.
    pub(super) fn chance(&self, played: Class, hand: ClassCounts) -> f32 {
        let mut all = 0.0;
        let mut this = 0.0;
        for class in hand.classes().iter() {
            let hidden = self.hidden_features(class, hand);
            let sum = self.sums[class.index()] + weighted(&hidden, &INCLINATION[OPEN..]);
            let inclination = exponential(sum);
            all += inclination;
            if class == played {
                this = inclination;
            }
        }
        this / all
    }

    /// Features that depend on the rest of the hand: the most that it could gain next, the most
    /// that it could have gained instead, and the number of cards of the same class that it keeps.
    fn hidden_features(&self, played: Class, hand: ClassCounts) -> [f32; FEATURES - OPEN] {
        let rest = hand.minus(ClassCounts::one(played));
        let (mut next, mut now) = (MoveGain::default(), MoveGain::default());
        for class in rest.classes().iter() {
            next = next.max(self.next[played.index()][class.index()]);
            now = now.max(self.now[class.index()]);
        }
        [next.points, next.cards, now.points, rest.get(played) as f32]
    }
}

fn weighted(features: &[f32], weights: &[f32]) -> f32 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

/// The table after a move.
fn table_after(mv: ClassMove, table: ClassCounts) -> ClassCounts {
    match mv.captured.is_empty() {
        true => table.plus(ClassCounts::one(mv.played)),
        false => table.minus(mv.captured),
    }
}

/// The features of a move that all seats see: whether it captures, the points and the cards of the table that it
/// brings, whether it is a tabla; where it lays a card down, the points that lie there and the value
/// of the card; the points, cards and tablas that the next seat can expect of the table that it
/// leaves, and how many cards of the played class are unseen.
fn open_features(
    mv: ClassMove,
    after: ClassCounts,
    unseen: ClassCounts,
    greed: &mut GreedyCache,
) -> [f32; OPEN] {
    let number = |is: bool| if is { 1.0 } else { 0.0 };
    let is_capture = !mv.captured.is_empty();
    let tabla = number(is_capture && after.is_empty());
    let points = mv.rating.points() as f32 - tabla;
    let value = VALUES[mv.played.index()] as f32 / 10.0;
    let (captured, laid_down) = match is_capture {
        true => ([1.0, points, mv.rating.captured() as f32, tabla], [0.0, 0.0]),
        false => ([0.0; 4], [points, value]),
    };
    let all = unseen.len().max(1) as f32;
    let not_held = (1.0 - HAND as f32 / all).max(0.0);
    let mut expected = [0.0; 3];
    for class in unseen.classes().iter() {
        let next = greed.with(class, after);
        let gain = MoveGain::from_move(next);
        let is_tabla = !next.captured.is_empty() && next.captured == after;
        let none_held = (0..unseen.get(class)).fold(1.0, |chance, _| chance * not_held);
        let chance = 1.0 - none_held;
        let gains = [gain.points, gain.cards, number(is_tabla)];
        for (expected, gain) in expected.iter_mut().zip(gains) {
            *expected += chance * gain;
        }
    }
    let alike = unseen.get(mv.played) as f32;
    let [a, b, c, d] = captured;
    let [e, f] = laid_down;
    let [g, h, i] = expected;
    [a, b, c, d, e, f, g, h, i, alike]
}
