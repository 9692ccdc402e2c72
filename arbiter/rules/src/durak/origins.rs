//! The origins of the cards that a seat was not shown: the imagined half of its history.
//!
//! A seat sees that another one draws three cards, and later which cards it plays. So every played
//! card that no one had seen in its hand must have come with one of its draws, and the rest of its
//! draws are cards that no one has seen. One more thing is known: the hands of the deal hold no
//! trump below the one that decided who attacks first. Such a trump came later.

use crate::card::{Card, CardSet, DealtCards};
use crate::durak::game::Durak;
use crate::durak::notation::{Chance, Event, View};
use crate::durak::options::{HAND, Options};
use crate::game::{Game, Resample};
use crate::seat::{PerSeat, Seat};
use crate::seed::Nature;

/// The open points of a history.
#[derive(Debug, Clone)]
pub(super) struct Origins {
    draws: Vec<HiddenDraw>,
    plays: Vec<UnseenPlay>,
    /// The cards that were never seen.
    unseen: CardSet,
    /// The trumps that no hand of the deal held.
    barred: CardSet,
}

/// Cards that came face down.
#[derive(Debug, Clone, Copy)]
struct HiddenDraw {
    /// The place of its event in the history.
    place: usize,
    to: Seat,
    count: usize,
    /// The cards that are known to have been among them.
    cards: CardSet,
    kind: DrawReason,
}

/// The reason for drawing cards face down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DrawReason {
    /// The hand of the beginning.
    Deal,
    /// Cards that filled a hand up.
    Refill,
}

/// A card that a seat played and that no one had seen in its hand.
#[derive(Debug, Clone, Copy)]
struct UnseenPlay {
    place: usize,
    seat: Seat,
    card: Card,
}

/// The draw that a card is imagined to have come with.
#[derive(Debug, Clone, Copy)]
enum DrawGuess {
    /// Any, each open place of them equally likely.
    Any,
    /// The deal, if it has a place left, which leaves the later draws to the barred trumps.
    Early,
}

impl HiddenDraw {
    fn open_places(&self) -> usize {
        self.count.saturating_sub(self.cards.len())
    }
}

impl Origins {
    /// The open points of a history as this seat saw it; `None` if the history is of no game with
    /// these options.
    pub(super) fn trace(options: &Options, observer: Seat, history: &[Event]) -> Option<Origins> {
        let mut origins = Origins {
            draws: Vec::new(),
            plays: Vec::new(),
            unseen: options.deck().cards(),
            barred: CardSet::EMPTY,
        };
        let mut known = PerSeat::new(options.seats(), |_| CardSet::EMPTY);
        let mut trump = None;
        if !known.has(observer) {
            return None;
        }
        for (place, event) in history.iter().enumerate() {
            if event.seat().is_some_and(|seat| !known.has(seat)) {
                return None;
            }
            origins.unseen -= shown_cards(event);
            match *event {
                Event::Deal { to, cards } => origins.hide(place, to, cards, DrawReason::Deal),
                Event::Draw { to, cards } => origins.hide(place, to, cards, DrawReason::Refill),
                Event::Trump(card) => {
                    trump = Some(card);
                    let last = known.seats().next_back()?;
                    if options.seats() * HAND == options.deck().size() {
                        origins.was_dealt(last, card);
                        known[last].insert(card);
                    }
                }
                Event::First { seat, card } => {
                    let of_deck = options.deck().cards().iter();
                    let lower = of_deck.filter(|other| {
                        Some(other.suit()) == trump.map(Card::suit)
                            && card.is_none_or(|card| *other < card)
                    });
                    origins.barred = lower.collect();
                    if let Some(card) = card {
                        origins.was_dealt(seat, card);
                        known[seat].insert(card);
                    }
                }
                Event::Move { seat, mv } => {
                    if let Some(card) = mv.card() {
                        if seat != observer && !known[seat].contains(card) {
                            origins.plays.push(UnseenPlay { place, seat, card });
                        }
                        known[seat].remove(card);
                    }
                }
                Event::PickUp { seat, cards } => known[seat] |= cards,
                Event::Last { to, card } => known[to].insert(card),
                Event::Discard(_) | Event::Gone(_) | Event::Durak(_) => {}
            }
        }
        Some(origins)
    }

    fn hide(&mut self, place: usize, to: Seat, cards: DealtCards, kind: DrawReason) {
        if let DealtCards::Unseen(_) = cards {
            let (count, cards) = (cards.len(), CardSet::EMPTY);
            self.draws.push(HiddenDraw { place, to, count, cards, kind });
        }
    }

    /// Notes that a hand of the deal held this card.
    fn was_dealt(&mut self, seat: Seat, card: Card) {
        let mut deals = self.draws.iter_mut().filter(|draw| draw.kind == DrawReason::Deal);
        if let Some(deal) = deals.find(|draw| draw.to == seat) {
            deal.cards.insert(card);
        }
    }

    /// Cards for every draw that was face down, in the order of the history; `None` if none fit.
    ///
    /// The cards that were never seen are spread evenly. The draw of a played card is a guess that
    /// hardly affects them: it matters only for trumps that cannot have been dealt.
    pub(super) fn imagine(&self, nature: &mut Nature) -> Option<Vec<CardSet>> {
        let guessed = self.clone().filled(DrawGuess::Any, nature);
        guessed.or_else(|| self.clone().filled(DrawGuess::Early, nature))
    }

    fn filled(mut self, guess: DrawGuess, nature: &mut Nature) -> Option<Vec<CardSet>> {
        let (barred, free): (Vec<UnseenPlay>, Vec<UnseenPlay>) =
            self.plays.iter().partition(|play| self.barred.contains(play.card));
        for play in barred {
            // The latest draw, since earlier plays can have come with the earlier ones only.
            let mut draws = self.draws.iter_mut().rev();
            let draw =
                draws.find(|draw| draw.kind == DrawReason::Refill && could_hold(draw, play))?;
            draw.cards.insert(play.card);
        }
        for play in free {
            let places = self.draws.iter_mut().filter(|draw| could_hold(draw, play));
            let mut places: Vec<&mut HiddenDraw> = places.collect();
            let chosen = match guess {
                DrawGuess::Early => 0,
                DrawGuess::Any => {
                    let open = places.iter().enumerate();
                    let open: Vec<usize> = open
                        .flat_map(|(place, draw)| std::iter::repeat_n(place, draw.open_places()))
                        .collect();
                    *nature.choose(&open)?
                }
            };
            places.get_mut(chosen)?.cards.insert(play.card);
        }
        for kind in [DrawReason::Deal, DrawReason::Refill] {
            for draw in self.draws.iter_mut().filter(|draw| draw.kind == kind) {
                let mut pool = match kind {
                    DrawReason::Deal => self.unseen - self.barred,
                    DrawReason::Refill => self.unseen,
                };
                let cards = nature.draw_many(&mut pool, draw.open_places());
                self.unseen -= cards;
                draw.cards |= cards;
            }
        }
        let full = self.draws.iter().all(|draw| draw.cards.len() == draw.count);
        full.then(|| self.draws.iter().map(|draw| draw.cards).collect())
    }
}

/// Returns true if a draw came before this play, to the same seat, and has a place left.
fn could_hold(draw: &HiddenDraw, play: UnseenPlay) -> bool {
    draw.to == play.seat && draw.place < play.place && draw.open_places() > 0
}

fn shown_cards(event: &Event) -> CardSet {
    match *event {
        Event::Deal { cards, .. } | Event::Draw { cards, .. } => cards.visible(),
        Event::Trump(card) | Event::Last { card, .. } => CardSet::single(card),
        Event::First { card, .. } => card.map_or(CardSet::EMPTY, CardSet::single),
        Event::Move { mv, .. } => mv.card().map_or(CardSet::EMPTY, CardSet::single),
        Event::Discard(cards) | Event::PickUp { cards, .. } => cards,
        Event::Gone(_) | Event::Durak(_) => CardSet::EMPTY,
    }
}

impl Resample for Durak {
    /// Imagines the cards that came face down, and plays the history again with them.
    ///
    /// So a hand holds the cards that its seat took up in public and has not played since, and
    /// positions that could repeat in the real world can repeat there too.
    fn resample(
        options: &Options,
        seat: Seat,
        _view: &View,
        history: &[Event],
        nature: &mut Nature,
    ) -> Option<Self> {
        let mut imagined = Origins::trace(options, seat, history)?.imagine(nature)?.into_iter();
        let mut cards = |dealt| match dealt {
            DealtCards::Seen(cards) => Some(cards),
            DealtCards::Unseen(_) => imagined.next(),
        };
        let mut game = Durak::new(options);
        let mut told = Vec::new();
        for event in history {
            let chance = match *event {
                Event::Deal { to, cards: dealt } => Chance::Deal { to, cards: cards(dealt)? },
                Event::Draw { to, cards: dealt } => Chance::Draw { to, cards: cards(dealt)? },
                Event::Trump(card) => Chance::Trump(card),
                Event::Move { mv, .. } => {
                    game.play(&mv, &mut told).ok()?;
                    continue;
                }
                // The rules make the other events by themselves.
                _ => continue,
            };
            game.happen(&chance, &mut told).ok()?;
        }
        Some(game)
    }
}
