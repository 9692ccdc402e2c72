//! A sequential test of which of two bots is better, for ending a tournament once that is known.
//!
//! The hypotheses are that the first bot is `elo0` and that it is `elo1` points of Elo stronger
//! than the second one, in terms of its expected score. After every pair of games the logarithm of
//! their likelihood ratio is compared with two bounds (Wald 1945, "Sequential tests of statistical
//! hypotheses"). A hypothesis gives only the mean of the five results of a pair, not their shares,
//! so the most likely shares under it are taken (the generalised test of Van den Bergh, "A
//! practical introduction to the GSPRT", as tests of chess programs use it): with observed shares p
//! of the results a, the shares with mean s that make the observations most likely are `p / (1 +
//! t(a - s))`, where t is such that their mean is s (Owen 1988, "Empirical likelihood ratio
//! confidence intervals for a single functional"). It needs no model of draws, nor of the
//! correlation of the games of a pair.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::estimate::tidy;
use super::game::{PentanomialCounts, StandingsError, refused};

/// A sequential test: its two hypotheses, and how often it may err.
///
/// As text it is `elo0=0,elo1=10,alpha=0.05,beta=0.05`; what is left out is as here.
///
/// ```
/// use standings::Sprt;
///
/// let sprt: Sprt = "elo1=5".parse()?;
/// assert_eq!(sprt.to_string(), "elo0=0,elo1=5,alpha=0.05,beta=0.05");
/// assert_eq!(
///     "elo=5".parse::<Sprt>().map_err(|error| error.to_string()),
///     Err("unknown key `elo`: use elo0, elo1, alpha or beta".to_owned())
/// );
/// # Ok::<(), standings::StandingsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The farthest that a hypothesis can be from 0, in points of Elo.
const FARTHEST: f64 = 1000.0;

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 }
    }
}

impl Sprt {
    /// A test of `elo0` against `elo1`, which wrongly accepts the second in `alpha` of all cases,
    /// and the first in `beta`.
    ///
    /// # Errors
    ///
    /// [`StandingsError`] for values that are out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, StandingsError> {
        for (key, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-FARTHEST..=FARTHEST).contains(&value) {
                return Err(refused(format_args!("{key} must be from -1000 to 1000, not {value}")));
            }
        }
        if elo0 >= elo1 {
            return Err(refused(format_args!("elo0 ({elo0}) must be below elo1 ({elo1})")));
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(refused(format_args!("{key} must be between 0 and 0.5, not {value}")));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The state of the test after these pairs.
    pub fn state(&self, pairs: &PentanomialCounts) -> SprtState {
        let (lower, upper) = self.bounds();
        let llr = self.log_likelihood_ratio(pairs);
        let decision = if llr >= upper {
            SprtDecision::AcceptH1
        } else if llr <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        };
        SprtState { sprt: *self, llr, lower, upper, decision }
    }

    /// The bounds at which the first and the second hypothesis are accepted.
    fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    fn log_likelihood_ratio(&self, pairs: &PentanomialCounts) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| (count as f64).max(UNSEEN));
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| {
            let mean = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            logarithms_under(mean, &counts)
        });
        let ratios = under1.iter().zip(&under0).map(|(under1, under0)| under1 - under0);
        ratios.zip(counts).map(|(ratio, count)| count * ratio).sum()
    }
}

/// Count of a result that was not seen: with none at all, a hypothesis could be impossible.
const UNSEEN: f64 = 1e-3;

/// The results of a pair, from 0 to 1.
const RESULTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The logarithms of the most likely shares with this mean, over those of the observed shares.
fn logarithms_under(mean: f64, counts: &[f64; 5]) -> [f64; 5] {
    let t = multiplier(mean, counts);
    RESULTS.map(|result| -(1.0 + t * (result - mean)).ln())
}

/// The t of the module's formula.
///
/// The mean under t falls as t grows between the poles of the highest and the lowest result, so
/// Newton's method finds where it is as it should be, with halving where it would leave the bounds.
fn multiplier(mean: f64, counts: &[f64; 5]) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut t = 0.0;
    for _ in 0..STEPS {
        let (mut excess, mut fall) = (0.0, 0.0);
        for (result, count) in RESULTS.iter().zip(counts) {
            let share = (result - mean) / (1.0 + t * (result - mean));
            excess += count * share;
            fall += count * share * share;
        }
        *(if excess > 0.0 { &mut low } else { &mut high }) = t;
        let newton = t + excess / fall;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        let is_there = (next - t).abs() <= PRECISE * (1.0 + t.abs());
        t = next;
        if is_there {
            break;
        }
    }
    t
}

/// The most steps of the search for t, and its precision.
const STEPS: usize = 200;
const PRECISE: f64 = 1e-14;

/// State of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtState {
    /// The test.
    #[serde(serialize_with = "as_text")]
    pub sprt: Sprt,
    /// The natural logarithm of the likelihood ratio of the second hypothesis to the first.
    pub llr: f64,
    /// At this or below it the first hypothesis is accepted.
    pub lower: f64,
    /// At this or above it the second hypothesis is accepted.
    pub upper: f64,
    /// The decision.
    pub decision: SprtDecision,
}

impl SprtState {
    /// With numbers that are the same on every processor.
    pub(super) fn tidied(self) -> SprtState {
        let SprtState { sprt, llr, lower, upper, decision } = self;
        SprtState { sprt, llr: tidy(llr), lower: tidy(lower), upper: tidy(upper), decision }
    }
}

/// Result of a test so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// Nothing yet.
    Continue,
    /// The first bot is not `elo1` stronger.
    AcceptH0,
    /// The first bot is more than `elo0` stronger.
    AcceptH1,
}

fn as_text<S: Serializer>(sprt: &Sprt, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(sprt)
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

impl FromStr for Sprt {
    type Err = StandingsError;

    fn from_str(text: &str) -> Result<Sprt, StandingsError> {
        let Sprt { elo0, elo1, alpha, beta } = Sprt::default();
        let mut values = [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)]
            .map(|(key, default)| (key, default, None));
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let no_value =
                || refused(format_args!("invalid `{}`: use KEY=VALUE", part.escape_debug()));
            let (key, value) = part.split_once('=').ok_or_else(no_value)?;
            let slot = values.iter_mut().find(|(name, ..)| *name == key.trim());
            let (key, _, given) = slot.ok_or_else(|| {
                let key = key.escape_debug();
                refused(format_args!("unknown key `{key}`: use elo0, elo1, alpha or beta"))
            })?;
            let number: f64 = value.trim().parse().map_err(|_| {
                refused(format_args!("{key}: `{}` is not a number", value.escape_debug()))
            })?;
            if given.replace(number).is_some() {
                return Err(refused(format_args!("{key} is given twice")));
            }
        }
        let [elo0, elo1, alpha, beta] = values.map(|(_, default, given)| given.unwrap_or(default));
        Sprt::new(elo0, elo1, alpha, beta)
    }
}
