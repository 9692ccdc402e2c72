//! `arbiter match`: plays a match.

use std::fs;
use std::io::Write;
use std::mem;
use std::path::{Path, PathBuf};

use ::text::printable;

use crate::commands::log_target::LogTarget;
use crate::output::matches::{InterruptionNote, JsonWatcher, ProgressWatcher, SeedOnly};
use ::text::terminal::say;
use bot::sandboxed::SandboxedBots;
use bot::sighted;
use bot::{BotSpec, Contender};
use contest::playing::fault::{Help, KeptLog};
use contest::playing::match_text::TextWatcher;
use contest::playing::matches::{Match, stopped_after};
use contest::playing::series_runner::SeriesEnd;
use contest::playing::watcher::Keeping;
use contest::playing::watcher::Watcher;
use contest::setup::{self, AskedGame, AskedSeed};
use games::GameFiles;
use record::LastLog;
use rules::GameKind;
use sandbox::Supervisor;
use series::Conditions;
use text::failure::Failure;

/// The options of `arbiter match`.
#[derive(Debug)]
pub(crate) struct MatchRequest {
    /// The game, with as many seats as there are bots.
    pub game: AskedGame,
    pub games: u64,
    pub seed: AskedSeed,
    pub conditions: Conditions,
    pub log: Option<LogTarget>,
    pub shown: MatchOutput,
    /// The bots, in the order of turns of the first game.
    pub bots: Vec<BotSpec>,
}

/// The output of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchOutput {
    /// Every move, as it is played.
    Everything,
    /// The progress, and the totals.
    Totals,
    /// Lines for programs.
    Json,
    Nothing,
}

/// Plays a match and shows it on `out`. Nothing is written before every bot was found and started.
pub(crate) fn run(request: MatchRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let path = request.log.as_ref().map(|log| log.path.clone());
    let last = LastLog::of_user();
    let secret = last.as_ref().map(|last| last.folder().to_owned());
    let kept: Vec<PathBuf> =
        path.iter().cloned().chain(request.seed.file()).chain(secret).collect();
    let options = request.game.options_for(request.bots.len())?;
    let bots = setup::opened(&request.bots, &request.game.kind, &options)?;
    let plan = Match {
        options,
        kind: request.game.kind,
        games: request.games,
        seed: request.seed.committed()?,
        contenders: contenders(&bots, &request.conditions, &kept)?,
        supervisor: supervisor(&request.conditions)?,
        conditions: request.conditions,
    };
    let guard = setup::guard()?;
    let sandboxed = SandboxedBots::new(&plan.contenders, plan.supervisor);
    setup::warn_of_exposed(&sandboxed);
    let mut ready = plan.ready()?;
    let stop = super::stop_on_signals(|| {})?;
    let log = request.log.as_ref().map(LogTarget::create).transpose()?;
    let last = last.filter(|last| last.prepare().is_ok() && keep_game(last, &plan.kind));
    if (log.is_some() || last.is_some()) && sandboxed.mask_any() {
        ready.renew().iter().for_each(say);
    }
    if request.seed.can_be_guessed() && request.shown != MatchOutput::Nothing {
        setup::tell_of_short_seed();
    }
    let log_kept = match (&path, &last) {
        (Some(log), _) => KeptLog::Named(log.clone()),
        (None, Some(_)) => KeptLog::Last,
        (None, None) => KeptLog::Nowhere,
    };
    let help = Help { log: log_kept, sandboxed: sandboxed.clone() };
    let watcher: Box<dyn Watcher + '_> = match request.shown {
        MatchOutput::Everything => Box::new(TextWatcher::new(out, help)),
        MatchOutput::Totals => Box::new(ProgressWatcher::new(out, help)),
        MatchOutput::Json => Box::new(JsonWatcher::new(out, sandboxed.clone())),
        MatchOutput::Nothing => Box::new(SeedOnly),
    };
    let mut farewell = InterruptionNote::new(watcher, sandboxed);
    let mut keeping = Keeping::new(&mut farewell, last);
    let ended = ready.play(log, stop.set(), &mut keeping);
    let is_kept = keeping.keep();
    match ended? {
        SeriesEnd::Over => Ok(()),
        SeriesEnd::Stopped { played } => {
            // A bot may still be thinking. A guard that is not dropped takes this process for killed, and
            // ends the processes it has left.
            mem::forget(guard);
            let kept = match path {
                Some(log) => kept_in(&log, played),
                None if is_kept => "`arbiter show` shows the games so far".to_owned(),
                None => "the games so far are lost without --log".to_owned(),
            };
            let problem = format!("{}, {kept}", stopped_after(played, plan.games));
            Err(Failure::Interrupted { problem, code: stop.exit_code() })
        }
    }
}

/// Keeps a copy of a game of one's own beside the log of the last match, and of no other game.
fn keep_game(last: &LastLog, kind: &GameKind) -> bool {
    // There may be none.
    let _ = fs::remove_dir_all(last.folder().join(games::COPY));
    GameFiles::of(kind).is_none_or(|game| game.write_copy(last.folder()).is_ok())
}

/// A note about the log of a series that was stopped after this number of games.
pub(super) fn kept_in(log: &Path, played: u64) -> String {
    let log = printable(&log.display().to_string());
    match played {
        0 => format!("`{log}` has no rated game"),
        _ => format!("the games so far are in `{log}`"),
    }
}

/// The supervisor for these conditions.
pub(super) fn supervisor(conditions: &Conditions) -> Result<Supervisor, Failure> {
    let supervisor = setup::supervisor(conditions.isolation.isolation)?;
    Ok(supervisor.pondering(conditions.treatment.ponder))
}

/// The bots, ready to start. No bot can see the paths in `kept`.
pub(super) fn contenders(
    bots: &[BotSpec],
    conditions: &Conditions,
    kept: &[PathBuf],
) -> Result<Vec<Contender>, Failure> {
    let Conditions { limits, isolation, .. } = conditions;
    let search = setup::search_path()?;
    let names = bot::names(bots)?;
    limits.check_names(&names)?;
    setup::must_be_granted(&names, bots, isolation)?;
    let contenders: Result<Vec<Contender>, Failure> = bots
        .iter()
        .zip(&names)
        .map(|(bot, name)| {
            super::remark_on(bot, name, &search);
            Contender::prepare(
                bot,
                name,
                limits.for_bot(name, bot),
                &search,
                &isolation.outside_access(name),
            )
            .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))
        })
        .collect();
    Ok(sighted(contenders?, &isolation.grants, kept))
}
