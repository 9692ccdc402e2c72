//! Remote bots: programs on the machines of their authors that ask this server for their requests.
//!
//! # Theory of operation
//!
//! Games are played by another process, or by another thread; they hand their requests over at a socket ([`socket`]).
//! Clients fetch them by HTTP ([`routes`]), so they need to be reached by nobody. Between both is the [`hub`], which
//! knows the rules about time. A thread looks at it when the next deadline comes.

mod hub;
mod remote_server;
#[cfg(test)]
mod route_tests;
mod routes;
mod shared_hub;
#[cfg(unix)]
mod socket;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;

use axum::Router;

use crate::submissions::state::SubmissionService;
pub use remote_server::{InvitedBot, RemoteServer, remote_server};
pub use routes::GamesOffer;
use shared_hub::SharedHub;

/// The routes for the remote bots of a league, whose games come at a socket in its folder.
///
/// # Errors
///
/// Fails if another server asks them.
pub(crate) fn of_league(league: Arc<SubmissionService>) -> io::Result<Router> {
    let hub = SharedHub::new();
    hub.start_clock()?;
    let is_allowed = matches!(league.folder().remote(), Ok(Some(_)));
    let entrance = routes::ClientEntrance::of_league(hub, league);
    if is_allowed {
        // Otherwise the first call after remote bots are allowed does so.
        entrance.take_games()?;
    }
    Ok(routes::routes(entrance))
}
