//! Ratings of bots, with intervals, and which of two is better.
//!
//! A rating is the logarithm of a strength on the scale of Elo, on which 400 points are odds of 10 to 1,
//! relative to the mean of the anchors of its group (see [`groups`](super::groups)).
//!
//! Its interval is where the profile likelihood (see `rating::profile`) is not too small, with games
//! that weigh less by the *design effect*: by how much greater the variance is with deals as the unit
//! than it would be were all games independent (Kish 1965, *Survey Sampling*; for likelihoods Rao and
//! Scott 1981, "The analysis of categorical data from complex sample surveys"). What is too small
//! says the square of Student's t with a degree of freedom less than deals.
//!
//! The dependence of games of a deal shows only in the rarer results of a bot, mostly its losses or
//! its wins. So the estimate counts as often as there were any, and the case that all games of the
//! bot on a deal end the same counts twice: its opponents may be copies of each other. A bot that
//! won everything therefore has as many observations as deals. Its interval has one end, at which
//! it would win all of them in 5% of all cases.
//!
//! The variance over deals follows from how far strengths move with them. Each deal adds to the
//! slope of the likelihood where it is greatest, and so moves the maximum, to a first approximation
//! by the covariance of the strengths times what it adds. The differences of these moves between
//! deals give the variance of any contrast of strengths, even if the games of a deal are
//! correlated: the sandwich estimator for clusters (Liang and Zeger 1986, "Longitudinal data
//! analysis using generalized linear models"). Where deals are not kept, the moves of the
//! replicates of the bootstrap, each a sum over deals, differ as much.
//!
//! In simulated tournaments (`tests/it/lopsided.rs`) these intervals hold the rating in 92% or
//! more, at any score.
//!
//! A bot that took a point off another one, by a win or a draw, cannot be behind it without end. So
//! there is a way from one bot to another where it took points off it, or off a bot from which
//! there is a way: then its strength is bounded from below by that of the other. Where there are
//! ways between all bots in both directions, all strengths are finite (Ford 1957, "Solution of a
//! ranking problem from binary comparisons"). Elsewhere games do not say how far a bot is ahead,
//! and if there is no way in either direction, they do not say who is.

use super::account::{ResampleKind, Resamples, Totals};
use super::column::{MeetingSums, WeightedSums};
use super::distributions::StudentT;
use super::estimate::{Estimate, Interval, IntervalMethod, tidy};
use super::game::Entrant;
use super::rating::{IntervalEnd, Likelihood, LikelihoodPeak};
use super::setup::{Model, StandingsSetup};

/// Points on the scale of Elo for a strength of e.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The fewest deals for an interval.
pub(super) const FEWEST_DEALS: f64 = IntervalMethod::FEWEST_DEALS as f64;

/// The work up to which every two bots have a likelihood of their own, in steps of some nanoseconds.
const MOST_WORK: usize = 400_000_000;

/// The rating of each bot by its place, without an interval; none where it did not play.
pub(super) fn values(setup: &StandingsSetup, total: &WeightedSums<'_>) -> Vec<Option<f64>> {
    let entrants = setup.names.len();
    let peak = LikelihoodPeak::find(Likelihood::of_bots(setup.model(), entrants, total));
    let groups = Groups::new(entrants, &total.meetings);
    (0..entrants).map(|place| rating(&groups, peak.at(), Entrant(place))).collect()
}

pub(super) struct RatingFit<'a> {
    account: &'a Totals,
    setup: &'a StandingsSetup,
    total: &'a WeightedSums<'a>,
    resamples: &'a Resamples<'a>,
    peak: LikelihoodPeak<Likelihood<'a>>,
    deviations: ResampleDeviations,
    pub(super) groups: Groups,
    /// Games that each bot won or lost, the smaller number of the two; a draw is half of both.
    rarer: Vec<f64>,
}

impl<'a> RatingFit<'a> {
    /// Ratings from the games of this account, which add up to `total`.
    pub(super) fn new(
        account: &'a Totals,
        setup: &'a StandingsSetup,
        total: &'a WeightedSums<'a>,
        resamples: &'a Resamples<'a>,
    ) -> RatingFit<'a> {
        let entrants = setup.names.len();
        let peak = LikelihoodPeak::find(Likelihood::of_bots(setup.model(), entrants, total));
        RatingFit {
            deviations: ResampleDeviations::new(account, resamples, &peak),
            groups: Groups::new(entrants, &total.meetings),
            rarer: rarer(account, total),
            account,
            setup,
            total,
            resamples,
            peak,
        }
    }

    /// Davidson's ν.
    pub(super) fn draws(&self) -> Option<f64> {
        self.peak.likelihood().draws(self.peak.at()).map(tidy)
    }

    /// The rating of a bot, without an interval; none where it did not play.
    pub(super) fn value(&self, bot: Entrant) -> Option<f64> {
        rating(&self.groups, self.peak.at(), bot)
    }

    /// The rating of a bot with its interval; none if games do not bound it on either side, or if
    /// deals are too few to say how well they bound it on one.
    pub(super) fn estimate(&self, bot: Entrant) -> Option<Estimate> {
        let value = self.value(bot)?;
        let anchors = self.groups.anchors(bot);
        let is_bounded = [
            anchors.iter().all(|anchor| self.groups.is_bounded_by(bot, *anchor)),
            anchors.iter().all(|anchor| self.groups.is_bounded_by(*anchor, bot)),
        ];
        let effect = DesignEffect { rarer: self.rarer[bot.0], most: self.games_a_deal(bot) };
        let contrast = contrast(&self.groups, bot);
        let deals = self.deals(bot);
        let interval = interval(&self.peak, &self.deviations, &contrast, is_bounded, effect, deals);
        estimate(value, interval, is_bounded)
    }

    /// The probability that one bot is better than another; none where their games do not tell.
    pub(super) fn better(&self, bot: Entrant, other: Entrant) -> Option<f64> {
        let deals = self.deals(bot).min(self.deals(other));
        let is_told =
            self.groups.is_bounded_by(bot, other) || self.groups.is_bounded_by(other, bot);
        if deals < FEWEST_DEALS || !is_told {
            return None;
        }
        let contrast = vec![(bot.0, 1.0), (other.0, -1.0)];
        let effect = DesignEffect {
            rarer: self.rarer[bot.0].min(self.rarer[other.0]),
            most: self.games_a_deal(bot).max(self.games_a_deal(other)),
        };
        let full = self.full_contrast(&contrast);
        let variance = self.peak.variance(&full);
        let effect = effect.design(self.deviations.variance(&contrast), variance);
        let difference = value(&contrast, self.peak.at());
        let drop = match self.has_likelihoods_of_pairs() {
            true => self.peak.drop_at_zero(&full)?,
            false => difference.powi(2) / variance,
        };
        let student = StudentT::new(deals - 1.0)?;
        Some(tidy(student.cdf((drop / effect).sqrt().copysign(difference))))
    }

    /// The gain of a bot in the first of two seats; none with more seats, without games, or if
    /// games do not tell.
    pub(super) fn seat(&self) -> Option<Estimate> {
        if self.setup.model() != Model::BradleyTerry || self.account.games == 0 {
            return None;
        }
        let entrants = self.setup.names.len();
        let peak = LikelihoodPeak::find(Likelihood::of_seats(entrants, self.total));
        let contrast = vec![(peak.likelihood().seat()?, 1.0)];
        let is_bounded = seat_is_bounded(entrants, &self.total.meetings);
        let deals = self.account.deals.count() as f64;
        let games = self.account.games as f64;
        let points = |of: fn(f64, f64) -> f64| -> f64 {
            let meetings = self.total.meetings.iter();
            meetings.map(|meeting| of(meeting.won, meeting.lost) + meeting.drawn / 2.0).sum()
        };
        let rarer = points(|won, _| won).min(points(|_, lost| lost));
        // All games of a deal favour the seat that its cards favour.
        let effect = DesignEffect { rarer, most: games / deals };
        let deviations = ResampleDeviations::new(self.account, self.resamples, &peak);
        let value = tidy(ELO * value(&contrast, peak.at()));
        let interval = interval(&peak, &deviations, &contrast, is_bounded, effect, deals);
        estimate(value, interval, is_bounded)
    }

    fn full_contrast(&self, contrast: &[(usize, f64)]) -> Vec<f64> {
        full_contrast(contrast, self.peak.at().len())
    }

    fn deals(&self, bot: Entrant) -> f64 {
        self.account.bots[bot.0].deals.count()
    }

    /// The most games of a bot that go together.
    fn games_a_deal(&self, bot: Entrant) -> f64 {
        self.account.bots[bot.0].games as f64 / self.deals(bot).max(1.0)
    }

    /// Returns true if every two bots have a profile likelihood of their own, which is work that
    /// grows quickly with bots. Beyond a bound, which takes about as long as all else, their
    /// difference is taken for normal.
    fn has_likelihoods_of_pairs(&self) -> bool {
        let bots = self.setup.names.len();
        let terms = self.total.meetings.len() * 20
            + self.total.among.iter().map(|(among, _)| among.len() * among.len()).sum::<usize>();
        let step = bots.saturating_pow(3) / 3 + terms;
        (bots.saturating_pow(2) * 2).saturating_mul(step) < MOST_WORK
    }
}

/// Moves of strengths with the deals, or with the replicates.
#[derive(Debug)]
struct ResampleDeviations {
    /// For each deal or replicate, by parameter.
    moves: Vec<Vec<f64>>,
    /// Factor of the sum of squares.
    factor: f64,
}

impl ResampleDeviations {
    /// Moves from the maximum of the likelihood of all games.
    fn new<'a>(
        account: &Totals,
        resamples: &Resamples<'a>,
        peak: &LikelihoodPeak<Likelihood<'a>>,
    ) -> ResampleDeviations {
        let deals = account.deals.count() as f64;
        // The mean takes one degree of freedom.
        let of_mean = deals / (deals - 1.0);
        let moved = |column| peak.moved_by(&peak.likelihood().of_some(&column));
        let factor = match resamples.kind() {
            ResampleKind::Jackknife => of_mean,
            ResampleKind::Bootstrap => of_mean / resamples.count() as f64,
        };
        ResampleDeviations { moves: resamples.columns().map(moved).collect(), factor }
    }

    /// The variance of a contrast, with this factor at each of these parameters.
    fn variance(&self, contrast: &[(usize, f64)]) -> f64 {
        let value = |moves: &Vec<f64>| -> f64 {
            contrast.iter().map(|(place, factor)| factor * moves[*place]).sum()
        };
        let values: Vec<f64> = self.moves.iter().map(value).collect();
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        self.factor * values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    }
}

/// Parts of a design effect beside variances.
#[derive(Debug, Clone, Copy)]
struct DesignEffect {
    /// Number of games that ended in the rarer way.
    rarer: f64,
    /// The most games that go together.
    most: f64,
}

impl DesignEffect {
    fn design(self, over_deals: f64, over_games: f64) -> f64 {
        let (seen, assumed) = (self.rarer, 2.0);
        (seen * over_deals / over_games + assumed * self.most) / (seen + assumed)
    }
}

/// The 95% interval of a contrast from this number of deals, with the ends that it has.
fn interval(
    peak: &LikelihoodPeak<Likelihood<'_>>,
    deviations: &ResampleDeviations,
    contrast: &[(usize, f64)],
    is_bounded: [bool; 2],
    effect: DesignEffect,
    deals: f64,
) -> Option<Interval> {
    /// Twice the logarithm by which 5% are less than 1.
    const ONE_SIDED: f64 = 5.991_464_547_107_98;
    if deals < FEWEST_DEALS || is_bounded == [false, false] {
        return None;
    }
    let full = full_contrast(contrast, peak.at().len());
    let effect = effect.design(deviations.variance(contrast), peak.variance(&full));
    let student = StudentT::new(deals - 1.0)?;
    let drop = match is_bounded {
        [true, true] => student.quantile(0.975).powi(2),
        _ => ONE_SIDED,
    };
    let drop = effect * drop;
    let end = |end| peak.end(&full, drop, end).map(|end| tidy(ELO * end));
    let [low, high] = is_bounded;
    let low = low.then(|| end(IntervalEnd::Low)).flatten();
    let high = high.then(|| end(IntervalEnd::High)).flatten();
    (low.is_some() || high.is_some()).then_some(Interval { low, high })
}

/// A number that is the prior's making stands for nothing without an end that the games set.
fn estimate(value: f64, interval: Option<Interval>, is_bounded: [bool; 2]) -> Option<Estimate> {
    let is_told = interval.is_some() || is_bounded == [true, true];
    is_told.then_some(Estimate { value, interval })
}

/// The rating of a bot by these parameters; none where it did not play.
fn rating(groups: &Groups, at: &[f64], bot: Entrant) -> Option<f64> {
    groups.number(bot)?;
    Some(tidy(ELO * value(&contrast(groups, bot), at)))
}

/// The rating of a bot relative to its anchors, as a contrast of parameters: how often each of them counts.
fn contrast(groups: &Groups, bot: Entrant) -> Vec<(usize, f64)> {
    let anchors = groups.anchors(bot);
    let share = 1.0 / anchors.len() as f64;
    let anchors = anchors.iter().map(|anchor| (anchor.0, -share));
    anchors.chain([(bot.0, 1.0)]).collect()
}

fn full_contrast(contrast: &[(usize, f64)], parameters: usize) -> Vec<f64> {
    let mut full = vec![0.0; parameters];
    contrast.iter().for_each(|(place, factor)| full[*place] += factor);
    full
}

fn value(contrast: &[(usize, f64)], at: &[f64]) -> f64 {
    contrast.iter().map(|(place, factor)| factor * at[*place]).sum()
}

/// By bot, how many games it won or lost, the smaller of the two; of a game at more than two seats,
/// the share of the others that it did better than is won.
fn rarer(account: &Totals, total: &WeightedSums<'_>) -> Vec<f64> {
    let mut counts = vec![[0.0; 2]; account.bots.len()];
    for meeting in &total.meetings {
        let half = meeting.drawn / 2.0;
        let (won, lost) = (meeting.won + half, meeting.lost + half);
        for (bot, [better, worse]) in [(meeting.first, [won, lost]), (meeting.second, [lost, won])]
        {
            counts[bot.0][0] += better;
            counts[bot.0][1] += worse;
        }
    }
    let of_bot = |([won, lost], bot): ([f64; 2], &super::account::BotAccount)| {
        won.min(lost) / (won + lost).max(1.0) * bot.games as f64
    };
    counts.into_iter().zip(&account.bots).map(of_bot).collect()
}

/// The bots that met each other, if only through others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntrantGroup {
    /// All of them, in the order of the tournament.
    pub(super) bots: Vec<Entrant>,
    /// The bots whose mean rating is 0: the largest set with ways to each other in both directions,
    /// or all bots if no two have them.
    pub(super) anchors: Vec<Entrant>,
}

/// The groups of bots, and the ways between them.
#[derive(Debug)]
pub(super) struct Groups {
    /// The largest first.
    pub(super) all: Vec<EntrantGroup>,
    entrants: usize,
    /// The group of each bot that played.
    of: Vec<Option<usize>>,
    /// True where there is a way from one bot to another, row by row.
    ways: Vec<bool>,
}

impl Groups {
    /// Groups of this number of bots after these games.
    pub(super) fn new(entrants: usize, meetings: &[MeetingSums]) -> Groups {
        let mut beaten = vec![Vec::new(); entrants];
        let mut met = vec![Vec::new(); entrants];
        for meeting in meetings.iter().filter(|meeting| meeting.games() > 0.0) {
            let (first, second) = (meeting.first.0, meeting.second.0);
            met[first].push(second);
            met[second].push(first);
            if meeting.won + meeting.drawn > 0.0 {
                beaten[first].push(second);
            }
            if meeting.lost + meeting.drawn > 0.0 {
                beaten[second].push(first);
            }
        }
        let mut groups = Groups {
            all: Vec::new(),
            entrants,
            of: vec![None; entrants],
            ways: (0..entrants).flat_map(|bot| reached(&beaten, bot)).collect(),
        };
        for bot in (0..entrants).filter(|bot| !met[*bot].is_empty()) {
            let is_known = groups.all.iter().any(|group| group.bots.contains(&Entrant(bot)));
            if !is_known {
                let reached = reached(&met, bot);
                let bots = (0..entrants).filter(|other| reached[*other]).map(Entrant);
                let group = groups.group(bots.collect());
                groups.all.push(group);
            }
        }
        groups.all.sort_by_key(|group| usize::MAX - group.bots.len());
        for (number, group) in groups.all.iter().enumerate() {
            group.bots.iter().for_each(|bot| groups.of[bot.0] = Some(number));
        }
        groups
    }

    /// The number of the group of a bot; none where it did not play.
    pub(super) fn number(&self, bot: Entrant) -> Option<usize> {
        self.of[bot.0]
    }

    /// The bots to which the rating of this one is relative.
    pub(super) fn anchors(&self, bot: Entrant) -> &[Entrant] {
        self.of[bot.0].map_or(&[], |group| self.all[group].anchors.as_slice())
    }

    /// Returns true if the first cannot be behind the second without end.
    pub(super) fn is_bounded_by(&self, bot: Entrant, other: Entrant) -> bool {
        self.ways[bot.0 * self.entrants + other.0]
    }

    fn group(&self, bots: Vec<Entrant>) -> EntrantGroup {
        let mut anchors: Vec<Entrant> = Vec::new();
        for bot in &bots {
            let level = bots.iter().copied().filter(|other| {
                self.is_bounded_by(*bot, *other) && self.is_bounded_by(*other, *bot)
            });
            let level: Vec<Entrant> = level.collect();
            if level.len() > anchors.len() {
                anchors = level;
            }
        }
        if anchors.len() < 2 {
            anchors.clone_from(&bots);
        }
        EntrantGroup { bots, anchors }
    }
}

/// True for each place that there is a way to, `from` among them.
fn reached(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; next.len()];
    reached[from] = true;
    let mut open = vec![from];
    while let Some(place) = open.pop() {
        for next in &next[place] {
            if !reached[*next] {
                reached[*next] = true;
                open.push(*next);
            }
        }
    }
    reached
}

/// True for each end, the lower and the upper one, that the advantage of the first seat has.
///
/// It has no upper one where it may grow without end, and strengths along with it, while none of the
/// results that were seen becomes less likely. With an advantage of 1 and strengths δ that is so if
/// the first seat is ahead by 0 or more wherever it took points, `δ(first) − δ(second) + 1 ≥ 0`, and
/// not ahead where the second took points. There are such δ unless a circle of these conditions
/// contradicts itself (Bellman 1958, "On a routing problem").
fn seat_is_bounded(entrants: usize, meetings: &[MeetingSums]) -> [bool; 2] {
    [-1.0, 1.0].map(|advantage| {
        let mut strengths = vec![0.0f64; entrants];
        for _ in 0..=entrants {
            let mut is_settled = true;
            for meeting in meetings {
                let (first, second) = (meeting.first.0, meeting.second.0);
                let second_at_most = strengths[first] + advantage;
                if meeting.won + meeting.drawn > 0.0 && strengths[second] > second_at_most {
                    strengths[second] = second_at_most;
                    is_settled = false;
                }
                let first_at_most = strengths[second] - advantage;
                if meeting.lost + meeting.drawn > 0.0 && strengths[first] > first_at_most {
                    strengths[first] = first_at_most;
                    is_settled = false;
                }
            }
            if is_settled {
                return false;
            }
        }
        true
    })
}
