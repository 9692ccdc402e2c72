//! Inference about the hands of several other seats, from what one seat has seen.
//!
//! So many joint hands are possible that they are not listed. A card that no observation concerns stays
//! unknown: all unknown cards, in hands or in the deck, are equally likely to be any of the cards that
//! are nowhere known. A world says only where cards lie that are known in it, and how many unknown ones
//! lie with them. An observation names unknown cards where it must:
//!
//! ```text
//! 1 show duke      one of the cards of seat 1 is a duke, and those looked at before it are none
//! draw 1 ??        the duke lies in the deck, and seat 1 draws it or an unknown card
//! 1 lose captain   a card of seat 1 was a captain, each equally likely to be lost
//! ```
//!
//! Equal worlds are put together with the sum of their chances, so the inference is exact, as long as
//! there are no more than [`MOST_WORLDS`]: always with three seats. Many exchanges at a large court make
//! more, and then an even sample of them goes on. If what happens next fits none of the sample, all that
//! was inferred is forgotten but for the seat's own cards and those that lie open.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::coup::hand::{Character, Counts, Hand, SeenHand};
use crate::coup::notation::{Event, Move};
use crate::seat::{PerSeat, Seat};
use crate::seed::Nature;

/// The most worlds that are followed.
const MOST_WORLDS: usize = 1000;

/// The chance that a seat holds a character, as far as another seat was shown; `None` if no game of
/// this number of seats has this history.
///
/// Deals and draws count with their true chances. A seat that chose in secret is as likely to have chosen
/// any of its cards; claims tell nothing. The chance is exact with three seats; with more, many exchanges
/// make it an estimate.
///
/// ```
/// use rules::Seat;
/// use rules::coup::{Character, Event, chance_to_hold};
///
/// let history = ["deal 0 duke duke", "deal 1 ?? ??", "deal 2 ?? ??", "0 tax", "1 challenge"];
/// let history: Vec<Event> = history.iter().map(|line| line.parse()).collect::<Result<_, _>>()?;
/// let (own, other): (Seat, Seat) = ("0".parse()?, "2".parse()?);
/// let chance = chance_to_hold(own, 3, &history, other, Character::Duke);
/// assert!(chance.is_some_and(|chance| (chance - 2.0 / 13.0).abs() < 1e-9));
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn chance_to_hold(
    seat: Seat,
    seats: usize,
    history: &[Event],
    other: Seat,
    character: Character,
) -> Option<f64> {
    let worlds = Worlds::from_history(seat, seats, history)?;
    let chances = worlds.worlds.iter().map(|(world, weight)| {
        let held = world.places.get(other.index()).copied().unwrap_or_default();
        let chance = match held.known.count(character) {
            0 => world.chance_among(held.unknown, character, worlds.lost),
            _ => 1.0,
        };
        weight * chance
    });
    Some(chances.sum())
}

/// This number of joint hands that a seat thinks possible, each drawn as likely as it is; none if no game
/// of this number of seats has this history.
///
/// They rest on the same inference as [`chance_to_hold`].
pub fn draw_hands(
    seat: Seat,
    seats: usize,
    history: &[Event],
    count: usize,
    nature: &mut Nature,
) -> Vec<PerSeat<Hand>> {
    let worlds = Worlds::from_history(seat, seats, history);
    let draw = |worlds: Worlds| (0..count).map_while(|_| worlds.draw(nature)).collect();
    worlds.map_or_else(Vec::new, draw)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct PlaceCards {
    known: Counts,
    unknown: u32,
}

impl PlaceCards {
    fn len(self) -> u32 {
        self.known.len() + self.unknown
    }

    /// Adds a card; `None` is an unknown card.
    fn with(self, card: Option<Character>) -> PlaceCards {
        match card {
            Some(card) => PlaceCards { known: self.known.with(card), ..self },
            None => PlaceCards { unknown: self.unknown.saturating_add(1), ..self },
        }
    }

    fn without(self, card: Option<Character>) -> Option<PlaceCards> {
        match card {
            Some(card) => Some(PlaceCards { known: self.known.without(card)?, ..self }),
            None => Some(PlaceCards { unknown: self.unknown.checked_sub(1)?, ..self }),
        }
    }

    /// The kinds of cards here, each with the chance that a card taken blindly is of it.
    fn blindly(self) -> impl Iterator<Item = (Option<Character>, f64)> {
        let of = f64::from(self.len().max(1));
        let known = Character::ALL.into_iter();
        let known = known.map(move |card| (Some(card), self.known.count(card)));
        let all = known.chain([(None, self.unknown)]);
        all.filter(|(_, count)| *count > 0)
            .map(move |(token, count)| (token, f64::from(count) / of))
    }
}

/// One possibility of where known cards lie: in the hand of each seat, and last in the deck.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    places: Vec<PlaceCards>,
}

impl World {
    fn deck(&self) -> usize {
        self.places.len().saturating_sub(1)
    }

    fn at(&self, place: usize) -> PlaceCards {
        self.places.get(place).copied().unwrap_or_default()
    }

    /// The cards that are nowhere known.
    fn unseen_cards(&self, lost: Counts) -> Counts {
        let known = self.places.iter().flat_map(|held| held.known.cards());
        Counts::PACK.without_all(known.chain(lost.cards())).unwrap_or_default()
    }

    /// The chance that one of some unknown cards shows this character.
    fn chance_among(&self, unknown: u32, character: Character, lost: Counts) -> f64 {
        let unseen = self.unseen_cards(lost);
        let (all, wanted) = (f64::from(unseen.len()), f64::from(unseen.count(character)));
        let none = (0..unknown).map(f64::from).map(|gone| (all - gone - wanted) / (all - gone));
        1.0 - none.product::<f64>()
    }

    fn changed(&self, place: usize, held: PlaceCards) -> World {
        let mut world = self.clone();
        if let Some(place) = world.places.get_mut(place) {
            *place = held;
        }
        world
    }

    fn moved(&self, card: Option<Character>, from: usize, to: usize) -> Option<World> {
        let without = self.changed(from, self.at(from).without(card)?);
        Some(without.changed(to, without.at(to).with(card)))
    }

    /// An unknown card of a place turns out to be one of these: each with its chance.
    fn named(&self, place: usize, lost: Counts) -> Vec<(Character, World, f64)> {
        let unseen = self.unseen_cards(lost);
        let all = f64::from(unseen.len().max(1));
        let Some(rest) = self.at(place).without(None) else { return Vec::new() };
        let each = Character::ALL.into_iter().filter(|card| unseen.count(*card) > 0);
        each.map(|card| {
            let world = self.changed(place, rest.with(Some(card)));
            (card, world, f64::from(unseen.count(card)) / all)
        })
        .collect()
    }
}

/// All worlds that fit what a seat has seen, with chances that sum to 1.
pub(super) struct Worlds {
    seat: Seat,
    /// True if only some of the worlds that are possible are followed.
    are_sampled: bool,
    lost: Counts,
    worlds: BTreeMap<World, f64>,
    claims: Claims,
}

impl Worlds {
    /// The worlds after a history as one seat saw it; `None` if it fits none.
    pub(super) fn from_history(seat: Seat, seats: usize, history: &[Event]) -> Option<Worlds> {
        let mut places = vec![PlaceCards::default(); seats];
        places.push(PlaceCards { known: Counts::NONE, unknown: Counts::PACK.len() });
        let mut worlds = Worlds {
            seat,
            are_sampled: false,
            lost: Counts::NONE,
            worlds: BTreeMap::from([(World { places }, 1.0)]),
            claims: Claims::default(),
        };
        let has_seat = |other: Seat| other.index() < seats;
        for event in history {
            worlds.learn(event, has_seat)?;
        }
        (has_seat(seat) && !worlds.worlds.is_empty()).then_some(worlds)
    }

    /// Draws a hand for each seat, as likely as it is; the order of cards in a hand is any.
    pub(super) fn draw(&self, nature: &mut Nature) -> Option<PerSeat<Hand>> {
        let bound = NonZeroU32::MAX;
        let mut point = f64::from(nature.below(bound)) / f64::from(bound.get());
        let found = self.worlds.iter().find(|(_, weight)| {
            point -= **weight;
            point < 0.0
        });
        let (world, _) = found.or(self.worlds.iter().next_back())?;
        let mut unseen = world.unseen_cards(self.lost);
        let mut hands = Vec::with_capacity(world.deck());
        for held in &world.places[..world.deck()] {
            let drawn = unseen.draw(held.unknown as usize, nature)?;
            unseen = unseen.without_all(drawn)?;
            hands.push(Hand::new(&held.known.cards().chain(drawn).collect::<Vec<_>>())?);
        }
        Some(hands.into())
    }

    fn learn(&mut self, event: &Event, has_seat: impl Fn(Seat) -> bool) -> Option<()> {
        match *event {
            Event::Deal { to, cards } if has_seat(to) => self.draw_all(to, cards),
            Event::Draw { to, cards } if has_seat(to) => {
                // A single card is for the one that was shown, which lies in the deck before it is drawn.
                if let Some(shown) = self.claims.replaced_by(cards.len()) {
                    self.change(|world, _| {
                        let back = world.moved(Some(shown), to.index(), world.deck());
                        back.map(|world| (world, 1.0)).into_iter().collect()
                    });
                }
                self.draw_all(to, cards);
            }
            Event::Move { seat, mv } if has_seat(seat) => self.learn_move(seat, mv),
            Event::KeepUnseen { seat, count } if has_seat(seat) => {
                for _ in usize::from(count)..Hand::MOST {
                    self.put_back(seat, u32::from(count));
                }
            }
            Event::Lost { seat, card } if has_seat(seat) => self.lose(seat, card),
            Event::Winner(_) => {}
            _ => return None,
        }
        Some(())
    }

    fn learn_move(&mut self, seat: Seat, mv: Move) {
        match self.claims.after(seat, mv) {
            MoveEvidence::None => {}
            MoveEvidence::Holds(card) => self.show(seat, card),
            MoveEvidence::GivesUp { card, lacks } => {
                if let Some(lacks) = lacks {
                    self.lack(seat, lacks);
                }
                self.lose(seat, card);
            }
            MoveEvidence::Keeps(cards) => self.keep(seat, cards),
        }
    }

    /// Replaces every world by those that it becomes, each with its chance in it.
    fn change(&mut self, becomes: impl Fn(&World, Counts) -> Vec<(World, f64)>) {
        let mut after = self.become_by(&becomes);
        if after.is_empty() && self.are_sampled {
            self.forget();
            after = self.become_by(&becomes);
        }
        if after.len() > MOST_WORLDS {
            self.are_sampled = true;
            after = sample(after);
        }
        let total: f64 = after.values().sum();
        after.values_mut().for_each(|weight| *weight /= total);
        self.worlds = after;
    }

    fn become_by(
        &self,
        becomes: impl Fn(&World, Counts) -> Vec<(World, f64)>,
    ) -> BTreeMap<World, f64> {
        let mut after: BTreeMap<World, f64> = BTreeMap::new();
        for (world, weight) in &self.worlds {
            for (world, chance) in becomes(world, self.lost) {
                let weight = weight * chance;
                if weight > 0.0 {
                    *after.entry(world).or_insert(0.0) += weight;
                }
            }
        }
        after
    }

    /// Goes on with one world in which only the seat's own cards are known.
    fn forget(&mut self) {
        let own = self.seat.index();
        if let Some(mut world) = self.worlds.keys().next().cloned() {
            for (_, held) in world.places.iter_mut().enumerate().filter(|(place, _)| *place != own)
            {
                *held = PlaceCards { known: Counts::NONE, unknown: held.len() };
            }
            self.worlds = BTreeMap::from([(world, 1.0)]);
        }
    }

    fn draw_all(&mut self, to: Seat, cards: SeenHand) {
        match cards {
            SeenHand::Seen(cards) => cards.into_iter().for_each(|card| self.draw_seen(to, card)),
            SeenHand::Unseen(count) => (0..count).for_each(|_| self.draw_unseen(to)),
        }
    }

    fn draw_unseen(&mut self, to: Seat) {
        self.change(|world, _| {
            let drawn = world.at(world.deck()).blindly();
            let each = drawn.filter_map(|(card, chance)| {
                Some((world.moved(card, world.deck(), to.index())?, chance))
            });
            each.collect()
        });
    }

    fn draw_seen(&mut self, to: Seat, card: Character) {
        self.take(
            |world| world.deck(),
            card,
            |world| world.moved(Some(card), world.deck(), to.index()),
        );
    }

    /// One card of a place is taken blindly and shows this character.
    fn take(
        &mut self,
        place: impl Fn(&World) -> usize,
        card: Character,
        then: impl Fn(&World) -> Option<World>,
    ) {
        self.change(|world, lost| {
            let from = place(world);
            let mut after = Vec::new();
            for (token, chance) in world.at(from).blindly() {
                match token {
                    Some(known) if known == card => {
                        after.extend(then(world).map(|world| (world, chance)));
                    }
                    Some(_) => {}
                    None => {
                        let named = world.named(from, lost).into_iter();
                        let named = named.filter(|(name, ..)| *name == card);
                        after.extend(named.filter_map(|(_, world, of)| {
                            then(&world).map(|world| (world, chance * of))
                        }));
                    }
                }
            }
            after
        });
    }

    /// A seat holds this card, since it shows it whenever it does.
    fn show(&mut self, seat: Seat, card: Character) {
        for _ in 0..Hand::MOST {
            self.change(|world, lost| {
                let held = world.at(seat.index());
                match held.known.count(card) {
                    0 => named(world, seat, lost),
                    _ => vec![(world.clone(), 1.0)],
                }
            });
        }
    }

    /// A seat does not hold this card.
    fn lack(&mut self, seat: Seat, card: Character) {
        for _ in 0..Hand::MOST {
            self.change(|world, lost| {
                let held = world.at(seat.index());
                match (held.known.count(card), held.unknown) {
                    (0, 0) => vec![(world.clone(), 1.0)],
                    (0, _) => named(world, seat, lost),
                    _ => Vec::new(),
                }
            });
        }
    }

    fn lose(&mut self, seat: Seat, card: Character) {
        self.take(
            |_| seat.index(),
            card,
            |world| {
                let held = world.at(seat.index()).without(Some(card))?;
                Some(world.changed(seat.index(), held))
            },
        );
        self.lost = self.lost.with(card);
    }

    /// The seat that sees this keeps these cards, and puts the others back.
    fn keep(&mut self, seat: Seat, cards: Hand) {
        self.change(|world, _| {
            let held = world.at(seat.index());
            let Some(back) = held.known.without_all(cards) else { return Vec::new() };
            let kept = PlaceCards { known: cards.into_iter().collect(), ..held };
            let world = world.changed(seat.index(), kept);
            let deck = back.cards().map(Some).fold(world.at(world.deck()), PlaceCards::with);
            vec![(world.changed(world.deck(), deck), 1.0)]
        });
    }

    /// A seat puts back a card, each equally likely, unless it has only this number.
    fn put_back(&mut self, seat: Seat, count: u32) {
        self.change(|world, _| {
            let held = world.at(seat.index());
            if held.len() <= count {
                return vec![(world.clone(), 1.0)];
            }
            let each = held.blindly().filter_map(|(card, chance)| {
                Some((world.moved(card, seat.index(), world.deck())?, chance))
            });
            each.collect()
        });
    }
}

/// The worlds in which an unknown card of a seat is named; none if it has no such card.
fn named(world: &World, seat: Seat, lost: Counts) -> Vec<(World, f64)> {
    let named = world.named(seat.index(), lost).into_iter();
    named.map(|(_, world, chance)| (world, chance)).collect()
}

/// An even sample of worlds: those at equal distances along their chances, one after another.
fn sample(worlds: BTreeMap<World, f64>) -> BTreeMap<World, f64> {
    let total: f64 = worlds.values().sum();
    let distance = total / MOST_WORLDS as f64;
    let (mut passed, mut next) = (0.0, distance / 2.0);
    let mut taken = BTreeMap::new();
    for (world, weight) in worlds {
        passed += weight;
        let mut hits = 0_u32;
        while next < passed {
            hits += 1;
            next += distance;
        }
        if hits > 0 {
            taken.insert(world, f64::from(hits));
        }
    }
    taken
}

/// The claims that are still open, as everyone hears them.
#[derive(Default)]
pub(super) struct Claims {
    /// The last claim that was made.
    last: Option<(Seat, Character)>,
    /// The claim that was challenged and is neither proven nor given up yet.
    challenged: Option<(Seat, Character)>,
    /// The card that was shown last.
    shown: Option<Character>,
}

/// The cards that a move shows its seat to hold or to lack.
pub(super) enum MoveEvidence {
    /// Nothing.
    None,
    /// It holds this card.
    Holds(Character),
    /// It gives up this card. Where it had claimed another one and was challenged, it does not hold that.
    GivesUp {
        /// The card.
        card: Character,
        /// The claim that was false.
        lacks: Option<Character>,
    },
    /// It keeps these cards.
    Keeps(Hand),
}

impl Claims {
    /// Follows a move, and returns its hint.
    pub(super) fn after(&mut self, seat: Seat, mv: Move) -> MoveEvidence {
        match mv {
            Move::Act(action) => self.last = action.claim().map(|claim| (seat, claim)),
            Move::Block(character) => self.last = Some((seat, character)),
            Move::Challenge => self.challenged = self.last.take(),
            Move::Show(character) => {
                self.challenged = None;
                self.shown = Some(character);
                return MoveEvidence::Holds(character);
            }
            Move::Lose(card) => {
                let claim = self.challenged.take().filter(|(claimant, _)| *claimant == seat);
                return MoveEvidence::GivesUp { card, lacks: claim.map(|(_, claim)| claim) };
            }
            Move::Keep(cards) => return MoveEvidence::Keeps(cards),
            Move::Pass | Move::End => {}
        }
        MoveEvidence::None
    }

    /// Takes the card that was shown last. Returns it if one card is drawn, which replaces it.
    pub(super) fn replaced_by(&mut self, drawn: usize) -> Option<Character> {
        match (drawn, self.shown.take()) {
            (1, shown) => shown,
            _ => None,
        }
    }
}
