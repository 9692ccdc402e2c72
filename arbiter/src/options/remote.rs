//! `--listen` and `--grace`: where remote bots ask for their requests, and the patience with them.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::bot::BotSpec;
use ::bot::launch_target::RemoteEndpoint;
use ::bot::limits::LimitSpecs;
use ::bot::manifest::ProgramMode;
use clap::Args;
use contest::playing::remote::is_connected;
use contest::setup;
use rules::{Digest, GameKind, Seed};
use sandbox::Limits;
use text::failure::Failure;
use text::shell;
use text::terminal::say;
use web::{GamesOffer, InvitedBot, RemoteServer, remote_server};

/// The pause between two looks whether a bot is connected.
const PAUSE: Duration = Duration::from_millis(100);

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

/// A server for the remote bots of a match or tournament, and the terms for them.
#[derive(Debug)]
pub(crate) struct RemoteBots {
    server: RemoteServer,
    grace: Duration,
}

impl RemoteArgs {
    /// Starts a server for the remote bots of a match, if it has any, with tokens for this match alone.
    pub(crate) fn match_server(
        &self,
        bots: &[BotSpec],
        limits: &LimitSpecs,
        game: &GameKind,
    ) -> Result<Option<RemoteBots>, Failure> {
        let names = bot::names(bots)?;
        let named = bots.iter().zip(&names);
        let named = named.map(|(bot, name)| (bot, name.as_str(), limits.for_bot(name, bot)));
        self.server(named, game, &setup::seed_or_drawn(None)?)
    }

    /// Starts a server if one of these bots is remote. The token of a bot follows from the secret and its name.
    pub(crate) fn server<'a>(
        &self,
        bots: impl Iterator<Item = (&'a BotSpec, &'a str, Limits)>,
        game: &GameKind,
        secret: &Seed,
    ) -> Result<Option<RemoteBots>, Failure> {
        let invited = |(_, name, limits): (_, &str, Limits)| InvitedBot {
            name: name.to_owned(),
            token: token(secret, name),
            offer: GamesOffer {
                game: game.name().to_owned(),
                time_ms: limits.time_ms(),
                grace_ms: u64::try_from(self.grace.as_millis()).unwrap_or(u64::MAX),
                games: RemoteEndpoint::GAMES,
                answer_bytes: limits.answer_bytes,
            },
        };
        let remote = bots.filter(|(bot, ..)| bot.mode() == ProgramMode::Remote);
        let remote: Vec<InvitedBot> = remote.map(invited).collect();
        if remote.is_empty() {
            return Ok(None);
        }
        let server = remote_server(self.listen, remote)?;
        Ok(Some(RemoteBots { server, grace: self.grace }))
    }
}

impl RemoteBots {
    pub(crate) fn access(&self) -> RemoteEndpoint {
        RemoteEndpoint {
            socket: self.server.socket().to_owned(),
            grace: self.grace,
            games: RemoteEndpoint::GAMES,
        }
    }

    /// Says how the programs of the bots connect, and waits for them, but no longer than a game would.
    pub(crate) fn gather(&self, stop: &AtomicBool) {
        self.invite();
        let (access, until) = (self.access(), Instant::now() + self.grace);
        let mut missing: Vec<&String> = self.server.token_files().keys().collect();
        while !stop.load(Ordering::SeqCst) {
            missing.retain(|bot| !is_connected(&access, bot));
            if missing.is_empty() {
                return say("all remote bots are connected");
            }
            if Instant::now() >= until {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        for bot in missing {
            say(format!("warning: remote bot `{bot}` is not connected"));
        }
    }

    /// Lets the programs wait for the next run, in which the games go on.
    pub(crate) fn pause(&self) {
        self.server.pause();
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

/// The token of a bot: the start of a digest of the secret, from which nothing follows about the secret itself.
fn token(secret: &Seed, name: &str) -> String {
    let mut bytes = b"arbiter remote token ".to_vec();
    bytes.extend(secret.0);
    bytes.extend(name.as_bytes());
    Digest::hash(&bytes).to_string().chars().take(32).collect()
}
