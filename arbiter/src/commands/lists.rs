//! `arbiter games` and `arbiter bots`: what is built in.

use std::io::Write;

use rules::GameKind;

use crate::failure::Failure;

/// A bot that comes with the referee, as a program of its own beside it.
struct BuiltIn {
    name: &'static str,
    about: &'static str,
    options: &'static str,
}

const BUILT_IN: [BuiltIn; 2] = [
    BuiltIn {
        name: "random",
        about: "a random card of the hand, and a random legal move with it",
        options: "none",
    },
    BuiltIn {
        name: "greedy",
        about: "takes the most points at once, then the most cards",
        options: "none",
    },
];

/// Lists the games with their options.
///
/// # Errors
///
/// Fails where `out` does.
pub fn games(out: &mut dyn Write) -> Result<(), Failure> {
    for kind in GameKind::ALL {
        let about = kind.about();
        writeln!(out, "{:8} {}\n{:8} options: {}", about.name, about.about, "", about.options)?;
    }
    Ok(())
}

/// Lists the bots with their options.
///
/// # Errors
///
/// Fails where `out` does.
pub fn bots(out: &mut dyn Write) -> Result<(), Failure> {
    let games: Vec<&str> = GameKind::ALL.into_iter().map(GameKind::name).collect();
    for bot in &BUILT_IN {
        writeln!(out, "{:8} {}", bot.name, bot.about)?;
        writeln!(out, "{:8} games: {}; options: {}", "", games.join(", "), bot.options)?;
    }
    Ok(())
}
