//! `arbiter league add`: bots enter a league.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bot::{BotSpec, ConfusableNames, is_name, is_same_name, letter_problem};
use clap::Args;
use contest::setup;
use contest::stop::StopFlag;
use contest::tournament::folder::Lock;
use jiff::Timestamp;
use league::audit::{self, AuditLine};
use league::entry::checks::run_parallel_in_order;
use league::entry::{Candidate, EntryResult, ReportSoFar};
use league::folder::LeagueFolder;
use league::forget::{self, Erasure, RemainingMentions};
use league::{League, settings};
use sandbox::CancellationCheck;
use serde_json::json;
use text::failure::Failure;
use text::terminal::say;
use text::{counted, printable, system_error};

use crate::commands::{cores, stop_on_signals};
use crate::options::{at_once, bots, number};

/// The longest wait for other bots that are entering, which takes a build and a check.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

#[derive(Debug, Args)]
#[command(
    after_help = "For BOT, see `arbiter match --help`. Bot folders are copied into the league.

Example: arbiter league add class ./anna \"ben=python3 ben.py\" greedy"
)]
pub(super) struct AddArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Bots to add
    #[arg(value_name = "BOT", required = true)]
    bots: Vec<String>,
    /// Bots to build and check in parallel [default: one per core]
    #[arg(long, value_name = "N", value_parser = at_once("a number of bots"))]
    workers: Option<NonZeroUsize>,
}

impl AddArgs {
    /// Enters bots into a league in their order: each is copied, built and checked first, several at once. If one does not
    /// enter, the others do. The failure is that of the first one; the others are shown.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let league = folder.read()?;
        let options = settings::options(&folder, &league);
        let bots = setup::opened(&bots(&self.bots)?, league.kind(), &options)?;
        let names = bot::names(&bots)?;
        if let Some(name) = names.iter().find(|name| !is_name(name)) {
            return Err(Failure::Usage(format!(
                "two bots are named `{}`: rename one with NAME=COMMAND",
                plain(name)
            )));
        }
        warn_of_look_alikes(&league, &names);
        let _guard = setup::guard()?;
        let stop = stop_on_signals(|| {})?;
        let _entering = hold_entries(&folder)?;
        let bots: Vec<(&String, BotSpec)> = names.iter().zip(bots).collect();
        let mut failures: BTreeMap<usize, Failure> = BTreeMap::new();
        let mut written = Ok(());
        let is_wanted = || !stop.set().load(Ordering::SeqCst);
        let check = |(name, bot): &(&String, BotSpec)| {
            let wanted = CancellationCheck::as_long_as(&is_wanted);
            Candidate::checked(&folder, name, bot.clone(), wanted, ReportSoFar::default())
        };
        let workers = self.workers.unwrap_or_else(cores);
        let started =
            run_parallel_in_order(&bots, workers, &is_wanted, &check, &mut |place, candidate| {
                match candidate.and_then(|it| it.settle(None)) {
                    Ok(EntryResult::Entered(entered)) if written.is_ok() => {
                        let bot = entered.bot.to_string();
                        audit::add(&folder, audit::COMMAND, "add", &bot);
                        written = writeln!(out, "{entered}").and_then(|()| out.flush());
                    }
                    Ok(EntryResult::Entered(_)) => {}
                    Ok(EntryResult::Refused(refused)) => {
                        failures.insert(place, refused.into_failure());
                    }
                    Err(failure) => {
                        failures.insert(place, failure);
                    }
                }
            });
        written?;
        if !is_wanted() {
            return Err(Failure::Interrupted {
                problem: "stopped; only the bots listed above have entered".to_owned(),
                code: stop.exit_code(),
            });
        }
        started.map_err(|error| {
            Failure::Ours(format!("cannot start a thread: {}", system_error(error)))
        })?;
        let mut failures = failures.into_values();
        let first = failures.next();
        failures.for_each(say);
        first.map_or(Ok(()), Err)
    }
}

/// Warns of new names that people would take for others. The organiser decides.
fn warn_of_look_alikes(league: &League, names: &[String]) {
    let mut taken =
        ConfusableNames::new(league.members().iter().map(|it| it.entry.bot.bot.as_str()));
    for name in names.iter().filter(|name| league.newest(name).is_none()) {
        match (taken.of_name(name), letter_problem(name)) {
            // One that differs in letter case alone is refused.
            (Some(twin), _) if is_same_name(twin, name) => {}
            (Some(twin), _) => say(format!("warning: `{name}` looks like `{twin}`")),
            (None, Some(problem)) => say(format!("warning: the name `{name}` {problem}")),
            (None, None) => {}
        }
        taken.add(name);
    }
}

/// Waits until no other bots are entering, unless the program is asked to stop.
fn hold_entries(folder: &LeagueFolder) -> Result<Lock, Failure> {
    let begun = Instant::now();
    let mut is_told = false;
    let held = folder.hold_entries(&mut || {
        let waits = begun.elapsed() < PATIENCE && StopFlag::requested().is_none();
        if waits && !is_told {
            say("note: other bots are being checked; waiting up to 30 minutes");
            is_told = true;
        }
        waits
    });
    Ok(held?)
}

/// A name without the number that distinguishes it.
fn plain(name: &str) -> &str {
    name.split_once('#').map_or(name, |(name, _)| name)
}

#[derive(Debug, Args)]
#[command(
    after_help = "Replaces the real name with a pseudonym, and removes tokens, members, submitted files, \
reports, test games and standard error. The log stays unchanged, so it still verifies; it keeps the name of the bot, \
its moves and the organisers' reasons. Backups and published pages are not changed. Retire the bot first.

Example: arbiter league forget class anna"
)]
pub(super) struct ForgetArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Participant
    #[arg(value_name = "NAME")]
    name: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ForgetArgs {
    /// Forgets a participant, and says what the proof still holds.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let forgotten = forget::forget(&folder, &self.name)?;
        let Erasure { name, pseudonym, submissions, test_games, rejections, texts, proof, .. } =
            &forgotten;
        audit::add(&folder, audit::COMMAND, "forget", &format!("{name}: {pseudonym}"));
        if self.json {
            return Ok(writeln!(out, "{}", json!({ "forgotten": forgotten }))?);
        }
        let removed = [
            counted(*submissions, "submission", "submissions"),
            counted(*test_games, "test game", "test games"),
            counted(*rejections, "rejection", "rejections"),
            counted(*texts, "text on standard error", "texts on standard error"),
        ];
        writeln!(out, "{name}: now {pseudonym}; removed files of {}", removed.join(", "))?;
        tell(proof, out)
    }
}

/// Says what the proof still holds.
fn tell(proof: &RemainingMentions, out: &mut dyn Write) -> Result<(), Failure> {
    let RemainingMentions { versions, rounds, reasons, copies } = proof;
    let listed = |all: Vec<String>| all.join(", ");
    if versions.is_empty() && reasons.is_empty() {
        return Ok(writeln!(out, "the proof contains nothing about this participant")?);
    }
    let names =
        |bots: &[league::BotVersion]| listed(bots.iter().map(ToString::to_string).collect());
    if !versions.is_empty() {
        writeln!(out, "in the proof: names, commands and digests of {}", names(versions))?;
    }
    if !rounds.is_empty() {
        let rounds = listed(rounds.iter().map(ToString::to_string).collect());
        writeln!(out, "in the proof: moves in rounds {rounds}")?;
    }
    for reason in reasons {
        writeln!(out, "in the proof: a reason: {}", printable(reason))?;
    }
    if !copies.is_empty() {
        writeln!(out, "kept: the copies of {}", names(copies))?;
    }
    Ok(())
}

#[derive(Debug, Args)]
#[command(
    after_help = "Shows who took each action: the name of an organiser's token, a participant, or a command.

Example: arbiter league audit class --last 20"
)]
pub(super) struct AuditArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of actions
    #[arg(long, value_name = "N", default_value = "100", value_parser = number::<usize>("a number of actions", 1..))]
    last: usize,
    /// Print JSON, one line per action
    #[arg(long)]
    json: bool,
}

impl AuditArgs {
    /// Writes the last actions of organisers, the newest last.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let read = audit::latest(&folder, self.last);
        let actions = read.map_err(|error| Failure::Ours(system_error(error)))?;
        let calendar = folder.calendar()?;
        for action in actions.iter().rev() {
            let AuditLine { at, by, action: name, what } = action;
            if self.json {
                writeln!(out, "{}", json!({ "action": action }))?;
                continue;
            }
            let at = calendar.time_text(Timestamp::from_second(*at).unwrap_or_default());
            let [by, name, what] = [by, name, what].map(|text| printable(text));
            writeln!(out, "{at}  {by}  {name}: {what}")?;
        }
        if actions.is_empty() && !self.json {
            writeln!(out, "no actions yet")?;
        }
        Ok(())
    }
}
