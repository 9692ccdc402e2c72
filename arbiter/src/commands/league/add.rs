//! `arbiter league add`.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use conditions::bot::{self, BotSpec, is_name};
use conditions::failure::Failure;
use contest::entry::newcomer::{self, NotEntered};
use contest::league::folder::{BadLeague, LeagueFolder};
use contest::setup;
use contest::stop::Stop;
use contest::tournament::folder::Lock;
use sandbox::Wanted;
use text::terminal::say;

/// How long other bots are waited for that are being entered: they are built and checked meanwhile.
const PATIENCE: Duration = Duration::from_secs(30 * 60);
/// How long it is until a signal is noticed that comes meanwhile.
const ATTENTION: Duration = Duration::from_secs(1);

/// Bots that are to enter.
#[derive(Debug)]
pub struct AddRequest {
    /// The folder of the league.
    pub folder: PathBuf,
    /// The bots.
    pub bots: Vec<BotSpec>,
}

/// Enters bots into a league, one after the other: each is copied, built and checked first.
///
/// # Errors
///
/// As the exit codes say, for the first bot that does not enter. Those before it have entered.
pub fn add(request: AddRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    let bots = setup::opened(&request.bots, folder.read()?.kind())?;
    let names = bot::names(&bots).map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(name) = names.iter().find(|name| !is_name(name)) {
        let problem = format!("two bots are called `{}`, expected different names", plain(name));
        return Err(Failure::Usage(problem));
    }
    let _guard = setup::guard()?;
    let _entering = hold_entries(&folder)?;
    for (name, bot) in names.iter().zip(bots) {
        let entered =
            newcomer::enter(&folder, name, bot, Wanted::ALWAYS).map_err(NotEntered::failure)?;
        writeln!(out, "{entered}")?;
    }
    Ok(())
}

/// Waits for other bots that are being entered, unless the program is asked to stop.
fn hold_entries(folder: &LeagueFolder) -> Result<Lock, Failure> {
    let begun = Instant::now();
    let mut is_told = false;
    loop {
        match folder.hold_entries(ATTENTION) {
            Err(BadLeague::Entering(_))
                if begun.elapsed() < PATIENCE && Stop::asked().is_none() =>
            {
                if !is_told {
                    say(
                        "note: other bots are being built and checked; waiting for up to 30 minutes",
                    );
                    is_told = true;
                }
            }
            held => return Ok(held?),
        }
    }
}

/// A name without the number that tells it from others like it.
fn plain(name: &str) -> &str {
    name.split_once('#').map_or(name, |(name, _)| name)
}
