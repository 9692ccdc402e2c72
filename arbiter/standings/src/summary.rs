//! From sums to standings.

use std::cmp::Ordering;

use super::account::Account;
use super::estimate::{Estimate, Interval, Method, tidy};
use super::game::Entrant;
use super::quantities::{Numbers, Quantities};
use super::ratings::Ratings;
use super::setup::Setup;
use super::spread::{Kind, Spread};
use super::sums::Column;
use super::view::{Group, Pairing, PairsOf, RankInterval, Row, SURELY, View};

/// Everything that standings are made from.
pub(super) struct Summary<'a> {
    account: &'a Account,
    setup: &'a Setup,
    quantities: Quantities,
    /// The games of every two bots, from the view of either.
    meetings: Vec<[u64; 3]>,
    ratings: Ratings<'a>,
    /// The probability that each bot is better than each other one, row by row.
    better: Vec<Option<f64>>,
    numbers: Numbers,
    spread: Spread,
}

impl<'a> Summary<'a> {
    /// From an account whose games add up to `total`.
    pub(super) fn new(account: &'a Account, setup: &'a Setup, total: &'a Column<'a>) -> Self {
        let quantities = Quantities::new(setup.names.len());
        let ratings = Ratings::new(account, setup, total);
        Summary {
            account,
            setup,
            quantities,
            meetings: meetings(total, setup.names.len()),
            better: better(&ratings, setup.names.len()),
            ratings,
            numbers: quantities.numbers(total),
            spread: spread(account, setup, total),
        }
    }

    pub(super) fn view(&self) -> View {
        let account = self.account;
        let is_played = account.games > 0;
        let order = self.order();
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
            groups: self.groups(),
            widest: self.setup.widest,
            rows: self.rows(&order),
            crosstable: below.collect(),
            seat_advantage: self.ratings.seat(),
            draw_parameter: self.ratings.draws().filter(|_| is_played),
            pairs: name.map(|name| PairsOf { name: name.clone(), counts }),
            sprt: sprt.map(|sprt| sprt.state(&counts).tidied()),
        }
    }

    fn groups(&self) -> Vec<Group> {
        let name = |bot: &Entrant| self.setup.names[bot.0].clone();
        let names = |bots: &[Entrant]| bots.iter().map(name).collect();
        let groups = self.ratings.groups().iter();
        groups
            .map(|group| Group { bots: names(&group.bots), anchors: names(&group.anchors) })
            .collect()
    }

    /// The bots, group by group, in each the best first, and those that did not play last.
    fn order(&self) -> Vec<Entrant> {
        let mut order: Vec<Entrant> = (0..self.setup.names.len()).map(Entrant).collect();
        let group = |bot: &Entrant| self.ratings.group(*bot).unwrap_or(usize::MAX);
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

    fn rows(&self, order: &[Entrant]) -> Vec<Row> {
        let intervals = self.rank_intervals();
        let mut rank = 0;
        let mut rows = Vec::with_capacity(order.len());
        for (place, bot) in order.iter().enumerate() {
            // Equal bots share a rank, and the next one has the rank that it would have anyway.
            let is_equal = place > 0 && self.are_equal(order[place - 1], *bot);
            rank = if is_equal { rank } else { place + 1 };
            rows.push(self.row(*bot, rank, intervals[bot.0]));
        }
        rows
    }

    /// Returns true if only their names order two bots.
    fn are_equal(&self, one: Entrant, other: Entrant) -> bool {
        let key = |bot: Entrant| {
            let score = self.numbers[self.quantities.score(bot)];
            let score = Some(score).filter(|score| !score.is_nan()).map(tidy);
            (self.ratings.group(bot), self.ratings.value(bot).map(tidy), score)
        };
        key(one) == key(other)
    }

    fn row(&self, bot: Entrant, rank: usize, rank_interval: Option<RankInterval>) -> Row {
        let account = &self.account.bots[bot.0];
        let deals = account.deals.count();
        let others = self.setup.seats.saturating_sub(1).max(1) as f64;
        Row {
            rank,
            rank_interval,
            name: self.setup.names[bot.0].clone(),
            network: self.setup.online.contains(&self.setup.names[bot.0]),
            games: account.games,
            won: account.won,
            drawn: account.drawn,
            lost: account.lost,
            forfeits: account.forfeits.clone(),
            score: self.share(self.quantities.score(bot), deals),
            rating: self.ratings.estimate(bot),
            points_for: points(account.points as f64),
            points_against: points(account.points_of_others as f64 / others),
            margin: self.margin(self.quantities.margin(bot), deals),
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
        Pairing {
            name: self.setup.names[bot.0].clone(),
            opponent: self.setup.names[opponent.0].clone(),
            games: won + drawn + lost,
            won,
            drawn,
            lost,
            score: self.share(self.quantities.pair_score(bot, opponent), deals),
            points_for: points(one as f64),
            points_against: points(other as f64),
            margin: self.margin(self.quantities.pair_margin(bot, opponent), deals),
            better: self.better(bot, opponent),
        }
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
        self.better[bot.0 * self.setup.names.len() + other.0]
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

fn better(ratings: &Ratings<'_>, entrants: usize) -> Vec<Option<f64>> {
    let mut better = vec![None; entrants * entrants];
    for bot in 0..entrants {
        for other in bot + 1..entrants {
            let probability = ratings.better(Entrant(bot), Entrant(other));
            better[bot * entrants + other] = probability;
            better[other * entrants + bot] = probability.map(|it| tidy(1.0 - it));
        }
    }
    better
}

fn method(account: &Account, setup: &Setup) -> Method {
    match account.few {
        Some(_) => Method::T,
        None => Method::Bootstrap { replicates: setup.replicates.count(), seed: setup.seed },
    }
}

/// Numbers with deals weighed otherwise: without each of them in turn, or in each replicate of the
/// bootstrap.
fn spread(account: &Account, setup: &Setup, total: &Column<'_>) -> Spread {
    let quantities = Quantities::new(setup.names.len());
    let (kind, resampled): (_, Vec<Numbers>) = match &account.few {
        Some(few) => {
            let mut columns: Vec<usize> = (0..few.deals.len()).collect();
            columns.sort_by_key(|column| few.deals[*column]);
            let without = |column| total.clone().without(&few.sums.column(column));
            let columns = columns.into_iter().map(without);
            (Kind::Jackknife, columns.map(|column| quantities.numbers(&column)).collect())
        }
        None => {
            let columns = 0..account.replicates.columns();
            let columns = columns.map(|column| account.replicates.column(column));
            (Kind::Bootstrap, columns.map(|column| quantities.numbers(&column)).collect())
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

/// Points of this number of sixtieths.
fn points(sixtieths: f64) -> f64 {
    tidy(sixtieths / 60.0)
}
