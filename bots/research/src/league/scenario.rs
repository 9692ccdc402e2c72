//! Leagues whose true ratings are known.

use std::num::NonZeroU32;

use rules::{Nature, Score};
use standings::{Entrant, Game, ReplicateCount, StandingsError, StandingsSetup, Tally};

use super::LeagueError;
use super::chooser::Rule;

/// Natural units of strength in a point of Elo.
pub(super) const UNIT: f64 = std::f64::consts::LN_10 / 400.0;

/// A league with known strengths. With two seats, results follow Davidson's model, with more seats
/// rankings follow Plackett and Luce's, but for the luck of the cards.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    pub name: &'static str,
    pub seats: usize,
    /// The strengths of those who play from the beginning, and then of those who enter later, in points
    /// of Elo.
    pub strengths: Vec<f64>,
    /// Number of them that enter later, and after how many games.
    pub later: (usize, u64),
    /// Advantage by the cards of a deal to the first seat or, as likely, the last, in Elo.
    pub luck: f64,
    /// Davidson's ν, with two seats.
    pub draws: f64,
    /// Number of games after which it ends.
    pub games: u64,
    /// Numbers of games after which intervals and probabilities are looked at, each at the end of a round.
    pub looks: [u64; 3],
}

/// Number of games after which a batch of new bots enters, half of the games of its scenario.
const HALF_TIME: u64 = 3000;

impl Scenario {
    fn new(name: &'static str, strengths: Vec<f64>) -> Scenario {
        let (seats, later, luck, draws, games) = (2, (0, 0), 0.0, 0.0, 6000);
        let looks = [500, 2000, 6000];
        Scenario { name, seats, strengths, later, luck, draws, games, looks }
    }

    /// Ten bots, and a batch of new ones at half time, which is looked at after their first round.
    fn batch(name: &'static str, old: Vec<f64>, new: Vec<f64>) -> Scenario {
        let later = new.len();
        let strengths = [old, new].concat();
        let first_round = 20 * strengths.len() as u64;
        Scenario {
            later: (later, HALF_TIME),
            looks: [HALF_TIME + first_round, 4500, 6000],
            ..Scenario::new(name, strengths)
        }
    }

    pub fn all() -> Vec<Scenario> {
        let groups =
            |each: usize, elos: &[f64]| elos.iter().flat_map(|elo| vec![*elo; each]).collect();
        let over = |bots: usize, elo: f64| -> Vec<f64> {
            (0..bots).map(|bot| elo / 2.0 - elo * bot as f64 / (bots - 1) as f64).collect()
        };
        let ordered =
            |name, strengths| Scenario { games: 12_000, ..Scenario::new(name, strengths) };
        let one_pair = [500.0, 400.0, 300.0, 200.0, 110.0, 90.0, 0.0, -100.0, -200.0, -300.0];
        let interleaved = [over(8, 200.0), vec![57.0, -57.0]].concat();
        vec![
            Scenario::new("10 equal bots", vec![0.0; 10]),
            Scenario::new("6 equal bots", vec![0.0; 6]),
            Scenario::new("two groups of three equals, 100 Elo apart", groups(3, &[50.0, -50.0])),
            Scenario::new(
                "three groups of three equals, 100 Elo apart",
                groups(3, &[100.0, 0.0, -100.0]),
            ),
            ordered("8 bots over 200 Elo", over(8, 200.0)),
            ordered("ten bots as in Tablić", TABLIC.to_vec()),
            ordered("ten bots 100 Elo apart, one pair 20", one_pair.to_vec()),
            Scenario::new("8 bots over 100 Elo", over(8, 100.0)),
            ordered("8 bots over 400 Elo", over(8, 400.0)),
            Scenario {
                later: (3, 1000),
                ..Scenario::new("10 equal bots, 3 of them new after 1,000 games", vec![0.0; 10])
            },
            Scenario {
                later: (2, 1000),
                ..Scenario::new(
                    "10 bots over 200 Elo, 2 of them new after 1,000 games",
                    interleaved,
                )
            },
            Scenario {
                luck: 150.0,
                draws: 0.5,
                ..Scenario::new("10 equal bots, luck and draws", vec![0.0; 10])
            },
            Scenario {
                luck: 150.0,
                draws: 0.5,
                ..Scenario::new("8 bots over 200 Elo, luck and draws", over(8, 200.0))
            },
            Scenario { seats: 3, ..Scenario::new("9 equal bots, three seats", vec![0.0; 9]) },
            Scenario { seats: 3, ..ordered("8 bots over 200 Elo, three seats", over(8, 200.0)) },
            Scenario::batch("10 equal bots, 5 more at half time", vec![0.0; 10], vec![0.0; 5]),
            Scenario::batch("10 equal bots, 10 more at half time", vec![0.0; 10], vec![0.0; 10]),
            Scenario::batch("10 equal bots, 20 more at half time", vec![0.0; 10], vec![0.0; 20]),
            Scenario::batch(
                "10 bots over 400 Elo, 5 more at half time",
                over(10, 400.0),
                over(5, 400.0),
            ),
            Scenario::batch(
                "10 bots over 400 Elo, 10 more at half time",
                over(10, 400.0),
                over(10, 400.0),
            ),
            Scenario::batch(
                "10 bots over 400 Elo, 20 more at half time",
                over(10, 400.0),
                over(20, 400.0),
            ),
            Scenario::new("30 equal bots", vec![0.0; 30]),
            Scenario::new("four bots over 3,000 Elo", over(4, 3000.0)),
        ]
    }

    /// Returns true if a rule is one for tables of its size.
    pub fn can_follow(&self, rule: Rule) -> bool {
        rule != Rule::Earlier || self.seats == 2
    }

    /// Its bots without a game.
    pub fn tally(&self) -> Tally {
        let names = (0..self.strengths.len()).map(|place| place.to_string()).collect();
        Tally::new(StandingsSetup {
            replicates: ReplicateCount::LEAST,
            ..StandingsSetup::new(names, self.seats)
        })
    }

    /// Number of bots that play after this number of games.
    pub fn playing(&self, games: u64) -> usize {
        let (bots, after) = self.later;
        self.strengths.len() - if games < after { bots } else { 0 }
    }

    /// The ratings that the bots have in the long run. The luck of the cards brings ratings closer
    /// together, so with luck they are those that fit the mean results of all pairs.
    pub fn ratings(&self) -> Result<Vec<f64>, LeagueError> {
        const GAMES: f64 = 4000.0;
        if self.luck == 0.0 || self.strengths.iter().all(|it| *it == self.strengths[0]) {
            return Ok(self.strengths.clone());
        }
        let mut tally = self.tally();
        let bots = self.strengths.len();
        for (first, second) in (0..bots).flat_map(|one| (0..bots).map(move |other| (one, other))) {
            let chances = [-1.0, 1.0].map(|luck| self.duel([first, second], luck));
            for (place, points) in POINTS.iter().enumerate().filter(|_| first != second) {
                let share = (chances[0][place] + chances[1][place]) / 2.0;
                let game = game(0, &[first, second], points)?;
                for _ in 0..(share * GAMES).round() as u64 {
                    tally.add(&game)?;
                }
            }
        }
        Ok(tally.ratings().into_iter().map(Option::unwrap_or_default).collect())
    }

    /// Plays a deal in all rotations of the seats.
    pub fn play(
        &self,
        tally: &mut Tally,
        table: &[usize],
        deal: u64,
        nature: &mut Nature,
    ) -> Result<(), LeagueError> {
        let luck = if uniform(nature) < 0.5 { 1.0 } else { -1.0 };
        let mut seated = table.to_vec();
        for _ in table {
            let points = match <[usize; 2]>::try_from(&seated[..]) {
                Ok(seats) => POINTS[drawn(&self.duel(seats, luck), nature)].to_vec(),
                Err(_) => self.ranking(&seated, luck, nature),
            };
            tally.add(&game(deal, &seated, &points)?)?;
            seated.rotate_left(1);
        }
        Ok(())
    }

    /// The probabilities that the first seat wins, draws and loses.
    fn duel(&self, [first, second]: [usize; 2], luck: f64) -> [f64; 3] {
        let ahead = self.strengths[first] - self.strengths[second] + luck * self.luck;
        let [win, loss] = [1.0, -1.0].map(|sign| (sign * UNIT * ahead / 2.0).exp());
        [win, self.draws, loss].map(|result| result / (win + self.draws + loss))
    }

    /// Points by the places in a ranking: each seat's strength and luck with noise of Gumbel's.
    fn ranking(&self, seated: &[usize], luck: f64, nature: &mut Nature) -> Vec<i32> {
        let last = (seated.len() - 1) as f64;
        let levels: Vec<f64> = seated
            .iter()
            .enumerate()
            .map(|(seat, bot)| {
                let of_seat = luck * self.luck * (0.5 - seat as f64 / last);
                let noise = -(-uniform(nature).max(1e-12).ln()).ln();
                UNIT * (self.strengths[*bot] + of_seat) + noise
            })
            .collect();
        levels.iter().map(|one| levels.iter().filter(|other| *other < one).count() as i32).collect()
    }
}

/// The ratings of [`TEN`](super::players::TEN), as `league` finds them in 500 deals of each pair.
const TABLIC: [f64; 10] = [362.7, 261.7, 205.8, 125.3, 105.5, 44.6, -55.5, -169.7, -325.3, -555.0];

/// The points of both after a win, a draw and a loss of the first.
const POINTS: [[i32; 2]; 3] = [[1, 0], [0, 0], [0, 1]];

fn game(deal: u64, seats: &[usize], points: &[i32]) -> Result<Game, StandingsError> {
    let seats: Vec<Entrant> = seats.iter().copied().map(Entrant).collect();
    let scores: Vec<Score> = points.iter().copied().map(Score::points).collect();
    Game::new(deal, seats.into(), scores.into(), &[])
}

fn uniform(nature: &mut Nature) -> f64 {
    f64::from(nature.below(NonZeroU32::MAX)) / f64::from(u32::MAX)
}

fn drawn(chances: &[f64; 3], nature: &mut Nature) -> usize {
    let number = uniform(nature);
    match number {
        _ if number < chances[0] => 0,
        _ if number < chances[0] + chances[1] => 1,
        _ => 2,
    }
}
