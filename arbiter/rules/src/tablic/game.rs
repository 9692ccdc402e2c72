//! The state of a game of Tablić, its transitions and its running text, and worlds that a seat cannot tell apart.

use std::fmt;
use std::str::FromStr;

use text::columns::{padded, widest};

use crate::card::{CardSet, DealtCards};
use crate::game::{Game, ImpossibleChance, ListCompleteness, Resample, Turn};
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::Nature;
use crate::subject::SentenceSubject;
use crate::tablic::capture::{MOST_CARDS, may_capture, points};
use crate::tablic::listing::list_moves;
use crate::tablic::notation::{Deal, DealDestination, Event, IllegalMove, Move, Tally, View};
use crate::text::NotText;

/// A number of seats that Tablić can be played with: a divisor of 48 above 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeatCount(u8);

impl SeatCount {
    /// Every number of seats: 2, 3, 4, 6, 8, 12, 16, 24, 48.
    pub const ALL: [SeatCount; 9] = [
        SeatCount(2),
        SeatCount(3),
        SeatCount(4),
        SeatCount(6),
        SeatCount(8),
        SeatCount(12),
        SeatCount(16),
        SeatCount(24),
        SeatCount(48),
    ];

    /// This number of seats, if the game can be played with it.
    pub fn new(seats: usize) -> Option<SeatCount> {
        SeatCount::ALL.into_iter().find(|count| count.get() == seats)
    }

    /// The number.
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

/// Options of a game of Tablić, written `seats=2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Number of seats.
    pub seats: SeatCount,
}

impl Default for Options {
    fn default() -> Self {
        Options { seats: SeatCount(2) }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seats={}", self.seats.get())
    }
}

impl FromStr for Options {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let mut options = Options::default();
        for word in text.split_ascii_whitespace() {
            let Some(value) = word.strip_prefix("seats=") else {
                return Err(NotText::new("`seats=N` as the options of tablic", word));
            };
            options.seats = value.parse().ok().and_then(SeatCount::new).ok_or_else(|| {
                NotText::new("2, 3, 4, 6, 8, 12, 16, 24 or 48 seats for tablic", value)
            })?;
        }
        Ok(options)
    }
}

/// The most cards that a hand is dealt.
pub(super) const HAND: usize = 6;

/// The points of the winner when all others are out, beside its own tablas: all there are.
const WALKOVER: u32 = 22 + MOST_CARDS;

/// A state of a game of Tablić.
///
/// ```
/// use rules::tablic::{Options, Tablic};
/// use rules::{Game, Seed, Turn};
///
/// let mut game = Tablic::new(&Options::default());
/// let mut nature = Seed([0; 32]).nature(0);
/// let mut events = Vec::new();
/// while let Some(deal) = game.sample(&mut nature) {
///     game.happen(&deal, &mut events)?;
/// }
/// assert_eq!(events.len(), 3, "the table and two hands");
/// assert!(matches!(game.turn(), Turn::Seat(seat) if seat.index() == 0));
/// # Ok::<(), rules::ImpossibleChance>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tablic {
    hands: PerSeat<CardSet>,
    piles: PerSeat<CardSet>,
    tablas: PerSeat<u32>,
    table: CardSet,
    /// The cards still to be dealt, in no order.
    talon: CardSet,
    last_capture: Option<Seat>,
    stage: Stage,
}

/// The next thing to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// This number of cards is due somewhere.
    Deal { to: DealDestination, count: usize },
    /// A seat is to move.
    Play(Seat),
    /// Nothing.
    Over,
}

impl Tablic {
    /// The cards on the table.
    pub fn table(&self) -> CardSet {
        self.table
    }

    /// The hand of a seat.
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat]
    }

    /// The cards that a seat has captured, without the rest of the table in the end.
    pub fn pile(&self, seat: Seat) -> CardSet {
        self.piles[seat]
    }

    /// Number of tablas that a seat has made.
    pub fn tablas(&self, seat: Seat) -> u32 {
        self.tablas[seat]
    }

    /// The seat that captured last.
    pub fn last_capture(&self) -> Option<Seat> {
        self.last_capture
    }

    /// The cards still to be dealt.
    pub fn talon(&self) -> CardSet {
        self.talon
    }

    /// Tallies if the game ends now: the rest of the table goes to the seat that
    /// captured last, and the points for the most cards are given.
    pub fn tallies(&self) -> PerSeat<Tally> {
        let piles = self.piles.map(|seat, pile| match self.last_capture {
            Some(last) if last == seat => *pile | self.table,
            _ => *pile,
        });
        let most = piles.values().iter().map(|pile| pile.len()).max().unwrap_or(0);
        let with_most = piles.values().iter().filter(|pile| pile.len() == most).count();
        piles.map(|seat, pile| {
            let most = with_most == 1 && pile.len() == most;
            let bonus = if most { MOST_CARDS } else { 0 };
            Tally {
                points: points(*pile) + self.tablas[seat] + bonus,
                cards: pile.len() as u32,
                tablas: self.tablas[seat],
                most,
            }
        })
    }

    /// The seat that comes after this one in the round, if any does.
    fn next_seat(&self, seat: Seat) -> Option<Seat> {
        self.hands.seats().find(|next| *next > seat)
    }

    /// The round of moves, from the first seat.
    fn play_from_first(&self) -> Stage {
        self.hands.seats().next().map_or(Stage::Over, Stage::Play)
    }

    /// Deals the next hands, or ends the game when there are none.
    fn end_of_hands(&mut self, events: &mut Vec<Event>) -> Stage {
        if !self.talon.is_empty() {
            return self.deal_hands();
        }
        if !self.table.is_empty() {
            events.push(Event::Rest { to: self.last_capture, cards: self.table });
        }
        let tallies = self.tallies();
        events.extend(tallies.iter().map(|(seat, tally)| Event::Score { seat, tally: *tally }));
        Stage::Over
    }

    fn deal_hands(&self) -> Stage {
        let count = HAND.min(self.talon.len() / self.hands.count());
        match self.hands.seats().next() {
            Some(first) => Stage::Deal { to: DealDestination::Hand(first), count },
            None => Stage::Over,
        }
    }
}

impl Game for Tablic {
    const NAME: &'static str = "tablic";
    const TITLE: &'static str = "Tablić";
    const ABOUT: &'static str =
        "a fishing game: capture cards from the table that add up to the card you play";
    const OPTIONS: &'static str = "seats=2|3|4|6|8|12|16|24|48";
    const RULES: &'static str = include_str!("rules.txt");
    const COUNTS: &'static [&'static str] = &["tablas", "most cards"];

    type Options = Options;
    type Move = Move;
    type Illegal = IllegalMove;
    type Chance = Deal;
    type Event = Event;
    type View = View;

    fn new(options: &Options) -> Self {
        let seats = options.seats.get();
        Tablic {
            hands: PerSeat::new(seats, |_| CardSet::EMPTY),
            piles: PerSeat::new(seats, |_| CardSet::EMPTY),
            tablas: PerSeat::new(seats, |_| 0),
            table: CardSet::EMPTY,
            talon: CardSet::PACK,
            last_capture: None,
            stage: Stage::Deal { to: DealDestination::Table, count: 4 },
        }
    }

    fn seats(&self) -> usize {
        self.hands.count()
    }

    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Deal { .. } => Turn::Nature,
            Stage::Play(seat) => Turn::Seat(seat),
            Stage::Over => {
                Turn::Over(self.tallies().map(|_, tally| Score::points(tally.points as i32)))
            }
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) -> ListCompleteness {
        match self.stage {
            Stage::Play(seat) => list_moves(self.hands[seat], self.table, moves),
            Stage::Deal { .. } | Stage::Over => ListCompleteness::Complete,
        }
    }

    fn check(&self, mv: &Move) -> Result<(), IllegalMove> {
        let Stage::Play(seat) = self.stage else { return Err(IllegalMove::NoTurn) };
        if !self.hands[seat].contains(mv.card) {
            return Err(IllegalMove::NotInHand(mv.card));
        }
        if !self.table.contains_all(mv.captured) {
            return Err(IllegalMove::NotOnTable(mv.captured - self.table));
        }
        if !may_capture(mv.card.rank(), mv.captured) {
            return Err(IllegalMove::NoSplit { card: mv.card, captured: mv.captured });
        }
        Ok(())
    }

    fn play(&mut self, mv: &Move, events: &mut Vec<Event>) -> Result<(), IllegalMove> {
        self.check(mv)?;
        let Stage::Play(seat) = self.stage else { return Err(IllegalMove::NoTurn) };
        self.hands[seat].remove(mv.card);
        events.push(Event::Move { seat, mv: *mv });
        if mv.captured.is_empty() {
            self.table.insert(mv.card);
        } else {
            self.table -= mv.captured;
            self.piles[seat] |= mv.gained();
            self.last_capture = Some(seat);
            if self.table.is_empty() {
                self.tablas[seat] += 1;
                events.push(Event::Tabla(seat));
            }
        }
        self.stage = match self.next_seat(seat) {
            Some(next) => Stage::Play(next),
            None if self.hands[seat].is_empty() => self.end_of_hands(events),
            None => self.play_from_first(),
        };
        Ok(())
    }

    fn fallback(&self) -> Option<Move> {
        match self.stage {
            Stage::Play(seat) => self.hands[seat].first().map(Move::lay_down),
            Stage::Deal { .. } | Stage::Over => None,
        }
    }

    fn sample(&self, nature: &mut Nature) -> Option<Deal> {
        let Stage::Deal { to, count } = self.stage else { return None };
        let mut talon = self.talon;
        Some(Deal { to, cards: nature.draw_many(&mut talon, count) })
    }

    fn happen(&mut self, deal: &Deal, events: &mut Vec<Event>) -> Result<(), ImpossibleChance> {
        let Stage::Deal { to, count } = self.stage else {
            return Err(ImpossibleChance("no cards are to be dealt".to_owned()));
        };
        if deal.to != to || deal.cards.len() != count {
            return Err(ImpossibleChance(format!(
                "expected {count} cards to {to}, found `{deal}`"
            )));
        }
        if !self.talon.contains_all(deal.cards) {
            let gone = deal.cards - self.talon;
            return Err(ImpossibleChance(format!("dealt before: {gone}")));
        }
        self.talon -= deal.cards;
        self.stage = match to {
            DealDestination::Table => {
                self.table = deal.cards;
                self.deal_hands()
            }
            DealDestination::Hand(seat) => {
                self.hands[seat] = deal.cards;
                match self.next_seat(seat) {
                    Some(next) => Stage::Deal { to: DealDestination::Hand(next), count },
                    None => self.play_from_first(),
                }
            }
        };
        events.push(Event::Deal { to, cards: DealtCards::Seen(deal.cards) });
        Ok(())
    }

    fn view(&self, seat: Seat) -> View {
        View {
            hand: self.hands[seat],
            table: self.table,
            taken: self.piles.values().iter().fold(CardSet::EMPTY, |all, pile| all | *pile),
            talon: self.talon.len() as u32,
            hands: self.hands.map(|_, hand| hand.len() as u32),
            cards: self.piles.map(|_, pile| pile.len() as u32),
            points: self.piles.map(|seat, pile| points(*pile) + self.tablas[seat]),
            tablas: self.tablas.clone(),
            last: self.last_capture,
        }
    }

    fn counts(&self, seat: Seat) -> Vec<u32> {
        let tally = self.tallies()[seat];
        vec![tally.tablas, u32::from(tally.most)]
    }

    fn points_so_far(&self, seat: Seat) -> Score {
        Score::points((points(self.piles[seat]) + self.tablas[seat]) as i32)
    }

    fn walkover(&self, winner: Seat) -> Score {
        Score::points((WALKOVER + self.tablas[winner]) as i32)
    }

    fn narrate(&self, event: &Event, names: &PerSeat<String>) -> String {
        self.tell(event, names)
    }
}

impl Resample for Tablic {
    /// Fills every hand that was dealt face down, and plays the history again with it.
    ///
    /// A hand holds what its seat played from it, which everyone saw; only what it still holds is
    /// drawn, from the cards that the seat has never seen.
    fn resample(
        options: &Options,
        _seat: Seat,
        view: &View,
        history: &[Event],
        nature: &mut Nature,
    ) -> Option<Self> {
        let shown =
            view.hand | history.iter().map(seen).fold(CardSet::EMPTY, |all, some| all | some);
        let mut unseen = CardSet::PACK - shown;
        let mut game = Tablic::new(options);
        let mut events = Vec::new();
        for (place, event) in history.iter().enumerate() {
            match *event {
                Event::Deal { to, cards } => {
                    let cards = match (cards, to) {
                        (DealtCards::Unseen(count), DealDestination::Hand(seat)) => {
                            let played = played_from(seat, &history[place + 1..]);
                            let held = usize::from(count).checked_sub(played.len())?;
                            played | nature.draw_many(&mut unseen, held)
                        }
                        _ => cards.visible(),
                    };
                    game.happen(&Deal { to, cards }, &mut events).ok()?;
                }
                Event::Move { mv, .. } => game.play(&mv, &mut events).ok()?,
                Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. } => {}
            }
        }
        Some(game)
    }
}

fn seen(event: &Event) -> CardSet {
    match event {
        Event::Deal { cards, .. } => cards.visible(),
        Event::Move { mv, .. } => CardSet::single(mv.card) | mv.captured,
        Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. } => CardSet::EMPTY,
    }
}

/// The cards that a seat plays until it is dealt the next hand.
fn played_from(seat: Seat, later: &[Event]) -> CardSet {
    later
        .iter()
        .take_while(
            |event| !matches!(event, Event::Deal { to: DealDestination::Hand(to), .. } if *to == seat),
        )
        .filter_map(|event| match event {
            Event::Move { seat: mover, mv } if *mover == seat => Some(mv.card),
            _ => None,
        })
        .collect()
}

/// Width of a move, so that the tables after it stand in line.
const MOVE_WIDTH: usize = 24;

/// Number of cards dealt to hands in a game, for any number of seats.
const FOR_HANDS: usize = 48;

impl Tablic {
    /// An event in one or two lines, told with the table as it is after it.
    pub(crate) fn tell(&self, event: &Event, names: &PerSeat<String>) -> String {
        let width = widest(names.values()).max("table".len());
        match event {
            Event::Deal { to: DealDestination::Table, cards } => {
                format!("{}\n  {:width$}  {cards}\n", self.which_deal(), "table")
            }
            Event::Deal { to: DealDestination::Hand(seat), cards } => {
                let heading = match (seat.index(), self.deal_number()) {
                    (0, 2..) => format!("\n{}\n", self.which_deal()),
                    _ => String::new(),
                };
                format!("{heading}  {}  {cards}\n", padded(&names[*seat], width))
            }
            Event::Move { seat, mv } => {
                let played = match mv.captured.is_empty() {
                    true => mv.card.to_string(),
                    false => format!("{} takes {}", mv.card, mv.captured),
                };
                let table = match self.table().is_empty() {
                    true => "table empty".to_owned(),
                    false => format!("table {}", self.table()),
                };
                let name = padded(&names[*seat], width);
                format!("{name}  {played:MOVE_WIDTH$}  {table}\n")
            }
            Event::Tabla(seat) => format!("{}  tabla!\n", padded(&names[*seat], width)),
            Event::Rest { to: Some(seat), cards } => {
                let narrator = SentenceSubject::new(&names[*seat]);
                let (name, get) = (padded(narrator.subject(), width), narrator.verb("get"));
                format!("\n{name}  captured last and {get} the rest: {cards}\n")
            }
            Event::Rest { to: None, cards } => {
                format!("\nno one captured, so no one gets the rest: {cards}\n")
            }
            Event::Score { seat, tally } => {
                format!("{}  {}\n", padded(&names[*seat], width), tally_text(tally))
            }
        }
    }

    fn which_deal(&self) -> String {
        let deals = FOR_HANDS.div_ceil(HAND * self.seats());
        format!("deal {} of {deals}", self.deal_number())
    }

    /// The number of the deal going on, from 1.
    fn deal_number(&self) -> usize {
        let dealt = FOR_HANDS - self.talon().len().min(FOR_HANDS);
        dealt.div_ceil(HAND * self.seats()).max(1)
    }
}

fn tally_text(tally: &Tally) -> String {
    let many = |count: u32, one: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let most = match tally.most {
        true => format!(" (the most: {MOST_CARDS} points)"),
        false => String::new(),
    };
    format!(
        "{}, {}{most}, {}",
        many(tally.points, "point"),
        many(tally.cards, "card"),
        many(tally.tablas, "tabla")
    )
}
