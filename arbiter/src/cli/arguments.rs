//! The values of arguments that several commands have.

use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::str::FromStr;

use rules::NotText;

use crate::commands::log_target::ExistingLog;
use crate::output::OutputFormat;
use contest::setup::AskedSeed;
use series::committed_seed::GivenSeed;
use series::fault_share::FaultShare;
use series::{Conditions, disqualify_after};
use text::failure::Failure;

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

pub(super) fn asked_seed(given: Option<GivenSeed>, file: Option<PathBuf>) -> AskedSeed {
    match (given, file) {
        (Some(given), _) => AskedSeed::Given(given),
        (None, Some(file)) => AskedSeed::InFile(file),
        (None, None) => AskedSeed::Drawn,
    }
}

/// The share of faults asked for; the usual one by default.
pub(super) fn fault_share(text: Option<&str>) -> Result<Option<FaultShare>, Failure> {
    let usual = Conditions::default().disqualify_after;
    let share = text.map_or(Ok(usual), disqualify_after);
    share.map_err(|error| Failure::Usage(error.to_string()))
}

pub(super) fn existing_log(overwrite: bool) -> ExistingLog {
    if overwrite { ExistingLog::IsReplaced } else { ExistingLog::Stays }
}

pub(super) fn report_format(json: bool) -> OutputFormat {
    if json { OutputFormat::Json } else { OutputFormat::Text }
}

/// A word that clap has already checked.
pub(super) fn parse_checked<T: FromStr<Err = NotText>>(word: &str) -> Result<T, Failure> {
    word.parse().map_err(|error: NotText| Failure::Usage(error.to_string()))
}
