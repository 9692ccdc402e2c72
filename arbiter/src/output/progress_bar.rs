//! The progress of many games: a bar on a terminal, elsewhere a line now and then.

use std::cell::RefCell;
use std::fmt::Write;
use std::io;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use text::counted;
use text::terminal::ProgressLines;

/// The time between updates while no game ends.
const TICK: Duration = Duration::from_millis(500);

/// The time before the first line and between two lines where there is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(10);

/// A line on standard error: game r of N, time so far and for each game, time left and in all.
#[derive(Debug)]
pub struct GameProgressBar {
    bar: ProgressBar,
    lines: GameLines,
}

impl GameProgressBar {
    /// Begins with no game of this number played.
    pub fn start(games: u64) -> io::Result<GameProgressBar> {
        let line = "game {pos} of {len}  {wide_bar}  {elapsed}, {each} per game, {eta} left of \
                    {duration}{msg}";
        let style = ProgressStyle::with_template(line).map_err(io::Error::other)?;
        // The library draws nothing if standard error is not a terminal.
        let bar = ProgressBar::new(games).with_style(style.with_key("each", write_each));
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Ok(GameProgressBar { bar, lines: GameLines::start(games, "") })
    }

    /// Says this behind the bar and behind each line.
    pub fn remarking(mut self, remark: &'static str) -> GameProgressBar {
        self.bar.set_message(remark);
        self.lines.remark = remark;
        self
    }

    /// One more game is over.
    pub fn game_over(&self) {
        self.bar.inc(1);
        self.lines.show_done(self.bar.position());
    }

    /// Takes the line away, and leaves nothing.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Takes the line away, and leaves how long it took.
    pub fn finish(&self) {
        let (games, time) = (self.bar.position(), self.bar.elapsed());
        let rate = games as f64 / time.as_secs_f64();
        let games = counted(games, "game", "games");
        self.bar.println(format!("{games} in {time:.1?}, {rate:.1} per second"));
        self.bar.finish_and_clear();
    }
}

/// The mean time of a game so far: wall time, all threads together.
fn write_each(state: &ProgressState, out: &mut dyn Write) {
    let games = u32::try_from(state.pos()).unwrap_or(u32::MAX);
    // A line that cannot be drawn is not worth stopping for.
    let _ = match state.elapsed().checked_div(games) {
        Some(each) => write!(out, "{each:.1?}"),
        None => write!(out, "?"),
    };
}

/// Lines on standard error about games that are over, where it is no terminal.
#[derive(Debug)]
pub(crate) struct GameLines {
    lines: RefCell<Option<ProgressLines>>,
    games: u64,
    /// The text behind each line.
    remark: &'static str,
}

impl GameLines {
    /// Begins with no game of this number played.
    pub(crate) fn start(games: u64, remark: &'static str) -> GameLines {
        let lines = RefCell::new(ProgressLines::every(LINES_EVERY));
        GameLines { lines, games, remark }
    }

    /// So many games are over.
    pub(crate) fn show_done(&self, done: u64) {
        if let Some(lines) = &mut *self.lines.borrow_mut() {
            lines.tell(|so_far| game_line(done, self.games, so_far) + self.remark);
        }
    }
}

/// Games done of all, the time left and the time of each.
fn game_line(done: u64, games: u64, so_far: Duration) -> String {
    let each = so_far.as_secs_f64() / done.max(1) as f64;
    let left = Duration::from_secs((each * games.saturating_sub(done) as f64) as u64);
    let (games, left) = (counted(games, "game", "games"), humantime::format_duration(left));
    format!("{done} of {games}, {left} left, {each:.1} s per game")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_long_it_takes() {
        let line = game_line(5, 20, Duration::from_secs(31));
        assert_eq!(line, "5 of 20 games, 1m 33s left, 6.2 s per game");
        assert_eq!(game_line(0, 1, Duration::ZERO), "0 of 1 game, 0s left, 0.0 s per game");
    }
}
