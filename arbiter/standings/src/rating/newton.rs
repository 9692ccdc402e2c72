//! The maximum of a concave function, by Newton's method, the linear equations behind it, and the range around it.

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
const LONG: f64 = 3.0;

/// The most steps, and the most times that one is halved.
const STEPS: usize = 100;
const HALVINGS: usize = 30;

/// The place where the function is greatest.
///
/// Hunter (2004, "MM algorithms for generalized Bradley–Terry models") climbs the same functions by many steps that
/// need no matrix. Newton's method takes a few, above all from a start nearby.
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
fn restricted(of: &impl Concave, contrast: &[f64], start: Vec<f64>) -> Restricted {
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
///
/// Its equations are small, and solved here: a library would choose its order of operations by the processor, so the
/// last digits would not be the same everywhere.
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
    fn factored(&self) -> Factor {
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
    fn solution(&self, right: &[f64]) -> Vec<f64> {
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

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// A likelihood and where it is greatest, to find the range of a contrast of strengths around that place.
///
/// For each value of a contrast, say of the difference of two bots, all other parameters are those that suit it best:
/// this is its profile likelihood. It shows that a bot that won nearly all of its games may be far better than it
/// seems, but hardly worse; a standard error does not.
#[derive(Debug)]
pub(crate) struct Peak<L> {
    likelihood: L,
    at: Vec<f64>,
    value: f64,
    /// The inverse of the curvature: the covariance of the parameters, were all games independent.
    covariance: Vec<Vec<f64>>,
}

/// One of the two ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Low,
    High,
}

impl End {
    fn sign(self) -> f64 {
        match self {
            End::Low => -1.0,
            End::High => 1.0,
        }
    }
}

/// An end of an interval is exact to this, in logarithms of strengths.
const EXACT: f64 = 1e-9;

/// The most values of a contrast that are tried.
const TRIES: usize = 100;

impl<L: Concave> Peak<L> {
    pub(crate) fn find(likelihood: L) -> Peak<L> {
        let at = maximum(&likelihood);
        let slope = Slope::at(&likelihood, &at);
        let factor = slope.curvature.factored();
        let unit = |place| {
            let mut unit = vec![0.0; at.len()];
            unit[place] = 1.0;
            unit
        };
        let covariance = (0..at.len()).map(|place| factor.solution(&unit(place))).collect();
        Peak { likelihood, value: slope.value, covariance, at }
    }

    pub(crate) fn likelihood(&self) -> &L {
        &self.likelihood
    }

    /// The place where it is greatest.
    pub(crate) fn at(&self) -> &[f64] {
        &self.at
    }

    /// Move of the maximum, by parameter, if the games of this other likelihood were added to
    /// these; to first order.
    pub(crate) fn moved_by(&self, other: &L) -> Vec<f64> {
        let gradient = Slope::at(other, &self.at).gradient;
        self.covariance.iter().map(|row| dot(row, &gradient)).collect()
    }

    /// The variance of a contrast, were all games independent.
    pub(crate) fn variance(&self, contrast: &[f64]) -> f64 {
        dot(contrast, &self.towards(contrast))
    }

    /// The value of a contrast on that side at which twice the logarithm of its profile likelihood
    /// is less than at the maximum by `drop`, the square of a positive number; none where it is not
    /// found.
    pub(crate) fn end(&self, contrast: &[f64], drop: f64, end: End) -> Option<f64> {
        let target = end.sign() * drop.sqrt();
        let towards = self.towards(contrast);
        let variance = dot(contrast, &towards);
        let mut direction: Vec<f64> = towards.iter().map(|towards| towards / variance).collect();
        let mut at = self.at.clone();
        // Were the likelihood a normal one, this would be the end.
        let mut change = target * variance.sqrt();
        for _ in 0..TRIES {
            add(&mut at, &direction, change.clamp(-LONG, LONG));
            let best = restricted(&self.likelihood, contrast, at);
            // The root of the drop is nearly a straight line, so Newton's method finds it quickly.
            let root = end.sign() * (2.0 * (self.value - best.value)).max(0.0).sqrt();
            let slope = -best.by_contrast / root;
            change = (target - root) / slope;
            if !change.is_finite() {
                // Too near to the maximum to tell it from there.
                change = end.sign();
            }
            (at, direction) = (best.at, best.direction);
            if change.abs() < EXACT {
                break;
            }
        }
        let found = dot(contrast, &at) + change.clamp(-LONG, LONG);
        found.is_finite().then_some(found)
    }

    /// The drop of twice the logarithm of the profile likelihood from the maximum to where the contrast
    /// is 0; none where that is not reached.
    pub(crate) fn drop_at_zero(&self, contrast: &[f64]) -> Option<f64> {
        let towards = self.towards(contrast);
        let variance = dot(contrast, &towards);
        let mut direction: Vec<f64> = towards.iter().map(|towards| towards / variance).collect();
        let mut at = self.at.clone();
        for _ in 0..TRIES {
            let left = dot(contrast, &at);
            add(&mut at, &direction, (-left).clamp(-LONG, LONG));
            let best = restricted(&self.likelihood, contrast, at);
            if left.abs() <= LONG {
                let drop = 2.0 * (self.value - best.value);
                return drop.is_finite().then(|| drop.max(0.0));
            }
            (at, direction) = (best.at, best.direction);
        }
        None
    }

    fn towards(&self, contrast: &[f64]) -> Vec<f64> {
        self.covariance.iter().map(|row| dot(row, contrast)).collect()
    }
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

    /// One parameter, with a parabola for its likelihood.
    struct Parabola {
        greatest_at: f64,
        steepness: f64,
    }

    impl Concave for Parabola {
        fn parameters(&self) -> usize {
            1
        }

        fn evaluate(&self, at: &[f64], slope: &mut Slope) {
            let from = at[0] - self.greatest_at;
            slope.value -= self.steepness * from * from / 2.0;
            slope.gradient[0] -= self.steepness * from;
            slope.curvature.add(0, 0, self.steepness);
        }
    }

    #[test]
    fn ends_are_where_the_likelihood_has_dropped() {
        let peak = Peak::find(Parabola { greatest_at: 20.0, steepness: 4.0 });
        let end = |end| peak.end(&[1.0], 9.0, end).expect("it is there");
        assert!((end(End::Low) - 18.5).abs() < 1e-6, "{}", end(End::Low));
        assert!((end(End::High) - 21.5).abs() < 1e-6, "{}", end(End::High));
        let drop = peak.drop_at_zero(&[1.0]).expect("it is there");
        assert!((drop - 1600.0).abs() < 1e-6, "{drop}");
    }

    #[test]
    fn what_is_no_number_ends_the_search_without_an_end() {
        let spoiled = [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::INFINITY, 1.0)];
        for (greatest_at, steepness) in spoiled {
            let peak = Peak::find(Parabola { greatest_at, steepness });
            assert_eq!(peak.drop_at_zero(&[1.0]), None, "{greatest_at} {steepness}");
            for end in [End::Low, End::High] {
                let found = peak.end(&[1.0], 4.0, end);
                assert!(found.is_none_or(f64::is_finite), "{greatest_at} {steepness}");
            }
        }
        let peak = Peak::find(Parabola { greatest_at: 0.0, steepness: 1.0 });
        assert_eq!(peak.end(&[f64::NAN], 4.0, End::Low), None);
        assert_eq!(peak.drop_at_zero(&[f64::NAN]), None);
    }
}
