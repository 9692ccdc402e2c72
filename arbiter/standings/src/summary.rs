//! From sums to standings, with the intervals of scores and margins.

use std::cmp::Ordering;

use super::account::{ResampleKind, Resamples, Totals};
use super::column::{FigureIndex, WeightedSums};
use super::distributions::{StudentT, normal_cdf};
use super::estimate::{Estimate, Interval, IntervalMethod, Weighting, tidy};
use super::game::Entrant;
use super::pairing::Outcome;
use super::pairing::tie_break::{Entry, Meeting, Ranking, break_ties};
use super::ratings::{FEWEST_DEALS, RatingFit};
use super::setup::StandingsSetup;
use super::view::{
    DuplicateScore, Group, HeadToHead, RankInterval, Row, SURELY, StandingsView, SuperiorityMatrix,
};

/// The standings from the games of an account.
pub(super) fn summarise(account: &Totals, setup: &StandingsSetup) -> StandingsView {
    let total = account.sums.column(Weighting::Alike);
    let resamples = Resamples::new(account, setup);
    StandingsInput::new(account, setup, &total, &resamples).view()
}

/// Everything that standings are made from.
struct StandingsInput<'a> {
    account: &'a Totals,
    setup: &'a StandingsSetup,
    quantities: FigureIndex,
    /// The games won, drawn and lost of the bots that met, by the place of their pair.
    results: Vec<[u64; 3]>,
    ratings: RatingFit<'a>,
    /// By the places of bots.
    chances: SuperiorityMatrix,
    numbers: Vec<f64>,
    spread: ResampledValues,
    method: IntervalMethod,
}

impl<'a> StandingsInput<'a> {
    /// From an account whose games add up to `total`.
    fn new(
        account: &'a Totals,
        setup: &'a StandingsSetup,
        total: &'a WeightedSums<'a>,
        resamples: &'a Resamples<'a>,
    ) -> Self {
        let entrants = setup.names.len();
        let quantities = FigureIndex::new(entrants, &total.meetings);
        let ratings = RatingFit::new(account, setup, total, resamples);
        StandingsInput {
            account,
            setup,
            results: results(&quantities, total),
            chances: SuperiorityMatrix::new(entrants, |bot, other| {
                ratings.better(Entrant(bot), Entrant(other))
            }),
            ratings,
            numbers: quantities.numbers(total),
            spread: spread(&quantities, resamples, total),
            method: method(resamples, setup),
            quantities,
        }
    }

    fn view(&self) -> StandingsView {
        let account = self.account;
        let is_played = account.games > 0;
        let order = self.order();
        let ranking = self.ranking(&order);
        let order: Vec<Entrant> = ranking.places.iter().map(|(bot, _)| *bot).collect();
        let counts = account.counts;
        let name = self.setup.names.first().filter(|_| self.setup.is_duel());
        let (met, crosstable) = self.crosstable(&order).into_iter().unzip();
        let sprt = self.setup.sprt.filter(|_| self.setup.is_duel());
        StandingsView {
            games: account.games,
            forfeited: account.forfeited,
            deals: account.deals.count(),
            seats: self.setup.seats,
            method: self.method,
            model: self.setup.model(),
            groups: self.groups(),
            widest: self.setup.widest,
            tie_breaks: self.setup.tie_breaks.clone(),
            rows: self.rows(&ranking),
            crosstable,
            met,
            chances: SuperiorityMatrix::new(order.len(), |row, other| {
                self.chances.better(order[row].0, order[other].0)
            }),
            seat_advantage: self.ratings.seat(),
            draw_parameter: self.ratings.draws().filter(|_| is_played),
            pairs: name.map(|name| DuplicateScore { name: name.clone(), counts }),
            sprt: sprt.map(|sprt| sprt.state(&counts).tidied()),
        }
    }

    fn groups(&self) -> Vec<Group> {
        let name = |bot: &Entrant| self.setup.names[bot.0].clone();
        let names = |bots: &[Entrant]| bots.iter().map(name).collect();
        let groups = self.ratings.groups.all.iter();
        groups
            .map(|group| Group { bots: names(&group.bots), anchors: names(&group.anchors) })
            .collect()
    }

    /// The bots, group by group, in each the best first, and those that did not play last; ties are not
    /// broken.
    fn order(&self) -> Vec<Entrant> {
        let mut order: Vec<Entrant> = (0..self.setup.names.len()).map(Entrant).collect();
        let group = |bot: &Entrant| self.ratings.groups.number(*bot).unwrap_or(usize::MAX);
        let score = |bot: &Entrant| Some(self.numbers[self.quantities.score(*bot)]);
        let rating = |bot: &Entrant| self.ratings.value(*bot);
        order.sort_by(|one, other| {
            let falling = |number: &dyn Fn(&Entrant) -> Option<f64>| {
                number(other).partial_cmp(&number(one)).unwrap_or(Ordering::Equal)
            };
            group(one)
                .cmp(&group(other))
                .then_with(|| falling(&rating))
                .then_with(|| falling(&score))
                .then_with(|| self.setup.names[one.0].cmp(&self.setup.names[other.0]))
        });
        order
    }

    /// The ranks of bots in this order, with ties broken. All games of two bots are one match, as in a
    /// stage of a league.
    fn ranking(&self, order: &[Entrant]) -> Ranking {
        let met = self.quantities.pairs().iter().zip(&self.results);
        let met = met.filter(|(_, results)| **results != [0; 3]);
        let meetings: Vec<Meeting> =
            met.map(|(bots, results)| self.meeting(*bots, *results)).collect();
        let mut half_points = vec![0u64; order.len()];
        for meeting in &meetings {
            for (bot, points) in meeting.bots.iter().zip(meeting.outcome.half_points()) {
                half_points[bot.0] += u64::from(points);
            }
        }
        let entry = |bot: &Entrant| Entry { bot: *bot, score: half_points[bot.0], byes: 0 };
        let entries: Vec<Entry> = order.iter().map(entry).collect();
        let tied = |one, other| self.are_tied(one, other);
        // Every bot is in the order once, and meets only others.
        break_ties(&entries, &meetings, tied, &self.setup.tie_breaks).unwrap_or_else(|_| Ranking {
            places: order.iter().copied().zip(1..).collect(),
            ties: Vec::new(),
        })
    }

    fn meeting(&self, bots: [Entrant; 2], [won, _, lost]: [u64; 3]) -> Meeting {
        let [bot, opponent] = bots;
        let account = self.account.pairs.get(&(bot, opponent));
        Meeting {
            bots,
            outcome: match won.cmp(&lost) {
                Ordering::Greater => Outcome::One,
                Ordering::Equal => Outcome::Draw,
                Ordering::Less => Outcome::Other,
            },
            points: account.map_or([0, 0], |account| account.points),
        }
    }

    fn rows(&self, ranking: &Ranking) -> Vec<Row> {
        let intervals = self.rank_intervals();
        let row = |(bot, rank): &(Entrant, usize)| Row {
            tie_break: ranking.first_decided_by(*bot),
            ..self.row(*bot, *rank, intervals[bot.0])
        };
        ranking.places.iter().map(row).collect()
    }

    /// Returns true if ratings and scores do not order two bots.
    fn are_tied(&self, one: Entrant, other: Entrant) -> bool {
        let key = |bot: Entrant| {
            let score = self.numbers[self.quantities.score(bot)];
            let score = Some(score).filter(|score| !score.is_nan()).map(tidy);
            (self.ratings.groups.number(bot), self.ratings.value(bot).map(tidy), score)
        };
        key(one) == key(other)
    }

    fn row(&self, bot: Entrant, rank: usize, rank_interval: Option<RankInterval>) -> Row {
        let account = &self.account.bots[bot.0];
        let deals = account.deals.count();
        let others = self.setup.seats.saturating_sub(1).max(1) as f64;
        let places = self.places(&account.places);
        Row {
            rank,
            rank_interval,
            tie_break: None,
            name: self.setup.names[bot.0].clone(),
            help: self.setup.helped.get(&self.setup.names[bot.0]).copied(),
            games: account.games,
            won: account.won,
            drawn: account.drawn,
            lost: account.lost,
            mean_place: mean_place(&places),
            places,
            forfeits: account.forfeits.clone(),
            score: self.share(self.quantities.score(bot), deals),
            rating: self.ratings.estimate(bot),
            points_for: points(account.points as f64),
            points_against: points(account.points_of_others as f64 / others),
            margin: self.margin(self.quantities.margin(bot), deals),
        }
    }

    /// The games of a bot by its place; none with two seats.
    fn places(&self, counted: &[u64]) -> Vec<u64> {
        match self.setup.seats {
            ..=2 => Vec::new(),
            seats => (0..seats).map(|place| counted.get(place).copied().unwrap_or(0)).collect(),
        }
    }

    /// The pairs that met, in the order of rows, each with its two rows.
    fn crosstable(&self, order: &[Entrant]) -> Vec<([usize; 2], HeadToHead)> {
        let mut row = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, bot)| row[bot.0] = place);
        let pairs = self.quantities.pairs().iter().enumerate().filter_map(|(pair, bots)| {
            let pairing = self.pairing(pair, *bots)?;
            let rows = bots.map(|bot| row[bot.0]);
            let [first, second] = rows;
            Some(if first < second {
                (rows, pairing)
            } else {
                ([second, first], pairing.reversed())
            })
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_by_key(|(rows, _)| *rows);
        pairs
    }

    /// The bots of a pair; none without games.
    fn pairing(&self, pair: usize, [bot, opponent]: [Entrant; 2]) -> Option<HeadToHead> {
        let account = self.account.pairs.get(&(bot, opponent));
        let deals = account.map_or(0.0, |account| account.deals.count());
        let [one, other] = account.map_or([0, 0], |account| account.points);
        let [won, drawn, lost] = self.results[pair];
        let games = won.saturating_add(drawn).saturating_add(lost);
        (games > 0).then(|| HeadToHead {
            name: self.setup.names[bot.0].clone(),
            opponent: self.setup.names[opponent.0].clone(),
            games,
            won,
            drawn,
            lost,
            score: self.share(self.quantities.pair_score(pair), deals),
            points_for: points(one as f64),
            points_against: points(other as f64),
            margin: self.margin(self.quantities.pair_margin(pair), deals),
            better: self.chances.better(bot.0, opponent.0),
        })
    }

    /// The margin in this place, with its interval from this number of deals, which goes no further than
    /// the margin of a game.
    fn margin(&self, place: usize, deals: f64) -> Option<Estimate> {
        let value = self.numbers[place];
        let interval = self.spread.interval(place, value, deals);
        let interval = match self.setup.widest {
            Some(widest) => interval.and_then(|it| it.within(-widest, widest)),
            None => interval,
        };
        estimated(value, interval)
    }

    fn share(&self, place: usize, deals: f64) -> Option<Estimate> {
        let value = self.numbers[place];
        let interval = self.spread.interval_of_share(place, value, deals);
        estimated(value, interval.and_then(|it| it.within(0.0, 1.0)))
    }

    fn better(&self, bot: Entrant, other: Entrant) -> Option<f64> {
        self.chances.better(bot.0, other.0).map(tidy)
    }

    /// By bots: by how many others are better or worse with a probability of 97.5%.
    fn rank_intervals(&self) -> Vec<Option<RankInterval>> {
        let bots = || (0..self.setup.names.len()).map(Entrant);
        let played: Vec<Entrant> =
            bots().filter(|bot| self.account.bots[bot.0].games > 0).collect();
        let ranks = |bot| {
            let others = || played.iter().filter(move |other| **other != bot);
            let is_told = others().any(|other| self.better(bot, *other).is_some());
            let surely = |one, other| self.better(one, other).is_some_and(|it| it >= SURELY);
            is_told.then(|| RankInterval {
                best: 1 + others().filter(|other| surely(**other, bot)).count(),
                worst: played.len() - others().filter(|other| surely(bot, **other)).count(),
            })
        };
        bots().map(ranks).collect()
    }
}

fn estimated(value: f64, interval: Option<Interval>) -> Option<Estimate> {
    let interval = interval.map(|interval| interval.map(tidy));
    (!value.is_nan()).then_some(Estimate { value, interval })
}

fn method(resamples: &Resamples<'_>, setup: &StandingsSetup) -> IntervalMethod {
    match resamples.kind() {
        ResampleKind::Jackknife => IntervalMethod::T,
        ResampleKind::Bootstrap => {
            IntervalMethod::Bootstrap { replicates: resamples.count(), seed: setup.seed }
        }
    }
}

/// Numbers with deals weighed otherwise: without each of them in turn, or in each replicate of the
/// bootstrap.
fn spread(
    quantities: &FigureIndex,
    resamples: &Resamples<'_>,
    total: &WeightedSums<'_>,
) -> ResampledValues {
    let kind = resamples.kind();
    let resampled = resamples.columns().map(|column| match kind {
        ResampleKind::Jackknife => quantities.numbers(&total.clone().without(&column)),
        ResampleKind::Bootstrap => quantities.numbers(&column),
    });
    ResampledValues::new(kind, [quantities.count(), resamples.count()], resampled)
}

/// Games won, drawn and lost, by pair.
fn results(quantities: &FigureIndex, total: &WeightedSums<'_>) -> Vec<[u64; 3]> {
    let mut results = vec![[0u64; 3]; quantities.pairs().len()];
    for (pair, meeting) in quantities.by_pair(total) {
        let counts = [meeting.won, meeting.drawn, meeting.lost].map(|count| count as u64);
        for (sum, count) in results[pair].iter_mut().zip(counts) {
            *sum = sum.saturating_add(count);
        }
    }
    results
}

/// Points of this number of sixtieths.
fn points(sixtieths: f64) -> f64 {
    tidy(sixtieths / 60.0)
}

/// The mean of places from 1, with the number of games at each.
fn mean_place(games: &[u64]) -> Option<f64> {
    let all: f64 = games.iter().map(|games| *games as f64).sum();
    let sum: f64 =
        games.iter().zip(1u32..).map(|(games, place)| *games as f64 * f64::from(place)).sum();
    (all > 0.0).then(|| tidy(sum / all))
}

/// The quantile at the upper end of a 95% interval.
const UPPER: f64 = 0.975;

/// Numbers that differ by less are equal up to rounding.
const EQUAL: f64 = 1e-9;

/// Values of all numbers, had deals weighed otherwise. The intervals of scores and margins follow from them.
///
/// The deal is the unit, since games of one deal share their cards. With many deals the bootstrap takes the
/// distribution over replicates for the distribution of the error (Efron 1979, "Bootstrap methods: another look at the
/// jackknife"). An interval is from percentile to percentile, somewhat beyond 2.5% and 97.5%: for a mean of normal
/// numbers the ends are then Student's (the expanded percentile interval of Hesterberg 2015, "What teachers should know
/// about the bootstrap"). His factor for a variance that is too small by one part in n is left out: with weights of
/// Poisson a replicate has W deals, and the mean of 1/W, about 1/n + 1/n², makes up for it.
///
/// With few deals the numbers are computed without each deal in turn. Their variance gives a standard error (Tukey's
/// jackknife; Efron and Tibshirani 1993, *An Introduction to the Bootstrap*, chapter 11), and Student's t with one
/// degree of freedom less than deals gives the interval. For a mean over deals this is exactly Student's interval.
#[derive(Debug)]
pub(super) struct ResampledValues {
    kind: ResampleKind,
    resamples: usize,
    /// Number by number.
    values: Vec<f64>,
}

impl ResampledValues {
    /// Takes `count` numbers of each resample.
    pub(super) fn new(
        kind: ResampleKind,
        [count, resamples]: [usize; 2],
        resampled: impl Iterator<Item = Vec<f64>>,
    ) -> ResampledValues {
        let mut values = vec![f64::NAN; count * resamples];
        for (resample, numbers) in resampled.enumerate().take(resamples) {
            let of_resample = values.iter_mut().skip(resample).step_by(resamples);
            of_resample.zip(numbers).for_each(|(value, number)| *value = number);
        }
        ResampledValues { kind, resamples, values }
    }

    /// The 95% interval of a number that depends on about this number of deals.
    pub(super) fn interval(&self, number: usize, value: f64, deals: f64) -> Option<Interval> {
        let values = &self.values[number * self.resamples..][..self.resamples];
        let values: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let freedom = deals - 1.0;
        if freedom < 1.0 || is_constant(&values) {
            return None;
        }
        match self.kind {
            ResampleKind::Jackknife => {
                let half = StudentT::new(freedom)?.quantile(UPPER) * self.error(&values)?;
                Some(Interval::between(value - half, value + half))
            }
            ResampleKind::Bootstrap => percentiles(values, freedom),
        }
    }

    /// The 95% interval of a share, which is from 0 to 1.
    fn interval_of_share(&self, number: usize, value: f64, deals: f64) -> Option<Interval> {
        let found = self.interval(number, value, deals);
        found.or_else(|| always_the_same(value, deals))
    }

    /// The standard error of a number that has these values without each deal.
    fn error(&self, values: &[f64]) -> Option<f64> {
        if values.len() < self.resamples {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some((squares * (count - 1.0) / count).sqrt())
    }
}

fn is_constant(values: &[f64]) -> bool {
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(*it), high.max(*it)));
    // Also if there are none.
    high - low < EQUAL
}

/// The interval of a share that was the same in this number of deals.
fn always_the_same(value: f64, deals: f64) -> Option<Interval> {
    if deals < FEWEST_DEALS {
        return None;
    }
    // A share of all or nothing can be wrong in one way only.
    let missed: f64 = if value <= 0.0 || value >= 1.0 { 0.05 } else { 0.025 };
    let same = missed.powf(1.0 / deals);
    Some(Interval::between(value * same, 1.0 - (1.0 - value) * same))
}

/// The expanded percentile interval.
fn percentiles(mut values: Vec<f64>, freedom: f64) -> Option<Interval> {
    let tail = normal_cdf(-StudentT::new(freedom)?.quantile(UPPER));
    values.sort_by(f64::total_cmp);
    Some(Interval::between(quantile(&values, tail)?, quantile(&values, 1.0 - tail)?))
}

/// The value below which this share of sorted values lies, interpolated between two of them.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last as f64);
    let (before, part) = (place.floor() as usize, place.fract());
    let after = (before + 1).min(last);
    Some(sorted[before] + part * (sorted[after] - sorted[before]))
}
