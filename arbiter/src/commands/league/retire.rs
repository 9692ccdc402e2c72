//! `arbiter league retire`.

use std::io::Write;
use std::path::Path;

use text::printable;

use conditions::bot;
use conditions::failure::Failure;
use contest::league::BotVersion;
use contest::league::folder::LeagueFolder;
use contest::league::line::LeagueLine;
use contest::league::state::{League, Membership};

/// Lets the newest versions of these bots leave.
///
/// # Errors
///
/// As the exit codes say; no one leaves then.
pub fn retire(path: &Path, names: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.append(|league| {
        names.iter().map(|name| newest(league, name).map(LeagueLine::Retire)).collect()
    })?;
    for name in names {
        if let Some(member) = league.newest(name) {
            writeln!(out, "{} has left", member.entry.bot)?;
        }
    }
    let active = league.active().count();
    Ok(writeln!(out, "{} left in the league", text::counted(active, "bot", "bots"))?)
}

/// The newest version of a bot, which plays.
fn newest(league: &League, name: &str) -> Result<BotVersion, Failure> {
    let names = || -> Vec<String> {
        league.active().map(|(_, member)| member.entry.bot.bot.clone()).collect()
    };
    match league.newest(&bot::spelt_as_names(name)) {
        Some(member) if member.membership == Membership::Active => Ok(member.entry.bot.clone()),
        Some(member) => Err(Failure::Usage(format!("{} has already left", member.entry.bot))),
        None => Err(Failure::Usage(format!(
            "no bot `{}` in the league, expected one of: {}",
            printable(name),
            names().join(", ")
        ))),
    }
}
