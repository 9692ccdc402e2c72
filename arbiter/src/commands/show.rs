//! `arbiter show`: a log as running text or as events, as seen by the referee or by a seat.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ::text::printable;
use clap::Args;
use rules::replay::replay;
use rules::{GameRecord, PerSeat, Referee, RefereeInput, Seat};

use crate::disputes;
use crate::disputes::{failure, no_game};
use crate::options::game::{LoggedGameName, of_log, opened_of_log};
use crate::options::logs::or_last;
use crate::options::{number, report_format};
use crate::output::{OutputFormat, series_lines};
use ::text::terminal::say;
use bot::spelt_as_names;
use contest::playing::match_text;
use record::checked_log::CheckedGame;
use record::{GameReader, LogFileError, LogProblem};
use text::failure::Failure;

/// The time without a new line after which a message says so.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most bots that an error names.
const NAMED: usize = 10;

/// The width of the number of a move.
const NUMBER: usize = 3;

/// `arbiter show`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  arbiter show --game 0
  arbiter show match.jsonl --game 0
  arbiter show match.jsonl --game 0 --seat 1
  arbiter show match.jsonl --bot greedy --seat own
  arbiter show match.jsonl --json
  arbiter show match.jsonl --follow")]
pub(crate) struct ShowArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Only this game, from 0; or the custom game of a stand-alone log (a folder, a .wasm module or a
    /// command)
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Only games of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Show the view of one seat, from 0, or `own` for the seat of --bot
    #[arg(long, value_name = "S", value_parser = view)]
    seat: Option<SeatView>,
    /// Print JSON, one line per event
    #[arg(long)]
    json: bool,
    /// Follow a running match; Ctrl-C stops
    #[arg(long, short)]
    follow: bool,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
}

impl ShowArgs {
    /// Shows one game of a log, by its number from 0, or all of them.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ShowArgs { log, game, bot, seat: view, json, follow, rules } = self;
        let (game, _) = opened_of_log(game, rules)?;
        if view == Some(SeatView::Own) && bot.is_none() {
            return Err(Failure::usage("--seat own needs a bot: add --bot NAME"));
        }
        let bot = bot.as_deref().map(spelt_as_names);
        let path = &or_last(log)?;
        let request =
            ShowRequest { log: path.clone(), game, bot, view, format: report_format(json) };
        let failed = |error| failure(path, error);
        if !follow {
            return show(disputes::open(path).map_err(failed)?, &request, None, out);
        }
        let silence = SilentLogWarning::new(&printable(&path.display().to_string()));
        show(disputes::follow(path).map_err(failed)?, &request, Some(&silence), out)
    }
}

/// What is shown of a log.
#[derive(Debug)]
struct ShowRequest {
    log: PathBuf,
    /// The number of the only game, from 0; by default all of them.
    game: Option<u64>,
    /// The name of the bot or person whose games are shown; by default all games are shown.
    bot: Option<String>,
    /// The seat whose knowledge is shown; by default the knowledge of the referee.
    view: Option<SeatView>,
    format: OutputFormat,
}

/// A seat whose knowledge is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SeatView {
    /// The seat of this number, in every game.
    Seat(usize),
    /// The seat of `bot`, in every game.
    Own,
}

fn view(text: &str) -> Result<SeatView, String> {
    match text {
        "own" => Ok(SeatView::Own),
        _ => number("the number of a seat, or `own`", 0..)(text).map(SeatView::Seat),
    }
}

fn show<R: BufRead>(
    mut games: GameReader<R>,
    request: &ShowRequest,
    silence: Option<&SilentLogWarning>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let ShowRequest { log: path, game: wanted, bot, .. } = request;
    let failed = |error| failure(path, error);
    let mut others = BTreeSet::new();
    let name = printable(&path.display().to_string());
    let mut last = None;
    let mut shown = 0;
    while let Some(next) = games.next_whole_game(&name).map_err(failed)? {
        let CheckedGame { line, game, status, .. } = next;
        if let Some(silence) = silence {
            silence.is_broken();
        }
        last = Some(game.game);
        if wanted.is_some_and(|wanted| game.game > wanted) {
            break;
        }
        if wanted.is_some_and(|wanted| wanted != game.game) {
            continue;
        }
        if let Some(bot) = bot
            && !game.seats.contains(bot)
        {
            others.extend(game.seats.iter().cloned());
            continue;
        }
        if shown > 0 && request.format == OutputFormat::Text {
            writeln!(out)?;
        }
        show_game(&games, &game, line, request, out)?.map_err(failed)?;
        match request.format {
            OutputFormat::Text => match_text::result(out, &game, status)?,
            OutputFormat::Json => series_lines::game_result(out, &game, status)?,
        }
        shown += 1;
        // A follower wants to see each game when it is over.
        out.flush()?;
    }
    match wanted {
        _ if shown == 0 && !others.is_empty() => {
            Err(no_game_with(bot.as_deref().unwrap_or_default(), &others, request))
        }
        Some(wanted) if shown == 0 => Err(no_game(path, *wanted, games.series(), last)),
        None if last.is_none() => {
            say(format!("note: {name}: the log has no game"));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The failure if no game has the bot: it names the bots of the games.
fn no_game_with(bot: &str, others: &BTreeSet<String>, request: &ShowRequest) -> Failure {
    let what = match request.game {
        Some(game) => format!("bot `{bot}` is not in game {game}"),
        None => format!("no game with bot `{bot}`"),
    };
    let others: Vec<String> = others.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = if others.len() == NAMED { ", …" } else { "" };
    Failure::Usage(format!(
        "{}: {what}: use one of {}{more}",
        request.log.display(),
        others.join(", ")
    ))
}

/// Shows a game up to its result. The inner error comes from the log, the outer one from the output.
fn show_game<R: BufRead>(
    games: &GameReader<R>,
    game: &GameRecord,
    line: usize,
    request: &ShowRequest,
    out: &mut dyn Write,
) -> Result<Result<(), LogFileError>, Failure> {
    let names: Vec<String> = game.seats.iter().map(|name| printable(name)).collect();
    let names = PerSeat::from(names);
    let seat = match request.view {
        None => None,
        Some(SeatView::Seat(seat)) => Some(seat_of(seat, &names, &request.log)?),
        Some(SeatView::Own) => names.seats().find(|seat| {
            request.bot.as_deref() == game.seats.get(seat.index()).map(String::as_str)
        }),
    };
    match request.format {
        OutputFormat::Text => match_text::heading(out, game.game, &game.seats)?,
        OutputFormat::Json => series_lines::game_heading(out, game, seat)?,
    }
    let mut told = 0;
    let mut moves = 0;
    let mut timed = 0;
    let mut written: io::Result<()> = Ok(());
    let replayed = replay(games.series().setup(game, None), game, |referee| {
        if written.is_ok() {
            written = match (request.format, seat) {
                (OutputFormat::Json, _) => {
                    series_lines::game_step(out, referee, game.game, told, seat)
                }
                (OutputFormat::Text, seat) => {
                    let text = match seat {
                        None => referee.narrate(told, &names),
                        Some(seat) => referee.narrate_to(seat, told, &names),
                    };
                    let number = (referee.moves() > moves).then_some(moves);
                    write!(out, "{}", numbered(&text, number))
                }
            };
        }
        if written.is_ok()
            && request.format == OutputFormat::Text
            && referee.elapsed().len() > timed
        {
            written = write_clock(out, referee, &names);
        }
        told = referee.history_len();
        moves = referee.moves();
        timed = referee.elapsed().len();
    });
    written?;
    Ok(replayed.map_err(|discrepancy| LogProblem::game(line, game, discrepancy).into()))
}

/// The lines of a step behind the number of its move, which `review`, `explain` and `request` ask for.
fn numbered(text: &str, number: Option<u32>) -> String {
    let mut shown = String::new();
    let mut number = number;
    for line in text.lines() {
        if line.is_empty() {
            shown.push('\n');
            continue;
        }
        let number = number.take().map(|number| number.to_string()).unwrap_or_default();
        shown.push_str(&format!("{number:>NUMBER$}  {line}\n"));
    }
    shown
}

/// Writes what the clock of the seat that answered last shows, if it has one.
fn write_clock(out: &mut dyn Write, referee: &Referee, names: &PerSeat<String>) -> io::Result<()> {
    let seat = referee.inputs().last().and_then(RefereeInput::answer).map(|answer| answer.seat);
    let (Some(seat), Some(elapsed)) = (seat, referee.elapsed().last()) else { return Ok(()) };
    let Some(bank) = referee.bank(seat) else { return Ok(()) };
    let (took, left) = (elapsed.ms() / 1000.0, bank.left as f64 / 1000.0);
    writeln!(out, "  {}: {took:.1} s, {left:.1} s left", names[seat])
}

fn seat_of(place: usize, names: &PerSeat<String>, path: &Path) -> Result<Seat, Failure> {
    Seat::new(place).filter(|seat| names.has(*seat)).ok_or_else(|| {
        let seats = names.count();
        let problem =
            format!("{}: no seat {place}: the game has {seats}, numbered from 0", path.display());
        Failure::Usage(problem)
    })
}

/// Says once on standard error that a followed log stays silent.
///
/// A file does not tell whether a program still writes to it. A user who waits for the next game of a
/// match that was killed would wait forever, so one message tells how to stop.
#[derive(Debug)]
struct SilentLogWarning(Option<Sender<()>>);

impl SilentLogWarning {
    fn new(name: &str) -> SilentLogWarning {
        let (news, heard) = mpsc::channel();
        let text = format!(
            "{name}: no new game for {} s, log unfinished; Ctrl-C stops",
            PATIENCE.as_secs()
        );
        let listen = move || {
            loop {
                match heard.recv_timeout(PATIENCE) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Timeout) => return say(text),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        // Without a thread, there is no message.
        let started = thread::Builder::new().name("silence".to_owned()).spawn(listen);
        SilentLogWarning(started.is_ok().then_some(news))
    }

    fn is_broken(&self) {
        // After the message, there is no receiver.
        let _ = self.0.as_ref().map(|news| news.send(()));
    }
}
