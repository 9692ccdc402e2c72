//! The list of programs, and of the players that each has for each game.

use rules::GameKind;

use crate::player::playing;
use crate::program::Program;
use crate::tablic;

/// Plays at random.
pub const RANDOM: Program = Program {
    name: "random",
    about: "plays at random",
    player: |kind| match kind {
        GameKind::Tablic => playing(tablic::Random),
    },
};

/// Takes what is worth most now.
pub const GREEDY: Program = Program {
    name: "greedy",
    about: "takes what is worth most now and never looks ahead",
    player: |kind| match kind {
        GameKind::Tablic => playing(tablic::Greedy),
    },
};

/// Every program.
pub const ALL: [&Program; 2] = [&RANDOM, &GREEDY];
