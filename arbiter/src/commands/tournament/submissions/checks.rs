//! Checks of many bots, several at once.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use rules::Seed;
use text::system_error;

use crate::commands::tournament::Shown;
use conditions::bot::build;
use conditions::bot::is_same_name;
use conditions::failure::Failure;
use contest::check::plan::{CheckPlan, Format};
use contest::check::{Setting, Step};
use contest::entry::submitted::{NamedBot, Submission};
use contest::tournament::plan_file::Outline;
use sandbox::Wanted;

/// The number of games that a bot plays in its check.
const GAMES: u64 = 4;

/// The time between updates of the line on a terminal while no check ends.
const TICK: Duration = Duration::from_millis(500);

/// The result of a check.
pub(super) struct Checked {
    /// The problem with the bot, in one line; nothing if it passes.
    pub(super) problem: Option<String>,
    /// The check as text.
    pub(super) report: Vec<u8>,
}

/// News of a worker.
enum News {
    Begins(usize),
    Ends(usize, Result<Checked, Failure>),
}

/// Checks every submission that is a bot with a free name, several at once. The results are in the order of
/// the submissions. No more checks begin once the referee or the machine fails.
pub(super) fn check(
    submissions: &[Submission],
    outline: &Outline,
    kept: &[PathBuf],
    workers: NonZeroUsize,
    shows: Shown,
) -> Result<Vec<Option<Checked>>, Failure> {
    let is_taken = |name: &str| outline.names.iter().any(|named| is_same_name(named, name));
    let bots: Vec<(usize, &NamedBot)> = submissions
        .iter()
        .enumerate()
        .filter_map(|(place, submission)| Some((place, submission.bot.as_ref().ok()?)))
        .filter(|(_, bot)| !is_taken(&bot.name))
        .collect();
    let mut line = CheckLine::new(bots.len(), shows)?;
    let mut checked: Vec<Option<Checked>> = submissions.iter().map(|_| None).collect();
    let mut failure = None;
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (tell, news) = channel();
        for _ in 0..workers.get().min(bots.len()) {
            let (tell, next, bots) = (tell.clone(), &next, &bots);
            let work = move || {
                while let Some((place, bot)) = bots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if tell.send(News::Begins(*place)).is_err() {
                        break;
                    }
                    let found = check_one(bot, outline, kept);
                    if tell.send(News::Ends(*place, found)).is_err() {
                        break;
                    }
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                failure =
                    Some(Failure::Ours(format!("cannot start a thread: {}", system_error(error))));
                next.store(bots.len(), Ordering::Relaxed);
                break;
            }
        }
        drop(tell);
        for news in news {
            match news {
                News::Begins(place) => line.begins(place, &submissions[place]),
                News::Ends(place, Ok(found)) => {
                    line.ends(place, found.problem.is_some());
                    checked[place] = Some(found);
                }
                News::Ends(place, Err(error)) => {
                    line.ends(place, true);
                    next.store(bots.len(), Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
        }
    });
    line.clear();
    failure.map_or(Ok(checked), Err)
}

/// Builds and checks a bot under the conditions of the tournament.
fn check_one(bot: &NamedBot, outline: &Outline, kept: &[PathBuf]) -> Result<Checked, Failure> {
    let Outline { kind, options, conditions, .. } = outline;
    let plan = CheckPlan {
        bot: bot.spec.clone(),
        name: bot.name.clone(),
        settings: vec![Setting { kind: kind.clone(), options: options.clone() }],
        games: GAMES,
        // Every bot is asked the same, at every time.
        seed: Seed([0; 32]),
        conditions: conditions.clone(),
        kept: kept.to_vec(),
        build_time: build::TIME,
        wanted: Wanted::ALWAYS,
        puzzles: None,
    };
    let mut report = Vec::new();
    let tally = plan.run(Format::Report, &mut report)?;
    let problem = |Step { name, note, evidence, .. }: Step| {
        let hint = evidence.and_then(|it| it.hint).map(|hint| format!("; {hint}"));
        format!("does not pass its check, first at `{name}`: {note}{}", hint.unwrap_or_default())
    };
    Ok(Checked { problem: tally.first_failure.map(problem), report })
}

/// The bots that are being checked, on a terminal only.
struct CheckLine {
    bar: ProgressBar,
    bots: usize,
    begun: usize,
    failed: usize,
    /// Their places and names.
    busy: Vec<(usize, String)>,
}

impl CheckLine {
    fn new(bots: usize, shows: Shown) -> Result<CheckLine, Failure> {
        // The library draws nothing if standard error is not a terminal.
        let bar = match shows {
            Shown::Progress => ProgressBar::new_spinner(),
            Shown::Json | Shown::Nothing => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template("{wide_msg}  {elapsed}")
            .map_err(|error| Failure::Ours(format!("cannot draw a line: {error}")))?;
        let bar = bar.with_style(style);
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Ok(CheckLine { bar, bots, begun: 0, failed: 0, busy: Vec::new() })
    }

    fn begins(&mut self, place: usize, submission: &Submission) {
        self.begun += 1;
        let name = submission.bot.as_ref().map_or_else(|_| String::new(), |bot| bot.name.clone());
        self.busy.push((place, name));
        self.draw();
    }

    fn ends(&mut self, place: usize, fails: bool) {
        self.failed += usize::from(fails);
        self.busy.retain(|(busy, _)| *busy != place);
        self.draw();
    }

    fn draw(&self) {
        let names: Vec<&str> = self.busy.iter().map(|(_, name)| name.as_str()).collect();
        let (begun, bots, names) = (self.begun, self.bots, names.join(", "));
        let failed = match self.failed {
            0 => String::new(),
            count => format!(" ({count} failed)"),
        };
        self.bar.set_message(format!("checking {begun} of {bots}{failed}: {names}"));
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
