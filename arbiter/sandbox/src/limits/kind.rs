//! One entry of the table of limits.

use super::{Amount, Limits, LimitsLine};

/// One limit: an entry of the table.
#[derive(Debug)]
pub struct LimitKind {
    /// Its name on the command line and in a plan, such as `time-limit`.
    pub name: &'static str,
    /// The unit of its value, and the values allowed.
    pub unit: Unit,
    /// The text of its option's help.
    pub help: &'static str,
    /// Its key in the header of a log.
    pub key: &'static str,
    pub(super) amount: fn(&Limits) -> Option<Amount>,
    pub(super) set: fn(&mut Limits, Amount),
    pub(super) number: fn(&LimitsLine) -> u64,
    /// The words for a value in a report, if a bot can hit this limit.
    pub(super) told: Option<fn(u64) -> String>,
}

/// The unit of a limit's value, and the values allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A duration of at least a millisecond.
    Duration,
    /// A size in bytes.
    Size {
        /// The smallest value allowed.
        least: u64,
        /// The largest value allowed, if there is one.
        most: Option<u64>,
    },
    /// A number of things.
    Count {
        /// The smallest value allowed.
        least: u64,
        /// The largest value allowed.
        most: u64,
    },
}

impl LimitKind {
    /// This limit's value in `limits`; `None` if it is unlimited.
    pub fn amount(&self, limits: &Limits) -> Option<Amount> {
        (self.amount)(limits)
    }

    /// `limits` with this limit set to `amount`.
    pub fn changed(&self, mut limits: Limits, amount: Amount) -> Limits {
        (self.set)(&mut limits, amount);
        limits
    }

    /// The default in a few characters: `5s`, `1GiB`, `256` or `none`.
    pub fn default_text(&self) -> String {
        match self.amount(&Limits::DEFAULT) {
            None => "none".to_owned(),
            Some(Amount::Number(bytes)) if matches!(self.unit, Unit::Size { .. }) => size(bytes),
            Some(amount) => amount.to_string(),
        }
    }

    /// True if two headers have the same value of this limit.
    pub fn is_same(&self, one: &LimitsLine, other: &LimitsLine) -> bool {
        let of = |line: &LimitsLine| self.amount(&Limits::from(*line));
        of(one) == of(other)
    }

    /// Its value in words, if a bot can hit this limit.
    pub fn told(&self, line: &LimitsLine) -> Option<String> {
        let number = (self.number)(line);
        self.told.filter(|_| number > 0).map(|told| told(number))
    }
}

/// A size in the largest unit that divides it.
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
