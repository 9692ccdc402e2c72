//! The limits in a plan, for all bots or for one.

use serde::{Deserialize, Serialize};

use super::BadPlanFile;
use super::text::Text;
use conditions::bot::limits::{AskedLimit, AskedLimits, Limit};
use sandbox::{LimitTexts, Limits};

/// Limits under their names on the command line.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct PlanLimits(LimitTexts<Text>);

impl PlanLimits {
    /// Keeps the limits that differ from the defaults.
    pub(super) fn new(limits: &Limits) -> PlanLimits {
        PlanLimits(LimitTexts::new(|kind| {
            let amount = kind.amount(limits);
            let usual = kind.amount(&Limits::DEFAULT);
            amount.filter(|_| amount != usual).map(|amount| Text(amount.to_string()))
        }))
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == PlanLimits::default()
    }

    /// Applies these limits over others.
    pub(super) fn over(&self, limits: Limits) -> Result<Limits, BadPlanFile> {
        self.read().try_fold(limits, |limits, limit| Ok(limit?.over(limits)))
    }

    /// Returns these limits for every bot.
    pub(super) fn asked(&self) -> Result<AskedLimits, BadPlanFile> {
        self.read().map(|limit| limit.map(AskedLimit::for_all)).collect()
    }

    fn read(&self) -> impl Iterator<Item = Result<Limit, BadPlanFile>> {
        self.0.said().map(|(kind, Text(text))| {
            Limit::read(kind, text)
                .map_err(|problem| BadPlanFile::Value { key: kind.name, problem })
        })
    }
}
