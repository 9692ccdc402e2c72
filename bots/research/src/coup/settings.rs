//! What a training run depends on, beside its length.

use clap::Args;

/// The most trees that a batch may have: each has a worker with room of its own.
pub const MOST_TREES: u32 = 4096;

/// The settings of a training run. They are in its checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Args)]
#[command(next_help_heading = "Settings of a new run")]
pub struct Settings {
    /// What all random choices follow from
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    pub seed: u64,
    /// How many trees a batch has
    #[arg(long, value_name = "N", default_value_t = Settings::default().trees, value_parser = clap::value_parser!(u32).range(1..=MOST_TREES.into()))]
    pub trees: u32,
    /// How many paths a tree has
    #[arg(long, value_name = "N", default_value_t = Settings::default().paths)]
    pub paths: u32,
    /// How often a public event is chosen that has nothing to do with the strategies
    #[arg(long, value_name = "N", default_value_t = Settings::default().exploration)]
    pub exploration: f32,
    /// The power of its chance by which a public event is sampled: below 1, rare ones more often
    #[arg(long, value_name = "N", default_value_t = Settings::default().temper)]
    pub temper: f32,
    /// How often a choice is taken to be a slip, so that no hand is ever ruled out by a choice
    #[arg(long, value_name = "N", default_value_t = Settings::default().slip)]
    pub slip: f32,
    /// What a turn costs of a win, so that no one puts off winning
    #[arg(long, value_name = "N", default_value_t = Settings::default().discount)]
    pub discount: f32,
    /// After how many visits the rate of learning values has halved
    #[arg(long, value_name = "N", default_value_t = Settings::default().patience)]
    pub patience: f32,
    /// The least rate of learning values
    #[arg(long, value_name = "N", default_value_t = Settings::default().least_rate)]
    pub least_rate: f32,
    /// The power of its number by which a batch counts in the average
    #[arg(long, value_name = "N", default_value_t = Settings::default().power)]
    pub power: f32,
    /// The same for the number of a visit to the situation
    #[arg(long, value_name = "N", default_value_t = Settings::default().local_power)]
    pub local_power: f32,
    /// The power of the number of visits by which regrets of earlier ones count less; 0: all alike
    #[arg(long, value_name = "N", default_value_t = Settings::default().forgetting)]
    pub forgetting: f32,
    /// How much the regrets of the last visit count again, as a forecast of the next ones
    #[arg(long, value_name = "N", default_value_t = Settings::default().forecast)]
    pub forecast: f32,
    /// How much of a hand's weight does not depend on how likely it is
    #[arg(long, value_name = "N", default_value_t = Settings::default().floor)]
    pub floor: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            trees: 8,
            paths: 32,
            exploration: 0.05,
            temper: 1.0,
            slip: 0.01,
            discount: 0.998,
            patience: 100.0,
            least_rate: 0.02,
            power: 2.0,
            local_power: 0.0,
            forgetting: 0.0,
            forecast: 1.0,
            floor: 0.01,
        }
    }
}
