//! The limits in a plan, for all bots or for one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::BadPlanFile;
use super::text::Text;
use bot::groups::Groups;
use bot::limits::{AskedLimit, AskedLimits, Limit};
use sandbox::{LimitTexts, Limits};

/// What a plan says of limits for several bots: for all, for those of a name, and which groups there are.
pub(super) fn asked(
    all: &PlanLimits,
    named: &BTreeMap<String, PlanLimits>,
    groups: &BTreeMap<String, Vec<String>>,
) -> Result<AskedLimits, BadPlanFile> {
    let for_all = all.read().map(|limit| limit.map(AskedLimit::for_all));
    let of_name = |(name, limits): (&String, &PlanLimits)| {
        let asked = limits.read().map(|limit| Ok(AskedLimit::to(name, limit?)));
        asked.collect::<Vec<Result<AskedLimit, BadPlanFile>>>()
    };
    let asked: AskedLimits =
        for_all.chain(named.iter().flat_map(of_name)).collect::<Result<_, _>>()?;
    let groups = Groups::new(groups.clone());
    let groups = groups.map_err(|problem| BadPlanFile::Value { key: "groups", problem })?;
    Ok(asked.with_groups(groups))
}

/// The limits that are for the bots of a name, by it.
pub(super) fn named(asked: &AskedLimits) -> BTreeMap<String, PlanLimits> {
    let mut all: BTreeMap<String, BTreeMap<&str, String>> = BTreeMap::new();
    for (name, kind, text) in asked.named() {
        all.entry(name.to_owned()).or_default().insert(kind.name, text);
    }
    let limits = |texts: &BTreeMap<&str, String>| {
        PlanLimits(LimitTexts::new(|kind| texts.get(kind.name).cloned().map(Text)))
    };
    all.iter().map(|(name, texts)| (name.clone(), limits(texts))).collect()
}

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

    /// The limits of a bot that was given these, and its own ones over them.
    pub(super) fn after(&self, given: Vec<Limit>) -> Result<Limits, BadPlanFile> {
        let own: Vec<Limit> = self.read().collect::<Result<_, _>>()?;
        Ok(Limit::all_over(Limits::DEFAULT, given.into_iter().chain(own)))
    }

    fn read(&self) -> impl Iterator<Item = Result<Limit, BadPlanFile>> {
        self.0.said().map(|(kind, Text(text))| {
            Limit::read(kind, text)
                .map_err(|problem| BadPlanFile::Value { key: kind.name, problem })
        })
    }
}
