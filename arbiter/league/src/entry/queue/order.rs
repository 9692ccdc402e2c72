//! The choice of the next submission to check.

use std::collections::BTreeMap;
use std::time::Instant;

use super::{CheckTry, SubmissionKey, key_of};
use crate::submissions::SubmissionSummary;
use bot::is_same_name;

/// Returns the first submission of a queue that may be checked now: it does not rest, its bot is not being checked, and
/// no earlier submission of its participant waits.
pub(super) fn next<'a>(
    queue: &'a [SubmissionSummary],
    checking: &[(SubmissionKey, CheckTry)],
    rests: &BTreeMap<SubmissionKey, Instant>,
) -> Option<&'a SubmissionSummary> {
    let is_bot_busy = |it: &SubmissionSummary| {
        checking.iter().any(|((name, _), _)| is_same_name(name, &it.participant))
    };
    // One that was tried before comes last in the queue, but before a later one of its participant.
    let has_earlier = |it: &SubmissionSummary| {
        queue.iter().any(|other| other.participant == it.participant && other.number < it.number)
    };
    queue.iter().find(|it| !rests.contains_key(&key_of(it)) && !is_bot_busy(it) && !has_earlier(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::SummaryVerdict;

    /// Reads a text with a participant and a number for each submission: `anna-1 ben-2`.
    fn keys(text: &str) -> Vec<SubmissionKey> {
        let key = |word: &str| {
            let (participant, number) = word.split_once('-').expect("a dash");
            (participant.to_owned(), number.parse().expect("a number"))
        };
        text.split_whitespace().map(key).collect()
    }

    #[test]
    fn a_bot_is_checked_once_at_a_time_and_its_submissions_in_their_order() {
        for (queue, checking, rests, expected) in [
            ("anna-1 ben-1", "", "", Some("anna-1")),
            ("anna-1 ben-1", "anna-1", "", Some("ben-1")),
            ("anna-1 ben-1", "anna-1 ben-1", "", None),
            ("anna-1 ben-1", "", "anna-1", Some("ben-1")),
            ("anna-1 ben-1", "ben-1", "anna-1", None),
            // The second of a participant waits for the first, also while that one rests, or comes later in the queue.
            ("anna-1 anna-2 ben-7", "anna-1", "", Some("ben-7")),
            ("anna-1 anna-2 ben-7", "anna-1 ben-7", "", None),
            ("anna-2 ben-7 anna-1", "", "", Some("ben-7")),
            ("anna-2 ben-7 anna-1", "ben-7", "", Some("anna-1")),
            ("anna-2 ben-7 anna-1", "ben-7", "anna-1", None),
            ("anna-2", "", "", Some("anna-2")),
            // It may not be in the queue any more, and is checked until its last file is written.
            ("anna-2", "anna-1", "", None),
            // Names that differ in letter case are those of one bot.
            ("Anna-1 ben-1", "anna-1", "", Some("ben-1")),
            ("", "", "", None),
        ] {
            let brief = |(participant, number)| SubmissionSummary {
                participant,
                number,
                received: 0,
                verdict: SummaryVerdict::Waiting,
            };
            let briefs: Vec<SubmissionSummary> = keys(queue).into_iter().map(brief).collect();
            let checking: Vec<(SubmissionKey, CheckTry)> =
                keys(checking).into_iter().map(|key| (key, CheckTry::Recorded)).collect();
            let rests = keys(rests).into_iter().map(|key| (key, Instant::now())).collect();
            let expected = expected.map(|text| keys(text).remove(0));
            let chosen = next(&briefs, &checking, &rests).map(key_of);
            assert_eq!(chosen, expected, "{queue}, checking: {checking:?}");
        }
    }
}
