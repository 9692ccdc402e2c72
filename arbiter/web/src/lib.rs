//! Leagues and tournaments as pages that keep themselves up to date.
//!
//! # Theory of operation
//!
//! **Pages are read, never held.** The logs are the truth: each page is made of them when a visitor asks for
//! it, and of the index of a league, which is brought up to date for it (`tournament`, `league`). A run need
//! not know that it is watched, a server that is killed loses nothing, and several may serve one folder.
//!
//! **Pages are the same as in a [`report`].** Both are made by the same code, with the same scripts and the same
//! addresses. Three more scripts keep a served page up to date: `streams.js` listens for changes (`changes`),
//! `live.js` asks for the page again and gets only the sections that have changed (`delta`), and `renewal.js`
//! takes them over and leaves the rest of the page as it is.
//!
//! **Connections are few.** A browser opens six to a server, so hidden pages keep no stream, and of the
//! visible ones only the few that were shown last do. Open connections and requests are counted by address; a
//! proxy names the addresses of its visitors (`server`).
//!
//! **Games that are being played** are in another file; only their public part leaves the server (`live`).
//!
//! **Looking is cheap.** A source is read only while its pages are open, and at most twice a second. Reading takes a
//! small share of the time, and no more for many pages than for one. Rendered texts are kept until the source changes.
//!
//! **Reviews are made when a visitor asks for one**, one at a time, and only if the option says so (`reviewing`).
//!
//! **People play here, too**, against bots, each game in a thread of its own and with a log of its own
//! ([`people`]). For that the folder that is served may be empty.
//!
//! **Programs read the same as people**, as JSON below `/api/` (`api`). Pages of other sites may read that, and show
//! single games in a frame if an option says so (`embedding`).
//!
//! **Nothing is trusted.** Text of strangers is escaped, or set as text by scripts. No page holds a script or
//! loads one from elsewhere; a request that changes something must come from a page of this server
//! (`csrf`). Heads of requests, bodies, connections and open pages have bounds (`server`).

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "a part of the program, no interface for others")]

mod api;
mod assets;
mod background;
mod body_stream;
mod changes;
mod client_address;
mod csrf;
mod delta;
mod embedding;
mod league;
mod live;
mod log_page;
mod open_sources;
mod options;
mod organiser;
mod page;
pub mod people;
mod published_log;
mod rate_limits;
mod remote;
mod reviewing;
mod server;
mod shutdown;
mod site;
mod sizes;
mod submissions;
mod tournament;

use std::io::Write;
use std::mem;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use text::system_error;

use contest::setup;
use contest::stop::StopFlag;
use csrf::ServerNames;
pub use embedding::Embedder;
use options::ServeOptions;
use people::{PlayService, TableTimeouts};
use record::stderr_texts::StderrVisibility;
pub use remote::{GamesOffer, InvitedBot, RemoteServer, remote_server};
pub use report::game_line::HandVisibility;
use site::Site;
use submissions::state::SubmissionQueues;
use text::failure::Failure;

#[derive(Debug)]
pub struct ServerConfig {
    /// A league, a tournament, or a folder of them, which may be empty where people play.
    pub folder: PathBuf,
    pub listen: SocketAddr,
    /// The names under which a proxy asks a server that listens for this machine alone.
    pub hosts: Vec<String>,
    /// Discloses hands before all games of a deal are over, or not.
    pub hands: HandVisibility,
    /// Shows visitors what bots wrote to standard error, or not.
    pub errors: StderrVisibility,
    /// The most people who can play at once.
    pub tables: usize,
    /// The most submissions that are checked at once, of all leagues together; none if participants cannot submit bots.
    pub submissions: Option<NonZeroUsize>,
    /// True if visitors can ask for reviews of games.
    pub reviews: bool,
    /// The pages that may show a game inside themselves.
    pub embedders: Vec<Embedder>,
}

const THREADS: usize = 2;
/// The threads that read logs and make pages.
const READERS: usize = 4;

/// Serves until a signal stops it.
pub fn run(request: ServerConfig, out: &mut dyn Write) -> Result<(), Failure> {
    let ServerConfig {
        folder,
        listen,
        hosts,
        hands,
        errors,
        tables,
        submissions,
        reviews,
        embedders,
    } = request;
    let people = Arc::new(PlayService::new(tables, TableTimeouts::default()));
    let queues = Arc::new(SubmissionQueues::new(submissions.unwrap_or(NonZeroUsize::MIN)));
    let options = ServeOptions {
        hands,
        errors,
        people: Arc::clone(&people),
        submissions,
        queues: Arc::clone(&queues),
        reviewing: reviews.then(Arc::default),
    };
    let site = Site::open(&folder, options)?;
    // It stands before anything can start a program, and there is one for the whole process.
    let guard = setup::guard()?;
    let routes = site.routes()?;
    let stop = StopFlag::on_signals(|| ()).map_err(|error| {
        Failure::Ours(format!("cannot wait for signals: {}", system_error(&error)))
    })?;
    let cannot_listen = |error: std::io::Error| {
        Failure::Usage(format!(
            "cannot listen at {listen}: {}; choose another address with --listen",
            system_error(&error)
        ))
    };
    let listener = TcpListener::bind(listen).map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let names =
        if address.ip().is_loopback() { ServerNames::Local(hosts) } else { ServerNames::All };
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
    let served = runtime.block_on(server::serve(
        listener,
        routes,
        names,
        embedding::ancestors(&embedders),
        stop,
    ));
    let have_ended = [people.close(), queues.close()];
    if have_ended.contains(&false) {
        // A bot still thinks, or is being built. Without a farewell, the guard assumes that this process was killed, and
        // ends its remaining programs.
        mem::forget(guard);
    }
    runtime.shutdown_background();
    served.map_err(|error| Failure::Ours(format!("cannot serve: {}", system_error(&error))))
}
