//! Strengths of bots, fitted to all games at once.
//!
//! The models are logistic: a bot of strength θ has `exp(θ)` in the formulas of Bradley, Terry,
//! Plackett and Luce. The strengths are the most likely ones under a mild prior (see [`prior`]), found
//! by Newton's method (see [`newton`]); since the logarithm of the likelihood is concave they are the
//! only ones. How far they may be from that follows from the likelihood, too (see [`profile`]).

mod bradley_terry;
mod cholesky;
mod likelihood;
mod newton;
mod plackett_luce;
mod prior;
mod profile;

pub(super) use likelihood::Likelihood;
pub(super) use profile::{End, Peak};
