//! Playing a test game: under the conditions of the league, and in a bounded time.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rules::Void;
use text::shell::without_folders;
use text::{printable, system_error};

use crate::calendar;
use crate::folder::LeagueFolder;
use crate::line::EnterLine;
use crate::remote::NO_REMOTE_BOTS;
use crate::test_games::begin::{StartedTestGame, TestGameTable};
use crate::test_games::record::{TestGame, TestGameOutcome};
use bot::manifest::Mode;
use bot::{Contender, sighted};
use contest::playing::Player;
use contest::playing::bot::{Background, Bot, Waiting};
use contest::playing::matches::{self, Match, no_match};
use contest::playing::series_runner::{SeriesEnd, SeriesError, Unwatched};
use contest::playing::state::State;
use contest::setup;
use record::LogWriter;
use sandbox::SearchPath;
use series::Series;
use series::committed_seed::CommittedSeed;
use text::failure::Failure;

/// Time in which all games of a test game must be over: others wait for it.
const MOST_TIME: Duration = Duration::from_secs(10 * 60);
/// Longest reason that is kept, in characters.
const LONGEST_REASON: usize = 4 << 10;

impl StartedTestGame {
    /// Plays it: one game, or two with the seats changed if there are two. The program must have posted a guard before.
    /// Once `stop` is set, it is cut off.
    ///
    /// # Errors
    ///
    /// Fails if it could not be played; its outcome says so, too.
    pub fn play(mut self, stop: &AtomicBool) -> Result<TestGame, Failure> {
        let unwritten =
            |error| Failure::Ours(format!("cannot store a test game: {}", system_error(error)));
        let now = calendar::now().as_second();
        self.game.begin(&self.folder, now).map_err(unwritten)?;
        let played = self.games(stop);
        let outcome = match &played {
            Ok(GamesEnd::Over) => Some(TestGameOutcome::Over),
            Ok(GamesEnd::Late) => Some(TestGameOutcome::TooLong),
            Ok(GamesEnd::Stopped) => None,
            Err(Failure::Start(why)) => {
                // The places of this machine do not help an author.
                let why = printable(&without_folders(why));
                Some(TestGameOutcome::NotStarted(why.chars().take(LONGEST_REASON).collect()))
            }
            Err(_) => Some(TestGameOutcome::Failed),
        };
        self.game.end(&self.folder, outcome).map_err(unwritten)?;
        played.map(|_| self.game)
    }

    fn games(&self, stop: &AtomicBool) -> Result<GamesEnd, Failure> {
        let TestGameTable { kind, options, seats, conditions, .. } = &self.table;
        let supervisor = setup::complete(conditions.isolation.isolation)?;
        let mut contenders = self.table.contenders(&self.folder)?;
        // The bot itself has another seat in each further game of its author.
        let seat = (self.game.number % *seats as u64) as usize;
        contenders.rotate_right(seat);
        let plan = Match {
            kind: kind.clone(),
            options: options.clone(),
            games: if *seats == 2 { 2 } else { 1 },
            seed: setup::seed_or_drawn(None).map(CommittedSeed)?,
            conditions: conditions.clone(),
            contenders,
            supervisor: supervisor.pondering(conditions.treatment.ponder),
        };
        // It is there before the bots are, which are kept from it.
        let log = LogWriter::create(&self.game.log(&self.folder)).map_err(SeriesError::log)?;
        let series = Series::new(plan.header()).map_err(no_match)?;
        let bots = Bot::all_ready(&plan.contenders, plan.supervisor)?;
        let halt = AtomicBool::new(false);
        let patience = AnswerDeadline { stop, halt: &halt, until: Instant::now() + MOST_TIME };
        let mut players: Vec<Background<AnswerDeadline<'_>>> =
            bots.into_iter().map(|bot| Background::new(bot, patience)).collect();
        let players = players.iter_mut().map(|it| it as &mut dyn Player).collect();
        let state = State::of_match(series);
        match matches::play(state, &plan.seed, players, Some(log), &halt, &mut Unwatched)? {
            SeriesEnd::Over => Ok(GamesEnd::Over),
            SeriesEnd::Stopped { .. } if stop.load(Ordering::SeqCst) => Ok(GamesEnd::Stopped),
            SeriesEnd::Stopped { .. } => Ok(GamesEnd::Late),
        }
    }
}

/// The end of the games.
enum GamesEnd {
    Over,
    /// Their time was over.
    Late,
    /// They were stopped from outside.
    Stopped,
}

/// An answer is wanted until the time is over, or until it is stopped from outside.
#[derive(Debug, Clone, Copy)]
struct AnswerDeadline<'a> {
    stop: &'a AtomicBool,
    /// Set once no answer is wanted.
    halt: &'a AtomicBool,
    until: Instant,
}

impl Waiting for AnswerDeadline<'_> {
    fn begin(&mut self) -> Option<Void> {
        if self.stop.load(Ordering::SeqCst) || Instant::now() >= self.until {
            self.halt.store(true, Ordering::SeqCst);
        }
        self.halt.load(Ordering::SeqCst).then_some(Void::Stopped)
    }

    fn look(&mut self) -> io::Result<Option<Void>> {
        Ok(self.begin())
    }
}

impl TestGameTable {
    /// Prepares the bots as they entered. None of them sees the folder of the league.
    fn contenders(&self, folder: &LeagueFolder) -> Result<Vec<Contender>, Failure> {
        let search = setup::search_path()?;
        let contenders: Result<Vec<Contender>, Failure> =
            self.bots.iter().map(|entry| self.contender(folder, entry, &search)).collect();
        let kept = [folder.path().to_path_buf()];
        Ok(sighted(contenders?, &self.conditions.isolation.grants, &kept))
    }

    fn contender(
        &self,
        folder: &LeagueFolder,
        entry: &EnterLine,
        search: &SearchPath,
    ) -> Result<Contender, Failure> {
        let isolation = &self.conditions.isolation;
        let name = entry.bot.to_string();
        let cannot = |problem: String| Failure::Start(format!("bot `{name}`: {problem}"));
        let bot = folder.entered_bot(entry).map_err(Failure::Start)?;
        isolation.check(&name, &bot).map_err(|error| Failure::Start(error.asked_by_author()))?;
        let limits = self.conditions.limits.for_bot(&entry.bot.bot, &bot);
        if entry.mode == Mode::Remote {
            let terms = folder.remote()?.ok_or_else(|| cannot(NO_REMOTE_BOTS.to_owned()))?;
            let access = terms.access(folder.path());
            return Ok(Contender::remote(&name, terms.limits(limits), access));
        }
        let beyond = isolation.outside_access(&name).apart_from(&[folder.path().to_path_buf()]);
        let contender = Contender::prepare(&bot, &name, limits, search, &beyond)
            .map_err(|error| cannot(error.to_string()))?;
        match contender.digests() == entry.files {
            true => Ok(contender),
            false => Err(cannot("it has changed since it entered".to_owned())),
        }
    }
}
