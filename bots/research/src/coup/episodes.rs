//! A responder to any player: it learns from whole games, of which it sees what its seat sees.
//!
//! Nothing is known of the other's chances, so hands cannot be summed over as against a table. What
//! it learns is, for all that it knows itself, the mean of the points that each choice has led to
//! (Monte-Carlo control). Situations that were seldom met take over what was learnt of those that
//! are alike. What it wins is a lower bound of what can be won.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bots::coup::expert::read::answer;
use bots::coup::expert::situation::{Choice, Situation};
use bots::coup::{Coup, Greedy};
use bots::{AnyPlayer, NoMove, Player};
use rules::coup::Move;
use rules::{Request, Seed};
use simulation::StuckGame;

use crate::coup::contest::{Contest, Tally, number};
use crate::coup::node::CHOICES;
use crate::coup::random::Random;
use crate::coup::store::best;

/// Rate of trying something else than the best that it knows.
const EXPLORATION: f32 = 0.1;

/// Number of games that count as much as all that is known of situations that are alike.
const PRIOR: f32 = 8.0;

/// Of more games than these, later ones count more: what it does afterwards has changed.
const MOST_GAMES: f32 = 2000.0;

/// Number of views of what a seat knows, from the roughest.
const VIEWS: usize = 4;

/// Results of each choice.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    games: [f32; CHOICES],
    points: [f32; CHOICES],
}

#[derive(Debug, Clone)]
struct Decision {
    views: Box<[u64]>,
    choice: usize,
}

/// All that was learnt from games.
#[derive(Debug)]
pub struct Learner {
    records: HashMap<u64, Record>,
    random: Random,
    /// The decisions of this game since it tried something else.
    decisions: Vec<Decision>,
    pub games: u64,
}

impl Learner {
    pub fn new(seed: u64) -> Learner {
        let random = Random::new(seed, u64::MAX);
        Learner { records: HashMap::new(), random, decisions: Vec::new(), games: 0 }
    }

    /// Number of views of situations that it knows.
    pub fn situations(&self) -> usize {
        self.records.len()
    }

    /// The place of the choice that it thinks best in what these views show.
    pub fn best(&self, views: &[u64], options: usize) -> usize {
        let mut worths = [0.5; CHOICES];
        for record in views.iter().filter_map(|key| self.records.get(key)) {
            for (choice, worth) in worths.iter_mut().enumerate() {
                let (games, points) = (record.games[choice], record.points[choice]);
                *worth = (games * points + PRIOR * *worth) / (games + PRIOR);
            }
        }
        best(options, |choice| worths[choice])
    }

    /// Chooses likewise, or something else now and then, and remembers it.
    pub fn tried(&mut self, views: &[u64], options: usize) -> usize {
        let mut choice = self.best(views, options);
        if options > 1 && self.random.unit() < EXPLORATION {
            // The earlier decisions would have led elsewhere.
            self.decisions.clear();
            choice = self.random.below(options);
        }
        self.decisions.push(Decision { views: views.into(), choice });
        choice
    }

    /// Every view that was met with how often, sorted.
    pub fn known(&self) -> Vec<(u64, f32)> {
        let records = self.records.iter();
        let mut known: Vec<(u64, f32)> =
            records.map(|(key, record)| (*key, record.games.iter().sum())).collect();
        known.sort_unstable_by_key(|(key, _)| *key);
        known
    }

    /// Learns from the points of the game that is over.
    pub fn learn(&mut self, points: f64) {
        self.games += 1;
        for Decision { views, choice } in self.decisions.drain(..) {
            for key in views {
                let record = self.records.entry(key).or_default();
                let games = &mut record.games[choice];
                *games = (*games + 1.0).min(MOST_GAMES);
                let mean = &mut record.points[choice];
                *mean += (points as f32 - *mean) / *games;
            }
        }
    }
}

/// The numbers of all views of a situation with a hand, from the roughest.
fn views(situation: &Situation, hand: usize) -> [u64; VIEWS] {
    let claims = situation.rough();
    let rough = claims.forgotten();
    let counted = Situation { coins: situation.coins, ..claims };
    let mut view = 0;
    [rough, claims, counted, *situation].map(|situation| {
        view += 1;
        (situation.key() << 7 | hand as u64) << 2 | (view - 1)
    })
}

/// A responder that learns in games against a built-in player.
#[derive(Debug)]
pub struct Student {
    contest: Contest,
    seed: Seed,
    learner: Arc<Mutex<Learner>>,
}

impl Student {
    /// A student that knows nothing yet, and learns on the deals of this seed.
    pub fn new(contest: Contest, seed: Seed) -> Student {
        let learner = Learner::new(number(&seed));
        Student { contest, seed, learner: Arc::new(Mutex::new(learner)) }
    }

    /// Plays a number of games, in either seat in turn, and learns from each.
    pub fn learn(&mut self, games: u64) -> Result<(), StuckGame> {
        let first = self.games();
        for game in first..first + games {
            let player = self.player(Manner::Trying);
            let seat = (game % 2) as usize;
            let ending = self.contest.game(&self.seed, game / 2, seat, player)?;
            self.with(|learner| learner.learn(ending.points()));
        }
        Ok(())
    }

    pub fn games(&self) -> u64 {
        self.with(|learner| learner.games)
    }

    /// Number of views of situations that it knows.
    pub fn situations(&self) -> usize {
        self.with(|learner| learner.situations())
    }

    /// Measures its wins on a number of other deals, with the best choices it knows.
    pub fn measure(&self, seed: &Seed, deals: u64) -> Result<Tally, StuckGame> {
        self.contest.play(seed, deals, &|| self.player(Manner::Best))
    }

    fn player(&self, manner: Manner) -> AnyPlayer<Coup> {
        Box::new(Playing { learner: Arc::clone(&self.learner), manner })
    }

    fn with<T>(&self, job: impl FnOnce(&mut Learner) -> T) -> T {
        job(&mut self.learner.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// It tries something else now and then, and remembers what it did.
    Trying,
    /// It does what it thinks best.
    Best,
}

#[derive(Debug)]
struct Playing {
    learner: Arc<Mutex<Learner>>,
    manner: Manner,
}

impl Player<Coup> for Playing {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mut learner = self.learner.lock().unwrap_or_else(PoisonError::into_inner);
        let choose = |situation: &Situation, hand: usize| -> Option<Choice> {
            let (views, options) = (views(situation, hand), situation.options(hand));
            let place = match self.manner {
                Manner::Trying => learner.tried(&views, options),
                Manner::Best => learner.best(&views, options),
            };
            situation.choices().get(place).copied()
        };
        answer(request, choose).map_or_else(|| Greedy.choose(request), Ok)
    }
}
