//! What was learned from games: weights that `bots/research/src/bin/tablic-train.rs` finds.

use crate::tablic::expert::{inclination, value};

/// What each feature adds to the inclination to a move.
pub(super) const INCLINATION: [f32; inclination::FEATURES] = [
    -0.4387, 0.1798, 0.6690, 1.4377, 0.8345, -1.0605, -0.6998, -0.3565, -1.2657, -0.0970, 0.3526,
    0.4799, -0.2290, 0.5986,
];

/// What each feature of a seat adds to its strength at the end of a deal, by the number of seats and
/// of deals that come after it.
const PROSPECTS: [(u8, u32, [f32; value::FEATURES]); 7] = [
    (2, 1, [0.3470, 0.1236, -0.1216, -0.1131, -0.7825, 0.0860, 0.1871, 0.7825, 0.0350]),
    (2, 2, [0.2140, 0.1035, 0.0000, 0.0979, -0.4540, 0.0862, 0.0554, 0.4540, -0.0362]),
    (2, 3, [0.1563, 0.1023, 0.0000, -0.1293, -0.4908, 0.0328, 0.1300, 0.4908, 0.0330]),
    (3, 1, [0.2538, 0.1381, 0.0316, 0.0880, -0.6034, -0.0392, 0.1035, 0.4313, -0.0115]),
    (3, 2, [0.1918, 0.1215, 0.0000, -0.0743, -0.4216, 0.1004, -0.0325, 0.3231, -0.0144]),
    (4, 1, [0.2417, 0.1373, 0.1118, 0.0698, -0.8227, 0.1072, 0.0518, 0.4588, -0.0070]),
    (6, 1, [0.3065, 0.2093, -0.0017, 0.4076, -1.0764, 0.0582, 0.1236, 0.3713, -0.0682]),
];

/// The weights for this number of seats and of deals to come, or those for the next lower number of seats that
/// there are; none where no deal comes.
pub(super) fn prospects(seats: u8, deals: u32) -> Option<&'static [f32; value::FEATURES]> {
    let fit = |row: &&(u8, u32, _)| row.0 <= seats && row.1 <= deals;
    PROSPECTS.iter().filter(fit).max_by_key(|row| (row.0, row.1)).map(|(_, _, weights)| weights)
}
