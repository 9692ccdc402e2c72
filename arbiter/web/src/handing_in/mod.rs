//! Takes in bots over the page of a league.
//!
//! # Theory of operation
//!
//! **A token stands for a participant** ([`guest`](crate::guest)), in the header `Authorization` of a
//! program or in the cookie of a browser, which no script sees and which comes with no request from
//! elsewhere. It is looked up by its digest, anew for each request, so one that is taken back is void at
//! once.
//!
//! **Everything is counted before it is read** ([`rates`](crate::rates)): the requests of an address, its wrong tokens,
//! the files that a participant has handed in, and how many files are on their way, with the room that they take
//! ([`taking_in`]). A body goes to a file piece by piece, and a slow sender is cut off ([`upload`]), so memory does not
//! depend on what is sent.
//!
//! **The client waits for no check.** Submissions wait on the disk, in a queue for each league ([`SubmissionQueue`]).
//! The queues of a server share a number of places, at which several submissions are checked at once
//! ([`SubmissionQueues`]). Each answer tells the place in the queue.
//!
//! **One test game is played at a time** ([`test_table`]), in a thread of its own; a second one is refused.
//!
//! **A request reads little**: the public part of all submissions is in memory, and only the submissions that
//! a participant asks for are read.
//!
//! **A league whose settings cannot be read takes no bots**, and says so to participants. It is tried again
//! with the next request, so a mended file needs no restart. What pages disclose depends on the option
//! `--submit` alone ([`ServeOptions`](crate::options::ServeOptions)).
//!
//! **The public sees a verdict**: the bot, its version, and that it entered or at which step it was refused.
//! The reason, the report and the name of the file are for the participant alone ([`answer`]).

pub(super) mod answer;
mod games_of_bot;
mod own_moves;
pub(super) mod pages;
pub(super) mod signing_in;
mod taking_in;
mod test_games;
mod test_table;
mod upload;

use std::io::Read;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde_json::json;

use crate::rates::{Rate, Rates};
use crate::reviewing::Reviewing;
use crate::sizes::Sizes;
use crate::{guest, have_ended};
use answer::{Refusal, as_json};
use league::entry::queue::{NotOpened, Places, Standing, SubmissionQueue};
use league::faults;
use league::folder::LeagueFolder;
use league::keys::Keys;
use league::participants::Participants;
use league::submissions::{self, Brief, Submission};
use pages::Visitor;
use report::league::announced::Announced;
use taking_in::Arrivals;
use test_table::TestTable;
use text::terminal::say;

/// The requests of an address: a class behind one address has enough.
const REQUESTS: Rate = Rate { turns: 400, every: Duration::from_millis(20) };
/// The wrong tokens of an address.
const WRONG: Rate = Rate { turns: 10, every: Duration::from_secs(10) };
/// The registrations of an address, whether or not they succeed: a class behind one address has enough.
const REGISTRATIONS: Rate = Rate { turns: 60, every: Duration::from_secs(20) };
/// The files of a participant.
const UPLOADS: Rate = Rate { turns: 20, every: Duration::from_secs(30) };
/// The longest body that is not a file, in bytes.
const LONGEST_FORM: usize = 4 << 10;
/// The most faults of a bot that are told: for each the log of a round may be read.
const FAULTS: usize = 10;

/// The shortest time between two tries to open a queue.
const AGAIN: Duration = Duration::from_secs(1);

/// The open queues of all leagues that are served, each with a thread that begins checks.
#[derive(Debug)]
pub(super) struct SubmissionQueues {
    open: Mutex<Vec<(Arc<SubmissionQueue>, JoinHandle<()>)>>,
    /// The places for checks.
    places: Arc<Places>,
    /// The place for test games.
    tests: TestTable,
}

impl SubmissionQueues {
    /// No queue is open yet. At most this number of submissions are checked at once, in all leagues together.
    pub(super) fn new(at_once: NonZeroUsize) -> SubmissionQueues {
        let (open, places, tests) = (Mutex::default(), Places::new(at_once), TestTable::default());
        SubmissionQueues { open, places, tests }
    }

    fn open(&self, folder: LeagueFolder) -> Result<Arc<SubmissionQueue>, NotOpened> {
        let queue = Arc::new(SubmissionQueue::open(folder, Arc::clone(&self.places))?);
        let worker = Arc::clone(&queue);
        let thread = thread::spawn(move || worker.work());
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push((Arc::clone(&queue), thread));
        Ok(queue)
    }

    /// Closes all queues and ends test games, and returns true if all checks have ended. The next server checks those
    /// that wait.
    pub(super) fn close(&self) -> bool {
        let has_test_ended = self.tests.close();
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        open.iter().for_each(|(queue, _)| queue.close());
        let have_ended = have_ended(open.iter().map(|(_, thread)| thread));
        if !have_ended {
            open.iter().for_each(|(queue, _)| queue.leave());
        }
        have_ended && has_test_ended
    }
}

/// The entrance for bots to a league.
#[derive(Debug)]
pub(super) struct HandingIn {
    folder: LeagueFolder,
    queues: Arc<SubmissionQueues>,
    queue: OnceLock<Arc<SubmissionQueue>>,
    /// The time of the last try to open the queue that failed, and the reason.
    failed: Mutex<Option<(Instant, String)>>,
    requests: Rates<IpAddr>,
    wrong: Rates<IpAddr>,
    registrations: Rates<IpAddr>,
    uploads: Rates<String>,
    arrivals: Arrivals,
    sizes: Sizes,
    /// Makes reviews of games, if participants can ask for them.
    reviewing: Option<Arc<Reviewing>>,
}

impl HandingIn {
    /// A league whose queue is not open yet.
    pub(super) fn new(
        folder: LeagueFolder,
        queues: Arc<SubmissionQueues>,
        reviewing: Option<Arc<Reviewing>>,
    ) -> Arc<HandingIn> {
        Arc::new(HandingIn {
            folder,
            queues,
            queue: OnceLock::new(),
            failed: Mutex::default(),
            requests: Rates::new(REQUESTS),
            wrong: Rates::new(WRONG),
            registrations: Rates::new(REGISTRATIONS),
            uploads: Rates::new(UPLOADS),
            arrivals: Arrivals::new(),
            sizes: Sizes::default(),
            reviewing,
        })
    }

    /// Opens the queue, unless it is open. This reads files.
    pub(super) fn open(&self) -> Result<Arc<SubmissionQueue>, NotOpened> {
        // One at a time: two queues would check the same submissions.
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = self.queue.get() {
            return Ok(Arc::clone(queue));
        }
        match self.queues.open(self.folder.clone()) {
            Ok(queue) => Ok(Arc::clone(self.queue.get_or_init(|| queue))),
            Err(problem) => {
                *failed = Some((Instant::now(), problem.to_string()));
                Err(problem)
            }
        }
    }

    /// Returns the queue if it is open.
    pub(super) fn opened(&self) -> Option<Arc<SubmissionQueue>> {
        self.queue.get().cloned()
    }

    /// The sizes of the parts of the league.
    pub(super) fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Returns the queue, which is opened if it can be by now.
    pub(super) async fn queue(self: &Arc<Self>) -> Result<Arc<SubmissionQueue>, Refusal> {
        if let Some(queue) = self.queue.get() {
            return Ok(Arc::clone(queue));
        }
        let state = Arc::clone(self);
        in_thread(move || {
            let last = state.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let closed = || {
                let why = "this league does not accept submissions now: ask the organiser";
                Refusal::later(StatusCode::SERVICE_UNAVAILABLE, why, 30)
            };
            if last.as_ref().is_some_and(|(at, _)| at.elapsed() < AGAIN) {
                return Err(closed());
            }
            state.open().map_err(|problem| {
                if last.is_none_or(|(_, told)| told != problem.to_string()) {
                    say(format!("warning: {problem}"));
                }
                closed()
            })
        })
        .await
    }

    /// Returns the participant whose token the request has; none for a request without a token.
    async fn participant(
        self: &Arc<Self>,
        request: &RequestContext,
    ) -> Result<Option<String>, Refusal> {
        match &request.token {
            None => Ok(None),
            Some(token) => self.with_token(token.clone(), request.address).await.map(Some),
        }
    }

    /// Returns the participant whose token the request has.
    async fn signed_in(self: &Arc<Self>, request: &RequestContext) -> Result<String, Refusal> {
        self.participant(request).await?.ok_or_else(|| {
            let why = "sign in with your token to see this page";
            Refusal::new(StatusCode::UNAUTHORIZED, why)
        })
    }

    async fn with_token(self: &Arc<Self>, token: String, from: IpAddr) -> Result<String, Refusal> {
        let state = Arc::clone(self);
        let found = in_thread(move || {
            let all = Participants::read(&state.folder).map_err(|it| Refusal::ours(&it))?;
            Ok(all.with_token(&token).map(str::to_owned))
        });
        match found.await? {
            Some(name) => Ok(name),
            None => {
                // Only wrong ones are counted: 256 bits are not found by trying.
                self.count_wrong(from)?;
                Err(Refusal::new(
                    StatusCode::UNAUTHORIZED,
                    "invalid token: ask the organiser for a new one",
                ))
            }
        }
    }

    /// The league.
    pub(super) fn folder(&self) -> &LeagueFolder {
        &self.folder
    }

    /// Counts a request of an address before anything is done for it.
    pub(super) fn count_request(&self, from: IpAddr) -> Result<(), Refusal> {
        Ok(self.requests.take(from, Instant::now())?)
    }

    /// Counts an address that registers, before its code is looked at.
    pub(super) fn count_registration(&self, from: IpAddr) -> Result<(), Refusal> {
        Ok(self.registrations.take(from, Instant::now())?)
    }

    /// Counts a wrong token or code of an address.
    pub(super) fn count_wrong(&self, from: IpAddr) -> Result<(), Refusal> {
        Ok(self.wrong.take(from, Instant::now())?)
    }
}

/// The common part of all requests.
#[derive(Debug, Clone)]
struct RequestContext {
    address: IpAddr,
    token: Option<String>,
    queue: Arc<SubmissionQueue>,
}

/// Routes of the pages and of the interface for programs, below an address that ends in a slash.
pub(super) fn routes(state: Arc<HandingIn>) -> Router {
    let counted = Arc::clone(&state);
    Router::new()
        .route("/", get(overview).post(taking_in::hand_in))
        .route("/sign-in", post(signing_in::sign_in))
        .route("/sign-out", post(signing_in::sign_out))
        .route("/register", post(signing_in::register))
        .route("/token", post(signing_in::renew))
        .route("/submissions/{number}", get(submission))
        .route("/submissions/{number}/file", get(file_of_submission))
        .route("/submissions/{number}/again", post(taking_in::hand_in_again))
        .route("/faults", get(own_faults))
        .route("/games", get(games_of_bot::list))
        .route("/games/{round}/{game}", get(games_of_bot::answers))
        .route("/test-games", get(|| async { Redirect::permanent("test-games/") }))
        .route("/test-games/", get(test_games::list).post(test_games::begin))
        .route("/test-games/{number}", get(test_games::one))
        .route("/review/{round}/{game}", get(own_moves::own_moves))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(middleware::from_fn(move |request, next| count(Arc::clone(&counted), request, next)))
        .with_state(state)
}

/// Counts a request before anything is done for it.
async fn count(state: Arc<HandingIn>, mut request: Request, next: Next) -> Response {
    let address = guest::address(request.headers(), request.extensions());
    if let Err(refusal) = state.count_request(address) {
        return refusal.told(request.headers());
    }
    let queue = match state.queue().await {
        Ok(queue) => queue,
        Err(refusal) => return refusal.told(request.headers()),
    };
    let token = guest::token(request.headers()).map(str::to_owned);
    request.extensions_mut().insert(RequestContext { address, token, queue });
    next.run(request).await
}

/// The page with the form and the submissions.
async fn overview(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
) -> Response {
    let participant = match state.participant(&asked).await {
        Ok(participant) => participant,
        // A browser with an old cookie gets the form.
        Err(_) if guest::wants_page(&headers) => None,
        Err(refusal) => return refusal.told(&headers),
    };
    let read = in_thread(move || {
        let failed = |error| Refusal::ours(&error);
        let (latest, undecided) = asked.queue.seen().map_err(failed)?;
        let folder = asked.queue.folder();
        let announced = announced(&asked.queue);
        let keys = Keys::read(folder).unwrap_or_default();
        let may_register = keys.registrations_left().is_some_and(|left| left > 0);
        let own = match &participant {
            Some(name) => submissions::of(asked.queue.folder(), name).map_err(failed)?,
            None => Vec::new(),
        };
        let standing = |it: &Submission| undecided.standing(&it.participant, it.number);
        let own: Vec<(Submission, Standing)> =
            own.into_iter().rev().map(|it| (it.clone(), standing(&it))).collect();
        let visitor = match participant {
            Some(name) => Visitor::Participant(name),
            None if may_register => Visitor::MayRegister,
            None => Visitor::Stranger,
        };
        Ok((visitor, own, latest, undecided, announced))
    });
    match read.await {
        Err(refusal) => refusal.told(&headers),
        Ok((visitor, own, latest, undecided, announced)) if guest::wants_page(&headers) => {
            pages::overview(&visitor, &announced, &own, &latest, &undecided).into_response()
        }
        Ok((visitor, own, latest, undecided, announced)) => {
            let participant = match &visitor {
                Visitor::Participant(name) => Some(name),
                Visitor::MayRegister | Visitor::Stranger => None,
            };
            let calendar = announced.calendar.times();
            let own: Vec<_> = own.iter().map(|(it, standing)| answer::own(it, *standing)).collect();
            let public =
                |it: &Brief| answer::public(it, undecided.standing(&it.participant, it.number));
            let all: Vec<_> = latest.iter().map(public).collect();
            let names = |it: &[Brief]| -> Vec<String> {
                it.iter().map(|it| it.participant.clone()).collect()
            };
            let checking = names(&undecided.checking);
            let queue = [checking.clone(), names(&undecided.waiting)].concat();
            let told = json!({
                "participant": participant, "own": own, "all": all, "queue": queue,
                "checking": checking, "calendar": calendar,
            });
            as_json(StatusCode::OK, &told)
        }
    }
}

/// One submission of the participant, with its report.
async fn submission(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    headers: HeaderMap,
) -> Response {
    let name = match state.signed_in(&asked).await {
        Ok(name) => name,
        Err(refusal) => return refusal.told(&headers),
    };
    let read = in_thread(move || {
        let folder = asked.queue.folder();
        let missing = || Refusal::new(StatusCode::NOT_FOUND, "no such submission");
        let found = submissions::one(folder, &name, number).ok_or_else(missing)?;
        let report = found.report(folder);
        let (_, undecided) = asked.queue.seen().map_err(|it| Refusal::ours(&it))?;
        let standing = undecided.standing(&name, number);
        let is_kept = found.content(folder).is_some();
        Ok((found, standing, report, is_kept))
    });
    match read.await {
        Err(refusal) => refusal.told(&headers),
        Ok((found, standing, report, is_kept)) if guest::wants_page(&headers) => {
            pages::submission(&found, standing, report.as_deref(), is_kept).into_response()
        }
        Ok((found, standing, report, is_kept)) => {
            let mut told = answer::own(&found, standing);
            (told["report"], told["is_kept"]) = (json!(report), json!(is_kept));
            as_json(StatusCode::OK, &told)
        }
    }
}

/// The file of a submission of the participant, as it came.
async fn file_of_submission(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    headers: HeaderMap,
) -> Response {
    let read = async {
        let name = state.signed_in(&asked).await?;
        in_thread(move || {
            let folder = asked.queue.folder();
            let missing = || {
                Refusal::new(
                    StatusCode::NOT_FOUND,
                    "the file of this submission is no longer stored",
                )
            };
            let none = || Refusal::new(StatusCode::NOT_FOUND, "no such submission");
            let found = submissions::one(folder, &name, number).ok_or_else(none)?;
            let content = found.content(folder).ok_or_else(missing)?;
            let mut bytes = Vec::new();
            let most = asked.queue.bounds().upload;
            content.take(most).read_to_end(&mut bytes).map_err(|error| Refusal::ours(&error))?;
            Ok((found, bytes))
        })
        .await
    };
    match read.await {
        Err(refusal) => refusal.told(&headers),
        Ok((found, bytes)) => {
            let sent = [
                (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
                (header::CONTENT_DISPOSITION, attachment(&found)),
            ];
            (StatusCode::OK, sent, bytes).into_response()
        }
    }
}

/// The name under which a browser keeps a file: that of the upload, if it is plain.
fn attachment(submission: &Submission) -> String {
    let is_plain = |name: &&String| {
        let mut letters = name.chars();
        letters.all(|it| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_'))
    };
    let usual = || format!("{}-{}", submission.participant, submission.number);
    let name = submission.record.file.as_ref().filter(is_plain).cloned().unwrap_or_else(usual);
    format!("attachment; filename=\"{name}\"")
}

/// The last games that the participant's bot forfeited, with its standard error.
async fn own_faults(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    headers: HeaderMap,
) -> Response {
    let name = match state.signed_in(&asked).await {
        Ok(name) => name,
        Err(refusal) => return refusal.told(&headers),
    };
    let read = in_thread(move || {
        faults::of(asked.queue.folder(), &name, FAULTS).map_err(|problem| Refusal::ours(&problem))
    });
    match read.await {
        Err(refusal) => refusal.told(&headers),
        Ok(told) if guest::wants_page(&headers) => pages::faults(&told).into_response(),
        Ok(told) => {
            let told: Vec<_> = told.iter().map(answer::fault).collect();
            as_json(StatusCode::OK, &json!({ "faults": told }))
        }
    }
}

/// The announcements of a league, by its last calendar that was right.
pub(super) fn announced(queue: &SubmissionQueue) -> Announced {
    match queue.terms() {
        Ok((terms, _)) => Announced::by(queue.folder(), terms.calendar().clone()),
        Err(_) => Announced::of(queue.folder()),
    }
}

/// Reads or writes files in a thread of its own.
pub(super) async fn in_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|it| Err(Refusal::ours(&it)))
}
