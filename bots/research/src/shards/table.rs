//! Simulations of several numbers of shards, as a table in Markdown.

use std::num::NonZeroU32;

use rules::Seed;

use super::Setting;
use super::estimate::{Estimate, enough, estimate};
use super::simulation::{Outcome, simulate};

/// The default setting.
pub const EXAMPLE: Setting = Setting {
    machines: NonZeroU32::new(400).expect("it is not 0"),
    shards: NonZeroU32::new(10_000).expect("it is not 0"),
    games: 1_000_000,
    ideal: 10.0,
    spread: 5.0,
    deaths: 0.01,
    notice: 5.0 / 60.0,
    absence: 0.5,
    start: 5.0 / 3600.0,
};

/// The mean of several simulations of a setting, beside what was to be expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub setting: Setting,
    pub mean: Outcome,
    /// When the last shard was finished in the worst simulation.
    pub worst: f64,
    pub estimate: Estimate,
}

impl Row {
    /// Simulates a setting several times. The number of a simulation chooses its chance.
    pub fn simulate(setting: &Setting, seed: &Seed, runs: NonZeroU32) -> Row {
        let outcomes: Vec<Outcome> =
            (0..runs.get()).map(|run| simulate(setting, seed.nature(run.into()))).collect();
        let count = f64::from(runs.get());
        let mean = |field: fn(&Outcome) -> f64| outcomes.iter().map(field).sum::<f64>() / count;
        Row {
            setting: setting.clone(),
            mean: Outcome {
                end: mean(|it| it.end),
                most: mean(|it| it.most),
                nearly_all: mean(|it| it.nearly_all),
                deaths: outcomes.iter().map(|it| it.deaths).sum::<u64>() / u64::from(runs.get()),
                lost: mean(|it| it.lost),
            },
            worst: outcomes.iter().map(|it| it.end).fold(0.0, f64::max),
            estimate: estimate(setting),
        }
    }

    fn markdown(&self) -> String {
        let Row { setting, mean, worst, estimate } = self;
        let over = |end: f64| 100.0 * (end / setting.ideal - 1.0);
        let shards = setting.shards.get();
        format!(
            "| {} | {} | {shards} | {:.1} | {:.2} | {:.2} | {:.2} | {:.1}% | {:.1}% | {:.2} | {:.2} | {:.2} | {:.2} | {} | {:.3}% |\n",
            setting.machines,
            setting.ideal,
            f64::from(shards) / f64::from(setting.machines.get()),
            mean.end,
            worst,
            estimate.end,
            over(mean.end),
            over(estimate.end),
            mean.end - mean.most,
            estimate.end - estimate.most,
            mean.end - mean.nearly_all,
            estimate.end - estimate.nearly_all,
            mean.deaths,
            100.0 * mean.lost,
        )
    }
}

/// A table with a row for each setting, and how many shards its machines should have.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = "| machines | ideal hours | shards | a machine | hours | at worst | on paper | over ideal | on paper | 90% to end | on paper | 99% to end | on paper | deaths | work lost |\n".to_owned();
    text.push_str(&format!("|{}\n", " ---: |".repeat(15)));
    text.extend(rows.iter().map(Row::markdown));
    if let Some(Row { setting, .. }) = rows.first() {
        let [tenth, twentieth, fiftieth] =
            [0.1, 0.05, 0.02].map(|share| enough(setting, share).ceil());
        text.push_str(&format!(
            "\nFor a tail of 10%, 5% and 2%, {} machines should have {tenth}, {twentieth} and {fiftieth} shards.\n",
            setting.machines
        ));
    }
    text
}
