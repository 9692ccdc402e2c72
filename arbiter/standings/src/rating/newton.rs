//! The maximum of a concave function, by Newton's method, the linear equations behind it, and the range around it.

/// A function that is strictly concave.
pub(crate) trait ConcaveFunction {
    fn parameters(&self) -> usize;

    /// Adds the value there, the gradient and the curvature to `slope`.
    fn evaluate(&self, at: &[f64], slope: &mut Derivatives);
}

/// Value and derivatives of a function at one place.
#[derive(Debug, Clone)]
pub(crate) struct Derivatives {
    pub(super) value: f64,
    /// Its derivative by each parameter.
    pub(super) gradient: Vec<f64>,
    /// The negative of its second derivatives.
    pub(super) curvature: SymmetricMatrix,
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
pub(super) fn maximum(of: &impl ConcaveFunction) -> Vec<f64> {
    let mut at = vec![0.0; of.parameters()];
    let mut slope = Derivatives::evaluate(of, &at);
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
pub(super) struct ProfileMaximum {
    pub(super) at: Vec<f64>,
    /// The value there.
    pub(super) value: f64,
    /// Growth of the greatest value with the contrast.
    pub(super) by_contrast: f64,
    /// Move of its place with the contrast, in parameters for 1 of it.
    pub(super) direction: Vec<f64>,
}

/// The maximum where the contrast is the same as at `start`.
fn restricted(of: &impl ConcaveFunction, contrast: &[f64], start: Vec<f64>) -> ProfileMaximum {
    let mut at = start;
    let mut slope = Derivatives::evaluate(of, &at);
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
            return ProfileMaximum { at, value: slope.value, by_contrast, direction };
        }
    }
}

/// Takes a step, and says whether there is need of another one.
fn takes_step(
    of: &impl ConcaveFunction,
    at: &mut [f64],
    step: &[f64],
    slope: &mut Derivatives,
) -> bool {
    let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
    if longest < SMALL {
        add(at, step, 1.0);
        return false;
    }
    climb(of, at, step, (LONG / longest).min(1.0), slope);
    true
}

/// Goes a part of the step, or less of it where that much leads down.
fn climb(
    of: &impl ConcaveFunction,
    at: &mut [f64],
    step: &[f64],
    mut part: f64,
    slope: &mut Derivatives,
) {
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

impl Derivatives {
    /// The slope of the function at this place.
    pub(super) fn evaluate(of: &impl ConcaveFunction, at: &[f64]) -> Derivatives {
        let parameters = of.parameters();
        let curvature = SymmetricMatrix::zero(parameters);
        let mut slope = Derivatives { value: 0.0, gradient: vec![0.0; parameters], curvature };
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
/// Its equations are solved here: a library would choose its order of operations by the processor, so the last digits
/// would not be the same everywhere.
#[derive(Debug, Clone)]
pub(crate) struct SymmetricMatrix {
    size: usize,
    entries: Vec<f64>,
}

/// The last parameters, which may have to do with all others: the seat and draws.
const SHARED: usize = 2;

impl SymmetricMatrix {
    fn zero(size: usize) -> SymmetricMatrix {
        SymmetricMatrix { size, entries: vec![0.0; size * size] }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Adds to the entry at this row and column, and to its mirror image.
    pub(super) fn add(&mut self, row: usize, column: usize, amount: f64) {
        let (row, column) = (row.max(column), row.min(column));
        self.entries[row * self.size + column] += amount;
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..row * self.size + row + 1]
    }

    /// The factor of this matrix, which must be positive definite (Cholesky's method).
    ///
    /// A matrix that is positive definite up to rounding is taken as if its least pivots were not
    /// smaller than they can be told from 0.
    fn factored(&self) -> CholeskyFactor {
        let order = self.order();
        let mut rows: Vec<FactorRow> = Vec::with_capacity(self.size);
        for (row, from) in order.iter().enumerate() {
            let entry = |column: usize| {
                let (one, other) = (*from.max(&order[column]), *from.min(&order[column]));
                self.entries[one * self.size + other]
            };
            let first = (0..row).find(|column| entry(*column) != 0.0).unwrap_or(row);
            let mut own: Vec<f64> = (first..=row).map(entry).collect();
            for column in first..row {
                let other = &rows[column];
                let both = first.max(other.first);
                let product = dot(&own[both - first..column - first], other.from(both));
                own[column - first] = (own[column - first] - product) / other.last();
            }
            let before = &own[..row - first];
            let square = own[row - first] - dot(before, before);
            own[row - first] = square.max(f64::EPSILON).sqrt();
            rows.push(FactorRow { first, entries: own });
        }
        CholeskyFactor { order, rows }
    }

    /// All parameters, those together that have to do with each other. Within such a set they keep their order, so that
    /// each sum has the same terms in the same order, but for zeros.
    fn order(&self) -> Vec<usize> {
        let own = self.size.saturating_sub(SHARED);
        let mut sets: Vec<usize> = (0..own).collect();
        fn least(sets: &mut [usize], mut place: usize) -> usize {
            while sets[place] != place {
                sets[place] = sets[sets[place]];
                place = sets[place];
            }
            place
        }
        for row in 0..own {
            let entries = self.row(row)[..row].iter().enumerate();
            for (column, _) in entries.filter(|(_, entry)| **entry != 0.0) {
                let (one, other) = (least(&mut sets, row), least(&mut sets, column));
                sets[one.max(other)] = one.min(other);
            }
        }
        let mut order: Vec<usize> = (0..own).collect();
        order.sort_by_key(|place| least(&mut sets, *place));
        order.extend(own..self.size);
        order
    }
}

/// The lower triangle of which a positive definite matrix is the square.
///
/// With a thousand bots that have met few others, nearly all of it is zeros: each row is kept from its first entry on
/// that is none (George and Liu 1981, *Computer Solution of Large Sparse Positive Definite Systems*, chapter 4).
#[derive(Debug, Clone)]
pub(super) struct CholeskyFactor {
    /// The parameter of each row.
    order: Vec<usize>,
    rows: Vec<FactorRow>,
}

/// A row, from its first entry that is not 0 to the one on the diagonal.
#[derive(Debug, Clone)]
struct FactorRow {
    first: usize,
    entries: Vec<f64>,
}

impl FactorRow {
    /// The entries from this column on.
    fn from(&self, column: usize) -> &[f64] {
        &self.entries[column - self.first..]
    }

    /// The entry on the diagonal.
    fn last(&self) -> f64 {
        self.entries[self.entries.len() - 1]
    }
}

impl CholeskyFactor {
    /// Solves the equations with this right hand side.
    fn solution(&self, right: &[f64]) -> Vec<f64> {
        let mut solution: Vec<f64> = self.order.iter().map(|place| right[*place]).collect();
        let begun = solution.iter().position(|it| *it != 0.0).unwrap_or(solution.len());
        for (place, row) in self.rows.iter().enumerate().skip(begun) {
            let product = dot(&row.entries, &solution[row.first..place]);
            solution[place] = (solution[place] - product) / row.last();
        }
        for (place, row) in self.rows.iter().enumerate().rev() {
            let solved = solution[place] / row.last();
            solution[place] = solved;
            if solved != 0.0 {
                for (before, entry) in solution[row.first..place].iter_mut().zip(&row.entries) {
                    *before -= entry * solved;
                }
            }
        }
        let mut placed = vec![0.0; solution.len()];
        self.order.iter().zip(solution).for_each(|(place, value)| placed[*place] = value);
        placed
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
pub(crate) struct LikelihoodPeak<L> {
    likelihood: L,
    at: Vec<f64>,
    value: f64,
    /// The inverse of the curvature: the covariance of the parameters, were all games independent.
    covariance: Vec<Vec<f64>>,
}

/// One of the two ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntervalEnd {
    Low,
    High,
}

impl IntervalEnd {
    fn sign(self) -> f64 {
        match self {
            IntervalEnd::Low => -1.0,
            IntervalEnd::High => 1.0,
        }
    }
}

/// An end of an interval is exact to this, in logarithms of strengths.
const EXACT: f64 = 1e-9;

/// The most values of a contrast that are tried.
const TRIES: usize = 100;

impl<L: ConcaveFunction> LikelihoodPeak<L> {
    pub(crate) fn find(likelihood: L) -> LikelihoodPeak<L> {
        let at = maximum(&likelihood);
        let slope = Derivatives::evaluate(&likelihood, &at);
        let factor = slope.curvature.factored();
        let unit = |place| {
            let mut unit = vec![0.0; at.len()];
            unit[place] = 1.0;
            unit
        };
        let covariance = (0..at.len()).map(|place| factor.solution(&unit(place))).collect();
        LikelihoodPeak { likelihood, value: slope.value, covariance, at }
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
        let gradient = Derivatives::evaluate(other, &self.at).gradient;
        self.covariance.iter().map(|row| dot(row, &gradient)).collect()
    }

    /// The variance of a contrast, were all games independent.
    pub(crate) fn variance(&self, contrast: &[f64]) -> f64 {
        // Most contrasts are of two bots among a thousand.
        let places = (0..contrast.len()).filter(|place| contrast[*place] != 0.0);
        let places: Vec<usize> = places.collect();
        let towards = |row: &Vec<f64>| -> f64 {
            places.iter().map(|place| row[*place] * contrast[*place]).sum()
        };
        places.iter().map(|place| contrast[*place] * towards(&self.covariance[*place])).sum()
    }

    /// The value of a contrast on that side at which twice the logarithm of its profile likelihood
    /// is less than at the maximum by `drop`, the square of a positive number; none where it is not
    /// found.
    pub(crate) fn end(&self, contrast: &[f64], drop: f64, end: IntervalEnd) -> Option<f64> {
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
        let mut matrix = SymmetricMatrix::zero(3);
        let entries = [(0, 0, 4.0), (1, 0, 2.0), (1, 1, 5.0), (0, 2, -2.0), (2, 1, 1.0)];
        entries.iter().for_each(|(row, column, entry)| matrix.add(*row, *column, *entry));
        matrix.add(2, 2, 6.0);
        let right = [4.0 + 4.0 - 6.0, 2.0 + 10.0 + 3.0, -2.0 + 2.0 + 18.0];
        let solution = matrix.factored().solution(&right);
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }

    /// Pairs of places far apart, and a last one that has to do with all of them.
    fn matrix_of_pairs(pairs: usize) -> SymmetricMatrix {
        let size = 2 * pairs + SHARED;
        let mut matrix = SymmetricMatrix::zero(size);
        for place in 0..size {
            matrix.add(place, place, 4.0 + place as f64);
            if place < pairs {
                matrix.add(place, 2 * pairs - 1 - place, -1.5);
            }
            if place < 2 * pairs {
                matrix.add(place, size - 1, 0.25);
            }
        }
        matrix
    }

    #[test]
    fn a_system_in_parts_is_solved_as_a_whole() {
        let matrix = matrix_of_pairs(4);
        let expected: Vec<f64> = (0..matrix.size).map(|place| place as f64 - 3.0).collect();
        let entry = |row: usize, column: usize| matrix.row(row.max(column))[row.min(column)];
        let product = |row| (0..matrix.size).map(|it| entry(row, it) * expected[it]).sum();
        let right: Vec<f64> = (0..matrix.size).map(product).collect();
        let solution = matrix.factored().solution(&right);
        for (found, expected) in solution.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }

    /// A round of a thousand bots, each of which meets one other, took seconds.
    #[test]
    fn the_factor_of_pairs_grows_with_their_number() {
        let kept = |pairs| {
            let rows = matrix_of_pairs(pairs).factored().rows;
            rows.iter().map(|row| row.entries.len()).sum::<usize>()
        };
        // Two rows of a pair have three entries; of the two at the end, one has all.
        assert_eq!([kept(10), kept(20)], [10, 20].map(|pairs| 3 * pairs + 1 + 2 * pairs + 2));
    }

    /// One parameter, with a parabola for its likelihood.
    struct Parabola {
        greatest_at: f64,
        steepness: f64,
    }

    impl ConcaveFunction for Parabola {
        fn parameters(&self) -> usize {
            1
        }

        fn evaluate(&self, at: &[f64], slope: &mut Derivatives) {
            let from = at[0] - self.greatest_at;
            slope.value -= self.steepness * from * from / 2.0;
            slope.gradient[0] -= self.steepness * from;
            slope.curvature.add(0, 0, self.steepness);
        }
    }

    #[test]
    fn ends_are_where_the_likelihood_has_dropped() {
        let peak = LikelihoodPeak::find(Parabola { greatest_at: 20.0, steepness: 4.0 });
        let end = |end| peak.end(&[1.0], 9.0, end).expect("it is there");
        assert!((end(IntervalEnd::Low) - 18.5).abs() < 1e-6, "{}", end(IntervalEnd::Low));
        assert!((end(IntervalEnd::High) - 21.5).abs() < 1e-6, "{}", end(IntervalEnd::High));
        let drop = peak.drop_at_zero(&[1.0]).expect("it is there");
        assert!((drop - 1600.0).abs() < 1e-6, "{drop}");
    }

    #[test]
    fn what_is_no_number_ends_the_search_without_an_end() {
        let spoiled = [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::INFINITY, 1.0)];
        for (greatest_at, steepness) in spoiled {
            let peak = LikelihoodPeak::find(Parabola { greatest_at, steepness });
            assert_eq!(peak.drop_at_zero(&[1.0]), None, "{greatest_at} {steepness}");
            for end in [IntervalEnd::Low, IntervalEnd::High] {
                let found = peak.end(&[1.0], 4.0, end);
                assert!(found.is_none_or(f64::is_finite), "{greatest_at} {steepness}");
            }
        }
        let peak = LikelihoodPeak::find(Parabola { greatest_at: 0.0, steepness: 1.0 });
        assert_eq!(peak.end(&[f64::NAN], 4.0, IntervalEnd::Low), None);
        assert_eq!(peak.drop_at_zero(&[f64::NAN]), None);
    }
}
