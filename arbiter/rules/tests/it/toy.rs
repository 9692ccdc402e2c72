//! A toy game for the conformance suite, which can be told to break one promise.
//!
//! Every seat holds one hidden card. Twice round the seats, a seat shows its card, keeps it
//! hidden, or swaps it for another; a seat that has shown its card can only keep it. The highest
//! card in the end has a point.

mod text;

use rules::{
    Card, CardSet, Game, ImpossibleChance, ListCompleteness, Nature, PerSeat, Resample, Score,
    Seat, Secret, Turn,
};

/// The promise that the game breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// The view holds the card of the next seat.
    View,
    /// The event of a deal is public.
    OpenEvent,
    /// The public form of a deal holds the card.
    PublicForm,
    /// Legal moves of a seat depend on the card of the next seat.
    LegalMoves,
    /// A deal has something that its text has not.
    Text,
    /// Refused moves are counted.
    Refusal,
    /// The last move changes nothing.
    Endless,
    /// A seat must keep its card where it could show it.
    Forced,
    /// The narration of a kept card lacks its line end.
    Narration,
    /// A card that is kept reads as a line of the referee.
    Out,
    /// The view holds the seat's own card a second time, in a line that is not named as its own.
    OwnLine,
    /// A seat has the points of its card while that is hidden.
    Points,
}

impl Fault {
    pub(crate) const ALL: [Fault; 13] = [
        Fault::None,
        Fault::View,
        Fault::OpenEvent,
        Fault::PublicForm,
        Fault::LegalMoves,
        Fault::Text,
        Fault::Refusal,
        Fault::Endless,
        Fault::Forced,
        Fault::Narration,
        Fault::Out,
        Fault::OwnLine,
        Fault::Points,
    ];
}

/// Written `seats=3 fault=2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Options {
    pub(crate) seats: usize,
    pub(crate) fault: Fault,
}

impl Default for Options {
    fn default() -> Self {
        Options { seats: 2, fault: Fault::None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Move {
    Keep,
    Show,
    Swap,
}

#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("only a seat to move that has not shown its card can do this")]
pub(crate) struct Illegal;

/// Written `deal 0 7S`; the mark is not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Deal {
    to: Seat,
    card: Card,
    mark: bool,
}

/// Written as its name in lower case, the seat, and the cards; a hidden card is `??`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Event {
    Deal(Seat, Option<Card>),
    Open(Seat, Card),
    Mark(Seat, Option<Card>, Card),
    Keep(Seat),
    Out(Seat),
    Show(Seat, Card),
    Swap(Seat),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    card: Option<Card>,
    shown: Vec<Option<Card>>,
    turn: Option<Seat>,
    swaps: u32,
    next: Option<Card>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Toy {
    fault: Fault,
    cards: PerSeat<Option<Card>>,
    shown: PerSeat<bool>,
    pool: CardSet,
    moves: usize,
    swaps: u32,
    refused: u32,
}

impl Toy {
    /// The seat that a card is due to.
    fn due(&self) -> Option<Seat> {
        self.cards.iter().find(|(_, card)| card.is_none()).map(|(seat, _)| seat)
    }

    fn mover(&self) -> Option<Seat> {
        match self.turn() {
            Turn::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    fn at_last_move(&self) -> bool {
        self.moves + 1 == 2 * self.seats()
    }

    fn card_of_next(&self, seat: Seat) -> Option<Card> {
        Seat::new((seat.index() + 1) % self.seats()).and_then(|next| self.cards[next])
    }

    fn moves_of(&self, seat: Seat) -> &'static [Move] {
        let next_is_low = self.card_of_next(seat).is_some_and(|card| card.place() < 26);
        match self.fault {
            _ if self.shown[seat] => &[Move::Keep],
            Fault::Endless if self.at_last_move() => &[Move::Keep],
            Fault::LegalMoves if next_is_low => &[Move::Keep, Move::Show],
            _ => &[Move::Keep, Move::Show, Move::Swap],
        }
    }
}

impl Game for Toy {
    const NAME: &'static str = "toy";
    const ABOUT: &'static str = "the highest card has a point";
    const OPTIONS: &'static str = "seats=N fault=N";
    const RULES: &'static str = "Hold the highest card.\n";
    const OWN_LINES: &'static [&'static str] = &["card"];

    type Options = Options;
    type Move = Move;
    type Illegal = Illegal;
    type Chance = Deal;
    type Event = Event;
    type View = View;

    fn new(options: &Options) -> Self {
        Toy {
            fault: options.fault,
            cards: PerSeat::new(options.seats, |_| None),
            shown: PerSeat::new(options.seats, |_| false),
            pool: CardSet::PACK,
            moves: 0,
            swaps: 0,
            refused: 0,
        }
    }

    fn seats(&self) -> usize {
        self.cards.count()
    }

    fn turn(&self) -> Turn {
        if self.due().is_some() {
            return Turn::Nature;
        }
        if self.moves == 2 * self.seats() {
            let highest = self.cards.values().iter().max().copied().flatten();
            let score = |_, card: &Option<Card>| Score::points((*card == highest).into());
            return Turn::Over(self.cards.map(score));
        }
        Turn::Seat(Seat::new(self.moves % self.seats()).unwrap())
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) -> ListCompleteness {
        moves.extend(self.mover().iter().flat_map(|seat| self.moves_of(*seat)));
        ListCompleteness::Complete
    }

    fn check(&self, mv: &Move) -> Result<(), Illegal> {
        let legal = self.mover().is_some_and(|seat| self.moves_of(seat).contains(mv));
        if legal { Ok(()) } else { Err(Illegal) }
    }

    fn play(&mut self, mv: &Move, events: &mut Vec<Event>) -> Result<(), Illegal> {
        if self.check(mv).is_err() && self.fault == Fault::Refusal {
            self.refused += 1;
        }
        self.check(mv)?;
        let seat = self.mover().ok_or(Illegal)?;
        if self.fault == Fault::Endless && self.at_last_move() {
            return Ok(());
        }
        self.moves += 1;
        events.push(match (mv, self.cards[seat]) {
            (Move::Show, Some(card)) => {
                self.shown[seat] = true;
                Event::Show(seat, card)
            }
            (Move::Swap, _) => {
                self.cards[seat] = None;
                self.swaps += 1;
                Event::Swap(seat)
            }
            _ if self.fault == Fault::Out => Event::Out(seat),
            _ => Event::Keep(seat),
        });
        Ok(())
    }

    fn forced(&self) -> Option<Move> {
        let forces = |seat: &Seat| self.shown[*seat] || self.fault == Fault::Forced;
        self.mover().filter(forces).map(|_| Move::Keep)
    }

    fn fallback(&self) -> Option<Move> {
        self.mover().map(|_| Move::Keep)
    }

    fn sample(&self, nature: &mut Nature) -> Option<Deal> {
        let to = self.due()?;
        let card = nature.draw(&mut self.pool.clone())?;
        Some(Deal { to, card, mark: self.fault == Fault::Text })
    }

    fn happen(&mut self, deal: &Deal, events: &mut Vec<Event>) -> Result<(), ImpossibleChance> {
        let Deal { to, card, .. } = *deal;
        if self.due() != Some(to) || !self.pool.contains(card) {
            return Err(ImpossibleChance(format!("not now: {deal}")));
        }
        self.pool.remove(card);
        self.cards[to] = Some(card);
        events.push(match self.fault {
            Fault::OpenEvent => Event::Open(to, card),
            Fault::PublicForm => Event::Mark(to, Some(card), card),
            _ => Event::Deal(to, Some(card)),
        });
        Ok(())
    }

    fn view(&self, seat: Seat) -> View {
        let shown = |seat| if self.shown[seat] { self.cards[seat] } else { None };
        View {
            card: self.cards[seat],
            shown: Seat::first(self.seats()).map(shown).collect(),
            turn: self.mover(),
            swaps: self.swaps,
            next: match self.fault {
                Fault::View => self.card_of_next(seat),
                Fault::OwnLine => self.cards[seat],
                _ => None,
            },
        }
    }

    fn points_so_far(&self, seat: Seat) -> Score {
        let is_high = |card: Card| card.place() > 25;
        let card = self.cards[seat].filter(|_| self.fault == Fault::Points);
        Score::points(card.is_some_and(is_high).into())
    }

    fn walkover(&self, _: Seat) -> Score {
        Score::points(1)
    }

    fn narrate(&self, event: &Event, names: &PerSeat<String>) -> String {
        match event {
            Event::Keep(seat) if self.fault == Fault::Narration => names[*seat].clone(),
            _ => String::new(),
        }
    }
}

impl Secret for Event {
    fn owner(&self) -> Option<Seat> {
        match self {
            Event::Deal(seat, _) | Event::Mark(seat, ..) => Some(*seat),
            _ => None,
        }
    }

    fn public(&self) -> Option<Event> {
        Some(match *self {
            Event::Deal(seat, _) => Event::Deal(seat, None),
            Event::Mark(seat, _, card) => Event::Mark(seat, None, card),
            other => other,
        })
    }
}

impl Resample for Toy {
    /// Plays the history again; a card that was dealt face down is the one that its seat showed
    /// later, or any that was never seen.
    fn resample(
        options: &Options,
        _: Seat,
        _: &View,
        history: &[Event],
        nature: &mut Nature,
    ) -> Option<Self> {
        let seen = |event: &Event| match *event {
            Event::Deal(_, card) | Event::Mark(_, card, _) => card,
            Event::Open(_, card) | Event::Show(_, card) => Some(card),
            Event::Keep(_) | Event::Out(_) | Event::Swap(_) => None,
        };
        let mut unseen = CardSet::PACK - history.iter().filter_map(seen).collect();
        let mut game = Toy::new(options);
        let mut events = Vec::new();
        for (place, event) in history.iter().enumerate() {
            let (to, card) = match *event {
                Event::Deal(to, card) | Event::Mark(to, card, _) => (to, card),
                Event::Open(to, card) => (to, Some(card)),
                Event::Keep(_) | Event::Out(_) => {
                    game.play(&Move::Keep, &mut events).ok()?;
                    continue;
                }
                Event::Show(..) => {
                    game.play(&Move::Show, &mut events).ok()?;
                    continue;
                }
                Event::Swap(_) => {
                    // It was legal in the real world, if not in this one.
                    let seat = game.mover()?;
                    game.cards[seat] = None;
                    game.moves += 1;
                    game.swaps += 1;
                    continue;
                }
            };
            let later = history[place + 1..].iter().find_map(|event| match *event {
                Event::Show(seat, card) if seat == to => Some(Some(card)),
                Event::Swap(seat) if seat == to => Some(None),
                _ => None,
            });
            let card = card.or(later.flatten());
            let card = card.or_else(|| nature.draw(&mut unseen))?;
            game.happen(&Deal { to, card, mark: false }, &mut events).ok()?;
        }
        Some(game)
    }
}
