//! The maximum of a concave function, by Newton's method, and the linear equations behind it.

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

/// A symmetric matrix, kept as its lower triangle, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    fn zero(size: usize) -> Symmetric {
        Symmetric { size, entries: vec![0.0; size * size] }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Adds to the entry at this row and column, and to its mirror image.
    pub(super) fn add(&mut self, row: usize, column: usize, amount: f64) {
        let (row, column) = (row.max(column), row.min(column));
        self.entries[row * self.size + column] += amount;
    }

    /// The factor of this matrix, which must be positive definite (Cholesky's method).
    ///
    /// A matrix that is positive definite up to rounding is taken as if its least pivots were not
    /// smaller than they can be told from 0.
    pub(super) fn factored(&self) -> Factor {
        let size = self.size;
        let mut entries = self.entries.clone();
        for row in 0..size {
            let (above, own) = entries.split_at_mut(row * size);
            let own = &mut own[..size];
            for column in 0..row {
                let other = &above[column * size..column * size + column + 1];
                let product = dot(&own[..column], &other[..column]);
                own[column] = (own[column] - product) / other[column];
            }
            let square = own[row] - dot(&own[..row], &own[..row]);
            own[row] = square.max(f64::EPSILON).sqrt();
        }
        Factor { size, entries }
    }
}

/// The lower triangle of which a positive definite matrix is the square.
#[derive(Debug, Clone)]
pub(super) struct Factor {
    size: usize,
    entries: Vec<f64>,
}

impl Factor {
    /// Solves the equations with this right hand side.
    pub(super) fn solution(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = right.to_vec();
        let row_of = |row: usize| &self.entries[row * self.size..row * self.size + row + 1];
        for row in 0..self.size {
            let own = row_of(row);
            solution[row] = (solution[row] - dot(&own[..row], &solution[..row])) / own[row];
        }
        for row in (0..self.size).rev() {
            let own = row_of(row);
            solution[row] /= own[row];
            let solved = solution[row];
            for (before, entry) in solution[..row].iter_mut().zip(own) {
                *before -= entry * solved;
            }
        }
        solution
    }
}

pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let mut matrix = Symmetric::zero(3);
        let entries = [(0, 0, 4.0), (1, 0, 2.0), (1, 1, 5.0), (0, 2, -2.0), (2, 1, 1.0)];
        entries.iter().for_each(|(row, column, entry)| matrix.add(*row, *column, *entry));
        matrix.add(2, 2, 6.0);
        let right = [4.0 + 4.0 - 6.0, 2.0 + 10.0 + 3.0, -2.0 + 2.0 + 18.0];
        let solution = matrix.factored().solution(&right);
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }
}
