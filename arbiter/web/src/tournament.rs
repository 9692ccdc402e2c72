//! The pages of one tournament, or of one log.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as AtPath, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;

use crate::changes::{self, Cached, Changes, Changing};
use crate::options::ReadTerms;
use crate::reviewing::NotNow;
use crate::sent::{self, Kept};
use crate::{assets, page};
use bots::review::reviewer_of;
use conditions::series::Series;
use contest::tournament::folder;
use report::NotWritten;
use report::growing::{GrowingReport, ToReview};
use report::html::layout::Location;
use report::part::{GameKey, Part};
use report::reviewed::GameReview;
use review::{game_key, review_game};

/// The longest time for which a look reads: a long log is read in many looks, and its pages say how far.
const LOOK: Duration = Duration::from_millis(300);

/// A tournament that is served.
#[derive(Debug)]
pub(super) struct Tournament {
    path: PathBuf,
    at: Location,
    terms: ReadTerms,
    read: Mutex<Read>,
    changes: Changes,
    cached: Cached,
}

/// The tournament as far as it was read.
#[derive(Debug)]
enum Read {
    /// Nothing: no game was played, or this problem is in the way.
    Nothing(String),
    Report(Box<GrowingReport>),
    /// The log is not in order. It is read again only once it has another length.
    Wrong {
        problem: String,
        length: Option<u64>,
    },
}

impl Tournament {
    /// A tournament, or a round of a league, whose pages lie there. It is read once a page asks for it.
    pub(super) fn at(path: &Path, at: Location, terms: ReadTerms) -> Arc<Tournament> {
        Arc::new(Tournament {
            path: path.to_owned(),
            at,
            terms,
            read: Mutex::new(Read::Nothing(String::new())),
            changes: Changes::default(),
            cached: Cached::default(),
        })
    }

    pub(super) fn routes(self: Arc<Tournament>) -> Router {
        let pages = Router::new()
            .route("/", get(first))
            .route("/events", get(events))
            .route("/{*path}", get(part))
            .with_state(self);
        assets::routes().merge(pages)
    }

    /// A text that is made of the report, if it is not kept from an earlier request; none where it does not exist.
    pub(super) fn made(
        &self,
        name: &str,
        make: impl FnOnce(&GrowingReport, &ReadTerms) -> Result<Option<String>, NotWritten>,
    ) -> Result<Option<Bytes>, NoText> {
        let version = changes::version(self);
        self.cached.text(version, name, || self.of_report(make))
    }

    /// A value that is made of the report.
    pub(super) fn looked_up<T>(
        &self,
        make: impl FnOnce(&GrowingReport, &ReadTerms) -> Result<T, NotWritten>,
    ) -> Result<T, NoText> {
        let _ = changes::version(self);
        self.of_report(make)
    }

    fn of_report<T>(
        &self,
        make: impl FnOnce(&GrowingReport, &ReadTerms) -> Result<T, NotWritten>,
    ) -> Result<T, NoText> {
        match &*self.read.lock().unwrap_or_else(PoisonError::into_inner) {
            Read::Report(report) => {
                make(report, &self.terms).map_err(|it| NoText::Wrong(it.to_string()))
            }
            Read::Nothing(problem) => Err(NoText::Nothing(problem.clone())),
            Read::Wrong { problem, .. } => Err(NoText::Wrong(problem.clone())),
        }
    }

    /// A part of the report.
    pub(super) fn part(&self, name: &str, part: Part) -> Result<Option<Bytes>, NoText> {
        self.made(name, |report, terms| {
            report.part(part, self.at, terms.disclosed, &terms.reviews())
        })
    }

    /// A page or a script.
    fn text(&self, asked: &HeaderMap, name: &str, part: Part) -> Response {
        match self.part(name, part) {
            Ok(Some(text)) => sent::text(asked, part.media_type(), text, Kept::Asked),
            Ok(None) => page::missing(),
            // A script or data that is not there is no page.
            Err(NoText::Nothing(_)) if !part.is_page() => page::missing(),
            Err(NoText::Nothing(problem)) => {
                page::message(StatusCode::OK, "Nothing to see yet", &problem)
            }
            Err(NoText::Wrong(problem)) => server_error(&problem),
        }
    }

    /// The review of a game as JSON, which may take seconds; none where it cannot be had.
    pub(super) fn reviewed(&self, key: GameKey) -> Result<Option<Bytes>, NoReview> {
        let Some(reviewing) = &self.terms.reviewing else { return Ok(None) };
        let found = match self.looked_up(|it, terms| it.to_review(key, terms.disclosed.hands)) {
            Ok(found) => found,
            Err(NoText::Nothing(_)) => None,
            Err(NoText::Wrong(problem)) => return Err(NoReview::Wrong(problem)),
        };
        let Some(ToReview { series, game, line }) = found.filter(|it| is_reviewed(&it.series))
        else {
            return Ok(None);
        };
        let made = reviewing.text(&game_key(&series, &game).to_string(), || {
            let reviewed = review_game(&series, &game, None);
            let reviewed = reviewed.map_err(|error| error.to_string())?;
            let json = serde_json::to_string(&GameReview::new(&line, &reviewed));
            json.map(Some).map_err(|error| error.to_string())
        });
        made.map_err(NoReview::NotNow)
    }

    /// The script with the review of a game.
    fn review(&self, asked: &HeaderMap, key: GameKey) -> Response {
        match self.reviewed(key) {
            Ok(Some(review)) => {
                let script = script(key, &review).into();
                sent::text(asked, Part::Review(key).media_type(), script, Kept::Asked)
            }
            Ok(None) => page::missing(),
            Err(NoReview::Wrong(problem)) => server_error(&problem),
            Err(NoReview::NotNow(NotNow::Busy)) => page::message(
                StatusCode::SERVICE_UNAVAILABLE,
                "The server is busy",
                &NotNow::Busy.to_string(),
            ),
            Err(NoReview::NotNow(NotNow::Failed(problem))) => {
                page::message(StatusCode::INTERNAL_SERVER_ERROR, "Review failed", &problem)
            }
        }
    }

    fn look_at(&self, read: &mut Read) -> Result<bool, NotWritten> {
        match read {
            Read::Report(report) => report.read_on(LOOK),
            Read::Wrong { length, .. } if *length == self.length() => Ok(false),
            Read::Nothing(_) | Read::Wrong { .. } => {
                let mut report = GrowingReport::open(&self.path)?;
                report.read_on(LOOK)?;
                *read = Read::Report(Box::new(report));
                Ok(true)
            }
        }
    }

    fn length(&self) -> Option<u64> {
        let log = match self.path.is_dir() {
            true => folder::games(&self.path),
            false => self.path.clone(),
        };
        Some(log.metadata().ok()?.len())
    }
}

/// The reason why there is no text.
pub(super) enum NoText {
    /// Nothing was played yet.
    Nothing(String),
    /// The log is not in order.
    Wrong(String),
}

/// The reason why there is no review.
pub(super) enum NoReview {
    /// The log is not in order.
    Wrong(String),
    NotNow(NotNow),
}

impl Changing for Tournament {
    fn changes(&self) -> &Changes {
        &self.changes
    }

    fn look(&self) -> bool {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = match self.look_at(&mut read) {
            Ok(has_changed) => return has_changed,
            Err(problem) => problem,
        };
        let told = problem.to_string();
        let next = match problem {
            NotWritten::Wrong(problem) => Read::Wrong { problem, length: self.length() },
            NotWritten::Usage(problem) => Read::Nothing(problem),
            NotWritten::Machine(_) => Read::Nothing(told.clone()),
        };
        let is_new = match &*read {
            Read::Nothing(known) | Read::Wrong { problem: known, .. } => *known != told,
            Read::Report(_) => true,
        };
        *read = next;
        is_new
    }
}

/// The script with a review.
fn script(key: GameKey, review: &[u8]) -> Vec<u8> {
    let GameKey { number, attempt } = key;
    [format!("arbiter.takeReview({number}, {attempt}, ").as_bytes(), review, b");\n"].concat()
}

fn server_error(problem: &str) -> Response {
    page::message(StatusCode::INTERNAL_SERVER_ERROR, "Invalid log", problem)
}

/// Sends `changed` with the number of changes, at the beginning and after each one.
pub(super) async fn events(State(tournament): State<Arc<Tournament>>) -> Response {
    changes::events(tournament)
}

async fn first(State(tournament): State<Arc<Tournament>>, asked: HeaderMap) -> Response {
    page::read(move || tournament.text(&asked, "", Part::Overview)).await
}

async fn part(
    State(tournament): State<Arc<Tournament>>,
    AtPath(path): AtPath<String>,
    asked: HeaderMap,
) -> Response {
    match Part::named(&path) {
        Some(Part::Review(key)) => page::read(move || tournament.review(&asked, key)).await,
        Some(part) => page::read(move || tournament.text(&asked, &path, part)).await,
        None => page::missing(),
    }
}

/// Returns true if a reviewer knows the games of a series.
fn is_reviewed(series: &Series) -> bool {
    reviewer_of(series.kind(), &series.header().options).is_some()
}
