//! `--listen` and `--grace`: where remote bots ask for their requests, and the patience with them.

use std::net::SocketAddr;
use std::time::Duration;

use ::bot::BotSpec;
use ::bot::launched::RemoteAccess;
use ::bot::manifest::Mode;
use clap::Args;
use rules::GameKind;
use sandbox::Limits;
use text::failure::Failure;
use text::shell;
use text::terminal::say;
use web::{GamesOffer, RemoteServer, remote_server};

/// Options for bots that run on other machines.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Remote bots")]
pub(crate) struct RemoteArgs {
    /// Address at which remote bots ask for their requests [default: a free port of this machine]
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", hide_default_value = true)]
    listen: SocketAddr,
    /// Time for lost connections of a remote bot, in each game
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = humantime::parse_duration)]
    grace: Duration,
}

/// A server for the remote bots of a match, and the terms for them.
#[derive(Debug)]
pub(crate) struct RemoteBots {
    server: RemoteServer,
    grace: Duration,
}

impl RemoteArgs {
    /// Starts a server if one of these bots is remote.
    pub(crate) fn server(
        &self,
        bots: &[BotSpec],
        names: &[String],
        game: &GameKind,
        limits: Limits,
    ) -> Result<Option<RemoteBots>, Failure> {
        let is_remote = |(bot, _): &(&BotSpec, &String)| bot.mode() == Mode::Remote;
        let remote: Vec<String> =
            bots.iter().zip(names).filter(is_remote).map(|(_, name)| name.clone()).collect();
        if remote.is_empty() {
            return Ok(None);
        }
        let offer = GamesOffer {
            game: game.name().to_owned(),
            time_ms: limits.time_ms(),
            grace_ms: u64::try_from(self.grace.as_millis()).unwrap_or(u64::MAX),
            games: RemoteAccess::GAMES,
            answer_bytes: limits.answer_bytes,
        };
        let server = remote_server(self.listen, &remote, offer)?;
        Ok(Some(RemoteBots { server, grace: self.grace }))
    }
}

impl RemoteBots {
    /// The way to a bot.
    pub(crate) fn access(&self) -> RemoteAccess {
        RemoteAccess {
            socket: self.server.socket().to_owned(),
            grace: self.grace,
            games: RemoteAccess::GAMES,
        }
    }

    /// Says how the programs of the bots connect.
    pub(crate) fn invite(&self) {
        let url = self.server.url();
        for (bot, file) in self.server.token_files() {
            let file = shell::word(file);
            say(format!("remote bot `{bot}`: waiting for its program, which you start with"));
            say(format!("  python3 -m arbiter_bot.connect {url} --token-file {file} -- COMMAND"));
        }
    }
}
