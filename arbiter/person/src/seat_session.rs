//! Tells a person of the games that they play.
//!
//! The lines of the view are laid out by their keys, and the moves as they are spelt.

use std::cell::RefCell;
use std::fmt::Display;
use std::io;
use std::marker::PhantomData;

use ::text::terminal::say;
use bot::sandboxed::SandboxedBots;
use contest::playing::match_text::{FaultContext, LogLocation};
use contest::playing::matches::stopped_after;
use contest::playing::series_runner::{ContestState, SeriesEvent, Watcher};
use contest::playing::{GameSetup, match_text};
use games::{GameFiles, ViewKeys};
use rules::request_text::{NotRequest, PlainRequest};
use rules::{GameKind, GameRecord, ListCompleteness, PerSeat, Referee, Seat, VoidCause};
use series::Series;
use series::game_status::{GameStatus, Totals, who_left};
use text::columns::{padded, widest};
use text::printable;

use crate::custom_view::{SeenGame, laid_out};
use crate::move_list::{MoveHint, MovePrompt, OfferedMove, OfferedMoves, are_numbered, choose};
use crate::playable::{FinishedGame, PlayableText, outcome_sentence, unasked, unreadable_request};
use crate::screen::{GameSequel, PersonDecision, Screen};

/// Tells a person of a match in which they play: of each game the part that their seat may know, and the rest
/// when it is over.
pub struct PersonWatcher<'a, 'b> {
    name: String,
    screen: &'a RefCell<Screen<'b>>,
    /// Known from the first event on.
    series: Option<Series>,
    /// The score so far, a line, once there is one.
    score: String,
    has_left: bool,
    help: FaultContext,
}

impl<'a, 'b> PersonWatcher<'a, 'b> {
    /// A match of the person with this name against these bots, at this screen.
    pub fn new(
        name: &str,
        screen: &'a RefCell<Screen<'b>>,
        sandboxed: SandboxedBots,
    ) -> PersonWatcher<'a, 'b> {
        PersonWatcher {
            name: name.to_owned(),
            screen,
            series: None,
            score: String::new(),
            has_left: false,
            help: FaultContext { log: LogLocation::Nowhere, sandboxed },
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
        screen.end(&shown, if is_last { GameSequel::Nothing } else { GameSequel::Game })
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
    fn stopped(&mut self, state: &ContestState, seed: &dyn Display) -> io::Result<()> {
        let why = match self.has_left {
            true => VoidCause::Left(self.name.clone()).to_string(),
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

impl Watcher for PersonWatcher<'_, '_> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
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

pub(crate) fn playable(kind: &GameKind) -> Box<dyn PlayableText> {
    macro_rules! find {
        ($($game:ty),*) => {
            $(if *kind == GameKind::of::<$game>() {
                return Box::new(PhantomData::<$game>);
            })*
        };
    }
    rules::games!(find);
    let keys = GameFiles::for_game(kind).map(|files| files.view().clone()).unwrap_or_default();
    Box::new(CustomPlayable { keys })
}

/// The question of a request to one of these players, by seat.
pub fn offered(
    kind: &GameKind,
    request: &str,
    names: &PerSeat<String>,
) -> Result<OfferedMoves, NotRequest> {
    playable(kind).offered(request, names)
}

/// The move that the built-in `greedy` would play.
pub fn hint(kind: &GameKind, request: &str) -> Result<MoveHint, String> {
    playable(kind).hint(request)
}

/// The cards that were hidden from the person on a seat, in whole lines; nothing if none were.
pub fn revealed(series: &Series, game: &GameRecord, own: Seat) -> String {
    let lines = playable(series.kind()).revealed(&FinishedGame::new(series, game, own));
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nall cards, now that the game is over\n{lines}"),
    }
}

/// The widest line of a list of moves, in cells.
const WIDTH: usize = 76;

/// The most lines of a list of moves.
const ROWS: usize = 12;

/// The blanks between two columns of a list of moves.
const GAP: &str = "   ";

const QUESTION: &str = "your move:";

const NO_HINT: &str = "no built-in bot plays this game";

const HELP: &str = "\
Choose a move by number or by text; the first letters of its words are enough.
It is played immediately and cannot be undone, even if one letter was enough.
Type the whole text of a move that is not listed.
  auto      play one of the listed moves at random
  history   the moves so far
  rules     a summary of the rules
  quit      leave the game
";

/// Any game, as text.
pub(crate) struct CustomPlayable {
    /// The keys of its view that are laid out.
    pub(crate) keys: ViewKeys,
}

impl PlayableText for CustomPlayable {
    fn situation(&self, seen: &SeenGame<'_>, own: Seat, names: &PerSeat<String>) -> String {
        laid_out(seen, &self.keys, own, names)
    }

    fn offered(&self, request: &str, _names: &PerSeat<String>) -> Result<OfferedMoves, NotRequest> {
        let request = PlainRequest::read(request)?;
        let offered = |mv: &&str| OfferedMove { text: (*mv).to_owned(), words: (*mv).to_owned() };
        Ok(OfferedMoves {
            question: QUESTION.to_owned(),
            moves: request.legal.iter().map(offered).collect(),
            has_more: request.listing == ListCompleteness::Cut,
        })
    }

    fn hint(&self, _request: &str) -> Result<MoveHint, String> {
        Err(NO_HINT.to_owned())
    }

    /// The hidden cards of each seat at the end.
    fn revealed(&self, ended: &FinishedGame<'_>) -> String {
        let (names, views, public) = (&ended.names, ended.views(), ended.public_view());
        let width = widest(names.values());
        let line = |(seat, name): (Seat, &String)| {
            let own = own_lines(&views[seat], &public).into_iter();
            // A key without a value tells nothing.
            let own = own.filter(|line| line.contains(' ')).collect::<Vec<_>>().join("; ");
            (!own.is_empty()).then(|| format!("  {}  {own}\n", padded(name, width)))
        };
        names.iter().filter_map(line).collect()
    }

    fn decide(
        &self,
        text: &str,
        names: &PerSeat<String>,
        screen: &mut Screen<'_>,
    ) -> Result<PersonDecision, String> {
        let request = PlainRequest::read(text).map_err(unreadable_request)?;
        let moves: Vec<String> = request.legal.iter().map(|mv| (*mv).to_owned()).collect();
        let seen = SeenGame { view: request.view, history: request.history };
        let refused = request.heading.retry.as_ref().map(|retry| &retry.reason);
        let refused =
            refused.map(|reason| format!("refused  {}\n", printable(reason))).unwrap_or_default();
        let board = format!(
            "{}{refused}{QUESTION}\n{}",
            laid_out(&seen, &self.keys, request.heading.seat, names),
            list(&moves, request.listing)
        );
        let hint = || format!("{NO_HINT}\n");
        let mut nature = request.heading.seed.nature();
        let drawn = nature.choose(&moves).cloned().ok_or_else(|| "no move is listed".to_owned());
        let auto = || drawn.clone();
        let choices = MovePrompt { board, moves: &moves, help: HELP, hint: &hint, auto: &auto };
        choose(&choices, text, screen).map_err(unasked)
    }
}

/// The lines of a view that are not among those of all seats.
fn own_lines<'a>(view: &'a str, public: &str) -> Vec<&'a str> {
    let mut public = public.lines().peekable();
    // Those of all seats stand in every view in the same order.
    view.lines().filter(|line| public.next_if(|next| next == line).is_none()).collect()
}

/// Moves in columns, as many as there is room for.
fn list(moves: &[String], listing: ListCompleteness) -> String {
    let digits = moves.len().to_string().len();
    let is_numbered = are_numbered(moves);
    let cell = |(number, mv): (usize, &String)| match is_numbered {
        true => format!("  {number:digits$}  {mv}"),
        false => format!("  {mv}"),
    };
    let cells: Vec<String> = (1..).zip(moves).map(cell).collect();
    let wide = widest(&cells);
    let fitting = ((WIDTH + GAP.len()) / (wide + GAP.len())).max(1);
    let columns = moves.len().div_ceil(ROWS).clamp(1, fitting);
    let rows = moves.len().div_ceil(columns).min(ROWS);
    let mut text = String::new();
    for row in 0..rows {
        let row = cells.iter().skip(row).step_by(rows).take(columns);
        let row: Vec<String> = row.map(|cell| padded(cell, wide)).collect();
        text.push_str(row.join(GAP).trim_end());
        text.push('\n');
    }
    let left = moves.len().saturating_sub(rows * columns);
    if left > 0 {
        text.push_str(&format!("  and {left} more: type the text\n"));
    }
    if listing == ListCompleteness::Cut {
        text.push_str("  and more, not listed: type the text\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(count: usize, text: &str) -> Vec<String> {
        (1..=count).map(|number| format!("{text}{number}")).collect()
    }

    #[test]
    fn moves_stand_in_as_many_columns_as_they_need_and_fit() {
        assert_eq!(list(&moves(2, "a"), ListCompleteness::Complete), "  1  a1\n  2  a2\n");
        let several = list(&moves(13, "a"), ListCompleteness::Complete);
        assert_eq!(several.lines().count(), 7);
        assert_eq!(several.lines().next(), Some("   1  a1       8  a8"));
        assert_eq!(several.lines().last(), Some("   7  a7"));
        let many = list(&moves(1000, "pass 2C 3C "), ListCompleteness::Cut);
        assert_eq!(many.lines().count(), ROWS + 2);
        assert!(many.lines().all(|line| text::columns::width(line) <= WIDTH), "{many}");
        let last = "  and 964 more: type the text\n  and more, not listed: type the text\n";
        assert!(many.ends_with(last), "{many}");
        let long = list(&moves(20, &"x".repeat(200)), ListCompleteness::Complete);
        assert_eq!(long.lines().count(), ROWS + 1);
    }

    #[test]
    fn moves_that_are_numbers_have_no_other_ones() {
        assert_eq!(list(&moves(2, ""), ListCompleteness::Complete), "  1\n  2\n");
        let asked = ["bid 1".to_owned(), "7".to_owned()];
        assert_eq!(list(&asked, ListCompleteness::Complete), "  bid 1\n  7\n");
    }

    #[test]
    fn a_line_is_a_seats_own_even_if_others_have_an_equal_one() {
        assert_eq!(own_lines("pot 1\ncard Q\nboard Q", "pot 1\nboard Q"), ["card Q"]);
        assert_eq!(own_lines("card Q\ncard Q", "card Q"), ["card Q"]);
        assert!(own_lines("", "").is_empty());
    }
}
