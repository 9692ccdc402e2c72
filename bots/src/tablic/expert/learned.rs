//! What was learned from games: weights that `cargo run --release -p bots --example tablic_learning`
//! finds.

use crate::tablic::expert::{inclination, value};

/// What each feature adds to the inclination to a move.
pub(super) const INCLINATION: [f32; inclination::FEATURES] = [
    -0.4387, 0.1798, 0.6690, 1.4377, 0.8345, -1.0605, -0.6998, -0.3565, -1.2657, -0.0970, 0.3526,
    0.4799, -0.2290, 0.5986,
];

/// What each feature of a seat adds to its strength at the end of a deal, by the number of seats and
/// of deals that come after it.
const PROSPECTS: [(u8, u32, [f32; value::FEATURES]); 3] = [
    (2, 1, [0.3470, 0.1236, -0.1216, -0.1131, -0.7825, 0.0860, 0.1871, 0.7825, 0.0350]),
    (2, 2, [0.2140, 0.1035, 0.0000, 0.0979, -0.4540, 0.0862, 0.0554, 0.4540, -0.0362]),
    (2, 3, [0.1563, 0.1023, 0.0000, -0.1293, -0.4908, 0.0328, 0.1300, 0.4908, 0.0330]),
];

/// The weights for so many seats and deals to come, or those for the next lower number of seats that
/// there are; none where no deal comes.
pub(super) fn prospects(seats: u8, deals: u32) -> Option<&'static [f32; value::FEATURES]> {
    let fit = |row: &&(u8, u32, _)| row.0 <= seats && row.1 <= deals;
    PROSPECTS.iter().filter(fit).max_by_key(|row| (row.0, row.1)).map(|(_, _, weights)| weights)
}
