//! The normal distribution and Student's, as intervals and probabilities need them, and the mean of observations.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The probability that a standard normal variable is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x * FRAC_1_SQRT_2) / 2.0
}

/// Student's t distribution.
///
/// ```
/// use standings::StudentT;
///
/// // With two degrees of freedom, there is a formula: √(2s² / (1 - s²)) at (1 + s) / 2.
/// let quantile = StudentT::new(2.0).map(|student| student.quantile(0.975));
/// let expected = (2.0 * 0.95_f64.powi(2) / (1.0 - 0.95_f64.powi(2))).sqrt();
/// assert!(quantile.is_some_and(|found| (found - expected).abs() < 1e-12));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentT {
    freedom: f64,
    /// The density at 0.
    peak: f64,
}

impl StudentT {
    /// The distribution with these degrees of freedom; none unless they are positive and finite.
    pub fn new(freedom: f64) -> Option<StudentT> {
        let peak = half_step(freedom / 2.0) / (PI * freedom).sqrt();
        (freedom > 0.0 && freedom.is_finite()).then_some(StudentT { freedom, peak })
    }

    /// The probability that a variable is at most `t`.
    pub fn cdf(self, t: f64) -> f64 {
        let beyond = self.upper_tail(t.abs());
        if t < 0.0 { beyond } else { 1.0 - beyond }
    }

    /// The value below which a variable lies with this probability, which is between 0 and 1, both
    /// excluded.
    ///
    /// From 0 on the probability beyond is convex, so that Newton's method comes nearer from below
    /// with each step, until rounding stops it.
    pub fn quantile(self, probability: f64) -> f64 {
        const STEPS: usize = 200;
        if probability < 0.5 {
            return -self.quantile(1.0 - probability);
        }
        let mut t = 0.0;
        for _ in 0..STEPS {
            let next = t + (self.upper_tail(t) - (1.0 - probability)) / self.density(t);
            // Not so for a number that is none, either.
            let is_nearer = next > t;
            if !is_nearer {
                break;
            }
            t = next;
        }
        t
    }

    fn density(self, t: f64) -> f64 {
        self.peak * (-(self.freedom + 1.0) / 2.0 * (t * t / self.freedom).ln_1p()).exp()
    }

    /// The probability that a variable is greater than `t`, which is not negative.
    ///
    /// With a = ν/2, x = ν / (ν + t²) and y = 1 - x, it is half of the incomplete beta function
    /// I(x; a, ½), which is 1 - I(y; ½, a) (Abramowitz and Stegun, *Handbook of Mathematical
    /// Functions*, 26.7.1 and 26.5.2). Of the two the one is taken whose series converges fast, and
    /// all terms of both are positive (26.5.4, by Euler's transformation:
    /// I(x; a, b) = x^a y^b / (a B(a, b)) · Σ (a+b)…(a+b+n-1) / ((a+1)…(a+n)) xⁿ).
    fn upper_tail(self, t: f64) -> f64 {
        /// The exponent from which on nothing is left.
        const NOTHING: f64 = 600.0;
        let a = self.freedom / 2.0;
        let odds = t * t / self.freedom;
        let (x, y) = (1.0 / (1.0 + odds), 1.0 / (1.0 + 1.0 / odds));
        let exponent = a * odds.ln_1p();
        // x^a √y / B(a, ½)
        let front = (-exponent).exp() * (y * self.freedom).sqrt() * self.peak;
        if x <= 0.5 {
            front / self.freedom * series(a + 0.5, a + 1.0, x)
        } else if exponent < NOTHING {
            (0.5 - front * series(a + 0.5, 1.5, y)).max(0.0)
        } else {
            0.0
        }
    }
}

/// 1 + above / below · z · (1 + (above + 1) / (below + 1) · z · (1 + …)).
fn series(mut above: f64, mut below: f64, z: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    while term > sum * f64::EPSILON / 4.0 {
        term *= above / below * z;
        sum += term;
        above += 1.0;
        below += 1.0;
    }
    sum
}

/// Γ(a + ½) / Γ(a).
///
/// The asymptotic series in a - ¼ has even powers only (*NIST Digital Library of Mathematical
/// Functions*, 5.11.14). It is good for large numbers, and Γ(a + 1) = a Γ(a) leads to them.
fn half_step(a: f64) -> f64 {
    const LARGE: f64 = 20.0;
    const SERIES: [f64; 5] =
        [1.0, 1.0 / 64.0, -19.0 / 8_192.0, 631.0 / 524_288.0, -174_317.0 / 134_217_728.0];
    let (mut large, mut factor) = (a, 1.0);
    while large < LARGE {
        factor *= large / (large + 0.5);
        large += 1.0;
    }
    let w = large - 0.25;
    let sum = SERIES.iter().rev().fold(0.0, |sum, term| sum / (w * w) + term);
    factor * w.sqrt() * sum
}

/// The quantile at the upper end of a 95% interval.
const UPPER: f64 = 0.975;

/// The mean of observations that come one after the other, with its 95% interval.
///
/// The interval is Student's, for observations that are independent and either many or about
/// normally distributed. If all observations are equal there is none: a width of 0 would say that
/// nothing else can happen.
///
/// ```
/// use standings::Mean;
///
/// let mut mean = Mean::default();
/// [1.0, 2.0, 6.0].into_iter().for_each(|observation| mean.add(observation));
/// assert_eq!(mean.mean(), 3.0);
/// // 4.303, the quantile for 2 degrees of freedom, times √7, the standard deviation, over √3.
/// assert!(mean.plus_minus().is_some_and(|half| (half - 6.5724).abs() < 1e-4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    count: u64,
    /// Exact where observations are whole numbers or halves, as the running mean is not.
    sum: f64,
    running_mean: f64,
    /// The sum of squared deviations from the mean.
    squares: f64,
    first: f64,
    /// The greatest distance of an observation from the first one.
    spread: f64,
}

/// Observations that differ by less are equal up to rounding.
const EQUAL: f64 = 1e-9;

impl Mean {
    /// Adds an observation.
    ///
    /// The squares are taken around a running mean (Welford's method), since a difference of two
    /// great sums of squares would lose digits.
    pub fn add(&mut self, observation: f64) {
        if self.count == 0 {
            self.first = observation;
        }
        self.spread = self.spread.max((observation - self.first).abs());
        self.count += 1;
        self.sum += observation;
        let before = observation - self.running_mean;
        self.running_mean += before / self.count as f64;
        self.squares += before * (observation - self.running_mean);
    }

    /// The mean; 0 without an observation.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// Half the width of the 95% interval around the mean; none unless there are observations that
    /// differ.
    pub fn plus_minus(&self) -> Option<f64> {
        let deviation = self.standard_deviation()?;
        let quantile = StudentT::new(self.count.checked_sub(1)? as f64)?.quantile(UPPER);
        Some(quantile * deviation / (self.count as f64).sqrt())
    }

    /// The standard deviation of an observation, estimated by the sample; none unless there are observations that differ.
    pub fn standard_deviation(&self) -> Option<f64> {
        if self.spread < EQUAL {
            return None;
        }
        Some((self.squares / self.count.checked_sub(1)? as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true for numbers that differ by at most this part of the expected one.
    fn is_near(found: f64, expected: f64, part: f64) -> bool {
        (found - expected).abs() <= expected.abs() * part
    }

    // The expected numbers were computed with forty digits.

    const NORMAL: [(f64, f64); 10] = [
        (-8.0, 6.220960574271784e-16),
        (-5.0, 2.866515718791939e-07),
        (-3.0, 0.001_349_898_031_630_094_6),
        (-1.96, 0.024_997_895_148_220_435),
        (-1.0, 0.158_655_253_931_457_05),
        (-0.5, 0.308_537_538_725_986_9),
        (0.0, 0.5),
        (0.1, 0.539_827_837_277_029),
        (1.0, 0.841_344_746_068_542_9),
        (2.5, 0.993_790_334_674_223_8),
    ];

    const PROBABILITIES: [f64; 5] = [0.75, 0.95, 0.975, 0.995, 0.9995];

    const QUANTILES: [(f64, [f64; 5]); 15] = [
        (
            1.0,
            [
                1.0,
                6.313_751_514_675_038,
                12.706_204_736_174_694,
                63.656_741_162_871_526,
                636.619_248_768_789_7,
            ],
        ),
        (
            2.0,
            [
                0.816_496_580_927_726,
                2.919_985_580_353_724_2,
                4.302_652_729_749_462,
                9.924_843_200_918_29,
                31.599_054_576_445_365,
            ],
        ),
        (
            3.0,
            [
                0.764_892_328_404_345_3,
                2.353_363_434_801_823,
                3.182_446_305_283_708_6,
                5.840_909_309_733_355,
                12.923_978_636_687_965,
            ],
        ),
        (
            4.0,
            [
                0.740_697_084_112_682_6,
                2.131_846_786_326_649_5,
                2.776_445_105_197_793_4,
                4.604_094_871_349_992,
                8.610_301_581_379_522,
            ],
        ),
        (
            5.0,
            [
                0.726_686_843_800_422_7,
                2.015_048_373_333_023_3,
                2.570_581_835_636_314_6,
                4.032_142_983_555_227,
                6.868_826_625_881_275,
            ],
        ),
        (
            9.0,
            [
                0.702_722_146_751_326_4,
                1.833_112_932_656_236_5,
                2.262_157_162_798_205,
                3.249_835_541_592_126,
                4.780_912_585_931_218,
            ],
        ),
        (
            19.0,
            [
                0.687_621_460_203_960_3,
                1.729_132_811_521_369,
                2.093_024_054_408_309,
                2.860_934_606_464_979,
                3.883_405_852_592_131_3,
            ],
        ),
        (
            29.0,
            [
                0.683_043_860_821_613_2,
                1.699_127_026_533_497_2,
                2.045_229_642_132_704,
                2.756_385_903_670_605_3,
                3.659_405_019_466_374_3,
            ],
        ),
        (
            39.5,
            [
                0.680_751_617_103_585_8,
                1.684_356_432_109_036_7,
                2.021_872_619_814_608,
                2.706_163_358_156_642,
                3.554_494_508_756_957_5,
            ],
        ),
        (
            40.5,
            [
                0.680_595_780_623_917_9,
                1.683_358_362_585_335,
                2.020_298_428_185_433_3,
                2.702_799_142_256_861,
                3.547_530_013_982_764,
            ],
        ),
        (
            99.0,
            [
                0.676_975_985_546_152_7,
                1.660_391_156_016_990_4,
                1.984_216_951_586_417_2,
                2.626_405_457_280_827,
                3.391_528_833_363_684_4,
            ],
        ),
        (
            999.0,
            [
                0.674_735_410_346_719,
                1.646_380_345_427_535_2,
                1.962_341_461_133_449_5,
                2.580_759_637_267_636_5,
                3.300_292_440_398_766_6,
            ],
        ),
        (
            9_999.0,
            [
                0.674_514_286_937_346,
                1.645_006_033_311_299,
                1.960_201_263_621_357_3,
                2.576_321_095_856_597_4,
                3.291_500_063_300_963,
            ],
        ),
        (
            999_999.0,
            [
                0.674_489_995_531_332_7,
                1.644_855_150_723_563_8,
                1.959_966_356_816_479,
                2.575_834_220_110_250_4,
                3.290_536_461_258_452,
            ],
        ),
        (
            1e9,
            [
                0.674_489_750_441_416_7,
                1.644_853_628_475_241_5,
                1.959_963_986_912_325,
                2.575_829_308_465_448,
                3.290_526_741_221_656_3,
            ],
        ),
    ];

    const CDF: [(f64, f64, f64); 13] = [
        (1.0, 1.0, 0.75),
        (1.0, 300.0, 0.998_938_970_975_779_5),
        (2.0, 0.5, 0.666_666_666_666_666_6),
        (4.0, 2.5, 0.966_616_727_594_006),
        (4.0, 20.0, 0.999_981_558_447_098_5),
        (10.0, 3.25, 0.995_639_753_639_294),
        (29.0, 2.045, 0.974_987_962_038_794_1),
        (29.0, 8.0, 0.999_999_995_993_712_1),
        (100.0, 0.01, 0.503_979_394_882_785_8),
        (1_000.0, 1.5, 0.933_034_980_588_957),
        (1_000.0, 6.0, 0.999_999_998_622_315_4),
        (1_000_000.0, 1.96, 0.975_001_966_207_365_1),
        (1_000_000.0, 4.5, 0.999_996_601_944_747_5),
    ];

    #[test]
    fn a_table_gives_the_normal_distribution() {
        for (x, expected) in NORMAL {
            let found = normal_cdf(x);
            assert!(is_near(found, expected, 1e-14), "{x}: {found}");
        }
    }

    #[test]
    fn a_table_gives_students_quantiles() {
        for (freedom, quantiles) in QUANTILES {
            let student = StudentT::new(freedom).unwrap();
            for (probability, expected) in PROBABILITIES.into_iter().zip(quantiles) {
                let found = student.quantile(probability);
                assert!(is_near(found, expected, 1e-12), "{freedom}, {probability}: {found}");
                assert_eq!(student.quantile(1.0 - probability), -found);
            }
        }
    }

    #[test]
    fn a_table_gives_students_probabilities() {
        for (freedom, t, expected) in CDF {
            let student = StudentT::new(freedom).unwrap();
            let found = student.cdf(t);
            assert!((found - expected).abs() < 4e-15, "{freedom}, {t}: {found}");
            assert!((found + student.cdf(-t) - 1.0).abs() < 1e-15, "{freedom}, {t}");
        }
    }

    #[test]
    fn no_freedom_is_no_distribution() {
        for freedom in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(StudentT::new(freedom), None, "{freedom}");
        }
    }

    #[test]
    fn the_ends_are_certain() {
        for freedom in [1.0, 3.5, 1e3, 1e9] {
            let student = StudentT::new(freedom).unwrap();
            assert_eq!(student.cdf(0.0), 0.5);
            assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(|t| student.cdf(t)), [0.0, 1.0]);
            assert_eq!(student.quantile(0.5), 0.0);
        }
    }
}
