//! The maximum of a concave function, by Newton's method.
//!
//! Hunter (2004, "MM algorithms for generalized Bradley–Terry models") climbs the same functions by
//! steps that need no matrix, many of them. Newton's method takes a few, above all from a start
//! nearby.

use super::cholesky::{Symmetric, dot};

/// A function that is strictly concave.
pub(crate) trait Concave {
    fn parameters(&self) -> usize;

    /// Adds the value there, the gradient and the curvature to `slope`.
    fn evaluate(&self, at: &[f64], slope: &mut Slope);
}

/// Value and derivatives of a function at one place.
#[derive(Debug, Clone)]
pub(crate) struct Slope {
    pub(super) value: f64,
    /// Its derivative by each parameter.
    pub(super) gradient: Vec<f64>,
    /// The negative of its second derivatives.
    pub(super) curvature: Symmetric,
}

/// A step that is smaller is the last: the next one would be about its square.
const SMALL: f64 = 1e-7;

/// A step is no longer than this in any parameter, since exponentials bend quickly.
pub(super) const LONG: f64 = 3.0;

/// The most steps, and the most times that one is halved.
const STEPS: usize = 100;
const HALVINGS: usize = 30;

/// The place where the function is greatest.
pub(super) fn maximum(of: &impl Concave) -> Vec<f64> {
    let mut at = vec![0.0; of.parameters()];
    let mut slope = Slope::at(of, &at);
    for _ in 0..STEPS {
        let step = slope.curvature.factored().solution(&slope.gradient);
        if !takes_step(of, &mut at, &step, &mut slope) {
            break;
        }
    }
    at
}

/// The greatest value of the function among all places where a contrast of the parameters is the same.
#[derive(Debug, Clone)]
pub(super) struct Restricted {
    pub(super) at: Vec<f64>,
    /// The value there.
    pub(super) value: f64,
    /// Growth of the greatest value with the contrast.
    pub(super) by_contrast: f64,
    /// Move of its place with the contrast, in parameters for 1 of it.
    pub(super) direction: Vec<f64>,
}

/// The maximum where the contrast is the same as at `start`.
pub(super) fn restricted(of: &impl Concave, contrast: &[f64], start: Vec<f64>) -> Restricted {
    let mut at = start;
    let mut slope = Slope::at(of, &at);
    let mut left = STEPS;
    loop {
        let factor = slope.curvature.factored();
        let towards = factor.solution(contrast);
        let variance = dot(contrast, &towards);
        let mut step = factor.solution(&slope.gradient);
        let by_contrast = dot(contrast, &step) / variance;
        add(&mut step, &towards, -by_contrast);
        left -= 1;
        if !takes_step(of, &mut at, &step, &mut slope) || left == 0 {
            let direction = towards.iter().map(|towards| towards / variance).collect();
            return Restricted { at, value: slope.value, by_contrast, direction };
        }
    }
}

/// Takes a step, and says whether there is need of another one.
fn takes_step(of: &impl Concave, at: &mut [f64], step: &[f64], slope: &mut Slope) -> bool {
    let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
    if longest < SMALL {
        add(at, step, 1.0);
        return false;
    }
    climb(of, at, step, (LONG / longest).min(1.0), slope);
    true
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

/// Adds a part of the step to the place.
pub(super) fn add(at: &mut [f64], step: &[f64], part: f64) {
    at.iter_mut().zip(step).for_each(|(at, step)| *at += part * step);
}

impl Slope {
    /// The slope of the function at this place.
    pub(super) fn at(of: &impl Concave, at: &[f64]) -> Slope {
        let parameters = of.parameters();
        let curvature = Symmetric::zero(parameters);
        let mut slope = Slope { value: 0.0, gradient: vec![0.0; parameters], curvature };
        of.evaluate(at, &mut slope);
        slope
    }

    fn clear(&mut self) {
        self.value = 0.0;
        self.gradient.fill(0.0);
        self.curvature.clear();
    }
}
