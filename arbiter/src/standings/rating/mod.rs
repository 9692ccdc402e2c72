//! Strengths of bots, fitted to all games at once.
//!
//! The models are logistic: a bot of strength θ has `exp(θ)` in the formulas of Bradley, Terry,
//! Plackett and Luce. A rating is θ on the scale of Elo, on which 400 points are odds of 10 to 1, and
//! the mean over all bots is 0. The strengths are the most likely ones under a mild prior (see
//! [`prior`]), found by Newton's method (see [`newton`]); since the logarithm of the likelihood is
//! concave they are the only ones.

mod bradley_terry;
mod cholesky;
mod newton;
mod plackett_luce;
mod prior;

use super::choices::PARTS;
use super::game::Entrant;
use super::setup::Model;
use super::sums::Column;
use bradley_terry::BradleyTerry;
use plackett_luce::{Choice, PlackettLuce};

/// Points on the scale of Elo for a θ of 1.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Strengths that were fitted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    /// Ratings of the bots, with mean 0.
    pub(super) ratings: Vec<f64>,
    /// How much better the first seat makes a bot than the second one, on the same scale.
    pub(super) seat: Option<f64>,
    /// Davidson's ν: how many draws there are between equals, for each win of the geometric mean
    /// of both sides.
    pub(super) draws: Option<f64>,
    /// Where a similar fit should start.
    pub(super) parameters: Vec<f64>,
}

/// Fits the model to games of so many bots. `near` is a fit to similar games, if there is one.
pub(super) fn fit(model: Model, entrants: usize, games: &Column<'_>, near: Option<&Fit>) -> Fit {
    let near = near.map(|fit| fit.parameters.as_slice());
    let parameters = match model {
        Model::BradleyTerry => newton::maximum(&BradleyTerry::new(entrants, &games.meetings), near),
        Model::PlackettLuce => newton::maximum(&of_rankings(entrants, games), near),
        Model::PlackettLucePairs => newton::maximum(&of_pairs(entrants, games), near),
    };
    let mean = parameters[..entrants].iter().sum::<f64>() / entrants.max(1) as f64;
    let ratings = parameters[..entrants].iter().map(|strength| ELO * (strength - mean)).collect();
    let (seat, draws) = match model {
        Model::BradleyTerry => {
            let of = BradleyTerry::new(entrants, &games.meetings);
            (Some(ELO * of.seat(&parameters)), Some(of.draws(&parameters)))
        }
        Model::PlackettLuce | Model::PlackettLucePairs => (None, None),
    };
    Fit { ratings, seat, draws, parameters }
}

fn of_rankings<'a>(entrants: usize, games: &Column<'a>) -> PlackettLuce<'a> {
    let parts = PARTS as f64;
    let mut chosen = vec![0.0; entrants];
    for (bot, times) in &games.chosen {
        chosen[bot.0] += times / parts;
    }
    let choice = |(among, times): &(&'a [Entrant], f64)| Choice::Many(among, times / parts);
    PlackettLuce { chosen, choices: games.among.iter().map(choice).collect() }
}

fn of_pairs<'a>(entrants: usize, games: &Column<'_>) -> PlackettLuce<'a> {
    let mut chosen = vec![0.0; entrants];
    for meeting in &games.meetings {
        chosen[meeting.first.0] += meeting.won + meeting.drawn / 2.0;
        chosen[meeting.second.0] += meeting.lost + meeting.drawn / 2.0;
    }
    let pairs = games.meetings.iter();
    let choices =
        pairs.map(|meeting| Choice::Two([meeting.first, meeting.second], meeting.games()));
    PlackettLuce { chosen, choices: choices.collect() }
}
