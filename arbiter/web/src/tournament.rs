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

use crate::changes::{self, ChangeCounter, ChangingSource, TextCache};
use crate::delta::{self, CacheTime};
use crate::options::ReportOptions;
use crate::reviewing::ReviewUnavailable;
use crate::{assets, page};
use bots::review::reviewer_of;
use contest::tournament::folder;
use league::replay_request::RoundMarks;
use report::ReportError;
use report::files::ReportPart;
use report::game_line::GameKey;
use report::growing_report::{GrowingReport, ReviewableGame};
use report::html::layout::PageLocation;
use report::reading::SourceReport;
use report::source::GameReview;
use review::{game_key, review_game};
use series::Series;
use tokio::sync::Semaphore;

/// The longest time for which a look reads: a long log is read in many looks, and its pages say how far.
const LOOK: Duration = Duration::from_millis(300);

#[derive(Debug)]
pub(super) struct ServedTournament {
    path: PathBuf,
    at: PageLocation,
    terms: ReportOptions,
    read: Mutex<TournamentSnapshot>,
    changes: ChangeCounter,
    cached: TextCache,
    /// One page with standings is made at a time.
    turns: Arc<Semaphore>,
}

#[derive(Debug)]
enum TournamentSnapshot {
    /// Nothing: no game was played, or this problem is in the way.
    Nothing(String),
    Report(Box<GrowingReport>),
    /// The log is not in order. It is read again only once it has another length.
    Wrong {
        problem: String,
        length: Option<u64>,
    },
}

impl ServedTournament {
    /// A tournament, or a round of a league, whose pages lie there. It is read once a page asks for it.
    pub(super) fn new(
        path: &Path,
        at: PageLocation,
        terms: ReportOptions,
    ) -> Arc<ServedTournament> {
        Arc::new(ServedTournament {
            path: path.to_owned(),
            at,
            terms,
            read: Mutex::new(TournamentSnapshot::Nothing(String::new())),
            changes: ChangeCounter::default(),
            cached: TextCache::default(),
            turns: Arc::new(Semaphore::new(1)),
        })
    }

    /// The marks at its games, if it is a round of a league.
    pub(super) fn marks(&self) -> &RoundMarks {
        &self.terms.marks
    }

    pub(super) fn routes(self: Arc<ServedTournament>) -> Router {
        let pages = Router::new()
            .route("/", get(first))
            .route("/events", get(events))
            .route("/{*path}", get(part))
            .with_state(self);
        assets::routes().merge(pages)
    }

    /// A text that is made of the report, if it is not kept from an earlier request; none where it does not exist.
    pub(super) fn cached_text(
        &self,
        name: &str,
        make: impl FnOnce(&GrowingReport, &ReportOptions) -> Result<Option<String>, ReportError>,
    ) -> Result<Option<Bytes>, ReportTextError> {
        let version = changes::version(self);
        self.cached.text(version, name, || self.of_report(make))
    }

    /// A text that is made of the report so far, if it is not kept from an earlier request; none where it does not
    /// exist. The log is read on meanwhile, and other requests do not wait: the standings of many bots take long.
    pub(super) fn cached_text_of_reading(
        &self,
        name: &str,
        make: impl FnOnce(&SourceReport, &ReportOptions) -> Result<Option<String>, ReportError>,
    ) -> Result<Option<Bytes>, ReportTextError> {
        let version = changes::version(self);
        if let Some(text) = self.cached.find(version, name) {
            return Ok(Some(text));
        }
        let reading = self.of_report(|report, terms| Ok(report.reading(terms.disclosed)))?;
        let made = make(&reading, &self.terms);
        let made = made.map_err(|it| ReportTextError::Wrong(it.to_string()))?;
        self.cached.text(version, name, || Ok(made))
    }

    /// A value that is made of the report.
    pub(super) fn compute<T>(
        &self,
        make: impl FnOnce(&GrowingReport, &ReportOptions) -> Result<T, ReportError>,
    ) -> Result<T, ReportTextError> {
        let _ = changes::version(self);
        self.of_report(make)
    }

    fn of_report<T>(
        &self,
        make: impl FnOnce(&GrowingReport, &ReportOptions) -> Result<T, ReportError>,
    ) -> Result<T, ReportTextError> {
        match &*self.read.lock().unwrap_or_else(PoisonError::into_inner) {
            TournamentSnapshot::Report(report) => {
                make(report, &self.terms).map_err(|it| ReportTextError::Wrong(it.to_string()))
            }
            TournamentSnapshot::Nothing(problem) => Err(ReportTextError::Nothing(problem.clone())),
            TournamentSnapshot::Wrong { problem, .. } => {
                Err(ReportTextError::Wrong(problem.clone()))
            }
        }
    }

    pub(super) fn part(
        &self,
        name: &str,
        part: ReportPart,
    ) -> Result<Option<Bytes>, ReportTextError> {
        match part.is_of_report() {
            true => {
                self.cached_text_of_reading(name, |reading, _| Ok(reading.part(part, self.at)?))
            }
            false => self.cached_text(name, |report, terms| {
                report.script(part, terms.disclosed, &terms.reviews())
            }),
        }
    }

    fn text(&self, asked: &HeaderMap, name: &str, part: ReportPart) -> Response {
        match self.part(name, part) {
            Ok(Some(text)) => delta::text(asked, part.media_type(), text, CacheTime::Asked),
            Ok(None) => page::missing(),
            // A script or data that is not there is no page.
            Err(ReportTextError::Nothing(_)) if !part.is_page() => page::missing(),
            Err(ReportTextError::Nothing(problem)) => {
                page::message(StatusCode::OK, "Nothing to see yet", &problem)
            }
            Err(ReportTextError::Wrong(problem)) => server_error(&problem),
        }
    }

    /// The review of a game as JSON, which may take seconds; none where it cannot be had.
    pub(super) fn reviewed(&self, key: GameKey) -> Result<Option<Bytes>, GameReviewError> {
        let Some(reviewing) = &self.terms.reviewing else { return Ok(None) };
        let found = match self.compute(|it, terms| it.to_review(key, terms.disclosed.hands)) {
            Ok(found) => found,
            Err(ReportTextError::Nothing(_)) => None,
            Err(ReportTextError::Wrong(problem)) => return Err(GameReviewError::Wrong(problem)),
        };
        let Some(ReviewableGame { series, game, line }) =
            found.filter(|it| is_reviewed(&it.series))
        else {
            return Ok(None);
        };
        let made = reviewing.text(&game_key(&series, &game).to_string(), || {
            let reviewed = review_game(&series, &game, None);
            let reviewed = reviewed.map_err(|error| error.to_string())?;
            let json = serde_json::to_string(&GameReview::new(&line, &reviewed));
            json.map(Some).map_err(|error| error.to_string())
        });
        made.map_err(GameReviewError::NotNow)
    }

    fn review(&self, asked: &HeaderMap, key: GameKey) -> Response {
        match self.reviewed(key) {
            Ok(Some(review)) => {
                let script = script(key, &review).into();
                delta::text(asked, ReportPart::Review(key).media_type(), script, CacheTime::Asked)
            }
            Ok(None) => page::missing(),
            Err(GameReviewError::Wrong(problem)) => server_error(&problem),
            Err(GameReviewError::NotNow(ReviewUnavailable::Busy)) => page::message(
                StatusCode::SERVICE_UNAVAILABLE,
                "The server is busy",
                &ReviewUnavailable::Busy.to_string(),
            ),
            Err(GameReviewError::NotNow(ReviewUnavailable::Failed(problem))) => {
                page::message(StatusCode::INTERNAL_SERVER_ERROR, "Review failed", &problem)
            }
        }
    }

    fn look_at(&self, read: &mut TournamentSnapshot) -> Result<bool, ReportError> {
        match read {
            TournamentSnapshot::Report(report) => report.read_on(LOOK),
            TournamentSnapshot::Wrong { length, .. } if *length == self.length() => Ok(false),
            TournamentSnapshot::Nothing(_) | TournamentSnapshot::Wrong { .. } => {
                let mut report = GrowingReport::open(&self.path, self.terms.marks.clone())?;
                report.read_on(LOOK)?;
                *read = TournamentSnapshot::Report(Box::new(report));
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
pub(super) enum ReportTextError {
    /// Nothing was played yet.
    Nothing(String),
    /// The log is not in order.
    Wrong(String),
}

/// The reason why there is no review.
pub(super) enum GameReviewError {
    /// The log is not in order.
    Wrong(String),
    NotNow(ReviewUnavailable),
}

impl ChangingSource for ServedTournament {
    fn changes(&self) -> &ChangeCounter {
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
            ReportError::Wrong(problem) => {
                TournamentSnapshot::Wrong { problem, length: self.length() }
            }
            ReportError::Usage(problem) => TournamentSnapshot::Nothing(problem),
            ReportError::Machine(_) => TournamentSnapshot::Nothing(told.clone()),
        };
        let is_new = match &*read {
            TournamentSnapshot::Nothing(known)
            | TournamentSnapshot::Wrong { problem: known, .. } => *known != told,
            TournamentSnapshot::Report(_) => true,
        };
        *read = next;
        is_new
    }

    fn is_behind(&self) -> bool {
        match &*self.read.lock().unwrap_or_else(PoisonError::into_inner) {
            TournamentSnapshot::Report(report) => !report.is_up_to_date(),
            TournamentSnapshot::Nothing(_) | TournamentSnapshot::Wrong { .. } => false,
        }
    }
}

fn script(key: GameKey, review: &[u8]) -> Vec<u8> {
    let GameKey { number, attempt } = key;
    [format!("arbiter.takeReview({number}, {attempt}, ").as_bytes(), review, b");\n"].concat()
}

fn server_error(problem: &str) -> Response {
    page::message(StatusCode::INTERNAL_SERVER_ERROR, "Invalid log", problem)
}

/// Sends `changed` with the number of changes, at the beginning and after each one.
pub(super) async fn events(State(tournament): State<Arc<ServedTournament>>) -> Response {
    changes::events(tournament)
}

async fn first(State(tournament): State<Arc<ServedTournament>>, asked: HeaderMap) -> Response {
    report_part(tournament, asked, String::new(), ReportPart::Overview).await
}

/// Answers with a part of the report. A page with standings of many bots takes long: it is made further while its visitors
/// are told so, and holds one thread however many ask for it.
async fn report_part(
    tournament: Arc<ServedTournament>,
    asked: HeaderMap,
    name: String,
    part: ReportPart,
) -> Response {
    if !(part.is_page() && part.has_standings()) {
        return page::read(move || tournament.text(&asked, &name, part)).await;
    }
    let turns = Arc::clone(&tournament.turns);
    let making = async move {
        let turn = turns.acquire_owned().await;
        page::read(move || {
            let _turn = turn;
            tournament.text(&asked, &name, part)
        })
        .await
    };
    page::with_timeout(page::PATIENCE, making).await
}

async fn part(
    State(tournament): State<Arc<ServedTournament>>,
    AtPath(path): AtPath<String>,
    asked: HeaderMap,
) -> Response {
    match ReportPart::named(&path) {
        Some(ReportPart::Review(key)) => page::read(move || tournament.review(&asked, key)).await,
        Some(part) => report_part(tournament, asked, path, part).await,
        None => page::missing(),
    }
}

/// Returns true if a reviewer knows the games of a series.
fn is_reviewed(series: &Series) -> bool {
    reviewer_of(series.kind(), &series.header().options).is_some()
}
