//! Bots that run on the machines of their authors, and fetch their requests from a hub.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a bot is written on the command line and in logs that runs on the machine of its author.
pub const REMOTE: &str = "remote:";

/// Where a remote bot is asked, and how much patience it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteAccess {
    /// The socket of the hub from which the bot fetches its requests.
    pub socket: PathBuf,
    /// The time that a game has in all for lost connections of the bot.
    pub grace: Duration,
    /// The most games that it plays at once.
    pub games: u32,
}

impl RemoteAccess {
    /// The grace of a game if nothing else is said.
    pub const GRACE: Duration = Duration::from_secs(60);

    /// The most games of a bot at once if nothing else is said.
    pub const GAMES: u32 = 4;

    /// The folder of the socket, which no bot of this machine may see.
    pub fn folder(&self) -> &Path {
        self.socket.parent().unwrap_or(&self.socket)
    }
}
