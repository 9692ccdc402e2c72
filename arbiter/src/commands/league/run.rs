//! `arbiter league run`: plays rounds in turn.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::commands::league::rounds::{
    ATTENTION, AnnounceResult, BotStartError, RoundAnnouncer, RoundSharding, stays_open,
    unchanged_contender, withdraw,
};
use crate::commands::tournament::{
    ReadyBots, RunOptions, TournamentOutput, TournamentRunArgs, failed, seed_of,
};
use crate::commands::usage_of;
use crate::options::number;
use contest::playing::series_runner::{ContestState, SeriesEnd, SeriesError, SeriesEvent, Watcher};
use contest::setup;
use contest::stop::StopFlag;
use contest::tournament::folder::TournamentFolder;
use contest::tournament::journal::ResumeError;
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::ReadPurpose;
use contest::tournament::run::{RunError, TournamentRun};
use contest::tournament::sharded::{Sharding, survey};
use contest::tournament::{DealStop, read};
use league::calendar::Calendar;
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::line::{EnterLine, RoundAbort, RoundEndLine, RoundLine};
use league::pause::PauseReason;
use league::round_folder::{end, ended, so_far, unreadable};
use league::stage::{ForfeitRule, Stage, StageTable};
use league::stage_request::{self, BROKEN_OFF};
use league::{BotVersion, League, audit, choice, output, round_folder, stage};
use league::{calendar, events};
use sandbox::duration;
use standings::{Standings, output as report};
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The order of two bots is sure if the first is better with this probability.
const SURE: f64 = 0.95;
/// The time between two looks at the calendar in quiet hours.
const LOOK: Duration = Duration::from_secs(5);
/// The time between two lines about a round where there is no terminal, and the time until the first one.
const LINES: Duration = Duration::from_secs(60);
const FIRST_LINE: Duration = Duration::from_secs(10);

/// Conditions that end the run, as soon as one of them is true.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct StopConditions {
    /// This number of games was played.
    games: Option<NonZeroU64>,
    /// This time has gone by.
    time: Option<Duration>,
    /// The order of the bots that play is sure, where that is asked for.
    sure: bool,
    /// The open stage is over, where that is asked for.
    stage: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Ctrl-C stops after the current games; the next run resumes the round.

Examples:
  arbiter league run class --games 1000
  arbiter league run class --until-sure --for 2h")]
pub(super) struct RunLeagueArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Stop after N games; the last round is shortened to fit, unless it belongs to a stage
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: Option<u64>,
    /// Stop after a duration, such as 90s or 2h, once the current deals are played; the round ends there, unless it belongs
    /// to a stage
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Stop when the order of all bots is decided at 95% confidence
    #[arg(long)]
    until_sure: bool,
    /// Stop at the end of the current stage
    #[arg(long)]
    stage: bool,
    /// Wait for participants' bots while only house bots are active, instead of stopping
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    run: TournamentRunArgs,
}

impl RunLeagueArgs {
    /// Plays a league. If that fails, the games played so far are kept.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let _held = folder.hold()?;
        let _guard = setup::guard()?;
        let stop = crate::commands::stop_on_signals(|| {})?;
        let league = folder.read()?;
        if self.stage && league.open_stage().is_none() {
            let folder = word(folder.path());
            let problem = format!(
                "no stage is in progress: announce one with `arbiter league stage {folder}`"
            );
            return Err(Failure::Usage(problem));
        }
        let mut index = LeagueIndex::open(&league, &folder)?;
        events::add_lost(&folder, &league, Some(&index))?;
        let options = self.run.options();
        let until = StopConditions {
            games: self.games.and_then(NonZeroU64::new),
            time: self.time,
            sure: self.until_sure,
            stage: self.stage,
        };
        options.warn_of_many_workers();
        let mut playing = LeagueRun {
            announcer: RoundAnnouncer::new(folder.clone()),
            folder,
            options,
            until,
            stop,
            begun: Instant::now(),
            games: 0,
            halt: AtomicBool::new(false),
            late: AtomicBool::new(false),
            calendar: Calendar::default(),
            alone: match self.wait {
                true => IdleRunAction::Wait,
                false if self.games.is_some() || self.until_sure => IdleRunAction::Play,
                false => IdleRunAction::Stop,
            },
            told: None,
        };
        let begins = counted(league.rounds().len(), "round", "rounds");
        audit::add(&playing.folder, audit::COMMAND, "run", &format!("begins after {begins}"));
        let played = playing.play(league, &mut index, out);
        let games = counted(playing.games, "game", "games");
        let why = played.as_ref().err().map(|why| format!(": {why}")).unwrap_or_default();
        let done = format!("ends after {games}{why}");
        audit::add(&playing.folder, audit::COMMAND, "run", &done);
        let league = played?;
        if playing.is_stopped() {
            let path = word(playing.folder.path());
            return Err(Failure::Interrupted {
                problem: format!("stopped; continue with `arbiter league run {path}`"),
                code: stop.exit_code(),
            });
        }
        let standings = league.active_in(&index.standings());
        match options.shown {
            TournamentOutput::Progress => write!(out, "{}", report::text(&standings))?,
            TournamentOutput::Json => output::write_standings(&standings, out)?,
            TournamentOutput::Nothing => {}
        }
        Ok(())
    }
}

struct LeagueRun {
    folder: LeagueFolder,
    announcer: RoundAnnouncer,
    options: RunOptions,
    until: StopConditions,
    stop: &'static StopFlag,
    begun: Instant,
    /// The number of games played so far.
    games: u64,
    /// Set when no further game of the open round is to begin.
    halt: AtomicBool,
    /// Set when no further deal of the open round is to begin.
    late: AtomicBool,
    /// The calendar as it was read last.
    calendar: Calendar,
    /// What a run does that has nothing new to play.
    alone: IdleRunAction,
    /// The wait that was told last.
    told: Option<WaitReason>,
}

/// What a run does where only house bots play, which have all played before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdleRunAction {
    Play,
    Wait,
    Stop,
}

/// Reason why a run plays nothing for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaitReason {
    Pause(PauseReason),
    HouseBotsAlone,
}

impl LeagueRun {
    fn play(
        &mut self,
        mut league: Arc<League>,
        index: &mut LeagueIndex,
        out: &mut dyn Write,
    ) -> Result<Arc<League>, Failure> {
        while !self.is_over(&league, index) {
            self.calendar = self.folder.calendar()?;
            let ends = league.open_round().is_some() && self.ends_for_stage();
            if let Some(rest) = self.pause_reason().filter(|_| !ends) {
                self.wait(WaitReason::Pause(rest));
                continue;
            }
            if !ends && self.are_house_bots_alone(&league)? {
                if self.alone == IdleRunAction::Stop {
                    say(
                        "only house bots are active, and none is new: use `--wait` to wait for participants' bots, or \
                         `--games N` to play on",
                    );
                    break;
                }
                self.wait(WaitReason::HouseBotsAlone);
                league = self.folder.read()?;
                continue;
            }
            let line = match league.open_round() {
                Some(round) => round.line.clone(),
                None => match self.announcer.announce(&league, index, self.spread())? {
                    AnnounceResult::Round(line) => line,
                    AnnounceResult::Changed => {
                        league = self.folder.read()?;
                        continue;
                    }
                    AnnounceResult::Ended(told) => {
                        say(told);
                        break;
                    }
                },
            };
            if let Some(after) = self.play_round(&line, index, out)? {
                league = after;
            }
        }
        Ok(league)
    }

    /// The way in which the next round is played.
    fn spread(&self) -> RoundSharding {
        let left = self.until.games.map(|games| games.get().saturating_sub(self.games));
        RoundSharding::Whole(left.and_then(NonZeroU64::new))
    }

    /// Returns true once the time is up.
    fn is_late(&self) -> bool {
        self.until.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    fn is_stopped(&self) -> bool {
        self.stop.set().load(Ordering::SeqCst)
    }

    /// Returns true if the round that is played is to end, because a stage is about to begin.
    fn ends_for_stage(&self) -> bool {
        !self.is_stopped() && stage_request::breaks_off(&self.folder)
    }

    /// The reason why no game may begin now, if there is one.
    fn pause_reason(&self) -> Option<PauseReason> {
        PauseReason::reason_at(&self.folder, &self.calendar, calendar::now())
    }

    /// Returns true if a further round is of no use to anybody.
    fn are_house_bots_alone(&self, league: &League) -> Result<bool, Failure> {
        let is_between = league.open_round().is_none() && league.open_stage().is_none();
        let asks = is_between && self.alone != IdleRunAction::Play;
        Ok(asks && choice::are_alone(&self.folder, league)?)
    }

    /// Waits for a part of a rest; the calendar may change meanwhile.
    fn wait(&mut self, rest: WaitReason) {
        if self.told.replace(rest) != Some(rest) && self.options.shown == TournamentOutput::Progress
        {
            say(match rest {
                WaitReason::HouseBotsAlone => {
                    "only house bots are active, and none is new: waiting for participants' bots"
                        .to_owned()
                }
                WaitReason::Pause(PauseReason::Paused) => {
                    let folder = word(self.folder.path());
                    format!("paused; resume with `arbiter league pause {folder} --end`")
                }
                WaitReason::Pause(PauseReason::Quiet(until)) => {
                    format!("quiet hours until {}; waiting", self.calendar.time_text(until))
                }
            });
        }
        let begun = Instant::now();
        let lasts =
            |run: &LeagueRun| rest == WaitReason::HouseBotsAlone || run.pause_reason().is_some();
        while begun.elapsed() < LOOK && !self.is_stopped() && lasts(self) {
            if self.is_late() {
                break;
            }
            thread::sleep(ATTENTION);
        }
    }

    /// Returns true once the run is to end.
    fn is_over(&self, league: &League, index: &LeagueIndex) -> bool {
        let StopConditions { games, time: _, sure, stage } = self.until;
        self.is_stopped()
            || games.is_some_and(|games| self.games >= games.get())
            || self.is_late()
            || (sure && is_sure(league, &index.standings()))
            || (stage && league.open_stage().is_none())
    }

    /// Plays the rest of an announced round and logs its end. Returns the league after it; none if it was stopped before.
    fn play_round(
        &mut self,
        line: &RoundLine,
        index: &mut LeagueIndex,
        out: &mut dyn Write,
    ) -> Result<Option<Arc<League>>, Failure> {
        let league = self.folder.read()?;
        let path = self.folder.round(line.round);
        let folder = TournamentFolder::open(&path).map_err(Failure::usage)?;
        let written =
            read::plan(&path, ReadPurpose::Looks).map_err(|error| usage_of(&path, error))?;
        if let Some(sharding) = written.settings().sharding {
            return Err(Failure::Usage(self.is_in_shards(line, sharding)));
        }
        let begun = Instant::now();
        let logged = so_far(&path)?;
        let has_end = logged.as_ref().is_some_and(|log| log.has_end);
        let mut is_blocked = false;
        let over = if has_end {
            // A run that was killed has played all of it, and may have counted none of it.
            let state =
                survey::tournament_state(&path).map_err(|error| unreadable(&path, error))?;
            folder
                .write_standings(&state.standings())
                .map_err(|error| unreadable(&path, error.into()))?;
            ended(&league, line, &path, None)?
        } else {
            let stops = logged.and_then(|log| log.stops);
            let played = match stops {
                Some(why) => RoundResult::Blocked(why),
                None if self.ends_for_stage() => RoundResult::Hindered(BROKEN_OFF.to_owned()),
                None => match self.hindrance(&league, line, &written) {
                    Some(hindrance) => hindrance,
                    None => self.play_on(&league, line, &folder)?,
                },
            };
            is_blocked = matches!(played, RoundResult::Blocked(_));
            match played {
                RoundResult::Stopped => return Ok(None),
                RoundResult::Late => match self.ended_early(&league, line, &path, &written)? {
                    Some(over) => over,
                    None => return Ok(None),
                },
                RoundResult::Failed(failure) => return Err(failure),
                RoundResult::Over => ended(&league, line, &path, None)?,
                // The other tables of a stage are played again without a bot that is gone.
                RoundResult::Gone(gone) if is_of_open_stage(&league, line) => {
                    let why = self.take_out(&league, line, &gone)?;
                    let seed = seed_of(&written)?.clone();
                    ended(&league, line, &path, Some(RoundAbort { why, seed }))?
                }
                RoundResult::Gone(gone) => {
                    let why = gone.into_iter().next().map(|(_, why)| why).unwrap_or_default();
                    say(format!("warning: round {} aborted: {why}", line.round));
                    let seed = seed_of(&written)?.clone();
                    ended(&league, line, &path, Some(RoundAbort { why, seed }))?
                }
                RoundResult::Hindered(why) | RoundResult::Blocked(why) => {
                    say(format!("warning: round {} aborted: {why}", line.round));
                    let seed = seed_of(&written)?.clone();
                    ended(&league, line, &path, Some(RoundAbort { why, seed }))?
                }
            }
        };
        let league = end(&self.folder, &over, index)?;
        // All games of a round that is blocked are those of earlier runs.
        self.games += if is_blocked { 0 } else { over.games };
        match self.options.shown {
            TournamentOutput::Progress => {
                say(output::round_over(line, over.games, begun.elapsed()));
                let stage = league.stages().last().filter(|_| line.stage.is_some());
                if let Some(won) = stage.and_then(stage::output::winner) {
                    say(won);
                }
            }
            TournamentOutput::Json => output::write_over(&over, out)?,
            TournamentOutput::Nothing => {}
        }
        Ok(Some(league))
    }

    /// Ends a round whose games so far are to count, once the time is up, and says what is left. A round of a stage, and one
    /// without a game, stay open.
    fn ended_early(
        &self,
        league: &League,
        line: &RoundLine,
        path: &Path,
        plan: &Plan,
    ) -> Result<Option<RoundEndLine>, Failure> {
        let played = so_far(path)?.map_or(0, |log| log.games.progress.played());
        let all = line.games(league.seats());
        let left = counted(all.saturating_sub(played), "game", "games");
        let of = format!("{played} of {}", counted(all, "game", "games"));
        let number = line.round;
        if line.stage.is_some() || played == 0 {
            say(format!("time is up: round {number} continues with the next run, {left} to go"));
            return Ok(None);
        }
        say(format!("time is up: round {number} ends after {of}, without the other {left}"));
        let why = format!("time was up after {of}");
        let broken = RoundAbort { why, seed: seed_of(plan)?.clone() };
        ended(league, line, path, Some(broken)).map(Some)
    }

    /// Says that an open round is played by others.
    fn is_in_shards(&self, line: &RoundLine, sharding: Sharding) -> String {
        let folder = word(self.folder.path());
        let shards = counted(sharding.shards, "shard", "shards");
        format!(
            "round {} is planned in {shards}: run them, then `arbiter league take-round {folder}`",
            line.round
        )
    }

    /// The reason why a round cannot go on: bots of it are gone, or have changed, or none of its matches counts any more.
    fn hindrance(&self, league: &League, line: &RoundLine, plan: &Plan) -> Option<RoundResult> {
        if is_of_open_stage(league, line) && league.open_stage().is_some_and(is_moot) {
            let why = "in each match of the round, a bot has left the stage".to_owned();
            return Some(RoundResult::Hindered(why));
        }
        if let Some(bot) = disqualified(&self.folder, line).filter(|_| line.stage.is_none()) {
            return Some(RoundResult::Hindered(format!("{bot} was disqualified")));
        }
        let members = league.members().iter().filter(|it| line.bots.contains(&it.entry.bot));
        let isolation = &plan.settings().conditions.isolation;
        let problem = |entry: &EnterLine| {
            let beyond = isolation.outside_access(&entry.bot.to_string());
            let problem = unchanged_contender(&self.folder, entry, beyond).err()?;
            Some((entry.bot.clone(), problem))
        };
        let problems = members.filter_map(|member| problem(&member.entry));
        let mut gone = Vec::new();
        for (bot, problem) in problems {
            match problem {
                BotStartError::Files(why) => gone.push((bot, why)),
                BotStartError::Machine(failure) if is_of_open_stage(league, line) => {
                    return Some(RoundResult::Failed(failure));
                }
                BotStartError::Machine(failure) => gone.push((bot, failure.to_string())),
            }
        }
        (!gone.is_empty()).then_some(RoundResult::Gone(gone))
    }

    /// Takes bots whose files are gone out of the open stage; returns the reason to abort the round.
    fn take_out(
        &self,
        league: &League,
        line: &RoundLine,
        gone: &[(BotVersion, String)],
    ) -> Result<String, Failure> {
        let why = gone.first().map(|(_, why)| why.clone()).unwrap_or_default();
        let stage = league.open_stage().filter(|it| it.line.forfeits == ForfeitRule::Listed);
        let Some(stage) = stage.filter(|_| gone.len() < line.bots.len()) else {
            return Err(stays_open(&self.folder, &why));
        };
        withdraw(&self.folder, stage.line.stage, gone)?;
        say(format!("warning: round {} aborted: {why}", line.round));
        Ok(why)
    }

    fn play_on(
        &self,
        league: &League,
        line: &RoundLine,
        folder: &TournamentFolder,
    ) -> Result<RoundResult, Failure> {
        let plan = round_folder::opened(&self.folder, league, line)?;
        let path = self.folder.path();
        let remote = self.folder.remote()?.map(|terms| terms.access(path));
        let ready = ReadyBots::new(&plan, &[path.to_path_buf()], remote.as_ref())?;
        let run = TournamentRun {
            plan: &plan,
            seed: seed_of(&plan)?,
            contenders: &ready.contenders,
            supervisor: ready.supervisor,
            workers: self.options.workers(),
            machine: None,
            stop: &self.halt,
            after_deals: NonZeroU64::new(league.seats() as u64)
                .map(|games| DealStop { asked: &self.late, games }),
        };
        self.halt.store(false, Ordering::SeqCst);
        self.late.store(false, Ordering::SeqCst);
        let mut watcher = RoundWatcher::new(line, league.seats(), self);
        let ended = run.play(folder, &mut watcher);
        watcher.bar.finish_and_clear();
        watcher.warn_of_suspects();
        match ended {
            Ok(SeriesEnd::Stopped { .. }) if self.is_late() => Ok(RoundResult::Late),
            Ok(SeriesEnd::Stopped { .. }) if self.ends_for_stage() => {
                Ok(RoundResult::Hindered(BROKEN_OFF.to_owned()))
            }
            Ok(SeriesEnd::Stopped { .. }) if !self.is_stopped() && line.stage.is_none() => {
                let gone = disqualified(&self.folder, line);
                Ok(gone.map_or(RoundResult::Stopped, |bot| {
                    RoundResult::Hindered(format!("{bot} was disqualified"))
                }))
            }
            Ok(SeriesEnd::Stopped { .. }) => Ok(RoundResult::Stopped),
            Ok(SeriesEnd::Over) => Ok(RoundResult::Over),
            Err(RunError::Playing(SeriesError::Changed { bot, file, .. })) => {
                let why = format!("bot `{bot}`: `{file}` changed during play");
                Ok(match bot.parse() {
                    Ok(version) => RoundResult::Gone(vec![(version, why)]),
                    Err(_) => RoundResult::Hindered(why),
                })
            }
            Err(RunError::NotContinued(ResumeError::Differs(why))) => Ok(RoundResult::Blocked(why)),
            Err(RunError::Playing(
                why @ (SeriesError::Rules { .. } | SeriesError::RulesEnded { .. }),
            )) => {
                let league = word(self.folder.path());
                Err(Failure::Rules(format!(
                    "{why}: `arbiter league run {league}` aborts round {} at that game and plays on",
                    line.round
                )))
            }
            Err(why) => Err(failed(why)),
        }
    }
}

/// Returns a bot of a round that is disqualified by now. What cannot be read changes nothing.
fn disqualified(folder: &LeagueFolder, line: &RoundLine) -> Option<BotVersion> {
    let league = folder.read().ok()?;
    line.bots.iter().find(|bot| league.is_disqualified(&bot.bot)).cloned()
}

/// Returns true for a round of a stage that was not ended meanwhile.
fn is_of_open_stage(league: &League, line: &RoundLine) -> bool {
    line.stage.is_some() && line.stage == league.open_stage().map(|stage| stage.line.stage)
}

/// Returns true if a bot has left in each match of the open round of a stage.
fn is_moot(stage: &Stage) -> bool {
    let has_left = |table: &StageTable| table.bots.iter().any(|bot| stage.leavers().has(*bot));
    stage.rounds().last().is_some_and(|round| round.tables.iter().all(has_left))
}

/// The result of playing the rest of a round.
#[derive(Debug)]
enum RoundResult {
    Over,
    Stopped,
    /// The time is up, and the deals that were begun are over.
    Late,
    /// Bots of it are gone, or have changed, as these lines say.
    Gone(Vec<(BotVersion, String)>),
    /// It is not worth playing, as this line says.
    Hindered(String),
    /// It cannot be played here.
    Failed(Failure),
    /// Nothing can be added to its log, as this line says: it has stopped, or was begun by others.
    Blocked(String),
}

/// Returns true if each bot is surely better than the next one in the standings.
fn is_sure(league: &League, standings: &Standings) -> bool {
    let standings = league.active_in(standings);
    let view = &standings.all;
    let pairs = 1..view.rows.len();
    view.rows.len() > 1
        && pairs
            .into_iter()
            .all(|row| view.better(row - 1, row).is_some_and(|better| better >= SURE))
}

/// Watches a round: its progress on a terminal, and the time.
struct RoundWatcher<'a> {
    bar: ProgressBar,
    line: &'a RoundLine,
    /// The length of the league's log when it was last looked at.
    seen: u64,
    games: u64,
    /// Numbers of games that were replayed, and that count although they are suspect.
    disturbed: (u64, u64),
    /// The time of the next line; none where there is a bar, or nothing is shown.
    line_due: Option<Instant>,
    playing: &'a LeagueRun,
}

impl<'a> RoundWatcher<'a> {
    fn new(line: &'a RoundLine, seats: usize, playing: &'a LeagueRun) -> RoundWatcher<'a> {
        let games = line.games(seats);
        let is_shown = playing.options.shown == TournamentOutput::Progress;
        // The library draws nothing if standard error is not a terminal.
        let line_due =
            (is_shown && !io::stderr().is_terminal()).then(|| Instant::now() + FIRST_LINE);
        let bar = match playing.options.shown {
            TournamentOutput::Progress => ProgressBar::new(games),
            TournamentOutput::Json | TournamentOutput::Nothing => ProgressBar::hidden(),
        };
        let style =
            format!("round {}  {{wide_bar}}  {{pos}} of {{len}} games, {{eta}} left", line.round);
        let bar = match ProgressStyle::with_template(&style) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        RoundWatcher { bar, line, seen: 0, games, disturbed: (0, 0), line_due, playing }
    }

    /// Says how many games the machine may have disturbed.
    fn warn_of_suspects(&self) {
        let (replayed, suspect) = self.disturbed;
        if suspect > 0 && self.playing.options.shown == TournamentOutput::Progress {
            let (suspect, replayed) = (
                counted(suspect, "rated game is suspect", "rated games are suspect"),
                counted(replayed, "game was replayed", "games were replayed"),
            );
            let round = self.line.round;
            say(format!(
                "warning: round {round}: {suspect}, {replayed}: the machine is busy, use fewer --workers"
            ));
        }
    }

    /// Returns true once a bot of the round is disqualified, unless it is a round of a stage.
    fn is_one_disqualified(&mut self) -> bool {
        let length = fs::metadata(self.playing.folder.log()).map_or(0, |found| found.len());
        if self.line.stage.is_some() || length == self.seen {
            return false;
        }
        self.seen = length;
        disqualified(&self.playing.folder, self.line).is_some()
    }

    fn look(&mut self, state: &ContestState, ahead: usize) {
        let ended = state.games.progress.played() + ahead as u64;
        let totals = &state.games.totals;
        self.disturbed = (totals.played_again(), totals.suspect().len() as u64);
        // A game may count before the games after it are no longer ahead.
        self.bar.set_position(ended.max(self.bar.position()));
        let LeagueRun { halt, late, .. } = self.playing;
        if self.playing.pause_reason().is_some()
            || self.playing.is_stopped()
            || self.playing.ends_for_stage()
            || self.is_one_disqualified()
        {
            halt.store(true, Ordering::SeqCst);
        }
        late.store(self.playing.is_late(), Ordering::SeqCst);
        if self.line_due.is_some_and(|due| Instant::now() >= due) {
            self.line_due = Some(Instant::now() + LINES);
            say(format!(
                "round {}: {ended} of {}",
                self.line.round,
                counted(self.games, "game", "games")
            ));
        }
    }
}

impl Watcher for RoundWatcher<'_> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) | SeriesEvent::GameOver { state, .. } => {
                self.look(state, 0);
            }
            SeriesEvent::Tick { state, ahead, .. } => self.look(state, ahead),
            SeriesEvent::Warned { name, text } => {
                self.bar.suspend(|| say(format!("warning: bot {name}: {text}")))
            }
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Stopping { .. }
            | SeriesEvent::Stopped { .. }
            | SeriesEvent::Over { .. } => {}
        }
        Ok(())
    }
}
