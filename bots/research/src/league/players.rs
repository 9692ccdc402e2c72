//! Players whose strengths differ by how often they move at random.

use std::fmt;
use std::str::FromStr;

use bots::options::BadOption;
use bots::player::{AnyPlayer, NoMove, Player, Players, RequestPart};
use bots::programs::typed_player;
use rules::{Digest, Request};

use crate::ladder::players::Contender;

/// A built-in player that makes a share of its moves at random.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mixture {
    player: Contender,
    /// The share of random moves, in per cent.
    random: u8,
}

/// Ten players of Tablić, whose strengths differ by different amounts.
pub const TEN: [&str; 10] = [
    "minimax --depth 1 --time none",
    "minimax --depth 1 --time none with 10% random",
    "minimax --depth 1 --time none with 25% random",
    "greedy",
    "greedy with 15% random",
    "greedy with 25% random",
    "greedy with 40% random",
    "greedy with 55% random",
    "greedy with 75% random",
    "random",
];

impl Mixture {
    /// A new one for a game.
    pub fn player<G: Players>(&self) -> Result<AnyPlayer<G>, BadOption> {
        let built_in = self.player.built_in();
        Ok(Box::new(Mixed {
            player: typed_player(&built_in.program, &built_in.options)?,
            random: typed_player("random", &[])?,
            share: self.random,
        }))
    }
}

impl fmt::Display for Mixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.random {
            0 => write!(f, "{}", self.player),
            random => write!(f, "{} with {random}% random", self.player),
        }
    }
}

impl FromStr for Mixture {
    type Err = BadOption;

    /// Reads a player with options, and how often it moves at random, as in `greedy with 15% random`.
    fn from_str(text: &str) -> Result<Mixture, BadOption> {
        let (player, random) = match text.split_once(" with ") {
            None => (text, 0),
            Some((player, share)) => {
                let share = share.strip_suffix("% random").and_then(|share| share.parse().ok());
                let share = share.filter(|share| *share <= 100).ok_or_else(|| {
                    BadOption::Wrong(format!("expected `P% random` after `with`, found `{text}`"))
                })?;
                (player, share)
            }
        };
        Ok(Mixture { player: player.parse()?, random })
    }
}

struct Mixed<G: Players> {
    player: AnyPlayer<G>,
    random: AnyPlayer<G>,
    share: u8,
}

impl<G: Players> Player<G> for Mixed<G> {
    fn choose(&mut self, request: &Request<G>) -> Result<G::Move, NoMove> {
        // Both players draw from the seed itself, so this draws from another one.
        let [high, low, ..] = Digest::hash(&request.heading.seed.0).bytes();
        match u16::from_be_bytes([high, low]) % 100 < u16::from(self.share) {
            true => self.random.choose(request),
            false => self.player.choose(request),
        }
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::History, RequestPart::LegalMoves]
    }
}
