//! Reviews of moves: what each legal move of a request is worth, and how sure that is.
//!
//! # Theory of operation
//!
//! A [`Reviewer`] knows no more than the seat that was asked. It draws worlds that the seat cannot tell
//! from the real one, tries every different move in each of them, and gives the results of a world to
//! a [`Comparison`]. All moves are tried in the same worlds, so that luck with the cards counts for none
//! of them: errors of leads are those of paired differences.
//!
//! The best of several noisy means is too good on average, so that the plain difference between it and
//! the move played blames good players. The sum that is reported, [`ReviewedDecision::given_away`], is crossed:
//! one half of the worlds chooses the best move, the other half measures its lead, both ways round.
//!
//! The luck of a deal is the value of the cards as they were dealt minus the mean value of other deals, drawn anew
//! from the same state. Its mean over deals is 0 whatever the values are, as long as those of the real deal and
//! those of the others come about in the same way. So a result minus its luck has the same mean as the result,
//! and a smaller variance if the values are any good.

mod games;

use std::marker::PhantomData;

pub use games::{learns, reviewer, reviewer_of, usual_worlds};
use rules::request_text::NotRequest;
use rules::{BotSeed, Digest, Entry, Game, ListCompleteness, Nature, NotText, Request, Seed};

pub trait Reviewer<G: Game> {
    /// The number of worlds where nothing else is said.
    const USUAL_WORLDS: u32 = 400;

    /// True if values against the habits of an opponent exist.
    const LEARNS: bool = false;

    /// Returns true if it values moves of games with these options; of all, unless it says otherwise.
    fn knows(options: &G::Options) -> bool {
        let _ = options;
        true
    }

    /// What each different legal move is worth to the asked seat; `played` is one of them.
    ///
    /// Equal requests and numbers of worlds give equal values: chance comes from the seed in the
    /// heading of the request. Moves that come to the same count once, and the move played stands for
    /// those that come to the same as it.
    ///
    /// # Errors
    ///
    /// Fails if the request contradicts itself, or `played` is not one of its legal moves.
    fn review(
        &mut self,
        request: &Request<G>,
        played: &G::Move,
        worlds: u32,
    ) -> Result<ReviewedDecision<G::Move>, NotReviewed>;

    /// Learns what the opponent of later reviews does, from a decision of its own in another game;
    /// nothing, unless a game says otherwise.
    fn learn(&mut self, request: &Request<G>, played: &G::Move) -> Result<(), NotReviewed> {
        let _ = (request, played);
        Ok(())
    }

    fn forget(&mut self) {}

    /// What each move is worth if the opponent does what was learnt of it, the moves as in
    /// [`review`](Self::review); `None` if nothing was learnt.
    ///
    /// A move that loses by it against a better opponent may be right, and the other way round, so
    /// that this is never a mistake by itself.
    fn review_habits(
        &mut self,
        request: &Request<G>,
        played: &G::Move,
        worlds: u32,
    ) -> Result<Option<ReviewedDecision<G::Move>>, NotReviewed> {
        let _ = (request, played, worlds);
        Ok(None)
    }

    /// The luck of each deal of a game with these events, as the referee saw them; nothing, unless a game
    /// says otherwise.
    ///
    /// The game draws other deals by a digest of its own, since equal ones in all games would bias means.
    ///
    /// # Errors
    ///
    /// Fails if an event does not follow from those before.
    fn luck(
        &mut self,
        options: &G::Options,
        events: &[Entry<G::Event>],
        game: Digest,
    ) -> Result<Vec<DealLuck>, NotReviewed> {
        let _ = (options, events, game);
        Ok(Vec::new())
    }

    /// The phase of the game that a request belongs to, such as `attack`.
    fn phase(&self, request: &Request<G>) -> &'static str;

    /// How the move played differs from a better one, in words that other decisions share, such as
    /// `takes one card and leaves the ten of diamonds`.
    fn difference(&self, request: &Request<G>, played: &G::Move, better: &G::Move) -> String;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotReviewed {
    #[error("the move played is not one of the legal moves of the request")]
    NotLegal,
    #[error("no world agrees with what the request says")]
    NoWorld,
    #[error("an event does not follow from those before")]
    Events,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedDecision<M> {
    /// Each different move, in the order of the request's legal moves.
    pub moves: Vec<RatedMove<M>>,
    /// The place of the move played in `moves`.
    pub played: usize,
    pub certainty: Certainty,
    /// What the move played gave away, as a part of a win: by crossed halves if values are sampled, so
    /// that its mean over many decisions is right; a single one may be below 0.
    pub given_away: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RatedMove<M> {
    pub mv: M,
    /// The chance to win, a tie counting half.
    pub share: f64,
    pub error: f64,
    /// The points ahead of the opponent that are expected, in games that count points.
    pub points: Option<f64>,
    /// By how much its share leads that of the move played.
    pub lead: f64,
    /// The standard error of `lead`, over the same worlds.
    pub lead_error: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Nothing was left to chance: errors are 0.
    Exact,
    Sampled {
        worlds: u32,
    },
    /// As someone states them: nothing is known of their errors.
    Stated,
}

impl<M> ReviewedDecision<M> {
    /// The place of the move with the greatest share; of equals the move played, else the first.
    pub fn best(&self) -> usize {
        let better =
            |best: usize, place: usize| match self.moves[place].lead > self.moves[best].lead {
                true => place,
                false => best,
            };
        (0..self.moves.len()).fold(self.played, better)
    }

    /// Likewise with each move made something else of.
    fn map<N>(self, made: impl Fn(M) -> N) -> ReviewedDecision<N> {
        let ReviewedDecision { moves, played, certainty, given_away } = self;
        let rated = |rated: RatedMove<M>| {
            let RatedMove { mv, share, error, points, lead, lead_error } = rated;
            RatedMove { mv: made(mv), share, error, points, lead, lead_error }
        };
        ReviewedDecision {
            moves: moves.into_iter().map(rated).collect(),
            played,
            certainty,
            given_away,
        }
    }

    /// The plain lead of the best move over the move played; too great on average if sampled.
    pub fn loss(&self) -> f64 {
        self.moves[self.best()].lead
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReviewTextError {
    #[error(transparent)]
    NotRequest(#[from] NotRequest),
    #[error(transparent)]
    NotText(#[from] NotText),
    #[error(transparent)]
    NotReviewed(#[from] NotReviewed),
}

/// A reviewer of any game, behind text.
pub trait AnyGameReviewer {
    /// Values the moves of the text of a request, of which `played` was played.
    fn review(
        &mut self,
        request: &str,
        played: &str,
        worlds: u32,
    ) -> Result<ReviewText, ReviewTextError>;

    /// Learns what the opponent of later reviews does, from a decision of its own in another game.
    fn learn(&mut self, request: &str, played: &str) -> Result<(), ReviewTextError>;

    fn forget(&mut self);

    /// The luck of each deal of a game with these options and events, as the referee saw them; nothing in a game whose
    /// luck is not measured. `game` is a digest that no other game has.
    fn luck(
        &mut self,
        options: &str,
        events: &[String],
        game: Digest,
    ) -> Result<Vec<DealLuck>, ReviewTextError>;

    /// The words for a decision whose moves others have valued: `better` is the best move, if it is not the one that
    /// was played.
    fn words(
        &self,
        request: &str,
        played: &str,
        better: Option<&str>,
    ) -> Result<DecisionWords, ReviewTextError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionWords {
    pub phase: &'static str,
    /// How the move played differs from a better one, if there is one.
    pub difference: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ReviewText {
    pub reviewed: ReviewedDecision<String>,
    /// Their values if the opponent does what was learnt of it, if something was.
    pub by_habits: Option<ReviewedDecision<String>>,
    pub phase: &'static str,
    /// How the move played differs from the best, if it is another one.
    pub difference: Option<String>,
}

pub fn reviewing<G: Game>(
    reviewer: impl Reviewer<G> + Send + 'static,
) -> Box<dyn AnyGameReviewer + Send> {
    Box::new(TextReviewer { reviewer, game: PhantomData::<fn() -> G> })
}

/// A reviewer whose requests are read from text.
struct TextReviewer<R, G> {
    reviewer: R,
    game: PhantomData<fn() -> G>,
}

impl<R: Reviewer<G>, G: Game> AnyGameReviewer for TextReviewer<R, G> {
    fn review(
        &mut self,
        request: &str,
        played: &str,
        worlds: u32,
    ) -> Result<ReviewText, ReviewTextError> {
        let (request, played) = read::<G>(request, played)?;
        let reviewed = self.reviewer.review(&request, &played, worlds)?;
        let by_habits = self.reviewer.review_habits(&request, &played, worlds)?;
        let best = reviewed.best();
        let difference = (best != reviewed.played)
            .then(|| self.reviewer.difference(&request, &played, &reviewed.moves[best].mv));
        let phase = self.reviewer.phase(&request);
        let text = |reviewed: ReviewedDecision<G::Move>| reviewed.map(|mv| mv.to_string());
        let (reviewed, by_habits) = (text(reviewed), by_habits.map(text));
        Ok(ReviewText { reviewed, by_habits, phase, difference })
    }

    fn learn(&mut self, request: &str, played: &str) -> Result<(), ReviewTextError> {
        let (request, played) = read::<G>(request, played)?;
        Ok(self.reviewer.learn(&request, &played)?)
    }

    fn forget(&mut self) {
        self.reviewer.forget();
    }

    fn luck(
        &mut self,
        options: &str,
        events: &[String],
        game: Digest,
    ) -> Result<Vec<DealLuck>, ReviewTextError> {
        let options: G::Options = options.parse()?;
        let events: Result<Vec<Entry<G::Event>>, NotText> =
            events.iter().map(|event| event.parse()).collect();
        Ok(self.reviewer.luck(&options, &events?, game)?)
    }

    fn words(
        &self,
        request: &str,
        played: &str,
        better: Option<&str>,
    ) -> Result<DecisionWords, ReviewTextError> {
        let (request, played) = read::<G>(request, played)?;
        let better = better.map(|better| move_of(&request, better)).transpose()?;
        let difference = better.map(|better| self.reviewer.difference(&request, &played, &better));
        Ok(DecisionWords { phase: self.reviewer.phase(&request), difference })
    }
}

fn read<G: Game>(request: &str, played: &str) -> Result<(Request<G>, G::Move), ReviewTextError> {
    let request: Request<G> = request.parse()?;
    let played = move_of(&request, played)?;
    Ok((request, played))
}

/// The legal move of a request that has this text.
fn move_of<G: Game>(request: &Request<G>, text: &str) -> Result<G::Move, NotReviewed> {
    match request.legal.iter().find(|mv| mv.to_string() == text) {
        Some(listed) => Ok(listed.clone()),
        // There are legal moves that such a list leaves out; the reviewer refuses the others.
        None if request.listing == ListCompleteness::Cut => {
            text.parse().map_err(|_| NotReviewed::NotLegal)
        }
        None => Err(NotReviewed::NotLegal),
    }
}

/// The luck of one deal: how much its cards gave to each seat, or took from it.
#[derive(Debug, Clone, PartialEq)]
pub struct DealLuck {
    /// The line in the history of the game, from 0, after which the deal was complete.
    pub line: usize,
    /// A part of a win for each seat, from -1 to 1.
    pub win: Vec<f64>,
    /// Points ahead of the others for each seat; empty in a game that counts none.
    pub points: Vec<f64>,
}

/// The chance by which the luck of a game is measured.
///
/// It is another one for each game: with the same one in all games, the errors of values would not cancel, and the
/// mean over games would be wrong.
pub(crate) fn luck_chance(game: Digest) -> Nature {
    named_chance("luck", &game.bytes())
}

/// The chance by which worlds of a review are drawn.
///
/// It is another than the player's, who has the same seed: a player whose worlds were drawn again
/// would be measured by the luck that it chose by.
pub(crate) fn chance(seed: BotSeed) -> Nature {
    named_chance("review", &seed.0)
}

fn named_chance(name: &str, seed: &[u8]) -> Nature {
    Seed(Digest::hash(&[name.as_bytes(), seed].concat()).bytes()).nature(0)
}

/// To how many parts of a win stated leads are rounded.
const DECIMALS: f64 = 1e9;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldResult {
    /// The part of a win, from 0 to 1.
    pub share: f64,
    /// The points ahead of the opponent, in games that count points.
    pub points: Option<f64>,
}

/// The results of some moves in worlds that they share.
///
/// ```
/// use bots::review::{Comparison, WorldResult};
///
/// let value = |share| WorldResult { share, points: None };
/// let mut comparison = Comparison::new(2, 0);
/// comparison.add(&[value(0.0), value(1.0)]);
/// comparison.add(&[value(0.5), value(0.5)]);
/// let reviewed = comparison.reviewed(vec!["pass", "take"])?;
/// assert_eq!((reviewed.best(), reviewed.loss()), (1, 0.5));
/// # Ok::<(), bots::review::NotReviewed>(())
/// ```
#[derive(Debug, Clone)]
pub struct Comparison {
    played: usize,
    moves: Vec<MoveSums>,
    worlds: u32,
}

/// What a move has come to in all worlds.
#[derive(Debug, Clone, Default)]
struct MoveSums {
    share: f64,
    square: f64,
    points: Option<f64>,
    /// The square of its difference from the move played, in a world.
    lead_square: f64,
    /// The leads over the move played in worlds of even and odd number.
    halves: [f64; 2],
}

impl Comparison {
    /// A comparison of this number of moves, of which the one at `played` was played.
    ///
    /// # Panics
    ///
    /// Panics if `played` is not one of the moves.
    pub fn new(moves: usize, played: usize) -> Comparison {
        assert!(played < moves, "the move played is one of the moves");
        Comparison { played, moves: vec![MoveSums::default(); moves], worlds: 0 }
    }

    /// Adds the results of each move in one world.
    ///
    /// # Panics
    ///
    /// Panics if there is not one result for each move.
    pub fn add(&mut self, values: &[WorldResult]) {
        assert_eq!(values.len(), self.moves.len(), "each move has a result");
        let half = self.worlds as usize % 2;
        let played = values[self.played].share;
        for (sums, value) in self.moves.iter_mut().zip(values) {
            let lead = value.share - played;
            sums.share += value.share;
            sums.square += value.share * value.share;
            sums.lead_square += lead * lead;
            sums.halves[half] += lead;
            if let Some(points) = value.points {
                *sums.points.get_or_insert(0.0) += points;
            }
        }
        self.worlds += 1;
    }

    pub fn worlds(&self) -> u32 {
        self.worlds
    }

    /// The review that they come to, of these moves.
    pub fn reviewed<M>(&self, moves: Vec<M>) -> Result<ReviewedDecision<M>, NotReviewed> {
        if self.worlds == 0 {
            return Err(NotReviewed::NoWorld);
        }
        let rated = moves.into_iter().zip(&self.moves).map(|(mv, sums)| self.rated(mv, sums));
        let certainty = Certainty::Sampled { worlds: self.worlds };
        let (moves, given_away) = (rated.collect(), self.crossed());
        Ok(ReviewedDecision { moves, played: self.played, certainty, given_away })
    }

    /// The review of moves whose results are certain: they are the same in every world.
    pub fn exact<M>(played: usize, moves: Vec<(M, WorldResult)>) -> ReviewedDecision<M> {
        Comparison::without_errors(Certainty::Exact, played, moves)
    }

    /// The review of moves that someone else has valued, in decimals as a rule.
    ///
    /// ```
    /// use bots::review::{Comparison, WorldResult};
    ///
    /// let value = |share| WorldResult { share, points: None };
    /// let reviewed = Comparison::stated(0, vec![("pass", value(0.4)), ("take", value(0.5))]);
    /// assert_eq!((reviewed.best(), reviewed.given_away), (1, 0.1));
    /// ```
    pub fn stated<M>(played: usize, moves: Vec<(M, WorldResult)>) -> ReviewedDecision<M> {
        let mut reviewed = Comparison::without_errors(Certainty::Stated, played, moves);
        for rated in &mut reviewed.moves {
            // As binary numbers, 0.5 leads 0.4 by less than 0.1. Zero gets no sign.
            rated.lead = (rated.lead * DECIMALS).round() / DECIMALS + 0.0;
        }
        reviewed.given_away = reviewed.loss();
        reviewed
    }

    fn without_errors<M>(
        certainty: Certainty,
        played: usize,
        moves: Vec<(M, WorldResult)>,
    ) -> ReviewedDecision<M> {
        let share = moves[played].1.share;
        let rated = |(mv, value): (M, WorldResult)| RatedMove {
            mv,
            share: value.share,
            error: 0.0,
            points: value.points,
            lead: value.share - share,
            lead_error: 0.0,
        };
        let moves: Vec<RatedMove<M>> = moves.into_iter().map(rated).collect();
        let mut reviewed = ReviewedDecision { moves, played, certainty, given_away: 0.0 };
        reviewed.given_away = reviewed.loss();
        reviewed
    }

    fn rated<M>(&self, mv: M, sums: &MoveSums) -> RatedMove<M> {
        let worlds = f64::from(self.worlds);
        let lead_sum = sums.halves[0] + sums.halves[1];
        RatedMove {
            mv,
            share: sums.share / worlds,
            error: error_of_mean(sums.share, sums.square, worlds),
            points: sums.points.map(|points| points / worlds),
            lead: lead_sum / worlds,
            lead_error: error_of_mean(lead_sum, sums.lead_square, worlds),
        }
    }

    /// The lead of the best move by one half of the worlds, in the other half; the mean of both ways.
    fn crossed(&self) -> f64 {
        let odd = self.worlds / 2;
        let sizes = [self.worlds - odd, odd].map(f64::from);
        if odd == 0 {
            return 0.0;
        }
        let across = |chooses: usize, measures: usize| {
            let best = (0..self.moves.len()).fold(self.played, |best, place| {
                let lead = |place: usize| self.moves[place].halves[chooses];
                if lead(place) > lead(best) { place } else { best }
            });
            self.moves[best].halves[measures] / sizes[measures]
        };
        (across(0, 1) + across(1, 0)) / 2.0
    }
}

/// The standard error of a mean, from the sum and the sum of squares of this number of values.
fn error_of_mean(sum: f64, squares: f64, number: f64) -> f64 {
    if number < 2.0 {
        return 0.0;
    }
    let variance = (squares - sum * sum / number) / (number - 1.0);
    (variance.max(0.0) / number).sqrt()
}
