//! The thread of a table: it plays the game as `arbiter play` does, and verifies its log.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rules::{Answer, GameRecord, Measurements, Outcome, Prompt, Referee, Seat, VoidCause};

use super::table::{GameEnding, LogVerdict};
use crate::people::game_choice::PreparedGame;
use crate::people::table::{PlayTable, TableNews};
use ::text::printable;
use ::text::terminal::say;
use contest::playing::series_runner::{ContestState, SeriesError, SeriesEvent, Watcher};
use contest::playing::{GameSetup, Player, Reply, match_text, matches};
use person::{hands, outcome_sentence, revealed};
use record::LogWriter;
use record::verify::{VerifyOptions, verify};
use series::Series;
use series::game_status::{GameStatus, who_left};
use series::header::CommittedSeed;

/// Plays the game of a table to its end, and tells the table of it.
pub(super) fn run(table: &PlayTable, cast: PreparedGame) {
    if let Err(why) = play(table, cast) {
        table.fails(why);
    }
}

fn play(table: &PlayTable, cast: PreparedGame) -> Result<(), String> {
    let PreparedGame { header, seed, sandboxed, players, .. } = cast;
    let series = Series::new(header).map_err(|problem| format!("the header {problem}"))?;
    let mut others = players()?;
    let log =
        LogWriter::create(table.log()).map_err(|error| SeriesError::log(error).to_string())?;
    if sandboxed.mask_any() {
        // They are to find their surroundings as they are now: the log was not there before.
        others.iter_mut().flat_map(|player| player.close()).for_each(say);
    }
    let played = play_match(table, series, &seed, others, log);
    match played {
        Ok(_) => {
            table.is_over(proof(table.log()));
            Ok(())
        }
        Err(SeriesError::Left(_)) => {
            table.is_left();
            Ok(())
        }
        Err(failed) => Err(failed.to_string()),
    }
}

fn play_match(
    table: &PlayTable,
    series: Series,
    seed: &CommittedSeed,
    others: Vec<Box<dyn Player>>,
    log: LogWriter,
) -> Result<(), SeriesError> {
    let seats = Seat::first(table.players.names.count()).filter(|seat| *seat != table.players.seat);
    let mut person = PagePlayer { table };
    let limit = |seat: Seat| {
        let time = series.header().players.get(seat.index())?.limits.time;
        (!time.is_zero()).then_some(time)
    };
    let bot = |(seat, player)| Opponent { table, seat, limit: limit(seat), player };
    let mut bots: Vec<Opponent<'_>> = seats.zip(others).map(bot).collect();
    let mut players: Vec<&mut dyn Player> =
        bots.iter_mut().map(|bot| bot as &mut dyn Player).collect();
    let place = table.players.seat.index().min(players.len());
    players.insert(place, &mut person);
    // A person stops it by leaving the game.
    let stop = AtomicBool::new(false);
    let mut watcher = PageWatcher { table, series: series.clone(), has_errors: false };
    let state = ContestState::of_match(series);
    table.begins();
    matches::play(state, seed, players, Some(log), &stop, &mut watcher).map(drop)
}

/// Verifies a whole log.
fn proof(log: &Path) -> LogVerdict {
    match verify(log, VerifyOptions::QUIET) {
        Ok(verified) => LogVerdict::Head(verified.head.to_string()),
        Err(problem) => LogVerdict::Wrong(problem.to_string()),
    }
}

struct PagePlayer<'a> {
    table: &'a PlayTable,
}

impl Player for PagePlayer<'_> {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let begun = Instant::now();
        let answer = match prompt {
            Prompt::Request(request) => match self.table.wait_for_move(request) {
                Ok(Some(text)) => Answer::Output(format!("{text}\n").into_bytes()),
                Ok(None) => Answer::Void(left_cause(self.table)),
                Err(error) => {
                    Answer::Void(VoidCause::worded(format!("cannot read the request: {error}")))
                }
            },
            Prompt::Classic { .. } => {
                Answer::Void(VoidCause::worded("a person is asked by requests alone"))
            }
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply { answer, measured: Measurements { ms, ..Measurements::default() } }
    }
}

/// The reason why a game is void once its person has left.
fn left_cause(table: &PlayTable) -> VoidCause {
    VoidCause::Left(table.person().to_owned())
}

/// A bot, which is not asked any more once the person has left. If it thinks at that moment, it has its time.
struct Opponent<'a> {
    table: &'a PlayTable,
    seat: Seat,
    /// The time that it has for an answer.
    limit: Option<Duration>,
    player: Box<dyn Player>,
}

impl Player for Opponent<'_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.player.new_game()
    }

    fn game_over(&mut self) {
        self.player.game_over();
    }

    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply {
        if self.table.has_left() {
            return Reply::void(left_cause(self.table));
        }
        self.table.thinks(self.seat, time.or(self.limit));
        let reply = self.player.ask(prompt, time);
        self.table.has_thought();
        reply
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.player.take_warnings()
    }

    fn close(&mut self) -> Vec<String> {
        self.player.close()
    }
}

/// Tells the table of the game as the person's seat sees it.
struct PageWatcher<'a> {
    table: &'a PlayTable,
    series: Series,
    /// True once a bot has written to standard error in an attempt that is in the log.
    has_errors: bool,
}

impl PageWatcher<'_> {
    fn step(&self, referee: &Referee, from: usize) {
        let (table, seat) = (self.table, self.table.players.seat);
        let story = referee.narrate_to(seat, from, &table.players.names);
        let (events, view) = (referee.history_of(seat, from), referee.view(seat));
        table.tell(TableNews { story: &story, events: &events, view: Some(&view) });
    }

    fn end_game(&mut self, game: &GameRecord, status: GameStatus) -> io::Result<()> {
        self.has_errors |= game.measured.iter().any(|it| !it.stderr.bytes().is_empty());
        if who_left(game, &self.series).is_some() {
            return Ok(());
        }
        if status == GameStatus::Again
            && let Outcome::Void { reason } = &game.result
        {
            let reason = printable(reason);
            let story = format!("the game is void and will be replayed: {reason}");
            self.table.tell(TableNews { story: &story, ..TableNews::default() });
        }
        if status != GameStatus::Counts {
            return Ok(());
        }
        let mut result = Vec::new();
        match_text::result(&mut result, game, status)?;
        let result = String::from_utf8_lossy(&result).trim().to_owned();
        // With the names of the record, which are those of the table.
        let cards = revealed(&self.series, game, self.table.players.seat);
        let cards = cards.lines().filter(|line| line.starts_with(' '));
        let cards = cards.map(|line| line.trim().to_owned()).collect();
        let log = self.table.log().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let can_be_loaded = !self.has_errors;
        let scores = game.result.scores();
        let ending = GameEnding {
            verdict: outcome_sentence(game, self.table.players.seat),
            result,
            scores: scores
                .map(|scores| scores.values().iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            hands: hands(&self.series, game),
            cards,
            log,
            can_be_loaded,
            seed: None,
            proof: None,
        };
        self.table.ends(ending);
        Ok(())
    }
}

impl Watcher for PageWatcher<'_> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::GameStarted(GameSetup { .. }) => {}
            SeriesEvent::Stepped { referee, from, .. } => self.step(referee, from),
            SeriesEvent::GameOver { game, status, .. } => self.end_game(game, status)?,
            SeriesEvent::Over { seed, .. } => self.table.reveals(seed.to_string()),
            SeriesEvent::Warned { name, text } => say(format!("warning: {name}: {text}")),
            // Only the person stops the game, by leaving it.
            SeriesEvent::Started(_)
            | SeriesEvent::Tick { .. }
            | SeriesEvent::Stopping { .. }
            | SeriesEvent::Stopped { .. } => {}
        }
        Ok(())
    }
}
