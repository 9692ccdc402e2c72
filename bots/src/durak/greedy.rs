//! The player that keeps the hand which is worth most now.
//!
//! A hand has a value ([`HandValues`]): high cards, trumps, pairs and few cards are good, suits of
//! unequal length are bad. Every decision compares the values of the hands that it would leave
//! ([`DecisionBasis`]), and never looks ahead. Player and numbers are those of a published article on a
//! simple AI without memory, and of an app that came of it; they differ in how high a card counts
//! ([`CardScale`]).

use rules::durak::{Deck, Durak, Move, Pairs, Phase, beats};
use rules::{Card, CardSet, Rank, Request, Suit};

use crate::options::{BadOption, options_in};
use crate::player::{NoMove, Player, RequestPart};

/// Plays what leaves it the most valuable hand, as [`DecisionBasis`] says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Greedy {
    pub scale: CardScale,
}

impl Player<Durak> for Greedy {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let view = &request.view;
        let bout = view.bout().ok_or(NoMove)?;
        let values = HandValues {
            scale: self.scale,
            deck: request.options.deck(),
            trumps: view.trump.ok_or(NoMove)?.suit(),
            talon: i64::from(view.talon),
            held: view.hands.values().iter().map(|held| i64::from(*held)).sum(),
        };
        let hand: Vec<Card> = view.hand.iter().collect();
        let position = DecisionBasis { values, hand: &hand, table: bout.table() };
        let chosen = match bout.phase() {
            Phase::Lead => position.lead().map(Move::Lead),
            Phase::Throw(_) | Phase::Load(_) => {
                Some(position.throw().map_or(Move::Done, Move::Throw))
            }
            Phase::Defend => {
                // The rules know if the next hand is large enough.
                let may_transfer =
                    |card: &Card| request.legal.binary_search(&Move::Transfer(*card)).is_ok();
                let passing: Vec<Card> = hand.iter().copied().filter(may_transfer).collect();
                Some(match position.defend(&passing) {
                    DefenderMove::Beat(card) => Move::Beat(card),
                    DefenderMove::Transfer(card) => Move::Transfer(card),
                    DefenderMove::Take => Move::Take,
                })
            }
        };
        chosen.ok_or(NoMove)
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::LegalMoves]
    }
}

#[derive(Debug, Clone, Copy)]
pub struct DecisionBasis<'a> {
    pub values: HandValues,
    /// The hand. Of cards that are equally good the first is played.
    pub hand: &'a [Card],
    pub table: &'a Pairs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefenderMove {
    Beat(Card),
    /// It passes the attack on with this card.
    Transfer(Card),
    Take,
}

/// Bonus for playing one of several cards of a rank, in hundreds, since the others can
/// follow: by their number.
const FOLLOWED: [f64; 5] = [0.0, 0.0, 1.0, 1.5, 2.5];

/// Bonus of a beating card whose rank lies on the table, since it allows no more throws.
const SAME_RANK: i64 = 300;

impl DecisionBasis<'_> {
    /// The card to lead; none from an empty hand.
    pub fn lead(&self) -> Option<Card> {
        self.best(|_| true).map(|(card, _)| card)
    }

    /// The card to throw in, also while the defender takes; none if that is better.
    pub fn throw(&self) -> Option<Card> {
        let (card, best) = self.best(|card| self.table.has_rank(card.rank()))?;
        let loss = self.values.hand(self.cards()) - best;
        (loss < 1200 - 50 * self.values.talon).then_some(card)
    }

    /// The answer to the first attack card that is not beaten; `passing` are the cards of the hand
    /// that may pass the attack on.
    pub fn defend(&self, passing: &[Card]) -> DefenderMove {
        if let Some(card) = self.transfer(passing) {
            return DefenderMove::Transfer(card);
        }
        self.beat().map_or(DefenderMove::Take, DefenderMove::Beat)
    }

    fn transfer(&self, passing: &[Card]) -> Option<Card> {
        let is_plain = |card: &&Card| card.suit() != self.values.trumps;
        let hand = self.cards();
        let without_all = hand - passing.iter().copied().collect();
        let without_plain = hand - passing.iter().filter(is_plain).copied().collect();
        let best = self.values.hand(without_all).max(self.values.hand(without_plain));
        let card = passing.iter().find(is_plain).or(passing.first())?;
        (best > self.values.hand(hand) - 400).then_some(*card)
    }

    fn beat(&self) -> Option<Card> {
        let HandValues { talon, trumps, .. } = self.values;
        let attack = self.table.unbeaten()?;
        let hand = self.cards();
        let score = |card: Card| {
            let same = if self.table.has_rank(card.rank()) { SAME_RANK } else { 0 };
            self.values.hand(hand - CardSet::single(card)) + same
        };
        let (card, best) = self.first_best(|card| beats(card, attack, trumps), score)?;
        let value = |hand| self.values.hand(hand);
        let is_cheap = value(hand) - best < 800;
        let is_better_than_taking = value(hand | self.table.cards()) - best < 2000 - 40 * talon;
        (is_cheap || is_better_than_taking || talon == 0).then_some(card)
    }

    fn cards(&self) -> CardSet {
        self.hand.iter().copied().collect()
    }

    /// The best of some cards to attack with, and what the hand is worth without it.
    fn best(&self, may: impl Fn(Card) -> bool) -> Option<(Card, i64)> {
        let score = |card: Card| {
            let alike = self.hand.iter().filter(|other| other.rank() == card.rank()).count();
            // The rank counts as in the article here, on any scale.
            let height = CardScale::Article.doubled(card.rank(), self.values.deck) as f64 / 2.0;
            let followed = (FOLLOWED[alike.min(4)] * height * 100.0).round() as i64;
            self.values.hand(self.cards() - CardSet::single(card)) + followed
        };
        self.first_best(may, score)
    }

    /// The first of the cards with the highest score.
    fn first_best(
        &self,
        may: impl Fn(Card) -> bool,
        score: impl Fn(Card) -> i64,
    ) -> Option<(Card, i64)> {
        let cards = self.hand.iter().copied().filter(|card| may(*card));
        let scored = cards.map(|card| (card, score(card)));
        scored.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }
}

/// Scale of cards by height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum CardScale {
    /// The eight counts 0 in every pack, as in the article.
    #[default]
    Article,
    /// The middle of the pack counts 0, as in the app.
    App,
}

impl CardScale {
    /// The option as lines of a help text.
    pub const HELP: &str = "
  --scale article|app  Durak: card valuation [default: article]";

    /// Twice what a card of this rank counts, which is a whole number.
    fn doubled(self, rank: Rank, deck: Deck) -> i64 {
        // From 2 to 14, the ace.
        let number = rank as i64 + 2;
        match self {
            CardScale::Article => 2 * (number - 8),
            CardScale::App => 2 * (number - 14) + (deck.size() / 4) as i64,
        }
    }
}

/// Reads the words of a command line: `--scale app` or `--scale=app`.
pub fn read_scale(words: &[String]) -> Result<CardScale, BadOption> {
    let mut scale = CardScale::default();
    for given in options_in(words) {
        scale = match (given.name, given.value) {
            ("--scale", "article") => CardScale::Article,
            ("--scale", "app") => CardScale::App,
            ("--scale", _) => return Err(given.wrong("article or app")),
            _ => return Err(given.unknown()),
        };
    }
    Ok(scale)
}

/// Values of hands at one moment of a game: alike for every hand that is thought of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandValues {
    pub scale: CardScale,
    pub deck: Deck,
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

impl HandValues {
    /// Value of a hand.
    ///
    /// ```
    /// use bots::durak::greedy::{CardScale, HandValues};
    /// use rules::Suit;
    /// use rules::durak::Deck;
    ///
    /// let values = HandValues {
    ///     scale: CardScale::Article,
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
        ranks + TRUMP * trumps + self.rank_bonus(hand) - self.unbalanced(hand)
            + self.size_bonus(hand)
    }

    /// Twice what a card of this rank counts.
    fn doubled(&self, rank: Rank) -> i64 {
        self.scale.doubled(rank, self.deck)
    }

    /// So small that it only decides between hands that are as good otherwise, in the article too.
    fn rank_bonus(&self, hand: CardSet) -> i64 {
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

    fn size_bonus(&self, hand: CardSet) -> i64 {
        let size = hand.len() as i64;
        let ratio = size.checked_div(self.talon + self.held - size).unwrap_or(ALL);
        ((FAIR_PART - ratio as f64) * MANY).trunc() as i64
    }
}

/// Plays the legal move with the lowest card, trumps after all others; one without a card only
/// where no card is legal.
///
/// So it always beats when it can and always throws when it can. Simple as it is, it is hard to
/// beat for players that do not look ahead.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lowest;

impl Player<Durak> for Lowest {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let trumps = request.view.trump.map(Card::suit);
        let height = |mv: &Move| {
            // `None` would come before every card.
            let card = mv.card();
            (card.is_none(), card.map(|card| (Some(card.suit()) == trumps, card)))
        };
        request.legal.iter().copied().min_by_key(height).ok_or(NoMove)
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::LegalMoves]
    }
}
