//! `arbiter match`: plays a match.

use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::{Path, PathBuf};

use ::text::printable;
use ::text::terminal::say;
use bot::manifest::ProgramMode;
use bot::sandboxed::SandboxedBots;
use bot::{BotSpec, Contender, sighted};
use clap::Args;
use contest::playing::match_text::{FaultContext, LogLocation, TextWatcher};
use contest::playing::matches::{Match, stopped_after};
use contest::playing::series_runner::{LastLogWatcher, SeriesEnd, Watcher};
use contest::setup;
use record::LastLog;
use sandbox::Supervisor;
use series::header::SeedText;
use series::{BotTreatment, Conditions};
use text::failure::Failure;

use crate::options::game::GameSetupArgs;
use crate::options::isolation::{IsolationArgs, LimitArgs};
use crate::options::logs::LogTarget;
use crate::options::remote::{RemoteArgs, RemoteBots};
use crate::options::{asked_seed, bots, number};
use crate::output::matches::{
    JsonMatchWatcher, ProgressWatcher, SeedWatcher, SlowMoveAdvice, StderrFallbackWatcher,
};

const HELP: &str = "BOT is [NAME=]COMMAND, quoted as one argument: a built-in bot, a program with \
its arguments, or a folder with a bot.toml. NAME defaults to the script or program: mybot for \
`python3 -u bots/mybot.py`. Each bot runs in its own scratch folder; file arguments are resolved \
for it.

`remote:NAME` is a bot on another machine, whose program asks for its requests \
(see --listen).

Prefix a command with `resident:` to start it once per game instead of once per move. Prefix a \
Coup bot in the classic dialect with `dialect=classic` (or `dialect=classic lenient=on`), unless \
its bot.toml does.

Examples:
  arbiter match --game tablic random greedy
  arbiter match --game tablic --games 20 --log match.jsonl \"py=python3 my_bot.py\" greedy
  arbiter match --game tablic --seats 3 a=random b=random c=./my-bot
  arbiter match --game tablic --games 20 ./my-bot-folder greedy
  arbiter match --game durak --options \"deck=24 transfer=on\" random greedy
  arbiter match --game coup \"dialect=classic py=python3 my_bot.py\" greedy
  arbiter match --game tablic --games 100 \"py=resident:python3 my_bot.py\" resident:greedy
  arbiter match --game tablic remote:anna greedy
  arbiter match --game tablic --time-limit 1s --time-limit java=3s java=./my-bot greedy";

/// `arbiter match`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    game: GameSetupArgs,
    /// Number of games; seats rotate after each game
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: u64,
    /// Seed: 64 hex digits, or a number for practice only (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<SeedText>,
    /// Read the seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix a participant's entropy into the seed, after publishing its commitment; repeatable
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    treatment: BotTreatment,
    /// Write a log to a new file; `show`, `explain` and others can read the last match without it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Overwrite an existing log
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print every move [default: for a single game, on a terminal]
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    watch: bool,
    /// Suppress output
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print JSON lines: one per game, one for the match
    #[arg(long)]
    json: bool,
    /// Bots, in turn order of the first game
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    remote: RemoteArgs,
}

impl MatchArgs {
    /// Plays a match and shows it on `out`. Nothing is written before every bot was found and started.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let shown = self.output();
        let (bots, seed) = (bots(&self.bots)?, asked_seed(self.seed, self.seed_file));
        let game = self.game.into_spec()?;
        let conditions = Conditions {
            entropy: self.entropy,
            treatment: self.treatment,
            isolation: self.isolation.into_spec()?,
            limits: self.limits.into_specs(),
            ..Conditions::default()
        };
        let path = self.log.clone();
        let log = self.log.map(|path| LogTarget { path, overwrite: self.overwrite });
        let last = LastLog::of_user();
        let secret = last.as_ref().map(|last| last.folder().to_owned());
        let kept: Vec<PathBuf> = path.iter().cloned().chain(seed.file()).chain(secret).collect();
        let options = game.options_for(bots.len())?;
        let bots = setup::opened(&bots, &game.kind, &options)?;
        let remote = self.remote.match_server(&bots, &conditions.limits, &game.kind)?;
        let plan = Match {
            options,
            kind: game.kind,
            games: self.games,
            seed: seed.committed()?,
            contenders: contenders(&bots, &conditions, &kept, remote.as_ref())?,
            supervisor: supervisor(&conditions)?,
            conditions,
        };
        let guard = setup::guard()?;
        let sandboxed = SandboxedBots::new(&plan.contenders, plan.supervisor);
        setup::warn_of_exposed(&sandboxed);
        let mut ready = plan.ready()?;
        let stop = super::stop_on_signals(|| {})?;
        if let Some(remote) = &remote {
            remote.gather(stop.set());
        }
        let log = log.as_ref().map(LogTarget::create).transpose()?;
        let last = last.filter(|last| last.prepare().is_ok());
        if (log.is_some() || last.is_some()) && sandboxed.mask_any() {
            ready.renew().iter().for_each(say);
        }
        if seed.can_be_guessed() && shown != MatchOutput::Nothing {
            setup::tell_of_short_seed();
        }
        let log_kept = match (&path, &last) {
            (Some(log), _) => LogLocation::Named(log.clone()),
            (None, Some(_)) => LogLocation::Last,
            (None, None) => LogLocation::Nowhere,
        };
        let help = FaultContext { log: log_kept, sandboxed: sandboxed.clone() };
        let watcher: Box<dyn Watcher + '_> = match shown {
            MatchOutput::Everything => Box::new(TextWatcher::new(out, help)),
            MatchOutput::Totals => {
                let costs = SlowMoveAdvice::new(&plan.contenders, plan.supervisor);
                Box::new(ProgressWatcher::new(out, help, costs))
            }
            MatchOutput::Json => Box::new(JsonMatchWatcher::new(out, sandboxed.clone())),
            MatchOutput::Nothing => Box::new(SeedWatcher),
        };
        let mut farewell = StderrFallbackWatcher::new(watcher, sandboxed);
        let mut keeping = LastLogWatcher::new(&mut farewell, last, &plan.kind);
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

    fn output(&self) -> MatchOutput {
        if self.json {
            MatchOutput::Json
        } else if self.quiet {
            MatchOutput::Nothing
        } else if self.watch || (self.games == 1 && io::stdout().is_terminal()) {
            MatchOutput::Everything
        } else {
            MatchOutput::Totals
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MatchOutput {
    /// Every move, as it is played.
    Everything,
    /// The progress, and the totals.
    Totals,
    /// Lines for programs.
    Json,
    Nothing,
}

/// A note about the log of a series that was stopped after this number of games.
pub(super) fn kept_in(log: &Path, played: u64) -> String {
    let log = printable(&log.display().to_string());
    match played {
        0 => format!("`{log}` has no rated game"),
        _ => format!("the games so far are in `{log}`"),
    }
}

pub(super) fn supervisor(conditions: &Conditions) -> Result<Supervisor, Failure> {
    let supervisor = setup::supervisor(conditions.isolation.isolation)?;
    Ok(supervisor.pondering(conditions.treatment.ponder))
}

/// The bots, ready to start. No bot can see the paths in `kept`.
pub(super) fn contenders(
    bots: &[BotSpec],
    conditions: &Conditions,
    kept: &[PathBuf],
    remote: Option<&RemoteBots>,
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
            if let Some(remote) = remote.filter(|_| bot.mode() == ProgramMode::Remote) {
                return Ok(Contender::remote(name, limits.for_bot(name, bot), remote.access()));
            }
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
    let secret = remote.map(|remote| remote.access().folder().to_path_buf());
    let kept: Vec<PathBuf> = kept.iter().cloned().chain(secret).collect();
    Ok(sighted(contenders?, &isolation.grants, &kept))
}
