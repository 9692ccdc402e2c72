//! The players that a ladder compares.

use std::fmt;
use std::str::FromStr;

use bots::options::BadOption;
use bots::program::Program;
use bots::programs;
use bots::{AnyPlayer, Players};
use rules::GameKind;
use simulation::BuiltInPlayer;

/// A built-in player with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contender(String);

/// The players of a game that a ladder has where no others are named: all that simulations know, in
/// the settings that are worth comparing, with budgets that are counted.
pub fn usual(kind: &GameKind) -> Vec<Contender> {
    let contenders = programs::playing(kind).flat_map(|program| {
        settings(kind, program).iter().map(|options| match *options {
            "" => Contender(program.name.to_owned()),
            options => Contender(format!("{} {options}", program.name)),
        })
    });
    contenders.collect()
}

/// The settings of a player that are worth comparing; only its usual one, where none are listed.
fn settings(kind: &GameKind, program: &Program) -> &'static [&'static str] {
    match (kind.name(), program.name) {
        ("tablic", "minimax") => {
            &["--depth 1 --time none", "--depth 2 --time none", "--depth 3 --time none"]
        }
        ("tablic", "expert") => &["--worlds 400 --time none", "--worlds 2000 --time none"],
        ("coup", "minimax") => &["--depth 1 --time none", "--depth 2 --time none"],
        ("coup", "expert") => &["--time none", "--trust 85", "--safe"],
        ("durak", "minimax") => {
            &["--depth 1 --time none", "--depth 4 --time none", "--depth 16 --time none"]
        }
        ("durak", "expert") => &["--worlds 1600 --positions 1000000 --time none"],
        _ => &[""],
    }
}

impl Contender {
    /// It as a simulation is asked for it.
    pub fn built_in(&self) -> BuiltInPlayer {
        let mut words = self.0.split_ascii_whitespace().map(str::to_owned);
        let program = words.next().unwrap_or_default();
        BuiltInPlayer { name: self.0.clone(), program, options: words.collect() }
    }

    /// The player of a game.
    ///
    /// # Errors
    ///
    /// Fails if the game has no such player.
    pub fn player<G: Players>(&self) -> Result<AnyPlayer<G>, BadOption> {
        let BuiltInPlayer { program, options, .. } = self.built_in();
        G::player(&program, &options).map_err(|bad| BadOption::Wrong(format!("`{self}`: {bad}")))
    }

    /// Checks that it can play a game.
    pub fn check(&self, kind: &GameKind) -> Result<(), BadOption> {
        let BuiltInPlayer { program, options, .. } = self.built_in();
        let player = programs::player(kind, &program, &options);
        player.map(|_| ()).map_err(|bad| BadOption::Wrong(format!("`{self}`: {bad}")))
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Contender {
    type Err = BadOption;

    /// Reads a name with options, as in `minimax --depth 3`; [`Contender::check`] says whether there
    /// is such a player.
    fn from_str(text: &str) -> Result<Contender, BadOption> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words.is_empty() {
            true => Err(BadOption::Wrong("expected a player, found an empty word".to_owned())),
            false => Ok(Contender(words.join(" "))),
        }
    }
}
