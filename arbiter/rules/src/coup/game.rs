//! The state of a game of Coup, and its transitions.

use std::fmt;
use std::str::FromStr;

use crate::coup::classic;
use crate::coup::debt::Debt;
use crate::coup::event::{Chance, Event};
use crate::coup::hand::{Counts, Faces, Hand};
use crate::coup::legality::Illegal;
use crate::coup::moves::{Action, Move};
use crate::coup::view::View;
use crate::dialect::{ClassicCall, Dialect};
use crate::game::{Game, Impossible, Listing, Turn};
use crate::score::Score;
use crate::seat::{PerSeat, Seat};
use crate::seed::Nature;
use crate::text::NotText;
use crate::wire::Request;

pub(super) const SEATS: usize = 2;

/// Variants of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    /// The rules of a programming contest: two seats with one coin each.
    #[default]
    Contest,
}

/// Options of a game of Coup, written `seats=2 rules=contest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The variant of the rules.
    pub rules: Rules,
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rules {
            Rules::Contest => write!(f, "seats={SEATS} rules=contest"),
        }
    }
}

impl FromStr for Options {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let mut options = Options::default();
        for word in text.split_ascii_whitespace() {
            match word.split_once('=') {
                Some(("seats", "2")) => {}
                Some(("seats", seats)) => return Err(NotText::new("2 seats for coup", seats)),
                Some(("rules", rules)) if rules.eq_ignore_ascii_case("contest") => {
                    options.rules = Rules::Contest;
                }
                Some(("rules", rules)) => {
                    return Err(NotText::new("`contest` as the rules of coup", rules));
                }
                _ => {
                    let expected = "`seats=2` or `rules=contest` as the options of coup";
                    return Err(NotText::new(expected, word));
                }
            }
        }
        Ok(options)
    }
}

/// A state of a game of Coup.
///
/// ```
/// use rules::coup::{Coup, Options};
/// use rules::{Game, Seed, Turn};
///
/// let mut game = Coup::new(&Options::default());
/// let mut nature = Seed([0; 32]).nature(0);
/// let mut events = Vec::new();
/// while let Some(chance) = game.sample(&mut nature) {
///     game.happen(&chance, &mut events)?;
/// }
/// assert_eq!(events.len(), 2, "two hands");
/// assert!(matches!(game.turn(), Turn::Seat(seat) if seat.index() == 0));
/// # Ok::<(), rules::Impossible>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coup {
    pub(super) players: PerSeat<Player>,
    pub(super) action: Option<Action>,
    /// Debts of this turn, a stack: the last is due now. The first is always owed by
    /// the seat whose turn it is, and nothing is owed when the game is over.
    pub(super) owed: Vec<Debt>,
    pub(super) decisions: u32,
}

/// Cards and coins of one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Player {
    pub(super) hand: Hand,
    pub(super) lost: Hand,
    pub(super) coins: u32,
}

/// The seat on the other side of the table.
pub(super) fn opponent(seat: Seat) -> Seat {
    Seat::first(SEATS).find(|other| *other != seat).unwrap_or(seat)
}

impl Coup {
    /// The hand of a seat.
    pub fn hand(&self, seat: Seat) -> Hand {
        self.players[seat].hand
    }

    /// The cards that a seat has lost, in the order in which it lost them.
    pub fn lost(&self, seat: Seat) -> Hand {
        self.players[seat].lost
    }

    /// The coins of a seat.
    pub fn coins(&self, seat: Seat) -> u32 {
        self.players[seat].coins
    }

    /// The current action.
    pub fn action(&self) -> Option<Action> {
        self.action
    }

    /// Debts of this turn, the last first: the end of the list is due now.
    pub fn owed(&self) -> &[Debt] {
        &self.owed
    }

    /// The debt due now; nothing when the game is over.
    pub fn due(&self) -> Option<Debt> {
        self.owed.last().copied()
    }

    /// Number of decisions made so far.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// The cards in the deck, in no order: all that no seat holds or has lost.
    pub fn deck(&self) -> Counts {
        let players = self.players.values().iter();
        let out = players.flat_map(|player| player.hand.into_iter().chain(player.lost));
        Counts::PACK.without_all(out).unwrap_or_default()
    }

    /// The state that a seat's view and the hands of all seats make; `None` if they do not fit each
    /// other.
    ///
    /// A player that has an idea of what the other seat holds can so think in typed states.
    pub fn imagine(view: &View, hands: &PerSeat<Hand>) -> Option<Coup> {
        let counts = [hands.count(), view.hands.count(), view.coins.count(), view.lost.count()];
        let sizes = hands.map(|_, hand| hand.len() as u32);
        // A price that is due is paid before anyone is asked, so no view shows one on top.
        let asks = !matches!(view.owed.last(), Some(Debt::Pay(_)));
        let seats = view.owed.iter().map(|debt| debt.seat());
        let mut seats = seats.chain(view.action.and_then(Action::target));
        let fits = counts == [SEATS; 4]
            && sizes == view.hands
            && seats.all(|seat| hands.has(seat))
            && asks;
        if !fits {
            return None;
        }
        let players = hands.map(|seat, hand| Player {
            hand: *hand,
            lost: view.lost[seat],
            coins: view.coins[seat],
        });
        let out = hands.values().iter().chain(view.lost.values());
        Counts::PACK.without_all(out.copied().flatten())?;
        let (action, owed) = (view.action, view.owed.clone());
        Some(Coup { players, action, owed, decisions: view.decisions })
    }

    /// The one seat that has cards left.
    pub(super) fn winner(&self) -> Option<Seat> {
        let mut left = self.players.iter().filter(|(_, player)| !player.hand.is_empty());
        match (left.next(), left.next()) {
            (Some((seat, _)), None) => Some(seat),
            _ => None,
        }
    }

    /// The hand of a seat after the cards that nature owes it have come.
    fn hand_with(&self, debt: Debt, cards: Hand) -> Option<Hand> {
        let hand = self.hand(debt.seat());
        match debt {
            // Only now does the shown card go back: it cannot be the one that is drawn.
            Debt::Replace(_, shown) => hand.without(shown)?.then(cards),
            _ => cards.then(hand),
        }
    }

    /// The debt of nature that is due, with the number of cards.
    fn due_of_nature(&self) -> Option<(Debt, usize)> {
        self.due().and_then(|debt| debt.cards().map(|count| (debt, count)))
    }
}

impl Game for Coup {
    const NAME: &'static str = "coup";
    const TITLE: &'static str = "Coup";
    const ABOUT: &'static str = "bluff and doubt: claim what you may not hold, and be believed";
    const MOST_POINTS: Option<i32> = Some(1);
    const OPTIONS: &'static str = "seats=2 rules=contest";
    const RULES: &'static str = include_str!("rules.txt");
    const DIALECTS: &'static [Dialect] = &Dialect::ALL;

    type Options = Options;
    type Move = Move;
    type Illegal = Illegal;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn new(options: &Options) -> Self {
        let coins = match options.rules {
            Rules::Contest => 1,
        };
        let player = Player { hand: Hand::EMPTY, lost: Hand::EMPTY, coins };
        let first = Seat::first(1).map(Debt::Act);
        let deals = Seat::first(SEATS).rev().map(Debt::Deal);
        Coup {
            players: PerSeat::new(SEATS, |_| player),
            action: None,
            owed: first.chain(deals).collect(),
            decisions: 0,
        }
    }

    fn seats(&self) -> usize {
        self.players.count()
    }

    fn turn(&self) -> Turn {
        match self.due() {
            Some(debt) if debt.cards().is_some() => Turn::Nature,
            Some(debt) => Turn::Seat(debt.seat()),
            None => {
                let winner = self.winner();
                Turn::Over(self.players.map(|seat, _| match winner == Some(seat) {
                    true => Score::points(1),
                    false => Score::ZERO,
                }))
            }
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) -> Listing {
        self.list_moves(moves);
        Listing::Complete
    }

    fn check(&self, mv: &Move) -> Result<(), Illegal> {
        self.check_move(mv)
    }

    fn play(&mut self, mv: &Move, events: &mut Vec<Event>) -> Result<(), Illegal> {
        self.check_move(mv)?;
        self.decide(*mv, events);
        Ok(())
    }

    /// The only legal move, wherever there is only one.
    fn forced(&self) -> Option<Move> {
        let mut moves = Vec::new();
        self.list_moves(&mut moves);
        match moves[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The first legal move that is neither a challenge nor a block: the house claims nothing and
    /// doubts no one.
    fn fallback(&self) -> Option<Move> {
        let mut moves = Vec::new();
        self.list_moves(&mut moves);
        moves.into_iter().find(|mv| !matches!(mv, Move::Challenge | Move::Block(_)))
    }

    fn sample(&self, nature: &mut Nature) -> Option<Chance> {
        let (debt, count) = self.due_of_nature()?;
        let (to, cards) = (debt.seat(), self.deck().draw(count, nature)?);
        Some(match debt {
            Debt::Deal(_) => Chance::Deal { to, cards },
            _ => Chance::Draw { to, cards },
        })
    }

    fn happen(&mut self, chance: &Chance, events: &mut Vec<Event>) -> Result<(), Impossible> {
        let Some((debt, count)) = self.due_of_nature() else {
            return Err(Impossible("no cards are to be drawn".to_owned()));
        };
        let (event, to, cards) = match (*chance, debt) {
            (Chance::Deal { to, cards }, Debt::Deal(_)) => {
                (Event::Deal { to, cards: Faces::Seen(cards) }, to, cards)
            }
            (Chance::Draw { to, cards }, Debt::Draw(_) | Debt::Replace(..)) => {
                (Event::Draw { to, cards: Faces::Seen(cards) }, to, cards)
            }
            _ => return Err(Impossible(format!("expected `{debt}`, found `{chance}`"))),
        };
        if to != debt.seat() || cards.len() != count {
            let seat = debt.seat();
            return Err(Impossible(format!("expected {count} cards to {seat}, found `{chance}`")));
        }
        if self.deck().without_all(cards).is_none() {
            return Err(Impossible(format!("not all in the deck: {cards}")));
        }
        let Some(hand) = self.hand_with(debt, cards) else {
            return Err(Impossible(format!("seat {to} cannot hold {cards} too")));
        };
        self.owed.pop();
        self.players[to].hand = hand;
        events.push(event);
        Ok(())
    }

    fn view(&self, seat: Seat) -> View {
        View {
            hand: self.players[seat].hand,
            hands: self.players.map(|_, player| player.hand.len() as u32),
            coins: self.players.map(|_, player| player.coins),
            lost: self.players.map(|_, player| player.lost),
            action: self.action,
            owed: self.owed.clone(),
            decisions: self.decisions,
        }
    }

    fn classic(request: &Request<Coup>) -> Option<Box<dyn ClassicCall>> {
        classic::Call::new(request).map(|call| Box::new(call) as Box<dyn ClassicCall>)
    }

    fn walkover(&self, _winner: Seat) -> Score {
        Score::points(1)
    }

    fn narrate(&self, event: &Event, names: &PerSeat<String>) -> String {
        self.tell(event, names)
    }
}
