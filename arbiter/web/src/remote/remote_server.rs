//! A server for the remote bots of one match or tournament.

use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use contest::stop::StopFlag;
use sandbox::scratch::Scratch;
use text::failure::Failure;
use text::system_error;
use tokio::runtime::Runtime;

use super::routes::{ClientEntrance, GamesOffer, routes};
use super::shared_hub::SharedHub;
use crate::csrf::ServerNames;
use crate::server;

/// The longest wait for clients to learn that there are no more games.
const FAREWELL: Duration = Duration::from_secs(5);

/// The pause between two looks whether they have.
const PAUSE: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct InvitedBot {
    pub name: String,
    /// The secret that its client sends.
    pub token: String,
    pub offer: GamesOffer,
}

/// A server for the remote bots of one match or tournament, which ends when it is dropped.
#[derive(Debug)]
pub struct RemoteServer {
    hub: Arc<SharedHub>,
    address: SocketAddr,
    /// The file with the token of each bot.
    tokens: BTreeMap<String, PathBuf>,
    socket: PathBuf,
    #[cfg(unix)]
    _games: super::socket::GameSocket,
    /// It is removed as well if this program is killed.
    _folder: Scratch,
    runtime: Option<Runtime>,
    /// True if games go on later, so clients stay.
    is_paused: AtomicBool,
}

/// Starts a server for these bots at this address, and writes a file for the token of each.
///
/// # Errors
///
/// Fails if it cannot listen there.
#[cfg(unix)]
pub fn remote_server(listen: SocketAddr, bots: Vec<InvitedBot>) -> Result<RemoteServer, Failure> {
    let failed = |error: io::Error| {
        Failure::Ours(format!("cannot ask remote bots: {}", system_error(&error)))
    };
    let folder = Scratch::new().map_err(failed)?;
    let socket = folder.path().join("games");
    let hub = SharedHub::new();
    let games = super::socket::GameSocket::listen(&socket, Arc::clone(&hub)).map_err(failed)?;
    let (mut tokens, mut by_token) = (BTreeMap::new(), BTreeMap::new());
    for InvitedBot { name, token, offer } in bots {
        let file = folder.path().join(format!("{name}.token"));
        write_secret(&file, &token).map_err(failed)?;
        tokens.insert(name.clone(), file);
        by_token.insert(token, (name, offer));
    }
    let cannot_listen = |error: io::Error| {
        Failure::Usage(format!(
            "cannot listen at {listen}: {}; choose another address with --listen",
            system_error(&error)
        ))
    };
    let listener = TcpListener::bind(listen).map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(failed)?;
    let entrance = ClientEntrance::of_match(Arc::clone(&hub), by_token);
    // It ends with the runtime.
    let stop: &'static StopFlag = Box::leak(Box::default());
    let names =
        if address.ip().is_loopback() { ServerNames::Local(Vec::new()) } else { ServerNames::All };
    hub.start_clock().map_err(failed)?;
    runtime.spawn(server::serve(listener, routes(entrance), names, None, stop));
    Ok(RemoteServer {
        hub,
        address,
        tokens,
        socket,
        _games: games,
        _folder: folder,
        runtime: Some(runtime),
        is_paused: AtomicBool::new(false),
    })
}

/// Writes a file that only the user can read.
#[cfg(unix)]
fn write_secret(path: &Path, secret: &str) -> io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut file =
        std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{secret}")
}

/// Remote bots need a Unix system.
#[cfg(not(unix))]
pub fn remote_server(_: SocketAddr, _: Vec<InvitedBot>) -> Result<RemoteServer, Failure> {
    Err(Failure::usage("remote bots need a Unix system"))
}

impl RemoteServer {
    /// The socket at which games are handed over.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The file with the token of each bot, which only the user can read.
    pub fn token_files(&self) -> &BTreeMap<String, PathBuf> {
        &self.tokens
    }

    /// Lets clients wait for another server after this one, since the games go on later.
    pub fn pause(&self) {
        self.is_paused.store(true, Ordering::SeqCst);
    }
}

impl Drop for RemoteServer {
    fn drop(&mut self) {
        let mut until = Instant::now();
        if !self.is_paused.load(Ordering::SeqCst) {
            self.hub.finish();
            until += FAREWELL;
        }
        while self.hub.with(|hub| hub.has_open_clients(Instant::now())) && Instant::now() < until {
            std::thread::sleep(PAUSE);
        }
        if let Some(runtime) = self.runtime.take() {
            // The answers that say so are written to the end.
            runtime.shutdown_timeout(FAREWELL);
        }
    }
}
