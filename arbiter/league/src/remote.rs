//! The table `remote` of `league.toml`: whether bots may run on the machines of their authors, and on which terms.

use std::path::Path;
use std::time::Duration;

use bot::launch_target::{REMOTE, RemoteEndpoint};
use bot::manifest::ProgramMode;
use rules::Dialect;
use sandbox::Limits;
use serde::Deserialize;

use crate::line::EnterLine;
use crate::version::BotVersion;

/// The name of the socket in the folder of a league at which games ask for its remote bots.
pub const SOCKET: &str = "remote.sock";

/// Why a remote bot does not play in a league that takes none.
pub const NO_REMOTE_BOTS: &str = "the league takes no remote bots: set allowed = true in [remote]";

/// Most games of a remote bot at once.
const MOST_GAMES: u32 = 1_000;

/// The terms for remote bots of a league that takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteTerms {
    /// Time limit of a move; without it, the one of the games.
    pub time: Option<Duration>,
    /// The time that a game has in all for lost connections of a bot.
    pub grace: Duration,
    /// The most games of a bot at once.
    pub games: u32,
    /// True if remote bots may play in stages.
    pub stages: bool,
}

impl RemoteTerms {
    /// The way to the remote bots of the league in this folder.
    pub fn access(&self, league: &Path) -> RemoteEndpoint {
        RemoteEndpoint { socket: league.join(SOCKET), grace: self.grace, games: self.games }
    }

    /// The limits of a remote bot that has these otherwise.
    pub fn limits(&self, limits: Limits) -> Limits {
        Limits { time: self.time.unwrap_or(limits.time), ..limits }
    }
}

/// The table as it is written. A missing key has its default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RemoteSection {
    allowed: bool,
    time: Option<String>,
    grace: Option<String>,
    games: Option<u32>,
    stages: bool,
}

impl RemoteSection {
    /// Returns the terms; none if remote bots are not allowed.
    ///
    /// # Errors
    ///
    /// Fails with the key and the expected values.
    pub(crate) fn terms(&self) -> Result<Option<RemoteTerms>, String> {
        let duration = |key: &str, text: &Option<String>| {
            let read = text.as_deref().map(sandbox::duration).transpose();
            read.map_err(|error| format!("remote.{key}: {error}"))
        };
        let games = self.games.unwrap_or(RemoteEndpoint::GAMES);
        if games == 0 || games > MOST_GAMES {
            return Err(format!("remote.games: {games} is out of range (1 to {MOST_GAMES})"));
        }
        let terms = RemoteTerms {
            time: duration("time", &self.time)?,
            grace: duration("grace", &self.grace)?.unwrap_or(RemoteEndpoint::GRACE),
            games,
            stages: self.stages,
        };
        Ok(self.allowed.then_some(terms))
    }
}

/// The line with which a version without files enters.
pub(crate) fn enter_line(bot: BotVersion) -> EnterLine {
    EnterLine {
        bot,
        command: REMOTE.to_owned(),
        files: Vec::new(),
        handed_in: None,
        dialect: Dialect::Native,
        mode: ProgramMode::Remote,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Result<Option<RemoteTerms>, String> {
        toml::from_str::<RemoteSection>(text).expect("a table").terms()
    }

    #[test]
    fn remote_bots_are_taken_only_where_the_table_allows_them() {
        assert_eq!(terms(""), Ok(None));
        assert_eq!(terms("time = '5s'\nstages = true"), Ok(None));
        let usual = RemoteTerms {
            time: None,
            grace: RemoteEndpoint::GRACE,
            games: RemoteEndpoint::GAMES,
            stages: false,
        };
        assert_eq!(terms("allowed = true"), Ok(Some(usual)));
        let own = "allowed = true\ntime = '5s'\ngrace = '90s'\ngames = 8\nstages = true";
        let (time, grace) = (Some(Duration::from_secs(5)), Duration::from_secs(90));
        assert_eq!(terms(own), Ok(Some(RemoteTerms { time, grace, games: 8, stages: true })));
    }

    #[test]
    fn a_wrong_key_of_the_table_is_named_even_if_nothing_is_allowed() {
        let cases = [
            ("games = 0", "remote.games: 0 is out of range (1 to 1000)"),
            ("games = 1001", "remote.games: 1001 is out of range (1 to 1000)"),
            ("time = '0s'", "remote.time: use a duration of at least 1ms"),
            ("grace = 'long'", "remote.grace: "),
        ];
        for (text, expected) in cases {
            let problem = terms(text).expect_err(text);
            assert!(problem.starts_with(expected), "{text}: {problem}");
        }
        assert!(toml::from_str::<RemoteSection>("server = 'x'").is_err());
    }
}
