//! Strengths of bots, fitted to all games at once.
//!
//! The models are logistic: a bot of strength θ has `exp(θ)` in the formulas of Bradley, Terry,
//! Plackett and Luce. The strengths are the most likely ones under a mild prior, found by Newton's
//! method (see [`newton`]); since the logarithm of the likelihood is concave they are the
//! only ones. How far they may be from that follows from the likelihood, too (see [`newton`]).
//!
//! The *prior* is what is believed about strengths before the first game. Each bot has played one
//! game more, half won and half lost, against a bot of strength 0. This keeps the strength of a bot
//! that won or lost everything finite, and that of bots that no chain of games connects; against as
//! many games as a tournament has, it weighs nothing. The same holds for the seats, and for draws
//! if there are any: one game between equals, half of it won by the first seat, and half of it
//! drawn. In Bayes' terms it is a beta prior of ½ and ½ on the result of that game (Jeffreys 1946).

mod likelihood;
mod newton;

use newton::Slope;

pub(super) use likelihood::Likelihood;
pub(super) use newton::{End, Peak};

/// Adds a game of the prior to the logarithm of the likelihood, for the parameter in this place: the
/// odds of half the game against the other half are its exponential, times `factor`.
fn add_prior(at: &[f64], place: usize, factor: f64, slope: &mut Slope) {
    // The smaller of the two odds, so that the exponential cannot overflow.
    let logarithm = at[place] + factor.ln();
    let odds = (-logarithm.abs()).exp();
    let likelier = 1.0 / (1.0 + odds);
    let half = if logarithm > 0.0 { likelier } else { 1.0 - likelier };
    slope.value -= logarithm.abs() / 2.0 + odds.ln_1p();
    slope.gradient[place] += 0.5 - half;
    slope.curvature.add(place, place, half * (1.0 - half));
}
