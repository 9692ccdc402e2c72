//! Tables of `league.toml`: bounds for what participants hand in, and what pages offer to everybody.

use std::num::NonZeroU32;

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

/// Most bots of a participant.
pub(crate) const MOST_BOTS: usize = 20;
/// Number of submissions of a bot of a participant that are kept, the last ones.
pub const MOST_SUBMISSIONS: usize = 50;
/// Number of test games of a participant that are kept, the last ones; those that count for a quota are kept longer.
pub const MOST_TEST_GAMES: usize = 20;
/// Largest built version of a bot, in bytes, unless the league has a lower bound.
pub const MOST_BYTES: u64 = 2 << 30;
/// Least free space on the disk for bots to be taken, in bytes, unless the league has another bound.
pub const LEAST_FREE: u64 = 1 << 30;
/// Most test games of a participant in 24 hours, unless the league has another bound.
const TEST_GAMES_A_DAY: u32 = 10;

/// Bounds for what participants hand in. A missing key has its default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Quotas {
    /// Most bots of a participant at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    bots: Option<NonZeroU32>,
    /// Most submissions of a participant that enter in 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submissions_a_day: Option<NonZeroU32>,
    /// Most submissions of a participant in 24 hours, whatever becomes of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts_a_day: Option<NonZeroU32>,
    /// Most test games of a participant in 24 hours; 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_games_a_day: Option<u32>,
    /// Largest built version of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_size: Option<ByteSize>,
    /// Least free space on the disk for bots to be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_free: Option<ByteSize>,
}

impl Quotas {
    /// Checks that a day has no more submissions and test games than are kept.
    ///
    /// # Errors
    ///
    /// Fails with the key and the expected values.
    pub fn checked(self) -> Result<Quotas, String> {
        if let Some(most) = self.test_games_a_day.filter(|most| *most as usize > MOST_TEST_GAMES) {
            return Err(format!(
                "quotas.test-games-a-day: {most} is out of range (0 to {MOST_TEST_GAMES})"
            ));
        }
        if let Some(most) = self.bots.filter(|most| most.get() as usize > MOST_BOTS) {
            return Err(format!("quotas.bots: {most} is out of range (1 to {MOST_BOTS})"));
        }
        let of_submissions = [
            ("submissions-a-day", self.submissions_a_day),
            ("attempts-a-day", self.attempts_a_day),
        ];
        for (key, most) in of_submissions {
            if let Some(most) = most.filter(|most| most.get() as usize > MOST_SUBMISSIONS) {
                return Err(format!(
                    "quotas.{key}: {most} is out of range (1 to {MOST_SUBMISSIONS})"
                ));
            }
        }
        Ok(self)
    }

    /// Returns the most bots of a participant at once.
    pub fn bots(&self) -> u32 {
        self.bots.map_or(1, NonZeroU32::get)
    }

    /// Returns the most submissions of a participant in 24 hours, whatever becomes of them.
    pub fn attempts_a_day(&self) -> u32 {
        self.attempts_a_day.map_or(MOST_SUBMISSIONS as u32, NonZeroU32::get)
    }

    /// Returns the most test games of a participant in 24 hours.
    pub fn test_games_a_day(&self) -> u32 {
        self.test_games_a_day.unwrap_or(TEST_GAMES_A_DAY)
    }

    /// Returns the largest size of a built version, in bytes.
    pub fn bot_size(&self) -> u64 {
        self.bot_size.map_or(MOST_BYTES, |size| size.as_u64().min(MOST_BYTES))
    }

    /// Returns the least free space on the disk, in bytes.
    pub fn least_free(&self) -> u64 {
        self.least_free.map_or(LEAST_FREE, |size| size.as_u64())
    }
}

/// What the organiser lets the served pages offer. A missing key offers nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PageSettings {
    /// True if anybody can download the published log.
    pub log_download: bool,
}
