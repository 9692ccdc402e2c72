//! `arbiter play`: a person against bots, one game or several.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::{env, mem};

use bots::{Program, programs};
use clap::Args;
use clap::builder::PossibleValuesParser;
use rules::{GameKind, Seat};
use simulation::SeatOrder;
use text::{counted, printable, system_error};

use crate::commands::matches::{contenders, supervisor};
use crate::options::game::{self, GameNameParser};
use crate::options::isolation::IsolationArgs;
use crate::options::isolation::LimitArgs;
use crate::options::logs::LogTarget;
use crate::options::remote::{RemoteArgs, RemoteBots};
use crate::options::{asked_seed, bots, number, parse_checked};
use bot::sandboxed::SandboxedBots;
use bot::{BotSpec, Contender, EXPECTED_PERSON, person_name};
use contest::playing::bot::{BackgroundBot, Bot};
use contest::playing::series_runner::{ContestState, LastLogWatcher, SeriesError};
use contest::playing::{Player, matches};
use contest::setup::{self, GameSpec, SeedSpec};
use person::{
    Console, Echo, InterruptListener, LineEditor, Person, PersonWatcher, PlainConsole, QuitNotice,
    Screen, TerminalLayout, TerminationSignals, TextStyle,
};
use record::{LastLog, LogWriter};
use sandbox::Supervisor;
use series::header::{CommittedSeed, SeedText};
use series::{BotTreatment, Conditions, Header, IsolationLine, PlayerLine, Series};
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The opponent if no bot is named, where it knows the game.
const OPPONENT: Program = programs::GREEDY;

/// The orders of seats in a game with a person.
const ORDERS: [SeatOrder; 3] = [SeatOrder::Fixed, SeatOrder::Reversed, SeatOrder::Random];

const HELP: &str = "For BOT, see `arbiter match --help`. Type `help` or `rules` at any prompt. In \
Tablić, type the card to play and the cards to capture on one line (9S 4C 5S), or one per line, \
then an empty line; QH, clubs 2 and tref 2 all work. In other games, choose from a list. Ctrl-C or \
end of input quits; press Ctrl-C twice while a bot is thinking to leave at once.

Ctrl-L redraws the screen; `history` lists the moves so far. UTF-8 locales show suit symbols; \
letters always work as input. NO_COLOR disables colours.

Examples:
  arbiter play --game tablic
  arbiter play --game tablic --seats 3 --seat 2 --log game.jsonl greedy minimax
  arbiter play --game durak --order random expert
  arbiter play --game durak --options \"deck=24 transfer=on\" minimax
  arbiter play --game tablic --games 4 --log games.jsonl minimax
  arbiter play --game coup --name Ana \"mine=python3 my_bot.py\"";

/// `arbiter play`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct PlayArgs {
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameNameParser)]
    game: String,
    /// Number of seats, including yours [default: number of bots + 1]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Game options (see `arbiter games`)
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// Number of games; seats rotate after each game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..))]
    games: u64,
    /// Your seat in the first game, from 0 in turn order
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<usize>("the number of a seat", 0..))]
    seat: usize,
    /// Seating of the first game: as listed, reversed, or drawn from the seed
    #[arg(long, default_value = "fixed", value_parser = PossibleValuesParser::new(ORDERS.map(SeatOrder::name)))]
    order: String,
    /// Your name
    #[arg(long, value_name = "NAME", default_value = "you")]
    name: String,
    /// Seed: 64 hex digits, or a number for practice only (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<SeedText>,
    /// Read the seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Allow resident bots to ponder during other seats' turns
    #[arg(long)]
    ponder: bool,
    /// Write a log to a new file; `show`, `review` and others can read the last games without it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Overwrite an existing log
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print scrolling text instead of redrawing the screen
    #[arg(long)]
    scroll: bool,
    /// Opponents, in seat order [default: greedy; random in a custom game]
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    remote: RemoteArgs,
}

impl PlayArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        play(self.request()?, out).map_err(Failure::or_undone)
    }

    fn request(self) -> Result<PlayRequest, Failure> {
        let bots = bots(&self.bots)?;
        let kind = game::opened(&self.game)?;
        Ok(PlayRequest {
            game: GameSpec { kind, seats: self.seats, options: self.options },
            games: self.games,
            seat: self.seat,
            order: parse_checked(&self.order)?,
            name: self.name,
            seed: asked_seed(self.seed, self.seed_file),
            conditions: Conditions {
                treatment: BotTreatment { ponder: self.ponder.into(), ..BotTreatment::default() },
                isolation: self.isolation.into_spec()?,
                limits: self.limits.into_specs(),
                ..Conditions::default()
            },
            log: self.log.map(|path| LogTarget { path, overwrite: self.overwrite }),
            layout: if self.scroll { TerminalLayout::Scroll } else { TerminalLayout::InPlace },
            bots,
            remote: self.remote,
        })
    }
}

#[derive(Debug)]
struct PlayRequest {
    /// The game, with a seat more than there are bots.
    game: GameSpec,
    games: u64,
    /// The person's place among the players in the first game, before `order` is applied.
    seat: usize,
    /// The order of the players in the first game.
    order: SeatOrder,
    name: String,
    seed: SeedSpec,
    conditions: Conditions,
    log: Option<LogTarget>,
    layout: TerminalLayout,
    /// The bots, on the other seats in their order; if there are none, `greedy` on each, or `random` where it does not
    /// know the game.
    bots: Vec<BotSpec>,
    remote: RemoteArgs,
}

/// Plays the games and shows them on `out`. Leaving a game is no error.
fn play(request: PlayRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let plan = PlayPlan::new(&request)?;
    let guard = setup::guard()?;
    let sandboxed = SandboxedBots::new(&plan.contenders, plan.supervisor);
    setup::warn_of_exposed(&sandboxed);
    let mut bots = plan.bots()?;
    plan.remote.iter().for_each(RemoteBots::invite);
    let log = request.log.as_ref().map(LogTarget::create).transpose()?;
    let last = LastLog::of_user();
    let last = last.filter(|last| last.prepare().is_ok());
    if (log.is_some() || last.is_some()) && sandboxed.mask_any() {
        bots.iter_mut().flat_map(|bot| bot.close()).for_each(say);
    }
    let farewell = farewell(request.log.as_ref(), last.as_ref());
    let (mut console, closing) = console(out, request.layout)?;
    let screen = Screen::new(&mut *console, TextStyle::of_stdout(), &plan.kind, farewell);
    let screen = RefCell::new(screen);
    let opponent = |(name, bot): (&str, _)| {
        BackgroundBot::new(bot, InterruptListener::new(name, &plan.name, &screen))
    };
    let names = plan.contenders.iter().map(|contender| contender.name.as_str());
    let mut opponents: Vec<BackgroundBot<InterruptListener<'_, '_>>> =
        names.zip(bots).map(opponent).collect();
    let games = GameLogs { named: request.log.as_ref(), writer: log, last };
    let played = plan.play(&mut opponents, sandboxed, games, &screen);
    if opponents.iter().any(BackgroundBot::is_left_alone) {
        // A guard that is not dropped takes this process for killed, and ends the processes it has left.
        mem::forget(guard);
    }
    match (played, closing.exit_code()) {
        (Ok(()), Some(code)) => {
            let problem = format!("stopped by a signal, {}", screen.borrow().farewell());
            Err(Failure::Interrupted { problem, code })
        }
        (played, _) => played,
    }
}

/// Games of a person that can be played.
struct PlayPlan {
    kind: GameKind,
    header: Header,
    seed: CommittedSeed,
    /// The person's seat in the first game.
    seat: Seat,
    name: String,
    contenders: Vec<Contender>,
    supervisor: Supervisor,
    remote: Option<RemoteBots>,
}

impl PlayPlan {
    fn new(request: &PlayRequest) -> Result<PlayPlan, Failure> {
        let PlayRequest { game, bots, name, .. } = request;
        let (seats, seat) = seats(request)?;
        let log = request.log.as_ref().map(|log| log.path.clone());
        let last = LastLog::of_user().map(|last| last.folder().to_owned());
        let kept: Vec<PathBuf> = log.into_iter().chain(request.seed.file()).chain(last).collect();
        let bots = match bots.is_empty() {
            true => &default_bots(&game.kind, seats - 1)?,
            false => bots,
        };
        let bots = setup::opened(bots, &game.kind, &game.options_for(seats)?)?;
        let limits = &request.conditions.limits;
        let remote = request.remote.match_server(&bots, limits, &game.kind)?;
        let contenders = contenders(&bots, &request.conditions, &kept, remote.as_ref())?;
        let name = &person_name(name).ok_or_else(|| {
            let name = printable(name);
            Failure::Usage(format!("invalid name `{name}`: {EXPECTED_PERSON}"))
        })?;
        if contenders.iter().any(|bot| bot.name == *name) {
            let problem =
                format!("a bot is already named `{name}`: choose another name with --name");
            return Err(Failure::Usage(problem));
        }
        let seed = request.seed.committed()?;
        if request.seed.can_be_guessed() {
            setup::tell_of_short_seed();
        }
        let (seat, contenders) = seated(request.order, seat, contenders, &seed)?;
        let mut players: Vec<_> = contenders.iter().map(PlayerLine::from).collect();
        players.insert(seat.index(), PlayerLine::person(name));
        let options = GameSpec { seats: Some(seats), ..game.clone() }.options()?;
        let supervisor = supervisor(&request.conditions)?;
        let header = Header {
            games: request.games,
            isolation: IsolationLine::new(supervisor),
            ..Header::new(&game.kind, options, players, seed.commitment())
        }
        .under(&request.conditions);
        let (kind, name) = (game.kind.clone(), name.clone());
        Ok(PlayPlan { kind, header, seed, seat, name, contenders, supervisor, remote })
    }

    fn bots(&self) -> Result<Vec<Bot>, Failure> {
        Ok(Bot::all_ready(&self.contenders, self.supervisor)?)
    }

    /// Plays all games, or until the person leaves one.
    fn play(
        &self,
        bots: &mut [BackgroundBot<InterruptListener<'_, '_>>],
        sandboxed: SandboxedBots,
        logs: GameLogs<'_>,
        screen: &RefCell<Screen<'_>>,
    ) -> Result<(), Failure> {
        let mut person = Person::new(&self.kind, &self.name, screen);
        let mut players: Vec<&mut dyn Player> =
            bots.iter_mut().map(|bot| bot as &mut dyn Player).collect();
        players.insert(self.seat.index(), &mut person);
        let mut sitting = PersonWatcher::new(&self.name, screen, sandboxed);
        // A person stops by leaving a game.
        let stop = AtomicBool::new(false);
        let series = Series::new(self.header.clone()).map_err(matches::no_match)?;
        let state = ContestState::of_match(series);
        let GameLogs { named, writer, last } = logs;
        let mut keeping = LastLogWatcher::new(&mut sitting, last, &self.kind);
        let played = matches::play(state, &self.seed, players, writer, &stop, &mut keeping);
        // A game that was left at once is not worth the log of the games before.
        let is_kept = keeping.has_finished_game() && keeping.keep();
        match played {
            Ok(_) => {
                let next = match named {
                    _ if self.kind.rules_id().is_some() => None,
                    Some(log) => Some(format!("arbiter review {}", word(&log.path))),
                    None => is_kept.then(|| "arbiter review".to_owned()),
                };
                let Some(next) = next else { return Ok(()) };
                screen.borrow_mut().print(&format!("next: {next}\n")).map_err(Failure::Output)
            }
            Err(SeriesError::Left(_)) => Ok(()),
            Err(SeriesError::Watcher { error, .. }) => Err(Failure::Output(error)),
            Err(failed) => Err(failed.into()),
        }
    }
}

struct GameLogs<'a> {
    /// The log that the user named.
    named: Option<&'a LogTarget>,
    writer: Option<LogWriter>,
    /// The place of the log of the last match, if it can be kept.
    last: Option<LastLog>,
}

/// Says where the finished games are if a person leaves.
fn farewell(log: Option<&LogTarget>, last: Option<&LastLog>) -> QuitNotice {
    let lost = "this game is lost without --log".to_owned();
    match (log, last) {
        (Some(log), _) => {
            let kept = format!("the games so far are in {}", log.path.display());
            QuitNotice { in_first_game: kept.clone(), later: kept }
        }
        (None, Some(_)) => QuitNotice {
            in_first_game: lost,
            later: "`arbiter show` shows the finished games; this one is lost".to_owned(),
        },
        (None, None) => QuitNotice {
            in_first_game: lost,
            later: "the games so far are lost without --log".to_owned(),
        },
    }
}

/// The opponents if no bot is named.
fn default_bots(kind: &GameKind, count: usize) -> Result<Vec<BotSpec>, Failure> {
    let is_known = programs::playing(kind).any(|program| program.name == OPPONENT.name);
    let bot = if is_known { OPPONENT.name } else { programs::RANDOM.name };
    let word = |number: usize| match number {
        1 => bot.to_owned(),
        _ => format!("{bot}-{number}={bot}"),
    };
    (1..=count).map(|number| word(number).parse()).collect()
}

/// The person's seat, and the bots of the other seats in order.
fn seated(
    order: SeatOrder,
    seat: Seat,
    contenders: Vec<Contender>,
    seed: &CommittedSeed,
) -> Result<(Seat, Vec<Contender>), Failure> {
    let named = seat.index();
    // For each seat the place of its player among those that are named.
    let places = order.seating(contenders.len() + 1, 0, || seed.0.order(0));
    let own = places.iter().find(|(_, place)| **place == named).map(|(seat, _)| seat);
    let own = own.ok_or_else(|| Failure::Ours("an order leaves out the person".to_owned()))?;
    let others = places.values().iter().filter(|place| **place != named);
    let bot = |place: &usize| contenders.get(place - usize::from(*place > named)).cloned();
    Ok((own, others.filter_map(bot).collect()))
}

/// The number of seats, and the person's seat.
fn seats(request: &PlayRequest) -> Result<(usize, Seat), Failure> {
    let bots = match request.bots.len() {
        0 => {
            let fewest = || request.game.kind.seats(&request.game.options).unwrap_or(2);
            request.game.seats.unwrap_or_else(fewest).saturating_sub(1)
        }
        named => named,
    };
    let seats = request.game.seats.unwrap_or(bots + 1);
    if seats != bots + 1 {
        let (seats, bots) = (counted(seats, "seat", "seats"), counted(bots, "bot", "bots"));
        let problem = format!("{bots} for {seats}: give one bot per other seat");
        return Err(Failure::Usage(problem));
    }
    let seat = Seat::new(request.seat).filter(|seat| seat.index() < seats);
    let seat = seat.ok_or_else(|| {
        let last = seats - 1;
        Failure::Usage(format!("no seat {}: seats are 0 to {last}", request.seat))
    })?;
    Ok((seats, seat))
}

/// A line editor where there is a terminal on both sides, and else plain lines.
/// And the signals that end the games: an editor needs a key to notice one, so there they end the program.
fn console(
    out: &mut dyn Write,
    layout: TerminalLayout,
) -> Result<(Box<dyn Console + '_>, TerminationSignals), Failure> {
    let input = io::stdin();
    let problem = |error| Failure::Ours(format!("cannot read your input: {}", system_error(error)));
    let terminal = env::var("TERM").unwrap_or_default();
    if input.is_terminal() && io::stdout().is_terminal() && LineEditor::is_for(&terminal) {
        let editor = LineEditor::new(out, layout).map_err(problem)?;
        return Ok((Box::new(editor), TerminationSignals::unnoticed()));
    }
    let echo = if input.is_terminal() { Echo::Hidden } else { Echo::Shown };
    let input = lines_of(&input).map_err(problem)?;
    let closing = TerminationSignals::on_signals().map_err(|error| {
        Failure::Ours(format!("cannot wait for signals: {}", system_error(error)))
    })?;
    Ok((Box::new(PlainConsole::new(out, input, echo, closing.clone()).map_err(problem)?), closing))
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
