//! A tally as bytes, to continue from it without the games that are in it.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::account::Account;
use super::bootstrap::{BootstrapSeed, Weights};
use super::pairs::Unpaired;
use super::setup::{Model, Setup};
use super::tally::Tally;

/// Bytes that are no tally from which that of a competition can continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("these bytes are no tally from which this one can continue")]
pub struct NotContinued;

/// Facts that a tally shares with one that continues from it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Basis {
    /// The bots so far; others may come after them.
    names: Vec<String>,
    seats: usize,
    seed: BootstrapSeed,
    replicates: usize,
    model: Model,
}

impl Basis {
    fn of(setup: &Setup) -> Basis {
        Basis {
            names: setup.names.clone(),
            seats: setup.seats,
            seed: setup.seed,
            replicates: setup.replicates.count(),
            model: setup.model(),
        }
    }

    fn is_continued_by(&self, setup: &Setup) -> bool {
        let names = setup.names.get(..self.names.len()).unwrap_or_default().to_vec();
        *self == Basis { names, ..Basis::of(setup) }
    }
}

impl Tally {
    /// The tally as bytes, between two deals: a game that waits for the other one of its pair is left
    /// out.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kept = (Basis::of(&self.setup), &self.all, &self.without_forfeits);
        // Only a writer can fail, and this one has no end.
        postcard::to_stdvec(&kept).unwrap_or_default()
    }

    /// The tally that these bytes are, with bots that have come since.
    ///
    /// # Errors
    ///
    /// [`NotContinued`] if the bytes are those of another competition, of other settings, or none of a
    /// tally; also where the model is another one with so many bots.
    pub fn from_bytes(setup: Setup, bytes: &[u8]) -> Result<Tally, NotContinued> {
        let (basis, mut all, mut without_forfeits): (Basis, Account, Option<Account>) =
            postcard::from_bytes(bytes).map_err(|_| NotContinued)?;
        let entrants = basis.names.len();
        let is_whole = [Some(&all), without_forfeits.as_ref()]
            .into_iter()
            .flatten()
            .all(|account| account.is_of(entrants, &setup));
        if !basis.is_continued_by(&setup) || !is_whole {
            return Err(NotContinued);
        }
        for account in [Some(&mut all), without_forfeits.as_mut()].into_iter().flatten() {
            account.enter(setup.names.len());
        }
        let weights = Weights::new(setup.seed, 0..setup.replicates.count());
        Ok(Tally { setup, weights, all, without_forfeits, unpaired: Unpaired::default() })
    }

    /// Continues the tally with bots that have come since.
    ///
    /// # Errors
    ///
    /// [`NotContinued`], as for bytes.
    pub fn continued(mut self, setup: Setup) -> Result<Tally, NotContinued> {
        if !Basis::of(&self.setup).is_continued_by(&setup) {
            return Err(NotContinued);
        }
        self.all.enter(setup.names.len());
        if let Some(account) = &mut self.without_forfeits {
            account.enter(setup.names.len());
        }
        Ok(Tally { setup, ..self })
    }
}
