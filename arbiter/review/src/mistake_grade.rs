//! What is called a mistake.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A mistake, by what it cost.
///
/// The parts of a win are those of lichess: 0.1, 0.2 and 0.3 on a scale from -1 to 1
/// (`modules/tree/src/main/Advice.scala`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MistakeGrade {
    /// At least 5% of a win.
    Inaccuracy,
    /// At least 10%.
    Mistake,
    /// At least 15%.
    Blunder,
}

impl MistakeGrade {
    /// Every mark, the smallest first.
    pub const ALL: [MistakeGrade; 3] =
        [MistakeGrade::Inaccuracy, MistakeGrade::Mistake, MistakeGrade::Blunder];

    /// The part of a win at which it begins.
    pub fn threshold(self) -> f64 {
        match self {
            MistakeGrade::Inaccuracy => 0.05,
            MistakeGrade::Mistake => 0.10,
            MistakeGrade::Blunder => 0.15,
        }
    }

    /// Its place in [`MistakeGrade::ALL`].
    pub fn place(self) -> usize {
        self as usize
    }
}

impl fmt::Display for MistakeGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MistakeGrade::Inaccuracy => "inaccuracy",
            MistakeGrade::Mistake => "mistake",
            MistakeGrade::Blunder => "blunder",
        })
    }
}
