//! Value of a hand.

use rules::durak::Deck;
use rules::{CardSet, Rank, Suit};

use crate::options::{BadOption, given};

/// Scale of cards by height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Scale {
    /// The eight counts 0 in every pack, as in the article.
    #[default]
    Article,
    /// The middle of the pack counts 0, as in the app.
    App,
}

impl Scale {
    /// The option as lines of a help text.
    pub const HELP: &str = "
  --scale article|app  Durak: card valuation [default: article]";

    /// Twice what a card of this rank counts, which is a whole number.
    pub(super) fn doubled(self, rank: Rank, deck: Deck) -> i64 {
        // From 2 to 14, the ace.
        let number = rank as i64 + 2;
        match self {
            Scale::Article => 2 * (number - 8),
            Scale::App => 2 * (number - 14) + (deck.size() / 4) as i64,
        }
    }
}

/// Reads the words of a command line: `--scale app` or `--scale=app`.
pub fn read_scale(words: &[String]) -> Result<Scale, BadOption> {
    let mut scale = Scale::default();
    for given in given(words) {
        scale = match (given.name, given.value) {
            ("--scale", "article") => Scale::Article,
            ("--scale", "app") => Scale::App,
            ("--scale", _) => return Err(given.wrong("article or app")),
            _ => return Err(given.unknown()),
        };
    }
    Ok(scale)
}

/// Values of hands at one moment of a game: alike for every hand that is thought of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values {
    /// Scale of cards.
    pub scale: Scale,
    /// The pack.
    pub deck: Deck,
    /// The suit that is trumps.
    pub trumps: Suit,
    /// Number of cards that the talon has, the trump card included.
    pub talon: i64,
    /// Number of cards that all seats hold, the thinking one included.
    pub held: i64,
}

/// An empty hand when no more cards come: nothing is better.
const OUT: i64 = 30_000;

/// Worth of a trump beside its rank.
const TRUMP: i64 = 1300;

/// Worth of cards of one rank together, by their number.
const ALIKE: [f64; 5] = [0.0, 0.0, 0.5, 0.75, 1.25];

/// Penalty for suits of unequal length.
const UNBALANCED: f64 = 200.0;

/// Penalty for a large part of the cards.
const MANY: f64 = 600.0;

/// The part of the cards that is neither good nor bad.
const FAIR_PART: f64 = 0.25;

/// Size of a hand in sizes of the rest, where there is no rest.
const ALL: i64 = 10;

impl Values {
    /// Value of a hand.
    ///
    /// ```
    /// use bots::durak::greedy::{Scale, Values};
    /// use rules::Suit;
    /// use rules::durak::Deck;
    ///
    /// let values = Values {
    ///     scale: Scale::Article,
    ///     deck: Deck::Twos,
    ///     trumps: Suit::Diamonds,
    ///     talon: 40,
    ///     held: 12,
    /// };
    /// assert_eq!(values.hand("2C 2S QD QH QC QS".parse()?), 1697);
    /// assert_eq!(values.hand("5S JS AS 6D 9D KD".parse()?), 4250);
    /// # Ok::<(), rules::NotText>(())
    /// ```
    pub fn hand(&self, hand: CardSet) -> i64 {
        if self.talon == 0 && hand.is_empty() {
            return OUT;
        }
        let ranks: i64 = hand.iter().map(|card| 50 * self.doubled(card.rank())).sum();
        let trumps = hand.iter().filter(|card| card.suit() == self.trumps).count() as i64;
        ranks + TRUMP * trumps + self.alike(hand) - self.unbalanced(hand) + self.few(hand)
    }

    /// Twice what a card of this rank counts.
    fn doubled(&self, rank: Rank) -> i64 {
        self.scale.doubled(rank, self.deck)
    }

    /// So small that it only decides between hands that are as good otherwise, in the article too.
    fn alike(&self, hand: CardSet) -> i64 {
        let of_rank = |rank: Rank| {
            let count = hand.iter().filter(|card| card.rank() == rank).count();
            let height = (self.doubled(rank) as f64 / 2.0).max(1.0);
            (height * ALIKE[count.min(4)]).trunc() as i64
        };
        Rank::ALL.into_iter().map(of_rank).sum()
    }

    /// The order of operations matters: in some cases the last digit differs from exact numbers.
    fn unbalanced(&self, hand: CardSet) -> i64 {
        let plain = || Suit::ALL.into_iter().filter(|suit| *suit != self.trumps);
        let count = |suit: Suit| hand.iter().filter(|card| card.suit() == suit).count();
        let cards: usize = plain().map(count).sum();
        if cards == 0 {
            return 0;
        }
        let average = cards as f64 / 3.0;
        let penalty =
            |suit| (UNBALANCED * ((count(suit) as f64 - average) / average).abs()).trunc() as i64;
        plain().map(penalty).sum()
    }

    fn few(&self, hand: CardSet) -> i64 {
        let size = hand.len() as i64;
        let ratio = size.checked_div(self.talon + self.held - size).unwrap_or(ALL);
        ((FAIR_PART - ratio as f64) * MANY).trunc() as i64
    }
}
