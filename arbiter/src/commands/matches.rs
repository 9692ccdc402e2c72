//! `arbiter match`: plays a match.

use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use rules::text::{printable, system_error};

use crate::bot::grants::{AskedIsolation, sighted};
use crate::bot::insider::Insiders;
use crate::bot::limits::AskedLimits;
use crate::bot::{self, BotSpec, Contender};
use crate::commands::setup::{self, AskedGame, AskedSeed};
use crate::commands::stop::Stop;
use crate::failure::Failure;
use crate::log::LogWriter;
use crate::output::json::JsonWatcher;
use crate::output::progress::ProgressWatcher;
use crate::output::text::TextWatcher;
use crate::playing::driver::Ended;
use crate::playing::matches::{Match, stopped_after};
use crate::playing::watcher::{Unwatched, Watcher};
use crate::process::Ponder;
use crate::series::SeriesState;
use crate::series::SuspectGames;
use crate::text::notice::say;

/// A match as it is asked for.
#[derive(Debug)]
pub struct MatchRequest {
    /// The game, with as many seats as there are bots.
    pub game: AskedGame,
    /// How many games.
    pub games: u64,
    /// The seed; by default drawn by the operating system.
    pub seed: AskedSeed,
    /// Words that are mixed into it.
    pub entropy: Vec<String>,
    /// How many more chances a seat has after an answer that is illegal or malformed.
    pub retries: u32,
    /// What becomes of games that an overloaded machine may have decided.
    pub suspect_games: SuspectGames,
    /// What an answer may take.
    pub limits: AskedLimits,
    /// How far the bots are kept apart.
    pub isolation: AskedIsolation,
    /// Whether bots that live for a whole game may think while others have their turns.
    pub ponder: Ponder,
    /// Where the log goes, if anywhere.
    pub log: Option<PathBuf>,
    /// What is shown.
    pub shown: Shown,
    /// The bots, in the order of turns of the first game.
    pub bots: Vec<BotSpec>,
}

/// What is shown of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Every move, as it is played.
    Everything,
    /// How far it is, and the totals.
    Totals,
    /// Lines for programs.
    Json,
    /// Nothing at all.
    Nothing,
}

/// Plays a match and shows it on `out`.
///
/// # Errors
///
/// As the exit codes say. Nothing is written before every bot has been found and started.
pub fn run(request: MatchRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let kept: Vec<PathBuf> = request.log.iter().cloned().chain(request.seed.file()).collect();
    let bots = setup::opened(&request.bots, request.game.kind)?;
    let plan = Match {
        kind: request.game.kind,
        options: request.game.options_for(request.bots.len())?,
        games: request.games,
        seed: request.seed.committed()?,
        entropy: request.entropy,
        contenders: contenders(&bots, &request.limits, &request.isolation, &kept)?,
        retries: request.retries,
        suspect_games: request.suspect_games,
        supervisor: setup::supervisor(request.isolation.isolation)?.pondering(request.ponder),
    };
    let guard = setup::guard()?;
    let insiders = Insiders::new(&plan.contenders, plan.supervisor);
    setup::warn_of_exposed(&insiders);
    let mut ready = plan.ready()?;
    let stop = Stop::on_signals(|| {}).map_err(|error| {
        Failure::Ours(format!("cannot wait for signals: {}", system_error(error)))
    })?;
    let log = request.log.as_deref().map(create_log).transpose()?;
    if log.is_some() && insiders.mask_any() {
        ready.renew().iter().for_each(say);
    }
    let path = request.log;
    if request.seed.can_be_guessed() && request.shown != Shown::Nothing {
        setup::tell_of_short_seed();
    }
    let mut watcher: Box<dyn Watcher<SeriesState> + '_> = match request.shown {
        Shown::Everything => Box::new(TextWatcher::new(out, path.clone())),
        Shown::Totals => Box::new(ProgressWatcher::new(out, path.clone())),
        Shown::Json => Box::new(JsonWatcher::new(out)),
        Shown::Nothing => Box::new(Unwatched),
    };
    match ready.play(insiders, log, stop.set(), watcher.as_mut())? {
        Ended::Over => Ok(()),
        Ended::Stopped { played } => {
            // A bot may still be thinking. A guard without a farewell takes it that this process was
            // killed, and ends what it has left behind.
            mem::forget(guard);
            let kept = match path {
                Some(log) => kept_in(&log, played),
                None => "nothing is kept without --log".to_owned(),
            };
            let problem = format!("{}, {kept}", stopped_after(played, plan.games));
            Err(Failure::Interrupted { problem, code: stop.exit_code() })
        }
    }
}

/// What a log keeps of a series that was stopped after this number of games.
pub(super) fn kept_in(log: &Path, played: u64) -> String {
    let log = printable(&log.display().to_string());
    match played {
        0 => format!("no game that counts is in `{log}`"),
        _ => format!("`{log}` keeps what was played"),
    }
}

/// The bots, found and ready to be started; none sees what is kept from all.
pub(super) fn contenders(
    bots: &[BotSpec],
    limits: &AskedLimits,
    isolation: &AskedIsolation,
    kept: &[PathBuf],
) -> Result<Vec<Contender>, Failure> {
    let search = setup::search_path()?;
    let names = bot::names(bots).map_err(|error| Failure::Usage(error.to_string()))?;
    limits.check_names(&names)?;
    setup::must_be_granted(&names, bots, isolation)?;
    let contenders: Result<Vec<Contender>, Failure> = bots
        .iter()
        .zip(&names)
        .map(|(bot, name)| {
            setup::warn_of_newer_source(bot, name);
            setup::tell_of_unused_venv(bot, name);
            Contender::prepare(bot, name, limits.for_bot(name), &search)
                .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))
        })
        .collect();
    Ok(sighted(contenders?, &isolation.grants, kept))
}

/// A new log at this path.
pub(super) fn create_log(path: &Path) -> Result<LogWriter, Failure> {
    LogWriter::create(path).map_err(|error| {
        let shown = path.display();
        match error.kind() {
            io::ErrorKind::AlreadyExists => {
                Failure::Usage(format!("log `{shown}` exists, expected the name of a new file"))
            }
            _ => {
                Failure::Usage(format!("log `{shown}` cannot be created: {}", system_error(error)))
            }
        }
    })
}
