//! Checks of many bots, several at once. A check that has ended is kept, and is not made again while the files of the
//! bot and the terms of the check are the same.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, io, thread};

use bot::copying::{self, FolderBounds};
use bot::{BotSpec, build};
use check::Format;
use check::bot::{CheckPlan, GameVariant, Step, StepName};
use contest::setup;
use contest::tournament::plan::GamePace;
use record::LastLog;
use rules::{Digest, GameKind, Seed};
use sandbox::{CancellationCheck, file, new_file};
use serde::{Deserialize, Serialize};
use series::Conditions;
use text::failure::Failure;
use text::system_error;

use crate::entry::submission_folder::NamedBot;

/// The number of games that a bot plays in its check.
const GAMES: u64 = 4;

#[derive(Debug)]
pub struct CheckTerms<'a> {
    pub kind: &'a GameKind,
    /// Its options, in their one spelling.
    pub options: &'a str,
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

/// The result of a check, also as it is kept on the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// The problem with the bot, in one line; nothing if it passes.
    pub problem: Option<String>,
    /// The check as text.
    pub report: String,
    /// The pace of its games, if it played them.
    pub pace: Option<GamePace>,
    /// Time of the check; none if it was made before.
    #[serde(skip)]
    pub time: Option<Duration>,
}

impl CheckTerms<'_> {
    /// Builds and checks every bot. The results are in the order of the bots, the news as they come; none if the checks were
    /// stopped.
    ///
    /// # Errors
    ///
    /// Fails if the referee or the machine fails; the checks that had ended by then are kept.
    pub fn run(
        &self,
        bots: &[&NamedBot],
        hear: &mut dyn FnMut(&WorkEvent<&CheckResult>),
    ) -> Result<Option<Vec<CheckResult>>, Failure> {
        let mut checked: Vec<Option<CheckResult>> = bots.iter().map(|_| None).collect();
        let mut failure = None;
        let fails = AtomicBool::new(false);
        let goes_on = || !self.stop.load(Ordering::SeqCst) && !fails.load(Ordering::SeqCst);
        // Every bot is asked the same, and none is made for it.
        let seed = setup::seed_or_drawn(None)?;
        let work = |bot: &&NamedBot| self.check_bot(bot, &seed);
        let started = run_parallel(bots, self.workers, &goes_on, &work, &mut |news| match news {
            WorkEvent::Begins(place) => hear(&WorkEvent::Begins(place)),
            WorkEvent::Ends(place, Ok(found)) => {
                hear(&WorkEvent::Ends(place, &found));
                checked[place] = Some(found);
            }
            WorkEvent::Ends(_, Err(error)) => {
                fails.store(true, Ordering::SeqCst);
                failure.get_or_insert(error);
            }
        });
        if self.stop.load(Ordering::SeqCst) {
            return Ok(None);
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if let Err(error) = started {
            let problem = format!("cannot start a thread: {}", system_error(error));
            return Err(Failure::Ours(problem));
        }
        Ok(Some(checked.into_iter().flatten().collect()))
    }

    /// Builds and checks a bot, unless that was done before.
    fn check_bot(&self, bot: &NamedBot, seed: &Seed) -> Result<CheckResult, Failure> {
        let folder = bot.spec.folder().map(|folder| folder.path.as_path());
        let before = folder.and_then(|folder| self.key(bot, folder));
        if let Some(known) = self.kept.zip(before).and_then(|(kept, key)| kept.find(key)) {
            return Ok(known);
        }
        let files = folder.and_then(files);
        let (checked, step) = self.run_check(bot, seed)?;
        // A machine on which a compiler or an interpreter is missing may have it the next time.
        let depends_on_machine = matches!(step, Some(StepName::Builds | StepName::Starts));
        if let Some(kept) = self.kept.filter(|_| !depends_on_machine) {
            // A build adds files. If one that was there is another now, nothing is known of what was checked.
            let after = folder.and_then(|folder| self.key(bot, folder));
            let is_same = files.zip(folder.and_then(self::files)).is_some_and(|(before, after)| {
                before.iter().all(|(path, digest)| after.get(path) == Some(digest))
            });
            let keys = before.into_iter().chain(after).filter(|_| is_same);
            keys.for_each(|key| kept.keep(key, &checked));
        }
        Ok(checked)
    }

    /// Returns the digest of everything on which the result of a check depends, except the machine.
    fn key(&self, bot: &NamedBot, folder: &Path) -> Option<Digest> {
        let contents = copying::digest(folder, FolderBounds::DEFAULT).ok()?;
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
    fn run_check(
        &self,
        bot: &NamedBot,
        seed: &Seed,
    ) -> Result<(CheckResult, Option<StepName>), Failure> {
        let begun = Instant::now();
        let is_wanted = || !self.stop.load(Ordering::SeqCst);
        let setting = GameVariant { kind: self.kind.clone(), options: self.options.to_owned() };
        let plan = CheckPlan {
            kept: self.hidden.to_vec(),
            wanted: CancellationCheck::as_long_as(&is_wanted),
            ..entry_check((&bot.name, &bot.spec), setting, self.conditions, seed.clone())
        };
        let mut report = Vec::new();
        let record = plan.run(Format::Report, &mut report)?;
        let failure = record.failures.into_iter().next();
        let step = failure.as_ref().map(|step| step.name.clone());
        let problem = failure.map(problem);
        let time = Some(begun.elapsed());
        let report = String::from_utf8_lossy(&report).into_owned();
        Ok((CheckResult { problem, report, pace: record.pace, time }, step))
    }
}

pub(super) fn entry_check<'a>(
    (name, bot): (&str, &BotSpec),
    setting: GameVariant,
    conditions: &Conditions,
    seed: Seed,
) -> CheckPlan<'a> {
    CheckPlan {
        bot: bot.clone(),
        name: name.to_owned(),
        settings: vec![setting],
        games: GAMES,
        seed,
        conditions: conditions.clone(),
        kept: Vec::new(),
        build_time: build::TIME,
        wanted: CancellationCheck::ALWAYS,
        puzzles: None,
    }
}

fn files(folder: &Path) -> Option<BTreeMap<PathBuf, Digest>> {
    copying::files(folder, FolderBounds::DEFAULT).ok()
}

pub(super) fn problem(Step { name, note, evidence, .. }: Step) -> String {
    let hint = evidence.and_then(|it| it.hint).map(|hint| format!("; {hint}"));
    format!("failed the check at `{name}`: {note}{}", hint.unwrap_or_default())
}

/// The most results that are kept; the oldest ones go.
const MOST: usize = 2000;

/// The longest result, in bytes.
const LONGEST: u64 = 1 << 20;

/// The time for which a result is kept: interpreters and compilers of the machine change, too.
const FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Results of checks, kept in a folder of one user.
///
/// They never lie beside the bots that were handed in: there, the author of a bot might write its result. They are a
/// convenience: a bot is checked again if its result cannot be written or read.
#[derive(Debug)]
pub struct CheckCache {
    folder: PathBuf,
}

impl CheckCache {
    /// The results of this user; none without a home, or if they cannot be kept.
    pub fn of_user() -> Option<CheckCache> {
        let folder = LastLog::of_user()?.folder().join("checks");
        file::private_folder().recursive(true).create(&folder).ok()?;
        let kept = CheckCache { folder };
        kept.remove_oldest();
        Some(kept)
    }

    pub(super) fn find(&self, key: Digest) -> Option<CheckResult> {
        serde_json::from_str(&file::text(&self.path(key), LONGEST).ok()?).ok()
    }

    pub(super) fn keep(&self, key: Digest, check: &CheckResult) {
        let Ok(text) = serde_json::to_string(check) else { return };
        if text.len() as u64 <= LONGEST {
            // Otherwise the check is made again.
            let _ = new_file::replace(&self.path(key), text.as_bytes());
        }
    }

    fn path(&self, key: Digest) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    /// Removes what is too old, and the oldest of too many.
    fn remove_oldest(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let written =
            |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
        let mut all: Vec<(SystemTime, PathBuf)> = entries.flatten().filter_map(written).collect();
        all.sort();
        let many = all.len().saturating_sub(MOST);
        // A time in the future is one of a clock that was set back.
        let is_old = |time: SystemTime| time.elapsed().is_ok_and(|age| age > FOR);
        for (place, (time, path)) in all.iter().enumerate() {
            if place < many || is_old(*time) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

#[derive(Debug)]
pub enum WorkEvent<R> {
    Begins(usize),
    /// It ends, with this result.
    Ends(usize, R),
}

/// Works on things in their order, `workers` at once. The news come to the thread that calls. Nothing more begins
/// once `goes_on` says so.
///
/// # Errors
///
/// Fails if a thread cannot be started; what was begun is brought to its end.
pub fn run_parallel<T: Sync, R: Send>(
    things: &[T],
    workers: NonZeroUsize,
    goes_on: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(&T) -> R + Sync),
    hear: &mut dyn FnMut(WorkEvent<R>),
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (tell, news) = channel();
        let mut started = Ok(());
        for _ in 0..workers.get().min(things.len()) {
            let (tell, next) = (tell.clone(), &next);
            let works = move || {
                while goes_on() {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(place) else { break };
                    let _ = tell.send(WorkEvent::Begins(place));
                    let _ = tell.send(WorkEvent::Ends(place, work(thing)));
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, works) {
                next.store(things.len(), Ordering::Relaxed);
                started = Err(error);
                break;
            }
        }
        drop(tell);
        news.into_iter().for_each(hear);
        started
    })
}

/// Does the same as [`run_parallel`], and hears of the results in the order of the things. If it ends early, the results
/// that are there come in their order, too.
///
/// # Errors
///
/// Fails if a thread cannot be started; what was begun is brought to its end.
pub fn run_parallel_in_order<T: Sync, R: Send>(
    things: &[T],
    workers: NonZeroUsize,
    goes_on: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(&T) -> R + Sync),
    hear: &mut dyn FnMut(usize, R),
) -> io::Result<()> {
    let (mut next, mut early) = (0, BTreeMap::new());
    let started = run_parallel(things, workers, goes_on, work, &mut |news| {
        let WorkEvent::Ends(place, result) = news else { return };
        early.insert(place, result);
        while let Some(result) = early.remove(&next) {
            hear(next, result);
            next += 1;
        }
    });
    early.into_iter().for_each(|(place, result)| hear(place, result));
    started
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKERS: NonZeroUsize = NonZeroUsize::new(4).expect("it is not 0");

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let things: Vec<u64> = (0..40).collect();
        let mut heard = Vec::new();
        let slow = |thing: &u64| {
            thread::sleep(Duration::from_millis(7 - thing % 7));
            thing * 2
        };
        run_parallel_in_order(&things, WORKERS, &|| true, &slow, &mut |place, result| {
            heard.push((place, result));
        })
        .expect("threads");
        let expected: Vec<(usize, u64)> = things.iter().map(|it| (*it as usize, it * 2)).collect();
        assert_eq!(heard, expected);
    }

    #[test]
    fn nothing_begins_once_it_does_not_go_on_and_what_has_ended_is_heard() {
        let things: Vec<usize> = (0..40).collect();
        let begun = AtomicUsize::new(0);
        let mut heard = Vec::new();
        let goes_on = || begun.load(Ordering::SeqCst) < 10;
        let work = |thing: &usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            *thing
        };
        run_parallel_in_order(&things, WORKERS, &goes_on, &work, &mut |place, result| {
            heard.push((place, result));
        })
        .expect("threads");
        assert!((10..10 + WORKERS.get()).contains(&heard.len()), "{heard:?}");
        assert!(heard.is_sorted(), "{heard:?}");
    }
}
