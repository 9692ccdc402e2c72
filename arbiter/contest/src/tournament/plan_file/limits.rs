//! The limits in a plan, for all bots or for one.

use std::collections::BTreeMap;

use super::error::BadPlanFile;
use bot::limits::{AskedLimit, AskedLimits};
use sandbox::{LimitTexts, Limits};

/// What a plan says of limits for several bots: for all, for those of a name, and which groups there are.
pub(super) fn asked(
    all: &LimitTexts,
    named: &BTreeMap<String, LimitTexts>,
    groups: &BTreeMap<String, Vec<String>>,
) -> Result<AskedLimits, BadPlanFile> {
    let mut asked = read(None, all)?;
    for (name, limits) in named {
        asked.extend(read(Some(name), limits)?);
    }
    let asked: AskedLimits = asked.into_iter().collect();
    asked.with_groups(groups).map_err(|problem| BadPlanFile::Value { key: "groups", problem })
}

/// Reads limits for all bots, or for those of a name.
pub(super) fn read(to: Option<&str>, texts: &LimitTexts) -> Result<Vec<AskedLimit>, BadPlanFile> {
    let read = AskedLimit::read_all(to, texts);
    read.map_err(|(key, problem)| BadPlanFile::Value { key, problem })
}

/// The limits that differ from the defaults.
pub(super) fn texts(limits: &Limits) -> LimitTexts {
    LimitTexts::new(|kind| {
        let amount = kind.amount(limits);
        let usual = kind.amount(&Limits::DEFAULT);
        // A time for a game changes what a missing limit of an answer means.
        let is_said = amount != usual || limits.game_time.is_some() && kind.name == "time-limit";
        amount.filter(|_| is_said).map(|amount| amount.to_string())
    })
}
