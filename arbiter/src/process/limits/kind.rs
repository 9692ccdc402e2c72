//! What one entry of the table of limits says.

use super::{Amount, Limits, LimitsLine};

/// One limit: an entry of the table.
#[derive(Debug)]
pub struct LimitKind {
    /// Its name on the command line and in a plan, such as `time-limit`.
    pub name: &'static str,
    /// What its value is, and which values it may have.
    pub unit: Unit,
    /// What it limits, as the help says it.
    pub help: &'static str,
    /// Its key in the header of a log.
    pub key: &'static str,
    pub(super) amount: fn(&Limits) -> Option<Amount>,
    pub(super) set: fn(&mut Limits, Amount),
    pub(super) number: fn(&LimitsLine) -> u64,
    /// The words for a value in a report, of a limit that one may run into.
    pub(super) told: Option<fn(u64) -> String>,
}

/// What the value of a limit is, and which values it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A duration of at least a millisecond.
    Duration,
    /// A size in bytes.
    Size {
        /// The least.
        least: u64,
        /// The most, if there is one.
        most: Option<u64>,
    },
    /// A number of things.
    Count {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
}

impl LimitKind {
    /// Its value among these limits; none if there is no limit.
    pub(crate) fn amount(&self, limits: &Limits) -> Option<Amount> {
        (self.amount)(limits)
    }

    /// These limits with this value of it.
    pub(crate) fn changed(&self, mut limits: Limits, amount: Amount) -> Limits {
        (self.set)(&mut limits, amount);
        limits
    }

    /// Its default in a few characters: `5s`, `1GiB`, `256` or `none`.
    pub fn default_text(&self) -> String {
        match self.amount(&Limits::DEFAULT) {
            None => "none".to_owned(),
            Some(Amount::Number(bytes)) if matches!(self.unit, Unit::Size { .. }) => size(bytes),
            Some(amount) => amount.to_string(),
        }
    }

    /// Whether two headers say the same of it.
    pub(crate) fn is_same(&self, one: &LimitsLine, other: &LimitsLine) -> bool {
        let of = |line: &LimitsLine| self.amount(&Limits::from(*line));
        of(one) == of(other)
    }

    /// Its value in words, where there is a limit that one may run into.
    pub(crate) fn told(&self, line: &LimitsLine) -> Option<String> {
        let number = (self.number)(line);
        self.told.filter(|_| number > 0).map(|told| told(number))
    }
}

/// A size in the largest unit that it is a whole number of.
fn size(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit));
    unit.map_or_else(|| bytes.to_string(), |(unit, name)| format!("{}{name}", bytes / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_short_and_exact() {
        for (bytes, expected) in
            [(0, "0"), (1000, "1000"), (4096, "4KiB"), (3 << 19, "1536KiB"), (1 << 30, "1GiB")]
        {
            assert_eq!(size(bytes), expected);
        }
    }
}
