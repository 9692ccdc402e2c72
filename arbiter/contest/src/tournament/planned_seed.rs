//! The seed of a plan: in it, or kept apart from it.

use rules::Digest;
use text::failure::Failure;

use series::committed_seed::CommittedSeed;

/// Seed of all deals of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedSeed {
    /// The seed stands in the plan.
    Known(CommittedSeed),
    /// The plan has only the commitment to it.
    Apart(Digest),
}

impl PlannedSeed {
    /// Returns the commitment to the seed.
    pub fn commitment(&self) -> Digest {
        match self {
            PlannedSeed::Known(seed) => seed.commitment(),
            PlannedSeed::Apart(commitment) => *commitment,
        }
    }

    /// Returns the seed, if it stands in the plan.
    pub fn known(&self) -> Option<&CommittedSeed> {
        match self {
            PlannedSeed::Known(seed) => Some(seed),
            PlannedSeed::Apart(_) => None,
        }
    }

    /// The message about a seed that is kept elsewhere, and was not given.
    pub fn missing(&self) -> Failure {
        let commitment = self.commitment();
        Failure::usage(format_args!(
            "the plan holds only the commitment {commitment}: pass its seed with --seed-file FILE"
        ))
    }

    /// Returns the seed, which may be given apart from the plan.
    pub fn or_given(&self, given: Option<CommittedSeed>) -> Result<CommittedSeed, Failure> {
        match given.or_else(|| self.known().cloned()) {
            None => Err(self.missing()),
            Some(seed) if seed.commitment() != self.commitment() => {
                let commitment = self.commitment();
                Err(Failure::usage(format_args!(
                    "the seed in --seed-file does not match the commitment {commitment}"
                )))
            }
            Some(seed) => Ok(seed),
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::Seed;

    use super::*;

    #[test]
    fn only_the_seed_of_the_commitment_will_do() {
        let [own, other] = [1, 2].map(|byte| CommittedSeed(Seed([byte; 32])));
        let apart = PlannedSeed::Apart(own.commitment());
        assert_eq!(apart.or_given(Some(own.clone())).ok(), Some(own.clone()));
        let missing = apart.or_given(None).expect_err("none").to_string();
        assert!(missing.contains("--seed-file") && missing.contains(&own.commitment().to_string()));
        assert!(apart.or_given(Some(other.clone())).is_err());
        let known = PlannedSeed::Known(own.clone());
        assert_eq!(known.or_given(None).ok(), Some(own));
        assert!(known.or_given(Some(other)).is_err());
    }
}
