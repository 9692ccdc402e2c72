//! The range of a contrast of strengths around the maximum of the likelihood.
//!
//! For each value of a contrast, say of the difference of two bots, all other parameters are those
//! that suit it best: this is its profile likelihood. It shows that a bot that won nearly all of
//! its games may be far better than it seems, but hardly worse; a standard error does not.

use super::newton::{self, Concave, LONG, Slope, dot};

/// A likelihood and where it is greatest.
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
        let at = newton::maximum(&likelihood);
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
            newton::add(&mut at, &direction, change.clamp(-LONG, LONG));
            let best = newton::restricted(&self.likelihood, contrast, at);
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
            newton::add(&mut at, &direction, (-left).clamp(-LONG, LONG));
            let best = newton::restricted(&self.likelihood, contrast, at);
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
