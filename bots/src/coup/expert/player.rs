//! The player itself: it decides how far to trust the table, asks it or a response, and draws.

use std::num::NonZeroU32;

use rules::coup::{Coup, Move};
use rules::{Nature, Request};

use crate::coup::expert::packed::{Chances, Packed};
use crate::coup::expert::punishment::Punishment;
use crate::coup::expert::situation::{Choice, Situation};
use crate::coup::expert::speech::answer;
use crate::coup::expert::suspicion::Suspicion;
use crate::coup::greedy::Greedy;
use crate::options::{BadOption, given};
use crate::player::{NoMove, Player};
use crate::settings::TimeLimit;

/// Plays as often as a table says, by the randomness of its requests, or as it does well against
/// the style that the other seat seems to play in.
#[derive(Debug, Clone)]
pub struct Expert<'a> {
    table: Packed<'a>,
    punishment: Option<Punishment<'a>>,
}

impl<'a> Expert<'a> {
    /// The player of this table, who never departs from it.
    pub fn safe(table: Packed<'a>) -> Expert<'a> {
        Expert { table, punishment: None }
    }

    /// The player of this table, who punishes where it can.
    pub fn punishing(table: Packed<'a>, punishment: Punishment<'a>) -> Expert<'a> {
        Expert { table, punishment: Some(punishment) }
    }

    /// The answer to the style that the other seat most likely plays in; `None` if it plays like
    /// the table.
    fn response(&self, request: &Request<Coup>) -> Option<Packed<'a>> {
        let punishment = self.punishment.as_ref()?;
        let manners = punishment.manners(self.table);
        let suspect = Suspicion::new(request.heading.seat, manners)?.learn(request)?;
        punishment.response(suspect)
    }
}

/// A choice by its chances.
fn draw(
    chances: Chances,
    situation: &Situation,
    hand: usize,
    nature: &mut Nature,
) -> Option<Choice> {
    let options = situation.choices().get(..situation.options(hand))?;
    let total: u32 = chances.iter().map(|chance| u32::from(*chance)).sum();
    let mut place = nature.below(NonZeroU32::new(total)?);
    for (choice, chance) in options.iter().zip(chances) {
        match place.checked_sub(u32::from(chance)) {
            Some(rest) => place = rest,
            None => return Some(*choice),
        }
    }
    None
}

impl Player<Coup> for Expert<'_> {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        let response = self.response(request);
        let found = answer(request, |situation, hand| {
            let chances = match response {
                Some(response) => response.chances(&situation.rough(), hand),
                None => self.table.chances(situation, hand),
            };
            draw(chances, situation, hand, &mut nature)
        });
        found.map_or_else(|| Greedy.choose(request), Ok)
    }
}

/// The table, made by these programs of the package `research`, the first of which takes about two
/// hours of one core:
///
/// ```text
/// coup-train --folder F --seed 17 --batches 82130
/// coup-pack --from F/checkpoint --to table.bin --visits 30
/// ```
static TABLE: &[u8] = include_bytes!("learned/table.bin");

/// Responses that do well against five other players, made in about ten minutes:
///
/// ```text
/// coup-punish --table table.bin --to punishment.bin --style '200 greedy' --style '200 calculator'
///     --style '250 minimax --depth 1' --style '80 challenger' --style '120 random'
///     --habit-games 20000 --games 600000 --bytes 200000
/// ```
static PUNISHMENT: &[u8] = include_bytes!("learned/punishment.bin");

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Chance, before the other seat has done anything, that it plays in a known style, in per
    /// cent, at most 100. With 0 the player never departs from the table; above about 78 it departs
    /// from it with its first move, until the other seat's moves speak against that.
    pub trust: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { trust: 85 }
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --trust N        Coup: prior belief in percent that the opponent plays a known style [default: 85];
                   higher exploits weak play sooner, but is itself more exploitable
  --safe           Coup: same as --trust 0: play the equilibrium strategy only";

    /// Reads the words of a command line.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let mut settings = Settings::default();
        // It is the only option that has no value.
        let (safe, others): (Vec<_>, Vec<_>) =
            words.iter().cloned().partition(|word| word == "--safe");
        for given in given(&others) {
            match given.name {
                "--trust" => {
                    let trust = given.value.parse().ok().filter(|trust| *trust <= 100);
                    settings.trust = trust.ok_or_else(|| given.wrong("a number from 0 to 100"))?;
                }
                // It looks things up, which takes hardly more time than to start it.
                "--time" => drop(TimeLimit::given(given)?),
                _ => return Err(given.unknown()),
            }
        }
        if !safe.is_empty() {
            settings.trust = 0;
        }
        Ok(settings)
    }

    /// The table that the player has, by which it plays with `--safe`; `None` if it is damaged.
    pub fn table() -> Option<Packed<'static>> {
        Packed::new(TABLE)
    }

    /// The player of these settings; `None` if what belongs to it is damaged.
    pub fn player(self) -> Option<Expert<'static>> {
        let table = Settings::table()?;
        Some(match self.trust {
            0 => Expert::safe(table),
            trust => {
                let trust = f64::from(trust) / 100.0;
                Expert::punishing(table, Punishment::new(PUNISHMENT)?.trusted(trust))
            }
        })
    }
}
