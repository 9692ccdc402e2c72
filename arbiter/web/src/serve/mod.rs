//! Leagues and tournaments as pages that are alive.
//!
//! # Theory of operation
//!
//! **Pages are read, never held.** The logs are the truth: a page is made of them, and of the
//! index of a league, which is brought up to date for it, when somebody asks for it (`tournament`, `league`). A run need not know that
//! it is watched, a server that is killed loses nothing, and several may serve one folder.
//!
//! **Pages are those of a report.** Both are made by the same code, with the same scripts and the same
//! addresses; a served page lies behind an address instead of in a file. Three scripts more keep it up to date: `streams.js`
//! listens for changes (`changes`), `live.js` asks for the page again, of which it gets only what has changed
//! (`sent`), and `renewal.js` takes that over and leaves the rest of the page as it is.
//!
//! **Connections are few.** A browser opens six to a server, so a page that cannot be seen keeps no stream, and
//! of those that can only the few that were shown last do. What is open is counted by connection and by visitor, whom a
//! proxy names (`server`).
//!
//! **What is being played** is another file, of which only that leaves the server which all seats see (`live`).
//!
//! **Looking is cheap.** A source is looked at only while pages of it are open, at most once in half a
//! second and for at most a small share of the time, whatever the number of pages; what was rendered is kept
//! until the source has changed.
//!
//! **People play here, too**, against bots, each game in a thread of its own and with a log of its own
//! ([`people`]). For that the folder that is served may be empty.
//!
//! **Nothing is trusted.** Everything that was written by strangers is escaped, or set as text by
//! scripts. No page holds a script or loads one from elsewhere; a request that changes something must come
//! from a page of this server (`same_site`). Heads of requests, bodies, connections and open pages have
//! bounds (`server`).

mod assets;
mod below;
mod cached;
mod changes;
mod events;
mod farewell;
mod guest;
mod handing_in;
mod league;
mod live;
mod offer;
mod open_round;
mod page;
pub mod people;
mod rates;
mod refused;
mod same_site;
mod sent;
mod server;
mod site;
mod tournament;

use std::io::Write;
use std::mem;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use text::system_error;

pub use crate::report::now::Hands;
use conditions::failure::Failure;
use contest::setup;
use contest::stop::Stop;
use handing_in::Desks;
use offer::Offer;
pub use offer::Submissions;
use people::{Patience, People};
use same_site::Names;
use site::Site;

/// What is served, and where.
#[derive(Debug)]
pub struct ServeRequest {
    /// A league, a tournament, or a folder of them, which may be empty where people play.
    pub folder: PathBuf,
    /// The address to listen at.
    pub listen: SocketAddr,
    /// The names under which a proxy asks a server that listens for this machine alone.
    pub hosts: Vec<String>,
    /// Whose hands are shown before all games of a deal are over.
    pub hands: Hands,
    /// How many people can play at once.
    pub tables: usize,
    /// Whether participants of leagues hand in bots.
    pub submissions: Submissions,
}

/// How many threads answer requests.
const THREADS: usize = 2;
/// How many threads read logs and make pages.
const READERS: usize = 4;

/// Serves until a signal stops it.
///
/// # Errors
///
/// As the exit codes say.
pub fn run(request: ServeRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let ServeRequest { folder, listen, hosts, hands, tables, submissions } = request;
    let people = Arc::new(People::new(tables, Patience::default()));
    let desks = Arc::new(Desks::default());
    let offer =
        Offer { hands, people: Arc::clone(&people), submissions, desks: Arc::clone(&desks) };
    let site = Site::open(&folder, offer)?;
    // It stands before anything can start a program, and there is one for the whole process.
    let guard = setup::guard()?;
    let routes = site.routes()?;
    let stop = Stop::on_signals(|| ()).map_err(|error| {
        Failure::Ours(format!("cannot wait for signals: {}", system_error(&error)))
    })?;
    let cannot_listen = |error: std::io::Error| {
        Failure::Usage(format!(
            "cannot listen at {listen}: {}; `--listen` takes another address",
            system_error(&error)
        ))
    };
    let listener = TcpListener::bind(listen).map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let names = if address.ip().is_loopback() { Names::Local(hosts) } else { Names::All };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(READERS)
        .enable_all()
        .build()
        .map_err(|error| {
            Failure::Ours(format!("cannot start threads: {}", system_error(&error)))
        })?;
    writeln!(out, "serving {} at http://{address}/", site.title())?;
    out.flush()?;
    let served = runtime.block_on(server::serve(listener, routes, names, stop));
    let have_ended = [people.close(), desks.close()];
    if have_ended.contains(&false) {
        // A bot still thinks, or is being built. A guard without a farewell takes it that this process was killed, and ends
        // what it has left behind.
        mem::forget(guard);
    }
    runtime.shutdown_background();
    served.map_err(|error| Failure::Ours(format!("cannot serve: {}", system_error(&error))))
}
