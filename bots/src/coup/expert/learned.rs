//! What the player has learned: the table, and what does well against known styles.

use crate::coup::expert::packed::Packed;
use crate::coup::expert::punishment::Punishment;

/// The table, made by these programs of the package `research`, the first of which takes about two
/// hours of one core:
///
/// ```text
/// coup-train --folder F --seed 17 --batches 82130
/// coup-pack --from F/checkpoint --to table.bin --visits 30
/// ```
static TABLE: &[u8] = include_bytes!("learned/table.bin");

/// Habits of five other players and responses that do well against them, made in about ten minutes:
///
/// ```text
/// coup-punish --table table.bin --to punishment.bin --style '200 greedy' --style '200 calculator'
///     --style '250 minimax --depth 1' --style '80 challenger' --style '120 random'
///     --habit-games 20000 --games 600000 --bytes 200000
/// ```
static PUNISHMENT: &[u8] = include_bytes!("learned/punishment.bin");

/// The table, by which the player plays with `--safe`; `None` if it is damaged.
pub fn table() -> Option<Packed<'static>> {
    Packed::new(TABLE)
}

/// The styles that it knows and the responses to them; `None` if they are damaged.
pub fn punishment() -> Option<Punishment<'static>> {
    Punishment::new(PUNISHMENT)
}
