//! Playing games: the players, one game, and a series of several.

pub mod bot;
pub mod match_text;
pub mod matches;
pub mod remote;
pub mod series_runner;
pub mod simulated;

use std::io;
use std::time::Duration;

use rules::seed::dealt;
use rules::{
    Answer, DetailedVerdict, ElapsedTime, EscapedBytes, GamePlace, GameRecord, Measurements,
    Nature, NotText, Outcome, PerSeat, Prompt, Referee, Seed, StandardError, Step, VoidCause,
};
use series::Series;
use series::progress::NextGame;

pub(crate) use matches::pause_before;
use text::system_error;

/// Reply to one request, with measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer that counts.
    pub answer: Answer,
    pub measured: Measurements,
}

impl Reply {
    /// Makes a void reply: no answer through no fault of the player, and no measurements.
    pub fn void(why: VoidCause) -> Reply {
        Reply { answer: Answer::Void(why), measured: Measurements::default() }
    }
}

/// Answers the requests of a seat: a program, a person or a built-in player.
pub trait Player {
    /// Prepares for a new game. Nothing is left of earlier games, except what a program of the classic dialect
    /// keeps in its folder for the whole match.
    ///
    /// # Errors
    ///
    /// Only the machine can fail.
    fn new_game(&mut self) -> io::Result<()>;

    /// Ends everything that lives for one game: no more requests come in it.
    fn game_over(&mut self) {}

    /// Answers one request, in this time if it is not the usual one of its answers.
    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply;

    /// Learns the verdict on its last answer.
    fn judged(&mut self, _ruling: &DetailedVerdict) {}

    /// Learns how its game ended, before [`game_over`](Player::game_over).
    fn learn_outcome(&mut self, _outcome: &Outcome) {}

    /// Takes the warnings for the user, one line each, such as a scratch folder that could not be removed. They do
    /// not affect games.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Cleans up, and returns the warnings that were not taken. No requests come after it.
    fn close(&mut self) -> Vec<String> {
        self.take_warnings()
    }
}

/// Time between two checks of whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// Milliseconds with three decimals: more would be noise in the log.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// Total standard error kept of all answers of a game, in bytes as a log has them. Each seat has the same part of it: no
/// bot takes the room of another one's messages.
const STDERR_OF_A_GAME: usize = 2 << 20;

/// Result of a game, beside the referee's own record.
#[derive(Debug, Clone, PartialEq)]
pub struct GameResult {
    pub outcome: Outcome,
    /// Measurements of each answer, in order.
    pub measured: Vec<Measurements>,
}

impl GameResult {
    /// Makes the result of a game that could not begin.
    pub fn void(reason: String) -> GameResult {
        GameResult { outcome: Outcome::Void { reason }, measured: Vec::new() }
    }
}

/// Plays a game to its end.
///
/// `players` are by seat. `watch` is called after every step, with the new state.
pub fn play(
    referee: &mut Referee,
    nature: &mut Nature,
    players: &mut PerSeat<&mut dyn Player>,
    watch: &mut dyn FnMut(&Referee),
) -> GameResult {
    let mut measured = Vec::new();
    let share = STDERR_OF_A_GAME / players.count().max(1);
    let mut stderr_left = players.map(|_, _| share);
    loop {
        match referee.step() {
            Step::Moved => {}
            Step::Nature(draw) => draw.draw(nature),
            Step::Ask(question) => {
                let seat = question.seat();
                let mut reply =
                    players[seat].ask(question.prompt(), question.allowed().special_time());
                cut(&mut reply.measured, &mut stderr_left[seat]);
                let elapsed = ElapsedTime::from(&reply.measured);
                measured.push(reply.measured);
                let ruling = question.answer_after(reply.answer, elapsed);
                players[seat].judged(&ruling);
                if referee.is_out(seat) {
                    players[seat].game_over();
                }
            }
            Step::Over(outcome) => {
                for seat in players.seats() {
                    players[seat].learn_outcome(outcome);
                    players[seat].game_over();
                }
                return GameResult { outcome: outcome.clone(), measured };
            }
        }
        watch(referee);
    }
}

/// Cuts standard error to the rest of what is kept of a seat in the whole game.
fn cut(measured: &mut Measurements, left: &mut usize) {
    let Measurements { stderr, stderr_dropped, .. } = measured;
    let StandardError::Text(EscapedBytes(stderr)) = stderr else { return };
    let mut fits = |byte: u8| {
        let rest = left.checked_sub(length_in_log(byte));
        *left = rest.unwrap_or_default();
        rest.is_some()
    };
    let kept = stderr.iter().take_while(|byte| fits(**byte)).count();
    *stderr_dropped += (stderr.len() - kept) as u64;
    stderr.truncate(kept);
}

/// The length of a byte of a text in a log, which is escaped once as bytes and once as JSON.
fn length_in_log(byte: u8) -> usize {
    match byte {
        b'\\' => r"\\\\".len(),
        b'\n' => r"\\n".len(),
        b'"' => r#"\""#.len(),
        b' '..=b'~' => 1,
        _ => r"\\x00".len(),
    }
}

/// Plays one attempt at a game of a series, and returns its record for the log.
///
/// `players` are by seat. If one of them cannot begin, the game is void.
pub fn play_game(
    series: &Series,
    setup: &GameSetup,
    seed: &Seed,
    players: &mut PerSeat<&mut dyn Player>,
    watch: &mut dyn FnMut(&Referee),
) -> Result<GameRecord, NotText> {
    let terms = series.terms(setup.game, setup.attempt, seed);
    let mut referee = Referee::new(series.kind(), &series.header().options, terms)?;
    for seat in players.seats() {
        if let Err(error) = players[seat].new_game() {
            let reason = format!("cannot make a scratch folder: {}", system_error(error));
            return Ok(setup.record(&referee, GameResult::void(reason)));
        }
    }
    let nature = &mut seed.nature(dealt(setup.deal, setup.attempt));
    let played = play(&mut referee, nature, players, watch);
    Ok(setup.record(&referee, played))
}

/// Everything that identifies a game before it is played.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSetup {
    /// The number of the game in its series, from 0.
    pub game: u64,
    /// Number of earlier attempts.
    pub attempt: u32,
    pub deal: u64,
    /// The names of the players, by seat.
    pub seats: PerSeat<String>,
}

impl GameSetup {
    pub fn new(series: &Series, NextGame { game, attempt }: NextGame) -> GameSetup {
        let deal = series.seating(game).deal;
        let seats = series.players(game).map(|_, player| player.name.clone());
        GameSetup { game, attempt, deal, seats }
    }

    fn record(
        &self,
        referee: &Referee,
        GameResult { outcome, measured }: GameResult,
    ) -> GameRecord {
        let place = GamePlace { game: self.game, attempt: self.attempt, deal: self.deal };
        GameRecord::new(referee, place, self.seats.values().to_vec(), outcome, measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_standard_error_is_counted_as_the_log_has_it() {
        for byte in 0..=u8::MAX {
            let text = serde_json::to_string(&EscapedBytes(vec![byte])).expect("a text");
            assert_eq!(length_in_log(byte), text.len() - 2, "{byte}");
        }
    }

    #[test]
    fn what_one_game_writes_to_the_log_has_a_bound() {
        let (most, mut left) = (1000, 1000);
        let mut written = 0;
        for byte in [b'a', b'\n', 0, b'a'] {
            let stderr = vec![byte; 240].into();
            let mut measured = Measurements { stderr, ..Measurements::default() };
            cut(&mut measured, &mut left);
            let kept = measured.stderr.bytes().len();
            assert_eq!(kept as u64 + measured.stderr_dropped, 240);
            written += serde_json::to_string(&measured.stderr).expect("a text").len() - 2;
        }
        assert!((most - 4..=most).contains(&written), "{written}");
    }
}
