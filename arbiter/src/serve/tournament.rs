//! The pages of one tournament, or of one log.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path as AtPath, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::report::NotWritten;
use crate::report::html::layout::Location;
use crate::report::live::{LiveReport, Part, StandardError};
use crate::serve::cached::Cached;
use crate::serve::changes::{self, Changes, Changing};
use crate::serve::{assets, page};

/// For how long a look reads what has come: a long log is read in many looks, and its pages say how far.
const LOOK: Duration = Duration::from_millis(300);

/// A tournament that is served.
#[derive(Debug)]
pub(super) struct Tournament {
    path: PathBuf,
    at: Location,
    errors: StandardError,
    read: Mutex<Result<LiveReport, NotRead>>,
    changes: Changes,
    cached: Cached,
}

/// Why there is nothing to see.
#[derive(Debug)]
struct NotRead(String);

impl Tournament {
    /// A tournament, or a round of a league, whose pages lie there. It is read once a page asks for it.
    pub(super) fn at(path: &Path, at: Location, errors: StandardError) -> Arc<Tournament> {
        Arc::new(Tournament {
            path: path.to_owned(),
            at,
            errors,
            read: Mutex::new(Err(NotRead(String::new()))),
            changes: Changes::default(),
            cached: Cached::default(),
        })
    }

    /// Its pages, below an address that ends in a slash.
    pub(super) fn routes(self: Arc<Tournament>) -> Router {
        let pages = Router::new()
            .route("/", get(first))
            .route("/events", get(events))
            .route("/{*path}", get(part))
            .with_state(self);
        assets::routes().merge(pages)
    }

    /// A page or a script.
    fn text(&self, name: &str, part: Part) -> Response {
        let version = changes::version(self);
        let text = self.cached.text(version, name, || {
            let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            match &*read {
                Ok(report) => {
                    report.part(part, self.at, self.errors).map_err(|problem| problem.to_string())
                }
                Err(NotRead(problem)) => Err(problem.clone()),
            }
        });
        match text {
            Ok(Some(text)) => ([(header::CONTENT_TYPE, part.media_type())], text).into_response(),
            Ok(None) => page::missing(),
            Err(problem) => page::message(StatusCode::OK, "Nothing to see yet", &problem),
        }
    }
}

impl Changing for Tournament {
    fn changes(&self) -> &Changes {
        &self.changes
    }

    fn look(&self) -> bool {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let looked = match &mut *read {
            Ok(report) => report.read_on(LOOK),
            Err(_) => LiveReport::open(&self.path).and_then(|mut report| {
                report.read_on(LOOK)?;
                *read = Ok(report);
                Ok(true)
            }),
        };
        let problem = match looked {
            Ok(has_changed) => return has_changed,
            Err(NotWritten::Machine(error)) => error.to_string(),
            Err(problem) => problem.to_string(),
        };
        let is_new = !matches!(&*read, Err(NotRead(known)) if *known == problem);
        *read = Err(NotRead(problem));
        is_new
    }
}

async fn events(State(tournament): State<Arc<Tournament>>) -> impl IntoResponse {
    changes::events(tournament)
}

async fn first(State(tournament): State<Arc<Tournament>>) -> Response {
    page::read(move || tournament.text("", Part::Overview)).await
}

async fn part(State(tournament): State<Arc<Tournament>>, AtPath(path): AtPath<String>) -> Response {
    match Part::named(&path) {
        Some(part) => page::read(move || tournament.text(&path, part)).await,
        None => page::missing(),
    }
}
