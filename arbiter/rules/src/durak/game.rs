//! The state of a game of Durak, what seats may know of it, what nature decides, and its running text.

use text::columns::{padded, widest};

use crate::card::{Card, CardSet, DealtCards, Suit};
use crate::durak::bout::Bout;
use crate::durak::notation::{Chance, Event, IllegalMove, Move, View, ViewStage};
use crate::durak::options::{HAND, Options};
use crate::game::{Game, ImpossibleChance, ListCompleteness, Turn};
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::Nature;
use crate::subject::SentenceSubject;

/// A state of a game of Durak.
///
/// ```
/// use rules::durak::{Durak, Options};
/// use rules::{Game, Seed, Turn};
///
/// let mut game = Durak::new(&Options::default());
/// let mut nature = Seed([0; 32]).nature(0);
/// let mut events = Vec::new();
/// while let Some(chance) = game.sample(&mut nature) {
///     game.happen(&chance, &mut events)?;
/// }
/// assert_eq!(events.len(), 4, "two hands, the trump card, and who attacks first");
/// assert!(matches!(game.turn(), Turn::Seat(_)));
/// # Ok::<(), rules::ImpossibleChance>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durak {
    pub(super) options: Options,
    pub(super) hands: PerSeat<CardSet>,
    /// The cards of each hand that everyone has seen.
    pub(super) known: PerSeat<CardSet>,
    pub(super) discards: CardSet,
    pub(super) trump: Option<Card>,
    /// The seats that are still in, in the order of turns.
    pub(super) players: Vec<Seat>,
    pub(super) bouts: u32,
    pub(super) decisions: u32,
    /// The hands and the attacker at the starts of bouts that can still come again: those with an empty talon and the same
    /// discards.
    pub(super) starts: Vec<(PerSeat<CardSet>, Seat)>,
    pub(super) stage: Stage,
}

/// The next thing to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stage {
    /// This seat is dealt its hand.
    Deal(Seat),
    /// The trump card is turned up.
    TurnUp,
    /// A seat decides.
    Bout(Bout),
    /// A seat draws this number of face-down cards from the talon.
    Draw { to: Seat, count: usize, after: Refill },
    /// Nothing: these seats share a loss.
    Over { losers: Vec<Seat> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refill {
    /// The seats that are still to draw, the next one last.
    pub(super) waiting: Vec<Seat>,
    /// The seat that attacks next, or the nearest clockwise that is still in by then.
    pub(super) next: Seat,
}

impl Durak {
    /// Options of the game.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The hand of a seat.
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat]
    }

    /// The cards of a hand that everyone has seen.
    pub fn seen_cards(&self, seat: Seat) -> CardSet {
        self.known[seat]
    }

    /// The card that gives trumps, wherever it is by now.
    pub fn trump(&self) -> Option<Card> {
        self.trump
    }

    /// The cards that were beaten and have left the game.
    pub fn discards(&self) -> CardSet {
        self.discards
    }

    /// The bout that is going on.
    pub fn bout(&self) -> Option<&Bout> {
        match &self.stage {
            Stage::Bout(bout) => Some(bout),
            _ => None,
        }
    }

    /// The seats that are still in, in the order of turns.
    pub fn players(&self) -> &[Seat] {
        &self.players
    }

    /// Number of decisions made so far.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// The cards of the talon, in no order but that the trump card is the last.
    pub fn talon(&self) -> CardSet {
        let hands = self.hands.values().iter().fold(CardSet::EMPTY, |all, hand| all | *hand);
        let table = self.bout().map_or(CardSet::EMPTY, |bout| bout.table().cards());
        self.options.deck().cards() - hands - self.discards - table
    }

    /// The cards of the talon that lie face down.
    pub(super) fn face_down(&self) -> CardSet {
        self.talon() - self.trump.map_or(CardSet::EMPTY, CardSet::single)
    }

    pub(super) fn trumps(&self) -> Option<Suit> {
        self.trump.map(Card::suit)
    }

    /// Every seat once, from this one on clockwise.
    pub(super) fn clockwise_from(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.hands.seats();
        let count = self.hands.count();
        seats.clone().chain(seats).skip(seat.index()).take(count)
    }

    /// The next seat after this one that is still in.
    pub(super) fn next_in(&self, seat: Seat) -> Option<Seat> {
        self.clockwise_from(seat).skip(1).find(|next| self.players.contains(next))
    }

    /// The cards that nature may give to the seat in turn, and their number.
    fn pending_draw(&self) -> Option<(CardSet, usize)> {
        match &self.stage {
            Stage::Deal(_) => Some((self.talon(), HAND)),
            Stage::TurnUp => Some((self.turned_up_from(), 1)),
            Stage::Draw { count, .. } => Some((self.face_down(), *count)),
            Stage::Bout(_) | Stage::Over { .. } => None,
        }
    }

    /// Cards that the trump card may be: the last card of the pack, which the last seat holds where
    /// all are dealt.
    fn turned_up_from(&self) -> CardSet {
        let talon = self.talon();
        match self.hands.values().last() {
            Some(last) if talon.is_empty() => *last,
            _ => talon,
        }
    }

    fn expected(&self) -> String {
        match &self.stage {
            Stage::Deal(to) => format!("`deal {to}` with {HAND} cards"),
            Stage::TurnUp => "`trump CARD`".to_owned(),
            Stage::Draw { to, count, .. } => format!("`draw {to}` with {count} cards"),
            Stage::Bout(_) | Stage::Over { .. } => "nothing from nature".to_owned(),
        }
    }
}

impl Game for Durak {
    const NAME: &'static str = "durak";
    const TITLE: &'static str = "Durak";
    const ABOUT: &'static str = "a beating game: get rid of your cards, the last to hold any loses";
    const MOST_POINTS: Option<i32> = Some(1);
    const OPTIONS: &'static str = "seats=2|3|4|5|6 deck=24|32|36|52 transfer=on|off \
                                   first-limit=5|6 throwers=all|neighbours";
    const RULES: &'static str = include_str!("rules.txt");
    const COUNTS: &'static [&'static str] = &["losses", "shared losses"];

    type Options = Options;
    type Move = Move;
    type Illegal = IllegalMove;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn new(options: &Options) -> Self {
        let seats = Seat::first(options.seats());
        Durak {
            options: *options,
            hands: PerSeat::new(options.seats(), |_| CardSet::EMPTY),
            known: PerSeat::new(options.seats(), |_| CardSet::EMPTY),
            discards: CardSet::EMPTY,
            trump: None,
            players: seats.clone().collect(),
            bouts: 0,
            decisions: 0,
            starts: Vec::new(),
            stage: seats.min().map_or(Stage::TurnUp, Stage::Deal),
        }
    }

    fn seats(&self) -> usize {
        self.hands.count()
    }

    fn turn(&self) -> Turn {
        match &self.stage {
            Stage::Deal(_) | Stage::TurnUp | Stage::Draw { .. } => Turn::Nature,
            Stage::Bout(bout) => Turn::Seat(bout.turn()),
            Stage::Over { losers } => Turn::Over(self.hands.map(|seat, _| score(seat, losers))),
        }
    }

    fn contends(&self, seat: Seat) -> bool {
        self.players.contains(&seat)
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) -> ListCompleteness {
        self.list_moves(moves);
        ListCompleteness::Complete
    }

    fn check(&self, mv: &Move) -> Result<(), IllegalMove> {
        self.check_move(mv)
    }

    fn play(&mut self, mv: &Move, events: &mut Vec<Event>) -> Result<(), IllegalMove> {
        self.check_move(mv)?;
        self.decide(*mv, events);
        Ok(())
    }

    /// `done` for a seat that could throw nothing: the rules ask no one for it, and its event is
    /// one chosen by the seat.
    fn forced(&self) -> Option<Move> {
        self.cannot_throw().then_some(Move::Done)
    }

    /// The lowest card to lead, trumps last; never a beat or a throw.
    fn fallback(&self) -> Option<Move> {
        self.idle_move()
    }

    fn sample(&self, nature: &mut Nature) -> Option<Chance> {
        let (mut pool, count) = self.pending_draw()?;
        let cards = nature.draw_many(&mut pool, count);
        match &self.stage {
            Stage::Deal(to) => Some(Chance::Deal { to: *to, cards }),
            Stage::Draw { to, .. } => Some(Chance::Draw { to: *to, cards }),
            _ => cards.first().map(Chance::Trump),
        }
    }

    fn happen(&mut self, chance: &Chance, events: &mut Vec<Event>) -> Result<(), ImpossibleChance> {
        let unexpected =
            || ImpossibleChance(format!("expected {}, found `{chance}`", self.expected()));
        let (pool, count) = self.pending_draw().ok_or_else(unexpected)?;
        let cards = match (*chance, &self.stage) {
            (Chance::Deal { to, cards }, Stage::Deal(due)) if to == *due => cards,
            (Chance::Draw { to, cards }, Stage::Draw { to: due, .. }) if to == *due => cards,
            (Chance::Trump(card), Stage::TurnUp) => CardSet::single(card),
            _ => return Err(unexpected()),
        };
        if cards.len() != count {
            return Err(unexpected());
        }
        if !pool.contains_all(cards) {
            return Err(ImpossibleChance(format!("cannot come: {}", cards - pool)));
        }
        match *chance {
            Chance::Deal { to, cards } => {
                events.push(Event::Deal { to, cards: DealtCards::Seen(cards) });
                self.hands[to] = cards;
                let next = self.hands.seats().find(|seat| *seat > to);
                self.stage = next.map_or(Stage::TurnUp, Stage::Deal);
            }
            Chance::Trump(card) => self.turn_up(card, events),
            Chance::Draw { to, cards } => self.draw(to, cards, events),
        }
        Ok(())
    }

    fn view(&self, seat: Seat) -> View {
        View {
            hand: self.hands[seat],
            trump: self.trump,
            talon: self.talon().len() as u32,
            hands: self.hands.map(|_, hand| hand.len() as u32),
            known: self.known.clone(),
            gone: self.hands.seats().filter(|seat| !self.players.contains(seat)).collect(),
            discards: self.discards,
            now: match &self.stage {
                Stage::Bout(bout) => ViewStage::Bout(bout.clone()),
                Stage::Deal(_) | Stage::TurnUp | Stage::Draw { .. } => ViewStage::Nature,
                Stage::Over { .. } => ViewStage::Over,
            },
            decisions: self.decisions,
        }
    }

    fn counts(&self, seat: Seat) -> Vec<u32> {
        let (lost, drawn) = match &self.stage {
            Stage::Over { losers } if losers.contains(&seat) => {
                (losers.len() == 1, losers.len() > 1)
            }
            _ => (false, false),
        };
        vec![u32::from(lost), u32::from(drawn)]
    }

    fn walkover(&self, _seat: Seat) -> Score {
        Score::points(1)
    }

    fn narrate(&self, event: &Event, names: &PerSeat<String>) -> String {
        self.tell(event, names)
    }
}

/// Score of a seat where these share one loss.
fn score(seat: Seat, losers: &[Seat]) -> Score {
    if !losers.contains(&seat) {
        return Score::points(1);
    }
    let sharing = losers.len() as i32;
    Score::ratio(sharing - 1, sharing).unwrap_or_default()
}

/// Width of a decision, so that the tables after it stand in line.
const MOVE_WIDTH: usize = 16;

impl Durak {
    /// An event in one line, decisions with the table as it is after them.
    pub(super) fn tell(&self, event: &Event, names: &PerSeat<String>) -> String {
        let width = widest(names.values());
        let narrator = |seat: Seat| SentenceSubject::new(&names[seat]);
        let line = |seat: Seat, told: &str| {
            format!("{}  {told}\n", padded(narrator(seat).subject(), width))
        };
        match event {
            Event::Deal { to, cards } => {
                line(*to, &format!("{} dealt {cards}", narrator(*to).verb("be")))
            }
            Event::Trump(card) => format!("{:width$}  {card}\n", "trump"),
            Event::First { seat, card } => {
                let (show, attack) = (narrator(*seat).verb("show"), narrator(*seat).verb("attack"));
                let told = match card {
                    Some(card) => format!("{show} {card}, the lowest trump, and {attack} first"),
                    None => format!("{attack} first, since no one holds a trump"),
                };
                line(*seat, &told)
            }
            Event::Move { seat, mv } => {
                line(*seat, &self.with_table(&move_text(mv, narrator(*seat))))
            }
            Event::Discard(cards) => format!("{:width$}  {cards}\n\n", "beaten"),
            Event::PickUp { seat, cards } => {
                line(*seat, &format!("{} up {cards}\n", narrator(*seat).verb("pick")))
            }
            Event::Draw { to, cards } => {
                line(*to, &format!("{} {cards}", narrator(*to).verb("draw")))
            }
            Event::Last { to, card } => {
                line(*to, &format!("{} the trump card {card}", narrator(*to).verb("draw")))
            }
            Event::Gone(seat) => {
                line(*seat, &format!("{} no cards left", narrator(*seat).verb("have")))
            }
            Event::Durak(Some(seat)) => {
                line(*seat, &format!("{} the durak", narrator(*seat).verb("be")))
            }
            Event::Durak(None) => format!("{:width$}  no one is the durak\n", "draw"),
        }
    }

    fn with_table(&self, told: &str) -> String {
        let hands: Vec<String> =
            self.hands.values().iter().map(|hand| hand.len().to_string()).collect();
        let (hands, talon) = (hands.join(" "), self.talon().len());
        match self.bout() {
            Some(bout) if !bout.table().is_empty() => {
                let table = bout.table();
                format!("{told:MOVE_WIDTH$}  table {table}; hands {hands}, talon {talon}")
            }
            _ => told.to_owned(),
        }
    }
}

fn move_text(mv: &Move, narrator: SentenceSubject<'_>) -> String {
    let verb = |infinitive| narrator.verb(infinitive);
    match mv {
        Move::Lead(card) => format!("{} {card}", verb("lead")),
        Move::Beat(card) => format!("{} with {card}", verb("beat")),
        Move::Transfer(card) => format!("{} {card}", verb("transfer")),
        Move::Take => verb("take").into_owned(),
        Move::Throw(card) => format!("{} {card}", verb("throw")),
        Move::Done => format!("{} done", verb("be")),
    }
}
