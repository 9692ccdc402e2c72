//! `arbiter check --game GAME`: the check of the rules of a custom game.

use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use games::GameFiles;
use rules::Seed;
use rules::custom::RulesSource;
use sandbox::{Supervisor, Wanted, unfinished};
use text::failure::Failure;
use text::{counted, printable, system_error};

use super::Shown;
use super::context::{Check, NotBegun, Pace, QUICK, described};
use super::games::written;
use super::run::{self, Instance, Problem, Step, StepName};
use super::summary::Summary;
use crate::record::{self, Recorder};
use crate::report::{self, Depth, Format, Listener, Report, unwritten};

/// The random games of a thorough check.
const THOROUGH: u64 = 600;

/// Width of the names of steps.
const NAMES: usize = 20;

/// A check of rules as the user asks for it.
#[derive(Debug)]
pub struct RulesRequest {
    /// The game: its folder, its module or its command.
    pub game: String,
    /// Number of seats; by default the fewest.
    pub seats: Option<usize>,
    /// The other options; those left out have their defaults.
    pub options: String,
    /// Number of random games; by default as many as the depth says.
    pub games: Option<u64>,
    /// Extent of the check.
    pub depth: Depth,
    pub seed: Seed,
    /// Starts the rules.
    pub supervisor: Supervisor,
    pub format: Format,
    /// Folder for the calls of failed steps, if any.
    pub keep: Option<PathBuf>,
}

impl RulesRequest {
    /// Returns true if the check has a bound of time.
    fn is_brief(&self) -> bool {
        self.depth == Depth::Quick && self.games.is_none()
    }
}

/// Checks the rules of a game, and reports every step on `out`.
///
/// # Errors
///
/// [`Failure::Check`] if a step failed; others as the exit codes say.
pub fn run(request: &RulesRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let files = named(request)?;
    record::make_folder(request.keep.as_deref())?;
    let begun = match begin(&files, request) {
        Err(NotBegun::Usage(problem)) => return Err(Failure::Usage(problem)),
        Err(NotBegun::Failed(problem)) => Err(problem),
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
    let mut recorder = Recorder::new(report, Wanted::ALWAYS, None);
    let shown = follow(begun, &mut recorder)?;
    let record = recorder.finish();
    let summary = Summary {
        game: name.clone(),
        rules: files.id(),
        options,
        seed: request.seed.clone(),
        counts: record.counts(),
        history: shown.history,
        twins: shown.twins,
        cut: shown.cut,
        untested_seats: shown.untested_seats,
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
pub fn record(request: &RulesRequest, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let files = named(request)?;
    let failed = |name: &str, problem: &Problem| {
        Failure::Rules(format!("game `{name}`: {}", printable(&problem.note)))
    };
    let (check, mut instance) = begin(&files, request).map_err(|error| match error {
        NotBegun::Usage(problem) => Failure::Usage(problem),
        NotBegun::Failed(problem) => failed(&printable(files.named_as()), &problem),
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
    unfinished::write_new_for_all(file, text.as_bytes()).map_err(|error| {
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

fn named(request: &RulesRequest) -> Result<GameFiles, Failure> {
    GameFiles::named(&request.game).map_err(|error| Failure::Usage(error.to_string()))
}

/// Starts the rules, and begins a game to see whether they accept the options.
fn begin<'a>(
    files: &'a GameFiles,
    request: &RulesRequest,
) -> Result<(Check<'a>, Instance), NotBegun> {
    let source: Arc<dyn RulesSource> = files.source(request.supervisor)?.into();
    let about = described(&source).map_err(NotBegun::Failed)?;
    let words: Vec<&str> = request.options.split_ascii_whitespace().collect();
    if let Some(word) = words.iter().find(|word| word.starts_with("seats=")) {
        let problem = format!("`{}` is not a game option: use --seats", printable(word));
        return Err(NotBegun::Usage(problem));
    }
    let seats = request.seats.map(|seats| format!("seats={seats}"));
    let words: Vec<&str> = words.into_iter().chain(seats.as_deref()).collect();
    let spelt = about.spelt_options(&words.join(" "));
    let options = spelt.map_err(|error| NotBegun::Usage(error.to_string()))?;
    let seats = about.seats_of(&options).map_err(|error| NotBegun::Usage(error.to_string()))?;
    let games = match request.depth {
        Depth::Quick => QUICK,
        Depth::Thorough => THOROUGH,
    };
    let pace = if request.is_brief() { Pace::quick() } else { Pace::unbounded() };
    let (games, seed) = (request.games.unwrap_or(games), request.seed.clone());
    let supervisor = request.supervisor;
    let check = Check { files, supervisor, source, about, options, seats, games, seed, pace };
    let mut instance = check.start().map_err(NotBegun::Failed)?;
    match (instance.begin(&check.options), words.is_empty()) {
        (Ok(_), _) => Ok((check, instance)),
        (Err(problem), false) => Err(NotBegun::Usage(problem.note)),
        (Err(problem), true) => Err(NotBegun::Failed(problem)),
    }
}

fn follow(
    begun: Result<(Check<'_>, Instance), Problem>,
    report: &mut dyn Listener<StepName>,
) -> Result<Shown, Failure> {
    match begun {
        Err(problem) => {
            report.found(Step::failed(StepName::Starts, problem))?;
            Ok(Shown::default())
        }
        Ok((check, instance)) => {
            report.found(Step::passed(StepName::Starts, ""))?;
            check.run(instance, report)
        }
    }
}
