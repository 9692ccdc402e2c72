//! Whether a late answer makes its game suspect, by which numbers, and what follows.

use rules::{AnswerRecord, Verdict};
use serde::Serialize;

use crate::disputes::logged_game::LoggedGame;
use series::SuspectGames;
use series::game_status::{AGAIN, GameStatus, Lateness, game_status, lateness};

/// What is known of a late answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct LateAnswerFacts {
    /// True if the machine may be to blame.
    suspect: bool,
    /// Milliseconds that the bot had.
    time_ms: f64,
    cpu_ms: Option<f64>,
    /// The wait of the bot and that of the referee.
    waited_ms: Option<f64>,
    least_wait_ms: f64,
    /// True if the game does not count, and is played again.
    replayed: bool,
    /// True if the series replays suspect games.
    replays_suspect: bool,
    #[serde(skip)]
    late: Lateness,
}

/// The suspicion about an answer, if it was too late.
pub(super) fn suspicion(logged: &LoggedGame, answer: &AnswerRecord) -> Option<LateAnswerFacts> {
    if answer.verdict != Verdict::Timeout {
        return None;
    }
    let LoggedGame { series, game, .. } = logged;
    let late = lateness(game, &series.times(game.game), answer.seat)?;
    let Lateness { time_ms, cpu_ms, waited_ms, least_wait_ms } = late;
    Some(LateAnswerFacts {
        suspect: late.is_suspect(),
        time_ms,
        cpu_ms,
        waited_ms,
        least_wait_ms,
        replayed: game_status(game, series) == GameStatus::Again,
        replays_suspect: series.header().suspect_games == SuspectGames::PlayAgain,
        late,
    })
}

impl LateAnswerFacts {
    /// The answer to the question, the numbers, and what follows, each in a line.
    pub(super) fn lines(&self) -> Vec<String> {
        let verdict = match self.suspect {
            true => "yes: other programs used the CPU while the bot needed it",
            false => "no: the time limit was missed by the bot itself, as far as was measured",
        };
        let mut lines = vec![verdict.to_owned()];
        lines.extend([self.cpu(), self.wait(), self.outcome()]);
        lines
    }

    fn cpu(&self) -> String {
        let half = self.time_ms / 2.0;
        match self.cpu_ms {
            None => "its CPU time was not measured".to_owned(),
            Some(cpu) => {
                let is = if self.late.has_little_cpu() { "below" } else { "not below" };
                format!(
                    "{cpu:.1} ms of CPU time, {is} half of {:.1} ms ({half:.1} ms)",
                    self.time_ms
                )
            }
        }
    }

    fn wait(&self) -> String {
        let least = self.least_wait_ms;
        match self.waited_ms {
            None => "its wait for a CPU was not measured".to_owned(),
            Some(waited) => {
                let is = if self.late.has_waited() { "at least" } else { "below" };
                format!("{waited:.1} ms waiting for a CPU (bot and referee), {is} {least:.1} ms")
            }
        }
    }

    fn outcome(&self) -> String {
        match (self.replayed, self.suspect, self.replays_suspect) {
            (true, ..) => "the game is unrated and is replayed (--replay-suspect)".to_owned(),
            (_, true, true) => {
                format!("the game is rated: it was replayed {AGAIN} times, the most possible")
            }
            (_, true, false) => {
                "the game is rated: use --replay-suspect to replay such games".to_owned()
            }
            (_, false, _) => {
                "the game is rated: --replay-suspect replays only suspect games".to_owned()
            }
        }
    }
}
