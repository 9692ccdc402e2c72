//! Comparing moves by their results in the same worlds.

use super::{Certainty, NotReviewed, Rated, Reviewed};

/// To how many parts of a win stated leads are rounded.
const DECIMALS: f64 = 1e9;

/// The result of a move in one world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// The part of a win, from 0 to 1.
    pub share: f64,
    /// The points ahead of the opponent, in games that count points.
    pub points: Option<f64>,
}

/// The results of some moves in worlds that they share.
///
/// ```
/// use bots::review::{Comparison, Value};
///
/// let value = |share| Value { share, points: None };
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
    moves: Vec<Sums>,
    worlds: u32,
}

/// What a move has come to in all worlds.
#[derive(Debug, Clone, Default)]
struct Sums {
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
        Comparison { played, moves: vec![Sums::default(); moves], worlds: 0 }
    }

    /// Adds the results of each move in one world.
    ///
    /// # Panics
    ///
    /// Panics if there is not one result for each move.
    pub fn add(&mut self, values: &[Value]) {
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

    /// The number of worlds so far.
    pub fn worlds(&self) -> u32 {
        self.worlds
    }

    /// The review that they come to, of these moves.
    ///
    /// # Errors
    ///
    /// [`NotReviewed::NoWorld`] without a world.
    pub fn reviewed<M>(&self, moves: Vec<M>) -> Result<Reviewed<M>, NotReviewed> {
        if self.worlds == 0 {
            return Err(NotReviewed::NoWorld);
        }
        let rated = moves.into_iter().zip(&self.moves).map(|(mv, sums)| self.rated(mv, sums));
        let certainty = Certainty::Sampled { worlds: self.worlds };
        let (moves, given_away) = (rated.collect(), self.crossed());
        Ok(Reviewed { moves, played: self.played, certainty, given_away })
    }

    /// The review of moves whose results are certain: they are the same in every world.
    pub fn exact<M>(played: usize, moves: Vec<(M, Value)>) -> Reviewed<M> {
        Comparison::without_errors(Certainty::Exact, played, moves)
    }

    /// The review of moves that someone else has valued, in decimals as a rule.
    ///
    /// ```
    /// use bots::review::{Comparison, Value};
    ///
    /// let value = |share| Value { share, points: None };
    /// let reviewed = Comparison::stated(0, vec![("pass", value(0.4)), ("take", value(0.5))]);
    /// assert_eq!((reviewed.best(), reviewed.given_away), (1, 0.1));
    /// ```
    pub fn stated<M>(played: usize, moves: Vec<(M, Value)>) -> Reviewed<M> {
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
        moves: Vec<(M, Value)>,
    ) -> Reviewed<M> {
        let share = moves[played].1.share;
        let rated = |(mv, value): (M, Value)| Rated {
            mv,
            share: value.share,
            error: 0.0,
            points: value.points,
            lead: value.share - share,
            lead_error: 0.0,
        };
        let moves: Vec<Rated<M>> = moves.into_iter().map(rated).collect();
        let mut reviewed = Reviewed { moves, played, certainty, given_away: 0.0 };
        reviewed.given_away = reviewed.loss();
        reviewed
    }

    fn rated<M>(&self, mv: M, sums: &Sums) -> Rated<M> {
        let worlds = f64::from(self.worlds);
        let lead_sum = sums.halves[0] + sums.halves[1];
        Rated {
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
