//! The shard to play: chosen by its number, or by the index that an engine gives.

use std::env;
use std::str::FromStr;

use rules::NotText;
use text::printable;

use text::failure::Failure;

/// The variables in which engines give the index of a job of an array, and the index of the first.
///
/// Slurm, HyperQueue, Kubernetes and PBS give the numbers of the array as it was asked for, which must
/// then begin at 0. SGE and GNU parallel always count from 1.
const INDICES: [(&str, u64); 7] = [
    ("SLURM_ARRAY_TASK_ID", 0),
    ("HQ_TASK_ID", 0),
    ("JOB_COMPLETION_INDEX", 0),
    ("PBS_ARRAY_INDEX", 0),
    ("PBS_ARRAYID", 0),
    ("SGE_TASK_ID", 1),
    ("PARALLEL_SEQ", 1),
];

/// The value that SGE gives a job outside arrays.
const NO_ARRAY: &str = "undefined";

/// The choice of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedShard {
    /// The shard of this number, from 0.
    Number(u64),
    /// The shard whose index the engine gives.
    OfEngine,
}

impl FromStr for AskedShard {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text {
            "auto" => Ok(AskedShard::OfEngine),
            _ => match text.parse() {
                Ok(number) => Ok(AskedShard::Number(number)),
                Err(_) => Err(NotText::new("the number of a shard, from 0, or `auto`", text)),
            },
        }
    }
}

impl AskedShard {
    /// The number of the shard, below `shards`.
    pub(super) fn number(self, shards: u64) -> Result<u64, Failure> {
        let number = match self {
            AskedShard::Number(number) => number,
            AskedShard::OfEngine => of_engine(&|name| env::var(name).ok())?,
        };
        match number < shards {
            true => Ok(number),
            false => {
                let last = shards.saturating_sub(1);
                Err(Failure::Usage(format!("no shard {number}: shards are 0 to {last}")))
            }
        }
    }
}

/// The index that the engine gives, from 0.
fn of_engine(variable: &dyn Fn(&str) -> Option<String>) -> Result<u64, Failure> {
    let mut found: Option<(&str, u64)> = None;
    for (name, first) in INDICES {
        let Some(text) = variable(name).filter(|text| text != NO_ARRAY) else { continue };
        let index = text.parse::<u64>().ok().and_then(|index| index.checked_sub(first));
        let Some(index) = index else {
            let text = printable(&text);
            let problem =
                format!("invalid {name}={text}: must be the index of a job, from {first}");
            return Err(Failure::Usage(problem));
        };
        match found {
            Some((other, known)) if known != index => {
                let problem = format!(
                    "{other} and {name} disagree (shards {known} and {index}): pass --shard I"
                );
                return Err(Failure::Usage(problem));
            }
            Some(_) | None => found = Some((name, index)),
        }
    }
    found.map(|(_, index)| index).ok_or_else(|| {
        let names = INDICES.map(|(name, _)| name).join(", ");
        Failure::Usage(format!(
            "no shard given: pass --shard I, or run under a scheduler that sets one of {names}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(set: &[(&str, &str)]) -> Result<u64, String> {
        let variable = |name: &str| {
            set.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
        };
        of_engine(&variable).map_err(|failure| failure.to_string())
    }

    #[test]
    fn every_engine_counts_in_its_own_way() {
        assert_eq!(found(&[("SLURM_ARRAY_TASK_ID", "7")]), Ok(7));
        assert_eq!(found(&[("HQ_TASK_ID", "0")]), Ok(0));
        assert_eq!(found(&[("JOB_COMPLETION_INDEX", "12")]), Ok(12));
        assert_eq!(found(&[("PBS_ARRAY_INDEX", "3")]), Ok(3));
        assert_eq!(found(&[("PARALLEL_SEQ", "1")]), Ok(0));
        assert_eq!(found(&[("SGE_TASK_ID", "5")]), Ok(4));
        assert_eq!(found(&[("SGE_TASK_ID", "undefined"), ("PARALLEL_SEQ", "2")]), Ok(1));
        assert_eq!(found(&[("SLURM_ARRAY_TASK_ID", "4"), ("PARALLEL_SEQ", "5")]), Ok(4));
    }

    #[test]
    fn what_is_no_index_is_refused_by_its_name() {
        for (set, expected) in [
            (&[][..], "pass --shard I"),
            (&[("HQ_TASK_ID", "x")], "HQ_TASK_ID=x"),
            (&[("PARALLEL_SEQ", "0")], "PARALLEL_SEQ=0"),
            (&[("SLURM_ARRAY_TASK_ID", "-1")], "SLURM_ARRAY_TASK_ID=-1"),
            (&[("SLURM_ARRAY_TASK_ID", "4"), ("HQ_TASK_ID", "5")], "(shards 4 and 5)"),
        ] {
            let problem = found(set).expect_err("no index");
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
