//! `arbiter check`: the check that a bot keeps to the protocol.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bots::programs;
use rules::{GameKind, Seed};
use text::{printable, system_error};

use crate::check::output::{self, CheckJson, CheckSummary, CheckText};
use crate::check::{
    Check, Evidence, GamePace, Hints, Listener, Puzzles, Setting, Status, Step, StepName, Stopped,
};
use crate::setup::{self, AskedGame};
use conditions::Conditions;
use conditions::bot::build::{self, Builder, Built, NotBuilt};
use conditions::bot::grants::sighted;
use conditions::bot::insider::Insider;
use conditions::bot::shim::Shim;
use conditions::bot::{self, BotSpec, Contender};
use conditions::failure::Failure;
use conditions::series::given_seed::GivenSeed;
use sandbox::{SearchPath, Wanted};
use text::terminal::Colours;

/// A check as the user asks for it.
#[derive(Debug)]
pub struct CheckRequest {
    /// The bot.
    pub bot: BotSpec,
    /// The game; by default the games of the bot's manifest, or all.
    pub kind: Option<GameKind>,
    /// Number of seats; by default as usual for each game.
    pub seats: Option<usize>,
    /// The other options of the games; those left out have their defaults.
    pub options: String,
    /// Number of games of each kind; by default as many as the depth says.
    pub games: Option<u64>,
    /// Extent of the check.
    pub depth: Depth,
    /// The seed of the deals; by default drawn by the operating system.
    pub seed: Option<GivenSeed>,
    /// Conditions of play.
    pub conditions: Conditions,
    /// Format of the report.
    pub format: Format,
    /// Folder for the requests of failed steps, if any.
    pub keep: Option<PathBuf>,
    /// Puzzles to ask in place of all else, if any.
    pub puzzles: Option<Puzzles>,
}

/// Extent of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Every request, and a game on each of the first two seats: seconds, also for a slow interpreter.
    Quick,
    /// As quick, but with enough games to find most faults that show in one game of ten.
    Thorough,
}

impl Depth {
    /// Returns the number of games of each kind.
    pub fn games(self) -> u64 {
        match self {
            Depth::Quick => 2,
            Depth::Thorough => 20,
        }
    }
}

/// Format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    Text(Colours),
    /// Text for a file, without colours and progress.
    Report,
    /// Lines of JSON for programs.
    Json,
}

/// Checks a bot, and reports every step on `out`. A folder is built first.
///
/// # Errors
///
/// [`Failure::Check`] if a step failed; others as the exit codes say.
pub fn run(request: CheckRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let bot = request.bot.opened().map_err(|error| Failure::Usage(error.to_string()))?;
    let names = bot::names(std::slice::from_ref(&bot))
        .map_err(|error| Failure::Usage(error.to_string()))?;
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
        games: request.games.unwrap_or(request.depth.games()),
        seed: setup::seed_or_drawn(request.seed)?,
        build_time: build::TIME,
        wanted: Wanted::ALWAYS,
        puzzles: request.puzzles,
    };
    if let Some(folder) = &request.keep {
        fs::create_dir_all(folder).map_err(|error| unkept(folder, &error))?;
    }
    let _guard = setup::guard()?;
    let tally = plan.run(request.format, out)?;
    if let Some(folder) = &request.keep {
        for (step, evidence) in &tally.evidence {
            keep(folder, step, evidence).map_err(|error| unkept(folder, &error))?;
        }
    }
    match &tally.first_failure {
        None => match (request.games, request.depth, request.format) {
            (None, Depth::Quick, Format::Text(_)) if plan.puzzles.is_none() => {
                output::quick(out, Depth::Thorough.games()).map_err(unwritten)
            }
            _ => Ok(()),
        },
        Some(Step { name, note, .. }) => {
            let (bot, note) = (&plan.name, printable(note));
            let problem = format!("bot `{bot}` failed the check at `{name}`: {note}");
            Err(Failure::Check(problem))
        }
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
) -> Result<Vec<Setting>, Failure> {
    let setting = |kind| {
        let asked = AskedGame { kind, seats, options: options.to_owned() };
        let options = asked.options()?;
        setup::must_suit(bot, &asked.kind, &options)?;
        Ok(Setting { kind: asked.kind, options })
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
    /// Its name.
    pub name: String,
    /// The games of the check.
    pub settings: Vec<Setting>,
    /// Number of games of each kind.
    pub games: u64,
    /// The seed of the deals.
    pub seed: Seed,
    /// Conditions of play.
    pub conditions: Conditions,
    /// Files hidden from the bot.
    pub kept: Vec<PathBuf>,
    /// Time limit of its build.
    pub build_time: Duration,
    /// Tells whether the check is still wanted; otherwise it ends as one that fails by the machine.
    pub wanted: Wanted<'a>,
    /// Puzzles to ask in place of all else, if any.
    pub puzzles: Option<Puzzles>,
}

impl CheckPlan<'_> {
    /// Runs the check, and reports it as it goes, to its last line. Several may run at once. A guard of the caller
    /// covers the processes that it starts.
    ///
    /// # Errors
    ///
    /// Fails if the referee or the machine does. Faults of the bot are in the tally.
    pub fn run(&self, format: Format, out: &mut dyn Write) -> Result<Tally, Failure> {
        let tally = self.tell(format, out)?;
        let summary = self.summary(&tally);
        match format {
            Format::Text(_) | Format::Report => output::summary(out, &summary),
            Format::Json => output::json_summary(out, &summary),
        }
        .map_err(unwritten)?;
        Ok(tally)
    }

    fn tell(&self, format: Format, out: &mut dyn Write) -> Result<Tally, Failure> {
        let report: Box<dyn Listener + '_> = match format {
            Format::Text(_) | Format::Report => {
                let games: Vec<String> = self.settings.iter().map(shown).collect();
                let games = games.join(", ");
                writeln!(out, "{}: {games}, seed {}\n", self.name, self.seed).map_err(unwritten)?;
                match format {
                    Format::Text(colours) => Box::new(CheckText::new(out, colours)?),
                    _ => Box::new(CheckText::to_file(out)),
                }
            }
            Format::Json => Box::new(CheckJson::new(out)),
        };
        let author_of = match format {
            Format::Report => Some(self.bot.folder().map_or(Path::new(""), |it| &it.path)),
            Format::Text(_) | Format::Json => None,
        };
        let tally = Tally::default();
        let mut follower = Follower { report, tally, wanted: self.wanted, author_of };
        self.check(format, &mut follower)?;
        Ok(follower.tally)
    }

    fn check(&self, format: Format, listener: &mut dyn Listener) -> Result<(), Failure> {
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
            if let Err(error @ NotBuilt::Machine(_)) = built {
                return Err(Failure::Ours(format!("bot `{}`: {error}", self.name)));
            }
            let fails = built.is_err();
            listener.found(build_step(built, format)).map_err(unwritten)?;
            if fails {
                return Ok(());
            }
        }
        if let Err(error) = isolation.check(&self.name, &self.bot) {
            return listener
                .found(Step::failed(StepName::Starts, error.asked_by_author(), None))
                .map_err(unwritten);
        }
        let (limits, beyond) = (
            limits.for_bot(&self.name, &self.bot),
            isolation.beyond(&self.name).apart_from(&self.kept),
        );
        let prepared = Contender::prepare(&self.bot, &self.name, limits, &search, &beyond);
        let contender = match prepared {
            Ok(contender) => contender,
            Err(error) => {
                let step = Step::failed(StepName::Starts, error.to_string(), None);
                return listener.found(step).map_err(unwritten);
            }
        };
        setup::warn_of_newer_source(&self.bot, &self.name);
        setup::tell_of_unused_venv(&self.bot, &self.name);
        setup::tell_of_unread_version(&self.bot, &self.name, &search);
        for step in self.unlisted().into_iter().chain(self.shim(&search, format)) {
            listener.found(step).map_err(unwritten)?;
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
                let insider = Insider::new(&contenders[0], supervisor);
                match format {
                    Format::Text(_) | Format::Json => Hints::User(Box::new(insider)),
                    Format::Report => Hints::Author(insider.barriers()),
                }
            },
        };
        check.run(listener).map_err(|stopped| match stopped {
            Stopped::Machine(_) => Failure::Ours(stopped.to_string()),
            Stopped::Listener(error) => unwritten(error),
        })
    }

    /// Warns of a checked game that the manifest leaves out.
    fn unlisted(&self) -> Option<Step> {
        let listed = &self.bot.folder()?.manifest.games;
        let left_out = |setting: &&Setting| !listed.has(&setting.kind);
        let kind = &self.settings.iter().find(left_out)?.kind;
        let note = format!("`games` omits {kind}: matches of {kind} will reject this bot");
        Some(Step::warning(StepName::Manifest, note))
    }

    /// Warns of an interpreter that starts slowly; for the user alone, whose machine it is.
    fn shim(&self, search: &SearchPath, format: Format) -> Option<Step> {
        let shim = Shim::of(&self.bot, search).filter(|_| format != Format::Report)?;
        Some(Step::warning(StepName::Interpreter, shim.to_string()))
    }

    fn summary(&self, tally: &Tally) -> CheckSummary {
        CheckSummary {
            bot: self.name.clone(),
            command: self.bot.command().to_owned(),
            games: self.settings.iter().map(|setting| setting.kind.to_string()).collect(),
            options: self.settings.iter().map(|setting| setting.options.clone()).collect(),
            seed: self.seed.clone(),
            passed: tally.first_failure.is_none(),
            steps: tally.steps,
            failed: tally.failed,
            skipped: tally.skipped,
            warnings: tally.warnings,
        }
    }
}

/// Returns the name of a game, with its options unless they are the defaults.
fn shown(Setting { kind, options }: &Setting) -> String {
    if kind.check_options("").is_ok_and(|usual| usual == *options) {
        kind.to_string()
    } else {
        format!("{kind} {options}")
    }
}

fn build_step(built: Result<Built, NotBuilt>, format: Format) -> Step {
    match built {
        Ok(Built::Nothing) => Step::passed(StepName::Builds, ""),
        Ok(Built::In(time)) => {
            Step::passed(StepName::Builds, "").taking(time.as_secs_f64() * 1000.0)
        }
        Err(error) => {
            let note = error.to_string();
            let evidence = match error {
                NotBuilt::Failed { stdout, stderr, hint, .. } => Some(Evidence {
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
                NotBuilt::NotThere(_)
                | NotBuilt::Led(_)
                | NotBuilt::Program(_)
                | NotBuilt::Refused(_)
                | NotBuilt::Machine(_) => None,
            };
            Step::failed(StepName::Builds, note, evidence)
        }
    }
}

/// Numbers of steps by status.
#[derive(Debug, Default)]
pub struct Tally {
    steps: usize,
    warnings: usize,
    failed: usize,
    skipped: usize,
    /// The first failed step.
    pub first_failure: Option<Step>,
    /// Pace of its games, if it played them; of the last game of several.
    pub pace: Option<GamePace>,
    /// Evidence of the failed steps, with their names.
    evidence: Vec<(StepName, Evidence)>,
}

/// Counts the steps on their way to the report.
struct Follower<'a> {
    report: Box<dyn Listener + 'a>,
    tally: Tally,
    wanted: Wanted<'a>,
    /// The folder of the bot, if the report is for its author.
    author_of: Option<&'a Path>,
}

impl Listener for Follower<'_> {
    fn begins(&mut self, name: &str) {
        self.report.begins(name);
    }

    fn found(&mut self, step: Step) -> io::Result<()> {
        if !self.wanted.is_wanted() {
            return Err(io::Error::other("cancelled"));
        }
        let step = match self.author_of {
            Some(folder) => step.for_author(folder),
            None => step,
        };
        let tally = &mut self.tally;
        tally.pace = step.pace.or(tally.pace);
        tally.steps += 1;
        match step.status {
            Status::Failed => tally.failed += 1,
            Status::Warning => tally.warnings += 1,
            Status::Skipped => tally.skipped += 1,
            Status::Passed => {}
        }
        if step.status == Status::Failed && tally.first_failure.is_none() {
            tally.first_failure = Some(step.clone());
        }
        tally.evidence.extend(step.evidence.clone().map(|evidence| (step.name.clone(), evidence)));
        self.report.found(step)
    }
}

/// Writes the evidence of a step, each part to its own file.
fn keep(folder: &Path, step: &StepName, evidence: &Evidence) -> io::Result<()> {
    let stem = step.to_string().replace(' ', "-");
    let file = |ending: &str| folder.join(format!("{stem}.{ending}"));
    if let Some(request) = &evidence.request {
        fs::write(file("request"), request)?;
    }
    fs::write(file("stdout"), &evidence.stdout.0)?;
    fs::write(file("stderr"), &evidence.stderr.0)
}

fn unkept(folder: &Path, error: &io::Error) -> Failure {
    let shown = printable(&folder.display().to_string());
    Failure::Usage(format!("cannot keep failures in `{shown}`: {}", system_error(error)))
}

/// An unfinished report must not look like a passed check.
fn unwritten(error: io::Error) -> Failure {
    let kind = error.kind();
    let said = system_error(error);
    let problem = format!("cannot write to standard output: {said}; the check stops");
    Failure::Unwritten { problem, kind }
}
