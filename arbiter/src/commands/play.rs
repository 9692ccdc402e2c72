//! `arbiter play`: a person against bots, one game.

use std::cell::RefCell;
use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::PathBuf;
use std::thread;

use rules::{GameRecord, Outcome, PerSeat, Seat};

use crate::aside::say;
use crate::bot::{BotSpec, Contender, is_name};
use crate::commands::matches::{contenders, create_log};
use crate::commands::setup::{self, AskedGame, AskedSeed};
use crate::committed_seed::CommittedSeed;
use crate::course::{Course, Place};
use crate::failure::Failure;
use crate::fate::{AGAIN, Fate, left_by, who_left};
use crate::limits::AskedLimits;
use crate::log::{End, FORMAT, Header, Line, LogWriter, SuspectGames};
use crate::person::{self, Console, Echo, Editor, Opponent, Person, Plain, Screen};
use crate::player::{Player, ProcessPlayer};
use crate::process::Supervisor;
use crate::report::check::Colours;
use crate::report::text;
use crate::runner::{self, GameSetup};
use crate::series::Series;
use crate::totals::Totals;
use crate::tournament::workers::pause;

/// A game of a person as it is asked for.
#[derive(Debug)]
pub struct PlayRequest {
    /// The game, with a seat more than there are bots.
    pub game: AskedGame,
    /// The number of the person's seat.
    pub seat: usize,
    /// The name of the person.
    pub name: String,
    /// The seed.
    pub seed: AskedSeed,
    /// What an answer of a bot may take.
    pub limits: AskedLimits,
    /// Where the log goes, if anywhere.
    pub log: Option<PathBuf>,
    /// The bots, on the other seats in their order.
    pub bots: Vec<BotSpec>,
}

/// Plays a game and shows it on `out`.
///
/// # Errors
///
/// As the exit codes say. A person who leaves the game is none.
pub fn run(request: PlayRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let sitting = Sitting::new(&request)?;
    let guard = setup::guard()?;
    let bots = sitting.bots()?;
    let mut log = request.log.as_deref().map(create_log).transpose()?;
    let mut console = console(out)?;
    let screen = Screen::new(&mut *console, Colours::of_stdout(), sitting.farewell(&request));
    let screen = RefCell::new(screen);
    let opponent = |bot| Opponent::new(bot, &sitting.name, &screen);
    let mut opponents: Vec<Opponent<'_, '_>> = bots.into_iter().map(opponent).collect();
    let played = sitting.play(&mut opponents, log.as_mut(), &screen);
    if opponents.iter().any(Opponent::is_left_alone) {
        // A guard without a farewell takes it that this process was killed, and ends what it has
        // left behind.
        mem::forget(guard);
    }
    played
}

/// A game of a person that can be played.
struct Sitting {
    series: Series,
    seed: CommittedSeed,
    seat: Seat,
    name: String,
    contenders: Vec<Contender>,
    supervisor: Supervisor,
}

impl Sitting {
    fn new(request: &PlayRequest) -> Result<Sitting, Failure> {
        let PlayRequest { game, bots, name, .. } = request;
        let (seats, seat) = seats(request)?;
        let contenders = contenders(&setup::opened(bots, game.kind)?, &request.limits)?;
        if !is_name(name) {
            let problem = format!("`{name}` is no name, expected 1 to 32 of A-Z a-z 0-9 . _ -");
            return Err(Failure::Usage(problem));
        }
        if contenders.iter().any(|bot| bot.name == *name) {
            let problem = format!("a bot is called `{name}` as you are, expected --name NAME");
            return Err(Failure::Usage(problem));
        }
        let seed = request.seed.committed()?;
        let mut players: Vec<_> = contenders.iter().map(Contender::line).collect();
        players.insert(seat.index(), person::line(name));
        let series = Series::new(Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.kind.name().to_owned(),
            options: AskedGame { seats: Some(seats), ..game.clone() }.options()?,
            games: 1,
            players,
            tournament: None,
            retries: 0,
            suspect_games: SuspectGames::Count,
            commitment: seed.commitment(),
            entropy: Vec::new(),
        });
        let series =
            series.map_err(|problem| Failure::Ours(format!("cannot set up a game: {problem}")))?;
        let (name, supervisor) = (name.clone(), setup::supervisor()?);
        Ok(Sitting { series, seed, seat, name, contenders, supervisor })
    }

    /// The players of the other seats, each of which was started once.
    fn bots(&self) -> Result<Vec<ProcessPlayer>, Failure> {
        let ready = |contender| ProcessPlayer::ready(contender, self.supervisor);
        Ok(self.contenders.iter().map(ready).collect::<Result<_, _>>()?)
    }

    fn farewell(&self, request: &PlayRequest) -> String {
        match &request.log {
            Some(log) => format!("{} keeps what was played", log.display()),
            None => "what was played is not kept: there is no --log".to_owned(),
        }
    }

    /// Plays the game to its end, or until the person leaves it.
    fn play(
        &self,
        bots: &mut [Opponent<'_, '_>],
        mut log: Option<&mut LogWriter>,
        screen: &RefCell<Screen<'_>>,
    ) -> Result<(), Failure> {
        let header = self.series.header();
        let tell = |text: &str| screen.borrow_mut().tell(text).map_err(Failure::Output);
        tell(&format!("commitment to the seed: {}\n\n", header.commitment))?;
        append(&mut log, Line::Header(Box::new(header.clone())))?;
        let mut course = Course::new(&self.series);
        let mut totals = Totals::new(&self.series);
        while let Some(place) = course.next() {
            let game = self.play_game(place, bots, screen)?;
            append(&mut log, Line::Game(Box::new(game.clone())))?;
            if who_left(&game, &self.series).is_some() {
                return tell(&format!("{}\nseed: {}\n", left_by(&self.name), self.seed));
            }
            totals.add(&game, &self.series);
            let fate = course.add(&self.series, &game);
            let mut shown = Vec::new();
            text::result(&mut shown, &game, fate)?;
            tell(&String::from_utf8_lossy(&shown))?;
            match (fate, game.result) {
                (Fate::Stops, Outcome::Void { reason }) => {
                    let problem = format!("the game is void {AGAIN} times more: {reason}");
                    return Err(Failure::Ours(problem));
                }
                (Fate::Again, _) => thread::sleep(pause(place.attempt)),
                (Fate::Counts | Fate::Stops, _) => {}
            }
        }
        let end =
            End { games: course.played(), points: totals.points(), seed: Some(self.seed.clone()) };
        append(&mut log, Line::End(end))?;
        tell(&format!("\nseed: {}\n", self.seed))
    }

    fn play_game(
        &self,
        place: Place,
        bots: &mut [Opponent<'_, '_>],
        screen: &RefCell<Screen<'_>>,
    ) -> Result<GameRecord, Failure> {
        let setup = GameSetup::new(&self.series, place);
        let mut shown = Vec::new();
        text::heading(&mut shown, setup.game, setup.seats.values())?;
        let mut told_all = screen.borrow_mut().tell(&String::from_utf8_lossy(&shown));
        let mut person = Person::new(self.series.kind(), &self.name, setup.seats.clone(), screen);
        let mut seated: Vec<&mut dyn Player> =
            bots.iter_mut().map(|bot| bot as &mut dyn Player).collect();
        seated.insert(self.seat.index(), &mut person);
        let mut told = 0;
        let mut watch = |referee: &rules::Referee| {
            // No more than the seat may know: the referee's own story has everybody's cards.
            let text = referee.narrate_to(self.seat, told, &setup.seats);
            if told_all.is_ok() {
                told_all = screen.borrow_mut().narrate(&text);
            }
            told = referee.told();
        };
        let mut seated = PerSeat::from(seated);
        let dealing = self.series.dealing(&self.seed);
        let played = runner::play_game(&self.series, &setup, &dealing, &mut seated, &mut watch);
        told_all?;
        for (contender, bot) in self.contenders.iter().zip(bots) {
            bot.take_warnings()
                .iter()
                .for_each(|warning| say(format!("warning: {}: {warning}", contender.name)));
        }
        played.map_err(|error| Failure::Ours(format!("cannot set up a game: {error}")))
    }
}

/// How many seats there are, and which is the person's.
fn seats(request: &PlayRequest) -> Result<(usize, Seat), Failure> {
    let bots = request.bots.len();
    let seats = request.game.seats.unwrap_or(bots + 1);
    if seats != bots + 1 {
        let problem =
            format!("{seats} seats, yours and {bots} bots, expected one bot for each other seat");
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
fn console(out: &mut dyn Write) -> Result<Box<dyn Console + '_>, Failure> {
    let input = io::stdin();
    let problem = |error| Failure::Ours(format!("cannot read what is typed: {error}"));
    let is_editable = || Editor::is_for(&env::var("TERM").unwrap_or_default());
    if input.is_terminal() && io::stdout().is_terminal() && is_editable() {
        return Ok(Box::new(Editor::new(out).map_err(problem)?));
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

fn append(log: &mut Option<&mut LogWriter>, line: Line) -> Result<(), Failure> {
    let written = log.as_mut().map_or(Ok(()), |log| log.append(&line));
    written.map_err(|error| Failure::Ours(format!("cannot write to the log: {error}")))
}
