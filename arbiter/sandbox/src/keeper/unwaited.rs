//! CPU time of processes for whose end no one has waited.
//!
//! The system adds the time of a process to that of the one who waits for its end. Where that one ignores the ends of
//! its children, the time is gone. So what a look has seen of a process that is gone by the next one is remembered until
//! it turns up in the time of those who have waited.

use std::collections::BTreeMap;
use std::time::Duration;

use rustix::process::RawPid;

/// A process by its number and its start.
pub(super) type Identity = (RawPid, u64);

/// CPU time that was seen, and that no one has any more.
#[derive(Debug, Default)]
pub(super) struct Unwaited {
    /// The own CPU time of each process, without that of children, in the last look.
    seen: BTreeMap<Identity, Duration>,
    /// The CPU time that was handed on to those who had waited, in the last look.
    handed_on: Option<Duration>,
    /// The processes that are gone, and that the time that is lost is of.
    gone: BTreeMap<Identity, Duration>,
    lost: Duration,
}

impl Unwaited {
    /// Takes what a look has found: the own CPU time of each process, and all that was handed on.
    pub(super) fn look(&mut self, seen: BTreeMap<Identity, Duration>, handed_on: Duration) {
        if let Some(before) = self.handed_on {
            // A look can miss a process whose parent has just ended.
            for own in seen.keys().filter_map(|identity| self.gone.remove(identity)) {
                self.lost = self.lost.saturating_sub(own);
            }
            let gone = self.seen.iter().filter(|(identity, _)| !seen.contains_key(*identity));
            let gone: Vec<(Identity, Duration)> = gone.map(|(id, own)| (*id, *own)).collect();
            let sum = gone.iter().fold(Duration::ZERO, |sum, (_, own)| sum.saturating_add(*own));
            let expected = self.lost.saturating_add(sum).saturating_add(before);
            self.lost = expected.saturating_sub(handed_on);
            self.gone.extend(gone);
            if self.lost.is_zero() {
                self.gone.clear();
            }
        }
        (self.seen, self.handed_on) = (seen, Some(handed_on));
    }

    /// The CPU time that is gone.
    pub(super) fn lost(&self) -> Duration {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The processes of a look, each with its milliseconds, and the milliseconds that were handed on.
    type Look<'a> = (&'a [(RawPid, u64)], u64);

    #[test]
    fn time_that_no_one_has_waited_for_is_remembered() {
        const PARENT: (RawPid, u64) = (1, 10);
        let cases: [(&str, &[Look<'_>], u64); 8] = [
            ("one look", &[(&[PARENT, (2, 500)], 0)], 0),
            ("a child that runs", &[(&[PARENT, (2, 500)], 0), (&[PARENT, (2, 900)], 0)], 0),
            ("a child that was waited for", &[(&[PARENT, (2, 500)], 0), (&[PARENT], 520)], 0),
            ("a child that was not", &[(&[PARENT, (2, 500)], 0), (&[PARENT], 0)], 500),
            (
                "a child that one look has missed",
                &[(&[PARENT, (2, 500)], 0), (&[PARENT], 0), (&[PARENT, (2, 600)], 0)],
                0,
            ),
            (
                "three of them",
                &[(&[PARENT, (2, 500)], 0), (&[(3, 400)], 0), (&[(4, 1)], 0), (&[], 11)],
                900,
            ),
            // Its parent was looked at just before it waited.
            (
                "a child that is handed on late",
                &[(&[PARENT, (2, 500)], 0), (&[PARENT], 0), (&[PARENT], 505)],
                0,
            ),
            // It takes what it was given along.
            ("a parent without a parent", &[(&[PARENT, (2, 5)], 700), (&[PARENT], 100)], 605),
        ];
        for (case, looks, lost) in cases {
            let mut unwaited = Unwaited::default();
            for (processes, handed_on) in looks {
                let seen =
                    processes.iter().map(|(pid, ms)| ((*pid, 7), Duration::from_millis(*ms)));
                unwaited.look(seen.collect(), Duration::from_millis(*handed_on));
            }
            assert_eq!(unwaited.lost(), Duration::from_millis(lost), "{case}");
        }
    }
}
