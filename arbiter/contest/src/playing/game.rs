//! Drives one game: asks the players what the referee wants to know, and tells it their answers.

use rules::seed::dealt;
use rules::{
    Elapsed, GamePlace, GameRecord, Measured, Nature, NotText, Outcome, PerSeat, Referee, Seed,
    Step,
};
use text::system_error;

use crate::playing::Player;
use conditions::series::Series;
use conditions::series::progress::Place;

/// Total standard error kept of all answers of a game, in bytes: a line of a log must stay well below the
/// longest that is read.
const STDERR_OF_A_GAME: usize = 4 << 20;

/// Result of a game, beside the referee's own record.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Outcome of the game.
    pub outcome: Outcome,
    /// Measurements of each answer, in order.
    pub measured: Vec<Measured>,
}

impl Played {
    /// Makes the result of a game that could not begin.
    pub fn void(reason: String) -> Played {
        Played { outcome: Outcome::Void { reason }, measured: Vec::new() }
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
) -> Played {
    let mut measured = Vec::new();
    let mut stderr_left = STDERR_OF_A_GAME;
    loop {
        match referee.step() {
            Step::Moved => {}
            Step::Nature(draw) => draw.draw(nature),
            Step::Ask(question) => {
                let seat = question.seat();
                let mut reply = players[seat].ask(question.prompt(), question.allowed().own());
                cut(&mut reply.measured, &mut stderr_left);
                let elapsed = Elapsed::from(&reply.measured);
                measured.push(reply.measured);
                question.answer_after(reply.answer, elapsed);
                if referee.is_out(seat) {
                    players[seat].game_over();
                }
            }
            Step::Over(outcome) => {
                players.seats().for_each(|seat| players[seat].game_over());
                return Played { outcome: outcome.clone(), measured };
            }
        }
        watch(referee);
    }
}

/// Cuts standard error to the rest of what is kept of the whole game.
fn cut(measured: &mut Measured, left: &mut usize) {
    let kept = measured.stderr.0.len().min(*left);
    measured.stderr_dropped += (measured.stderr.0.len() - kept) as u64;
    measured.stderr.0.truncate(kept);
    *left -= kept;
}

/// Plays one attempt at a game of a series, and returns its record for the log.
///
/// `players` are by seat. If one of them cannot begin, the game is void.
///
/// # Errors
///
/// Fails if the rules refuse the options of the series.
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
            return Ok(setup.record(&referee, Played::void(reason)));
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
    /// The number of the deal, from 0.
    pub deal: u64,
    /// The names of the players, by seat.
    pub seats: PerSeat<String>,
}

impl GameSetup {
    /// Returns a game of a series by its place in it.
    pub fn new(series: &Series, Place { game, attempt }: Place) -> GameSetup {
        let deal = series.seating(game).deal;
        let seats = series.players(game).map(|_, player| player.name.clone());
        GameSetup { game, attempt, deal, seats }
    }

    fn record(&self, referee: &Referee, Played { outcome, measured }: Played) -> GameRecord {
        let place = GamePlace { game: self.game, attempt: self.attempt, deal: self.deal };
        GameRecord::new(referee, place, self.seats.values().to_vec(), outcome, measured)
    }
}
