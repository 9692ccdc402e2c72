//! Bounds for what participants hand in: the table `quotas` of `league.toml`.

use std::num::NonZeroU32;

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

use crate::league::folder::LeagueFolder;
use crate::league::room;
use crate::league::submissions;
use conditions::failure::Failure;

/// Bounds for what participants hand in. What is not given is as before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Quotas {
    /// Most submissions of a participant in 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submissions_a_day: Option<NonZeroU32>,
    /// Largest built version of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_size: Option<ByteSize>,
    /// Least free space on the disk for bots to be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_free: Option<ByteSize>,
}

impl Quotas {
    /// Reads the quotas of a league; the rest of its settings is not looked at.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if `league.toml` cannot be read.
    pub fn of(folder: &LeagueFolder) -> Result<Quotas, Failure> {
        let quotas: Quotas = folder.settings_table("quotas")?;
        quotas.checked().map_err(Failure::Usage)
    }

    /// Checks that a day has no more submissions than are kept.
    ///
    /// # Errors
    ///
    /// Fails with the key and the expected values.
    pub(crate) fn checked(self) -> Result<Quotas, String> {
        match self.submissions_a_day {
            Some(most) if most.get() as usize > submissions::MOST => Err(format!(
                "quotas.submissions-a-day: {most}, expected 1 to {}",
                submissions::MOST
            )),
            _ => Ok(self),
        }
    }

    /// Returns the largest size of a built version, in bytes.
    pub(crate) fn bot_size(&self) -> u64 {
        self.bot_size.map_or(room::MOST_BYTES, |size| size.as_u64().min(room::MOST_BYTES))
    }

    /// Returns the least free space on the disk, in bytes.
    pub(crate) fn least_free(&self) -> u64 {
        self.least_free.map_or(room::LEAST_FREE, |size| size.as_u64())
    }
}
