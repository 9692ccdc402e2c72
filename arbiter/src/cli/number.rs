//! Whole numbers on the command line.

use std::ops::{Bound, RangeBounds};

/// Reads a number, `what` with its article (`a number of games`), that lies in a range.
pub(super) fn number<T: TryFrom<u64>>(
    what: &'static str,
    range: impl RangeBounds<u64> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let found: Option<u64> = text.parse().ok().filter(|number| range.contains(number));
        found.and_then(|number| T::try_from(number).ok()).ok_or_else(|| expected(what, &range))
    }
}

fn expected(what: &str, range: &impl RangeBounds<u64>) -> String {
    let least = match range.start_bound() {
        Bound::Included(least) => *least,
        Bound::Excluded(below) => below + 1,
        Bound::Unbounded => 0,
    };
    match range.end_bound() {
        Bound::Included(most) => format!("must be {what} from {least} to {most}"),
        Bound::Excluded(end) => format!("must be {what} from {least} to {}", end - 1),
        Bound::Unbounded => format!("must be {what}, {least} or more"),
    }
}
