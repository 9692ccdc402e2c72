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
            // A time for a game changes what a missing limit of an answer means.
            let is_said =
                amount != usual || limits.game_time.is_some() && kind.name == "time-limit";
            amount.filter(|_| is_said).map(|amount| Text(amount.to_string()))
        }))
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == PlanLimits::default()
    }

    /// The limits of a bot that has these, each over those before it.
    pub(super) fn together(layers: &[&PlanLimits]) -> Result<Limits, BadPlanFile> {
        let given = layers.iter().flat_map(|layer| layer.read());
        let given: Vec<Limit> = given.collect::<Result<_, _>>()?;
        Ok(Limit::all_over(Limits::DEFAULT, given.into_iter()))
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
