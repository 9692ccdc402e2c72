//! The check that a bot keeps to the protocol, without a match.
//!
//! # Theory of operation
//!
//! The bot is asked the sample requests of each game (`requests.rs`), or for a custom game those of one random game
//! (`requests.rs`), in a fresh scratch folder each, also where its
//! dialect lets it keep one for a whole match. [`rules::StandaloneRequest`] judges whether an answer is legal, without the game
//! that the request comes from. Then some of them are asked again: unchanged, to see whether the bot repeats itself;
//! with lines that a bot must skip; and longer by more than a pipe holds. Those lines are blamed for a changed answer
//! only if it changes each time, since a bot may use chance or look at a clock. Last it plays games against the
//! built-in `random`, in this process. A resident bot is then asked some of the requests of these games again, each
//! in a fresh program. Some requests of the games show what a start costs (`asking.rs`).
//!
//! Where there are puzzles, the bot is asked only these (`games.rs`).
//!
//! A failed step does not stop the next ones. Only two kinds are skipped: comparisons with a missing answer, and the
//! rest of a game in which the bot was out of time three times. Each result is reported at once.

mod asking;
mod games;
mod requests;
mod step;

pub use asking::{GameVariant, Puzzles};
pub use step::{Step, StepName};

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::bot::sandboxed::SandboxedBot;
use ::bot::shim::InterpreterShim;
use bot::build::{self, BuildError, Builder};
use bot::{BotSpec, Contender, sighted};
use bots::programs;
use contest::playing::bot::Bot;
use contest::setup::{self, GameSpec};
use rules::{GameKind, Seed};
use sandbox::{CancellationCheck, SearchPath, StartError};
use serde::Serialize;
use series::Conditions;
use series::header::SeedText;
use text::failure::Failure;
use text::printable;

use crate::bot::asking::HintAudience;
use crate::report;
use crate::report::{
    CheckResult, Extent, Format, Listener, Report, StepCounts, StepRecorder, conclusion, unwritten,
};
use crate::step::Evidence;
use asking::{Asker, Check, stopped};

impl Check<'_> {
    /// Makes all steps, and reports them to the listener.
    ///
    /// # Errors
    ///
    /// Fails if the machine does; a fault of the bot is a [`Step`].
    pub(crate) fn run(&self, listener: &mut dyn Listener<StepName>) -> Result<(), Failure> {
        listener.begins(&StepName::Starts.to_string());
        let mut bot = Bot::new(self.contender, self.supervisor);
        match bot.probe() {
            Ok(()) => listener.on_step(Step::passed(StepName::Starts, ""))?,
            Err(StartError::Program(why) | StartError::NotSeen(why)) => {
                return listener.on_step(Step::failed(StepName::Starts, why, None));
            }
            Err(StartError::Referee(why)) => return Err(stopped(why)),
        }
        let mut asker = Asker::new(bot, self.contender, self.retries);
        let mut exchanges = Vec::new();
        if let Some(puzzles) = self.puzzles {
            games::puzzles(self, puzzles, &mut asker, listener)?;
            for step in asker.close().steps(self.limits()) {
                listener.on_step(step)?;
            }
            return Ok(());
        }
        for setting in self.settings {
            asker.begin_game();
            requests::requests(self, &setting.kind, &setting.options, &mut asker, listener)?;
            games::games(self, setting, &mut asker, listener)?;
            let later = asker.take_later();
            games::residence(self, &setting.kind, &later, &mut asker, listener)?;
            if exchanges.is_empty() {
                exchanges = later;
            }
        }
        let mut observations = asker.close();
        listener.begins("start");
        if let Some((times, unremoved)) = asking::measure(self, &exchanges)? {
            observations.start(times);
            observations.unremoved(unremoved);
        }
        for step in observations.steps(self.limits()) {
            listener.on_step(step)?;
        }
        Ok(())
    }
}

/// Number of games of each kind of a quick check: one on each of the first two seats.
const QUICK: u64 = 2;

/// Number of games of each kind of a thorough check.
const THOROUGH: u64 = 20;

/// Width of the names of steps.
const NAMES: usize = 24;

#[derive(Debug)]
pub struct CheckRequest {
    pub bot: BotSpec,
    /// The game; by default the games of the bot's manifest, or all.
    pub kind: Option<GameKind>,
    /// Number of seats; by default as usual for each game.
    pub seats: Option<usize>,
    /// The other options of the games; those left out have their defaults.
    pub options: String,
    /// Number of games of each kind; by default as many as the depth says.
    pub games: Option<u64>,
    pub depth: Extent,
    /// The seed of the deals; by default drawn by the operating system.
    pub seed: Option<SeedText>,
    pub conditions: Conditions,
    pub format: Format,
    /// Folder for the requests of failed steps, if any.
    pub keep: Option<PathBuf>,
    /// Puzzles to ask in place of all else, if any.
    pub puzzles: Option<Puzzles>,
}

/// Checks a bot, and reports every step on `out`. A folder is built first.
///
/// # Errors
///
/// [`Failure::Check`] if a step failed; others as the exit codes say.
pub fn run(request: CheckRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let bot = request.bot.opened()?;
    let names = ::bot::names(std::slice::from_ref(&bot))?;
    let conditions = request.conditions;
    conditions.limits.check_names(&names)?;
    setup::must_be_granted(&names, std::slice::from_ref(&bot), &conditions.isolation)?;
    let name = names.into_iter().next().unwrap_or_default();
    let plan = CheckPlan {
        conditions,
        kept: request.keep.iter().cloned().collect(),
        name,
        settings: settings(&bot, kinds(&bot, request.kind)?, request.seats, &request.options)?,
        bot,
        games: request.games.unwrap_or(match request.depth {
            Extent::Quick => QUICK,
            Extent::Thorough => THOROUGH,
        }),
        seed: setup::seed_or_drawn(request.seed)?,
        build_time: build::TIME,
        wanted: CancellationCheck::ALWAYS,
        puzzles: request.puzzles,
    };
    report::make_folder(request.keep.as_deref())?;
    let _guard = setup::guard()?;
    let record = plan.run(request.format, out)?;
    record.keep(request.keep.as_deref())?;
    record.result(&format!("bot `{}`", plan.name))?;
    match (request.games, request.depth, request.format) {
        (None, Extent::Quick, Format::Text(_)) if plan.puzzles.is_none() => {
            let hint = "quick check; --thorough plays each game";
            writeln!(out, "{hint} {THOROUGH} times").map_err(unwritten)
        }
        _ => Ok(()),
    }
}

/// Returns the games of a check: the given one, or all that the bot plays.
fn kinds(bot: &BotSpec, kind: Option<GameKind>) -> Result<Vec<GameKind>, Failure> {
    let has_dialect = |kind: &GameKind| kind.dialects().contains(&bot.dialect());
    let Some(kind) = kind else {
        let kinds: Vec<GameKind> = games_of(bot).into_iter().filter(has_dialect).collect();
        if kinds.is_empty() {
            let (bot, dialect) = (printable(bot.command()), bot.dialect());
            let problem = format!("bot `{bot}`: none of its games has the {dialect} dialect");
            return Err(Failure::Usage(problem));
        }
        return Ok(kinds);
    };
    Ok(vec![kind])
}

fn settings(
    bot: &BotSpec,
    kinds: Vec<GameKind>,
    seats: Option<usize>,
    options: &str,
) -> Result<Vec<GameVariant>, Failure> {
    let setting = |kind| {
        let asked = GameSpec { kind, seats, options: options.to_owned() };
        let options = asked.options()?;
        setup::must_suit(bot, &asked.kind, &options)?;
        Ok(GameVariant { kind: asked.kind, options })
    };
    kinds.into_iter().map(setting).collect()
}

/// Returns the games of a bot: by its manifest, or as a built-in bot.
fn games_of(bot: &BotSpec) -> Vec<GameKind> {
    if let Some(folder) = bot.folder() {
        return folder.manifest.games.built_in();
    }
    let program = bot.words().first().map_or("", String::as_str);
    let plays = |kind: &&GameKind| programs::player(kind, program, &[]).is_ok();
    let built_in: Vec<GameKind> = GameKind::ALL.iter().filter(plays).cloned().collect();
    if built_in.is_empty() { GameKind::ALL.to_vec() } else { built_in }
}

/// A check of a bot that may not be built or found yet.
pub struct CheckPlan<'a> {
    /// The bot, with the manifest of its folder.
    pub bot: BotSpec,
    pub name: String,
    pub settings: Vec<GameVariant>,
    /// Number of games of each kind.
    pub games: u64,
    /// The seed of the deals.
    pub seed: Seed,
    pub conditions: Conditions,
    /// Files hidden from the bot.
    pub kept: Vec<PathBuf>,
    pub build_time: Duration,
    /// Tells whether the check is still wanted; otherwise it ends as one that fails by the machine.
    pub wanted: CancellationCheck<'a>,
    /// Puzzles to ask in place of all else, if any.
    pub puzzles: Option<Puzzles>,
}

impl CheckPlan<'_> {
    /// Runs the check, and reports it as it goes, to its last line. Several may run at once. A guard of the caller
    /// covers the processes that it starts.
    pub fn run(
        &self,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<CheckResult<StepName>, Failure> {
        if format != Format::Json {
            let games: Vec<String> = self.settings.iter().map(display_setting).collect();
            let games = games.join(", ");
            writeln!(out, "{}: {games}, seed {}\n", self.name, self.seed).map_err(unwritten)?;
        }
        let author_of = match format {
            Format::Report => Some(self.bot.folder().map_or(Path::new(""), |it| &it.path)),
            Format::Text(_) | Format::Json => None,
        };
        let report = Box::new(Report::new(&mut *out, format, NAMES)?);
        let mut recorder = StepRecorder::new(report, self.wanted, author_of);
        self.check(format, &mut recorder)?;
        let record = recorder.finish();
        match format {
            Format::Text(_) | Format::Report => {
                writeln!(out, "\n{}", conclusion(&self.name, record.counts()))
            }
            Format::Json => report::json_summary(out, &self.summary(record.counts())),
        }
        .map_err(unwritten)?;
        Ok(record)
    }

    fn check(&self, format: Format, listener: &mut dyn Listener<StepName>) -> Result<(), Failure> {
        let Conditions { treatment, isolation, limits, .. } = &self.conditions;
        let supervisor = setup::supervisor(isolation.isolation)?;
        let search = setup::search_path()?;
        if let Some(folder) = self.bot.folder().filter(|folder| folder.manifest.build.is_some()) {
            listener.begins(&StepName::Builds.to_string());
            let builder = Builder {
                supervisor,
                search: &search,
                grants: &isolation.grants,
                folders: &[],
                kept: &self.kept,
                time: self.build_time,
                wanted: self.wanted,
            };
            let built = builder.build(folder, &self.name);
            if let Err(error @ BuildError::Machine(_)) = built {
                return Err(Failure::Ours(format!("bot `{}`: {error}", self.name)));
            }
            let fails = built.is_err();
            listener.on_step(build_step(built, format))?;
            if fails {
                return Ok(());
            }
        }
        if let Err(error) = isolation.check(&self.name, &self.bot) {
            return listener.on_step(Step::failed(StepName::Starts, error.asked_by_author(), None));
        }
        let (limits, beyond) = (
            limits.for_bot(&self.name, &self.bot),
            isolation.outside_access(&self.name).apart_from(&self.kept),
        );
        let prepared = Contender::prepare(&self.bot, &self.name, limits, &search, &beyond);
        let contender = match prepared {
            Ok(contender) => contender,
            Err(error) => {
                let step = Step::failed(StepName::Starts, error.to_string(), None);
                return listener.on_step(step);
            }
        };
        setup::warn_of_newer_source(&self.bot, &self.name);
        setup::tell_of_unused_venv(&self.bot, &self.name);
        setup::tell_of_unread_version(&self.bot, &self.name, &search);
        for step in self.unlisted_game_warning().into_iter().chain(self.shim(&search, format)) {
            listener.on_step(step)?;
        }
        let contenders = sighted(vec![contender], &isolation.grants, &self.kept);
        let check = Check {
            contender: &contenders[0],
            settings: &self.settings,
            games: self.games,
            seed: &self.seed,
            retries: treatment.retries,
            supervisor,
            puzzles: self.puzzles.as_ref(),
            hints: {
                let sandboxed = SandboxedBot::new(&contenders[0], supervisor)
                    .ok_or_else(|| Failure::usage("a remote bot runs elsewhere: check it there"))?;
                match format {
                    Format::Text(_) | Format::Json => HintAudience::User(Box::new(sandboxed)),
                    Format::Report => HintAudience::Author(sandboxed.barriers()),
                }
            },
        };
        check.run(listener)
    }

    /// Warns of a checked game that the manifest leaves out.
    fn unlisted_game_warning(&self) -> Option<Step> {
        let listed = &self.bot.folder()?.manifest.games;
        let left_out = |setting: &&GameVariant| !listed.has(&setting.kind);
        let kind = &self.settings.iter().find(left_out)?.kind;
        let note = format!("`games` omits {kind}: matches of {kind} will reject this bot");
        Some(Step::warning(StepName::Manifest, note))
    }

    /// Warns of an interpreter that starts slowly, where none can be started in its place; for the user alone, whose machine it is.
    fn shim(&self, search: &SearchPath, format: Format) -> Option<Step> {
        let shim = InterpreterShim::find(&self.bot, search).filter(|_| format != Format::Report)?;
        if shim.interpreter().is_some() {
            return None;
        }
        Some(Step::warning(StepName::Interpreter, shim.to_string()))
    }

    fn summary(&self, counts: StepCounts) -> SummaryLine<'_> {
        SummaryLine {
            bot: &self.name,
            command: self.bot.command(),
            games: self.settings.iter().map(|setting| setting.kind.to_string()).collect(),
            options: self.settings.iter().map(|setting| setting.options.as_str()).collect(),
            seed: &self.seed,
            counts,
        }
    }
}

/// The last line of JSON.
#[derive(Serialize)]
struct SummaryLine<'a> {
    bot: &'a str,
    command: &'a str,
    games: Vec<String>,
    options: Vec<&'a str>,
    seed: &'a Seed,
    #[serde(flatten)]
    counts: StepCounts,
}

/// Returns the name of a game, with its options unless they are the defaults.
fn display_setting(GameVariant { kind, options }: &GameVariant) -> String {
    if kind.check_options("").is_ok_and(|usual| usual == *options) {
        kind.to_string()
    } else {
        format!("{kind} {options}")
    }
}

fn build_step(built: Result<Option<Duration>, BuildError>, format: Format) -> Step {
    match built {
        Ok(None) => Step::passed(StepName::Builds, ""),
        Ok(Some(time)) => Step::passed(StepName::Builds, "").taking(time.as_secs_f64() * 1000.0),
        Err(error) => {
            let note = error.to_string();
            let evidence = match error {
                BuildError::Failed { stdout, stderr, hint, .. } => Some(Evidence {
                    expected: "an exit with code 0".to_owned(),
                    request: None,
                    file: None,
                    stdout,
                    stderr,
                    hint: match format {
                        Format::Text(_) | Format::Json => hint.map(Cow::Owned),
                        // Hints describe this machine, and the report goes to a stranger, as for the other steps.
                        Format::Report => None,
                    },
                }),
                BuildError::Refused(_) | BuildError::Machine(_) => None,
            };
            Step::failed(StepName::Builds, note, evidence)
        }
    }
}
