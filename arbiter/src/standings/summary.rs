//! From sums to standings.
//!
//! What deals weighed otherwise would say comes from fits of their own, each from a start near the
//! fit to all games: one without each deal, or one for each replicate of the bootstrap.

use std::cmp::Ordering;

use super::account::Account;
use super::estimate::{Estimate, Interval, Method, tidy};
use super::game::Entrant;
use super::quantities::{Numbers, Quantities};
use super::rating::{self, Fit};
use super::setup::Setup;
use super::spread::{Kind, Spread};
use super::sums::Column;
use super::view::{Pairing, PairsOf, RankInterval, Row, View};

/// What standings are made from.
pub(super) struct Summary<'a> {
    account: &'a Account,
    setup: &'a Setup,
    quantities: Quantities,
    /// The games of every two bots, from the view of either.
    meetings: Vec<[u64; 3]>,
    fit: Fit,
    numbers: Numbers,
    spread: Spread,
}

impl<'a> Summary<'a> {
    pub(super) fn of(account: &'a Account, setup: &'a Setup) -> Summary<'a> {
        let quantities = Quantities::new(setup.names.len());
        let total = account.total.column(0);
        let fit = rating::fit(setup.model(), setup.names.len(), &total, None);
        Summary {
            account,
            setup,
            quantities,
            meetings: meetings(&total, setup.names.len()),
            numbers: quantities.numbers(&total, &fit),
            spread: spread(account, setup, &total, &fit),
            fit,
        }
    }

    pub(super) fn view(&self) -> View {
        let account = self.account;
        let is_played = account.games > 0;
        let order = self.order();
        let seat = self.fit.seat.filter(|_| is_played);
        let counts = account.counts;
        let name = self.setup.names.first().filter(|_| self.setup.is_duel());
        let below = order.iter().enumerate().flat_map(|(place, first)| {
            order[place + 1..].iter().map(|second| self.pairing(*first, *second))
        });
        let sprt = self.setup.sprt.filter(|_| self.setup.is_duel());
        View {
            games: account.games,
            forfeited: account.forfeited,
            deals: account.deals.count(),
            seats: self.setup.seats,
            method: method(account, self.setup),
            model: self.setup.model(),
            rows: self.rows(&order),
            crosstable: below.collect(),
            seat_advantage: seat
                .and_then(|_| self.estimate(self.quantities.seat(), account.deals.count() as f64)),
            draw_parameter: self.fit.draws.filter(|_| is_played).map(tidy),
            pairs: name.map(|name| PairsOf { name: name.clone(), counts }),
            sprt: sprt.map(|sprt| sprt.state(&counts).tidied()),
        }
    }

    /// The bots, the best first.
    fn order(&self) -> Vec<Entrant> {
        let mut order: Vec<Entrant> = (0..self.setup.names.len()).map(Entrant).collect();
        order.sort_by(|one, other| {
            let number = |number: fn(Quantities, Entrant) -> usize| {
                let [one, other] =
                    [one, other].map(|bot| self.numbers[number(self.quantities, *bot)]);
                other.partial_cmp(&one).unwrap_or(Ordering::Equal)
            };
            let has_played = |bot: &Entrant| self.account.bots[bot.0].games > 0;
            has_played(other)
                .cmp(&has_played(one))
                .then_with(|| number(Quantities::rating))
                .then_with(|| number(Quantities::score))
                .then_with(|| self.setup.names[one.0].cmp(&self.setup.names[other.0]))
        });
        order
    }

    fn rows(&self, order: &[Entrant]) -> Vec<Row> {
        let intervals = self.rank_intervals();
        let row = |(place, bot): (usize, &Entrant)| self.row(*bot, place + 1, intervals[bot.0]);
        order.iter().enumerate().map(row).collect()
    }

    fn row(&self, bot: Entrant, rank: usize, rank_interval: Option<RankInterval>) -> Row {
        let account = &self.account.bots[bot.0];
        let deals = account.deals.count();
        let score = self.estimate(self.quantities.score(bot), deals).map(within_a_share);
        let rating =
            self.estimate(self.quantities.rating(bot), deals).filter(|_| account.games > 0);
        // Where every deal came to the same, ratings differ only by those of others.
        let is_certain = score.is_some_and(|score| score.interval.is_some());
        let rating =
            rating.map(|it| Estimate { interval: it.interval.filter(|_| is_certain), ..it });
        let others = self.setup.seats.saturating_sub(1).max(1) as f64;
        Row {
            rank,
            rank_interval,
            name: self.setup.names[bot.0].clone(),
            games: account.games,
            won: account.won,
            drawn: account.drawn,
            lost: account.lost,
            forfeits: account.forfeits.clone(),
            score,
            rating,
            points_for: points(account.points as f64),
            points_against: points(account.points_of_others as f64 / others),
            margin: self.estimate(self.quantities.margin(bot), deals),
        }
    }

    fn pairing(&self, bot: Entrant, opponent: Entrant) -> Pairing {
        if bot > opponent {
            return self.pairing(opponent, bot).reversed();
        }
        let account = self.account.pairs.get(&(bot, opponent));
        let deals = account.map_or(0.0, |account| account.deals.count());
        let [one, other] = account.map_or([0, 0], |account| account.points);
        let [won, drawn, lost] = self.meetings[bot.0 * self.setup.names.len() + opponent.0];
        let score = self.estimate(self.quantities.pair_score(bot, opponent), deals);
        Pairing {
            name: self.setup.names[bot.0].clone(),
            opponent: self.setup.names[opponent.0].clone(),
            games: won + drawn + lost,
            won,
            drawn,
            lost,
            score: score.map(within_a_share),
            points_for: points(one as f64),
            points_against: points(other as f64),
            margin: self.estimate(self.quantities.pair_margin(bot, opponent), deals),
            better: self.better(bot, opponent),
        }
    }

    /// The number in this place, with its interval from so many deals.
    fn estimate(&self, place: usize, deals: f64) -> Option<Estimate> {
        let value = self.numbers[place];
        let interval = self.spread.interval(place, value, deals);
        let interval = interval.map(|it| Interval { low: tidy(it.low), high: tidy(it.high) });
        (!value.is_nan()).then_some(Estimate { value, interval })
    }

    fn better(&self, bot: Entrant, other: Entrant) -> Option<f64> {
        let [deals, of_other] = [bot, other].map(|bot| self.account.bots[bot.0].deals.count());
        let deals = deals.min(of_other);
        if deals < 2.0 {
            return None;
        }
        let [one, other] = [bot, other].map(|bot| self.quantities.rating(bot));
        let difference = self.numbers[one] - self.numbers[other];
        self.spread.greater(one, other, difference, deals).map(tidy)
    }

    /// By bots: from the replicates, or with few deals by how many others are better or worse with
    /// a probability of 97.5%.
    fn rank_intervals(&self) -> Vec<Option<RankInterval>> {
        let mut intervals = vec![None; self.setup.names.len()];
        let bots = (0..self.setup.names.len()).map(Entrant);
        let played: Vec<Entrant> = bots.filter(|bot| self.account.bots[bot.0].games > 0).collect();
        let deals = self.account.deals.count();
        if deals < 2 {
            return intervals;
        }
        let ratings: Vec<usize> = played.iter().map(|bot| self.quantities.rating(*bot)).collect();
        let ranks = self.spread.ranks(&ratings, deals as f64).unwrap_or_else(|| {
            played.iter().map(|bot| self.ranks_by_pairs(*bot, &played)).collect()
        });
        for (bot, (best, worst)) in played.iter().zip(ranks) {
            intervals[bot.0] = Some(RankInterval { best, worst });
        }
        intervals
    }

    fn ranks_by_pairs(&self, bot: Entrant, played: &[Entrant]) -> (usize, usize) {
        let surely = |one, other| self.better(one, other).is_some_and(|it| it >= 0.975);
        let others = || played.iter().filter(|other| **other != bot);
        let above = others().filter(|other| surely(**other, bot)).count();
        let below = others().filter(|other| surely(bot, **other)).count();
        (1 + above, played.len() - below)
    }
}

fn method(account: &Account, setup: &Setup) -> Method {
    match account.few {
        Some(_) => Method::T,
        None => Method::Bootstrap { replicates: setup.replicates.count(), seed: setup.seed },
    }
}

fn spread(account: &Account, setup: &Setup, total: &Column<'_>, fit: &Fit) -> Spread {
    let entrants = setup.names.len();
    let quantities = Quantities::new(entrants);
    let numbers = |column: &Column<'_>| {
        let fit = rating::fit(setup.model(), entrants, column, Some(fit));
        quantities.numbers(column, &fit)
    };
    let (kind, resampled): (_, Vec<Numbers>) = match &account.few {
        Some(few) => {
            let mut columns: Vec<usize> = (0..few.deals.len()).collect();
            columns.sort_by_key(|column| few.deals[*column]);
            let without = |column| total.clone().without(&few.sums.column(column));
            let columns = columns.into_iter().map(without);
            (Kind::Jackknife, columns.map(|column| numbers(&column)).collect())
        }
        None => {
            let columns = 0..account.replicates.columns();
            let columns = columns.map(|column| account.replicates.column(column));
            (Kind::Bootstrap, columns.map(|column| numbers(&column)).collect())
        }
    };
    Spread::new(kind, quantities.count(), &resampled)
}

/// Won, drawn and lost, by bot and opponent.
fn meetings(total: &Column<'_>, entrants: usize) -> Vec<[u64; 3]> {
    let mut meetings = vec![[0; 3]; entrants * entrants];
    for meeting in &total.meetings {
        let results = [meeting.won, meeting.drawn, meeting.lost].map(|count| count as u64);
        let [won, drawn, lost] = results;
        let mut add = |bot: Entrant, opponent: Entrant, results: [u64; 3]| {
            let sums = meetings[bot.0 * entrants + opponent.0].iter_mut();
            sums.zip(results).for_each(|(sum, count)| *sum += count);
        };
        add(meeting.first, meeting.second, [won, drawn, lost]);
        add(meeting.second, meeting.first, [lost, drawn, won]);
    }
    meetings
}

/// Points of so many sixtieths.
fn points(sixtieths: f64) -> f64 {
    tidy(sixtieths / 60.0)
}

/// The interval of a share ends where shares do.
fn within_a_share(score: Estimate) -> Estimate {
    let within = |end: f64| end.clamp(0.0, 1.0);
    let interval = score.interval.map(|it| Interval { low: within(it.low), high: within(it.high) });
    Estimate { interval, ..score }
}
