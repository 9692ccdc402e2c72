//! The progress of many games, on a terminal only.

use std::fmt::Write;
use std::io;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use text::counted;

/// The time between updates while no game ends.
const TICK: Duration = Duration::from_millis(500);

/// A line on standard error: game r of N, time so far and for each game, time left and in all.
#[derive(Debug)]
pub struct GameProgressBar {
    bar: ProgressBar,
}

impl GameProgressBar {
    /// Begins with no game of this number played.
    pub fn start(games: u64) -> io::Result<GameProgressBar> {
        let line = "game {pos} of {len}  {wide_bar}  {elapsed}, {each} per game, {eta} left of \
                    {duration}";
        let style = ProgressStyle::with_template(line).map_err(io::Error::other)?;
        // The library draws nothing if standard error is not a terminal.
        let bar = ProgressBar::new(games).with_style(style.with_key("each", write_each));
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Ok(GameProgressBar { bar })
    }

    /// One more game is over.
    pub fn game_over(&self) {
        self.bar.inc(1);
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
