//! A running tournament: on a terminal a table of its standings so far, elsewhere a line now and then.
//!
//! The table is drawn on the other screen that terminals have for this, and only while games are played: a window may
//! change its size at any time, and what was there before comes back whole. A table below the other lines would not do:
//! terminals break lines anew when they become narrower or wider, and no program learns how many there are then.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, mem, thread};

use console::{Style, Term, truncate_str};

use super::{leaders, settled_games, tell_begin, tell_news, tell_result};
use bot::sandboxed::SandboxedBots;
use contest::playing::series_runner::{ContestState, SeriesEvent, Watcher};
use standings::output::{Column, notes, title};
use text::columns::{aligned, widest};
use text::terminal::{Colours, say};
use text::{counted, printable};

const LINES_EVERY: Duration = Duration::from_secs(10);

/// The time until the table is made anew: with many bots the standings take a moment.
const TABLE_EVERY: Duration = Duration::from_secs(1);

/// A tournament that ends within this time needs no table.
const AT_FIRST: Duration = Duration::from_millis(300);

/// The most faults shown.
const FAULTS: usize = 3;

/// The most warnings shown at the end.
const WARNINGS: usize = 20;

/// The columns of the table, the most important ones first.
const COLUMNS: [Column; 14] = [
    Column::Rank,
    Column::Bot,
    Column::Score,
    Column::Games,
    Column::Rating,
    Column::Places,
    Column::MeanPlace,
    Column::Won,
    Column::Lost,
    Column::Drawn,
    Column::PointsAGame,
    Column::Forfeits,
    Column::Margin,
    Column::Ranks,
];

/// The number of columns that are always shown.
const NEEDED: usize = 3;

/// The space between two columns.
const GAP: usize = 2;

/// Shows the progress of a tournament, on standard error, and its result.
pub(crate) struct LiveProgress<'a> {
    out: &'a mut dyn Write,
    folder: PathBuf,
    sandboxed: SandboxedBots,
    pace: Option<RunSpeed>,
    table: Option<ScreenTable>,
    /// The time of the next line or table.
    due: Instant,
}

impl<'a> LiveProgress<'a> {
    /// A watcher that writes the result to `out`.
    pub(crate) fn new(out: &'a mut dyn Write, folder: &Path, sandboxed: SandboxedBots) -> Self {
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let table = (Term::stderr().is_term() && !is_dumb).then(ScreenTable::default);
        let due = Instant::now() + if table.is_some() { AT_FIRST } else { LINES_EVERY };
        LiveProgress { out, folder: folder.to_owned(), sandboxed, pace: None, table, due }
    }

    fn tick(&mut self, state: &ContestState, ahead: u64) {
        let Some(pace) = &self.pace else { return };
        let is_due = Instant::now() >= self.due;
        match &mut self.table {
            Some(table) => {
                if is_due {
                    table.make(state, settled_games(state) + ahead, pace.line(state, ahead));
                }
                table.draw();
            }
            None if is_due => say(format!("{}; {}", pace.line(state, ahead), leaders(state))),
            None => {}
        }
        if is_due {
            // From now on, for the standings may have taken long.
            let every = if self.table.is_some() { TABLE_EVERY } else { LINES_EVERY };
            self.due = Instant::now() + every;
        }
    }

    /// Goes back to the ordinary screen, and shows the warnings there.
    fn leave(&mut self) {
        let Some(table) = self.table.take() else { return };
        leave_screen();
        table.warnings.iter().for_each(say);
        if table.more_warnings > 0 {
            say(format!("{} more warnings", table.more_warnings));
        }
        self.due = Instant::now() + LINES_EVERY;
    }
}

impl Watcher for LiveProgress<'_> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                self.pace = Some(RunSpeed::new(state));
                tell_begin(self.out, state)?;
                self.out.flush()
            }
            SeriesEvent::Tick { state, ahead, .. } => {
                self.tick(state, ahead as u64);
                Ok(())
            }
            SeriesEvent::Over { state, .. } => {
                self.leave();
                tell_result(self.out, state, &state.standings(), &self.folder, &self.sandboxed)
            }
            other => {
                if matches!(other, SeriesEvent::Stopping { .. }) {
                    // A second signal finds the terminal as it was.
                    self.leave();
                }
                let news = tell_news(&other);
                let Some(table) = &mut self.table else {
                    news.iter().for_each(say);
                    return Ok(());
                };
                if matches!(other, SeriesEvent::Warned { .. }) {
                    table.keep(&news);
                }
                table.news.extend(news);
                let old = table.news.len().saturating_sub(FAULTS);
                table.news.drain(..old);
                Ok(())
            }
        }
    }
}

impl Drop for LiveProgress<'_> {
    /// Leaves no half-drawn table where the tournament fails.
    fn drop(&mut self) {
        self.leave();
    }
}

#[derive(Debug, Default)]
struct ScreenTable {
    title: String,
    /// The standings by column: its heading, and a cell for each bot.
    cells: Vec<(Column, Vec<String>)>,
    /// The number of games when they were made.
    made_of: Option<u64>,
    notes: Vec<String>,
    /// The last faults.
    news: VecDeque<String>,
    /// The progress in words, and as a share of all games.
    progress: String,
    share: f64,
    /// The lines on the screen, and the size of the terminal that they were made for.
    drawn: Option<((u16, u16), Vec<String>)>,
    /// Warnings to show once the screen is left.
    warnings: Vec<String>,
    more_warnings: usize,
}

impl ScreenTable {
    fn make(&mut self, state: &ContestState, games_done: u64, line: String) {
        let games = state.games.series.schedule().own_games();
        self.share = games_done.min(games) as f64 / games.max(1) as f64;
        self.progress = line;
        if self.made_of.replace(settled_games(state)) == Some(settled_games(state)) {
            return;
        }
        let view = state.standings().all;
        let cells = |column: Column| {
            let cells = view.rows.iter().map(|row| column.cell(row, &view));
            (column, [column.heading().to_owned()].into_iter().chain(cells).collect())
        };
        self.cells = Column::for_view(&view).map(cells).collect();
        (self.title, self.notes) = (title("standings", &view), notes(&view));
    }

    /// Draws it in the size that the terminal has now, unless it is there already.
    fn draw(&mut self) {
        if self.cells.is_empty() {
            return;
        }
        let size = Term::stderr().size();
        let drawn = Some((size, self.lines(size, Colours::of_stderr())));
        if let Some((_, lines)) = drawn.as_ref().filter(|_| self.drawn != drawn) {
            show_screen(lines);
        }
        self.drawn = drawn;
    }

    /// The lines to draw, which fit into the terminal. The last one always shows the progress.
    fn lines(&self, (rows, columns): (u16, u16), colours: Colours) -> Vec<String> {
        let (rows, columns) = (usize::from(rows), usize::from(columns));
        let (plain, style) = (Style::new(), Style::new().force_styling(colours == Colours::Ansi));
        let full = (self.share * columns as f64) as usize;
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(columns - full));
        let news =
            self.news.iter().skip(self.news.len() - self.news.len().min(rows.saturating_sub(8)));
        let mut below: Vec<(Style, String)> =
            news.map(|line| (style.clone().yellow(), printable(line))).collect();
        below.extend((rows > 6).then(|| (style.clone().green(), bar)));
        below.push((plain.clone(), self.progress.clone()));

        let mut room = rows.saturating_sub(below.len() + 2);
        let mut bots = self.table(columns);
        let heading = bots.remove(0);
        if bots.len() > room {
            let more = bots.len() - room.saturating_sub(1);
            bots.truncate(bots.len() - more);
            bots.push(format!("… and {more} more"));
        }
        room = room.saturating_sub(bots.len());
        let [above, behind] = [2, 1].map(|gap| (plain.clone(), String::new(), room >= gap));
        let gap = |(style, text, is_there)| Some((style, text)).filter(|_| is_there);
        let mut lines = vec![(style.clone().bold(), self.title.clone())];
        lines.extend(gap(above));
        lines.push((style.dim(), heading));
        lines.extend(bots.into_iter().map(|line| (plain.clone(), line)));
        lines.extend(gap(behind));
        let notes = self.notes.iter().take(room.saturating_sub(2));
        lines.extend(notes.map(|note| (plain.clone(), note.clone())));
        lines.truncate(rows.saturating_sub(below.len()));
        let all = lines.into_iter().chain(below);
        all.map(|(style, line)| style.apply_to(truncate_str(&line, columns, "…")).to_string())
            .collect()
    }

    /// The heading and a line for each bot, with as many columns as fit.
    fn table(&self, columns: usize) -> Vec<String> {
        let cells = |column: Column| {
            self.cells.iter().find(|it| it.0 == column).map_or(&[][..], |it| &it.1)
        };
        let width = |column: Column| widest(cells(column)) + GAP;
        let others = width(Column::Rank) + width(Column::Score);
        let name = columns.saturating_sub(others);
        let mut room = (columns + GAP).saturating_sub(others + width(Column::Bot));
        let mut kept = COLUMNS[..NEEDED].to_vec();
        for column in &COLUMNS[NEEDED..] {
            if !cells(*column).is_empty() && width(*column) <= room {
                room -= width(*column);
                kept.push(*column);
            }
        }
        let shown = || self.cells.iter().filter(|it| kept.contains(&it.0));
        let cell = |line: usize, (column, cells): &(Column, Vec<String>)| match column {
            Column::Bot => truncate_str(&cells[line], name, "…").into_owned(),
            _ => cells[line].clone(),
        };
        let rows = 0..cells(Column::Bot).len();
        let rows: Vec<Vec<String>> =
            rows.map(|line| shown().map(|it| cell(line, it)).collect()).collect();
        aligned(&rows, 2).lines().map(|line| line.trim_end().to_owned()).collect()
    }

    fn keep(&mut self, warnings: &[String]) {
        for warning in warnings {
            match self.warnings.len() < WARNINGS {
                true => self.warnings.push(warning.clone()),
                false => self.more_warnings += 1,
            }
        }
    }
}

/// The speed of a run, from its first game on. A game counts once it is over, even if an earlier one is not.
#[derive(Debug)]
struct RunSpeed {
    since: Instant,
    /// The number of games before it.
    before: u64,
}

impl RunSpeed {
    fn new(state: &ContestState) -> RunSpeed {
        RunSpeed { since: Instant::now(), before: settled_games(state) }
    }

    /// Games a second of this run; none before there is one.
    fn per_second(&self, done: u64) -> Option<f64> {
        let games = done.saturating_sub(self.before);
        let time = self.since.elapsed().as_secs_f64();
        (games > 0 && time > 0.0).then(|| games as f64 / time)
    }

    /// The time that the remaining games will take at this pace.
    fn time_left(&self, games: u64, done: u64) -> Option<Duration> {
        Duration::try_from_secs_f64(games.saturating_sub(done) as f64 / self.per_second(done)?).ok()
    }

    /// Games done of all, the time left and the pace, in one line.
    fn line(&self, state: &ContestState, ahead: u64) -> String {
        let games = state.games.series.schedule().own_games();
        let done = settled_games(state) + ahead;
        let left = self.time_left(games, done).map(|left| {
            let whole = Duration::from_secs(left.as_secs());
            format!("{} left", humantime::format_duration(whole))
        });
        let pace = self.per_second(done).map(|rate| format!("{rate:.1} per second"));
        let games = counted(games, "game", "games");
        let parts = [Some(format!("{done} of {games}")), left, pace];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

// The other screen of the terminal, on standard error.

/// Goes to the other screen, hides the cursor, and cuts lines that are too long at the edge: the
/// window may have become narrower a moment ago.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";

/// Undoes it. The other screen is cleared before: some terminals would add rows that no longer fit to the
/// ordinary screen.
const LEAVE: &str = "\x1b[H\x1b[2J\x1b[?7h\x1b[?25h\x1b[?1049l";

/// Attempts to leave the screen at the end of the program, and the pause between them: another thread may
/// be writing to a terminal that is stopped.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// True while the other screen is shown. There is one for the process, as there is one standard error.
static IS_OTHER: Mutex<bool> = Mutex::new(false);

/// Shows these lines, which must fit, on the other screen.
fn show_screen(lines: &[String]) {
    let mut is_other = IS_OTHER.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text =
        if mem::replace(&mut *is_other, true) { String::new() } else { ENTER.to_owned() };
    // Writing to a string does not fail. What is below goes first, because this is the last row if
    // nothing is there. Each line is put in its place, so that nothing scrolls where there are
    // fewer rows than a moment ago.
    let _ = write!(text, "\x1b[{};1H\x1b[0J", lines.len() + 1);
    for (row, line) in lines.iter().enumerate() {
        let _ = write!(text, "\x1b[{};1H\x1b[2K{line}", row + 1);
    }
    write_stderr(&text);
}

/// Goes back to the ordinary screen.
fn leave_screen() {
    let mut is_other = IS_OTHER.lock().unwrap_or_else(PoisonError::into_inner);
    if mem::take(&mut *is_other) {
        write_stderr(LEAVE);
    }
}

/// Goes back to the ordinary screen, for the program is about to end: nothing more is shown.
pub(crate) fn leave_for_good() {
    for _ in 0..TRIES {
        if let Ok(is_other) = IS_OTHER.try_lock() {
            if *is_other {
                write_stderr(LEAVE);
            }
            return mem::forget(is_other);
        }
        thread::sleep(PAUSE);
    }
}

/// Ignores errors: without a terminal, nothing is lost.
fn write_stderr(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;
    use console::measure_text_width;

    fn table(bots: usize) -> ScreenTable {
        let cell = |column: Column| match column {
            Column::Score => "93.3% ± 5.5".to_owned(),
            Column::Rating => "324 (162 to 486)".to_owned(),
            Column::Margin => "0.87 ± 0.11".to_owned(),
            _ => "112".to_owned(),
        };
        let cells = |column: Column| {
            let cells = (1..=bots).map(|bot| match column {
                Column::Bot => "n".repeat(1 + bot % 32),
                column => cell(column),
            });
            (column, [column.heading().to_owned()].into_iter().chain(cells).collect())
        };
        ScreenTable {
            title: "standings: 120 games, 60 deals".to_owned(),
            cells: Column::ALL.map(cells).to_vec(),
            notes: vec!["± 95% intervals".to_owned(); 3],
            news: (0..3)
                .map(|game| format!("game {game}: bot, illegal, {}", "x".repeat(300)))
                .collect(),
            progress: "120 of 1320 games, 1h 2m 3s left, 35.2 per second".to_owned(),
            share: 0.1,
            ..ScreenTable::default()
        }
    }

    #[test]
    fn it_fits_into_every_terminal_and_counts_the_bots_that_are_not_seen() {
        for bots in [2, 12, 40] {
            let table = table(bots);
            for (columns, rows) in (40..=140)
                .flat_map(|it| [6, 7, 8, 9, 10, 12, 15, 20, 24, 30, 60].map(|rows| (it, rows)))
            {
                let place = format!("{bots} bots, {columns} columns, {rows} rows");
                let lines = table.lines((rows, columns), Colours::Plain);
                assert!(lines.len() <= usize::from(rows), "{place}: {lines:#?}");
                let fits = |line: &String| measure_text_width(line) <= usize::from(columns);
                assert!(lines.iter().all(fits), "{place}: {lines:#?}");
                let last = lines.last().map(String::as_str).unwrap_or_default();
                assert!(last.starts_with("120 of 1320 games"), "{place}: {lines:#?}");
                let seen = lines.iter().filter(|line| line.contains(" n") && line.contains("93.3"));
                let more = lines.iter().find_map(|line| line.strip_prefix("… and "));
                let more = more.and_then(|line| line.strip_suffix(" more")?.parse().ok());
                assert_eq!(seen.count() + more.unwrap_or(0), bots, "{place}: {lines:#?}");
                assert!(lines.iter().any(|line| line.starts_with("rank")), "{place}: {lines:#?}");
            }
            let lines = table.lines((100, 250), Colours::Plain);
            assert!(lines[2].ends_with("margin  forfeits"), "every column: {lines:#?}");
            assert_eq!(lines.len(), 1 + 1 + 1 + bots + 1 + 3 + 3 + 1 + 1, "every line");
        }
    }

    #[test]
    fn even_where_nothing_fits_it_says_how_far_it_is() {
        let table =
            ScreenTable { progress: "1 of 2 games".to_owned(), news: VecDeque::new(), ..table(3) };
        assert_eq!(table.lines((1, 8), Colours::Plain), ["1 of 2 …"]);
        let lines = table.lines((9, 1), Colours::Plain);
        assert!(lines.iter().all(|line| measure_text_width(line) <= 1), "{lines:?}");
    }

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let table =
            ScreenTable { news: VecDeque::from(["game 3: bot, \u{1b}[2J".to_owned()]), ..table(3) };
        let plain = table.lines((20, 60), Colours::Plain);
        assert!(!plain.concat().contains('\x1b'), "{plain:?}");
        let painted = table.lines((20, 60), Colours::Ansi);
        let bare: Vec<_> =
            painted.iter().map(|line| console::strip_ansi_codes(line).into_owned()).collect();
        assert_eq!(bare, plain);
        assert!(painted.iter().any(|line| line.starts_with("\x1b[33mgame 3: ")), "{painted:?}");
    }
}
