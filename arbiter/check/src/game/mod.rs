//! The check that the rules of a custom game keep to the protocol of rules, without any bot.
//!
//! # Theory of operation
//!
//! Random games are played by an instance of the rules (`games.rs`), and what they say is kept (`run.rs`). All later
//! steps start from these games. They are played again, where equal inputs must give equal text (`games.rs`). In
//! some of their states inputs are tried that must be refused (`refusals.rs`). What nature has decided is decided in
//! another way, which must change something (`chances.rs`). Their inputs are changed so that a seat
//! is told the same, and then it must see the same (`leaks.rs`); and continued in two ways, where a view must tell what
//! events do. Last come the games that the author has recorded.
//!
//! A step that cannot go on without an earlier one is skipped. Every step has a bound of calls, so that a check with
//! the same seed finds the same. Unless its user has chosen an extent, a check has a bound of time as well (`context.rs`):
//! rules that are slow are checked in seconds, with fewer calls, and the report names the steps that were cut short.

mod chances;
mod context;
mod games;
mod leaks;
mod refusals;
mod run;
mod summary;

use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::games::GameFiles;
use context::{CheckStartError, QUICK, RulesCheck, StepDeadlines, described};
use rules::Seed;
use rules::custom::RulesSource;
use run::{Instance, Problem, RulesStepName, Step};
use sandbox::{CancellationCheck, Supervisor, new_file};
use summary::{CheckDetails, DepthHistogram, SeatHistories, Summary};

use self::games::written;
use crate::report;
use crate::report::{Extent, Format, Listener, Report, StepRecorder, unwritten};
use crate::step::Status;
use text::failure::Failure;
use text::{counted, printable, system_error};

/// Why a step of a quick check is not made at all.
const NO_TIME: &str = "no time left in the quick check";

impl RulesCheck<'_> {
    /// Makes all steps after the first one, and reports them.
    fn run(
        &self,
        instance: Instance,
        follow: &mut dyn Listener<RulesStepName>,
    ) -> Result<CheckDetails, Failure> {
        let games::PlayedGames { runs, instance } = games::play(self, instance, follow)?;
        let first = runs.first().map(|run| SeatHistories::new(run, self.seats));
        let untested_seats =
            self.about.seats.clone().filter(|seats| *seats != self.seats).collect();
        let history = first.unwrap_or_default();
        let mut shown = CheckDetails { history, untested_seats, ..CheckDetails::default() };
        let not_played = "a game could not be played to its end";
        let instance = match instance {
            Some(instance) => {
                let (step, instance) = games::same_text(self, &runs, instance, follow);
                follow.on_step(step)?;
                instance.ok_or("equal inputs give different text")
            }
            None => {
                follow.on_step(Step::skipped(RulesStepName::SameText, not_played))?;
                Err(not_played)
            }
        };
        let later = [
            RulesStepName::Refusals,
            RulesStepName::Checks,
            RulesStepName::Chances,
            RulesStepName::Leaks,
            RulesStepName::Views,
        ];
        match instance {
            Err(why) => {
                later.into_iter().try_for_each(|name| follow.on_step(Step::skipped(name, why)))?
            }
            Ok(instance) => shown.twins = self.compare(&runs, instance, follow)?,
        }
        let steps = [leaks::keys(self, &runs), games::recorded(self)];
        steps.into_iter().flatten().try_for_each(|step| follow.on_step(step))?;
        shown.cut = self.pace.cut();
        Ok(shown)
    }

    /// Makes the steps that compare states of games.
    fn compare(
        &self,
        runs: &[run::PlayedGame],
        instance: Instance,
        follow: &mut dyn Listener<RulesStepName>,
    ) -> Result<DepthHistogram, Failure> {
        let mut instance = Some(instance);
        let out_of_time = |name| self.pace.cuts(name).then(|| Step::skipped(name, NO_TIME));
        let steps = match self.live_instance(&mut instance) {
            Ok(_) if self.pace.cuts(RulesStepName::Refusals) => {
                [RulesStepName::Refusals, RulesStepName::Checks]
                    .map(|name| Step::skipped(name, NO_TIME))
            }
            Ok(alive) => refusals::refusals(self, runs, alive, follow),
            Err(problem) => {
                let skipped = Step::skipped(RulesStepName::Checks, "the rules cannot be started");
                [Step::failed(RulesStepName::Refusals, problem), skipped]
            }
        };
        if steps.iter().any(|step| step.status == Status::Failed) {
            instance = None;
        }
        steps.into_iter().try_for_each(|step| follow.on_step(step))?;
        let chances = match self.live_instance(&mut instance) {
            Ok(alive) => out_of_time(RulesStepName::Chances)
                .unwrap_or_else(|| chances::chances(self, runs, alive, follow)),
            Err(problem) => Step::failed(RulesStepName::Chances, problem),
        };
        if chances.status == Status::Failed {
            instance = None;
        }
        follow.on_step(chances)?;
        let no_leaks = out_of_time(RulesStepName::Leaks);
        let (twins, problem) = match self.live_instance(&mut instance) {
            Ok(_) if no_leaks.is_some() => Default::default(),
            Ok(alive) => leaks::leaks(self, runs, alive, follow),
            Err(problem) => (DepthHistogram::default(), Some(problem)),
        };
        let twins = match problem {
            Some(problem) => {
                instance = None;
                follow.on_step(Step::failed(RulesStepName::Leaks, problem))?;
                DepthHistogram::default()
            }
            None => {
                let compared = match twins.twins() {
                    0 => {
                        ", so nothing was compared: is a draw an `event` that should be a `secret`?"
                    }
                    _ => "",
                };
                let note = format!(
                    "{} of {} states had an indistinguishable counterpart{compared}",
                    twins.twins(),
                    twins.states()
                );
                follow.on_step(
                    no_leaks.unwrap_or_else(|| Step::passed(RulesStepName::Leaks, note)),
                )?;
                twins
            }
        };
        let views = match self.live_instance(&mut instance) {
            Ok(alive) => out_of_time(RulesStepName::Views)
                .unwrap_or_else(|| leaks::views(self, runs, alive, follow)),
            Err(problem) => Step::failed(RulesStepName::Views, problem),
        };
        follow.on_step(views).map(|()| twins)
    }

    /// An instance, another one after a failure.
    fn live_instance<'i>(
        &self,
        instance: &'i mut Option<Instance>,
    ) -> Result<&'i mut Instance, Problem> {
        let alive = instance.take().map_or_else(|| self.start(), Ok)?;
        Ok(instance.insert(alive))
    }
}

/// The random games of a thorough check.
const THOROUGH: u64 = 600;

/// Width of the names of steps.
const NAMES: usize = 20;

#[derive(Debug)]
pub struct RulesCheckRequest {
    /// The game: its folder, its module or its command.
    pub game: String,
    /// Number of seats; by default the fewest.
    pub seats: Option<usize>,
    /// The other options; those left out have their defaults.
    pub options: String,
    /// Number of random games; by default as many as the depth says.
    pub games: Option<u64>,
    pub depth: Extent,
    pub seed: Seed,
    pub supervisor: Supervisor,
    pub format: Format,
    /// Folder for the calls of failed steps, if any.
    pub keep: Option<PathBuf>,
}

impl RulesCheckRequest {
    /// Returns true if the check has a bound of time.
    fn is_brief(&self) -> bool {
        self.depth == Extent::Quick && self.games.is_none()
    }
}

/// Checks the rules of a game, and reports every step on `out`.
///
/// # Errors
///
/// [`Failure::Check`] if a step failed; others as the exit codes say.
pub fn run(request: &RulesCheckRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let files = named(request)?;
    report::make_folder(request.keep.as_deref())?;
    let begun = match begin(&files, request) {
        Err(CheckStartError::Usage(problem)) => return Err(Failure::Usage(problem)),
        Err(CheckStartError::Failed(problem)) => Err(problem),
        Ok(begun) => Ok(begun),
    };
    let (name, options) = match &begun {
        Ok((check, _)) => (check.about.name.clone(), check.options.clone()),
        Err(_) => (printable(files.named_as()), String::new()),
    };
    if request.format != Format::Json {
        let carrier = files.id().carrier;
        let shown = if options.is_empty() { String::new() } else { format!(" {options},") };
        writeln!(out, "{name}:{shown} {carrier}, seed {}\n", request.seed).map_err(unwritten)?;
    }
    let report = Box::new(Report::new(&mut *out, request.format, NAMES)?);
    let mut recorder = StepRecorder::new(report, CancellationCheck::ALWAYS, None);
    let details = follow(begun, &mut recorder)?;
    let record = recorder.finish();
    let summary = Summary {
        game: name.clone(),
        rules: files.id(),
        options,
        seed: request.seed.clone(),
        counts: record.counts(),
        details,
    };
    match request.format {
        Format::Json => report::json_summary(out, &summary),
        Format::Text(_) | Format::Report => summary.write(out, THOROUGH, request.is_brief()),
    }
    .map_err(unwritten)?;
    record.keep(request.keep.as_deref())?;
    record.result(&format!("game `{name}`"))
}

/// Plays one random game, and writes it to a new file as games are recorded.
///
/// # Errors
///
/// [`Failure::Rules`] if the game cannot be played to its end; others as the exit codes say.
pub fn record(
    request: &RulesCheckRequest,
    file: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let files = named(request)?;
    let failed = |name: &str, problem: &Problem| {
        Failure::Rules(format!("game `{name}`: {}", printable(&problem.note)))
    };
    let (check, mut instance) = begin(&files, request).map_err(|error| match error {
        CheckStartError::Usage(problem) => Failure::Usage(problem),
        CheckStartError::Failed(problem) => failed(&printable(files.named_as()), &problem),
    })?;
    let name = check.about.name.clone();
    let about = instance.answer("about").map_err(|problem| failed(&name, &problem))?;
    let (mut draws, mut choices) = (check.seed.nature(0), check.seed.order(0));
    let played = run::random(&mut instance, &check.options, &mut draws, &mut choices);
    let run = played.map_err(|it| failed(&name, &it.problem))?;
    let begin = format!("new {}", check.options);
    let calls = iter::once(begin.as_str()).chain(run.inputs.iter().map(String::as_str));
    let exchanges = calls.zip(run.moments.iter().map(|moment| moment.text.as_str()));
    let text = written(iter::once(("about", about.as_str())).chain(exchanges));
    let shown = printable(&file.display().to_string());
    new_file::write_new_for_all(file, text.as_bytes()).map_err(|error| {
        Failure::Usage(format!("cannot write a new file `{shown}`: {}", system_error(error)))
    })?;
    // The first two calls are no inputs.
    let kept = text.lines().filter(|line| line.starts_with("> ")).count().saturating_sub(2);
    let inputs = match kept == run.length {
        true => counted(kept, "input", "inputs"),
        false => format!("the first {kept} of {} inputs", run.length),
    };
    writeln!(out, "{shown}: {inputs} of {name}, seed {}", request.seed)?;
    Ok(())
}

fn named(request: &RulesCheckRequest) -> Result<GameFiles, Failure> {
    GameFiles::named(&request.game).map_err(|error| Failure::Usage(error.to_string()))
}

/// Starts the rules, and begins a game to see whether they accept the options.
fn begin<'a>(
    files: &'a GameFiles,
    request: &RulesCheckRequest,
) -> Result<(RulesCheck<'a>, Instance), CheckStartError> {
    let source: Arc<dyn RulesSource> = files.source(request.supervisor)?.into();
    let about = described(&source).map_err(CheckStartError::Failed)?;
    let words: Vec<&str> = request.options.split_ascii_whitespace().collect();
    if let Some(word) = words.iter().find(|word| word.starts_with("seats=")) {
        let problem = format!("`{}` is not a game option: use --seats", printable(word));
        return Err(CheckStartError::Usage(problem));
    }
    let seats = request.seats.map(|seats| format!("seats={seats}"));
    let words: Vec<&str> = words.into_iter().chain(seats.as_deref()).collect();
    let spelt = about.spelt_options(&words.join(" "));
    let options = spelt.map_err(|error| CheckStartError::Usage(error.to_string()))?;
    let seats =
        about.seats_of(&options).map_err(|error| CheckStartError::Usage(error.to_string()))?;
    let games = match request.depth {
        Extent::Quick => QUICK,
        Extent::Thorough => THOROUGH,
    };
    let pace = if request.is_brief() { StepDeadlines::quick() } else { StepDeadlines::unbounded() };
    let (games, seed) = (request.games.unwrap_or(games), request.seed.clone());
    let supervisor = request.supervisor;
    let check = RulesCheck { files, supervisor, source, about, options, seats, games, seed, pace };
    let mut instance = check.start().map_err(CheckStartError::Failed)?;
    match (instance.begin(&check.options), words.is_empty()) {
        (Ok(_), _) => Ok((check, instance)),
        (Err(problem), false) => Err(CheckStartError::Usage(problem.note)),
        (Err(problem), true) => Err(CheckStartError::Failed(problem)),
    }
}

fn follow(
    begun: Result<(RulesCheck<'_>, Instance), Problem>,
    report: &mut dyn Listener<RulesStepName>,
) -> Result<CheckDetails, Failure> {
    match begun {
        Err(problem) => {
            report.on_step(Step::failed(RulesStepName::Starts, problem))?;
            Ok(CheckDetails::default())
        }
        Ok((check, instance)) => {
            report.on_step(Step::passed(RulesStepName::Starts, ""))?;
            check.run(instance, report)
        }
    }
}
