//! A match: a bar while it continues, or lines where there is no terminal, and the table at its end.

pub(crate) use crate::output::series_lines::JsonMatchWatcher;

use std::io::{self, Write};
use std::time::Duration;

use bot::Contender;
use bot::manifest::{MANIFEST, ProgramMode};
use bot::sandboxed::SandboxedBots;
use contest::playing::Player;
use contest::playing::bot::Bot;
use contest::playing::match_text::{self, FaultContext, LogLocation, TextWatcher};
use contest::playing::matches::stopped_after;
use contest::playing::series_runner::{SeriesEvent, Watcher};
use indicatif::{ProgressBar, ProgressStyle};
use rules::{Dialect, GameRecord, Outcome};
use sandbox::Supervisor;
use series::game_status::GameStatus;
use text::terminal::say;
use text::{counted, printable};

use crate::output::progress_bar::GameLines;

/// Shows the progress of a match, and its totals at the end.
#[derive(Debug)]
pub(crate) struct ProgressWatcher<W> {
    out: W,
    help: FaultContext,
    bar: ProgressBar,
    lines: GameLines,
    costs: SlowMoveAdvice,
}

impl<W: Write> ProgressWatcher<W> {
    /// A watcher that writes the table to `out`, and the progress to standard error.
    pub(crate) fn new(out: W, help: FaultContext, costs: SlowMoveAdvice) -> Self {
        // The library draws nothing if standard error is not a terminal.
        let bar = ProgressBar::no_length();
        ProgressWatcher { out, help, bar, lines: GameLines::start(0, ""), costs }
    }
}

impl<W: Write> Watcher for ProgressWatcher<W> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let header = state.games.series.header();
                // Before the bar is drawn for the first time, which would stand in this line.
                writeln!(self.out, "seed commitment: {}\n", header.commitment)?;
                self.out.flush()?;
                self.bar.set_length(header.games);
                self.lines = GameLines::start(header.games, "");
                let games = counted(header.games, "game", "games");
                let style = format!("{{pos}} of {games}  {{wide_bar}}  {{per_sec}}, {{eta}} left");
                self.bar.set_style(ProgressStyle::with_template(&style).map_err(io::Error::other)?);
                Ok(())
            }
            SeriesEvent::GameOver { game, status, state } => {
                for (seat, fault) in game.result.faults() {
                    if let Some(name) = game.seats.get(seat.index()) {
                        self.bar.println(format!("game {}: {name}, {fault}", game.game));
                    }
                }
                if let Outcome::Void { reason } = &game.result {
                    self.bar.println(format!("game {}: void, {}", game.game, printable(reason)));
                }
                if status == GameStatus::Counts {
                    self.bar.inc(1);
                    let (played, games) =
                        (state.games.progress.played(), state.games.series.header().games);
                    self.lines.show_done(played);
                    if played == 1
                        && let Some(cost) = self.costs.line(game, games.saturating_sub(played))
                    {
                        self.bar.suspend(|| say(cost));
                    }
                }
                Ok(())
            }
            SeriesEvent::Over { state, seed } => {
                self.bar.finish_and_clear();
                let totals = &state.games.totals;
                let table = match_text::table(totals, &self.help);
                write!(self.out, "{table}\n{}\nseed: {seed}\n", match_text::winner(totals))
            }
            SeriesEvent::Stopped { state, seed } => {
                self.bar.finish_and_clear();
                let table = match_text::table(&state.games.totals, &self.help);
                let (played, games) =
                    (state.games.progress.played(), state.games.series.header().games);
                writeln!(self.out, "{table}\n{}", stopped_after(played, games))?;
                write!(self.out, "\nseed: {seed}\n")
            }
            SeriesEvent::Warned { name, text } => {
                self.bar.suspend(|| say(format!("warning: {name}: {text}")));
                Ok(())
            }
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Tick { .. }
            | SeriesEvent::Stopping { .. } => Ok(()),
        }
    }
}

/// Makes sure that the seed of a stopped match is shown: without it, the cards cannot be checked.
pub(crate) struct StderrFallbackWatcher<'a> {
    watcher: Box<dyn Watcher + 'a>,
    sandboxed: SandboxedBots,
}

impl<'a> StderrFallbackWatcher<'a> {
    /// If `watcher` cannot write at the end of a match, the end is shown on standard error.
    pub(crate) fn new(watcher: Box<dyn Watcher + 'a>, sandboxed: SandboxedBots) -> Self {
        StderrFallbackWatcher { watcher, sandboxed }
    }
}

impl Watcher for StderrFallbackWatcher<'_> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        let (state, seed) = match event {
            SeriesEvent::Over { state, seed } | SeriesEvent::Stopped { state, seed } => {
                (state, seed)
            }
            other => return self.watcher.on_event(other),
        };
        self.watcher.on_event(event).inspect_err(|_| {
            // If standard error is gone as well, there is nowhere left to write.
            let help =
                FaultContext { log: LogLocation::Nowhere, sandboxed: self.sandboxed.clone() };
            let _ =
                TextWatcher::new(io::stderr(), help).on_event(SeriesEvent::Stopped { state, seed });
        })
    }
}

/// Shows nothing but the seed, and that only if the match does not reach its end.
#[derive(Debug)]
pub(crate) struct SeedWatcher;

impl Watcher for SeedWatcher {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        if let SeriesEvent::Stopped { seed, .. } = event {
            say(format!("seed: {seed}"));
        }
        Ok(())
    }
}

/// The least time of a bot's moves in the remaining games that is worth a line.
const LONG: Duration = Duration::from_secs(30);

/// The bots of a match, to measure the start of one.
#[derive(Debug)]
pub(crate) struct SlowMoveAdvice {
    contenders: Vec<Contender>,
    supervisor: Supervisor,
}

impl SlowMoveAdvice {
    pub(crate) fn new(contenders: &[Contender], supervisor: Supervisor) -> SlowMoveAdvice {
        SlowMoveAdvice { contenders: contenders.to_vec(), supervisor }
    }

    /// A line about the bot whose moves took longest in a game, if they will take long in this many others: the time
    /// of a move, whether the start of the program or its thinking is most of it, and what would make it faster.
    pub(crate) fn line(&self, game: &GameRecord, others: u64) -> Option<String> {
        let with_cost = |contender| (contender, MoveTimes::in_game(contender, game));
        let costs = self.contenders.iter().map(with_cost);
        let (contender, moves) = costs.max_by(|(_, one), (_, two)| one.all.total_cmp(&two.all))?;
        let is_long = moves.all * others as f64 >= LONG.as_secs_f64();
        is_long.then(|| in_words(contender, moves, self.start(contender)))
    }

    /// The time of a start without a request, in seconds, for a program that starts for each move.
    fn start(&self, contender: &Contender) -> Option<f64> {
        if contender.mode != ProgramMode::PerMove || contender.dialect != Dialect::Native {
            return None;
        }
        let mut bot = Bot::new(contender, self.supervisor);
        bot.new_game().ok()?;
        let ms = bot.start_without_request();
        // A folder that is left behind by this start is like one of the match, which says so.
        drop(bot.close());
        ms.map(|ms| ms / 1000.0)
    }
}

/// The time of the moves of a bot in a game.
#[derive(Debug, Clone, Copy)]
struct MoveTimes {
    /// That of all, in seconds.
    all: f64,
    count: u32,
}

impl MoveTimes {
    fn in_game(contender: &Contender, game: &GameRecord) -> MoveTimes {
        let is_own = |name: Option<&String>| name.is_some_and(|name| *name == contender.name);
        let answers = game.answers().filter(|(it, _)| is_own(game.seats.get(it.seat.index())));
        answers.fold(MoveTimes { all: 0.0, count: 0 }, |moves, (_, measured)| MoveTimes {
            all: moves.all + measured.ms / 1000.0,
            count: moves.count + 1,
        })
    }

    /// The mean time of one, in seconds.
    fn mean(self) -> f64 {
        self.all / f64::from(self.count.max(1))
    }
}

/// `start` is the time of a start, in seconds, where a program starts for each move and it is known.
fn in_words(contender: &Contender, moves: MoveTimes, start: Option<f64>) -> String {
    let (name, each) = (printable(&contender.name), seconds(moves.mean()));
    let cost = format!("note: a move by {name} takes {each}");
    match start {
        Some(start) if start > moves.mean() / 2.0 => {
            let remedy = match &contender.sight.folder {
                Some(_) => format!("mode = \"resident\" in its {MANIFEST}"),
                None => "resident: before its command".to_owned(),
            };
            format!(
                "{cost}, most of it spent starting the program; with {remedy} it starts once per game"
            )
        }
        Some(_) => {
            format!("{cost}, most of it spent thinking; let it think less, or play fewer --games")
        }
        None if contender.mode == ProgramMode::Resident => {
            format!("{cost}, all of it spent thinking; let it think less, or play fewer --games")
        }
        // It does not end without a request, so its start could not be measured.
        None => format!("{cost}, including the start of its program; `arbiter check` shows more"),
    }
}

/// A time for people, of this many seconds.
fn seconds(time: f64) -> String {
    match time {
        1.0.. => format!("{time:.1} s"),
        _ => format!("{:.0} ms", 1000.0 * time),
    }
}
