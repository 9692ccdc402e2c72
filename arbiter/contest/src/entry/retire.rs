//! Bots that leave a league.

use conditions::bot::spelt_as_names;
use conditions::failure::Failure;
use text::printable;

use crate::league::BotVersion;
use crate::league::folder::LeagueFolder;
use crate::league::line::LeagueLine;
use crate::league::state::{League, Membership};

/// Lets the newest versions of these bots leave, and returns the league after that: all of them, or none if it fails.
///
/// # Errors
///
/// [`Failure::Usage`] if one of them does not play.
pub fn retire(folder: &LeagueFolder, names: &[String]) -> Result<League, Failure> {
    folder.append(|league| {
        names.iter().map(|name| newest(league, name).map(LeagueLine::Retire)).collect()
    })
}

/// The newest version of a bot; fails if it does not play.
fn newest(league: &League, name: &str) -> Result<BotVersion, Failure> {
    let names = || -> Vec<String> {
        league.active().map(|(_, member)| member.entry.bot.bot.clone()).collect()
    };
    match league.newest(&spelt_as_names(name)) {
        Some(member) if member.membership == Membership::Active => Ok(member.entry.bot.clone()),
        Some(member) => Err(Failure::Usage(format!("{} has already left", member.entry.bot))),
        None => Err(Failure::Usage(format!(
            "no bot `{}` in the league, expected one of: {}",
            printable(name),
            names().join(", ")
        ))),
    }
}
