//! Seeds: of a match, of the bots of one deal, of one request; and the public name of a game.

use std::num::NonZeroU32;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest as _, Sha256};

use crate::card::{Card, CardSet};
use crate::seat::Seat;

/// The seed of a match: 32 bytes from which every deal and every bot's seed follow.
///
/// ChaCha20 keyed with the seed gives 2⁶⁴ separate streams. The two highest bits of the stream's
/// number say what it is for (deals, bots, names of games, orders of players), the rest is the number of the deal or
/// of the game.
///
/// It is neither printed by `Debug` nor given to any bot.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

/// Purpose of a stream of the match seed: its two highest bits.
#[derive(Clone, Copy)]
enum Purpose {
    Deals = 0,
    Bots = 1,
    Names = 2,
    Orders = 3,
}

impl Seed {
    /// The chance of one deal, for any seating.
    pub fn nature(&self, deal: u64) -> Nature {
        Nature::from_generator(self.stream(Purpose::Deals, deal))
    }

    /// The seeds of the bots in one deal.
    pub fn bots(&self, deal: u64) -> BotSeedKey {
        let mut key = [0; 32];
        self.stream(Purpose::Bots, deal).fill_bytes(&mut key);
        BotSeedKey(key)
    }

    /// The public name of one game of the match.
    pub fn name(&self, game: u64) -> GameId {
        let mut name = [0; 16];
        self.stream(Purpose::Names, game).fill_bytes(&mut name);
        GameId(name)
    }

    /// The chance by which players are put in an order for one deal, apart from the chance of its cards.
    pub fn order(&self, deal: u64) -> Nature {
        Nature::from_generator(self.stream(Purpose::Orders, deal))
    }

    fn stream(&self, purpose: Purpose, number: u64) -> ChaCha20Rng {
        let mut generator = ChaCha20Rng::from_seed(self.0);
        generator.set_stream((purpose as u64) << 62 | number & (u64::MAX >> 2));
        generator
    }
}

/// The number of the streams of chance for one attempt at a deal, both counted from 0.
///
/// A game that is played again has other cards, since the earlier ones are in the log. Deals below
/// 2⁶⁰ and four attempts at each have numbers of their own.
pub fn dealt(deal: u64, attempt: u32) -> u64 {
    deal.wrapping_add(u64::from(attempt) << 60)
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(secret)")
    }
}

hex_text!(Seed, "a seed of 64 hexadecimal digits");

/// The key of all bots' seeds in one deal: 32 bytes that tell nothing about the cards.
///
/// `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct BotSeedKey(pub [u8; 32]);

impl std::fmt::Debug for BotSeedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BotSeedKey(secret)")
    }
}

impl BotSeedKey {
    /// The seed for the bot on one seat and one request of the game, both counted from 0.
    pub fn seed(&self, seat: Seat, request: u32) -> BotSeed {
        let mut generator = ChaCha20Rng::from_seed(self.0);
        generator.set_stream((seat.index() as u64) << 32 | u64::from(request));
        let mut seed = [0; 8];
        generator.fill_bytes(&mut seed);
        BotSeed(seed)
    }
}

hex_text!(BotSeedKey, "64 hexadecimal digits");

/// The seed that one request gives its bot: 8 bytes for the bot's own randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BotSeed(pub [u8; 8]);

impl BotSeed {
    /// A generator for the bot's own choices: the 8 bytes, then 24 of zero, as a key.
    pub fn nature(self) -> Nature {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.0);
        Nature::from_generator(ChaCha20Rng::from_seed(key))
    }
}

hex_text!(BotSeed, "a seed of 16 hexadecimal digits");

/// The public name of one game, the same in all its requests: 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameId(pub [u8; 16]);

hex_text!(GameId, "a name of 32 hexadecimal digits");

/// A stream of seeded randomness: the same way to draw from it gives the same results.
///
/// It is made by [`Seed::nature`](crate::Seed::nature) for deals and by
/// [`BotSeed::nature`](crate::BotSeed::nature) for a bot's own choices.
///
/// ```
/// use rules::{CardSet, Seed};
///
/// let mut pool = CardSet::PACK;
/// let card = Seed([7; 32]).nature(0).draw(&mut pool);
/// assert!(card.is_some_and(|card| !pool.contains(card)));
/// assert_eq!(pool.len(), 51);
/// ```
#[derive(Debug, Clone)]
pub struct Nature(ChaCha20Rng);

impl Nature {
    pub(crate) fn from_generator(generator: ChaCha20Rng) -> Self {
        Nature(generator)
    }

    /// The number of 32-bit words that it has taken by now.
    pub fn position(&self) -> u128 {
        self.0.get_word_pos()
    }

    /// The same nature after this number of words, of which it wraps around at 2³⁶.
    #[must_use]
    pub fn seek(mut self, position: u128) -> Nature {
        self.0.set_word_pos(position);
        self
    }

    /// A number below `bound`, each equally likely.
    ///
    /// It takes one 32-bit word after another until one lies below the greatest multiple of `bound`
    /// that 2³² holds, and gives the remainder. Library functions for this change between versions;
    /// this one is pinned by test vectors, because logs must replay forever.
    #[inline]
    pub fn below(&mut self, bound: NonZeroU32) -> u32 {
        let words = 1u64 << 32;
        let fair = words - words % u64::from(bound.get());
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < fair {
                return word % bound;
            }
        }
    }

    /// Draws one of the items, each equally likely; `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let count = u32::try_from(items.len()).ok().and_then(NonZeroU32::new)?;
        items.get(self.below(count) as usize)
    }

    /// Takes one card out of the pool, each equally likely; nothing if it is empty.
    #[inline]
    pub fn draw(&mut self, pool: &mut CardSet) -> Option<Card> {
        let count = NonZeroU32::new(pool.len() as u32)?;
        let card = pool.nth(self.below(count) as usize)?;
        pool.remove(card);
        Some(card)
    }

    /// Takes up to `count` cards out of the pool.
    pub fn draw_many(&mut self, pool: &mut CardSet, count: usize) -> CardSet {
        (0..count).map_while(|_| self.draw(pool)).collect()
    }
}

/// A SHA-256 digest (FIPS 180-4), written as 64 lower-case hexadecimal digits.
///
/// ```
/// use rules::Digest;
///
/// let digest = Digest::hash(b"abc").to_string();
/// assert!(digest.starts_with("ba7816bf8f01cfea"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn hash(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Its 32 bytes.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }
}

hex_text!(Digest, "a digest of 64 hexadecimal digits");

/// Two digits for each byte.
fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// Exactly `N` bytes, from twice as many digits of either case.
fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(bytes)
}

/// Gives a newtype over a byte array its text and its JSON form: lower-case hexadecimal digits.
macro_rules! hex_text {
    ($name:ident, $expected:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::seed::to_hex(&self.0))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::text::NotText;

            fn from_str(text: &str) -> Result<Self, $crate::text::NotText> {
                $crate::seed::from_hex(text)
                    .map($name)
                    .ok_or_else(|| $crate::text::NotText::new($expected, text))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use hex_text;
