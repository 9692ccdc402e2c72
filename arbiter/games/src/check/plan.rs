//! `arbiter check --game GAME`: the check of the rules of a game of one's own.

use std::fs;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use conditions::failure::Failure;
use rules::Seed;
use rules::own::Source;
use sandbox::{Supervisor, unfinished};
use text::terminal::Colours;
use text::{counted, printable, system_error};

use super::output::{self, CheckSummary, Report};
use super::step::Problem;
use super::{
    Check, Follow, Instance, NotBegun, Pace, Shown, Status, Step, StepName, described, recorded,
    run,
};
use crate::game_files::GameFiles;

/// The random games of a quick check.
pub const QUICK: u64 = 60;

/// The random games of a thorough check.
pub const THOROUGH: u64 = 600;

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
    /// The seed of the games.
    pub seed: Seed,
    /// Starts the rules.
    pub supervisor: Supervisor,
    /// Format of the report.
    pub format: Format,
    /// Folder for the calls of failed steps, if any.
    pub keep: Option<PathBuf>,
}

/// Extent of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Less than 20 seconds, unless a single game takes longer.
    Quick,
    /// Ten times as many games and calls, and no bound of time.
    Thorough,
}

/// Format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    Text(Colours),
    /// Lines of JSON for programs.
    Json,
}

/// Checks the rules of a game, and reports every step on `out`.
///
/// # Errors
///
/// [`Failure::Check`] if a step failed; others as the exit codes say.
pub fn run(request: &RulesRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let files = named(request)?;
    if let Some(folder) = &request.keep {
        fs::create_dir_all(folder).map_err(|error| unkept(folder, &error))?;
    }
    let begun = match begin(&files, request) {
        Err(NotBegun::Usage(problem)) => return Err(Failure::Usage(problem)),
        Err(NotBegun::Failed(problem)) => Err(problem),
        Ok(begun) => Ok(begun),
    };
    let (name, options) = match &begun {
        Ok((check, _)) => (check.about.name.clone(), check.options.clone()),
        Err(_) => (printable(files.named_as()), String::new()),
    };
    if let Format::Text(_) = request.format {
        let carrier = files.id().carrier;
        let shown = if options.is_empty() { String::new() } else { format!(" {options},") };
        writeln!(out, "{name}:{shown} {carrier}, seed {}\n", request.seed).map_err(unwritten)?;
    }
    let (shown, steps) = {
        let report = Report::new(&mut *out, request.format)?;
        let mut kept = Kept { report, steps: Vec::new() };
        let shown = follow(begun, &mut kept).map_err(unwritten)?;
        (shown, kept.steps)
    };
    let count = |status| steps.iter().filter(|step: &&Step| step.status == status).count();
    let summary = CheckSummary {
        game: name.clone(),
        rules: files.id(),
        options,
        seed: request.seed.clone(),
        passed: count(Status::Failed) == 0,
        steps: steps.len(),
        failed: count(Status::Failed),
        skipped: count(Status::Skipped),
        warnings: count(Status::Warning),
        history: shown.history,
        twins: shown.twins,
        cut: shown.cut,
        untested_seats: shown.untested_seats,
    };
    output::summary(out, &summary, request).map_err(unwritten)?;
    let failed: Vec<&Step> = steps.iter().filter(|step| step.status == Status::Failed).collect();
    if let Some(folder) = &request.keep {
        let mut kept = failed.iter();
        kept.try_for_each(|step| keep(folder, step)).map_err(|error| unkept(folder, &error))?;
    }
    match failed.first() {
        None => Ok(()),
        Some(Step { name: step, note, .. }) => {
            let note = printable(note);
            let problem = format!("game `{name}` failed the check at `{step}`: {note}");
            Err(Failure::Check(problem))
        }
    }
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
    let text = recorded::written(iter::once(("about", about.as_str())).chain(exchanges));
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
    let source: Arc<dyn Source> = files.source(request.supervisor)?.into();
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
    let pace = match (request.depth, request.games) {
        (Depth::Quick, None) => Pace::quick(),
        _ => Pace::unbounded(),
    };
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
    report: &mut dyn Follow,
) -> io::Result<Shown> {
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

/// Keeps the steps on their way to the report.
struct Kept<'a> {
    report: Report<'a>,
    steps: Vec<Step>,
}

impl Follow for Kept<'_> {
    fn begins(&mut self, name: &str) {
        self.report.begins(name);
    }

    fn found(&mut self, step: Step) -> io::Result<()> {
        self.steps.push(step.clone());
        self.report.found(step)
    }
}

/// Writes the calls that show a fault, each game to its own file.
fn keep(folder: &Path, step: &Step) -> io::Result<()> {
    let stem = step.name.to_string().replace(' ', "-");
    step.calls.iter().try_for_each(|calls| {
        let name = format!("{stem}.{}", calls.title.replace(' ', "-"));
        let lines = calls.lines.iter().flat_map(|line| [line.as_str(), "\n"]);
        fs::write(folder.join(name), lines.collect::<String>())
    })
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
