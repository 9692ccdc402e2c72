//! Tells a person of the games that they play.

use std::cell::RefCell;
use std::fmt::Display;
use std::io;

use ::text::terminal::say;
use bot::sandboxed::SandboxedBots;
use contest::playing::game::GameSetup;
use contest::playing::match_text::{self, Help, KeptLog};
use contest::playing::matches::stopped_after;
use contest::playing::series_runner::{SeriesEvent, Watcher};
use contest::playing::state::State;
use rules::{GameRecord, PerSeat, Referee, Seat, Void};
use series::Series;
use series::game_status::{GameStatus, who_left};
use series::totals::Totals;

use crate::custom_view::SeenGame;
use crate::playable::outcome_sentence;
use crate::registry::{playable, revealed};
use crate::screen::{AfterGame, Screen};

/// Tells a person of a match in which they play: of each game the part that their seat may know, and the rest
/// when it is over.
pub struct SeatSession<'a, 'b> {
    name: String,
    screen: &'a RefCell<Screen<'b>>,
    /// Known from the first event on.
    series: Option<Series>,
    /// The score so far, a line, once there is one.
    score: String,
    has_left: bool,
    help: Help,
}

impl<'a, 'b> SeatSession<'a, 'b> {
    /// A match of the person with this name against these bots, at this screen.
    pub fn new(
        name: &str,
        screen: &'a RefCell<Screen<'b>>,
        sandboxed: SandboxedBots,
    ) -> SeatSession<'a, 'b> {
        SeatSession {
            name: name.to_owned(),
            screen,
            series: None,
            score: String::new(),
            has_left: false,
            help: Help { log: KeptLog::Nowhere, sandboxed },
        }
    }

    fn begin(&mut self, series: &Series) -> io::Result<()> {
        self.series = Some(series.clone());
        let commitment = series.header().commitment;
        self.screen.borrow_mut().print(&format!("seed commitment: {commitment}\n\n"))
    }

    fn games(&self) -> u64 {
        self.series.as_ref().map_or(1, |series| series.header().games)
    }

    fn seat<'n>(&self, mut names: impl Iterator<Item = (Seat, &'n String)>) -> Option<Seat> {
        names.find(|(_, name)| **name == self.name).map(|(seat, _)| seat)
    }

    fn begin_game(&mut self, setup: &GameSetup) -> io::Result<()> {
        let mut heading = Vec::new();
        match_text::heading(&mut heading, setup.game, setup.seats.values())?;
        let mut heading = String::from_utf8_lossy(&heading).into_owned();
        let mut screen = self.screen.borrow_mut();
        let others = self.games().saturating_sub(setup.game + 1);
        screen.ask_on_leaving(match others {
            0 => "leave the game".to_owned(),
            1 => "leave this and the next one".to_owned(),
            _ => format!("leave this and the next {others}"),
        });
        if screen.draws_in_place() {
            heading = format!("{}\n{}", heading.trim_end(), self.score);
        } else if setup.game > 0 || setup.attempt > 0 {
            heading.insert(0, '\n');
        }
        screen.begin(&heading, &setup.seats)
    }

    /// Tells the news of a step as the person's seat saw it: the referee's own story has everyone's cards.
    fn step(&mut self, setup: &GameSetup, referee: &Referee, from: usize) -> io::Result<()> {
        let Some(seat) = self.seat(setup.seats.iter()) else { return Ok(()) };
        let mut screen = self.screen.borrow_mut();
        if screen.draws_in_place()
            && let Some(series) = &self.series
        {
            let (view, history) = (referee.view(seat), referee.history_of(seat, 0));
            let history = history.iter().map(String::as_str).collect();
            let seen = SeenGame { view: view.lines().collect(), history };
            screen.look_out(playable(series.kind()).situation(&seen, seat, &setup.seats));
        }
        screen.narrate(&referee.narrate_to(seat, from, &setup.seats))
    }

    fn end_game(
        &mut self,
        game: &GameRecord,
        status: GameStatus,
        totals: &Totals,
    ) -> io::Result<()> {
        let Some(series) = &self.series else { return Ok(()) };
        if who_left(game, series).is_some() {
            self.has_left = true;
            return Ok(());
        }
        let mut screen = self.screen.borrow_mut();
        if status == GameStatus::Counts {
            screen.finish_game();
        }
        let seats = PerSeat::from(game.seats.clone());
        let own = self.seat(seats.iter()).filter(|_| status == GameStatus::Counts);
        let mut shown = own.map(|seat| revealed(series, game, seat)).unwrap_or_default();
        let mut result = Vec::new();
        match_text::result(&mut result, game, status)?;
        shown.push_str(&String::from_utf8_lossy(&result));
        if let Some(told) = own.and_then(|seat| outcome_sentence(game, seat)) {
            shown.push_str(&format!("{told}\n"));
        }
        let games = series.header().games;
        if status == GameStatus::Counts && games > 1 {
            self.score = score(totals, game.game + 1, games);
            shown.push_str(&self.score);
        }
        let is_last =
            status == GameStatus::Stops || (status == GameStatus::Counts && game.game + 1 == games);
        screen.end(&shown, if is_last { AfterGame::Nothing } else { AfterGame::Game })
    }

    fn end(&mut self, totals: &Totals, seed: &dyn Display) -> io::Result<()> {
        let summary = match self.games() {
            1 => match_text::remarks(totals),
            _ => {
                format!(
                    "{}\n{}\n",
                    match_text::table(totals, &self.help),
                    match_text::winner(totals)
                )
            }
        };
        self.screen.borrow_mut().print(&format!("\n{summary}seed: {seed}\n"))
    }

    /// Tells the seed, since nothing more is played; on standard error if the screen is gone.
    fn stopped(&mut self, state: &State, seed: &dyn Display) -> io::Result<()> {
        let why = match self.has_left {
            true => Void::Left(self.name.clone()).to_string(),
            false => stopped_after(state.games.progress.played(), self.games()),
        };
        let told = self.screen.borrow_mut().print(&format!("{why}\nseed: {seed}\n"));
        told.inspect_err(|_| say(format!("{why}\nseed: {seed}")))
    }
}

/// The score after some of several games, a line.
fn score(totals: &Totals, played: u64, games: u64) -> String {
    let each = totals.players().iter().map(|player| {
        let points = player.points.decimal();
        format!("{} {} won, {points} points", player.name, player.won)
    });
    let each: Vec<String> = each.collect();
    format!("after {played} of {games} games: {}\n", each.join("; "))
}

impl Watcher for SeatSession<'_, '_> {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => self.begin(&state.games.series),
            SeriesEvent::GameStarted(setup) => self.begin_game(setup),
            SeriesEvent::Stepped { setup, referee, from } => self.step(setup, referee, from),
            SeriesEvent::GameOver { game, status, state } => {
                self.end_game(game, status, &state.games.totals)
            }
            SeriesEvent::Warned { name, text } => {
                say(format!("warning: {name}: {text}"));
                Ok(())
            }
            SeriesEvent::Over { state, seed } => self.end(&state.games.totals, seed),
            SeriesEvent::Stopped { state, seed } => self.stopped(state, seed),
            SeriesEvent::Tick { .. } | SeriesEvent::Stopping { .. } => Ok(()),
        }
    }
}
