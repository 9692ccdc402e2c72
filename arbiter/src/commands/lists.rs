//! `arbiter games` and `arbiter bots`: what is built in.

use std::io::Write;

use bots::programs;
use rules::GameKind;

use crate::failure::Failure;

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
    for bot in programs::ALL {
        let plays = |kind: &GameKind| programs::player(*kind, bot.name, &[]).is_ok();
        let games = GameKind::ALL.into_iter().filter(plays).map(GameKind::name);
        let games: Vec<&str> = games.collect();
        writeln!(out, "{:8} {}", bot.name, bot.about)?;
        // Options that take lines of their own begin with a line end.
        let blank = if bot.options.starts_with('\n') { "" } else { " " };
        writeln!(out, "{:8} games: {}", "", games.join(", "))?;
        writeln!(out, "{:8} options:{blank}{}", "", bot.options)?;
    }
    Ok(())
}
