//! Hill climbing: numbers are changed at random, and a change is kept where it wins more.

use rules::Seed;
use simulation::StuckGame;

use crate::coup::chances::{COUNT, Chances};
use crate::coup::contest::{Contest, number};
use crate::coup::random::Random;

/// Number of points at which a step may be given up before all its deals are played.
const PARTS: u64 = 5;

/// A trial of numbers.
pub trait Trial {
    /// The points of these numbers on a deal; more are better.
    fn points(&self, seed: &Seed, deal: u64, chances: Chances) -> Result<f64, StuckGame>;
}

/// Games against a built-in player, both seats of each deal.
impl Trial for Contest {
    fn points(&self, seed: &Seed, deal: u64, chances: Chances) -> Result<f64, StuckGame> {
        self.deal(seed, deal, &|| Box::new(chances))
    }
}

/// A climb: where it stands.
#[derive(Debug)]
pub struct Climb<T> {
    trial: T,
    seed: Seed,
    random: Random,
    pub chances: Chances,
    pub steps: u64,
    pub kept: u64,
    pub games: u64,
}

impl<T: Trial> Climb<T> {
    pub fn new(trial: T, seed: Seed, chances: Chances) -> Climb<T> {
        let random = Random::new(number(&seed), 0);
        Climb { trial, seed, random, chances, steps: 0, kept: 0, games: 0 }
    }

    /// Tries one change on `deals` new deals, on which both the old and the new numbers play in both
    /// seats.
    ///
    /// It is kept if the new ones win more, by no less than the standard deviation of the
    /// difference; of many changes that do nothing, one would otherwise always look good.
    pub fn step(&mut self, deals: u64) -> Result<(), StuckGame> {
        let changed = self.changed();
        let first = self.steps * deals;
        self.steps += 1;
        let (mut difference, mut squares) = (0.0, 0.0);
        for part in 0..PARTS {
            for deal in first + deals * part / PARTS..first + deals * (part + 1) / PARTS {
                let points = |chances: Chances| self.trial.points(&self.seed, deal, chances);
                let more = points(changed)? - points(self.chances)?;
                difference += more;
                squares += more * more;
                self.games += 4;
            }
            if difference < 0.0 {
                return Ok(());
            }
        }
        if difference > 0.0 && difference * difference >= squares {
            self.chances = changed;
            self.kept += 1;
        }
        Ok(())
    }

    /// The numbers with one to three of them changed, a little or altogether.
    fn changed(&mut self) -> Chances {
        let Climb { random, chances, .. } = self;
        let mut changed = *chances;
        while changed == *chances {
            for _ in 0..=random.below(3) {
                let number = &mut changed.0[random.below(COUNT)];
                *number = match random.below(4) {
                    0 => random.below(101) as u8,
                    _ => (*number + random.below(51) as u8).saturating_sub(25).min(100),
                };
            }
        }
        changed
    }
}
