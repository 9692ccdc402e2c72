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
        writeln!(out, "{:10} {}", bot.name, bot.about)?;
        writeln!(out, "{:10} games: {}", "", bot.games())?;
        writeln!(out, "{:10} options:{}", "", bot.options_text())?;
    }
    for yardstick in programs::YARDSTICKS {
        writeln!(out, "{:10} {}", yardstick.name, yardstick.about)?;
        writeln!(out, "{:10} games: {}, in simulate only", "", yardstick.games())?;
    }
    Ok(())
}
