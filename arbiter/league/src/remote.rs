//! Remote bots of a league: the table `[remote]` of its settings.

use std::path::PathBuf;
use std::time::Duration;

use bot::remote::RemoteAccess;
use serde::{Deserialize, Deserializer, de};
use text::failure::Failure;

use crate::folder::LeagueFolder;
use crate::line::EnterLine;
use bot::manifest::Mode;

/// The socket in the folder of a league at which `arbiter league run` hands its games to `arbiter serve`.
const SOCKET: &str = "remote.sock";

/// What the organiser allows remote bots. A missing table allows none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RemoteSettings {
    /// True if bots that run on the machines of their authors may enter and play.
    pub allowed: bool,
    /// The time of a game for lost connections.
    #[serde(deserialize_with = "duration")]
    pub grace: Duration,
    /// The most games in which a bot is asked at once.
    pub games: u32,
    /// True if they may play in stages.
    pub stages: bool,
}

impl Default for RemoteSettings {
    fn default() -> RemoteSettings {
        let (grace, games) = (RemoteAccess::GRACE, RemoteAccess::GAMES);
        RemoteSettings { allowed: false, grace, games, stages: false }
    }
}

fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    humantime::parse_duration(&text).map_err(|error| de::Error::custom(format!("{text}: {error}")))
}

impl RemoteSettings {
    /// Reads the table; the rest of the settings is not looked at.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if the file or the table cannot be read.
    pub fn read(folder: &LeagueFolder) -> Result<RemoteSettings, Failure> {
        folder.settings_table("remote")
    }

    /// Checks that a bot can be asked at all.
    ///
    /// # Errors
    ///
    /// Fails with the key and the expected values.
    pub(crate) fn checked(self) -> Result<RemoteSettings, String> {
        match self.games {
            0 => Err("remote.games: 0 is out of range (at least 1)".to_owned()),
            _ => Ok(self),
        }
    }

    /// The way to the remote bots of a league.
    ///
    /// # Errors
    ///
    /// Fails if the league allows none.
    pub fn access(&self, folder: &LeagueFolder) -> Result<RemoteAccess, Failure> {
        if !self.allowed {
            let problem = "remote bots are not allowed: set allowed = true in [remote]";
            return Err(folder.wrong_setting(problem));
        }
        Ok(RemoteAccess { socket: socket(folder), grace: self.grace, games: self.games })
    }
}

/// The socket at which games are handed over.
pub fn socket(folder: &LeagueFolder) -> PathBuf {
    folder.path().join(SOCKET)
}

/// Returns true for a bot that runs on the machine of its author.
pub fn is_remote(entry: &EnterLine) -> bool {
    entry.mode == Mode::Remote
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_allows_what_it_says_and_else_nothing() {
        let read = |text: &str| toml::from_str::<RemoteSettings>(text);
        assert_eq!(read("").ok(), Some(RemoteSettings::default()));
        let given = read("allowed = true\ngrace = '10s'\ngames = 2\nstages = true").expect("a table");
        let grace = Duration::from_secs(10);
        assert_eq!(given, RemoteSettings { allowed: true, grace, games: 2, stages: true });
        for wrong in ["grace = 10", "grace = 'soon'", "games = -1", "allow = true"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(RemoteSettings { games: 0, ..given }.checked().is_err());
    }
}
