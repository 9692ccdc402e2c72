//! The options that several commands have, and the values of arguments.

pub(crate) mod game;
pub(crate) mod isolation;
pub(crate) mod logs;
pub(crate) mod remote;

use std::num::NonZeroUsize;
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::str::FromStr;

use bot::BotSpec;
use contest::setup::SeedSpec;
use rules::NotText;
use series::conditions::FaultLimit;
use series::header::SeedText;
use series::{Conditions, disqualify_after};
use text::failure::Failure;

use crate::output::OutputFormat;

/// Reads a number, `what` with its article (`a number of games`), that lies in a range.
pub(crate) fn number<T: TryFrom<u64>>(
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

/// Reads how many things, `what` with its article, are done at once.
pub(crate) fn at_once(
    what: &'static str,
) -> impl Fn(&str) -> Result<NonZeroUsize, String> + Clone + Send + Sync + 'static {
    let read = number::<usize>(what, 1..=1024);
    move |text| read(text).map(|number| NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN))
}

/// Reads bots, which clap does not: its errors repeat the word as it is, escape sequences and all.
pub(crate) fn bots(words: &[String]) -> Result<Vec<BotSpec>, Failure> {
    words.iter().map(|word| bot(word)).collect()
}

/// Reads a bot, as [`bots`] does.
pub(crate) fn bot(word: &str) -> Result<BotSpec, Failure> {
    word.parse()
}

pub(crate) fn asked_seed(given: Option<SeedText>, file: Option<PathBuf>) -> SeedSpec {
    match (given, file) {
        (Some(given), _) => SeedSpec::Given(given),
        (None, Some(file)) => SeedSpec::InFile(file),
        (None, None) => SeedSpec::Drawn,
    }
}

/// The share of faults asked for; the usual one by default.
pub(crate) fn fault_share(text: Option<&str>) -> Result<Option<FaultLimit>, Failure> {
    let usual = Conditions::default().disqualify_after;
    let share = text.map_or(Ok(usual), disqualify_after);
    share.map_err(Failure::usage)
}

pub(crate) fn report_format(json: bool) -> OutputFormat {
    if json { OutputFormat::Json } else { OutputFormat::Text }
}

/// A word that clap has already checked.
pub(crate) fn parse_checked<T: FromStr<Err = NotText>>(word: &str) -> Result<T, Failure> {
    word.parse().map_err(Failure::usage)
}
