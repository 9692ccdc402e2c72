//! `arbiter play`: a person against bots, one game or several.

use std::cell::RefCell;
use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use rules::text::{printable, system_error};
use rules::{GameKind, Seat};

use crate::bot::grants::AskedIsolation;
use crate::bot::insider::Insiders;
use crate::bot::limits::AskedLimits;
use crate::bot::{BotSpec, Contender, EXPECTED_PERSON, person_name};
use crate::commands::matches::{contenders, create_log};
use crate::commands::setup::{self, AskedGame, AskedSeed};
use crate::failure::Failure;
use crate::log::LogWriter;
use crate::person::{
    Console, Echo, Editor, Layout, Opponent, Person, Plain, Screen, Sitting, Style,
};
use crate::playing::driver::Failed;
use crate::playing::factory;
use crate::playing::matches;
use crate::playing::player::{Bot, Player};
use crate::process::{Ponder, Supervisor};
use crate::series::committed_seed::CommittedSeed;
use crate::series::{Header, IsolationLine, PlayerLine, Series, SeriesState};
use crate::text::counted;
use crate::text::notice::say;

/// Games of a person as they are asked for.
#[derive(Debug)]
pub struct PlayRequest {
    /// The game, with a seat more than there are bots.
    pub game: AskedGame,
    /// How many games.
    pub games: u64,
    /// The number of the person's seat in the first game.
    pub seat: usize,
    /// The name of the person.
    pub name: String,
    /// The seed.
    pub seed: AskedSeed,
    /// What an answer of a bot may take.
    pub limits: AskedLimits,
    /// How far the bots are kept apart.
    pub isolation: AskedIsolation,
    /// Whether bots that live for a whole game may think while others have their turns.
    pub ponder: Ponder,
    /// Where the log goes, if anywhere.
    pub log: Option<PathBuf>,
    /// How it stands on a terminal.
    pub layout: Layout,
    /// The bots, on the other seats in their order.
    pub bots: Vec<BotSpec>,
}

/// Plays the games and shows them on `out`.
///
/// # Errors
///
/// As the exit codes say. A person who leaves a game is none.
pub fn run(request: PlayRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let plan = Plan::new(&request)?;
    let guard = setup::guard()?;
    let insiders = Insiders::new(&plan.contenders, plan.supervisor);
    setup::warn_of_exposed(&insiders);
    let mut bots = plan.bots()?;
    let log = request.log.as_deref().map(create_log).transpose()?;
    if log.is_some() && insiders.mask_any() {
        bots.iter_mut().flat_map(|bot| bot.close()).for_each(say);
    }
    let mut console = console(out, request.layout)?;
    let screen = Screen::new(&mut *console, Style::of_stdout(), plan.farewell(&request));
    let screen = RefCell::new(screen);
    let opponent = |(name, bot): (&str, _)| Opponent::new(name, bot, &plan.name, &screen);
    let names = plan.contenders.iter().map(|contender| contender.name.as_str());
    let mut opponents: Vec<Opponent<'_, '_>> = names.zip(bots).map(opponent).collect();
    let played = plan.play(&mut opponents, insiders, log, &screen);
    if opponents.iter().any(Opponent::is_left_alone) {
        // A guard without a farewell takes it that this process was killed, and ends what it has
        // left behind.
        mem::forget(guard);
    }
    played
}

/// Games of a person that can be played.
struct Plan {
    kind: GameKind,
    header: Header,
    seed: CommittedSeed,
    /// The person's seat in the first game.
    seat: Seat,
    name: String,
    contenders: Vec<Contender>,
    supervisor: Supervisor,
}

impl Plan {
    fn new(request: &PlayRequest) -> Result<Plan, Failure> {
        let PlayRequest { game, bots, name, .. } = request;
        let (seats, seat) = seats(request)?;
        let kept: Vec<PathBuf> = request.log.iter().cloned().chain(request.seed.file()).collect();
        let bots = setup::opened(bots, game.kind)?;
        let contenders = contenders(&bots, &request.limits, &request.isolation, &kept)?;
        let name = &person_name(name).ok_or_else(|| {
            let name = printable(name);
            Failure::Usage(format!("`{name}` is not a valid name, {EXPECTED_PERSON}"))
        })?;
        if contenders.iter().any(|bot| bot.name == *name) {
            let problem = format!("a bot is also called `{name}`, expected --name NAME");
            return Err(Failure::Usage(problem));
        }
        let seed = request.seed.committed()?;
        if request.seed.can_be_guessed() {
            setup::tell_of_short_seed();
        }
        let mut players: Vec<_> = contenders.iter().map(PlayerLine::from).collect();
        players.insert(seat.index(), PlayerLine::person(name));
        let options = AskedGame { seats: Some(seats), ..game.clone() }.options()?;
        let supervisor = setup::supervisor(request.isolation.isolation)?.pondering(request.ponder);
        let header = Header {
            games: request.games,
            isolation: IsolationLine::new(supervisor),
            ponder: request.ponder,
            ..Header::new(game.kind, options, players, seed.commitment())
        };
        let (kind, name) = (game.kind, name.clone());
        Ok(Plan { kind, header, seed, seat, name, contenders, supervisor })
    }

    /// The bots, each of which was started once.
    fn bots(&self) -> Result<Vec<Box<dyn Bot>>, Failure> {
        Ok(factory::all_ready(&self.contenders, self.supervisor)?)
    }

    fn farewell(&self, request: &PlayRequest) -> String {
        match &request.log {
            Some(log) => format!("{} keeps what was played", log.display()),
            None => "what was played is not kept without --log".to_owned(),
        }
    }

    /// Plays all games, or until the person leaves one.
    fn play(
        &self,
        bots: &mut [Opponent<'_, '_>],
        insiders: Insiders,
        log: Option<LogWriter>,
        screen: &RefCell<Screen<'_>>,
    ) -> Result<(), Failure> {
        let mut person = Person::new(self.kind, &self.name, screen);
        let mut players: Vec<&mut dyn Player> =
            bots.iter_mut().map(|bot| bot as &mut dyn Player).collect();
        players.insert(self.seat.index(), &mut person);
        let mut sitting = Sitting::new(&self.name, screen);
        // A person stops it by leaving a game.
        let stop = AtomicBool::new(false);
        let series = Series::new(self.header.clone()).map_err(matches::no_match)?;
        let state = SeriesState::new(series).with(insiders);
        match matches::play(state, &self.seed, players, log, &stop, &mut sitting) {
            Ok(_) => Ok(()),
            Err(Failed::Left(_)) => sitting.left(&self.seed).map_err(Failure::Output),
            Err(Failed::Watcher { error, .. }) => Err(Failure::Output(error)),
            Err(failed) => Err(failed.into()),
        }
    }
}

/// How many seats there are, and which is the person's.
fn seats(request: &PlayRequest) -> Result<(usize, Seat), Failure> {
    let bots = request.bots.len();
    let seats = request.game.seats.unwrap_or(bots + 1);
    if seats != bots + 1 {
        let (seats, bots) = (counted(seats, "seat", "seats"), counted(bots, "bot", "bots"));
        let problem = format!("{seats}, yours and {bots}, expected one bot for each other seat");
        return Err(Failure::Usage(problem));
    }
    let seat = Seat::new(request.seat).filter(|seat| seat.index() < seats);
    let seat = seat.ok_or_else(|| {
        let last = seats - 1;
        Failure::Usage(format!("no seat {}, expected one from 0 to {last}", request.seat))
    })?;
    Ok((seats, seat))
}

/// A line editor where there is a terminal on both sides, and else plain lines.
fn console(out: &mut dyn Write, layout: Layout) -> Result<Box<dyn Console + '_>, Failure> {
    let input = io::stdin();
    let problem =
        |error| Failure::Ours(format!("cannot read what is typed: {}", system_error(error)));
    let terminal = env::var("TERM").unwrap_or_default();
    if input.is_terminal() && io::stdout().is_terminal() && Editor::is_for(&terminal) {
        return Ok(Box::new(Editor::new(out, layout).map_err(problem)?));
    }
    let echo = if input.is_terminal() { Echo::Hidden } else { Echo::Shown };
    let input = lines_of(&input).map_err(problem)?;
    Ok(Box::new(Plain::new(out, input, echo).map_err(problem)?))
}

#[cfg(unix)]
fn lines_of(input: &io::Stdin) -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(input.as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn lines_of(input: &io::Stdin) -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(input.as_handle().try_clone_to_owned()?))
}
