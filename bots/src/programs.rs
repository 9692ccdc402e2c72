//! The list of programs, and of the games that they play.

use rules::GameKind;

use crate::player::{Answers, BadOption, Players, playing};
use crate::program::Program;
use crate::tablic;

/// Plays at random.
pub const RANDOM: Program = Program { name: "random", about: "plays at random", options: "none" };

/// Takes what is worth most now.
pub const GREEDY: Program = Program {
    name: "greedy",
    about: "takes what is worth most now and never looks ahead",
    options: "none",
};

/// Every program.
pub const ALL: [&Program; 2] = [&RANDOM, &GREEDY];

/// A new player of a game, behind text.
///
/// # Errors
///
/// [`BadOption`], where there is no player of that name or an option is not as it must be.
pub fn player(
    kind: GameKind,
    name: &str,
    options: &[String],
) -> Result<Box<dyn Answers>, BadOption> {
    match kind {
        GameKind::Tablic => tablic::Tablic::player(name, options).map(playing::<tablic::Tablic>),
    }
}
