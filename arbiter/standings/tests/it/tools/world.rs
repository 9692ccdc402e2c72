//! Tournaments between bots of which it is known how they do in the long run, with the luck of cards.

use standings::{Game, ReplicateCount, Row, StandingsSetup, StandingsView};

use super::{Chance, game, setup, tally};

/// Bots at tables, with everything that makes games of one deal alike.
///
/// A bot has a strength in each game, and the greater that is the better it does: what it is worth
/// itself, what its seat is worth, what the cards of the deal are worth in this seat, and how well
/// this bot gets on with this deal in any seat, all as logarithms of odds. To these comes chance with
/// the distribution of Gumbel, so that rankings follow Plackett and Luce's model, and games of two
/// seats that of Bradley and Terry.
#[derive(Debug, Clone)]
pub struct World {
    pub seats: usize,
    pub strengths: Vec<f64>,
    /// The worth of the first seat.
    pub seat: f64,
    /// The standard deviation of the worth of the cards in a seat.
    pub luck: f64,
    /// The standard deviation of how well a bot gets on with a deal.
    pub liking: f64,
}

/// Results of the games of a world in the long run.
pub struct Truth {
    pub scores: Vec<f64>,
    /// As logarithms of odds; only their differences mean anything.
    pub strengths: Vec<f64>,
}

impl World {
    /// Bots of which the first has about this score, and the others differ somewhat.
    pub fn with_score(bots: usize, score: f64, world: World) -> World {
        let spread = |place: usize| {
            if bots > 2 { 0.8 * (place as f64 / (bots - 1) as f64 - 0.5) } else { 0.0 }
        };
        let mut strengths: Vec<f64> = (0..bots).map(spread).collect();
        let (mut low, mut high) = (-2.0, 14.0);
        for _ in 0..20 {
            let middle = (low + high) / 2.0;
            strengths[0] = middle;
            let found = World { strengths: strengths.clone(), ..world.clone() }.score_of_first();
            if found < score { low = middle } else { high = middle }
        }
        strengths[0] = low;
        World { strengths, ..world }
    }

    fn score_of_first(&self) -> f64 {
        let mut chance = Chance::new(9);
        let mut beaten = 0;
        const GAMES: usize = 10_000;
        for number in 0..GAMES {
            let mut table: Vec<usize> = (1..self.strengths.len()).collect();
            for place in 0..self.seats - 1 {
                let other = place + chance.below(table.len() - place);
                table.swap(place, other);
            }
            table.truncate(self.seats - 1);
            table.insert(number % self.seats, 0);
            let deal = self.deal(&mut chance);
            let points = self.points(&table, &deal, &mut chance);
            let own = points[number % self.seats];
            beaten += points.iter().filter(|points| **points < own).count();
        }
        beaten as f64 / (GAMES * (self.seats - 1)) as f64
    }

    /// So many deals. With two seats every two bots meet, with more all bots are drawn to tables, as
    /// far as they fill them; every table plays in every rotation.
    pub fn tournament(&self, deals: u64, chance: &mut Chance) -> Vec<Game> {
        let mut games = Vec::new();
        for number in 0..deals {
            let deal = self.deal(chance);
            for mut table in self.tables(chance) {
                for _ in 0..self.seats {
                    games.push(game(number, &table, &self.points(&table, &deal, chance)));
                    table.rotate_left(1);
                }
            }
        }
        games
    }

    fn tables(&self, chance: &mut Chance) -> Vec<Vec<usize>> {
        let bots = self.strengths.len();
        if self.seats == 2 {
            let pairs =
                (0..bots).flat_map(|one| (one + 1..bots).map(move |other| vec![one, other]));
            return pairs.collect();
        }
        let mut order: Vec<usize> = (0..bots).collect();
        chance.shuffle(&mut order);
        order.chunks_exact(self.seats).map(<[usize]>::to_vec).collect()
    }

    /// Worth of the cards by seat, then by bot.
    fn deal(&self, chance: &mut Chance) -> Vec<f64> {
        let seats = (0..self.seats).map(|_| self.luck);
        let scales: Vec<f64> = seats.chain(self.strengths.iter().map(|_| self.liking)).collect();
        scales
            .into_iter()
            .map(|scale| if scale > 0.0 { scale * normal(chance) } else { 0.0 })
            .collect()
    }

    /// Points are places, counted from the last.
    fn points(&self, table: &[usize], deal: &[f64], chance: &mut Chance) -> Vec<i32> {
        let strength = |(seat, bot): (usize, &usize)| {
            let own = self.strengths[*bot] + if seat == 0 { self.seat } else { 0.0 };
            own + deal[seat] + deal[self.seats + bot] - (-chance.positive().ln()).ln()
        };
        let strengths: Vec<f64> = table.iter().enumerate().map(strength).collect();
        let worse = |own: &f64| strengths.iter().filter(|other| *other < own).count() as i32;
        strengths.iter().map(worse).collect()
    }

    /// Results of this number of deals, from which chance is nearly gone.
    pub fn truth(&self, deals: u64) -> Truth {
        let bots = self.strengths.len();
        let setup = StandingsSetup { replicates: ReplicateCount::LEAST, ..setup(bots, self.seats) };
        let mut tally = tally(setup, &[]);
        let mut chance = Chance::new(77);
        for start in 0..deals / 100 {
            for game in self.tournament(100, &mut chance) {
                let moved = Game::new(
                    start * 100 + game.deal(),
                    game.seats().clone(),
                    game.scores().clone(),
                    &[],
                );
                tally.add(&moved.unwrap()).unwrap();
            }
        }
        let view = tally.standings().all;
        Truth {
            scores: by_bot(&view, |row| row.score.unwrap().value),
            strengths: by_bot(&view, |row| row.rating.unwrap().value),
        }
    }
}

/// A number of each row, in the order of the bots' names.
fn by_bot(view: &StandingsView, number: impl Fn(&Row) -> f64) -> Vec<f64> {
    let mut rows: Vec<_> = view.rows.iter().collect();
    rows.sort_by_key(|row| row.name.clone());
    rows.into_iter().map(number).collect()
}

/// From the normal distribution (Box and Muller).
fn normal(chance: &mut Chance) -> f64 {
    let angle = std::f64::consts::TAU * chance.uniform();
    (-2.0 * chance.positive().ln()).sqrt() * angle.cos()
}
