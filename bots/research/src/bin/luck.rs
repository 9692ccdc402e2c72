//! Measures what duplicate deals and results adjusted for luck save, and whether adjusted results are right:
//! `luck --game tablic --deals 50000 "minimax --time none" greedy`.

use std::ops::ControlFlow;
use std::process::ExitCode;

use bots::review::reviewer;
use clap::Parser;
use research::ladder::players::Contender;
use research::luck::{Game, table};
use research::program::{self, SeedArgs, WorkerArgs};
use rules::{Digest, GameKind};
use simulation::{GameText, SeatOrder, SimulatedGame, Simulation};

/// Measure what duplicate deals and results adjusted for luck save, and print tables in Markdown
///
/// Two players play each deal in both orders of seats. The games of even deals in one order and those of odd deals in
/// the other are taken for games of different deals.
#[derive(Debug, Parser)]
#[command(name = "luck", max_term_width = 100)]
struct Arguments {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "tablic")]
    game: String,
    /// How many deals are played
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(100..))]
    deals: u64,
    /// The two players, a name with options in one word each
    #[arg(required = true, num_args = 2)]
    players: Vec<Contender>,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(|given: Arguments| {
        let games = played(&given)?;
        println!("{}", table(&given.players, &games).trim_end());
        Ok(())
    })
}

/// Plays the games, and measures the luck of each.
fn played(given: &Arguments) -> Result<Vec<Game>, String> {
    let kind: GameKind = given.game.parse().map_err(|error| format!("{error}"))?;
    let simulation = Simulation {
        kind: kind.clone(),
        options: String::new(),
        players: given.players.iter().map(Contender::built_in).collect(),
        order: SeatOrder::Rotate,
        deals: given.deals,
        seed: given.seed.seed.clone(),
    };
    let mut games = Vec::new();
    let make = |played: SimulatedGame, text: &dyn GameText| {
        let seat = played.seating.values().iter().position(|player| *player == 0).unwrap_or(0);
        let digest = Digest::hash(format!("{} {}", given.seed.seed, played.game).as_bytes());
        let luck = reviewer(&kind).map_or(Ok(Vec::new()), |mut reviewer| {
            reviewer.luck(&simulation.options, &text.events(), digest)
        });
        let points: Vec<f64> = played.scores.values().iter().map(|score| score.as_f64()).collect();
        Ok(Game::new(
            played.deal,
            seat,
            &points,
            &luck.map_err(|error: bots::review::ReviewTextError| error.to_string())?,
        ))
    };
    let mut wrong = None;
    let ran = simulation.run_each(given.workers.count(), &make, &mut |game: Result<
        Game,
        String,
    >| match game {
        Ok(game) => {
            games.push(game);
            ControlFlow::Continue(())
        }
        Err(problem) => {
            wrong = Some(problem);
            ControlFlow::Break(())
        }
    });
    ran.map_err(|failed| failed.to_string())?;
    match wrong {
        Some(problem) => Err(problem),
        None => Ok(games),
    }
}
