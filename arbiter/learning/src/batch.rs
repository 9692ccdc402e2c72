//! Many games of one kind that step together.
//!
//! A game that is over begins anew at once: game `i` of a batch of `n` plays the deals `i`, `i + n`, `i + 2n` and so
//! on of one seed. So nothing depends on how games are spread over threads.

use std::num::NonZeroUsize;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rules::{GameKind, Nature, Seat, Seed};

use crate::custom_episode::CustomEpisode;
use crate::episode::{Deal, Episode, EpisodeError, Layout, MOST_GAMES, Opponent, RowBuffer};
use crate::typed_episode::TypedEpisode;

/// The fewest games that are worth a task of their own for a thread.
const FEWEST_A_TASK: usize = 32;

pub struct Batch {
    layout: Layout,
    games: Vec<RunningGame>,
    /// Threads beside the caller's; none where all is done on that one.
    threads: Option<ThreadPool>,
    /// The source of random actions.
    nature: Nature,
}

struct RunningGame {
    episode: Box<dyn Episode>,
    deal: u64,
}

/// Where a game of a batch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchGame {
    pub deal: u64,
    pub moves: Vec<String>,
}

/// The state of all games after a step, a row for each game. The slices must be of the lengths that
/// [`Batch::layout`] asks for, and the caller makes them 0 before.
#[derive(Debug)]
pub struct StepOutput<'a> {
    /// The observations of the seats to move: a row of all columns for each game.
    pub observations: &'a mut [i8],
    /// 1 for each legal action: a row of all actions for each game.
    pub masks: &'a mut [i8],
    pub seats: &'a mut [i8],
    /// The scores of games that this step ended, a column for each seat.
    pub scores: &'a mut [f32],
    /// True for games that this step ended.
    pub ended: &'a mut [bool],
}

impl Batch {
    /// Begins `size` games.
    pub fn new(
        kind: &GameKind,
        options: &str,
        seed: &Seed,
        size: usize,
        opponent: Option<&Opponent>,
        threads: NonZeroUsize,
    ) -> Result<Batch, EpisodeError> {
        if !(1..=MOST_GAMES).contains(&size) {
            return Err(wrong_size(size));
        }
        let game = |number: u64| {
            let deal = Deal { seed: seed.clone(), number };
            let episode = match opponent {
                None => begin(kind, options, deal)?,
                Some(opponent) => opponent.begin(kind, options, deal)?,
            };
            Ok(RunningGame { episode, deal: number })
        };
        let games = (0..size as u64).map(game).collect::<Result<Vec<_>, EpisodeError>>()?;
        Batch::with_games(games, seed.order(u64::MAX), threads)
    }

    fn with_games(
        games: Vec<RunningGame>,
        nature: Nature,
        threads: NonZeroUsize,
    ) -> Result<Batch, EpisodeError> {
        let threads = match threads.get() {
            1 => None,
            count => {
                let pool = ThreadPoolBuilder::new().num_threads(count).build();
                Some(pool.map_err(|error| EpisodeError(format!("cannot start threads: {error}")))?)
            }
        };
        let layout = games.first().map(|game| game.episode.layout());
        let layout = layout.ok_or_else(|| wrong_size(games.len()))?;
        Ok(Batch { layout, games, threads, nature })
    }

    /// Where the games stand, and the number of words that random actions have taken from their source. Together with
    /// what the batch was begun with, [`Batch::resume`] makes the same one of it.
    pub fn standing(&self) -> (Vec<BatchGame>, u128) {
        let game = |game: &RunningGame| BatchGame { deal: game.deal, moves: game.episode.moves() };
        (self.games.iter().map(game).collect(), self.nature.position())
    }

    /// Plays games again, as far as they were played when they [stood](Batch::standing) like this.
    pub fn resume(
        kind: &GameKind,
        options: &str,
        seed: &Seed,
        (standing, position): (&[BatchGame], u128),
        opponent: Option<&Opponent>,
        threads: NonZeroUsize,
    ) -> Result<Batch, EpisodeError> {
        if !(1..=MOST_GAMES).contains(&standing.len()) {
            return Err(wrong_size(standing.len()));
        }
        let game = |BatchGame { deal: number, moves }: &BatchGame| {
            let deal = &Deal { seed: seed.clone(), number: *number };
            let resumed = EpisodeRecord { kind, options, deal, opponent, branches: &[], moves };
            Ok(RunningGame { episode: resumed.episode()?, deal: *number })
        };
        let games = standing.iter().map(game).collect::<Result<Vec<_>, EpisodeError>>()?;
        Batch::with_games(games, seed.order(u64::MAX).seek(position), threads)
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn size(&self) -> usize {
        self.games.len()
    }

    /// Tells where all games stand, without a step.
    pub fn observe(&mut self, told: StepOutput<'_>) -> Result<(), EpisodeError> {
        self.step_all(None, told)
    }

    /// Plays an action in each game, and tells where all games stand then.
    ///
    /// # Errors
    ///
    /// Fails before any game has moved if an action is not legal, and afterwards where an opponent fails.
    pub fn step(&mut self, actions: &[usize], told: StepOutput<'_>) -> Result<(), EpisodeError> {
        if actions.len() != self.games.len() {
            let (actions, games) = (actions.len(), self.games.len());
            let problem = format!("{actions} actions for {games} games, expected one for each");
            return Err(EpisodeError(problem));
        }
        for (place, (game, action)) in self.games.iter().zip(actions).enumerate() {
            let legal = game.episode.legal_actions();
            if !legal.iter().any(|legal| usize::from(*legal) == *action) {
                let problem = EpisodeError::not_legal(*action, legal);
                return Err(EpisodeError(format!("game {place}: {problem}")));
            }
        }
        self.step_all(Some(actions), told)
    }

    fn step_all(
        &mut self,
        actions: Option<&[usize]>,
        told: StepOutput<'_>,
    ) -> Result<(), EpisodeError> {
        let Batch { layout, games, threads, .. } = self;
        let size = games.len();
        let Layout { columns, actions: names, seats, .. } = layout;
        let (columns, names, seats) = (columns.len(), names.len(), *seats);
        let StepOutput { observations, masks, seats: to_move, scores, ended } = told;
        let one = |place: usize,
                   game: &mut RunningGame,
                   observation: &mut [i8],
                   mask: &mut [i8],
                   seat: &mut i8,
                   points: &mut [f32],
                   is_over: &mut bool| {
            if let Some(action) = actions.and_then(|actions| actions.get(place)) {
                game.episode.act(*action)?;
            }
            // An opponent may end a game before the learner has moved.
            while let Some(reached) = game.episode.scores() {
                for (point, score) in points.iter_mut().zip(reached.values()) {
                    *point = score.as_f64() as f32;
                }
                *is_over = true;
                game.deal += size as u64;
                game.episode.begin(game.deal)?;
            }
            if let Some(own) = game.episode.to_move() {
                *seat = own.index() as i8;
                game.episode.observe(own, observation);
                for action in game.episode.legal_actions() {
                    mask.get_mut(usize::from(*action)).into_iter().for_each(|it| *it = 1);
                }
            }
            Ok(())
        };
        match threads {
            None => {
                let rows = observations.chunks_mut(columns).zip(masks.chunks_mut(names));
                let ends = scores.chunks_mut(seats).zip(ended);
                let all = games.iter_mut().zip(rows).zip(to_move).zip(ends).enumerate();
                for (place, (((game, (observation, mask)), seat), (points, is_over))) in all {
                    one(place, game, observation, mask, seat, points, is_over)?;
                }
                Ok(())
            }
            Some(pool) => pool.install(|| {
                let rows = observations.par_chunks_mut(columns).zip(masks.par_chunks_mut(names));
                let ends = scores.par_chunks_mut(seats).zip(ended.par_iter_mut());
                let all = games.par_iter_mut().zip(rows).zip(to_move.par_iter_mut()).zip(ends);
                all.enumerate().with_min_len(FEWEST_A_TASK).try_for_each(
                    |(place, (((game, (observation, mask)), seat), (points, is_over)))| {
                        one(place, game, observation, mask, seat, points, is_over)
                    },
                )
            }),
        }
    }

    /// A legal action for each game, each equally likely.
    pub fn random_actions(&mut self) -> Vec<usize> {
        let Batch { games, nature, .. } = self;
        let chosen = games.iter().map(|game| nature.choose(game.episode.legal_actions()).copied());
        chosen.map(|action| action.map_or(0, usize::from)).collect()
    }

    /// The rows of [`move_columns`](Layout::move_columns) of all legal actions of all games, and for each game
    /// the number of its rows.
    pub fn describe_moves(&self) -> (RowBuffer, Vec<usize>) {
        let mut rows = RowBuffer::default();
        let counts = self.games.iter().map(|game| {
            game.episode.describe_moves(&mut rows);
            game.episode.legal_actions().len()
        });
        let counts = counts.collect();
        (rows, counts)
    }

    /// The actions of a built-in player, for the seat to move in each game.
    pub fn ask(&self, program: &str, options: &[String]) -> Result<Vec<usize>, EpisodeError> {
        let ask = |game: &RunningGame| game.episode.ask(program, options);
        self.games.iter().map(ask).collect()
    }
}

fn wrong_size(games: usize) -> EpisodeError {
    EpisodeError(format!("{games} games at once, expected 1 to {MOST_GAMES}"))
}

/// Begins an episode of a game.
///
/// ```
/// use learning::{Deal, begin};
/// use rules::{GameKind, Seed};
///
/// let coup: GameKind = "coup".parse()?;
/// let mut episode = begin(&coup, "", Deal { seed: Seed([7; 32]), number: 0 })?;
/// while episode.to_move().is_some() {
///     let action = usize::from(episode.legal_actions()[0]);
///     episode.act(action)?;
/// }
/// assert!(episode.scores().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`EpisodeError`] for wrong options, and for rules that fail.
pub fn begin(kind: &GameKind, options: &str, deal: Deal) -> Result<Box<dyn Episode>, EpisodeError> {
    macro_rules! find {
        ($($game:ty),*) => {
            $(if *kind == GameKind::of::<$game>() {
                return Ok(Box::new(TypedEpisode::<$game>::new(options, deal)?));
            })*
        };
    }
    rules::games!(find);
    Ok(Box::new(CustomEpisode::new(kind, options, deal)?))
}

/// A place at which a copy got other chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The number of moves made by then.
    pub at: usize,
    /// The seat for which hidden cards were drawn anew, if they were.
    pub seat: Option<Seat>,
    pub chance: Deal,
}

/// An episode as it can be told.
#[derive(Debug, Clone)]
pub struct EpisodeRecord<'a> {
    pub kind: &'a GameKind,
    pub options: &'a str,
    pub deal: &'a Deal,
    /// The built-in player on the other seats, if there is one; then there are no branches.
    pub opponent: Option<&'a Opponent>,
    /// The places at which it got other chance, in order.
    pub branches: &'a [Branch],
    pub moves: &'a [String],
}

impl EpisodeRecord<'_> {
    /// Plays the episode again, as far as it was played.
    pub fn episode(&self) -> Result<Box<dyn Episode>, EpisodeError> {
        let EpisodeRecord { kind, options, deal, opponent, branches, moves } = *self;
        if let Some(opponent) = opponent.filter(|_| branches.is_empty()) {
            return opponent.resume(kind, options, deal.clone(), moves);
        }
        let mut episode = begin(kind, options, deal.clone())?;
        let mut played = 0;
        for Branch { at, seat, chance } in branches {
            let some = moves.get(played..*at).ok_or_else(|| {
                EpisodeError::not_restored(format_args!(
                    "it branches after move {at} of {}",
                    moves.len()
                ))
            })?;
            some.iter().try_for_each(|mv| episode.replay(mv))?;
            played = *at;
            episode = match seat {
                None => episode.copy(Some(chance))?,
                Some(seat) if seat.index() >= episode.layout().seats => {
                    return Err(EpisodeError::not_restored(format_args!(
                        "there is no player {seat}"
                    )));
                }
                Some(seat) => episode.resample(*seat, chance).ok_or_else(|| {
                    EpisodeError::not_restored(format_args!(
                        "no game agrees with what player {seat} knows"
                    ))
                })?,
            };
        }
        moves[played..].iter().try_for_each(|mv| episode.replay(mv))?;
        Ok(episode)
    }
}
