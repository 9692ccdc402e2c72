//! Checks of many bots, several at once. A check that has ended is kept, and is not made again while the files of the
//! bot and the terms of the check are the same.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rules::{Digest, GameKind, Seed};
use text::system_error;

use crate::entry::check_cache::{CachedCheck, CheckCache};
use crate::entry::parallel_checks::{CheckProgress, run_parallel};
use crate::entry::submission_folder::NamedBot;
use bot::build;
use bot::copying::Bounds;
use bot::copying::contents;
use check::Format;
use check::bot::plan::CheckPlan;
use check::bot::{Setting, Step, StepName};
use contest::setup;
use contest::tournament::estimate::GamePace;
use sandbox::Wanted;
use series::Conditions;
use text::failure::Failure;

/// The number of games that a bot plays in its check.
const GAMES: u64 = 4;

/// The terms of the checks.
#[derive(Debug)]
pub struct CheckTerms<'a> {
    /// The game.
    pub kind: &'a GameKind,
    /// Its options, in their one spelling.
    pub options: &'a str,
    /// Conditions of play.
    pub conditions: &'a Conditions,
    /// Files hidden from the bots.
    pub hidden: &'a [PathBuf],
    /// Number of checks at once.
    pub workers: NonZeroUsize,
    /// Results of former checks, if they are kept.
    pub kept: Option<&'a CheckCache>,
    /// Once set, the checks end.
    pub stop: &'a AtomicBool,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckResult {
    /// The problem with the bot, in one line; nothing if it passes.
    pub problem: Option<String>,
    /// The check as text.
    pub report: Vec<u8>,
    /// The pace of its games, if it played them.
    pub pace: Option<GamePace>,
    /// Time of the check; none if it was made before.
    pub time: Option<Duration>,
}

/// Reason why not all bots were checked.
#[derive(Debug)]
pub enum CheckError {
    /// They were stopped.
    Stopped,
    /// The referee or the machine failed.
    Failed(Failure),
}

impl CheckTerms<'_> {
    /// Builds and checks every bot. The results are in the order of the bots, the news as they come.
    ///
    /// # Errors
    ///
    /// [`CheckError`]; the checks that had ended by then are kept.
    pub fn run(
        &self,
        bots: &[&NamedBot],
        hear: &mut dyn FnMut(&CheckProgress<&CheckResult>),
    ) -> Result<Vec<CheckResult>, CheckError> {
        let mut checked: Vec<Option<CheckResult>> = bots.iter().map(|_| None).collect();
        let mut failure = None;
        let fails = AtomicBool::new(false);
        let goes_on = || !self.stop.load(Ordering::SeqCst) && !fails.load(Ordering::SeqCst);
        // Every bot is asked the same, and none is made for it.
        let seed = setup::seed_or_drawn(None).map_err(CheckError::Failed)?;
        let work = |bot: &&NamedBot| self.one(bot, &seed);
        let started = run_parallel(bots, self.workers, &goes_on, &work, &mut |news| match news {
            CheckProgress::Begins(place) => hear(&CheckProgress::Begins(place)),
            CheckProgress::Ends(place, Ok(found)) => {
                hear(&CheckProgress::Ends(place, &found));
                checked[place] = Some(found);
            }
            CheckProgress::Ends(_, Err(error)) => {
                fails.store(true, Ordering::SeqCst);
                failure.get_or_insert(error);
            }
        });
        if self.stop.load(Ordering::SeqCst) {
            return Err(CheckError::Stopped);
        }
        if let Some(failure) = failure {
            return Err(CheckError::Failed(failure));
        }
        if let Err(error) = started {
            let problem = format!("cannot start a thread: {}", system_error(error));
            return Err(CheckError::Failed(Failure::Ours(problem)));
        }
        Ok(checked.into_iter().flatten().collect())
    }

    /// Builds and checks a bot, unless that was done before.
    fn one(&self, bot: &NamedBot, seed: &Seed) -> Result<CheckResult, Failure> {
        let folder = bot.spec.folder().map(|folder| folder.path.as_path());
        let before = folder.and_then(|folder| self.key(bot, folder));
        if let Some(kept) = self.kept.zip(before).and_then(|(kept, key)| kept.find(key)) {
            let CachedCheck { problem, report, pace } = kept;
            return Ok(CheckResult { problem, report: report.into_bytes(), pace, time: None });
        }
        let files = folder.and_then(files);
        let (checked, step) = self.made(bot, seed)?;
        // A machine on which a compiler or an interpreter is missing may have it the next time.
        let depends_on_machine = matches!(step, Some(StepName::Builds | StepName::Starts));
        if let Some(kept) = self.kept.filter(|_| !depends_on_machine) {
            // A build adds files. If one that was there is another now, nothing is known of what was checked.
            let after = folder.and_then(|folder| self.key(bot, folder));
            let is_same = files.zip(folder.and_then(self::files)).is_some_and(|(before, after)| {
                before.iter().all(|(path, digest)| after.get(path) == Some(digest))
            });
            let check = CachedCheck {
                problem: checked.problem.clone(),
                report: String::from_utf8_lossy(&checked.report).into_owned(),
                pace: checked.pace,
            };
            let keys = before.into_iter().chain(after).filter(|_| is_same);
            keys.for_each(|key| kept.keep(key, &check));
        }
        Ok(checked)
    }

    /// Returns the digest of everything on which the result of a check depends, except the machine.
    fn key(&self, bot: &NamedBot, folder: &Path) -> Option<Digest> {
        let contents = contents::digest(folder, Bounds::DEFAULT).ok()?;
        let (CheckTerms { kind, options, conditions, .. }, name) = (self, &bot.name);
        let Conditions { treatment, isolation, limits, .. } = conditions;
        let limits = limits.for_bot(name, &bot.spec);
        let rules = kind.rules_id();
        let terms =
            format!("{kind} {rules:?} {options} {GAMES} {treatment:?} {isolation:?} {limits:?}");
        let version = env!("CARGO_PKG_VERSION");
        Some(Digest::hash(format!("{version} {name} {contents} {terms}").as_bytes()))
    }

    /// Makes a check, and returns the step at which it failed first.
    fn made(
        &self,
        bot: &NamedBot,
        seed: &Seed,
    ) -> Result<(CheckResult, Option<StepName>), Failure> {
        let begun = Instant::now();
        let is_wanted = || !self.stop.load(Ordering::SeqCst);
        let plan = CheckPlan {
            bot: bot.spec.clone(),
            name: bot.name.clone(),
            settings: vec![Setting { kind: self.kind.clone(), options: self.options.to_owned() }],
            games: GAMES,
            seed: seed.clone(),
            conditions: self.conditions.clone(),
            kept: self.hidden.to_vec(),
            build_time: build::TIME,
            wanted: Wanted::as_long_as(&is_wanted),
            puzzles: None,
        };
        let mut report = Vec::new();
        let record = plan.run(Format::Report, &mut report)?;
        let failure = record.failures.into_iter().next();
        let step = failure.as_ref().map(|step| step.name.clone());
        let problem = failure.map(problem);
        let time = Some(begun.elapsed());
        Ok((CheckResult { problem, report, pace: record.pace, time }, step))
    }
}

/// The digests of the files of a folder, by their paths in it.
fn files(folder: &Path) -> Option<BTreeMap<PathBuf, Digest>> {
    contents::files(folder, Bounds::DEFAULT).ok()
}

/// Words the failure of a check.
fn problem(Step { name, note, evidence, .. }: Step) -> String {
    let hint = evidence.and_then(|it| it.hint).map(|hint| format!("; {hint}"));
    format!("failed the check at `{name}`: {note}{}", hint.unwrap_or_default())
}
