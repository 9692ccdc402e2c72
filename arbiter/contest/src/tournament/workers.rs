//! Threads that play games, each one whole game at a time.

use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use bot::Contender;
use rules::{Dialect, GameRecord, Host, PerSeat, Seed};
use sandbox::Supervisor;
use sandbox::isolation::Layer;
use series::game_status::{GameStatus, game_status};
use series::progress::NextGame;
use series::{FileRetention, Series};

use crate::playing;
use crate::playing::bot::Bot;
use crate::playing::series_runner::SeriesError;
use crate::playing::{GameSetup, Player, pause_before};
use crate::tournament::journal::Attempts;
use crate::tournament::playing_now::RunningGames;

/// Common data of all workers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkerContext<'a> {
    pub series: &'a Series,
    /// Its bots, in the order of the header.
    pub contenders: &'a [Contender],
    pub seed: &'a Seed,
    pub supervisor: Supervisor,
    /// Name of the machine in the log, if several play.
    pub machine: Option<&'a Host>,
    pub board: &'a RunningGames,
    /// The bots that keep their files for the whole run.
    pub kept: &'a KeptBots,
}

#[derive(Debug)]
pub(crate) struct WorkerResult {
    /// Every attempt at the game, and the status of the last one; or why it does not count and cannot be replayed now.
    pub attempts: Result<(Attempts, GameStatus), SeriesError>,
    /// Warnings for the user that no game depends on: the name of a bot, and one line.
    pub warnings: Vec<(String, String)>,
}

/// Threads that wait for games to play.
#[derive(Debug)]
pub(crate) struct Workers<'scope> {
    jobs: Option<Sender<NextGame>>,
    done: Receiver<WorkerResult>,
    threads: Vec<ScopedJoinHandle<'scope, ()>>,
    busy: usize,
}

impl<'scope> Workers<'scope> {
    pub(crate) fn start<'env>(
        count: usize,
        conditions: WorkerContext<'env>,
        scope: &'scope thread::Scope<'scope, 'env>,
    ) -> std::io::Result<Workers<'scope>> {
        let (jobs, waiting) = channel::<NextGame>();
        let (tell, done) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let mut threads = Vec::new();
        for number in 0..count {
            let (waiting, tell) = (Arc::clone(&waiting), tell.clone());
            let work = move || {
                let mut bots = WorkerBots::new(conditions, number);
                while let Some(place) = next_job(&waiting) {
                    if tell.send(play(&mut bots, place)).is_err() {
                        break;
                    }
                }
            };
            threads.push(thread::Builder::new().spawn_scoped(scope, work)?);
        }
        Ok(Workers { jobs: Some(jobs), done, threads, busy: 0 })
    }

    pub(crate) fn is_any_free(&self) -> bool {
        self.busy < self.threads.len()
    }

    /// Returns the number of games that are being played.
    pub(crate) fn busy(&self) -> usize {
        self.busy
    }

    pub(crate) fn give(&mut self, place: NextGame) {
        if self.jobs.as_ref().is_some_and(|jobs| jobs.send(place).is_ok()) {
            self.busy += 1;
        }
    }

    /// Waits for a game to end, at most for `time`. It fails with `Disconnected` if all workers are gone.
    pub(crate) fn wait(&mut self, time: Duration) -> Result<WorkerResult, RecvTimeoutError> {
        let done = self.done.recv_timeout(time)?;
        self.busy = self.busy.saturating_sub(1);
        Ok(done)
    }
}

fn next_job(waiting: &Mutex<Receiver<NextGame>>) -> Option<NextGame> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Plays a game until an attempt at it counts, or nothing more can be done.
fn play(bots: &mut WorkerBots<'_>, first: NextGame) -> WorkerResult {
    let conditions = bots.conditions;
    let mut attempts = Attempts::new();
    let mut place = first;
    let attempts = loop {
        thread::sleep(pause_before(place.attempt));
        match attempt(bots, place) {
            Err(problem) => break Err(problem),
            Ok(game) => {
                let status = game_status(&game, conditions.series);
                attempts.push(game);
                if status != GameStatus::Again {
                    break Ok((attempts, status));
                }
                place.attempt += 1;
            }
        }
    };
    WorkerResult { attempts, warnings: bots.take_warnings() }
}

impl WorkerContext<'_> {
    /// Returns true if a bot cannot change its own files, since all files that it sees are read-only.
    ///
    /// Then another program has changed them. Otherwise the cause is unknown, and a bot that spoils itself
    /// must lose by it: if its game did not count, it would get other cards.
    fn bots_are_read_only(&self) -> bool {
        self.supervisor.layers().is_ok_and(|layers| layers.on.contains(&Layer::Files))
    }

    /// Returns true if one of these bots can be started now: then the machine lacks nothing.
    ///
    /// The bot gets no request, and is killed after a moment.
    pub(crate) fn can_start_any(&self, mut bots: impl Iterator<Item = usize>) -> bool {
        bots.any(|bot| Bot::new(&self.contenders[bot], self.supervisor).can_be_started())
    }
}

/// Plays one attempt at a game, with players that know of no other.
fn attempt(bots: &mut WorkerBots<'_>, place: NextGame) -> Result<GameRecord, SeriesError> {
    let conditions = bots.conditions;
    let setup = GameSetup::new(conditions.series, place);
    let seating = conditions.series.seating(place.game).players;
    let mut kept = conditions.kept.take(seating.values());
    let mut free = kept.iter_mut().map(|(place, bot)| (*place, &mut **bot)).collect();
    let mut players: Vec<(usize, SeatedBot<'_>)> =
        seating.values().iter().map(|player| (*player, bots.seat(*player, &mut free))).collect();
    let seated = players.iter_mut().map(|(_, player)| player.bot() as &mut dyn Player);
    let mut seated: PerSeat<&mut dyn Player> = seated.collect::<Vec<_>>().into();
    let WorkerContext { series, seed, board, .. } = conditions;
    let mut shown = board.begin(bots.worker, series, &setup, seed);
    let game = playing::play_game(series, &setup, seed, &mut seated, &mut |referee| {
        shown.stepped(referee)
    });
    drop(shown);
    let mut changed = None;
    for (player, mut seated) in players {
        let file = seated.bot().take_changed();
        changed = changed.or(file.map(|file| (conditions.contenders[player].name.clone(), file)));
        match seated {
            SeatedBot::Fresh(bot) => bots.put_back(player, *bot),
            SeatedBot::Kept(bot) => bots.warn(player, bot.take_warnings()),
        }
    }
    // Where all files are read-only, no bot can have changed its own.
    if let Some((bot, file)) = changed.filter(|_| conditions.bots_are_read_only()) {
        return Err(SeriesError::Changed { series: series.called(), bot, file });
    }
    let game = game.map_err(|error| SeriesError::machine("cannot set up a game", error))?;
    Ok(GameRecord { machine: conditions.machine.cloned(), ..game })
}

enum SeatedBot<'a> {
    /// One in an empty folder.
    Fresh(Box<Bot>),
    /// One in its folder with its files.
    Kept(&'a mut Bot),
}

impl SeatedBot<'_> {
    fn bot(&mut self) -> &mut Bot {
        match self {
            SeatedBot::Fresh(bot) => bot,
            SeatedBot::Kept(bot) => bot,
        }
    }
}

/// The most bots that a worker keeps from one game to the next: each has a keeper, which is two processes and a
/// descriptor.
const MOST_FREE: usize = 64;

/// The bots of one worker, of which those that played last are kept from one game to the next.
struct WorkerBots<'a> {
    conditions: WorkerContext<'a>,
    worker: usize,
    /// Each with the number of its contender, the one that has played last at the end; a contender that plays in
    /// several seats of a game has several.
    free: VecDeque<(usize, Bot)>,
    /// The name of a bot, and what its user should know, one line each.
    warnings: Vec<(String, String)>,
}

impl<'a> WorkerBots<'a> {
    fn new(conditions: WorkerContext<'a>, worker: usize) -> WorkerBots<'a> {
        WorkerBots { conditions, worker, free: VecDeque::new(), warnings: Vec::new() }
    }

    /// Returns the bot of this contender that keeps its files, or else one in an empty folder.
    fn seat<'b>(
        &mut self,
        contender: usize,
        kept: &mut BTreeMap<usize, &'b mut Bot>,
    ) -> SeatedBot<'b> {
        match kept.remove(&contender) {
            Some(bot) => SeatedBot::Kept(bot),
            None => SeatedBot::Fresh(Box::new(self.take(contender))),
        }
    }

    /// Returns a bot of this contender for one game, in an empty folder.
    fn take(&mut self, contender: usize) -> Bot {
        let WorkerContext { contenders, supervisor, .. } = self.conditions;
        let place = self.free.iter().rposition(|(number, _)| *number == contender);
        match place.and_then(|place| self.free.remove(place)) {
            Some((_, bot)) => bot,
            None => Bot::new(&contenders[contender], supervisor),
        }
    }

    fn put_back(&mut self, contender: usize, mut bot: Bot) {
        let warnings = match bot.renew_folder() {
            Ok(()) => bot.take_warnings(),
            // A new bot takes its place.
            Err(_) => bot.close(),
        };
        self.warn(contender, warnings);
        self.free.push_back((contender, bot));
        while self.free.len() > MOST_FREE {
            let Some((contender, mut bot)) = self.free.pop_front() else { break };
            let warnings = bot.close();
            self.warn(contender, warnings);
        }
    }

    fn warn(&mut self, contender: usize, warnings: Vec<String>) {
        let name = &self.conditions.contenders[contender].name;
        self.warnings.extend(warnings.into_iter().map(|text| (name.clone(), text)));
    }

    fn take_warnings(&mut self) -> Vec<(String, String)> {
        mem::take(&mut self.warnings)
    }
}

/// Bots of the classic dialect that keep their files for a whole run, by the number of their contender.
///
/// All workers share one instance of each bot, because it has a single working folder. A game holds the bot from
/// beginning to end. The folder is private to the bot, and as large as any working folder: it lives in the keeper of
/// the bot, and ends with it.
#[derive(Debug, Default)]
pub(crate) struct KeptBots(BTreeMap<usize, Mutex<Bot>>);

impl KeptBots {
    /// Returns those of a series; none, unless its header says so.
    pub(crate) fn new(
        series: &Series,
        contenders: &[Contender],
        supervisor: Supervisor,
    ) -> KeptBots {
        let line = series.header().tournament.as_ref();
        let keeps = line.is_some_and(|line| line.keep_files == FileRetention::OfRun);
        let is_kept = |bot: &Contender| keeps && matches!(bot.dialect, Dialect::Classic(_));
        let kept = contenders.iter().enumerate().filter(|(_, bot)| is_kept(bot));
        KeptBots(kept.map(|(place, bot)| (place, Mutex::new(Bot::new(bot, supervisor)))).collect())
    }

    /// Takes those of these contenders for one game, and waits for games that have them.
    ///
    /// All games take their bots in the order of the contenders, so none waits for one that waits for it.
    pub(crate) fn take(&self, contenders: &[usize]) -> BTreeMap<usize, MutexGuard<'_, Bot>> {
        let wanted = self.0.iter().filter(|(place, _)| contenders.contains(place));
        wanted
            .map(|(place, bot)| (*place, bot.lock().unwrap_or_else(PoisonError::into_inner)))
            .collect()
    }
}
