//! The maximum of a concave function, by Newton's method.
//!
//! Hunter (2004, "MM algorithms for generalized Bradley–Terry models") climbs the same functions by
//! steps that need no matrix, many of them. Newton's method takes a few, above all from a start
//! nearby, as all replicates of a bootstrap have one.

use super::cholesky::Symmetric;

/// A function that is strictly concave.
pub(super) trait Concave {
    /// How many parameters it has.
    fn parameters(&self) -> usize;

    /// Adds the value there, the gradient and the curvature to `slope`.
    fn evaluate(&self, at: &[f64], slope: &mut Slope);
}

/// What a function does at one place.
#[derive(Debug, Clone)]
pub(super) struct Slope {
    /// Its value.
    pub(super) value: f64,
    /// Its derivative by each parameter.
    pub(super) gradient: Vec<f64>,
    /// The negative of its second derivatives.
    pub(super) curvature: Symmetric,
}

/// A step that is smaller is the last: the next one would be about its square.
const SMALL: f64 = 1e-7;

/// A step is no longer than this in any parameter, since exponentials bend quickly.
const LONG: f64 = 3.0;

/// How many steps there are at most, and how often one is halved at most.
const STEPS: usize = 100;
const HALVINGS: usize = 30;

/// Where the function is greatest; the search begins at `start`, or else where all are 0.
pub(super) fn maximum(of: &impl Concave, start: Option<&[f64]>) -> Vec<f64> {
    let mut at = start.map_or_else(|| vec![0.0; of.parameters()], <[f64]>::to_vec);
    let mut slope = Slope::flat(of.parameters());
    of.evaluate(&at, &mut slope);
    for _ in 0..STEPS {
        let mut step = slope.gradient.clone();
        slope.curvature.solve(&mut step);
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        if longest < SMALL {
            add(&mut at, &step, 1.0);
            break;
        }
        climb(of, &mut at, &step, (LONG / longest).min(1.0), &mut slope);
    }
    at
}

/// Goes a part of the step, or less of it where that much leads down.
fn climb(of: &impl Concave, at: &mut [f64], step: &[f64], mut part: f64, slope: &mut Slope) {
    let least = slope.value - ROUNDING * slope.value.abs();
    add(at, step, part);
    for _ in 0..HALVINGS {
        slope.clear();
        of.evaluate(at, slope);
        if slope.value >= least {
            return;
        }
        part /= 2.0;
        add(at, step, -part);
    }
}

/// By what share a value may be too small for rounding alone.
const ROUNDING: f64 = 1e-12;

fn add(at: &mut [f64], step: &[f64], part: f64) {
    at.iter_mut().zip(step).for_each(|(at, step)| *at += part * step);
}

impl Slope {
    fn flat(parameters: usize) -> Slope {
        let curvature = Symmetric::zero(parameters);
        Slope { value: 0.0, gradient: vec![0.0; parameters], curvature }
    }

    fn clear(&mut self) {
        self.value = 0.0;
        self.gradient.fill(0.0);
        self.curvature.clear();
    }
}
