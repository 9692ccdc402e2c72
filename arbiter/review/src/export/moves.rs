//! The features `moves`, for every game: the move, the number of legal moves, the result of the
//! game, and the notes that were asked for.

use rules::replay::{Discrepancy, Onlooker, replay_before};
use rules::{
    AnswerRecord, GameRecord, Listing, Measured, NoteKey, PerSeat, Question, Referee, Score, Seat,
    Verdict,
};

use crate::export::rows::{Cell, Row};
use series::Series;

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
    let measured = game.measured.iter();
    let mut onlooker = MoveRows { log, game, notes, measured, due: None, rows: Vec::new() };
    replay_before(series.setup(game, None), game, &mut onlooker)?;
    Ok(onlooker.rows)
}

/// The rows of a game that is being derived.
struct MoveRows<'a> {
    log: &'a str,
    game: &'a GameRecord,
    notes: &'a [NoteKey],
    /// Of the answers that are still to come.
    measured: std::slice::Iter<'a, Measured>,
    /// The question, while its accepted answer is about to be played.
    due: Option<PendingDecision>,
    rows: Vec<Row>,
}

/// A decision, before the move.
struct PendingDecision {
    seat: Seat,
    number: u32,
    listed: usize,
    listing: Listing,
    points: Score,
    notes: Vec<Cell>,
}

impl Onlooker for MoveRows<'_> {
    fn asked(&mut self, question: &Question<'_>, logged: &AnswerRecord) {
        let measured = self.measured.next();
        self.due = (logged.verdict == Verdict::Ok).then(|| {
            let (legal, listing) = question.legal_moves();
            let (seat, number, points) = (question.seat(), question.number(), question.points());
            let notes = noted(self.notes, measured);
            PendingDecision { seat, number, listed: legal.len(), listing, points, notes }
        });
    }

    fn stepped(&mut self, referee: &Referee) {
        if let (Some(due), Some(text)) = (self.due.take(), referee.last_move()) {
            self.rows.push(self.row(&due, text));
        }
    }
}

impl MoveRows<'_> {
    fn row(&self, due: &PendingDecision, text: String) -> Row {
        let MoveRows { log, game, .. } = *self;
        let scores = game.result.scores();
        let player = game.seats.get(due.seat.index()).cloned();
        let mut row = vec![
            Cell::Text(log.to_owned()),
            Cell::Number(game.game),
            Cell::Number(game.deal),
            due.seat.into(),
            player.map_or(Cell::Nothing, Cell::Foreign),
            due.number.into(),
            Cell::Foreign(text),
            Cell::Number(due.listed as u64),
            Cell::Number((due.listing == Listing::Cut).into()),
            Cell::Score(due.points),
            scores.map_or(Cell::Nothing, |scores| Cell::Score(scores[due.seat])),
            scores.map_or(Cell::Nothing, |scores| Cell::Number(place(scores, due.seat))),
        ];
        row.extend_from_slice(&due.notes);
        row
    }
}

/// The notes of an answer with these keys.
fn noted(keys: &[NoteKey], measured: Option<&Measured>) -> Vec<Cell> {
    if keys.is_empty() {
        return Vec::new();
    }
    let notes = measured.map(Measured::notes).unwrap_or_default();
    let cells = keys.iter().map(|key| notes.get(key).cloned().map_or(Cell::Nothing, Cell::Note));
    cells.collect()
}

/// The final place of a seat, from 1: seats with equal points share the better place.
pub(super) fn place(scores: &PerSeat<Score>, seat: Seat) -> u64 {
    1 + scores.values().iter().filter(|score| **score > scores[seat]).count() as u64
}
