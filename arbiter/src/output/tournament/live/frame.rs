//! What is drawn of a tournament, in the room that there is.

use std::borrow::Cow;
use std::collections::VecDeque;

use console::{measure_text_width, truncate_str};
use rules::text::printable;

use super::screen::Size;
use crate::text::colours::Colours;
use crate::text::columns::aligned;

/// The columns of the standings, those first that are missed most. Others come last.
const COLUMNS: [&str; 12] = [
    "rank",
    "bot",
    "score",
    "games",
    "rating",
    "won",
    "lost",
    "drawn",
    "points a game",
    "forfeits",
    "margin",
    "ranks",
];

/// The columns without which a table says nothing.
const NEEDED: usize = 3;

/// Which of the columns has names in it, and is cut where it must be.
const NAMES: &str = "bot";

/// How many of the first columns are words, and aligned to the left.
const WORDS: usize = 2;

/// What stands between two columns.
const GAP: usize = 2;

/// How many bots are shown before there is room for anything else.
const FEW: usize = 3;

/// What there is to show.
pub(super) struct Content<'a> {
    /// What stands above the table.
    pub(super) title: &'a str,
    /// The standings: the heading, and a row for each bot.
    pub(super) table: &'a [Vec<String>],
    /// What stands below it, if there is room.
    pub(super) notes: &'a [String],
    /// The last faults.
    pub(super) faults: &'a VecDeque<String>,
    /// How far it is, in parts, those first that are missed most.
    pub(super) progress: &'a [String],
    /// How many games are done.
    pub(super) done: u64,
    /// How many there are.
    pub(super) games: u64,
}

/// What a line is, which says how it is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Title,
    Heading,
    Plain,
    Fault,
    Bar,
}

/// The lines that are drawn: no more than there are rows, and none longer than a row. How far it is
/// stands in the last one, always.
pub(super) fn frame(content: &Content<'_>, size: Size, colours: Colours) -> Vec<String> {
    let Size { columns, rows } = size;
    let mut table = table(content.table, columns).into_iter();
    let heading = table.next();
    let bots: Vec<String> = table.collect();
    // What is taken first is left out last.
    let mut room = rows.saturating_sub(1);
    let mut take = |wanted: usize| {
        let taken = wanted.min(room);
        room -= taken;
        taken
    };
    let headings = take(usize::from(heading.is_some()));
    let few = take(bots.len().min(FEW));
    let titles = take(1);
    let fault = take(content.faults.len().min(1));
    let bars = take(1);
    let shown = few + take(bots.len() - few);
    let faults = fault + take(content.faults.len() - fault);
    let gaps = take(2);
    let notes = take(content.notes.len());

    let mut lines: Vec<(Tone, String)> = Vec::new();
    lines.extend((titles > 0).then(|| (Tone::Title, content.title.to_owned())));
    lines.extend((gaps > 1).then(|| (Tone::Plain, String::new())));
    lines.extend(heading.into_iter().take(headings).map(|line| (Tone::Heading, line)));
    lines.extend(best(&bots, shown).into_iter().map(|line| (Tone::Plain, line)));
    lines.extend((gaps > 0).then(|| (Tone::Plain, String::new())));
    lines.extend(content.notes.iter().take(notes).map(|note| (Tone::Plain, note.clone())));
    let first = content.faults.len() - faults;
    lines.extend(content.faults.iter().skip(first).map(|fault| (Tone::Fault, fault.clone())));
    lines.extend((bars > 0).then(|| (Tone::Bar, bar(content.done, content.games, columns))));
    lines.push((Tone::Plain, progress(content.progress, columns)));
    lines.iter().map(|(tone, line)| painted(&cut(line, columns), *tone, colours)).collect()
}

/// This number of lines of a table, of which the last one says how many bots are not in it.
fn best(bots: &[String], shown: usize) -> Vec<String> {
    if shown == bots.len() || shown < 2 {
        return bots[..shown].to_vec();
    }
    let mut lines = bots[..shown - 1].to_vec();
    lines.push(format!("… and {} more", bots.len() - lines.len()));
    lines
}

/// The table with those columns that there is room for, a line for each row.
fn table(table: &[Vec<String>], columns: usize) -> Vec<String> {
    let Some(heading) = table.first() else { return Vec::new() };
    let width = |column: usize| {
        let cells = table.iter().filter_map(|row| row.get(column));
        cells.map(|cell| measure_text_width(cell)).max().unwrap_or(0)
    };
    let importance = |column: &usize| {
        let name = heading.get(*column).map(String::as_str);
        COLUMNS.iter().position(|it| Some(*it) == name).unwrap_or(COLUMNS.len())
    };
    let mut all: Vec<usize> = (0..heading.len()).collect();
    all.sort_by_key(importance);
    let mut kept = Vec::new();
    let mut taken = 0;
    for column in all {
        let more = width(column) + if kept.is_empty() { 0 } else { GAP };
        if importance(&column) < NEEDED || taken + more <= columns {
            kept.push(column);
            taken += more;
        }
    }
    kept.sort_unstable();
    let too_much = taken.saturating_sub(columns);
    let cell = |row: &[String], column: usize| {
        let cell = row.get(column).map_or("", String::as_str);
        match heading[column] == NAMES {
            true => cut(cell, width(column).saturating_sub(too_much)).into_owned(),
            false => cell.to_owned(),
        }
    };
    let rows = table.iter().map(|row| kept.iter().map(|column| cell(row, *column)).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    aligned(&rows, WORDS).lines().map(|line| line.trim_end().to_owned()).collect()
}

/// As much of the parts as there is room for, in one line.
fn progress(parts: &[String], columns: usize) -> String {
    let fits = |count: &usize| measure_text_width(&parts[..*count].join(", ")) <= columns;
    let count = (1..=parts.len()).rev().find(fits).unwrap_or(parts.len().min(1));
    parts[..count].join(", ")
}

fn bar(done: u64, games: u64, columns: usize) -> String {
    let share = done.min(games) as f64 / games.max(1) as f64;
    let full = (share * columns as f64) as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(columns.saturating_sub(full)))
}

/// A line that is no longer than this.
fn cut(line: &str, columns: usize) -> Cow<'_, str> {
    match line.chars().any(char::is_control) {
        true => Cow::Owned(truncate_str(&printable(line), columns, "…").into_owned()),
        false => truncate_str(line, columns, "…"),
    }
}

fn painted(line: &str, tone: Tone, colours: Colours) -> String {
    let colour = match (colours, tone) {
        (Colours::Plain, _) | (_, Tone::Plain) => return line.to_owned(),
        (Colours::Ansi, Tone::Title) => "1",
        (Colours::Ansi, Tone::Heading) => "2",
        (Colours::Ansi, Tone::Fault) => "33",
        (Colours::Ansi, Tone::Bar) => "32",
    };
    format!("\x1b[{colour}m{line}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(bots: usize) -> Vec<Vec<String>> {
        let row = |row: &str| row.split('|').map(str::to_owned).collect::<Vec<_>>();
        let heading = "rank|bot|games|won|drawn|lost|score|rating|ranks|points a game|margin|new";
        let mut table = vec![row(heading)];
        for bot in 1..=bots {
            let name = "n".repeat(1 + bot % 32);
            table.push(row(&format!(
                "{bot}|{name}|120|112|0|8|93.3% ± 5.5|324 ± 162|1-9|0.93|0.87 ± 0.11|42"
            )));
        }
        table
    }

    #[test]
    fn it_fits_into_every_terminal_and_counts_who_is_not_seen() {
        let faults: VecDeque<String> =
            (0..3).map(|game| format!("game {game}: bot, illegal, {}", "x".repeat(300))).collect();
        let notes = vec!["± 95% intervals".to_owned(); 3];
        let parts = ["120 of 1320 games", "1h 2m 3s left", "35.2 a second"].map(str::to_owned);
        let heights = [6, 7, 8, 9, 10, 12, 15, 20, 24, 30, 60];
        for bots in [2, 12, 40] {
            let table = standings(bots);
            let content = Content {
                title: "standings: 120 games, 60 deals",
                table: &table,
                notes: &notes,
                faults: &faults,
                progress: &parts,
                done: 120,
                games: 1320,
            };
            for (columns, rows) in (40..=140).flat_map(|it| heights.map(|rows| (it, rows))) {
                let place = format!("{bots} bots, {columns} columns, {rows} rows");
                let lines = frame(&content, Size { columns, rows }, Colours::Plain);
                assert!(lines.len() <= rows, "{place}: {lines:#?}");
                let fits = |line: &String| measure_text_width(line) <= columns;
                assert!(lines.iter().all(fits), "{place}: {lines:#?}");
                let last = lines.last().map(String::as_str).unwrap_or_default();
                assert!(last.starts_with("120 of 1320 games"), "{place}: {lines:#?}");
                let seen = lines.iter().filter(|line| line.contains(" n") && line.contains("93.3"));
                let more = lines.iter().find_map(|line| line.strip_prefix("… and "));
                let more = more.and_then(|line| line.strip_suffix(" more")?.parse().ok());
                assert_eq!(seen.count() + more.unwrap_or(0), bots, "{place}: {lines:#?}");
                assert!(lines.iter().any(|line| line.starts_with("rank")), "{place}: {lines:#?}");
            }
            let room = Size { columns: 250, rows: 100 };
            let lines = frame(&content, room, Colours::Plain);
            assert!(lines[2].ends_with("margin  new"), "every column: {lines:#?}");
            assert_eq!(lines.len(), 1 + 1 + 1 + bots + 1 + 3 + 3 + 1 + 1, "every line");
        }
    }

    #[test]
    fn even_where_nothing_fits_it_says_how_far_it_is() {
        let table = standings(3);
        let faults = VecDeque::new();
        let parts = ["1 of 2 games".to_owned()];
        let (title, notes, progress) = ("standings", &[][..], &parts[..]);
        let content =
            Content { title, table: &table, notes, faults: &faults, progress, done: 1, games: 2 };
        let lines = frame(&content, Size { columns: 8, rows: 1 }, Colours::Plain);
        assert_eq!(lines, ["1 of 2 …"]);
        let lines = frame(&content, Size { columns: 1, rows: 9 }, Colours::Plain);
        assert!(lines.iter().all(|line| measure_text_width(line) <= 1), "{lines:?}");
    }

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let table = standings(3);
        let faults = VecDeque::from(["game 3: bot, \u{1b}[2J".to_owned()]);
        let parts = ["1 of 2 games".to_owned()];
        let (title, notes, progress) = ("standings", &[][..], &parts[..]);
        let content =
            Content { title, table: &table, notes, faults: &faults, progress, done: 1, games: 2 };
        let size = Size { columns: 60, rows: 20 };
        let plain = frame(&content, size, Colours::Plain);
        assert!(!plain.concat().contains('\x1b'), "{plain:?}");
        let painted = frame(&content, size, Colours::Ansi);
        let bare: Vec<_> =
            painted.iter().map(|line| console::strip_ansi_codes(line).into_owned()).collect();
        assert_eq!(bare, plain);
        assert!(painted.iter().any(|line| line.starts_with("\x1b[33mgame 3: ")), "{painted:?}");
    }
}
