//! The options of a game of Durak, its packs among them.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, CardSet, Rank};
use crate::text::NotText;

/// The most cards that a hand is dealt or filled up to.
pub const HAND: usize = 6;

const MOST_SEATS: usize = 6;

/// The rule for passing an attack on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Transfer {
    /// It may, with a card of the same rank.
    On,
    /// It may not.
    #[default]
    Off,
}

/// The most attack cards in the very first bout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum FirstLimit {
    /// Five.
    Five,
    /// Six, as in every bout.
    #[default]
    Six,
}

/// The seats that may throw cards in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Throwers {
    /// Every seat but the defender.
    #[default]
    All,
    /// The seats on both sides of the defender.
    Neighbours,
}

/// Options of a game of Durak, written
/// `seats=2 deck=36 transfer=off first-limit=6 throwers=all`.
///
/// It is read in any order, and what is left out is as in this line.
///
/// ```
/// use rules::durak::{Deck, Options};
///
/// let options: Options = "deck=24 seats=4".parse()?;
/// assert_eq!(options.to_string(), "seats=4 deck=24 transfer=off first-limit=6 throwers=all");
/// assert_eq!(Options::new(4, Deck::Nines), Some(options));
/// assert!("deck=24 seats=5".parse::<Options>().is_err(), "30 cards would be dealt");
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    seats: u8,
    deck: Deck,
    /// The rule for passing an attack on.
    pub transfer: Transfer,
    /// The most attack cards in the very first bout.
    pub first_limit: FirstLimit,
    /// The seats that may throw cards in.
    pub throwers: Throwers,
}

impl Options {
    /// This number of seats with this pack, everything else as usual; `None` if the pack is too
    /// small for six cards to each seat, or the number of seats is not allowed.
    pub fn new(seats: usize, deck: Deck) -> Option<Options> {
        let fits = (2..=MOST_SEATS).contains(&seats) && seats * HAND <= deck.size();
        fits.then(|| Options { seats: seats as u8, deck, ..Options::default() })
    }

    /// Number of seats.
    pub fn seats(self) -> usize {
        usize::from(self.seats)
    }

    /// The pack.
    pub fn deck(self) -> Deck {
        self.deck
    }
}

impl FirstLimit {
    /// The number.
    pub fn get(self) -> usize {
        match self {
            FirstLimit::Five => 5,
            FirstLimit::Six => 6,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seats: 2,
            deck: Deck::default(),
            transfer: Transfer::default(),
            first_limit: FirstLimit::default(),
            throwers: Throwers::default(),
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transfer = match self.transfer {
            Transfer::On => "on",
            Transfer::Off => "off",
        };
        let throwers = match self.throwers {
            Throwers::All => "all",
            Throwers::Neighbours => "neighbours",
        };
        let (seats, deck, first) = (self.seats, self.deck, self.first_limit.get());
        write!(
            f,
            "seats={seats} deck={deck} transfer={transfer} first-limit={first} throwers={throwers}"
        )
    }
}

impl FromStr for Options {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let mut options = Options::default();
        for word in text.split_ascii_whitespace() {
            match word.split_once('=') {
                Some(("seats", value)) => options.seats = seats(value)?,
                Some(("deck", value)) => options.deck = value.parse()?,
                Some(("transfer", "on")) => options.transfer = Transfer::On,
                Some(("transfer", "off")) => options.transfer = Transfer::Off,
                Some(("transfer", value)) => {
                    return Err(NotText::new("`on` or `off` as the transfer of durak", value));
                }
                Some(("first-limit", "5")) => options.first_limit = FirstLimit::Five,
                Some(("first-limit", "6")) => options.first_limit = FirstLimit::Six,
                Some(("first-limit", value)) => {
                    return Err(NotText::new("5 or 6 as the first-limit of durak", value));
                }
                Some(("throwers", "all")) => options.throwers = Throwers::All,
                Some(("throwers", "neighbours")) => options.throwers = Throwers::Neighbours,
                Some(("throwers", value)) => {
                    let expected = "`all` or `neighbours` as the throwers of durak";
                    return Err(NotText::new(expected, value));
                }
                _ => {
                    let expected = "`seats=`, `deck=`, `transfer=`, `first-limit=` or `throwers=` \
                                    as the options of durak";
                    return Err(NotText::new(expected, word));
                }
            }
        }
        // Only now are both known, in any order.
        let Options { seats, deck, .. } = options;
        if Options::new(options.seats(), deck).is_none() {
            let most = deck.size() / HAND;
            let expected = format!("at most {most} seats with a deck of {deck} for durak");
            return Err(NotText::new(expected, &seats.to_string()));
        }
        Ok(options)
    }
}

fn seats(text: &str) -> Result<u8, NotText> {
    text.parse()
        .ok()
        .filter(|seats| (2..=MOST_SEATS).contains(&usize::from(*seats)))
        .ok_or_else(|| NotText::new("2 to 6 seats for durak", text))
}

/// A pack of cards, written as its size: `36`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Deck {
    /// 24 cards, 9 to ace.
    Nines,
    /// 32 cards, 7 to ace.
    Sevens,
    /// 36 cards, 6 to ace.
    #[default]
    Sixes,
    /// 52 cards, 2 to ace.
    Twos,
}

impl Deck {
    /// Every pack, the smallest first.
    pub const ALL: [Deck; 4] = [Deck::Nines, Deck::Sevens, Deck::Sixes, Deck::Twos];

    /// The lowest rank in it.
    pub fn lowest(self) -> Rank {
        match self {
            Deck::Nines => Rank::Nine,
            Deck::Sevens => Rank::Seven,
            Deck::Sixes => Rank::Six,
            Deck::Twos => Rank::Two,
        }
    }

    /// All its cards.
    pub fn cards(self) -> CardSet {
        CardSet::PACK.iter().filter(|card: &Card| card.rank() >= self.lowest()).collect()
    }

    /// Number of cards.
    pub fn size(self) -> usize {
        match self {
            Deck::Nines => 24,
            Deck::Sevens => 32,
            Deck::Sixes => 36,
            Deck::Twos => 52,
        }
    }
}

impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.size())
    }
}

impl FromStr for Deck {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Deck::ALL
            .into_iter()
            .find(|deck| deck.to_string() == text)
            .ok_or_else(|| NotText::new("24, 32, 36 or 52 as the deck of durak", text))
    }
}
