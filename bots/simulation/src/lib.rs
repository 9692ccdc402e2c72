//! Games between built-in players in one process, without pipes and text.
//!
//! A player here is the very code of its program, and is asked as the program would be through
//! pipes: the same heading with the same seed, the same view, the same history, the same list of
//! moves. So it makes the same moves, only thousands of times as fast. Games are typed from end to
//! end ([`play`]), and independent of each other: every one begins with new players. Therefore
//! nothing depends on how they are spread over threads, or on the machine, unless a time limit of
//! a player cuts its search ([`Played::cuts`]).
//!
//! Deals come from the same streams of the seed as those of a match. [`Order`] says who sits where;
//! where that is drawn, it follows from the digest of the seed, which may be known before the seed
//! is.

#![forbid(unsafe_code)]

mod game;
mod order;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bots::options::BadOption;
use bots::programs::{NoPlayers, PlayersVisitor, typed_player, visit};
use bots::{AnyPlayer, Players};
use rules::{Digest, GameKind, NotText, PerSeat, Score, Seat, Seed, Terms};
use workers::NoThread;

pub use game::{Finished, SeatSession, Stuck, play};
pub use order::Order;

/// The time in the requests, in milliseconds: the default of a match.
pub const TIME: u64 = 5000;

/// Games to be played between built-in players.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// The game.
    pub kind: GameKind,
    /// Its options, which say how many seats there are.
    pub options: String,
    /// The players, one for each seat.
    pub players: Vec<BuiltIn>,
    /// Order of seats.
    pub order: Order,
    /// Number of deals.
    pub deals: u64,
    /// Seed of every deal and of the bots' randomness.
    pub seed: Seed,
}

/// A built-in player as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name here.
    pub name: String,
    /// The name of its program.
    pub program: String,
    /// The options of its program.
    pub options: Vec<String>,
}

/// A finished game of a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of its deal, from 0.
    pub deal: u64,
    /// For each seat the place of its player in the list of players.
    pub seating: PerSeat<usize>,
    /// The points.
    pub scores: PerSeat<Score>,
    /// For each seat how many there were of each of [`COUNTS`](rules::Game::COUNTS).
    pub counts: PerSeat<Vec<u32>>,
    /// For each seat, how many of its moves a time limit cut short; where there are any, the game
    /// may go otherwise when it is played again.
    pub cuts: PerSeat<u32>,
}

/// Reason why a simulation does not go on; one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// The options of the game are not as they must be.
    #[error(transparent)]
    Options(#[from] NotText),
    /// The game has no built-in players.
    #[error(transparent)]
    NoPlayers(#[from] NoPlayers),
    /// There are more players than seats, or fewer.
    #[error("{seats} seats and {players} players, expected one player for each seat")]
    Players {
        /// Number of seats.
        seats: usize,
        /// Number of players.
        players: usize,
    },
    /// There is no such player, or its options are not as they must be.
    #[error("bot `{name}`: {problem}")]
    Player {
        /// Its name here.
        name: String,
        /// The problem.
        problem: BadOption,
    },
    /// A player does not play with these options.
    #[error("bot `{name}`: {refusal}")]
    Refused {
        /// Its name here.
        name: String,
        /// Why it does not.
        refusal: String,
    },
    /// A game cannot go on, which no built-in player should let happen.
    #[error("game {game} of the simulation: {problem}")]
    Stuck {
        /// The number of the game, from 0.
        game: u64,
        /// Reason why it cannot.
        problem: Stuck,
    },
    /// The system does not let a thread be started.
    #[error("{0}")]
    NoThread(String),
}

impl From<NoThread> for Failed {
    fn from(none: NoThread) -> Failed {
        Failed::NoThread(none.to_string())
    }
}

impl Simulation {
    /// Number of games that each deal is played in.
    pub fn games_per_deal(&self) -> u64 {
        self.order.games_per_deal(self.players.len())
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.deals.saturating_mul(self.games_per_deal())
    }

    /// Plays all games on a number of threads, and tells of each in the order of their numbers, which
    /// changes nothing about them but what time limits cut.
    pub fn run(&self, workers: NonZeroUsize, tell: &mut dyn FnMut(&Played)) -> Result<(), Failed> {
        let make = |played, _: &dyn AsText| played;
        self.run_each(workers, &make, &mut |played| {
            tell(&played);
            ControlFlow::Continue(())
        })
    }

    /// Plays all games on a number of threads; `make` makes something of each on the thread that has
    /// played it, and `take` takes that in the order of the games, until it wants no more.
    pub fn run_each<T: Send>(
        &self,
        workers: NonZeroUsize,
        make: &(dyn Fn(Played, &dyn AsText) -> T + Sync),
        take: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), Failed> {
        visit(&self.kind, Run { simulation: self, workers, make, take })?
    }

    /// Checks all that can be wrong before the first game.
    pub fn check(&self) -> Result<(), Failed> {
        visit(&self.kind, Check { simulation: self })?
    }

    /// Plays the game of this number, from 0, and gives its history as the referee sees it: one
    /// event a line, as in the log of a match.
    pub fn events(&self, game: u64) -> Result<Vec<String>, Failed> {
        visit(&self.kind, Tell { simulation: self, game })?
    }

    /// The deal of a game, and who sits where.
    fn seating(&self, game: u64) -> (u64, PerSeat<usize>) {
        let per_deal = self.games_per_deal();
        let (deal, turn) = (game / per_deal, game % per_deal);
        (deal, self.order.seating(self.players.len(), turn, || self.orders().order(deal)))
    }

    /// The seed of the orders that are drawn.
    fn orders(&self) -> Seed {
        // Twice: once is what the seed is committed to, and tables of tournaments are drawn from that.
        let committed = Digest::hash(&self.seed.0).bytes();
        Seed(Digest::hash(&committed).bytes())
    }
}

/// A finished game as text.
pub trait AsText {
    /// The moves of those who were asked, in order.
    fn moves(&self) -> Vec<String>;

    /// The events as the referee sees them.
    fn events(&self) -> Vec<String>;
}

impl<G: Players> AsText for Finished<G> {
    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    fn events(&self) -> Vec<String> {
        self.events.iter().map(ToString::to_string).collect()
    }
}

/// Checks what can be wrong before the first game.
struct Check<'a> {
    simulation: &'a Simulation,
}

impl PlayersVisitor for Check<'_> {
    type Output = Result<(), Failed>;

    fn visit<G: Players>(self) -> Self::Output {
        Typed::<G>::new(self.simulation).map(drop)
    }
}

/// Plays all games.
struct Run<'a, T> {
    simulation: &'a Simulation,
    workers: NonZeroUsize,
    make: &'a (dyn Fn(Played, &dyn AsText) -> T + Sync),
    take: &'a mut dyn FnMut(T) -> ControlFlow<()>,
}

impl<T: Send> PlayersVisitor for Run<'_, T> {
    type Output = Result<(), Failed>;

    fn visit<G: Players>(self) -> Self::Output {
        let Run { simulation, workers, make, take } = self;
        let typed = Typed::<G>::new(simulation)?;
        let start = || {
            let typed = typed.clone();
            move |game| {
                let (played, finished) = typed.played(game)?;
                Ok(make(played, &finished))
            }
        };
        workers::in_order(simulation.games(), workers, start, take)
    }
}

/// Plays one game for its events.
struct Tell<'a> {
    simulation: &'a Simulation,
    game: u64,
}

impl PlayersVisitor for Tell<'_> {
    type Output = Result<Vec<String>, Failed>;

    fn visit<G: Players>(self) -> Self::Output {
        let typed = Typed::<G>::new(self.simulation)?;
        let (deal, seating) = self.simulation.seating(self.game);
        let finished = typed.play(self.game, deal, &seating)?;
        Ok(finished.events())
    }
}

/// A simulation with the types of its game.
#[derive(Clone)]
struct Typed<'a, G: Players> {
    simulation: &'a Simulation,
    options: G::Options,
}

impl<'a, G: Players> Typed<'a, G> {
    /// Checks all that can be wrong before the first game.
    fn new(simulation: &'a Simulation) -> Result<Self, Failed> {
        let options: G::Options = simulation.options.parse()?;
        let (seats, players) = (G::new(&options).seats(), simulation.players.len());
        if seats != players {
            return Err(Failed::Players { seats, players });
        }
        for BuiltIn { name, program, .. } in &simulation.players {
            if let Some(refusal) = G::refusal(program, &options) {
                return Err(Failed::Refused { name: name.clone(), refusal });
            }
        }
        let typed = Typed { simulation, options };
        for player in 0..players {
            typed.player(player)?;
        }
        Ok(typed)
    }

    fn player(&self, place: usize) -> Result<AnyPlayer<G>, Failed> {
        let BuiltIn { name, program, options } = &self.simulation.players[place];
        typed_player(program, options)
            .map_err(|problem| Failed::Player { name: name.clone(), problem })
    }

    fn play(&self, game: u64, deal: u64, seating: &PerSeat<usize>) -> Result<Finished<G>, Failed> {
        let seed = &self.simulation.seed;
        let terms = Terms::even(seed.name(game), seating.count(), TIME, seed.bots(deal));
        let players: Result<Vec<AnyPlayer<G>>, Failed> =
            seating.values().iter().map(|place| self.player(*place)).collect();
        play(&self.options, &terms, &mut seed.nature(deal), players?)
            .map_err(|problem| Failed::Stuck { game, problem })
    }

    fn played(&self, game: u64) -> Result<(Played, Finished<G>), Failed> {
        let (deal, seating) = self.simulation.seating(game);
        let finished = self.play(game, deal, &seating)?;
        let counts = PerSeat::new(seating.count(), |seat: Seat| finished.game.counts(seat));
        let (scores, cuts) = (finished.scores.clone(), finished.cuts.clone());
        Ok((Played { game, deal, seating, scores, counts, cuts }, finished))
    }
}
