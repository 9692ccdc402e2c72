//! The decisions of a game as the seats were asked for them.

use rules::replay::{Discrepancy, Onlooker, replay_before};
use rules::{AnswerRecord, GameRecord, Question, Referee, Verdict};
use series::Series;

/// A request, and the move that answered it.
#[derive(Debug, Clone)]
pub(crate) struct AnsweredQuestion {
    pub(crate) seat: usize,
    /// The number of the move.
    pub(crate) number: u32,
    pub(crate) request: String,
    pub(crate) played: String,
}

/// Derives a game again, and takes what these seats were asked and answered by legal moves.
pub(crate) fn questions(
    series: &Series,
    game: &GameRecord,
    seats: &[usize],
) -> Result<Vec<AnsweredQuestion>, Discrepancy> {
    let mut onlooker = Questions { seats, due: None, asked: Vec::new() };
    replay_before(series.setup(game, None), game, &mut onlooker)?;
    Ok(onlooker.asked)
}

struct Questions<'a> {
    seats: &'a [usize],
    /// The question, while its accepted answer is about to be played.
    due: Option<(usize, u32, String)>,
    asked: Vec<AnsweredQuestion>,
}

impl Onlooker for Questions<'_> {
    fn asked(&mut self, question: &Question<'_>, logged: &AnswerRecord) {
        let seat = question.seat().index();
        let counts = logged.verdict == Verdict::Ok && self.seats.contains(&seat);
        self.due = counts.then(|| (seat, question.number(), question.request()));
    }

    fn stepped(&mut self, referee: &Referee) {
        if let (Some((seat, number, request)), Some(played)) =
            (self.due.take(), referee.last_move())
        {
            self.asked.push(AnsweredQuestion { seat, number, request, played });
        }
    }
}
