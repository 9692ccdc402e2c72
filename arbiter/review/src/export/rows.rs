//! Rows of a table, and its formats.

use std::io::{self, Write};
use std::str::FromStr;

use rules::replay::Discrepancy;
use rules::{
    GameRecord, ListCompleteness, Measurements, NotText, NoteKey, NoteValue, PerSeat, Score, Seat,
};
use serde::{Serialize, Serializer};
use series::Series;
use text::spreadsheet_cell;

use crate::log_review::accepted_moves;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Cell {
    Number(u64),
    /// A whole number of any sign.
    Whole(i32),
    Real(f32),
    Score(Score),
    Text(String),
    /// A text of bots, or of rules that are not compiled in.
    Foreign(String),
    Note(NoteValue),
    /// An empty cell of CSV, `null` in JSON.
    Nothing,
}

pub(super) type Row = Vec<Cell>;

impl From<u32> for Cell {
    fn from(number: u32) -> Cell {
        Cell::Number(number.into())
    }
}

impl From<Seat> for Cell {
    fn from(seat: Seat) -> Cell {
        Cell::Number(seat.index() as u64)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// A heading and a line a row, of values between commas.
    Csv,
    /// A line of JSON a row, an object with the names of the columns as its keys.
    JsonLines,
}

impl TableFormat {
    pub const ALL: [TableFormat; 2] = [TableFormat::Csv, TableFormat::JsonLines];

    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::JsonLines => "jsonl",
        }
    }
}

impl FromStr for TableFormat {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let found = TableFormat::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| NotText::new("a format, `csv` or `jsonl`", text))
    }
}

pub(super) struct TableWriter<'a> {
    format: TableFormat,
    columns: Vec<String>,
    out: &'a mut dyn Write,
}

impl<'a> TableWriter<'a> {
    pub(super) fn new(
        format: TableFormat,
        columns: Vec<String>,
        out: &'a mut dyn Write,
    ) -> io::Result<Self> {
        if format == TableFormat::Csv {
            out.write_all(&separated([columns.iter().collect()])?)?;
        }
        Ok(TableWriter { format, columns, out })
    }

    /// Writes rows, all at once: what they are written to may be slow to call.
    pub(super) fn write(&mut self, rows: &[Row]) -> io::Result<()> {
        let text = match self.format {
            TableFormat::Csv => {
                separated(rows.iter().map(|row| row.iter().map(SafeCsvCell).collect()))?
            }
            TableFormat::JsonLines => self.objects(rows)?,
        };
        self.out.write_all(&text)
    }

    fn objects(&self, rows: &[Row]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        for row in rows {
            serde_json::Serializer::new(&mut text).collect_map(self.columns.iter().zip(row))?;
            text.push(b'\n');
        }
        Ok(text)
    }
}

/// A cell of CSV, which no spreadsheet takes for a formula.
struct SafeCsvCell<'a>(&'a Cell);

impl Serialize for SafeCsvCell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Foreign(text) => serializer.serialize_str(&spreadsheet_cell(text)),
            Cell::Note(value) if value.number().is_none() => {
                serializer.serialize_str(&spreadsheet_cell(value.as_str()))
            }
            cell => cell.serialize(serializer),
        }
    }
}

fn separated<T: Serialize>(rows: impl IntoIterator<Item = Vec<T>>) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The names of the columns, with these keys of notes at the end.
pub(super) fn columns(notes: &[NoteKey]) -> Vec<String> {
    let names = "log game deal seat player move text legal_moves more points final_points place";
    let notes = notes.iter().map(|key| format!("note_{key}"));
    names.split(' ').map(str::to_owned).chain(notes).collect()
}

/// The rows of a game, its end in all of them.
pub(super) fn rows(
    log: &str,
    series: &Series,
    game: &GameRecord,
    notes: &[NoteKey],
) -> Result<Vec<Row>, Discrepancy> {
    let scores = game.result.scores();
    let mut measured = game.measured.iter();
    let made = accepted_moves(series, game, |question| {
        let notes = noted(notes, measured.next());
        let (seat, (legal, listing)) = (question.seat(), question.legal_moves());
        let player = game.seats.get(seat.index()).cloned();
        let before = vec![
            Cell::Text(log.to_owned()),
            Cell::Number(game.game),
            Cell::Number(game.deal),
            seat.into(),
            player.map_or(Cell::Nothing, Cell::Foreign),
            question.number().into(),
        ];
        let mut after = vec![
            Cell::Number(legal.len() as u64),
            Cell::Number((listing == ListCompleteness::Cut).into()),
            Cell::Score(question.points()),
            scores.map_or(Cell::Nothing, |scores| Cell::Score(scores[seat])),
            scores.map_or(Cell::Nothing, |scores| Cell::Number(place(scores, seat))),
        ];
        after.extend(notes);
        Some((before, after))
    })?;
    let row = |((before, after), text)| [before, vec![Cell::Foreign(text)], after].concat();
    Ok(made.into_iter().map(row).collect())
}

/// The notes of an answer with these keys.
fn noted(keys: &[NoteKey], measured: Option<&Measurements>) -> Vec<Cell> {
    if keys.is_empty() {
        return Vec::new();
    }
    let notes = measured.map(Measurements::notes).unwrap_or_default();
    let cells = keys.iter().map(|key| notes.get(key).cloned().map_or(Cell::Nothing, Cell::Note));
    cells.collect()
}

/// The final place of a seat, from 1: seats with equal points share the better place.
pub(super) fn place(scores: &PerSeat<Score>, seat: Seat) -> u64 {
    1 + scores.values().iter().filter(|score| **score > scores[seat]).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only notes were; a move of rules that are not compiled in is a stranger's text, too.
    #[test]
    fn no_text_of_a_stranger_is_a_formula_in_a_spreadsheet() {
        let cells = |text: &str| vec![Cell::Foreign(text.to_owned()), Cell::Text("a".to_owned())];
        let rows = ["=1+1", "+A1", "-x", "@x", "-1.5", "bid 3", "'=1"].map(cells);
        let csv = |format| {
            let mut out = Vec::new();
            let columns = vec!["text".to_owned(), "log".to_owned()];
            let mut table = TableWriter::new(format, columns, &mut out).expect("in memory");
            table.write(&rows).expect("in memory");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(
            csv(TableFormat::Csv),
            "text,log\n'=1+1,a\n'+A1,a\n'-x,a\n'@x,a\n-1.5,a\nbid 3,a\n'=1,a\n"
        );
        assert!(csv(TableFormat::JsonLines).starts_with("{\"text\":\"=1+1\""));
    }
}
