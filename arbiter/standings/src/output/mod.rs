//! The standings of a tournament: as text for people, as Markdown for what they write, as JSON and
//! CSV for programs.

mod cells;

use std::io;

use ::csv::Writer;
use ::text::columns::aligned;
use ::text::{printable, spreadsheet_cell};
use rules::Verdict;

use crate::OutsideHelp;
use crate::{Estimate, Pairing, Row, Standings, View};
pub use cells::{Column, forfeits, notes, probability, title};
use cells::{Section, WORDS, sections};

/// A table of all games and one without those that were forfeited, if any were; then every two
/// bots, unless there are more than 20.
pub fn text(standings: &Standings) -> String {
    sections(standings).iter().map(in_columns).collect::<Vec<_>>().join("\n")
}

fn in_columns(section: &Section) -> String {
    let notes: String = section.notes.iter().map(|note| format!("{note}\n")).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("{}\n\n{}{gap}{notes}", section.title, aligned(&section.table, WORDS))
}

/// Standings as Markdown: the content of [`text`](text()), with a heading and a table for each part.
pub fn markdown(standings: &Standings) -> String {
    let sections = sections(standings).into_iter().map(|section| {
        let notes = section.notes.iter().map(|note| format!("- {}\n", escaped(note)));
        let notes: String = notes.collect();
        let gap = if notes.is_empty() { "" } else { "\n" };
        format!("## {}\n\n{}{gap}{notes}", escaped(&section.title), markdown_table(&section.table))
    });
    sections.collect::<Vec<_>>().join("\n")
}

fn markdown_table(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut rows = rows.iter().map(|row| row.iter().map(|cell| escaped(cell)).collect::<Vec<_>>());
    let heading = rows.next().unwrap_or_default();
    let rule = |column| if column < WORDS { ":--" } else { "--:" };
    let rule: Vec<String> = (0..heading.len()).map(|column| rule(column).to_owned()).collect();
    let rows: String = rows.map(|row| line(&row)).collect();
    format!("{}{}{rows}", line(&heading), line(&rule))
}

/// The text as it must be written to be read as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '~' | '&') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// One line, with everything that [`Standings`] hold.
///
/// # Errors
///
/// Never: all of it has a form in JSON.
pub fn json(standings: &Standings) -> io::Result<String> {
    Ok(serde_json::to_string(standings)?)
}

/// A heading, a line for each bot from all games, and one for each from those that were not
/// forfeited. A cell is empty if there is no number. With more than two seats, places follow; with tie-breaks,
/// a column says which one decided. Where bots may have received help from outside, the last column says how:
/// `network` or `remote`.
///
/// # Errors
///
/// Never: it is written to memory.
pub fn csv_rows(standings: &Standings) -> io::Result<String> {
    let mut heading = words("view rank best_rank worst_rank name games won drawn lost forfeited");
    heading.extend(faults().map(|why| format!("forfeited_{}", why.name().replace('-', "_"))));
    heading.extend(words("score score_low score_high rating rating_low rating_high"));
    heading.extend(words("points_for points_against margin margin_low margin_high"));
    if standings.all.seats > 2 {
        heading.push("mean_place".to_owned());
        heading.extend((1..=standings.all.seats).map(|place| format!("place_{place}")));
    }
    heading.extend((!standings.all.tie_breaks.is_empty()).then(|| "tie_break".to_owned()));
    let is_helped = standings.all.rows.iter().any(|row| row.help.is_some());
    heading.extend(is_helped.then(|| "help".to_owned()));
    written(heading, standings, |view| {
        let cells = |of: &Row| {
            let mut cells = row(of);
            let tie_break = || of.tie_break.map_or_else(String::new, |it| it.to_string());
            cells.extend((!view.tie_breaks.is_empty()).then(tie_break));
            let help = || of.help.map_or("", OutsideHelp::name).to_owned();
            cells.extend(is_helped.then(help));
            cells
        };
        view.rows.iter().map(cells).collect()
    })
}

/// A heading and a line for every two bots that met, from all games and from those that were not forfeited.
/// A cell is empty if there is no number.
///
/// # Errors
///
/// Never: it is written to memory.
pub fn csv_crosstable(standings: &Standings) -> io::Result<String> {
    let mut heading = words("view name opponent games won drawn lost score score_low score_high");
    heading.extend(words("points_for points_against margin margin_low margin_high better"));
    written(heading, standings, |view| view.crosstable.iter().map(pairing).collect())
}

fn written(
    heading: Vec<String>,
    standings: &Standings,
    records: impl Fn(&View) -> Vec<Vec<String>>,
) -> io::Result<String> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(heading)?;
    let views = [("all", &standings.all), ("without-forfeits", &standings.without_forfeits)];
    for (name, view) in views {
        for record in records(view) {
            writer.write_record([vec![name.to_owned()], record].concat())?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn row(row: &Row) -> Vec<String> {
    let ranks = row.rank_interval;
    let mut cells = vec![
        row.rank.to_string(),
        ranks.map_or_else(String::new, |ranks| ranks.best.to_string()),
        ranks.map_or_else(String::new, |ranks| ranks.worst.to_string()),
        spreadsheet_cell(&printable(&row.name)).into_owned(),
    ];
    let counts = [row.games, row.won, row.drawn, row.lost, row.forfeits.values().sum()];
    let forfeits = faults().map(|why| row.forfeits.get(&why).copied().unwrap_or(0));
    cells.extend(counts.into_iter().chain(forfeits).map(|count| count.to_string()));
    cells.extend([row.score, row.rating].into_iter().flat_map(estimate));
    cells.extend([row.points_for, row.points_against].map(|points| points.to_string()));
    cells.extend(estimate(row.margin));
    if !row.places.is_empty() {
        cells.push(number(row.mean_place));
        cells.extend(row.places.iter().map(u64::to_string));
    }
    cells
}

fn pairing(pairing: &Pairing) -> Vec<String> {
    let names = [&pairing.name, &pairing.opponent];
    let mut cells: Vec<String> =
        names.map(|name| spreadsheet_cell(&printable(name)).into_owned()).into();
    let counts = [pairing.games, pairing.won, pairing.drawn, pairing.lost];
    cells.extend(counts.map(|count| count.to_string()));
    cells.extend(estimate(pairing.score));
    cells.extend([pairing.points_for, pairing.points_against].map(|points| points.to_string()));
    cells.extend(estimate(pairing.margin));
    cells.push(number(pairing.better));
    cells
}

/// The verdicts by which a game is forfeited.
fn faults() -> impl Iterator<Item = Verdict> {
    let is_fault = |verdict: &Verdict| !matches!(verdict, Verdict::Ok | Verdict::Void);
    Verdict::ALL.into_iter().filter(is_fault)
}

/// The value and the ends of its interval.
fn estimate(estimate: Option<Estimate>) -> [String; 3] {
    let value = estimate.map(|estimate| estimate.value);
    let interval = estimate.and_then(|estimate| estimate.interval);
    let low = interval.and_then(|interval| interval.low);
    let high = interval.and_then(|interval| interval.high);
    [value, low, high].map(number)
}

fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn words(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}
